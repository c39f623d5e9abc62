//! The solver of a run, and what it cost.

use super::formulas::FormulaError;
use backends::{Limits, Outcome, Prover, Reason};
use ir::term::{Term, TermPool};
use std::time::Duration;

/// Why the analysis cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Solver(Reason),
    #[error(transparent)]
    Formula(#[from] FormulaError),
    #[error("the decision diagrams are too large")]
    Diagrams,
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Failure::Solver(reason)
    }
}

impl From<oxidd::util::OutOfMemory> for Failure {
    fn from(_: oxidd::util::OutOfMemory) -> Self {
        Failure::Diagrams
    }
}

/// The cost of a run.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Statistics {
    /// Abstract counterexamples that were infeasible.
    pub refinements: u64,
    /// Abstractions that were computed.
    pub abstractions: u64,
    /// Abstractions that were known.
    pub cached_abstractions: u64,
    /// Models of all abstractions.
    pub cubes: u64,
    /// Queries about coverage.
    pub coverage_queries: u64,
    /// Attempts to force coverage.
    pub forced_coverings: u64,
    /// Those that succeeded.
    pub successful_forced_coverings: u64,
    /// States that were removed by refinements.
    pub removed_states: u64,
    /// Time of abstractions.
    pub abstraction: Duration,
    /// Time of coverage queries.
    pub coverage: Duration,
    /// Time of forced coverings.
    pub forced_covering: Duration,
    /// Time of feasibility checks.
    pub feasibility: Duration,
    /// Time of interpolation.
    pub interpolation: Duration,
}

/// The solver of a run.
pub(crate) struct Solver {
    pub(crate) prover: Box<dyn Prover>,
    pub(crate) limits: Limits,
    pub(crate) statistics: Statistics,
}

impl Solver {
    pub(crate) fn assert(
        &mut self,
        pool: &TermPool,
        formula: Term,
    ) -> Result<backends::AssertionId, Failure> {
        Ok(self.prover.assert(pool, formula)?)
    }

    /// Whether what is asserted has a model together with `assumptions`.
    pub(crate) fn is_satisfiable(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<bool, Failure> {
        match self.prover.check(pool, assumptions) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Runs `work` in a scope of its own.
    pub(crate) fn scoped<T>(
        &mut self,
        pool: &mut TermPool,
        work: impl FnOnce(&mut TermPool, &mut Solver) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.prover.push()?;
        let result = work(pool, self);
        self.prover.pop()?;
        result
    }
}
