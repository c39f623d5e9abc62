//! The interface for a verdict before all executions have been explored.

use crate::evidence::Verdict;
use crate::transform::Pipeline;
use std::time::Duration;
use terms::TermPool;

/// Tries to prove that no error is reachable at all, or to find one by other means, in turns with
/// the search: the step case of k-induction.
///
/// A turn is given only while the search knows of no execution to an error or to an unsupported
/// construct. Within small bounds it is given only after the search has needed a solver.
pub trait Continuation {
    /// Returns the verdict that this turn finds: TRUE, or FALSE with a replayed run.
    fn decide(&mut self, pool: &mut TermPool, turn: Turn) -> Option<Verdict>;

    /// The search starts again on the program as `pipeline` transforms it, because a counterexample
    /// of the program transformed otherwise was no execution of the original.
    fn restart(&mut self, pipeline: &Pipeline) {
        let _ = pipeline;
    }

    /// The time after which the base-case query is interrupted for a turn, or `None` for no
    /// interruption. Each interruption doubles it.
    fn patience(&self) -> Option<Duration> {
        None
    }
}

/// The occasion of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// No error is reachable within the bound; the next bound follows.
    Finished(u32),
    /// The base-case query at the bound was interrupted.
    Interrupted(u32),
    /// No error is reachable within the bound, and no further bound follows.
    Last(u32),
}

impl Turn {
    /// The current bound of the search.
    #[must_use]
    pub fn bound(self) -> u32 {
        match self {
            Turn::Finished(bound) | Turn::Interrupted(bound) | Turn::Last(bound) => bound,
        }
    }
}

/// No continuation.
impl Continuation for () {
    fn decide(&mut self, _: &mut TermPool, _: Turn) -> Option<Verdict> {
        None
    }
}
