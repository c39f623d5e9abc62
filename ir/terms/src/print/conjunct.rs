//! Conjuncts of readable texts: the bounds of an integer term become one comparison.

use crate::{Op, Term, TermPool};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// A conjunct of a readable text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conjunct {
    Term(Term),
    /// `low <= term <= high`; at least one bound is present.
    Bounds {
        low: Option<BigInt>,
        term: Term,
        high: Option<BigInt>,
    },
}

impl Conjunct {
    /// Merges all bounds of the same term in `children` into one conjunct, at the position of the
    /// first. Children with a name are not merged.
    pub(super) fn of(pool: &TermPool, children: &[Term], has_name: impl Fn(Term) -> bool) -> Vec<Self> {
        let mut conjuncts: Vec<Conjunct> = Vec::with_capacity(children.len());
        let mut place_of: FxHashMap<Term, usize> = FxHashMap::default();
        for &child in children {
            let bound = if has_name(child) { None } else { Conjunct::bound(pool, child) };
            let Some(Conjunct::Bounds { low, term, high }) = bound else {
                conjuncts.push(Conjunct::Term(child));
                continue;
            };
            match place_of.get(&term).map(|&place| &mut conjuncts[place]) {
                Some(Conjunct::Bounds { low: so_far, high: so_far_high, .. }) => {
                    *so_far = [so_far.take(), low].into_iter().flatten().max();
                    *so_far_high = [so_far_high.take(), high].into_iter().flatten().min();
                }
                _ => {
                    place_of.insert(term, conjuncts.len());
                    conjuncts.push(Conjunct::Bounds { low, term, high });
                }
            }
        }
        conjuncts
    }

    /// Returns `term` as bounds if it compares an integer term with a constant, possibly negated.
    pub(super) fn bound(pool: &TermPool, term: Term) -> Option<Self> {
        let (inner, is_negated) = match pool.op(term) {
            Op::Not => (pool.children(term)[0], true),
            _ => (term, false),
        };
        let &[left, right] = pool.children(inner) else { return None };
        if pool.op(inner) != Op::Le {
            return None;
        }
        let (term, bound, is_upper) = match (pool.as_int(left), pool.as_int(right)) {
            (None, Some(high)) => (left, high, true),
            (Some(low), None) => (right, low, false),
            _ => return None,
        };
        Some(match (is_upper, is_negated) {
            (true, false) => Conjunct::Bounds { low: None, term, high: Some(bound.clone()) },
            (true, true) => Conjunct::Bounds { low: Some(bound + 1), term, high: None },
            (false, false) => Conjunct::Bounds { low: Some(bound.clone()), term, high: None },
            (false, true) => Conjunct::Bounds { low: None, term, high: Some(bound - 1) },
        })
    }
}
