//! Facts from the [strategy solver](inference), in stages of growing cost.
//!
//! | stage | method |
//! |---|---|
//! | [`Stage::Ranges`] | interval analysis of the IR; the ranges that are inductive in the encoding are kept |
//! | [`Stage::Domain`] | a domain of the strategy solver |
//!
//! Each call solves one stage in the context of the facts so far. The next call continues a stage
//! that exceeded its limits.

use super::intervals::ranges;
use super::{Fact, Found, InvariantSource, Rest, Statistics, literals_of_source};
use crate::intervals::Widening;
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory, Reason};
use inference::{Contexts, DomainSpec, Formulas, Inference, Invariants, Search, Spec};
use program::ssa::Program;
use terms::TermPool;

/// The domains of auxiliary invariants without a choice of the user.
pub(crate) const STANDARD: &str = "hulls*congruences*values*intervals,literals*orders,\
                                   octagons*equalities*bits,disjunctions*orders*literals";

/// One step of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Ranges of an interval analysis of the program.
    Ranges(Widening),
    /// A domain over the transition system.
    Domain(DomainSpec),
}

impl Stage {
    /// The two levels of interval analysis: one that widens early, and one that widens late and
    /// narrows longer, which finds bounds that are reached in a few iterations exactly.
    pub(crate) const RANGES: [Stage; 2] = [Stage::Ranges(Widening::QUICK), Stage::Ranges(Widening::PATIENT)];

    /// The stages of a choice of domains.
    pub(crate) fn of(spec: &Spec) -> impl Iterator<Item = Stage> {
        spec.stages.iter().cloned().map(Stage::Domain)
    }
}

/// The source of facts, see the module.
pub(crate) struct Templates<'f> {
    program: Program,
    factory: &'f dyn ProverFactory,
    search: Search,
    /// The remaining stages, the next one last.
    stages: Vec<Stage>,
    inference: Option<Inference<'f>>,
    /// The number of known facts that the inference has.
    learnt: usize,
}

impl<'f> Templates<'f> {
    /// `program` is the program of the transition system; `factory` decides the queries.
    #[must_use]
    pub(crate) fn new(
        program: Program,
        factory: &'f dyn ProverFactory,
        mut stages: Vec<Stage>,
        search: Search,
    ) -> Self {
        stages.reverse();
        Templates { program, factory, search, stages, inference: None, learnt: 0 }
    }

    fn solve(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        known: &[Fact],
        stage: &Stage,
        limits: &Limits,
    ) -> Result<Invariants, Reason> {
        let inference = match &mut self.inference {
            Some(inference) => inference,
            None => {
                let is_variable = |symbol| system.is_variable(symbol);
                let suggested = literals_of_source(pool, system.theories, &system.source, &is_variable);
                let contexts = Contexts::new(self.factory, system.theories.logic());
                self.inference.insert(Inference::new(pool, &system.system, &suggested, contexts))
            }
        };
        for fact in &known[self.learnt..] {
            inference.learn(fact.at, fact.formula);
        }
        self.learnt = known.len();
        if inference.is_interrupted() {
            return inference.resume(pool, limits);
        }
        match stage {
            Stage::Ranges(widening) => {
                let mut formulas = Formulas::new();
                for fact in ranges(pool, &self.program, system, *widening) {
                    formulas[fact.at].push(fact.formula);
                }
                inference.inductive(pool, formulas, limits)
            }
            Stage::Domain(domain) => inference.stage(pool, domain, self.search, limits),
        }
    }
}

impl InvariantSource for Templates<'_> {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn cost(&self) -> Statistics {
        self.inference.as_ref().map(|inference| inference.statistics.clone()).unwrap_or_default()
    }

    fn find(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Found {
        let Some(stage) = self.stages.pop() else {
            return Found { facts: Vec::new(), rest: Rest::Exhausted };
        };
        let solved = self.solve(pool, system, known, &stage, limits);
        let facts = match solved {
            Ok(invariants) => {
                let conjuncts = invariants.at.iter();
                let facts = conjuncts
                    .flat_map(|(at, conjuncts)| conjuncts.iter().map(move |&formula| Fact { at, formula }));
                facts.collect()
            }
            Err(_) => {
                // The next call continues a stage that exceeded its limits.
                if self.inference.as_ref().is_some_and(Inference::is_interrupted) {
                    self.stages.push(stage);
                }
                Vec::new()
            }
        };
        let rest = if self.stages.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts, rest }
    }
}
