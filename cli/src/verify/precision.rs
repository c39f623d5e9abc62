//! Precision files: the predicates of an analysis for a later run, as TOML.
//!
//! ```toml
//! version = 1
//!
//! [[loop]]
//! function = "main"
//! number = 2                   # the second loop of the function, in the order of the text
//! predicates = [
//!     "i <= n",
//!     "sum == 2 * i",
//! ]
//!
//! [[function]]
//! name = "step"                # all locations in the function
//! predicates = ["main::n >= 0"]
//!
//! [global]
//! predicates = ["lock == 0"]
//! ```
//!
//! A predicate is a C expression; those that have none are in SMT-LIB, in a list `smt`.
//! [`reuse`](passes::engines::predicate::reuse) has the rules. Errors have positions in the file.

use super::statistics::Statistics;
use crate::Streams;
use crate::error::CliError;
use frontend::smtlib::{Command, Declaration, Script};
use grammars::source::{Diagnostic, SourceMap, Span};
use passes::engines::predicate::reuse::{SavedPrecision, SavedPredicate, SavedScope};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use terms::{Term, TermPool};
use toml::Spanned;

/// The version of the format.
const VERSION: u32 = 1;
/// The number of skipped predicates that a warning names.
const MOST_NAMED: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    #[serde(default, rename = "loop")]
    loops: Vec<OfLoop>,
    #[serde(default, rename = "function")]
    functions: Vec<OfFunction>,
    #[serde(default)]
    global: OfProgram,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfLoop {
    function: String,
    number: usize,
    #[serde(default)]
    predicates: Vec<Spanned<String>>,
    #[serde(default)]
    smt: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfFunction {
    name: String,
    #[serde(default)]
    predicates: Vec<Spanned<String>>,
    #[serde(default)]
    smt: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfProgram {
    #[serde(default)]
    predicates: Vec<Spanned<String>>,
    #[serde(default)]
    smt: Vec<String>,
}

/// An error with its position in the file, in bytes.
type Located = (Range<usize>, String);

/// Reads a precision file.
///
/// # Errors
/// If the file cannot be read, or is no precision file: with an excerpt for each error.
pub(super) fn read(path: &Path) -> Result<SavedPrecision, CliError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| CliError::Io { path: path.to_path_buf(), source })?;
    parse(&text).map_err(|errors| {
        let mut sources = SourceMap::new();
        let Ok(file) = sources.add(&path.display().to_string(), text.into_bytes()) else {
            return CliError::Usage(format!("{}: the file is too large", path.display()));
        };
        let start = sources.file_span(file).lo;
        let diagnostics = errors.into_iter().map(|(range, message)| {
            let at = |offset: usize| start + u32::try_from(offset).unwrap_or(0);
            Diagnostic::error(Span::new(at(range.start), at(range.end)), message)
        });
        CliError::Program { diagnostics: diagnostics.collect(), sources: Box::new(sources) }
    })
}

fn parse(text: &str) -> Result<SavedPrecision, Vec<Located>> {
    let file: File = toml::from_str(text).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        vec![(range, error.message().replace('\n', ": "))]
    })?;
    let version = *file.version.get_ref();
    if version != VERSION {
        let message = format!("version {version} of precision files is not supported: only {VERSION} is");
        return Err(vec![(file.version.span(), message)]);
    }
    let loops = file.loops.into_iter().map(|OfLoop { function, number, predicates, smt }| {
        (SavedScope::Loop { function, number }, predicates, smt)
    });
    let functions =
        file.functions.into_iter().map(|of| (SavedScope::Function(of.name), of.predicates, of.smt));
    let global = std::iter::once((SavedScope::Global, file.global.predicates, file.global.smt));
    let (mut precision, mut errors) = (SavedPrecision::default(), Vec::new());
    for (scope, predicates, smt) in loops.chain(functions).chain(global) {
        for predicate in predicates {
            match SavedPredicate::new(scope.clone(), predicate.get_ref()) {
                Ok(read) => precision.predicates.push(read),
                Err(error) => errors.push((predicate.span(), error.message)),
            }
        }
        precision.predicates.extend(smt.iter().map(|text| SavedPredicate::smt(scope.clone(), text)));
    }
    if errors.is_empty() { Ok(precision) } else { Err(errors) }
}

/// Writes the precision of an engine to a file. An engine that ended before its analysis started
/// has none.
///
/// # Errors
/// A message if the file cannot be written, or there is no precision.
pub(super) fn save(path: Option<&Path>, precision: Option<&SavedPrecision>) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    let Some(precision) = precision else {
        return Err(format!("{} is not written: the analysis did not start", path.display()));
    };
    std::fs::write(path, print(precision)).map_err(|error| format!("{}: {error}", path.display()))
}

fn print(precision: &SavedPrecision) -> String {
    let mut text = format!("# Predicates of an analysis, see --precision-in.\nversion = {VERSION}\n");
    for scope in precision.predicates.chunk_by(|a, b| a.scope == b.scope) {
        let _ = match &scope[0].scope {
            SavedScope::Loop { function, number } => {
                writeln!(text, "\n[[loop]]\nfunction = {}\nnumber = {number}", quoted(function))
            }
            SavedScope::Function(name) => writeln!(text, "\n[[function]]\nname = {}", quoted(name)),
            SavedScope::Global => writeln!(text, "\n[global]"),
        };
        for (key, is_smt) in [("predicates", false), ("smt", true)] {
            let own = || scope.iter().filter(|predicate| predicate.is_smt() == is_smt);
            if own().next().is_none() {
                continue;
            }
            let _ = writeln!(text, "{key} = [");
            for predicate in own() {
                let _ = writeln!(text, "    {},", quoted(&predicate.text));
            }
            text.push_str("]\n");
        }
    }
    text
}

/// Reads a formula in SMT-LIB over symbols with the given names.
pub(super) fn formula(pool: &mut TermPool, text: &str, variables: &[(&str, Term)]) -> Option<Term> {
    let (mut script, mut symbols) = (String::new(), Vec::new());
    for &(name, symbol) in variables {
        if text.contains(name) && !name.contains(['|', '\\']) {
            let sort = terms::print::sort(pool, pool.sort(symbol));
            let _ = writeln!(script, "(declare-const |{name}| {sort})");
            symbols.push(symbol);
        }
    }
    let _ = writeln!(script, "(assert {text})");
    let mut sources = SourceMap::new();
    let file = sources.add("", script.into_bytes()).ok()?;
    let mut script = Script::new(&sources, file);
    let (mut images, mut symbols) = (FxHashMap::default(), symbols.into_iter());
    let mut found = None;
    while let Some(step) = script.next(pool) {
        match step.ok()?.command {
            Command::Declared(Some(Declaration::Constant(declared))) => {
                images.insert(declared, symbols.next()?);
            }
            Command::Assert { formula, .. } => found = Some(formula),
            _ => return None,
        }
    }
    Some(pool.map_leaves(found?, &mut |_, leaf| images.get(&leaf).copied()))
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Warns of the predicates that do not apply to the program.
pub(super) fn warn_of_skipped(path: &Path, statistics: &Statistics, streams: &mut Streams<'_>) {
    let Some(reuse) = statistics.reuse().filter(|reuse| reuse.skipped > 0) else { return };
    let _ = writeln!(
        streams.err,
        "warning: {}: {} of {} predicates are skipped",
        path.display(),
        reuse.skipped,
        reuse.read
    );
    for predicate in reuse.skipped_predicates.iter().take(MOST_NAMED) {
        let _ = writeln!(streams.err, "  {predicate}");
    }
    if let more @ 1.. = reuse.skipped_predicates.len().saturating_sub(MOST_NAMED) {
        let _ = writeln!(streams.err, "  … and {more} more");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = "# Predicates of an analysis, see --precision-in.\nversion = 1\n\n\
                    [[loop]]\nfunction = \"main\"\nnumber = 2\n\
                    predicates = [\n    \"i <= n\",\n    \"f::s == 2 * i\",\n]\n\n\
                    [[function]]\nname = \"f\"\npredicates = [\n    \"s >= 0\",\n]\n\n\
                    [global]\npredicates = [\n    \"lock\",\n]\nsmt = [\n    \"(= (mod |f::s| 2) 0)\",\n]\n";
        let precision = parse(text).expect("a precision file");
        assert_eq!(precision.predicates.len(), 5);
        assert_eq!(print(&precision), text);
    }

    #[test]
    fn formulas_are_about_the_symbols_of_variables() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x!1", terms::Sort::Int), pool.symbol("s", terms::Sort::Int));
        let variables = [("f::s", x), ("s", y)];
        let text = "(< |f::s| (* 2 s))";
        let read = formula(&mut pool, text, &variables).expect("a formula");
        assert_eq!(terms::print::term(&pool, read), "(< x!1 (* 2 s))");
        for wrong in ["(< z 1)", "(< s 1", "(+ s 1)", "(< s 1)) (check-sat"] {
            assert_eq!(formula(&mut pool, wrong, &variables), None, "{wrong}");
        }
    }

    #[test]
    fn mistakes_have_a_position() {
        let of_loop = |predicates: &str| {
            format!("version = 1\n[[loop]]\nfunction = \"f\"\nnumber = 1\npredicates = [{predicates}]\n")
        };
        let wrong = of_loop("\"i < 3\", \"i <\"");
        for (text, at, message) in [
            ("version = 2\n", "2", "version 2 of precision files is not supported: only 1 is"),
            ("version = 1\nloops = []\n", "loops", "unknown field `loops`"),
            (&wrong, "\"i <\"", "expected an operand at the end"),
            (&of_loop("3"), "3", "invalid type: integer `3`, expected a string"),
        ] {
            let errors = parse(text).expect_err(text);
            let [(range, found)] = &errors[..] else { panic!("{errors:?}") };
            assert_eq!(&text[range.clone()], at, "{text}");
            assert!(found.contains(message), "{text}: {found}");
        }
    }
}
