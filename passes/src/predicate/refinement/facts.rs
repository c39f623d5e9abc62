//! Abstract facts about an infeasible counterexample, and where they come from.
//!
//! *Towards Practical Predicate Analysis*, §4.2.3, has four kinds. Those of [`interpolants`](Facts::Interpolants),
//! [path invariants](super::path_invariants) and [weakest preconditions](super::weakest_preconditions) are inductive sequences here: what each block does
//! leads from one fact to the next, and the last block is contradicted. Only so may they strengthen states; the latter two are
//! [certified](super::certify). [Heuristic predicates](super::heuristics) are no facts about the states at all, and only make a precision finer.
//!
//! Each source but the interpolants has a time of its own, a share of what is left, so that one that is slow leaves time for the next.

use super::Counterexample;
use crate::predicate::algorithm::Analysis;
use crate::predicate::config::Facts;
use crate::predicate::formulas::{BlockFormula, Frames};
use crate::predicate::solving::Failure;
use backends::{AssertionId, Outcome};
use std::rc::Rc;
use std::time::Duration;
use terms::Term;

/// What a source answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AbstractFacts {
    /// For each inner state what holds of it: an inductive sequence that the last block contradicts.
    Sequence(Vec<Term>),
    /// For each inner state predicates that may be worth tracking.
    Predicates(Vec<Vec<Term>>),
}

/// What is known of the states after each block of a sequence but the last.
pub(super) enum Interpolants {
    /// The sequence can be run.
    Satisfiable,
    /// It cannot.
    Found(Vec<Term>),
}

/// How long a source may take.
struct Budget {
    time: Duration,
    /// A fraction of what is left.
    share: u32,
}

fn budget(source: Facts) -> Option<Budget> {
    match source {
        Facts::Heuristics => None,
        Facts::Interpolants => Some(Budget { time: Duration::from_secs(60), share: 2 }),
        Facts::PathInvariants => Some(Budget { time: Duration::from_secs(10), share: 5 }),
        Facts::WeakestPreconditions => Some(Budget { time: Duration::from_secs(10), share: 4 }),
    }
}

impl AbstractFacts {
    /// All of them.
    pub(super) fn terms(&self) -> Vec<Term> {
        match self {
            AbstractFacts::Sequence(facts) => facts.clone(),
            AbstractFacts::Predicates(predicates) => predicates.iter().flatten().copied().collect(),
        }
    }
}

impl Analysis<'_, '_> {
    /// Facts from one source about the inner states of a counterexample without a model; none if the source has none.
    pub(super) fn facts(
        &mut self,
        source: Facts,
        counterexample: &Counterexample,
    ) -> Result<Option<AbstractFacts>, Failure> {
        let Some(Budget { time, share }) = budget(source) else {
            return self.unlimited_facts(source, counterexample);
        };
        let limits = self.solver.shorten(time, share);
        let found = self.unlimited_facts(source, counterexample);
        self.solver.set_limits(limits);
        found
    }

    fn unlimited_facts(
        &mut self,
        source: Facts,
        counterexample: &Counterexample,
    ) -> Result<Option<AbstractFacts>, Failure> {
        let blocks = &counterexample.blocks;
        match source {
            Facts::Interpolants => {
                let top = self.pool.tru();
                match self.interpolate(top, blocks, top)? {
                    Interpolants::Satisfiable => Ok(None),
                    Interpolants::Found(facts) => Ok(Some(AbstractFacts::Sequence(facts))),
                }
            }
            Facts::PathInvariants => self.path_invariants(counterexample),
            Facts::WeakestPreconditions => self.weakest_preconditions(blocks),
            Facts::Heuristics => self.heuristic_predicates(counterexample),
        }
    }

    /// Whether the sequence of `blocks` can be run from a state with `premise` to one with `goal`; if not, an inductive sequence of
    /// interpolants. All over the variables of states.
    pub(super) fn interpolate(
        &mut self,
        premise: Term,
        blocks: &[Rc<BlockFormula>],
        goal: Term,
    ) -> Result<Interpolants, Failure> {
        let mut frames = Frames::default();
        let mut parts: Vec<Vec<Term>> = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.iter().enumerate() {
            let mut part = if index == 0 { vec![premise] } else { Vec::new() };
            part.push(frames.next(self.pool, block));
            parts.push(part);
        }
        let goal = frames.instance(self.pool, goal);
        if let Some(last) = parts.last_mut() {
            last.push(goal);
        }
        let pool = &mut *self.pool;
        let found = self.solver.scoped(pool, |pool, solver| {
            let mut ids: Vec<Vec<AssertionId>> = Vec::with_capacity(parts.len());
            for part in &parts {
                let formula = pool.and(part);
                ids.push(vec![solver.assert(pool, formula)?]);
            }
            solver.refute_by_parts(pool, parts.len());
            match solver.prover.check(pool, &[]) {
                Outcome::Sat(_) => Ok(Interpolants::Satisfiable),
                Outcome::Unknown(reason) => Err(Failure::Solver(reason)),
                Outcome::Unsat(mut refutation) => Ok(Interpolants::Found(match ids.len() {
                    0 | 1 => Vec::new(),
                    _ => refutation.sequence(pool, &ids)?,
                })),
            }
        })?;
        Ok(match found {
            Interpolants::Satisfiable => Interpolants::Satisfiable,
            Interpolants::Found(facts) => {
                let generic = facts.into_iter().map(|fact| frames.generic(self.pool, fact));
                Interpolants::Found(generic.collect())
            }
        })
    }
}
