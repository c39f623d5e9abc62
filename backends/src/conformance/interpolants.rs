//! Problems for sources of interpolants.
//!
//! An [`Interpolation`] with a certifier certifies every answer; a refuted one is a failure. A
//! problem is an obligation for a source that claims its theories, if every interpolation procedure
//! for them should solve it. The other problems (long sequences, large trees, divisibility, …)
//! measure the reach of a source.

use super::report::{Report, Row, Weight};
use super::{Verdict, guarded};
use crate::interpolation::certify::Certifier;
use crate::interpolation::{Interpolation, InterpolatorFactory, Preference, Problem, Tree};
use crate::{Limits, ProverFactory, Reason};
use num_rational::BigRational;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{Sort, Term, TermPool};

/// A problem, with its theory and feature.
struct Check {
    theory: &'static str,
    /// The theories joined in `theory`.
    theories: &'static [&'static str],
    feature: &'static str,
    name: &'static str,
    weight: Weight,
    problem: fn(&mut TermPool) -> Problem,
}

const PAIRS: &str = "pairs";
const SEQUENCES: &str = "sequences";
const TREES: &str = "trees";

const fn check(
    theory: &'static str,
    theories: &'static [&'static str],
    feature: &'static str,
    name: &'static str,
    weight: Weight,
    problem: fn(&mut TermPool) -> Problem,
) -> Check {
    Check { theory, theories, feature, name, weight, problem }
}

use Weight::{Extra, Obligation};

const INTS: &[&str] = &["Ints"];
const REALS: &[&str] = &["Reals"];
const BIT_VECTORS: &[&str] = &["FixedSizeBitVectors"];

const CHECKS: &[Check] = &[
    check("Core", &["Core"], PAIRS, "a chain of implications", Obligation, |pool| chain(pool, 12, 6)),
    check("Core", &["Core"], PAIRS, "exclusive or", Obligation, exclusive_or),
    check("Core", &["Core"], SEQUENCES, "a chain in 10 parts", Obligation, |pool| chain_in_parts(pool, 10)),
    check("Core", &["Core"], SEQUENCES, "a chain in 60 parts", Extra, |pool| chain_in_parts(pool, 60)),
    check("Core", &["Core"], TREES, "a tree of 1 node", Obligation, one_node),
    check("Reals", REALS, PAIRS, "a cycle of inequalities", Obligation, |pool| cycle(pool, Sort::Real)),
    check("Reals", REALS, PAIRS, "coefficients", Extra, |pool| coefficients(pool, Sort::Real)),
    check("Reals", REALS, PAIRS, "disjunctions", Obligation, |pool| disjunctions(pool, Sort::Real)),
    check("Reals", REALS, SEQUENCES, "a counter in 10 parts", Extra, |pool| {
        counter(pool, Sort::Real, 10, Steps::Straight)
    }),
    check("Reals", REALS, SEQUENCES, "a counter in 60 parts", Extra, |pool| {
        counter(pool, Sort::Real, 60, Steps::Straight)
    }),
    check("Reals", REALS, TREES, "sums over a tree of 7 nodes", Extra, |pool| sums(pool, Sort::Real, 7)),
    check("Reals", REALS, TREES, "sums over a tree of 50 nodes", Extra, |pool| sums(pool, Sort::Real, 50)),
    check("Ints", INTS, PAIRS, "a cycle of inequalities", Obligation, |pool| cycle(pool, Sort::Int)),
    check("Ints", INTS, PAIRS, "coefficients", Extra, |pool| coefficients(pool, Sort::Int)),
    check("Ints", INTS, PAIRS, "disjunctions", Obligation, |pool| disjunctions(pool, Sort::Int)),
    check("Ints", INTS, PAIRS, "even against odd", Extra, divisibility),
    check("Ints", INTS, PAIRS, "divisibility by 3 and a bound", Extra, divisibility_and_bound),
    check("Ints", INTS, SEQUENCES, "a counter in 4 parts", Obligation, |pool| {
        counter(pool, Sort::Int, 4, Steps::Straight)
    }),
    check("Ints", INTS, SEQUENCES, "a counter in 10 parts", Extra, |pool| {
        counter(pool, Sort::Int, 10, Steps::Straight)
    }),
    check("Ints", INTS, SEQUENCES, "a counter in 60 parts", Extra, |pool| {
        counter(pool, Sort::Int, 60, Steps::Straight)
    }),
    check("Ints", INTS, SEQUENCES, "a counter in 200 parts", Extra, |pool| {
        counter(pool, Sort::Int, 200, Steps::Straight)
    }),
    check("Ints", INTS, SEQUENCES, "a counter with branches in 10 parts", Extra, |pool| {
        counter(pool, Sort::Int, 10, Steps::Branching)
    }),
    check("Ints", INTS, SEQUENCES, "a counter with branches in 60 parts", Extra, |pool| {
        counter(pool, Sort::Int, 60, Steps::Branching)
    }),
    check("Ints", INTS, TREES, "sums over a tree of 3 nodes", Obligation, |pool| sums(pool, Sort::Int, 3)),
    check("Ints", INTS, TREES, "sums over a tree of 7 nodes", Extra, |pool| sums(pool, Sort::Int, 7)),
    check("Ints", INTS, TREES, "sums over a tree of 15 nodes", Extra, |pool| sums(pool, Sort::Int, 15)),
    check("Ints", INTS, TREES, "sums over a tree of 50 nodes", Extra, |pool| sums(pool, Sort::Int, 50)),
    check("NonlinearInts", &["NonlinearInts"], PAIRS, "a square is not negative", Extra, |pool| {
        square(pool, Sort::Int)
    }),
    check("NonlinearReals", &["NonlinearReals"], PAIRS, "a square is not negative", Extra, |pool| {
        square(pool, Sort::Real)
    }),
    check("FixedSizeBitVectors", BIT_VECTORS, PAIRS, "bounds", Obligation, bit_vector_bounds),
    check("FixedSizeBitVectors", BIT_VECTORS, PAIRS, "the lowest bit", Obligation, lowest_bit),
    check("FixedSizeBitVectors", BIT_VECTORS, PAIRS, "sums modulo 2^32", Extra, bit_vector_sums),
    check("FixedSizeBitVectors", BIT_VECTORS, SEQUENCES, "a counter in 10 parts", Extra, |pool| {
        counter(pool, Sort::BitVec(32), 10, Steps::Straight)
    }),
    check("FixedSizeBitVectors", BIT_VECTORS, SEQUENCES, "a counter in 60 parts", Extra, |pool| {
        counter(pool, Sort::BitVec(32), 60, Steps::Straight)
    }),
    check(
        "FixedSizeBitVectors",
        BIT_VECTORS,
        SEQUENCES,
        "a counter with branches in 10 parts",
        Extra,
        |pool| counter(pool, Sort::BitVec(32), 10, Steps::Branching),
    ),
    check("FixedSizeBitVectors", BIT_VECTORS, TREES, "sums over a tree of 7 nodes", Extra, |pool| {
        sums(pool, Sort::BitVec(16), 7)
    }),
    check("FloatingPoint", &["FloatingPoint"], PAIRS, "a number is not NaN", Extra, no_nan),
    check("FloatingPoint", &["FloatingPoint"], PAIRS, "an order", Extra, float_order),
    check("ArraysEx", &["ArraysEx"], PAIRS, "a shared read", Extra, shared_read),
    check("ArraysEx", &["ArraysEx"], PAIRS, "a write against a read", Extra, write_against_read),
    check("ArraysEx", &["ArraysEx"], PAIRS, "two differences after one write", Extra, two_differences),
    check("ArraysEx+Ints", &["ArraysEx", "Ints"], SEQUENCES, "writes in 10 parts", Extra, array_sequence),
    check("UF", &["UF"], PAIRS, "congruence", Extra, congruence),
    check("UF", &["UF"], SEQUENCES, "a chain of equations", Extra, equations),
    check("UF+Ints", &["UF", "Ints"], PAIRS, "a function between bounds", Extra, function_between_bounds),
    check("UF+Ints", &["UF", "Ints"], TREES, "two calls of a function", Extra, two_calls),
];

/// The maximal time for one problem, including certification.
const LONGEST: Duration = Duration::from_secs(10);

/// The maximal time for a problem that is not an obligation, where only wrong answers count.
const LONGEST_EXTRA: Duration = Duration::from_secs(2);

/// Runs all problems on a source over `solver`, certified by `certifier`.
pub fn examine_interpolator(
    factory: &dyn InterpolatorFactory,
    solver: &Rc<dyn ProverFactory>,
    certifier: &Certifier,
    watch: &mut dyn FnMut(&Row),
) -> Report {
    examine(factory, solver, certifier, LONGEST, watch)
}

/// Runs all problems, and spends at most `extra` on each problem that is not an obligation.
fn examine(
    factory: &dyn InterpolatorFactory,
    solver: &Rc<dyn ProverFactory>,
    certifier: &Certifier,
    extra: Duration,
    watch: &mut dyn FnMut(&Row),
) -> Report {
    let claimed = factory.theories();
    let rows = CHECKS
        .iter()
        .map(|check| {
            let start = Instant::now();
            let longest = if check.weight == Extra { extra } else { LONGEST };
            let outcome = guarded(|| solve(factory, solver, certifier, check.problem, longest));
            let row = Row {
                theory: check.theory,
                feature: check.feature,
                check: check.name.to_owned(),
                is_claimed: check.theories.iter().all(|theory| *theory == "Core" || claimed.contains(theory)),
                weight: check.weight,
                outcome,
                time: start.elapsed(),
            };
            watch(&row);
            row
        })
        .collect();
    Report { backend: factory.name().to_owned(), rows }
}

/// The failures of [`examine_interpolator`], each with the name of its problem.
pub fn run_interpolator(
    factory: &dyn InterpolatorFactory,
    solver: &Rc<dyn ProverFactory>,
    certifier: &Certifier,
) -> Vec<String> {
    examine(factory, solver, certifier, LONGEST_EXTRA, &mut |_| {}).failures()
}

fn solve(
    factory: &dyn InterpolatorFactory,
    solver: &Rc<dyn ProverFactory>,
    certifier: &Certifier,
    problem: fn(&mut TermPool) -> Problem,
    longest: Duration,
) -> Verdict {
    let mut pool = TermPool::new();
    let problem = problem(&mut pool);
    let mut interpolation = Interpolation::new(vec![factory.new_interpolator(solver, Preference::default())]);
    interpolation.certifier = Some(certifier.clone());
    let limits = Limits { deadline: Instant::now().checked_add(longest), ..Limits::default() };
    match interpolation.solve(&mut pool, &problem, &limits) {
        Ok(_) => Ok(()),
        Err(reason) => {
            if let Some(fault) = interpolation.faults.first() {
                return Err(format!("{}\n{}", fault.fault, fault.script).into());
            }
            // The reason of this source is more precise than the summary over all sources.
            let own: Option<Reason> =
                interpolation.attempts.last().and_then(|attempt| attempt.failure.clone());
            Err(own.unwrap_or(reason).into())
        }
    }
}

fn number(pool: &mut TermPool, sort: Sort, value: i64) -> Term {
    match sort {
        Sort::BitVec(width) => pool.bv_i64(width, value),
        _ => pool.number(sort, &BigRational::from_integer(value.into())),
    }
}

fn add(pool: &mut TermPool, a: Term, b: Term) -> Term {
    match pool.sort(a) {
        Sort::BitVec(_) => pool.bv_add(a, b),
        _ => pool.add(&[a, b]),
    }
}

fn linear(pool: &mut TermPool, summands: &[(i64, Term)]) -> Term {
    let sort = pool.sort(summands[0].1);
    let products: Vec<Term> = summands
        .iter()
        .map(|&(factor, term)| {
            let factor = number(pool, sort, factor);
            pool.mul(factor, term)
        })
        .collect();
    pool.add(&products)
}

fn chain_formulas(pool: &mut TermPool, length: usize) -> Vec<Term> {
    let b: Vec<Term> = (0..length).map(|i| pool.symbol(&format!("b{i}"), Sort::Bool)).collect();
    let mut formulas = vec![b[0]];
    formulas.extend(b.windows(2).map(|pair| pool.implies(pair[0], pair[1])));
    formulas.push(pool.not(b[length - 1]));
    formulas
}

fn chain(pool: &mut TermPool, length: usize, cut: usize) -> Problem {
    let mut a = chain_formulas(pool, length);
    let b = a.split_off(cut);
    Problem::binary(a, b)
}

fn chain_in_parts(pool: &mut TermPool, parts: usize) -> Problem {
    let formulas = chain_formulas(pool, parts - 1);
    Problem::sequence(formulas.into_iter().map(|formula| vec![formula]).collect())
}

fn exclusive_or(pool: &mut TermPool) -> Problem {
    let [p, q, r, s] = ["p", "q", "r", "s"].map(|name| pool.symbol(name, Sort::Bool));
    // r is local to A, s to B; p xor q follows from A and contradicts B.
    let (pr, qr) = (pool.xor(p, r), pool.eq(q, r));
    let (ps, qs) = (pool.eq(p, s), pool.eq(q, s));
    Problem::binary(vec![pr, qr], vec![ps, qs])
}

fn one_node(pool: &mut TermPool) -> Problem {
    let (p, q) = (pool.symbol("p", Sort::Bool), pool.symbol("q", Sort::Bool));
    let formulas = vec![pool.xor(p, q), pool.eq(p, q)];
    Problem::sequence(vec![formulas])
}

/// x < u < y against y < v < x.
fn cycle(pool: &mut TermPool, sort: Sort) -> Problem {
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, sort));
    let a = vec![pool.lt(x, u), pool.lt(u, y)];
    let b = vec![pool.lt(y, v), pool.lt(v, x)];
    Problem::binary(a, b)
}

fn coefficients(pool: &mut TermPool, sort: Sort) -> Problem {
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, sort));
    // 3x + 2u ≤ 7, 5y - 4u ≤ -3 imply 6x + 5y ≤ 11; 6x + 5y - 7v ≥ 12 and v ≥ 0 contradict it.
    let (first, second) = (linear(pool, &[(3, x), (2, u)]), linear(pool, &[(5, y), (-4, u)]));
    let third = linear(pool, &[(6, x), (5, y), (-7, v)]);
    let [seven, minus_three, twelve, zero] = [7, -3, 12, 0].map(|value| number(pool, sort, value));
    let a = vec![pool.le(first, seven), pool.le(second, minus_three)];
    let b = vec![pool.le(twelve, third), pool.le(zero, v)];
    Problem::binary(a, b)
}

/// x = u + 1 ∨ x = u + 2 with u ≥ 0, or y = x + 3, against x ≤ 0.
fn disjunctions(pool: &mut TermPool, sort: Sort) -> Problem {
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, sort));
    let [zero, one, two, three, ten] = [0, 1, 2, 3, 10].map(|value| number(pool, sort, value));
    let (next, after) = (add(pool, u, one), add(pool, u, two));
    let (is_next, is_after) = (pool.eq(x, next), pool.eq(x, after));
    let either = pool.or2(is_next, is_after);
    let not_negative = pool.le(zero, u);
    let above = add(pool, x, three);
    let a = vec![either, not_negative, pool.eq(y, above)];
    let (small, low, same) = (pool.lt(x, one), pool.lt(y, v), pool.lt(v, three));
    let large = pool.lt(ten, v);
    let equal = pool.le(v, y);
    let low = pool.and2(low, same);
    let high = pool.and(&[large, equal, small]);
    let cases = pool.or(&[small, low, high]);
    Problem::binary(a, vec![cases])
}

fn divisibility(pool: &mut TermPool) -> Problem {
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let even = linear(pool, &[(2, y)]);
    let double = linear(pool, &[(2, z)]);
    let one = pool.int(1);
    let odd = pool.add(&[double, one]);
    Problem::binary(vec![pool.eq(x, even)], vec![pool.eq(x, odd)])
}

fn divisibility_and_bound(pool: &mut TermPool) -> Problem {
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    // x = 3u and x ≥ 10 imply x ≥ 12; y = x + 1 and y ≤ 12 contradict it.
    let triple = linear(pool, &[(3, z)]);
    let [one, ten, twelve] = [1, 10, 12].map(|value| pool.int(value));
    let next = pool.add(&[x, one]);
    let a = vec![pool.eq(x, triple), pool.le(ten, x)];
    let b = vec![pool.eq(y, next), pool.le(y, twelve)];
    Problem::binary(a, b)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Steps {
    Straight,
    Branching,
}

/// x and y start at 0, x += 1 and y += 2 in each step (or 2 and 4), against y ≠ 2x.
fn counter(pool: &mut TermPool, sort: Sort, parts: usize, steps: Steps) -> Problem {
    let at = |pool: &mut TermPool, i: usize| {
        (pool.symbol(&format!("x{i}"), sort), pool.symbol(&format!("y{i}"), sort))
    };
    let [zero, one, two, four] = [0, 1, 2, 4].map(|value| number(pool, sort, value));
    let (x, y) = at(pool, 0);
    let mut problem = vec![vec![pool.eq(x, zero), pool.eq(y, zero)]];
    let (mut x, mut y) = (x, y);
    for i in 1..parts - 1 {
        let (next_x, next_y) = at(pool, i);
        let mut step = |dx: Term, dy: Term| {
            let (sum_x, sum_y) = (add(pool, x, dx), add(pool, y, dy));
            let equations = [pool.eq(next_x, sum_x), pool.eq(next_y, sum_y)];
            pool.and(&equations)
        };
        let small = step(one, two);
        let formula = match steps {
            Steps::Straight => small,
            Steps::Branching => {
                let large = step(two, four);
                pool.or2(small, large)
            }
        };
        problem.push(vec![formula]);
        (x, y) = (next_x, next_y);
    }
    let double = add(pool, x, x);
    problem.push(vec![pool.neq(y, double)]);
    Problem::sequence(problem)
}

/// A tree in which every leaf has a value of at least 1, every inner node the sum of its children,
/// and the root a value that is too small.
fn sums(pool: &mut TermPool, sort: Sort, nodes: usize) -> Problem {
    // The children of node n, counted from the root as 0, are 2n + 1 and 2n + 2; nodes are numbered
    // backwards.
    let parents: Vec<Option<usize>> = (0..nodes)
        .map(|node| {
            let heap = nodes - 1 - node;
            (heap > 0).then(|| nodes - 1 - (heap - 1) / 2)
        })
        .collect();
    let tree = Tree::new(parents).expect("a heap is a tree");
    let value: Vec<Term> = (0..nodes).map(|node| pool.symbol(&format!("v{node}"), sort)).collect();
    let one = number(pool, sort, 1);
    let hundred = number(pool, sort, 100);
    let mut leaves = 0;
    let children = tree.children();
    let below = |pool: &mut TermPool, a: Term, b: Term| match sort {
        Sort::BitVec(_) => pool.bv_ule(a, b),
        _ => pool.le(a, b),
    };
    let mut parts: Vec<Vec<Term>> = Vec::new();
    for node in 0..nodes {
        let mut part = Vec::new();
        match children[node].as_slice() {
            [] => {
                leaves += 1;
                part.push(below(pool, one, value[node]));
                part.push(below(pool, value[node], hundred));
            }
            [first, rest @ ..] => {
                let mut sum = value[*first];
                for &child in rest {
                    sum = add(pool, sum, value[child]);
                }
                part.push(pool.eq(value[node], sum));
            }
        }
        parts.push(part);
    }
    let enough = number(pool, sort, leaves);
    let too_little = below(pool, enough, value[nodes - 1]);
    parts[nodes - 1].push(pool.not(too_little));
    Problem { parts, tree }
}

fn square(pool: &mut TermPool, sort: Sort) -> Problem {
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let square = pool.mul(x, x);
    let (zero, one) = (number(pool, sort, 0), number(pool, sort, 1));
    let next = pool.add(&[square, one]);
    let below = pool.lt(y, z);
    Problem::binary(vec![pool.eq(y, next)], vec![below, pool.le(z, zero)])
}

fn bit_vector_bounds(pool: &mut TermPool) -> Problem {
    let [x, u, v] = ["x", "u", "v"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let (ten, five) = (pool.bv(8, 10), pool.bv(8, 5));
    let a = vec![pool.bv_ult(ten, u), pool.bv_ule(u, x)];
    let b = vec![pool.bv_ult(x, v), pool.bv_ule(v, five)];
    Problem::binary(a, b)
}

fn lowest_bit(pool: &mut TermPool) -> Problem {
    let [x, u, v] = ["x", "u", "v"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let one = pool.bv(8, 1);
    let double = pool.bv_shl(u, one);
    let other = pool.bv_add(v, v);
    let odd = pool.bv_or(other, one);
    Problem::binary(vec![pool.eq(x, double)], vec![pool.eq(x, odd)])
}

fn bit_vector_sums(pool: &mut TermPool) -> Problem {
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let (xu, yu) = (pool.bv_add(x, u), pool.bv_add(y, u));
    let (xv, yv) = (pool.bv_xor(x, v), pool.bv_xor(y, v));
    Problem::binary(vec![pool.eq(xu, yu)], vec![pool.neq(xv, yv)])
}

fn no_nan(pool: &mut TermPool) -> Problem {
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Float(5, 11)));
    let nan = pool.fp_is_nan(y);
    let a = vec![pool.eq(x, y), nan];
    let b = vec![pool.fp_lt(x, z)];
    Problem::binary(a, b)
}

fn float_order(pool: &mut TermPool) -> Problem {
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, Sort::Float(5, 11)));
    let a = vec![pool.fp_lt(x, u), pool.fp_lt(u, y)];
    let b = vec![pool.fp_lt(y, v), pool.fp_lt(v, x)];
    Problem::binary(a, b)
}

fn integer_array(pool: &mut TermPool, name: &str) -> Term {
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    pool.symbol(name, sort)
}

fn shared_read(pool: &mut TermPool) -> Problem {
    let a = integer_array(pool, "a");
    let [i, u, v] = ["i", "u", "v"].map(|name| pool.symbol(name, Sort::Int));
    let five = pool.int(5);
    let read = pool.select(a, i);
    let left = vec![pool.eq(read, u), pool.lt(five, u)];
    let right = vec![pool.eq(read, v), pool.lt(v, five)];
    Problem::binary(left, right)
}

fn write_against_read(pool: &mut TermPool) -> Problem {
    let (a, b) = (integer_array(pool, "a"), integer_array(pool, "b"));
    let [i, u, v] = ["i", "u", "v"].map(|name| pool.symbol(name, Sort::Int));
    let zero = pool.int(0);
    let written = pool.store(a, i, u);
    let read = pool.select(b, i);
    let left = vec![pool.eq(b, written), pool.lt(zero, u)];
    let right = vec![pool.eq(read, v), pool.lt(v, zero)];
    Problem::binary(left, right)
}

/// b is a after one write, against two different indices at which they differ (McMillan's example
/// that needs a quantifier or a difference function).
fn two_differences(pool: &mut TermPool) -> Problem {
    let (a, b) = (integer_array(pool, "a"), integer_array(pool, "b"));
    let [i, u, j, k] = ["i", "u", "j", "k"].map(|name| pool.symbol(name, Sort::Int));
    let written = pool.store(a, i, u);
    let left = vec![pool.eq(b, written)];
    let mut right = vec![pool.neq(j, k)];
    for index in [j, k] {
        let (first, second) = (pool.select(a, index), pool.select(b, index));
        right.push(pool.neq(first, second));
    }
    Problem::binary(left, right)
}

/// a[0] := 1, then a[i] := a[i - 1] + 1 for each step, against the last element.
fn array_sequence(pool: &mut TermPool) -> Problem {
    let mut array = integer_array(pool, "a0");
    let (zero, one) = (pool.int(0), pool.int(1));
    let read = pool.select(array, zero);
    let mut parts = vec![vec![pool.eq(read, one)]];
    for i in 1..9 {
        let next = integer_array(pool, &format!("a{i}"));
        let (before, at) = (pool.int(i - 1), pool.int(i));
        let read = pool.select(array, before);
        let raised = pool.add(&[read, one]);
        let written = pool.store(array, at, raised);
        parts.push(vec![pool.eq(next, written)]);
        array = next;
    }
    let (eight, nine) = (pool.int(8), pool.int(9));
    let last = pool.select(array, eight);
    parts.push(vec![pool.neq(last, nine)]);
    Problem::sequence(parts)
}

fn congruence(pool: &mut TermPool) -> Problem {
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, sort));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let left = vec![pool.eq(x, u), pool.eq(u, y)];
    let right = vec![pool.eq(fx, v), pool.neq(v, fy)];
    Problem::binary(left, right)
}

fn equations(pool: &mut TermPool) -> Problem {
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let x: Vec<Term> = (0..8).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
    let mut parts: Vec<Vec<Term>> = x
        .windows(2)
        .map(|pair| {
            let image = pool.apply(f, &[pair[0]]);
            // Each element is a fixed point whose image is the next element.
            vec![pool.eq(image, pair[0]), pool.eq(image, pair[1])]
        })
        .collect();
    parts.push(vec![pool.neq(x[0], x[7])]);
    // The last part shares the first element.
    Problem::sequence(parts)
}

fn function_between_bounds(pool: &mut TermPool) -> Problem {
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, Sort::Int));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let left = vec![pool.le(x, y), pool.le(y, x), pool.eq(u, fx), pool.lt(u, v)];
    let right = vec![pool.le(v, fy)];
    Problem::binary(left, right)
}

/// Each of two leaves fixes a value of f; in the root the arguments are equal and the values
/// differ.
fn two_calls(pool: &mut TermPool) -> Problem {
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| pool.symbol(name, Sort::Int));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let parts = vec![vec![pool.eq(u, fx)], vec![pool.eq(v, fy)], vec![pool.eq(x, y), pool.lt(u, v)]];
    let tree = Tree::new(vec![Some(2), Some(2), None]).expect("two leaves and a root");
    Problem { parts, tree }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_unsatisfiable_as_far_as_enumeration_tells() {
        // Booleans only: the exhaustive prover does not support unbounded integers.
        for check in CHECKS.iter().filter(|check| check.theory == "Core") {
            let mut pool = TermPool::new();
            let problem = (check.problem)(&mut pool);
            let exhaustive = super::super::exhaustive::Exhaustive { points: 1 << 20, ..Default::default() };
            let mut prover = exhaustive.new_prover("ALL", &Limits::default()).expect("there is a prover");
            for &formula in problem.parts.iter().flatten() {
                prover.assert(&pool, formula).expect("it is Boolean");
            }
            let status = prover.status(&pool, &[]);
            assert!(
                matches!(status, crate::Status::Unsat | crate::Status::Unknown(Reason::Unsupported(_))),
                "{}: {status:?}",
                check.name
            );
        }
    }
}
