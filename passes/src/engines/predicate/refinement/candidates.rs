//! Formulas of a refuted counterexample that may be invariants.
//!
//! Stieglmaier, *Augmenting Predicate Analysis with Auxiliary Invariants*, Master's thesis, 2016,
//! §5.2.3, has three light-weight heuristics: interpolants may be inductive (int-check), and so may
//! conjuncts of the path formula, alone (conj-check) or as far as the path formula can be weakened
//! (weakening). The [injection](super::super::injection) checks them.
//!
//! int-check asks for interpolants of each infeasible sliced [prefix](Candidates::Prefixes) of the
//! counterexample (Beyer, Löwe, Wendler, *Sliced Path Prefixes: An Effective Method to Enable
//! Refinement Selection*, FORTE 2015, Algorithm 1): where the path becomes infeasible, a prefix
//! ends, and the search goes on without the block that made it infeasible. So each reason for the
//! infeasibility has its own interpolants, not only the one that the solver finds first.
//!
//! DIVERGENCE: a block is left out with its assignments, so that the variables that it changes have
//! any value afterwards, as for the blocks of a predicate analysis in CPAchecker. The thesis
//! computes interpolants of each prefix three times, because its solver is not deterministic; ours
//! are. [`Candidates::Interpolants`] takes the facts of the refinement alone, without any query.
//!
//! The path formula up to a state is its strongest postcondition: a projection to the state's
//! variables. Where the projection cannot be exact, it is a consequence, which is a candidate as
//! well.
//!
//! Cost: a query for each block of the counterexample, and interpolants for each of at most
//! [`MOST_PREFIXES`] prefixes.
//!
//! *Limits.* Only states at loop heads have candidates, at most [`LARGEST`] of a counterexample. A
//! path formula of more than [`LONGEST`] blocks yields none.

use super::Counterexample;
use super::facts::AbstractFacts;
use crate::engines::predicate::algorithm::Analysis;
use crate::engines::predicate::arg::Node;
use crate::engines::predicate::config::Candidates;
use crate::engines::predicate::injected::Candidate;
use crate::engines::predicate::solving::Failure;
use crate::engines::predicate::solving::Solver;
use backends::interpolation::Problem;
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::Eliminator;
use backends::interpolation::vocabulary::Name;
use horn::frames::Sequence;
use program::ssa::Block;
use rustc_hash::FxHashSet;
use std::time::Duration;
use terms::{Term, TermPool};
use views::paths::Location;

/// The largest number of candidates of a counterexample.
const LARGEST: usize = 60;
/// The largest number of blocks of a path formula.
const LONGEST: usize = 4;
/// The largest number of sliced prefixes.
const MOST_PREFIXES: usize = 8;
/// The time limit for the interpolants of all prefixes, and the share of the remaining time.
const PREFIX_LIMIT: (Duration, u32) = (Duration::from_secs(10), 5);

impl Analysis<'_, '_> {
    /// Collects the candidates of a counterexample that `facts` refute.
    pub(super) fn collect_candidates(
        &mut self,
        counterexample: &Counterexample,
        facts: &AbstractFacts,
    ) -> Result<(), Failure> {
        let mut found: Vec<Candidate> = Vec::new();
        for &source in self.config.candidates.iter() {
            let formulas = match source {
                Candidates::Interpolants => match facts {
                    AbstractFacts::Sequence(facts) => self.conjuncts_of(counterexample, facts),
                    AbstractFacts::Predicates(_) => Vec::new(),
                },
                Candidates::Prefixes => {
                    let limits = self.solver.shorten(PREFIX_LIMIT.0, PREFIX_LIMIT.1);
                    let found = self.prefix_conjuncts(counterexample);
                    self.solver.set_limits(limits);
                    match found {
                        Ok(found) => found,
                        Err(failure) => self.survive(failure).map(|()| Vec::new())?,
                    }
                }
                Candidates::Conjuncts | Candidates::Weakening => self.path_conjuncts(counterexample)?,
            };
            found.extend(formulas.into_iter().map(|(block, formula)| Candidate { source, block, formula }));
        }
        found.retain(|candidate| !self.injected.is_known(*candidate));
        found.truncate(LARGEST);
        for candidate in found {
            self.injected.propose(candidate);
        }
        Ok(())
    }

    fn head(&self, node: Node) -> Option<Block> {
        let Location::Block(block) = self.arg[node].location else { return None };
        self.formulas.paths.loops().headed_by(block).map(|_| block)
    }

    /// The conjuncts of facts about the inner states of a counterexample, or about the first ones.
    fn conjuncts_of(&mut self, counterexample: &Counterexample, facts: &[Term]) -> Vec<(Block, Term)> {
        let mut found = Vec::new();
        for (&node, &fact) in counterexample.inner().iter().zip(facts) {
            if let Some(block) = self.head(node) {
                found.extend(self.pool.conjuncts(&[fact]).into_iter().map(|conjunct| (block, conjunct)));
            }
        }
        found
    }

    /// The conjuncts of the interpolants of the infeasible sliced prefixes of a counterexample.
    fn prefix_conjuncts(&mut self, counterexample: &Counterexample) -> Result<Vec<(Block, Term)>, Failure> {
        let mut sequence = Sequence::default();
        let mut blocks = Vec::with_capacity(counterexample.blocks.len());
        for block in &counterexample.blocks {
            blocks.push(sequence.next(self.pool, block));
        }
        let prefixes =
            self.solver.scoped(self.pool, |pool, solver| sliced_prefixes(pool, solver, &blocks))?;
        let mut found = Vec::new();
        for prefix in prefixes {
            let parts = prefix.into_iter().map(|formula| vec![formula]).collect();
            match self.sequence_interpolants(&sequence, &Problem::sequence(parts)) {
                Ok(facts) => found.extend(self.conjuncts_of(counterexample, &facts.unwrap_or_default())),
                Err(failure) => self.survive(failure)?,
            }
        }
        Ok(found)
    }

    /// The conjuncts of the strongest postconditions at the loop heads of a counterexample.
    fn path_conjuncts(&mut self, counterexample: &Counterexample) -> Result<Vec<(Block, Term)>, Failure> {
        let mut found = Vec::new();
        let mut sequence = Sequence::default();
        let mut formula = Vec::new();
        for (&node, block) in counterexample.inner().iter().zip(&counterexample.blocks).take(LONGEST) {
            formula.push(sequence.next(self.pool, block));
            let Some(head) = self.head(node) else { continue };
            let live = self.formulas.live(self.pool, head)?;
            let mut allowed: FxHashSet<Name> = FxHashSet::default();
            for &symbol in live.iter() {
                let instance = sequence.instance(self.pool, symbol);
                allowed.extend(Name::of(self.pool.op(instance)));
            }
            let conjuncts = self.pool.conjuncts(&formula);
            let mut eliminator = Eliminator::new(&[], Quantifiers::Refused, &self.solver.limits);
            // Formulas that cannot be projected have no candidates.
            let Ok(projection) = eliminator.project(self.pool, &conjuncts, &allowed) else { continue };
            for conjunct in projection.conjuncts {
                found.push((head, sequence.generic(self.pool, conjunct)));
            }
        }
        Ok(found)
    }
}

/// The infeasible sliced prefixes of a path, as formulas for each block, where `true` stands for a
/// block that is left out.
fn sliced_prefixes(
    pool: &mut TermPool,
    solver: &mut Solver,
    blocks: &[Term],
) -> Result<Vec<Vec<Term>>, Failure> {
    let (mut prefixes, mut kept) = (Vec::new(), Vec::with_capacity(blocks.len()));
    for &block in blocks {
        if prefixes.len() == MOST_PREFIXES {
            break;
        }
        if solver.is_satisfiable(pool, &[block])? {
            solver.assert(pool, block)?;
            kept.push(block);
        } else {
            prefixes.push(kept.iter().copied().chain([block]).collect());
            kept.push(pool.tru());
        }
    }
    Ok(prefixes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::predicate::solving::test_solver;
    use terms::Sort;

    #[test]
    fn each_reason_for_infeasibility_ends_a_prefix() {
        let mut pool = TermPool::new();
        let mut solver = test_solver("QF_LIA");
        let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
        let [zero, five] = [0, 5].map(|value| pool.int(value));
        let positive = pool.lt(zero, x);
        let negative = pool.lt(x, zero);
        let large = pool.lt(five, y);
        let small = pool.lt(y, zero);
        let blocks = [positive, negative, large, small, positive];
        let tru = pool.tru();
        let prefixes = sliced_prefixes(&mut pool, &mut solver, &blocks).expect("answers");
        assert_eq!(prefixes, [vec![positive, negative], vec![positive, tru, large, small]]);
    }
}
