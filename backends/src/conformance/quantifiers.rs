//! Quantifiers, their elimination, and model-based projection.
//!
//! Eliminations and projections are compared with enumeration: over bit vectors completely, over
//! integers and reals at the points of a grid.

use super::containers::SORTS;
use super::{Check, ELIMINATION, PROJECTION, QUANTIFIERS, Verdict, ensure, expect, prover};
use crate::{Outcome, Prover, ProverFactory, Status};
use num_rational::BigRational;
use terms::{Assignment, Completion, Op, Sort, Symbol, Term, TermPool, Value, eval};

pub(super) const CHECKS: &[Check] = &[
    Check::new("Core", QUANTIFIERS, "over Booleans", booleans),
    Check::new("Ints", QUANTIFIERS, "integers have no largest element", integers),
    Check::new("Reals", QUANTIFIERS, "reals are dense", reals),
    Check::new("FixedSizeBitVectors", QUANTIFIERS, "over bit vectors", bit_vectors),
    Check::extra("UF", QUANTIFIERS, "group axioms refute a non-theorem", instances).with(SORTS),
    Check::new("UF", QUANTIFIERS, "instances of axioms", axioms).with(SORTS),
    Check::extra("UF", QUANTIFIERS, "a satisfiable axiom", satisfiable_axiom).with(&["Ints"]),
    Check::extra("ArraysEx", QUANTIFIERS, "a sorted array", sorted_array),
    Check::extra("Core", ELIMINATION, "of Booleans", |factory| {
        eliminate(factory, Sort::Bool, boolean_problems)
    }),
    Check::new("Ints", ELIMINATION, "of integers, with divisibility", |factory| {
        eliminate(factory, Sort::Int, linear_problems)
    }),
    Check::new("Reals", ELIMINATION, "of reals", |factory| eliminate(factory, Sort::Real, linear_problems)),
    Check::extra("FixedSizeBitVectors", ELIMINATION, "of bit vectors", |factory| {
        eliminate(factory, Sort::BitVec(3), bit_vector_problems)
    }),
    Check::extra("Core", PROJECTION, "of Booleans", |factory| project(factory, Sort::Bool, boolean_problems)),
    Check::new("Ints", PROJECTION, "of integers", |factory| project(factory, Sort::Int, linear_problems)),
    Check::new("Reals", PROJECTION, "of reals", |factory| project(factory, Sort::Real, linear_problems)),
    Check::extra("FixedSizeBitVectors", PROJECTION, "of bit vectors", |factory| {
        project(factory, Sort::BitVec(3), bit_vector_problems)
    }),
];

/// Checks whether `formula`, which has quantifiers, is satisfiable; its model cannot be evaluated.
fn is_satisfiable(prover: &mut dyn Prover, pool: &TermPool, formula: Term, expected: bool) -> Verdict {
    prover.push()?;
    prover.assert(pool, formula)?;
    let verdict = expect(prover, pool, &[], if expected { &Status::Sat } else { &Status::Unsat });
    prover.pop()?;
    verdict
}

fn booleans(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "ALL")?;
    let (a, p) = (pool.symbol("a", Sort::Bool), pool.bound("p", Sort::Bool));
    let differs = pool.xor(p, a);
    let some = pool.exists(&[p], differs);
    let all = pool.forall(&[p], differs);
    is_satisfiable(&mut *prover, &pool, all, false)?;
    let none = pool.not(some);
    is_satisfiable(&mut *prover, &pool, none, false)?;
    is_satisfiable(&mut *prover, &pool, some, true)
}

fn integers(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "LIA")?;
    let (x, y) = (pool.bound("x", Sort::Int), pool.bound("y", Sort::Int));
    let less = pool.lt(x, y);
    let larger_exists = pool.exists(&[y], less);
    let unbounded = pool.forall(&[x], larger_exists);
    is_satisfiable(&mut *prover, &pool, unbounded, true)?;
    let is_largest = pool.forall(&[x], less);
    let bounded = pool.exists(&[y], is_largest);
    is_satisfiable(&mut *prover, &pool, bounded, false)?;
    // Every integer is even or odd.
    let (two, one) = (pool.int(2), pool.int(1));
    let double = pool.mul(two, y);
    let odd = pool.add(&[double, one]);
    let (is_even, is_odd) = (pool.eq(x, double), pool.eq(x, odd));
    let even = pool.exists(&[y], is_even);
    let odd = pool.exists(&[y], is_odd);
    let either = pool.or2(even, odd);
    let all = pool.forall(&[x], either);
    let negated = pool.not(all);
    is_satisfiable(&mut *prover, &pool, negated, false)
}

fn reals(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "LRA")?;
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.bound(name, Sort::Real));
    let (xy, yz, xz) = (pool.lt(x, y), pool.lt(y, z), pool.lt(x, z));
    let between = pool.and2(xy, yz);
    let some = pool.exists(&[y], between);
    let dense = pool.implies(xz, some);
    let all = pool.forall(&[x, z], dense);
    let negated = pool.not(all);
    is_satisfiable(&mut *prover, &pool, negated, false)?;
    is_satisfiable(&mut *prover, &pool, all, true)
}

fn bit_vectors(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "BV")?;
    let x = pool.bound("x", Sort::BitVec(8));
    let a = pool.symbol("a", Sort::BitVec(8));
    let below = pool.bv_ule(x, a);
    let largest = pool.forall(&[x], below);
    let ones = pool.bv(8, 255);
    let is_ones = pool.eq(a, ones);
    let formula = pool.and2(largest, is_ones);
    is_satisfiable(&mut *prover, &pool, formula, true)?;
    let differs = pool.not(is_ones);
    let formula = pool.and2(largest, differs);
    is_satisfiable(&mut *prover, &pool, formula, false)?;
    let product = pool.bv_mul(x, a);
    let one = pool.bv(8, 1);
    let inverse = pool.eq(product, one);
    let has_inverse = pool.exists(&[x], inverse);
    let lowest = pool.extract(0, 0, a);
    let zero = pool.bv(1, 0);
    let even = pool.eq(lowest, zero);
    let formula = pool.and2(has_inverse, even);
    is_satisfiable(&mut *prover, &pool, formula, false)
}

fn axioms(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "UF")?;
    let sort = pool.uninterpreted_sort("S");
    let below = pool.function_symbol("below", &[sort, sort], Sort::Bool);
    let f = pool.function_symbol("f", &[sort], sort);
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.bound(name, sort));
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
    let (xy, yz, xz) = (pool.apply(below, &[x, y]), pool.apply(below, &[y, z]), pool.apply(below, &[x, z]));
    let both = pool.and2(xy, yz);
    let transitive = pool.implies(both, xz);
    let transitive = pool.forall(&[x, y, z], transitive);
    let (ab, bc, ac) = (pool.apply(below, &[a, b]), pool.apply(below, &[b, c]), pool.apply(below, &[a, c]));
    let not_ac = pool.not(ac);
    let formula = pool.and(&[transitive, ab, bc, not_ac]);
    is_satisfiable(&mut *prover, &pool, formula, false)?;
    let (fx, fa) = (pool.apply(f, &[x]), pool.apply(f, &[a]));
    let fixed = pool.eq(fx, x);
    let identity = pool.forall(&[x], fixed);
    let moved = pool.neq(fa, a);
    let formula = pool.and2(identity, moved);
    is_satisfiable(&mut *prover, &pool, formula, false)
}

fn instances(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "UF")?;
    let sort = pool.uninterpreted_sort("G");
    let times = pool.function_symbol("times", &[sort, sort], sort);
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.bound(name, sort));
    let [e, a, b] = ["e", "a", "b"].map(|name| pool.symbol(name, sort));
    let (xy, yz) = (pool.apply(times, &[x, y]), pool.apply(times, &[y, z]));
    let (left, right) = (pool.apply(times, &[xy, z]), pool.apply(times, &[x, yz]));
    let associative = pool.eq(left, right);
    let associative = pool.forall(&[x, y, z], associative);
    let (ex, xe) = (pool.apply(times, &[e, x]), pool.apply(times, &[x, e]));
    let (first, second) = (pool.eq(ex, x), pool.eq(xe, x));
    let neutral = pool.and2(first, second);
    let neutral = pool.forall(&[x], neutral);
    let ab = pool.apply(times, &[a, b]);
    let ba = pool.apply(times, &[b, a]);
    let c = pool.symbol("c", sort);
    let bc = pool.apply(times, &[b, c]);
    let (left_inverse, right_inverse) = (pool.eq(ab, e), pool.eq(bc, e));
    let (differ, also_inverse) = (pool.neq(a, c), pool.eq(ba, e));
    let axioms = pool.and(&[associative, neutral, left_inverse, right_inverse]);
    // A left inverse and a right inverse are equal.
    let formula = pool.and2(axioms, differ);
    is_satisfiable(&mut *prover, &pool, formula, false)?;
    let not_inverse = pool.not(also_inverse);
    let formula = pool.and2(axioms, not_inverse);
    is_satisfiable(&mut *prover, &pool, formula, false)
}

fn satisfiable_axiom(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "UFLIA")?;
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let x = pool.bound("x", Sort::Int);
    let zero = pool.int(0);
    let fx = pool.apply(f, &[x]);
    let positive = pool.lt(zero, fx);
    let all = pool.forall(&[x], positive);
    is_satisfiable(&mut *prover, &pool, all, true)
}

fn sorted_array(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "AUFLIA")?;
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let a = pool.symbol("a", sort);
    let (i, j) = (pool.bound("i", Sort::Int), pool.bound("j", Sort::Int));
    let (at_i, at_j) = (pool.select(a, i), pool.select(a, j));
    let (before, ordered) = (pool.lt(i, j), pool.le(at_i, at_j));
    let sorted = pool.implies(before, ordered);
    let sorted = pool.forall(&[i, j], sorted);
    let (three, seven) = (pool.int(3), pool.int(7));
    let (at_three, at_seven) = (pool.select(a, three), pool.select(a, seven));
    let inversion = pool.lt(at_seven, at_three);
    let formula = pool.and2(sorted, inversion);
    is_satisfiable(&mut *prover, &pool, formula, false)
}

/// Creates formulas over the symbols x, y, z of one sort.
type Problems = fn(&mut TermPool, [Term; 3]) -> Vec<Term>;

fn boolean_problems(pool: &mut TermPool, [x, y, z]: [Term; 3]) -> Vec<Term> {
    let choice = pool.ite(y, x, z);
    let (clause, different) = (pool.or2(x, y), pool.xor(y, z));
    vec![choice, pool.and2(clause, different), pool.and2(x, y)]
}

fn linear_problems(pool: &mut TermPool, [x, y, z]: [Term; 3]) -> Vec<Term> {
    let sort = pool.sort(x);
    let number =
        |pool: &mut TermPool, value: i64| pool.number(sort, &BigRational::from_integer(value.into()));
    let (two, three, one) = (number(pool, 2), number(pool, 3), number(pool, 1));
    let (double, triple) = (pool.mul(two, y), pool.mul(three, y));
    let next = pool.add(&[double, one]);
    let between = [pool.lt(x, y), pool.lt(y, z)];
    let between = pool.and(&between);
    let even = pool.eq(x, double);
    let bounds = [pool.le(x, double), pool.le(triple, z)];
    let bounds = pool.and(&bounds);
    let odd = pool.eq(z, next);
    let either = pool.or2(even, odd);
    vec![between, even, bounds, either]
}

fn bit_vector_problems(pool: &mut TermPool, [x, y, z]: [Term; 3]) -> Vec<Term> {
    let between = [pool.bv_ult(x, y), pool.bv_ult(y, z)];
    let between = pool.and(&between);
    let sum = pool.bv_add(x, y);
    let defined = pool.eq(sum, z);
    let product = pool.bv_mul(y, y);
    let square = pool.eq(x, product);
    vec![between, defined, square]
}

/// The values for x and z of a sort, and the larger set of values for y.
fn grid(sort: Sort) -> (Vec<Value>, Vec<Value>) {
    match sort {
        Sort::Bool => {
            let both = vec![Value::Bool(false), Value::Bool(true)];
            (both.clone(), both)
        }
        Sort::BitVec(width) => {
            let all: Vec<Value> = (0..1 << width).map(|value| Value::bv(width, value)).collect();
            (all.clone(), all)
        }
        Sort::Int => ((-4..=4).map(Value::int).collect(), (-9..=9).map(Value::int).collect()),
        _ => {
            let real = |numerator: i64, denominator: i64| {
                Value::Real(BigRational::new(numerator.into(), denominator.into()))
            };
            // Twelfths contain all halves and thirds of integers, and lie between any two integers.
            (
                (-4..=4).map(|value| real(value, 1)).collect(),
                (-60..=60).map(|value| real(value, 12)).collect(),
            )
        }
    }
}

fn holds(pool: &TermPool, formula: Term, values: &[(Symbol, &Value)]) -> Result<bool, String> {
    let mut assignment = Assignment::with_completion(Completion::Default);
    for &(symbol, value) in values {
        assignment.set(symbol, value.clone());
    }
    match eval(pool, formula, &assignment) {
        Ok(Value::Bool(value)) => Ok(value),
        other => Err(format!("{} evaluates to {other:?}", pool.display(formula))),
    }
}

/// Checks that the answer contains neither quantifiers nor the variable.
fn is_free_of(pool: &TermPool, answer: Term, variable: Symbol) -> Verdict {
    let mut quantified = false;
    pool.visit(&[answer], |_| true, |term| quantified |= matches!(pool.op(term), Op::Forall | Op::Exists));
    ensure(!quantified, "the answer has no quantifier")?;
    ensure(!pool.free_symbols(answer).contains(&variable), "the answer does not contain the variable")
}

fn symbols(pool: &mut TermPool, sort: Sort) -> ([Term; 3], [Symbol; 3]) {
    let terms = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let symbols = terms.map(|term| pool.free_symbols(term)[0]);
    (terms, symbols)
}

fn eliminate(factory: &dyn ProverFactory, sort: Sort, problems: Problems) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "ALL")?;
    let (terms, [x, y, z]) = symbols(&mut pool, sort);
    let (outer, inner) = grid(sort);
    for formula in problems(&mut pool, terms) {
        let answer = prover.eliminate(&mut pool, formula, &[y])?;
        is_free_of(&pool, answer, y)?;
        for left in &outer {
            for right in &outer {
                let mut expected = false;
                for middle in &inner {
                    expected = expected || holds(&pool, formula, &[(x, left), (y, middle), (z, right)])?;
                }
                let found = holds(&pool, answer, &[(x, left), (z, right)])?;
                ensure(
                    found == expected,
                    &format!(
                        "∃y. {} at x = {left}, z = {right}: {found} by {}",
                        pool.display(formula),
                        pool.display(answer)
                    ),
                )?;
            }
        }
    }
    Ok(())
}

fn project(factory: &dyn ProverFactory, sort: Sort, problems: Problems) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "ALL")?;
    let (terms, [x, y, z]) = symbols(&mut pool, sort);
    let (outer, inner) = grid(sort);
    for formula in problems(&mut pool, terms) {
        prover.push()?;
        prover.assert(&pool, formula)?;
        let answer = match prover.check(&pool, &[]) {
            Outcome::Sat(mut model) => {
                let answer = model.project(&mut pool, formula, &[y])?;
                let (left, right) = (model.value(&pool, x)?, model.value(&pool, z)?);
                ensure(
                    holds(&pool, answer, &[(x, &left), (z, &right)])?,
                    "a projection is true in its model",
                )?;
                answer
            }
            Outcome::Unsat(_) => return Err("the formula is satisfiable".into()),
            Outcome::Unknown(reason) => return Err(reason.into()),
        };
        prover.pop()?;
        is_free_of(&pool, answer, y)?;
        for left in &outer {
            for right in &outer {
                if !holds(&pool, answer, &[(x, left), (z, right)])? {
                    continue;
                }
                let mut exists = false;
                for middle in &inner {
                    exists = exists || holds(&pool, formula, &[(x, left), (y, middle), (z, right)])?;
                }
                ensure(
                    exists,
                    &format!(
                        "{} does not imply ∃y. {} at x = {left}, z = {right}",
                        pool.display(answer),
                        pool.display(formula)
                    ),
                )?;
            }
        }
    }
    Ok(())
}
