//! Prints traces as text.

use super::fold::{Part, Repetition, fold, stays_on_line};
use super::located::{
    LocatedEvent, LocatedOperand, LocatedStep, details, inputs, locate, operand_list, position,
};
use super::{Step, Trace};
use anstyle::{AnsiColor, Style};
use grammars::source::SourceMap;
use std::fmt::Write;

/// The largest number of inputs listed.
const MOST_INPUTS: usize = 100;
/// The largest indentation level; deeper calls are not indented further.
const DEEPEST: u32 = 20;

/// The output style of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Plain text, for files and pipes.
    Plain,
    /// A frame between line numbers and text, for a terminal without colors.
    Framed,
    /// A frame and colors.
    Colored,
}

/// The role of a piece of text, which determines its color.
#[derive(Clone, Copy)]
enum Role {
    Title,
    Source,
    Number,
    Input,
    Error,
    Note,
    Plain,
}

impl Look {
    fn paint(self, role: Role, text: &str) -> String {
        if self != Look::Colored {
            return text.to_owned();
        }
        let style = match role {
            Role::Plain => return text.to_owned(),
            Role::Title | Role::Source => Style::new().bold(),
            Role::Number => AnsiColor::Blue.on_default(),
            Role::Input => AnsiColor::Yellow.on_default(),
            Role::Error => AnsiColor::Red.on_default().bold(),
            Role::Note => Style::new().dimmed(),
        };
        format!("{style}{text}{style:#}")
    }

    /// Returns the left margin of a line: the line number or blanks, and the frame.
    fn margin(self, number: Option<u32>) -> String {
        let number = number.map_or_else(String::new, |number| number.to_string());
        let bar = if self == Look::Plain { "" } else { " │" };
        self.paint(Role::Number, &format!("{number:>5}{bar}"))
    }
}

/// Prints a trace: the error, the inputs, and the steps. Consecutive steps on a source line are
/// grouped below one quotation of that line, indented by call depth.
pub fn render(trace: &Trace, sources: &SourceMap, look: Look) -> String {
    let mut text = String::new();
    let place = match sources.presumed(trace.span) {
        Some(position) => format!(" at {}:{}", position.file, position.line),
        None => String::new(),
    };
    let title = format!("counterexample{place}: {}{}", trace.description, details(trace, sources));
    let _ = writeln!(text, "{}", look.paint(Role::Title, &title));
    write_inputs(&mut text, trace, sources, look);
    let mut writer = Writer { text, trace, sources, look, previous: None };
    for part in fold(trace, sources) {
        match part {
            Part::Visit(steps) => writer.visit(&trace.steps[steps]),
            Part::Repeated(what, count) => {
                let what = match what {
                    Repetition::Steps => "more steps",
                    Repetition::Iterations => "more iterations",
                    Repetition::Calls => "more calls",
                    Repetition::Returns => "more returns",
                };
                writer.note(&format!("… {count} {what} …"));
            }
            Part::LeftOut(count) => writer.note(&format!("… {count} steps left out …")),
        }
    }
    if look != Look::Plain {
        let _ = writeln!(writer.text, "{}", look.paint(Role::Number, "      ╰─"));
    }
    writer.text
}

fn write_inputs(text: &mut String, trace: &Trace, sources: &SourceMap, look: Look) {
    let mut count = 0;
    for (index, input) in inputs(trace, sources).enumerate() {
        if index == 0 {
            let _ = writeln!(text, "{}", look.paint(Role::Title, "inputs:"));
        }
        count = index + 1;
        if count <= MOST_INPUTS {
            let place = match (&input.file, input.line) {
                (Some(file), Some(line)) => format!(" at {file}:{line}"),
                _ => String::new(),
            };
            let number = look.paint(Role::Number, &format!("{:>5}", format!("#{count}")));
            let value = look.paint(Role::Input, &input.value);
            let _ = writeln!(text, "{number} {}{place} = {value}", input.source);
        }
    }
    if count > MOST_INPUTS {
        let note = format!("      … {} more inputs; --json lists all …", count - MOST_INPUTS);
        let _ = writeln!(text, "{}", look.paint(Role::Note, &note));
    }
    if count > 0 {
        let _ = writeln!(text, "{}", look.paint(Role::Title, "trace:"));
    }
}

struct Writer<'t> {
    text: String,
    trace: &'t Trace,
    sources: &'t SourceMap,
    look: Look,
    /// The last quoted file and line.
    previous: Option<(String, u32)>,
}

impl Writer<'_> {
    fn visit(&mut self, steps: &[Step]) {
        let located: Vec<LocatedStep> =
            steps.iter().map(|step| locate(self.trace, step, self.sources)).collect();
        let mut index = 0;
        while let Some(step) = steps.get(index) {
            self.quote(step);
            let (role, text, used) = describe(&located[index..]);
            let text = self.look.paint(role, &text);
            let margin = self.look.margin(None);
            let _ = writeln!(self.text, "{margin} {}  {text}", indentation(step));
            index += used;
        }
    }

    fn note(&mut self, note: &str) {
        let margin = self.look.margin(None);
        let note = self.look.paint(Role::Note, note);
        let _ = writeln!(self.text, "{margin} {note}");
        self.previous = self.previous.take().map(|(file, _)| (file, 0));
    }

    /// Quotes the source line of a step, unless it is the last quoted line.
    fn quote(&mut self, step: &Step) {
        if stays_on_line(step) {
            return;
        }
        let (Some(file), Some(line), _) = position(self.sources, step.span) else { return };
        let is_same_file = self.previous.as_ref().is_some_and(|(previous, _)| *previous == file);
        if is_same_file && self.previous.as_ref().is_some_and(|(_, previous)| *previous == line) {
            return;
        }
        if !is_same_file {
            let corner = match (self.look, &self.previous) {
                (Look::Plain, _) => "  ",
                (_, None) => "      ╭─ ",
                (_, Some(_)) => "      ├─ ",
            };
            let _ = writeln!(self.text, "{}{file}", self.look.paint(Role::Number, corner));
        }
        let source = self.sources.line_text(step.span).unwrap_or_default();
        let source = self.look.paint(Role::Source, source.trim());
        let margin = self.look.margin(Some(line));
        let _ = writeln!(self.text, "{margin} {}{source}", indentation(step));
        self.previous = Some((file, line));
    }
}

/// Returns the role and text of the first step, and the number of steps that the text covers.
fn describe(steps: &[LocatedStep]) -> (Role, String, usize) {
    let because = |operands: &[LocatedOperand]| match operands.is_empty() {
        true => String::new(),
        false => format!(" ({})", operand_list(operands)),
    };
    match &steps[0].event {
        LocatedEvent::Assignment { place, value } => (Role::Plain, format!("{place} = {value}"), 1),
        LocatedEvent::Input { number, source, value } => match steps.get(1).map(|step| &step.event) {
            Some(LocatedEvent::Assignment { place, value: assigned }) if assigned == value => {
                (Role::Plain, format!("{place} = {value} (input #{number})"), 2)
            }
            Some(LocatedEvent::Branch { condition, holds, operands })
                if operands.iter().any(|read| read.operand == *source && read.value == *value) =>
            {
                let mut operands = operands.clone();
                let read = operands.iter_mut().find(|read| read.operand == *source);
                if let Some(read) = read {
                    read.value = format!("{value} (input #{number})");
                }
                (Role::Plain, format!("{condition} is {holds}{}", because(&operands)), 2)
            }
            _ => (Role::Plain, format!("{source} = {value} (input #{number})"), 1),
        },
        LocatedEvent::Call { callee, arguments } => {
            (Role::Plain, format!("call {callee}({})", arguments.join(", ")), 1)
        }
        LocatedEvent::Return { callee, value: Some(value) } => {
            (Role::Plain, format!("{callee} returns {value}"), 1)
        }
        LocatedEvent::Return { callee, value: None } => (Role::Plain, format!("{callee} returns"), 1),
        LocatedEvent::Branch { condition, holds, operands } => {
            (Role::Plain, format!("{condition} is {holds}{}", because(operands)), 1)
        }
        LocatedEvent::Switch { expression, case, operands } => {
            let case = match case {
                Some(case) => format!("case {case}"),
                None => "default".to_owned(),
            };
            (Role::Plain, format!("switch ({expression}) takes {case}{}", because(operands)), 1)
        }
        LocatedEvent::NotRecorded { executed } => {
            (Role::Note, format!("… not recorded, up to step {executed} …"), 1)
        }
        LocatedEvent::LeftOut { steps } => (Role::Note, format!("… {steps} steps left out …"), 1),
        LocatedEvent::Violation { message, .. } => (Role::Error, format!("ERROR: {message}"), 1),
    }
}

/// Returns the indentation of a step. The entry function and `main` are not indented; the
/// indentation stops at [`DEEPEST`] levels.
fn indentation(step: &Step) -> String {
    "  ".repeat(step.depth.saturating_sub(2).min(DEEPEST) as usize)
}
