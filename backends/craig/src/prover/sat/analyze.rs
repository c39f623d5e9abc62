//! Conflict analysis: learned clauses and their derivations.
//!
//! The conflict clause is resolved with the reasons of its literals, the latest first, until one
//! literal of the highest level remains: the first unique implication point (Marques-Silva and
//! Sakallah, *GRASP*, 1999; Zhang et al., ICCAD 2001). Then recursive minimization removes each
//! literal that the others imply (Sörensson and Biere, SAT 2009). It uses an explicit stack and
//! Knuth's early abort: a literal assigned before every clause literal of its level cannot be
//! implied.
//!
//! The resolution chain has the same order: first the reasons in the order of the search for the
//! implication point; then the reasons of all literals that minimization resolves away, the latest
//! first, so that no resolved literal comes back; then the unit clauses of the literals at level 0,
//! which never occur in the learned clause.
//!
//! DIVERGENCE from textbooks: a theory may report a clause that was already false at a lower level.
//! The search first backtracks to that level; if the clause has only one literal of that level,
//! analysis ends with that literal immediately.

use super::arena::{ClauseRef, Keep};
use super::log::LogId;
use super::restart::Mode;
use super::solver::{Assignment, Solver};
use super::{Literal, Variable};
use terms::entity::Entity;

/// In the clause, or resolved away at the highest level.
const SEEN: u8 = 1;
/// Not implied by the clause.
const POISON: u8 = 2;
/// Implied by the clause.
const REMOVABLE: u8 = 4;
/// Assigned at level 0, and removed by the chain.
const ROOT: u8 = 8;
/// Removed by the minimization part of the chain.
const CHAINED: u8 = 16;

/// Clauses with at most this LBD are kept forever.
pub(super) const TIER_1: u32 = 2;
/// The number of recently learned clauses that a new clause may subsume.
const RECENT: usize = 20;
/// Clauses with at most this LBD are kept longer.
pub(super) const TIER_2: u32 = 6;

/// Scratch memory of one analysis.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// By variable; all 0 between analyses.
    flags: Vec<u8>,
    /// Variables with nonzero flags.
    marked: Vec<Variable>,
    /// Variables in the order of their discovery, without those at level 0.
    seen: Vec<Variable>,
    /// Variables at level 0 that the chain removes.
    roots: Vec<Variable>,
    learned: Vec<Literal>,
    chain: Vec<LogId>,
    stack: Vec<(Variable, ClauseRef, u32)>,
    resolved: Vec<Variable>,
    /// By literal: membership in the current clause.
    member: Vec<bool>,
    /// By level.
    levels: Vec<LevelMark>,
    time: u64,
}

/// Valid if `time` is the current time.
#[derive(Clone, Copy, Debug, Default)]
struct LevelMark {
    time: u64,
    /// The first trail position of a clause literal of this level.
    first: u32,
}

impl Analysis {
    pub(super) fn new_variable(&mut self) {
        self.flags.push(0);
        self.member.extend([false, false]);
        // One level more than there are variables; assumptions may open more.
        self.levels.resize(self.levels.len().max(self.flags.len() + 1), LevelMark::default());
    }

    fn mark(&mut self, variable: Variable, flag: u8) {
        let flags = &mut self.flags[variable.index()];
        if *flags == 0 {
            self.marked.push(variable);
        }
        *flags |= flag;
    }

    fn has(&self, variable: Variable, flag: u8) -> bool {
        self.flags[variable.index()] & flag != 0
    }

    fn root(&mut self, variable: Variable) {
        if !self.has(variable, ROOT) {
            self.mark(variable, ROOT);
            self.roots.push(variable);
        }
    }

    fn clear(&mut self) {
        for variable in self.marked.drain(..) {
            self.flags[variable.index()] = 0;
        }
        self.seen.clear();
        self.roots.clear();
        self.learned.clear();
        self.chain.clear();
        self.resolved.clear();
    }

    /// Returns the number of distinct levels of the literals, and marks each level with its first
    /// trail position.
    fn mark_levels(&mut self, assignments: &[Assignment], literals: impl Iterator<Item = Literal>) -> u32 {
        self.time += 1;
        let mut count = 0;
        for literal in literals {
            let assignment = assignments[literal.variable().index()];
            let level = assignment.level as usize;
            if self.levels.len() <= level {
                self.levels.resize(level + 1, LevelMark::default());
            }
            let mark = &mut self.levels[level];
            if mark.time == self.time {
                mark.first = mark.first.min(assignment.place);
            } else {
                *mark = LevelMark { time: self.time, first: assignment.place };
                count += 1;
            }
        }
        count
    }
}

impl Solver {
    /// Learns a clause from a conflict, backjumps to the level where it propagates, and assigns the
    /// propagated literal. If there is no such level, derives the empty clause.
    pub(super) fn learn_from(&mut self, conflict: ClauseRef) {
        self.statistics.conflicts += 1;
        self.log_units();
        let highest = self.arena.literals(conflict).map(|literal| self.level_of(literal)).max();
        let highest = highest.expect("clauses of the arena have literals");
        if highest == 0 {
            self.refute(conflict);
            return;
        }
        self.backtrack(highest);
        self.find_implication_point(conflict);
        self.minimize();
        self.finish_chain();
        self.bump_variables();
        self.save_phases();

        let mut learned = std::mem::take(&mut self.analysis.learned);
        let lbd = self.analysis.mark_levels(&self.assignments, learned.iter().copied());
        self.restarts.learned(lbd);
        let id = self.log_analysis();
        if let [unit] = *learned {
            self.backtrack(0);
            self.assign_root(unit, id);
        } else {
            let second = (1..learned.len()).max_by_key(|&at| (self.level_of(learned[at]), usize::MAX - at));
            learned.swap(1, second.expect("it has at least two literals"));
            self.backtrack(self.level_of(learned[1]));
            let clause = self.attach(&learned, Keep::WhileUseful, lbd, id);
            self.arena.set_used(clause, 1 + u32::from(lbd <= TIER_2));
            self.assign(learned[0], clause);
            self.subsume_recent(&learned);
        }
        self.analysis.learned = learned;
        self.analysis.clear();
    }

    /// Deletes recently learned clauses that the new clause subsumes.
    fn subsume_recent(&mut self, learned: &[Literal]) {
        for &literal in learned {
            self.analysis.member[literal.index()] = true;
        }
        let end = self.clauses.len() - 1;
        for &clause in &self.clauses[end.saturating_sub(RECENT)..end] {
            let missing = self.arena.length(clause).checked_sub(learned.len());
            if let Some(mut missing) = missing
                && self.arena.keep(clause) == Keep::WhileUseful
                && !self.arena.is_garbage(clause)
                && self.arena.codes(clause).iter().all(|&code| {
                    let is_member = self.analysis.member[code as usize];
                    let may_go_on = is_member || missing > 0;
                    missing = missing.saturating_sub(usize::from(!is_member));
                    may_go_on
                })
            {
                self.arena.discard(clause);
            }
        }
        for &literal in learned {
            self.analysis.member[literal.index()] = false;
        }
    }

    /// Derives the empty clause from a conflict at level 0.
    pub(super) fn refute(&mut self, conflict: ClauseRef) {
        self.log_units();
        let mut chain = vec![self.arena.id(conflict)];
        chain.extend(self.arena.literals(conflict).map(|literal| self.units[literal.variable().index()]));
        self.empty = Some(self.log_chain(&chain));
    }

    /// Finds assumptions that contradict the false assumption `assumption`, and logs a proof.
    pub(super) fn fail(&mut self, assumption: Literal) {
        self.log_units();
        self.failed = vec![assumption];
        let variable = assumption.variable();
        let start = self.assignments[variable.index()];
        if start.level == 0 {
            self.proved = self.is_logging().then(|| self.units[variable.index()]);
            return;
        }
        if start.reason == ClauseRef::NONE {
            self.failed.push(!assumption);
            return;
        }
        let failed = self.resolve_to_decisions(start.reason, Some(!assumption));
        self.failed.extend(failed.into_iter().map(|literal| !literal));
        if self.is_logging() {
            self.proved = Some(self.log_analysis());
        }
        self.analysis.clear();
    }

    /// Resolves a clause, whose literals are false except perhaps `other_than`, until all of its
    /// other literals are negated decisions, and returns these. The chain stays in the analysis.
    pub(super) fn resolve_to_decisions(
        &mut self,
        start: ClauseRef,
        other_than: Option<Literal>,
    ) -> Vec<Literal> {
        self.log_units();
        let mut decisions = Vec::new();
        self.resolve_away(start, other_than);
        let root = self.levels.first().map_or(self.trail.len(), |&length| length as usize);
        for place in (root..self.trail.len()).rev() {
            let literal = self.trail[place];
            if self.analysis.has(literal.variable(), SEEN) {
                match self.assignments[literal.variable().index()].reason {
                    ClauseRef::NONE => decisions.push(!literal),
                    reason => self.resolve_away(reason, Some(literal)),
                }
            }
        }
        self.finish_chain();
        decisions
    }

    /// Adds a clause to the chain, and marks its literals except `other_than`.
    fn resolve_away(&mut self, clause: ClauseRef, other_than: Option<Literal>) {
        self.analysis.chain.push(self.arena.id(clause));
        for literal in self.arena.literals(clause).filter(|&literal| Some(literal) != other_than) {
            let variable = literal.variable();
            if self.assignments[variable.index()].level == 0 {
                self.analysis.root(variable);
            } else {
                self.analysis.mark(variable, SEEN);
            }
        }
    }

    /// The log number of the derived clause.
    pub(super) fn log_analysis(&mut self) -> LogId {
        if self.is_logging() { self.log.chain(&self.analysis.chain) } else { LogId::NONE }
    }

    /// Clears the scratch memory for the next analysis.
    pub(super) fn clear_analysis(&mut self) {
        self.analysis.clear();
    }

    fn find_implication_point(&mut self, conflict: ClauseRef) {
        let level = self.level();
        let is_logging = self.is_logging();
        let mut open = 0;
        let mut place = self.trail.len();
        let mut reason = conflict;
        let mut resolved = None;
        // The position of the negated implication point.
        self.analysis.learned.push(Literal::from_index(0));
        loop {
            if is_logging {
                self.analysis.chain.push(self.arena.id(reason));
            }
            self.use_clause(reason);
            for literal in self.arena.literals(reason) {
                let variable = literal.variable();
                let at = self.assignments[variable.index()].level;
                if at == 0 {
                    if is_logging {
                        self.analysis.root(variable);
                    }
                } else if Some(literal) != resolved && !self.analysis.has(variable, SEEN) {
                    self.analysis.mark(variable, SEEN);
                    self.analysis.seen.push(variable);
                    if at == level {
                        open += 1;
                    } else {
                        self.analysis.learned.push(literal);
                    }
                }
            }
            let literal = loop {
                place -= 1;
                if self.analysis.has(self.trail[place].variable(), SEEN) {
                    break self.trail[place];
                }
            };
            open -= 1;
            if open == 0 {
                self.analysis.learned[0] = !literal;
                return;
            }
            resolved = Some(literal);
            reason = self.assignments[literal.variable().index()].reason;
        }
    }

    /// Removes literals that the rest of the learned clause implies.
    fn minimize(&mut self) {
        let mut learned = std::mem::take(&mut self.analysis.learned);
        self.analysis.mark_levels(&self.assignments, learned.iter().copied());
        let point = learned[0];
        learned.retain(|&literal| {
            let follows = literal != point && self.follows(literal);
            if follows && self.is_logging() {
                self.analysis.resolved.push(literal.variable());
            }
            !follows
        });
        self.analysis.learned = learned;
        if self.is_logging() {
            self.chain_minimization();
        }
    }

    /// Whether the negations of the other clause literals imply the negation of `literal`.
    fn follows(&mut self, literal: Literal) -> bool {
        let reason = self.assignments[literal.variable().index()].reason;
        if reason == ClauseRef::NONE {
            return false;
        }
        let analysis = &mut self.analysis;
        analysis.stack.clear();
        analysis.stack.push((literal.variable(), reason, 0));
        while let Some((variable, reason, at)) = analysis.stack.last_mut() {
            let codes = self.arena.codes(*reason);
            let Some(&code) = codes.get(*at as usize) else {
                let variable = *variable;
                analysis.stack.pop();
                analysis.mark(variable, REMOVABLE);
                continue;
            };
            *at += 1;
            let other = Literal::from_code(code).variable();
            let assignment = self.assignments[other.index()];
            if other == *variable || assignment.level == 0 || analysis.has(other, SEEN | REMOVABLE) {
                continue;
            }
            let level = analysis.levels[assignment.level as usize];
            if assignment.reason == ClauseRef::NONE
                || level.time != analysis.time
                || assignment.place < level.first
                || analysis.has(other, POISON)
            {
                analysis.mark(other, POISON);
                while let Some((variable, _, _)) = analysis.stack.pop() {
                    analysis.mark(variable, POISON);
                }
                return false;
            }
            analysis.stack.push((other, assignment.reason, 0));
        }
        true
    }

    /// Adds the reasons of the literals that minimization removed.
    fn chain_minimization(&mut self) {
        let analysis = &mut self.analysis;
        let mut next = 0;
        for at in 0..analysis.resolved.len() {
            let variable = analysis.resolved[at];
            analysis.mark(variable, CHAINED);
        }
        while let Some(&variable) = analysis.resolved.get(next) {
            next += 1;
            let reason = self.assignments[variable.index()].reason;
            for other in self.arena.literals(reason).map(Literal::variable) {
                if other == variable {
                    continue;
                }
                if self.assignments[other.index()].level == 0 {
                    analysis.root(other);
                } else if analysis.has(other, REMOVABLE) && !analysis.has(other, CHAINED) {
                    analysis.mark(other, CHAINED);
                    analysis.resolved.push(other);
                }
            }
        }
        let assignments = &self.assignments;
        analysis.resolved.sort_unstable_by_key(|variable| u32::MAX - assignments[variable.index()].place);
        for variable in &analysis.resolved {
            analysis.chain.push(self.arena.id(assignments[variable.index()].reason));
        }
    }

    /// Adds the unit clauses of the literals at level 0.
    fn finish_chain(&mut self) {
        if self.is_logging() {
            let units = self.analysis.roots.iter().map(|variable| self.units[variable.index()]);
            self.analysis.chain.extend(units);
        }
    }

    /// Records that a clause took part in a conflict.
    fn use_clause(&mut self, clause: ClauseRef) {
        if self.arena.keep(clause) == Keep::Forever {
            return;
        }
        let mut lbd = self.arena.lbd(clause);
        if lbd > TIER_1 {
            let now = self.analysis.mark_levels(&self.assignments, self.arena.literals(clause));
            if now < lbd {
                lbd = now;
                self.arena.set_lbd(clause, lbd);
            }
        }
        self.arena.set_used(clause, 1 + u32::from(lbd <= TIER_2));
    }

    fn bump_variables(&mut self) {
        let mut seen = std::mem::take(&mut self.analysis.seen);
        match self.restarts.mode {
            Mode::Stable => {
                for &variable in &seen {
                    self.scores.bump(variable);
                }
                self.scores.decay();
            }
            Mode::Focused => {
                seen.sort_unstable_by_key(|&variable| self.queue.stamp(variable));
                for &variable in &seen {
                    // All of these variables are assigned; backtracking inserts them at their new
                    // positions.
                    self.queue.bump(variable);
                }
            }
        }
        self.analysis.seen = seen;
    }
}
