//! Generalization of formulas that differ only in numbers.
//!
//! A search that diverges finds a formula for each number of iterations: `x > 2 ∨ y + 2 ≥ n`,
//! `x > 3 ∨ y + 3 ≥ n`, `x > 4 ∨ y + 4 ≥ n`. If the numbers of three formulas with the same
//! *pattern* form an arithmetic progression, they are instances of one formula with a parameter t,
//! here `x > t ∨ y + t ≥ n`. The conjunction of all its instances, `∀t`, is a candidate that
//! replaces them: here `x + y ≥ n`. So is their disjunction, `∃t`, and both with `t ≥ 0` only. If
//! the numbers are 3, 5 and 7, both `3 + t` and `3 + 2t` are tried. Quantifiers are eliminated;
//! where that is not possible exactly, the result is another candidate.
//!
//! Source: Krishnan, Chen, Shoham, Gurfinkel, *Global Guidance for Local Generalization in Model
//! Checking*, CAV 2020, §4 (clusters of lemmas, rule Subsume).
//!
//! DIVERGENCE: there, the numbers of a cluster are over-approximated by their convex closure; here
//! the direction of a progression is the only parameter.
//!
//! # Limits
//! Integers and reals. Numbers of magnitude below 2 belong to the pattern: they are coefficients
//! and the ends of ranges more often than they count iterations.

use backends::Limits;
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::Eliminator;
use backends::interpolation::vocabulary::Name;
use horn::Relation;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Assignment, Op, Representation, Sort, Substitution, Term, TermPool, Value};

/// The largest number of formulas with the same pattern that are compared.
const MOST: usize = 20;
/// The largest number of distinct numbers in a formula.
const MOST_NUMBERS: usize = 6;

/// The formulas of each pattern.
#[derive(Debug, Default)]
pub(super) struct Progressions {
    /// The parameters of patterns, by sort and index.
    parameters: FxHashMap<(Sort, usize), Term>,
    /// The numbers of the last formulas of each pattern, at most [`MOST`].
    known: FxHashMap<(Relation, Term), Vec<Vec<BigRational>>>,
    /// The patterns with the progressions that were generalized.
    done: FxHashSet<(Relation, Term, Vec<BigRational>)>,
}

/// A formula as an instance of its pattern.
struct Instance {
    pattern: Term,
    parameters: Vec<Term>,
    numbers: Vec<BigRational>,
}

impl Progressions {
    /// Adds a formula over the symbols of `relation`. The generalizations of its progressions with
    /// formulas before.
    pub(super) fn add(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        formula: Term,
        limits: &Limits,
    ) -> Vec<Term> {
        let Some(instance) = self.instance(pool, formula) else { return Vec::new() };
        let known = self.known.entry((relation, instance.pattern)).or_default();
        if known.contains(&instance.numbers) {
            return Vec::new();
        }
        known.push(instance.numbers.clone());
        if known.len() > MOST {
            known.remove(0);
        }
        let recent = &*known;
        let mut found = Vec::new();
        for other in recent {
            let step = difference(&instance.numbers, other);
            if step.iter().all(Zero::is_zero) {
                continue;
            }
            // The formula is the last of three, or the second.
            let before = difference(other, &step);
            let first = match recent.contains(&before) {
                true => before,
                false if recent.contains(&sum(&instance.numbers, &step)) => other.clone(),
                false => continue,
            };
            if self.done.insert((relation, instance.pattern, step.clone())) {
                found.push((first, step));
            }
        }
        let mut candidates = Vec::new();
        for (first, step) in &found {
            let primitive = primitive(step);
            candidates.extend(generalizations(pool, &instance, first, &primitive, limits));
            if primitive != *step {
                candidates.extend(generalizations(pool, &instance, first, step, limits));
            }
        }
        candidates
    }

    /// `None` if the formula has no numbers, too many, or numbers of several sorts.
    fn instance(&mut self, pool: &mut TermPool, formula: Term) -> Option<Instance> {
        let mut leaves: Vec<(Term, BigRational)> = Vec::new();
        pool.visit(
            &[formula],
            |_| true,
            |term| {
                if let Some(number) = number(pool, term) {
                    leaves.push((term, number));
                }
            },
        );
        let (first, _) = leaves.first()?;
        let sort = pool.sort(*first);
        if leaves.len() > MOST_NUMBERS || leaves.iter().any(|(leaf, _)| pool.sort(*leaf) != sort) {
            return None;
        }
        let parameters: Vec<Term> = (0..leaves.len())
            .map(|index| {
                let fresh = || pool.fresh_symbol("number", sort, Representation::default());
                *self.parameters.entry((sort, index)).or_insert_with(fresh)
            })
            .collect();
        let mut substitution = Substitution::sparse();
        for ((leaf, _), &parameter) in leaves.iter().zip(&parameters) {
            substitution.insert(*leaf, parameter);
        }
        let pattern = substitution.apply(pool, formula);
        Some(Instance {
            pattern,
            parameters,
            numbers: leaves.into_iter().map(|(_, number)| number).collect(),
        })
    }
}

/// A number of the formula that may depend on an iteration.
fn number(pool: &TermPool, term: Term) -> Option<BigRational> {
    let number = match (pool.op(term), terms::eval(pool, term, &Assignment::new())) {
        (Op::IntConst(_), Ok(Value::Int(value))) => BigRational::from(value),
        (Op::RealConst(_), Ok(Value::Real(value))) => value,
        _ => return None,
    };
    let is_small = number.is_integer() && number.abs() < BigRational::from(BigInt::from(2));
    (!is_small).then_some(number)
}

fn sum(a: &[BigRational], b: &[BigRational]) -> Vec<BigRational> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn difference(a: &[BigRational], b: &[BigRational]) -> Vec<BigRational> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The shortest vector of integers in the direction of `step`. A step of reals may be any multiple,
/// so its length does not matter.
fn primitive(step: &[BigRational]) -> Vec<BigRational> {
    let integers = step.iter().filter(|length| length.is_integer());
    let divisor = integers.fold(BigInt::zero(), |divisor, length| divisor.gcd(length.numer()));
    match step.iter().all(BigRational::is_integer) && !divisor.is_zero() {
        true => step.iter().map(|length| length / &divisor).collect(),
        false => step.to_vec(),
    }
}

/// The candidates for the pattern at `first + t * step`.
fn generalizations(
    pool: &mut TermPool,
    instance: &Instance,
    first: &[BigRational],
    step: &[BigRational],
    limits: &Limits,
) -> Vec<Term> {
    let sort = pool.sort(instance.parameters[0]);
    let constant = |pool: &mut TermPool, value: &BigRational| match sort {
        Sort::Int => pool.int_big(value.numer()),
        _ => pool.real(value),
    };
    let t = pool.fresh_symbol("t", sort, Representation::default());
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for ((&parameter, first), step) in instance.parameters.iter().zip(first).zip(step) {
        let (first, step) = (constant(pool, first), constant(pool, step));
        let change = pool.mul(step, t);
        images.insert(parameter, pool.add(&[first, change]));
    }
    let holds = pool.map_leaves(instance.pattern, &mut |_, leaf| images.get(&leaf).copied());
    let fails = pool.not(holds);
    let zero = constant(pool, &BigRational::zero());
    let is_later = pool.le(zero, t);
    let mut candidates = Vec::new();
    for range in [pool.tru(), is_later] {
        if let Some(some) = without(pool, &[holds, range], t, limits) {
            candidates.push(some);
        }
        if let Some(some) = without(pool, &[fails, range], t, limits) {
            candidates.push(pool.not(some));
        }
    }
    let constants = [pool.tru(), pool.fls()];
    candidates.retain(|candidate| !constants.contains(candidate));
    candidates
}

/// `∃t` of the conjuncts, or a consequence.
fn without(pool: &mut TermPool, conjuncts: &[Term], t: Term, limits: &Limits) -> Option<Term> {
    let conjuncts = pool.conjuncts(conjuncts);
    let mut allowed: FxHashSet<Name> = FxHashSet::default();
    pool.visit(
        &conjuncts,
        |_| true,
        |term| {
            if term != t {
                allowed.extend(Name::of(pool.op(term)));
            }
        },
    );
    let projection =
        Eliminator::new(&[], Quantifiers::Refused, limits).project(pool, &conjuncts, &allowed).ok()?;
    Some(pool.and(&projection.conjuncts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_formulas_of_a_pattern_are_kept() {
        let mut pool = TermPool::new();
        let mut progressions = Progressions::default();
        let x = pool.symbol("x", Sort::Int);
        // No three of the powers of two form a progression.
        for exponent in 1..60 {
            let number = pool.int(1 << exponent);
            let formula = pool.le(x, number);
            let found = progressions.add(&mut pool, Relation(0), formula, &Limits::default());
            assert_eq!(found, []);
        }
        assert!(progressions.known.values().all(|known| known.len() <= MOST));
    }
}
