//! The initial case: no end is reachable within k transitions from the entry of the transition
//! system.
//!
//! Frame i is the state after i transitions, and frame 0 is the entry. Transitions are asserted
//! permanently, each end only in a scope.

use super::step_case::assert_facts;
use crate::invariants::Fact;
use crate::transitions::TransitionSystem;
use backends::{Limits, Prover, Reason, Status};
use horn::frames::Source;
use terms::TermPool;

/// The incremental prover of all initial cases.
pub(super) struct InitialCase {
    prover: Box<dyn Prover>,
    /// The number of asserted frames.
    frames: u32,
    /// The number of frames from which no end follows.
    checked: u32,
}

impl InitialCase {
    pub(super) fn new(prover: Box<dyn Prover>) -> Self {
        InitialCase { prover, frames: 1, checked: 0 }
    }

    /// Checks whether an end follows at most `k` transitions from the entry; `Unsat` if not.
    /// `facts` hold in all runs.
    ///
    /// # Errors
    /// If the prover fails outside a check. It must not be used again.
    pub(super) fn check(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        k: u32,
        facts: &[Fact],
        limits: &Limits,
    ) -> Result<Status, Reason> {
        self.prover.set_limits(limits);
        while self.checked <= k {
            match self.check_frame(pool, system, self.checked, facts)? {
                Status::Unsat => self.checked += 1,
                other => return Ok(other),
            }
        }
        Ok(Status::Unsat)
    }

    fn check_frame(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        frame: u32,
        facts: &[Fact],
    ) -> Result<Status, Reason> {
        while self.frames <= frame {
            let last = self.frames - 1;
            let source = source(last);
            for conjunct in system.frames.transition(pool, &system.system, source, (last, last + 1)) {
                self.prover.assert(pool, conjunct)?;
            }
            assert_facts(&mut *self.prover, pool, system, facts, last + 1)?;
            self.frames += 1;
        }
        self.prover.push()?;
        let ends = system.frames.end(pool, &system.system, source(frame), frame);
        let mut asserted = Ok(());
        for conjunct in ends {
            asserted = asserted.and_then(|()| self.prover.assert(pool, conjunct).map(|_| ()));
        }
        let status = asserted.map(|()| self.prover.status(pool, &[]));
        self.prover.pop()?;
        status
    }
}

/// The source of the transitions out of a frame.
fn source(frame: u32) -> Source {
    if frame == 0 { Source::Entry } else { Source::Relations }
}
