//! Solvers for tests.

use backends::{Limits, Outcome, Prover, ProverFactory, Reason, Wrapper};
use std::cell::Cell;
use std::rc::Rc;
use terms::{Term, TermPool};

/// Yices, whose provers give up on every n-th check.
pub(crate) struct Impatient {
    /// n.
    pub(crate) every: usize,
    /// The number of checks so far.
    pub(crate) checks: Rc<Cell<usize>>,
}

struct ImpatientProver {
    inner: Box<dyn Prover>,
    every: usize,
    checks: Rc<Cell<usize>>,
}

impl Wrapper for Impatient {
    fn inner(&self) -> &dyn ProverFactory {
        &backend_yices::YicesFactory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let inner = self.inner().new_prover(logic, limits)?;
        Ok(Box::new(ImpatientProver { inner, every: self.every, checks: Rc::clone(&self.checks) }))
    }
}

impl Prover for ImpatientProver {
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
        self.checks.set(self.checks.get() + 1);
        match self.checks.get() % self.every {
            0 => Outcome::Unknown(Reason::Timeout),
            _ => self.inner.check(pool, assumptions),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
    }
}
