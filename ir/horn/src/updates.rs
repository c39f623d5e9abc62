//! Values of symbols that a constraint determines.

use crate::{Update, Updates};
use rustc_hash::FxHashSet;
use terms::{Op, Term, TermPool};

/// Sets the values of `updates` that conjuncts of `constraint` determine: `x+ = t` with `t` over no
/// `y+`, or `x+`, or its negation.
pub(crate) fn determine(pool: &mut TermPool, constraint: Term, updates: &mut Updates) {
    let after: FxHashSet<Term> = updates.values().map(|update| update.after).collect();
    let mut values = rustc_hash::FxHashMap::default();
    for conjunct in pool.conjuncts(&[constraint]) {
        let definition = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Symbol(_), _) => Some((conjunct, pool.tru())),
            (Op::Not, &[symbol]) => Some((symbol, pool.fls())),
            (Op::Eq, &[a, b]) => [(a, b), (b, a)].into_iter().find(|&(symbol, value)| {
                let mut is_over_start = after.contains(&symbol);
                if is_over_start {
                    pool.visit(&[value], |_| true, |below| is_over_start &= !after.contains(&below));
                }
                is_over_start
            }),
            _ => None,
        };
        if let Some((symbol, value)) = definition.filter(|(symbol, _)| after.contains(symbol)) {
            values.entry(symbol).or_insert(value);
        }
    }
    for Update { after, value } in updates.values_mut() {
        *value = values.get(after).copied();
    }
}

/// The rest of `constraint` after the values of `updates` are substituted: their definitions become
/// true.
pub(crate) fn guard(pool: &mut TermPool, constraint: Term, updates: &Updates) -> Term {
    let values: rustc_hash::FxHashMap<Term, Term> =
        updates.values().filter_map(|update| Some((update.after, update.value?))).collect();
    if values.is_empty() {
        return constraint;
    }
    pool.map_leaves(constraint, &mut |_, leaf| values.get(&leaf).copied())
}
