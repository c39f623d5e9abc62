//! Assignment, unit propagation and backtracking.
//!
//! Each clause is in the watch lists of its first two literals (Moskewicz et al., *Chaff*, DAC
//! 2001). When a watched literal becomes false, the clause searches for a replacement that is not
//! false. The watch stores a second literal of the clause, the *blocker*: a clause with a true
//! blocker need not be visited (Sörensson and Eén, MiniSat 2.1), and in a binary clause the blocker
//! is propagated without a visit. Backtracking leaves the lists unchanged.

use super::Literal;
use super::arena::ClauseRef;
use super::log::LogId;
use super::solver::{Assignment, Solver, Watch};
use std::mem;
use terms::entity::Entity;

impl Solver {
    /// Opens a level. A level without `decision` stands for an assumption that is already true.
    pub(super) fn push_level(&mut self, decision: Option<Literal>) {
        self.levels.push(self.trail.len() as u32);
        if let Some(literal) = decision {
            self.assign(literal, ClauseRef::NONE);
        }
    }

    /// Makes an unassigned literal true at the current level.
    #[inline]
    pub(super) fn assign(&mut self, literal: Literal, reason: ClauseRef) {
        debug_assert_eq!(self.values[literal.index()], 0);
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.assignments[literal.variable().index()] =
            Assignment { level: self.levels.len() as u32, place: self.trail.len() as u32, reason };
        self.trail.push(literal);
    }

    /// Makes a literal true at level 0, the current level, by its unit clause `id`.
    pub(super) fn assign_root(&mut self, literal: Literal, id: LogId) {
        debug_assert_eq!(self.level(), 0);
        match self.value(literal) {
            Some(true) => {}
            Some(false) => {
                self.log_units();
                let chain = [id, self.units[literal.variable().index()]];
                self.empty = Some(self.log_chain(&chain));
            }
            None => {
                self.units[literal.variable().index()] = id;
                self.assign(literal, ClauseRef::NONE);
            }
        }
    }

    /// Propagates to completion. Returns a false clause, if there is one.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        let start = self.head;
        let mut ticks = 0;
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let is_false = !self.trail[self.head];
            self.head += 1;
            let mut watches = mem::take(&mut self.watches[is_false.index()]);
            ticks += 1 + watches.len() as u64 / 8;
            let (mut read, mut write) = (0, 0);
            while let Some(&watch) = watches.get(read) {
                read += 1;
                let blocker = self.values[watch.blocker.index()];
                if blocker > 0 {
                    watches[write] = watch;
                    write += 1;
                } else if watch.is_binary() {
                    watches[write] = watch;
                    write += 1;
                    if blocker < 0 {
                        conflict = Some(watch.clause());
                        break;
                    }
                    self.assign(watch.blocker, watch.clause());
                } else {
                    ticks += 1;
                    match self.visit(watch.clause(), is_false) {
                        Visit::Moved => {}
                        Visit::Satisfied(by) => {
                            watches[write] = watch.with_blocker(by);
                            write += 1;
                        }
                        Visit::Unit(other) => {
                            watches[write] = watch;
                            write += 1;
                            self.assign(other, watch.clause());
                        }
                        Visit::Conflict => {
                            watches[write] = watch;
                            write += 1;
                            conflict = Some(watch.clause());
                            break;
                        }
                    }
                }
            }
            if read != write {
                watches.copy_within(read.., write);
                let rest = watches.len() - read;
                watches.truncate(write + rest);
            }
            self.watches[is_false.index()] = watches;
        }
        self.ticks += ticks;
        self.statistics.propagations += (self.head - start) as u64;
        conflict
    }

    /// Visits a clause whose watched literal `is_false` became false.
    #[inline]
    fn visit(&mut self, clause: ClauseRef, is_false: Literal) -> Visit {
        let (codes, position) = self.arena.codes_and_position(clause);
        let other = Literal::from_code(codes[0] ^ codes[1] ^ is_false.code());
        let other_value = self.values[other.index()];
        if other_value > 0 {
            return Visit::Satisfied(other);
        }
        let values = &self.values;
        let is_free = |&code: &u32| values[code as usize] >= 0;
        let start = *position as usize;
        // Starts at the position of the last replacement and wraps around; otherwise long clauses
        // are rescanned repeatedly.
        let at = match codes[start..].iter().position(is_free) {
            Some(at) => start + at,
            None => match codes[2..start].iter().position(is_free) {
                Some(at) => 2 + at,
                None => return if other_value < 0 { Visit::Conflict } else { Visit::Unit(other) },
            },
        };
        *position = at as u32;
        let next = Literal::from_code(codes[at]);
        if values[next.index()] > 0 {
            return Visit::Satisfied(next);
        }
        codes[at] = is_false.code();
        codes[0] = other.code();
        codes[1] = next.code();
        let length = codes.len();
        self.watches[next.index()].push(Watch::new(other, clause, length));
        Visit::Moved
    }

    /// Undoes all assignments above `level`.
    pub(super) fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let keep = self.levels[level as usize] as usize;
        for &literal in self.trail[keep..].iter().rev() {
            let variable = literal.variable();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases.saved[variable.index()] = literal.is_positive();
            if self.active[variable.index()] {
                self.scores.insert(variable);
                self.queue.insert(variable);
            }
        }
        self.trail.truncate(keep);
        self.levels.truncate(level as usize);
        self.head = self.head.min(keep);
        self.theory_head = self.theory_head.min(keep);
        self.theory_target = self.theory_target.min(level);
    }

    /// Logs the unit clauses of literals propagated at level 0.
    pub(super) fn log_units(&mut self) {
        let end = self.levels.first().map_or(self.trail.len(), |&end| end as usize);
        if !self.is_logging() {
            self.units_logged = end;
            return;
        }
        let mut chain = Vec::new();
        for place in self.units_logged..end {
            let literal = self.trail[place];
            let index = literal.variable().index();
            if self.units[index] == LogId::NONE {
                let reason = self.assignments[index].reason;
                chain.clear();
                chain.push(self.arena.id(reason));
                let others = self.arena.literals(reason).filter(|&other| other != literal);
                chain.extend(others.map(|other| self.units[other.variable().index()]));
                self.units[index] = self.log.chain(&chain);
            }
        }
        self.units_logged = end;
    }
}

/// The result of visiting a clause.
enum Visit {
    /// Another literal is watched now.
    Moved,
    /// This literal of the clause is true.
    Satisfied(Literal),
    /// All literals but this one are false.
    Unit(Literal),
    /// All literals are false.
    Conflict,
}
