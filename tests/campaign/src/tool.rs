//! The verifier as a process.

use crate::pointers::{Assertion, Program, Reader};
use crate::process::run;
use crate::truth::ErrorAt;
use program::ssa::PropertyKind;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Algorithm, encoding and solver of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// `--algorithm`.
    pub algorithm: &'static str,
    /// `--encoding`.
    pub encoding: &'static str,
    /// `--solver`; empty for the default.
    pub solver: &'static str,
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.algorithm, self.encoding)?;
        match self.solver {
            "" => Ok(()),
            solver => write!(f, " {solver}"),
        }
    }
}

const fn row(algorithm: &'static str, encoding: &'static str, solver: &'static str) -> Configuration {
    Configuration { algorithm, encoding, solver }
}

/// The configurations of the campaign: every algorithm, four encodings, three solvers.
pub const CONFIGURATIONS: &[Configuration] = &[
    row("bmc", "QF_ABVFP", ""),
    row("k-induction", "QF_ABVFP", ""),
    row("predicate", "QF_ABVFP", ""),
    row("impact", "QF_ABVFP", ""),
    row("bmc", "QF_AUFLIRA", ""),
    row("k-induction", "QF_UFBVFP", ""),
    row("bmc", "QF_UFLIRA", ""),
    row("k-induction", "QF_ABVFP", "z3"),
    row("predicate", "QF_AUFLIRA", ""),
    row("impact", "QF_AUFLIRA", ""),
    row("bmc", "QF_ABVFP", "cvc5"),
    row("k-induction", "QF_AUFLIRA", ""),
    row("bmc", "QF_UFBVFP", ""),
    row("ufo", "QF_ABVFP", ""),
    row("k-induction", "QF_UFLIRA", ""),
    row("symbolic-execution", "QF_ABVFP", ""),
];

/// The answer of the tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// TRUE.
    True,
    /// FALSE, with the error that ends the trace. For a call of `reach_error`, the line is
    /// irrelevant.
    False(ErrorAt),
    /// UNKNOWN with the reason.
    Unknown(String),
    /// Not a verdict: a crash, an internal error, a rejected program.
    Broken(String),
}

/// The verifier: its executable and its time limit.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The executable.
    pub path: PathBuf,
    /// The time limit of one run, in seconds.
    pub timelimit: u64,
}

/// A query to the tool.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The kinds of errors; [`PropertyKind::ReachCall`] for calls of `reach_error`.
    pub kinds: &'a [PropertyKind],
    /// The configuration.
    pub configuration: Configuration,
    /// More options.
    pub options: &'a [String],
}

impl Tool {
    /// Writes the units of a program to `folder` and verifies them.
    #[must_use]
    pub fn verify(
        &self,
        program: &Program,
        assertion: Assertion,
        question: &Question<'_>,
        folder: &Path,
    ) -> Verdict {
        let mut files = Vec::new();
        for unit in 0..program.units.len() {
            let path = folder.join(format!("{unit}.c"));
            if let Err(error) = std::fs::write(&path, program.text(unit, Reader::Tool, assertion)) {
                return Verdict::Broken(format!("{}: {error}", path.display()));
            }
            files.push(path);
        }
        self.verify_files(&files, question)
    }

    /// Verifies files. Their names are numbers, which identify the unit of an error.
    #[must_use]
    pub fn verify_files(&self, files: &[PathBuf], question: &Question<'_>) -> Verdict {
        let mut command = self.command(question);
        command.args(files);
        let limit = Duration::from_secs(self.timelimit * 2 + 20);
        let finished = match run(&mut command, limit) {
            Ok(finished) => finished,
            Err(error) => return Verdict::Broken(format!("{}: {error}", self.path.display())),
        };
        if finished.timed_out {
            return Verdict::Broken("does not end within its time limit".to_owned());
        }
        let last = finished.out.trim().lines().last().unwrap_or_default();
        let json: serde_json::Value = serde_json::from_str(last).unwrap_or_default();
        let broken = || {
            let first = finished.err.lines().find(|line| line.contains("panicked") || line.contains("error"));
            Verdict::Broken(format!("exit code {:?}: {}", finished.code, first.unwrap_or_default()))
        };
        match (json["verdict"].as_str(), finished.code) {
            (Some("TRUE"), Some(0)) => Verdict::True,
            (Some("FALSE"), Some(10)) => error_of(&json).map_or_else(broken, Verdict::False),
            (Some("UNKNOWN"), Some(20)) => {
                let reason = json["reason"].as_str().unwrap_or_default().to_owned();
                match reason.contains("internal error") || finished.err.contains("panicked") {
                    true => Verdict::Broken(reason),
                    false => Verdict::Unknown(reason),
                }
            }
            _ => broken(),
        }
    }

    /// The command without its files.
    #[must_use]
    pub fn command(&self, question: &Question<'_>) -> Command {
        let names: Vec<&str> = question.kinds.iter().map(|kind| kind.verdict_name()).collect();
        let mut command = Command::new(&self.path);
        command.args(["verify", "--json", "--timelimit", &self.timelimit.to_string()]);
        command.args(["--algorithm", question.configuration.algorithm]);
        command.args(["--encoding", question.configuration.encoding]);
        if !question.configuration.solver.is_empty() {
            command.args(["--solver", question.configuration.solver]);
        }
        command.args(["--property", &names.join(",")]);
        command.args(question.options);
        command
    }
}

fn error_of(json: &serde_json::Value) -> Option<ErrorAt> {
    let name = json["property"].as_str()?;
    let kind = PropertyKind::all().find(|kind| kind.verdict_name() == name)?;
    if matches!(kind, PropertyKind::ValidMemtrack | PropertyKind::ReachCall) {
        return Some(ErrorAt { unit: 0, line: 0, kind });
    }
    let trace = &json["trace"];
    let line = u32::try_from(trace["line"].as_u64()?).ok()?;
    let file = Path::new(trace["file"].as_str()?);
    let unit = file.file_stem()?.to_str()?.parse().unwrap_or(0);
    Some(ErrorAt { unit, line, kind })
}
