//! Conversions between floats and other numbers.

use super::{Finite, Float, FloatSign, Format, MAX_EXPONENT, MAX_REAL, Outcome, Rest, parts, round_shifted};
use crate::{BitVector, Op, RoundingMode, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Applies the conversions except those of patterns; `None` if the arguments are ill-sorted.
pub(super) fn apply(op: Op, arguments: &[&Value]) -> Option<Outcome> {
    match (op, arguments) {
        (
            Op::FpFromFloat { exponent, significand }
            | Op::FpFromReal { exponent, significand }
            | Op::FpFromSigned { exponent, significand }
            | Op::FpFromUnsigned { exponent, significand },
            [Value::RoundingMode(mode), argument],
        ) => {
            let format = Format::new(exponent, significand);
            if exponent > MAX_EXPONENT {
                return Some(Outcome::Unsupported);
            }
            let float = match (op, argument) {
                (Op::FpFromFloat { .. }, _) => {
                    let (source, bits) = parts(argument)?;
                    match source.unpack(bits) {
                        Float::Finite(finite) => format.round(*mode, finite, Rest::Nothing),
                        other => other,
                    }
                }
                (Op::FpFromReal { .. }, Value::Real(real)) => format.of_real(*mode, real),
                (Op::FpFromSigned { .. }, Value::BitVec(bits)) => format.of_integer(*mode, &bits.to_signed()),
                (Op::FpFromUnsigned { .. }, Value::BitVec(bits)) => {
                    format.of_integer(*mode, &BigInt::from(bits.to_natural()))
                }
                _ => return None,
            };
            Some(Outcome::Value(format.value(format.pack(&float))))
        }
        (Op::FpToUnsigned(width) | Op::FpToSigned(width), [Value::RoundingMode(mode), argument]) => {
            let (format, bits) = parts(argument)?;
            Some(match integer(*mode, &format.unpack(bits), width) {
                Some(integer) if is_in_range(op, width, &integer) => {
                    Outcome::Value(Value::BitVec(BitVector::from_integer(width, &integer)))
                }
                _ => Outcome::Unspecified,
            })
        }
        (Op::FpToReal, [argument]) => {
            let (format, bits) = parts(argument)?;
            Some(match format.unpack(bits) {
                Float::Nan | Float::Infinity(_) => Outcome::Unspecified,
                Float::Zero(_) => Outcome::Value(Value::Real(BigRational::zero())),
                Float::Finite(finite) => match finite.real() {
                    Some(real) => Outcome::Value(Value::Real(real)),
                    None => Outcome::Unsupported,
                },
            })
        }
        _ => None,
    }
}

fn sign_of(integer: &BigInt) -> FloatSign {
    if integer.is_negative() { FloatSign::Negative } else { FloatSign::Positive }
}

impl Format {
    fn of_integer(self, mode: RoundingMode, integer: &BigInt) -> Float {
        if integer.is_zero() {
            return Float::Zero(FloatSign::Positive);
        }
        let finite = Finite { sign: sign_of(integer), magnitude: integer.magnitude().clone(), exponent: 0 };
        self.round(mode, finite, Rest::Nothing)
    }

    fn of_real(self, mode: RoundingMode, real: &BigRational) -> Float {
        if real.is_zero() {
            return Float::Zero(FloatSign::Positive);
        }
        let (a, b) = (real.numer(), real.denom());
        self.quotient(mode, sign_of(a), a.magnitude(), b.magnitude(), 0)
    }
}

/// Rounds the float to an integer; `None` if it is not finite or the integer has more than `width`
/// bits.
fn integer(mode: RoundingMode, float: &Float, width: u32) -> Option<BigInt> {
    let finite = match float {
        Float::Nan | Float::Infinity(_) => return None,
        Float::Zero(_) => return Some(BigInt::zero()),
        Float::Finite(finite) => finite,
    };
    let magnitude = if finite.exponent < 0 {
        round_shifted(mode, finite.sign, &finite.magnitude, finite.exponent.unsigned_abs(), Rest::Nothing)
    } else if finite.exponent + finite.magnitude.bits() as i64 > i64::from(width) {
        return None;
    } else {
        &finite.magnitude << finite.exponent as u64
    };
    Some(finite.signed(magnitude))
}

fn is_in_range(op: Op, width: u32, integer: &BigInt) -> bool {
    let is_unsigned = matches!(op, Op::FpToUnsigned(_));
    match integer.sign() {
        Sign::NoSign => true,
        Sign::Minus if is_unsigned => false,
        Sign::Plus => integer.bits() <= u64::from(if is_unsigned { width } else { width - 1 }),
        Sign::Minus => *integer.magnitude() <= BigUint::one() << (width - 1),
    }
}

impl Finite {
    fn signed(&self, magnitude: BigUint) -> BigInt {
        let sign = if self.sign == FloatSign::Negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, magnitude)
    }

    fn real(&self) -> Option<BigRational> {
        if self.exponent.abs() > MAX_REAL {
            return None;
        }
        let numerator = self.signed(self.magnitude.clone());
        Some(if self.exponent >= 0 {
            BigRational::from_integer(numerator << self.exponent)
        } else {
            BigRational::new(numerator, BigInt::one() << -self.exponent)
        })
    }
}
