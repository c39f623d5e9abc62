use super::*;
use crate::engines::bmc::{self, Schedule};
use crate::engines::predicate::algorithm::Stopped;
use crate::engines::predicate::config::{
    Abstraction, Candidates, Config, Facts, Granularity, Injection, Region,
};
use crate::engines::predicate::formulas::Formulas;
use crate::engines::predicate::presets::preset;
use crate::engines::predicate::solving::{Solver, Statistics};
use crate::engines::predicate::{Report, Settings, run};
use crate::evidence::{UnknownReason, Verdict};
use crate::invariants::{InvariantGeneration, InvariantOptions};
use backends::ProverFactory;
use encode::{Encoding, Theories};
use program::ssa::Program;
use program::text::parse_text;
use std::borrow::Cow;
use std::time::Duration;
use terms::TermPool;
use views::paths::UnsupportedEnds;

/// `x = y = 0`, then `x += 1; y += step` any number of times, then `y = 2x` is asserted.
fn doubling(step: u32) -> String {
    program(&format!(
        "  block b0:
    goto b1(#x00000000, #x00000000)
  block b1(v1: u32 \"x\", v2: u32 \"y\"):
    v0: u32 \"n\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (bvult v0 #x00000005) then b2 else b3
  block b2:
    v3: u32 \"x\" = (bvadd v1 #x00000001)
    v4: u32 \"y\" = (bvadd v2 #x{step:08x})
    goto b1(v3, v4)
  block b3:
    branch (= v2 (bvadd v1 v1)) then b4 else b5
  block b4:
    stop exit
  block b5:
    error p0
"
    ))
}

/// `i = 0`, then `i += 1` while `i < 1000000`, then `i = 1000000` is asserted. Interpolants that
/// fix `i` would need one refinement for each iteration.
fn counting() -> String {
    program(
        "  block b0:
    goto b1(#x00000000)
  block b1(v0: u32 \"i\"):
    branch (bvult v0 #x000f4240) then b2 else b3
  block b2:
    v1: u32 \"i\" = (bvadd v0 #x00000001)
    goto b1(v1)
  block b3:
    branch (= v0 #x000f4240) then b4 else b5
  block b4:
    stop exit
  block b5:
    error p0
",
    )
}

/// `x` is initially 0 or 10 and never changes.
fn either() -> String {
    program(
        "  block b0:
    v0: u32 \"n\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (= v0 #x00000000) then b1(#x00000000) else b1(#x0000000a)
  block b1(v1: u32 \"x\"):
    v2: u32 \"m\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (= v2 #x00000000) then b2 else b1(v1)
  block b2:
    branch (or (= v1 #x00000000) (= v1 #x0000000a)) then b3 else b4
  block b3:
    stop exit
  block b4:
    error p0
",
    )
}

fn program(blocks: &str) -> String {
    format!(
        "machine 32\nentry f0\nproperty p0 reach-call \"call of reach_error\"\nfunction f0 \"main\" () {{\n{blocks}}}\n"
    )
}

fn config(algorithm: &str, facts: &[Facts]) -> Config {
    let config = preset(algorithm).expect("a preset").config.clone();
    Config { facts: Cow::Owned(facts.to_vec()), ..config }
}

fn settings(encoding: Encoding) -> Settings {
    let deadline = Instant::now().checked_add(Duration::from_secs(60));
    let schedule = Schedule::deepening(Some(64));
    Settings::new(bmc::Config { theories: Theories::of(encoding), deadline, ..bmc::Config::new(schedule) })
}

fn parsed(pool: &mut TermPool, text: &str) -> Program {
    parse_text(pool, text).unwrap_or_else(|error| panic!("{error}"))
}

fn verify(text: &str, config: &Config) -> Report {
    let mut reports = Vec::new();
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let program = parsed(&mut pool, text);
        let factory = backend_yices::factory();
        reports.push(run(&mut pool, &program, &factory, config, &settings(encoding), &mut ()));
    }
    let [one, other] = [&reports[0], &reports[1]].map(|report| kind(&report.verdict));
    assert_eq!(one, other, "encodings disagree");
    reports.swap_remove(0)
}

fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

fn has_no_facts(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(UnknownReason::NoProgress { .. }))
}

#[test]
fn each_source_of_sequences_alone_proves_under_both_strategies() {
    for source in [Facts::PathInvariants, Facts::WeakestPreconditions] {
        for algorithm in ["predicate", "impact", "ufo"] {
            let report = verify(&doubling(2), &config(algorithm, &[source]));
            assert_eq!(kind(&report.verdict), "safe", "{source} with {algorithm}");
        }
    }
}

#[test]
fn heuristic_predicates_alone_prove_what_a_condition_says() {
    let report = verify(&doubling(2), &config("predicate", &[Facts::Heuristics]));
    assert_eq!(kind(&report.verdict), "safe");
}

#[test]
fn an_error_is_found_with_each_source() {
    for source in [Facts::PathInvariants, Facts::WeakestPreconditions, Facts::Heuristics] {
        let report = verify(&doubling(3), &config("predicate", &[source]));
        assert_eq!(kind(&report.verdict), "unsafe", "{source}");
    }
}

#[test]
fn path_invariants_need_few_refinements_for_many_iterations() {
    for algorithm in ["predicate", "impact"] {
        let report = verify(&counting(), &config(algorithm, &[Facts::PathInvariants]));
        assert_eq!(kind(&report.verdict), "safe", "{algorithm}");
        assert!(report.statistics.refinements <= 3, "{algorithm}: {}", report.statistics.refinements);
    }
}

#[test]
fn heuristic_predicates_strengthen_no_states() {
    let report = verify(&doubling(2), &config("impact", &[Facts::Heuristics]));
    assert!(has_no_facts(&report.verdict), "{:?}", report.verdict);
}

#[test]
fn the_next_source_has_its_turn_where_one_is_useless() {
    let report = verify(&doubling(2), &config("impact", &[Facts::Heuristics, Facts::PathInvariants]));
    assert_eq!(kind(&report.verdict), "safe");
    let sources: Vec<&str> = report.statistics.facts.iter().map(|entry| entry.0).collect();
    assert_eq!(sources, ["heuristics", "path-invariants"]);
}

/// The facts exclude the counterexample, but no conjunction of their atoms does.
#[test]
fn a_counterexample_that_comes_again_goes_to_the_next_source() {
    let cartesian = |facts: &[Facts], granularity| Config {
        abstraction: Abstraction::Cartesian,
        region: Region::Smt,
        granularity,
        ..config("predicate", facts)
    };
    let alone = verify(&either(), &cartesian(&[Facts::WeakestPreconditions], Granularity::Atoms));
    assert!(has_no_facts(&alone.verdict), "{:?}", alone.verdict);
    assert!(alone.statistics.repeated_counterexamples > 0);
    let both = [Facts::WeakestPreconditions, Facts::Heuristics];
    let split = verify(&either(), &cartesian(&both, Granularity::Atoms));
    assert!(split.statistics.facts.iter().any(|entry| entry.0 == "heuristics" && entry.1.count > 0));
    let whole = verify(&either(), &cartesian(&[Facts::WeakestPreconditions], Granularity::Whole));
    assert_eq!(kind(&whole.verdict), "safe");
}

/// Runs `check` on the first counterexample of a program.
fn with_counterexample(text: &str, check: impl FnOnce(&mut Analysis<'_, '_>, &Counterexample)) {
    let mut pool = TermPool::new();
    let program = parsed(&mut pool, text);
    let settings = settings(Encoding::QfAbvfp).search;
    let formulas = Formulas::new(&mut pool, &program, &settings, UnsupportedEnds::Targets).expect("views");
    let limits = settings.limits();
    let prover = backend_yices::factory().new_prover(settings.theories.logic(), &limits).expect("a prover");
    let solver = Solver { prover, limits, statistics: Statistics::default(), functions: None };
    let config = config("predicate", &[Facts::PathInvariants]);
    let mut analysis = Analysis::new(&mut pool, formulas, solver, &config, vec![], usize::MAX);
    let Ok(Stopped::Aborted(target)) = analysis.run() else {
        panic!("without predicates the error is reached")
    };
    let counterexample = analysis.counterexample(target).expect("formulas");
    check(&mut analysis, &counterexample);
}

#[test]
fn facts_of_each_source_are_an_inductive_sequence() {
    for text in [doubling(2), counting(), either()] {
        for source in [Facts::PathInvariants, Facts::WeakestPreconditions] {
            with_counterexample(&text, |analysis, counterexample| {
                let facts = analysis.facts(source, counterexample).expect("an answer");
                let Some(AbstractFacts::Sequence(facts)) = facts else { panic!("{source} has a sequence") };
                assert!(
                    analysis.is_inductive(&counterexample.blocks, &facts).expect("an answer"),
                    "{source}"
                );
            });
        }
    }
}

#[test]
fn a_sequence_that_is_not_inductive_is_refused() {
    with_counterexample(&doubling(2), |analysis, counterexample| {
        let count = counterexample.inner().len();
        for weak in [analysis.pool.tru(), analysis.pool.fls()] {
            let facts = vec![weak; count];
            assert!(!analysis.is_inductive(&counterexample.blocks, &facts).expect("an answer"));
        }
        assert!(!analysis.is_inductive(&counterexample.blocks, &[]).expect("an answer"));
    });
}

#[test]
fn a_source_that_ran_out_of_its_time_leaves_the_limits_of_the_run() {
    with_counterexample(&doubling(2), |analysis, counterexample| {
        let before = analysis.solver.limits.deadline;
        analysis.facts(Facts::PathInvariants, counterexample).expect("an answer");
        assert_eq!(analysis.solver.limits.deadline, before);
        let limits = analysis.solver.shorten(Duration::ZERO, 1);
        assert!(analysis.path_invariants(counterexample).is_err());
        analysis.solver.set_limits(limits);
        assert_eq!(analysis.solver.limits.deadline, before);
    });
}

/// The configurations of Table 1 of Stieglmaier's thesis (2016) and those of Impact.
fn injections() -> Vec<Config> {
    use Injection::{Abstraction, Path, Precision};
    let injecting = |algorithm, injection: &[Injection]| Config {
        injection: Cow::Owned(injection.to_vec()),
        ..config(algorithm, &[Facts::Heuristics])
    };
    vec![
        injecting("predicate", &[Precision]),
        injecting("predicate", &[Path]),
        injecting("predicate", &[Abstraction]),
        injecting("predicate", &[Precision, Path]),
        injecting("ufo", &[Precision, Path, Abstraction]),
        injecting("impact", &[Path]),
        injecting("impact", &[Abstraction]),
    ]
}

#[test]
fn injected_invariants_exclude_errors_without_refinement() {
    for config in injections() {
        let report = verify(&counting(), &config);
        assert_eq!(kind(&report.verdict), "safe", "{config:?}");
        assert_eq!(report.statistics.refinements, 0, "{config:?}");
        assert!(report.statistics.injected > 0, "{config:?}");
    }
}

#[test]
fn invariants_that_are_found_later_reach_the_states_that_exist() {
    for config in injections() {
        let report = verify(&doubling(2), &config);
        assert_eq!(kind(&report.verdict), "safe", "{config:?}");
        let config = Config { facts: Cow::Borrowed(&[Facts::WeakestPreconditions]), ..config };
        let report = verify(&doubling(3), &config);
        assert_eq!(kind(&report.verdict), "unsafe", "{config:?}");
    }
}

#[test]
fn formulas_of_counterexamples_are_invariants_if_they_are_inductive() {
    let programs = [
        (Candidates::Interpolants, doubling(2)),
        (Candidates::Conjuncts, either()),
        (Candidates::Weakening, either()),
    ];
    for (candidates, text) in programs {
        let config = Config {
            injection: Cow::Borrowed(&[Injection::Abstraction]),
            candidates: Cow::Owned(vec![candidates]),
            ..config("predicate", &[Facts::PathInvariants])
        };
        let mut pool = TermPool::new();
        let program = parsed(&mut pool, &text);
        let invariants =
            InvariantOptions { generation: InvariantGeneration::None, ..InvariantOptions::default() };
        let settings = Settings { invariants, ..settings(Encoding::QfAuflira) };
        let report = run(&mut pool, &program, &backend_yices::factory(), &config, &settings, &mut ());
        assert_eq!(kind(&report.verdict), "safe", "{candidates}");
        assert!(report.statistics.injected > 0, "{candidates}");
    }
}

#[test]
fn ufo_removes_no_states_that_it_strengthens() {
    let ufo = verify(&doubling(2), &config("ufo", &[Facts::WeakestPreconditions]));
    let impact = verify(&doubling(2), &config("impact", &[Facts::WeakestPreconditions]));
    assert_eq!((kind(&ufo.verdict), kind(&impact.verdict)), ("safe", "safe"));
    assert!(ufo.statistics.removed_states <= impact.statistics.removed_states);
}

/// Checks that each of these algorithms confirms an error without bounded model checking.
fn is_replayed(text: &str) {
    for algorithm in ["predicate", "impact"] {
        let report = verify(text, &config(algorithm, &[Facts::WeakestPreconditions, Facts::Heuristics]));
        assert_eq!(kind(&report.verdict), "unsafe", "{algorithm}");
        let Statistics { replay, confirmation, failed_replay, .. } = report.statistics;
        assert_eq!((replay.count, confirmation.count, failed_replay), (1, 0, None), "{algorithm}");
    }
}

#[test]
fn inputs_of_a_feasible_path_are_replayed() {
    is_replayed(&doubling(3));
}

#[test]
fn unknown_contents_and_addresses_of_a_feasible_path_are_replayed() {
    is_replayed(
        "machine 32
entry f0
region r0 \"memory\" bytes
object o0 \"local\" size 8 align 4 in f0 regions r0
property p0 reach-call \"error\"

function f0 \"main\" () {
  block b0:
    v0: ptr = address-of o0
    forget r0 o0
    v1: ptr = allocate r0 #x00000004 align 4 unknown
    v2: u32 = havoc input \"n\"
    store r0 [v1] ptr v0
    goto b1(#x00000000)
  block b1(v3: u32):
    branch (bvult v3 v2) then b2 else b3
  block b2:
    goto b1((bvadd v3 #x00000001))
  block b3:
    v4: ptr = load r0 [v1]
    v5: u32 = load r0 [(bvadd v4 (bvand v2 #x00000004))]
    branch (and (= v5 #x12345678) (= v2 #x00000003)) then b4 else b5
  block b4:
    error p0
  block b5:
    stop exit
}
",
    );
}

/// The first of two calls has an unused result, so its copy reads no input.
#[test]
fn bounded_model_checking_finds_the_error_where_the_replay_does_not() {
    let text = "machine 32
entry f0
property p0 reach-call \"error\"

function f0 \"main\" () {
  block b0:
    v0: u32 = call f1()
    v1: u32 = call f1()
    branch (= v1 #x00000007) then b1 else b2
  block b1:
    error p0
  block b2:
    stop exit
}

function f1 \"f\" () -> u32 {
  block b0:
    v0: u32 = havoc input \"n\"
    return v0
}
";
    let report = verify(text, &config("predicate", &[Facts::Heuristics]));
    assert_eq!(kind(&report.verdict), "unsafe");
    let Statistics { replay, confirmation, failed_replay, .. } = report.statistics;
    assert_eq!((replay.count, confirmation.count, failed_replay.is_some()), (1, 1, true));
}

#[test]
fn an_approximation_on_a_feasible_path_is_no_error() {
    let text = program(
        "  block b0:
    v0: u32 = havoc approximation \"sin\"
    branch (= v0 #x00000005) then b1 else b2
  block b1:
    error p0
  block b2:
    stop exit
",
    );
    let report = verify(&text, &config("predicate", &[Facts::Heuristics]));
    assert!(
        matches!(report.verdict, Verdict::Unknown(UnknownReason::Approximation(_))),
        "{:?}",
        report.verdict
    );
    assert!(report.statistics.failed_replay.is_some() && report.statistics.confirmation.count > 0);
}
