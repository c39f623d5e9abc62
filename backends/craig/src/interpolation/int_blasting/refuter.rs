//! A prover that refutes formulas over bit vectors by way of integers.
//!
//! # Idea
//! Whether an interpolant is one is a question about linear arithmetic if the interpolant came from there, and a hard one for a solver that
//! looks at bits: that `3x` grows by 3 when `x` grows by 1 is a circuit of a multiplier. So queries are translated and given to a prover of
//! integers. Translations allow no less than the formulas do, so `unsat` can be believed as far as the inner prover can; any other
//! answer is none ([`Reason::Incomplete`]), and the next solver is asked.
//!
//! Each check translates what is asserted anew, in a pool of its own: a prover only sees the pool of the caller.
//! What is shared between checks is the copy of the terms. So it is for many small queries, such as certificates, and not for incremental ones.

use super::translate::{Translation, translate};
use backends::interpolation::Problem;
use backends::{Capabilities, Limits, Outcome, Prover, ProverFactory, Reason, Refutation, Status, Support};
use std::rc::Rc;
use terms::wire::{Decoder, Encoder, Names, WireError};
use terms::{Term, TermPool};

/// Makes provers that refute by way of integers.
pub struct Refuters {
    inner: Rc<dyn ProverFactory>,
}

impl Refuters {
    /// Queries go to provers of `inner`.
    pub fn new(inner: Rc<dyn ProverFactory>) -> Self {
        Refuters { inner }
    }
}

impl ProverFactory for Refuters {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn version(&self) -> String {
        self.inner.version()
    }

    fn license(&self) -> &'static str {
        self.inner.license()
    }

    fn capabilities(&self) -> Capabilities {
        let mut theories = self.inner.capabilities().theories;
        if !theories.contains(&"FixedSizeBitVectors") {
            theories.push("FixedSizeBitVectors");
        }
        Capabilities { theories, unsat_cores: Support::None, ..Capabilities::default() }
    }

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(Refuter {
            inner: Rc::clone(&self.inner),
            logic: logic.to_owned(),
            limits: limits.clone(),
            pool: TermPool::new(),
            encoder: Encoder::new(),
            decoder: Decoder::new(Names::Shared),
            scopes: vec![Vec::new()],
        }))
    }
}

struct Refuter {
    inner: Rc<dyn ProverFactory>,
    logic: String,
    limits: Limits,
    /// Has copies of the caller's terms.
    pool: TermPool,
    encoder: Encoder,
    decoder: Decoder,
    /// Assertions in the own pool; the base scope is always there.
    scopes: Vec<Vec<Term>>,
}

impl Refuter {
    fn copy(&mut self, pool: &TermPool, term: Term) -> Result<Term, Reason> {
        let fault = |error: WireError| Reason::Fault(error.to_string());
        let id = self.encoder.term(pool, term);
        self.decoder.read(&mut self.pool, &self.encoder.take()).map_err(fault)?;
        self.decoder.term(id).map_err(fault)
    }

    fn refute(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<(), Reason> {
        let limits = Limits { time: None, deadline: self.limits.end_of_check(), ..self.limits.clone() };
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let mut conjuncts: Vec<Term> = self.scopes.iter().flatten().copied().collect();
        for &assumption in assumptions {
            conjuncts.push(self.copy(pool, assumption)?);
        }
        let problem = Problem::sequence(vec![conjuncts]);
        let Translation { problem, .. } = translate(&mut self.pool, &problem, &limits)?;
        let mut prover = self.inner.new_prover(&self.logic, &limits)?;
        for &formula in problem.parts.iter().flatten() {
            prover.assert(&self.pool, formula)?;
        }
        match prover.status(&self.pool, &[]) {
            Status::Unsat => Ok(()),
            Status::Sat => Err(Reason::Incomplete("int-blasting only refutes".to_owned())),
            Status::Unknown(reason) => Err(reason),
        }
    }
}

impl Prover for Refuter {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.scopes.pop();
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        let copy = self.copy(pool, formula)?;
        self.scopes.last_mut().expect("the base scope is never closed").push(copy);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        match self.refute(pool, assumptions) {
            Ok(()) => Outcome::Unsat(Box::new(All(assumptions.len()))),
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

/// The refutation by all of so many assumptions.
struct All(usize);

impl Refutation for All {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        Ok((0..self.0).collect())
    }
}
