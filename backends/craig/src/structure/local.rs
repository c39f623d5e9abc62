//! Queries about one part and what is known of its children, to any prover.

use super::tree::Node;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Status, Support};
use ir::term::{Term, TermPool};

/// What is known to hold of each subtree.
pub(super) type Frames = Vec<Vec<Term>>;

/// One prover for all parts: a scope holds the part that is asked about and the frames of its children.
pub(super) struct Local {
    prover: Box<dyn Prover>,
    has_cores: bool,
    /// The node of the scope that is open, and how many lemmas of each child are asserted.
    current: Option<(usize, Vec<usize>)>,
    /// Checks so far.
    pub(super) checks: u64,
}

/// What a check under assumptions says.
pub(super) enum Answer<R> {
    /// Unsatisfiable, with the indices of assumptions that suffice.
    Unsat(Vec<usize>),
    /// What the caller made of the model.
    Sat(R),
}

impl Local {
    pub(super) fn new(factory: &dyn ProverFactory, limits: &Limits) -> Result<Self, Reason> {
        let prover = factory.new_prover("ALL", limits)?;
        let has_cores = factory.capabilities().unsat_cores == Support::Full;
        Ok(Local { prover, has_cores, current: None, checks: 0 })
    }

    /// Opens the scope of `node`.
    fn enter(&mut self, pool: &TermPool, nodes: &[Node], frames: &Frames, node: usize) -> Result<(), Reason> {
        let children = &nodes[node].children;
        match &self.current {
            Some((current, _)) if *current == node => {}
            _ => {
                self.leave()?;
                self.prover.push()?;
                self.current = Some((node, vec![0; children.len()]));
                for &formula in &nodes[node].formulas {
                    self.prover.assert(pool, formula)?;
                }
            }
        }
        let Some((_, known)) = &mut self.current else { unreachable!("the scope was just opened") };
        for (&child, known) in children.iter().zip(known) {
            while let Some(&lemma) = frames[child].get(*known) {
                self.prover.assert(pool, lemma)?;
                *known += 1;
            }
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Reason> {
        if self.current.take().is_some() {
            self.prover.pop()?;
        }
        Ok(())
    }

    /// Checks part and frames of `node` with `assumptions`.
    pub(super) fn check<R>(
        &mut self,
        pool: &mut TermPool,
        (nodes, frames): (&[Node], &Frames),
        node: usize,
        assumptions: &[Term],
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Answer<R>, Reason> {
        self.enter(pool, nodes, frames, node)?;
        self.ask(pool, assumptions, on_model)
    }

    fn ask<R>(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[Term],
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Answer<R>, Reason> {
        self.checks += 1;
        match self.prover.check(pool, assumptions) {
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(mut model) => Ok(Answer::Sat(on_model(pool, &mut *model)?)),
            Outcome::Unsat(mut refutation) => {
                let all = || (0..assumptions.len()).collect();
                Ok(Answer::Unsat(if self.has_cores { refutation.unsat_core()? } else { all() }))
            }
        }
    }

    /// Checks part and frames of `node` together with `formula`, which leaves no trace.
    pub(super) fn probe<R>(
        &mut self,
        pool: &mut TermPool,
        (nodes, frames): (&[Node], &Frames),
        node: usize,
        formula: Term,
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Option<R>, Reason> {
        self.enter(pool, nodes, frames, node)?;
        self.prover.push()?;
        self.prover.assert(pool, formula)?;
        let answer = self.ask(pool, &[], on_model);
        self.prover.pop()?;
        Ok(match answer? {
            Answer::Unsat(_) => None,
            Answer::Sat(result) => Some(result),
        })
    }

    /// Whether part and frames of `node` imply `formula`.
    pub(super) fn implies(
        &mut self,
        pool: &mut TermPool,
        known: (&[Node], &Frames),
        node: usize,
        formula: Term,
    ) -> Result<bool, Reason> {
        let negated = pool.not(formula);
        Ok(self.probe(pool, known, node, negated, |_, _| Ok(()))?.is_none())
    }

    /// What the caller makes of a model of `asserted`, apart from everything else; none if there is no model.
    pub(super) fn model_of<R>(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Option<R>, Reason> {
        self.leave()?;
        self.prover.push()?;
        for &formula in asserted {
            self.prover.assert(pool, formula)?;
        }
        let answer = self.ask(pool, &[], on_model);
        self.prover.pop()?;
        Ok(match answer? {
            Answer::Unsat(_) => None,
            Answer::Sat(result) => Some(result),
        })
    }

    /// Checks `asserted` with `assumptions`, apart from everything else.
    pub(super) fn alone(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
        assumptions: &[Term],
    ) -> Result<Answer<()>, Reason> {
        self.leave()?;
        self.prover.push()?;
        for &formula in asserted {
            self.prover.assert(pool, formula)?;
        }
        let answer = self.ask(pool, assumptions, |_, _| Ok(()));
        self.prover.pop()?;
        answer
    }

    /// Whether `asserted` is unsatisfiable, apart from everything else.
    pub(super) fn is_unsatisfiable(&mut self, pool: &TermPool, asserted: &[Term]) -> Result<bool, Reason> {
        self.leave()?;
        self.prover.push()?;
        for &formula in asserted {
            self.prover.assert(pool, formula)?;
        }
        self.checks += 1;
        let status = self.prover.status(pool, &[]);
        self.prover.pop()?;
        match status {
            Status::Sat => Ok(false),
            Status::Unsat => Ok(true),
            Status::Unknown(reason) => Err(reason),
        }
    }
}
