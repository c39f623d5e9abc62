//! Integration of theory lemmas as clauses.
//!
//! A lemma may arrive late: false or unit at a level below the current one. The search backtracks
//! to the level at which the lemma becomes a conflict or unit, and no further, so that each literal
//! gets the level at which it is implied.

use super::Literal;
use super::arena::Keep;
use super::log::LogId;
use super::solver::{Solver, without_duplicates};
use super::theory::Consequences;

impl Solver {
    /// Adds the consequences of the theory. `keep` applies to conflicts and propagations and states
    /// whether the theory can find them again; splits are always kept. Returns whether there is
    /// anything new to propagate or decide.
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
        // The watched literals: true ones first, the oldest best; then unassigned ones; then false
        // ones, the latest best.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::sat::Config;

    /// Variables 0 to 5; the first four are true, each decided at its own level.
    fn decided() -> (Solver, [Literal; 6]) {
        let mut solver = Solver::new(Config::PROVING);
        let literals = [0; 6].map(|_| Literal::positive(solver.new_variable()));
        for &literal in &literals[..4] {
            solver.push_level(Some(literal));
        }
        assert_eq!(solver.propagate(), None);
        (solver, literals)
    }

    fn tell(solver: &mut Solver, lemma: &[Literal]) -> bool {
        let consequences = Consequences { lemmas: vec![(lemma.to_vec(), 7)], decisions: Vec::new() };
        solver.add_consequences(consequences, Keep::WhileUseful)
    }

    #[test]
    fn a_late_propagation_has_the_level_at_which_it_follows() {
        let (mut solver, [a, b, _, _, e, _]) = decided();
        assert!(tell(&mut solver, &[e, !b, !a]));
        assert_eq!((solver.level(), solver.value(e), solver.level_of(e)), (2, Some(true), 2));
        assert_eq!(solver.arena.keep(solver.clauses[0]), Keep::WhileUseful);
    }

    #[test]
    fn a_late_unit_has_level_0() {
        let (mut solver, [_, _, c, ..]) = decided();
        assert!(tell(&mut solver, &[!c]));
        assert_eq!((solver.level(), solver.root_value(c)), (0, Some(false)));
    }

    #[test]
    fn a_late_conflict_with_one_literal_of_its_level_propagates() {
        let (mut solver, [a, _, c, ..]) = decided();
        assert!(tell(&mut solver, &[!a, !c]));
        assert_eq!((solver.level(), solver.value(c), solver.level_of(c)), (1, Some(false), 1));
    }

    #[test]
    fn a_late_conflict_is_learned_from_at_its_level() {
        let (mut solver, [a, b, _, _, e, f]) = decided();
        solver.backtrack(0);
        solver.add_clause(&[!b, e], 0);
        for literal in [a, b, f] {
            solver.push_level(Some(literal));
            assert_eq!(solver.propagate(), None);
        }
        assert!(tell(&mut solver, &[!a, !b, !e]));
        assert_eq!((solver.level(), solver.value(b)), (1, Some(false)));
        assert_eq!(solver.value(f), None);
    }

    #[test]
    fn a_split_stays() {
        let (mut solver, [a, _, _, _, e, f]) = decided();
        assert!(tell(&mut solver, &[!a, e, f]));
        assert_eq!(solver.level(), 4);
        assert_eq!(solver.arena.keep(solver.clauses[0]), Keep::Forever);
    }

    #[test]
    fn what_is_satisfied_changes_nothing() {
        let (mut solver, [a, b, _, _, e, _]) = decided();
        assert!(!tell(&mut solver, &[!a, b, e]));
        assert!(!tell(&mut solver, &[e, !e]));
        assert_eq!(solver.level(), 4);
    }

    #[test]
    fn decisions_are_taken_in_their_order() {
        let (mut solver, [.., e, f]) = decided();
        let consequences = Consequences { lemmas: Vec::new(), decisions: vec![!f, e] };
        assert!(solver.add_consequences(consequences, Keep::Forever));
        assert_eq!(solver.urgent, [e, !f]);
    }
}
