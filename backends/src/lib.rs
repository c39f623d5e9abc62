//! One trait for every solver.
//!
//! A [`Prover`] decides formulas of an [`ir::term::TermPool`]; a [`ProverFactory`] makes provers and says what they
//! can do. Interpolation hangs on [`Refutation`], which borrows the prover and exists only right after `Unsat`, so
//! asking for an interpolant at any other moment does not compile. See `DESIGN` §5.
//!
//! The pool is an argument of every call and never borrowed by an [`Outcome`], so that a caller may build new terms
//! while it looks at a model, and an interpolant can be written into the very pool that holds the formulas. A prover
//! serves *one* pool: it caches what it translated by [`Term`].
//!
//! A solver crash is not caught here: the process that runs the prover has to be expendable.

pub mod conformance;

use ir::term::{Symbol, Term, TermPool, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// The time of [`Limits`] is over.
    #[error("time limit reached")]
    Timeout,
    /// The memory of [`Limits`] is used up.
    #[error("memory limit reached")]
    Memory,
    /// [`Interrupt`] was triggered.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up by itself.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The solver cannot express something in the query.
    #[error("not supported by the solver: {0}")]
    Unsupported(String),
    /// The solver failed in a way that it should not.
    #[error("solver fault: {0}")]
    Fault(String),
}

/// Which assertion of a prover.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssertionId(pub u32);

/// An incremental solver context.
pub trait Prover {
    /// Opens a scope.
    fn push(&mut self) -> Result<(), Reason>;
    /// Closes the innermost scope and drops its assertions.
    fn pop(&mut self) -> Result<(), Reason>;
    /// Adds `formula` (of sort Bool) to the innermost scope.
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<AssertionId, Reason>;
    /// Decides the assertions together with `assumptions` (arbitrary Boolean terms).
    /// After `Unknown` the prover can still be used.
    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_>;
    /// Like [`check`](Self::check) without evidence.
    fn status(&mut self, pool: &TermPool, assumptions: &[Term]) -> Status {
        self.check(pool, assumptions).into()
    }
    /// Limits for the checks that follow.
    fn set_limits(&mut self, limits: &Limits);
}

/// A model, valid while it is borrowed.
pub trait Model {
    /// The value of a free constant; symbols the solver never saw get the default of their sort.
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason>;
    /// The value of any term without quantifiers.
    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason>;
    /// The values of many terms; cheaper than one by one.
    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        terms.iter().map(|&term| self.eval(pool, term)).collect()
    }
}

/// The proof of unsatisfiability that a prover just found. Interpolation kinds that the backend does not list in
/// its [`Capabilities`] answer `Err(Reason::Unsupported)`.
pub trait Refutation {
    /// Indices into the assumptions of the check that suffice for unsatisfiability (with all assertions).
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason>;
    /// `I` with `A ⇒ I` and `I ∧ B` unsatisfiable over shared symbols, where `A` is the given assertions and `B` the rest.
    fn interpolant(&mut self, pool: &mut TermPool, a: &[AssertionId]) -> Result<Term, Reason>;
    /// The inductive sequence between consecutive `parts`: one interpolant fewer than parts.
    fn sequence(&mut self, pool: &mut TermPool, parts: &[Vec<AssertionId>]) -> Result<Vec<Term>, Reason>;
    /// Tree interpolants; `parent[i]` is the parent of part `i`, the last part is the root.
    fn tree(
        &mut self,
        pool: &mut TermPool,
        parts: &[Vec<AssertionId>],
        parent: &[Option<usize>],
    ) -> Result<Vec<Term>, Reason>;
}

/// Time of a check, and a way to end it from outside.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Longest time of one check.
    pub time: Option<Duration>,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends the check with [`Reason::Interrupted`] once triggered.
    pub interrupt: Option<Interrupt>,
}

impl Limits {
    /// When a check that starts now has to end.
    pub fn end_of_check(&self) -> Option<Instant> {
        let own = self.time.and_then(|time| Instant::now().checked_add(time));
        match (own, self.deadline) {
            (Some(own), Some(deadline)) => Some(own.min(deadline)),
            (own, deadline) => own.or(deadline),
        }
    }

    /// Why no check may start now, if so.
    pub fn exceeded(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_triggered) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Reason::Timeout)
        } else {
            None
        }
    }
}

/// A flag that another thread raises to end a check. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Raises the flag, for good.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a backend can do. `hornwork solvers` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Capabilities {
    /// The theories, by their SMT-LIB names (`Ints`, `FixedSizeBitVectors`, `ArraysEx`, …).
    pub theories: Vec<&'static str>,
    /// Unsat cores over assumptions.
    pub unsat_cores: Support,
    /// Models.
    pub models: Support,
    /// Binary, sequence and tree interpolants.
    pub interpolation: Support,
    /// Quantifiers.
    pub quantifiers: Support,
}

/// Whether something can be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Support {
    /// Not at all.
    #[default]
    None,
    /// Yes.
    Full,
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
    /// A new context for formulas of `logic` (an SMT-LIB logic name). [`Reason::Unsupported`] if the logic is out of reach.
    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason>;
}
