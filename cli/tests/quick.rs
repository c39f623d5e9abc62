//! The verdicts of the quick tests (`make quick`, and `cargo test` in the root): a sample of the
//! cases, each with one algorithm, one solver and one encoding. `tests/tests/verdicts.rs` runs all
//! cases in many configurations.

use hornwork_tests::sample::{is_one_in, least};
use hornwork_tests::verdicts::{Decidability, check, configurations, first_algorithm, name};
use hornwork_tests::{Case, cases};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

/// One in this many cases runs.
const SAMPLED: u64 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_chosen = |case: &Case| is_one_in(SAMPLED, &case.name);
    let trials = cases().into_iter().filter(is_chosen).map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns a trial in an encoding that must decide the case, chosen by the hash of the trial's
/// name. Algorithms other than bounded model checking use the first such encoding.
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
