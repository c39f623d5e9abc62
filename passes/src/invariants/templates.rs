//! Facts from the [strategy solver](inference), in stages of growing cost.
//!
//! | stage | method |
//! |---|---|
//! | [`Stage::Ranges`] | interval analysis of the IR; the ranges that are inductive in the encoding are kept |
//! | [`Stage::Expressions`] | an iteration of the [Invariants CPA](super::expressions), from its facts as above |
//! | [`Stage::Domain`] | a domain of the strategy solver |
//! | [`Stage::Cells`] | a domain with segments, over the system with distinguished cells; only if the states have arrays |
//!
//! Each call solves one stage in the context of the facts so far. The next call continues a stage
//! that exceeded its limits.

use super::cells::{CellProof, CellSearch};
use super::expressions::{Expressions, ITERATIONS, Iteration};
use super::intervals::ranges;
use super::{Fact, Found, InvariantSource, Rest, Statistics, facts_of, formulas_of, inference_of};
use crate::intervals::Widening;
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory, Reason};
use inference::{DomainSpec, Inference, Invariants, Search, Spec};
use program::ssa::Program;
use terms::TermPool;

/// The domains of auxiliary invariants without a choice of the user.
pub(crate) const STANDARD: &str = "hulls*congruences*values*intervals,literals*orders*rates,\
                                   segments(values*literals),\
                                   segments(hulls*values*literals),\
                                   segments(intervals*orders),\
                                   phases(hulls*congruences*intervals),\
                                   octagons*equalities*bits,disjunctions*orders*literals,\
                                   backward(intervals*octagons*orders)";

/// One step of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Ranges of an interval analysis of the program.
    Ranges(Widening),
    /// The next iteration of the Invariants CPA.
    Expressions,
    /// A domain over the transition system.
    Domain(DomainSpec),
    /// A domain over the transition system with distinguished cells.
    Cells(DomainSpec),
}

impl Stage {
    /// The two levels of interval analysis: one that widens early, and one that widens late and
    /// narrows longer, which finds bounds that are reached in a few iterations exactly.
    pub(crate) const RANGES: [Stage; 2] = [Stage::Ranges(Widening::QUICK), Stage::Ranges(Widening::PATIENT)];

    /// The iterations of the Invariants CPA.
    pub(crate) const EXPRESSIONS: [Stage; ITERATIONS] = [const { Stage::Expressions }; ITERATIONS];

    /// The stages of a choice of domains.
    pub(crate) fn of(spec: &Spec) -> impl Iterator<Item = Stage> {
        spec.stages.iter().map(|domain| match domain.has_segments() {
            true => Stage::Cells(domain.clone()),
            false => Stage::Domain(domain.clone()),
        })
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
    expressions: Option<Expressions>,
    /// The search for facts about cells, if it has started and there are any.
    cells: Option<Option<CellSearch<'f>>>,
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
        Templates {
            program,
            factory,
            search,
            stages,
            inference: None,
            expressions: None,
            cells: None,
            learnt: 0,
        }
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
            None => self.inference.insert(inference_of(pool, system, self.factory)),
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
                let facts = ranges(pool, &self.program, system, *widening);
                inference.inductive(pool, formulas_of(&facts), limits)
            }
            Stage::Expressions => {
                let expressions = self.expressions.get_or_insert_with(|| Expressions::new(pool, system));
                let Iteration { facts, is_last } = expressions.next(pool, system, limits)?;
                if is_last {
                    self.stages.retain(|stage| *stage != Stage::Expressions);
                }
                inference.inductive_of("expressions", pool, formulas_of(&facts), limits)
            }
            Stage::Domain(domain) | Stage::Cells(domain) => {
                inference.stage(pool, domain, self.search, limits)
            }
        }
    }

    /// Searches for a proof by facts about cells.
    fn prove(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        known: &[Fact],
        domain: &DomainSpec,
        limits: &Limits,
    ) -> Result<Option<CellProof>, Reason> {
        let cells = match &mut self.cells {
            Some(cells) => cells,
            None => self.cells.insert(CellSearch::new(pool, system, self.factory)),
        };
        let Some(cells) = cells else { return Ok(None) };
        cells.prove(pool, system, known, (domain, self.search), limits)
    }

    fn is_interrupted(&self, stage: &Stage) -> bool {
        match stage {
            Stage::Cells(_) => self.cells.iter().flatten().any(CellSearch::is_interrupted),
            Stage::Ranges(_) | Stage::Expressions | Stage::Domain(_) => {
                self.inference.as_ref().is_some_and(Inference::is_interrupted)
            }
        }
    }
}

impl InvariantSource for Templates<'_> {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn cost(&self) -> Statistics {
        let mut cost = self.inference.as_ref().map(|own| own.statistics.clone()).unwrap_or_default();
        for cells in self.cells.iter().flatten() {
            cost.add(cells.cost());
        }
        cost
    }

    fn find(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Found {
        let Some(stage) = self.stages.pop() else {
            return Found { facts: Vec::new(), proof: None, rest: Rest::Exhausted };
        };
        let solved = match &stage {
            Stage::Cells(domain) => {
                self.prove(pool, system, known, domain, limits).map(|proof| (Vec::new(), proof))
            }
            Stage::Ranges(_) | Stage::Expressions | Stage::Domain(_) => self
                .solve(pool, system, known, &stage, limits)
                .map(|invariants| (facts_of(&invariants), None)),
        };
        let (facts, proof) = solved.unwrap_or_else(|_| {
            // The next call continues a stage that exceeded its limits.
            if self.is_interrupted(&stage) {
                self.stages.push(stage);
            }
            (Vec::new(), None)
        });
        let rest = if self.stages.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts, proof, rest }
    }
}
