//! Tests the rendering of handmade traces.

use super::{Event, LocatedEvent, Look, Operand, Origin, Step, Trace, TraceValue, render};
use grammars::source::{SourceMap, Span};
use program::ssa::source::Operation;
use program::ssa::{Property, PropertyKind};

const TEXT: &str = "\
int main(void) {
    int n = input();
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
";

fn sources() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("sum.c", TEXT.as_bytes()).expect("the text is short");
    sources
}

/// Returns the span of the first occurrence of `text`.
fn span(sources: &SourceMap, text: &str) -> Span {
    let file = sources.files().next().expect("one file");
    let start = sources.file_span(file).lo + TEXT.find(text).expect("the text is there") as u32;
    Span::new(start, start + text.len() as u32)
}

fn scalar(text: &str) -> TraceValue {
    TraceValue::Scalar(text.to_owned())
}

fn assignment(place: &str, value: &str) -> Event {
    Event::Assignment { place: place.to_owned(), value: scalar(value) }
}

fn operand(operand: &str, value: &str) -> Operand {
    Operand { operand: operand.to_owned(), span: Span::NONE, value: scalar(value) }
}

/// Returns the trace of a run with `iterations` iterations that ends in an overflow.
fn trace(sources: &SourceMap, iterations: u32) -> Trace {
    let mut steps = Vec::new();
    let mut step = |text: &str, event: Event| {
        let span = span(sources, text);
        steps.push(Step { span, function: "main".to_owned(), depth: 1, event });
    };
    let input = Event::Input {
        number: 1,
        origin: Origin::Call("input".to_owned()),
        value: scalar("100"),
        ty: Some("int".to_owned()),
    };
    step("input()", input);
    step("int n", assignment("n", "100"));
    for i in 0..iterations {
        let i = i.to_string();
        step("int i", assignment("i", &i));
        let operands = vec![operand("i", &i), operand("n", "100")];
        let condition = span(sources, "i < n");
        step("i < n", Event::Branch { condition, holds: true, operands });
        step("sum += i", assignment("sum", &i));
    }
    let violation = Event::Violation {
        description: "signed overflow in sum + i".to_owned(),
        operation: Some(Operation { text: "sum + i".to_owned(), ty: "int".to_owned() }),
        operands: vec![operand("sum", "2147483647"), operand("i", "1")],
    };
    step("sum += i", violation);
    Trace {
        property: Property(0),
        kind: PropertyKind::SignedOverflow,
        description: "signed overflow in sum + i".to_owned(),
        span: span(sources, "sum += i"),
        steps,
        fault: None,
    }
}

#[test]
fn a_short_trace_is_shown_with_inputs_conditions_and_the_failing_operation() {
    let sources = sources();
    let text = render(&trace(&sources, 1), &sources, Look::Plain);
    let expected = "\
counterexample at sum.c:4: signed overflow in sum + i
inputs:
   #1 input() at sum.c:2 = 100
trace:
  sum.c
    2 int n = input();
        n = 100 (input #1)
    3 for (int i = 0; i < n; i++)
        i = 0
        i < n is true (i = 0, n = 100)
    4 sum += i;
        sum = 0
        ERROR: sum + i = 2147483647 + 1 overflows int
";
    assert_eq!(text, expected);
}

#[test]
fn iterations_between_the_first_and_the_last_are_counted() {
    let sources = sources();
    let text = render(&trace(&sources, 100), &sources, Look::Plain);
    assert!(text.contains("… 98 more iterations …"), "{text}");
    assert!(text.contains("i = 0") && text.contains("i = 99") && !text.contains("i = 50"), "{text}");
    assert!(text.lines().count() < 20, "{text}");
}

#[test]
fn a_long_trace_without_repetition_is_bounded() {
    let sources = sources();
    let mut trace = trace(&sources, 1);
    let violation = trace.steps.pop().expect("the violation");
    // The lines are random, so no sequence repeats often enough to be folded.
    let lines = ["int main", "int n", "int i", "sum += i", "return sum"];
    let mut random = terms::Random::new(3);
    for _ in 0..2000 {
        let line = lines[random.number() as usize % lines.len()];
        let event = assignment("x", "1");
        trace.steps.push(Step { span: span(&sources, line), function: "main".to_owned(), depth: 1, event });
    }
    for step in trace.steps.clone() {
        trace.steps.extend(std::iter::repeat_n(step, 10));
    }
    trace.steps.push(violation);
    let count = trace.steps.len();
    let listed = trace.located(&sources).steps;
    let left_out = LocatedEvent::LeftOut { steps: count + 1 - listed.len() };
    assert_eq!((listed.len(), &listed[10_000].event), (20_001, &left_out));
    let text = render(&trace, &sources, Look::Plain);
    assert!(text.contains("steps left out …"), "{text}");
    assert!(text.lines().count() < 700, "{}", text.lines().count());
    assert!(text.trim_end().ends_with("overflows int"), "{text}");
}

#[test]
fn colors_and_frames_are_for_terminals() {
    let sources = sources();
    let trace = trace(&sources, 1);
    let plain = render(&trace, &sources, Look::Plain);
    assert!(!plain.contains('\u{1b}') && !plain.contains('│'), "{plain}");
    let framed = render(&trace, &sources, Look::Framed);
    assert!(framed.contains("    3 │ for") && !framed.contains('\u{1b}'), "{framed}");
    assert!(render(&trace, &sources, Look::Colored).contains('\u{1b}'));
}

#[test]
fn the_serialized_form_has_texts_and_lines() {
    let sources = sources();
    let located = trace(&sources, 1).located(&sources);
    assert_eq!((located.inputs.len(), located.inputs[0].value.as_str()), (1, "100"));
    assert_eq!((located.inputs[0].line, located.inputs[0].ty.as_deref()), (Some(2), Some("int")));
    let lines: Vec<Option<u32>> = located.steps.iter().map(|step| step.line).collect();
    assert_eq!(lines, [Some(2), Some(2), Some(3), Some(3), Some(4), Some(4)]);
}
