//! Storage of the nodes: the only module of the pool with `unsafe` code.
//!
//! A node takes 32 bytes; its children are a slice in a [`Bump`] arena owned by the same struct.
//! Rust cannot express a struct that borrows from itself, so a node keeps a raw pointer and
//! [`NodeArena::children`] turns it back into a slice whose lifetime is bounded by the borrow of
//! the arena. Nodes are only added; the arena frees all of them at once.
#![allow(unsafe_code, reason = "the nodes borrow from the arena beside them")]

use super::{Op, Sort, Term};
use bumpalo::Bump;
use std::ptr::NonNull;

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    len: u32,
    /// Points to `len` initialized terms in the arena; dangling if `len` is 0.
    children: NonNull<Term>,
}

/// All nodes of a pool, by term id.
pub(super) struct NodeArena {
    nodes: Vec<Node>,
    arena: Bump,
}

// SAFETY: a `Node` points into the `Bump` of the same struct. The `Bump` moves along with it, and
// its chunks do not move. No other pointer into it exists, so ownership may pass to another thread.
unsafe impl Send for NodeArena {}

// SAFETY: `&NodeArena` gives no access to the `Bump` (only `push`, which takes `&mut self`,
// allocates), and the slices that `children` reads are never written after `push` has returned.
unsafe impl Sync for NodeArena {}

impl NodeArena {
    pub(super) fn new() -> Self {
        NodeArena { nodes: Vec::new(), arena: Bump::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn push(&mut self, op: Op, sort: Sort, children: &[Term]) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("a pool holds fewer than 2^32 terms"));
        let len = u32::try_from(children.len()).expect("a term has fewer than 2^32 children");
        let children = match children {
            [] => NonNull::dangling(),
            _ => NonNull::from(self.arena.alloc_slice_copy(children)).cast(),
        };
        self.nodes.push(Node { op, sort, len, children });
        term
    }

    #[inline]
    pub(super) fn op(&self, term: Term) -> Op {
        self.nodes[term.0 as usize].op
    }

    #[inline]
    pub(super) fn sort(&self, term: Term) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    #[inline]
    pub(super) fn children(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.0 as usize];
        // SAFETY: `push` made `children` from a slice of `len` terms in `self.arena` (or dangling,
        // aligned, for 0). The arena is neither reset nor dropped while `self` is borrowed, and
        // nothing writes to the slice.
        unsafe { std::slice::from_raw_parts(node.children.as_ptr(), node.len as usize) }
    }

    /// Whether the term is this one.
    #[inline]
    pub(super) fn is(&self, term: Term, op: Op, sort: Sort, children: &[Term]) -> bool {
        let node = &self.nodes[term.0 as usize];
        node.op == op
            && match (self.children(term), children) {
                // Most lists are too short for a call of `memcmp`.
                ([], []) => node.sort == sort,
                (&[a], &[b]) => a == b,
                (&[a, c], &[b, d]) => a == b && c == d,
                (of, children) => of == children,
            }
    }

    /// Bytes used by nodes and children.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.arena.allocated_bytes()
    }
}
