//! Tests of the part-by-part source `craig`, with local queries to the built-in solvers.

use crate::problems::{self, Numbers, Random};
use crate::{limits, random, solvers, with_certifier};
use backend_craig::interpolation::by_parts::Structure;
use backends::Status;
use backends::interpolation::{Interpolants, Interpolator, Preference, Problem, Score};
use terms::TermPool;

/// The solvers of local queries; `craig` means our own prover, then Z3.
const LOCAL: [&str; 3] = ["yices", "z3", "craig"];

fn craig(local: &str) -> Box<dyn Interpolator> {
    let [yices, z3] = solvers();
    match local {
        "yices" => Box::new(Structure::new(vec![yices], Score::default())),
        "z3" => Box::new(Structure::new(vec![z3], Score::default())),
        _ => backend_craig::interpolator().new_interpolator(&z3, Preference::default()),
    }
}

/// Creates a problem.
type Maker = fn(&mut TermPool) -> Problem;

#[test]
fn small_problems_are_solved() {
    let makers: [(&str, Maker); 13] = [
        ("parity", problems::parity),
        ("coefficients", problems::coefficients),
        ("integer disjunctions", |pool| problems::disjunctions(pool, Numbers::Int)),
        ("real disjunctions", |pool| problems::disjunctions(pool, Numbers::Real)),
        ("arrays", problems::arrays),
        ("reads", problems::reads),
        ("local function", problems::local_function),
        ("shared function", problems::shared_function),
        ("bits", problems::bits),
        ("remainders", problems::remainders),
        ("straight line", |pool| problems::straight_line(pool, Numbers::Int, 50)),
        ("branches", |pool| problems::branches(pool, Numbers::Int, 50)),
        ("branches of reals", |pool| problems::branches(pool, Numbers::Real, 50)),
    ];
    for local in LOCAL {
        for (name, make) in makers {
            let mut pool = TermPool::new();
            let problem = make(&mut pool);
            let mut interpolation = with_certifier(vec![craig(local)]);
            let answer = interpolation.solve(&mut pool, &problem, &limits(60));
            assert!(answer.is_ok(), "{name} with {local}: {answer:?}");
        }
    }
}

#[test]
#[ignore = "slow"]
fn craig_is_never_refuted_on_random_problems() {
    let solver = &solvers()[1];
    for theory in random::THEORIES {
        let (mut unsatisfiable, mut failures) = (0, Vec::new());
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let mut pool = TermPool::new();
            let size = 2 + random.below(5);
            let conjuncts = 6 + random.below(8);
            let problem = random::problem(&mut pool, &mut random, theory, size, conjuncts);
            let mut prover = solver.new_prover("ALL", &limits(5)).expect("a prover");
            let is_asserted = problem.parts.iter().flatten().all(|&term| prover.assert(&pool, term).is_ok());
            match prover.status(&pool, &[]) {
                Status::Unsat if is_asserted => {}
                Status::Sat if is_asserted => {
                    let answer = craig("craig").interpolate(&mut pool, &problem, &limits(1));
                    let is_found = matches!(answer, Interpolants::Found(_));
                    assert!(!is_found, "{theory:?} {seed}: satisfiable parts have interpolants");
                    continue;
                }
                _ => continue,
            }
            unsatisfiable += 1;
            let mut interpolation = with_certifier(vec![craig("craig")]);
            let answer = interpolation.solve(&mut pool, &problem, &limits(10));
            if let Some(fault) = interpolation.faults.first() {
                panic!("{theory:?} {seed}: {}\n{}", fault.fault, fault.problem);
            }
            if let Err(reason) = answer {
                failures.push(format!("{seed}: {reason}"));
            }
        }
        assert!(
            unsatisfiable > 20 && failures.len() * 20 <= unsatisfiable,
            "{theory:?}: of {unsatisfiable} not answered: {failures:?}"
        );
    }
}
