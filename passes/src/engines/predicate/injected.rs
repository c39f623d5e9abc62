//! Auxiliary invariants that the analysis knows, and candidates for more.

use super::config::Candidates;
use program::ssa::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::Term;

/// The facts about the states of each block, and candidates.
#[derive(Default)]
pub(super) struct Injected {
    /// The facts.
    facts: FxHashMap<Block, Vec<Term>>,
    /// Formulas from refuted counterexamples, each over the symbols of its block's relation, that
    /// are not checked yet.
    open: Vec<Candidate>,
    /// All candidates so far.
    candidates: FxHashSet<Candidate>,
}

impl Injected {
    /// The facts at the start of `block`.
    pub(super) fn at(&self, block: Block) -> &[Term] {
        self.facts.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Adds facts about the states at the start of `block`.
    pub(super) fn add(&mut self, block: Block, facts: &[Term]) {
        self.facts.entry(block).or_default().extend(facts);
    }

    /// Whether candidates are not checked yet.
    pub(super) fn has_candidates(&self) -> bool {
        !self.open.is_empty()
    }

    /// The candidates that are not checked yet, which count as checked from now on.
    pub(super) fn take_candidates(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.open)
    }

    /// Whether the candidate was proposed before.
    pub(super) fn is_known(&self, candidate: Candidate) -> bool {
        self.candidates.contains(&candidate)
    }

    /// Adds a candidate for the next turn.
    pub(super) fn propose(&mut self, candidate: Candidate) {
        if self.candidates.insert(candidate) {
            self.open.push(candidate);
        }
    }
}

/// A formula that may hold in all states at the start of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Candidate {
    pub(super) source: Candidates,
    pub(super) block: Block,
    pub(super) formula: Term,
}
