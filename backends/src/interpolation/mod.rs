//! Interpolants: where they come from, how a source is lifted to more shapes, and how they are certified.
//!
//! A [`Problem`] is a tree of parts, each a set of formulas, whose conjunction is unsatisfiable; a sequence is a tree that
//! is a path, and a pair `A`, `B` a sequence of two. An [`Interpolator`] (a *source*: `mcsat`, `spacer`, `sygus`, `newton`)
//! sees the whole tree. What it cannot take natively, a [`Strategy`] makes of smaller problems (002, Alg. 6–8).
//! [`Interpolation`] tries sources in order, each under a budget, and lets nothing pass that was not [certified](certify).
//! [`Interpolating`] makes any prover's refutations answer with it.
//!
//! # What tree interpolants are
//! For a part `i` other than the root, `I_i` is over the symbols that occur both in the subtree of `i` and outside of it, and
//!
//! * `φ_i ∧ ⋀ { I_c | c child of i } ⇒ I_i`,
//! * `φ_root ∧ ⋀ { I_c | c child of root }` is unsatisfiable.
//!
//! For a sequence these are the inductive interpolants: `I_{i-1} ∧ φ_i ⇒ I_i`.

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
pub use strategy::{SequenceStrategy, Strategy, TreeStrategy, lift};
pub use witness::Witness;

use crate::{Limits, Reason};
use terms::{Term, TermPool};

/// A source of interpolants. It may believe what it is told: that the conjunction of the parts is unsatisfiable; and it need
/// not be believed: what it answers is certified.
pub trait Interpolator {
    /// The name on the command line.
    fn name(&self) -> &str;
    /// The solver behind it, if there is one: certificates come from another where possible.
    fn solver(&self) -> Option<&str> {
        None
    }
    /// The largest shape that it takes as it is.
    fn shape(&self) -> Shape;
    /// Whether it can be asked without knowing that the parts are unsatisfiable.
    fn decides(&self) -> bool {
        false
    }
    /// Interpolants of `problem`: [`Reason::Unsupported`] for a shape or theory that is out of reach, the other reasons as for a
    /// check.
    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants;
}

/// The answer to a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolants {
    /// One interpolant for each part but the root, in the order of the parts.
    Found(Vec<Term>),
    /// There are none: the parts are satisfiable, by the values of this witness where the source has one.
    Satisfiable(Option<Witness>),
    /// No answer, and why.
    Unknown(Reason),
}

impl Interpolants {
    /// The interpolants of parts that are known to be unsatisfiable.
    ///
    /// # Errors
    /// Why there is no answer; [`Reason::Fault`] for [`Interpolants::Satisfiable`].
    pub fn of_refuted(self) -> Result<Vec<Term>, Reason> {
        match self {
            Interpolants::Found(found) => Ok(found),
            Interpolants::Satisfiable(_) => {
                Err(Reason::Fault("refuted parts are called satisfiable".to_owned()))
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

/// Makes a source; `hornwork solvers` lists them.
pub trait InterpolatorFactory {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The solver behind it, by its name, or none if it works with any.
    fn solver(&self) -> Option<&'static str>;
    /// The largest shape that it takes as it is.
    fn shape(&self) -> Shape;
    /// See [`Interpolator::decides`].
    fn decides(&self) -> bool {
        false
    }
    /// Whether a source that works with any solver works best with one that eliminates quantifiers.
    fn prefers_elimination(&self) -> bool {
        false
    }
    /// The theories that it can do, of [`THEORIES`](crate::THEORIES).
    fn theories(&self) -> Vec<&'static str>;
    /// A new source. `solver` is the prover for sources that work with any; `preference` is for those that have a choice.
    fn new_interpolator(
        &self,
        solver: &std::rc::Rc<dyn crate::ProverFactory>,
        preference: Preference,
    ) -> Box<dyn Interpolator>;
}
