//! Conversions from and to floats.

use super::circuit::signed_bits_of;
use super::round::{Floats, Format};
use terms::Signedness;
use terms::{RoundingMode, Term};

impl Floats<'_> {
    pub(super) fn converted(&mut self, from: Format, to: Format, mode: RoundingMode, a: Term) -> Term {
        let x = self.parts(from, a);
        let number = self.number(from, &x);
        let result = self.round(to, mode, &number);
        let (nan, infinity) = (self.nan(to), self.infinity(to, x.is_negative));
        let zero = self.zero(to, x.is_negative);
        self.special(result, &[(x.is_nan, nan), (x.is_infinite, infinity), (x.is_zero, zero)])
    }

    pub(super) fn float_of_integer(
        &mut self,
        to: Format,
        mode: RoundingMode,
        signedness: Signedness,
        a: Term,
    ) -> Term {
        let (is_negative, magnitude) = match signedness {
            Signedness::Unsigned => (self.c.pool.fls(), a),
            Signedness::Signed => {
                let is_negative = self.c.top(a);
                let opposite = self.c.pool.bv_neg(a);
                (is_negative, self.c.pool.ite(is_negative, opposite, a))
            }
        };
        let result = self.integer(to, mode, is_negative, magnitude);
        let is_zero = self.c.is_zero(a);
        let zero = self.c.zeros(to.width());
        self.special(result, &[(is_zero, zero)])
    }

    /// The integer; 0 if it is out of range.
    ///
    /// The significand is loaded into a register below the binary point and shifted left by its
    /// exponent, as far as integers of the width reach.
    pub(super) fn integer_of_float(
        &mut self,
        from: Format,
        mode: RoundingMode,
        signedness: Signedness,
        width: u32,
        a: Term,
    ) -> Term {
        let s = from.s;
        let x = self.parts(from, a);
        let exponent = self.plain_exponent(from, &x);
        let bits = self.c.pool.width(exponent).max(signed_bits_of(i64::from(width))) + 2;
        let exponent = self.c.widen_signed(exponent, bits);
        let places = self.c.add_constant(exponent, 1);
        let none = self.c.zeros(bits);
        let is_tiny = self.c.pool.bv_slt(places, none);
        let most = self.c.pool.bv_i64(bits, i64::from(width) + 1);
        let is_huge = self.c.pool.bv_slt(most, places);
        let distance = self.c.pool.ite(is_tiny, none, places);
        let distance = self.c.at_most(distance, u64::from(width) + 1);
        let register = self.c.widen(x.significand, width + 1 + s);
        let register = self.c.shift_left(register, distance);
        let integer = self.c.slice(register, width + s, s);
        let fraction = self.c.slice(register, s - 1, 0);
        let half = self.c.top(fraction);
        let below = self.c.slice(fraction, s - 2, 0);
        let below = self.c.is_nonzero(below);
        // For numbers below one half, even the first digit is zero.
        let is_whole_number = self.c.pool.not(is_tiny);
        let guard = self.c.both(half, is_whole_number);
        let tiny_rest = self.c.is_nonzero(x.significand);
        let rest = self.c.pool.ite(is_tiny, tiny_rest, below);
        let last = self.c.bit(integer, 0);
        let is_up = self.is_rounded_up(mode, x.is_negative, last, guard, rest);
        let integer = self.c.widen(integer, width + 2);
        let unit = self.c.number(is_up, width + 2);
        let magnitude = self.c.pool.bv_add(integer, unit);
        let fits = self.fits(signedness, width, x.is_negative, magnitude);
        let opposite = self.c.pool.bv_neg(magnitude);
        let value = self.c.pool.ite(x.is_negative, opposite, magnitude);
        let value = self.c.slice(value, width - 1, 0);
        let is_beyond = self.c.pool.or(&[x.is_nan, x.is_infinite, is_huge]);
        let does_not_fit = self.c.pool.not(fits);
        let zero = self.c.zeros(width);
        self.special(value, &[(is_beyond, zero), (does_not_fit, zero)])
    }

    /// Whether an integer given by its sign and magnitude (of two bits more) fits `width` bits.
    fn fits(&mut self, signedness: Signedness, width: u32, is_negative: Term, magnitude: Term) -> Term {
        let two_more = width + 2;
        let power = |floats: &mut Self, exponent: u32| {
            let one = floats.c.pool.bv(1, 1);
            let padded = floats.c.pad(one, exponent + 1);
            floats.c.widen(padded, two_more)
        };
        match signedness {
            Signedness::Unsigned => {
                let limit = power(self, width);
                let positive = self.c.pool.bv_ult(magnitude, limit);
                let is_zero = self.c.is_zero(magnitude);
                self.c.pool.ite(is_negative, is_zero, positive)
            }
            Signedness::Signed => {
                let limit = power(self, width - 1);
                let positive = self.c.pool.bv_ult(magnitude, limit);
                let negative = self.c.pool.bv_ule(magnitude, limit);
                self.c.pool.ite(is_negative, negative, positive)
            }
        }
    }
}
