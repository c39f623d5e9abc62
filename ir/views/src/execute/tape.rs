//! Terms over IR values, compiled for repeated evaluation.
//!
//! [`TermPool::map_leaves`] walks a term with a hash map each time. An instruction that is executed
//! in a million instances is walked once instead: its nodes in postorder become a tape, and running
//! the tape takes one constructor call per node. Subterms without values stay as they are. Nodes
//! that their `ranges` determine become constants.

use super::ranges::Ranges;
use rustc_hash::FxHashMap;
use terms::{Op, Term, TermPool};

/// A term over values in postorder.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// The nodes; the last one is the root.
    nodes: Box<[Node]>,
    /// Children of the `Apply` nodes, as indices of nodes.
    children: Box<[u32]>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Constant(Term),
    Value(u32),
    Apply { term: Term, start: u32, end: u32 },
}

/// Buffers for [`Tape::run`], reused between runs, and the ranges of its results.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) ranges: Ranges,
    results: Vec<Term>,
    arguments: Vec<Term>,
}

impl Tape {
    /// Compiles `term`, in time linear in its number of distinct subterms.
    pub(crate) fn new(pool: &TermPool, term: Term) -> Self {
        let mut nodes = Vec::new();
        let mut children = Vec::new();
        // The node of each finished subterm.
        let mut slots: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = vec![(term, false)];
        while let Some((current, is_expanded)) = stack.pop() {
            if slots.contains_key(&current) {
                continue;
            }
            let below = pool.children(current);
            let node = if let Op::Value(value) = pool.op(current) {
                Node::Value(value)
            } else if below.is_empty() {
                Node::Constant(current)
            } else if !is_expanded {
                stack.push((current, true));
                stack.extend(below.iter().rev().map(|&child| (child, false)));
                continue;
            } else if below.iter().all(|child| matches!(nodes[slots[child] as usize], Node::Constant(_))) {
                Node::Constant(current)
            } else {
                let start = children.len() as u32;
                children.extend(below.iter().map(|child| slots[child]));
                Node::Apply { term: current, start, end: children.len() as u32 }
            };
            slots.insert(current, nodes.len() as u32);
            nodes.push(node);
        }
        if let Some(&root @ (Node::Constant(_) | Node::Value(_))) = nodes.last() {
            return Tape { nodes: Box::new([root]), children: Box::new([]) };
        }
        Tape { nodes: nodes.into_boxed_slice(), children: children.into_boxed_slice() }
    }

    /// The values in the term.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().filter_map(|node| match node {
            Node::Value(value) => Some(*value),
            _ => None,
        })
    }

    /// The term with each value replaced by its entry of `environment`.
    pub(crate) fn run(&self, pool: &mut TermPool, environment: &[Term], scratch: &mut Scratch) -> Term {
        match &*self.nodes {
            [Node::Constant(term)] => return *term,
            [Node::Value(value)] => return environment[*value as usize],
            _ => {}
        }
        scratch.results.clear();
        for node in &self.nodes {
            let result = match *node {
                Node::Constant(term) => term,
                Node::Value(value) => environment[value as usize],
                Node::Apply { term, start, end } => {
                    scratch.arguments.clear();
                    for &child in &self.children[start as usize..end as usize] {
                        scratch.arguments.push(scratch.results[child as usize]);
                    }
                    let result = pool.rebuild(term, &scratch.arguments);
                    scratch.ranges.fold(pool, result)
                }
            };
            scratch.results.push(result);
        }
        *scratch.results.last().expect("a tape has a root")
    }
}
