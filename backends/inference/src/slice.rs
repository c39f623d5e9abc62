//! Selects few conjuncts of inductive invariants that suffice.
//!
//! *Idea.* The strongest invariants contain many conjuncts that the proof does not need, and each
//! predicate may double the cost of an abstraction. Work backwards from the queries: a minimal
//! unsatisfiable core of `Inv(R) ∧ constraint` contains the conjuncts of `R` that exclude the
//! query. For each of these conjuncts and each clause to `R`, a minimal core of
//! `Inv(from) ∧ constraint ∧ ¬conjunct` contains the conjuncts on which it depends. The selected
//! conjuncts are inductive by themselves.
//!
//! Conjuncts that are already selected are tried alone first. Simple formulas come last in a query,
//! since [`minimal_core`] tries to drop the first ones first.
//!
//! *Cost.* For each selected conjunct and each clause to its relation, one query for each element
//! of the core.

use crate::Invariants;
use crate::contexts::query_limits;
use backends::all_sat::minimal_core;
use backends::{Limits, Prover, Reason};
use horn::{Relation, System};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Op, Term, TermPool};

type Conjuncts = IndexSet<Term, FxBuildHasher>;

/// Returns conjuncts of the inductive `invariants` that are inductive and exclude the queries;
/// `None` if `invariants` do not exclude them. Afterwards the prover has the limits `limits`.
///
/// # Errors
/// The reason why the prover has no answer, or the exceeded limit.
pub fn slice(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    invariants: &Invariants,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    prover.set_limits(&query_limits(limits));
    let sliced = backwards(pool, prover, system, invariants, limits);
    prover.set_limits(limits);
    sliced
}

fn backwards(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    invariants: &Invariants,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    let mut needed: SecondaryMap<Relation, Conjuncts> = SecondaryMap::new();
    let mut open: Vec<(Relation, Term)> = Vec::new();
    let none = Conjuncts::default();
    for (_, query) in system.queries() {
        let from = query.from();
        let known = from.map_or(&none, |relation| &needed[relation]);
        let Some(core) = core(pool, prover, invariants.of(from), known, &[query.constraint])? else {
            return Ok(None);
        };
        add(&mut needed, &mut open, from, core);
    }
    while let Some((relation, conjunct)) = open.pop() {
        for clause in system.clauses.values().filter(|clause| clause.to() == Some(relation)) {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let wanted = clause.at_head(pool, conjunct);
            let violation = pool.not(wanted);
            let from = clause.from();
            let known = from.map_or(&none, |relation| &needed[relation]);
            let step = [clause.constraint, violation];
            let Some(core) = core(pool, prover, invariants.of(from), known, &step)? else {
                return Err(Reason::Fault(
                    "the solver refutes an invariant that it proved inductive".to_owned(),
                ));
            };
            add(&mut needed, &mut open, from, core);
        }
    }
    let mut at = PrimaryMap::new();
    for relation in system.relations.keys() {
        at.push(needed[relation].iter().copied().collect());
    }
    Ok(Some(Invariants { at }))
}

/// Selects the conjuncts of `core` at the start of a clause; new ones have to be supported in turn.
fn add(
    needed: &mut SecondaryMap<Relation, Conjuncts>,
    open: &mut Vec<(Relation, Term)>,
    relation: Option<Relation>,
    core: Vec<Term>,
) {
    // The premise of an entry is empty, so the core is empty.
    let Some(relation) = relation else { return };
    for conjunct in core {
        if needed[relation].insert(conjunct) {
            open.push((relation, conjunct));
        }
    }
}

/// A minimal set of conjuncts of `invariant` that contradict `others`; `None` if the whole
/// `invariant` does not.
fn core(
    pool: &TermPool,
    prover: &mut dyn Prover,
    invariant: &[Term],
    needed: &Conjuncts,
    others: &[Term],
) -> Result<Option<Vec<Term>>, Reason> {
    let mut all = invariant.to_vec();
    // The sort is stable: equally complex conjuncts stay in the order of the templates.
    all.sort_by_key(|&conjunct| Reverse(complexity(pool, conjunct)));
    let known: Vec<Term> = all.iter().copied().filter(|conjunct| needed.contains(conjunct)).collect();
    scoped(prover, |prover| {
        for &other in others {
            prover.assert(pool, other)?;
        }
        let chosen = |assumptions: &[Term], core: Vec<usize>| {
            Some(core.into_iter().map(|index| assumptions[index]).collect())
        };
        match minimal_core(prover, pool, &known) {
            Ok(Some(core)) => return Ok(chosen(&known, core)),
            // Few conjuncts can be harder than all of them.
            Ok(None) | Err(Reason::Timeout) => {}
            Err(reason) => return Err(reason),
        }
        Ok(minimal_core(prover, pool, &all)?.and_then(|core| chosen(&all, core)))
    })
}

/// Runs `work` in its own scope.
fn scoped<T>(
    prover: &mut dyn Prover,
    work: impl FnOnce(&mut dyn Prover) -> Result<T, Reason>,
) -> Result<T, Reason> {
    prover.push()?;
    let result = work(prover);
    prover.pop()?;
    result
}

/// The complexity of a formula; among equivalent choices the core prefers simple formulas.
fn complexity(pool: &TermPool, formula: Term) -> usize {
    let disjuncts = usize::from(pool.op(formula) == Op::Or);
    100 * disjuncts + 10 * pool.free_symbols(formula).len() + pool.dag_size(formula)
}
