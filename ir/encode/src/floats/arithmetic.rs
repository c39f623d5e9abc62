//! Operations on floats of one format.

use super::circuit::signed_bits_of;
use super::round::{Floats, Format, Number, Parts};
use terms::{Op, RoundingMode, Term};

/// Signs of the operands of a sum.
#[derive(Clone, Copy)]
pub(super) enum Sum {
    Add,
    Subtract,
}

/// The limit on digits times bits of a remainder computed digit by digit; see
/// [`Floats::remainder`].
const REMAINDER_BITS: u64 = 16_384;

impl Floats<'_> {
    pub(super) fn compare(&mut self, format: Format, op: Op, a: Term, b: Term) -> Term {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let is_unordered = self.c.either(x.is_nan, y.is_nan);
        let is_ordered = self.c.pool.not(is_unordered);
        let are_zero = self.c.both(x.is_zero, y.is_zero);
        let holds = match op {
            Op::FpEq => {
                let same = self.c.pool.eq(a, b);
                self.c.either(same, are_zero)
            }
            Op::FpLt => {
                let less = self.less(format, &x, &y);
                let is_different = self.c.pool.not(are_zero);
                self.c.both(is_different, less)
            }
            _ => {
                let greater = self.less(format, &y, &x);
                let at_most = self.c.pool.not(greater);
                self.c.either(at_most, are_zero)
            }
        };
        self.c.both(is_ordered, holds)
    }

    /// Whether the pattern of one number is less than that of another; -0 is less than +0.
    fn less(&mut self, format: Format, a: &Parts, b: &Parts) -> Term {
        let (x, y) = (self.magnitude(format, a.bits), self.magnitude(format, b.bits));
        let (below, above) = (self.c.pool.bv_ult(x, y), self.c.pool.bv_ult(y, x));
        let by_magnitude = self.c.pool.ite(a.is_negative, above, below);
        let is_same_sign = self.c.pool.eq(a.is_negative, b.is_negative);
        self.c.pool.ite(is_same_sign, by_magnitude, a.is_negative)
    }

    pub(super) fn test(&mut self, format: Format, op: Op, a: Term) -> Term {
        let parts = self.parts(format, a);
        match op {
            Op::FpIsNan => parts.is_nan,
            Op::FpIsInfinite => parts.is_infinite,
            Op::FpIsZero => parts.is_zero,
            Op::FpIsNegative | Op::FpIsPositive => {
                let is_number = self.c.pool.not(parts.is_nan);
                let sign = match op {
                    Op::FpIsNegative => parts.is_negative,
                    _ => self.c.pool.not(parts.is_negative),
                };
                self.c.both(is_number, sign)
            }
            _ => {
                let is_normal = self.c.top(parts.significand);
                if op == Op::FpIsNormal {
                    let is_special = self.c.either(parts.is_nan, parts.is_infinite);
                    let is_finite = self.c.pool.not(is_special);
                    self.c.both(is_normal, is_finite)
                } else {
                    let is_small = self.c.pool.not(is_normal);
                    let is_nonzero = self.c.pool.not(parts.is_zero);
                    self.c.both(is_small, is_nonzero)
                }
            }
        }
    }

    /// The other operand if one is NaN; the second operand for two zeros.
    pub(super) fn extremum(&mut self, format: Format, op: Op, a: Term, b: Term) -> Term {
        let is_first = match op {
            Op::FpMin => self.compare(format, Op::FpLt, a, b),
            _ => self.compare(format, Op::FpLt, b, a),
        };
        let (a_nan, b_nan) = (self.is_nan(format, a), self.is_nan(format, b));
        let chosen = self.c.pool.ite(is_first, a, b);
        self.special(chosen, &[(a_nan, b), (b_nan, a)])
    }

    /// The sign of a sum of zeros or of opposite numbers.
    fn zero_sum(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        if mode == RoundingMode::TowardNegative { self.c.either(a, b) } else { self.c.both(a, b) }
    }

    /// Aligns the smaller operand to the digits of the greater one and adds. Subnormal numbers are
    /// not normalized: their sums are exact, and the shift that normalizes a difference stops at
    /// the least exponent.
    pub(super) fn add(&mut self, format: Format, mode: RoundingMode, sum: Sum, a: Term, b: Term) -> Term {
        let Format { e, s } = format;
        let (x, mut y) = (self.parts(format, a), self.parts(format, b));
        if let Sum::Subtract = sum {
            y.is_negative = self.c.pool.not(y.is_negative);
        }
        let (x_size, y_size) = (self.magnitude(format, a), self.magnitude(format, b));
        let is_swapped = self.c.pool.bv_ult(x_size, y_size);
        let mut choose = |then: Term, otherwise: Term| self.c.pool.ite(is_swapped, then, otherwise);
        let (high, low) = (choose(y.significand, x.significand), choose(x.significand, y.significand));
        let (exponent, lesser) = (choose(y.biased, x.biased), choose(x.biased, y.biased));
        let is_negative = choose(y.is_negative, x.is_negative);
        let distance = self.c.pool.bv_sub(exponent, lesser);
        let distance = self.c.at_most(distance, u64::from(s) + 2);
        let (high, low) = (self.c.pad(high, s + 3), self.c.pad(low, s + 3));
        let low = self.c.shift_right_sticky(low, distance);
        let (high, low) = (self.c.widen(high, s + 4), self.c.widen(low, s + 4));
        let is_difference = self.c.pool.xor(x.is_negative, y.is_negative);
        let (more, less) = (self.c.pool.bv_add(high, low), self.c.pool.bv_sub(high, low));
        let total = self.c.pool.ite(is_difference, less, more);
        let (total, left) = self.c.normalize_within(total, exponent);
        let left = match self.c.pool.width(left) {
            width if width <= e => self.c.widen(left, e + 1),
            _ => left,
        };
        let biased = self.c.add_constant(left, 1);
        let result = self.finish(format, mode, is_negative, biased, total);
        let is_zero = self.c.is_zero(total);
        let zero_sign = self.zero_sum(mode, x.is_negative, y.is_negative);
        let zero = self.zero(format, zero_sign);
        let (first, second) = (self.infinity(format, x.is_negative), self.infinity(format, y.is_negative));
        let are_infinite = self.c.both(x.is_infinite, y.is_infinite);
        let is_undefined = self.c.both(are_infinite, is_difference);
        let is_nan = self.c.pool.or(&[x.is_nan, y.is_nan, is_undefined]);
        let nan = self.nan(format);
        let cases = [(is_nan, nan), (x.is_infinite, first), (y.is_infinite, second), (is_zero, zero)];
        self.special(result, &cases)
    }

    /// The exact product.
    fn product(&mut self, x: &Number, y: &Number) -> Number {
        let is_negative = self.c.pool.xor(x.is_negative, y.is_negative);
        let s = self.c.pool.width(x.significand);
        let (a, b) = (self.c.widen(x.significand, 2 * s), self.c.widen(y.significand, 2 * s));
        let product = self.c.pool.bv_mul(a, b);
        let is_long = self.c.top(product);
        let short = self.c.slice(product, 2 * s - 2, 0);
        let short = self.c.pad(short, 2 * s);
        let significand = self.c.pool.ite(is_long, product, short);
        let (least, greatest) = (x.least + y.least, x.greatest + y.greatest + 1);
        let width = signed_bits_of(least.abs().max(greatest.abs()));
        let (p, q) = (self.c.widen_signed(x.exponent, width), self.c.widen_signed(y.exponent, width));
        let exponent = self.c.pool.bv_add(p, q);
        let carry = self.c.number(is_long, width);
        let exponent = self.c.pool.bv_add(exponent, carry);
        Number { is_negative, exponent, significand, least, greatest }
    }

    pub(super) fn mul(&mut self, format: Format, mode: RoundingMode, a: Term, b: Term) -> Term {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.number(format, &x), self.number(format, &y));
        let product = self.product(&p, &q);
        let result = self.round(format, mode, &product);
        let is_zero = self.c.either(x.is_zero, y.is_zero);
        let is_infinite = self.c.either(x.is_infinite, y.is_infinite);
        let is_undefined = self.c.both(is_zero, is_infinite);
        let is_nan = self.c.pool.or(&[x.is_nan, y.is_nan, is_undefined]);
        let (nan, infinity) = (self.nan(format), self.infinity(format, product.is_negative));
        let zero = self.zero(format, product.is_negative);
        self.special(result, &[(is_nan, nan), (is_infinite, infinity), (is_zero, zero)])
    }

    pub(super) fn div(&mut self, format: Format, mode: RoundingMode, a: Term, b: Term) -> Term {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.number(format, &x), self.number(format, &y));
        let is_negative = self.c.pool.xor(x.is_negative, y.is_negative);
        // One digit more than rounding needs, for quotients below 1.
        let (quotient, is_left) = self.c.divide(p.significand, q.significand, format.s + 2);
        let sticky = self.c.number(is_left, 1);
        let quotient = self.c.pool.concat(quotient, sticky);
        let width = self.c.pool.width(quotient);
        let is_long = self.c.top(quotient);
        let short = self.c.slice(quotient, width - 2, 0);
        let short = self.c.pad(short, width);
        let significand = self.c.pool.ite(is_long, quotient, short);
        let (least, greatest) = (p.least - q.greatest - 1, p.greatest - q.least);
        let bits = signed_bits_of(least.abs().max(greatest.abs()));
        let (m, n) = (self.c.widen_signed(p.exponent, bits), self.c.widen_signed(q.exponent, bits));
        let exponent = self.c.pool.bv_sub(m, n);
        let is_short = self.c.pool.not(is_long);
        let borrow = self.c.number(is_short, bits);
        let exponent = self.c.pool.bv_sub(exponent, borrow);
        let number = Number { is_negative, exponent, significand, least, greatest };
        let result = self.round(format, mode, &number);
        let are_infinite = self.c.both(x.is_infinite, y.is_infinite);
        let are_zero = self.c.both(x.is_zero, y.is_zero);
        let is_nan = self.c.pool.or(&[x.is_nan, y.is_nan, are_infinite, are_zero]);
        let is_infinite = self.c.either(x.is_infinite, y.is_zero);
        let is_zero = self.c.either(x.is_zero, y.is_infinite);
        let (nan, infinity) = (self.nan(format), self.infinity(format, is_negative));
        let zero = self.zero(format, is_negative);
        self.special(result, &[(is_nan, nan), (is_infinite, infinity), (is_zero, zero)])
    }

    pub(super) fn sqrt(&mut self, format: Format, mode: RoundingMode, a: Term) -> Term {
        let x = self.parts(format, a);
        let p = self.number(format, &x);
        // An odd exponent leaves a factor of 2 to the significand. The root has one digit before
        // the binary point, and two digits more than the format.
        let is_odd = self.c.bit(p.exponent, 0);
        let even = self.c.widen(p.significand, format.s + 1);
        let odd = self.c.pad(p.significand, format.s + 1);
        let square = self.c.pool.ite(is_odd, odd, even);
        let square = self.c.pad(square, 2 * (format.s + 2));
        let (root, is_left) = self.c.square_root(square);
        let sticky = self.c.number(is_left, 1);
        let significand = self.c.pool.concat(root, sticky);
        let width = self.c.pool.width(p.exponent);
        let halved = self.c.slice(p.exponent, width - 1, 1);
        let number = Number {
            is_negative: self.c.pool.fls(),
            exponent: halved,
            significand,
            least: p.least.div_euclid(2),
            greatest: p.greatest.div_euclid(2),
        };
        let result = self.round(format, mode, &number);
        let is_positive = self.c.pool.not(x.is_negative);
        let is_infinite = self.c.both(x.is_infinite, is_positive);
        let nan = self.nan(format);
        let cases = [(x.is_nan, nan), (x.is_zero, a), (is_infinite, a), (x.is_negative, nan)];
        self.special(result, &cases)
    }

    /// Computed as a sum of numbers of twice the precision. A zero gets an exponent below all
    /// others, so that the other summand is unchanged.
    pub(super) fn fma(&mut self, format: Format, mode: RoundingMode, a: Term, b: Term, c: Term) -> Term {
        let [x, y, z] = [a, b, c].map(|float| self.parts(format, float));
        let [p, q, r] = [&x, &y, &z].map(|parts| self.number(format, parts));
        let product = self.product(&p, &q);
        let k = 2 * format.s;
        let (least, greatest) = (product.least - i64::from(k) - 4, product.greatest + 1);
        let width = signed_bits_of(least.abs().max(greatest.abs())) + 1;
        let lowest = self.c.pool.bv_i64(width, product.least - 1);
        let none = self.c.zeros(k);
        let is_zero_product = self.c.either(x.is_zero, y.is_zero);
        let mut summand = |number: &Number, is_zero: Term| {
            let exponent = self.c.widen_signed(number.exponent, width);
            let exponent = self.c.pool.ite(is_zero, lowest, exponent);
            let significand = self.c.pad(number.significand, k);
            (exponent, self.c.pool.ite(is_zero, none, significand))
        };
        let (m, u) = summand(&product, is_zero_product);
        let (n, v) = summand(&r, z.is_zero);
        let is_below = self.c.pool.bv_slt(m, n);
        let is_level = self.c.pool.eq(m, n);
        let is_less = self.c.pool.bv_ult(u, v);
        let is_less = self.c.both(is_level, is_less);
        let is_swapped = self.c.either(is_below, is_less);
        let mut choose = |then: Term, otherwise: Term| self.c.pool.ite(is_swapped, then, otherwise);
        let (high, low, top, bottom) = (choose(v, u), choose(u, v), choose(n, m), choose(m, n));
        let is_negative = choose(z.is_negative, product.is_negative);
        let distance = self.c.pool.bv_sub(top, bottom);
        let distance = self.c.at_most(distance, u64::from(k) + 2);
        let (high, low) = (self.c.pad(high, k + 3), self.c.pad(low, k + 3));
        let low = self.c.shift_right_sticky(low, distance);
        let (high, low) = (self.c.widen(high, k + 4), self.c.widen(low, k + 4));
        let is_difference = self.c.pool.xor(product.is_negative, z.is_negative);
        let (more, less) = (self.c.pool.bv_add(high, low), self.c.pool.bv_sub(high, low));
        let total = self.c.pool.ite(is_difference, less, more);
        let (significand, shifted) = self.c.normalize(total);
        let bits = width.max(self.c.pool.width(shifted) + 1) + 1;
        let (top, shifted) = (self.c.widen_signed(top, bits), self.c.widen(shifted, bits));
        let top = self.c.add_constant(top, 1);
        let exponent = self.c.pool.bv_sub(top, shifted);
        let number = Number { is_negative, exponent, significand, least, greatest };
        let result = self.round(format, mode, &number);
        let is_zero = self.c.is_zero(total);
        let zero_sign = self.zero_sum(mode, product.is_negative, z.is_negative);
        let zero = self.zero(format, zero_sign);
        let is_infinite = self.c.either(x.is_infinite, y.is_infinite);
        let is_undefined = self.c.both(is_infinite, is_zero_product);
        let are_infinite = self.c.both(is_infinite, z.is_infinite);
        let are_opposite = self.c.both(are_infinite, is_difference);
        let is_nan = self.c.pool.or(&[x.is_nan, y.is_nan, z.is_nan, is_undefined, are_opposite]);
        let (nan, infinity) = (self.nan(format), self.infinity(format, product.is_negative));
        self.special(result, &[(is_nan, nan), (is_infinite, infinity), (z.is_infinite, c), (is_zero, zero)])
    }

    /// Moves the binary point to the end of the significand; the part that is cut off determines
    /// the rounding.
    pub(super) fn round_to_integral(&mut self, format: Format, mode: RoundingMode, a: Term) -> Term {
        let s = format.s;
        let x = self.parts(format, a);
        let exponent = self.plain_exponent(format, &x);
        let width = self.c.pool.width(exponent).max(signed_bits_of(i64::from(s))) + 1;
        let exponent = self.c.widen_signed(exponent, width);
        let whole = self.c.pool.bv_i64(width, i64::from(s) - 1);
        let is_whole = self.c.pool.bv_sle(whole, exponent);
        let missing = self.c.pool.bv_sub(whole, exponent);
        let missing = self.c.at_most(missing, u64::from(s) + 1);
        let padded = self.c.pad(x.significand, s + 2);
        let shifted = self.c.shift_right_sticky(padded, missing);
        let integer = self.c.slice(shifted, s + 1, 2);
        let last = self.c.bit(integer, 0);
        let (guard, rest) = (self.c.bit(shifted, 1), self.c.bit(shifted, 0));
        let is_up = self.is_rounded_up(mode, x.is_negative, last, guard, rest);
        let integer = self.c.widen(integer, s + 1);
        let unit = self.c.number(is_up, s + 1);
        let integer = self.c.pool.bv_add(integer, unit);
        let result = self.integer(format, mode, x.is_negative, integer);
        let is_zero = self.c.is_zero(integer);
        let zero = self.zero(format, x.is_negative);
        let is_kept = self.c.pool.or(&[x.is_infinite, is_whole]);
        let nan = self.nan(format);
        self.special(result, &[(x.is_nan, nan), (is_kept, a), (is_zero, zero)])
    }

    /// Rounds a nonzero integer.
    pub(super) fn integer(
        &mut self,
        format: Format,
        mode: RoundingMode,
        is_negative: Term,
        magnitude: Term,
    ) -> Term {
        let width = self.c.pool.width(magnitude);
        let (significand, shifted) = self.c.normalize(magnitude);
        let greatest = i64::from(width) - 1;
        let bits = signed_bits_of(greatest).max(self.c.pool.width(shifted)) + 1;
        let shifted = self.c.widen(shifted, bits);
        let top = self.c.pool.bv_i64(bits, greatest);
        let exponent = self.c.pool.bv_sub(top, shifted);
        self.round(format, mode, &Number { is_negative, exponent, significand, least: 0, greatest })
    }

    /// The greatest number of digits before the binary point of a quotient of two floats.
    fn quotient_digits(format: Format) -> u64 {
        (format.greatest() - format.least()) as u64
    }

    /// Whether remainders of the format are computed for all operands.
    pub(super) fn has_all_remainders(format: Format) -> bool {
        Self::remainder_steps(format) == Self::quotient_digits(format)
    }

    fn remainder_steps(format: Format) -> u64 {
        Self::quotient_digits(format).min(REMAINDER_BITS / u64::from(format.s))
    }

    /// The remainder by long division, with as many steps as the difference of the exponents, up to
    /// the limit [`REMAINDER_BITS`]; and whether the limit suffices.
    pub(super) fn remainder(&mut self, format: Format, a: Term, b: Term) -> (Term, Term) {
        let s = format.s;
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.number(format, &x), self.number(format, &y));
        let steps = Self::remainder_steps(format);
        let width = self.c.pool.width(p.exponent) + 1;
        let (m, n) = (self.c.widen_signed(p.exponent, width), self.c.widen_signed(q.exponent, width));
        let distance = self.c.pool.bv_sub(m, n);
        let negative_one = self.c.pool.bv_i64(width, -1);
        let is_far_below = self.c.pool.bv_slt(distance, negative_one);
        let is_below = self.c.pool.eq(distance, negative_one);
        // |a| and its rest in units of half the last digit of |b|.
        let divisor = self.c.widen(q.significand, s + 1);
        let mut rest = self.c.widen(p.significand, s + 1);
        let mut is_odd = self.c.pool.fls();
        for step in 0..=steps {
            let (next, parity) = {
                let doubled = if step == 0 {
                    rest
                } else {
                    let low = self.c.slice(rest, s - 1, 0);
                    self.c.pad(low, s + 1)
                };
                let fits = self.c.pool.bv_ule(divisor, doubled);
                let less = self.c.pool.bv_sub(doubled, divisor);
                (self.c.pool.ite(fits, less, doubled), fits)
            };
            let number = self.c.pool.bv_i64(width, step as i64);
            let is_on = self.c.pool.bv_sle(number, distance);
            rest = self.c.pool.ite(is_on, next, rest);
            is_odd = self.c.pool.ite(is_on, parity, is_odd);
        }
        // The doubled rest; if |a| has one digit less than |b|, the rest counts half.
        let twice = self.c.pad(rest, s + 2);
        let single = self.c.widen(rest, s + 2);
        let halves = self.c.pool.ite(is_below, single, twice);
        let limit = self.c.widen(q.significand, s + 2);
        let is_more = self.c.pool.bv_ult(limit, halves);
        let is_tie = self.c.pool.eq(limit, halves);
        let is_up = self.c.both(is_tie, is_odd);
        let is_up = self.c.either(is_more, is_up);
        let whole = self.c.pad(q.significand, s + 1);
        let whole = self.c.widen(whole, s + 2);
        let opposite = self.c.pool.bv_sub(whole, halves);
        let magnitude = self.c.pool.ite(is_up, opposite, halves);
        let magnitude = self.c.slice(magnitude, s, 0);
        let is_negative = self.c.pool.xor(x.is_negative, is_up);
        let (significand, shifted) = self.c.normalize(magnitude);
        let least = format.least() - i64::from(s) - 2;
        let bits = signed_bits_of(least.abs().max(format.greatest())).max(self.c.pool.width(shifted)) + 1;
        let (unit, shifted) = (self.c.widen_signed(q.exponent, bits), self.c.widen(shifted, bits));
        let exponent = self.c.pool.bv_sub(unit, shifted);
        let number = Number { is_negative, exponent, significand, least, greatest: format.greatest() };
        let result = self.round(format, RoundingMode::NearestEven, &number);
        let is_zero = self.c.is_zero(magnitude);
        let zero = self.zero(format, x.is_negative);
        let is_nan = self.c.pool.or(&[x.is_nan, y.is_nan, x.is_infinite, y.is_zero]);
        let is_kept = self.c.pool.or(&[x.is_zero, y.is_infinite, is_far_below]);
        let nan = self.nan(format);
        let result = self.special(result, &[(is_nan, nan), (is_kept, a), (is_zero, zero)]);
        let steps = self.c.pool.bv_i64(width, steps as i64);
        let is_close = self.c.pool.bv_sle(distance, steps);
        let is_enough = self.c.pool.or(&[is_nan, is_kept, is_close]);
        (result, is_enough)
    }
}
