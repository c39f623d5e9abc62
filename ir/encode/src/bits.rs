//! Formulas over integers as formulas over bit vectors: the way back of a linear encoding.
//!
//! An invariant that was found over integers is to hold of bit vectors. Each integer symbol has an
//! image, a bit vector that is read as signed or unsigned; its values are bounded, so those of each
//! integer term over such symbols are. A term becomes a bit vector in two's complement that is wide
//! enough for its interval, so no operation wraps around and the translation is exact (as in the
//! reduction of bounded integers to bit vectors of Bryant, Kroening, Ouaknine, Seshia, Strichman
//! and Brady, *Deciding Bit-Vector Arithmetic with Abstraction*, TACAS 2007, read backwards).
//! Division is Euclidean, as SMT-LIB's.
//!
//! Cost: linear in the number of distinct subterms, times the widths: a sum is one bit wider than
//! its operands, a product as wide as both together. Limits: no term with an integer symbol that
//! has an image may also contain one without, or a bound variable; at most 1,024 bits.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use terms::{Op, Representation, Sort, Term, TermPool};

/// The greatest width of an intermediate bit vector.
const MOST_BITS: u64 = 1024;

/// A bit vector, and how it is read as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The bit vector.
    pub term: Term,
    /// The range of its values.
    pub representation: Representation,
}

/// The formula with the bit vectors `images` for integer symbols. `None` if it has no translation:
/// see the limits of the module.
pub fn over_bits(pool: &mut TermPool, formula: Term, images: &FxHashMap<Term, Bits>) -> Option<Term> {
    let mut terms = Vec::new();
    // Children come before the terms that contain them.
    pool.visit(&[formula], |_| true, |term| terms.push(term));
    let mut known: FxHashMap<Term, Image> = FxHashMap::default();
    for term in terms {
        let image = image(pool, term, images, &known)?;
        known.insert(term, image);
    }
    match known.remove(&formula)? {
        Image::Same(term) => Some(term),
        Image::Constant(_) | Image::Number(_) => None,
    }
}

/// The translation of a term.
#[derive(Clone, Debug)]
enum Image {
    /// A term of the same sort without symbols that have images, or a formula.
    Same(Term),
    /// An integer constant, which suits both.
    Constant(BigInt),
    /// A bit vector for an integer.
    Number(Number),
}

/// A bit vector in two's complement that has the value of an integer term, which lies in
/// `low..=high`.
#[derive(Clone, Debug)]
struct Number {
    bits: Term,
    low: BigInt,
    high: BigInt,
}

/// The number of bits in two's complement for all values in `low..=high`.
fn bits_for(low: &BigInt, high: &BigInt) -> Option<u32> {
    let of = |value: &BigInt| if value.is_negative() { (value + 1u32).bits() + 1 } else { value.bits() + 1 };
    let bits = of(low).max(of(high));
    u32::try_from(bits).ok().filter(|_| bits <= MOST_BITS)
}

impl Number {
    /// The bits in a width that is enough for them.
    fn wide(&self, pool: &mut TermPool, width: u32) -> Term {
        let more = width - pool.width(self.bits);
        pool.sign_extend(more, self.bits)
    }

    fn constant(pool: &mut TermPool, value: &BigInt) -> Option<Self> {
        let width = bits_for(value, value)?;
        Some(Number { bits: pool.bv_big(width, value), low: value.clone(), high: value.clone() })
    }

    /// The result of an operation that does not wrap around in the width of its interval.
    fn of(
        pool: &mut TermPool,
        operands: &[Number],
        (low, high): (BigInt, BigInt),
        operation: impl Fn(&mut TermPool, Term, Term) -> Term,
    ) -> Option<Self> {
        let widths = operands.iter().map(|operand| pool.width(operand.bits));
        let width = widths.max()?.max(bits_for(&low, &high)?);
        let mut operands = operands.iter();
        let mut bits = operands.next()?.wide(pool, width);
        for operand in operands {
            let operand = operand.wide(pool, width);
            bits = operation(pool, bits, operand);
        }
        Some(Number { bits, low, high })
    }

    fn sum(pool: &mut TermPool, operands: &[Number]) -> Option<Self> {
        let low = operands.iter().map(|operand| &operand.low).sum();
        let high = operands.iter().map(|operand| &operand.high).sum();
        Number::of(pool, operands, (low, high), |pool, a, b| pool.bv_add(a, b))
    }

    fn product(pool: &mut TermPool, operands: &[Number]) -> Option<Self> {
        let mut interval = (BigInt::from(1), BigInt::from(1));
        for Number { low, high, .. } in operands {
            let corners = [&interval.0 * low, &interval.0 * high, &interval.1 * low, &interval.1 * high];
            interval = (corners.iter().min()?.clone(), corners.iter().max()?.clone());
            // A width that is too large ends this before the bounds become large.
            bits_for(&interval.0, &interval.1)?;
        }
        Number::of(pool, operands, interval, |pool, a, b| pool.bv_mul(a, b))
    }

    fn negated(self, pool: &mut TermPool) -> Option<Self> {
        let zero = Number::constant(pool, &BigInt::zero())?;
        let interval = (-&self.high, -&self.low);
        Number::of(pool, &[zero, self], interval, |pool, a, b| pool.bv_sub(a, b))
    }

    /// The Euclidean quotient and remainder by a constant other than 0.
    fn divided(&self, pool: &mut TermPool, divisor: &BigInt) -> Option<(Self, Self)> {
        if divisor.is_zero() {
            return None;
        }
        let size = divisor.abs();
        // The quotient of the least number by -1 needs one more bit.
        let most = self.low.abs().max(self.high.abs()).max(size.clone()) + 1u32;
        let width = bits_for(&-&most, &most)?.max(pool.width(self.bits));
        let dividend = self.wide(pool, width);
        let by = pool.bv_big(width, divisor);
        let (quotient, remainder) = (pool.bv_sdiv(dividend, by), pool.bv_srem(dividend, by));
        let (zero, one) = (pool.bv(width, 0), pool.bv(width, 1));
        let is_negative = pool.bv_slt(remainder, zero);
        let corrected = match divisor.is_negative() {
            true => pool.bv_add(quotient, one),
            false => pool.bv_sub(quotient, one),
        };
        let quotient = pool.ite(is_negative, corrected, quotient);
        let by = pool.bv_big(width, &size);
        let corrected = pool.bv_add(remainder, by);
        let remainder = pool.ite(is_negative, corrected, remainder);
        Some((
            Number { bits: quotient, low: -&most, high: most },
            Number { bits: remainder, low: BigInt::zero(), high: size - 1u32 },
        ))
    }
}

fn image(
    pool: &mut TermPool,
    term: Term,
    images: &FxHashMap<Term, Bits>,
    known: &FxHashMap<Term, Image>,
) -> Option<Image> {
    if let Some(&Bits { term: bits, representation }) = images.get(&term) {
        let one = BigInt::from(1);
        let width = pool.width(bits);
        return Some(Image::Number(match representation {
            Representation::Unsigned => {
                Number { bits: pool.zero_extend(1, bits), low: BigInt::zero(), high: (&one << width) - &one }
            }
            Representation::Signed => {
                let half = &one << (width - 1);
                Number { bits, low: -&half, high: half - one }
            }
        }));
    }
    if let Some(value) = pool.as_int(term) {
        return Some(Image::Constant(value.clone()));
    }
    let children: Vec<Image> = pool.children(term).iter().map(|child| known[child].clone()).collect();
    if children.iter().any(|child| matches!(child, Image::Number(_))) {
        return of_numbers(pool, term, &children);
    }
    let same = children.iter().map(|child| match child {
        Image::Same(term) => *term,
        Image::Constant(value) => pool.int_big(value),
        Image::Number(_) => unreachable!("terms with numbers have other images"),
    });
    let same: Vec<Term> = same.collect();
    let rebuilt = if same == pool.children(term) { term } else { pool.rebuild(term, &same) };
    Some(match pool.as_int(rebuilt) {
        Some(value) => Image::Constant(value.clone()),
        None => Image::Same(rebuilt),
    })
}

/// The image of a term some of whose children are numbers.
fn of_numbers(pool: &mut TermPool, term: Term, children: &[Image]) -> Option<Image> {
    let op = pool.op(term);
    let (condition, operands) = match (op, children) {
        (Op::Ite, [Image::Same(condition), operands @ ..]) => (Some(*condition), operands),
        (Op::Ite, _) => return None,
        (_, operands) => (None, operands),
    };
    let mut numbers = Vec::with_capacity(operands.len());
    for operand in operands {
        numbers.push(match operand {
            Image::Number(number) => number.clone(),
            Image::Constant(value) => Number::constant(pool, value)?,
            Image::Same(_) => return None,
        });
    }
    let number = match (op, &numbers[..]) {
        (Op::Add, all) => Number::sum(pool, all)?,
        (Op::Mul, all) => Number::product(pool, all)?,
        (Op::Neg, [a]) => a.clone().negated(pool)?,
        (Op::Sub, [a, rest @ ..]) => {
            let mut all = vec![a.clone()];
            for number in rest {
                all.push(number.clone().negated(pool)?);
            }
            Number::sum(pool, &all)?
        }
        (Op::IntDiv, [a, b]) if b.low == b.high => a.divided(pool, &b.low)?.0,
        (Op::IntMod, [a, b]) if b.low == b.high => a.divided(pool, &b.low)?.1,
        (Op::Ite, [a, b]) => {
            let width = pool.width(a.bits).max(pool.width(b.bits));
            let (then, otherwise) = (a.wide(pool, width), b.wide(pool, width));
            let bits = pool.ite(condition?, then, otherwise);
            Number { bits, low: a.low.clone().min(b.low.clone()), high: a.high.clone().max(b.high.clone()) }
        }
        (Op::Eq | Op::Le | Op::Lt, [a, b]) => {
            debug_assert_eq!(pool.sort(term), Sort::Bool, "a comparison is a formula");
            let width = pool.width(a.bits).max(pool.width(b.bits));
            let (a, b) = (a.wide(pool, width), b.wide(pool, width));
            return Some(Image::Same(match op {
                Op::Eq => pool.eq(a, b),
                Op::Le => pool.bv_sle(a, b),
                _ => pool.bv_slt(a, b),
            }));
        }
        _ => return None,
    };
    Some(Image::Number(number))
}
