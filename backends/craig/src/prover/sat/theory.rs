//! What the search asks of a theory.

use super::{Literal, Variable};
use backends::Reason;

/// What a theory found. All of it is told at once, as clauses that are valid in the theory, each with the number of its
/// certificate, which the proof keeps and the theory understands.
#[derive(Clone, Debug, Default)]
pub struct Consequences {
    /// Valid clauses. One whose literals are all false is a conflict, one with all but one false propagates, and any other
    /// is a split: it stays for the rest of the search, like an input. All that [`Theory::final_check`] tells stays too;
    /// conflicts and propagations of [`Theory::propagate`] may be forgotten, and have to be told again when they matter
    /// again. A conflict or propagation may be of a lower level than the present one. Clauses that were told before, that are
    /// satisfied, or that have a literal and its negation do no harm.
    pub lemmas: Vec<(Vec<Literal>, u32)>,
    /// Variables to decide next, with the preferred value, while they are unassigned (an atom that was just made).
    pub decisions: Vec<Literal>,
}

/// What a theory says of a complete assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinalCheck {
    /// It has a model.
    Consistent,
    /// There are new [`Consequences`].
    Continue,
    /// The theory cannot tell.
    Unknown(Reason),
}

/// A theory, as the search sees it.
///
/// Atoms may be made at any time: the theory is given the source of fresh variables with each call that may need one.
pub trait Theory {
    /// Whether [`assign`](Self::assign) is to be told of this variable.
    fn is_atom(&self, variable: Variable) -> bool;
    /// A literal over an atom became true. In the order of the trail; decisions, propagations and units alike.
    fn assign(&mut self, literal: Literal);
    /// A decision level was opened. The number of levels is now `level`, at least 1.
    fn push_level(&mut self, level: u32);
    /// All that was assigned at levels above `level` is taken back. Said only of lower levels than the present one, and
    /// right before the next call of another kind: not at once when the search goes back.
    fn backtrack(&mut self, level: u32);
    /// Called when unit propagation is done, but not while assumptions wait for their decision; is to be cheap. `fresh` makes a variable, which is unassigned.
    fn propagate(&mut self, fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences);
    /// Called when all variables are assigned, except those that [`Solver::simplify`](super::Solver::simplify) found in no
    /// clause.
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
