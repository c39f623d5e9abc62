//! Simplification of floats that are not constants, and evaluation where SMT-LIB leaves a result
//! unspecified.

use super::{float, single};
use crate::{Assignment, Completion, EvalError, FloatSign, Op, RoundingMode, Sort, TermPool, Value, eval};
use num_bigint::BigUint;

const E: u16 = 8;
const S: u16 = 24;

#[test]
fn nan_has_one_pattern() {
    let mut pool = TermPool::new();
    let nan = pool.fp_nan(E, S);
    for bits in [0x7f80_0001u32, 0x7fc0_0000, 0x7fff_ffff, 0xff80_0001, 0xffc0_1234] {
        assert_eq!(pool.float_from_bits(E, S, &BigUint::from(bits)), nan);
        let pattern = pool.bv(32, bits.into());
        assert_eq!(pool.fp_from_bits(E, S, pattern), nan);
        assert_eq!(single(f32::from_bits(bits)), single(f32::NAN));
    }
    let [plus, minus] = [FloatSign::Positive, FloatSign::Negative].map(|sign| pool.fp_zero(E, S, sign));
    let infinity = pool.fp_infinity(E, S, FloatSign::Negative);
    assert_eq!(pool.as_float_bits(infinity), Some(&BigUint::from(0xff80_0000u32)));
    assert_eq!(pool.eq(nan, nan), pool.tru());
    assert_eq!(pool.fp_eq(nan, nan), pool.fls());
    assert_eq!(pool.eq(plus, minus), pool.fls());
    assert_eq!(pool.fp_eq(plus, minus), pool.tru());
    // A value constructed directly from another NaN pattern would not equal NaN.
    let x = pool.symbol("x", Sort::Float(E, S));
    let bits = BigUint::from(0x7f80_0001u32);
    let value = Value::Float { exponent: E, significand: S, bits };
    assert_eq!(eval(&pool, x, &|_| Some(value.clone())), Err(EvalError::SortMismatch(x)));
}

#[test]
fn signs_and_casts_cancel() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Float(E, S));
    let mode = pool.symbol("mode", Sort::RoundingMode);
    let negated = pool.fp_neg(x);
    assert_eq!(pool.fp_neg(negated), x);
    let magnitude = pool.fp_abs(x);
    assert_eq!(pool.fp_abs(negated), magnitude);
    assert_eq!(pool.fp_abs(magnitude), magnitude);
    let is_nan = pool.fp_is_nan(x);
    assert_eq!(pool.fp_is_nan(negated), is_nan);
    assert_eq!(pool.fp_is_negative(negated), pool.fp_is_positive(x));
    let is_positive = pool.fp_is_positive(magnitude);
    assert_eq!(is_positive, pool.not(is_nan));
    let wide = pool.fp_from_float(11, 53, mode, x);
    assert_eq!(pool.fp_from_float(E, S, mode, wide), x);
    assert_eq!(pool.fp_from_float(E, S, mode, x), x);
    // The converse does not hold.
    let narrow = pool.fp_from_float(5, 11, mode, x);
    assert_ne!(pool.fp_from_float(E, S, mode, narrow), x);
    let nan = pool.fp_nan(E, S);
    assert_eq!(pool.fp_add(mode, x, nan), nan);
    assert_eq!(pool.fp_min(nan, x), x);
    assert_eq!(pool.fp_le(nan, x), pool.fls());
    let is_self = pool.fp_eq(x, x);
    assert_eq!(is_self, pool.not(is_nan));
    let y = pool.symbol("y", Sort::Float(E, S));
    assert_eq!(pool.fp_add(mode, x, y), pool.fp_add(mode, y, x));
    assert_ne!(pool.fp_sub(mode, x, y), pool.fp_sub(mode, y, x));
}

#[test]
fn what_is_open_stays_a_term_and_asks_the_environment() {
    let mut pool = TermPool::new();
    let [plus, minus] = [FloatSign::Positive, FloatSign::Negative].map(|sign| pool.fp_zero(E, S, sign));
    let infinity = pool.fp_infinity(E, S, FloatSign::Positive);
    let mode = pool.rounding_mode(RoundingMode::TowardZero);
    let cases = [
        pool.fp_min(plus, minus),
        pool.fp_max(minus, plus),
        pool.fp_to_unsigned(8, mode, infinity),
        pool.fp_to_signed(8, mode, infinity),
        pool.fp_to_real(infinity),
    ];
    let defaults = Assignment::with_completion(Completion::Default);
    let expected =
        [single(-0.0), single(0.0), Value::bv(8, 0), Value::bv(8, 0), Value::Real("0".parse().expect("0"))];
    for (term, expected) in cases.into_iter().zip(expected) {
        assert!(!pool.children(term).is_empty());
        assert_eq!(eval(&pool, term, &Assignment::new()), Err(EvalError::Unspecified(term)));
        assert_eq!(eval(&pool, term, &defaults), Ok(expected));
    }
    let mut assignment = Assignment::new();
    assignment.settle(Op::FpMin, vec![single(0.0), single(-0.0)], single(0.0));
    assert_eq!(eval(&pool, cases[0], &assignment), Ok(single(0.0)));
    assignment.settle(Op::FpMin, vec![single(0.0), single(-0.0)], single(1.0));
    assert_eq!(eval(&pool, cases[0], &assignment), Err(EvalError::SortMismatch(cases[0])));
    let arguments = vec![Value::RoundingMode(RoundingMode::TowardZero), single(f32::INFINITY)];
    assignment.settle(Op::FpToUnsigned(8), arguments, Value::bv(8, 255));
    assert_eq!(eval(&pool, cases[2], &assignment), Ok(Value::bv(8, 255)));
    let (x, zero) = (pool.symbol("x", Sort::Int), pool.int(0));
    let quotient = pool.int_div(x, zero);
    let Op::Symbol(symbol) = pool.op(x) else { unreachable!() };
    assignment.set(symbol, Value::int(7));
    assert_eq!(eval(&pool, quotient, &assignment), Err(EvalError::DivisionByZero(quotient)));
    assignment.settle(Op::IntDiv, vec![Value::int(7), Value::int(0)], Value::int(5));
    assert_eq!(eval(&pool, quotient, &assignment), Ok(Value::int(5)));
}

#[test]
fn far_exponents_cost_nothing() {
    let mut pool = TermPool::new();
    let (e, s) = (60, 113);
    let mode = pool.rounding_mode(RoundingMode::TowardNegative);
    let [one, least, infinity] = [
        BigUint::from((1u64 << 59) - 1) << 112u32,
        BigUint::from(1u32),
        BigUint::from((1u64 << 60) - 1) << 112u32,
    ];
    let greatest = pool.float_from_bits(e, s, &(&infinity - 1u32));
    let [below, one, least, infinity] =
        [&one - 1u32, one, least, infinity].map(|bits| pool.float_from_bits(e, s, &bits));
    assert_eq!(pool.fp_sub(mode, one, least), below);
    assert_eq!(pool.fp_add(mode, one, least), one);
    assert_eq!(pool.fp_fma(mode, greatest, greatest, least), greatest);
    // 2 is -1 modulo 3.
    let three = pool.real(&"3".parse().expect("3"));
    let three = pool.fp_from_real(e, s, mode, three);
    let remainder = pool.fp_rem(greatest, three);
    assert!(pool.is_constant(remainder));
    let zero = pool.fp_zero(e, s, FloatSign::Positive);
    assert_eq!(pool.fp_rem(least, infinity), least);
    assert_eq!(pool.fp_rem(greatest, least), zero);
    let (five, root) = (pool.fp_sqrt(mode, greatest), pool.fp_sqrt(mode, least));
    assert!(pool.is_constant(five) && pool.is_constant(root));
    let huge = pool.fp_to_real(greatest);
    assert_eq!(eval(&pool, huge, &Assignment::new()), Err(EvalError::Unsupported(huge)));
    let x = float(62, 5, 1);
    let x = x.to_term(&mut pool, Sort::Float(62, 5)).expect("a float");
    let sum = pool.fp_add(mode, x, x);
    assert_eq!(eval(&pool, sum, &Assignment::new()), Err(EvalError::Unsupported(sum)));
    assert_eq!(pool.fp_lt(x, x), pool.fls());
}

#[test]
fn patterns_of_floats_are_floats_again() {
    let mut pool = TermPool::new();
    let mode = pool.rounding_mode(RoundingMode::NearestEven);
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
    let condition = pool.symbol("c", Sort::Bool);
    let (a, b) = (pool.fp_from_bits(E, S, x), pool.fp_from_bits(E, S, y));
    let sum = pool.fp_add(mode, a, b);
    let pattern = pool.fp_to_bits(sum);
    assert_eq!(pool.fp_from_bits(E, S, pattern), sum);
    // Another format of the same width is a different float.
    assert_ne!(pool.fp_from_bits(S, E, pattern), sum);
    // Changing the sign bit of a pattern changes the sign of the float.
    let (sign, magnitude) = (pool.extract(31, 31, pattern), pool.extract(30, 0, pattern));
    let opposite = pool.bv_not(sign);
    let negated = pool.concat(opposite, magnitude);
    let expected = pool.fp_neg(sum);
    assert_eq!(pool.fp_from_bits(E, S, negated), expected);
    let clear = pool.bv(1, 0);
    let absolute = pool.concat(clear, magnitude);
    let expected = pool.fp_abs(sum);
    assert_eq!(pool.fp_from_bits(E, S, absolute), expected);
    // An `ite` of patterns is the pattern of an `ite`.
    let product = pool.fp_mul(mode, a, b);
    let other = pool.fp_to_bits(product);
    let chosen = pool.ite(condition, pattern, other);
    let expected = pool.ite(condition, sum, product);
    assert_eq!(pool.fp_from_bits(E, S, chosen), expected);
    let one = pool.bv(32, 0x3f80_0000);
    let chosen = pool.ite(condition, one, other);
    assert_eq!(pool.op(chosen), Op::FpToBits);
    // This constant is not the canonical pattern of its float.
    let payload = pool.bv(32, 0x7fc0_0001);
    let chosen = pool.ite(condition, payload, other);
    assert_eq!(pool.op(chosen), Op::Ite);
}
