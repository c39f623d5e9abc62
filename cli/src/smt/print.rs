//! Prints a parsed script for other solvers, with macros expanded and sharing preserved.

use crate::error::CliError;
use crate::{Streams, exit};
use frontend::smtlib::{AttributeValue, Command, Partitions, Script};
use grammars::source::{Diagnostic, FileId, SourceMap};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use terms::print::{quote, term};
use terms::{Term, TermPool, print};

/// Prints the script `file`. Before each command, prints the declarations that the command requires
/// and that are not yet in scope.
pub(super) fn run(sources: &SourceMap, file: FileId, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let mut pool = TermPool::new();
    let mut script = Script::new(sources, file);
    let mut lines: Vec<Line> = Vec::new();
    while let Some(step) = script.next(&mut pool) {
        let step = step.map_err(|error| CliError::Program {
            diagnostics: vec![error],
            sources: Box::new(sources.clone()),
        })?;
        match step.command {
            Command::Declared(_) | Command::Unsupported { .. } => {}
            Command::DeclareDatatypes
            | Command::DeclareVariable(_)
            | Command::Rule { .. }
            | Command::Query { .. } => {
                let message = "this command belongs to Horn clauses";
                let error = Diagnostic::error(step.span, message).with_help("run `hornwork horn`");
                return Err(CliError::Program {
                    diagnostics: vec![error],
                    sources: Box::new(sources.clone()),
                });
            }
            // `declare` repeats declarations in each scope that requires them.
            Command::SetOption { keyword, .. } if keyword == ":global-declarations" => {}
            command => lines.push(Line(command)),
        }
    }
    let mut text = String::new();
    let mut declared = vec![FxHashSet::default()];
    for line in &lines {
        line.declare(&mut text, &pool, &mut declared);
        line.write(&mut text, &pool);
    }
    // A closed pipe is not an error.
    let _ = streams.out.write_all(text.as_bytes());
    Ok(exit::TRUE)
}

struct Line(Command);

impl Line {
    /// Writes the declarations that the command requires and that are not in `declared`, one in
    /// each line. `declared` contains the printed declarations of each open scope.
    fn declare(&self, out: &mut String, pool: &TermPool, declared: &mut Vec<FxHashSet<String>>) {
        let terms: Vec<Term> = match &self.0 {
            Command::Assert { formula, .. } => vec![*formula],
            Command::CheckSatAssuming(assumptions) => assumptions.iter().map(|one| one.literal).collect(),
            Command::GetValue(values) => values.iter().map(|(term, _)| *term).collect(),
            Command::Push(levels) => {
                declared.extend((0..*levels).map(|_| FxHashSet::default()));
                return;
            }
            Command::Pop(levels) => {
                declared.truncate(declared.len() - *levels as usize);
                return;
            }
            Command::ResetAssertions | Command::Reset => {
                *declared = vec![FxHashSet::default()];
                return;
            }
            _ => return,
        };
        for line in print::declarations(pool, &terms).lines() {
            if !declared.iter().any(|scope| scope.contains(line)) {
                let _ = writeln!(out, "{line}");
                declared.last_mut().expect("the base scope is never closed").insert(line.to_owned());
            }
        }
    }

    fn write(&self, out: &mut String, pool: &TermPool) {
        let _ = match &self.0 {
            Command::SetOption { keyword, value } => {
                writeln!(out, "(set-option {keyword}{})", attribute(value))
            }
            Command::SetInfo { keyword, value } => writeln!(out, "(set-info {keyword}{})", attribute(value)),
            Command::Assert { formula, name: None, .. } => writeln!(out, "(assert {})", term(pool, *formula)),
            Command::Assert { formula, name: Some(name), .. } => {
                writeln!(out, "(assert (! {} :named {}))", term(pool, *formula), quote(name))
            }
            Command::CheckSat => writeln!(out, "(check-sat)"),
            Command::CheckSatAssuming(assumptions) => {
                let list = joined(assumptions.iter().map(|one| term(pool, one.literal)));
                writeln!(out, "(check-sat-assuming ({list}))")
            }
            Command::Push(levels) => writeln!(out, "(push {levels})"),
            Command::Pop(levels) => writeln!(out, "(pop {levels})"),
            Command::GetModel => writeln!(out, "(get-model)"),
            Command::GetValue(values) => {
                writeln!(out, "(get-value ({}))", joined(values.iter().map(|(value, _)| term(pool, *value))))
            }
            Command::GetAssertions => writeln!(out, "(get-assertions)"),
            Command::GetAssignment => writeln!(out, "(get-assignment)"),
            Command::GetUnsatCore => writeln!(out, "(get-unsat-core)"),
            Command::GetUnsatAssumptions => writeln!(out, "(get-unsat-assumptions)"),
            Command::GetInterpolants(partitions) => {
                writeln!(out, "(get-interpolants {})", tree(partitions))
            }
            Command::GetInfo(keyword) => writeln!(out, "(get-info {keyword})"),
            Command::GetOption(keyword) => writeln!(out, "(get-option {keyword})"),
            Command::Echo(text) => writeln!(out, "(echo \"{}\")", text.replace('"', "\"\"")),
            Command::ResetAssertions => writeln!(out, "(reset-assertions)"),
            Command::Exit => writeln!(out, "(exit)"),
            Command::SetLogic(name) => writeln!(out, "(set-logic {name})"),
            Command::Reset => writeln!(out, "(reset)"),
            Command::Declared(_)
            | Command::Defined { .. }
            | Command::DeclareDatatypes
            | Command::DeclareVariable(_)
            | Command::Rule { .. }
            | Command::Query { .. }
            | Command::Unsupported { .. } => Ok(()),
        };
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" ")
}

fn attribute(value: &AttributeValue) -> String {
    match value {
        AttributeValue::None => String::new(),
        AttributeValue::String(text) => format!(" \"{}\"", text.replace('"', "\"\"")),
        // `quote` would put bars around the reserved word.
        AttributeValue::Symbol(text) if text == "true" || text == "false" => format!(" {text}"),
        AttributeValue::Symbol(text) => format!(" {}", quote(text)),
        AttributeValue::Numeral(text) | AttributeValue::Number(text) | AttributeValue::Expression(text) => {
            format!(" {text}")
        }
    }
}

/// Returns an interpolation problem in the notation of SMTInterpol: the nodes in postorder, with
/// parentheses around each subtree except the first one below a node.
fn tree(partitions: &Partitions) -> String {
    let count = partitions.names.len();
    let mut texts: Vec<String> = Vec::with_capacity(count);
    for (node, names) in partitions.names.iter().enumerate() {
        let own = match names.as_slice() {
            [name] => quote(name).into_owned(),
            names => format!("(and {})", joined(names.iter().map(|name| quote(name).into_owned()))),
        };
        let children = (0..node).filter(|&child| partitions.parents[child] == Some(node));
        let mut text = String::new();
        for (i, child) in children.enumerate() {
            let below = &texts[child];
            let _ = if i == 0 { write!(text, "{below} ") } else { write!(text, "({below}) ") };
        }
        text.push_str(&own);
        texts.push(text);
    }
    texts.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_written_as_they_are_read() {
        let names = ["A", "B", "D", "C"].map(|name| vec![name.to_string()]).to_vec();
        let sequence = Partitions { names: names.clone(), parents: vec![Some(1), Some(2), Some(3), None] };
        assert_eq!(tree(&sequence), "A B D C");
        let forked = Partitions { names, parents: vec![Some(3), Some(2), Some(3), None] };
        assert_eq!(tree(&forked), "A (B D) C");
    }
}
