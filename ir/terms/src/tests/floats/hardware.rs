//! Comparison with the processor, in the only rounding mode available in Rust.

use super::{apply, double, float, integer, mode, nearest, single};
use crate::{Op, RoundingMode, Value};
use proptest::prelude::*;

/// Triples of patterns with `fraction` and `exponent` bits: all kinds of floats, and triples with
/// exponents close to each other or close to 0.
fn patterns(exponent: u32, fraction: u32) -> impl Strategy<Value = [u64; 3]> {
    let width = exponent + fraction + 1;
    let limit = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let special = move |word: u64| {
        let max = (1u64 << exponent) - 1;
        let exponents = [0, 1, max, max - 1, max / 2];
        let fractions =
            [0, 1, (1 << fraction) - 1, 1 << (fraction - 1), (word >> 16) & ((1 << fraction) - 1)];
        let sign = (word >> 8) & 1;
        (sign << (width - 1))
            | (exponents[(word % 5) as usize] << fraction)
            | fractions[(word / 5 % 5) as usize]
    };
    (any::<[u64; 3]>(), any::<[u8; 3]>(), any::<u8>()).prop_map(move |(words, shifts, kind)| match kind % 4 {
        0 => words.map(|word| word & limit),
        1 => words.map(special),
        2 => {
            // Exponents that differ by at most 63, fractions with few digits.
            let base = (words[0] >> 7) & ((1 << exponent) - 1);
            let max = (1u64 << exponent) - 1;
            std::array::from_fn(|i| {
                let field = (base + u64::from(shifts[i] % 64)).min(max - 1);
                let digits = (words[i] & ((1 << fraction) - 1)) & (u64::MAX << (shifts[i] as u32 % fraction));
                ((words[i] >> 63) << (width - 1)) | (field << fraction) | digits
            })
        }
        _ => {
            // Products and quotients around 1.
            let bias = (1u64 << (exponent - 1)) - 1;
            std::array::from_fn(|i| {
                let field = bias + u64::from(shifts[i] % 4) - 2;
                ((words[i] >> 63) << (width - 1)) | (field << fraction) | (words[i] & ((1 << fraction) - 1))
            })
        }
    })
}

macro_rules! agree {
    ($float:ident, $make:ident, [$x:ident, $y:ident, $z:ident], $exponent:literal, $significand:literal) => {{
        let (a, b, c) = ($make($x), $make($y), $make($z));
        let one = std::slice::from_ref(&a);
        let two = |op| apply(op, &[nearest(), a.clone(), b.clone()]);
        prop_assert_eq!(two(Op::FpAdd), Some($make($x + $y)));
        prop_assert_eq!(two(Op::FpSub), Some($make($x - $y)));
        prop_assert_eq!(two(Op::FpMul), Some($make($x * $y)));
        prop_assert_eq!(two(Op::FpDiv), Some($make($x / $y)));
        let fused = apply(Op::FpFma, &[nearest(), a.clone(), b.clone(), c]);
        prop_assert_eq!(fused, Some($make($x.mul_add($y, $z))));
        prop_assert_eq!(apply(Op::FpSqrt, &[nearest(), a.clone()]), Some($make($x.sqrt())));
        prop_assert_eq!(apply(Op::FpNeg, one), Some($make(-$x)));
        prop_assert_eq!(apply(Op::FpAbs, one), Some($make($x.abs())));
        for (by, expected) in [
            (RoundingMode::NearestEven, $x.round_ties_even()),
            (RoundingMode::NearestAway, $x.round()),
            (RoundingMode::TowardPositive, $x.ceil()),
            (RoundingMode::TowardNegative, $x.floor()),
            (RoundingMode::TowardZero, $x.trunc()),
        ] {
            let integral = apply(Op::FpRoundToIntegral, &[mode(by), a.clone()]);
            prop_assert_eq!(integral, Some($make(expected)));
        }
        let compare = |op| apply(op, &[a.clone(), b.clone()]);
        prop_assert_eq!(compare(Op::FpLt), Some(Value::Bool($x < $y)));
        prop_assert_eq!(compare(Op::FpLe), Some(Value::Bool($x <= $y)));
        prop_assert_eq!(compare(Op::FpEq), Some(Value::Bool($x == $y)));
        if $x != $y || $x.is_sign_negative() == $y.is_sign_negative() {
            prop_assert_eq!(compare(Op::FpMin), Some($make($x.min($y))));
            prop_assert_eq!(compare(Op::FpMax), Some($make($x.max($y))));
        } else {
            prop_assert_eq!(compare(Op::FpMin).or(compare(Op::FpMax)), None);
        }
        let test = |op| apply(op, one);
        prop_assert_eq!(test(Op::FpIsNormal), Some(Value::Bool($x.is_normal())));
        prop_assert_eq!(test(Op::FpIsSubnormal), Some(Value::Bool($x.is_subnormal())));
        prop_assert_eq!(test(Op::FpIsZero), Some(Value::Bool($x == 0.0)));
        prop_assert_eq!(test(Op::FpIsInfinite), Some(Value::Bool($x.is_infinite())));
        prop_assert_eq!(test(Op::FpIsNan), Some(Value::Bool($x.is_nan())));
        let has_sign = |negative| !$x.is_nan() && $x.is_sign_negative() == negative;
        prop_assert_eq!(test(Op::FpIsNegative), Some(Value::Bool(has_sign(true))));
        prop_assert_eq!(test(Op::FpIsPositive), Some(Value::Bool(has_sign(false))));
        // A cast to an integer truncates.
        let truncated = $x.trunc();
        let toward_zero = mode(RoundingMode::TowardZero);
        let signed = apply(Op::FpToSigned(32), &[toward_zero.clone(), a.clone()]);
        let is_in_range = (-2_147_483_648.0..2_147_483_648.0).contains(&truncated);
        prop_assert_eq!(signed, is_in_range.then(|| integer(32, ($x as i32).into())));
        let unsigned = apply(Op::FpToUnsigned(64), &[toward_zero, a.clone()]);
        let is_in_range = (0.0..18_446_744_073_709_551_616.0).contains(&truncated);
        prop_assert_eq!(unsigned, is_in_range.then(|| integer(64, ($x as u64).into())));
        if $x.is_finite() {
            let Some(Value::Real(real)) = apply(Op::FpToReal, one) else { panic!("a real") };
            prop_assert_eq!(Some(real.clone()), num_rational::BigRational::from_float($x));
            let op = Op::FpFromReal { exponent: $exponent, significand: $significand };
            let back = apply(op, &[nearest(), Value::Real(real)]);
            prop_assert_eq!(back, Some($make($x + 0.0)));
        } else {
            prop_assert_eq!(apply(Op::FpToReal, one), None);
        }
    }};
}

const SINGLE: (u16, u16) = (8, 24);
const DOUBLE: (u16, u16) = (11, 53);

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn single_precision_is_that_of_the_hardware(bits in patterns(8, 23)) {
        let [x, y, z] = bits.map(|bits| f32::from_bits(bits as u32));
        agree!(f32, single, [x, y, z], 8, 24);
        let (exponent, significand) = DOUBLE;
        let wide = apply(Op::FpFromFloat { exponent, significand }, &[nearest(), single(x)]);
        prop_assert_eq!(wide, Some(double(f64::from(x))));
    }

    #[test]
    fn double_precision_is_that_of_the_hardware(bits in patterns(11, 52)) {
        let [x, y, z] = bits.map(f64::from_bits);
        agree!(f64, double, [x, y, z], 11, 53);
        let (exponent, significand) = SINGLE;
        let narrow = apply(Op::FpFromFloat { exponent, significand }, &[nearest(), double(x)]);
        prop_assert_eq!(narrow, Some(single(x as f32)));
    }

    #[test]
    fn integers_become_floats_as_in_hardware(word: u128, shift in 0u32..128) {
        let word = word >> shift;
        let (exponent, significand) = SINGLE;
        let signed = |width: u32, to: (u16, u16)| {
            let op = Op::FpFromSigned { exponent: to.0, significand: to.1 };
            apply(op, &[nearest(), integer(width, word as i128)])
        };
        let unsigned = |width: u32, to: (u16, u16)| {
            let op = Op::FpFromUnsigned { exponent: to.0, significand: to.1 };
            apply(op, &[nearest(), integer(width, word as i128)])
        };
        prop_assert_eq!(signed(32, SINGLE), Some(single(word as i32 as f32)));
        prop_assert_eq!(signed(64, SINGLE), Some(single(word as i64 as f32)));
        prop_assert_eq!(signed(64, DOUBLE), Some(double(word as i64 as f64)));
        prop_assert_eq!(signed(128, DOUBLE), Some(double(word as i128 as f64)));
        prop_assert_eq!(unsigned(32, SINGLE), Some(single(word as u32 as f32)));
        prop_assert_eq!(unsigned(64, DOUBLE), Some(double(word as u64 as f64)));
        prop_assert_eq!(unsigned(128, DOUBLE), Some(double(word as f64)));
        let bits = integer(32, word as i128);
        let pattern = apply(Op::FpFromBits { exponent, significand }, &[bits]);
        prop_assert_eq!(pattern, Some(float(exponent, significand, u128::from(word as u32))));
    }
}
