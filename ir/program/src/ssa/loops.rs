//! The loop forest and a weak topological order of the blocks.
//!
//! Bourdoncle, *Efficient chaotic iteration strategies with widenings* (FMPA 1993), section 4. The
//! graph is decomposed into strongly connected components. In each component with a cycle, one
//! block becomes the *head*; the component without its head is decomposed again. Listing components
//! in topological order, each head directly before the rest of its component, yields a weak
//! topological order: an edge leads forward, or to the head of a loop that contains its source (a
//! *back edge*). The blocks of a loop are contiguous in this order, so a loop is a range.
//!
//! The head is the entry of the component that comes first in reverse postorder. If there are other
//! entries, the loop is *irreducible* and [`LoopData::other_entries`] lists their edges. In a
//! reducible graph every head dominates its loop, and the loops are the natural loops, merged if
//! they share a head.
//!
//! Cost: O(edges × nesting depth), without recursion.

use super::cfg::{ControlFlow, EdgeRef};
use super::{Block, FunctionData, Value};
use std::ops::Range;
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, TermPool};

terms::entity! {
    /// A loop of a function.
    Loop, "l"
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopData {
    /// The loop head.
    pub head: Block,
    /// The edges from blocks of the loop to its head, in order of their source.
    pub back_edges: Vec<EdgeRef>,
    /// The edges from outside the loop to the head.
    pub entries: Vec<EdgeRef>,
    /// The edges from outside the loop to blocks other than the head; empty in a reducible graph.
    pub other_entries: Vec<EdgeRef>,
    /// The edges from blocks of the loop to blocks outside it, in the order of
    /// [`LoopForest::order`].
    pub exits: Vec<EdgeRef>,
    /// The innermost enclosing loop.
    pub parent: Option<Loop>,
    /// The immediate inner loops, in order.
    pub children: Vec<Loop>,
    /// The nesting depth; 1 for an outermost loop.
    pub depth: u32,
    /// The positions of the loop's blocks in [`LoopForest::order`], head first.
    pub range: Range<usize>,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: PrimaryMap<Loop, LoopData>,
    order: Vec<Block>,
    /// The position in `order` by block; `usize::MAX` for unreachable blocks.
    positions: Vec<usize>,
    innermost: Vec<Option<Loop>>,
}

enum Task {
    /// Decompose the blocks with this label into components.
    Split { blocks: Vec<Block>, label: u32, parent: Option<Loop> },
    /// A component without a cycle.
    Emit { block: Block, parent: Option<Loop> },
    /// A component with a cycle.
    Component { blocks: Vec<Block>, parent: Option<Loop> },
    /// All blocks of the loop are in the order.
    Close(Loop),
}

impl LoopForest {
    /// Computes the loops of `graph`.
    pub fn new(graph: &ControlFlow) -> Self {
        let count = graph.block_count();
        let mut forest = LoopForest {
            loops: PrimaryMap::new(),
            order: Vec::new(),
            positions: vec![usize::MAX; count],
            innermost: vec![None; count],
        };
        // The innermost set of blocks, not yet decomposed, that contains the block.
        let mut labels = vec![u32::MAX; count];
        let mut next_label = 0;
        let mut splitter = Splitter::new(count);
        let mut tasks = Vec::new();
        let mut split = |blocks: Vec<Block>, parent, labels: &mut Vec<u32>, tasks: &mut Vec<Task>| {
            for block in &blocks {
                labels[block.index()] = next_label;
            }
            tasks.push(Task::Split { blocks, label: next_label, parent });
            next_label += 1;
        };
        split(graph.reverse_postorder().to_vec(), None, &mut labels, &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Split { blocks, label, parent } => {
                    // Components arrive in reverse topological order, so the topologically first
                    // one ends on top of the stack.
                    splitter.components(graph, &blocks, &labels, label, &mut |component| {
                        let is_cyclic =
                            component.len() > 1 || graph.successors(component[0]).contains(&component[0]);
                        tasks.push(if is_cyclic {
                            Task::Component { blocks: component, parent }
                        } else {
                            Task::Emit { block: component[0], parent }
                        });
                    });
                }
                Task::Emit { block, parent } => forest.emit(block, parent),
                Task::Component { mut blocks, parent } => {
                    blocks.sort_unstable_by_key(|&block| graph.position(block));
                    for block in &blocks {
                        labels[block.index()] = u32::MAX - 1;
                    }
                    let is_inside = |block: Block| labels[block.index()] == u32::MAX - 1;
                    let new = forest.open(graph, &blocks, parent, &is_inside);
                    let head = forest.loops[new].head;
                    forest.emit(head, Some(new));
                    for block in &blocks {
                        labels[block.index()] = u32::MAX;
                    }
                    tasks.push(Task::Close(new));
                    blocks.retain(|&block| block != head);
                    split(blocks, Some(new), &mut labels, &mut tasks);
                }
                Task::Close(done) => {
                    let data = &mut forest.loops[done];
                    data.range.end = forest.order.len();
                    let positions = &forest.positions;
                    data.exits.sort_by_key(|edge| (positions[edge.from.index()], edge.index));
                }
            }
        }
        forest
    }

    fn emit(&mut self, block: Block, innermost: Option<Loop>) {
        self.positions[block.index()] = self.order.len();
        self.order.push(block);
        self.innermost[block.index()] = innermost;
    }

    fn open(
        &mut self,
        graph: &ControlFlow,
        blocks: &[Block],
        parent: Option<Loop>,
        is_inside: &dyn Fn(Block) -> bool,
    ) -> Loop {
        let is_entry = |block: Block| {
            block == graph.entry() || graph.predecessors(block).iter().any(|edge| !is_inside(edge.from))
        };
        let head = *blocks.iter().find(|&&block| is_entry(block)).expect("a reachable loop has an entry");
        let mut data = LoopData {
            head,
            back_edges: Vec::new(),
            entries: Vec::new(),
            other_entries: Vec::new(),
            exits: Vec::new(),
            parent,
            children: Vec::new(),
            depth: parent.map_or(1, |parent| self.loops[parent].depth + 1),
            range: self.order.len()..self.order.len(),
        };
        for &block in blocks {
            for &edge in graph.predecessors(block) {
                match (block == head, is_inside(edge.from)) {
                    (true, true) => data.back_edges.push(edge),
                    (true, false) => data.entries.push(edge),
                    (false, true) => {}
                    (false, false) => data.other_entries.push(edge),
                }
            }
            data.exits.extend(graph.outgoing(block).filter(|&edge| !is_inside(graph.target(edge))));
        }
        let new = self.loops.push(data);
        if let Some(parent) = parent {
            self.loops[parent].children.push(new);
        }
        new
    }

    /// All loops in order of their heads; an outer loop precedes its inner loops.
    pub fn loops(&self) -> &PrimaryMap<Loop, LoopData> {
        &self.loops
    }

    /// The data of a loop.
    pub fn data(&self, of: Loop) -> &LoopData {
        &self.loops[of]
    }

    /// The reachable blocks in weak topological order.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// The position of a block in [`order`](Self::order); `None` if it is unreachable.
    pub fn position(&self, block: Block) -> Option<usize> {
        let position = self.positions[block.index()];
        (position != usize::MAX).then_some(position)
    }

    /// The blocks of a loop in order, including those of inner loops, head first.
    pub fn blocks(&self, of: Loop) -> &[Block] {
        &self.order[self.loops[of].range.clone()]
    }

    /// Whether the block is in the loop or in one of its inner loops.
    pub fn contains(&self, outer: Loop, block: Block) -> bool {
        self.loops[outer].range.contains(&self.positions[block.index()])
    }

    /// The innermost loop that contains the block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block.index()]
    }

    /// The number of loops that contain the block.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |inner| self.loops[inner].depth)
    }

    /// The loops that contain the block, outermost first.
    pub fn path(&self, block: Block) -> Vec<Loop> {
        let mut path: Vec<Loop> =
            std::iter::successors(self.innermost(block), |&inner| self.loops[inner].parent).collect();
        path.reverse();
        path
    }

    /// The loop with this head.
    pub fn headed_by(&self, block: Block) -> Option<Loop> {
        self.innermost(block).filter(|&inner| self.loops[inner].head == block)
    }

    /// Whether every loop is entered only at its head.
    pub fn is_reducible(&self) -> bool {
        self.loops.values().all(|data| data.other_entries.is_empty())
    }

    /// The parameters of the loop head that a back edge may change. All other values that the loop
    /// uses and does not define, and all other parameters, are loop-invariant.
    pub fn carried(&self, of: Loop, function: &FunctionData, pool: &TermPool) -> Vec<Value> {
        let data = &self.loops[of];
        let parameters = function.blocks[data.head].parameters.iter().enumerate();
        let is_changed = |index: usize, parameter: Value| {
            data.back_edges.iter().any(|edge| {
                let argument = edge.edge(function).arguments[index];
                !matches!(pool.op(argument), Op::Value(value) if value == parameter.0)
            })
        };
        parameters.filter(|&(index, &value)| is_changed(index, value)).map(|(_, &value)| value).collect()
    }
}

/// Tarjan's algorithm with an explicit stack; buffers are reused between runs.
struct Splitter {
    /// The visit number; 0 if not visited in this run.
    number: Vec<u32>,
    low: Vec<u32>,
    is_on_stack: Vec<bool>,
}

impl Splitter {
    fn new(blocks: usize) -> Self {
        Splitter { number: vec![0; blocks], low: vec![0; blocks], is_on_stack: vec![false; blocks] }
    }

    /// Reports the strongly connected components of the subgraph of `blocks` (all blocks with this
    /// label, in reverse postorder), in reverse topological order.
    fn components(
        &mut self,
        graph: &ControlFlow,
        blocks: &[Block],
        labels: &[u32],
        label: u32,
        found: &mut dyn FnMut(Vec<Block>),
    ) {
        for block in blocks {
            self.number[block.index()] = 0;
        }
        let mut clock = 0;
        let mut path = Vec::new();
        let mut stack: Vec<(Block, usize)> = Vec::new();
        // Roots and successors are visited last to first, which keeps the order close to the
        // reverse postorder.
        for &root in blocks.iter().rev() {
            if self.number[root.index()] != 0 {
                continue;
            }
            stack.push((root, graph.successors(root).len() + 1));
            while let Some((block, remaining)) = stack.last_mut() {
                let (block, at) = (*block, block.index());
                if *remaining == graph.successors(block).len() + 1 {
                    clock += 1;
                    self.number[at] = clock;
                    self.low[at] = clock;
                    self.is_on_stack[at] = true;
                    path.push(block);
                    *remaining -= 1;
                }
                if *remaining > 0 {
                    *remaining -= 1;
                    let next = graph.successors(block)[*remaining];
                    if labels[next.index()] != label {
                        continue;
                    }
                    if self.number[next.index()] == 0 {
                        stack.push((next, graph.successors(next).len() + 1));
                    } else if self.is_on_stack[next.index()] {
                        self.low[at] = self.low[at].min(self.number[next.index()]);
                    }
                    continue;
                }
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    let low = self.low[at];
                    let parent = &mut self.low[parent.index()];
                    *parent = (*parent).min(low);
                }
                if self.low[at] == self.number[at] {
                    let start =
                        path.iter().rposition(|&other| other == block).expect("the root is on the path");
                    let component = path.split_off(start);
                    for block in &component {
                        self.is_on_stack[block.index()] = false;
                    }
                    found(component);
                }
            }
        }
    }
}
