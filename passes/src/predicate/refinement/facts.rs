//! Abstract facts about an infeasible counterexample.

use super::Counterexample;
use crate::predicate::algorithm::Analysis;
use crate::predicate::config::Facts;
use crate::predicate::formulas::{BlockFormula, Frames};
use crate::predicate::solving::Failure;
use backends::{AssertionId, Outcome};
use ir::term::Term;
use std::rc::Rc;

/// What is known of the states after each block of a sequence but the last.
pub(super) enum Interpolants {
    /// The sequence can be run.
    Satisfiable,
    /// It cannot.
    Found(Vec<Term>),
}

impl Analysis<'_, '_> {
    /// Facts from one source for the inner states of a counterexample without a model; none if the source has none.
    pub(super) fn facts(
        &mut self,
        source: Facts,
        counterexample: &Counterexample,
    ) -> Result<Option<Vec<Term>>, Failure> {
        match source {
            Facts::Interpolants => {
                let top = self.pool.tru();
                match self.interpolate(top, &counterexample.blocks, top)? {
                    Interpolants::Satisfiable => Ok(None),
                    Interpolants::Found(facts) => Ok(Some(facts)),
                }
            }
            Facts::PathInvariants | Facts::WeakestPreconditions | Facts::Heuristics => Ok(None),
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
                let mut own = Vec::new();
                for &formula in part {
                    own.push(solver.assert(pool, formula)?);
                }
                ids.push(own);
            }
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
