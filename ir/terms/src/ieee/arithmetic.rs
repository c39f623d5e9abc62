//! Operations over floats of one format.

use super::{Finite, Float, FloatSign, Format, Outcome, Rest, parts, round_shifted};
use crate::{Op, RoundingMode, Value};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

/// Applies the rounding operators and the remainder; `None` if the arguments are ill-sorted.
pub(super) fn apply(op: Op, arguments: &[&Value]) -> Option<Outcome> {
    let (mode, floats) = match arguments {
        [Value::RoundingMode(mode), floats @ ..] if op != Op::FpRem => (*mode, floats),
        // A remainder is exact.
        floats if op == Op::FpRem => (RoundingMode::NearestEven, floats),
        _ => return None,
    };
    let (format, _) = parts(floats.first()?)?;
    let mut operands: Vec<Float> = Vec::with_capacity(3);
    for float in floats {
        let (other, bits) = parts(float)?;
        if other != format {
            return None;
        }
        operands.push(format.unpack(bits));
    }
    let result = match (op, &operands[..]) {
        (Op::FpAdd, [a, b]) => format.add(mode, a, b),
        (Op::FpSub, [a, b]) => format.add(mode, a, &b.negated()),
        (Op::FpMul, [a, b]) => format.mul(mode, a, b),
        (Op::FpDiv, [a, b]) => format.div(mode, a, b),
        (Op::FpFma, [a, b, c]) => format.fma(mode, a, b, c),
        (Op::FpSqrt, [a]) => format.sqrt(mode, a),
        (Op::FpRem, [a, b]) => format.remainder(a, b),
        (Op::FpRoundToIntegral, [a]) => match format.round_to_integral(mode, a) {
            Some(integral) => integral,
            None => return Some(Outcome::Unsupported),
        },
        _ => return None,
    };
    Some(Outcome::Value(format.value(format.pack(&result))))
}

/// `FpMin` or `FpMax`.
pub(super) fn extremum(op: Op, a: &Value, b: &Value) -> Option<Outcome> {
    let ((format, x), (other, y)) = (parts(a)?, parts(b)?);
    if format != other {
        return None;
    }
    let first = || Some(Outcome::Value(a.clone()));
    let second = || Some(Outcome::Value(b.clone()));
    if format.is_nan(x) {
        return second();
    } else if format.is_nan(y) {
        return first();
    }
    let order = format.key(x).cmp(&format.key(y));
    if order.is_eq() && x != y {
        return Some(Outcome::Unspecified);
    }
    if order.is_lt() == (op == Op::FpMin) { first() } else { second() }
}

impl Float {
    fn negated(&self) -> Float {
        match self {
            Float::Nan => Float::Nan,
            Float::Infinity(sign) => Float::Infinity(sign.opposite()),
            Float::Zero(sign) => Float::Zero(sign.opposite()),
            Float::Finite(finite) => Float::Finite(Finite { sign: finite.sign.opposite(), ..finite.clone() }),
        }
    }
}

impl Finite {
    fn times(&self, other: &Finite) -> Finite {
        Finite {
            sign: self.sign.times(other.sign),
            magnitude: &self.magnitude * &other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Format {
    fn add(self, mode: RoundingMode, a: &Float, b: &Float) -> Float {
        match (a, b) {
            (Float::Nan, _) | (_, Float::Nan) => Float::Nan,
            (Float::Infinity(s), Float::Infinity(t)) if s != t => Float::Nan,
            (Float::Infinity(sign), _) | (_, Float::Infinity(sign)) => Float::Infinity(*sign),
            (Float::Zero(s), Float::Zero(t)) if s == t => Float::Zero(*s),
            (Float::Zero(_), Float::Zero(_)) => Float::Zero(FloatSign::of_zero_sum(mode)),
            (Float::Zero(_), Float::Finite(x)) | (Float::Finite(x), Float::Zero(_)) => {
                self.round(mode, x.clone(), Rest::Nothing)
            }
            (Float::Finite(x), Float::Finite(y)) => self.sum(mode, x, y),
        }
    }

    /// The sum of operands of any precision.
    fn sum(self, mode: RoundingMode, x: &Finite, y: &Finite) -> Float {
        let (high, low) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
        // Digits appended to `high`, so that the rest starts below every digit that rounding
        // depends on.
        let extra = i64::from(self.significand) + 2;
        if high.exponent - extra >= low.exponent + low.magnitude.bits() as i64 {
            // `low` is less than the unit of the last appended digit.
            let shifted = &high.magnitude << extra as u64;
            let magnitude = if high.sign == low.sign { shifted } else { shifted - 1u32 };
            let sum = Finite { sign: high.sign, magnitude, exponent: high.exponent - extra };
            return self.round(mode, sum, Rest::Something);
        }
        let shifted = &high.magnitude << (high.exponent - low.exponent) as u64;
        let (sign, magnitude) = if high.sign == low.sign {
            (high.sign, shifted + &low.magnitude)
        } else if shifted > low.magnitude {
            (high.sign, shifted - &low.magnitude)
        } else if shifted < low.magnitude {
            (low.sign, &low.magnitude - shifted)
        } else {
            return Float::Zero(FloatSign::of_zero_sum(mode));
        };
        self.round(mode, Finite { sign, magnitude, exponent: low.exponent }, Rest::Nothing)
    }

    fn mul(self, mode: RoundingMode, a: &Float, b: &Float) -> Float {
        match (a, b) {
            (Float::Nan, _) | (_, Float::Nan) => Float::Nan,
            (Float::Infinity(_), Float::Zero(_)) | (Float::Zero(_), Float::Infinity(_)) => Float::Nan,
            (Float::Finite(x), Float::Finite(y)) => self.round(mode, x.times(y), Rest::Nothing),
            _ => {
                let sign = a.sign().times(b.sign());
                let is_infinite = matches!(a, Float::Infinity(_)) || matches!(b, Float::Infinity(_));
                if is_infinite { Float::Infinity(sign) } else { Float::Zero(sign) }
            }
        }
    }

    fn div(self, mode: RoundingMode, a: &Float, b: &Float) -> Float {
        match (a, b) {
            (Float::Nan, _) | (_, Float::Nan) => Float::Nan,
            (Float::Infinity(_), Float::Infinity(_)) | (Float::Zero(_), Float::Zero(_)) => Float::Nan,
            (Float::Finite(x), Float::Finite(y)) => {
                let sign = x.sign.times(y.sign);
                let exponent = x.exponent - y.exponent;
                self.quotient(mode, sign, &x.magnitude, &y.magnitude, exponent)
            }
            _ => {
                let sign = a.sign().times(b.sign());
                let is_infinite = matches!(a, Float::Infinity(_)) || matches!(b, Float::Zero(_));
                if is_infinite { Float::Infinity(sign) } else { Float::Zero(sign) }
            }
        }
    }

    /// `a / b · 2^exponent` for nonzero integers.
    pub(super) fn quotient(
        self,
        mode: RoundingMode,
        sign: FloatSign,
        a: &BigUint,
        b: &BigUint,
        exponent: i64,
    ) -> Float {
        // A quotient has at least as many digits as the difference of its operands' digit counts.
        let wanted = u64::from(self.significand) + 2 + b.bits();
        let shift = wanted.saturating_sub(a.bits());
        let (magnitude, remainder) = (a << shift).div_rem(b);
        let finite = Finite { sign, magnitude, exponent: exponent - shift as i64 };
        self.round(mode, finite, Rest::of(&remainder))
    }

    fn fma(self, mode: RoundingMode, a: &Float, b: &Float, c: &Float) -> Float {
        match (a, b, c) {
            (Float::Finite(x), Float::Finite(y), Float::Finite(z)) => self.sum(mode, &x.times(y), z),
            (Float::Finite(x), Float::Finite(y), Float::Zero(_)) => {
                self.round(mode, x.times(y), Rest::Nothing)
            }
            (Float::Finite(_), Float::Finite(_), _) => c.clone(),
            // A product with a zero or an infinity is exact.
            _ => self.add(mode, &self.mul(mode, a, b), c),
        }
    }

    fn sqrt(self, mode: RoundingMode, a: &Float) -> Float {
        let x = match a {
            Float::Finite(x) if x.sign == FloatSign::Positive => x,
            Float::Finite(_) | Float::Nan | Float::Infinity(FloatSign::Negative) => return Float::Nan,
            Float::Zero(_) | Float::Infinity(FloatSign::Positive) => return a.clone(),
        };
        // The root of a number of 2n digits has n digits; the exponent must be even.
        let wanted = 2 * (u64::from(self.significand) + 2);
        let mut shift = wanted.saturating_sub(x.magnitude.bits());
        if (x.exponent - shift as i64).is_odd() {
            shift += 1;
        }
        let square = &x.magnitude << shift;
        let root = square.sqrt();
        let rest = Rest::of(&(square - &root * &root));
        let exponent = (x.exponent - shift as i64) / 2;
        self.round(mode, Finite { sign: FloatSign::Positive, magnitude: root, exponent }, rest)
    }

    fn remainder(self, a: &Float, b: &Float) -> Float {
        let (x, y) = match (a, b) {
            (Float::Nan, _) | (_, Float::Nan) | (Float::Infinity(_), _) | (_, Float::Zero(_)) => {
                return Float::Nan;
            }
            (Float::Zero(_), _) | (_, Float::Infinity(_)) => return a.clone(),
            (Float::Finite(x), Float::Finite(y)) => (x, y),
        };
        // |x| modulo 2|y| determines the distance of |x| to the multiple of |y| below it and whether that multiple is odd.
        let exponent = x.exponent.min(y.exponent);
        let (doubled, divisor);
        if x.exponent >= y.exponent {
            divisor = y.magnitude.clone();
            let modulus = &divisor << 1u32;
            let power =
                BigUint::from(2u32).modpow(&BigUint::from((x.exponent - y.exponent) as u64), &modulus);
            doubled = &x.magnitude * power % modulus;
        } else {
            let shift = (y.exponent - x.exponent) as u64;
            if y.magnitude.bits() + shift > x.magnitude.bits() + 1 {
                // |x| is less than half of |y|.
                return a.clone();
            }
            divisor = &y.magnitude << shift;
            doubled = &x.magnitude % (&divisor << 1u32);
        }
        let is_odd = doubled >= divisor;
        let above = if is_odd { doubled - &divisor } else { doubled };
        let twice = &above << 1u32;
        let (sign, magnitude) = if twice > divisor || (twice == divisor && is_odd) {
            (x.sign.opposite(), divisor - above)
        } else {
            (x.sign, above)
        };
        if magnitude.is_zero() {
            return Float::Zero(x.sign);
        }
        self.round(RoundingMode::NearestEven, Finite { sign, magnitude, exponent }, Rest::Nothing)
    }

    /// `None` if the integer is too large for the format, as 4 is with two bits of exponent, a
    /// format that IEEE 754 does not define.
    fn round_to_integral(self, mode: RoundingMode, a: &Float) -> Option<Float> {
        let Float::Finite(x) = a else { return Some(a.clone()) };
        if x.exponent >= 0 {
            return Some(a.clone());
        }
        let magnitude = round_shifted(mode, x.sign, &x.magnitude, x.exponent.unsigned_abs(), Rest::Nothing);
        if magnitude.is_zero() {
            return Some(Float::Zero(x.sign));
        }
        let fits = magnitude.bits() as i64 - 1 <= self.max_exponent();
        fits.then_some(Float::Finite(Finite { sign: x.sign, magnitude, exponent: 0 }))
    }
}

impl Float {
    /// The sign; that of NaN does not matter.
    fn sign(&self) -> FloatSign {
        match self {
            Float::Nan => FloatSign::Positive,
            Float::Infinity(sign) | Float::Zero(sign) => *sign,
            Float::Finite(finite) => finite.sign,
        }
    }
}
