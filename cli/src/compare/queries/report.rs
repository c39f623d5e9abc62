//! The report: `queries.md` for readers and `queries.json` for programs.

use super::Replayed;
use super::replay::{Checked, Evidence, Interpolated};
use crate::compare::campaign::write_file;
use crate::error::CliError;
use backends::Status;
use indexmap::IndexMap;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// A script of at most this many lines is part of the report.
const SHOWN_LINES: usize = 40;

/// Writes both files and returns the summary for the terminal.
pub(super) fn write(folder: &Path, replayed: &[Replayed], left_out: &[String]) -> Result<String, CliError> {
    let mut text = "# Queries\n\n## Findings\n\n".to_owned();
    let mut summary = String::new();
    let found = replayed.iter().flat_map(|own| own.findings.iter().map(move |finding| (own, finding)));
    let mut count = 0;
    for (own, finding) in found {
        count += 1;
        let line = format!("{} ({}): {}", finding.culprit(), own.name, finding.fault);
        let _ = writeln!(text, "{count}. {line}");
        let _ = write!(text, "   Script: [{0}]({0})", finding.file);
        if let Some((assertions, terms)) = finding.size {
            let (before, terms_before) = own.size;
            let _ = write!(
                text,
                ", reduced from {before} assertions with {terms_before} terms to {assertions} with {terms}"
            );
        }
        text.push_str("\n\n");
        if finding.script.lines().count() <= SHOWN_LINES {
            let _ = writeln!(text, "   ```smt2");
            for line in finding.script.lines() {
                let _ = writeln!(text, "   {line}");
            }
            let _ = writeln!(text, "   ```\n");
        }
        let _ = writeln!(summary, "{line}: {}", folder.join(&finding.file).display());
    }
    if count == 0 {
        text.push_str("None: no answer is refuted, and no two answers contradict each other.\n\n");
    }
    text.push_str(&solvers(replayed));
    text.push_str(&sources(replayed));
    text.push_str(&queries(replayed));
    if !left_out.is_empty() {
        text.push_str("\n## Left out\n\n");
        for line in left_out {
            let _ = writeln!(text, "* {line}");
        }
    }
    write_file(&folder.join("queries.md"), text.as_bytes())?;
    let data = serde_json::to_vec_pretty(&data(replayed, left_out)).unwrap_or_default();
    write_file(&folder.join("queries.json"), &data)?;
    let _ = writeln!(
        summary,
        "{} queries, {count} findings; report: {}",
        replayed.len(),
        folder.join("queries.md").display()
    );
    Ok(summary)
}

/// The sums of a solver.
#[derive(Default)]
struct Sums {
    sat: usize,
    unsat: usize,
    unknown: usize,
    time: Duration,
    valid: usize,
    unchecked: usize,
    wrong: usize,
    core: usize,
}

fn solvers(replayed: &[Replayed]) -> String {
    let mut all: IndexMap<&str, Sums> = IndexMap::new();
    for check in replayed.iter().flat_map(|own| &own.answers.checks) {
        let sums = all.entry(check.solver).or_default();
        match check.status {
            Status::Sat => sums.sat += 1,
            Status::Unsat => sums.unsat += 1,
            Status::Unknown(_) => sums.unknown += 1,
        }
        sums.time += check.time;
        if !matches!(check.status, Status::Unknown(_)) {
            match check.evidence {
                Evidence::Valid => sums.valid += 1,
                Evidence::Unchecked(_) => sums.unchecked += 1,
                Evidence::Wrong(_) => sums.wrong += 1,
            }
        }
        sums.core += check.core.unwrap_or(0);
    }
    let mut text = "## Solvers\n\nEvidence: models and unsat cores.\n\n\
        | solver | sat | unsat | unknown | seconds | valid evidence | unchecked | wrong | assertions in cores |\n\
        |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    for (solver, own) in all {
        let _ = writeln!(
            text,
            "| {solver} | {} | {} | {} | {:.3} | {} | {} | {} | {} |",
            own.sat,
            own.unsat,
            own.unknown,
            own.time.as_secs_f64(),
            own.valid,
            own.unchecked,
            own.wrong,
            own.core
        );
    }
    text.push('\n');
    text
}

fn sources(replayed: &[Replayed]) -> String {
    let mut all: IndexMap<&str, (Vec<usize>, usize, usize, Duration)> = IndexMap::new();
    for answer in replayed.iter().flat_map(|own| &own.answers.interpolants) {
        let (sizes, failed, wrong, time) = all.entry(answer.source).or_default();
        match &answer.size {
            Ok(size) => sizes.push(*size),
            Err(_) => *failed += 1,
        }
        *wrong += usize::from(answer.fault.is_some());
        *time += answer.time;
    }
    if all.is_empty() {
        return String::new();
    }
    let mut text = "## Sources of interpolants\n\n\
        | source | certified | failed | wrong | seconds | median terms |\n|---|--:|--:|--:|--:|--:|\n"
        .to_owned();
    for (source, (mut sizes, failed, wrong, time)) in all {
        sizes.sort_unstable();
        let median = sizes.get(sizes.len() / 2).map_or("-".to_owned(), ToString::to_string);
        let seconds = time.as_secs_f64();
        let certified = sizes.len();
        let _ = writeln!(text, "| {source} | {certified} | {failed} | {wrong} | {seconds:.3} | {median} |");
    }
    text.push('\n');
    text
}

fn queries(replayed: &[Replayed]) -> String {
    let mut text = "## Answers\n\n".to_owned();
    if let Some(first) = replayed.first() {
        let names: Vec<&str> = first.answers.checks.iter().map(|check| check.solver).collect();
        let _ = writeln!(text, "| query | terms | {} |", names.join(" | "));
        let _ = writeln!(text, "|---|--:|{}", "---|".repeat(names.len()));
    }
    for own in replayed {
        let cells: Vec<String> = own.answers.checks.iter().map(cell).collect();
        let _ = writeln!(text, "| {} | {} | {} |", own.name, own.size.1, cells.join(" | "));
    }
    text
}

fn status_of(check: &Checked) -> &'static str {
    match check.status {
        Status::Sat => "sat",
        Status::Unsat => "unsat",
        Status::Unknown(_) => "unknown",
    }
}

fn cell(check: &Checked) -> String {
    let mark = if matches!(check.evidence, Evidence::Wrong(_)) { " (wrong evidence)" } else { "" };
    format!("{}{mark} {:.3}", status_of(check), check.time.as_secs_f64())
}

fn data(replayed: &[Replayed], left_out: &[String]) -> serde_json::Value {
    let queries: Vec<serde_json::Value> = replayed.iter().map(query).collect();
    json!({ "queries": queries, "left_out": left_out })
}

fn query(own: &Replayed) -> serde_json::Value {
    let check = |check: &Checked| {
        json!({
            "solver": check.solver,
            "status": status_of(check),
            "reason": match &check.status { Status::Unknown(reason) => Some(reason.to_string()), _ => None },
            "seconds": check.time.as_secs_f64(),
            "evidence": match &check.evidence {
                Evidence::Valid => "valid",
                Evidence::Unchecked(_) => "unchecked",
                Evidence::Wrong(_) => "wrong",
            },
            "core": check.core,
        })
    };
    let interpolation = |answer: &Interpolated| {
        json!({
            "source": answer.source,
            "terms": answer.size.as_ref().ok(),
            "reason": answer.size.as_ref().err().map(ToString::to_string),
            "seconds": answer.time.as_secs_f64(),
            "is_wrong": answer.fault.is_some(),
        })
    };
    let findings = own.findings.iter().map(|finding| {
        json!({
            "culprit": finding.culprit(),
            "what": finding.fault.to_string(),
            "file": finding.file,
            "size": finding.size.map(|(assertions, terms)| json!({ "assertions": assertions, "terms": terms })),
        })
    });
    json!({
        "name": own.name,
        "assertions": own.size.0,
        "terms": own.size.1,
        "checks": own.answers.checks.iter().map(check).collect::<Vec<_>>(),
        "interpolation": own.answers.interpolants.iter().map(interpolation).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
