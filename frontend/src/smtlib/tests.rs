//! Tests of the meaning of scripts and of diagnostics.

mod errors;
mod meaning;
mod random;

use super::{Command, Script, Step};
use grammars::source::{Diagnostic, SourceMap};
use terms::{Term, TermPool};

/// All steps of a script.
fn steps(pool: &mut TermPool, text: &str) -> Vec<Result<Step, Diagnostic>> {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", text.as_bytes().to_vec()).expect("a small file");
    let mut script = Script::with_datatypes(&map, file);
    std::iter::from_fn(|| script.next(pool)).collect()
}

/// The commands of a script without errors.
fn commands(pool: &mut TermPool, text: &str) -> Vec<Command> {
    steps(pool, text)
        .into_iter()
        .map(|step| step.unwrap_or_else(|error| panic!("{error:?}\n{text}")).command)
        .collect()
}

/// The assertions of a script without errors.
fn assertions(pool: &mut TermPool, text: &str) -> Vec<Term> {
    let asserted = commands(pool, text).into_iter().filter_map(|command| match command {
        Command::Assert { formula, .. } => Some(formula),
        _ => None,
    });
    asserted.collect()
}

/// Errors as `line:column: message`.
fn errors(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", text.as_bytes().to_vec()).expect("a small file");
    let (mut script, mut pool) = (Script::with_datatypes(&map, file), TermPool::new());
    let mut errors = Vec::new();
    while let Some(step) = script.next(&mut pool) {
        if let Err(error) = step {
            let at = map.location(error.primary.span).expect("an error is somewhere");
            errors.push(format!("{}:{}: {}", at.line, at.column, error.message));
        }
    }
    errors
}
