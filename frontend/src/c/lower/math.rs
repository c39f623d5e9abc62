//! `math.h` and `fenv.h`.
//!
//! Functions specified by IEEE 754 are exact, with the results of glibc on x86-64: roots,
//! remainders, rounding, `fma`, minimum and maximum (of two zeros the second operand),
//! decomposition, classification. Functions that glibc only approximates (`sin`, `exp`, `pow`, …)
//! are over-approximated: any value within bounds that hold for every implementation, and NaN
//! exactly where it is required, if this condition is simple.
//!
//! Rounding is always to nearest; a call of `fesetround` that may change the mode is unsupported.
//! Floating-point exceptions and `errno` are not modeled.

use super::calls::Argument;
use super::floats::{self, FloatFormat, nearest};
use super::function::Lowering;
use super::places::{Location, Value};
use crate::c::types::{Type as CType, TypeId};
use grammars::source::Span;
use num_bigint::BigInt;
use num_rational::BigRational;
use terms::{FloatSign, RoundingMode, Term, TermPool};

/// A function of `math.h` or `fenv.h`, without its type suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    SquareRoot,
    Absolute,
    Integral(RoundingMode),
    /// `lrint`, `llround`, …
    ToInteger(RoundingMode),
    FusedMultiplyAdd,
    /// The IEEE remainder.
    Remainder,
    /// The remainder of the truncated quotient.
    Modulo,
    Minimum,
    Maximum,
    PositiveDifference,
    CopySign,
    NextAfter,
    /// Multiplication by a power of two: `ldexp`, `scalbn`, `scalbln`.
    Scale,
    /// `frexp`.
    Split,
    /// `modf`.
    SplitIntegral,
    /// `ilogb`.
    IntegerExponent,
    /// `logb`.
    Exponent,
    NotANumber,
    Classify,
    IsNan,
    IsInfinite,
    IsFinite,
    SignBit,
    SetRounding,
    GetRounding,
    /// Not specified by IEEE 754.
    Bounded(Bounded),
}

/// The bounds on the result of an over-approximated function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounded {
    /// The bound times 10,000, with slack for rounding.
    low: Option<i32>,
    high: Option<i32>,
    nan: NanRule,
}

/// The operands for which the result is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NanRule {
    /// If an operand is NaN.
    OfNan,
    /// If an operand is NaN or infinite.
    OfSpecial,
    /// Unspecified.
    Unknown,
}

const fn bounded(low: Option<i32>, high: Option<i32>, nan: NanRule) -> Function {
    Function::Bounded(Bounded { low, high, nan })
}

/// The parameters of a function, one letter each.
fn shape(function: Function) -> &'static str {
    match function {
        Function::SquareRoot
        | Function::Absolute
        | Function::Integral(_)
        | Function::ToInteger(_)
        | Function::IntegerExponent
        | Function::Exponent
        | Function::Classify
        | Function::IsNan
        | Function::IsInfinite
        | Function::IsFinite
        | Function::SignBit => "f",
        Function::Remainder
        | Function::Modulo
        | Function::Minimum
        | Function::Maximum
        | Function::PositiveDifference
        | Function::CopySign
        | Function::NextAfter => "ff",
        Function::FusedMultiplyAdd => "fff",
        Function::Scale => "fi",
        Function::Split | Function::SplitIntegral => "fp",
        Function::NotANumber => "p",
        Function::SetRounding => "i",
        Function::GetRounding => "",
        Function::Bounded(_) => "f*",
    }
}

/// Returns the function of this name, with an optional suffix for `float` or `long double`.
pub(super) fn function(name: &str) -> Option<Function> {
    let name = name.strip_prefix("__").unwrap_or(name);
    exact(name).or_else(|| exact(name.strip_suffix(['f', 'l'])?))
}

fn exact(name: &str) -> Option<Function> {
    use NanRule::{OfNan, OfSpecial, Unknown};
    const QUARTER_TURN: i32 = 15_708;
    const HALF_TURN: i32 = 31_416;
    Some(match name {
        "sqrt" => Function::SquareRoot,
        "fabs" => Function::Absolute,
        "floor" => Function::Integral(RoundingMode::TowardNegative),
        "ceil" => Function::Integral(RoundingMode::TowardPositive),
        "trunc" => Function::Integral(RoundingMode::TowardZero),
        "round" => Function::Integral(RoundingMode::NearestAway),
        "rint" | "nearbyint" | "roundeven" => Function::Integral(RoundingMode::NearestEven),
        "lrint" | "llrint" => Function::ToInteger(RoundingMode::NearestEven),
        "lround" | "llround" => Function::ToInteger(RoundingMode::NearestAway),
        "fma" => Function::FusedMultiplyAdd,
        "remainder" | "drem" => Function::Remainder,
        "fmod" => Function::Modulo,
        "fmin" => Function::Minimum,
        "fmax" => Function::Maximum,
        "fdim" => Function::PositiveDifference,
        "copysign" => Function::CopySign,
        "nextafter" => Function::NextAfter,
        "ldexp" | "scalbn" | "scalbln" => Function::Scale,
        "frexp" => Function::Split,
        "modf" => Function::SplitIntegral,
        "ilogb" => Function::IntegerExponent,
        "logb" => Function::Exponent,
        "nan" => Function::NotANumber,
        "fpclassify" => Function::Classify,
        "isnan" => Function::IsNan,
        "isinf" => Function::IsInfinite,
        "isfinite" | "finite" => Function::IsFinite,
        "signbit" => Function::SignBit,
        "fesetround" => Function::SetRounding,
        "fegetround" => Function::GetRounding,
        "sin" | "cos" => bounded(Some(-10_000), Some(10_000), OfSpecial),
        "tan" => bounded(None, None, OfSpecial),
        "tanh" | "erf" => bounded(Some(-10_000), Some(10_000), OfNan),
        "atan" => bounded(Some(-QUARTER_TURN), Some(QUARTER_TURN), OfNan),
        "atan2" => bounded(Some(-HALF_TURN), Some(HALF_TURN), OfNan),
        "asin" => bounded(Some(-QUARTER_TURN), Some(QUARTER_TURN), Unknown),
        "acos" => bounded(Some(0), Some(HALF_TURN), Unknown),
        "exp" | "exp2" | "exp10" | "cosh" => bounded(Some(0), None, OfNan),
        "expm1" => bounded(Some(-10_000), None, OfNan),
        "erfc" => bounded(Some(0), Some(20_000), OfNan),
        "sinh" | "asinh" | "cbrt" => bounded(None, None, OfNan),
        "hypot" => bounded(Some(0), None, Unknown),
        "log" | "log2" | "log10" | "log1p" | "acosh" | "atanh" | "tgamma" | "lgamma" | "pow" => {
            bounded(None, None, Unknown)
        }
        _ => return None,
    })
}

impl Lowering<'_, '_, '_> {
    /// Whether arguments and result match the function; the program may use its name for another
    /// function.
    pub(super) fn is_math_call(&self, function: Function, arguments: &[Argument], ty: TypeId) -> bool {
        let shape = shape(function);
        let expected = shape.chars().chain(shape.ends_with('*').then_some('f'));
        let mut count = 0;
        let first = arguments.first().map(|argument| argument.ty);
        for (letter, argument) in expected.filter(|&letter| letter != '*').zip(arguments) {
            count += 1;
            let fits = match letter {
                'f' => self.float_format(argument.ty).is_some() && Some(argument.ty) == first,
                'i' => self.hir.types.is_integer(argument.ty),
                _ => matches!(self.hir.types[argument.ty], CType::Pointer(_)),
            };
            if !fits {
                return false;
            }
        }
        let is_complete = if shape.ends_with('*') { count > 0 } else { count == shape.len() };
        is_complete && count == arguments.len() && self.m.scalar_type(self.hir, ty).is_some()
    }

    /// The result of a function whose arguments [match](Self::is_math_call).
    pub(super) fn math_call(
        &mut self,
        name: &str,
        function: Function,
        arguments: &[Argument],
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let width = self.width(ty);
        match function {
            Function::SetRounding => {
                if self.is_zero(arguments[0].term) {
                    return Some(self.m.pool.bv(width, 0));
                }
                self.unsupported(format!("{name}: only rounding to nearest is supported"), span);
                return None;
            }
            Function::GetRounding => return Some(self.m.pool.bv(width, 0)),
            Function::NotANumber => {
                let format = self.float_format(ty)?;
                return Some(floats::not_a_number(self.m.pool, format));
            }
            _ => {}
        }
        let format = self.float_format(arguments[0].ty)?;
        let bits: Vec<Term> = arguments.iter().map(|argument| argument.term).collect();
        match function {
            Function::Bounded(bounds) => {
                let scalar = self.m.scalar_type(self.hir, ty)?;
                let result = self.float_format(ty)?;
                let any = self.approximation(scalar, &format!("the result of {name}"), span);
                let operands: Vec<Term> = bits.iter().map(|&bits| format.decode(self.m.pool, bits)).collect();
                return Some(bound(self.m.pool, bounds, result, any, &operands));
            }
            Function::SplitIntegral => {
                let (fraction, integral) = split_integral(self.m.pool, format, bits[0]);
                self.store_through(bits[1], arguments[0].ty, integral, span);
                return Some(fraction);
            }
            Function::Split => {
                let (fraction, exponent) = split(self.m.pool, format, bits[0]);
                self.store_through(bits[1], TypeId::INT, exponent, span);
                return Some(fraction);
            }
            Function::IsNan | Function::IsFinite | Function::SignBit => {
                let pool = &mut *self.m.pool;
                let condition = match function {
                    Function::IsNan => floats::is_class(pool, format, bits[0], floats::Class::Nan),
                    Function::IsFinite => floats::is_class(pool, format, bits[0], floats::Class::Finite),
                    _ => floats::is_negative(pool, format, bits[0]),
                };
                return Some(self.flag(condition, width));
            }
            _ => {}
        }
        let signedness = arguments.get(1).map(|argument| self.signedness(argument.ty));
        let pool = &mut *self.m.pool;
        match function {
            Function::Absolute => return Some(floats::absolute(pool, format, bits[0])),
            Function::CopySign => return Some(floats::copy_sign(pool, format, bits[0], bits[1])),
            Function::ToInteger(mode) => {
                let float = format.decode(pool, bits[0]);
                return Some(floats::to_signed(pool, format, mode, float, width));
            }
            Function::IsInfinite => {
                let is_infinite = floats::is_class(pool, format, bits[0], floats::Class::Infinite);
                let is_negative = floats::is_negative(pool, format, bits[0]);
                let (one, minus, zero) = (pool.bv(width, 1), pool.bv_i64(width, -1), pool.bv(width, 0));
                let sign = pool.ite(is_negative, minus, one);
                return Some(pool.ite(is_infinite, sign, zero));
            }
            Function::Classify => return Some(classify(pool, format, bits[0], width)),
            Function::IntegerExponent => return Some(integer_exponent(pool, format, bits[0], width)),
            Function::NextAfter => return Some(next_after(pool, format, bits[0], bits[1])),
            _ => {}
        }
        let x = format.decode(pool, bits[0]);
        let mode = nearest(pool);
        let result = match function {
            Function::SquareRoot => pool.fp_sqrt(mode, x),
            Function::Integral(mode) => {
                let mode = pool.rounding_mode(mode);
                pool.fp_round_to_integral(mode, x)
            }
            Function::Exponent => exponent(pool, format, x),
            Function::Scale => {
                let is_signed = signedness == Some(program::ssa::Signedness::Signed);
                scale(pool, format, x, bits[1], is_signed)
            }
            _ => {
                let y = format.decode(pool, bits[1]);
                match function {
                    Function::FusedMultiplyAdd => {
                        let z = format.decode(pool, bits[2]);
                        pool.fp_fma(mode, x, y, z)
                    }
                    Function::Remainder => pool.fp_rem(x, y),
                    Function::Modulo => modulo(pool, x, y),
                    Function::Minimum => {
                        let is_first = pool.fp_lt(x, y);
                        extremum(pool, is_first, x, y)
                    }
                    Function::Maximum => {
                        let is_first = pool.fp_lt(y, x);
                        extremum(pool, is_first, x, y)
                    }
                    _ => {
                        let (e, s) = format.sort();
                        let (zero, is_more) = (pool.fp_zero(e, s, FloatSign::Positive), pool.fp_lt(y, x));
                        let difference = pool.fp_sub(mode, x, y);
                        let is_at_most = pool.fp_le(x, y);
                        let at_most = pool.ite(is_at_most, zero, difference);
                        pool.ite(is_more, difference, at_most)
                    }
                }
            }
        };
        Some(format.encode(pool, result))
    }

    fn store_through(&mut self, address: Term, ty: TypeId, term: Term, span: Span) {
        let location = Location::at(self.pointer_base(address));
        self.store(&location, ty, Value::Scalar(term), span, None);
    }
}

/// Restricts `any` to the bounds, and to NaN where required.
fn bound(pool: &mut TermPool, bounds: Bounded, format: FloatFormat, any: Term, operands: &[Term]) -> Term {
    let value = format.decode(pool, any);
    let limit = |pool: &mut TermPool, tenths: i32| {
        let number = BigRational::new(tenths.into(), 10_000.into());
        let bits = format.constant(pool, &number);
        format.decode(pool, bits)
    };
    let mut conditions = Vec::new();
    let mut inside = None;
    if let Some(low) = bounds.low {
        let low = limit(pool, low);
        conditions.push(pool.fp_le(low, value));
        inside = Some(low);
    }
    if let Some(high) = bounds.high {
        let high = limit(pool, high);
        conditions.push(pool.fp_le(value, high));
        inside = inside.or(Some(high));
    }
    let is_nan = pool.fp_is_nan(value);
    if bounds.nan == NanRule::Unknown {
        let Some(inside) = inside else { return any };
        let is_inside = pool.and(&conditions);
        let is_possible = pool.or2(is_inside, is_nan);
        let value = pool.ite(is_possible, value, inside);
        return format.encode(pool, value);
    }
    let (e, s) = format.sort();
    let inside = inside.unwrap_or_else(|| pool.fp_zero(e, s, FloatSign::Positive));
    let is_number = pool.not(is_nan);
    conditions.push(is_number);
    let is_inside = pool.and(&conditions);
    let value = pool.ite(is_inside, value, inside);
    let mut causes: Vec<Term> = operands.iter().map(|&operand| pool.fp_is_nan(operand)).collect();
    if bounds.nan == NanRule::OfSpecial {
        causes.extend(operands.iter().map(|&operand| pool.fp_is_infinite(operand)));
    }
    let is_nan = pool.or(&causes);
    let nan = pool.fp_nan(e, s);
    let value = pool.ite(is_nan, nan, value);
    format.encode(pool, value)
}

/// The extremum: the operand that is a number; of two numbers, the one selected by `is_first`.
fn extremum(pool: &mut TermPool, is_first: Term, x: Term, y: Term) -> Term {
    let (x_nan, y_nan) = (pool.fp_is_nan(x), pool.fp_is_nan(y));
    let chosen = pool.ite(is_first, x, y);
    let chosen = pool.ite(y_nan, x, chosen);
    pool.ite(x_nan, y, chosen)
}

/// `fmod`, from the IEEE remainder of the magnitudes: this remainder, or its sum with the divisor,
/// which is exact.
fn modulo(pool: &mut TermPool, x: Term, y: Term) -> Term {
    let (a, b) = (pool.fp_abs(x), pool.fp_abs(y));
    let remainder = pool.fp_rem(a, b);
    let mode = nearest(pool);
    let raised = pool.fp_add(mode, remainder, b);
    let is_below = pool.fp_is_negative(remainder);
    let positive = pool.ite(is_below, raised, remainder);
    let negative = pool.fp_neg(positive);
    let is_negative = pool.fp_is_negative(x);
    pool.ite(is_negative, negative, positive)
}

/// `x · 2^n`, rounded once: with three more exponent bits the product is exact.
fn scale(pool: &mut TermPool, format: FloatFormat, x: Term, n: Term, is_signed: bool) -> Term {
    let (e, s) = format.sort();
    let (wide, mode) = (e + 3, nearest(pool));
    let bias: i64 = (1 << (e - 1)) - 1;
    // Beyond this exponent every result is zero or infinite.
    let most = 2 * bias + i64::from(s) + 2;
    let own = pool.width(n);
    let width = own.max(u32::from(wide)) + 1;
    let n = match is_signed {
        true => pool.sign_extend(width - own, n),
        false => pool.zero_extend(width - own, n),
    };
    let (low, high) = (pool.bv_i64(width, -most), pool.bv_i64(width, most));
    let (is_low, is_high) = (pool.bv_slt(n, low), pool.bv_slt(high, n));
    let n = pool.ite(is_low, low, n);
    let n = pool.ite(is_high, high, n);
    let wide_bias = pool.bv_i64(width, (1 << (wide - 1)) - 1);
    let field = pool.bv_add(n, wide_bias);
    let field = pool.extract(u32::from(wide) - 1, 0, field);
    let (sign, fraction) = (pool.bv(1, 0), pool.bv(u32::from(s) - 1, 0));
    let power = pool.concat(sign, field);
    let power = pool.concat(power, fraction);
    let power = pool.fp_from_bits(wide, s, power);
    let x = pool.fp_from_float(wide, s, mode, x);
    let product = pool.fp_mul(mode, x, power);
    pool.fp_from_float(e, s, mode, product)
}

/// The decomposition of a nonzero number: a fraction of at least one half and less than one, and a
/// 32-bit exponent.
struct Parts {
    fraction: Term,
    exponent: Term,
    /// Whether the number is finite and nonzero.
    is_proper: Term,
}

fn parts(pool: &mut TermPool, format: FloatFormat, x: Term) -> Parts {
    let (e, s) = format.sort();
    let mode = nearest(pool);
    // Normalizes subnormal numbers.
    let factor = BigRational::from_integer(BigInt::from(1) << s);
    let factor = format.constant(pool, &factor);
    let factor = format.decode(pool, factor);
    let raised = pool.fp_mul(mode, x, factor);
    let is_subnormal = pool.fp_is_subnormal(x);
    let normal = pool.ite(is_subnormal, raised, x);
    let pattern = pool.fp_to_bits(normal);
    let (sign_at, fraction_bits) = (u32::from(e) + u32::from(s) - 1, u32::from(s) - 1);
    let sign = pool.extract(sign_at, sign_at, pattern);
    let field = pool.extract(sign_at - 1, fraction_bits, pattern);
    let digits = pool.extract(fraction_bits - 1, 0, pattern);
    let bias: i64 = (1 << (e - 1)) - 1;
    let half = pool.bv_i64(u32::from(e), bias - 1);
    let fraction = pool.concat(sign, half);
    let fraction = pool.concat(fraction, digits);
    let fraction = pool.fp_from_bits(e, s, fraction);
    let field = pool.zero_extend(32 - u32::from(e), field);
    let (normal_offset, subnormal_offset) =
        (pool.bv_i64(32, 1 - bias), pool.bv_i64(32, 1 - bias - i64::from(s)));
    let offset = pool.ite(is_subnormal, subnormal_offset, normal_offset);
    let exponent = pool.bv_add(field, offset);
    let (is_nan, is_infinite, is_zero) = (pool.fp_is_nan(x), pool.fp_is_infinite(x), pool.fp_is_zero(x));
    let is_special = pool.or(&[is_nan, is_infinite, is_zero]);
    let is_proper = pool.not(is_special);
    Parts { fraction, exponent, is_proper }
}

/// `frexp`: the bits of the fraction, and the exponent in 32 bits, 0 for values without one.
fn split(pool: &mut TermPool, format: FloatFormat, bits: Term) -> (Term, Term) {
    let x = format.decode(pool, bits);
    let Parts { fraction, exponent, is_proper } = parts(pool, format, x);
    let fraction = format.encode(pool, fraction);
    let none = pool.bv(32, 0);
    (pool.ite(is_proper, fraction, bits), pool.ite(is_proper, exponent, none))
}

/// `ilogb`, with the results of glibc for zero, NaN and infinities.
fn integer_exponent(pool: &mut TermPool, format: FloatFormat, bits: Term, width: u32) -> Term {
    let x = format.decode(pool, bits);
    let Parts { exponent, is_proper, .. } = parts(pool, format, x);
    let one = pool.bv(32, 1);
    let exponent = pool.bv_sub(exponent, one);
    let is_infinite = pool.fp_is_infinite(x);
    let (most, least) = (pool.bv_i64(32, i64::from(i32::MAX)), pool.bv_i64(32, i64::from(i32::MIN)));
    let special = pool.ite(is_infinite, most, least);
    let result = pool.ite(is_proper, exponent, special);
    match width {
        33.. => pool.sign_extend(width - 32, result),
        _ => pool.extract(width - 1, 0, result),
    }
}

/// `logb`.
fn exponent(pool: &mut TermPool, format: FloatFormat, x: Term) -> Term {
    let (e, s) = format.sort();
    let Parts { exponent, is_proper, .. } = parts(pool, format, x);
    let one = pool.bv(32, 1);
    let exponent = pool.bv_sub(exponent, one);
    let mode = nearest(pool);
    let exponent = pool.fp_from_signed(e, s, mode, exponent);
    let is_zero = pool.fp_is_zero(x);
    let minus = pool.fp_infinity(e, s, FloatSign::Negative);
    let magnitude = pool.fp_abs(x);
    let special = pool.ite(is_zero, minus, magnitude);
    pool.ite(is_proper, exponent, special)
}

/// `modf`: the bits of the fraction and of the integral part, both with the sign of the operand.
fn split_integral(pool: &mut TermPool, format: FloatFormat, bits: Term) -> (Term, Term) {
    let x = format.decode(pool, bits);
    let (toward_zero, mode) = (pool.rounding_mode(RoundingMode::TowardZero), nearest(pool));
    let integral = pool.fp_round_to_integral(toward_zero, x);
    let rest = pool.fp_sub(mode, x, integral);
    let is_infinite = pool.fp_is_infinite(x);
    let (e, s) = format.sort();
    let zero = pool.fp_zero(e, s, FloatSign::Positive);
    let fraction = pool.ite(is_infinite, zero, rest);
    let fraction = format.encode(pool, fraction);
    let fraction = floats::copy_sign(pool, format, fraction, bits);
    (fraction, format.encode(pool, integral))
}

/// The class numbers of glibc.
fn classify(pool: &mut TermPool, format: FloatFormat, bits: Term, width: u32) -> Term {
    use floats::Class;
    let mut result = pool.bv(width, 4);
    for (number, class) in [(3, Class::Subnormal), (2, Class::Zero), (1, Class::Infinite), (0, Class::Nan)] {
        let is_in = floats::is_class(pool, format, bits, class);
        let number = pool.bv(width, number);
        result = pool.ite(is_in, number, result);
    }
    result
}

/// The neighbor of the first number in the direction of the second; magnitudes have the order of
/// their bit patterns.
fn next_after(pool: &mut TermPool, format: FloatFormat, from: Term, to: Term) -> Term {
    let (e, s) = format.sort();
    let (x, y) = (format.decode(pool, from), format.decode(pool, to));
    let width = u32::from(e) + u32::from(s);
    let pattern = pool.fp_to_bits(x);
    let one = pool.bv(width, 1);
    let (up, down) = (pool.bv_add(pattern, one), pool.bv_sub(pattern, one));
    let (is_less, is_negative) = (pool.fp_lt(x, y), pool.fp_is_negative(x));
    // Away from zero.
    let is_out = pool.xor(is_less, is_negative);
    let stepped = pool.ite(is_out, up, down);
    let stepped = pool.fp_from_bits(e, s, stepped);
    let is_downward = pool.fp_lt(y, x);
    let least = pool.fp_from_bits(e, s, one);
    let opposite = pool.fp_neg(least);
    let least = pool.ite(is_downward, opposite, least);
    let is_zero = pool.fp_is_zero(x);
    let next = pool.ite(is_zero, least, stepped);
    let is_there = pool.fp_eq(x, y);
    let next = pool.ite(is_there, y, next);
    let (x_nan, y_nan) = (pool.fp_is_nan(x), pool.fp_is_nan(y));
    let is_nan = pool.or2(x_nan, y_nan);
    let nan = pool.fp_nan(e, s);
    let next = pool.ite(is_nan, nan, next);
    format.encode(pool, next)
}
