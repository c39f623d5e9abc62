//! Provers whose refutations provide interpolants.
//!
//! A refutation passes a [`Problem`] to an [`Interpolation`]. If a check of parts is hard as a
//! whole, it is left to sources that decide: their certified interpolants are the refutation.

use super::{Interpolants, Interpolation, Problem};
use crate::{Limits, Outcome, Prover, ProverFactory, Reason, Refutation, SharedLog, Status, Wrapper};
use std::rc::Rc;
use std::time::Duration;
use terms::{Symbol, Term, TermPool};

/// The minimal number of parts that are refuted part by part.
const FEWEST_PARTS: usize = 3;

/// A factory of provers that pass problems to an [`Interpolation`].
pub struct Interpolating {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
    /// Creates the sources of a new prover.
    pub interpolation: Rc<dyn Fn() -> Interpolation>,
}

impl Wrapper for Interpolating {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(InterpolatingProver {
            inner: self.factory.new_prover(logic, limits)?,
            interpolation: (self.interpolation)(),
            limits: limits.clone(),
        }))
    }
}

struct InterpolatingProver {
    inner: Box<dyn Prover>,
    interpolation: Interpolation,
    limits: Limits,
}

impl InterpolatingProver {
    /// Whether a check of the whole does not finish within `at_once`.
    fn is_hard(&mut self, pool: &TermPool, at_once: Duration) -> bool {
        self.inner.set_limits(&self.limits.per_check(at_once));
        let status = self.inner.status(pool, &[]);
        self.inner.set_limits(&self.limits);
        status == Status::Unknown(Reason::Timeout) && self.limits.exceeded().is_none()
    }
}

impl Prover for InterpolatingProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.inner.assert(pool, formula)
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let InterpolatingProver { inner, interpolation, limits } = self;
        match inner.check(pool, assumptions) {
            Outcome::Unsat(inner) => {
                let evidence = Evidence::Whole(inner);
                Outcome::Unsat(Box::new(InterpolatingRefutation { evidence, interpolation, limits }))
            }
            other => other,
        }
    }

    fn check_parts(&mut self, pool: &mut TermPool, problem: &Problem, at_once: Duration) -> Outcome<'_> {
        if problem.parts.len() >= FEWEST_PARTS && self.is_hard(pool, at_once) {
            match self.interpolation.refute(pool, problem, &self.limits) {
                Interpolants::Found(found) => {
                    let InterpolatingProver { interpolation, limits, .. } = self;
                    let evidence = Evidence::ByParts(problem.clone(), found);
                    let refutation = InterpolatingRefutation { evidence, interpolation, limits };
                    return Outcome::Unsat(Box::new(refutation));
                }
                Interpolants::Satisfiable(Some(witness)) => return Outcome::Sat(Box::new(witness)),
                Interpolants::Satisfiable(None) | Interpolants::Unknown(_) => {}
            }
        }
        self.check(pool, &[])
    }

    fn log(&self) -> Option<SharedLog> {
        self.inner.log()
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        self.inner.set_limits(limits);
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        self.inner.eliminate(pool, formula, variables)
    }
}

struct InterpolatingRefutation<'p> {
    evidence: Evidence<'p>,
    interpolation: &'p mut Interpolation,
    limits: &'p Limits,
}

/// The evidence that the assertions are unsatisfiable.
enum Evidence<'p> {
    /// The refutation of the wrapped prover.
    Whole(Box<dyn Refutation + 'p>),
    /// Certified interpolants of the problem.
    ByParts(Problem, Vec<Term>),
}

impl Refutation for InterpolatingRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        match &mut self.evidence {
            Evidence::Whole(inner) => inner.unsat_core(),
            // These refutations use no assumptions.
            Evidence::ByParts(..) => Ok(Vec::new()),
        }
    }

    fn interpolants(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        match &self.evidence {
            Evidence::ByParts(known, interpolants) if known == problem => Ok(interpolants.clone()),
            _ => self.interpolation.solve(pool, problem, self.limits),
        }
    }
}
