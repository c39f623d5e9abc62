//! Results as data and as a table.

use crate::Reason;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Outcome {
    /// The obligation is met.
    Passed,
    /// The backend reports the check as unsupported.
    Unsupported(String),
    /// The backend has no answer.
    Unknown(String),
    /// A wrong answer, a fault, or a violated contract.
    Failed(String),
}

/// Whether a check must pass if the backend claims the theory and the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Weight {
    /// The check must pass.
    Obligation,
    /// The check measures the reach of the backend: only a wrong answer is a failure.
    Extra,
}

/// One check of one backend.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Row {
    /// The theory, one of [`THEORIES`](crate::THEORIES); for interpolation possibly several, joined
    /// by `+`.
    pub theory: &'static str,
    /// The tested feature, such as `models`.
    pub feature: &'static str,
    /// The name of the check.
    pub check: String,
    /// Whether the backend claims theory and feature.
    pub is_claimed: bool,
    /// Whether the check must pass.
    pub weight: Weight,
    /// The outcome.
    pub outcome: Outcome,
    /// The time of the check.
    pub time: Duration,
}

/// All checks of one backend or source.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    /// The name of the solver or source.
    pub backend: String,
    /// The checks in the order of the suite.
    pub rows: Vec<Row>,
}

impl Row {
    /// Whether this is a failure of the backend: a wrong answer, or an unmet obligation that it
    /// claims.
    pub fn is_failure(&self) -> bool {
        match self.outcome {
            Outcome::Passed => false,
            Outcome::Failed(_) => true,
            Outcome::Unsupported(_) | Outcome::Unknown(_) => {
                self.is_claimed && self.weight == Weight::Obligation
            }
        }
    }
}

impl Report {
    /// The failures, each with the name of its check.
    pub fn failures(&self) -> Vec<String> {
        self.rows
            .iter()
            .filter(|row| row.is_failure())
            .map(|row| format!("{}: {}: {}", row.theory, row.check, row.outcome.text()))
            .collect()
    }
}

impl Outcome {
    /// The outcome as text.
    pub fn text(&self) -> String {
        match self {
            Outcome::Passed => "passed".to_owned(),
            Outcome::Unsupported(why) => format!("unsupported: {why}"),
            Outcome::Unknown(why) => format!("unknown: {why}"),
            Outcome::Failed(why) => format!("failed: {why}"),
        }
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Wrong(what) => Outcome::Failed(what),
            Failure::NoAnswer(Reason::Unsupported(what)) => Outcome::Unsupported(what),
            Failure::NoAnswer(reason @ (Reason::Fault(_) | Reason::Misuse(_))) => {
                Outcome::Failed(reason.to_string())
            }
            Failure::NoAnswer(reason) => Outcome::Unknown(reason.to_string()),
        }
    }
}

/// The reason why a check did not pass.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// A wrong answer.
    Wrong(String),
    /// No answer.
    NoAnswer(Reason),
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Failure::NoAnswer(reason)
    }
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Failure::Wrong(what)
    }
}

impl From<&str> for Failure {
    fn from(what: &str) -> Self {
        Failure::Wrong(what.to_owned())
    }
}

/// The columns of a note.
const COLUMNS: usize = 100;

/// A Markdown table of theories × features, with a column for each report, followed by notes.
///
/// A cell is `yes` if all checks passed, `no` if all are unsupported, otherwise the number of
/// passed checks, with a note. It contains no times, so it changes only if an outcome changes.
pub fn markdown(reports: &[Report]) -> String {
    let mut out = String::new();
    let write = |out: &mut String, cells: &[String]| {
        writeln!(out, "| {} |", cells.join(" | ")).expect("a string takes any text");
    };
    let mut header = vec!["theory".to_owned(), "feature".to_owned()];
    header.extend(reports.iter().map(|report| report.backend.clone()));
    write(&mut out, &header);
    write(&mut out, &vec!["---".to_owned(); header.len()]);
    let mut notes: Vec<String> = Vec::new();
    for (theory, feature) in keys(reports) {
        let mut cells = vec![theory.to_owned(), feature.to_owned()];
        for report in reports {
            let rows: Vec<&Row> =
                report.rows.iter().filter(|row| (row.theory, row.feature) == (theory, feature)).collect();
            cells.push(cell(&rows, &report.backend, &mut notes));
        }
        write(&mut out, &cells);
    }
    if !notes.is_empty() {
        out.push('\n');
        for (index, note) in notes.iter().enumerate() {
            writeln!(out, "{}. {note}", index + 1).expect("a string takes any text");
        }
    }
    out
}

/// The pairs of theory and feature, in the order of first occurrence.
fn keys(reports: &[Report]) -> Vec<(&'static str, &'static str)> {
    let mut known = BTreeSet::new();
    let mut keys = Vec::new();
    for row in reports.iter().flat_map(|report| &report.rows) {
        if known.insert((row.theory, row.feature)) {
            keys.push((row.theory, row.feature));
        }
    }
    // Theories stay together.
    let mut order: Vec<&str> = Vec::new();
    for (theory, _) in &keys {
        if !order.contains(theory) {
            order.push(theory);
        }
    }
    keys.sort_by_key(|(theory, _)| order.iter().position(|other| other == theory));
    keys
}

fn cell(rows: &[&Row], backend: &str, notes: &mut Vec<String>) -> String {
    if rows.is_empty() {
        return "–".to_owned();
    }
    let count = |holds: fn(&Outcome) -> bool| rows.iter().filter(|row| holds(&row.outcome)).count();
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let unsupported = count(|outcome| matches!(outcome, Outcome::Unsupported(_)));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    if passed == rows.len() {
        return "yes".to_owned();
    }
    if unsupported == rows.len() {
        return "no".to_owned();
    }
    let mut note = format!("{backend}, {}, {}:", rows[0].theory, rows[0].feature);
    for row in rows.iter().filter(|row| row.outcome != Outcome::Passed) {
        let check = format!("{} ({})", row.check, plain(&row.outcome));
        let lines = textwrap::Options::new(COLUMNS).initial_indent("    * ").subsequent_indent("      ");
        let _ = write!(note, "\n{}", textwrap::fill(&check, lines));
    }
    notes.push(note);
    let word = if failed > 0 { "wrong" } else { "passed" };
    format!("{}/{} {word} [{}]", if failed > 0 { failed } else { passed }, rows.len(), notes.len())
}

/// The outcome on one line, without numbers that vary between runs.
fn plain(outcome: &Outcome) -> String {
    let text = outcome.text().replace(['\n', '|'], " ");
    let mut short: String = text.chars().take(160).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
