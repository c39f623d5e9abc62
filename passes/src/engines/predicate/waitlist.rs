//! The waitlist: states to be expanded.

use super::arg::Node;
use std::collections::BTreeSet;

/// The sort key of a state; smaller ones are expanded first.
pub(crate) type Rank = Vec<u64>;

/// States to be expanded, ordered by rank and then by age.
#[derive(Default)]
pub(crate) struct Waitlist {
    states: BTreeSet<(Rank, Node)>,
}

impl Waitlist {
    /// Adds a state unless it is already present.
    pub(crate) fn add(&mut self, rank: Rank, node: Node) {
        self.states.insert((rank, node));
    }

    /// Removes and returns the first state.
    pub(crate) fn pop(&mut self) -> Option<Node> {
        self.states.pop_first().map(|(_, node)| node)
    }

    /// The number of waiting states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }
}
