//! The interface between the search and a theory.

use super::{Literal, Variable};
use backends::Reason;

/// The consequences that a theory found. Each is a clause that is valid in the theory, with the
/// number of its certificate. The proof stores the number; only the theory interprets it.
#[derive(Clone, Debug, Default)]
pub struct Consequences {
    /// Valid clauses. A clause whose literals are all false is a conflict; one with all but one
    /// false literal propagates; any other clause is a split and, like an input, stays for the rest
    /// of the search. The lemmas of [`Theory::final_check`] stay, too; conflicts and propagations
    /// of [`Theory::propagate`] may be forgotten, and the theory must report them again when they
    /// matter again. A conflict or propagation may belong to a lower level than the current one.
    /// Repeated clauses, satisfied clauses and tautologies are harmless.
    pub lemmas: Vec<(Vec<Literal>, u32)>,
    /// Variables to decide next, with the preferred value, while they are unassigned (for example,
    /// new atoms).
    pub decisions: Vec<Literal>,
}

/// The verdict of a theory on a complete assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinalCheck {
    /// The assignment has a model.
    Consistent,
    /// There are new [`Consequences`].
    Continue,
    /// The theory cannot decide the assignment.
    Unknown(Reason),
}

/// The interface of a theory solver.
///
/// A theory may create atoms at any time: each call that may need one passes a source of fresh
/// variables.
pub trait Theory {
    /// Whether the search must pass literals of this variable to [`assign`](Self::assign).
    fn is_atom(&self, variable: Variable) -> bool;
    /// Receives a literal over an atom that became true, in the order of the trail; decisions,
    /// propagations and units are not distinguished.
    fn assign(&mut self, literal: Literal);
    /// A decision level was opened. The number of levels is now `level`, at least 1.
    fn push_level(&mut self, level: u32);
    /// Undoes all assignments at levels above `level`. Called only for levels below the current
    /// one, and lazily: not when the search backtracks, but right before the next call of another
    /// kind.
    fn backtrack(&mut self, level: u32);
    /// Called when unit propagation is complete, but not before all assumptions are decided; must
    /// be cheap. `fresh` creates an unassigned variable.
    fn propagate(&mut self, fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences);
    /// Called when all variables are assigned, except those that
    /// [`Solver::simplify`](super::Solver::simplify) deactivated.
    fn final_check(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck;
}

/// The theory without atoms.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn is_atom(&self, _variable: Variable) -> bool {
        false
    }

    fn assign(&mut self, _literal: Literal) {}

    fn push_level(&mut self, _level: u32) {}

    fn backtrack(&mut self, _level: u32) {}

    fn propagate(&mut self, _fresh: &mut dyn FnMut() -> Variable, _consequences: &mut Consequences) {}

    fn final_check(
        &mut self,
        _fresh: &mut dyn FnMut() -> Variable,
        _consequences: &mut Consequences,
    ) -> FinalCheck {
        FinalCheck::Consistent
    }
}
