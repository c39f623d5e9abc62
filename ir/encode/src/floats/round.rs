//! Patterns of a format: unpacking and rounding.

use super::circuit::{Circuit, signed_bits_of};
use terms::{RoundingMode, Term, TermPool};

/// A float sort: the widths of the exponent and of the significand, including the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    pub(super) e: u32,
    pub(super) s: u32,
}

impl Format {
    pub(super) fn width(self) -> u32 {
        self.e + self.s
    }

    pub(super) fn bias(self) -> i64 {
        (1 << (self.e - 1)) - 1
    }

    /// The exponent of the greatest numbers.
    pub(super) fn greatest(self) -> i64 {
        self.bias()
    }

    /// The exponent of the least normal numbers, and of the unit before the binary point of
    /// subnormal numbers.
    pub(super) fn least_normal(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the least number.
    pub(super) fn least(self) -> i64 {
        self.least_normal() - i64::from(self.s - 1)
    }

    /// The width of an exponent in two's complement, with subnormal numbers normalized.
    pub(super) fn exponent_bits(self) -> u32 {
        signed_bits_of(self.least().abs())
    }
}

/// An unpacked pattern, with subnormal numbers not normalized.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) bits: Term,
    pub(super) is_negative: Term,
    pub(super) is_nan: Term,
    pub(super) is_infinite: Term,
    pub(super) is_zero: Term,
    /// The exponent field, but 1 for zeros and subnormal numbers: `e` bits, unsigned.
    pub(super) biased: Term,
    /// Including the hidden bit: `s` bits.
    pub(super) significand: Term,
}

/// A nonzero number, `significand / 2^(width-1) · 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) is_negative: Term,
    /// In two's complement.
    pub(super) exponent: Term,
    /// The significand; its highest bit is set.
    pub(super) significand: Term,
    /// The bounds of the possible exponents.
    pub(super) least: i64,
    pub(super) greatest: i64,
}

pub(super) struct Floats<'p> {
    pub(super) c: Circuit<'p>,
}

impl<'p> Floats<'p> {
    pub(super) fn new(pool: &'p mut TermPool) -> Self {
        Floats { c: Circuit { pool } }
    }

    /// The pattern without its sign.
    pub(super) fn magnitude(&mut self, format: Format, bits: Term) -> Term {
        self.c.slice(bits, format.width() - 2, 0)
    }

    pub(super) fn infinite_magnitude(&mut self, format: Format) -> Term {
        let ones = self.c.ones(format.e);
        self.c.pad(ones, format.width() - 1)
    }

    pub(super) fn with_sign(&mut self, is_negative: Term, magnitude: Term) -> Term {
        let sign = self.c.number(is_negative, 1);
        self.c.pool.concat(sign, magnitude)
    }

    pub(super) fn infinity(&mut self, format: Format, is_negative: Term) -> Term {
        let magnitude = self.infinite_magnitude(format);
        self.with_sign(is_negative, magnitude)
    }

    pub(super) fn zero(&mut self, format: Format, is_negative: Term) -> Term {
        let magnitude = self.c.zeros(format.width() - 1);
        self.with_sign(is_negative, magnitude)
    }

    /// The canonical NaN pattern.
    pub(super) fn nan(&mut self, format: Format) -> Term {
        let sign = self.c.zeros(1);
        let ones = self.c.ones(format.e + 1);
        let quiet = self.c.pool.concat(sign, ones);
        self.c.pad(quiet, format.width())
    }

    pub(super) fn negated(&mut self, format: Format, bits: Term) -> Term {
        let sign = self.c.top(bits);
        let opposite = self.c.pool.not(sign);
        let magnitude = self.magnitude(format, bits);
        self.with_sign(opposite, magnitude)
    }

    pub(super) fn absolute(&mut self, format: Format, bits: Term) -> Term {
        let positive = self.c.pool.fls();
        let magnitude = self.magnitude(format, bits);
        self.with_sign(positive, magnitude)
    }

    /// Whether two patterns represent the same SMT-LIB float, given that SMT-LIB has a single NaN;
    /// `are_canonical` if NaN patterns are already canonical.
    pub(super) fn identical(&mut self, format: Format, a: Term, b: Term, are_canonical: bool) -> Term {
        let same = self.c.pool.eq(a, b);
        if are_canonical {
            return same;
        }
        let (a, b) = (self.is_nan(format, a), self.is_nan(format, b));
        let are_nan = self.c.both(a, b);
        self.c.either(same, are_nan)
    }

    pub(super) fn is_nan(&mut self, format: Format, bits: Term) -> Term {
        self.parts(format, bits).is_nan
    }

    pub(super) fn parts(&mut self, format: Format, bits: Term) -> Parts {
        let Format { e, s } = format;
        let is_negative = self.c.top(bits);
        let field = self.c.slice(bits, e + s - 2, s - 1);
        let fraction = self.c.slice(bits, s - 2, 0);
        let is_least = self.c.is_zero(field);
        let is_special = self.c.is_ones(field);
        let is_whole = self.c.is_zero(fraction);
        let is_fractional = self.c.pool.not(is_whole);
        let is_nan = self.c.both(is_special, is_fractional);
        let is_infinite = self.c.both(is_special, is_whole);
        let is_zero = self.c.both(is_least, is_whole);
        let one = self.c.pool.bv(e, 1);
        let biased = self.c.pool.ite(is_least, one, field);
        let (low, high) = (self.c.zeros(1), self.c.pool.bv(1, 1));
        let hidden = self.c.pool.ite(is_least, low, high);
        let significand = self.c.pool.concat(hidden, fraction);
        Parts { bits, is_negative, is_nan, is_infinite, is_zero, biased, significand }
    }

    /// The exponent of the unit before the binary point, with subnormal numbers not normalized.
    pub(super) fn plain_exponent(&mut self, format: Format, parts: &Parts) -> Term {
        let wide = self.c.widen(parts.biased, format.exponent_bits());
        self.c.add_constant(wide, -format.bias())
    }

    /// The normalized number; meaningful only for nonzero finite floats.
    pub(super) fn number(&mut self, format: Format, parts: &Parts) -> Number {
        let plain = self.plain_exponent(format, parts);
        let (significand, shifted) = self.c.normalize(parts.significand);
        let width = format.exponent_bits().max(self.c.pool.width(shifted) + 1);
        let (plain, shifted) = (self.c.widen_signed(plain, width), self.c.widen(shifted, width));
        let exponent = self.c.pool.bv_sub(plain, shifted);
        let exponent = self.c.slice(exponent, format.exponent_bits() - 1, 0);
        Number {
            is_negative: parts.is_negative,
            exponent,
            significand,
            least: format.least(),
            greatest: format.greatest(),
        }
    }

    /// Rounds a number to a pattern. The lowest bit of the significand is sticky: it is set if a
    /// nonzero part below it was cut off (then the significand must have at least two bits more
    /// than the format).
    ///
    /// The exponent field followed by the kept digits without the hidden bit is a number to which
    /// rounding adds one or nothing: a carry out of the digits yields the next exponent, by the
    /// design of IEEE 754.
    pub(super) fn round(&mut self, format: Format, mode: RoundingMode, number: &Number) -> Term {
        let wanted = (format.s + 2).max(self.c.pool.width(number.significand));
        let significand = self.c.pad(number.significand, wanted);
        let most = number.least.abs().max(number.greatest.abs()) + format.bias();
        let width = signed_bits_of(most + 1).max(format.e + 2).max(self.c.pool.width(number.exponent));
        let exponent = self.c.widen_signed(number.exponent, width);
        let biased = self.c.add_constant(exponent, format.bias());
        if number.least >= format.least_normal() {
            return self.finish(format, mode, number.is_negative, biased, significand);
        }
        let one = self.c.pool.bv(width, 1);
        let is_subnormal = self.c.pool.bv_slt(biased, one);
        let missing = self.c.pool.bv_sub(one, biased);
        let missing = self.c.at_most(missing, u64::from(format.s) + 1);
        let none = self.c.zeros(self.c.pool.width(missing));
        let missing = self.c.pool.ite(is_subnormal, missing, none);
        let significand = self.c.shift_right_sticky(significand, missing);
        let biased = self.c.pool.ite(is_subnormal, one, biased);
        self.finish(format, mode, number.is_negative, biased, significand)
    }

    /// The pattern for a significand of more than `s + 1` bits. Its highest bit is set unless the
    /// exponent is the least one; biased exponents are unsigned and at least 1.
    pub(super) fn finish(
        &mut self,
        format: Format,
        mode: RoundingMode,
        is_negative: Term,
        biased: Term,
        significand: Term,
    ) -> Term {
        let Format { e, s } = format;
        let k = self.c.pool.width(significand);
        // One bit more than the field, to detect a carry.
        let biased = match self.c.pool.width(biased) {
            width if width <= e => self.c.widen(biased, e + 1),
            _ => biased,
        };
        let hidden = self.c.top(significand);
        let none = self.c.zeros(self.c.pool.width(biased));
        let field = self.c.pool.ite(hidden, biased, none);
        let fraction = self.c.slice(significand, k - 2, k - s);
        let magnitude = self.c.pool.concat(field, fraction);
        let last = self.c.bit(significand, k - s);
        let guard = self.c.bit(significand, k - s - 1);
        let rest = self.c.slice(significand, k - s - 2, 0);
        let rest = self.c.is_nonzero(rest);
        let is_up = self.is_rounded_up(mode, is_negative, last, guard, rest);
        let width = self.c.pool.width(magnitude);
        let unit = self.c.number(is_up, width);
        let magnitude = self.c.pool.bv_add(magnitude, unit);
        let infinite = self.infinite_magnitude(format);
        let least_overflow = self.c.widen(infinite, width);
        let is_overflow = self.c.pool.bv_ule(least_overflow, magnitude);
        let beyond = self.overflow(format, mode, is_negative);
        let magnitude = self.c.slice(magnitude, e + s - 2, 0);
        let magnitude = self.c.pool.ite(is_overflow, beyond, magnitude);
        self.with_sign(is_negative, magnitude)
    }

    /// The magnitude of an overflow: infinity or the greatest number.
    fn overflow(&mut self, format: Format, mode: RoundingMode, is_negative: Term) -> Term {
        let infinite = self.infinite_magnitude(format);
        let greatest = self.c.add_constant(infinite, -1);
        match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => infinite,
            RoundingMode::TowardPositive => self.c.pool.ite(is_negative, greatest, infinite),
            RoundingMode::TowardNegative => self.c.pool.ite(is_negative, infinite, greatest),
            RoundingMode::TowardZero => greatest,
        }
    }

    /// Whether the last kept digit is incremented, given this digit, the next digit, and whether
    /// the rest is nonzero.
    pub(super) fn is_rounded_up(
        &mut self,
        mode: RoundingMode,
        is_negative: Term,
        last: Term,
        guard: Term,
        rest: Term,
    ) -> Term {
        match mode {
            RoundingMode::NearestEven => {
                let is_more = self.c.either(rest, last);
                self.c.both(guard, is_more)
            }
            RoundingMode::NearestAway => guard,
            RoundingMode::TowardPositive => {
                let is_inexact = self.c.either(guard, rest);
                let is_positive = self.c.pool.not(is_negative);
                self.c.both(is_inexact, is_positive)
            }
            RoundingMode::TowardNegative => {
                let is_inexact = self.c.either(guard, rest);
                self.c.both(is_inexact, is_negative)
            }
            RoundingMode::TowardZero => self.c.pool.fls(),
        }
    }

    /// The value of the first special case that holds; `result` if there is no such case.
    pub(super) fn special(&mut self, result: Term, cases: &[(Term, Term)]) -> Term {
        cases
            .iter()
            .rev()
            .fold(result, |otherwise, &(condition, then)| self.c.pool.ite(condition, then, otherwise))
    }
}
