//! Interpolants of random problems, all certified by Z3.
//!
//! `HORNWORK_INTERPOLANTS` sets the number of refuted problems per test, and
//! `HORNWORK_INTERPOLANTS_SEED` the first seed.

#![allow(clippy::print_stdout, reason = "the report of a test")]

mod problems;

use backend_craig::interpolation::Alternatives;
use backend_craig::interpolation::by_parts::Structure;
use backend_craig::interpolation::from_proof::{Labelling, Proofs};
use backends::interpolation::{Certifier, Interpolator, Preference, Score};
use backends::{Limits, ProverFactory, Reason};
use problems::{Theory, Weaver};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::TermPool;

/// The time limit of a problem.
const TIME: Duration = Duration::from_secs(5);

/// The outcomes of the problems of a theory.
#[derive(Debug, Default)]
struct Seen {
    satisfiable: usize,
    refuted: usize,
    answered: usize,
    late: usize,
    refused: usize,
    /// With a non-constant interpolant.
    proper: usize,
    longest: Duration,
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Computes the interpolants of a problem with a source and certifies them with Z3.
fn scenario(seed: u64, theory: Theory, source: &mut dyn Interpolator, seen: &mut Seen) {
    let mut pool = TermPool::new();
    let mut weaver = Weaver::new(&mut pool, seed, theory);
    let mut is_refuted = false;
    for _ in 0..problems::ROUNDS {
        weaver.extend(&mut pool);
        is_refuted = problems::is_unsatisfiable(&pool, &weaver.problem.parts.concat());
        if is_refuted {
            break;
        }
    }
    if !is_refuted {
        seen.satisfiable += 1;
        return;
    }
    seen.refuted += 1;
    let problem = &weaver.problem;
    let start = Instant::now();
    let limits = Limits { time: Some(TIME), ..Limits::default() };
    let found = source.interpolate(&mut pool, problem, &limits).of_refuted();
    seen.longest = seen.longest.max(start.elapsed());
    match found {
        Ok(interpolants) => {
            seen.answered += 1;
            seen.proper += usize::from(interpolants.iter().any(|&term| pool.as_bool(term).is_none()));
            let certifier = Certifier { factories: vec![Rc::new(backend_z3::factory())] };
            let limits = Limits { time: Some(4 * TIME), ..Limits::default() };
            let result = certifier.certify(&mut pool, problem, &interpolants, &limits);
            let shown: Vec<String> =
                interpolants.iter().map(|&term| pool.display(term).to_string()).collect();
            assert_eq!(result, Ok(()), "seed {seed}, {theory:?}: {shown:?}\n{}", weaver.shown(&pool));
        }
        Err(Reason::Timeout | Reason::Incomplete(_)) => {
            println!("late: seed {seed}, {theory:?}, {} parts", problem.parts.len());
            seen.late += 1;
        }
        Err(Reason::Unsupported(what)) => {
            println!("refused: seed {seed}, {theory:?}: {what}");
            seen.refused += 1;
        }
        Err(reason) => panic!("seed {seed}, {theory:?}: {reason}\n{}", weaver.shown(&pool)),
    }
}

/// Runs this many refuted problems of all theories in turn, each for the next source.
fn scenarios(default: u64, mut sources: Vec<Box<dyn Interpolator>>) -> BTreeMap<Theory, Seen> {
    let count = number("HORNWORK_INTERPOLANTS").unwrap_or(default);
    let first = number("HORNWORK_INTERPOLANTS_SEED").unwrap_or(0);
    let mut seen: BTreeMap<Theory, Seen> = BTreeMap::new();
    let mut refuted = 0;
    for seed in first.. {
        if refuted >= count {
            break;
        }
        let theory = Theory::ALL[(seed % Theory::ALL.len() as u64) as usize];
        let turn = (seed / Theory::ALL.len() as u64) as usize % sources.len();
        let seen = seen.entry(theory).or_default();
        let before = seen.refuted;
        scenario(seed, theory, &mut *sources[turn], seen);
        refuted += (seen.refuted - before) as u64;
    }
    for (theory, seen) in &seen {
        println!("{theory:?}: {seen:?}");
    }
    seen
}

#[test]
#[ignore = "slow"]
fn interpolants_of_proofs_are_right() {
    let of = |labelling: Labelling| Box::new(Proofs { labelling }) as Box<dyn Interpolator>;
    let seen = scenarios(120, Labelling::ALL.map(of).into());
    for (theory, seen) in &seen {
        assert!(seen.refused == 0 && seen.answered * 20 >= seen.refuted * 19, "{theory:?}: {seen:?}");
        assert!(3 * seen.proper > seen.answered, "{theory:?}: {seen:?}");
    }
}

#[test]
fn interpolants_of_the_structure_with_our_prover_are_right() {
    let structure = Structure::new(vec![Rc::new(backend_craig::factory())], Score::default());
    let seen = scenarios(40, vec![Box::new(structure)]);
    // A value of an uninterpreted sort is not a term, so there is no projection to a single value.
    for (theory, seen) in seen.iter().filter(|&(&theory, _)| theory != Theory::Functions) {
        assert!(seen.answered * 10 > seen.refuted * 8, "{theory:?}: {seen:?}");
    }
}

#[test]
fn one_source_answers_where_the_other_does_not() {
    let own: Rc<dyn ProverFactory> = Rc::new(backend_craig::factory());
    let by_parts = backend_craig::interpolator().new_interpolator(&own, Preference::default());
    let from_proof: Box<dyn Interpolator> = Box::new(Proofs { labelling: Labelling::Symmetric });
    let sources = vec![("by parts".to_owned(), by_parts), ("from a proof".to_owned(), from_proof)];
    let seen = scenarios(40, vec![Box::new(Alternatives { name: "both", sources })]);
    for (theory, seen) in &seen {
        assert!(seen.refused == 0 && seen.answered * 20 >= seen.refuted * 19, "{theory:?}: {seen:?}");
    }
}
