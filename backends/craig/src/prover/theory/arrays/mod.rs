//! Arrays.
//!
//! # Idea
//! Arrays are nodes of the closure. Reads, writes and constant arrays are applications in it, so that to it a read is a function of array and index.
//! What the operators mean beyond that is told by lemmas, instances of the fixed list [`ArrayLemma`], and only those that the
//! present assignment violates: *lemmas on demand* (Brummayer, Biere: *Lemmas on Demand for the Extensional Theory of
//! Arrays*, JSAT 2009).
//!
//! When all is assigned and the other theories agree, `candidate` makes a model of the arrays: the classes of arrays are the vertices
//! of a graph, with an edge between each write and the array that it changes. Two arrays hold the same at an index if there is a
//! path between them on which nothing is written at that index: they are *weakly equivalent* there (Christ, Hoenicke:
//! *Weakly Equivalent Arrays*, FroCoS 2015). What is read, written or held by a constant array at one index among arrays that are weakly equivalent
//! there has to be one value. If it is not, `lemmas` tells what is needed along one path. If it is, arrays have values, with a
//! default where nothing is known: the element of a constant array to which there is any path at all, else the
//! default of the sort, as in de Moura, Bjørner: *Generalized, Efficient Array Decision Procedures*, FMCAD 2009.
//!
//! Arrays that have to differ but have the same value get an index at which they differ, the *witness*. An equality has to be
//! false only if it occurs negatively (Plaisted, Greenbaum); others, such as those of choices and definitions, never get a witness. Arrays that
//! functions are applied to and that have the same value get the atom that they are equal, if the function tells them apart.
//!
//! DIVERGENCE: the lemmas of Christ and Hoenicke are about whole paths and need no new reads. Here a path is cut into
//! the chains of writes that are chains as terms. Each has a lemma of its own, about reads at both ends; equalities between are left to
//! the closure. So each lemma is valid by a look at terms, without a proof of equalities, while a chain of any length costs one lemma.
//!
//! # Finite sorts of indices
//! Two constant arrays with a path between them are the same, unless each index is written on the path. If they differ in the candidate, both
//! are read at an index that is written nowhere; if there is none nothing has to be said.
//!
//! # Cost
//! A final check walks up a tree of the graph for each read, write and index: O(n·d) for n of these and depth d. Lemmas are made for
//! at most [`CONFLICTS`](candidate::CONFLICTS) violations in a check.
//!
//! # Limits
//! Sorts are nested at most [`DEEPEST`] times. Elements of uninterpreted sorts, and arrays as indices, cannot be enumerated: where an index is wanted that
//! is written nowhere, the answer is `Unknown`.

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

/// Sorts of arrays may be nested so often.
pub const DEEPEST: usize = 8;

// Functions of the closure that no symbol has.
const READ: u32 = u32::MAX;
const WRITE: u32 = u32::MAX - 1;
/// That of the constant arrays of the first sort; the others are below.
const CONSTANT: u32 = u32::MAX - 2;
const LEAST: u32 = 1 << 31;

/// What an application of the theory of arrays is.
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
        /// The array as it was.
        array: Node,
        /// The index.
        index: Node,
        /// The new element.
        element: Node,
    },
    /// The array that holds an element everywhere.
    Constant {
        /// The element.
        element: Node,
    },
}

/// The sorts of indices and elements.
#[derive(Clone, Copy, Debug)]
struct Shape {
    index: Sort,
    element: Sort,
    /// 1 if neither is an array.
    depth: usize,
}

/// The part of the theories that is about arrays.
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
    /// Indices at which two arrays differ if they are not equal, each made for one pair.
    witnesses: IndexMap<(Node, Node), Node, FxBuildHasher>,
    /// Sorts of nodes that no term has.
    made: FxHashMap<Node, Sort>,
    /// Only looked up.
    told: FxHashSet<ArrayLemma>,
    /// By number, if certificates are kept.
    lemmas: Vec<ArrayLemma>,
    number_of_lemmas: u32,
}

/// The depth of nesting, `None` if it is above [`DEEPEST`].
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
    /// Says that a node is an array.
    pub fn register_array(&mut self, pool: &TermPool, node: Node, sort: ArraySort) {
        self.register_sort(pool, sort);
        self.register(node, sort);
    }

    /// Notes the sorts of indices and elements, and of theirs.
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

    /// A node for a read. What its element is made of is told like that of a function.
    pub fn read_term(&mut self, term: Term, array: Node, index: Node) -> Node {
        let node = self.apply(term, READ, &[array, index]);
        self.arrays.reads.insert((array, index), node);
        node
    }

    /// A node for a write.
    pub fn write_term(&mut self, term: Term, array: Node, index: Node, element: Node) -> Node {
        let node = self.apply(term, WRITE, &[array, index, element]);
        self.arrays.writes.push(node);
        node
    }

    /// A node for a constant array.
    pub fn constant_term(&mut self, pool: &TermPool, term: Term, sort: ArraySort, element: Node) -> Node {
        self.register_sort(pool, sort);
        let number = self.arrays.shapes.get_index_of(&sort).expect("it is registered");
        let number = u32::try_from(number).expect("there are fewer than 2^31 sorts");
        let node = self.apply(term, CONSTANT - number, &[element]);
        self.arrays.constants.push(node);
        node
    }

    /// What a node is to the theory of arrays.
    pub fn array_term(&self, node: Node) -> Option<ArrayTerm> {
        let application = self.congruence.application(node)?;
        match (application.function, &application.arguments[..]) {
            (READ, &[array, index]) => Some(ArrayTerm::Read { array, index }),
            (WRITE, &[array, index, element]) => Some(ArrayTerm::Write { array, index, element }),
            (LEAST..=CONSTANT, &[element]) => Some(ArrayTerm::Constant { element }),
            _ => None,
        }
    }

    /// The term of a node that is no sum, also of one that was made in the search. A witness is a symbol that occurs nowhere else: its name is reserved
    /// for solvers.
    pub(super) fn own_term(&self, pool: &mut TermPool, node: Node) -> Term {
        if let Some(term) = self.term(node) {
            return term;
        }
        if let Some(value) = self.truth.iter().position(|&truth| truth == node) {
            return pool.bool(value == 1);
        }
        // This recurs at most once for each level of nested sorts.
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

    /// The read of an array at an index.
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

    /// A node that is equal to nothing else.
    fn new_node(&mut self, sort: Sort, sink: &mut impl ClauseSink) -> Node {
        let node = self.congruence.leaf();
        self.arrays.made.insert(node, sort);
        self.connect_new(node, sort, sink);
        node
    }

    /// Gives a new node a value that is not restricted.
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

    /// Notes an equality if it is one of arrays.
    pub(super) fn note_equality(&mut self, (left, right): (Node, Node), signal: Signal) {
        if self.arrays.sorts[left].is_some() {
            self.arrays.equalities.push((left, right, signal));
        }
    }

    fn shape(&self, array: Node) -> Shape {
        let sort = self.arrays.sorts[array].expect("arrays are registered");
        self.arrays.shapes[&sort]
    }

    /// The signal that says that two nodes of one sort are equal, and may have to be false.
    fn same(&mut self, left: Node, right: Node, sink: &mut impl ClauseSink) -> Signal {
        if self.are_different(left, right) {
            return Signal::FALSE;
        }
        self.equality(left, right, sink)
    }

    /// Whether two nodes differ whatever is asserted: values, or sums of one base and different constants.
    fn are_different(&self, left: Node, right: Node) -> bool {
        match (self.original_bits(left), self.original_bits(right)) {
            (Some(left), Some(right)) => self.are_apart(&left, &right),
            _ => left != right && self.congruence.is_value(left) && self.congruence.is_value(right),
        }
    }

    /// Begins definitions that belong to lemmas of arrays.
    fn definitions<'a>(
        &mut self,
        fresh: &'a mut dyn FnMut() -> crate::prover::sat::Variable,
        consequences: &'a mut crate::prover::sat::Consequences,
    ) -> Definitions<'a> {
        self.begin(Tag::Arrays);
        Definitions { fresh, lemmas: &mut consequences.lemmas }
    }
}
