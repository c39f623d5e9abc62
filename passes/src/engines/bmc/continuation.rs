//! What may end a search before it has looked at all executions.

use crate::evidence::Certificate;
use std::time::Duration;
use terms::TermPool;

/// Tries to prove that no error is reached at all, in turns with the search: the step case of k-induction.
///
/// The search asks only as long as it knows of no execution to an error or to something that is not supported, and, within small bounds,
/// once it needed a solver.
pub trait Continuation {
    /// The evidence, if there is some now.
    fn prove(&mut self, pool: &mut TermPool, turn: Turn) -> Option<Certificate>;

    /// How long the solver may look for an error before it is interrupted for a turn; `None` for as long as it likes. Each
    /// interruption doubles that.
    fn patience(&self) -> Option<Duration> {
        None
    }
}

/// When the search asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// No error is reached within the bound; the next one is about to be tried.
    Finished(u32),
    /// The solver was interrupted when it looked for an error within the bound.
    Interrupted(u32),
    /// No error is reached within the bound, and no other is tried.
    Last(u32),
}

impl Turn {
    /// The bound that the search is at.
    #[must_use]
    pub fn bound(self) -> u32 {
        match self {
            Turn::Finished(bound) | Turn::Interrupted(bound) | Turn::Last(bound) => bound,
        }
    }
}

/// There is nothing but the search.
impl Continuation for () {
    fn prove(&mut self, _: &mut TermPool, _: Turn) -> Option<Certificate> {
        None
    }
}
