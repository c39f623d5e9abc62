//! Bit-blasting: bit-vector operators as gates.
//!
//! # Idea
//! The circuits are those of textbooks (Kroening, Strichman: *Decision Procedures*, 2016, chapter
//! 6). A word is a list of signals, the least significant one first.
//!
//! | operator | circuit |
//! |---|---|
//! | sum, difference, negation | ripple carry, with one majority gate and two exclusive ors per bit |
//! | product | shifted rows, added up; the operand with fewer possible 1 bits selects the rows |
//! | quotient, remainder | restoring division; each step works only on the bits brought down so far |
//! | shifts | barrel shifter; amount bits that shift everything out select the fill |
//! | comparisons | the carry chain of a difference |
//!
//! Division by zero needs no special case: every step of restoring division succeeds, so the
//! quotient is all ones and the remainder is the dividend, as in SMT-LIB.
//!
//! The signed quotient and remainder are those of the magnitudes, with the sign of SMT-LIB's
//! definition.
//!
//! # Cost
//! For width w: O(w) gates for sums and comparisons, O(w log w) for shifts by variable amounts,
//! O(w²) for products and quotients.

use super::gates::{Gates, Signal};
use terms::BitVector;

/// The bits of a bit vector, the least significant one first.
pub type Word = Vec<Signal>;

/// The word of a constant.
pub fn constant(value: &BitVector) -> Word {
    (0..value.width()).map(|index| Signal::constant(value.bit(index))).collect()
}

/// The complement of each bit.
pub fn not(a: &[Signal]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// Applies an operator bitwise.
pub fn map2(
    gates: &mut Gates,
    a: &[Signal],
    b: &[Signal],
    mut operator: impl FnMut(&mut Gates, Signal, Signal) -> Signal,
) -> Word {
    a.iter().zip(b).map(|(&a, &b)| operator(gates, a, b)).collect()
}

/// `then` or `otherwise`, by the condition.
pub fn ite(gates: &mut Gates, condition: Signal, then: &[Signal], otherwise: &[Signal]) -> Word {
    map2(gates, then, otherwise, |gates, then, otherwise| gates.ite(condition, then, otherwise))
}

/// The sum of two words and a carry.
pub fn add(gates: &mut Gates, a: &[Signal], b: &[Signal], carry: Signal) -> Word {
    let mut carry = carry;
    map2(gates, a, b, |gates, a, b| {
        let half = gates.xor(a, b);
        let sum = gates.xor(half, carry);
        carry = gates.majority(a, b, carry);
        sum
    })
}

/// The difference.
pub fn sub(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> Word {
    add(gates, a, &not(b), Signal::TRUE)
}

/// The negation in two's complement.
pub fn neg(gates: &mut Gates, a: &[Signal]) -> Word {
    add(gates, &vec![Signal::FALSE; a.len()], &not(a), Signal::TRUE)
}

/// The product.
pub fn mul(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> Word {
    let possible = |word: &[Signal]| word.iter().filter(|&&bit| bit != Signal::FALSE).count();
    let (rows, row) = if possible(a) < possible(b) { (a, b) } else { (b, a) };
    let width = row.len();
    let mut product = vec![Signal::FALSE; width];
    for (shift, &bit) in rows.iter().enumerate() {
        if bit == Signal::FALSE {
            continue;
        }
        let addend: Word = row[..width - shift].iter().map(|&of| gates.and2(of, bit)).collect();
        let upper = add(gates, &product[shift..], &addend, Signal::FALSE);
        product.truncate(shift);
        product.extend(upper);
    }
    product
}

/// The unsigned quotient and remainder.
pub fn divide(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> (Word, Word) {
    let width = a.len();
    // For each index, whether all bits of the divisor from it on are 0.
    let mut is_zero_from = vec![Signal::TRUE; width + 1];
    for index in (0..width).rev() {
        is_zero_from[index] = gates.and2(is_zero_from[index + 1], !b[index]);
    }
    let mut quotient = vec![Signal::FALSE; width];
    let mut remainder: Word = Vec::with_capacity(width);
    for index in (0..width).rev() {
        remainder.insert(0, a[index]);
        let bits = remainder.len();
        let divisor = &b[..bits];
        // The remainder is below 2^bits, and before this digit it was below the divisor unless that
        // is 0.
        let fits = !less(gates, &remainder, divisor, Signal::FALSE);
        let digit = gates.and2(fits, is_zero_from[bits]);
        let difference = sub(gates, &remainder, divisor);
        remainder = ite(gates, digit, &difference, &remainder);
        quotient[index] = digit;
    }
    (quotient, remainder)
}

/// The signed quotient, rounded toward zero.
pub fn signed_quotient(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> Word {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let (a, b) = (negate_if(gates, sign_a, a), negate_if(gates, sign_b, b));
    let (quotient, _) = divide(gates, &a, &b);
    let is_negative = gates.xor(sign_a, sign_b);
    negate_if(gates, is_negative, &quotient)
}

/// The signed remainder, with the sign of the dividend.
pub fn signed_remainder(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> Word {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let (a, b) = (negate_if(gates, sign_a, a), negate_if(gates, sign_b, b));
    let (_, remainder) = divide(gates, &a, &b);
    negate_if(gates, sign_a, &remainder)
}

/// The direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Toward the more significant bits.
    Left,
    /// Toward the less significant bits.
    Right,
}

/// `a` shifted by `amount` bits; vacated bits become `fill`.
pub fn shift(gates: &mut Gates, direction: Direction, a: &[Signal], amount: &[Signal], fill: Signal) -> Word {
    let width = a.len();
    let mut shifted = a.to_vec();
    let mut far = Vec::new();
    for (index, &bit) in amount.iter().enumerate() {
        let distance = u32::try_from(index).ok().and_then(|index| 1usize.checked_shl(index));
        match distance.filter(|&distance| distance < width) {
            Some(distance) => {
                let moved = move_by(direction, &shifted, distance, fill);
                shifted = ite(gates, bit, &moved, &shifted);
            }
            None => far.push(bit),
        }
    }
    let is_far = gates.or(far);
    ite(gates, is_far, &vec![fill; width], &shifted)
}

/// Whether two words are equal.
pub fn equal(gates: &mut Gates, a: &[Signal], b: &[Signal]) -> Signal {
    let same = map2(gates, a, b, Gates::iff);
    gates.and(same)
}

/// Whether `a` is below `b`, unsigned; with `or_equal` true, whether it is at most `b`.
pub fn less(gates: &mut Gates, a: &[Signal], b: &[Signal], or_equal: Signal) -> Signal {
    a.iter().zip(b).fold(or_equal, |less, (&a, &b)| gates.majority(!a, b, less))
}

/// Like [`less`], for signed numbers.
pub fn signed_less(gates: &mut Gates, a: &[Signal], b: &[Signal], or_equal: Signal) -> Signal {
    let last = a.len() - 1;
    let below = less(gates, &a[..last], &b[..last], or_equal);
    // The sign bit counts inversely.
    gates.majority(a[last], !b[last], below)
}

/// The most significant bit.
pub fn sign(a: &[Signal]) -> Signal {
    *a.last().expect("a bit vector should have at least one bit")
}

fn negate_if(gates: &mut Gates, condition: Signal, a: &[Signal]) -> Word {
    let flipped: Word = a.iter().map(|&bit| gates.xor(bit, condition)).collect();
    add(gates, &vec![Signal::FALSE; a.len()], &flipped, condition)
}

fn move_by(direction: Direction, a: &[Signal], distance: usize, fill: Signal) -> Word {
    let filled = std::iter::repeat_n(fill, distance);
    match direction {
        Direction::Left => filled.chain(a[..a.len() - distance].iter().copied()).collect(),
        Direction::Right => a[distance..].iter().copied().chain(filled).collect(),
    }
}
