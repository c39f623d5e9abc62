//! Certificates of k-induction.
//!
//! An *end* is a query clause of the transition system: a path to an error.
//!
//! With k = 0 the auxiliary invariants exclude all ends and are an inductive proof by themselves.
//! With k > 0 the property "no end follows" is k-inductive relative to the auxiliary invariants.
//! Stated at all loop heads, it is often inductive too. If the property is expressible over states,
//! because no end depends on an input, the search for an inductive proof comes first: a validator
//! checks an inductive certificate in one step, and other tools can reuse its invariants.
//!
//! Facts about all cells of arrays are a proof without a step case: they exclude all ends.
//!
//! A certificate contains only the auxiliary invariants that the proof [needs](crate::invariants),
//! provided that the reduction completes within its time limit.

use super::step_case::StepCase;
use crate::evidence::{Certificate, Index, Invariants};
use crate::invariants::{self, CellIndex, CellProof, Fact, is_inductive, needed};
use crate::transform::Pipeline;
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory};
use std::time::Duration;
use terms::TermPool;

/// The time limit of the search for an inductive proof.
const TIME: Duration = Duration::from_secs(2);

/// A k-induction proof, the input for a certificate.
pub(super) struct Proof<'a> {
    /// The number of transitions before an end that the step case assumes to be free of errors.
    pub k: u32,
    /// Inductive facts under which the step case for `k` holds.
    pub facts: &'a [Fact],
    /// Creates the provers.
    pub factory: &'a dyn ProverFactory,
    /// The transformation passes that prepared the program.
    pub pipeline: &'a Pipeline,
    /// The limits for simplifying the certificate.
    pub limits: Limits,
}

impl Proof<'_> {
    /// Builds the certificate: inductive if the search for an inductive proof succeeds,
    /// k-inductive otherwise.
    pub(super) fn certificate(&self, pool: &mut TermPool, system: &mut TransitionSystem) -> Certificate {
        let limits = self.limits.within(TIME);
        if self.k > 0
            && let Some(safe) = no_ends(pool, system)
            && is_inductive(pool, system, self.factory, self.facts, &safe, &limits)
        {
            let goals: Vec<usize> = (self.facts.len()..self.facts.len() + safe.len()).collect();
            let all = [self.facts, &safe[..]].concat();
            let few = needed(pool, system, self.factory, &all, &goals, &limits);
            return self.inductive(pool, system, &few.unwrap_or(all));
        }
        let few = self.needed(pool, system, &limits);
        let facts = few.as_deref().unwrap_or(self.facts);
        if self.k == 0 {
            return self.inductive(pool, system, facts);
        }
        let invariants = Box::new(evidence(pool, system, facts, self.pipeline));
        Certificate::KInductive { k: self.k, invariants }
    }

    fn inductive(&self, pool: &mut TermPool, system: &TransitionSystem, facts: &[Fact]) -> Certificate {
        Certificate::Inductive(Box::new(evidence(pool, system, facts, self.pipeline)))
    }

    /// Returns the facts that the step case uses, closed under the facts that their inductiveness
    /// uses; `None` if a limit is exceeded.
    fn needed(
        &self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        limits: &Limits,
    ) -> Option<Vec<Fact>> {
        let prover = self.factory.new_prover(system.theories.logic(), limits).ok()?;
        let goals = StepCase::new(prover).core(pool, system, self.k, self.facts)?;
        needed(pool, system, self.factory, self.facts, &goals, limits)
    }
}

/// Returns, for each loop head, the fact that no end follows it; `None` if the guard of an end
/// depends on inputs.
fn no_ends(pool: &mut TermPool, system: &TransitionSystem) -> Option<Vec<Fact>> {
    let mut facts = Vec::new();
    for (_, query) in system.source.queries() {
        let Some(at) = query.from() else { continue };
        let guard = invariants::encode(pool, system, query.guard)?;
        facts.push(Fact { at, formula: pool.not(guard) });
    }
    Some(facts)
}

/// The certificate of a proof by facts about all cells of arrays.
pub(super) fn of_cells(
    pool: &mut TermPool,
    system: &TransitionSystem,
    proof: &CellProof,
    pipeline: &Pipeline,
) -> Certificate {
    let invariants = evidence(pool, system, &proof.facts, pipeline);
    let CellIndex { symbol, sort, representation } = proof.index;
    let index = Some(Index { symbol, sort, representation });
    Certificate::Inductive(Box::new(Invariants { index, ..invariants }))
}

fn evidence(
    pool: &mut TermPool,
    system: &TransitionSystem,
    facts: &[Fact],
    pipeline: &Pipeline,
) -> Invariants {
    let facts: Vec<_> = facts.iter().map(|fact| (fact.at, fact.formula)).collect();
    Invariants::of_facts(pool, system, &facts, pipeline)
}
