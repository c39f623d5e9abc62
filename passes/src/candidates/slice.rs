//! Few conjuncts of inductive invariants that suffice.
//!
//! *Idea.* The strongest invariants say much that no one needs, and each predicate may double the work of an abstraction. Backwards from the
//! queries: a minimal unsatisfiable core of `Inv(R) ∧ constraint` says which conjuncts of `R` exclude the query; for each of these and each clause that leads
//! there, a minimal core of `Inv(from) ∧ constraint ∧ ¬conjunct` says what it rests on. What is found needed is inductive by itself.
//!
//! What is needed already is tried alone first. Simple formulas come last in a query: [`minimal_core`] tries to do without the first ones first.
//!
//! *Cost.* For each conjunct that is needed and each clause to its relation, one query for each element of the core.

use super::{Invariants, query_limits, scoped};
use backends::all_sat::minimal_core;
use backends::{Limits, Prover, Reason};
use horn::{Relation, System};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Op, Term, TermPool};

type Conjuncts = IndexSet<Term, FxBuildHasher>;

/// Conjuncts of the inductive `invariants` that are inductive and exclude the queries; none if all do not exclude them. Afterwards the
/// prover has `limits`.
///
/// # Errors
/// What the prover says if it has no answer, or what `limits` say.
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
                return Err(Reason::Fault("an invariant that is not inductive".to_owned()));
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

/// Conjuncts that are needed where a clause starts; those that are new have to be supported themselves.
fn add(
    needed: &mut SecondaryMap<Relation, Conjuncts>,
    open: &mut Vec<(Relation, Term)>,
    relation: Option<Relation>,
    core: Vec<Term>,
) {
    // Nothing is known at the start, so no core has anything of it.
    let Some(relation) = relation else { return };
    for conjunct in core {
        if needed[relation].insert(conjunct) {
            open.push((relation, conjunct));
        }
    }
}

/// Conjuncts of `invariant` that contradict `others`, and of which none can be left out; none if all do not.
fn core(
    pool: &TermPool,
    prover: &mut dyn Prover,
    invariant: &[Term],
    needed: &Conjuncts,
    others: &[Term],
) -> Result<Option<Vec<Term>>, Reason> {
    let mut all = invariant.to_vec();
    // Stable: among equals, the order of the templates.
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
            // Few conjuncts can be harder than all.
            Ok(None) | Err(Reason::Timeout) => {}
            Err(reason) => return Err(reason),
        }
        Ok(minimal_core(prover, pool, &all)?.and_then(|core| chosen(&all, core)))
    })
}

/// How much a formula says that other formulas need not share.
fn complexity(pool: &TermPool, formula: Term) -> usize {
    let disjuncts = usize::from(pool.op(formula) == Op::Or);
    100 * disjuncts + 10 * pool.free_symbols(formula).len() + pool.dag_size(formula)
}
