//! Benchmarks of the linear arithmetic of `craig`: bounds with backtracking, and linear programs.
//!
//! There is no reference solver: compare the numbers with those of the previous version.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use backend_benches::timed;
use backend_craig::prover::arith::{
    Combination, Feasibility, Kind, Optimum, Rational, Reason32, Side, Simplex, Var,
};
use backends::Limits;
use std::time::Duration;
use terms::Random;

const CHECKS: u32 = 1_000;
const VARIABLES: usize = 50;

fn main() {
    report(&format!("{CHECKS} times push, assert, check, backtrack: {VARIABLES} differences"), differences);
    for size in [20, 40] {
        report(&format!("a maximum over {size} dense rows of {size} variables"), || dense_maximum(size));
    }
}

/// Reports the fastest of several runs, and the number of pivots.
fn report(what: &str, run: impl Fn() -> u64) {
    let runs: Vec<(Duration, u64)> = (0..10).map(|_| timed(&run)).collect();
    let (fastest, pivots) = runs.iter().min().expect("ten runs");
    println!("{what}: {:.2} ms, {pivots} pivots", fastest.as_secs_f64() * 1e3);
}

/// Bounds `x - y ≤ c` on random variables, each at its own level; a conflict retracts up to three
/// levels.
fn differences() -> u64 {
    let mut random = Random::new(1);
    let mut simplex = Simplex::new();
    let variables: Vec<Var> = (0..VARIABLES).map(|_| simplex.variable(Kind::Int)).collect();
    for number in 0..CHECKS {
        let [left, right] = [(); 2].map(|()| variables[below(&mut random, VARIABLES as u64) as usize]);
        let difference: Combination =
            [(left, Rational::ONE), (right, Rational::MINUS_ONE)].into_iter().collect();
        let most = below(&mut random, 40) as i64 - 6;
        let Some(bound) = simplex.bound(&difference, Side::Upper, &most.into()) else { continue };
        let level = simplex.push();
        let is_feasible = simplex.assert_bound(&bound, Reason32(number)).is_ok()
            && simplex.check(&Limits::default()) == Feasibility::Feasible;
        if !is_feasible {
            simplex.backtrack(level.saturating_sub(1 + below(&mut random, 3) as usize));
        }
    }
    simplex.pivots()
}

/// The maximum of a random objective under `size` random rows, over nonnegative variables.
fn dense_maximum(size: usize) -> u64 {
    let mut random = Random::new(2);
    let mut simplex = Simplex::new();
    let variables: Vec<Var> = (0..size).map(|_| simplex.variable(Kind::Real)).collect();
    let mut row = |variables: &[Var], least: i64| -> (Combination, i64) {
        let entry = |&variable| (variable, Rational::from(below(&mut random, 19) as i64 + 1));
        let combination = variables.iter().map(entry).collect();
        (combination, below(&mut random, 500) as i64 + least)
    };
    let mut bounds = Vec::new();
    for &variable in &variables {
        bounds.extend(simplex.bound(&Combination::variable(variable), Side::Lower, &0.into()));
        let (combination, most) = row(&variables, 500);
        bounds.extend(simplex.bound(&combination, Side::Upper, &most.into()));
    }
    for (bound, reason) in bounds.iter().zip(0..) {
        simplex.assert_bound(bound, Reason32(reason)).expect("zero satisfies all rows");
    }
    let (objective, _) = row(&variables, 0);
    let optimum = simplex.maximize(&objective, &Limits::default());
    assert!(matches!(optimum, Optimum::Bounded { .. }), "all coefficients are positive");
    simplex.pivots()
}

fn below(random: &mut Random, end: u64) -> u64 {
    random.number() % end
}
