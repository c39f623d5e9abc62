//! Floating values: bit patterns in registers and memory, SMT-LIB floats in computations.
//!
//! Arithmetic, comparisons, classifications and conversions are the exact operators of the theory
//! of floats between [`FloatFormat::decode`] and [`FloatFormat::encode`]; sign operations work on
//! the bits. Rounding is to nearest, ties to even, in the type of the expression (`FLT_EVAL_METHOD`
//! 0; DIVERGENCE: a 32-bit x87 would keep excess precision).
//!
//! DIVERGENCE: an operation with a NaN result yields the quiet NaN without sign and payload.
//! Machines set the sign or propagate the payload of an operand; C specifies neither. Copies,
//! negation, `fabs` and `copysign` preserve all bits.
//!
//! A conversion to an integer type that cannot represent the value is undefined in C. Here it has
//! the result of the x86-64 instructions that gcc uses: the least 32-bit number for types of at
//! most 32 bits except `unsigned`, otherwise the least 64-bit number, truncated to the type.

use crate::c::hir::CompareOp;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use program::ssa::Signedness;
use terms::{FloatSign, RoundingMode, Term, TermPool};

/// A floating format in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FloatFormat {
    exponent: u32,
    significand: u32,
    /// The width in memory in bits, including padding.
    width: u32,
}

/// The default rounding mode, which is the initial mode of the machine.
pub(super) fn nearest(pool: &mut TermPool) -> Term {
    pool.rounding_mode(RoundingMode::NearestEven)
}

impl FloatFormat {
    /// Makes a format from the widths of exponent and significand (including the leading bit), and
    /// the width in memory.
    pub(super) fn new((exponent, significand): (u32, u32), width: u32) -> Self {
        Self { exponent, significand, width }
    }

    /// Whether the format is an IEEE interchange format: no explicit leading bit and no padding.
    /// The only other format is that of the x87.
    pub(super) fn is_interchange(self) -> bool {
        self.exponent + self.significand == self.width
    }

    /// The number of bits of a value; those above in memory are padding.
    pub(super) fn value_bits(self) -> u32 {
        self.sign() + 1
    }

    /// The position of the sign bit.
    fn sign(self) -> u32 {
        if self.is_interchange() { self.width - 1 } else { self.exponent + self.significand }
    }

    /// The number of bits of the integers that the format represents exactly.
    pub(super) fn digits(self) -> u32 {
        self.significand
    }

    /// Exponent and significand, as in SMT-LIB sorts.
    pub(super) fn sort(self) -> (u16, u16) {
        (self.exponent as u16, self.significand as u16)
    }

    /// The float represented by the bits.
    ///
    /// The x87 format has an explicit leading bit. If the exponent field is 0, the leading bit
    /// counts with the exponent of the least normal numbers; with another exponent field, a leading
    /// bit of 0 makes the operand invalid, which yields NaN.
    pub(super) fn decode(self, pool: &mut TermPool, bits: Term) -> Term {
        let (e, s) = self.sort();
        if self.is_interchange() {
            return pool.fp_from_bits(e, s, bits);
        }
        let sign = pool.extract(self.sign(), self.sign(), bits);
        let exponent = pool.extract(self.sign() - 1, self.significand, bits);
        let leading = pool.extract(self.significand - 1, self.significand - 1, bits);
        let fraction = pool.extract(self.significand - 2, 0, bits);
        let (none, least, set) = (pool.bv(self.exponent, 0), pool.bv(self.exponent, 1), pool.bv(1, 1));
        let is_least = pool.eq(exponent, none);
        let has_leading = pool.eq(leading, set);
        let is_raised = pool.and2(is_least, has_leading);
        let exponent = pool.ite(is_raised, least, exponent);
        let either = pool.or2(is_least, has_leading);
        let is_invalid = pool.not(either);
        let pattern = pool.concat(sign, exponent);
        let pattern = pool.concat(pattern, fraction);
        let float = pool.fp_from_bits(e, s, pattern);
        let nan = pool.fp_nan(e, s);
        pool.ite(is_invalid, nan, float)
    }

    /// The bits of a float of this format; padding is zero.
    pub(super) fn encode(self, pool: &mut TermPool, float: Term) -> Term {
        let pattern = pool.fp_to_bits(float);
        if self.is_interchange() {
            return pattern;
        }
        let fraction_bits = self.significand - 1;
        let high = pool.extract(self.exponent + fraction_bits, fraction_bits, pattern);
        let exponent = pool.extract(self.exponent + fraction_bits - 1, fraction_bits, pattern);
        let fraction = pool.extract(fraction_bits - 1, 0, pattern);
        let (none, clear, set) = (pool.bv(self.exponent, 0), pool.bv(1, 0), pool.bv(1, 1));
        let is_least = pool.eq(exponent, none);
        let leading = pool.ite(is_least, clear, set);
        let bits = pool.concat(high, leading);
        let bits = pool.concat(bits, fraction);
        pool.zero_extend(self.width - 1 - self.sign(), bits)
    }

    /// The bits of a number, rounded to the format.
    pub(super) fn constant(self, pool: &mut TermPool, number: &BigRational) -> Term {
        self.rounded(pool, RoundingMode::NearestEven, number, Self::encode)
    }

    fn rounded(
        self,
        pool: &mut TermPool,
        mode: RoundingMode,
        number: &BigRational,
        then: impl FnOnce(Self, &mut TermPool, Term) -> Term,
    ) -> Term {
        let (e, s) = self.sort();
        let (mode, real) = (pool.rounding_mode(mode), pool.real(number));
        let float = pool.fp_from_real(e, s, mode, real);
        then(self, pool, float)
    }
}

/// The number of digits from which on a constant is zero or infinity: no format has an exponent of
/// a tenth of this number.
const MOST_DIGITS: i64 = 60_000;

/// The bits of a constant as written in the source.
pub(super) fn constant(pool: &mut TermPool, format: FloatFormat, text: &str) -> Option<Term> {
    match written(text)? {
        Written::Number(number) => Some(format.constant(pool, &number)),
        Written::Huge => Some(infinity(pool, format)),
    }
}

enum Written {
    Number(BigRational),
    /// Exceeds every format.
    Huge,
}

/// The value of a decimal or hexadecimal constant without suffix.
fn written(text: &str) -> Option<Written> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix, marks, digit_bits) = match hexadecimal {
        Some(digits) => (digits, 16, ['p', 'P'], 4),
        None => (text, 10, ['e', 'E'], 1),
    };
    let (digits, exponent) = digits.split_once(marks).unwrap_or((digits, "0"));
    let exponent: i64 = match exponent.parse() {
        Ok(exponent) => exponent,
        Err(_) => {
            let magnitude = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if magnitude.is_empty() || !magnitude.chars().all(|c| c.is_ascii_digit()) {
                return None;
            }
            if exponent.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 }
        }
    };
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all: Vec<u8> = format!("{integer}{fraction}").into_bytes();
    let mantissa = BigUint::parse_bytes(&all, radix)?;
    if mantissa.is_zero() {
        return Some(Written::Number(BigRational::zero()));
    }
    let scale = exponent.saturating_sub(i64::try_from(fraction.len()).ok()?.saturating_mul(digit_bits));
    let leading = scale.saturating_add(mantissa.bits() as i64 / if radix == 10 { 3 } else { 1 });
    if leading > MOST_DIGITS {
        return Some(Written::Huge);
    }
    if leading < -MOST_DIGITS {
        return Some(Written::Number(BigRational::zero()));
    }
    let base = BigInt::from(if radix == 10 { 10 } else { 2 });
    let power = num_traits::pow(base, usize::try_from(scale.unsigned_abs()).ok()?);
    let mantissa = BigInt::from(mantissa);
    Some(Written::Number(match scale >= 0 {
        true => BigRational::from_integer(mantissa * power),
        false => BigRational::new(mantissa, power),
    }))
}

/// The bits below the sign bit.
fn magnitude(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    pool.extract(format.sign() - 1, 0, term)
}

fn sign_bit(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let bit = pool.extract(format.sign(), format.sign(), term);
    let one = pool.bv(1, 1);
    pool.eq(bit, one)
}

/// Whether the value is nonzero; NaN is nonzero.
pub(super) fn is_nonzero(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    let magnitude = magnitude(pool, format, term);
    let zero = pool.bv(format.sign(), 0);
    pool.neq(magnitude, zero)
}

/// Whether the sign bit is set.
pub(super) fn is_negative(pool: &mut TermPool, format: FloatFormat, term: Term) -> Term {
    sign_bit(pool, format, term)
}

/// The value with inverted sign.
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

/// Whether the value is in a class.
pub(super) fn is_class(pool: &mut TermPool, format: FloatFormat, term: Term, class: Class) -> Term {
    let float = format.decode(pool, term);
    match class {
        Class::Nan => pool.fp_is_nan(float),
        Class::Infinite => pool.fp_is_infinite(float),
        Class::Zero => pool.fp_is_zero(float),
        Class::Normal => pool.fp_is_normal(float),
        Class::Subnormal => pool.fp_is_subnormal(float),
        Class::Finite => {
            let (is_nan, is_infinite) = (pool.fp_is_nan(float), pool.fp_is_infinite(float));
            let is_special = pool.or2(is_nan, is_infinite);
            pool.not(is_special)
        }
    }
}

/// Infinity.
pub(super) fn infinity(pool: &mut TermPool, format: FloatFormat) -> Term {
    let (e, s) = format.sort();
    let infinity = pool.fp_infinity(e, s, FloatSign::Positive);
    format.encode(pool, infinity)
}

/// The quiet NaN without payload.
pub(super) fn not_a_number(pool: &mut TermPool, format: FloatFormat) -> Term {
    let (e, s) = format.sort();
    let nan = pool.fp_nan(e, s);
    format.encode(pool, nan)
}

/// A comparison.
pub(super) fn compare(pool: &mut TermPool, format: FloatFormat, op: CompareOp, a: Term, b: Term) -> Term {
    let (a, b) = (format.decode(pool, a), format.decode(pool, b));
    match op {
        CompareOp::Eq => pool.fp_eq(a, b),
        CompareOp::Ne => {
            let is_equal = pool.fp_eq(a, b);
            pool.not(is_equal)
        }
        CompareOp::Lt => pool.fp_lt(a, b),
        CompareOp::Gt => pool.fp_lt(b, a),
        CompareOp::Le => pool.fp_le(a, b),
        CompareOp::Ge => pool.fp_le(b, a),
    }
}

/// Whether `a` and `b` are not both numbers.
pub(super) fn unordered(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Term {
    let a = is_class(pool, format, a, Class::Nan);
    let b = is_class(pool, format, b, Class::Nan);
    pool.or2(a, b)
}

/// The four operations, rounded to nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

/// An operation on two values of one format.
pub(super) fn arithmetic(
    pool: &mut TermPool,
    format: FloatFormat,
    operation: Arithmetic,
    a: Term,
    b: Term,
) -> Term {
    let (a, b) = (format.decode(pool, a), format.decode(pool, b));
    let mode = nearest(pool);
    let result = match operation {
        Arithmetic::Add => pool.fp_add(mode, a, b),
        Arithmetic::Sub => pool.fp_sub(mode, a, b),
        Arithmetic::Mul => pool.fp_mul(mode, a, b),
        Arithmetic::Div => pool.fp_div(mode, a, b),
    };
    format.encode(pool, result)
}

/// The conversion of an integer, rounded.
pub(super) fn from_integer(
    pool: &mut TermPool,
    format: FloatFormat,
    term: Term,
    signedness: Signedness,
) -> Term {
    let ((e, s), mode) = (format.sort(), nearest(pool));
    let float = match signedness {
        Signedness::Signed => pool.fp_from_signed(e, s, mode, term),
        Signedness::Unsigned => pool.fp_from_unsigned(e, s, mode, term),
    };
    format.encode(pool, float)
}

/// The conversion to an integer type, rounded toward zero.
pub(super) fn to_integer(
    pool: &mut TermPool,
    format: FloatFormat,
    term: Term,
    width: u32,
    signedness: Signedness,
) -> Term {
    let machine = match (width, signedness) {
        (..32, _) | (32, Signedness::Signed) => 32,
        (32, Signedness::Unsigned) | (..=64, Signedness::Signed) => 64,
        // Valid from -2^63 on; 0 from 2^64 on.
        (..=64, Signedness::Unsigned) => {
            let float = format.decode(pool, term);
            let rounding = pool.rounding_mode(RoundingMode::TowardZero);
            let natural = pool.fp_to_unsigned(width, rounding, float);
            let signed = to_signed(pool, format, RoundingMode::TowardZero, float, width);
            let limit = bound(pool, format, RoundingMode::TowardPositive, width, 0);
            let is_small = pool.fp_lt(float, limit);
            let is_nan = pool.fp_is_nan(float);
            let (e, s) = format.sort();
            let nothing = pool.fp_zero(e, s, FloatSign::Positive);
            let is_negative = pool.fp_lt(float, nothing);
            let (zero, half) = (pool.bv(width, 0), pool.bv_big(width, &(BigInt::one() << (width - 1))));
            let positive = pool.ite(is_small, natural, zero);
            let number = pool.ite(is_negative, signed, positive);
            return pool.ite(is_nan, half, number);
        }
        _ => width,
    };
    let float = format.decode(pool, term);
    let number = to_signed(pool, format, RoundingMode::TowardZero, float, machine);
    pool.extract(width - 1, 0, number)
}

/// `2^bits + offset` as a float of the format.
fn bound(pool: &mut TermPool, format: FloatFormat, mode: RoundingMode, bits: u32, offset: i64) -> Term {
    let number = BigRational::from_integer((BigInt::one() << bits) + offset);
    format.rounded(pool, mode, &number, |_, _, float| float)
}

/// A float rounded to an integer of `width` bits in two's complement; the least one if it does not
/// fit, as on the machine.
pub(super) fn to_signed(
    pool: &mut TermPool,
    format: FloatFormat,
    mode: RoundingMode,
    float: Term,
    width: u32,
) -> Term {
    let rounding = pool.rounding_mode(mode);
    let integral = match mode {
        RoundingMode::TowardZero => float,
        _ => pool.fp_round_to_integral(rounding, float),
    };
    // The truncated number fits if the number lies strictly between -2^(width-1) - 1 and
    // 2^(width-1). If such a bound is not representable, the next float outward (possibly infinity)
    // bounds the same floats.
    let above = bound(pool, format, RoundingMode::TowardPositive, width - 1, 1);
    let above = pool.fp_neg(above);
    let above_least = pool.fp_lt(above, integral);
    let limit = bound(pool, format, RoundingMode::TowardPositive, width - 1, 0);
    let below_limit = pool.fp_lt(integral, limit);
    let fits = pool.and2(above_least, below_limit);
    let value = pool.fp_to_signed(width, rounding, float);
    let indefinite = pool.bv_big(width, &(BigInt::one() << (width - 1)));
    pool.ite(fits, value, indefinite)
}

/// The conversion to another format, rounded.
pub(super) fn convert(pool: &mut TermPool, from: FloatFormat, to: FloatFormat, term: Term) -> Term {
    let ((e, s), mode) = (to.sort(), nearest(pool));
    let float = from.decode(pool, term);
    let float = pool.fp_from_float(e, s, mode, float);
    to.encode(pool, float)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Value;

    const SINGLE: FloatFormat = FloatFormat { exponent: 8, significand: 24, width: 32 };
    const DOUBLE: FloatFormat = FloatFormat { exponent: 11, significand: 53, width: 64 };
    const EXTENDED: FloatFormat = FloatFormat { exponent: 15, significand: 64, width: 128 };

    fn bits(format: FloatFormat, text: &str) -> BigUint {
        let mut pool = TermPool::new();
        let term = constant(&mut pool, format, text).expect("a constant");
        let Some(Value::BitVec(bits)) = Value::of_constant(&pool, term) else { panic!("bits") };
        bits.to_natural()
    }

    #[test]
    fn constants_are_read_as_the_compiler_reads_them() {
        for (text, value) in [
            ("1.5e3", 1500.0),
            ("0x1.8p1", 3.0),
            ("0.1", 0.1),
            ("0x.8p0", 0.5),
            (".5", 0.5),
            ("1.", 1.0),
            ("4.9e-324", 5e-324),
            ("1e-999999999999", 0.0),
            ("1e999999999999999999999", f64::INFINITY),
            ("0x1p-2000", 0.0),
            ("0x1.fffffffffffff8p1023", f64::INFINITY),
            ("0e999999999999999999999", 0.0),
        ] {
            assert_eq!(bits(DOUBLE, text), f64::to_bits(value).into(), "{text}");
        }
        // Double rounding would round up.
        assert_eq!(bits(SINGLE, "0x1.000001000000000001p0"), 0x3f80_0001u32.into());
        assert_eq!(bits(SINGLE, "16777217.0"), 16_777_216f32.to_bits().into());
    }

    #[test]
    fn extended_constants_have_a_leading_bit() {
        assert_eq!(bits(EXTENDED, "1.0"), BigUint::from(0x3fff_8000_0000_0000_0000u128));
        assert_eq!(bits(EXTENDED, "0.1"), BigUint::from(0x3ffb_cccc_cccc_cccc_cccdu128));
        assert_eq!(bits(EXTENDED, "0"), BigUint::zero());
    }

    #[test]
    fn what_was_encoded_is_decoded_without_a_trace() {
        let mut pool = TermPool::new();
        let pattern = pool.symbol("x", terms::Sort::BitVec(64));
        let x = DOUBLE.decode(&mut pool, pattern);
        let mode = nearest(&mut pool);
        let sum = pool.fp_add(mode, x, x);
        let bits = DOUBLE.encode(&mut pool, sum);
        assert_eq!(DOUBLE.decode(&mut pool, bits), sum);
        let wide = pool.fp_from_float(15, 64, mode, sum);
        let bits = EXTENDED.encode(&mut pool, wide);
        assert_eq!(EXTENDED.decode(&mut pool, bits), wide);
    }
}
