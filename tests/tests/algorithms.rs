//! Algorithm × backend × encoding over the cases with a verdict: each combination yields the
//! verdict of the case or UNKNOWN, another solver validates the certificate of each TRUE, no
//! certificate is rejected, and no run panics.
//!
//! `// decided-by: …` in a case names the algorithms that must decide it, so that a decided case
//! does not become UNKNOWN. One trial is one case in one encoding, with all algorithms, because
//! their cost is small compared with starting processes. Cases and encodings are sampled by the
//! hashes of their names, and so are the algorithms that need not decide the case;
//! `HORNWORK_TRIALS=all` runs all.

use hornwork_tests::sample::{Extent, is_one_in, least};
use hornwork_tests::verdicts::LIMIT_TO_DECIDE;
use hornwork_tests::{Case, Run, cases, run};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// An algorithm, with a bound if it need not terminate by itself.
struct Algorithm {
    name: &'static str,
    bound: &'static [&'static str],
}

const ALGORITHMS: &[Algorithm] = &[
    Algorithm { name: "bmc", bound: &["--max-unwind", "4"] },
    Algorithm { name: "k-induction", bound: &[] },
    Algorithm { name: "kiki", bound: &[] },
    Algorithm { name: "pdr", bound: &[] },
    Algorithm { name: "horn", bound: &[] },
    Algorithm { name: "predicate", bound: &[] },
    Algorithm { name: "impact", bound: &[] },
    Algorithm { name: "impact-sbe", bound: &[] },
    Algorithm { name: "ufo", bound: &[] },
    Algorithm { name: "symbolic-execution", bound: &["--loop-bound", "3"] },
];

const ENCODINGS: &[(&str, &str)] = &[("QF_ABVFP", "yices"), ("QF_AUFLIRA", "z3"), ("QF_UFLIRA", "yices")];

/// The number of encodings in which a case runs, unless it names the algorithms that decide it.
const SAMPLED_ENCODINGS: usize = 2;

/// The sampling rate of algorithms that need not decide a case: most use up their time.
const SAMPLED_ALGORITHMS: u64 = 2;

/// Folders with many cases that exercise an algorithm in the same way, each with the sampling rate;
/// cases that name the algorithms that decide them always run.
const SAMPLED: &[(&str, u64)] =
    &[("checks/", 12), ("float/", 5), ("library/", 12), ("memory/", 3), ("memory-safety/", 24)];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let extent = Extent::of_environment();
    let mut trials = Vec::new();
    for case in cases().into_iter().filter(|case| case.verdict != "UNKNOWN") {
        let is_whole = extent == Extent::All || case.decided_by.is_some();
        let every = SAMPLED.iter().find(|(folder, _)| case.name.starts_with(folder)).map_or(1, |row| row.1);
        if !is_whole && !is_one_in(every, &case.name) {
            continue;
        }
        let name = |&(encoding, solver): &(&str, &str)| format!("{}::{solver}::{encoding}", case.name);
        let count = if is_whole { ENCODINGS.len() } else { SAMPLED_ENCODINGS };
        for (encoding, solver) in least(ENCODINGS.to_vec(), count, name) {
            let case = case.clone();
            let name = name(&(encoding, solver));
            trials.push(Trial::test(name, move || check(&case, solver, encoding, extent)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(case: &Case, solver: &str, encoding: &str, extent: Extent) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for algorithm in ALGORITHMS {
        let name = format!("{}::{encoding}::{}", case.name, algorithm.name);
        let is_sampled = extent == Extent::All || is_one_in(SAMPLED_ALGORITHMS, &name);
        if !must_decide(case, algorithm, encoding) && !is_sampled {
            continue;
        }
        if let Err(failure) = check_one(case, algorithm, solver, encoding) {
            failures.push(format!("{}: {failure}", algorithm.name));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn must_decide(case: &Case, algorithm: &Algorithm, encoding: &str) -> bool {
    case.is_decided_by(algorithm.name) == Some(true) && case.allows(encoding)
}

fn check_one(case: &Case, algorithm: &Algorithm, solver: &str, encoding: &str) -> Result<(), String> {
    let is_decided = must_decide(case, algorithm, encoding);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.args(["verify", "--json", "--quiet", "--algorithm", algorithm.name]);
    command.args(["--solver", solver, "--encoding", encoding]);
    command.args(&case.options);
    if is_decided {
        command.args(["--timelimit", &LIMIT_TO_DECIDE.to_string()]);
    } else {
        command.args(["--timelimit", "1"]);
        if !case.options.iter().any(|option| option == "--unwind" || option == "--max-unwind") {
            command.args(algorithm.bound);
        }
    }
    let run = run(command.arg(&case.path).args(&case.with), Duration::from_secs(LIMIT_TO_DECIDE + 60));
    judge(case, &run, if is_decided { Duty::Decide } else { Duty::Agree })
        .map_err(|failure| format!("{failure}, expected {}\n{}{}", case.verdict, run.out, run.err))
}

/// The requirement on an algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    /// The verdict.
    Decide,
    /// The verdict or UNKNOWN.
    Agree,
}

fn judge(case: &Case, run: &Run, duty: Duty) -> Result<(), String> {
    if run.err.contains("panicked") {
        return Err("a panic".to_owned());
    }
    let answer: Value =
        serde_json::from_str(run.out.trim()).map_err(|error| format!("no answer: {error}"))?;
    let kind = answer["verdict"].as_str().unwrap_or_default();
    let (verdict, code) = match kind {
        "TRUE" => ("TRUE".to_owned(), 0),
        "FALSE" => (format!("FALSE({})", answer["property"].as_str().unwrap_or_default()), 10),
        "UNKNOWN" => ("UNKNOWN".to_owned(), 20),
        other => return Err(format!("the verdict `{other}`")),
    };
    if run.code != Some(code) {
        return Err(format!("exit code {:?} with {verdict}", run.code));
    }
    let validation = answer["validation"]["result"].as_str();
    match (kind, duty) {
        (_, _) if validation == Some("rejected") => Err("a rejected certificate".to_owned()),
        ("UNKNOWN", Duty::Decide) if !is_memory_as_functions(&answer) => Err("UNKNOWN".to_owned()),
        ("UNKNOWN", _) => Ok(()),
        _ if verdict != case.verdict => Err(verdict),
        // With a short time limit, a proof may be found but not validated.
        ("TRUE", Duty::Decide) if validation != Some("validated") => {
            Err(format!("{validation:?} certificate"))
        }
        ("TRUE", Duty::Agree) if !matches!(validation, Some("validated" | "undecided")) => {
            Err(format!("{validation:?} certificate"))
        }
        _ => Ok(()),
    }
}

/// Whether the only obstacle is memory without a symbol: algorithms with blocks need memory as
/// arrays.
fn is_memory_as_functions(answer: &Value) -> bool {
    answer["reason"].as_str().is_some_and(|reason| reason.contains("memory is a function"))
}
