//! Intervals of numbers, and the bounds that a constraint implies.
//!
//! Bounds are propagated through the linear (in)equalities of a constraint, each of which bounds a
//! symbol by the bounds of the others (Davis, *Constraint Propagation with Interval Labels*, AI
//! 1987), and the bounds of a disjunction are those of the union of its cases.
//!
//! Cost: linear in the constraint for each round; [`EFFORT`] limits all propagations together.
//!
//! # Limits
//! Integers and reals; a strict bound of a real counts as weak.

use backends::interpolation::elimination::{Inequality, Linear};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// The rounds of propagation through a constraint.
const ROUNDS: usize = 3;
/// The most propagations of an atom.
pub(super) const EFFORT: usize = 2_000_000;
/// The most disjuncts, and the greatest depth of disjunctions, whose cases are distinguished.
const MAX_DISJUNCTS: usize = 64;
const MAX_DEPTH: usize = 3;
/// The most bits of a bound: a product with more has none, or repeated squares would be too large.
const MAX_BITS: u64 = 4096;

/// The numbers between two bounds, where they exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Interval {
    pub(super) low: Option<BigRational>,
    pub(super) high: Option<BigRational>,
}

impl Interval {
    pub(super) fn point(value: BigRational) -> Self {
        Interval { low: Some(value.clone()), high: Some(value) }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    pub(super) fn value(&self) -> Option<&BigRational> {
        self.low.as_ref().filter(|low| self.high.as_ref() == Some(low))
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        let bound = |a: &Option<BigRational>, b: &Option<BigRational>, first: bool| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            Some(if (a < b) == first { a.clone() } else { b.clone() })
        };
        Interval { low: bound(&self.low, &other.low, true), high: bound(&self.high, &other.high, false) }
    }

    pub(super) fn meet(&self, other: &Self) -> Self {
        let bound = |a: &Option<BigRational>, b: &Option<BigRational>, first: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a > b) == first { a.clone() } else { b.clone() }),
            (one, other) => one.as_ref().or(other.as_ref()).cloned(),
        };
        Interval { low: bound(&self.low, &other.low, true), high: bound(&self.high, &other.high, false) }
    }

    /// `self`, without the bounds that `new` exceeds.
    pub(super) fn widen(&self, new: &Self) -> Self {
        let joined = self.join(new);
        Interval {
            low: joined.low.filter(|low| self.low.as_ref() == Some(low)),
            high: joined.high.filter(|high| self.high.as_ref() == Some(high)),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let sum = |a: &Option<BigRational>, b: &Option<BigRational>| Some(a.as_ref()? + b.as_ref()?);
        Interval { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub(super) fn times(&self, factor: &BigRational) -> Self {
        let is_small = |bound: &BigRational| bound.numer().bits() + bound.denom().bits() <= MAX_BITS;
        let scaled =
            |bound: &Option<BigRational>| bound.as_ref().map(|bound| bound * factor).filter(is_small);
        let (low, high) = (scaled(&self.low), scaled(&self.high));
        if factor.is_negative() { Interval { low: high, high: low } } else { Interval { low, high } }
    }

    pub(super) fn integral(self) -> Self {
        Interval { low: self.low.map(|low| low.ceil()), high: self.high.map(|high| high.floor()) }
    }
}

/// The bounds of symbols; others have none.
pub(super) type Bounds = FxHashMap<Term, Interval>;

/// That the terms are within the intervals.
pub(super) fn formulas(pool: &mut TermPool, terms: &[Term], intervals: &[Interval]) -> Vec<Term> {
    let mut formulas = Vec::new();
    for (&term, interval) in terms.iter().zip(intervals) {
        let sort = pool.sort(term);
        if let Some(value) = interval.value() {
            let value = pool.number(sort, value);
            formulas.push(pool.eq(term, value));
            continue;
        }
        if let Some(low) = &interval.low {
            let low = pool.number(sort, low);
            formulas.push(pool.le(low, term));
        }
        if let Some(high) = &interval.high {
            let high = pool.number(sort, high);
            formulas.push(pool.le(term, high));
        }
    }
    formulas
}

/// Propagates bounds through formulas.
pub(super) struct Propagation<'p> {
    pub(super) pool: &'p mut TermPool,
    /// The propagations so far.
    pub(super) effort: usize,
}

impl Propagation<'_> {
    /// Adds the bounds that a formula implies; whether there may be values within them.
    pub(super) fn refine(&mut self, formula: Term, bounds: &mut Bounds) -> bool {
        self.refine_at(formula, bounds, 0)
    }

    fn refine_at(&mut self, formula: Term, bounds: &mut Bounds, depth: usize) -> bool {
        if formula == self.pool.fls() {
            return false;
        }
        let conjuncts = self.pool.conjuncts(&[formula]);
        for _ in 0..ROUNDS {
            let before = bounds.clone();
            for &conjunct in &conjuncts {
                if !self.conjunct(conjunct, bounds, depth) {
                    return false;
                }
            }
            if *bounds == before || self.effort > EFFORT {
                break;
            }
        }
        true
    }

    fn conjunct(&mut self, conjunct: Term, bounds: &mut Bounds, depth: usize) -> bool {
        self.effort += 1;
        if let Some(inequality) = Inequality::of(self.pool, conjunct) {
            return self.at_most_zero(&inequality.linear, bounds);
        }
        match (self.pool.op(conjunct), self.pool.children(conjunct)) {
            (Op::Eq, &[a, b]) if is_number(self.pool, a) => {
                let linear = Linear::difference(self.pool, a, b);
                self.at_most_zero(&linear, bounds)
                    && self.at_most_zero(&linear.scaled(&-BigRational::one()), bounds)
            }
            (Op::Not, &[inner]) => match (self.pool.op(inner), self.pool.children(inner)) {
                (Op::Eq, &[a, b]) if self.pool.sort(a) == Sort::Int => self.differ(a, b, bounds),
                (Op::And, children) => {
                    let cases = children.to_vec();
                    let cases: Vec<Term> = cases.into_iter().map(|case| self.pool.not(case)).collect();
                    self.either(&cases, bounds, depth)
                }
                _ => true,
            },
            (Op::Or, children) => {
                let cases = children.to_vec();
                self.either(&cases, bounds, depth)
            }
            _ => conjunct != self.pool.fls(),
        }
    }

    fn either(&mut self, cases: &[Term], bounds: &mut Bounds, depth: usize) -> bool {
        if depth >= MAX_DEPTH || cases.len() > MAX_DISJUNCTS {
            return true;
        }
        let mut joined: Option<Bounds> = None;
        for &case in cases {
            let mut own = bounds.clone();
            if !self.refine_at(case, &mut own, depth + 1) {
                continue;
            }
            joined = Some(match joined {
                None => own,
                Some(mut all) => {
                    all.retain(|symbol, interval| match own.get(symbol) {
                        Some(other) => {
                            *interval = interval.join(other);
                            true
                        }
                        None => false,
                    });
                    all
                }
            });
        }
        match joined {
            Some(joined) => {
                *bounds = joined;
                true
            }
            None => false,
        }
    }

    /// `a ≠ b` moves a bound of a symbol that is the other side's value.
    fn differ(&mut self, a: Term, b: Term, bounds: &mut Bounds) -> bool {
        for (symbol, other) in [(a, b), (b, a)] {
            let value = self.interval(other, bounds);
            let (Op::Symbol(_), Some(value)) = (self.pool.op(symbol), value.value()) else { continue };
            let interval = bounds.entry(symbol).or_default();
            if interval.low.as_ref() == Some(value) {
                interval.low = Some(value + BigRational::one());
            }
            if interval.high.as_ref() == Some(value) {
                interval.high = Some(value - BigRational::one());
            }
            if interval.is_empty() {
                return false;
            }
        }
        true
    }

    /// The bounds that `linear ≤ 0` implies: with the other summands at their least values.
    fn at_most_zero(&mut self, linear: &Linear, bounds: &mut Bounds) -> bool {
        let least: Vec<Option<BigRational>> = linear
            .parts
            .iter()
            .map(|(base, factor)| self.interval(*base, bounds).times(factor).low)
            .collect();
        let missing = least.iter().filter(|least| least.is_none()).count();
        let sum: BigRational = least.iter().flatten().fold(linear.constant.clone(), |sum, least| sum + least);
        if missing == 0 && sum.is_positive() {
            return false;
        }
        for ((base, factor), own) in linear.parts.iter().zip(&least) {
            if missing > usize::from(own.is_none()) || !matches!(self.pool.op(*base), Op::Symbol(_)) {
                continue;
            }
            // factor · base ≤ -rest
            let rest = own.as_ref().map_or_else(|| sum.clone(), |own| &sum - own);
            let limit = -rest / factor;
            let mut new = match factor.is_negative() {
                true => Interval { low: Some(limit), high: None },
                false => Interval { low: None, high: Some(limit) },
            };
            if linear.sort == Sort::Int {
                new = new.integral();
            }
            let both = bounds.entry(*base).or_default().meet(&new);
            if both.is_empty() {
                return false;
            }
            bounds.insert(*base, both);
        }
        true
    }

    /// The values of a term.
    pub(super) fn interval(&mut self, term: Term, bounds: &Bounds) -> Interval {
        if let Op::Symbol(_) = self.pool.op(term) {
            return bounds.get(&term).cloned().unwrap_or_default();
        }
        let pool = &*self.pool;
        let mut known: FxHashMap<Term, Interval> = FxHashMap::default();
        let mut count = 0;
        pool.visit(
            &[term],
            |term| is_number(pool, term),
            |term| {
                count += 1;
                if is_number(pool, term) {
                    let value = evaluate(pool, term, bounds, &known);
                    known.insert(term, value);
                }
            },
        );
        self.effort += count;
        known.remove(&term).unwrap_or_default()
    }
}

/// The values of a term, given those of its children.
fn evaluate(pool: &TermPool, term: Term, bounds: &Bounds, known: &FxHashMap<Term, Interval>) -> Interval {
    let of = |child: &Term| known.get(child).cloned().unwrap_or_default();
    let children = pool.children(term);
    match (pool.op(term), children) {
        (Op::Symbol(_), _) => bounds.get(&term).cloned().unwrap_or_default(),
        (Op::IntConst(_) | Op::RealConst(_), _) => Interval::point(Linear::of(pool, term).constant),
        (Op::Add, _) => {
            children.iter().fold(Interval::point(BigRational::zero()), |sum, child| sum.plus(&of(child)))
        }
        (Op::Sub, [a, b]) => of(a).plus(&of(b).times(&-BigRational::one())),
        (Op::Neg, [a]) => of(a).times(&-BigRational::one()),
        (Op::Mul, [a, b]) => match (of(a).value(), of(b).value()) {
            (Some(factor), _) => of(b).times(factor),
            (_, Some(factor)) => of(a).times(factor),
            _ => Interval::default(),
        },
        (Op::Ite, [_, a, b]) => of(a).join(&of(b)),
        (Op::ToReal, [a]) => of(a),
        (Op::ToInt, [a]) => {
            let a = of(a);
            Interval { low: a.low.map(|low| low.floor()), high: a.high.map(|high| high.floor()) }
        }
        (Op::IntMod, [a, b]) => match pool.as_int(*b).filter(|divisor| !divisor.is_zero()) {
            Some(divisor) => {
                let rest = Interval {
                    low: Some(BigRational::zero()),
                    high: Some(BigRational::from_integer(divisor.abs() - BigInt::one())),
                };
                let value = of(a);
                if value == value.meet(&rest) { value } else { rest }
            }
            None => Interval::default(),
        },
        (Op::IntDiv, [a, b]) => match pool.as_int(*b).filter(|divisor| divisor.is_positive()) {
            Some(divisor) => {
                let divided = |bound: Option<BigRational>| {
                    bound.map(|bound| BigRational::from_integer(bound.to_integer().div_floor(divisor)))
                };
                let a = of(a).integral();
                Interval { low: divided(a.low), high: divided(a.high) }
            }
            None => Interval::default(),
        },
        _ => Interval::default(),
    }
}

pub(super) fn is_number(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Int | Sort::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_squares_have_no_huge_bounds() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::Int);
        let mut power = x;
        for _ in 0..60 {
            power = pool.mul(power, power);
        }
        let two = Interval::point(BigRational::from_integer(2.into()));
        let bounds = Bounds::from_iter([(x, two)]);
        let mut propagation = Propagation { pool: &mut pool, effort: 0 };
        assert_eq!(propagation.interval(power, &bounds), Interval::default());
    }
}
