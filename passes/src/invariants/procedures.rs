//! Calling contexts, summaries and loop invariants from the strategy solver.
//!
//! The summaries of 2LS (Marušák, *Generic Template-Based Synthesis of Program Abstractions*,
//! Master's thesis, Brno University of Technology, 2019, §3.4; Schrammel, Kroening, *2LS for
//! Program Analysis*, TACAS 2016) as invariants of a [procedure system](crate::procedures): the
//! strategy solver computes the least calling contexts and summaries of all procedures together, so
//! recursion needs no special case.
//!
//! DIVERGENCE from 2LS, which analyzes one procedure at a time from its callers to its callees, and
//! analyzes a recursive procedure once with a widened calling context: here the fixpoint is that of
//! the whole program.
//!
//! The default stages relate the values at the entry to those at the return: equations and ranges
//! first, then bounds of sums and differences, and formulas of the program. A case distinction of
//! the program becomes a disjunction, either of two literals or of an element for each way into a
//! relation (`paths`).

use super::{Improvement, literals_of_source};
use crate::procedures::ProcedureSystem;
use backends::{Limits, ProverFactory};
use horn::RelationData;
use inference::{Contexts, DomainSpec, Inference, Invariants, Search, Spec, Statistics};
use rustc_hash::FxHashSet;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The domains without a choice of the user.
pub(crate) const STANDARD: &str = "hulls*congruences*values*intervals,literals*orders,\
                                   phases(hulls*congruences*intervals),\
                                   octagons*equalities*bits,disjunctions*orders*literals,\
                                   paths(hulls*intervals*literals)";

/// The facts about the relations of a procedure system, which grow stage by stage.
pub(crate) struct ProcedureInvariants<'f> {
    inference: Inference<'f>,
    search: Search,
    /// The remaining stages, the next one last.
    stages: Vec<DomainSpec>,
    facts: Invariants,
}

/// The strategy solver over a procedure system; `factory` decides its queries.
pub(crate) fn inference_of_procedures<'f>(
    pool: &mut TermPool,
    system: &ProcedureSystem,
    factory: &'f dyn ProverFactory,
) -> Inference<'f> {
    let relations: &PrimaryMap<_, RelationData> = &system.system.relations;
    let variables: FxHashSet<Term> = relations.values().flat_map(RelationData::symbols).collect();
    let is_variable = |symbol| variables.contains(&symbol);
    let suggested = literals_of_source(pool, system.theories, &system.source, &is_variable);
    let contexts = Contexts::new(factory, system.theories.logic());
    Inference::new(pool, &system.system, &suggested, contexts)
}

impl<'f> ProcedureInvariants<'f> {
    /// Prepares the stages of `spec` over `system`; `factory` decides the queries.
    pub(crate) fn new(
        pool: &mut TermPool,
        system: &ProcedureSystem,
        factory: &'f dyn ProverFactory,
        spec: Spec,
    ) -> Self {
        let inference = inference_of_procedures(pool, system, factory);
        let facts = Invariants { at: system.system.relations.keys().map(|_| Vec::new()).collect() };
        let Spec { mut stages, search } = spec;
        stages.reverse();
        ProcedureInvariants { inference, search, stages, facts }
    }

    /// The facts so far, which are inductive together.
    pub(crate) fn current(&self) -> &Invariants {
        &self.facts
    }

    /// The cost so far.
    pub(crate) fn cost(&self) -> Statistics {
        self.inference.statistics.clone()
    }

    /// Solves the next stage, or continues the one that exceeded its limits.
    pub(crate) fn improve(&mut self, pool: &mut TermPool, limits: &Limits) -> Improvement {
        loop {
            let solved = if self.inference.is_interrupted() {
                self.inference.resume(pool, limits)
            } else {
                let Some(stage) = self.stages.pop() else { return Improvement::Exhausted };
                self.inference.stage(pool, &stage, self.search, limits)
            };
            let Ok(found) = solved else {
                if self.inference.is_interrupted() {
                    return Improvement::Unchanged;
                }
                // A failure of the stage: the next one may succeed.
                continue;
            };
            let mut is_stronger = false;
            for (relation, conjuncts) in found.at.iter() {
                is_stronger |= !conjuncts.is_empty();
                self.facts.at[relation].extend(conjuncts);
            }
            if is_stronger {
                return Improvement::Stronger;
            }
        }
    }
}
