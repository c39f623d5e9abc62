//! A part of the cases, each with one algorithm, one solver and one encoding: the verdicts of the quick tests (`make quick`, and `cargo
//! test` in the root). `tests/tests/verdicts.rs` runs all cases in many configurations.

use hornwork_tests::sample::{is_one_in, least};
use hornwork_tests::verdicts::{Decidability, check, configurations, first_algorithm, name};
use hornwork_tests::{Case, cases};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

/// One case in so many runs.
const SAMPLED: u64 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_chosen = |case: &Case| is_one_in(SAMPLED, &case.name);
    let trials = cases().into_iter().filter(is_chosen).map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A trial in an encoding that has to decide the case, chosen by the hash of the trial's name; algorithms but bounded model checking have
/// only the first one.
fn trial(case: Case) -> Trial {
    let algorithm = first_algorithm(&case);
    let mut encodings = configurations(Decidability::Decidable);
    encodings.retain(|configuration| case.allows(configuration.encoding));
    encodings.truncate(if algorithm == "bmc" { encodings.len() } else { 1 });
    let configuration = least(encodings, 1, |configuration| name(&case, algorithm, configuration))[0];
    Trial::test(name(&case, algorithm, &configuration), move || {
        let tool = env!("CARGO_BIN_EXE_hornwork");
        check(tool, &case, first_algorithm(&case), &configuration).map(drop).map_err(Failed::from)
    })
}
