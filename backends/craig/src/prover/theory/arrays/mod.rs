//! The theory of arrays.
//!
//! # Idea
//! Arrays are nodes of the closure. Reads, writes and constant arrays are applications in it; to
//! the closure, a read is a function of array and index. Lemmas add the meaning of the operators.
//! They are instances of the fixed list of schemas [`ArrayLemma`], and only instances that the
//! current assignment violates are added: *lemmas on demand* (Brummayer, Biere: *Lemmas on Demand
//! for the Extensional Theory of Arrays*, JSAT 2009).
//!
//! Once all variables are assigned and the other theories agree, `candidate` constructs a model of
//! the arrays. The classes of arrays are the vertices of a graph, with an edge between each write
//! and the array that it modifies. Two arrays have the same element at an index if there is a path
//! between them that does not write the index: they are *weakly equivalent* there (Christ,
//! Hoenicke: *Weakly Equivalent Arrays*, FroCoS 2015). All reads, writes and constant arrays at one
//! index must have one value among arrays that are weakly equivalent there. If they have not,
//! `lemmas` adds the lemmas of one path. If they have, arrays get values, with a default for
//! unconstrained elements: the element of a constant array that any path reaches, else the default
//! of the sort, as in de Moura, Bjørner: *Generalized, Efficient Array Decision Procedures*, FMCAD
//! 2009.
//!
//! Arrays that must differ but have equal values get an index at which they differ, the *witness*.
//! An equality must be false only if it occurs negatively (Plaisted, Greenbaum); other equalities,
//! such as those of `ite`s and definitions, never get a witness. Array arguments of functions with
//! equal values get an equality atom if the results of the functions differ.
//!
//! DIVERGENCE: the lemmas of Christ and Hoenicke are about whole paths and need no new reads. Here
//! a path is split into chains of writes that are chains of terms. Each chain has a lemma of its
//! own, about reads at both ends; the closure handles the equalities in between. The validity of a
//! lemma therefore depends on terms alone, without a proof of equalities, while a chain of any
//! length costs one lemma.
//!
//! # Finite index sorts
//! Two constant arrays with a path between them are equal, unless each index is written on the
//! path. If they differ in the candidate, both are read at an index that is written nowhere; if
//! every index is written, no lemma is needed.
//!
//! # Cost
//! A final check walks up a tree of the graph for each read, write and index: O(n·d) for n of these
//! and depth d. At most [`CONFLICTS`](candidate::CONFLICTS) violations per check become lemmas.
//!
//! # Limits
//! Array sorts are nested at most [`DEEPEST`] times. Uninterpreted sorts and arrays cannot be
//! enumerated as index sorts: where an index that is written nowhere is needed, the answer is
//! `Unknown`.

mod candidate;
mod lemmas;

pub use lemmas::{ArrayLemma, WrongArrayLemma};

pub(crate) use candidate::Candidate;

use super::words::Definitions;
use super::{Combination, Name, Source, kind_of};
use crate::prover::cnf::clauses::{ClauseSink, Tag};
use crate::prover::cnf::gates::Signal;
use crate::prover::euf::Node;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::{Entity, SecondaryMap};
use terms::{ArraySort, Sort, Term, TermPool};

/// Maximum nesting depth of array sorts.
pub const DEEPEST: usize = 8;

// Functions of the closure that no symbol uses.
const READ: u32 = u32::MAX;
const WRITE: u32 = u32::MAX - 1;
/// The function of constant arrays of the first sort; those of other sorts count down from it.
const CONSTANT: u32 = u32::MAX - 2;
const LEAST: u32 = 1 << 31;

/// An application of the theory of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayTerm {
    /// The element of an array at an index.
    Read {
        /// The array.
        array: Node,
        /// The index.
        index: Node,
    },
    /// An array with one element replaced.
    Write {
        /// The original array.
        array: Node,
        /// The index.
        index: Node,
        /// The new element.
        element: Node,
    },
    /// The array with the same element everywhere.
    Constant {
        /// The element.
        element: Node,
    },
}

/// The index and element sorts of an array sort.
#[derive(Clone, Copy, Debug)]
struct Shape {
    index: Sort,
    element: Sort,
    /// 1 if neither is an array sort.
    depth: usize,
}

/// The state of the theory of arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrays {
    shapes: IndexMap<ArraySort, Shape, FxBuildHasher>,
    sorts: SecondaryMap<Node, Option<ArraySort>>,
    /// All arrays, oldest first.
    nodes: Vec<Node>,
    writes: Vec<Node>,
    constants: Vec<Node>,
    reads: IndexMap<(Node, Node), Node, FxBuildHasher>,
    /// The equalities of arrays, with their signals.
    equalities: Vec<(Node, Node, Signal)>,
    /// For each pair of arrays, an index at which they differ unless they are equal.
    witnesses: IndexMap<(Node, Node), Node, FxBuildHasher>,
    /// The sorts of nodes without terms.
    made: FxHashMap<Node, Sort>,
    /// For lookup only.
    told: FxHashSet<ArrayLemma>,
    /// By number, if certificates are kept.
    lemmas: Vec<ArrayLemma>,
    number_of_lemmas: u32,
}

/// The nesting depth; `None` if it exceeds [`DEEPEST`].
pub fn depth(pool: &TermPool, sort: Sort) -> Option<usize> {
    let mut stack = vec![(sort, 0)];
    let mut deepest = 0;
    while let Some((sort, above)) = stack.pop() {
        if let Sort::Array(parts) = sort {
            let depth = above + 1;
            if depth > DEEPEST {
                return None;
            }
            deepest = deepest.max(depth);
            let (index, element) = pool.array_sort_parts(parts);
            stack.extend([(index, depth), (element, depth)]);
        }
    }
    Some(deepest)
}

impl Combination {
    /// Registers a node as an array.
    pub fn register_array(&mut self, pool: &TermPool, node: Node, sort: ArraySort) {
        self.register_sort(pool, sort);
        self.register(node, sort);
    }

    /// Records the index and element sorts of an array sort, recursively.
    fn register_sort(&mut self, pool: &TermPool, sort: ArraySort) {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if self.arrays.shapes.contains_key(&sort) {
                continue;
            }
            let (index, element) = pool.array_sort_parts(sort);
            let depth = depth(pool, Sort::Array(sort)).expect("deeper sorts are refused");
            self.arrays.shapes.insert(sort, Shape { index, element, depth });
            stack.extend([index, element].into_iter().filter_map(|part| match part {
                Sort::Array(sort) => Some(sort),
                _ => None,
            }));
        }
    }

    fn register(&mut self, node: Node, sort: ArraySort) {
        if self.arrays.sorts[node].is_none() {
            self.arrays.sorts[node] = Some(sort);
            self.arrays.nodes.push(node);
        }
    }

    /// The read of an array at an index, if it is a node.
    pub fn known_read(&self, array: Node, index: Node) -> Option<Node> {
        self.arrays.reads.get(&(array, index)).copied()
    }

    /// Creates a node for a read. The caller connects it to the bits or number of its element, as
    /// for a function.
    pub fn read_term(&mut self, term: Term, array: Node, index: Node) -> Node {
        let node = self.apply(term, READ, &[array, index]);
        self.arrays.reads.insert((array, index), node);
        node
    }

    /// Creates a node for a write.
    pub fn write_term(&mut self, term: Term, array: Node, index: Node, element: Node) -> Node {
        let node = self.apply(term, WRITE, &[array, index, element]);
        self.arrays.writes.push(node);
        node
    }

    /// Creates a node for a constant array.
    pub fn constant_term(&mut self, pool: &TermPool, term: Term, sort: ArraySort, element: Node) -> Node {
        self.register_sort(pool, sort);
        let number = self.arrays.shapes.get_index_of(&sort).expect("it is registered");
        let number = u32::try_from(number).expect("there are fewer than 2^31 sorts");
        let node = self.apply(term, CONSTANT - number, &[element]);
        self.arrays.constants.push(node);
        node
    }

    /// The array term of a node.
    pub fn array_term(&self, node: Node) -> Option<ArrayTerm> {
        let application = self.congruence.application(node)?;
        match (application.function, &application.arguments[..]) {
            (READ, &[array, index]) => Some(ArrayTerm::Read { array, index }),
            (WRITE, &[array, index, element]) => Some(ArrayTerm::Write { array, index, element }),
            (LEAST..=CONSTANT, &[element]) => Some(ArrayTerm::Constant { element }),
            _ => None,
        }
    }

    /// The term of a node other than a sum, including nodes that the search created. A witness is a
    /// symbol that occurs nowhere else: its name is reserved for solvers.
    pub(super) fn own_term(&self, pool: &mut TermPool, node: Node) -> Term {
        if let Some(term) = self.term(node) {
            return term;
        }
        if let Some(value) = self.truth.iter().position(|&truth| truth == node) {
            return pool.bool(value == 1);
        }
        // The recursion depth is at most the nesting depth of sorts.
        match self.array_term(node) {
            Some(ArrayTerm::Read { array, index }) => {
                let (array, index) = (self.node_term(pool, array), self.node_term(pool, index));
                pool.select(array, index)
            }
            _ => {
                if let (true, Some(bits)) = (self.congruence.is_value(node), self.word_bits(node)) {
                    let value = super::word_value(bits, |bit| bit == Signal::TRUE);
                    return pool.bit_vector(&value);
                }
                let sort = self.arrays.made.get(&node).copied().expect("it has a term or was made here");
                match self.number_of(node) {
                    Some(number) if self.congruence.is_value(node) => {
                        pool.number(sort, &self.linear(number).constant.to_big())
                    }
                    _ => pool.symbol(&format!(".witness{}", node.index()), sort),
                }
            }
        }
    }

    /// The read of an array at an index; created if needed.
    fn read(&mut self, array: Node, index: Node, sink: &mut impl ClauseSink) -> Node {
        if let Some(known) = self.known_read(array, index) {
            return known;
        }
        let node = self.congruence.apply(READ, &[array, index]);
        self.applications.push(node);
        self.arrays.reads.insert((array, index), node);
        let element = self.shape(array).element;
        self.connect_new(node, element, sink);
        node
    }

    /// Creates a node without constraints.
    fn new_node(&mut self, sort: Sort, sink: &mut impl ClauseSink) -> Node {
        let node = self.congruence.leaf();
        self.arrays.made.insert(node, sort);
        self.connect_new(node, sort, sink);
        node
    }

    /// Connects a new node to an unconstrained value.
    fn connect_new(&mut self, node: Node, sort: Sort, sink: &mut impl ClauseSink) {
        match sort {
            Sort::Bool => {
                let signal = self.input(Source::NodeTruth(node));
                self.connect_truth(node, signal, sink);
            }
            Sort::BitVec(width) => {
                let bits: Vec<Signal> =
                    (0..width).map(|bit| self.input(Source::NodeBit(node, bit))).collect();
                self.connect_word(node, &bits, sink);
            }
            Sort::Array(sort) => self.register(node, sort),
            _ => {
                if let Some(kind) = kind_of(sort) {
                    let linear = self.number_variable(Name::Node(node), kind);
                    let number = self.number(linear);
                    self.connect_number(node, kind, number);
                }
            }
        }
    }

    /// Records an equality if it is between arrays.
    pub(super) fn note_equality(&mut self, (left, right): (Node, Node), signal: Signal) {
        if self.arrays.sorts[left].is_some() {
            self.arrays.equalities.push((left, right, signal));
        }
    }

    fn shape(&self, array: Node) -> Shape {
        let sort = self.arrays.sorts[array].expect("arrays are registered");
        self.arrays.shapes[&sort]
    }

    /// The signal of the equality of two nodes of one sort; it may occur negatively.
    fn same(&mut self, left: Node, right: Node, sink: &mut impl ClauseSink) -> Signal {
        if self.are_different(left, right) {
            return Signal::FALSE;
        }
        self.equality(left, right, sink)
    }

    /// Whether two nodes always differ: different values, or sums of one base and different
    /// constants.
    fn are_different(&self, left: Node, right: Node) -> bool {
        match (self.original_bits(left), self.original_bits(right)) {
            (Some(left), Some(right)) => self.are_apart(&left, &right),
            _ => left != right && self.congruence.is_value(left) && self.congruence.is_value(right),
        }
    }

    /// Starts definitions for array lemmas.
    fn definitions<'a>(
        &mut self,
        fresh: &'a mut dyn FnMut() -> crate::prover::sat::Variable,
        consequences: &'a mut crate::prover::sat::Consequences,
    ) -> Definitions<'a> {
        self.begin(Tag::Arrays);
        Definitions { fresh, lemmas: &mut consequences.lemmas }
    }
}
