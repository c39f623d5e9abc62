//! Floating-point operators: hardware arithmetic where it agrees with SMT-LIB, else the software
//! evaluation of terms.
//!
//! Registers hold floats as bit patterns. All NaNs have the same canonical pattern. The hardware
//! implements IEEE 754 for `float` and `double` with rounding to nearest, ties to even; a NaN that
//! it returns is replaced by the canonical one.

use super::operand::Typed;
use num_bigint::BigUint;
use terms::{BitVector, Op, RoundingMode, Sort, Value, evaluate_float_operator};

/// An operator with a float among its arguments or as its result.
#[derive(Clone, Debug)]
pub(super) struct FloatCode {
    pub(super) op: Op,
    pub(super) to: Typed,
    /// The sort of the result.
    pub(super) sort: Sort,
    pub(super) arguments: Box<[(Typed, Sort)]>,
}

/// A hardware operator on bit patterns in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Native {
    operation: Operation,
    format: Hardware,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hardware {
    Single,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Lt,
    Le,
    Eq,
    Neg,
    Abs,
    IsNan,
    IsInfinite,
    IsZero,
    IsNormal,
    IsSubnormal,
    IsNegative,
    IsPositive,
    RoundToIntegral(RoundingMode),
    FromPattern,
    FromSingle,
    FromDouble,
    FromSigned(u8),
    FromUnsigned,
    ToSigned(u8),
    ToUnsigned(u8),
}

fn hardware(sort: Sort) -> Option<Hardware> {
    match sort {
        Sort::Float(8, 24) => Some(Hardware::Single),
        Sort::Float(11, 53) => Some(Hardware::Double),
        _ => None,
    }
}

impl Native {
    /// Returns the hardware operator for `op`, if there is one. `sort` is the sort of the result,
    /// `arguments` are the sorts of the arguments. `mode` is the rounding mode if it is constant.
    pub(super) fn of(op: Op, mode: Option<RoundingMode>, sort: Sort, arguments: &[Sort]) -> Option<Self> {
        let last = *arguments.last()?;
        let nearest = mode == Some(RoundingMode::NearestEven);
        let operation = match op {
            Op::FpAdd if nearest => Operation::Add,
            Op::FpSub if nearest => Operation::Sub,
            Op::FpMul if nearest => Operation::Mul,
            Op::FpDiv if nearest => Operation::Div,
            Op::FpSqrt if nearest => Operation::Sqrt,
            Op::FpLt => Operation::Lt,
            Op::FpLe => Operation::Le,
            Op::FpEq => Operation::Eq,
            Op::FpNeg => Operation::Neg,
            Op::FpAbs => Operation::Abs,
            Op::FpIsNan => Operation::IsNan,
            Op::FpIsInfinite => Operation::IsInfinite,
            Op::FpIsZero => Operation::IsZero,
            Op::FpIsNormal => Operation::IsNormal,
            Op::FpIsSubnormal => Operation::IsSubnormal,
            Op::FpIsNegative => Operation::IsNegative,
            Op::FpIsPositive => Operation::IsPositive,
            Op::FpRoundToIntegral => Operation::RoundToIntegral(mode?),
            Op::FpFromBits { .. } => Operation::FromPattern,
            Op::FpFromFloat { .. } if nearest => match hardware(last)? {
                Hardware::Single => Operation::FromSingle,
                Hardware::Double => Operation::FromDouble,
            },
            Op::FpFromSigned { .. } if nearest => match last {
                Sort::BitVec(width @ ..=64) => Operation::FromSigned(width as u8),
                _ => return None,
            },
            Op::FpFromUnsigned { .. } if nearest && matches!(last, Sort::BitVec(..=64)) => {
                Operation::FromUnsigned
            }
            Op::FpToSigned(width @ ..=64) if mode == Some(RoundingMode::TowardZero) => {
                Operation::ToSigned(width as u8)
            }
            Op::FpToUnsigned(width @ ..=64) if mode == Some(RoundingMode::TowardZero) => {
                Operation::ToUnsigned(width as u8)
            }
            _ => return None,
        };
        let format = hardware(if matches!(sort, Sort::Float(..)) { sort } else { last })?;
        Some(Native { operation, format })
    }

    /// Applies the operator to patterns; unary operators ignore `b`.
    pub(super) fn apply(self, a: u64, b: u64) -> u64 {
        match self.format {
            Hardware::Single => single(self.operation, a, b),
            Hardware::Double => double(self.operation, a, b),
        }
    }
}

macro_rules! machine {
    ($name:ident, $float:ty, $pattern:ty, $nan:literal) => {
        fn $name(operation: Operation, a: u64, b: u64) -> u64 {
            let (x, y) = (<$float>::from_bits(a as $pattern), <$float>::from_bits(b as $pattern));
            let result: $float = match operation {
                Operation::Add => x + y,
                Operation::Sub => x - y,
                Operation::Mul => x * y,
                Operation::Div => x / y,
                Operation::Sqrt => x.sqrt(),
                Operation::Neg => -x,
                Operation::Abs => x.abs(),
                Operation::FromPattern => x,
                Operation::RoundToIntegral(mode) => match mode {
                    RoundingMode::NearestEven => x.round_ties_even(),
                    RoundingMode::NearestAway => x.round(),
                    RoundingMode::TowardPositive => x.ceil(),
                    RoundingMode::TowardNegative => x.floor(),
                    RoundingMode::TowardZero => x.trunc(),
                },
                Operation::FromSingle => f32::from_bits(a as u32) as $float,
                Operation::FromDouble => f64::from_bits(a) as $float,
                Operation::FromSigned(width) => signed(width, a) as $float,
                Operation::FromUnsigned => a as $float,
                Operation::Lt => return u64::from(x < y),
                Operation::Le => return u64::from(x <= y),
                Operation::Eq => return u64::from(x == y),
                Operation::IsNan => return u64::from(x.is_nan()),
                Operation::IsInfinite => return u64::from(x.is_infinite()),
                Operation::IsZero => return u64::from(x == 0.0),
                Operation::IsNormal => return u64::from(x.is_normal()),
                Operation::IsSubnormal => return u64::from(x.is_subnormal()),
                Operation::IsNegative => return u64::from(!x.is_nan() && x.is_sign_negative()),
                Operation::IsPositive => return u64::from(!x.is_nan() && x.is_sign_positive()),
                Operation::ToSigned(width) => {
                    // Values out of range convert to 0, as in terms. The cast to `i128` saturates.
                    let value = x as i128;
                    let bound = 1i128 << (width - 1);
                    let fits = !x.is_nan() && (-bound..bound).contains(&value);
                    return if fits { value as u64 & mask(width) } else { 0 };
                }
                Operation::ToUnsigned(width) => {
                    let value = x as i128;
                    let fits = !x.is_nan() && (0..1i128 << width).contains(&value);
                    return if fits { value as u64 } else { 0 };
                }
            };
            if result.is_nan() { $nan } else { u64::from(result.to_bits()) }
        }
    };
}

machine!(single, f32, u32, 0x7fc0_0000);
machine!(double, f64, u64, 0x7ff8_0000_0000_0000);

fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(width: u8, value: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((value << unused) as i64) >> unused
}

/// Applies the operator in software, by the evaluation of terms; `None` if it is not supported.
pub(super) fn apply(op: Op, sort: Sort, arguments: &[(BitVector, Sort)]) -> Option<BitVector> {
    let values: Vec<Value> =
        arguments.iter().map(|(bits, sort)| value(bits, *sort)).collect::<Option<_>>()?;
    let values: Vec<&Value> = values.iter().collect();
    let result = evaluate_float_operator(op, &values)?;
    match (result, sort) {
        (Value::Bool(truth), _) => Some(BitVector::new(1, u64::from(truth))),
        (Value::BitVec(bits), _) => Some(bits),
        (Value::Float { bits, .. }, Sort::Float(exponent, significand)) => {
            Some(BitVector::from_natural(u32::from(exponent) + u32::from(significand), bits))
        }
        _ => None,
    }
}

fn value(bits: &BitVector, sort: Sort) -> Option<Value> {
    Some(match sort {
        Sort::Bool => Value::Bool(!bits.is_zero()),
        Sort::BitVec(_) => Value::BitVec(bits.clone()),
        Sort::Float(exponent, significand) => {
            let pattern: BigUint = bits.to_natural();
            Value::float(exponent, significand, &pattern)
        }
        Sort::RoundingMode => {
            Value::RoundingMode(*RoundingMode::ALL.get(usize::try_from(bits.to_u64()?).ok()?)?)
        }
        _ => return None,
    })
}

/// The width of a register for values of the sort in bits. 0 for `Bool` and for sorts that
/// registers cannot hold.
pub(super) fn register_width(sort: Sort) -> u32 {
    match sort {
        Sort::BitVec(width) => width,
        Sort::Float(exponent, significand) => u32::from(exponent) + u32::from(significand),
        Sort::RoundingMode => 3,
        _ => 0,
    }
}
