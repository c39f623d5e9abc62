//! Inference over programs with procedures: calling contexts, summaries and loop invariants.
//!
//! The steps are those of the inference over loops, with the clauses of all procedures.

use super::{Config, DOMAINS, InferError, Inferred, Search, Statistics};
use crate::evidence::{ProgramInvariants, Summaries};
use crate::invariants::{Fact, Improvement, ProcedureInvariants};
use crate::procedures::{Place, ProcedureSystem};
use crate::transform::{BackTranslator, ViewLimits, prepare_for_views};
use backends::ProverFactory;
use horn::Relation;
use program::ssa::Program;
use std::time::{Duration, Instant};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::BlockOperator;

/// Facts about the places of a program with procedures.
pub(super) struct ProcedureFacts {
    /// The system that the facts describe.
    pub(super) system: ProcedureSystem,
    /// The facts, which are inductive together.
    pub(super) facts: Vec<Fact>,
    /// Maps the prepared program to the program as lowered.
    pub(super) back: BackTranslator,
    /// The limits of the preparation.
    pub(super) limits: ViewLimits,
    /// The cost of the search.
    pub(super) statistics: Statistics,
}

/// Searches for facts about the places of `program`, as lowered, with observed variables.
pub(super) fn facts(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
) -> Result<ProcedureFacts, InferError> {
    let start = Instant::now();
    let limits = ViewLimits { procedures: config.procedures, ..ViewLimits::default() };
    let mut prepared = program.clone();
    let back = prepare_for_views(pool, &mut prepared, limits, &config.pipeline)?.back;
    let system = ProcedureSystem::new(pool, &prepared, BlockOperator::L, config.theories)?;
    let mut facts: Vec<Fact> = Vec::new();
    let mut statistics = Statistics {
        loop_heads: system.states.values().filter(|state| matches!(state.place, Place::Block(_))).count(),
        ..Statistics::default()
    };
    if let Some(spec) = config.invariants.spec(DOMAINS) {
        let mut invariants = ProcedureInvariants::new(pool, &system, factory, spec);
        statistics.incomplete = loop {
            match invariants.improve(pool, &config.search) {
                Improvement::Stronger => {}
                Improvement::Unchanged => break true,
                Improvement::Exhausted => break false,
            }
        };
        statistics.inference = invariants.cost();
        for (at, formulas) in invariants.current().at.iter() {
            facts.extend(formulas.iter().map(|&formula| Fact { at, formula }));
        }
    }
    (statistics.found, statistics.search, statistics.reduction) =
        (facts.len(), start.elapsed(), Duration::ZERO);
    Ok(ProcedureFacts { system, facts, back, limits, statistics })
}

/// Infers contracts and loop invariants of `program`, as lowered, with observed variables.
pub(super) fn infer(
    pool: &mut TermPool,
    program: Program,
    factory: &dyn ProverFactory,
    config: &Config,
) -> Result<Inferred, InferError> {
    let ProcedureFacts { system, facts, limits, mut statistics, .. } =
        facts(pool, &program, factory, config)?;
    let search = Search {
        source: &program.source,
        ends: (&system.system, &system.unsupported),
        theories: config.theories,
        ranges: &system.ranges,
        facts: &facts,
    };
    let (kept, assumed_absent) = search.conclude(pool, factory, config, &mut statistics)?;
    let mut at: PrimaryMap<Relation, Vec<Term>> = system.states.keys().map(|_| Vec::new()).collect();
    kept.iter().for_each(|fact| at[fact.at].push(fact.formula));
    let summaries = Summaries::of_conjuncts(pool, &system, &at, &config.pipeline, limits);
    let invariants = ProgramInvariants::Procedures(summaries);
    Ok(Inferred { program, invariants, assumed_absent, statistics })
}
