//! Pure search steps for interpolation.
//!
//! # Idea
//! Cuts, branches, and equalities on which theories must agree may mix numbers of several parts of
//! an interpolation problem, which makes a proof hard to interpolate. A [`Partition`] records which
//! parts know each number. With a partition,
//!
//! * a cut is taken only if its premises and conclusion have a common part, and a branch only if
//!   its numbers have ([`Purity`]);
//! * if two numbers without a common part are equal because of the bounds, their equality is stated
//!   through the numbers between them. The proofs that one is at most the other are sums. For an
//!   edge of the tree, the summands of one side state that the first number is at most a number s
//!   known to both sides, and those of the other side that s is at most the second one. So x = s
//!   and s = y (the interpolation of equalities of Yorsh, Musuvathi, *A Combination Method for
//!   Generating Interpolants*, CADE 2005), and so on along all edges between the two;
//! * the equality of other integers, and of bit vectors, is stated through their value in the
//!   model, x = v and v = y, which may be decided like a branch;
//! * the equality of two nodes that the closure knows to be equal is stated through other nodes of
//!   their class, such that neighbors have a common part.
//!
//! # Limits
//! Pure cuts and branches may diverge where mixed ones do not (`3x ≤ y ≤ 3x + 1` and `y = 3z + 2`).
//! After [`PATIENCE`] branches, all branches and cuts are therefore allowed; likewise for values.
//!
//! If all of this fails, the mixed equality itself is created.

use super::numbers::{Linear, Numbers};
use super::{Combination, Inequality, literal};
use crate::prover::arith::integers::Purity;
use crate::prover::arith::{self, Cut, Kind, Multiplier, Optimum, Rational, Var};
use crate::prover::cnf::bits::Word;
use crate::prover::cnf::gates::Signal;
use crate::prover::euf::Node;
use backends::interpolation::Tree;
use smallvec::SmallVec;
use terms::entity::{Entity, SecondaryMap};

/// A set of parts, as bits.
pub type Parts = SmallVec<[u64; 2]>;

/// The parts that know each number.
#[derive(Clone, Debug)]
pub struct Partition {
    tree: Tree,
    /// By variable with a term. Variables created later are known nowhere.
    variables: SecondaryMap<Var, Option<Parts>>,
    /// By inequality, as far as they have been processed.
    inequalities: Vec<Parts>,
    /// The parts of nodes other than numbers.
    nodes: SecondaryMap<Node, Option<Parts>>,
    /// The number of integer branches so far.
    branches: usize,
    /// The number of values with which integers were compared so far.
    values: usize,
}

/// The number of pure branches or values after which mixed steps are allowed: pure steps alone may
/// diverge.
const PATIENCE: usize = 100;

impl Partition {
    /// Creates a partition in which no number is known.
    pub fn new(tree: Tree) -> Self {
        Partition {
            tree,
            variables: SecondaryMap::new(),
            inequalities: Vec::new(),
            nodes: SecondaryMap::new(),
            branches: 0,
            values: 0,
        }
    }

    /// Sets the parts that know a variable.
    pub fn place(&mut self, variable: Var, parts: Parts) {
        self.variables[variable] = Some(parts);
    }

    /// Sets the parts that know a node.
    pub fn place_node(&mut self, node: Node, parts: Parts) {
        self.nodes[node] = Some(parts);
    }

    /// Counts a branch.
    pub(super) fn count_branch(&mut self) {
        self.branches += 1;
    }

    fn everywhere(&self) -> Parts {
        SmallVec::from_elem(u64::MAX, self.tree.len().div_ceil(64))
    }

    fn of(&self, form: &arith::Combination) -> Parts {
        let mut all = self.everywhere();
        for (variable, _) in form.entries() {
            match &self.variables[*variable] {
                Some(parts) => meet(&mut all, parts),
                None => all.iter_mut().for_each(|word| *word = 0),
            }
        }
        all
    }

    /// The edges of the tree path between two disjoint sets of parts, each directed from the first
    /// to the second.
    fn edges(&self, from: &Parts, to: &Parts) -> Vec<(usize, usize)> {
        let (Some(mut low), Some(mut high)) = (top(from), top(to)) else { return Vec::new() };
        let (mut there, mut back) = (vec![low], vec![high]);
        while low != high {
            let side = if low < high { (&mut low, &mut there) } else { (&mut high, &mut back) };
            let Some(above) = self.tree.parent(*side.0) else { return Vec::new() };
            *side.0 = above;
            side.1.push(above);
        }
        back.pop();
        there.extend(back.into_iter().rev());
        let edges = there.windows(2).map(|pair| (pair[0], pair[1]));
        let is_within = |parts: &Parts, (a, b): (usize, usize)| has(parts, a) && has(parts, b);
        edges.filter(|&edge| !is_within(from, edge) && !is_within(to, edge)).collect()
    }

    /// For each part, whether it is on the side of the first node of an edge.
    fn side(&self, (one, other): (usize, usize)) -> Vec<bool> {
        if self.tree.parent(one) == Some(other) {
            return self.tree.subtree(one);
        }
        self.tree.subtree(other).into_iter().map(|is_below| !is_below).collect()
    }
}

fn meet(all: &mut Parts, parts: &Parts) {
    all.iter_mut().zip(parts).for_each(|(word, other)| *word &= other);
}

fn have_common(one: &Parts, other: &Parts) -> bool {
    one.iter().zip(other).any(|(a, b)| a & b != 0)
}

fn is_nowhere(parts: &Parts) -> bool {
    parts.iter().all(|&word| word == 0)
}

fn has(parts: &Parts, part: usize) -> bool {
    parts[part / 64] >> (part % 64) & 1 == 1
}

/// The highest part: the one with the largest number.
fn top(parts: &Parts) -> Option<usize> {
    let word = parts.iter().rposition(|&word| word != 0)?;
    Some(64 * word + 63 - parts[word].leading_zeros() as usize)
}

/// The steps that a partition allows.
pub(super) struct Pure<'a> {
    partition: &'a Partition,
    /// Maps literals to their inequalities.
    inequality_of: &'a dyn Fn(arith::Reason32) -> Option<Inequality>,
}

impl<'a> Pure<'a> {
    pub(super) fn new(
        partition: &'a Partition,
        inequality_of: &'a dyn Fn(arith::Reason32) -> Option<Inequality>,
    ) -> Self {
        Pure { partition, inequality_of }
    }
}

impl Purity for Pure<'_> {
    fn allows_cut(&self, cut: &Cut) -> bool {
        if self.partition.branches > PATIENCE {
            return true;
        }
        let mut parts = self.partition.of(&cut.form);
        for Multiplier { reason, .. } in &cut.premises {
            let known = (self.inequality_of)(*reason);
            match known.and_then(|inequality| self.partition.inequalities.get(inequality.index())) {
                Some(known) => meet(&mut parts, known),
                None => return false,
            }
        }
        !is_nowhere(&parts)
    }

    fn allows_branch(&self, form: &arith::Combination) -> bool {
        self.partition.branches > PATIENCE || !is_nowhere(&self.partition.of(form))
    }
}

impl Numbers {
    /// Processes new inequalities.
    pub(super) fn place_inequalities(&self, partition: &mut Partition) {
        let seen = partition.inequalities.len();
        for [bound, _] in self.bounds.values().skip(seen) {
            let parts = partition.of(self.simplex.definition(bound.variable));
            partition.inequalities.push(parts);
        }
    }
}

impl Combination {
    /// Makes the search prefer pure steps from now on.
    pub fn set_partition(&mut self, partition: Partition) {
        self.partition = Some(partition);
    }

    /// Pairs of nodes whose equalities together imply those of the given pairs, pure ones if
    /// possible.
    pub(super) fn purified(&mut self, pairs: &[(Node, Node)]) -> Vec<(Node, Node)> {
        let Some(mut partition) = self.partition.take() else { return pairs.to_vec() };
        self.numbers.place_inequalities(&mut partition);
        // The search for a proof moves the model.
        let values: Vec<Option<Rational>> =
            pairs.iter().map(|&(left, _)| self.numbers.value(left).map(|value| value.real)).collect();
        let mut pure = Vec::with_capacity(pairs.len());
        for (&(left, right), value) in pairs.iter().zip(values) {
            let ends = [left, right].map(|node| self.parts_of(&partition, node));
            let between = match ends {
                [Some(from), Some(to)] if !have_common(&from, &to) => {
                    let known = if self.congruence.are_equal(left, right) {
                        self.chain(&partition, left, right)
                    } else {
                        self.implied_between(&partition, (left, &from), (right, &to))
                    };
                    known.or_else(|| self.value_between(&mut partition, left, value))
                }
                _ => None,
            };
            let all: Vec<Node> =
                [left].into_iter().chain(between.into_iter().flatten()).chain([right]).collect();
            pure.extend(all.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| a != b));
        }
        self.partition = Some(partition);
        pure
    }

    fn parts_of(&self, partition: &Partition, node: Node) -> Option<Parts> {
        match self.number_of(node) {
            Some(number) => Some(partition.of(&self.linear(number).form)),
            None => partition.nodes[node].clone(),
        }
    }

    /// Nodes on a chain between two nodes of one class, such that neighbors have a common part.
    fn chain(&self, partition: &Partition, left: Node, right: Node) -> Option<Vec<Node>> {
        let class = self.representative(left);
        let all = self.numbers.nodes.keys().chain(self.words.keys()).copied();
        let members = all.filter(|&node| self.representative(node) == class);
        let mut open: Vec<(Node, Parts)> =
            members.filter_map(|node| Some((node, self.parts_of(partition, node)?))).collect();
        // Breadth first, from the right, so that the path is read off in order.
        let place = open.iter().position(|(node, _)| *node == right)?;
        let mut found: Vec<(Node, Parts, usize)> = vec![{
            let (node, parts) = open.remove(place);
            (node, parts, 0)
        }];
        let mut next = 0;
        while let Some((node, parts, _)) = found.get(next).cloned() {
            if node == left {
                let mut way = Vec::new();
                let mut at = found[next].2;
                while at != 0 {
                    way.push(found[at].0);
                    at = found[at].2;
                }
                return Some(way);
            }
            let (near, far) = open.into_iter().partition(|(_, other)| have_common(&parts, other));
            let near: Vec<(Node, Parts)> = near;
            found.extend(near.into_iter().map(|(node, parts)| (node, parts, next)));
            open = far;
            next += 1;
        }
        None
    }

    /// A node for the value of a bit vector or integer, to be compared with both of two nodes.
    fn value_between(
        &mut self,
        partition: &mut Partition,
        node: Node,
        value: Option<Rational>,
    ) -> Option<Vec<Node>> {
        if let Some(word) = self.words.get(&node) {
            let bits: Word =
                word.iter().map(|&bit| self.value(bit).map(Signal::constant)).collect::<Option<_>>()?;
            let constant = self.value_node(&bits);
            self.words.entry(constant).or_insert(bits);
            partition.place_node(constant, partition.everywhere());
            return Some(vec![constant]);
        }
        let value = value.filter(|value| value.is_integer())?;
        let kind = self.kind_of_node(node).filter(|&kind| kind == Kind::Int)?;
        partition.values += 1;
        (partition.values <= PATIENCE).then(|| vec![self.nameless_node(kind, Linear::constant(value))])
    }

    /// If the bounds imply that two numbers are equal: for each edge between them, a node of a
    /// number that both sides know and that is equal to both.
    fn implied_between(
        &mut self,
        partition: &Partition,
        (left, from): (Node, &Parts),
        (right, to): (Node, &Parts),
    ) -> Option<Vec<Node>> {
        let [one, other] = [left, right].map(|node| self.number_of(node));
        let (one, other) = (self.linear(one?).clone(), self.linear(other?).clone());
        let kind = self.kind_of_node(left)?;
        let upper = self.greatest_is_zero(&one.minus(&other))?;
        self.greatest_is_zero(&other.minus(&one))?;
        let mut between = Vec::new();
        for edge in partition.edges(from, to) {
            let is_here = partition.side(edge);
            let mut middle = one.clone();
            for Multiplier { coefficient, reason, side } in &upper {
                let (bound, inequality) = self.bound_of(literal(reason.0))?;
                let owner = top(partition.inequalities.get(inequality)?)?;
                if is_here[owner] {
                    let sign = match side {
                        arith::Side::Upper => coefficient.clone(),
                        arith::Side::Lower => -coefficient,
                    };
                    let constant = bound.value.real.clone();
                    let form = self.numbers.simplex.definition(bound.variable).clone();
                    middle.add_scaled(&-&sign, &Linear { form, constant: -constant });
                }
            }
            let is_shared = |variable: &Var| {
                let parts = partition.variables[*variable].as_ref();
                parts.is_some_and(|parts| has(parts, edge.0) && has(parts, edge.1))
            };
            let is_fit = |(variable, coefficient): &(Var, Rational)| {
                let is_integral =
                    coefficient.is_integer() && self.numbers.simplex.kind(*variable) == Kind::Int;
                is_shared(variable) && (kind == Kind::Real || is_integral)
            };
            if !middle.form.entries().iter().all(is_fit) || kind == Kind::Int && !middle.constant.is_integer()
            {
                return None;
            }
            between.push(self.nameless_node(kind, middle));
        }
        Some(between)
    }

    /// The premises of the proof that a number is at most 0, if 0 is its maximum.
    fn greatest_is_zero(&mut self, linear: &Linear) -> Option<Vec<Multiplier>> {
        let numbers = &mut self.numbers;
        match numbers.simplex.maximize(&linear.form, &numbers.limits) {
            Optimum::Bounded { value, multipliers }
                if value.delta.is_zero() && (&value.real + &linear.constant).is_zero() =>
            {
                Some(multipliers)
            }
            _ => None,
        }
    }
}
