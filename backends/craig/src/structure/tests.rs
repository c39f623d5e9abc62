//! Chains of blocks, with Z3 for the local queries and for certificates.

use super::{Score, Structure};
use backends::Limits;
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolator, Problem};
use ir::term::{Sort, Term, TermPool};
use std::rc::Rc;

fn solve(pool: &mut TermPool, problem: &Problem) -> Vec<String> {
    let factory: Rc<dyn backends::ProverFactory> = Rc::new(backend_z3::factory());
    let mut source = Structure::new(Rc::clone(&factory), Score::default());
    let interpolants = source.interpolate(pool, problem, &Limits::default()).unwrap();
    let certifier = Certifier { factories: vec![factory] };
    certifier.certify(pool, problem, &interpolants, &Limits::default()).unwrap();
    interpolants.iter().map(|&term| pool.display(term).to_string()).collect()
}

fn branching(pool: &mut TermPool, sort: Sort, n: usize) -> Problem {
    let version = |pool: &mut TermPool, name: &str, at: usize| pool.symbol(&format!("{name}@{at}"), sort);
    let number = |pool: &mut TermPool, value: i64| match sort {
        Sort::BitVec(width) => pool.bv_i64(width, value),
        _ => pool.number(sort, &num_rational::BigRational::from_integer(value.into())),
    };
    let add = |pool: &mut TermPool, a: Term, b: Term| match sort {
        Sort::BitVec(_) => pool.bv_add(a, b),
        _ => pool.add(&[a, b]),
    };
    let zero = number(pool, 0);
    let (x0, y0) = (version(pool, "x", 0), version(pool, "y", 0));
    let mut parts = vec![vec![pool.eq(x0, zero), pool.eq(y0, zero)]];
    for at in 0..n {
        let choice = pool.symbol(&format!("b@{at}"), Sort::Bool);
        let mut part = Vec::new();
        for (name, step) in [("x", 1), ("y", 2)] {
            let (before, after) = (version(pool, name, at), version(pool, name, at + 1));
            let step = number(pool, step);
            let sum = add(pool, before, step);
            let value = pool.ite(choice, sum, before);
            part.push(pool.eq(after, value));
        }
        parts.push(part);
    }
    let (x, y) = (version(pool, "x", n), version(pool, "y", n));
    let twice = add(pool, x, x);
    parts.push(vec![pool.neq(y, twice)]);
    Problem::sequence(parts)
}

#[test]
fn a_branching_counter_has_its_relation_as_interpolant() {
    for sort in [Sort::Int, Sort::Real, Sort::BitVec(32)] {
        let mut pool = TermPool::new();
        let problem = branching(&mut pool, sort, 20);
        let shown = solve(&mut pool, &problem);
        assert!(shown.iter().all(|text| text.len() < 60), "{shown:?}");
    }
}
