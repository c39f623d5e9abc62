//! Literals over numbers of any sort: integers, reals and bit vectors.

use super::affine;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use terms::{BvSum, Op, Representation, Sort, Symbol, Term, TermPool};

/// Whether variables of this sort are comparable.
pub fn is_numeric(sort: Sort) -> bool {
    affine::has_hull(sort)
}

/// The signedness of a symbol.
pub fn representation(pool: &TermPool, variable: Term) -> Representation {
    match pool.op(variable) {
        Op::Symbol(symbol) => pool.symbol_data(symbol).representation,
        _ => Representation::Signed,
    }
}

/// `a ≤ b`; for bit vectors signed or unsigned.
pub fn less_equal(pool: &mut TermPool, signedness: Representation, a: Term, b: Term) -> Term {
    match (pool.sort(a), signedness) {
        (Sort::BitVec(_), Representation::Signed) => pool.bv_sle(a, b),
        (Sort::BitVec(_), Representation::Unsigned) => pool.bv_ule(a, b),
        _ => pool.le(a, b),
    }
}

/// The integer value of a constant; bit vectors are signed.
pub fn integer(pool: &TermPool, term: Term) -> Option<BigInt> {
    match pool.sort(term) {
        Sort::Int => pool.as_int(term).cloned(),
        Sort::Real => pool.as_real(term).filter(|value| value.is_integer()).map(BigRational::to_integer),
        Sort::BitVec(_) => pool.as_bit_vector(term).map(|value| value.to_signed()),
        _ => None,
    }
}

/// The constant of a numeric sort with the value `value`, modulo 2^w if the sort has width w.
pub fn numeral(pool: &mut TermPool, sort: Sort, value: &BigInt) -> Term {
    match sort {
        Sort::BitVec(width) => pool.bv_big(width, value),
        _ => pool.number(sort, &BigRational::from_integer(value.clone())),
    }
}

/// Splits an equality between numbers into two inequalities; `None` for any other atom.
pub fn halves(pool: &mut TermPool, atom: Term) -> Option<[Term; 2]> {
    if pool.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.children(atom)[0], pool.children(atom)[1]);
    if !matches!(pool.sort(a), Sort::Int | Sort::Real | Sort::BitVec(_)) {
        return None;
    }
    let symbols = pool.free_symbols(atom);
    let is_unsigned = |&symbol: &Symbol| pool.symbol_data(symbol).representation == Representation::Unsigned;
    let signedness = match symbols.iter().all(is_unsigned) {
        true => Representation::Unsigned,
        false => Representation::Signed,
    };
    Some([less_equal(pool, signedness, a, b), less_equal(pool, signedness, b, a)])
}

/// The atoms of a formula: its maximal subformulas without Boolean operators.
pub fn atoms(pool: &TermPool, formula: Term) -> Vec<Term> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![formula]);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let children = pool.children(term);
        match pool.op(term) {
            Op::True | Op::False => {}
            Op::Not | Op::And | Op::Or | Op::Xor => stack.extend(children.iter().rev()),
            Op::Ite if pool.sort(term) == Sort::Bool => stack.extend(children.iter().rev()),
            Op::Eq if pool.sort(children[0]) == Sort::Bool => stack.extend(children.iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// A comparison of bit vectors without the summands and the factor that its sides have in common:
/// `i < n` for `a + 4 * i < a + 4 * n`. It differs from `atom` where sums wrap, so it is a
/// suggestion only. `None` if there is nothing in common.
pub fn without_common_parts(pool: &mut TermPool, atom: Term) -> Option<Term> {
    let &[a, b] = pool.children(atom) else { return None };
    let op = pool.op(atom);
    if !matches!(op, Op::Eq | Op::BvUlt | Op::BvSlt) {
        return None;
    }
    let (mut left, mut right) = (pool.bv_sum(a)?, pool.bv_sum(b)?);
    let before = left.clone();
    left.summands.retain(|part| !right.summands.contains(part));
    right.summands.retain(|part| !before.summands.contains(part));
    if left.constant == right.constant {
        (left.constant, right.constant) = (0, 0);
    }
    let mut sides = [left, right];
    let coefficients: Vec<i64> = sides.iter().flat_map(coefficients_of).collect();
    // The absolute value of the least number is no number of this type.
    if coefficients.contains(&i64::MIN) || sides.iter().all(|sum| sum.summands.is_empty()) {
        return None;
    }
    let factor = coefficients.iter().fold(0, |factor: i64, coefficient| factor.gcd(coefficient));
    if sides[0] == before && factor == 1 {
        return None;
    }
    for sum in &mut sides {
        sum.summands.iter_mut().for_each(|part| part.1 /= factor);
        sum.constant /= factor;
    }
    let [a, b] = sides.map(|sum| pool.bv_sum_term(&sum));
    Some(match op {
        Op::Eq => pool.eq(a, b),
        Op::BvUlt => pool.bv_ult(a, b),
        _ => pool.bv_slt(a, b),
    })
}

/// The coefficients of a sum and its constant.
fn coefficients_of(sum: &BvSum) -> Vec<i64> {
    sum.summands.iter().map(|part| part.1).chain([sum.constant]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_lose_common_parts() {
        let mut pool = TermPool::new();
        let [a, i, n] =
            ["a", "i", "n"].map(|name| pool.fresh_symbol(name, Sort::BitVec(64), Representation::Unsigned));
        let four = pool.bv(64, 4);
        let [at, end] = [i, n].map(|index| {
            let offset = pool.bv_mul(four, index);
            pool.bv_add(a, offset)
        });
        let (atom, expected) = (pool.bv_ult(at, end), pool.bv_ult(i, n));
        assert_eq!(without_common_parts(&mut pool, atom), Some(expected));
        assert_eq!(without_common_parts(&mut pool, expected), None);
        let next = pool.bv_add(at, four);
        let (atom, one) = (pool.bv_ult(end, next), pool.bv(64, 1));
        let more = pool.bv_add(i, one);
        let expected = pool.bv_ult(n, more);
        assert_eq!(without_common_parts(&mut pool, atom), Some(expected));
    }
}
