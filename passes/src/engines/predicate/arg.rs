//! The abstract reachability graph: abstract states, their successors, and coverage.
//!
//! A [`Node`] is a composite abstract state: the location (Location CPA), the counters of
//! [`restrictions`](super::restrictions), and `(ψ, l_ψ, φ)` of the Predicate CPA, represented by
//! the abstraction state at the start of the block and the [`Path`] since then. The call stack
//! (Callstack CPA) is a function of the location: calls are inlined, so each call has its own
//! blocks. The edges of a node form the ARG CPA.
//!
//! Every block end has two nodes: an *arrival*, which merges all incoming paths, and the
//! *abstraction state* computed from it, as if an edge without effect led from a location just
//! before the block end to the block end. So a block between two loop heads is one block formula
//! whatever its number of paths, even if several edges lead to the head.
//!
//! Abstraction states form a tree: each has one arrival as its parent, and an arrival belongs to
//! the block of one abstraction state.

use super::abstraction::Formula;
use super::precision::Precision;
use super::restrictions::Counters;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use terms::entity::{Entity, PrimaryMap};
use views::paths::{Location, Path};

terms::entity! {
    /// An abstract state in the reachability graph.
    Node, "n"
}

/// The kind of an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// Within a block, or at its end before abstraction.
    Intermediate,
    /// At the start of a block.
    Abstraction,
}

/// An abstract state.
#[derive(Debug)]
pub(crate) struct NodeData {
    pub(crate) location: Location,
    pub(crate) counters: Counters,
    pub(crate) kind: Kind,
    /// The abstraction state at the start of the block; for an abstraction state, itself.
    pub(crate) block: Node,
    /// `φ`: the paths since the start of the block.
    pub(crate) path: Path,
    /// The number of locations on the longest of these paths.
    pub(crate) size: u32,
    /// The number of abstraction states from the root to `block`, inclusive.
    pub(crate) depth: u32,
    /// `ψ` of an abstraction state.
    pub(crate) formula: Formula,
    /// The precision of the node in `reached`.
    pub(crate) precision: Precision,
    pub(crate) parents: Vec<Node>,
    pub(crate) children: Vec<Node>,
    /// The state that covers this one.
    pub(crate) covered_by: Option<Node>,
    /// The states that this one covers.
    pub(crate) covers: Vec<Node>,
    pub(crate) is_removed: bool,
}

/// The index key of a node: intermediate states are looked up for merging, abstraction states for
/// coverage.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Merge(Node, Location, Counters),
    Cover(Location, Counters),
}

/// The result of removing a subgraph.
#[derive(Debug)]
pub(crate) struct Removed {
    /// The number of removed nodes.
    pub(crate) count: usize,
    /// The remaining nodes that lost a child.
    pub(crate) parents: Vec<Node>,
    /// The remaining nodes that a removed node covered.
    pub(crate) uncovered: Vec<Node>,
}

/// `reached`, with its edges.
#[derive(Default)]
pub(crate) struct Arg {
    nodes: PrimaryMap<Node, NodeData>,
    index: FxHashMap<Key, Vec<Node>>,
}

impl std::ops::Index<Node> for Arg {
    type Output = NodeData;

    fn index(&self, node: Node) -> &NodeData {
        &self.nodes[node]
    }
}

impl std::ops::IndexMut<Node> for Arg {
    fn index_mut(&mut self, node: Node) -> &mut NodeData {
        &mut self.nodes[node]
    }
}

impl Arg {
    /// The node that the next call of [`add`](Self::add) creates.
    pub(crate) fn next(&self) -> Node {
        Node::new(self.nodes.len())
    }

    /// Adds a node below its parents.
    pub(crate) fn add(&mut self, data: NodeData) -> Node {
        let node = self.next();
        for &parent in &data.parents {
            self.nodes[parent].children.push(node);
        }
        self.index.entry(Self::key(&data)).or_default().push(node);
        self.nodes.push(data)
    }

    fn key(data: &NodeData) -> Key {
        match data.kind {
            Kind::Intermediate => Key::Merge(data.block, data.location, data.counters.clone()),
            Kind::Abstraction => Key::Cover(data.location, data.counters.clone()),
        }
    }

    /// The intermediate state of the block at the location, if there is one.
    pub(crate) fn to_merge(&self, block: Node, location: Location, counters: &Counters) -> Option<Node> {
        self.index.get(&Key::Merge(block, location, counters.clone())).and_then(|nodes| nodes.last().copied())
    }

    /// The abstraction states at the location of `node` that may cover it: older, uncovered ones.
    pub(crate) fn candidates(&self, node: Node) -> Vec<Node> {
        let data = &self.nodes[node];
        let same = self.index.get(&Key::Cover(data.location, data.counters.clone()));
        let others = same.into_iter().flatten().copied();
        others.filter(|&other| other < node && !self.is_covered(other)).collect()
    }

    /// Whether the node or an abstraction state above it is covered.
    pub(crate) fn is_covered(&self, node: Node) -> bool {
        let mut at = self.nodes[node].block;
        loop {
            if self.nodes[at].covered_by.is_some() {
                return true;
            }
            match self.above(at) {
                Some(above) => at = above,
                None => return false,
            }
        }
    }

    /// The parent of an abstraction state in the tree of abstraction states.
    pub(crate) fn above(&self, node: Node) -> Option<Node> {
        let parent = *self.nodes[node].parents.first()?;
        Some(self.nodes[parent].block)
    }

    /// The abstraction states from the root to `node`, an abstraction state.
    pub(crate) fn branch(&self, node: Node) -> Vec<Node> {
        let mut branch: Vec<Node> = std::iter::successors(Some(node), |&node| self.above(node)).collect();
        branch.reverse();
        branch
    }

    /// The paths of the block before an abstraction state.
    pub(crate) fn incoming(&self, node: Node) -> Option<Path> {
        let parent = *self.nodes[node].parents.first()?;
        Some(self.nodes[parent].path)
    }

    /// Marks `covered` as covered by `by`. `covered` and its descendants will not be expanded and
    /// no longer cover other states; returns the states that they covered.
    pub(crate) fn cover(&mut self, covered: Node, by: Node) -> Vec<Node> {
        let mut uncovered = Vec::new();
        for node in self.subgraph(covered) {
            for other in std::mem::take(&mut self.nodes[node].covers) {
                self.nodes[other].covered_by = None;
                uncovered.push(other);
            }
        }
        self.uncover(covered);
        self.nodes[covered].covered_by = Some(by);
        self.nodes[by].covers.push(covered);
        uncovered
    }

    /// Removes the coverage of `covered`.
    pub(crate) fn uncover(&mut self, covered: Node) {
        if let Some(by) = self.nodes[covered].covered_by.take() {
            self.nodes[by].covers.retain(|&other| other != covered);
        }
    }

    /// All nodes reachable from `top`, `top` first.
    pub(crate) fn subgraph(&self, top: Node) -> Vec<Node> {
        let mut found = vec![top];
        let mut seen = rustc_hash::FxHashSet::from_iter([top]);
        let mut next = 0;
        while next < found.len() {
            found.extend(self.nodes[found[next]].children.iter().filter(|&&child| seen.insert(child)));
            next += 1;
        }
        found
    }

    /// Removes the subgraph of `top`.
    pub(crate) fn remove(&mut self, top: Node) -> Removed {
        let gone = self.subgraph(top);
        for &node in &gone {
            self.nodes[node].is_removed = true;
        }
        let (mut parents, mut uncovered) = (IndexSet::new(), Vec::new());
        for &node in &gone {
            let key = Self::key(&self.nodes[node]);
            if let Some(nodes) = self.index.get_mut(&key) {
                nodes.retain(|&other| other != node);
            }
            self.uncover(node);
            for covered in std::mem::take(&mut self.nodes[node].covers) {
                self.nodes[covered].covered_by = None;
                if !self.nodes[covered].is_removed {
                    uncovered.push(covered);
                }
            }
            for parent in std::mem::take(&mut self.nodes[node].parents) {
                if !self.nodes[parent].is_removed {
                    self.nodes[parent].children.retain(|&child| child != node);
                    parents.insert(parent);
                }
            }
        }
        Removed { count: gone.len(), parents: parents.into_iter().collect(), uncovered }
    }

    /// All nodes that are not removed, in creation order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (Node, &NodeData)> {
        self.nodes.iter().filter(|(_, data)| !data.is_removed)
    }
}
