//! All built-in solvers against each other, and against enumeration.
//!
//! * `solvers agree`: differential fuzzing with random sequences of pushes, pops, assertions and
//!   checks over Booleans, integers, bit vectors, arrays and functions, see
//!   [`backends::conformance::fuzz`]. `HORNWORK_FUZZ=n` sets the number of checks,
//!   `HORNWORK_FUZZ_SEED` the first seed, and `HORNWORK_SOLVERS=a,b` selects solvers. Findings
//!   belong into `tests/smt/regressions/`.
//! * `wrappers compose`: statistics, records and checked models around each solver, in any order,
//!   at a small cost.

use backends::conformance::fuzz::fuzz;
use backends::conformance::random::{Random, Vocabulary};
use backends::wrappers::{Checked, Counting, Faults, Kind, Query, Recheck, Recording, Script, Statistics};
use backends::{Limits, Outcome, ProverFactory};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;
use terms::{Sort, Term, TermPool};

/// All solvers, or those that `HORNWORK_SOLVERS` names.
fn solvers() -> Vec<Rc<dyn ProverFactory>> {
    let all: [Rc<dyn ProverFactory>; 5] = [
        Rc::new(backend_yices::factory()),
        Rc::new(backend_z3::factory()),
        Rc::new(backend_cvc5::factory()),
        Rc::new(backend_craig::factory()),
        Rc::new(backend_bitwuzla::factory()),
    ];
    let chosen = std::env::var("HORNWORK_SOLVERS").ok();
    let is_chosen =
        |name: &str| chosen.as_ref().is_none_or(|chosen| chosen.split(',').any(|one| one == name));
    all.into_iter().filter(|solver| is_chosen(solver.name())).collect()
}

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} should be a number, not {text}")),
        Err(_) => default,
    }
}

/// Prints the coverage, with `--nocapture`.
#[allow(clippy::print_stdout, reason = "the report of a test")]
fn report(text: &str) {
    println!("{text}");
}

#[test]
fn solvers_agree_with_each_other_and_with_enumeration() {
    let checks = number("HORNWORK_FUZZ", 1000) as usize;
    let seed = number("HORNWORK_FUZZ_SEED", 1);
    let start = Instant::now();
    let findings = fuzz(&solvers(), seed, checks);
    let mut text = format!(
        "{} checks, {} of them known by enumeration, {} of these satisfiable, in {:.1} s\n",
        findings.checks,
        findings.known,
        findings.satisfiable,
        start.elapsed().as_secs_f64()
    );
    for (who, count) in &findings.gave_up {
        text += &format!("{count} times {who}\n");
    }
    for deviation in &findings.deviations {
        text += &format!("\nseed {}: {}\n{}", deviation.seed, deviation.what, deviation.script);
    }
    report(&text);
    assert!(findings.deviations.is_empty(), "{text}");
    assert!(findings.known * 2 > findings.checks, "most answers should be known by enumeration: {text}");
    // A solver without the theory of a check has no part in it.
    let gave_up = findings.gave_up.iter().filter(|(who, _)| !who.contains("not supported by the solver"));
    let open: usize = gave_up.map(|(_, count)| count).sum();
    assert!(open * 10 < findings.checks * solvers().len(), "solvers should rarely give up: {text}");
}

/// Small incremental checks over integers.
fn small_checks(factory: &dyn ProverFactory, checks: usize) {
    let mut pool = TermPool::new();
    let mut random = Random::new(17);
    let vocabulary = Vocabulary::of(&mut pool, Sort::Int, 3);
    let formulas: Vec<Term> = (0..50).map(|_| vocabulary.formula(&mut random, &mut pool, 3)).collect();
    let mut prover = factory.new_prover("QF_LIA", &Limits::default()).expect("a prover of integers");
    for &bound in &vocabulary.bounds {
        prover.assert(&pool, bound).expect("bounds are linear");
    }
    for index in 0..checks {
        prover.push().expect("scopes open");
        prover.assert(&pool, formulas[index % formulas.len()]).expect("the formula is linear");
        match prover.check(&pool, &[]) {
            Outcome::Sat(_) | Outcome::Unsat(_) => {}
            Outcome::Unknown(reason) => panic!("a small check has an answer: {reason}"),
        }
        prover.pop().expect("scopes close");
    }
}

#[test]
fn wrappers_compose_in_any_order_around_any_solver() {
    let has_integers = |solver: &Rc<dyn ProverFactory>| solver.capabilities().theories.contains(&"Ints");
    for solver in solvers().into_iter().filter(has_integers) {
        let statistics = Statistics::default();
        let faults = Faults::default();
        let queries: Rc<RefCell<Vec<Query>>> = Rc::default();
        let sink = {
            let queries = queries.clone();
            Rc::new(move |query: &Query| queries.borrow_mut().push(query.clone()))
        };
        let counting = |factory| Rc::new(Counting { factory, statistics: statistics.clone() });
        let checked =
            |factory| Rc::new(Checked { factory, recheck: Recheck::Models, faults: faults.clone() });
        let recording = |factory| Rc::new(Recording::new(factory, sink.clone(), 1 << 20));
        let orders: [Rc<dyn ProverFactory>; 3] = [
            counting(recording(checked(solver.clone()))),
            checked(counting(recording(solver.clone()))),
            recording(checked(counting(solver.clone()))),
        ];
        for factory in orders {
            small_checks(&*factory, 100);
        }
        assert_eq!(queries.borrow().len(), 300);
        assert_eq!(statistics.of(Kind::Sat).count + statistics.of(Kind::Unsat).count, 300);
        assert_eq!(faults.counts().models, statistics.of(Kind::Sat).count);
        assert_eq!(faults.list(), []);
        // A recorded query has the same answer from another solver.
        let queries = queries.borrow();
        let query = &queries[queries.len() - 1];
        let Script::Text(text) = &query.script else { panic!("a small script is recorded as text") };
        assert!(text.contains("(set-info :status ") && text.ends_with("(check-sat)\n"), "{text}");
    }
}
