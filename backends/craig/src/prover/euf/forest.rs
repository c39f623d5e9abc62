//! The proof forest.
//!
//! # Idea
//! Nieuwenhuis, Oliveras: *Fast Congruence Closure and Extensions* (2007), section 4. Each class is
//! a tree over its nodes. Its edges are the merged equations in their original form: a fact, or a
//! congruence of two applications. A merge of `a` with `b` reroots the tree of `a` at `a` and hangs
//! it under `b`. The path between two nodes explains their equality; a congruence on it is
//! explained recursively by the paths between its arguments. The arguments were equal before the
//! edge was created, so their paths contain only older edges, and the recursion terminates.
//!
//! Retracting an edge cuts it in whichever direction it points by then. The rest of the tree may be
//! rooted differently than before, which does not matter.
//!
//! # Cost
//! A merge reroots at most the smaller class. An explanation visits each edge once: explained edges
//! are contracted by union–find, as in the paper.

use super::Node;
use terms::entity::Entity;

/// The justification of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Justification {
    /// A fact with this reason.
    Reason(u32),
    /// Two applications of one function to equal arguments.
    Congruence,
}

/// An edge, identified by its lower end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) lower: Node,
    pub(super) upper: Node,
    pub(super) justification: Justification,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    parent: Vec<Option<(Node, Justification)>>,
    /// The upper end of the explained part of the path, valid if `stamp` belongs to the current
    /// explanation.
    contracted: Vec<(u64, Node)>,
    marked: Vec<u64>,
    stamp: u64,
}

impl Forest {
    /// Makes room for another node.
    pub(super) fn grow(&mut self) {
        self.contracted.push((0, Node::new(self.parent.len())));
        self.parent.push(None);
        self.marked.push(0);
    }

    /// Hangs the tree of `lower` under `upper`, which is in another tree.
    pub(super) fn connect(&mut self, lower: Node, upper: Node, justification: Justification) {
        let mut node = lower;
        let mut above = (upper, justification);
        while let Some((parent, edge)) = self.parent[node.index()].replace(above) {
            above = (node, edge);
            node = parent;
        }
    }

    /// Cuts the edge between two nodes.
    pub(super) fn disconnect(&mut self, a: Node, b: Node) {
        let is_edge = |from: Node, to: Node, forest: &Forest| {
            forest.parent[from.index()].is_some_and(|(parent, _)| parent == to)
        };
        let lower = if is_edge(a, b, self) { a } else { b };
        debug_assert!(
            is_edge(a, b, self) || is_edge(b, a, self),
            "the edge that is cut should be in the forest"
        );
        self.parent[lower.index()] = None;
    }

    /// The edge above a node.
    pub(super) fn edge(&self, lower: Node) -> Option<Edge> {
        self.parent[lower.index()].map(|(upper, justification)| Edge { lower, upper, justification })
    }

    /// The edges of the path between two nodes of one tree, in order.
    pub(super) fn path(&mut self, from: Node, to: Node) -> Vec<Edge> {
        self.stamp += 1;
        let mut node = from;
        self.marked[node.index()] = self.stamp;
        while let Some((parent, _)) = self.parent[node.index()] {
            node = parent;
            self.marked[node.index()] = self.stamp;
        }
        let mut down = Vec::new();
        let mut common = to;
        while self.marked[common.index()] != self.stamp {
            let edge = self.edge(common).expect("both ends of a path should be in one tree");
            common = edge.upper;
            down.push(edge);
        }
        let mut path = Vec::new();
        let mut node = from;
        while node != common {
            let edge = self.edge(node).expect("the common ancestor should be above both ends");
            node = edge.upper;
            path.push(edge);
        }
        path.extend(down.into_iter().rev());
        path
    }

    /// Calls `visit` once for each edge that explains why the nodes of each pair are equal. `visit`
    /// adds the pairs of arguments of a congruence.
    pub(super) fn explain(
        &mut self,
        mut pairs: Vec<(Node, Node)>,
        mut visit: impl FnMut(Edge, &mut Vec<(Node, Node)>),
    ) {
        self.stamp += 1;
        let explanation = self.stamp;
        while let Some((a, b)) = pairs.pop() {
            let common = self.common_ancestor(explanation, a, b);
            for end in [a, b] {
                let mut node = self.top(explanation, end);
                while node != common {
                    let edge = self.edge(node).expect("the common ancestor should be above both ends");
                    visit(edge, &mut pairs);
                    self.contracted[node.index()] = (explanation, edge.upper);
                    node = self.top(explanation, edge.upper);
                }
            }
        }
    }

    /// The upper end of the explained part of the path from `node`.
    fn top(&mut self, explanation: u64, node: Node) -> Node {
        let mut top = node;
        while let (stamp, above) = self.contracted[top.index()]
            && stamp == explanation
        {
            top = above;
        }
        let mut node = node;
        while node != top {
            let (_, above) = std::mem::replace(&mut self.contracted[node.index()], (explanation, top));
            node = above;
        }
        top
    }

    /// The lowest common ancestor, up to contraction.
    fn common_ancestor(&mut self, explanation: u64, a: Node, b: Node) -> Node {
        self.stamp += 1;
        let mark = self.stamp;
        let mut node = self.top(explanation, a);
        loop {
            self.marked[node.index()] = mark;
            match self.parent[node.index()] {
                Some((parent, _)) => node = self.top(explanation, parent),
                None => break,
            }
        }
        let mut node = self.top(explanation, b);
        while self.marked[node.index()] != mark {
            let (parent, _) =
                self.parent[node.index()].expect("the nodes of an explanation should be in one tree");
            node = self.top(explanation, parent);
        }
        node
    }
}
