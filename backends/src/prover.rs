//! The traits that a solver implements.

use crate::interpolation::Problem;
use crate::{Capabilities, Limits, Reason, SharedLog};
use std::time::Duration;
use terms::{FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value};

/// The answer of a solver to the assertions on its stack.
pub enum Outcome<'p> {
    /// Satisfiable. The model keeps the prover borrowed.
    Sat(Box<dyn Model + 'p>),
    /// Unsatisfiable. The refutation keeps the prover borrowed.
    Unsat(Box<dyn Refutation + 'p>),
    /// No answer, with the reason.
    Unknown(Reason),
}

impl From<Outcome<'_>> for Status {
    fn from(outcome: Outcome<'_>) -> Self {
        match outcome {
            Outcome::Sat(_) => Status::Sat,
            Outcome::Unsat(_) => Status::Unsat,
            Outcome::Unknown(reason) => Status::Unknown(reason),
        }
    }
}

/// An [`Outcome`] without its evidence.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Status {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// No answer, with the reason.
    Unknown(Reason),
}

/// An incremental solver context.
pub trait Prover {
    /// Opens a scope.
    fn push(&mut self) -> Result<(), Reason>;
    /// Closes the innermost scope and drops its assertions. [`Reason::Misuse`] if no scope is open.
    fn pop(&mut self) -> Result<(), Reason>;
    /// Adds `formula` (of sort Bool, without free bound variables) to the innermost scope. On
    /// failure, nothing is added.
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason>;
    /// Decides the assertions together with `assumptions` (arbitrary Boolean terms). The prover
    /// remains usable after `Unknown`.
    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_>;
    /// Like [`check`](Self::check), without evidence.
    fn status(&mut self, pool: &TermPool, assumptions: &[Term]) -> Status {
        self.check(pool, assumptions).into()
    }
    /// Like [`check`](Self::check), where the assertions are the parts of `problem`. A check of
    /// their conjunction may need a number of conflicts exponential in the number of parts. If it
    /// does not finish within `at_once`, a prover with [sources of
    /// interpolants](crate::interpolation) searches for a refutation part by part, and only then
    /// checks the conjunction without that limit.
    fn check_parts(&mut self, pool: &mut TermPool, problem: &Problem, at_once: Duration) -> Outcome<'_> {
        let _ = (problem, at_once);
        self.check(pool, &[])
    }
    /// The log of assertions, if the prover keeps one; wrappers around it then need no log of their
    /// own.
    fn log(&self) -> Option<SharedLog> {
        None
    }
    /// Sets the limits of the subsequent checks.
    fn set_limits(&mut self, limits: &Limits);
    /// Returns a quantifier-free formula equivalent to `∃ variables. formula`. The assertions have
    /// no influence.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] if the solver has no quantifier elimination, or none for these
    /// theories.
    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        let _ = (pool, formula, variables);
        Err(Reason::Unsupported("quantifier elimination".to_owned()))
    }
}

/// A satisfying assignment, valid while it is borrowed.
pub trait Model {
    /// The value of a free constant; a symbol unknown to the solver has the default value of its
    /// sort.
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason>;
    /// The interpretation of an uninterpreted function; a function unknown to the solver maps
    /// everything to the default value.
    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason>;
    /// The value of a quantifier-free term.
    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason>;
    /// The values of several terms; cheaper than evaluating them one by one.
    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        terms.iter().map(|&term| self.eval(pool, term)).collect()
    }
    /// Model-based projection: returns a quantifier-free formula without `variables` that is true
    /// in this model and entails `∃ variables. formula`, provided that `formula` is true in this
    /// model.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] if the solver has no model-based projection.
    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        let _ = (pool, formula, variables);
        Err(Reason::Unsupported("model-based projection".to_owned()))
    }
}

/// Evidence for the unsatisfiability that a prover has just established.
///
/// Solvers provide unsat cores. Interpolants come from [sources](crate::interpolation), through the
/// refutations of provers made by [`Interpolating`](crate::interpolation::Interpolating).
pub trait Refutation {
    /// Indices, ascending, of assumptions of the check that are unsatisfiable together with all
    /// assertions.
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason>;
    /// Interpolants of `problem`, one for each part except the root. The parts must be the refuted
    /// assertions and assumptions.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] if the prover has no sources, otherwise the reason why no source
    /// found interpolants.
    fn interpolants(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        let _ = (pool, problem);
        Err(Reason::Unsupported("interpolation: no source was chosen".to_owned()))
    }
}

/// Creates provers of one solver.
pub trait ProverFactory {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The version of the solver library.
    fn version(&self) -> String;
    /// The license of a binary that contains this solver.
    fn license(&self) -> &'static str;
    /// The capabilities of the solver.
    fn capabilities(&self) -> Capabilities;
    /// The place where its provers run.
    fn placement(&self) -> Placement {
        Placement::InProcess
    }
    /// Creates a context for formulas of `logic` (an SMT-LIB logic name; `ALL` for no restriction).
    /// [`Reason::Unsupported`] if the solver does not support the logic.
    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason>;
}

/// The place where the provers of a factory run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In the process that creates them, which a crash ends: see [`worker`](crate::worker).
    InProcess,
    /// In a process that the factory starts. Workers do not know such solvers.
    OwnProcess,
}

/// A factory whose provers extend those of another factory. Name, version, license and capabilities
/// are those of the wrapped factory.
pub trait Wrapper {
    /// The wrapped factory.
    fn inner(&self) -> &dyn ProverFactory;
    /// Creates a prover, as [`ProverFactory::new_prover`] does.
    ///
    /// # Errors
    /// Those of the wrapped factory, and those of the wrapper's own requirements.
    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason>;
}

impl<W: Wrapper> ProverFactory for W {
    fn name(&self) -> &'static str {
        self.inner().name()
    }

    fn version(&self) -> String {
        self.inner().version()
    }

    fn license(&self) -> &'static str {
        self.inner().license()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner().capabilities()
    }

    fn placement(&self) -> Placement {
        self.inner().placement()
    }

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        self.wrap(logic, limits)
    }
}
