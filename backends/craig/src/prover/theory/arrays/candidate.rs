//! Construction of array models, or of violations.
//!
//! There is one graph per sort; nested sorts come first, because their arrays are elements of
//! others. A spanning forest of the graph determines which arrays agree at an index: walking up
//! from a class until an edge that writes the index leads to the top of its *part*. Edges outside
//! of the forest unite parts. Constant arrays are preferred as roots.

use super::{ArrayTerm, Shape};
use crate::prover::arith::Rational;
use crate::prover::euf::Node;
use crate::prover::theory::{Combination, Number, word_value};
use backends::{Limits, Reason};
use indexmap::IndexMap;
use num_traits::ToPrimitive;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use terms::{ArraySort, ArrayValue, Sort, Value};

/// A term that determines the element of an array at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A constant array.
    Constant(Node),
    /// A write, at its own index.
    Write(Node),
    /// A read.
    Read(Node),
}

/// A write on a path of the graph, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub write: Node,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the written array to the original one.
    Down,
    /// From the original array to the written one.
    Up,
}

/// Two holders with different elements at one index, and a path between them that does not write
/// the index.
#[derive(Clone, Debug)]
pub(super) struct Violation {
    pub start: Holder,
    pub steps: Vec<Step>,
    pub end: Holder,
    /// The index.
    pub index: Value,
    /// A node with the value of the index, if there is one.
    pub node: Option<Node>,
    pub sort: Sort,
}

/// Maximum number of violations of one kind that become lemmas per check.
pub(super) const CONFLICTS: usize = 100;

/// The reason why there is no model.
#[derive(Clone, Debug)]
pub(super) enum Rejection {
    /// At least one.
    Violations(Vec<Violation>),
    /// Arrays with equal values that must differ.
    Equal(Vec<(Node, Node)>),
    /// No answer, for this reason.
    Unknown(Reason),
}

/// The values of all arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidate {
    /// The values of the simplex variables.
    numbers: Vec<Rational>,
    graphs: FxHashMap<ArraySort, Graph>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    write: Node,
    upper: u32,
    lower: u32,
    /// The written index, as a position in `Graph::indices`.
    label: u32,
}

#[derive(Clone, Copy, Debug)]
struct Parent {
    vertex: u32,
    label: u32,
}

#[derive(Clone, Debug)]
struct Entry {
    index: u32,
    vertex: u32,
    element: Value,
    holder: Holder,
}

#[derive(Clone, Debug)]
struct Graph {
    shape: Shape,
    /// By representative.
    vertices: IndexMap<Node, u32, FxBuildHasher>,
    edges: Vec<Edge>,
    /// The edges of each vertex, without loops.
    neighbors: Vec<Vec<u32>>,
    parents: Vec<Option<Parent>>,
    roots: Vec<u32>,
    /// Edges outside of the forest.
    extra: Vec<u32>,
    /// The index values, each with a node of this value.
    indices: Vec<(Value, Node)>,
    constants: Vec<(u32, Node, Value)>,
    /// The united parts of each index, by their tops.
    united: Vec<FxHashMap<u32, u32>>,
    /// The elements of parts.
    elements: FxHashMap<(u32, u32), Value>,
    /// By root.
    defaults: FxHashMap<u32, Value>,
    values: Vec<OnceCell<Value>>,
}

impl Candidate {
    /// The values of all arrays, given the values of the simplex variables.
    pub(super) fn new(
        theory: &Combination,
        numbers: Vec<Rational>,
        limits: &Limits,
    ) -> Result<Self, Rejection> {
        let mut candidate = Candidate { numbers, graphs: FxHashMap::default() };
        let mut shapes: Vec<(ArraySort, Shape)> =
            theory.arrays.shapes.iter().map(|(&sort, &shape)| (sort, shape)).collect();
        shapes.sort_by_key(|(_, shape)| shape.depth);
        for (sort, shape) in shapes {
            if let Some(reason) = limits.exceeded() {
                return Err(Rejection::Unknown(reason));
            }
            let mut graph = Graph::new(theory, &candidate, sort, shape);
            graph.settle(theory, &candidate, limits)?;
            candidate.graphs.insert(sort, graph);
            let equal = theory.equal_but_denied(&candidate, sort);
            if !equal.is_empty() {
                return Err(Rejection::Equal(equal));
            }
        }
        Ok(candidate)
    }

    /// The value of a node of a sort. Arrays within the sort must have values.
    pub(crate) fn value(&self, theory: &Combination, node: Node, sort: Sort) -> Value {
        if let Some(signal) = theory.truth_signal(node) {
            return Value::Bool(theory.value(signal) == Some(true));
        }
        if let Some(bits) = theory.word_bits(node) {
            return Value::BitVec(word_value(bits, |bit| theory.value(bit) == Some(true)));
        }
        if let Some(number) = theory.number_of(node) {
            return self.number(theory, number, sort);
        }
        match sort {
            Sort::Array(sort) => self.array(theory, node, sort).clone(),
            // The nodes of the truth values come first, so no class has number 0, the default.
            Sort::Uninterpreted(sort) => {
                Value::Element { sort, number: u64::from(theory.representative(node).0) }
            }
            sort => unreachable!("nodes of sort {sort:?} should have bits or be numbers"),
        }
    }

    /// The value of a linear term of a sort.
    pub(crate) fn number(&self, theory: &Combination, number: Number, sort: Sort) -> Value {
        let value = theory.evaluate(number, &self.numbers);
        match sort {
            Sort::Int => Value::Int(value.numerator()),
            _ => Value::Real(value.to_big()),
        }
    }

    fn array(&self, theory: &Combination, node: Node, sort: ArraySort) -> &Value {
        let graph = &self.graphs[&sort];
        let vertex = graph.vertices[&theory.representative(node)];
        graph.values[vertex as usize].get_or_init(|| graph.value(vertex))
    }

    /// Whether two arrays of one sort have different values.
    pub(super) fn differ(&self, theory: &Combination, left: Node, right: Node) -> bool {
        let sort = theory.arrays.sorts[left].expect("arrays are registered");
        let graph = &self.graphs[&sort];
        let [left, right] = [left, right].map(|node| graph.vertices[&theory.representative(node)]);
        if left == right {
            return false;
        }
        let differ = (0..graph.indices.len() as u32)
            .any(|index| graph.element(left, index) != graph.element(right, index));
        differ
            || graph.default(left) != graph.default(right)
                && is_larger(theory, graph.shape.index, graph.indices.len())
    }
}

/// Whether a sort has more than `number` values.
fn is_larger(theory: &Combination, sort: Sort, number: usize) -> bool {
    size(theory, sort).is_none_or(|size| size > number as u128)
}

/// The number of values; `None` if it is infinite or too large.
fn size(theory: &Combination, sort: Sort) -> Option<u128> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) => 1u128.checked_shl(width).filter(|&size| size > 0),
        Sort::Array(sort) => {
            let Shape { index, element, .. } = theory.arrays.shapes[&sort];
            match (size(theory, index), size(theory, element)) {
                (_, Some(1)) => Some(1),
                (Some(indices), Some(elements)) => elements.checked_pow(indices.to_u32()?),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Graph {
    /// The graph of the arrays of one sort.
    fn new(theory: &Combination, candidate: &Candidate, sort: ArraySort, shape: Shape) -> Self {
        let mut graph = Graph {
            shape,
            vertices: IndexMap::default(),
            edges: Vec::new(),
            neighbors: Vec::new(),
            parents: Vec::new(),
            roots: Vec::new(),
            extra: Vec::new(),
            indices: Vec::new(),
            constants: Vec::new(),
            united: Vec::new(),
            elements: FxHashMap::default(),
            defaults: FxHashMap::default(),
            values: Vec::new(),
        };
        let arrays = &theory.arrays;
        let is_of_sort = |node: Node| arrays.sorts[node] == Some(sort);
        for &node in arrays.nodes.iter().filter(|&&node| is_of_sort(node)) {
            let next = graph.vertices.len() as u32;
            graph.vertices.entry(theory.representative(node)).or_insert(next);
        }
        for &node in arrays.constants.iter().filter(|&&node| is_of_sort(node)) {
            let Some(ArrayTerm::Constant { element }) = theory.array_term(node) else { continue };
            let element = candidate.value(theory, element, shape.element);
            graph.constants.push((graph.vertex(theory, node), node, element));
        }
        graph.values = vec![OnceCell::new(); graph.vertices.len()];
        graph
    }

    fn vertex(&self, theory: &Combination, node: Node) -> u32 {
        self.vertices[&theory.representative(node)]
    }

    /// Determines the elements of parts.
    fn settle(
        &mut self,
        theory: &Combination,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<(), Rejection> {
        let mut entries = self.read_entries(theory, candidate);
        self.span();
        self.unite(limits)?;
        let rank = |entry: &Entry| (entry.index, matches!(entry.holder, Holder::Read(_)));
        entries.sort_by_key(rank);
        let mut firsts: FxHashMap<(u32, u32), Holder> = FxHashMap::default();
        let mut violations = Vec::new();
        for index in 0..self.indices.len() as u32 {
            if let Some(reason) = limits.exceeded() {
                return Err(Rejection::Unknown(reason));
            }
            for at in 0..self.constants.len() {
                let (vertex, node, element) = self.constants[at].clone();
                let holder = Holder::Constant(node);
                let entry = Entry { index, vertex, element, holder };
                self.enter(theory, &entry, &mut firsts, &mut violations);
            }
            let (from, to) = (
                entries.partition_point(|entry| entry.index < index),
                entries.partition_point(|entry| entry.index <= index),
            );
            for entry in &entries[from..to] {
                self.enter(theory, entry, &mut firsts, &mut violations);
            }
            if violations.len() >= CONFLICTS {
                break;
            }
        }
        if !violations.is_empty() {
            return Err(Rejection::Violations(violations));
        }
        self.settle_defaults(theory)
    }

    /// Collects reads, writes and edges.
    fn read_entries(&mut self, theory: &Combination, candidate: &Candidate) -> Vec<Entry> {
        let Shape { index: index_sort, element: element_sort, .. } = self.shape;
        let mut ids: BTreeMap<Value, u32> = BTreeMap::new();
        let mut entries = Vec::new();
        let arrays = &theory.arrays;
        let nodes = arrays.writes.iter().chain(arrays.reads.values());
        for &node in nodes {
            let (array, index, element, holder) = match theory.array_term(node) {
                Some(ArrayTerm::Write { array, index, element }) => {
                    (array, index, element, Holder::Write(node))
                }
                Some(ArrayTerm::Read { array, index }) => (array, index, node, Holder::Read(node)),
                _ => continue,
            };
            let Some(&vertex) = self.vertices.get(&theory.representative(array)) else { continue };
            let value = candidate.value(theory, index, index_sort);
            let next = ids.len() as u32;
            let id = *ids.entry(value.clone()).or_insert_with(|| {
                self.indices.push((value, index));
                next
            });
            let element = candidate.value(theory, element, element_sort);
            let mut holds = vertex;
            if matches!(holder, Holder::Write(_)) {
                holds = self.vertex(theory, node);
                if holds != vertex {
                    self.edges.push(Edge { write: node, upper: holds, lower: vertex, label: id });
                }
            }
            entries.push(Entry { index: id, vertex: holds, element, holder });
        }
        entries
    }

    /// Builds the forest, breadth first.
    fn span(&mut self) {
        let number = self.vertices.len();
        self.neighbors = vec![Vec::new(); number];
        for (at, edge) in self.edges.iter().enumerate() {
            self.neighbors[edge.upper as usize].push(at as u32);
            self.neighbors[edge.lower as usize].push(at as u32);
        }
        self.parents = vec![None; number];
        self.roots = vec![u32::MAX; number];
        let mut in_forest = vec![false; self.edges.len()];
        let constants = self.constants.iter().map(|constant| constant.0);
        let mut queue = VecDeque::new();
        for root in constants.chain(0..number as u32) {
            if self.roots[root as usize] != u32::MAX {
                continue;
            }
            self.roots[root as usize] = root;
            queue.push_back(root);
            while let Some(vertex) = queue.pop_front() {
                for &at in &self.neighbors[vertex as usize] {
                    let edge = self.edges[at as usize];
                    let other = edge.upper ^ edge.lower ^ vertex;
                    if self.roots[other as usize] == u32::MAX {
                        self.roots[other as usize] = root;
                        self.parents[other as usize] = Some(Parent { vertex, label: edge.label });
                        in_forest[at as usize] = true;
                        queue.push_back(other);
                    }
                }
            }
        }
        self.extra = (0..self.edges.len() as u32).filter(|&at| !in_forest[at as usize]).collect();
    }

    /// Unites parts by the edges outside of the forest.
    fn unite(&mut self, limits: &Limits) -> Result<(), Rejection> {
        if self.extra.is_empty() {
            return Ok(());
        }
        self.united = vec![FxHashMap::default(); self.indices.len()];
        for index in 0..self.indices.len() as u32 {
            if let Some(reason) = limits.exceeded() {
                return Err(Rejection::Unknown(reason));
            }
            for &at in &self.extra {
                let Edge { upper, lower, label, .. } = self.edges[at as usize];
                let [upper, lower] = [upper, lower].map(|vertex| self.part(vertex, index));
                if label != index && upper != lower {
                    self.united[index as usize].insert(upper.max(lower), upper.min(lower));
                }
            }
        }
        Ok(())
    }

    /// The top of the part of a vertex at an index.
    fn part(&self, vertex: u32, index: u32) -> u32 {
        let mut at = vertex;
        while let Some(Parent { vertex, label }) = self.parents[at as usize]
            && label != index
        {
            at = vertex;
        }
        if let Some(united) = self.united.get(index as usize) {
            while let Some(&other) = united.get(&at) {
                at = other;
            }
        }
        at
    }

    fn enter(
        &mut self,
        theory: &Combination,
        entry: &Entry,
        firsts: &mut FxHashMap<(u32, u32), Holder>,
        violations: &mut Vec<Violation>,
    ) {
        let part = (entry.index, self.part(entry.vertex, entry.index));
        let Some(&first) = firsts.get(&part) else {
            firsts.insert(part, entry.holder);
            self.elements.insert(part, entry.element.clone());
            return;
        };
        if self.elements[&part] != entry.element && violations.len() < CONFLICTS {
            violations.push(self.violation(theory, entry.holder, first, entry.index));
        }
    }

    fn violation(&self, theory: &Combination, start: Holder, end: Holder, index: u32) -> Violation {
        let (value, node) = self.indices[index as usize].clone();
        let steps = self.path(theory, start, end, Some(index));
        Violation { start, steps, end, index: value, node: Some(node), sort: self.shape.index }
    }

    /// A shortest path that does not write an index.
    fn path(&self, theory: &Combination, start: Holder, end: Holder, index: Option<u32>) -> Vec<Step> {
        let vertex = |holder| match holder {
            Holder::Constant(node) | Holder::Write(node) => self.vertex(theory, node),
            Holder::Read(node) => match theory.array_term(node) {
                Some(ArrayTerm::Read { array, .. }) => self.vertex(theory, array),
                _ => unreachable!("it is a read"),
            },
        };
        let (start, end) = (vertex(start), vertex(end));
        // Searches from the end, so that the path is read off in forward order.
        let mut next: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([end]);
        while !next.contains_key(&start) && start != end {
            let at = queue.pop_front().expect("the two are in one part");
            for &number in &self.neighbors[at as usize] {
                let edge = self.edges[number as usize];
                let other = edge.upper ^ edge.lower ^ at;
                if Some(edge.label) != index && other != end && !next.contains_key(&other) {
                    next.insert(other, (at, number));
                    queue.push_back(other);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = start;
        while at != end {
            let (to, number) = next[&at];
            let Edge { write, upper, .. } = self.edges[number as usize];
            let direction = if upper == at { Direction::Down } else { Direction::Up };
            steps.push(Step { write, direction });
            at = to;
        }
        steps
    }

    /// The elements of constant arrays become defaults. If two of them differ, they are compared at
    /// an index that is not written.
    fn settle_defaults(&mut self, theory: &Combination) -> Result<(), Rejection> {
        let mut firsts: FxHashMap<u32, Node> = FxHashMap::default();
        let mut violations = Vec::new();
        for (vertex, node, element) in &self.constants {
            let root = self.roots[*vertex as usize];
            let default = self.defaults.entry(root).or_insert_with(|| element.clone());
            let first = *firsts.entry(root).or_insert(*node);
            if default == element {
                continue;
            }
            let edges = self.edges.iter().filter(|edge| self.roots[edge.upper as usize] == root);
            let written: BTreeSet<&Value> = edges.map(|edge| &self.indices[edge.label as usize].0).collect();
            let (start, end) = (Holder::Constant(*node), Holder::Constant(first));
            match unwritten(self.shape.index, &written) {
                Unwritten::Index(index) => {
                    let steps = self.path(theory, start, end, None);
                    let sort = self.shape.index;
                    violations.push(Violation { start, steps, end, index, node: None, sort });
                }
                Unwritten::None => {}
                Unwritten::Unknown => {
                    let reason =
                        "constant arrays equal up to writes, over an index sort that cannot be enumerated";
                    return Err(Rejection::Unknown(Reason::Incomplete(reason.to_owned())));
                }
            }
            if violations.len() >= CONFLICTS {
                break;
            }
        }
        let shapes = &theory.arrays.shapes;
        let element = default_of(&|sort| shapes[&sort].element, self.shape.element);
        for &root in &self.roots {
            self.defaults.entry(root).or_insert_with(|| element.clone());
        }
        if violations.is_empty() { Ok(()) } else { Err(Rejection::Violations(violations)) }
    }

    fn default(&self, vertex: u32) -> &Value {
        &self.defaults[&self.roots[vertex as usize]]
    }

    fn element(&self, vertex: u32, index: u32) -> &Value {
        self.elements.get(&(index, self.part(vertex, index))).unwrap_or_else(|| self.default(vertex))
    }

    fn value(&self, vertex: u32) -> Value {
        let mut array = ArrayValue::constant(self.default(vertex).clone());
        for (index, (value, _)) in self.indices.iter().enumerate() {
            array.store(value.clone(), self.element(vertex, index as u32).clone());
        }
        Value::Array(array)
    }
}

enum Unwritten {
    Index(Value),
    /// All indices are written.
    None,
    Unknown,
}

/// The least index that is not written.
fn unwritten(sort: Sort, written: &BTreeSet<&Value>) -> Unwritten {
    let value = |number: usize| match sort {
        Sort::Bool => (number < 2).then_some(Value::Bool(number == 1)),
        Sort::BitVec(width) if width < 64 && number >> width != 0 => None,
        Sort::BitVec(width) => Some(Value::bv(width, number as u64)),
        Sort::Int => Some(Value::int(number as i64)),
        _ => Some(Value::Real(num_rational::BigRational::from_integer(number.into()))),
    };
    if matches!(sort, Sort::Array(_) | Sort::Uninterpreted(_)) {
        return Unwritten::Unknown;
    }
    let free = (0..=written.len()).map_while(value).find(|value| !written.contains(value));
    free.map_or(Unwritten::None, Unwritten::Index)
}

/// The default of a sort, as in [`Value::default_of`].
fn default_of(element: &impl Fn(ArraySort) -> Sort, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::int(0),
        Sort::BitVec(width) => Value::bv(width, 0),
        Sort::Array(sort) => Value::Array(ArrayValue::constant(default_of(element, element(sort)))),
        Sort::Uninterpreted(sort) => Value::Element { sort, number: 0 },
        Sort::Real | Sort::Float(..) | Sort::RoundingMode => {
            Value::Real(num_rational::BigRational::from_integer(0.into()))
        }
    }
}
