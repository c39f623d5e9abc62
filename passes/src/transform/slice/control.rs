//! Postdominators and control dependence.
//!
//! Ferrante, Ottenstein, Warren, *The Program Dependence Graph and Its Use in Optimization*, TOPLAS
//! 1987, §3.1: a block depends on a branch if one edge of the branch always leads to it and another
//! one may avoid it. Postdominators are dominators of the reversed graph, by the algorithm of
//! [`program::ssa::dominators`].
//!
//! The end of the function is an additional node, the successor of all blocks that end the
//! function, and of each block whose last call may end the program. From a loop that is left only
//! by failures, if at all, the first block in reverse postorder gets an edge to the end: the code
//! after the branch that enters the loop depends on the branch, and a failure in the loop depends
//! on the branches that lead to it, although nothing else would ever follow.
//!
//! Cost: that of the dominators, plus the size of the result, which is quadratic in nests of
//! branches in the worst case.

use program::ssa::Block;
use program::ssa::cfg::ControlFlow;
use terms::entity::Entity;

/// Control dependence in a function.
#[derive(Clone, Debug)]
pub(super) struct ControlDependence {
    /// For each block, its immediate postdominator; `None` for the end.
    next: Vec<Option<Block>>,
    /// For each block, the branches on which it depends.
    branches: Vec<Vec<Block>>,
    /// One block of each loop that is never left.
    endless: Vec<Block>,
}

/// Whether a block may end the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ending {
    /// It does not.
    None,
    /// Only by an error or an unsupported construct.
    Failure,
    /// Also in other ways.
    Normal,
}

const UNKNOWN: usize = usize::MAX;

impl ControlDependence {
    /// Control dependence in the function of `graph`. `ending` classifies the blocks that may end
    /// the program.
    pub(super) fn new(graph: &ControlFlow, ending: &dyn Fn(Block) -> Ending) -> Self {
        let count = graph.block_count();
        let end = count;
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &block in graph.reverse_postorder() {
            let targets = &mut successors[block.index()];
            targets.extend(graph.successors(block).iter().map(|target| target.index()));
            targets.sort_unstable();
            targets.dedup();
            if targets.is_empty() || ending(block) != Ending::None {
                targets.push(end);
            }
        }
        let endless = leave_endless_loops(graph, ending, &mut successors);
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for (from, targets) in successors.iter().enumerate() {
            for &target in targets {
                predecessors[target].push(from);
            }
        }
        let immediate = immediate_postdominators(&successors, &predecessors);
        let mut branches = vec![Vec::new(); count];
        for &block in graph.reverse_postorder() {
            let from = block.index();
            if successors[from].len() < 2 {
                continue;
            }
            for &target in &successors[from] {
                let mut runner = target;
                while runner != immediate[from] && runner != end {
                    let dependent: &mut Vec<Block> = &mut branches[runner];
                    if dependent.last() != Some(&block) {
                        dependent.push(block);
                    }
                    runner = immediate[runner];
                }
            }
        }
        let next = (0..count)
            .map(|block| Some(immediate[block]).filter(|&next| next < count).map(Block::new))
            .collect();
        ControlDependence { next, branches, endless }
    }

    /// The immediate postdominator of `block`; `None` if it is the end of the function.
    pub(super) fn next(&self, block: Block) -> Option<Block> {
        self.next[block.index()]
    }

    /// The blocks whose terminators decide whether `block` is executed.
    pub(super) fn branches(&self, block: Block) -> &[Block] {
        &self.branches[block.index()]
    }

    /// One block of each loop that is never left.
    pub(super) fn endless(&self) -> &[Block] {
        &self.endless
    }
}

/// Adds an edge to the end for each loop that is left only by failures.
fn leave_endless_loops(
    graph: &ControlFlow,
    ending: &dyn Fn(Block) -> Ending,
    successors: &mut [Vec<usize>],
) -> Vec<Block> {
    let end = successors.len();
    let mut reaches = vec![false; end + 1];
    let mut endless = Vec::new();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for (from, targets) in successors.iter().enumerate() {
        for &target in targets {
            if target != end || ending(Block::new(from)) != Ending::Failure {
                predecessors[target].push(from);
            }
        }
    }
    let spread = |start: usize, reaches: &mut Vec<bool>| {
        let mut work = vec![start];
        reaches[start] = true;
        while let Some(node) = work.pop() {
            for &from in &predecessors[node] {
                if !std::mem::replace(&mut reaches[from], true) {
                    work.push(from);
                }
            }
        }
    };
    spread(end, &mut reaches);
    for &block in graph.reverse_postorder() {
        if !reaches[block.index()] && is_in_cycle(graph, block) {
            successors[block.index()].push(end);
            endless.push(block);
            spread(block.index(), &mut reaches);
        }
    }
    endless
}

/// Whether the block is on a cycle.
fn is_in_cycle(graph: &ControlFlow, block: Block) -> bool {
    let mut is_seen = vec![false; graph.block_count()];
    let mut work: Vec<Block> = graph.successors(block).to_vec();
    while let Some(here) = work.pop() {
        if here == block {
            return true;
        }
        if !std::mem::replace(&mut is_seen[here.index()], true) {
            work.extend_from_slice(graph.successors(here));
        }
    }
    false
}

/// The immediate postdominator of each node.
fn immediate_postdominators(successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let end = successors.len();
    let mut postorder = Vec::new();
    let mut is_seen = vec![false; end + 1];
    let mut stack = vec![(end, 0)];
    is_seen[end] = true;
    while let Some((node, next)) = stack.last_mut() {
        match predecessors[*node].get(*next) {
            Some(&from) => {
                *next += 1;
                if !std::mem::replace(&mut is_seen[from], true) {
                    stack.push((from, 0));
                }
            }
            None => {
                postorder.push(*node);
                stack.pop();
            }
        }
    }
    let mut number = vec![UNKNOWN; end + 1];
    for (position, &node) in postorder.iter().enumerate() {
        number[node] = position;
    }
    let mut immediate = vec![UNKNOWN; end + 1];
    immediate[end] = end;
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &node in postorder.iter().rev().skip(1) {
            let mut best = UNKNOWN;
            for &target in &successors[node] {
                if immediate[target] == UNKNOWN {
                    continue;
                }
                best = if best == UNKNOWN { target } else { meet(&immediate, &number, best, target) };
            }
            if immediate[node] != best {
                immediate[node] = best;
                is_changed = true;
            }
        }
    }
    immediate
}

/// The nearest common postdominator of two nodes.
fn meet(immediate: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = immediate[a];
        }
        while number[b] < number[a] {
            b = immediate[b];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::TermPool;

    fn graph(blocks: &str) -> ControlFlow {
        let text = format!(
            "machine 32\nentry f0\nproperty p0 reach-call \"error\"\nfunction f0 \"main\" () {{\n{blocks}\n}}\n"
        );
        let program =
            program::text::parse_text(&mut TermPool::new(), &text).unwrap_or_else(|e| panic!("{e}"));
        ControlFlow::new(&program.functions[program.entry])
    }

    #[test]
    fn what_comes_after_an_assumption_depends_on_it() {
        let graph = graph(
            "block b0:\n v0: bool = havoc input \"n\"\n branch v0 then b1 else b2\n\
             block b1:\n stop assume\n block b2:\n branch v0 then b3 else b4\n\
             block b3:\n goto b4\n block b4:\n return",
        );
        let control = ControlDependence::new(&graph, &|_| Ending::None);
        assert_eq!(control.branches(Block(1)), [Block(0)]);
        assert_eq!(control.branches(Block(2)), [Block(0)]);
        assert_eq!(control.branches(Block(3)), [Block(2)]);
        assert_eq!(control.branches(Block(4)), [Block(0)]);
        assert_eq!((control.next(Block(2)), control.next(Block(0))), (Some(Block(4)), None));
    }

    #[test]
    fn what_comes_after_a_branch_into_an_endless_loop_depends_on_it() {
        let graph = graph(
            "block b0:\n v0: bool = havoc input \"n\"\n branch v0 then b1 else b3\n\
             block b1:\n goto b2\n block b2:\n goto b1\n block b3:\n error p0",
        );
        let control = ControlDependence::new(&graph, &|_| Ending::None);
        assert_eq!(control.branches(Block(3)), [Block(0)]);
        assert_eq!(control.endless(), [Block(1)]);
        let ending = |block| if block == Block(2) { Ending::Normal } else { Ending::None };
        let after_loop = ControlDependence::new(&graph, &ending);
        assert!(after_loop.endless().is_empty());
    }

    #[test]
    fn a_failure_that_is_the_only_way_out_of_a_loop_depends_on_its_branch() {
        let graph = graph(
            "block b0:\n goto b1\n block b1:\n v0: bool = havoc input \"n\"\n branch v0 then b2 else b1\n\
             block b2:\n error p0",
        );
        let ending = |block| if block == Block(2) { Ending::Failure } else { Ending::None };
        let control = ControlDependence::new(&graph, &ending);
        assert!(control.branches(Block(2)).contains(&Block(1)));
        assert_eq!(control.endless(), [Block(1)]);
    }

    #[test]
    fn what_comes_after_a_loop_does_not_depend_on_it() {
        let graph = graph(
            "block b0:\n goto b1\n block b1:\n v0: bool = havoc input \"n\"\n branch v0 then b2 else b3\n\
             block b2:\n goto b1\n block b3:\n error p0",
        );
        let control = ControlDependence::new(&graph, &|_| Ending::None);
        assert_eq!(control.branches(Block(2)), [Block(1)]);
        assert_eq!(control.branches(Block(1)), [Block(1)]);
        assert!(control.branches(Block(3)).is_empty());
        assert_eq!(control.next(Block(1)), Some(Block(3)));
    }
}
