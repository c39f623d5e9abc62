//! Bounded model checking × backend × encoding over the cases that it decides: each combination gives the case's verdict, or UNKNOWN where
//! the encoding is not precise enough for it, or undecidable and the solver gave up; two different verdicts fail.
//! `algorithms.rs` does the same with all algorithms, and fewer encodings.
//!
//! `HORNWORK_VERDICTS=once` runs each case in one configuration, those of checks first, and ends the process at the first failure: mutation
//! testing asks thousands of times whether anything fails.

use hornwork_tests::{Case, cases, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;
use std::process::{Command, ExitCode};
use std::time::Duration;

const ALGORITHMS: &[&str] = &["bmc"];
const ENCODINGS: &[(&str, &str, Decidability)] = &[
    ("QF_ABVFP", "yices", Decidability::Decidable),
    ("QF_UFBVFP", "yices", Decidability::Decidable),
    ("QF_UFLIRA", "yices", Decidability::Decidable),
    ("QF_AUFLIRA", "yices", Decidability::Decidable),
    ("ABVFP", "z3", Decidability::Undecidable),
    ("UFBVFP", "z3", Decidability::Undecidable),
    ("AUFLIRA", "z3", Decidability::Undecidable),
    ("UFLIRA", "z3", Decidability::Undecidable),
];

/// Whether a solver has to come to an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decidability {
    Decidable,
    /// With quantifiers the answer may be UNKNOWN, and is so after a short time.
    Undecidable,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if std::env::var_os("HORNWORK_VERDICTS").is_some_and(|mode| mode == "once") {
        return once(&arguments);
    }
    let mut trials = Vec::new();
    for case in cases().into_iter().filter(|case| case.is_decided_by("bmc") != Some(false)) {
        for algorithm in ALGORITHMS {
            for &(encoding, solver, decidability) in ENCODINGS {
                let case = case.clone();
                let name = format!("{}::{algorithm}::{solver}::{encoding}", case.name);
                trials
                    .push(Trial::test(name, move || check(&case, algorithm, solver, encoding, decidability)));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Runs each case in the first encoding with bounded model checking, or where the case excludes that, with the first algorithm that
/// decides it.
fn once(arguments: &Arguments) -> ExitCode {
    let &(encoding, solver, decidability) = ENCODINGS.first().expect("there are encodings");
    let mut cases = cases();
    let is_of_checks =
        |case: &Case| case.name.starts_with("checks/") || case.name.starts_with("memory-safety/");
    cases.sort_by_key(|case| !is_of_checks(case));
    let trials = cases.into_iter().map(|case| {
        let algorithm = match &case.decided_by {
            Some(names) if !names.iter().any(|name| name == "bmc") => names[0].clone(),
            _ => "bmc".to_owned(),
        };
        let name = format!("{}::{algorithm}::{solver}::{encoding}", case.name);
        Trial::test(name.clone(), move || {
            check(&case, &algorithm, solver, encoding, decidability).or_else(|failure| {
                let message = failure.message().unwrap_or_default();
                let _ = writeln!(std::io::stderr(), "{name}: {message}");
                std::process::exit(101)
            })
        })
    });
    libtest_mimic::run(arguments, trials.collect()).exit_code()
}

fn check(
    case: &Case,
    algorithm: &str,
    solver: &str,
    encoding: &str,
    decidability: Decidability,
) -> Result<(), Failed> {
    let limit = if decidability == Decidability::Decidable { "60" } else { "2" };
    let run = run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .arg("verify")
            .args([
                "--algorithm",
                algorithm,
                "--solver",
                solver,
                "--encoding",
                encoding,
                "--timelimit",
                limit,
            ])
            .args(&case.options)
            .arg(&case.path)
            .args(&case.with),
        Duration::from_secs(90),
    );
    let decides = decidability == Decidability::Decidable
        && (case.only.is_empty() || case.only.iter().any(|only| only == encoding));
    let verdict = run.last_line();
    let kind = verdict.split('(').next().unwrap_or_default();
    let expected_code = match kind {
        "TRUE" => 0,
        "FALSE" => 10,
        "UNKNOWN" => 20,
        _ => return Err(format!("no verdict: {run:?}").into()),
    };
    if run.code != Some(expected_code) {
        return Err(format!("exit code {:?} with {verdict}", run.code).into());
    }
    let as_expected = verdict == case.verdict || kind == "UNKNOWN" && (case.verdict == "UNKNOWN" || !decides);
    if as_expected {
        Ok(())
    } else {
        Err(format!("expected {}, got {verdict}\n{}{}", case.verdict, run.out, run.err).into())
    }
}
