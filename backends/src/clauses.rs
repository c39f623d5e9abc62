//! The trait that a solver of Horn clauses implements.
//!
//! Such a solver decides a whole [`System`]; the engines of `passes` use provers instead. Its
//! evidence is untrusted: an interpretation has to be checked with a prover, and facts are only
//! material for a derivation.

use crate::{Limits, Reason};
use horn::{Interpretation, Relation, System};
use terms::{TermPool, Value};

/// The answer of a solver of Horn clauses.
#[derive(Clone, Debug)]
pub enum HornAnswer {
    /// The system is satisfiable, with a model.
    Satisfiable(Interpretation),
    /// The system is unsatisfiable. All atoms of some derivation are among these.
    Unsatisfiable(Vec<Fact>),
    /// No answer, with the reason.
    Unknown(Reason),
}

/// A relation that holds of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The relation.
    pub relation: Relation,
    /// The values of its arguments.
    pub values: Vec<Value>,
}

/// A solver of Horn clauses.
pub trait HornSolver {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The solver to which it belongs.
    fn solver(&self) -> &'static str;
    /// Decides a system.
    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer;
}
