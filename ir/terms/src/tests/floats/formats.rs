//! Comparison with LLVM's software floats, in all rounding modes and the standard formats.

use super::{apply, float, integer, mode};
use crate::{Op, RoundingMode, Value};
use proptest::prelude::*;
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

const MODES: [(RoundingMode, Round); 5] = [
    (RoundingMode::NearestEven, Round::NearestTiesToEven),
    (RoundingMode::NearestAway, Round::NearestTiesToAway),
    (RoundingMode::TowardPositive, Round::TowardPositive),
    (RoundingMode::TowardNegative, Round::TowardNegative),
    (RoundingMode::TowardZero, Round::TowardZero),
];

/// Three patterns: random, with close exponents and few digits, or extreme.
fn patterns(words: [u128; 3], kind: u8, exponent: u16, significand: u16) -> [u128; 3] {
    let width = u32::from(exponent) + u32::from(significand);
    let fraction = u32::from(significand) - 1;
    let cut = |word: u128| word >> (128 - width);
    let max = (1u128 << exponent) - 1;
    words.map(|word| match kind % 4 {
        0 => cut(word),
        1 => {
            let field = ((words[0] >> 64) + (word & 127)) % max;
            let digits = (word >> 7) & ((1 << fraction) - 1) & (u128::MAX << (word % u128::from(fraction)));
            ((word >> 127) << (width - 1)) | (field << fraction) | digits
        }
        2 => {
            let field = (max / 2 + (word & 7)).wrapping_sub(3) & max;
            ((word >> 127) << (width - 1)) | (field << fraction) | ((word >> 7) & ((1 << fraction) - 1))
        }
        _ => {
            let field = [0, 0, 1, max - 1, max][(word % 5) as usize];
            let digits =
                [0, 1, (1 << fraction) - 1, 1 << (fraction - 1), (word >> 9) & ((1 << fraction) - 1)]
                    [(word / 5 % 5) as usize];
            ((word >> 127) << (width - 1)) | (field << fraction) | digits
        }
    })
}

fn check<F: Float>(exponent: u16, significand: u16, bits: [u128; 3]) -> Result<(), TestCaseError> {
    let of = |value: F| Some(float(exponent, significand, value.to_bits()));
    let [x, y, z] = bits.map(F::from_bits);
    let [a, b, c] = bits.map(|bits| float(exponent, significand, bits));
    for (rounding, round) in MODES {
        let rounding = mode(rounding);
        let two = |op| apply(op, &[rounding.clone(), a.clone(), b.clone()]);
        prop_assert_eq!(two(Op::FpAdd), of(x.add_r(y, round).value));
        prop_assert_eq!(two(Op::FpSub), of(x.sub_r(y, round).value));
        prop_assert_eq!(two(Op::FpMul), of(x.mul_r(y, round).value));
        prop_assert_eq!(two(Op::FpDiv), of(x.div_r(y, round).value));
        let fused = apply(Op::FpFma, &[rounding.clone(), a.clone(), b.clone(), c.clone()]);
        prop_assert_eq!(fused, of(x.mul_add_r(y, z, round).value), "{:?} {:?} {:?} {:?}", round, a, b, c);
        let integral = apply(Op::FpRoundToIntegral, &[rounding.clone(), a.clone()]);
        prop_assert_eq!(integral, of(x.round_to_integral(round).value));
        for width in [8, 31, 64, 113] {
            let mut is_exact = false;
            let signed = x.to_i128_r(width, round, &mut is_exact);
            let found = apply(Op::FpToSigned(width as u32), &[rounding.clone(), a.clone()]);
            let is_valid = !signed.status.contains(Status::INVALID_OP);
            prop_assert_eq!(found, is_valid.then(|| integer(width as u32, signed.value)));
            let unsigned = x.to_u128_r(width, round, &mut is_exact);
            let found = apply(Op::FpToUnsigned(width as u32), &[rounding.clone(), a.clone()]);
            let is_valid = !unsigned.status.contains(Status::INVALID_OP);
            prop_assert_eq!(found, is_valid.then(|| integer(width as u32, unsigned.value as i128)));
        }
        let word = bits[0] ^ (bits[1] << 64);
        let from = [rounding.clone(), integer(128, word as i128)];
        let signed = apply(Op::FpFromSigned { exponent, significand }, &from);
        prop_assert_eq!(signed, of(F::from_i128_r(word as i128, round).value));
        let unsigned = apply(Op::FpFromUnsigned { exponent, significand }, &from);
        prop_assert_eq!(unsigned, of(F::from_u128_r(word, round).value));
    }
    Ok(())
}

fn convert<F: FloatConvert<T>, T: Float>(
    from: (u16, u16),
    to: (u16, u16),
    bits: u128,
) -> Result<(), TestCaseError> {
    for (rounding, round) in MODES {
        let mut loses = false;
        let expected = F::from_bits(bits).convert_r(round, &mut loses).value;
        let op = Op::FpFromFloat { exponent: to.0, significand: to.1 };
        let found = apply(op, &[mode(rounding), float(from.0, from.1, bits)]);
        prop_assert_eq!(found, Some(float(to.0, to.1, expected.to_bits())));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn named_formats_are_those_of_llvm(words: [u128; 3], kind: u8) {
        let bits = |exponent, significand| patterns(words, kind, exponent, significand);
        check::<Half>(5, 11, bits(5, 11))?;
        check::<BFloat>(8, 8, bits(8, 8))?;
        check::<Float8E5M2>(5, 3, bits(5, 3))?;
        check::<Single>(8, 24, bits(8, 24))?;
        check::<Double>(11, 53, bits(11, 53))?;
        check::<Quad>(15, 113, bits(15, 113))?;
    }

    #[test]
    fn conversions_of_formats_are_those_of_llvm(words: [u128; 3], kind: u8) {
        let bits = |exponent, significand| patterns(words, kind, exponent, significand)[0];
        convert::<Quad, Double>((15, 113), (11, 53), bits(15, 113))?;
        convert::<Quad, Half>((15, 113), (5, 11), bits(15, 113))?;
        convert::<Double, Single>((11, 53), (8, 24), bits(11, 53))?;
        convert::<Single, BFloat>((8, 24), (8, 8), bits(8, 24))?;
        convert::<Single, Half>((8, 24), (5, 11), bits(8, 24))?;
        convert::<Half, BFloat>((5, 11), (8, 8), bits(5, 11))?;
        convert::<Half, Quad>((5, 11), (15, 113), bits(5, 11))?;
        convert::<Half, Float8E5M2>((5, 11), (5, 3), bits(5, 11))?;
        // Every conversion of a subnormal number to a smaller format rounds once.
        convert::<Double, Single>((11, 53), (8, 24), (words[0] % (1 << 53)) | (897 - (words[1] % 40)) << 52)?;
    }
}

#[test]
fn values_of_different_formats_do_not_mix() {
    let arguments = [mode(RoundingMode::NearestEven), float(5, 11, 1), float(8, 24, 1)];
    let arguments: Vec<&Value> = arguments.iter().collect();
    let outcome = crate::ieee::apply(Op::FpAdd, &arguments);
    assert_eq!(outcome, crate::ieee::Outcome::IllSorted);
}
