//! Interpolation: sources of interpolants, their lifting to more shapes, and their certification.
//!
//! A [`Problem`] is a tree of parts, each a set of formulas, whose conjunction is unsatisfiable. A
//! sequence is a tree that is a path, and a pair `A`, `B` is a sequence of two parts. An
//! [`Interpolator`] (a *source*: `craig`, `mcsat`, `spacer`, `sygus`, `newton`, …) receives the
//! whole tree. If it does not support the shape natively, a [`Strategy`] composes its answers to
//! smaller problems. [`Interpolation`] tries sources in order, each within a budget, and accepts
//! only [certified](certify) answers. [`Interpolating`] gives the refutations of any prover
//! interpolants.
//!
//! # Tree interpolants
//! For a part `i` other than the root, `I_i` contains only symbols that occur both in the subtree
//! of `i` and outside of it, and
//!
//! * `φ_i ∧ ⋀ { I_c | c child of i } ⇒ I_i`,
//! * `φ_root ∧ ⋀ { I_c | c child of root }` is unsatisfiable.
//!
//! For a sequence these are inductive interpolants: `I_{i-1} ∧ φ_i ⇒ I_i`.

pub mod certify;
pub mod elimination;
mod engine;
mod newton;
mod preference;
mod problem;
mod prover;
pub mod reasons;
pub(crate) mod replay;
mod strategy;
pub mod vocabulary;
mod witness;

pub use certify::{Certifier, Fault};
pub use elimination::Quantifiers;
pub use engine::{Attempt, AttemptSink, FaultSink, Interpolation, SolverFault};
pub use newton::{Direction, Newton, NewtonConfig};
pub use preference::{Preference, Score, Strength};
pub use problem::{Problem, Tree, TreeError};
pub use prover::Interpolating;
pub use replay::arguments;
pub use strategy::{SequenceStrategy, Strategy, TreeStrategy, lift};
pub use witness::Witness;

use crate::{Limits, Reason};
use terms::{Term, TermPool};

/// A source of interpolants. It may assume that the conjunction of the parts is unsatisfiable. Its
/// answers are untrusted: the caller certifies them.
pub trait Interpolator {
    /// The name on the command line.
    fn name(&self) -> &str;
    /// The solver of the source, if any; certificates come from another solver if possible.
    fn solver(&self) -> Option<&str> {
        None
    }
    /// The largest shape that it supports natively.
    fn shape(&self) -> Shape;
    /// Whether it accepts problems that may be satisfiable.
    fn decides(&self) -> bool {
        false
    }
    /// Computes interpolants of `problem`. [`Reason::Unsupported`] for an unsupported shape or
    /// theory, otherwise the reasons of a check.
    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants;
}

/// The answer to a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolants {
    /// One interpolant for each part except the root, in the order of the parts.
    Found(Vec<Term>),
    /// The parts are satisfiable, with a witness if the source provides one.
    Satisfiable(Option<Witness>),
    /// No answer, with the reason.
    Unknown(Reason),
}

impl Interpolants {
    /// The interpolants of parts that are known to be unsatisfiable.
    ///
    /// # Errors
    /// The reason why there is no answer; [`Reason::Fault`] for [`Interpolants::Satisfiable`].
    pub fn of_refuted(self) -> Result<Vec<Term>, Reason> {
        match self {
            Interpolants::Found(found) => Ok(found),
            Interpolants::Satisfiable(_) => {
                Err(Reason::Fault("the source reports refuted parts as satisfiable".to_owned()))
            }
            Interpolants::Unknown(reason) => Err(reason),
        }
    }
}

impl From<Result<Interpolants, Reason>> for Interpolants {
    fn from(answer: Result<Interpolants, Reason>) -> Self {
        answer.unwrap_or_else(Interpolants::Unknown)
    }
}

impl From<Result<Vec<Term>, Reason>> for Interpolants {
    fn from(answer: Result<Vec<Term>, Reason>) -> Self {
        answer.map(Interpolants::Found).into()
    }
}

/// The shapes of problems, each a special case of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Shape {
    /// Two parts.
    Binary,
    /// A path.
    Sequence,
    /// A tree.
    Tree,
}

/// Creates a source; `hornwork solvers` lists the factories.
pub trait InterpolatorFactory {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The name of the source's solver; `None` if it works with any solver.
    fn solver(&self) -> Option<&'static str>;
    /// The largest shape that it supports natively.
    fn shape(&self) -> Shape;
    /// See [`Interpolator::decides`].
    fn decides(&self) -> bool {
        false
    }
    /// Whether a source that works with any solver works best with one that eliminates quantifiers.
    fn prefers_elimination(&self) -> bool {
        false
    }
    /// The supported theories, names of [`THEORIES`](crate::THEORIES).
    fn theories(&self) -> Vec<&'static str>;
    /// The place where the source runs; a source that works with any solver runs where it is
    /// created.
    fn placement(&self) -> crate::Placement {
        crate::Placement::InProcess
    }
    /// Creates a source. Sources that work with any solver use `solver`; sources that choose among
    /// interpolants use `preference`.
    fn new_interpolator(
        &self,
        solver: &std::rc::Rc<dyn crate::ProverFactory>,
        preference: Preference,
    ) -> Box<dyn Interpolator>;
}
