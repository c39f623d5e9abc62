//! Sums of bit vectors in a normal form, modulo a power of two.

use std::mem;
use terms::{BitVector, Sort, Term, TermPool};

/// The largest number of summands of a sum; a larger one stays as it is.
const MOST_SUMMANDS: usize = 64;

/// A constant in two's complement.
pub(super) fn number_of(pool: &mut TermPool, width: u32, number: i128) -> Term {
    pool.bit_vector(&BitVector::new(width, number as u64))
}

/// A bit vector of at most 64 bits as a sum without a constant summand, and the constant. Equal
/// linear sums of the same terms have the same parts.
pub(super) fn parts(pool: &mut TermPool, root: Term) -> (Term, i128) {
    let Some(mut sum) = pool.bv_sum(root).filter(|sum| sum.summands.len() <= MOST_SUMMANDS) else {
        return (root, 0);
    };
    let constant = i128::from(mem::take(&mut sum.constant));
    (pool.bv_sum_term(&sum), constant)
}

/// The sum of the [parts] of a term.
pub(super) fn normalized(pool: &mut TermPool, term: Term) -> Term {
    let Sort::BitVec(width) = pool.sort(term) else { return term };
    let (sum, constant) = parts(pool, term);
    let constant = number_of(pool, width, constant);
    pool.bv_add(sum, constant)
}
