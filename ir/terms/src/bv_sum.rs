//! Sums of bit vectors in a normal form, modulo a power of two.

use super::{Op, Sort, Term, TermPool};
use std::collections::BTreeMap;

/// `Σ coefficient · term + constant` modulo 2^width; all numbers in two's complement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BvSum {
    /// The width in bits, at most 64.
    pub width: u32,
    /// Terms that are no sums and no multiples themselves, in ascending order, each once, with
    /// coefficients other than zero.
    pub summands: Vec<(Term, i64)>,
    /// The constant summand.
    pub constant: i64,
}

impl TermPool {
    /// Takes a bit vector of at most 64 bits apart; `None` for a wider one.
    ///
    /// Goes through sums, differences, complements and products with constants. Equal linear sums
    /// of the same terms have the same parts. The cost is that of a traversal, however often
    /// subterms are shared.
    pub fn bv_sum(&self, term: Term) -> Option<BvSum> {
        let Sort::BitVec(width @ 1..=64) = self.sort(term) else { return None };
        // Children are older than parents, so the coefficient of the youngest term is complete.
        let mut open = BTreeMap::from([(term, 1u64)]);
        let (mut summands, mut constant) = (Vec::new(), 0u64);
        while let Some((term, coefficient)) = open.pop_last() {
            let mut add = |term: Term, factor: u64| {
                let sum = open.entry(term).or_default();
                *sum = sum.wrapping_add(coefficient.wrapping_mul(factor));
            };
            match (self.op(term), self.children(term)) {
                (Op::BvAdd, children) => children.iter().for_each(|&child| add(child, 1)),
                (Op::BvSub, &[a, b]) => {
                    add(a, 1);
                    add(b, u64::MAX);
                }
                (Op::BvNeg, &[a]) => add(a, u64::MAX),
                // ¬a = -a - 1
                (Op::BvNot, &[a]) => {
                    add(a, u64::MAX);
                    constant = constant.wrapping_sub(coefficient);
                }
                (Op::BvMul, &[a, b]) => match (self.as_bv_u64(a), self.as_bv_u64(b)) {
                    (Some(factor), _) => add(b, factor),
                    (None, Some(factor)) => add(a, factor),
                    (None, None) => summands.push((term, coefficient)),
                },
                _ => match self.as_bv_u64(term) {
                    Some(number) => constant = constant.wrapping_add(coefficient.wrapping_mul(number)),
                    None => summands.push((term, coefficient)),
                },
            }
        }
        let unused = 64 - width;
        let signed = |number: u64| (number << unused) as i64 >> unused;
        let summands = summands.into_iter().rev().map(|(term, coefficient)| (term, signed(coefficient)));
        let summands = summands.filter(|&(_, coefficient)| coefficient != 0).collect();
        Some(BvSum { width, summands, constant: signed(constant) })
    }

    /// The term of a sum. Negative multiples are subtracted.
    pub fn bv_sum_term(&mut self, sum: &BvSum) -> Term {
        let mut all = self.bv(sum.width, 0);
        for &(term, coefficient) in &sum.summands {
            let absolute = self.bv(sum.width, coefficient.unsigned_abs());
            let product = self.bv_mul(absolute, term);
            all = if coefficient < 0 { self.bv_sub(all, product) } else { self.bv_add(all, product) };
        }
        let constant = self.bv_i64(sum.width, sum.constant);
        self.bv_add(all, constant)
    }
}
