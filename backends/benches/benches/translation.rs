//! Nodes per second for asserting one large new formula. Arguments: names of solvers (default:
//! all), numbers of nodes.
//!
//! Measures `assert` only. Yices merely translates in it, and internalizes at the check; Z3 and
//! cvc5 also accept the formula.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use backend_benches::{subjects, timed};
use backends::{Limits, ProverFactory};
use terms::Random;
use terms::{Sort, Term, TermPool};

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Conjunctions, disjunctions, negations.
    Boolean,
    /// Comparisons of sums and `ite`s of integers.
    Integers,
    /// Comparisons of sums and `ite`s of 32-bit vectors.
    BitVectors,
}

fn main() {
    let (mut names, mut sizes) = (Vec::new(), Vec::new());
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        match argument.parse::<usize>() {
            Ok(size) => sizes.push(size),
            Err(_) => names.push(argument),
        }
    }
    if sizes.is_empty() {
        sizes = vec![100_000, 1_000_000];
    }
    println!(
        "{:8} {:10} {:>9} {:>7} {:>12} {:>16}",
        "solver", "formula", "nodes", "depth", "time", "nodes a second"
    );
    for subject in subjects() {
        if names.is_empty() || names.iter().any(|name| name == subject.factory.name()) {
            for kind in [Kind::Boolean, Kind::Integers, Kind::BitVectors] {
                for &size in &sizes {
                    measure(&*subject.factory, kind, size);
                }
            }
        }
    }
}

fn measure(factory: &dyn ProverFactory, kind: Kind, size: usize) {
    let mut pool = TermPool::new();
    let formula = formula(&mut pool, kind, size);
    let nodes = pool.dag_size(formula);
    // Each run gets a new prover, since a prover caches its translations.
    let fastest = (0..3)
        .map(|_| {
            let mut prover = factory.new_prover("ALL", &Limits::default()).expect("a prover of all theories");
            let (time, asserted) = timed(|| prover.assert(&pool, formula));
            asserted.expect("linear formulas are supported");
            time
        })
        .min()
        .expect("there are runs");
    println!(
        "{:8} {:10} {:>9} {:>7} {:>9.1} ms {:>16.0}",
        factory.name(),
        format!("{kind:?}"),
        nodes,
        pool.depth(formula),
        fastest.as_secs_f64() * 1e3,
        nodes as f64 / fastest.as_secs_f64()
    );
}

/// A formula of about `size` nodes: each layer refers to the layer before, so the depth stays small
/// and all nodes are shared.
fn formula(pool: &mut TermPool, kind: Kind, size: usize) -> Term {
    const WIDTH: usize = 2_000;
    let mut random = Random::new(7);
    let sort = match kind {
        Kind::Boolean => Sort::Bool,
        Kind::Integers => Sort::Int,
        Kind::BitVectors => Sort::BitVec(32),
    };
    let mut layer: Vec<Term> = (0..WIDTH).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
    while pool.len() + WIDTH < size {
        layer = (0..WIDTH)
            .map(|i| {
                let mut pick = || layer[(random.number() % WIDTH as u64) as usize];
                let (a, b, c) = (layer[i], pick(), pick());
                node(pool, kind, a, b, c)
            })
            .collect();
    }
    match kind {
        Kind::Boolean => pool.and(&layer),
        Kind::Integers => {
            let atoms: Vec<Term> = layer.windows(2).map(|pair| pool.le(pair[0], pair[1])).collect();
            pool.and(&atoms)
        }
        Kind::BitVectors => {
            let atoms: Vec<Term> = layer.windows(2).map(|pair| pool.bv_ule(pair[0], pair[1])).collect();
            pool.and(&atoms)
        }
    }
}

/// A few nodes over `a`, `b` and `c`.
fn node(pool: &mut TermPool, kind: Kind, a: Term, b: Term, c: Term) -> Term {
    match kind {
        Kind::Boolean => {
            let both = pool.and(&[a, b]);
            let not_c = pool.not(c);
            pool.or(&[both, not_c])
        }
        Kind::Integers => {
            let is_less = pool.lt(a, b);
            let one = pool.int(1);
            let next = pool.add(&[c, one]);
            pool.ite(is_less, next, a)
        }
        Kind::BitVectors => {
            let is_less = pool.bv_ult(a, b);
            let sum = pool.bv_add(a, c);
            pool.ite(is_less, sum, b)
        }
    }
}
