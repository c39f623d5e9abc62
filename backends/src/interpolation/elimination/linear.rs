//! Linear terms and literals, and Fourier–Motzkin elimination of a variable.

use super::Names;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use terms::{Op, Sort, Term, TermPool};

/// The maximal growth of the number of literals by one elimination.
const MAX_GROWTH: usize = 8;

/// `Σ coefficient · base + constant`, sorted by base, without zero coefficients.
#[derive(Clone, Debug)]
pub struct Linear {
    /// `Int` or `Real`.
    pub sort: Sort,
    /// Bases and their coefficients.
    pub parts: Vec<(Term, BigRational)>,
    /// The constant.
    pub constant: BigRational,
}

impl Linear {
    /// `term` as a sum of bases that are neither sums nor multiples.
    pub fn of(pool: &TermPool, term: Term) -> Self {
        // The factors of summands. A term is younger than its children, so the youngest summand
        // occurs in no other: each term is visited once, however often it occurs.
        let mut open = BTreeMap::from([(term, BigRational::one())]);
        let mut parts = Vec::new();
        let mut constant = BigRational::zero();
        while let Some((term, factor)) = open.pop_last() {
            if factor.is_zero() {
                continue;
            }
            if let Some(value) = number(pool, term) {
                constant += value * factor;
                continue;
            }
            match (pool.op(term), pool.children(term)) {
                (Op::Add, children) => {
                    for &child in children {
                        *open.entry(child).or_insert_with(BigRational::zero) += factor.clone();
                    }
                }
                (Op::Mul, &[k, base]) if let Some(k) = number(pool, k) => {
                    *open.entry(base).or_insert_with(BigRational::zero) += k * factor;
                }
                _ => parts.push((term, factor)),
            }
        }
        parts.reverse();
        Linear { sort: pool.sort(term), parts, constant }
    }

    /// `a - b`.
    pub fn difference(pool: &TermPool, a: Term, b: Term) -> Self {
        let mut linear = Linear::of(pool, a);
        linear.add_scaled(&Linear::of(pool, b), &-BigRational::one());
        linear
    }

    /// The coefficient of `base`, if it occurs.
    pub fn coefficient(&self, base: Term) -> Option<&BigRational> {
        self.parts.binary_search_by_key(&base, |part| part.0).ok().map(|at| &self.parts[at].1)
    }

    /// The sum without the part of `base`.
    pub fn without(&self, base: Term) -> Self {
        let mut rest = self.clone();
        rest.parts.retain(|part| part.0 != base);
        rest
    }

    /// Adds `factor · other`.
    pub fn add_scaled(&mut self, other: &Linear, factor: &BigRational) {
        self.constant += &other.constant * factor;
        self.parts.extend(other.parts.iter().map(|(base, k)| (*base, k * factor)));
        self.parts.sort_by_key(|part| part.0);
        let mut merged: Vec<(Term, BigRational)> = Vec::with_capacity(self.parts.len());
        for (base, k) in self.parts.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == base => *sum += k,
                _ => merged.push((base, k)),
            }
        }
        merged.retain(|part| !part.1.is_zero());
        self.parts = merged;
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &BigRational) -> Self {
        let mut scaled = Linear { sort: self.sort, parts: Vec::new(), constant: BigRational::zero() };
        scaled.add_scaled(self, factor);
        scaled
    }

    /// The sum as a term.
    pub fn term(&self, pool: &mut TermPool) -> Term {
        let mut summands = Vec::with_capacity(self.parts.len() + 1);
        for (base, k) in &self.parts {
            let k = pool.number(self.sort, k);
            summands.push(pool.mul(k, *base));
        }
        summands.push(pool.number(self.sort, &self.constant));
        pool.add(&summands)
    }
}

fn number(pool: &TermPool, term: Term) -> Option<BigRational> {
    match pool.op(term) {
        Op::IntConst(_) => pool.as_int(term).map(|value| BigRational::from_integer(value.clone())),
        Op::RealConst(_) => pool.as_real(term).cloned(),
        _ => None,
    }
}

/// `linear ≤ 0` or `linear < 0`; over integers always the former.
#[derive(Clone, Debug)]
pub struct Inequality {
    /// The left side.
    pub linear: Linear,
    /// Whether it is `<`.
    pub is_strict: bool,
}

impl Inequality {
    /// The literal as an inequality, if it is one.
    pub fn of(pool: &TermPool, literal: Term) -> Option<Self> {
        let (is_negated, atom) = match pool.op(literal) {
            Op::Not => (true, pool.children(literal)[0]),
            _ => (false, literal),
        };
        let (is_lt, &[a, b]) = (pool.op(atom) == Op::Lt, pool.children(atom)) else { return None };
        if !matches!(pool.op(atom), Op::Le | Op::Lt) {
            return None;
        }
        // ¬(a ≤ b) is b < a.
        let (linear, is_strict) = if is_negated {
            (Linear::difference(pool, b, a), !is_lt)
        } else {
            (Linear::difference(pool, a, b), is_lt)
        };
        Some(Inequality::new(linear, is_strict))
    }

    /// The inequality; over integers, a strict one becomes non-strict.
    pub fn new(mut linear: Linear, mut is_strict: bool) -> Self {
        if linear.sort == Sort::Int && is_strict {
            linear.constant += BigRational::one();
            is_strict = false;
        }
        Inequality { linear, is_strict }
    }

    /// The inequality as a term.
    pub fn term(&self, pool: &mut TermPool) -> Term {
        let sum = self.linear.term(pool);
        let zero = pool.number(self.linear.sort, &BigRational::zero());
        if self.is_strict { pool.lt(sum, zero) } else { pool.le(sum, zero) }
    }

    /// The consequence of the lower bound `self` and an upper bound on `variable`.
    pub fn resolve(&self, upper: &Inequality, variable: Term) -> Inequality {
        let below = self.linear.coefficient(variable).expect("a bound of the variable").abs();
        let above = upper.linear.coefficient(variable).expect("a bound of the variable").abs();
        let mut linear = self.linear.scaled(&above);
        linear.add_scaled(&upper.linear, &below);
        Inequality::new(linear, self.is_strict || upper.is_strict)
    }
}

/// Eliminates one arithmetic variable that occurs only in linear inequalities among the conjuncts
/// (and in disequalities, if it is unbounded on one side), if this is exact and does not grow the
/// conjunction much. Returns whether it did.
///
/// Over integers, two bounds can be resolved if one of them has the coefficient 1.
pub(super) fn eliminate_by_bounds(pool: &mut TermPool, conjuncts: &mut Vec<Term>, names: &Names<'_>) -> bool {
    let mut best: Option<(usize, Term, Bounds)> = None;
    for variable in names.local_symbols(pool, conjuncts) {
        if !matches!(pool.sort(variable), Sort::Int | Sort::Real) {
            continue;
        }
        let Some(bounds) = Bounds::of(pool, conjuncts, variable) else { continue };
        let (lower, upper) = (bounds.lower.len(), bounds.upper.len());
        let made = lower * upper;
        let is_free = lower == 0 || upper == 0;
        if !(is_free || bounds.is_exact && made <= lower + upper + MAX_GROWTH) {
            continue;
        }
        if best.as_ref().is_none_or(|(least, ..)| made < *least) {
            best = Some((made, variable, bounds));
            if made == 0 {
                break;
            }
        }
    }
    let Some((_, variable, bounds)) = best else { return false };
    let mut index = 0;
    conjuncts.retain(|_| {
        index += 1;
        !bounds.used.contains(&(index - 1))
    });
    for lower in &bounds.lower {
        for upper in &bounds.upper {
            let resolvent = lower.resolve(upper, variable).term(pool);
            conjuncts.push(resolvent);
        }
    }
    true
}

/// All occurrences of a variable.
struct Bounds {
    lower: Vec<Inequality>,
    upper: Vec<Inequality>,
    /// The indices of the conjuncts.
    used: Vec<usize>,
    is_exact: bool,
}

impl Bounds {
    fn of(pool: &TermPool, conjuncts: &[Term], variable: Term) -> Option<Self> {
        let mut bounds = Bounds { lower: Vec::new(), upper: Vec::new(), used: Vec::new(), is_exact: true };
        let mut has_disequality = false;
        let mut is_unit = [true, true];
        for (index, &conjunct) in conjuncts.iter().enumerate() {
            if !super::contains(pool, &[conjunct], variable) {
                continue;
            }
            bounds.used.push(index);
            let inequality = Inequality::of(pool, conjunct);
            let linear = match &inequality {
                Some(inequality) => inequality.linear.clone(),
                None => {
                    has_disequality = true;
                    disequality(pool, conjunct)?
                }
            };
            let coefficient = linear.coefficient(variable)?.clone();
            let bases: Vec<Term> = linear.without(variable).parts.iter().map(|part| part.0).collect();
            if super::contains(pool, &bases, variable) {
                return None;
            }
            let Some(inequality) = inequality else { continue };
            let side = usize::from(coefficient.is_positive());
            is_unit[side] &= coefficient.abs().is_one();
            if side == 1 { &mut bounds.upper } else { &mut bounds.lower }.push(inequality);
        }
        let is_integer = pool.sort(variable) == Sort::Int;
        bounds.is_exact = !has_disequality && (!is_integer || is_unit[0] || is_unit[1]);
        Some(bounds)
    }
}

/// `a - b` for a literal `a ≠ b` over numbers.
fn disequality(pool: &TermPool, literal: Term) -> Option<Linear> {
    let &[atom] = pool.children(literal) else { return None };
    match (pool.op(literal), pool.op(atom), pool.children(atom)) {
        (Op::Not, Op::Eq, &[a, b]) if matches!(pool.sort(a), Sort::Int | Sort::Real) => {
            Some(Linear::difference(pool, a, b))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_sums_are_visited_once() {
        let mut pool = TermPool::new();
        let names = |letter: char| (0..9).map(move |number| format!("{letter}{number}"));
        let [first, second] = ['a', 'b']
            .map(|letter| names(letter).map(|name| pool.symbol(&name, Sort::Int)).collect::<Vec<_>>());
        let mut sum = pool.symbol("x", Sort::Int);
        let x = sum;
        for _ in 0..100 {
            let [left, right] = [&first, &second].map(|symbols| pool.add(&[&[sum], &symbols[..]].concat()));
            sum = pool.add(&[left, right]);
        }
        let linear = Linear::of(&pool, sum);
        assert_eq!(linear.parts.len(), 19);
        let factor = num_bigint::BigInt::from(2).pow(100);
        assert_eq!(linear.coefficient(x), Some(&BigRational::from_integer(factor)));
        assert!(linear.parts.is_sorted_by_key(|part| part.0));
    }
}
