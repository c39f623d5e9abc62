//! Floating values as bit patterns: what can be said about them exactly without arithmetic.
//!
//! Comparisons, sign operations and classifications of the IEEE interchange formats are exact formulas over the
//! bits; conversions of constants are computed. Everything else is left to the caller, who over-approximates it.

use crate::c::hir::CompareOp;
use ir::ssa::Signedness;
use ir::term::{Term, TermPool};

/// A floating format in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FloatFormat {
    exponent: u32,
    significand: u32,
    /// Bits in memory, padding included.
    width: u32,
}

impl FloatFormat {
    /// Exponent and significand (with the leading bit) and the bits in memory.
    pub(super) fn new((exponent, significand): (u32, u32), width: u32) -> Self {
        Self { exponent, significand, width }
    }

    /// Whether it is an IEEE interchange format: no explicit leading bit and no padding.
    pub(super) fn is_interchange(self) -> bool {
        self.exponent + self.significand == self.width
    }

    fn is_single(self) -> bool {
        self.is_interchange() && self.width == 32
    }

    fn is_double(self) -> bool {
        self.is_interchange() && self.width == 64
    }

    /// The position of the sign bit.
    fn sign(self) -> u32 {
        if self.is_interchange() { self.width - 1 } else { self.exponent + self.significand }
    }
}

/// The bits of a constant as written in the source: only for `float` and `double`.
pub(super) fn constant(pool: &mut TermPool, format: FloatFormat, text: &str) -> Option<Term> {
    let bits = if format.is_double() {
        parse_double(text)?.to_bits()
    } else if format.is_single() {
        let single = match parse_hexadecimal(text) {
            // Rounding twice is wrong in rare cases, so only values that are exact are taken.
            Some(double) => Some(double as f32).filter(|&single| f64::from(single) == double)?,
            None => text.parse::<f32>().ok()?,
        };
        u64::from(single.to_bits())
    } else if parse_double(text) == Some(0.0) {
        0
    } else {
        return None;
    };
    Some(pool.bv(format.width, bits))
}

fn parse_double(text: &str) -> Option<f64> {
    match parse_hexadecimal(text) {
        Some(value) => Some(value),
        None if text.starts_with("0x") || text.starts_with("0X") => None,
        None => text.parse().ok(),
    }
}

/// A hexadecimal constant of at most 53 significant bits that is a normal double.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (digits, exponent) = digits.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut mantissa: u64 = 0;
    for digit in integer.chars().chain(fraction.chars()) {
        let digit = u64::from(digit.to_digit(16)?);
        mantissa = mantissa.checked_mul(16)?.checked_add(digit)?;
    }
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    let shift = mantissa.trailing_zeros().min(63);
    let (mantissa, scale) = (mantissa >> shift, scale.checked_add(shift as i32)?);
    if mantissa >= 1 << 53 || !(-900..=900).contains(&scale) {
        return None;
    }
    Some(mantissa as f64 * 2_f64.powi(scale))
}

/// Without the sign bit and what is above it.
fn magnitude(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    pool.extract(format.sign() - 1, 0, term)
}

fn sign_bit(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let bit = pool.extract(format.sign(), format.sign(), term);
    let one = pool.bv(1, 1);
    pool.eq(bit, one)
}

/// Whether the value is not zero (so it may be a NaN).
pub(super) fn is_nonzero(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let magnitude = magnitude(pool, format, term);
    let zero = pool.bv(format.sign(), 0);
    pool.neq(magnitude, zero)
}

/// Whether the sign bit is set.
pub(super) fn is_negative(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    sign_bit(pool, format, term)
}

/// The magnitude of infinity: all exponent bits set.
fn infinite_magnitude(pool: &mut TermPool, format: FloatFormat) -> Term {
    let ones = pool.bv(format.exponent, 0);
    let ones = pool.bv_not(ones);
    let zeros = pool.bv(format.significand - 1, 0);
    pool.concat(ones, zeros)
}

/// The value with its sign changed.
pub(super) fn negate(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let bit = pool.extract(format.sign(), format.sign(), term);
    let bit = pool.bv_not(bit);
    with_sign(pool, format, term, bit)
}

/// The value without its sign.
pub(super) fn absolute(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let bit = pool.bv(1, 0);
    with_sign(pool, format, term, bit)
}

/// The first value with the sign of the second.
pub(super) fn copy_sign(pool: &mut TermPool, format: FloatFormat, term: Term, from: Term) -> Term {
    let bit = pool.extract(format.sign(), format.sign(), from);
    with_sign(pool, format, term, bit)
}

fn with_sign(pool: &mut TermPool, format: FloatFormat, term: Term, bit: Term) -> Term {
    let magnitude = magnitude(pool, format, term);
    let signed = pool.concat(bit, magnitude);
    match format.width - 1 - format.sign() {
        0 => signed,
        _ => {
            let padding = pool.extract(format.width - 1, format.sign() + 1, term);
            pool.concat(padding, signed)
        }
    }
}

/// Classes of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Nan,
    Infinite,
    Finite,
    Normal,
    Zero,
    Subnormal,
}

/// Whether the value is in a class; for interchange formats.
pub(super) fn is_class(pool: &mut TermPool, format: FloatFormat, term: Term, class: Class) -> Option<Term> {
    if !format.is_interchange() {
        return None;
    }
    let infinity = infinite_magnitude(pool, format);
    let magnitude = magnitude(pool, format, term);
    let zero = pool.bv(format.sign(), 0);
    Some(match class {
        Class::Nan => pool.bv_ult(infinity, magnitude),
        Class::Infinite => pool.eq(magnitude, infinity),
        Class::Finite => pool.bv_ult(magnitude, infinity),
        Class::Zero => pool.eq(magnitude, zero),
        Class::Normal | Class::Subnormal => {
            let exponent = pool.extract(format.sign() - 1, format.significand - 1, magnitude);
            let none = pool.bv(format.exponent, 0);
            let is_small = pool.eq(exponent, none);
            if class == Class::Normal {
                let is_finite = pool.bv_ult(magnitude, infinity);
                let is_large = pool.not(is_small);
                pool.and2(is_finite, is_large)
            } else {
                let is_nonzero = pool.neq(magnitude, zero);
                pool.and2(is_small, is_nonzero)
            }
        }
    })
}

/// Infinity; for interchange formats.
pub(super) fn infinity(pool: &mut TermPool, format: FloatFormat) -> Option<Term> {
    if !format.is_interchange() {
        return None;
    }
    let magnitude = infinite_magnitude(pool, format);
    let sign = pool.bv(1, 0);
    Some(pool.concat(sign, magnitude))
}

/// A comparison; for interchange formats.
pub(super) fn compare(
    pool: &mut TermPool,
    format: FloatFormat,
    op: CompareOp,
    a: Term,
    b: Term,
) -> Option<Term> {
    let a_nan = is_class(pool, format, a, Class::Nan)?;
    let b_nan = is_class(pool, format, b, Class::Nan)?;
    let is_unordered = pool.or2(a_nan, b_nan);
    let is_ordered = pool.not(is_unordered);
    Some(match op {
        CompareOp::Eq | CompareOp::Ne => {
            let is_equal = equal(pool, format, a, b);
            let is_equal = pool.and2(is_ordered, is_equal);
            if op == CompareOp::Eq { is_equal } else { pool.not(is_equal) }
        }
        CompareOp::Lt => {
            let is_less = less(pool, format, a, b);
            pool.and2(is_ordered, is_less)
        }
        CompareOp::Gt => {
            let is_less = less(pool, format, b, a);
            pool.and2(is_ordered, is_less)
        }
        CompareOp::Le => {
            let is_less = less(pool, format, b, a);
            let is_not = pool.not(is_less);
            pool.and2(is_ordered, is_not)
        }
        CompareOp::Ge => {
            let is_less = less(pool, format, a, b);
            let is_not = pool.not(is_less);
            pool.and2(is_ordered, is_not)
        }
    })
}

fn are_both_zero(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Term {
    let a = is_nonzero(pool, format, a);
    let b = is_nonzero(pool, format, b);
    let either = pool.or2(a, b);
    pool.not(either)
}

fn equal(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Term {
    let same = pool.eq(a, b);
    let zeros = are_both_zero(pool, format, a, b);
    pool.or2(same, zeros)
}

/// `a < b` where neither is a NaN.
fn less(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Term {
    let (a_negative, b_negative) = (sign_bit(pool, format, a), sign_bit(pool, format, b));
    let (a_magnitude, b_magnitude) = (magnitude(pool, format, a), magnitude(pool, format, b));
    let below = pool.bv_ult(a_magnitude, b_magnitude);
    let above = pool.bv_ult(b_magnitude, a_magnitude);
    let same_sign = pool.ite(a_negative, above, below);
    let signs_agree = pool.eq(a_negative, b_negative);
    let is_less = pool.ite(signs_agree, same_sign, a_negative);
    let zeros = are_both_zero(pool, format, a, b);
    let not_zeros = pool.not(zeros);
    pool.and2(not_zeros, is_less)
}

/// Whether `a` and `b` are not both numbers.
pub(super) fn unordered(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Option<Term> {
    let a = is_class(pool, format, a, Class::Nan)?;
    let b = is_class(pool, format, b, Class::Nan)?;
    Some(pool.or2(a, b))
}

/// The conversion of a constant integer of at most 64 bits.
pub(super) fn from_integer(
    pool: &mut TermPool,
    format: FloatFormat,
    term: Term,
    signedness: Signedness,
) -> Option<Term> {
    let (width, _) = pool.as_bv(term)?;
    let value = pool.as_bv_u64(term).filter(|_| width <= 64)?;
    let value = match signedness {
        Signedness::Signed => i128::from((value << (64 - width)) as i64 >> (64 - width)),
        Signedness::Unsigned => i128::from(value),
    };
    if format.is_double() {
        Some(pool.bv(64, (value as f64).to_bits()))
    } else if format.is_single() {
        Some(pool.bv(32, u64::from((value as f32).to_bits())))
    } else if value == 0 {
        Some(pool.bv(format.width, 0))
    } else {
        None
    }
}

fn constant_double(pool: &TermPool, format: FloatFormat, term: Term) -> Option<f64> {
    let bits = pool.as_bv_u64(term)?;
    if format.is_double() {
        Some(f64::from_bits(bits))
    } else if format.is_single() {
        Some(f64::from(f32::from_bits(bits as u32)))
    } else {
        None
    }
}

/// The conversion of a constant to an integer type that can represent it.
pub(super) fn to_integer(
    pool: &mut TermPool,
    format: FloatFormat,
    term: Term,
    width: u32,
    signedness: Signedness,
) -> Option<Term> {
    let value = constant_double(pool, format, term)?.trunc();
    let bound = 2_f64.powi(width as i32 - i32::from(signedness == Signedness::Signed));
    let low = if signedness == Signedness::Signed { -bound } else { 0.0 };
    if width > 64 || !(value >= low && value < bound) {
        return None;
    }
    Some(pool.bv_i64(width, value as i128 as i64))
}

/// The conversion of a constant, and of any `float` to `double`.
pub(super) fn convert(pool: &mut TermPool, from: FloatFormat, to: FloatFormat, term: Term) -> Option<Term> {
    if from.is_single() && to.is_double() {
        return Some(widen(pool, term));
    }
    let value = constant_double(pool, from, term).filter(|value| !value.is_nan())?;
    if to.is_double() {
        Some(pool.bv(64, value.to_bits()))
    } else if to.is_single() {
        Some(pool.bv(32, u64::from((value as f32).to_bits())))
    } else if value == 0.0 && value.is_sign_positive() {
        Some(pool.bv(to.width, 0))
    } else {
        None
    }
}

/// A `float` as a `double`, which is exact. A signaling NaN becomes a quiet one.
fn widen(pool: &mut TermPool, term: Term) -> Term {
    let sign = pool.extract(31, 31, term);
    let exponent = pool.extract(30, 23, term);
    let fraction = pool.extract(22, 0, term);
    let (zero_exponent, no_fraction) = (pool.bv(8, 0), pool.bv(23, 0));
    let is_small = pool.eq(exponent, zero_exponent);
    let is_whole = pool.eq(fraction, no_fraction);
    let all_ones = pool.bv(8, 255);
    let is_special = pool.eq(exponent, all_ones);
    let padding = pool.bv(29, 0);
    let shifted = pool.concat(fraction, padding);
    // Normal: the exponent gets another bias.
    let wide = pool.zero_extend(3, exponent);
    let bias = pool.bv(11, 1023 - 127);
    let wide = pool.bv_add(wide, bias);
    let normal = pool.concat(wide, shifted);
    // Infinity and NaN.
    let quiet = pool.bv(52, 1 << 51);
    let quieted = pool.bv_or(shifted, quiet);
    let payload = pool.ite(is_whole, shifted, quieted);
    let top = pool.bv(11, 2047);
    let special = pool.concat(top, payload);
    // Subnormal: normalized by the position of the highest bit.
    let mut small = pool.bv(63, 0);
    let wide_fraction = pool.zero_extend(29, fraction);
    for position in 0..23 {
        let bit = pool.extract(position, position, fraction);
        let one = pool.bv(1, 1);
        let is_set = pool.eq(bit, one);
        let amount = pool.bv(52, 52 - u64::from(position));
        let significand = pool.bv_shl(wide_fraction, amount);
        let exponent = pool.bv(11, u64::from(position) + 1023 - 149);
        let value = pool.concat(exponent, significand);
        small = pool.ite(is_set, value, small);
    }
    let large = pool.ite(is_special, special, normal);
    let magnitude = pool.ite(is_small, small, large);
    pool.concat(sign, magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: FloatFormat = FloatFormat { exponent: 8, significand: 24, width: 32 };
    const DOUBLE: FloatFormat = FloatFormat { exponent: 11, significand: 53, width: 64 };
    const EDGES: [f32; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e-45,
        1e-40,
        -3e-39,
        0.1,
        16_777_217.0,
    ];

    #[test]
    fn every_single_is_widened_exactly() {
        let mut pool = TermPool::new();
        for single in EDGES {
            let term = pool.bv(32, u64::from(single.to_bits()));
            let wide = convert(&mut pool, SINGLE, DOUBLE, term).expect("widening is exact");
            assert_eq!(pool.as_bv_u64(wide), Some(f64::from(single).to_bits()), "{single}");
        }
    }

    #[test]
    fn comparisons_agree_with_the_machine() {
        let mut pool = TermPool::new();
        for a in EDGES {
            for b in EDGES {
                let (x, y) = (pool.bv(32, u64::from(a.to_bits())), pool.bv(32, u64::from(b.to_bits())));
                for (op, expected) in [
                    (CompareOp::Eq, a == b),
                    (CompareOp::Ne, a != b),
                    (CompareOp::Lt, a < b),
                    (CompareOp::Le, a <= b),
                    (CompareOp::Gt, a > b),
                    (CompareOp::Ge, a >= b),
                ] {
                    let term = compare(&mut pool, SINGLE, op, x, y).expect("an interchange format");
                    assert_eq!(pool.as_bool(term), Some(expected), "{a} {op:?} {b}");
                }
            }
        }
    }

    #[test]
    fn constants_are_read_as_the_compiler_reads_them() {
        let mut pool = TermPool::new();
        for (text, value) in
            [("1.5e3", 1500.0), ("0x1.8p1", 3.0), ("0.1", 0.1), ("0x.8p0", 0.5), (".5", 0.5), ("1.", 1.0)]
        {
            let term = constant(&mut pool, DOUBLE, text).expect("a constant");
            assert_eq!(pool.as_bv_u64(term), Some(f64::to_bits(value)), "{text}");
        }
    }
}
