//! Minimizes the facts of a proof: computes an inductive subset that still excludes the ends.
//!
//! Invariant sources find many facts, and a proof uses few of them. The unsat core of the step case
//! contains the facts that exclude the ends. For each fact in the result, the unsat core of each
//! transition to its loop head contains the facts that imply it after the transition. The closure
//! under these cores is inductive and excludes the ends. A smaller certificate is faster to
//! validate, and shows readers why the program is safe.
//!
//! Source: Ghassabani, Gacek, Whalen, *Efficient Generation of Inductive Validity Cores for Safety
//! Properties*, FSE 2016. We minimize facts; the paper minimizes the equations of a model.
//!
//! DIVERGENCE: at best each core is minimal on its own, so the subset is small but not minimal.
//!
//! Cost: one query for each needed fact and each [case](inference::split) of a transition to its
//! loop head. If the facts found so far do not imply the needed fact, one more query computes a
//! core, and up to one query for each of its assumptions minimizes it.

use super::Fact;
use crate::transitions::TransitionSystem;
use backends::{Limits, Outcome, Prover, ProverFactory, Status};
use inference::{Contexts, Formulas, Inference, Suggestions};
use std::collections::BTreeSet;
use terms::{Term, TermPool};

/// The size of the largest core that is minimized by dropping assumptions one at a time.
const MOST_TRIED: usize = 16;

/// Returns an inductive subset of `facts` that contains the facts with the indices `goals`; `None`
/// if the limits are exceeded or a query is inconclusive.
///
/// `facts` must be inductive.
pub(crate) fn needed(
    pool: &mut TermPool,
    system: &TransitionSystem,
    factory: &dyn ProverFactory,
    facts: &[Fact],
    goals: &[usize],
    limits: &Limits,
) -> Option<Vec<Fact>> {
    let split = inference::split(pool, &system.system);
    let mut prover = factory.new_prover(system.theories.logic(), limits).ok()?;
    let mut kept: BTreeSet<usize> = goals.iter().copied().collect();
    let mut open: Vec<usize> = goals.to_vec();
    // One prover serves all cases: most proofs are small, and a prover costs more than a query.
    while let Some(goal) = open.pop().filter(|_| kept.len() < facts.len()) {
        for (_, clause) in split.rules() {
            if clause.to() != Some(facts[goal].at) {
                continue;
            }
            if limits.exceeded().is_some() {
                return None;
            }
            let end = clause.at_head(pool, facts[goal].formula);
            let violated = pool.not(end);
            // Facts that are already in the result come first.
            let (known, other): (Vec<usize>, Vec<usize>) = (0..facts.len())
                .filter(|&index| clause.from() == Some(facts[index].at))
                .partition(|index| kept.contains(index));
            prover.push().ok()?;
            for formula in [clause.guard, violated] {
                prover.assert(pool, formula).ok()?;
            }
            let mut assumptions: Vec<Term> = known.iter().map(|&index| facts[index].formula).collect();
            if prover.status(pool, &assumptions) != Status::Unsat {
                assumptions.extend(other.iter().map(|&index| facts[index].formula));
                for used in core(&mut *prover, pool, &assumptions)? {
                    if let Some(&premise) = used.checked_sub(known.len()).and_then(|used| other.get(used)) {
                        kept.insert(premise);
                        open.push(premise);
                    }
                }
            }
            prover.pop().ok()?;
        }
    }
    Some(kept.into_iter().map(|index| facts[index]).collect())
}

/// Whether all of `facts` are proved inductive relative to `known` in time.
pub(crate) fn is_inductive(
    pool: &mut TermPool,
    system: &TransitionSystem,
    factory: &dyn ProverFactory,
    known: &[Fact],
    facts: &[Fact],
    limits: &Limits,
) -> bool {
    let contexts = Contexts::new(factory, system.theories.logic());
    let mut inference = Inference::new(pool, &system.system, &Suggestions::default(), contexts);
    for fact in known {
        inference.learn(fact.at, fact.formula);
    }
    let mut formulas = Formulas::new();
    for fact in facts {
        formulas[fact.at].push(fact.formula);
    }
    let kept = inference.inductive(pool, formulas, limits);
    let bottom = pool.fls();
    kept.is_ok_and(|kept| {
        // Clauses out of a relation without a state were not checked: it must be among the facts.
        let is_excluded = |at| facts.iter().any(|fact| fact.at == at && fact.formula == bottom);
        let is_checked = |(at, conjuncts): (_, &Vec<Term>)| !conjuncts.contains(&bottom) || is_excluded(at);
        kept.at.iter().all(is_checked)
            && facts.iter().all(|fact| {
                let conjuncts = pool.conjuncts(&[fact.formula]);
                conjuncts.iter().all(|conjunct| kept.at[fact.at].contains(conjunct))
            })
    })
}

/// Returns the indices of assumptions that contradict the assertions; `None` if the prover cannot
/// establish a contradiction.
///
/// A core of at most [`MOST_TRIED`] assumptions is minimized: dropping any single assumption makes
/// the query satisfiable or inconclusive.
pub(crate) fn core(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term]) -> Option<Vec<usize>> {
    let mut core = unsat_core(prover, pool, assumptions)?;
    if core.len() > MOST_TRIED {
        return Some(core);
    }
    // Facts at higher indices are from more expensive sources and rarely needed: drop them first.
    for index in core.clone().into_iter().rev() {
        if !core.contains(&index) {
            continue;
        }
        let others: Vec<usize> = core.iter().copied().filter(|&other| other != index).collect();
        let formulas: Vec<Term> = others.iter().map(|&other| assumptions[other]).collect();
        if let Some(smaller) = unsat_core(prover, pool, &formulas) {
            core = smaller.into_iter().map(|place| others[place]).collect();
        }
    }
    Some(core)
}

fn unsat_core(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term]) -> Option<Vec<usize>> {
    match prover.check(pool, assumptions) {
        Outcome::Unsat(mut proof) => proof.unsat_core().ok(),
        Outcome::Sat(_) | Outcome::Unknown(_) => None,
    }
}
