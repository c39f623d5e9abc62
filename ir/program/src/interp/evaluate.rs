//! Evaluation of operators: on machine words up to 64 bits, else on bit vectors.

use super::compile::Word;
use terms::{BitVector, Op};

#[inline]
fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[inline]
fn signed(width: u8, value: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((value << unused) as i64) >> unused
}

/// Applies an operator to patterns of `width` bits (1 for `Bool`) and returns a pattern. [`Word`]
/// documents the operators that use `width` and `b` differently.
#[inline]
pub(super) fn word(op: Word, width: u8, a: u64, b: u64) -> u64 {
    let mask = mask(width);
    match op {
        Word::Not => a ^ 1,
        Word::BvNot => !a & mask,
        Word::Neg => a.wrapping_neg() & mask,
        Word::And => a & b,
        Word::Or => a | b,
        Word::Xor => a ^ b,
        Word::Add => a.wrapping_add(b) & mask,
        Word::Sub => a.wrapping_sub(b) & mask,
        Word::Mul => a.wrapping_mul(b) & mask,
        Word::Udiv => a.checked_div(b).unwrap_or(mask),
        Word::Urem => a.checked_rem(b).unwrap_or(a),
        Word::Sdiv => {
            let (a, b) = (signed(width, a), signed(width, b));
            let quotient = if b == 0 { if a < 0 { 1 } else { -1 } } else { a.wrapping_div(b) };
            quotient as u64 & mask
        }
        Word::Srem => {
            let (a, b) = (signed(width, a), signed(width, b));
            let remainder = if b == 0 { a } else { a.wrapping_rem(b) };
            remainder as u64 & mask
        }
        Word::Shl => {
            if b < u64::from(width) {
                (a << b) & mask
            } else {
                0
            }
        }
        Word::Lshr => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        Word::Ashr => (signed(width, a) >> b.min(63)) as u64 & mask,
        Word::Ult => u64::from(a < b),
        Word::Ule => u64::from(a <= b),
        Word::Slt => u64::from(signed(width, a) < signed(width, b)),
        Word::Sle => u64::from(signed(width, a) <= signed(width, b)),
        Word::Eq => u64::from(a == b),
        Word::Concat => (a << width) | b,
        Word::Extract => (a >> b) & mask,
        Word::SignExtend => signed(b as u8, a) as u64 & mask,
        Word::Move => a,
    }
}

/// Applies an operator to bit vectors; a `Bool` is a vector of one bit. Returns `None` for
/// operators on other sorts.
pub(super) fn wide(op: Op, arguments: &[BitVector]) -> Option<BitVector> {
    let truth = |value: bool| BitVector::new(1, u64::from(value));
    let first = arguments.first()?;
    Some(match (op, arguments) {
        (Op::Ite, [condition, a, b]) => {
            if condition.is_zero() {
                b.clone()
            } else {
                a.clone()
            }
        }
        (Op::Eq, [a, b]) => truth(a == b),
        (Op::BvNot | Op::Not, [a]) => a.not(),
        (Op::BvNeg, [a]) => a.neg(),
        (Op::ZeroExtend(bits), [a]) => a.zero_extend(bits),
        (Op::SignExtend(bits), [a]) => a.sign_extend(bits),
        (Op::Extract { high, low }, [a]) => a.extract(high, low),
        (Op::Concat, [_, rest @ ..]) => rest.iter().fold(first.clone(), |high, low| high.concat(low)),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => truth(BitVector::compare(op, a, b)),
        (
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr,
            [_, rest @ ..],
        ) => rest.iter().fold(first.clone(), |a, b| BitVector::binary(op, &a, b)),
        _ => return None,
    })
}
