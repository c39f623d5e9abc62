//! Abstract facts about an infeasible counterexample, and their sources.
//!
//! Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.2.3,
//! has four kinds. [Interpolants](Facts::Interpolants), [path invariants](super::path_invariants)
//! and [weakest preconditions](super::weakest_preconditions) are inductive sequences here: each
//! block leads from one fact to the next, and the last fact contradicts the last block. Only an
//! inductive sequence may strengthen states; the latter two kinds are [certified](super::certify).
//! [Heuristic predicates](super::heuristics) need not hold of the states and only refine a
//! precision.
//!
//! Each source has its own time limit, a share of the remaining time, so that a slow source leaves
//! time for the next.

use super::Counterexample;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::config::Facts;
use crate::engines::predicate::formulas::PathClause;
use crate::engines::predicate::solving::Failure;
use backends::Outcome;
use backends::interpolation::Problem;
use horn::frames::Sequence;
use std::rc::Rc;
use std::time::Duration;
use terms::Term;

/// The result of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AbstractFacts {
    /// One fact for each inner state: an inductive sequence that the last block contradicts.
    Sequence(Vec<Term>),
    /// For each inner state, predicates to track.
    Predicates(Vec<Vec<Term>>),
}

/// The time limit of a source.
struct Budget {
    time: Duration,
    /// A fraction of the remaining time: one of so many parts.
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
    /// All facts or predicates.
    pub(super) fn terms(&self) -> Vec<Term> {
        match self {
            AbstractFacts::Sequence(facts) => facts.clone(),
            AbstractFacts::Predicates(predicates) => predicates.iter().flatten().copied().collect(),
        }
    }
}

impl Analysis<'_, '_> {
    /// Facts from one source about the inner states of an infeasible counterexample; `None` if the
    /// source has none.
    pub(super) fn facts(
        &mut self,
        source: Facts,
        counterexample: &Counterexample,
    ) -> Result<Option<AbstractFacts>, Failure> {
        let found = match budget(source) {
            None => self.unlimited_facts(source, counterexample)?,
            Some(Budget { time, share }) => {
                let limits = self.solver.shorten(time, share);
                let found = self.unlimited_facts(source, counterexample);
                self.solver.set_limits(limits);
                found?
            }
        };
        if let Some(found) = &found {
            self.check_expressible(&found.terms())?;
        }
        Ok(found)
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
                Ok(self.interpolate(top, blocks, top)?.map(AbstractFacts::Sequence))
            }
            Facts::PathInvariants => self.over_arrays(|analysis| analysis.path_invariants(counterexample)),
            Facts::WeakestPreconditions => {
                self.over_arrays(|analysis| analysis.weakest_preconditions(blocks))
            }
            Facts::Heuristics => self.heuristic_predicates(counterexample),
        }
    }

    /// An inductive sequence of interpolants for the states after each of `blocks` but the last, if
    /// no execution of `blocks` leads from a state in `premise` to one in `goal`. All formulas are
    /// over the variables of states.
    pub(super) fn interpolate(
        &mut self,
        premise: Term,
        blocks: &[Rc<PathClause>],
        goal: Term,
    ) -> Result<Option<Vec<Term>>, Failure> {
        let Some(last) = blocks.len().checked_sub(1) else { return Ok(None) };
        let mut sequence = Sequence::default();
        let mut parts: Vec<Vec<Term>> = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.iter().enumerate() {
            let mut formula = sequence.next(self.pool, block);
            if index == 0 {
                formula = self.pool.and2(premise, formula);
            }
            if index == last {
                let goal = sequence.instance(self.pool, goal);
                formula = self.pool.and2(formula, goal);
            }
            parts.push(vec![formula]);
        }
        self.sequence_interpolants(&sequence, &Problem::sequence(parts))
    }

    /// A sequence of interpolants of `problem`, the parts of `sequence`, over the variables of
    /// states; `None` if it is satisfiable.
    pub(super) fn sequence_interpolants(
        &mut self,
        sequence: &Sequence,
        problem: &Problem,
    ) -> Result<Option<Vec<Term>>, Failure> {
        let found = match self.interpolants_of_cells(problem) {
            Ok(Some(facts)) => Some(facts),
            other => {
                if let Err(failure) = other {
                    self.survive(failure)?;
                }
                self.over_arrays(|analysis| analysis.interpolants_of_arrays(problem))?
            }
        };
        let Some(found) = found else { return Ok(None) };
        let facts: Vec<Term> = found.into_iter().map(|fact| sequence.generic(self.pool, fact)).collect();
        self.check_expressible(&facts)?;
        Ok(Some(facts))
    }

    fn interpolants_of_arrays(&mut self, problem: &Problem) -> Result<Option<Vec<Term>>, Failure> {
        self.solver.decide(self.pool, problem, |pool, outcome| match outcome {
            Outcome::Sat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason.into()),
            Outcome::Unsat(_) if problem.parts.len() == 1 => Ok(Some(Vec::new())),
            Outcome::Unsat(mut refutation) => Ok(Some(refutation.interpolants(pool, problem)?)),
        })
    }
}
