//! States that wait for expansion.

use super::arg::Node;
use std::collections::BTreeSet;

/// Sorts states; smaller ones are expanded first.
pub(crate) type Rank = Vec<u64>;

/// States that wait for expansion, in the order in which they are taken: by rank, then by age.
#[derive(Default)]
pub(crate) struct Waitlist {
    states: BTreeSet<(Rank, Node)>,
}

impl Waitlist {
    /// Adds a state unless it waits already.
    pub(crate) fn add(&mut self, rank: Rank, node: Node) {
        self.states.insert((rank, node));
    }

    /// Takes the first state.
    pub(crate) fn pop(&mut self) -> Option<Node> {
        self.states.pop_first().map(|(_, node)| node)
    }

    /// How many states wait.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }
}
