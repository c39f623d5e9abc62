//! Queries about one part and the frames of its children, posed to any prover.

use super::tree::Node;
use backends::all_sat::minimal_core;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Support};
use terms::{Term, TermPool};

/// Maximum size of a core that is minimized.
const MAX_MINIMIZED: usize = 32;

/// The facts known about each subtree.
pub(super) type Frames = Vec<Vec<Term>>;

/// One prover for all parts. Its scope holds the current part and the frames of its children.
pub(super) struct Local {
    prover: Box<dyn Prover>,
    has_cores: bool,
    /// The node of the open scope, and the number of asserted lemmas of each child.
    current: Option<(usize, Vec<usize>)>,
    /// The number of checks so far.
    pub(super) checks: u64,
}

/// The result of a check under assumptions.
pub(super) enum Answer<R> {
    /// Unsatisfiable, with the indices of sufficient assumptions.
    Unsat(Vec<usize>),
    /// Satisfiable, with the caller's result from the model.
    Sat(R),
}

impl<R> Answer<R> {
    fn model(self) -> Option<R> {
        match self {
            Answer::Unsat(_) => None,
            Answer::Sat(made) => Some(made),
        }
    }
}

impl Local {
    pub(super) fn new(factory: &dyn ProverFactory, limits: &Limits) -> Result<Self, Reason> {
        let prover = factory.new_prover("ALL", limits)?;
        let has_cores = factory.capabilities().unsat_cores == Support::Full;
        Ok(Local { prover, has_cores, current: None, checks: 0 })
    }

    /// Opens the scope of `node`, or adds new lemmas to it.
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

    /// Checks the part and frames of `node` under `assumptions`.
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

    /// Runs `work` in a scope of its own with `asserted`.
    fn scoped<R>(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
        work: impl FnOnce(&mut TermPool, &mut Self) -> Result<R, Reason>,
    ) -> Result<R, Reason> {
        self.prover.push()?;
        let all = asserted.iter().try_for_each(|&formula| self.prover.assert(pool, formula).map(|_| ()));
        let result = all.and_then(|()| work(pool, self));
        self.prover.pop()?;
        result
    }

    /// Returns a subset of `assumptions` that contradicts the assertions, or `None` if they are
    /// consistent. Minimization drops the first assumptions first; cores over `MAX_MINIMIZED` are
    /// not minimized.
    fn core(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Result<Option<Vec<Term>>, Reason> {
        let mut core = assumptions.to_vec();
        if core.len() > MAX_MINIMIZED {
            let Answer::Unsat(found) = self.ask(pool, &core, |_, _| Ok(()))? else { return Ok(None) };
            core = found.into_iter().map(|index| core[index]).collect();
        }
        if core.len() > MAX_MINIMIZED {
            return Ok(Some(core));
        }
        let smaller = minimal_core(&mut *self.prover, pool, &core)?;
        Ok(smaller.map(|smaller| smaller.into_iter().map(|index| core[index]).collect()))
    }

    /// Checks the part and frames of `node` together with `formula`, which is retracted afterwards.
    pub(super) fn probe<R>(
        &mut self,
        pool: &mut TermPool,
        (nodes, frames): (&[Node], &Frames),
        node: usize,
        formula: Term,
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Option<R>, Reason> {
        self.enter(pool, nodes, frames, node)?;
        self.scoped(pool, &[formula], |pool, local| local.ask(pool, &[], on_model)).map(Answer::model)
    }

    /// Whether the part and frames of `node` entail `formula`.
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

    /// Returns literals of `cube` that contradict the part and frames of `node`, or `None` if the
    /// cube is consistent with them.
    pub(super) fn core_of_cube(
        &mut self,
        pool: &mut TermPool,
        (nodes, frames): (&[Node], &Frames),
        node: usize,
        cube: &[Term],
    ) -> Result<Option<Vec<Term>>, Reason> {
        self.enter(pool, nodes, frames, node)?;
        self.core(pool, cube)
    }

    /// Returns the caller's result from a model of `asserted` alone; `None` if there is no model.
    pub(super) fn model_of<R>(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
        on_model: impl FnOnce(&mut TermPool, &mut dyn Model) -> Result<R, Reason>,
    ) -> Result<Option<R>, Reason> {
        self.leave()?;
        self.scoped(pool, asserted, |pool, local| local.ask(pool, &[], on_model)).map(Answer::model)
    }

    /// Whether `asserted` alone is unsatisfiable.
    pub(super) fn is_unsatisfiable(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
    ) -> Result<bool, Reason> {
        Ok(self.model_of(pool, asserted, |_, _| Ok(()))?.is_none())
    }

    /// Returns a subset of `assumptions` that contradicts `asserted` alone, or `None` if they are
    /// consistent.
    pub(super) fn core_of(
        &mut self,
        pool: &mut TermPool,
        asserted: &[Term],
        assumptions: &[Term],
    ) -> Result<Option<Vec<Term>>, Reason> {
        self.leave()?;
        self.scoped(pool, asserted, |pool, local| local.core(pool, assumptions))
    }
}
