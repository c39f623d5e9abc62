//! Memory model × algorithm × backend × encoding: the models of `--memory` and the reads of
//! `--reads` yield the same verdicts.
//!
//! One trial is one case in one encoding with its solver. Each algorithm runs in each model, and
//! each run yields the verdict of the case or UNKNOWN; no certificate is rejected, and no run
//! panics. The cases of `memory-models/` run in two encodings without quantifiers, chosen by the
//! hash of the trial's name, and the algorithms in their `decided-by` must decide them in each
//! model. Of the other cases about memory there is a sample; `HORNWORK_TRIALS=all` runs all.

use hornwork_tests::sample::{Extent, is_one_in, least};
use hornwork_tests::verdicts::{Configuration, Decidability, configurations};
use hornwork_tests::{Case, cases, run};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// `--memory` and `--reads`. Reads matter in encodings of bit vectors with arrays only.
const MODELS: [(&str, &str); 4] =
    [("bytes", "cases"), ("typed", "cases"), ("regions", "cases"), ("regions", "select")];
const ALGORITHMS: [&str; 5] = ["bmc", "k-induction", "kiki", "predicate", "impact"];

/// The cases that were written for this test.
const OWN: &str = "memory-models/";
/// Folders of further cases, each with the sampling rate.
const SAMPLED: &[(&str, u64)] =
    &[("memory/", 6), ("memory-safety/", 40), ("cells/", 4), ("float/", 20), ("library/", 40)];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let extent = Extent::of_environment();
    let mut trials = Vec::new();
    for case in cases().into_iter().filter(|case| case.verdict != "UNKNOWN") {
        let is_own = case.name.starts_with(OWN);
        let row = SAMPLED.iter().find(|(folder, _)| case.name.starts_with(folder));
        let is_chosen = row.is_some_and(|&(_, every)| extent == Extent::All || is_one_in(every, &case.name));
        if !is_own && !is_chosen {
            continue;
        }
        let name = |configuration: &Configuration| {
            let Configuration { encoding, solver, .. } = configuration;
            format!("{}::{solver}::{encoding}", case.name)
        };
        let count = match (extent, is_own) {
            (Extent::All, _) => usize::MAX,
            (_, true) => 2,
            (_, false) => 1,
        };
        for configuration in least(configurations(Decidability::Decidable), count, name) {
            let (case, name) = (case.clone(), name(&configuration));
            trials.push(Trial::test(name, move || check(&case, &configuration)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(case: &Case, configuration: &Configuration) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for algorithm in ALGORITHMS {
        for (memory, reads) in MODELS {
            if reads == "select" && !configuration.encoding.ends_with("ABVFP") {
                continue;
            }
            if let Err(failure) = check_one(case, configuration, algorithm, (memory, reads)) {
                failures.push(format!("{algorithm}, {memory}, {reads}: {failure}"));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn check_one(
    case: &Case,
    configuration: &Configuration,
    algorithm: &str,
    (memory, reads): (&str, &str),
) -> Result<(), String> {
    let Configuration { encoding, solver, .. } = configuration;
    let is_decided =
        case.name.starts_with(OWN) && case.is_decided_by(algorithm) == Some(true) && case.allows(encoding);
    let limit = if is_decided { "60" } else { "1" };
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.args(["verify", "--json", "--quiet", "--algorithm", algorithm, "--memory", memory]);
    command.args(["--reads", reads]);
    command.args(["--solver", solver, "--encoding", encoding, "--timelimit", limit]);
    command.args(&case.options).arg(&case.path).args(&case.with);
    let run = run(&mut command, Duration::from_secs(120));
    if run.err.contains("panicked") {
        return Err(format!("a panic: {}", run.err));
    }
    let answer: Value =
        serde_json::from_str(run.out.trim()).map_err(|error| format!("no answer: {error}"))?;
    let verdict = match (answer["verdict"].as_str(), answer["property"].as_str()) {
        (Some("FALSE"), Some(property)) => format!("FALSE({property})"),
        (verdict, _) => verdict.unwrap_or_default().to_owned(),
    };
    let validation = &answer["validation"]["result"];
    let is_unsupported =
        answer["reason"].as_str().is_some_and(|reason| reason.contains("memory is a function"));
    match verdict.as_str() {
        "UNKNOWN" if is_decided && !is_unsupported => Err(format!("UNKNOWN: {}", answer["reason"])),
        "UNKNOWN" => Ok(()),
        _ if verdict != case.verdict => Err(format!("{verdict}, expected {}", case.verdict)),
        "TRUE" if validation == "rejected" => Err("a rejected certificate".to_owned()),
        "TRUE" if is_decided && validation != "validated" => Err(format!("{validation} certificate")),
        _ => Ok(()),
    }
}
