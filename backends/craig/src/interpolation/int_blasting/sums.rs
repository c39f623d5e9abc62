//! Sums of integers, and normal forms of atoms over them.

use super::ranges::positive;
use backends::interpolation::elimination::{Inequality, Linear};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;
use terms::{Op, Sort, Term, TermPool};

/// A sum of integer terms.
pub(super) struct Sum {
    pub(super) parts: Vec<(Term, BigInt)>,
    pub(super) constant: BigInt,
}

impl Sum {
    pub(super) fn divided(self, by: &BigInt) -> Self {
        let parts = self.parts.into_iter().map(|(term, k)| (term, k / by)).collect();
        Sum { parts, constant: self.constant / by }
    }

    /// The two sides of `self = 0` or `self ≤ 0`, with positive coefficients only.
    pub(super) fn sides(&self) -> (Sum, Sum) {
        let zero = BigInt::zero();
        let (mut left, mut right) =
            (Sum { parts: Vec::new(), constant: zero.clone() }, Sum { parts: Vec::new(), constant: zero });
        for (term, k) in &self.parts {
            let side = if k.is_positive() { &mut left } else { &mut right };
            side.parts.push((*term, k.abs()));
        }
        // A side without variables takes the constant.
        let is_left = if left.parts.is_empty() {
            true
        } else if right.parts.is_empty() {
            false
        } else {
            self.constant.is_positive()
        };
        if is_left {
            left.constant = self.constant.clone();
        } else {
            right.constant = -&self.constant;
        }
        (left, right)
    }
}

/// A linear term and the greatest common divisor of its coefficients.
pub(super) fn sum(linear: &Linear) -> (Sum, BigInt) {
    let parts: Vec<(Term, BigInt)> = linear.parts.iter().map(|(term, k)| (*term, k.to_integer())).collect();
    let gcd = parts.iter().fold(BigInt::zero(), |gcd, (_, k)| gcd.gcd(k));
    let gcd = if gcd.is_zero() { BigInt::one() } else { gcd };
    (Sum { parts, constant: linear.constant.to_integer() }, gcd)
}

/// If `sum = 0` states that a single remainder modulo a power of two has a given value: the sum
/// that must be 0 modulo `2^bits`, and `bits`.
pub(super) fn congruence(pool: &TermPool, sum: &Sum) -> Option<(Sum, u32)> {
    let [(remainder, k)] = &sum.parts[..] else { return None };
    let &[dividend, modulus] = pool.children(*remainder) else { return None };
    if pool.op(*remainder) != Op::IntMod {
        return None;
    }
    let modulus = positive(pool, modulus)?;
    let bits = u32::try_from(modulus.bits() - 1).ok().filter(|&bits| bits > 0)?;
    let value = -&sum.constant * k;
    if !k.magnitude().is_one() || modulus.trailing_zeros() != Some(u64::from(bits)) {
        return None;
    }
    if value.is_negative() || value >= *modulus {
        return None;
    }
    let (mut dividend, _) = self::sum(&Linear::of(pool, dividend));
    dividend.constant -= value;
    Some((dividend, bits))
}

/// Replaces conjuncts `t ≤ 0` and `-t ≤ 0` by `t = 0`.
pub(super) fn with_equations(pool: &mut TermPool, formula: Term) -> Term {
    if pool.op(formula) != Op::And {
        return formula;
    }
    let conjuncts = pool.children(formula).to_vec();
    let sums: Vec<Option<Linear>> = conjuncts
        .iter()
        .map(|&conjunct| {
            let inequality = Inequality::of(pool, conjunct)?;
            (inequality.linear.sort == Sort::Int).then_some(inequality.linear)
        })
        .collect();
    let all: FxHashSet<(&[(Term, BigRational)], &BigRational)> =
        sums.iter().flatten().map(|sum| (&sum.parts[..], &sum.constant)).collect();
    let mut merged = Vec::with_capacity(conjuncts.len());
    for (&conjunct, sum) in conjuncts.iter().zip(&sums) {
        let opposite = sum.as_ref().map(|sum| sum.scaled(&-BigRational::one()));
        let is_equation =
            opposite.is_some_and(|opposite| all.contains(&(&opposite.parts[..], &opposite.constant)));
        merged.push(match sum {
            Some(sum) if is_equation => {
                let (term, zero) = (sum.term(pool), pool.int(0));
                pool.eq(term, zero)
            }
            _ => conjunct,
        });
    }
    pool.and(&merged)
}
