//! The main loop: propagate, learn or decide, until there is an answer.
//!
//! Conflict-driven clause learning modulo a theory (Nieuwenhuis, Oliveras and Tinelli, *Solving SAT
//! and SAT Modulo Theories*, JACM 2006; for the loop Eén and Sörensson, *An Extensible SAT-solver*,
//! 2003; for the modes and their rhythm Biere et al., *CaDiCaL*). Assumptions are the first
//! decisions, each at its own level. The theory receives literals when unit propagation is
//! complete, before the next level opens; it never sees literals that a conflict undoes before
//! that.
//!
//! DIVERGENCE: the theory does not propagate until all assumptions are decided. Its consequences
//! may then belong to a lower level and are learned there. This saves one theory call per
//! assumption.

use super::arena::Keep;
use super::log::Log;
use super::restart::{Mode, Rephase};
use super::solver::{Answer, Solver};
use super::theory::{Consequences, FinalCheck, Theory};
use super::{Literal, Variable};
use backends::{Limits, Reason};
use terms::entity::Entity;

/// The number of search steps between two checks of the limits.
const STEPS_BETWEEN_LOOKS: u32 = 128;
/// The maximum number of consecutive times that a theory may ask to continue without a relevant
/// consequence.
const PATIENCE: u32 = 1000;

/// Checks the limits every few steps.
struct Watchdog {
    limits: Limits,
    steps: u32,
}

impl Watchdog {
    fn exceeded(&mut self) -> Option<Reason> {
        self.steps += 1;
        if self.steps < STEPS_BETWEEN_LOOKS {
            return None;
        }
        self.steps = 0;
        self.limits.exceeded()
    }
}

impl Solver {
    /// Searches for an assignment that satisfies all clauses, the assumptions and the theory.
    ///
    /// Every call must pass the same theory. The theory is at level 0 on return, except after
    /// [`Answer::Sat`]: then it keeps the model until the next call.
    pub fn solve<T: Theory + ?Sized>(
        &mut self,
        theory: &mut T,
        assumptions: &[Literal],
        limits: &Limits,
    ) -> Answer {
        self.reset(theory);
        self.urgent.clear();
        self.failed.clear();
        self.proved = None;
        let answer = match limits.exceeded() {
            Some(reason) => Answer::Unknown(reason),
            None => {
                self.activate(assumptions);
                self.search(theory, assumptions, &mut Watchdog { limits: limits.of_check(), steps: 0 })
            }
        };
        if answer != Answer::Sat {
            self.backtrack(0);
            self.synchronize(theory);
        }
        if answer == Answer::Unsat && self.is_inconsistent() && self.is_logging() {
            self.proved = self.empty;
        }
        answer
    }

    /// Undoes the assignment down to level 0. [`solve`](Self::solve) does so first.
    pub fn reset<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        self.backtrack(0);
        self.synchronize(theory);
        self.add_pending();
    }

    fn search<T: Theory + ?Sized>(
        &mut self,
        theory: &mut T,
        assumptions: &[Literal],
        watchdog: &mut Watchdog,
    ) -> Answer {
        let mut idle_checks = 0;
        let mut conflicts = 0;
        loop {
            if self.is_inconsistent() {
                return Answer::Unsat;
            }
            if let Some(conflict) = self.propagate() {
                self.learn_from(conflict);
                continue;
            }
            if let Some(reason) = watchdog.exceeded().or_else(|| self.is_full()) {
                return Answer::Unknown(reason);
            }
            self.tell(theory);
            if self.level() as usize >= assumptions.len() {
                let mut consequences = Consequences::default();
                theory.propagate(&mut || self.new_variable(), &mut consequences);
                self.add_consequences(consequences, Keep::WhileUseful);
                if self.head < self.trail.len() || self.is_inconsistent() {
                    continue;
                }
            }
            if conflicts != self.statistics.conflicts {
                conflicts = self.statistics.conflicts;
                if self.maintain(assumptions.len() as u32) {
                    continue;
                }
            }
            match self.next_decision(assumptions) {
                Next::Decide(literal) => {
                    self.statistics.decisions += 1;
                    self.open_level(theory, Some(literal));
                }
                Next::AlreadyTrue => self.open_level(theory, None),
                Next::Failed(assumption) => {
                    self.fail(assumption);
                    return Answer::Unsat;
                }
                Next::Complete => {
                    let mut consequences = Consequences::default();
                    let check = theory.final_check(&mut || self.new_variable(), &mut consequences);
                    let changes = self.add_consequences(consequences, Keep::Forever);
                    match check {
                        // The answer of the theory counts only if its consequences changed nothing.
                        FinalCheck::Consistent if !changes => return Answer::Sat,
                        FinalCheck::Unknown(reason) if !changes => return Answer::Unknown(reason),
                        FinalCheck::Continue if !changes => {
                            idle_checks += 1;
                            if idle_checks > PATIENCE {
                                let fault = "the theory asks to continue without new consequences";
                                return Answer::Unknown(Reason::Fault(fault.to_owned()));
                            }
                        }
                        _ => idle_checks = 0,
                    }
                }
            }
        }
    }

    /// Runs periodic maintenance after conflicts. Returns whether there may be something to
    /// propagate.
    fn maintain(&mut self, assumptions: u32) -> bool {
        let conflicts = self.statistics.conflicts;
        self.restarts.switch(conflicts, self.ticks);
        if let Some(rephase) = self.restarts.rephase(conflicts) {
            self.rephase(rephase);
            self.restart(assumptions);
            return true;
        }
        if self.reduction_clock() >= self.next_reduction {
            self.backtrack(0);
            match self.propagate() {
                None => {
                    self.reduce();
                    self.vivify();
                }
                Some(conflict) => self.refute(conflict),
            }
            return true;
        }
        if self.level() > assumptions && self.restarts.is_due(conflicts) {
            self.restart(assumptions);
            return true;
        }
        false
    }

    fn restart(&mut self, assumptions: u32) {
        self.statistics.restarts += 1;
        self.save_phases();
        let keep = self.reusable_levels(assumptions);
        self.backtrack(keep);
    }

    /// The number of levels that a restart would decide again immediately (van der Tak, Ramos and
    /// Heule, *Reusing the Assignment Trail in CDCL Solvers*, JSAT 2011); at least the assumptions.
    fn reusable_levels(&mut self, assumptions: u32) -> u32 {
        let Some(next) = self.next_variable() else { return assumptions };
        if self.restarts.mode == Mode::Stable {
            self.scores.insert(next);
        }
        let mut keep = assumptions.min(self.level());
        while let Some(&start) = self.levels.get(keep as usize) {
            let Some(decision) = self.trail.get(start as usize) else { break };
            let comes_first = match self.restarts.mode {
                Mode::Stable => self.scores.is_first(decision.variable(), next),
                Mode::Focused => self.queue.stamp(decision.variable()) > self.queue.stamp(next),
            };
            if !comes_first {
                break;
            }
            keep += 1;
        }
        keep
    }

    fn next_decision(&mut self, assumptions: &[Literal]) -> Next {
        if let Some(&assumption) = assumptions.get(self.level() as usize) {
            return match self.value(assumption) {
                None => Next::Decide(assumption),
                Some(true) => Next::AlreadyTrue,
                Some(false) => Next::Failed(assumption),
            };
        }
        while let Some(literal) = self.urgent.pop() {
            if self.value(literal).is_none() {
                return Next::Decide(literal);
            }
        }
        match self.next_variable() {
            Some(variable) => Next::Decide(Literal::new(variable, self.phase(variable.index()))),
            None => Next::Complete,
        }
    }

    /// The next decision variable. In stable mode it leaves the heap.
    fn next_variable(&mut self) -> Option<Variable> {
        let (values, active) = (&self.values, &self.active);
        let is_free =
            |variable: Variable| active[variable.index()] && values[Literal::positive(variable).index()] == 0;
        match self.restarts.mode {
            Mode::Focused => self.queue.find(is_free),
            Mode::Stable => loop {
                match self.scores.pop() {
                    Some(variable) if !is_free(variable) => {}
                    found => return found,
                }
            },
        }
    }

    fn phase(&self, index: usize) -> bool {
        let target = match self.restarts.mode {
            Mode::Stable => self.phases.target[index],
            Mode::Focused => None,
        };
        target.unwrap_or(self.phases.saved[index])
    }

    /// Saves the assignment before the last level if it is the longest one without conflict.
    pub(super) fn save_phases(&mut self) {
        let length = self.levels.last().map_or(0, |&length| length as usize);
        let phases = &mut self.phases;
        if length > phases.target_length {
            phases.target_length = length;
            phases.target.fill(None);
            for literal in &self.trail[..length] {
                phases.target[literal.variable().index()] = Some(literal.is_positive());
            }
        }
        if length > phases.best_length {
            phases.best_length = length;
            for literal in &self.trail[..length] {
                phases.best[literal.variable().index()] = literal.is_positive();
            }
        }
    }

    fn rephase(&mut self, rephase: Rephase) {
        self.save_phases();
        self.backtrack(0);
        let original = self.config.initial_phase == super::Phase::True;
        let phases = &mut self.phases;
        match rephase {
            Rephase::Original => phases.saved.fill(original),
            Rephase::Inverted => phases.saved.fill(!original),
            Rephase::Flipped => phases.saved.iter_mut().for_each(|phase| *phase = !*phase),
            Rephase::Best => phases.saved.clone_from(&phases.best),
        }
        phases.best_length = 0;
        phases.target_length = 0;
        phases.target.fill(None);
    }

    /// The reason for stopping if storage is full.
    fn is_full(&mut self) -> Option<Reason> {
        let is_full = !self.arena.has_room(self.variables())
            || (self.is_logging() && self.log.size() > self.config.log_words.min(Log::LIMIT));
        is_full.then_some(Reason::Memory)
    }

    fn open_level<T: Theory + ?Sized>(&mut self, theory: &mut T, decision: Option<Literal>) {
        self.synchronize(theory);
        self.push_level(decision);
        self.theory_level = self.level();
        self.theory_target = self.theory_level;
        theory.push_level(self.theory_level);
    }

    /// Backtracks the theory to the level of the search.
    fn synchronize<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        if self.theory_target < self.theory_level {
            theory.backtrack(self.theory_target);
            self.theory_level = self.theory_target;
        }
    }

    /// Passes new true literals to the theory.
    fn tell<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        self.synchronize(theory);
        for &literal in &self.trail[self.theory_head..] {
            if theory.is_atom(literal.variable()) {
                theory.assign(literal);
            }
        }
        self.theory_head = self.trail.len();
    }
}

/// The next step.
enum Next {
    /// Decide this literal.
    Decide(Literal),
    /// The next assumption is already true.
    AlreadyTrue,
    /// This assumption is false.
    Failed(Literal),
    /// All variables are assigned.
    Complete,
}
