//! Certificates of k-induction.
//!
//! With k = 0 the auxiliary invariants are an inductive proof by themselves. With larger k, "no end
//! follows" is k-inductive relative to them, and it is often inductive as well if it is stated at
//! all loop heads. If it is expressible over states (no end depends on an input), this is tried
//! first, since an inductive certificate is checked in one step and provides an invariant for other
//! tools.
//!
//! A certificate has only the auxiliary invariants that the proof [needs](crate::invariants), if
//! they are found in time.

use super::step_case::StepCase;
use crate::evidence::{Certificate, Invariants};
use crate::invariants::{self, Fact, is_inductive, needed};
use crate::transform::Pipeline;
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory};
use std::collections::BTreeMap;
use std::time::Duration;
use terms::{Op, TermPool};

/// The time limit of the search for an inductive proof.
const TIME: Duration = Duration::from_secs(2);

/// The proof that a certificate is made of.
pub(super) struct Proof<'a> {
    /// The largest number of transitions before an end.
    pub k: u32,
    /// Inductive facts with which the step case for `k` holds.
    pub facts: &'a [Fact],
    /// The source of provers.
    pub factory: &'a dyn ProverFactory,
    /// The passes of the program.
    pub pipeline: &'a Pipeline,
    /// The limits of the search for a better certificate.
    pub limits: Limits,
}

impl Proof<'_> {
    /// Returns the certificate.
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

    /// The facts that the step case needs, and those that their induction needs.
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

/// At each loop head, the fact that no end follows; `None` if this depends on inputs.
fn no_ends(pool: &mut TermPool, system: &TransitionSystem) -> Option<Vec<Fact>> {
    let mut facts = Vec::new();
    for (_, query) in system.source.queries() {
        let Some(at) = query.from() else { continue };
        let guard = invariants::encode(pool, system, query.guard)?;
        facts.push(Fact { at, formula: pool.not(guard) });
    }
    Some(facts)
}

fn evidence(
    pool: &mut TermPool,
    system: &TransitionSystem,
    facts: &[Fact],
    pipeline: &Pipeline,
) -> Invariants {
    let mut at = BTreeMap::new();
    let mut symbols = BTreeMap::new();
    for (relation, state) in system.states.iter() {
        let formulas: Vec<_> =
            facts.iter().filter(|fact| fact.at == relation).map(|fact| fact.formula).collect();
        let formula = pool.and(&formulas);
        if pool.op(formula) != Op::True {
            at.insert(state.block, formula);
        }
        symbols.extend(system.variables(relation).map(|(variable, symbol)| (symbol, variable.origin)));
    }
    Invariants {
        theories: system.theories,
        limits: crate::transform::ViewLimits::default(),
        pipeline: pipeline.clone(),
        symbols,
        at,
    }
}
