//! The step case: no end follows k transitions through states that satisfy the invariants.
//!
//! Frame i is the state i transitions before the end: frame 0 is `s_k`, frame k is `s_0`. So a
//! larger k adds one transition in front, and all assertions stay valid. New facts are added in the
//! same way.

use super::graph::{Counterexample, Visit};
use crate::invariants::{Fact, core};
use crate::transitions::TransitionSystem;
use backends::{Limits, Outcome, Prover, Reason, Status};
use horn::frames::Source;
use horn::{Clause, Relation};
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

    /// The counterexample to induction after a satisfiable check; `None` if the prover does not
    /// find it again.
    pub(super) fn counterexample(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
    ) -> Option<Counterexample> {
        let relations: Vec<Relation> = system.states.keys().collect();
        let mut states: Vec<Vec<(Relation, Term, Vec<Term>)>> = Vec::new();
        for frame in (0..self.frames).rev() {
            let at = relations.iter().map(|&relation| {
                let symbols: Vec<Term> = system.system.relations[relation].symbols().collect();
                let arguments =
                    symbols.into_iter().map(|symbol| system.frames.argument(pool, symbol, frame)).collect();
                (relation, system.at(pool, relation, frame), arguments)
            });
            states.push(at.collect());
        }
        let queries: Vec<Clause> = system.system.queries().map(|(query, _)| query).collect();
        let ends: Vec<(Clause, Term)> = queries
            .into_iter()
            .filter(|&query| !system.system.clauses[query].body.is_empty())
            .map(|query| (query, system.frames.end_by(pool, &system.system, query, 0)))
            .collect();
        let Outcome::Sat(mut model) = self.prover.check(pool, &[]) else { return None };
        let mut holds = |formula: Term| model.eval(pool, formula).ok().and_then(|value| value.as_bool());
        let mut here = Vec::new();
        for state in states {
            let at = state.into_iter().find(|&(_, at, _)| holds(at) == Some(true));
            let (relation, _, arguments) = at?;
            here.push((relation, arguments));
        }
        let (end, _) = ends.into_iter().find(|&(_, taken)| holds(taken) == Some(true))?;
        let visits = here
            .into_iter()
            .map(|(at, arguments)| Some(Visit { at, values: model.eval_all(pool, &arguments).ok()? }));
        Some(Counterexample { states: visits.collect::<Option<_>>()?, end })
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
