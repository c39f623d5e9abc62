//! The traits that a solver implements.

use crate::interpolation::Problem;
use crate::{Capabilities, Limits, Reason, SharedLog};
use std::time::Duration;
use terms::{FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value};

/// What a solver says of the assertions on its stack.
pub enum Outcome<'p> {
    /// Satisfiable. The model keeps the prover borrowed.
    Sat(Box<dyn Model + 'p>),
    /// Unsatisfiable. The refutation keeps the prover borrowed.
    Unsat(Box<dyn Refutation + 'p>),
    /// No answer, and why.
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

/// The outcome without its evidence.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Status {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// No answer, and why.
    Unknown(Reason),
}

/// An incremental solver context.
pub trait Prover {
    /// Opens a scope.
    fn push(&mut self) -> Result<(), Reason>;
    /// Closes the innermost scope and drops its assertions. [`Reason::Misuse`] if none is open.
    fn pop(&mut self) -> Result<(), Reason>;
    /// Adds `formula` (of sort Bool, without free bound variables) to the innermost scope.
    /// Where this fails, nothing is added.
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason>;
    /// Decides the assertions together with `assumptions` (arbitrary Boolean terms).
    /// After `Unknown` the prover can still be used.
    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_>;
    /// Like [`check`](Self::check) without evidence.
    fn status(&mut self, pool: &TermPool, assumptions: &[Term]) -> Status {
        self.check(pool, assumptions).into()
    }
    /// Like [`check`](Self::check) where the assertions are the parts of `problem`. A check of the whole may need a number of conflicts
    /// that is exponential in the number of parts; where it does not end `at_once`, a prover with
    /// [sources of interpolants](crate::interpolation) looks for a refutation part by part before the whole is checked without that limit.
    fn check_parts(&mut self, pool: &mut TermPool, problem: &Problem, at_once: Duration) -> Outcome<'_> {
        let _ = (problem, at_once);
        self.check(pool, &[])
    }
    /// What is asserted, where the prover keeps it, so that layers around it need no log of their own.
    fn log(&self) -> Option<SharedLog> {
        None
    }
    /// Limits for the checks that follow.
    fn set_limits(&mut self, limits: &Limits);
    /// A quantifier-free formula equivalent to `∃ variables. formula`. Independent of what is asserted.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] where the solver has no quantifier elimination or none for these theories.
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

/// A model, valid while it is borrowed.
pub trait Model {
    /// The value of a free constant; symbols the solver never saw get the default of their sort.
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason>;
    /// The interpretation of an uninterpreted function; one that the solver never saw is constantly the default.
    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason>;
    /// The value of any term without quantifiers.
    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason>;
    /// The values of many terms; cheaper than one by one.
    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        terms.iter().map(|&term| self.eval(pool, term)).collect()
    }
    /// Model-based projection: a quantifier-free formula without `variables` that is true in this model and implies
    /// `∃ variables. formula`, given that `formula` is true in this model.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] where the solver has no such thing.
    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        let _ = (pool, formula, variables);
        Err(Reason::Unsupported("model-based projection".to_owned()))
    }
}

/// The proof of unsatisfiability that a prover just found.
///
/// Solvers answer with cores; interpolants come from [sources](crate::interpolation), and the refutations of a prover
/// made by [`Interpolating`](crate::interpolation::Interpolating) have them.
pub trait Refutation {
    /// Indices into the assumptions of the check that suffice for unsatisfiability (with all assertions), ascending.
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason>;
    /// Interpolants of `problem`, one for each part but the root. Its parts are what was refuted: the assertions and assumptions.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] where the prover has no sources, otherwise why none of them has an answer.
    fn interpolants(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        let _ = (pool, problem);
        Err(Reason::Unsupported("interpolation: no source was chosen".to_owned()))
    }
}

/// Makes provers of one solver.
pub trait ProverFactory {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The version of the solver library.
    fn version(&self) -> String;
    /// The licence under which a binary with this solver stands.
    fn license(&self) -> &'static str;
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// A new context for formulas of `logic` (an SMT-LIB logic name; `ALL` for no restriction).
    /// [`Reason::Unsupported`] if the logic is out of reach.
    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason>;
}

/// A factory whose provers are those of another with something added. What it says of itself is what the other one says.
pub trait Wrapper {
    /// The factory inside.
    fn inner(&self) -> &dyn ProverFactory;
    /// A new prover, as [`ProverFactory::new_prover`].
    ///
    /// # Errors
    /// Those of the factory inside, and what the wrapper needs beyond it.
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

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        self.wrap(logic, limits)
    }
}
