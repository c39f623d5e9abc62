//! Facts if memory is a function: interpolants about single cells, and sources over arrays, see
//! [`memory`](crate::engines::predicate::memory).

use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::solving::Failure;
use backends::Outcome;
use backends::interpolation::Problem;
use encode::EncodeError;
use encode::functions::{FunctionParts, compares_arrays};
use terms::Term;

impl Analysis<'_, '_> {
    /// Does `work` with memory as arrays in all queries.
    pub(super) fn over_arrays<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let functions = self.solver.set_aside()?;
        let result = work(self);
        self.solver.resume(functions);
        result
    }

    /// Rejects facts that queries cannot express.
    pub(super) fn check_expressible(&self, facts: &[Term]) -> Result<(), Failure> {
        match &self.solver.functions {
            Some(functions) if facts.iter().any(|&fact| compares_arrays(self.pool, fact)) => {
                Err(EncodeError::ArrayEquality(functions.theories.encoding).into())
            }
            _ => Ok(()),
        }
    }

    /// Interpolants of a sequence, an unsatisfiable problem over arrays, as formulas about single
    /// cells; `None` if memory is not a function, or if the finitely many addresses of the
    /// translation do not suffice.
    pub(super) fn interpolants_of_cells(&mut self, problem: &Problem) -> Result<Option<Vec<Term>>, Failure> {
        let Some(functions) = self.solver.functions.as_ref().filter(|_| problem.parts.len() > 1) else {
            return Ok(None);
        };
        let translated = FunctionParts::of(self.pool, functions.theories, &problem.parts)?;
        let problem = Problem::sequence(translated.parts.clone());
        let found = self.solver.decide_translated(self.pool, &problem, |pool, outcome| match outcome {
            Outcome::Sat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason.into()),
            Outcome::Unsat(mut refutation) => Ok(Some(refutation.interpolants(pool, &problem)?)),
        })?;
        let back = |fact| translated.to_arrays(self.pool, fact);
        Ok(found.map(|facts| facts.into_iter().map(back).collect()))
    }
}
