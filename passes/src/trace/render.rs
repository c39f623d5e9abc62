//! Traces as text, and with positions.

use super::fault::LocatedFault;
use super::{Event, Operand, Step, Trace};
use grammars::source::{SourceMap, Span};
use program::ssa::PropertyKind;
use serde::Serialize;
use std::fmt::Write;

/// Longer traces are shortened in the middle: this many steps are kept at either end.
const KEPT: usize = 100;

/// A trace with positions instead of spans.
#[derive(Clone, Debug, Serialize)]
pub struct Located {
    /// The kind of the violated property.
    pub kind: PropertyKind,
    /// Its description.
    pub description: String,
    /// The file of the error site.
    pub file: Option<String>,
    /// The line of the error site, from 1.
    pub line: Option<u32>,
    /// Of a violation of memory safety: which object it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<LocatedFault>,
    /// What happened, in order.
    pub steps: Vec<LocatedStep>,
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
    /// The function that runs.
    pub function: String,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl Located {
    pub(super) fn new(trace: &Trace, sources: &SourceMap) -> Self {
        let (file, line, _) = position(sources, trace.span);
        let steps = trace
            .steps
            .iter()
            .map(|step| {
                let (file, line, column) = position(sources, step.span);
                LocatedStep { file, line, column, function: step.function.clone(), event: step.event.clone() }
            })
            .collect();
        let memory = trace.fault.as_ref().map(|fault| LocatedFault::new(fault, sources));
        let description = format!("{}{}", trace.description, details(trace, sources));
        Located { kind: trace.kind, description, file, line, memory, steps }
    }
}

/// The trace as text. A source line is quoted once for consecutive steps that belong to it; what happened there follows,
/// indented by the depth of calls.
pub fn render(trace: &Trace, sources: &SourceMap) -> String {
    let mut text = String::new();
    let place = match sources.presumed(trace.span) {
        Some(position) => format!(" at {}:{}", position.file, position.line),
        None => String::new(),
    };
    let details = details(trace, sources);
    let _ = writeln!(text, "counterexample: {}{details}{place}", trace.description);
    let mut previous = None;
    let left_out = trace.steps.len().saturating_sub(2 * KEPT);
    for (index, step) in trace.steps.iter().enumerate() {
        if left_out > 0 && (KEPT..KEPT + left_out).contains(&index) {
            if index == KEPT {
                let _ = writeln!(text, "      … {left_out} steps left out …");
                previous = None;
            }
            continue;
        }
        let (file, line, _) = position(sources, step.span);
        let here = file.zip(line);
        if here.is_some() && here != previous {
            quote(&mut text, sources, step, previous.as_ref(), here.as_ref());
        }
        if here.is_some() {
            previous = here;
        }
        let indentation = indentation(step);
        let details = if matches!(step.event, Event::Violation { .. }) { details.as_str() } else { "" };
        let _ = writeln!(text, "      {indentation}  {}{details}", describe(&step.event));
    }
    text
}

/// What is known of the object that the error is about.
fn details(trace: &Trace, sources: &SourceMap) -> String {
    trace.fault.as_ref().map_or(String::new(), |fault| super::fault::describe(trace.kind, fault, sources))
}

fn quote(
    text: &mut String,
    sources: &SourceMap,
    step: &Step,
    previous: Option<&(String, u32)>,
    here: Option<&(String, u32)>,
) {
    let Some((file, line)) = here else { return };
    if previous.is_none_or(|(previous_file, _)| previous_file != file) {
        let _ = writeln!(text, "  {file}");
    }
    let source = sources.line_text(step.span).unwrap_or_default();
    let _ = writeln!(text, "{line:>5} {}{}", indentation(step), source.trim());
}

fn describe(event: &Event) -> String {
    match event {
        Event::Assignment { place, value } => format!("{place} = {value}"),
        Event::Input { source, value } => format!("input {source}: {value}"),
        Event::Call { callee, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            format!("call {callee}({})", arguments.join(", "))
        }
        Event::Return { callee, value: Some(value) } => format!("{callee} returns {value}"),
        Event::Return { callee, value: None } => format!("{callee} returns"),
        Event::Branch { holds: true } => "the condition holds".to_owned(),
        Event::Branch { holds: false } => "the condition does not hold".to_owned(),
        Event::Switch { case } => format!("case {case} of the switch"),
        Event::NotRecorded { executed } => format!("… not recorded, up to step {executed} …"),
        Event::Violation { description, operands } => {
            let values: Vec<String> =
                operands.iter().map(|Operand { operand, value }| format!("{operand} = {value}")).collect();
            let separator = if values.is_empty() { "" } else { ": " };
            format!("ERROR: {description}{separator}{}", values.join(", "))
        }
    }
}

/// Deep recursion is not drawn to scale.
fn indentation(step: &Step) -> String {
    "  ".repeat(step.depth.saturating_sub(1).min(20) as usize)
}

fn position(sources: &SourceMap, span: Span) -> (Option<String>, Option<u32>, Option<u32>) {
    match sources.presumed(span) {
        Some(position) => (Some(position.file.to_string()), Some(position.line), Some(position.column)),
        None => (None, None, None),
    }
}
