//! References to nodes of a syntax tree, which tokens contain, too.

/// A row of the table of a [`Tree`](super::Tree).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);
