use super::*;
use crate::engines::bmc::{self, Schedule};
use crate::engines::predicate::config::{Config, InitialPrecision, Scope};
use crate::engines::predicate::presets::preset;
use crate::engines::predicate::{Report, Settings, run};
use crate::evidence::Verdict;
use crate::names::{SavedPredicate, SavedScope};
use encode::{Encoding, Theories};
use program::text::parse_text;
use std::time::{Duration, Instant};
use terms::TermPool;

/// `x = y = 0`, then `x += 1; y += 2` any number of times, then `y = 2x` is asserted. `other` is
/// the name of `y`.
fn doubling(other: &str) -> String {
    format!(
        "machine 32\nentry f0\nproperty p0 reach-call \"call of reach_error\"\nfunction f0 \"main\" () {{
  block b0:
    goto b1(#x00000000, #x00000000)
  block b1(v1: u32 \"x\", v2: u32 \"{other}\"):
    v0: u32 \"n\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (bvult v0 #x00000005) then b2 else b3
  block b2:
    v3: u32 \"x\" = (bvadd v1 #x00000001)
    v4: u32 \"{other}\" = (bvadd v2 #x00000002)
    goto b1(v3, v4)
  block b3:
    branch (= v2 (bvadd v1 v1)) then b4 else b5
  block b4:
    stop exit
  block b5:
    error p0
}}
"
    )
}

fn verify(text: &str, config: &Config, encoding: Encoding, initial: &SavedPrecision) -> Report {
    let deadline = Instant::now().checked_add(Duration::from_secs(60));
    let schedule = Schedule::deepening(Some(64));
    let search = bmc::Config { theories: Theories::of(encoding), deadline, ..bmc::Config::new(schedule) };
    let reuse = Reuse { initial: initial.clone(), is_saved: true, reader: None };
    let settings = Settings { reuse, ..Settings::new(search) };
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    run(&mut pool, &program, &backend_yices::factory(), config, &settings, &mut ())
}

fn config(algorithm: &str) -> Config {
    preset(algorithm).expect("a preset").config.clone()
}

fn of_loop(number: usize, text: &str) -> SavedPredicate {
    let scope = SavedScope::Loop { function: "main".to_owned(), number };
    SavedPredicate::new(scope, text).expect("an expression")
}

#[test]
fn a_run_with_the_precision_of_another_one_needs_no_refinement() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        for algorithm in ["predicate", "ufo", "impact"] {
            let program = doubling("y");
            let first = verify(&program, &config(algorithm), encoding, &SavedPrecision::default());
            assert!(matches!(first.verdict, Verdict::Safe(_)), "{algorithm}: {:?}", first.verdict);
            assert!(first.statistics.refinements > 0, "{algorithm}");
            let saved = first.precision.expect("a precision");
            assert_eq!(saved.predicates.len() as u64, first.statistics.reuse.written);
            assert!(!saved.predicates.is_empty(), "{algorithm}");
            let second = verify(&program, &config("predicate"), encoding, &saved);
            let statistics = &second.statistics;
            assert!(matches!(second.verdict, Verdict::Safe(_)), "{algorithm}: {:?}", second.verdict);
            assert_eq!(statistics.reuse.read, saved.predicates.len() as u64, "{algorithm}");
            assert_eq!((statistics.reuse.skipped, statistics.refinements), (0, 0), "{algorithm}: {saved:?}");
            // A used predicate is written again.
            let again = second.precision.expect("a precision");
            for predicate in &saved.predicates {
                assert!(again.predicates.contains(predicate), "{predicate:?} in {again:?}");
            }
        }
    }
}

#[test]
fn a_scope_holds_for_all_of_its_locations() {
    let config = Config { scope: Scope::Global, ..config("predicate") };
    let (program, encoding) = (doubling("y"), Encoding::QfAbvfp);
    let first = verify(&program, &config, encoding, &SavedPrecision::default());
    let saved = first.precision.expect("a precision");
    assert!(saved.predicates.iter().all(|predicate| predicate.scope == SavedScope::Global), "{saved:?}");
    assert!(saved.predicates.iter().any(|predicate| predicate.text.contains("main::y")), "{saved:?}");
    let function = SavedPredicate::new(SavedScope::Function("main".to_owned()), "y == 2 * x");
    let by_hand = SavedPrecision { predicates: vec![function.expect("an expression")] };
    for initial in [saved, by_hand] {
        let second = verify(&program, &config, encoding, &initial);
        assert_eq!(second.statistics.refinements, 0, "{initial:?}");
        assert!(matches!(second.verdict, Verdict::Safe(_)));
    }
}

#[test]
fn what_no_longer_exists_is_skipped() {
    let predicates = vec![
        of_loop(1, "y == 2 * x"),
        of_loop(1, "x < 3"),
        of_loop(2, "x < 3"),
        SavedPredicate::new(SavedScope::Function("f".to_owned()), "x < 3").expect("an expression"),
    ];
    let saved = SavedPrecision { predicates };
    let report = verify(&doubling("z"), &config("predicate"), Encoding::QfAbvfp, &saved);
    assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
    let reuse = report.statistics.reuse;
    assert_eq!((reuse.read, reuse.skipped), (4, 3));
    assert_eq!(
        reuse.skipped_predicates,
        [
            "`y == 2 * x` (loop 1 of main): there is no variable `y`",
            "`x < 3`: there is no loop 2 in `main`",
            "`x < 3`: there is no location in `f`",
        ]
    );
}

#[test]
fn useless_predicates_do_not_change_the_verdict() {
    let saved = SavedPrecision { predicates: vec![of_loop(1, "x == 7"), of_loop(1, "(signed) y < 3 || x")] };
    let report = verify(&doubling("y"), &config("predicate"), Encoding::QfAbvfp, &saved);
    assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
    assert_eq!(report.statistics.reuse.skipped, 0);
    let wrong = doubling("y").replace("#x00000002", "#x00000003");
    let report = verify(&wrong, &config("predicate"), Encoding::QfAbvfp, &saved);
    assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{:?}", report.verdict);
}

#[test]
fn conditions_of_the_program_are_predicates() {
    let config = Config { initial: InitialPrecision::Assumptions, ..config("predicate") };
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let report = verify(&doubling("y"), &config, encoding, &SavedPrecision::default());
        let statistics = &report.statistics;
        assert!(matches!(report.verdict, Verdict::Safe(_)), "{:?}", report.verdict);
        assert!(statistics.reuse.conditions > 0, "{statistics:?}");
        // The asserted equation is inductive.
        assert_eq!(statistics.refinements, 0, "{statistics:?}");
    }
}
