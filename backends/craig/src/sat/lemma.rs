//! Lemmas of the theory become clauses.
//!
//! A lemma may come late: false, or with one literal left, at a level below the present one. The search goes back to the level
//! at which it says something, and no further, so that each literal has the level at which it follows.

use super::Literal;
use super::arena::Keep;
use super::log::LogId;
use super::solver::{Solver, without_duplicates};
use super::theory::Consequences;

impl Solver {
    /// Adds what the theory found. `keep` says of lemmas that are false or propagate now whether the theory can find them
    /// again; splits stay. Whether there is something to propagate or to decide that was not there.
    pub(super) fn add_consequences(&mut self, consequences: Consequences, keep: Keep) -> bool {
        let mut changes = false;
        for (literals, certificate) in consequences.lemmas {
            if self.is_inconsistent() {
                return true;
            }
            self.statistics.lemmas += 1;
            changes |= self.add_lemma(&literals, certificate, keep);
        }
        for &literal in consequences.decisions.iter().rev() {
            if self.value(literal).is_none() {
                self.activate(&[literal]);
                self.urgent.push(literal);
                changes = true;
            }
        }
        changes || self.is_inconsistent() || self.head < self.trail.len()
    }

    fn add_lemma(&mut self, literals: &[Literal], certificate: u32, keep: Keep) -> bool {
        let Some(mut literals) = without_duplicates(literals) else { return false };
        if literals.iter().any(|&literal| self.root_value(literal) == Some(true)) {
            return false;
        }
        let mut id = LogId::NONE;
        if self.is_logging() {
            id = self.log.lemma(&literals, certificate);
        }
        self.activate(&literals);
        id = self.without_false(&mut literals, id);
        match *literals {
            [] => {
                self.empty = Some(id);
                return true;
            }
            [unit] => {
                self.backtrack(0);
                self.assign_root(unit, id);
                return true;
            }
            _ => {}
        }
        // What is watched: true literals, best the oldest, then unassigned ones, then false ones, best the latest.
        let rank = |literal: &Literal| match self.value(*literal) {
            Some(true) => (0, self.level_of(*literal)),
            None => (1, 0),
            Some(false) => (2, u32::MAX - self.level_of(*literal)),
        };
        literals.sort_by_key(rank);
        let (first, second) = (literals[0], literals[1]);
        let lbd = literals.len() as u32;
        match (self.value(first), self.value(second)) {
            (Some(false), _) => {
                let (highest, below) = (self.level_of(first), self.level_of(second));
                let clause = self.attach(&literals, keep, lbd, id);
                if below < highest {
                    self.statistics.conflicts += 1;
                    self.save_phases();
                    self.backtrack(below);
                    self.assign(first, clause);
                } else {
                    self.learn_from(clause);
                }
                true
            }
            (None, Some(false)) => {
                let clause = self.attach(&literals, keep, lbd, id);
                self.backtrack(self.level_of(second));
                self.assign(first, clause);
                true
            }
            (None, _) => {
                self.attach(&literals, Keep::Forever, lbd, id);
                true
            }
            (Some(true), _) => {
                self.attach(&literals, keep, lbd, id);
                false
            }
        }
    }
}
