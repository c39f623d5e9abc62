//! The facts that a proof needs: an inductive subset that excludes the ends.
//!
//! Sources find many facts, and a proof uses few of them. The core of the step case names the facts
//! that exclude the ends, and the core of each transition to such a fact names the facts that imply
//! it there. The set that is closed under this is inductive and still excludes the ends. A smaller
//! certificate is checked faster, and shows readers why the program is safe.
//!
//! Source: Ghassabani, Gacek, Whalen, *Efficient Generation of Inductive Validity Cores for Safety
//! Properties*, FSE 2016, for facts in place of the equations of a model.
//!
//! DIVERGENCE: each core is minimal at most by itself, so the subset is small, not minimal.
//!
//! Cost: for each needed fact and each [case](super::cases) of a transition to it a query, and for
//! each that adds facts as many as its core has facts.

use super::Fact;
use super::houdini::Prepared;
use crate::transitions::TransitionSystem;
use backends::{Limits, Outcome, Prover, ProverFactory, Status};
use std::collections::BTreeSet;
use terms::{Term, TermPool};

/// The largest core of which assumptions are left out by trying.
const MOST_TRIED: usize = 16;

/// Returns a part of `facts` that contains those with the indices `goals` and is inductive, as
/// `facts` must be. `None` if it is not found within the limits.
pub(crate) fn needed(
    pool: &mut TermPool,
    system: &TransitionSystem,
    factory: &dyn ProverFactory,
    facts: &[Fact],
    goals: &[usize],
    limits: &Limits,
) -> Option<Vec<Fact>> {
    let mut provers = Prepared::new(pool, system, factory, limits)?.provers;
    let mut kept: BTreeSet<usize> = goals.iter().copied().collect();
    let mut open: Vec<usize> = goals.to_vec();
    while let Some(goal) = open.pop() {
        for (case, prover) in &mut provers {
            let clause = &system.system.clauses[case.clause];
            if clause.to() != Some(facts[goal].at) {
                continue;
            }
            if limits.exceeded().is_some() {
                return None;
            }
            let end = case.at_end(pool, facts[goal].formula);
            let violated = pool.not(end);
            prover.set_limits(limits);
            // Facts that are needed anyway come first.
            let (known, other): (Vec<usize>, Vec<usize>) = (0..facts.len())
                .filter(|&index| clause.from() == Some(facts[index].at))
                .partition(|index| kept.contains(index));
            let mut assumptions = vec![violated];
            assumptions.extend(known.iter().map(|&index| facts[index].formula));
            if prover.status(pool, &assumptions) == Status::Unsat {
                continue;
            }
            let first = assumptions.len();
            assumptions.extend(other.iter().map(|&index| facts[index].formula));
            let used = core(&mut **prover, pool, &assumptions)?;
            for premise in used.into_iter().filter_map(|used| Some(other[used.checked_sub(first)?])) {
                kept.insert(premise);
                open.push(premise);
            }
        }
    }
    Some(kept.into_iter().map(|index| facts[index]).collect())
}

/// The indices of assumptions that contradict the assertions, of which no single one can be left
/// out if there are few; `None` if none are known to.
pub(crate) fn core(prover: &mut dyn Prover, pool: &TermPool, assumptions: &[Term]) -> Option<Vec<usize>> {
    let mut core = unsat_core(prover, pool, assumptions)?;
    if core.len() > MOST_TRIED {
        return Some(core);
    }
    // Later facts are found with more effort, and rarely needed.
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
