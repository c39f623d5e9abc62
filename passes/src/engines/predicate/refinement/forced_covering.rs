//! The operator `fcover` (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, §3.3).
//!
//! For each older state at the same location that may cover the state: checks whether its formula
//! `ψ'` holds at the end of all paths from the nearest common ancestor to the state. If so,
//! interpolants strengthen the states in between, `ψ'` strengthens the state, and the state is
//! covered.

use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::arg::{Kind, Node};
use crate::engines::predicate::config::ForcedCovering;
use crate::engines::predicate::solving::Failure;
use std::time::{Duration, Instant};
use terms::Term;
use views::paths::Path;

/// The time limit of an attempt.
const LONGEST: Duration = Duration::from_secs(1);
/// The share of the remaining time for an attempt: one of so many parts.
const SHARE: u32 = 20;

/// States with the facts that strengthen them.
type Facts = Vec<(Node, Term)>;

impl Analysis<'_, '_> {
    /// Strengthens the branch of `node` so that it is covered, if possible.
    pub(crate) fn force_cover(&mut self, node: Node) -> Result<bool, Failure> {
        if self.config.fcover == ForcedCovering::Id || self.arg[node].kind != Kind::Abstraction {
            return Ok(false);
        }
        for candidate in self.arg.candidates(node) {
            let start = Instant::now();
            let limits = self.solver.shorten(LONGEST, SHARE);
            let facts = self.facts_of_cover(node, candidate);
            self.solver.set_limits(limits);
            let is_forced = match facts {
                // Under the limits of the run: stopping halfway would leave states covered by
                // states that are now stronger.
                Ok(Some(facts)) => self.force_cover_by(node, candidate, facts).map(|()| true),
                Ok(None) => Ok(false),
                // If an attempt fails, the state is expanded.
                Err(failure) => self.survive(failure).map(|()| false),
            };
            self.solver.statistics.forced_covering.add(start);
            if is_forced? {
                self.solver.statistics.forced_coverings += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The states of the branch of `node` below the nearest common ancestor with `candidate`, each
    /// with the fact that makes the covering possible; `None` if it is not.
    fn facts_of_cover(&mut self, node: Node, candidate: Node) -> Result<Option<Facts>, Failure> {
        let (mine, other) = (self.arg.branch(node), self.arg.branch(candidate));
        let common = mine.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let Some(ancestor) = common.checked_sub(1) else { return Ok(None) };
        let branch = &mine[ancestor..];
        let paths: Vec<Path> = branch[1..].iter().filter_map(|&node| self.arg.incoming(node)).collect();
        let blocks = self.blocks(&paths)?;
        let premise = self.abstractions.term(self.arg[branch[0]].formula);
        let wanted = self.abstractions.term(self.arg[candidate].formula);
        let goal = self.pool.not(wanted);
        let facts = self.interpolate(premise, &blocks, goal)?;
        Ok(facts.map(|facts| branch[1..].iter().copied().zip(facts.into_iter().chain([wanted])).collect()))
    }

    fn force_cover_by(&mut self, node: Node, candidate: Node, facts: Facts) -> Result<(), Failure> {
        let (states, facts): (Vec<Node>, Vec<Term>) = facts.into_iter().unzip();
        self.refine_states(&states, &facts)?;
        if !self.arg[node].is_removed && !self.arg.is_covered(node) {
            self.cover(node, candidate);
        }
        Ok(())
    }
}
