//! Sums of bit vectors in a normal form, modulo a power of two.

use crate::intervals::disjunction::WIDEST;
use terms::{BitVector, Op, Sort, Term, TermPool};

/// The largest number of steps into one sum; a larger one stays as it is.
const MOST_STEPS: usize = 64;

/// A constant in two's complement.
pub(super) fn number_of(pool: &mut TermPool, width: u32, number: i128) -> Term {
    pool.bit_vector(&BitVector::new(width, number as u64))
}

/// A bit vector of at most 64 bits as a sum without a constant summand, and the constant. Equal
/// linear sums of the same terms have the same parts.
pub(super) fn parts(pool: &mut TermPool, root: Term) -> (Term, i128) {
    let Sort::BitVec(width) = pool.sort(root) else { return (root, 0) };
    if width > WIDEST {
        return (root, 0);
    }
    // Factors and constants modulo 2^64, so also modulo 2^width.
    let (mut factors, mut constant): (Vec<(Term, u64)>, u64) = (Vec::new(), 0);
    let mut work = vec![(root, 1u64)];
    let mut steps = 0;
    while let Some((term, factor)) = work.pop() {
        steps += 1;
        if steps > MOST_STEPS {
            return (root, 0);
        }
        let number = |term| pool.as_bit_vector(term).and_then(|bits| bits.to_u64());
        match (pool.op(term), pool.children(term)) {
            (Op::BvAdd, children) => work.extend(children.iter().map(|&child| (child, factor))),
            (Op::BvSub, &[a, b]) => work.extend([(a, factor), (b, factor.wrapping_neg())]),
            (Op::BvNeg, &[a]) => work.push((a, factor.wrapping_neg())),
            (Op::BvNot, &[a]) => {
                work.push((a, factor.wrapping_neg()));
                constant = constant.wrapping_sub(factor);
            }
            (Op::BvMul, &[a, b]) if number(a).or(number(b)).is_some() => {
                let (number, other) = match number(a) {
                    Some(number) => (number, b),
                    None => (number(b).unwrap_or(0), a),
                };
                work.push((other, factor.wrapping_mul(number)));
            }
            _ => match (number(term), factors.iter_mut().find(|(own, _)| *own == term)) {
                (Some(number), _) => constant = constant.wrapping_add(factor.wrapping_mul(number)),
                (None, Some((_, own))) => *own = own.wrapping_add(factor),
                (None, None) => factors.push((term, factor)),
            },
        }
    }
    factors.sort_unstable();
    let mut sum = number_of(pool, width, 0);
    for (term, factor) in factors {
        // Negative factors are subtracted.
        let factor = (factor << (64 - width)) as i64 >> (64 - width);
        let absolute = number_of(pool, width, i128::from(factor.unsigned_abs()));
        let product = pool.bv_mul(absolute, term);
        sum = if factor < 0 { pool.bv_sub(sum, product) } else { pool.bv_add(sum, product) };
    }
    (sum, i128::from(constant))
}

/// The sum of the [parts] of a term.
pub(super) fn normalized(pool: &mut TermPool, term: Term) -> Term {
    let Sort::BitVec(width) = pool.sort(term) else { return term };
    let (sum, constant) = parts(pool, term);
    let constant = number_of(pool, width, constant);
    pool.bv_add(sum, constant)
}
