//! The serializable form of traces: positions and source texts instead of spans.

use super::fault::{self, LocatedFault};
use super::{Event, Operand, Origin, Step, Trace};
use grammars::source::{SourceMap, Span};
use program::ssa::PropertyKind;
use program::ssa::source::Operation;
use serde::Serialize;

/// The largest number of characters of a condition shown.
const LONGEST_TEXT: usize = 80;
/// The number of steps at each end of a trace; the middle of a longer trace is left out. A million
/// steps would have more than 100 MB.
const MOST_STEPS: usize = 10_000;

/// A trace with positions instead of spans.
#[derive(Clone, Debug, Serialize)]
pub struct Located {
    /// The kind of the violated property.
    pub kind: PropertyKind,
    /// The description of the violated property.
    pub description: String,
    /// The file of the error site.
    pub file: Option<String>,
    /// The line of the error site, from 1.
    pub line: Option<u32>,
    /// The address and object of a memory-safety violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<LocatedFault>,
    /// The nondeterministic values in the order of the reads.
    #[serde(skip)]
    pub inputs: Vec<LocatedInput>,
    /// The steps in execution order.
    pub steps: Vec<LocatedStep>,
}

/// A nondeterministic value that the execution reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LocatedInput {
    /// The origin: a call, or data with unknown contents.
    pub source: String,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The value.
    pub value: String,
    /// The type in the source, if known.
    #[serde(rename = "type")]
    pub ty: Option<String>,
}

/// A step with its position.
#[derive(Clone, Debug, Serialize)]
pub struct LocatedStep {
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in bytes, from 1.
    pub column: Option<u32>,
    /// The running function.
    pub function: String,
    /// The event.
    #[serde(flatten)]
    pub event: LocatedEvent,
}

/// An operand with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LocatedOperand {
    /// The source text.
    pub operand: String,
    /// The value of the operand.
    pub value: String,
}

/// An event of an execution; see [`Event`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
#[allow(missing_docs, reason = "the fields of `Event` as texts")]
pub enum LocatedEvent {
    /// A variable or memory cell is assigned.
    Assignment { place: String, value: String },
    /// The program reads a nondeterministic value.
    Input { number: u32, source: String, value: String },
    /// A function is called.
    Call { callee: String, arguments: Vec<String> },
    /// A function returns to its caller.
    Return { callee: String, value: Option<String> },
    /// A condition of the source is evaluated.
    Branch { condition: String, holds: bool, operands: Vec<LocatedOperand> },
    /// A `switch` selects a case; `None` is the default.
    Switch { expression: String, case: Option<String>, operands: Vec<LocatedOperand> },
    /// A gap in the trace: the rest of a long execution, which the interpreter did not record.
    NotRecorded { executed: u64 },
    /// Steps of a long trace that are not listed.
    LeftOut { steps: usize },
    /// The execution reaches the error site.
    Violation {
        description: String,
        /// The operation that violates the property, with the values of its operands:
        /// `x + 1 = 2147483647 + 1`.
        #[serde(skip_serializing_if = "Option::is_none")]
        expression: Option<String>,
        /// The complete message.
        message: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        operands: Vec<LocatedOperand>,
    },
}

impl Located {
    pub(super) fn new(trace: &Trace, sources: &SourceMap) -> Self {
        let (file, line, _) = position(sources, trace.span);
        Located {
            kind: trace.kind,
            description: format!("{}{}", trace.description, details(trace, sources)),
            file,
            line,
            memory: trace.fault.as_ref().map(|fault| LocatedFault::new(fault, sources)),
            inputs: inputs(trace, sources).collect(),
            steps: steps(trace, sources),
        }
    }
}

/// Returns the steps, of a long trace those at both ends.
fn steps(trace: &Trace, sources: &SourceMap) -> Vec<LocatedStep> {
    let all = |steps: &[Step]| -> Vec<LocatedStep> {
        steps.iter().map(|step| locate(trace, step, sources)).collect()
    };
    let Some(left_out) = trace.steps.len().checked_sub(2 * MOST_STEPS).filter(|&steps| steps > 0) else {
        return all(&trace.steps);
    };
    let (first, rest) = trace.steps.split_at(MOST_STEPS);
    let mut steps = all(first);
    let after = &rest[left_out..];
    let event = LocatedEvent::LeftOut { steps: left_out };
    steps.extend(after.first().map(|step| LocatedStep { event, ..locate(trace, step, sources) }));
    steps.extend(all(after));
    steps
}

/// Returns the nondeterministic values of an execution in the order of the reads.
pub(super) fn inputs<'a>(
    trace: &'a Trace,
    sources: &'a SourceMap,
) -> impl Iterator<Item = LocatedInput> + 'a {
    trace.steps.iter().filter_map(|step| match &step.event {
        Event::Input { origin, value, ty, .. } => {
            let (file, line, _) = position(sources, step.span);
            let (source, value) = (origin_text(origin, sources), value.text(sources));
            Some(LocatedInput { source, file, line, value, ty: ty.clone() })
        }
        _ => None,
    })
}

/// Converts a step to its serializable form.
pub(super) fn locate(trace: &Trace, step: &Step, sources: &SourceMap) -> LocatedStep {
    let (file, line, column) = position(sources, step.span);
    let event = match &step.event {
        Event::Assignment { place, value } => {
            LocatedEvent::Assignment { place: place.clone(), value: value.text(sources) }
        }
        Event::Input { number, origin, value, .. } => LocatedEvent::Input {
            number: *number,
            source: origin_text(origin, sources),
            value: value.text(sources),
        },
        Event::Call { callee, arguments } => {
            let arguments = arguments.iter().map(|argument| argument.text(sources)).collect();
            LocatedEvent::Call { callee: callee.clone(), arguments }
        }
        Event::Return { callee, value } => {
            let value = value.as_ref().map(|value| value.text(sources));
            LocatedEvent::Return { callee: callee.clone(), value }
        }
        Event::Branch { condition, holds, operands } => LocatedEvent::Branch {
            condition: text(sources, *condition),
            holds: *holds,
            operands: locate_operands(operands, sources),
        },
        Event::Switch { expression, case, operands } => LocatedEvent::Switch {
            expression: text(sources, *expression),
            case: (!case.is_empty()).then(|| case.join(", ")),
            operands: locate_operands(operands, sources),
        },
        Event::NotRecorded { executed } => LocatedEvent::NotRecorded { executed: *executed },
        Event::Violation { description, operation, operands } => {
            let operands = locate_operands(operands, sources);
            let applied = operation.as_ref().and_then(|operation| applied(&operation.text, &operands));
            let message = message(trace, description, operation.as_ref(), applied.as_deref(), &operands);
            let message = format!("{message}{}", accessed(trace, sources));
            let expression = operation.as_ref().map(|operation| match &applied {
                Some(applied) => format!("{} = {applied}", operation.text),
                None => operation.text.clone(),
            });
            LocatedEvent::Violation { description: description.clone(), expression, message, operands }
        }
    };
    LocatedStep { file, line, column, function: step.function.clone(), event }
}

/// Returns the message of a violation, without the description of the object.
fn message(
    trace: &Trace,
    description: &str,
    operation: Option<&Operation>,
    applied: Option<&str>,
    operands: &[LocatedOperand],
) -> String {
    let is_overflow = matches!(trace.kind, PropertyKind::SignedOverflow | PropertyKind::UnsignedOverflow);
    match (operation, applied) {
        (Some(operation), Some(applied)) if is_overflow => {
            format!("{} = {applied} overflows {}", operation.text, operation.ty)
        }
        (Some(_), Some(applied)) => format!("{description}: {applied}"),
        _ if operands.is_empty() => description.to_owned(),
        _ => format!("{description}: {}", operand_list(operands)),
    }
}

/// Returns the source text of the invalid access, and the description of its object.
fn accessed(trace: &Trace, sources: &SourceMap) -> String {
    let is_access = trace.fault.as_ref().is_some_and(|fault| fault.address.is_some());
    let by = match is_access && !trace.span.is_none() {
        true => format!(" in `{}`", text(sources, trace.span)),
        false => String::new(),
    };
    format!("{by}{}", details(trace, sources))
}

/// Substitutes the values of the operands into the text of an operation; `None` if no operand
/// occurs.
fn applied(operation: &str, operands: &[LocatedOperand]) -> Option<String> {
    let parenthesized = |operand: &LocatedOperand| format!("({})", operand.operand);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = operation.to_owned();
    let mut has_changed = false;
    // The right operand comes first: replacing it does not move the left one.
    for operand in operands {
        let written = [parenthesized(operand), operand.operand.clone()];
        let before = written.iter().find_map(|written| text.strip_suffix(written.as_str()));
        if let Some(before) = before.filter(|before| !before.is_empty() && !before.ends_with(is_word)) {
            let value = match operand.value.starts_with('-') {
                true => format!("({})", operand.value),
                false => operand.value.clone(),
            };
            text = format!("{before}{value}");
            has_changed = true;
            break;
        }
    }
    for operand in operands {
        let written = [parenthesized(operand), operand.operand.clone()];
        let after = written.iter().find_map(|written| text.strip_prefix(written.as_str()));
        if let Some(after) = after.filter(|after| after.starts_with(' ')) {
            text = format!("{}{after}", operand.value);
            has_changed = true;
            break;
        }
    }
    has_changed.then_some(text)
}

/// Formats operands with their values: `x = 3, y = 4`.
pub(super) fn operand_list(operands: &[LocatedOperand]) -> String {
    let text = |LocatedOperand { operand, value }: &LocatedOperand| format!("{operand} = {value}");
    operands.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn locate_operands(operands: &[Operand], sources: &SourceMap) -> Vec<LocatedOperand> {
    let operand = |operand: &Operand| LocatedOperand {
        operand: match operand.operand.contains('…') && !operand.span.is_none() {
            true => text(sources, operand.span),
            false => operand.operand.clone(),
        },
        value: operand.value.text(sources),
    };
    operands.iter().map(operand).collect()
}

fn origin_text(origin: &Origin, sources: &SourceMap) -> String {
    match origin {
        Origin::Call(name) => format!("{name}()"),
        Origin::External(name) => format!("external data {name}"),
        Origin::Uninitialized(name) => format!("uninitialized {name}"),
        Origin::Contents(pointer) => format!("initial contents of {}", pointer.target(sources)),
        Origin::Environment(what) => what.clone(),
    }
}

/// Describes the address or object of a memory-safety violation; empty for other properties.
pub(super) fn details(trace: &Trace, sources: &SourceMap) -> String {
    trace.fault.as_ref().map_or(String::new(), |fault| fault::describe(trace.kind, fault, sources))
}

/// Returns the source text of an expression on one line, shortened to [`LONGEST_TEXT`] characters.
fn text(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

pub(super) fn position(sources: &SourceMap, span: Span) -> (Option<String>, Option<u32>, Option<u32>) {
    match sources.presumed(span) {
        Some(position) => (Some(position.file.to_string()), Some(position.line), Some(position.column)),
        None => (None, None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(values: &[(&str, &str)]) -> Vec<LocatedOperand> {
        let operand = |&(operand, value): &(&str, &str)| LocatedOperand {
            operand: operand.to_owned(),
            value: value.to_owned(),
        };
        values.iter().map(operand).collect()
    }

    #[test]
    fn values_take_the_place_of_operands() {
        let of = |operation: &str, values: &[(&str, &str)]| applied(operation, &operands(values));
        assert_eq!(of("low + high", &[("low", "1"), ("high", "2")]).as_deref(), Some("1 + 2"));
        assert_eq!(of("x - y", &[("x", "-5"), ("y", "-3")]).as_deref(), Some("-5 - (-3)"));
        assert_eq!(of("x * x", &[("x", "70000")]).as_deref(), Some("70000 * 70000"));
        assert_eq!(of("(a + b) * 2", &[("a + b", "7")]).as_deref(), Some("7 * 2"));
        assert_eq!(of("-x", &[("x", "-2147483648")]).as_deref(), Some("-(-2147483648)"));
        assert_eq!(of("xx + 1", &[("x", "3")]), None);
        assert_eq!(of("1 / 0", &[]), None);
    }
}
