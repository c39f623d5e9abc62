//! Transitions as functions, one for each combination of choices.
//!
//! The constraint of a transition has the form `guard ∧ ⋀ x+ = value` as far as its
//! [updates](horn::Update) are known. Substituting the values into a goal turns a query about a
//! linear equality into one that folds, or that a solver decides without bit-blasting. Where paths
//! were merged, values contain choices `ite(c, t, u)`; splitting on up to [`SPLITS`] conditions, so
//! at most 2^[`SPLITS`] cases, eliminates them.

use horn::{Clause, System};
use rustc_hash::FxHashMap;
use terms::{Op, Substitution, Term, TermPool};

/// The largest number of conditions on which a transition is split.
const SPLITS: usize = 4;

/// A part of a transition.
pub(super) struct Case {
    /// The transition.
    pub(super) clause: Clause,
    /// The guard of the case and the rest of its constraint, as conjuncts.
    pub(super) conjuncts: Vec<Term>,
    /// The new values of the changed variables, by their symbols `x`.
    after: FxHashMap<Term, Term>,
}

impl Case {
    /// Rewrites `formula`, over target symbols `x` of the state at the end, over the state at the
    /// start and the inner symbols.
    pub(super) fn at_end(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.after.get(&leaf).copied())
    }
}

/// Splits a transition into cases; their union is the transition.
pub(super) fn cases(pool: &mut TermPool, system: &System, clause: Clause) -> Vec<Case> {
    let mut open = vec![(0, whole(system, clause))];
    let mut done = Vec::new();
    while let Some((depth, case)) = open.pop() {
        let choice = (depth < SPLITS).then(|| choice(pool, &case)).flatten();
        let Some(condition) = choice else {
            done.push(case);
            continue;
        };
        for value in [false, true] {
            let mut replace = Substitution::new();
            let constant = pool.bool(value);
            replace.insert(condition, constant);
            let mut conjuncts: Vec<Term> =
                case.conjuncts.iter().map(|&conjunct| replace.apply(pool, conjunct)).collect();
            conjuncts.push(if value { condition } else { pool.not(condition) });
            let mut after = FxHashMap::default();
            for (&symbol, &update) in &case.after {
                after.insert(symbol, replace.apply(pool, update));
            }
            if pool.and(&conjuncts) != pool.fls() {
                open.push((depth + 1, Case { clause, conjuncts, after }));
            }
        }
    }
    done
}

fn whole(system: &System, clause: Clause) -> Case {
    let data = &system.clauses[clause];
    let image = |(&symbol, update): (&Term, &horn::Update)| (symbol, update.value.unwrap_or(update.after));
    Case { clause, conjuncts: vec![data.guard], after: data.updates.iter().map(image).collect() }
}

/// The condition of a choice in the updates; the result is deterministic.
fn choice(pool: &TermPool, case: &Case) -> Option<Term> {
    let mut symbols: Vec<Term> = case.after.keys().copied().collect();
    symbols.sort_unstable();
    let updates: Vec<Term> = symbols.iter().map(|symbol| case.after[symbol]).collect();
    let mut found = None;
    pool.visit(
        &updates,
        |_| true,
        |term| {
            if pool.op(term) == Op::Ite && found.is_none() {
                found = Some(pool.children(term)[0]);
            }
        },
    );
    found
}
