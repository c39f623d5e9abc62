//! Literals over numbers of any sort: integers, reals and bit vectors.

use super::affine;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

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
