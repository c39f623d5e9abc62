//! Bounded model checking × backend × encoding over the cases that it decides: each combination
//! yields the verdict of the case, or UNKNOWN if the encoding is not precise enough for it, or is
//! undecidable and the solver gave up; two different verdicts fail. `algorithms.rs` does the same
//! with all algorithms, and fewer encodings.
//!
//! Each case runs in all decidable encodings, and in some of those with quantifiers, chosen by the
//! hash of the trial's name; with `HORNWORK_TRIALS=all` in all. With quantifiers UNKNOWN passes, so
//! `decided.txt` records how many cases of a sample each of these encodings decides at least.
//!
//! `HORNWORK_TRIALS=once` runs each case in one configuration, those of checks first, and ends the
//! process at the first failure: mutation testing runs this suite thousands of times and needs only
//! the first failure.

use hornwork_tests::sample::{Extent, least};
use hornwork_tests::verdicts::{
    Answer, CONFIGURATIONS, Configuration, Decidability, check, check_within, configurations,
    first_algorithm, name,
};
use hornwork_tests::{Case, cases};
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;
use std::process::ExitCode;

const TOOL: &str = env!("CARGO_BIN_EXE_hornwork-under-test");
const ALGORITHM: &str = "bmc";
/// The number of encodings with quantifiers in which a case runs.
const QUANTIFIED: usize = 2;

/// Solver, encoding, and the least number of cases of the sample that they decide.
const DECIDED: &str = include_str!("decided.txt");
/// The size of the samples of `decided.txt`.
const SAMPLE: usize = 40;
/// Time limit in seconds for one of these cases. Decided cases take tenths of a second, so the
/// count hardly depends on the load.
const LIMIT: u64 = 10;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match Extent::of_environment() {
        Extent::Once => once(),
        Extent::Sampled => trials(QUANTIFIED).chain(minima()).collect(),
        Extent::All => trials(usize::MAX).chain(minima()).collect(),
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn cases_for_bmc() -> impl Iterator<Item = Case> {
    cases().into_iter().filter(|case| case.is_decided_by(ALGORITHM) != Some(false))
}

/// Each case in all decidable encodings, and in `quantified` of the others.
fn trials(quantified: usize) -> impl Iterator<Item = Trial> {
    cases_for_bmc().flat_map(move |case| {
        let trial_name = |configuration: &Configuration| name(&case, ALGORITHM, configuration);
        let mut chosen = configurations(Decidability::Decidable);
        chosen.extend(least(configurations(Decidability::Undecidable), quantified, trial_name));
        let trial = |configuration: Configuration| {
            let case = case.clone();
            Trial::test(trial_name(&configuration), move || {
                check(TOOL, &case, ALGORITHM, &configuration).map(drop).map_err(Failed::from)
            })
        };
        chosen.into_iter().map(trial).collect::<Vec<_>>()
    })
}

/// One trial for each row of `decided.txt`.
fn minima() -> impl Iterator<Item = Trial> {
    configurations(Decidability::Undecidable).into_iter().map(|configuration| {
        let name = format!("decided::{}::{}", configuration.solver, configuration.encoding);
        Trial::test(name, move || decides_enough(&configuration))
    })
}

fn decides_enough(configuration: &Configuration) -> Result<(), Failed> {
    let minimum = recorded_minimum(configuration)?;
    let is_decidable = |case: &Case| case.verdict != "UNKNOWN" && case.allows(configuration.encoding);
    let cases: Vec<Case> = cases_for_bmc().filter(is_decidable).collect();
    let sample = least(cases, SAMPLE, |case| name(case, ALGORITHM, configuration));
    assert_eq!(sample.len(), SAMPLE, "there are enough cases");
    let mut undecided = Vec::new();
    for case in &sample {
        match check_within(LIMIT, TOOL, case, ALGORITHM, configuration) {
            Ok(Answer::Decided) => {}
            Ok(Answer::Unknown) => undecided.push(case.name.as_str()),
            Err(failure) => return Err(format!("{}: {failure}", case.name).into()),
        }
    }
    let decided = SAMPLE - undecided.len();
    if decided >= minimum {
        return Ok(());
    }
    let undecided = undecided.join(", ");
    Err(format!(
        "{decided} of {SAMPLE} cases are decided, at least {minimum} should be; UNKNOWN: {undecided}"
    )
    .into())
}

fn recorded_minimum(configuration: &Configuration) -> Result<usize, Failed> {
    let rows = DECIDED.lines().filter(|line| !line.starts_with('#'));
    let mut fields = rows.map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = fields.find(|fields| fields[..2] == [configuration.solver, configuration.encoding]);
    let row = row.ok_or("no row in decided.txt")?;
    row[2].parse().map_err(|error| format!("decided.txt: {}: {error}", row[2]).into())
}

/// Each case in the first configuration with the first algorithm that decides it.
fn once() -> Vec<Trial> {
    let configuration = CONFIGURATIONS[0];
    let mut cases = cases();
    let is_of_checks =
        |case: &Case| case.name.starts_with("checks/") || case.name.starts_with("memory-safety/");
    cases.sort_by_key(|case| !is_of_checks(case));
    let trial = |case: Case| {
        let name = name(&case, first_algorithm(&case), &configuration);
        Trial::test(name.clone(), move || {
            check(TOOL, &case, first_algorithm(&case), &configuration).map(drop).map_err(|failure| {
                let _ = writeln!(std::io::stderr(), "{name}: {failure}");
                std::process::exit(101)
            })
        })
    };
    cases.into_iter().map(trial).collect()
}
