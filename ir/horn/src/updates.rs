//! What a constraint says that symbols are.

use crate::{Update, Updates};
use rustc_hash::FxHashSet;
use terms::{Op, Term, TermPool};

/// Gives `updates` the values that conjuncts of `constraint` say: `x+ = t`, or `x+` or its negation, with `t` over no `y+`.
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

/// What `constraint` says besides the values of `updates`: their definitions become true.
pub(crate) fn guard(pool: &mut TermPool, constraint: Term, updates: &Updates) -> Term {
    let values: rustc_hash::FxHashMap<Term, Term> =
        updates.values().filter_map(|update| Some((update.after, update.value?))).collect();
    if values.is_empty() {
        return constraint;
    }
    pool.map_leaves(constraint, &mut |_, leaf| values.get(&leaf).copied())
}
