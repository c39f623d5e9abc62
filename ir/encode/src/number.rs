//! Integers that represent bit vectors, with their known intervals.

use super::{Encoder, Overflow};
use num_bigint::BigInt;
use terms::{Representation, Term, TermPool};

/// The greatest width that a linear encoding translates; leaves room for sums in `i128`.
pub(super) const MOST_BITS: u32 = 100;

/// The limit of bounds; an interval with larger bounds becomes [`UNKNOWN`].
const UNBOUNDED: i128 = 1 << 125;

/// The interval of a number without known bounds.
pub(super) const UNKNOWN: (i128, i128) = (-UNBOUNDED, UNBOUNDED);

/// The greatest size of an interval, in periods, before the number is normalized.
const MOST_PERIODS: i128 = 4;

/// An integer term that is congruent to the bits modulo `2^width` and lies in `low..=high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) term: Term,
    pub(super) low: i128,
    pub(super) high: i128,
    /// The preferred range; `None` for constants.
    pub(super) hint: Option<Representation>,
}

impl Number {
    /// The value, if the interval has only one.
    pub(super) fn constant(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether its interval is [`UNKNOWN`].
    pub(super) fn is_unknown(&self) -> bool {
        (self.low, self.high) == UNKNOWN
    }

    /// The number of values in the interval.
    pub(super) fn count(&self) -> i128 {
        self.high - self.low + 1
    }
}

/// The least value of a representation.
pub(super) fn base(width: u32, representation: Representation) -> i128 {
    match representation {
        Representation::Unsigned => 0,
        Representation::Signed => -(1i128 << (width - 1)),
    }
}

/// The interval with these ends, or [`UNKNOWN`] if they are not representable.
fn interval(low: Option<i128>, high: Option<i128>) -> (i128, i128) {
    match (low, high) {
        (Some(low), Some(high)) if -UNBOUNDED < low && high < UNBOUNDED => (low, high),
        _ => UNKNOWN,
    }
}

/// An integer constant.
pub(super) fn integer(pool: &mut TermPool, value: i128) -> Term {
    match i64::try_from(value) {
        Ok(value) => pool.int(value),
        Err(_) => pool.int_big(&BigInt::from(value)),
    }
}

/// `term + value`.
pub(super) fn add_constant(pool: &mut TermPool, term: Term, value: i128) -> Term {
    if value == 0 {
        return term;
    }
    let value = integer(pool, value);
    pool.add(&[term, value])
}

/// `value * term`.
pub(super) fn scale(pool: &mut TermPool, value: i128, term: Term) -> Term {
    if value == 1 {
        return term;
    }
    let value = integer(pool, value);
    pool.mul(value, term)
}

impl Encoder {
    /// A constant, interpreted as a signed number.
    pub(super) fn constant(&self, pool: &mut TermPool, value: i128) -> Number {
        Number { term: integer(pool, value), low: value, high: value, hint: None }
    }

    /// Normalizes the number into the range of `representation`. With [`Overflow::Ignore`] only
    /// constants change.
    pub(super) fn normalize(
        &mut self,
        pool: &mut TermPool,
        number: Number,
        width: u32,
        representation: Representation,
    ) -> Number {
        if self.overflow == Overflow::Ignore && number.constant().is_none() {
            return number;
        }
        self.reduce(pool, number, width, representation)
    }

    /// Normalizes the number into the range of `representation`, independent of the overflow
    /// semantics.
    pub(super) fn reduce(
        &mut self,
        pool: &mut TermPool,
        number: Number,
        width: u32,
        representation: Representation,
    ) -> Number {
        let base = base(width, representation);
        let modulus = 1i128 << width;
        let (first, last) =
            ((number.low - base).div_euclid(modulus), (number.high - base).div_euclid(modulus));
        let hint = number.hint.map(|_| representation);
        if first == last {
            let shift = -first * modulus;
            let term = add_constant(pool, number.term, shift);
            return Number { term, low: number.low + shift, high: number.high + shift, hint };
        }
        let key = (number.term, width, representation);
        let term = match self.normal.get(&key) {
            Some(&term) => term,
            None => {
                let term = if last - first <= 2 {
                    let mut result = add_constant(pool, number.term, -last * modulus);
                    for period in (first..last).rev() {
                        let end = integer(pool, base + (period + 1) * modulus);
                        let is_before = pool.lt(number.term, end);
                        let shifted = add_constant(pool, number.term, -period * modulus);
                        result = pool.ite(is_before, shifted, result);
                    }
                    result
                } else {
                    let shifted = add_constant(pool, number.term, -base);
                    let modulus = integer(pool, modulus);
                    let rest = pool.int_mod(shifted, modulus);
                    add_constant(pool, rest, base)
                };
                self.normal.insert(key, term);
                term
            }
        };
        Number { term, low: base, high: base + modulus - 1, hint }
    }

    /// A number for a term that represents bits and lies in the range of `representation` (with
    /// [`Overflow::Ignore`]: any integer).
    pub(super) fn in_range(&self, term: Term, width: u32, representation: Representation) -> Number {
        let (low, high) = match self.overflow {
            Overflow::Ignore => UNKNOWN,
            Overflow::Wrap => {
                let low = base(width, representation);
                (low, low + (1i128 << width) - 1)
            }
        };
        Number { term, low, high, hint: Some(representation) }
    }

    /// Normalizes a number whose interval has become too large.
    pub(super) fn settle(&mut self, pool: &mut TermPool, number: Number, width: u32) -> Number {
        if number.count() <= MOST_PERIODS << width {
            return number;
        }
        self.normalize(pool, number, width, number.hint.unwrap_or_default())
    }

    /// Adds the bounds of `number` as a constraint on its term.
    pub(super) fn constrain_range(&mut self, pool: &mut TermPool, number: &Number) {
        if number.is_unknown() {
            return;
        }
        for (bound, is_lower) in [(number.low, true), (number.high, false)] {
            let bound = integer(pool, bound);
            let constraint = if is_lower { pool.le(bound, number.term) } else { pool.le(number.term, bound) };
            self.constrain(pool, constraint);
        }
    }
}

/// The interval of a sum.
pub(super) fn sum(a: &Number, b: &Number) -> (i128, i128) {
    if a.is_unknown() || b.is_unknown() {
        return UNKNOWN;
    }
    interval(a.low.checked_add(b.low), a.high.checked_add(b.high))
}

/// The interval of `factor * a`.
pub(super) fn scaled(factor: i128, a: &Number) -> (i128, i128) {
    if factor == 0 {
        return (0, 0);
    }
    if a.is_unknown() {
        return UNKNOWN;
    }
    let (low, high) = (factor.checked_mul(a.low), factor.checked_mul(a.high));
    if factor < 0 { interval(high, low) } else { interval(low, high) }
}

/// The interval of a product.
pub(super) fn product(a: &Number, b: &Number) -> (i128, i128) {
    if a.is_unknown() || b.is_unknown() {
        return UNKNOWN;
    }
    let (first, second) = (scaled(a.low, b), scaled(a.high, b));
    interval(Some(first.0.min(second.0)), Some(first.1.max(second.1)))
}
