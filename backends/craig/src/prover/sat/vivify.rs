//! Vivification: shortening learned clauses between searches.
//!
//! The negations of the literals of a learned clause are assumed one by one, without the clause
//! itself (Piette, Hamadi and Saïs, *Vivifying Propositional Clausal Formulae*, ECAI 2008; for
//! learned clauses Luo et al., *An Effective Learnt Clause Minimization Approach*, IJCAI 2017). On
//! a conflict, the assumptions that led to it form a clause. If a literal becomes true, it forms a
//! clause with the assumptions that led to it. A literal that becomes false can be removed. Each
//! result follows by resolution with the reasons, the latest first, so its chain is as simple as
//! that of learning. A clause that the others imply is dropped.
//!
//! Only clauses that are kept for their LBD are tried, each once, with frequent literals first. The
//! work is bounded by a fraction of that of the search. DIVERGENCE from CaDiCaL: clauses with
//! common prefixes share no work.

use super::Literal;
use super::analyze::TIER_2;
use super::arena::{ClauseRef, Keep};
use super::solver::Solver;

/// The work of vivification is at most this fraction (one in `SHARE`) of the work of the search.
const SHARE: u64 = 8;

/// The result for a clause.
enum Attempt {
    Same,
    /// The other clauses imply it.
    Superfluous,
    /// This shorter clause is implied; the analysis holds its chain.
    Shorter(Vec<Literal>),
}

impl Solver {
    /// Shortens clauses that have not been tried yet. Requires level 0 and complete propagation,
    /// right after a reduction.
    pub(super) fn vivify(&mut self) {
        if self.vivify_ticks > self.ticks / SHARE {
            return;
        }
        let occurrences = self.occurrences();
        let mut candidates: Vec<ClauseRef> = Vec::new();
        for &clause in &self.clauses {
            if self.arena.keep(clause) == Keep::WhileUseful
                && self.arena.lbd(clause) <= TIER_2
                && self.arena.length(clause) > 2
                && !self.arena.is_tried(clause)
            {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&clause| (self.arena.lbd(clause), self.arena.length(clause)));
        let phases = self.phases.saved.clone();
        let before = self.ticks;
        for clause in candidates {
            if self.is_inconsistent() || self.vivify_ticks + (self.ticks - before) > before / SHARE {
                break;
            }
            if !self.arena.is_garbage(clause) {
                self.arena.set_tried(clause);
                self.vivify_clause(clause, &occurrences);
            }
        }
        self.vivify_ticks += self.ticks - before;
        self.ticks = before;
        self.phases.saved = phases;
        self.clauses.retain(|&clause| !self.arena.is_garbage(clause));
    }

    /// By literal: the number of clauses with it.
    fn occurrences(&self) -> Vec<u32> {
        let mut occurrences = vec![0; self.values.len()];
        for &clause in &self.clauses {
            for literal in self.arena.literals(clause) {
                occurrences[literal.index()] += 1;
            }
        }
        occurrences
    }

    fn vivify_clause(&mut self, clause: ClauseRef, occurrences: &[u32]) {
        let mut literals: Vec<Literal> = self.arena.literals(clause).collect();
        // A unit found here may have satisfied or shortened the clause; the next reduction handles
        // that.
        if literals.iter().any(|&literal| self.value(literal).is_some()) {
            return;
        }
        let watched = [literals[0], literals[1]];
        literals.sort_by_key(|literal| (u32::MAX - occurrences[literal.index()], *literal));
        for literal in watched {
            self.watches[literal.index()].retain(|watch| watch.clause() != clause);
        }
        let attempt = self.attempt(clause, &literals);
        self.backtrack(0);
        match attempt {
            Attempt::Same => self.watch(clause),
            Attempt::Superfluous => self.arena.discard(clause),
            Attempt::Shorter(shorter) => {
                self.statistics.vivified += 1;
                let (lbd, used) = (self.arena.lbd(clause), self.arena.used(clause));
                self.arena.discard(clause);
                let id = self.log_analysis();
                if let [unit] = *shorter {
                    self.assign_root(unit, id);
                    if let Some(conflict) = self.propagate() {
                        self.refute(conflict);
                    }
                } else {
                    let lbd = lbd.min(shorter.len() as u32 - 1);
                    let shorter = self.attach(&shorter, Keep::WhileUseful, lbd, id);
                    self.arena.set_used(shorter, used);
                    self.arena.set_tried(shorter);
                }
            }
        }
        self.clear_analysis();
    }

    /// Assumes the negations of the literals one by one.
    fn attempt(&mut self, clause: ClauseRef, literals: &[Literal]) -> Attempt {
        let mut has_false = false;
        for &literal in literals {
            match self.value(literal) {
                Some(false) => has_false = true,
                Some(true) => {
                    let reason = self.assignments[literal.variable().0 as usize].reason;
                    let mut shorter = self.resolve_to_decisions(reason, Some(literal));
                    shorter.push(literal);
                    let is_shorter = shorter.len() < literals.len();
                    return if is_shorter { Attempt::Shorter(shorter) } else { Attempt::Superfluous };
                }
                None => {
                    self.push_level(Some(!literal));
                    if let Some(conflict) = self.propagate() {
                        let shorter = self.resolve_to_decisions(conflict, None);
                        let is_shorter = shorter.len() < literals.len();
                        return if is_shorter { Attempt::Shorter(shorter) } else { Attempt::Superfluous };
                    }
                }
            }
        }
        if has_false { Attempt::Shorter(self.resolve_to_decisions(clause, None)) } else { Attempt::Same }
    }
}
