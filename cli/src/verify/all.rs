//! `--all-properties`: a verdict for each check of the program.
//!
//! A round decides all checks together that are still open. FALSE violates one of them, which is
//! then removed: the execution ends at its error site, or goes on if C defines what follows (after
//! an unsigned overflow, a conversion or a memory leak). So the next round goes on after the first
//! finding, and one proof covers all checks that are left. After UNKNOWN, each open check has a
//! round of its own, with an equal share of the remaining time.
//!
//! Each round is a run of this program in a process of its own (as the stages of the portfolio),
//! restricted to the open checks; so each FALSE is replayed and each TRUE is validated as in any
//! other run.
//!
//! TRUE for a check means that no execution reaches its error, except behind another error after
//! which the behavior is undefined, or a failed assertion.

use super::checks::{Check, restrict};
use super::finding::Finding;
use super::portfolio::spooled;
use super::{compile, sarif, start_guard};
use crate::answer::{Answer, Form};
use crate::binary::this_binary;
use crate::error::CliError;
use crate::guard::GRACE;
use crate::interruption::interrupt;
use crate::options::{Options, VerifyOptions};
use crate::project::STANDARD_INPUT;
use crate::schedule::{Event, Process, Program};
use crate::verify::partial::Partial;
use crate::{Streams, exit, internal};
use passes::evidence::UnknownKind;
use program::ssa::Property;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use terms::choice::Choice;

/// Decides all checks of the program.
pub(super) fn run(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let start = Instant::now();
    let form = Form::of(options, global);
    let time = (options.limits.timelimit > 0.0).then(|| Duration::from_secs_f64(options.limits.timelimit));
    let deadline = time.and_then(|time| start.checked_add(time));
    let guard = start_guard(options, form.clone(), deadline, Partial::default());
    let compiled = internal::catch(|| compile(options, global, streams));
    guard.claim_or_wait();
    let compiled = compiled.map_err(CliError::Internal)??;
    if let Some(reason) = compiled.specification.refusal() {
        let refused = Answer::unknown(UnknownKind::Property, &reason);
        return Ok(super::answer(options, &form, streams, refused, None));
    }
    let binary = this_binary()
        .ok_or_else(|| CliError::Usage("--all-properties needs a binary that can start itself".to_owned()))?;
    let is_input = options.input.files.iter().any(|file| file.as_os_str() == STANDARD_INPUT);
    let input = is_input.then(spooled).transpose()?;
    let program = Program { path: binary.to_path_buf(), input };
    let checks = Check::all(&compiled);
    let assumptions = compiled.assumptions_json();
    drop(compiled);
    let mut rounds = Rounds { program, global, deadline };
    let decided = rounds.decide(&checks)?;
    let findings: Vec<Finding> =
        checks.into_iter().map(|check| Finding { object: decided[&check.property].clone(), check }).collect();
    if let Some(file) = &options.sarif {
        sarif::write(&findings, file)?;
    }
    let result = summary(&findings, &assumptions, start);
    Ok(super::answer(options, &form, streams, result, None))
}

/// The runs of this program.
struct Rounds<'a> {
    program: Program,
    global: &'a Options,
    deadline: Option<Instant>,
}

/// Options of the command line that a round does not get, or gets with values of its own.
const REPLACED: &[&str] = &["timelimit", "json", "stats", "all-properties", "sarif", "quiet", "verbose"];
/// The share of the remaining time of a round with several open checks.
const TOGETHER: f64 = 0.5;

impl Rounds<'_> {
    /// Returns the object of the round that decided each check.
    fn decide(&mut self, checks: &[Check]) -> Result<BTreeMap<Property, Value>, CliError> {
        let mut open: BTreeSet<Property> = checks.iter().map(|check| check.property).collect();
        let mut decided = BTreeMap::new();
        while !open.is_empty() {
            let share = if open.len() == 1 { 1.0 } else { TOGETHER };
            let object = self.round(&open, share)?;
            match (object["verdict"].as_str(), violated(&object, &open)) {
                (Some("FALSE"), Some(property)) => {
                    open.remove(&property);
                    decided.insert(property, object);
                }
                (Some("TRUE"), _) => {
                    decided.extend(std::mem::take(&mut open).into_iter().map(|left| (left, object.clone())));
                }
                _ if open.len() == 1 => {
                    decided.extend(std::mem::take(&mut open).into_iter().map(|left| (left, object.clone())));
                }
                _ => break,
            }
        }
        let count = open.len();
        for (number, property) in open.into_iter().enumerate() {
            let share = 1.0 / (count - number) as f64;
            let object = self.round(&BTreeSet::from([property]), share)?;
            decided.insert(property, object);
        }
        Ok(decided)
    }

    /// Runs the program on the `open` checks within a share of the remaining time.
    fn round(&mut self, open: &BTreeSet<Property>, share: f64) -> Result<Value, CliError> {
        let now = Instant::now();
        if interrupt().is_triggered() {
            return Ok(unknown(UnknownKind::Interrupted, "interrupted"));
        }
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now).mul_f64(share));
        if left.is_some_and(|left| left < Duration::from_millis(1)) {
            return Ok(unknown(UnknownKind::TimeLimit, "time limit reached"));
        }
        let numbers: Vec<String> = open.iter().map(|property| property.0.to_string()).collect();
        let more = [
            format!("--timelimit={}", left.map_or(0.0, |left| left.as_secs_f64())),
            "--quiet".to_owned(),
            "--stage=0".to_owned(),
            format!("--only-checks={}", numbers.join(",")),
        ];
        let more: Vec<OsString> = more.iter().map(OsString::from).collect();
        let mut arguments = vec![OsString::from("verify")];
        arguments.extend(self.global.given.words(REPLACED, &more));
        let end = left.map(|left| now + left + 4 * GRACE);
        self.execute(&arguments, end)
            .map_err(|source| CliError::Io { path: self.program.path.clone(), source })
    }

    /// Runs the program with `arguments`, at most until `end`; returns the object that it prints.
    fn execute(&self, arguments: &[OsString], end: Option<Instant>) -> std::io::Result<Value> {
        /// The period of the checks for an interrupt.
        const PERIOD: Duration = Duration::from_millis(20);
        let (sender, receiver) = channel();
        let process = Process::start(&self.program, arguments, 0, sender)?;
        let (interrupt, mut end, mut is_interrupted) = (interrupt(), end, false);
        let output = loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(Event::Ended(_, output)) => break output,
                Ok(Event::Proved(_)) => {}
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Vec::new(),
            }
            if !is_interrupted && interrupt.is_triggered() {
                is_interrupted = true;
                process.interrupt();
                end = Some(Instant::now() + 4 * GRACE);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                process.kill();
                return Ok(unknown(UnknownKind::TimeLimit, "time limit reached"));
            }
        };
        let status = process.wait();
        let line = output.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty()).unwrap_or_default();
        let code = status.and_then(|status| status.code());
        Ok(match serde_json::from_slice::<Value>(line) {
            Ok(object) if code == Some(code_of(&object).into()) => object,
            _ => unknown(UnknownKind::Internal, "the run of this check ended without an answer"),
        })
    }
}

/// The open check that a round with the answer FALSE violates.
fn violated(object: &Value, open: &BTreeSet<Property>) -> Option<Property> {
    let number = u32::try_from(object["check"].as_u64()?).ok()?;
    open.get(&Property(number)).copied()
}

fn unknown(kind: UnknownKind, reason: &str) -> Value {
    json!({ "verdict": "UNKNOWN", "kind": kind.name(), "reason": reason })
}

/// The exit code of an answer.
fn code_of(object: &Value) -> u8 {
    match object["verdict"].as_str() {
        Some("TRUE") => exit::TRUE,
        Some("FALSE") => exit::FALSE,
        _ => exit::UNKNOWN,
    }
}

/// The answer for all checks: FALSE if one is, otherwise UNKNOWN if one is.
fn summary(findings: &[Finding], assumptions: &Value, start: Instant) -> Answer {
    let of = |verdict: &str| findings.iter().filter(|finding| finding.verdict() == verdict).count();
    let (wrong, right, open) = (of("FALSE"), of("TRUE"), of("UNKNOWN"));
    let first = findings.iter().find(|finding| finding.verdict() == "FALSE");
    let (verdict, line, code) = match first {
        Some(first) => ("FALSE", format!("FALSE({})", first.check.kind.verdict_name()), exit::FALSE),
        None if open > 0 => {
            ("UNKNOWN", format!("UNKNOWN({open} of {} checks not decided)", findings.len()), exit::UNKNOWN)
        }
        None => ("TRUE", "TRUE".to_owned(), exit::TRUE),
    };
    let table: String = findings.iter().map(Finding::line).collect();
    let text = format!("{table}{} checks: {wrong} FALSE, {right} TRUE, {open} UNKNOWN\n", findings.len());
    let mut object = json!({
        "verdict": verdict,
        "checks": findings.iter().map(Finding::json).collect::<Vec<_>>(),
        "seconds": start.elapsed().as_secs_f64(),
    });
    if let Some(first) = first {
        object["property"] = first.check.kind.verdict_name().into();
        object["inputs"] = first.object["inputs"].clone();
    }
    if verdict == "UNKNOWN" {
        object["reason"] = format!("{open} of {} checks not decided", findings.len()).into();
    }
    if assumptions.as_array().is_some_and(|assumptions| !assumptions.is_empty()) {
        object["assumptions"] = assumptions.clone();
    }
    Answer { verdict: line, code, text, json: object }
}

/// Restricts the program of a round to its checks.
pub(super) fn restrict_to(options: &VerifyOptions, program: &mut program::ssa::Program) {
    if let Some(numbers) = &options.only_checks {
        restrict(program, &numbers.iter().map(|&number| Property(number)).collect());
    }
}
