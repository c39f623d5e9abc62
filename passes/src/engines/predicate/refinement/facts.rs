//! Abstract facts about an infeasible counterexample, and where they come from.
//!
//! *Towards Practical Predicate Analysis*, §4.2.3, has four kinds. Those of [`interpolants`](Facts::Interpolants),
//! [path invariants](super::path_invariants) and [weakest preconditions](super::weakest_preconditions) are inductive sequences here: what each block does
//! leads from one fact to the next, and the last block is contradicted. Only so may they strengthen states; the latter two are
//! [certified](super::certify). [Heuristic predicates](super::heuristics) are no facts about the states at all, and only make a precision finer.
//!
//! Each source but the interpolants has a time of its own, a share of what is left, so that one that is slow leaves time for the next.

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

/// What a source answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AbstractFacts {
    /// For each inner state what holds of it: an inductive sequence that the last block contradicts.
    Sequence(Vec<Term>),
    /// For each inner state predicates that may be worth tracking.
    Predicates(Vec<Vec<Term>>),
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
                Ok(self.interpolate(top, blocks, top)?.map(AbstractFacts::Sequence))
            }
            Facts::PathInvariants => self.path_invariants(counterexample),
            Facts::WeakestPreconditions => self.weakest_preconditions(blocks),
            Facts::Heuristics => self.heuristic_predicates(counterexample),
        }
    }

    /// What is known of the states after each of `blocks` but the last, if there is no run of them from a state with `premise` to one with
    /// `goal`: an inductive sequence of interpolants. All over the variables of states.
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
        let problem = Problem::sequence(parts);
        let found = self.solver.decide(self.pool, &problem, |pool, outcome| match outcome {
            Outcome::Sat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason.into()),
            Outcome::Unsat(_) if last == 0 => Ok(Some(Vec::new())),
            Outcome::Unsat(mut refutation) => Ok(Some(refutation.interpolants(pool, &problem)?)),
        })?;
        Ok(found.map(|facts| facts.into_iter().map(|fact| sequence.generic(self.pool, fact)).collect()))
    }
}
