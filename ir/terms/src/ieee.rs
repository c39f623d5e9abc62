//! Exact IEEE 754 binary floats of any format.
//!
//! # Idea
//! A finite float is an integer times a power of two ([`Finite`]), so every operation of IEEE 754
//! is an exact computation with big integers followed by one rounding, [`Format::round`]. If the
//! exact result has infinitely many digits (quotients, roots) or too many (sums of operands of very
//! different magnitude), the computation stops after two digits more than the format has and
//! records whether a nonzero rest was cut off ([`Rest`]): no rounding mode depends on more.
//!
//! Constant folding and evaluation share this definition, as they share `bits` for bit vectors. It
//! follows SMT-LIB's theory `FloatingPoint`: one NaN, no flags, no traps. Results that the theory
//! leaves unspecified are [`Outcome::Unspecified`].
//!
//! # Cost and limits
//! Linear in the width of the format, up to multiplication and division of integers of that width,
//! even if exponents differ by 2^59 (a remainder takes one modular power). Exponents of more than
//! [`MAX_EXPONENT`] bits are [`Outcome::Unsupported`], except for comparisons, classification and
//! signs; so are reals of more than [`MAX_REAL`] binary digits.

mod arithmetic;
mod convert;

use super::{BitVector, Op, RoundingMode, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// The greatest exponent width that arithmetic supports: all sums of exponents fit 64 bits.
const MAX_EXPONENT: u16 = 60;

/// The greatest magnitude of the exponent of a float that is converted to a real.
const MAX_REAL: i64 = 1 << 20;

/// The sign of a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatSign {
    /// `+`.
    Positive,
    /// `-`.
    Negative,
}

impl FloatSign {
    fn opposite(self) -> Self {
        match self {
            FloatSign::Positive => FloatSign::Negative,
            FloatSign::Negative => FloatSign::Positive,
        }
    }

    /// The sign of a product or quotient.
    fn times(self, other: Self) -> Self {
        if self == other { FloatSign::Positive } else { FloatSign::Negative }
    }

    /// The sign of an exact zero that is the sum of numbers of opposite signs.
    fn of_zero_sum(mode: RoundingMode) -> Self {
        if mode == RoundingMode::TowardNegative { FloatSign::Negative } else { FloatSign::Positive }
    }
}

/// A float sort: widths of the exponent and of the significand (including the hidden bit), each at
/// least 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    pub(super) exponent: u16,
    pub(super) significand: u16,
}

/// `magnitude · 2^exponent` with a sign; the magnitude is not 0.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finite {
    sign: FloatSign,
    magnitude: BigUint,
    exponent: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Float {
    Nan,
    Infinity(FloatSign),
    Zero(FloatSign),
    Finite(Finite),
}

/// The rest that was cut off below the last digit of a magnitude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Nothing,
    /// Greater than 0 and less than the unit of the last digit.
    Something,
}

impl Rest {
    fn of(remainder: &BigUint) -> Self {
        if remainder.is_zero() { Rest::Nothing } else { Rest::Something }
    }
}

/// The result of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Value(Value),
    /// SMT-LIB leaves the result unspecified.
    Unspecified,
    /// Exceeds the limits of this module.
    Unsupported,
    /// The arguments are ill-sorted for the operator.
    IllSorted,
}

/// Drops the `shift` lowest digits of `magnitude` and rounds to an integer.
fn round_shifted(
    mode: RoundingMode,
    sign: FloatSign,
    magnitude: &BigUint,
    shift: u64,
    rest: Rest,
) -> BigUint {
    debug_assert!(shift > 0);
    let kept = magnitude >> shift;
    let is_half = magnitude.bit(shift - 1);
    let is_more =
        rest == Rest::Something || magnitude.trailing_zeros().is_some_and(|zeros| zeros < shift - 1);
    let is_up = match mode {
        RoundingMode::NearestEven => is_half && (is_more || kept.bit(0)),
        RoundingMode::NearestAway => is_half,
        RoundingMode::TowardPositive => sign == FloatSign::Positive && (is_half || is_more),
        RoundingMode::TowardNegative => sign == FloatSign::Negative && (is_half || is_more),
        RoundingMode::TowardZero => false,
    };
    if is_up { kept + 1u32 } else { kept }
}

impl Format {
    pub(super) fn new(exponent: u16, significand: u16) -> Self {
        assert!(
            exponent >= 2 && significand >= 2,
            "a float should have two bits of exponent and two of significand, not {exponent} and {significand}"
        );
        Format { exponent, significand }
    }

    pub(super) fn width(self) -> u32 {
        u32::from(self.exponent) + u32::from(self.significand)
    }

    fn sign_bit(self) -> u64 {
        u64::from(self.width()) - 1
    }

    /// Whether every float of `other` is a float of this format.
    pub(super) fn contains(self, other: Format) -> bool {
        self.exponent >= other.exponent && self.significand >= other.significand
    }

    // ---- patterns ----

    /// The canonical NaN pattern: quiet, positive, without payload.
    pub(super) fn nan(self) -> BigUint {
        ((BigUint::one() << (self.exponent + 1)) - 1u32) << (self.significand - 2)
    }

    fn positive_infinity(self) -> BigUint {
        ((BigUint::one() << self.exponent) - 1u32) << (self.significand - 1)
    }

    pub(super) fn infinity(self, sign: FloatSign) -> BigUint {
        self.with_sign(self.positive_infinity(), sign)
    }

    pub(super) fn zero(self, sign: FloatSign) -> BigUint {
        self.with_sign(BigUint::zero(), sign)
    }

    fn with_sign(self, mut bits: BigUint, sign: FloatSign) -> BigUint {
        bits.set_bit(self.sign_bit(), sign == FloatSign::Negative);
        bits
    }

    fn sign_of(self, bits: &BigUint) -> FloatSign {
        if bits.bit(self.sign_bit()) { FloatSign::Negative } else { FloatSign::Positive }
    }

    /// The pattern with a positive sign.
    fn magnitude_of(self, bits: &BigUint) -> BigUint {
        self.with_sign(bits.clone(), FloatSign::Positive)
    }

    fn is_nan(self, bits: &BigUint) -> bool {
        self.magnitude_of(bits) > self.positive_infinity()
    }

    /// The canonical NaN pattern if `bits` is a NaN pattern, else `bits`.
    pub(super) fn canonical(self, bits: &BigUint) -> BigUint {
        if self.is_nan(bits) { self.nan() } else { bits.clone() }
    }

    /// Whether this is a pattern of the format, and canonical if it is NaN.
    pub(super) fn is_canonical(self, bits: &BigUint) -> bool {
        bits.bits() <= u64::from(self.width()) && (!self.is_nan(bits) || *bits == self.nan())
    }

    /// A number that orders patterns (except NaN) as the floats they represent; both zeros are 0.
    fn key(self, bits: &BigUint) -> BigInt {
        let sign = match self.sign_of(bits) {
            FloatSign::Positive => Sign::Plus,
            FloatSign::Negative => Sign::Minus,
        };
        BigInt::from_biguint(sign, self.magnitude_of(bits))
    }

    // ---- numbers ----

    /// The exponent of the greatest numbers; `1 - max_exponent` is that of the least normal
    /// numbers.
    fn max_exponent(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the last digit of the subnormal and the least normal numbers.
    fn least_unit(self) -> i64 {
        2 - self.max_exponent() - i64::from(self.significand)
    }

    fn unpack(self, bits: &BigUint) -> Float {
        let sign = self.sign_of(bits);
        let magnitude = self.magnitude_of(bits);
        let infinity = self.positive_infinity();
        if magnitude.is_zero() {
            return Float::Zero(sign);
        } else if magnitude == infinity {
            return Float::Infinity(sign);
        } else if magnitude > infinity {
            return Float::Nan;
        }
        let fraction_bits = u64::from(self.significand) - 1;
        let biased = &magnitude >> fraction_bits;
        let biased = biased.iter_u64_digits().next().unwrap_or(0) as i64;
        let mut digits = magnitude & ((BigUint::one() << fraction_bits) - 1u32);
        if biased > 0 {
            digits.set_bit(fraction_bits, true);
        }
        Float::Finite(Finite { sign, magnitude: digits, exponent: self.least_unit() + (biased - 1).max(0) })
    }

    /// The pattern of a float of this format.
    fn pack(self, float: &Float) -> BigUint {
        let finite = match float {
            Float::Nan => return self.nan(),
            Float::Infinity(sign) => return self.infinity(*sign),
            Float::Zero(sign) => return self.zero(*sign),
            Float::Finite(finite) => finite,
        };
        let leading = finite.exponent + finite.magnitude.bits() as i64 - 1;
        let unit = (leading + 1 - i64::from(self.significand)).max(self.least_unit());
        let shift = finite.exponent - unit;
        let digits = if shift >= 0 {
            &finite.magnitude << shift as u64
        } else {
            debug_assert!(finite.magnitude.trailing_zeros().is_some_and(|zeros| zeros as i64 >= -shift));
            &finite.magnitude >> (-shift) as u64
        };
        // The hidden bit of a normal number increments the exponent field by one.
        let biased = BigUint::from((unit - self.least_unit()) as u64);
        self.with_sign((biased << (self.significand - 1)) + digits, finite.sign)
    }

    /// Rounds `finite`, whose magnitude has a `rest` below its last digit. If the rest is not zero,
    /// the magnitude must have more digits than the format.
    fn round(self, mode: RoundingMode, finite: Finite, rest: Rest) -> Float {
        let Finite { sign, magnitude, exponent } = finite;
        debug_assert!(!magnitude.is_zero());
        debug_assert!(rest == Rest::Nothing || magnitude.bits() > u64::from(self.significand));
        let leading = exponent + magnitude.bits() as i64 - 1;
        let unit = (leading + 1 - i64::from(self.significand)).max(self.least_unit());
        let (magnitude, exponent) = if unit > exponent {
            (round_shifted(mode, sign, &magnitude, (unit - exponent) as u64, rest), unit)
        } else {
            (magnitude, exponent)
        };
        if magnitude.is_zero() {
            return Float::Zero(sign);
        }
        if exponent + magnitude.bits() as i64 - 1 <= self.max_exponent() {
            return Float::Finite(Finite { sign, magnitude, exponent });
        }
        let is_infinite = match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::TowardPositive => sign == FloatSign::Positive,
            RoundingMode::TowardNegative => sign == FloatSign::Negative,
            RoundingMode::TowardZero => false,
        };
        if is_infinite {
            return Float::Infinity(sign);
        }
        Float::Finite(Finite {
            sign,
            magnitude: (BigUint::one() << self.significand) - 1u32,
            exponent: self.max_exponent() + 1 - i64::from(self.significand),
        })
    }

    fn value(self, bits: BigUint) -> Value {
        Value::Float { exponent: self.exponent, significand: self.significand, bits }
    }
}

/// The semantics of the float operators.
pub(super) fn apply(op: Op, arguments: &[&Value]) -> Outcome {
    evaluate(op, arguments).unwrap_or(Outcome::IllSorted)
}

/// `None` if the arguments are ill-sorted.
fn evaluate(op: Op, arguments: &[&Value]) -> Option<Outcome> {
    let value = |value: Value| Some(Outcome::Value(value));
    // Signs, classification and comparisons work on patterns.
    match (op, arguments) {
        (Op::FpAbs | Op::FpNeg, [a]) => {
            let (format, bits) = parts(a)?;
            if format.is_nan(bits) {
                return value(format.value(format.nan()));
            }
            let sign = match op {
                Op::FpAbs => FloatSign::Positive,
                _ => format.sign_of(bits).opposite(),
            };
            return value(format.value(format.with_sign(bits.clone(), sign)));
        }
        (Op::FpLe | Op::FpLt | Op::FpEq, [a, b]) => {
            let ((format, a), (other, b)) = (parts(a)?, parts(b)?);
            if format != other {
                return None;
            }
            let order = format.key(a).cmp(&format.key(b));
            let holds = match op {
                Op::FpLe => order.is_le(),
                Op::FpLt => order.is_lt(),
                _ => order.is_eq(),
            };
            return value(Value::Bool(holds && !format.is_nan(a) && !format.is_nan(b)));
        }
        (
            Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNan
            | Op::FpIsNegative
            | Op::FpIsPositive,
            [a],
        ) => {
            let (format, bits) = parts(a)?;
            return value(Value::Bool(format.test(op, bits)));
        }
        (Op::FpMin | Op::FpMax, [a, b]) => return arithmetic::extremum(op, a, b),
        (Op::FpFromBits { exponent, significand }, [Value::BitVec(bits)]) => {
            let format = Format::new(exponent, significand);
            if bits.width() != format.width() {
                return None;
            }
            return value(format.value(format.canonical(&bits.to_natural())));
        }
        (Op::FpToBits, [a]) => {
            let (format, bits) = parts(a)?;
            return value(Value::BitVec(BitVector::from_natural(format.width(), bits.clone())));
        }
        _ => {}
    }
    let has_long_exponent =
        |value: &&&Value| matches!(value, Value::Float { exponent, .. } if *exponent > MAX_EXPONENT);
    if arguments.iter().any(|argument| has_long_exponent(&argument)) {
        return Some(Outcome::Unsupported);
    }
    match op {
        Op::FpAdd
        | Op::FpSub
        | Op::FpMul
        | Op::FpDiv
        | Op::FpFma
        | Op::FpSqrt
        | Op::FpRem
        | Op::FpRoundToIntegral => arithmetic::apply(op, arguments),
        _ => convert::apply(op, arguments),
    }
}

/// Format and pattern of a float.
fn parts(value: &Value) -> Option<(Format, &BigUint)> {
    match value {
        Value::Float { exponent, significand, bits } => Some((Format::new(*exponent, *significand), bits)),
        _ => None,
    }
}

impl Format {
    fn test(self, op: Op, bits: &BigUint) -> bool {
        let magnitude = self.magnitude_of(bits);
        let infinity = self.positive_infinity();
        let is_normal = magnitude.bits() >= u64::from(self.significand);
        match op {
            Op::FpIsNormal => is_normal && magnitude < infinity,
            Op::FpIsSubnormal => !is_normal && !magnitude.is_zero(),
            Op::FpIsZero => magnitude.is_zero(),
            Op::FpIsInfinite => magnitude == infinity,
            Op::FpIsNan => magnitude > infinity,
            Op::FpIsNegative => self.sign_of(bits) == FloatSign::Negative && magnitude <= infinity,
            Op::FpIsPositive => self.sign_of(bits) == FloatSign::Positive && magnitude <= infinity,
            op => unreachable!("{op:?} is not a test of floats"),
        }
    }
}
