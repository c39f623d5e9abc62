//! Multiples: bounds of `c·x - y` for products `c·x` of the program.
//!
//! The check that `a[i]` is within a block of `size` bytes is about `4*i` and `size`. That the loop
//! `for (i = 0; i < n; i++)` fails it is a fact about `4*n` and `size`, which neither an octagon,
//! whose factors are 1, nor a condition of the program says. So a row is `±(c·x - y) ≤ d` for a
//! product `c·x` in an atom with the number `y`, and for each number in place of `x` that is
//! compared with it. These are linear templates whose factors the program chooses; see
//! Sankaranarayanan, Sipma, Manna, *Scalable Analysis of Linear Systems Using Mathematical
//! Programming*, VMCAI 2005, §4.
//!
//! Limits: a number whose product is behind an addition, as in `c·(x + 1)`, counts if the terms
//! were distributed. Factors are at most [`MAX_FACTOR`].

use crate::vocabulary::{Material, Terms};
use backends::symbolic::integer;
use indexmap::IndexSet;
use num_traits::ToPrimitive;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::{Op, Term, TermPool};

/// The largest factor.
const MAX_FACTOR: i64 = 1 << 20;
/// The largest number of sums of a relation.
const MAX_SUMS: usize = 60;

/// Sums `c·x - y` and `y - c·x` that may have an upper bound.
pub(crate) fn multiples(pool: &TermPool, material: &Material) -> Vec<Vec<(i64, Term)>> {
    let numbers: Terms = material.numbers.iter().copied().collect();
    let mut compared: FxHashMap<Term, Terms> = FxHashMap::default();
    for &atom in &material.atoms {
        if let &[one, other] = pool.children(atom)
            && [one, other].iter().all(|side| numbers.contains(side))
        {
            compared.entry(one).or_default().insert(other);
            compared.entry(other).or_default().insert(one);
        }
    }
    let mut found: IndexSet<(i64, Term, Term), FxBuildHasher> = IndexSet::default();
    for &atom in &material.atoms {
        let (mut products, mut others) = (Vec::new(), Vec::new());
        // An index of a load is no part of a sum.
        pool.visit(
            &[atom],
            |term| pool.op(term) != Op::Select,
            |term| {
                products.extend(product(pool, &numbers, term));
                others.extend(numbers.contains(&term).then_some(term));
            },
        );
        for (factor, x) in products {
            let compared = compared.get(&x).into_iter().flatten();
            let all: Vec<Term> = std::iter::once(x).chain(compared.copied()).collect();
            for &y in others.iter().filter(|&&y| y != x) {
                found.extend(all.iter().filter(|&&x| x != y).map(|&x| (factor, x, y)));
            }
        }
    }
    let sums = found.into_iter().take(MAX_SUMS / 2);
    sums.flat_map(|(factor, x, y)| [vec![(factor, x), (-1, y)], vec![(-factor, x), (1, y)]]).collect()
}

/// The factor and the number of a product.
fn product(pool: &TermPool, numbers: &Terms, term: Term) -> Option<(i64, Term)> {
    if !matches!(pool.op(term), Op::Mul | Op::BvMul) {
        return None;
    }
    let &[one, other] = pool.children(term) else { return None };
    let (factor, mut x) = match (integer(pool, one), integer(pool, other)) {
        (Some(factor), None) => (factor, other),
        (None, Some(factor)) => (factor, one),
        _ => return None,
    };
    while let Op::ZeroExtend(_) | Op::SignExtend(_) = pool.op(x) {
        x = pool.children(x)[0];
    }
    let factor = factor.to_i64().filter(|factor| (2..=MAX_FACTOR).contains(&factor.abs()))?;
    numbers.contains(&x).then_some((factor, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Sort;

    #[test]
    fn products_of_atoms_are_related_to_the_numbers_beside_them() {
        let mut pool = TermPool::new();
        let [i, n, other] = ["i", "n", "other"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let size = pool.symbol("size", Sort::BitVec(64));
        let four = pool.bv(64, 4);
        let wide = pool.sign_extend(32, i);
        let offset = pool.bv_mul(four, wide);
        let (within, below) = (pool.bv_ult(offset, size), pool.bv_slt(i, n));
        let mut material = Material::default();
        material.numbers.extend([i, n, other, size]);
        material.atoms.extend([within, below]);
        let expected: Vec<Vec<(i64, Term)>> =
            [i, n].into_iter().flat_map(|x| [vec![(4, x), (-1, size)], vec![(-4, x), (1, size)]]).collect();
        assert_eq!(multiples(&pool, &material), expected);
        material.numbers.retain(|&number| number != size);
        assert_eq!(multiples(&pool, &material), Vec::<Vec<(i64, Term)>>::new());
    }
}
