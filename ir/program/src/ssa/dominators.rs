//! The dominator tree.
//!
//! The iterative algorithm of Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm* (2001), Figure 3:
//! immediate dominators are improved in reverse postorder until nothing changes, the meet of two being the walk to their common
//! ancestor. One round suffices for reducible graphs, plus one that finds nothing to do. Afterwards the tree is numbered, so that
//! [`Dominators::dominates`] takes constant time.

use super::Block;
use super::cfg::ControlFlow;
use terms::entity::Entity;

/// The dominator tree of the reachable blocks.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// By block; the entry's is itself, `None` where not reachable.
    immediate: Vec<Option<Block>>,
    children: Vec<Vec<Block>>,
    /// Numbers of the first and last visit of the tree walk; a dominates b iff a's interval contains b's.
    intervals: Vec<(u32, u32)>,
    entry: Block,
}

impl Dominators {
    /// The dominator tree of `graph`.
    pub fn new(graph: &ControlFlow) -> Self {
        let order = graph.reverse_postorder();
        // Positions in reverse postorder throughout: smaller is nearer to the entry.
        let mut immediate = vec![usize::MAX; order.len()];
        immediate[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for (position, &block) in order.iter().enumerate().skip(1) {
                let mut best = usize::MAX;
                for edge in graph.predecessors(block) {
                    let from = graph.position(edge.from).expect("predecessors are reachable");
                    if immediate[from] != usize::MAX {
                        best = if best == usize::MAX { from } else { intersect(&immediate, best, from) };
                    }
                }
                if immediate[position] != best {
                    immediate[position] = best;
                    changed = true;
                }
            }
        }
        let mut by_block = vec![None; graph.block_count()];
        let mut children = vec![Vec::new(); graph.block_count()];
        for (position, &block) in order.iter().enumerate() {
            let parent = order[immediate[position]];
            by_block[block.index()] = Some(parent);
            if position > 0 {
                children[parent.index()].push(block);
            }
        }
        let intervals = number(graph, &children);
        Dominators { immediate: by_block, children, intervals, entry: graph.entry() }
    }

    /// The immediate dominator; `None` for the entry and for blocks that cannot be reached.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        if block == self.entry { None } else { self.immediate[block.index()] }
    }

    /// The blocks that `block` dominates immediately, in reverse postorder.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block.index()]
    }

    /// Whether every path from the entry to `b` passes `a` (also if they are equal). False if one of them cannot be reached.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a_first, a_last) = self.intervals[a.index()];
        let (b_first, b_last) = self.intervals[b.index()];
        a_last != 0 && b_last != 0 && a_first <= b_first && b_last <= a_last
    }
}

fn intersect(immediate: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = immediate[a];
        }
        while b > a {
            b = immediate[b];
        }
    }
    a
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
