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
//!
//! Stages of a portfolio [exchange](super::sharing) files of the same format. The members of a
//! precision file that only they need are optional:
//!
//! ```toml
//! [[loop]]
//! function = "main"
//! number = 1
//! status = "inductive"         # or "candidate"; none for a predicate that holds on some paths
//! predicates = ["i <= n"]
//!
//! [[bound]]
//! loop = "main.12"             # as in the output: function and line, or a recursive function
//! visits = 64                  # no error is reachable with fewer visits
//! ```

use super::statistics::Statistics;
use crate::Streams;
use crate::error::CliError;
use frontend::smtlib::{Command, Declaration, Script};
use grammars::source::{Diagnostic, SourceMap, Span};
use passes::exchange::Status;
use passes::names::{SavedPrecision, SavedPredicate, SavedScope};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
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
    #[serde(default, rename = "bound")]
    bounds: Vec<OfBound>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfLoop {
    function: String,
    number: usize,
    #[serde(default)]
    status: Known,
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
    status: Known,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfBound {
    #[serde(rename = "loop")]
    name: String,
    visits: u32,
}

/// The status of predicates.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Known {
    Inductive,
    Candidate,
    #[default]
    Predicate,
}

impl Known {
    fn status(self) -> Status {
        match self {
            Known::Inductive => Status::Inductive,
            Known::Candidate => Status::Candidate,
            Known::Predicate => Status::PathLocal,
        }
    }
}

/// The contents of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Saved {
    /// The predicates with what is known about them.
    pub(super) facts: Vec<(Status, SavedPredicate)>,
    /// The bounds of loops and recursions by name.
    pub(super) bounds: BTreeMap<String, u32>,
}

impl Saved {
    fn of(precision: &SavedPrecision) -> Self {
        let facts = precision.predicates.iter().map(|predicate| (Status::PathLocal, predicate.clone()));
        Saved { facts: facts.collect(), bounds: BTreeMap::new() }
    }
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
    let errors = match parse(&text) {
        Ok((saved, errors)) if errors.is_empty() => {
            let predicates = saved.facts.into_iter().map(|(_, predicate)| predicate).collect();
            return Ok(SavedPrecision { predicates });
        }
        Ok((_, errors)) => errors,
        Err(error) => vec![error],
    };
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add(&path.display().to_string(), text.into_bytes()) else {
        return Err(CliError::Usage(format!("{}: the file is too large", path.display())));
    };
    let start = sources.file_span(file).lo;
    let diagnostics = errors.into_iter().map(|(range, message)| {
        let at = |offset: usize| start + u32::try_from(offset).unwrap_or(0);
        Diagnostic::error(Span::new(at(range.start), at(range.end)), message)
    });
    Err(CliError::Program { diagnostics: diagnostics.collect(), sources: Box::new(sources) })
}

/// Reads the contents of a file, with the errors of single predicates, which are left out.
///
/// # Errors
/// If the text has another format.
pub(super) fn parse(text: &str) -> Result<(Saved, Vec<Located>), Located> {
    let file: File = toml::from_str(text).map_err(|error| {
        let range = error.span().unwrap_or(0..0);
        (range, error.message().replace('\n', ": "))
    })?;
    let version = *file.version.get_ref();
    if version != VERSION {
        let message = format!("version {version} of precision files is not supported: only {VERSION} is");
        return Err((file.version.span(), message));
    }
    let loops = file.loops.into_iter().map(|OfLoop { function, number, status, predicates, smt }| {
        (SavedScope::Loop { function, number }, status, predicates, smt)
    });
    let functions = file
        .functions
        .into_iter()
        .map(|of| (SavedScope::Function(of.name), of.status, of.predicates, of.smt));
    let OfProgram { predicates, smt } = file.global;
    let global = std::iter::once((SavedScope::Global, Known::Predicate, predicates, smt));
    let (mut facts, mut errors) = (Vec::new(), Vec::new());
    for (scope, known, predicates, smt) in loops.chain(functions).chain(global) {
        let status = known.status();
        for predicate in predicates {
            match SavedPredicate::new(scope.clone(), predicate.get_ref()) {
                Ok(read) => facts.push((status, read)),
                Err(error) => errors.push((predicate.span(), error.message)),
            }
        }
        facts.extend(smt.iter().map(|text| (status, SavedPredicate::smt(scope.clone(), text))));
    }
    let bounds = file.bounds.into_iter().map(|OfBound { name, visits }| (name, visits)).collect();
    Ok((Saved { facts, bounds }, errors))
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
    std::fs::write(path, print(&Saved::of(precision))).map_err(|error| format!("{}: {error}", path.display()))
}

/// Prints the contents of a file. Facts of one scope and status are adjacent.
pub(super) fn print(saved: &Saved) -> String {
    let mut text = format!("# Predicates of an analysis, see --precision-in.\nversion = {VERSION}\n");
    for own in saved.facts.chunk_by(|(status, a), (other, b)| a.scope == b.scope && status == other) {
        let (status, SavedPredicate { scope, .. }) = &own[0];
        let _ = match scope {
            SavedScope::Loop { function, number } => {
                writeln!(text, "\n[[loop]]\nfunction = {}\nnumber = {number}", quoted(function))
            }
            SavedScope::Function(name) => writeln!(text, "\n[[function]]\nname = {}", quoted(name)),
            SavedScope::Global => writeln!(text, "\n[global]"),
        };
        match status {
            Status::Inductive => text.push_str("status = \"inductive\"\n"),
            Status::Candidate => text.push_str("status = \"candidate\"\n"),
            Status::PathLocal => {}
        }
        for (key, is_smt) in [("predicates", false), ("smt", true)] {
            let own = || own.iter().filter(|(_, predicate)| predicate.is_smt() == is_smt);
            if own().next().is_none() {
                continue;
            }
            let _ = writeln!(text, "{key} = [");
            for (_, predicate) in own() {
                let _ = writeln!(text, "    {},", quoted(&predicate.text));
            }
            text.push_str("]\n");
        }
    }
    for (name, visits) in &saved.bounds {
        let _ = writeln!(text, "\n[[bound]]\nloop = {}\nvisits = {visits}", quoted(name));
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
        let (saved, errors) = parse(text).expect("a precision file");
        assert_eq!((saved.facts.len(), errors), (5, Vec::new()));
        assert!(saved.facts.iter().all(|(status, _)| *status == Status::PathLocal));
        assert_eq!(print(&saved), text);
    }

    #[test]
    fn facts_of_stages_have_a_status_and_bounds_a_name() {
        let text = "# Predicates of an analysis, see --precision-in.\nversion = 1\n\n\
                    [[loop]]\nfunction = \"main\"\nnumber = 1\nstatus = \"inductive\"\n\
                    predicates = [\n    \"i <= n\",\n]\n\n\
                    [[loop]]\nfunction = \"main\"\nnumber = 1\nstatus = \"candidate\"\n\
                    smt = [\n    \"(= i 3)\",\n]\n\n\
                    [[bound]]\nloop = \"main.12\"\nvisits = 64\n";
        let (saved, errors) = parse(text).expect("a precision file");
        assert!(errors.is_empty());
        let statuses: Vec<Status> = saved.facts.iter().map(|(status, _)| *status).collect();
        assert_eq!(statuses, [Status::Inductive, Status::Candidate]);
        assert_eq!(saved.bounds, BTreeMap::from([("main.12".to_owned(), 64)]));
        assert_eq!(print(&saved), text);
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
            let (range, found) = match parse(text) {
                Ok((_, mut errors)) => errors.pop().expect(text),
                Err(error) => error,
            };
            assert_eq!(&text[range], at, "{text}");
            assert!(found.contains(message), "{text}: {found}");
        }
    }
}
