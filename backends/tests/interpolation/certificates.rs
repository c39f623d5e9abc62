//! Certification proves parts that are equal up to renaming once, and distinguishes all others.

use crate::problems::{self, Numbers};
use crate::{limits, solvers};
use backends::interpolation::{Certifier, Fault, Problem};
use backends::wrappers::{Counting, Kind, Statistics};
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

/// The result of certification, and the number of unsatisfiable checks.
fn certify(pool: &mut TermPool, problem: &Problem, interpolants: &[Term]) -> (Result<(), Fault>, u64) {
    let statistics = Statistics::default();
    let counting = Counting { factory: Rc::clone(&solvers()[0]), statistics: statistics.clone() };
    let certifier = Certifier { factories: vec![Rc::new(counting)] };
    let result = certifier.certify(pool, problem, interpolants, &limits(60));
    (result, statistics.of(Kind::Unsat).count)
}

/// `yk = 2·xk` after each part of a straight line.
fn doubles(pool: &mut TermPool, steps: usize) -> Vec<Term> {
    let two = pool.int(2);
    (0..=steps)
        .map(|step| {
            let [x, y] = ["x", "y"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::Int));
            let twice = pool.mul(two, x);
            pool.eq(y, twice)
        })
        .collect()
}

#[test]
fn parts_that_are_alike_are_proved_once() {
    let mut pool = TermPool::new();
    let problem = problems::straight_line(&mut pool, Numbers::Int, 120);
    let interpolants = doubles(&mut pool, 120);
    let (result, checks) = certify(&mut pool, &problem, &interpolants);
    assert_eq!(result, Ok(()));
    // The first and the last part, and a few of the others, whose terms are not always in the same
    // order.
    assert!((3..=8).contains(&checks), "{checks}");
}

/// One part, or its interpolant, differs from many others in a number, a variable or an operator.
#[test]
fn parts_that_are_not_alike_are_refuted() {
    const ODD: usize = 40;
    let mut pool = TermPool::new();
    let good = problems::straight_line(&mut pool, Numbers::Int, 60);
    let interpolants = doubles(&mut pool, 60);
    let [x, y, next_x, next_y] = [("x", ODD), ("y", ODD), ("x", ODD + 1), ("y", ODD + 1)]
        .map(|(name, at)| pool.symbol(&format!("{name}{at}"), Sort::Int));
    let (one, two, three) = (pool.int(1), pool.int(2), pool.int(3));
    let (more, less, plus, other) =
        (pool.add(&[y, three]), pool.sub(y, two), pool.add(&[y, two]), pool.add(&[y, x]));
    let (step, back) = (pool.add(&[x, one]), pool.add(&[next_y, two]));
    let step = pool.eq(next_x, step);
    let odd = [
        ("another number", pool.eq(next_y, more)),
        ("another operator", pool.eq(next_y, less)),
        ("another variable", pool.eq(next_y, other)),
        ("another relation", pool.le(next_y, plus)),
        ("a swap of versions", pool.eq(y, back)),
    ];
    for (name, formula) in odd {
        let mut problem = good.clone();
        problem.parts[ODD + 1] = vec![step, formula];
        let (result, _) = certify(&mut pool, &problem, &interpolants);
        assert_eq!(result, Err(Fault::NotInductive { part: ODD + 1 }), "{name}");
    }
    for (name, wrong) in [("too weak", pool.le(x, y)), ("too strong", pool.eq(x, y))] {
        let mut interpolants = interpolants.clone();
        interpolants[ODD] = wrong;
        let (result, _) = certify(&mut pool, &good, &interpolants);
        assert!(matches!(result, Err(Fault::NotInductive { part: ODD | 41 })), "{name}: {result:?}");
    }
}

/// The order of the versions of a variable is part of a shape.
#[test]
fn the_order_of_versions_counts() {
    let mut pool = TermPool::new();
    let symbols: Vec<Term> = (0..8).map(|at| pool.symbol(&format!("x{at}"), Sort::Int)).collect();
    let zero = pool.int(0);
    let bounds: Vec<Term> = symbols.iter().map(|&symbol| pool.le(zero, symbol)).collect();
    let mut parts = vec![vec![bounds[0]]];
    parts.extend(symbols.windows(2).map(|pair| vec![pool.le(pair[0], pair[1])]));
    // Here the next version is below the previous one.
    parts[5] = vec![pool.le(symbols[5], symbols[4])];
    parts.push(vec![pool.lt(symbols[7], zero)]);
    let problem = Problem::sequence(parts);
    let (result, _) = certify(&mut pool, &problem, &bounds);
    assert_eq!(result, Err(Fault::NotInductive { part: 5 }));
}
