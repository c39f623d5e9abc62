//! Measures the reach of `spacer`: the cost of one query for a whole path or tree.
//!
//! `cargo run --release -p hornwork-backend-z3 --example counters [SECONDS]` prints a table. Each
//! problem gets a limit of so many seconds (default 60), and a separate prover certifies its
//! interpolants.
#![allow(clippy::print_stdout, reason = "the program prints a table")]

use backends::interpolation::{Certifier, Preference, Problem, Tree};
use backends::{Limits, ProverFactory};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Sort, Term, TermPool};

#[derive(Clone, Copy)]
enum Step {
    /// Each step adds 1 to x and 2 to y.
    Always,
    /// Each step may add 1 to x and 2 to y.
    Chosen,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Step::Always => "straight line",
            Step::Chosen => "branching",
        })
    }
}

/// Terms of one sort of numbers.
struct Numbers<'a> {
    pool: &'a mut TermPool,
    sort: Sort,
}

impl Numbers<'_> {
    fn number(&mut self, value: i64) -> Term {
        match self.sort {
            Sort::BitVec(width) => self.pool.bv_i64(width, value),
            sort => self.pool.number(sort, &num_rational::BigRational::from_integer(value.into())),
        }
    }

    fn add(&mut self, a: Term, b: Term) -> Term {
        match self.sort {
            Sort::BitVec(_) => self.pool.bv_add(a, b),
            _ => self.pool.add(&[a, b]),
        }
    }
}

/// `x = y = 0`, then `n` steps `x += 1; y += 2`, then `y ≠ 2x`.
fn counter(pool: &mut TermPool, sort: Sort, n: usize, step: Step) -> Problem {
    let mut numbers = Numbers { pool, sort };
    let [zero, one, two] = [0, 1, 2].map(|value| numbers.number(value));
    let mut state = ["x0", "y0"].map(|name| numbers.pool.symbol(name, sort));
    let mut parts = vec![state.iter().map(|&term| numbers.pool.eq(term, zero)).collect::<Vec<_>>()];
    for index in 1..=n {
        let next = ["x", "y"].map(|name| numbers.pool.symbol(&format!("{name}{index}"), sort));
        let choice = numbers.pool.symbol(&format!("c{index}"), Sort::Bool);
        let mut part = Vec::new();
        for ((before, after), by) in state.into_iter().zip(next).zip([one, two]) {
            let more = numbers.add(before, by);
            let value = match step {
                Step::Always => more,
                Step::Chosen => numbers.pool.ite(choice, more, before),
            };
            part.push(numbers.pool.eq(after, value));
        }
        parts.push(part);
        state = next;
    }
    let twice = numbers.add(state[0], state[0]);
    parts.push(vec![pool.neq(state[1], twice)]);
    Problem::sequence(parts)
}

/// A binary tree of `n` nodes: each node's value is at least the sum of its children's, a leaf's
/// value is at least 1; the root's value is not positive.
fn sums(pool: &mut TermPool, sort: Sort, n: usize) -> Problem {
    let values: Vec<Term> = (0..n).map(|node| pool.symbol(&format!("v{node}"), sort)).collect();
    // The numbering of a heap, reversed.
    let parent = (0..n).map(|node| (node + 1 < n).then(|| n - 1 - (n - 2 - node) / 2)).collect();
    let tree = Tree::new(parent).expect("a heap is a tree");
    let mut parts = Vec::new();
    for (node, children) in tree.children().into_iter().enumerate() {
        let mut numbers = Numbers { pool, sort };
        let mut sum = numbers.number(i64::from(children.is_empty()));
        for &child in &children {
            sum = numbers.add(sum, values[child]);
        }
        let zero = numbers.number(0);
        let mut part = vec![pool.le(sum, values[node])];
        if node == tree.root() {
            part.push(pool.le(values[node], zero));
        }
        parts.push(part);
    }
    Problem { parts, tree }
}

/// `b` is `a` after a write; two reads of `b` at that index differ.
fn reads(pool: &mut TermPool, sort: Sort) -> Problem {
    let array = pool.array_sort(sort, sort);
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, array));
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| pool.symbol(name, sort));
    let (written, first, second) = (pool.store(a, i, x), pool.select(b, i), pool.select(b, j));
    let parts =
        vec![vec![pool.eq(b, written)], vec![pool.eq(y, first)], vec![pool.eq(i, j), pool.neq(second, y)]];
    Problem::sequence(parts)
}

/// `b` is `a` after a write; a read of `b` at that index and a read at another index contradict it.
fn reads_apart(pool: &mut TermPool, sort: Sort) -> Problem {
    let array = pool.array_sort(sort, sort);
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, array));
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| pool.symbol(name, sort));
    let [u, v] = ["u", "v"].map(|name| pool.symbol(name, sort));
    let (written, before) = (pool.store(a, i, x), pool.select(a, j));
    let (first, second) = (pool.select(b, i), pool.select(b, j));
    let (differs, other) = (pool.neq(u, x), pool.neq(v, y));
    let parts = vec![
        vec![pool.eq(b, written), pool.neq(i, j), pool.eq(y, before)],
        vec![pool.eq(u, first)],
        vec![pool.eq(v, second), pool.or2(differs, other)],
    ];
    Problem::sequence(parts)
}

fn row(name: &str, pool: &mut TermPool, problem: &Problem, seconds: u64) {
    let z3: Rc<dyn ProverFactory> = Rc::new(backend_z3::factory());
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let factory = &backend_z3::interpolators()[0];
    let start = Instant::now();
    let mut source = factory.new_interpolator(&z3, Preference::default());
    let answer = source.interpolate(pool, problem, &limits).of_refuted();
    let time = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (size, verdict) = match answer {
        Ok(interpolants) => {
            let size = interpolants.iter().map(|&term| pool.dag_size(term)).max().unwrap_or(0);
            let certifier = Certifier { factories: vec![z3] };
            match certifier.certify(pool, problem, &interpolants, &limits) {
                Ok(()) => (size.to_string(), "certified".to_owned()),
                Err(fault) => (size.to_string(), fault.to_string()),
            }
        }
        Err(reason) => ("–".to_owned(), reason.to_string()),
    };
    let proof = start.elapsed().as_secs_f64();
    println!("| {name} | {} | {time:.2} | {proof:.2} | {size} | {verdict} |", problem.parts.len());
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    println!(
        "| problem | parts | s | s to certify | largest, nodes | |\n| --- | --- | --- | --- | --- | --- |"
    );
    for (sort, n, step) in [
        (Sort::Int, 20, Step::Always),
        (Sort::Real, 20, Step::Always),
        (Sort::BitVec(32), 20, Step::Always),
        (Sort::Int, 200, Step::Always),
        (Sort::Real, 200, Step::Always),
        (Sort::BitVec(32), 200, Step::Always),
        (Sort::Int, 20, Step::Chosen),
        (Sort::Real, 20, Step::Chosen),
        (Sort::BitVec(32), 20, Step::Chosen),
        (Sort::Int, 60, Step::Chosen),
        (Sort::Real, 60, Step::Chosen),
        (Sort::Int, 200, Step::Chosen),
        (Sort::Real, 200, Step::Chosen),
    ] {
        let mut pool = TermPool::new();
        let problem = counter(&mut pool, sort, n, step);
        row(&format!("{step} {sort:?}"), &mut pool, &problem, seconds);
    }
    for (sort, n) in [(Sort::Int, 20), (Sort::Int, 50), (Sort::Real, 50)] {
        let mut pool = TermPool::new();
        let problem = sums(&mut pool, sort, n);
        row(&format!("tree of sums {sort:?}"), &mut pool, &problem, seconds);
    }
    for sort in [Sort::Int, Sort::BitVec(32)] {
        let mut pool = TermPool::new();
        let problem = reads(&mut pool, sort);
        row(&format!("a write, two reads {sort:?}"), &mut pool, &problem, seconds);
        let problem = reads_apart(&mut pool, sort);
        row(&format!("a write, two reads at two indices {sort:?}"), &mut pool, &problem, seconds);
    }
}
