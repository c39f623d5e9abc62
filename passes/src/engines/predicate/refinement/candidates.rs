//! Formulas of a refuted counterexample that may be invariants.
//!
//! Stieglmaier, *Augmenting Predicate Analysis with Auxiliary Invariants*, Master's thesis, 2016,
//! §5.2.3, has three light-weight heuristics, one for each of [`Candidates`]: interpolants may be
//! inductive (int-check), and so may conjuncts of the path formula, alone (conj-check) or as far as
//! the path formula can be weakened (weakening). The [injection](super::super::injection) checks
//! them.
//!
//! The path formula up to a state is its strongest postcondition: a projection to the state's
//! variables. Where the projection cannot be exact, it is a consequence, which is a candidate as
//! well.
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
use backends::interpolation::Quantifiers;
use backends::interpolation::elimination::Eliminator;
use backends::interpolation::vocabulary::Name;
use horn::frames::Sequence;
use program::ssa::Block;
use rustc_hash::FxHashSet;
use terms::Term;
use views::paths::Location;

/// The largest number of candidates of a counterexample.
const LARGEST: usize = 60;
/// The largest number of blocks of a path formula.
const LONGEST: usize = 4;

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
                Candidates::Interpolants => self.conjuncts_of(counterexample, facts),
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

    fn conjuncts_of(&mut self, counterexample: &Counterexample, facts: &AbstractFacts) -> Vec<(Block, Term)> {
        let AbstractFacts::Sequence(facts) = facts else { return Vec::new() };
        let mut found = Vec::new();
        for (&node, &fact) in counterexample.inner().iter().zip(facts) {
            if let Some(block) = self.head(node) {
                found.extend(self.pool.conjuncts(&[fact]).into_iter().map(|conjunct| (block, conjunct)));
            }
        }
        found
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
