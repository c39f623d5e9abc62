//! One case in one configuration: the run and its judgment. The basis of `tests/verdicts.rs` and of
//! the quick tests of `cli`.

use crate::{Case, Run, run};
use std::process::Command;
use std::time::Duration;

/// An encoding with a solver for it.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    /// `--encoding`.
    pub encoding: &'static str,
    /// `--solver`.
    pub solver: &'static str,
    /// Whether the solver must decide the case.
    pub decidability: Decidability,
}

/// Whether a solver must decide the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decidability {
    /// It must.
    Decidable,
    /// With quantifiers the answer may be UNKNOWN.
    Undecidable,
}

const fn row(encoding: &'static str, solver: &'static str, decidability: Decidability) -> Configuration {
    Configuration { encoding, solver, decidability }
}

/// All encodings.
pub const CONFIGURATIONS: &[Configuration] = &[
    row("QF_ABVFP", "yices", Decidability::Decidable),
    row("QF_UFBVFP", "yices", Decidability::Decidable),
    row("QF_UFLIRA", "yices", Decidability::Decidable),
    row("QF_AUFLIRA", "yices", Decidability::Decidable),
    row("ABVFP", "z3", Decidability::Undecidable),
    row("UFBVFP", "z3", Decidability::Undecidable),
    row("AUFLIRA", "z3", Decidability::Undecidable),
    row("UFLIRA", "z3", Decidability::Undecidable),
];

/// The configurations with this decidability.
pub fn configurations(decidability: Decidability) -> Vec<Configuration> {
    CONFIGURATIONS
        .iter()
        .copied()
        .filter(|configuration| configuration.decidability == decidability)
        .collect()
}

/// Bounded model checking, or the first algorithm that decides the case if the case excludes it.
pub fn first_algorithm(case: &Case) -> &str {
    match &case.decided_by {
        Some(names) if !names.iter().any(|name| name == "bmc") => &names[0],
        _ => "bmc",
    }
}

/// The name of a trial, whose hash selects samples.
pub fn name(case: &Case, algorithm: &str, configuration: &Configuration) -> String {
    format!("{}::{algorithm}::{}::{}", case.name, configuration.solver, configuration.encoding)
}

/// Whether a correct run decided the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The verdict of the case.
    Decided,
    /// UNKNOWN, if that is permitted or the verdict of the case.
    Unknown,
}

/// Time limit in seconds for a run that must decide. Most runs take less than a second; the limit
/// is for slow machines, since turns of engines may then come in another order.
pub const LIMIT_TO_DECIDE: u64 = 240;
/// Time limit in seconds for a run that may answer UNKNOWN.
const LIMIT_TO_AGREE: u64 = 2;

/// Runs `case` with the executable `tool`.
///
/// # Errors
/// A verdict other than that of the case, UNKNOWN where a decision is required, an exit code that
/// does not match the verdict, no verdict.
pub fn check(
    tool: &str,
    case: &Case,
    algorithm: &str,
    configuration: &Configuration,
) -> Result<Answer, String> {
    let limit = if has_to_decide(case, configuration) { LIMIT_TO_DECIDE } else { LIMIT_TO_AGREE };
    check_within(limit, tool, case, algorithm, configuration)
}

/// [`check`] with a time limit in seconds.
///
/// # Errors
/// Those of [`check`].
pub fn check_within(
    limit: u64,
    tool: &str,
    case: &Case,
    algorithm: &str,
    configuration: &Configuration,
) -> Result<Answer, String> {
    let Configuration { encoding, solver, .. } = configuration;
    let run = run(
        Command::new(tool)
            .args(["verify", "--algorithm", algorithm, "--solver", solver, "--encoding", encoding])
            .args(["--timelimit", &limit.to_string()])
            .args(&case.options)
            .arg(&case.path)
            .args(&case.with),
        Duration::from_secs(limit.max(60) + 30),
    );
    judge(case, configuration, &run)
}

fn has_to_decide(case: &Case, configuration: &Configuration) -> bool {
    configuration.decidability == Decidability::Decidable && case.allows(configuration.encoding)
}

fn judge(case: &Case, configuration: &Configuration, run: &Run) -> Result<Answer, String> {
    let verdict = run.last_line();
    let kind = verdict.split('(').next().unwrap_or_default();
    let expected_code = match kind {
        "TRUE" => 0,
        "FALSE" => 10,
        "UNKNOWN" => 20,
        _ => return Err(format!("no verdict: {run:?}")),
    };
    if run.code != Some(expected_code) {
        return Err(format!("exit code {:?} with {verdict}", run.code));
    }
    match kind {
        "UNKNOWN" if case.verdict == "UNKNOWN" || !has_to_decide(case, configuration) => Ok(Answer::Unknown),
        _ if verdict == case.verdict => Ok(Answer::Decided),
        _ => Err(format!("expected {}, got {verdict}\n{}{}", case.verdict, run.out, run.err)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECIDABLE: Configuration = row("QF_ABVFP", "yices", Decidability::Decidable);
    const UNDECIDABLE: Configuration = row("ABVFP", "z3", Decidability::Undecidable);

    fn case(verdict: &str, only: &[&str]) -> Case {
        Case {
            name: String::new(),
            path: "case.c".into(),
            with: Vec::new(),
            verdict: verdict.to_owned(),
            options: Vec::new(),
            only: only.iter().map(|&only| only.to_owned()).collect(),
            decided_by: None,
        }
    }

    fn run(line: &str, code: i32) -> Run {
        Run { code: Some(code), out: format!("something\n{line}\n"), err: String::new() }
    }

    #[test]
    fn a_wrong_verdict_fails_everywhere() {
        for configuration in [DECIDABLE, UNDECIDABLE] {
            for expected in ["FALSE(unreach-call)", "UNKNOWN"] {
                assert!(judge(&case(expected, &[]), &configuration, &run("TRUE", 0)).is_err());
            }
            let other = run("FALSE(no-overflow)", 10);
            assert!(judge(&case("FALSE(unreach-call)", &["QF_UFLIRA"]), &configuration, &other).is_err());
            assert_eq!(judge(&case("TRUE", &[]), &configuration, &run("TRUE", 0)), Ok(Answer::Decided));
        }
    }

    #[test]
    fn unknown_fails_where_an_answer_has_to_come() {
        let unknown = run("UNKNOWN", 20);
        let judged = |only: &[&str], configuration| judge(&case("TRUE", only), configuration, &unknown);
        assert!(judged(&[], &DECIDABLE).is_err());
        assert!(judged(&["QF_ABVFP"], &DECIDABLE).is_err());
        assert_eq!(judged(&["QF_UFLIRA"], &DECIDABLE), Ok(Answer::Unknown));
        assert_eq!(judged(&[], &UNDECIDABLE), Ok(Answer::Unknown));
    }

    #[test]
    fn the_exit_code_has_to_fit() {
        assert!(judge(&case("TRUE", &[]), &DECIDABLE, &run("TRUE", 10)).is_err());
        assert!(judge(&case("UNKNOWN", &[]), &DECIDABLE, &run("UNKNOWN", 0)).is_err());
        assert!(judge(&case("TRUE", &[]), &DECIDABLE, &run("", 0)).is_err());
    }
}
