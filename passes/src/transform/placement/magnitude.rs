//! Bounds of the values that are derived from addresses.
//!
//! A derived value that is added to an address acts as an offset. The internal sum stands for the
//! observable one if the offset cannot lead from one object to another, as a hash below the length
//! of a table: it is the same then for every placement, or the access is invalid for every one. The
//! difference of two addresses may lead anywhere.
//!
//! The bound is a number of bits that only grows, so loops need at most [`UNBOUNDED`] rounds.

use super::content::Content;
use super::shapes::largest;
use terms::{Op, Sort, Term, TermPool};

/// No bound is known.
pub(super) const UNBOUNDED: u32 = 64;

/// The bits of a value up to `most`.
fn bits_of(most: u64) -> u32 {
    64 - most.leading_zeros()
}

/// The bound for a term with this content, if it is an operand.
fn operand(pool: &TermPool, term: Term, content: Content) -> u32 {
    if let Some(most) = largest(pool, term) {
        return bits_of(most);
    }
    match content.derived {
        Some(_) if !content.address && !content.number => content.bits,
        _ => UNBOUNDED,
    }
}

/// The bound for an operation on derived values or addresses.
pub(super) fn of_operation(pool: &TermPool, term: Term, content: impl Fn(Term) -> Content) -> u32 {
    let Sort::BitVec(width) = pool.sort(term) else { return UNBOUNDED };
    let children = pool.children(term);
    let operand = |index: usize| {
        let child = children[index];
        match pool.sort(child) {
            Sort::BitVec(width) => operand(pool, child, content(child)).min(width),
            _ => UNBOUNDED,
        }
    };
    // A derived value may be negative.
    let bits = match pool.op(term) {
        Op::BvAnd => {
            let masks = children.iter().filter_map(|&child| largest(pool, child));
            masks.map(bits_of).min().unwrap_or(UNBOUNDED)
        }
        Op::BvOr | Op::BvXor => (0..children.len()).map(operand).max().unwrap_or(UNBOUNDED),
        Op::BvUrem | Op::BvSrem => largest(pool, children[1]).map_or(UNBOUNDED, bits_of),
        Op::SignExtend(_) => operand(0),
        Op::ZeroExtend(extension) => width - extension,
        Op::BvLshr => {
            let by = pool.as_bv_u64(children[1]).and_then(|by| u32::try_from(by).ok());
            width.saturating_sub(by.unwrap_or(0))
        }
        Op::Extract { high, low } => high - low + 1,
        _ => UNBOUNDED,
    };
    bits.min(width)
}

/// The bound for the sum `term` of `parts` with coefficients, and a constant.
pub(super) fn of_sum(
    pool: &TermPool,
    term: Term,
    parts: &[(Term, i128)],
    content: impl Fn(Term) -> Content,
) -> u32 {
    let Sort::BitVec(width) = pool.sort(term) else { return UNBOUNDED };
    let constant = super::super::points_to::linearize(pool, term).map_or(i128::MAX, |sum| sum.constant);
    let magnitude = |number: i128| 128 - number.unsigned_abs().leading_zeros();
    let of_part = |&(part, factor): &(Term, i128)| match pool.sort(part) {
        Sort::BitVec(width) => operand(pool, part, content(part)).min(width) + magnitude(factor),
        _ => UNBOUNDED,
    };
    let most = parts.iter().map(of_part).chain([magnitude(constant)]).max().unwrap_or(UNBOUNDED);
    // The sum of n numbers below m is below n * m.
    (most + bits_of(parts.len() as u64 + 1)).min(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::points_to::linearize;

    #[test]
    fn masks_remainders_and_shifts_bound_a_value() {
        let mut pool = TermPool::new();
        let value = pool.symbol("v", Sort::BitVec(64));
        let any = |_| Content { derived: None, ..Content::ADDRESS };
        let (seven, sixty) = (pool.bv(64, 7), pool.bv(64, 60));
        let masked = pool.bv_and(value, seven);
        assert_eq!(of_operation(&pool, masked, any), 3);
        let rest = pool.bv_urem(value, sixty);
        assert_eq!(of_operation(&pool, rest, any), 6);
        let shifted = pool.bv_lshr(value, sixty);
        assert_eq!(of_operation(&pool, shifted, any), 4);
        let low = pool.extract(15, 0, value);
        assert_eq!(of_operation(&pool, low, any), 16);
        let whole = pool.bv_xor(value, seven);
        assert_eq!(of_operation(&pool, whole, any), UNBOUNDED);
        let extended = pool.zero_extend(48, low);
        let sum = pool.bv_add(extended, value);
        let parts = linearize(&pool, sum).expect("a sum").parts;
        assert_eq!(of_sum(&pool, sum, &parts, any), UNBOUNDED);
    }
}
