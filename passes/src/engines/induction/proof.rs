//! Certificates of k-induction.
//!
//! With k = 0 the auxiliary invariants are an inductive proof by themselves. With larger k, "no end
//! follows" is k-inductive relative to them, and it is often inductive as well if it is stated at
//! all loop heads. If it is expressible over states (no end depends on an input), this is tried
//! first, since an inductive certificate is checked in one step and provides an invariant for other
//! tools.

use crate::evidence::{Certificate, Invariants};
use crate::invariants::{self, Fact, is_inductive};
use crate::transform::Pipeline;
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory};
use std::collections::BTreeMap;
use std::time::Duration;
use terms::{Op, TermPool};

/// The time limit of the search for an inductive proof.
const TIME: Duration = Duration::from_secs(2);

/// Returns the certificate for a successful initial case and step case for `k`.
pub(super) fn certificate(
    pool: &mut TermPool,
    system: &TransitionSystem,
    k: u32,
    facts: &[Fact],
    factory: &dyn ProverFactory,
    pipeline: &Pipeline,
    limits: &Limits,
) -> Certificate {
    let mut all = facts.to_vec();
    if k == 0 {
        return Certificate::Inductive(Box::new(evidence(pool, system, &all, pipeline)));
    }
    let limits = limits.within(TIME);
    if let Some(safe) = no_ends(pool, system)
        && is_inductive(pool, system, factory, facts, &safe, &limits)
    {
        all.extend(safe);
        return Certificate::Inductive(Box::new(evidence(pool, system, &all, pipeline)));
    }
    Certificate::KInductive { k, invariants: Box::new(evidence(pool, system, &all, pipeline)) }
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
