//! Few conjuncts of inductive invariants that suffice.
//!
//! *Idea.* The strongest invariants say much that no one needs, and each predicate may double the work of an abstraction. Backwards from the
//! goals: a minimal unsatisfiable core of `Inv(c) ∧ goal` says which conjuncts at `c` exclude the goal; for each of these and each transition that leads
//! there, a minimal core of `Inv(from) ∧ transition ∧ ¬conjunct` says what it rests on. What is found needed is inductive by itself.
//!
//! What is needed already is tried alone first. Simple formulas come last in a query: [`minimal_core`] tries to do without the first ones first.
//!
//! *Cost.* For each conjunct that is needed and each transition to its cut point, one query for each element of the core.

use super::{Invariants, TransitionSystem, query_limits, scoped};
use backends::all_sat::minimal_core;
use backends::{Limits, Prover, Reason};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Op, Term, TermPool};
use views::blocks::CutPoint;

type Conjuncts = IndexSet<Term, FxBuildHasher>;

/// Conjuncts of the inductive `invariants` that are inductive and exclude the goals; none if all do not exclude them. Afterwards the
/// prover has `limits`.
///
/// # Errors
/// What the prover says if it has no answer, or what `limits` say.
pub fn slice(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &TransitionSystem,
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
    system: &TransitionSystem,
    invariants: &Invariants,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    let mut needed: SecondaryMap<CutPoint, Conjuncts> = SecondaryMap::new();
    let mut open: Vec<(CutPoint, Term)> = Vec::new();
    for &(cut, goal) in &system.goals {
        let Some(core) = core(pool, prover, &invariants.at[cut], &needed[cut], &[goal])? else {
            return Ok(None);
        };
        for conjunct in core {
            if needed[cut].insert(conjunct) {
                open.push((cut, conjunct));
            }
        }
    }
    while let Some((cut, conjunct)) = open.pop() {
        for transition in system.transitions.iter().filter(|transition| transition.to == cut) {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let wanted = transition.at_end(pool, conjunct);
            let violation = pool.not(wanted);
            let from = transition.from;
            let step = [transition.formula, violation];
            let Some(core) = core(pool, prover, &invariants.at[from], &needed[from], &step)? else {
                return Err(Reason::Fault("an invariant that is not inductive".to_owned()));
            };
            for support in core {
                if needed[from].insert(support) {
                    open.push((from, support));
                }
            }
        }
    }
    let mut at = PrimaryMap::new();
    for cut in system.variables.keys() {
        at.push(needed[cut].iter().copied().collect());
    }
    Ok(Some(Invariants { at }))
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
