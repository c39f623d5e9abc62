//! Predicates with the same meaning.
//!
//! Interpolants of different counterexamples express one condition in different ways: `x < 5` and
//! `!(4 < x)` are one term, but `x < 2 * y + 1` and `x <= 2 * y` are two. Each needless predicate
//! costs a marker in every abstraction, and a fact that only repeats a predicate looks like
//! progress to a refinement.
//!
//! As for the nodes of a circuit (Mishchenko, Chatterjee, Jiang, Brayton, *FRAIGs: A Unifying
//! Representation for Logic Synthesis and Verification*, 2005), the values at sample states tell
//! most formulas apart, and a query decides about those that agree: a formula is equivalent to an
//! older one, or to its negation.
//!
//! Cost: 64 evaluations for each formula, and a query of at most a tenth of a second for each of at
//! most [`MOST_COMPARED`] older ones over the same symbols with the same values. Formulas over
//! arrays, reals, floats or wide bit vectors have no samples and are not merged. A wrong merge
//! could not make a verdict wrong: predicates only choose the abstraction.

use super::solving::{Failure, Solver};
use rustc_hash::FxHashMap;
use std::time::Duration;
use terms::{Assignment, Evaluator, Sort, Term, TermPool, Value};

/// The number of sample states, as bits of a [`Values`].
const SAMPLES: u32 = u64::BITS;
/// The time limit of a query, and the share of the remaining time.
const LIMIT: (Duration, u32) = (Duration::from_millis(100), 50);

/// The largest number of older formulas with which a formula is compared.
const MOST_COMPARED: usize = 8;

/// The values of a formula in all samples.
type Values = u64;

/// The predicates so far, for finding equivalent ones.
#[derive(Default)]
pub(super) struct Classes {
    /// Formulas by their symbols and values.
    ///
    /// Each formula is one that holds in the first sample: a predicate or its negation.
    formulas: FxHashMap<(Vec<Term>, Values), Vec<Term>>,
    /// For each formula so far, the older one that is equivalent to it or to its negation.
    older: FxHashMap<Term, Option<Term>>,
}

impl Classes {
    /// An older formula that is equivalent to `formula` or to its negation; `None` if there is no
    /// known one.
    ///
    /// # Errors
    /// The failure of the run, if it is out of time.
    pub(super) fn representative(
        &mut self,
        pool: &mut TermPool,
        solver: &mut Solver,
        formula: Term,
    ) -> Result<Option<Term>, Failure> {
        if let Some(&known) = self.older.get(&formula) {
            return Ok(known);
        }
        let mut symbols: Vec<Term> =
            pool.free_symbols(formula).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        symbols.sort_unstable();
        let mut found = None;
        if let Some(values) = values(pool, &symbols, formula) {
            let (values, formula) =
                if values & 1 == 1 { (values, formula) } else { (!values, pool.not(formula)) };
            let same = self.formulas.entry((symbols, values)).or_default();
            for &older in same.iter().take(MOST_COMPARED) {
                if are_equivalent(pool, solver, formula, older)? {
                    solver.statistics.equivalent_predicates += 1;
                    found = Some(older);
                    break;
                }
            }
            if found.is_none() {
                same.push(formula);
            }
        }
        self.older.insert(formula, found);
        Ok(found)
    }
}

/// The values of a formula in the samples; `None` if it has none.
fn values(pool: &TermPool, symbols: &[Term], formula: Term) -> Option<Values> {
    let (mut evaluator, mut found) = (Evaluator::new(), 0);
    for sample in 0..SAMPLES {
        let mut state = Assignment::new();
        for (position, &symbol) in symbols.iter().enumerate() {
            state.set_leaf(pool, symbol, value(pool.sort(symbol), sample, position)?);
        }
        evaluator.clear();
        let holds = evaluator.eval(pool, formula, &state).ok()?.as_bool()?;
        found |= u64::from(holds) << sample;
    }
    Some(found)
}

/// The value of the symbol at `position` in a sample: mostly small numbers, so that equal and
/// neighbouring values of two symbols occur.
fn value(sort: Sort, sample: u32, position: usize) -> Option<Value> {
    let random = mixed(u64::from(sample) << 32 | position as u64);
    let small = i64::try_from(random % 48).ok()? - 8;
    let number = match sample % 8 {
        0..6 => small,
        6 => i64::try_from(random >> 33).ok()?,
        _ => [i64::from(i32::MAX), i64::from(i32::MIN), -1, 0, 1 << 16, 255, 128, 127]
            [random as usize >> 8 & 7],
    };
    match sort {
        Sort::Bool => Some(Value::Bool(random >> 7 & 1 == 1)),
        Sort::Int => Some(Value::int(number)),
        Sort::BitVec(width @ 1..=64) => Some(Value::bv(width, number.cast_unsigned())),
        _ => None,
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number
/// Generators*, OOPSLA 2014).
fn mixed(seed: u64) -> u64 {
    let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// Whether two formulas have the same value in all states, as far as the solver finds out.
fn are_equivalent(pool: &mut TermPool, solver: &mut Solver, one: Term, other: Term) -> Result<bool, Failure> {
    let equal = pool.eq(one, other);
    let differ = pool.not(equal);
    let limits = solver.shorten(LIMIT.0, LIMIT.1);
    let answer = solver.is_satisfiable(pool, &[differ]);
    solver.set_limits(limits);
    match (answer, solver.limits.exceeded()) {
        (Ok(are_different), _) => Ok(!are_different),
        (Err(_), Some(reason)) => Err(reason.into()),
        (Err(_), None) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::predicate::solving::test_solver;

    #[test]
    fn equivalent_formulas_and_negations_are_merged() {
        let mut pool = TermPool::new();
        let (mut solver, mut classes) = (test_solver("QF_LIA"), Classes::default());
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
        let [one, two] = [1, 2].map(|value| pool.int(value));
        let double = pool.mul(two, y);
        let after = pool.add(&[double, one]);
        let below = pool.lt(x, after);
        let half = {
            let twice = pool.mul(two, x);
            let bound = pool.add(&[double, double, one]);
            pool.lt(bound, twice)
        };
        let strict = pool.lt(x, double);
        assert_ne!(below, half);
        let mut older = |formula| classes.representative(&mut pool, &mut solver, formula).expect("answers");
        assert_eq!(older(below), None);
        assert_eq!(older(strict), None, "x = 2y tells them apart");
        let found = older(half).expect("2x > 4y + 1 is the negation of x < 2y + 1");
        assert!(found == below || found == pool.not(below));
        assert_eq!(solver.statistics.equivalent_predicates, 1);
    }

    #[test]
    fn formulas_that_rarely_differ_are_not_merged() {
        let mut pool = TermPool::new();
        let (mut solver, mut classes) = (test_solver("QF_BV"), Classes::default());
        let x = pool.symbol("x", Sort::BitVec(32));
        let [large, larger] = [0x7654_3210, 0x7654_3211].map(|value| pool.bv(32, value));
        let formulas = [pool.bv_ult(x, large), pool.bv_ult(x, larger)];
        let symbols = [x];
        assert_eq!(values(&pool, &symbols, formulas[0]), values(&pool, &symbols, formulas[1]));
        for formula in formulas {
            assert_eq!(classes.representative(&mut pool, &mut solver, formula).expect("answers"), None);
        }
    }
}
