//! The step case: no end follows k transitions through states that satisfy the invariants.
//!
//! Frame i is the state i transitions before the end: frame 0 is `s_k`, frame k is `s_0`. So a
//! larger k adds one transition in front, and all assertions stay valid. New facts are added in the
//! same way.

use crate::invariants::{Fact, core};
use crate::transitions::TransitionSystem;
use backends::{Limits, Prover, Reason, Status};
use horn::frames::Source;
use std::time::{Duration, Instant};
use terms::{Representation, Sort, Term, TermPool};

/// The incremental prover of all step cases.
pub(super) struct StepCase {
    prover: Box<dyn Prover>,
    /// The number of asserted frames; 0 before the first check.
    frames: u32,
    /// The number of facts asserted in all frames.
    facts: usize,
    /// The time for formulas, without that of the prover to decide them.
    pub(super) construction: Duration,
}

impl StepCase {
    pub(super) fn new(prover: Box<dyn Prover>) -> Self {
        StepCase { prover, frames: 0, facts: 0, construction: Duration::ZERO }
    }

    /// Checks the step case for `k`; `Unsat` if it holds. `k` must not decrease, and the `facts` of
    /// earlier calls must be a prefix of `facts`.
    pub(super) fn check(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        k: u32,
        facts: &[Fact],
        limits: &Limits,
    ) -> Status {
        let start = Instant::now();
        let extended = self.extend(pool, system, k, facts);
        self.construction += start.elapsed();
        if let Err(reason) = extended {
            return Status::Unknown(reason);
        }
        self.prover.set_limits(limits);
        self.prover.status(pool, &[])
    }

    /// The indices of `facts` with which the step case for `k` holds; `None` if this is not known
    /// within the limits of the prover. For provers without assertions.
    pub(super) fn core(
        mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        k: u32,
        facts: &[Fact],
    ) -> Option<Vec<usize>> {
        let guards: Vec<Term> =
            facts.iter().map(|_| pool.fresh_symbol("fact", Sort::Bool, Representation::Signed)).collect();
        let guarded: Vec<Fact> = facts
            .iter()
            .zip(&guards)
            .map(|(fact, &guard)| Fact { at: fact.at, formula: pool.implies(guard, fact.formula) })
            .collect();
        self.extend(pool, system, k, &guarded).ok()?;
        core(&mut *self.prover, pool, &guards)
    }

    fn extend(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        k: u32,
        facts: &[Fact],
    ) -> Result<(), Reason> {
        for frame in 0..self.frames {
            self.assert_facts(pool, system, &facts[self.facts..], frame)?;
        }
        self.facts = facts.len();
        while self.frames <= k {
            let frame = self.frames;
            let conjuncts = match frame {
                0 => system.frames.end(pool, &system.system, Source::Relations, 0),
                _ => {
                    let frames = (frame, frame - 1);
                    system.frames.transition(pool, &system.system, Source::Relations, frames)
                }
            };
            for conjunct in conjuncts {
                self.prover.assert(pool, conjunct)?;
            }
            self.assert_facts(pool, system, facts, frame)?;
            self.frames += 1;
        }
        Ok(())
    }

    fn assert_facts(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        facts: &[Fact],
        frame: u32,
    ) -> Result<(), Reason> {
        assert_facts(&mut *self.prover, pool, system, facts, frame)
    }
}

/// Asserts that the state of `frame` satisfies `facts`.
pub(super) fn assert_facts(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    system: &mut TransitionSystem,
    facts: &[Fact],
    frame: u32,
) -> Result<(), Reason> {
    for fact in facts {
        let is_here = system.at(pool, fact.at, frame);
        let holds = system.frames.in_frame(pool, fact.formula, frame);
        let formula = pool.implies(is_here, holds);
        prover.assert(pool, formula)?;
    }
    Ok(())
}
