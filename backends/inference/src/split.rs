//! Clauses as functions, one for each combination of choices.
//!
//! The constraint of a clause has the form `guard ∧ ⋀ x+ = value` as far as its
//! [updates](horn::Update) are known. Substituting the values into a row turns a query about a
//! linear equation into one that folds, or that a solver decides without bit-blasting. Where paths
//! were merged, values contain choices `ite(c, t, u)`; splitting on up to [`SPLITS`] conditions, so
//! into at most 2^[`SPLITS`] clauses, eliminates them.

use horn::{ClauseData, System};
use terms::{Op, Substitution, Term, TermPool};

/// The largest number of conditions on which a clause is split.
const SPLITS: usize = 4;
/// The largest number of clauses of a system that is split further.
const MAX_CLAUSES: usize = 300;

/// The system with its clauses with a head split; those of the result together are equivalent to
/// those of `system`.
#[must_use]
pub fn split(pool: &mut TermPool, system: &System) -> System {
    let mut count = system.clauses.len();
    let mut clauses = Vec::new();
    for clause in system.clauses.values() {
        let mut open = vec![(0, clause.clone())];
        while let Some((depth, clause)) = open.pop() {
            let is_open = depth < SPLITS && count < MAX_CLAUSES && clause.head.is_some();
            let Some(condition) = is_open.then(|| choice(pool, &clause)).flatten() else {
                clauses.push(clause);
                continue;
            };
            for value in [false, true] {
                let mut replace = Substitution::new();
                let constant = pool.bool(value);
                replace.insert(condition, constant);
                let rest = replace.apply(pool, clause.guard);
                let literal = if value { condition } else { pool.not(condition) };
                let guard = pool.and2(rest, literal);
                if guard == pool.fls() {
                    continue;
                }
                let mut updates = clause.updates.clone();
                for update in updates.values_mut() {
                    update.value = update.value.map(|value| replace.apply(pool, value));
                }
                let head = (clause.head.clone(), updates);
                let part = ClauseData::new(pool, clause.body.clone(), guard, head, clause.origin.clone());
                open.push((depth + 1, part));
            }
            count += 1;
        }
    }
    System { relations: system.relations.clone(), clauses: clauses.into_iter().collect() }
}

/// The condition of a choice in the updates.
fn choice(pool: &TermPool, clause: &ClauseData) -> Option<Term> {
    let values: Vec<Term> = clause.updates.values().filter_map(|update| update.value).collect();
    let mut found = None;
    pool.visit(
        &values,
        |_| true,
        |term| {
            if pool.op(term) == Op::Ite && found.is_none() {
                found = Some(pool.children(term)[0]);
            }
        },
    );
    found
}
