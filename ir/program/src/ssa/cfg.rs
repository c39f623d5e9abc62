//! The control-flow graph of a function: edges in both directions and the reverse postorder.
//!
//! An edge is identified by its source block and its index in the [edges](super::Terminator::edges)
//! of that block's terminator, which distinguishes parallel edges. The graph is computed once, in
//! linear time, without recursion.

use super::{Block, Edge, FunctionData};
use terms::entity::Entity;

/// An edge of the control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeRef {
    /// The source block.
    pub from: Block,
    /// The index in `terminator.edges()`.
    pub index: u32,
}

impl EdgeRef {
    /// The edge itself.
    pub fn edge(self, function: &FunctionData) -> &Edge {
        function.blocks[self.from].terminator.edges()[self.index as usize]
    }

    /// The target block.
    pub fn target(self, function: &FunctionData) -> Block {
        self.edge(function).target
    }
}

/// The control-flow graph of a function with a body.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    /// The targets of all edges, by source block; `successor_starts[b] .. successor_starts[b+1]`
    /// are those of block `b`.
    successors: Vec<Block>,
    successor_starts: Vec<u32>,
    /// Edges by target, in order of their source; only edges from reachable blocks.
    predecessors: Vec<EdgeRef>,
    predecessor_starts: Vec<u32>,
    reverse_postorder: Vec<Block>,
    /// The position in `reverse_postorder`; `u32::MAX` for unreachable blocks.
    positions: Vec<u32>,
    entry: Block,
}

const UNREACHABLE: u32 = u32::MAX;

impl ControlFlow {
    /// Computes the graph of `function`, which must have a body.
    pub fn new(function: &FunctionData) -> Self {
        let mut successors = Vec::new();
        let mut successor_starts = vec![0];
        for block in function.blocks.values() {
            successors.extend(block.terminator.edges().iter().map(|edge| edge.target));
            successor_starts.push(successors.len() as u32);
        }
        let mut graph = ControlFlow {
            successors,
            successor_starts,
            predecessors: Vec::new(),
            predecessor_starts: Vec::new(),
            reverse_postorder: Vec::new(),
            positions: vec![UNREACHABLE; function.blocks.len()],
            entry: function.entry,
        };
        graph.order();
        graph.connect();
        graph
    }

    fn order(&mut self) {
        let mut seen = vec![false; self.positions.len()];
        let mut postorder = Vec::with_capacity(seen.len());
        // Successors are visited last to first, so that the reverse postorder lists the first one
        // first.
        let mut stack = vec![(self.entry, self.successors(self.entry).len())];
        seen[self.entry.index()] = true;
        while let Some((block, remaining)) = stack.last_mut() {
            if *remaining == 0 {
                postorder.push(*block);
                stack.pop();
                continue;
            }
            *remaining -= 1;
            let (block, index) = (*block, *remaining);
            let next = self.successors(block)[index];
            if !seen[next.index()] {
                seen[next.index()] = true;
                stack.push((next, self.successors(next).len()));
            }
        }
        postorder.reverse();
        for (position, block) in postorder.iter().enumerate() {
            self.positions[block.index()] = position as u32;
        }
        self.reverse_postorder = postorder;
    }

    fn connect(&mut self) {
        let blocks = self.positions.len();
        let mut counts = vec![0u32; blocks + 1];
        for &block in &self.reverse_postorder {
            for target in self.successors(block) {
                counts[target.index() + 1] += 1;
            }
        }
        for block in 0..blocks {
            counts[block + 1] += counts[block];
        }
        let mut next = counts.clone();
        let edge = EdgeRef { from: self.entry, index: 0 };
        let mut predecessors = vec![edge; counts[blocks] as usize];
        for from in (0..blocks).map(Block::new).filter(|&block| self.is_reachable(block)) {
            for (index, target) in self.successors(from).iter().enumerate() {
                let slot = &mut next[target.index()];
                predecessors[*slot as usize] = EdgeRef { from, index: index as u32 };
                *slot += 1;
            }
        }
        self.predecessors = predecessors;
        self.predecessor_starts = counts;
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// The number of blocks, including unreachable blocks.
    pub fn block_count(&self) -> usize {
        self.positions.len()
    }

    /// The targets of the block's edges, in order of the edges.
    pub fn successors(&self, block: Block) -> &[Block] {
        let start = self.successor_starts[block.index()] as usize;
        let end = self.successor_starts[block.index() + 1] as usize;
        &self.successors[start..end]
    }

    /// The edges that leave the block.
    pub fn outgoing(&self, block: Block) -> impl ExactSizeIterator<Item = EdgeRef> + use<> {
        (0..self.successors(block).len()).map(move |index| EdgeRef { from: block, index: index as u32 })
    }

    /// The edges from reachable blocks to the block, in order of their source.
    pub fn predecessors(&self, block: Block) -> &[EdgeRef] {
        let start = self.predecessor_starts[block.index()] as usize;
        let end = self.predecessor_starts[block.index() + 1] as usize;
        &self.predecessors[start..end]
    }

    /// The target block of an edge.
    pub fn target(&self, edge: EdgeRef) -> Block {
        self.successors(edge.from)[edge.index as usize]
    }

    /// The reachable blocks, entry first. In an acyclic graph every block comes after its
    /// predecessors.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.reverse_postorder
    }

    /// The position of the block in the reverse postorder; `None` if it is unreachable.
    pub fn position(&self, block: Block) -> Option<usize> {
        let position = self.positions[block.index()];
        (position != UNREACHABLE).then_some(position as usize)
    }

    /// Whether there is a path from the entry to the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.positions[block.index()] != UNREACHABLE
    }
}
