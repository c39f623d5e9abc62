//! Bounds of the values that are derived from addresses.
//!
//! A derived value that is added to an address acts as an offset. The internal sum stands for the
//! observable one if the offset cannot lead from one object to another, as a hash below the length
//! of a table: it is the same then for every placement, or the access is invalid for every one. The
//! difference of two addresses may lead anywhere, even one that is cut to a few bits.
//!
//! A derived value is a number plus a part that depends on the placement. The bound is one for that
//! part, as a number of bits that only grows, so loops need at most [`UNBOUNDED`] rounds.

use super::content::Content;
use super::shapes::largest;
use terms::{Op, Sort, Term, TermPool};

/// No bound is known.
pub(super) const UNBOUNDED: u32 = 64;

/// Several addresses are in the value. Two objects may be close together, so a bound of their
/// distance is no reason why it could not lead from one to the other.
const DISTANCE: u32 = 65;

/// Whether operands with these contents are or make a distance.
fn has_distance(contents: impl Iterator<Item = Content>) -> bool {
    let (mut addresses, mut is_distance) = (0, false);
    for content in contents {
        addresses += u32::from(content.address);
        is_distance |= content.bits == DISTANCE;
    }
    addresses > 1 || is_distance
}

/// The bits of a value up to `most`.
fn bits_of(most: u64) -> u32 {
    64 - most.leading_zeros()
}

/// The bound for an operation on derived values or addresses.
pub(super) fn of_operation(pool: &TermPool, term: Term, content: impl Fn(Term) -> Content) -> u32 {
    let children = pool.children(term);
    if has_distance(children.iter().map(|&child| content(child))) {
        return DISTANCE;
    }
    let Sort::BitVec(width) = pool.sort(term) else { return UNBOUNDED };
    let bits = match pool.op(term) {
        Op::BvAnd => {
            let masks = children.iter().filter_map(|&child| largest(pool, child));
            masks.map(bits_of).min().unwrap_or(UNBOUNDED)
        }
        Op::BvUrem | Op::BvSrem => largest(pool, children[1]).map_or(UNBOUNDED, bits_of),
        Op::SignExtend(extension) | Op::ZeroExtend(extension) => width - extension,
        Op::BvLshr => {
            let by = pool.as_bv_u64(children[1]).and_then(|by| u32::try_from(by).ok());
            width.saturating_sub(by.unwrap_or(0))
        }
        Op::Extract { high, low } => high - low + 1,
        _ => UNBOUNDED,
    };
    bits.min(width)
}

/// The bound for the sum `term` of `parts` with coefficients. Numbers that are not derived from
/// addresses may be large: their sum with an address is the same for every placement.
pub(super) fn of_sum(
    pool: &TermPool,
    term: Term,
    parts: &[(Term, i128)],
    content: impl Fn(Term) -> Content,
) -> u32 {
    if has_distance(parts.iter().map(|part| content(part.0))) {
        return DISTANCE;
    }
    let Sort::BitVec(width) = pool.sort(term) else { return UNBOUNDED };
    let (mut most, mut count) = (0, 0_u64);
    for &(part, factor) in parts {
        let content = content(part);
        if content.is_clean() {
            continue;
        }
        // A product with a factor of at most 2 to the power of n has n more bits.
        let more = 128 - factor.unsigned_abs().saturating_sub(1).leading_zeros();
        let bits = if content.address { UNBOUNDED } else { content.bits };
        most = most.max(bits + more);
        count += 1;
    }
    (most + bits_of(count.saturating_sub(1))).min(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::placement::content::Family;
    use crate::transform::points_to::linearize;

    #[test]
    fn masks_remainders_and_shifts_bound_a_value() {
        let mut pool = TermPool::new();
        let value = pool.symbol("v", Sort::BitVec(64));
        let one = |term| if term == value { Content::ADDRESS } else { Content::NUMBER };
        let (seven, sixty) = (pool.bv(64, 7), pool.bv(64, 60));
        let masked = pool.bv_and(value, seven);
        assert_eq!(of_operation(&pool, masked, one), 3);
        let rest = pool.bv_urem(value, sixty);
        assert_eq!(of_operation(&pool, rest, one), 6);
        let shifted = pool.bv_lshr(value, sixty);
        assert_eq!(of_operation(&pool, shifted, one), 4);
        let low = pool.extract(15, 0, value);
        assert_eq!(of_operation(&pool, low, one), 16);
        let whole = pool.bv_xor(value, seven);
        assert_eq!(of_operation(&pool, whole, one), UNBOUNDED);
        let extended = pool.zero_extend(48, low);
        let sum = pool.bv_add(extended, value);
        let parts = linearize(&pool, sum).expect("a sum").parts;
        assert_eq!(of_sum(&pool, sum, &parts, one), UNBOUNDED);
    }

    #[test]
    fn a_distance_stays_one_when_it_is_cut() {
        let mut pool = TermPool::new();
        let (a, b) = (pool.symbol("a", Sort::BitVec(64)), pool.symbol("b", Sort::BitVec(64)));
        let distance = pool.bv_sub(a, b);
        let parts = linearize(&pool, distance).expect("a sum").parts;
        let bits = of_sum(&pool, distance, &parts, |_| Content::ADDRESS);
        let low = pool.extract(31, 0, distance);
        let content = |_| Content { address: false, derived: Some(Family(0)), bits, ..Content::ADDRESS };
        assert_eq!((bits, of_operation(&pool, low, content)), (DISTANCE, DISTANCE));
    }

    #[test]
    fn an_index_that_counts_on_from_a_hash_stays_one() {
        let mut pool = TermPool::new();
        let (hash, number) = (pool.symbol("h", Sort::BitVec(64)), pool.symbol("n", Sort::BitVec(64)));
        let content = |term| match term == hash {
            true => Content { address: false, derived: Some(Family(0)), bits: 3, ..Content::ADDRESS },
            false => Content::NUMBER,
        };
        let one = pool.bv(64, 1);
        let next = pool.bv_add(hash, one);
        let further = pool.bv_add(next, number);
        let four = pool.bv(64, 4);
        let scaled = pool.bv_mul(hash, four);
        for (sum, bits) in [(next, 3), (further, 3), (scaled, 5)] {
            let parts = linearize(&pool, sum).expect("a sum").parts;
            assert_eq!(of_sum(&pool, sum, &parts, content), bits);
        }
    }
}
