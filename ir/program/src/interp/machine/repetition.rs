//! Finds runs that repeat a state, and so never end.
//!
//! A run without inputs is determined by its state. So from time to time the run stores the
//! registers of the current activation, and compares them whenever it enters the same block of this
//! activation again, until anything else of the state may have changed: memory, objects, or an
//! input. If the registers are equal, the run repeats itself. As in Brent's algorithm (*An Improved
//! Monte Carlo Factorization Algorithm*, BIT 1980, §2), the times grow geometrically, so a cycle is
//! found after a constant multiple of the steps before it and in it.
//!
//! Cost: a run in which nothing repeats is slower by less than [`SHARE`]⁻¹ times a small constant.
//!
//! Limits: cycles of more than [`LONGEST`] steps, and cycles that change memory, are not found.

use super::{Ended, Machine};
use crate::interp::Outcome;
use crate::ssa::Block;
use terms::BitVector;

/// The number of steps before the first comparison.
const FIRST: u64 = 1 << 12;
/// The largest number of steps in which a state is compared.
const LONGEST: u64 = 1 << 18;
/// A state is compared for one in so many steps.
const SHARE: u64 = 8;

/// An earlier state.
struct Snapshot {
    /// The number of activations.
    depth: usize,
    block: Block,
    words: Vec<u64>,
    wides: Vec<BitVector>,
}

/// The earlier state to compare with, and when to store another one.
pub(super) struct Repetition {
    snapshot: Option<Box<Snapshot>>,
    /// The number of steps at which the comparison ends, or at which the next one starts.
    next: u64,
}

impl Repetition {
    pub(super) fn new() -> Self {
        Repetition { snapshot: None, next: FIRST }
    }

    /// Whether there is a state to compare with at each block.
    pub(super) fn is_comparing(&self) -> bool {
        self.snapshot.is_some()
    }

    /// The run changes its state outside of the registers.
    pub(super) fn changes(&mut self) {
        self.snapshot = None;
    }

    /// The run returns to an activation; `depth` activations remain.
    pub(super) fn returns_to(&mut self, depth: usize) {
        if self.snapshot.as_ref().is_some_and(|snapshot| depth < snapshot.depth) {
            self.snapshot = None;
        }
    }
}

impl Machine<'_, '_, '_> {
    /// Compares the state at the start of a block with an earlier one, and stores it if it is time.
    pub(super) fn check_repetition(&mut self) -> Ended<()> {
        let frame = self.frames.last().expect("a function should be running");
        let (words, wides) = (&self.words[frame.base..], &self.wides[frame.wide_base..]);
        if let Some(snapshot) = &self.repetition.snapshot
            && (snapshot.depth, snapshot.block) == (self.frames.len(), frame.block)
            && snapshot.words == words
            && snapshot.wides == wides
        {
            return Err(Outcome::Endless);
        }
        if self.steps >= self.repetition.next {
            let length = (self.steps / SHARE).min(LONGEST);
            match self.repetition.snapshot.take() {
                // The states of one in SHARE steps are compared.
                Some(_) => self.repetition.next = self.steps + (SHARE - 1) * length,
                None => {
                    let (words, wides) = (words.to_vec(), wides.to_vec());
                    let snapshot = Snapshot { depth: self.frames.len(), block: frame.block, words, wides };
                    self.repetition.snapshot = Some(Box::new(snapshot));
                    self.repetition.next = self.steps + length;
                }
            }
        }
        Ok(())
    }
}
