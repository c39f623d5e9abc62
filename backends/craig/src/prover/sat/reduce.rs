//! Clause database reduction, removal of satisfied clauses, and garbage collection.
//!
//! Reductions run at level 0, where no clause is needed as a reason. Learned clauses with small LBD
//! stay (Audemard and Simon, *Predicting Learnt Clauses Quality*, IJCAI 2009); others stay only if
//! a conflict used them since. The worse three quarters of the rest are deleted. The interval
//! between reductions grows, so that their number is about the square root of the number of
//! conflicts. Log entries that no live clause needs are dropped, too.

use super::analyze::TIER_1;
use super::arena::{Arena, ClauseRef, Keep};
use super::log::LogId;
use super::solver::Solver;
use super::theory::Theory;
use super::{Literal, Variable};
use std::mem;
use terms::entity::Entity;

pub(super) const FIRST_REDUCTION: u64 = 300;

impl Solver {
    /// Undoes the assignment and removes everything that level 0 makes redundant: satisfied
    /// clauses, false literals, and from the decisions all variables that occur in no clause except
    /// learned ones. The owner of a scope adds the negation of its selector as a clause, and calls
    /// this after closing many scopes.
    pub fn simplify<T: Theory + ?Sized>(&mut self, theory: &mut T) {
        self.reset(theory);
        if self.is_inconsistent() {
            return;
        }
        if let Some(conflict) = self.propagate() {
            self.refute(conflict);
            return;
        }
        self.log_units();
        self.remove_satisfied();
        self.collect_garbage();
        self.active.fill(false);
        for &clause in &self.clauses {
            if self.arena.keep(clause) == Keep::Forever {
                for literal in self.arena.literals(clause) {
                    self.active[literal.variable().index()] = true;
                }
            }
        }
        // Each order returns an inactive variable at most once more, until the variable is
        // activated again.
        for variable in (0..self.variables()).map(Variable::new) {
            if self.active[variable.index()] {
                self.scores.insert(variable);
                self.queue.insert(variable);
            }
        }
    }

    /// The clock of reductions: learned clauses, plus a fraction of the lemmas, which are often
    /// used only once.
    pub(super) fn reduction_clock(&self) -> u64 {
        self.statistics.conflicts + self.statistics.lemmas / 4
    }

    /// Deletes learned clauses of little use. Requires level 0 and complete propagation.
    pub(super) fn reduce(&mut self) {
        self.statistics.reductions += 1;
        self.log_units();
        if self.simplified < self.trail.len() {
            self.remove_satisfied();
        }
        let mut candidates = Vec::new();
        for &clause in &self.clauses {
            if self.arena.keep(clause) == Keep::Forever || self.arena.is_garbage(clause) {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            }
            let lbd = self.arena.lbd(clause);
            if lbd > TIER_1 && used == 0 {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&clause| (self.arena.lbd(clause), self.arena.length(clause)));
        let kept = candidates.len() / 4;
        for &clause in &candidates[kept..] {
            self.arena.discard(clause);
        }
        self.collect_garbage();
        self.next_reduction = self.reduction_clock() + FIRST_REDUCTION * (self.statistics.reductions + 1);
    }

    /// Removes satisfied clauses, and false literals from the others.
    fn remove_satisfied(&mut self) {
        self.simplified = self.trail.len();
        let clauses = mem::take(&mut self.clauses);
        let mut kept = Vec::with_capacity(clauses.len());
        let mut remaining = Vec::new();
        for clause in clauses {
            if self.arena.is_garbage(clause) {
                continue;
            }
            if self.arena.literals(clause).any(|literal| self.value(literal) == Some(true)) {
                self.arena.discard(clause);
                continue;
            }
            if self.arena.literals(clause).all(|literal| self.value(literal).is_none()) {
                kept.push(clause);
                continue;
            }
            remaining.clear();
            remaining.extend(self.arena.literals(clause));
            let id = self.without_false(&mut remaining, self.arena.id(clause));
            // Propagation is complete, so at least two literals remain. The watches of the new
            // clause are created together with all others.
            let (keep, lbd, used) =
                (self.arena.keep(clause), self.arena.lbd(clause), self.arena.used(clause));
            self.arena.discard(clause);
            let shorter = self.arena.add(&remaining, keep, lbd.min(remaining.len() as u32), id);
            self.arena.set_used(shorter, used);
            kept.push(shorter);
        }
        self.clauses = kept;
    }

    /// Reclaims the space of deleted clauses and rebuilds all watches.
    fn collect_garbage(&mut self) {
        let mut target = Arena::with_capacity(self.arena.size() - self.arena.garbage());
        let arena = &mut self.arena;
        self.clauses.retain(|&clause| !arena.is_garbage(clause));
        for clause in &mut self.clauses {
            *clause = arena.moved_to(*clause, &mut target);
        }
        self.arena = target;
        for list in &mut self.watches {
            list.clear();
        }
        for at in 0..self.clauses.len() {
            self.watch(self.clauses[at]);
        }
        for literal in &self.trail {
            self.assignments[literal.variable().index()].reason = ClauseRef::NONE;
        }
        if self.is_logging() && self.log.has_grown() {
            let of_clauses = self.clauses.iter().map(|&clause| self.arena.id(clause));
            let of_units = self.trail.iter().map(|literal: &Literal| self.units[literal.variable().index()]);
            let others = self.empty.into_iter().chain(self.proved);
            self.log.compact(of_clauses.chain(of_units).chain(others).filter(|&id| id != LogId::NONE));
        }
    }
}
