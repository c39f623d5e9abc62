//! The dominator tree.
//!
//! The algorithm of Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a Flowgraph*
//! (TOPLAS 1979), with path compression and simple linking: O(e log n), even if a block ends a long
//! chain of branches, for which iterative algorithms are quadratic. Afterwards the tree is
//! numbered, so that [`Dominators::dominates`] takes constant time.

use super::Block;
use super::cfg::ControlFlow;
use terms::entity::Entity;

/// The dominator tree of the reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator by block; the entry's is itself, `None` for unreachable blocks.
    immediate: Vec<Option<Block>>,
    children: Vec<Vec<Block>>,
    /// The first and last preorder number in each subtree; a dominates b iff a's interval contains
    /// b's.
    intervals: Vec<(u32, u32)>,
    entry: Block,
}

impl Dominators {
    /// Computes the dominator tree of `graph`.
    pub fn new(graph: &ControlFlow) -> Self {
        let order = graph.reverse_postorder();
        let immediate = immediate_dominators(graph);
        let mut by_block = vec![None; graph.block_count()];
        let mut children = vec![Vec::new(); graph.block_count()];
        for (position, &block) in order.iter().enumerate() {
            let parent = immediate[block.index()].unwrap_or(block);
            by_block[block.index()] = Some(parent);
            if position > 0 {
                children[parent.index()].push(block);
            }
        }
        let intervals = number(graph, &children);
        Dominators { immediate: by_block, children, intervals, entry: graph.entry() }
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        if block == self.entry { None } else { self.immediate[block.index()] }
    }

    /// The blocks immediately dominated by `block`, in reverse postorder.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block.index()]
    }

    /// Whether every path from the entry to `b` contains `a`; reflexive. False if `a` or `b` is
    /// unreachable.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a_first, a_last) = self.intervals[a.index()];
        let (b_first, b_last) = self.intervals[b.index()];
        a_last != 0 && b_last != 0 && a_first <= b_first && b_last <= a_last
    }
}

/// The immediate dominator by block; `None` for the entry and for unreachable blocks.
fn immediate_dominators(graph: &ControlFlow) -> Vec<Option<Block>> {
    let Tree { vertices, parents, numbers } = Tree::new(graph);
    let count = vertices.len();
    // Vertices are represented by their preorder numbers.
    let mut forest =
        Forest { ancestors: vec![None; count], labels: (0..count).collect(), semi: (0..count).collect() };
    let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut immediate = vec![0; count];
    for vertex in (1..count).rev() {
        for edge in graph.predecessors(vertices[vertex]) {
            let from = numbers[edge.from.index()].expect("predecessors are reachable");
            let least = forest.least(from);
            forest.semi[vertex] = forest.semi[vertex].min(forest.semi[least]);
        }
        buckets[forest.semi[vertex]].push(vertex);
        let parent = parents[vertex];
        forest.ancestors[vertex] = Some(parent);
        for below in std::mem::take(&mut buckets[parent]) {
            let least = forest.least(below);
            immediate[below] = if forest.semi[least] < forest.semi[below] { least } else { parent };
        }
    }
    let mut by_block = vec![None; graph.block_count()];
    for vertex in 1..count {
        if immediate[vertex] != forest.semi[vertex] {
            immediate[vertex] = immediate[immediate[vertex]];
        }
        by_block[vertices[vertex].index()] = Some(vertices[immediate[vertex]]);
    }
    by_block
}

/// A depth-first spanning tree.
struct Tree {
    /// The blocks in preorder.
    vertices: Vec<Block>,
    /// The parent of each vertex, both as preorder numbers.
    parents: Vec<usize>,
    /// The preorder number of each block.
    numbers: Vec<Option<usize>>,
}

impl Tree {
    fn new(graph: &ControlFlow) -> Self {
        let mut tree =
            Tree { vertices: Vec::new(), parents: Vec::new(), numbers: vec![None; graph.block_count()] };
        let mut stack = vec![(graph.entry(), 0)];
        while let Some((block, parent)) = stack.pop() {
            if tree.numbers[block.index()].is_some() {
                continue;
            }
            let number = tree.vertices.len();
            tree.numbers[block.index()] = Some(number);
            tree.vertices.push(block);
            tree.parents.push(parent);
            stack.extend(graph.successors(block).iter().map(|&next| (next, number)));
        }
        tree
    }
}

/// The forest of processed vertices; a label is the vertex with the least semidominator on the
/// compressed path.
struct Forest {
    ancestors: Vec<Option<usize>>,
    labels: Vec<usize>,
    semi: Vec<usize>,
}

impl Forest {
    /// The vertex with the least semidominator on the path from `vertex` up to, but excluding, the
    /// root of its tree.
    fn least(&mut self, vertex: usize) -> usize {
        let mut path = Vec::new();
        let mut current = vertex;
        while let Some(ancestor) = self.ancestors[current] {
            path.push(current);
            current = ancestor;
        }
        let root = current;
        // Compresses the path downwards from the root's child, whose label is already right.
        path.pop();
        while let Some(below) = path.pop() {
            let Some(ancestor) = self.ancestors[below] else { break };
            let above = self.labels[ancestor];
            if self.semi[above] < self.semi[self.labels[below]] {
                self.labels[below] = above;
            }
            self.ancestors[below] = Some(root);
        }
        self.labels[vertex]
    }
}

fn number(graph: &ControlFlow, children: &[Vec<Block>]) -> Vec<(u32, u32)> {
    let mut intervals = vec![(0, 0); graph.block_count()];
    let mut clock = 1;
    let mut stack = vec![(graph.entry(), 0)];
    while let Some((block, next)) = stack.last_mut() {
        if *next == 0 {
            intervals[block.index()].0 = clock;
            clock += 1;
        }
        if let Some(&child) = children[block.index()].get(*next) {
            *next += 1;
            stack.push((child, 0));
        } else {
            intervals[block.index()].1 = clock;
            clock += 1;
            stack.pop();
        }
    }
    intervals
}
