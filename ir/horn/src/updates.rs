//! Values of symbols that a constraint determines.

use crate::{Update, Updates};
use rustc_hash::FxHashSet;
use terms::{Op, Sort, Term, TermPool};

/// Sets the values of `updates` that conjuncts of `constraint` determine: `x+ = t` with `t` over no
/// `y+`, an equation of sums with `x+` as the only `y+`, or `x+`, or its negation.
pub(crate) fn determine(pool: &mut TermPool, constraint: Term, updates: &mut Updates) {
    if updates.is_empty() {
        return;
    }
    let after: FxHashSet<Term> = updates.values().map(|update| update.after).collect();
    let mut open = FxHashSet::default();
    pool.visit(
        &[constraint],
        |_| true,
        |term| {
            if after.contains(&term) || pool.children(term).iter().any(|child| open.contains(child)) {
                open.insert(term);
            }
        },
    );
    let mut values = rustc_hash::FxHashMap::default();
    for conjunct in pool.conjuncts(&[constraint]) {
        let definition = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Symbol(_), _) => Some((conjunct, pool.tru())),
            (Op::Not, &[symbol]) => Some((symbol, pool.fls())),
            (Op::Eq, &[a, b]) => {
                let mut sides = [(a, b), (b, a)].into_iter();
                let isolated = sides.find(|(symbol, value)| after.contains(symbol) && !open.contains(value));
                isolated.or_else(|| solve(pool, (&after, &open), a, b))
            }
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

/// Solves the equation `a = b` of sums for the only summand that is a symbol of `after`. All other
/// summands must not be `open`: contain no such symbol.
fn solve(
    pool: &mut TermPool,
    (after, open): (&FxHashSet<Term>, &FxHashSet<Term>),
    a: Term,
    b: Term,
) -> Option<(Term, Term)> {
    if !matches!(pool.sort(a), Sort::Int | Sort::Real) {
        return None;
    }
    let summands = |side: Term| match pool.op(side) {
        Op::Add => pool.children(side).to_vec(),
        _ => vec![side],
    };
    let sides = [summands(a), summands(b)];
    let mut is_open = sides.iter().flatten().filter(|summand| open.contains(summand));
    let (&symbol, None) = (is_open.next()?, is_open.next()) else { return None };
    if !after.contains(&symbol) {
        return None;
    }
    // With `symbol + s = b` or `a = symbol + s`, the symbol cancels in the value.
    let (own, other) = if sides[0].contains(&symbol) { (a, b) } else { (b, a) };
    let rest = pool.sub(own, symbol);
    Some((symbol, pool.sub(other, rest)))
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
