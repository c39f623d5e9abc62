//! Numbers: linear terms, and atoms over them.
//!
//! # Idea
//! A term of sort Int or Real is a [`Linear`]: a linear combination of simplex variables and a
//! constant. A term that is not a sum is a variable, whose *name* is the term. A comparison is a
//! bound of the variable of its combination, and each bound is an atom. Only the upper bound is
//! stored: a lower bound is the negation of an upper one. The equality of two numbers is the
//! conjunction of two bounds, an ordinary gate, so the simplex never receives equalities or
//! disequalities.
//!
//! Arguments and results of functions are nodes of the closure as well. The equality of two such
//! nodes is an atom of the closure that is equivalent to that conjunction.
//!
//! # Cost
//! Linear in the sizes of sums; [`LONGEST`] bounds them.

use super::{AtomKind, Combination, Source};
use crate::prover::arith::{
    self, Bound, DeltaRational, Integers, Kind, Rational, Reason32, Side, Simplex, Var,
};
use crate::prover::cnf::clauses::{ClauseSink, Polarity};
use crate::prover::cnf::gates::Signal;
use crate::prover::euf::Node;
use crate::prover::sat::Literal;
use backends::{Limits, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Sort, Term, TermPool};

/// A sum of more variables gets a variable of its own where it is part of another sum.
pub const LONGEST: usize = 60;

terms::entity! {
    /// A linear term.
    Number, "l"
}

terms::entity! {
    /// An atom over numbers.
    Inequality, "q"
}

/// `form + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    /// A combination of variables that have names.
    pub form: arith::Combination,
    /// The constant summand.
    pub constant: Rational,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: Rational) -> Self {
        Linear { form: arith::Combination::zero(), constant }
    }

    /// A variable.
    pub fn variable(variable: Var) -> Self {
        Linear { form: arith::Combination::variable(variable), constant: Rational::ZERO }
    }

    /// Adds `factor · other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &Linear) {
        self.form.add_scaled(factor, &other.form);
        self.constant.add_product(factor, &other.constant);
    }

    /// `self - other`.
    pub fn minus(&self, other: &Linear) -> Self {
        let mut difference = self.clone();
        difference.add_scaled(&Rational::MINUS_ONE, other);
        difference
    }
}

/// The meaning of a simplex variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A term.
    Term(Term),
    /// The integer quotient of two terms; the quotient need not be a term itself.
    Quotient(Term, Term),
    /// A node created in the search.
    Node(Node),
}

/// The relation between a number and 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// ≤
    AtMost,
    /// <
    Less,
}

/// The state of linear arithmetic.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) simplex: Simplex,
    pub(super) integers: Integers,
    linear: PrimaryMap<Number, Linear>,
    names: SecondaryMap<Var, Option<Name>>,
    /// Upper bounds, each with its negation.
    pub(super) bounds: PrimaryMap<Inequality, [Bound; 2]>,
    /// For lookup only.
    inequalities: FxHashMap<(Var, DeltaRational), Signal>,
    /// The numeric nodes.
    pub(super) nodes: IndexMap<Node, Number, FxBuildHasher>,
    /// For lookup only.
    node_of: FxHashMap<(Kind, Linear), Node>,
    /// A conflict between asserted bounds, with the level at which it arose.
    pub(super) conflict: Option<(usize, arith::Certificate)>,
    pub(super) certificates: Vec<arith::Certificate>,
    pub(super) limits: Limits,
    /// The reason why the simplex stopped without an answer.
    pub(super) stopped: Option<Reason>,
}

impl Numbers {
    /// The value of a node in the model of the simplex.
    pub(super) fn value(&self, node: Node) -> Option<DeltaRational> {
        let Linear { form, constant } = &self.linear[*self.nodes.get(&node)?];
        let mut value = self.simplex.value_of(form);
        value.real += constant;
        Some(value)
    }

    /// The variables of a node.
    pub(super) fn variables(&self, node: Node) -> impl Iterator<Item = Var> + '_ {
        let number = self.nodes.get(&node).copied();
        number.into_iter().flat_map(|number| self.linear[number].form.entries().iter().map(|entry| entry.0))
    }
}

/// The kind of a numeric sort.
pub(crate) fn kind_of(sort: Sort) -> Option<Kind> {
    match sort {
        Sort::Int => Some(Kind::Int),
        Sort::Real => Some(Kind::Real),
        _ => None,
    }
}

impl Combination {
    /// Creates a variable.
    pub fn number_variable(&mut self, name: Name, kind: Kind) -> Linear {
        let variable = self.numbers.simplex.variable(kind);
        self.numbers.names[variable] = Some(name);
        Linear::variable(variable)
    }

    /// Stores a linear term.
    pub fn number(&mut self, linear: Linear) -> Number {
        self.numbers.linear.push(linear)
    }

    /// A stored linear term.
    pub fn linear(&self, number: Number) -> &Linear {
        &self.numbers.linear[number]
    }

    /// The signal of the comparison of a linear term with 0.
    pub fn compare(&mut self, linear: &Linear, comparison: Comparison, sink: &mut impl ClauseSink) -> Signal {
        let limit = -&linear.constant;
        let limit = match comparison {
            Comparison::AtMost => limit.into(),
            Comparison::Less => DeltaRational::below(limit),
        };
        match self.numbers.simplex.bound(&linear.form, Side::Upper, &limit) {
            Some(bound) => self.inequality(&bound, sink),
            None => Signal::constant(limit >= DeltaRational::default()),
        }
    }

    /// The signal that a linear term is 0.
    pub fn is_zero(&mut self, linear: &Linear, sink: &mut impl ClauseSink) -> Signal {
        let Some((variable, factor)) = self.numbers.simplex.define(&linear.form) else {
            return Signal::constant(linear.constant.is_zero());
        };
        let value = &-&linear.constant / &factor;
        if self.numbers.simplex.kind(variable) == Kind::Int && !value.is_integer() {
            return Signal::FALSE;
        }
        let sides = Side::BOTH.map(|side| {
            let bound = Bound { variable, side, value: value.clone().into() };
            self.inequality(&bound, sink)
        });
        self.gates.and(sides)
    }

    /// The signal of a bound.
    pub(super) fn inequality(&mut self, bound: &Bound, sink: &mut impl ClauseSink) -> Signal {
        let negation = self.numbers.simplex.negation(bound);
        match bound.side {
            Side::Upper => self.upper_bound(&[bound.clone(), negation], sink),
            Side::Lower => !self.upper_bound(&[negation, bound.clone()], sink),
        }
    }

    fn upper_bound(&mut self, bounds: &[Bound; 2], sink: &mut impl ClauseSink) -> Signal {
        let key = (bounds[0].variable, bounds[0].value.clone());
        if let Some(&known) = self.numbers.inequalities.get(&key) {
            return known;
        }
        let inequality = self.numbers.bounds.push(bounds.clone());
        let signal = self.input(Source::Inequality(inequality));
        let literal = self.encoder.literal(&self.gates, signal, Polarity::Both, sink);
        self.is_atom[literal.variable()] = true;
        self.add_atom(signal, AtomKind::Bound(inequality));
        self.numbers.inequalities.insert(key, signal);
        for (bound, literal) in bounds.iter().zip([literal, !literal]) {
            self.numbers.simplex.register(bound, reason32(literal));
        }
        signal
    }

    /// The node of a linear term of a sort, if it has one.
    pub fn known_number_node(&self, kind: Kind, number: Number) -> Option<Node> {
        self.numbers.node_of.get(&(kind, self.numbers.linear[number].clone())).copied()
    }

    /// The node of a linear term, created if needed. Constants are values.
    pub fn number_node(&mut self, term: Term, kind: Kind, number: Number) -> Node {
        if let Some(known) = self.known_number_node(kind, number) {
            self.terms[known].get_or_insert(term);
            return known;
        }
        let node = if self.numbers.linear[number].form.is_zero() {
            self.congruence.value()
        } else {
            self.congruence.leaf()
        };
        self.terms[node] = Some(term);
        self.connect_number(node, kind, number);
        node
    }

    /// The node of a linear term without a term of the problem.
    pub(super) fn nameless_node(&mut self, kind: Kind, linear: Linear) -> Node {
        if let Some(&known) = self.numbers.node_of.get(&(kind, linear.clone())) {
            return known;
        }
        let node = if linear.form.is_zero() { self.congruence.value() } else { self.congruence.leaf() };
        let number = self.number(linear);
        self.connect_number(node, kind, number);
        node
    }

    /// The kind of a numeric node.
    pub(super) fn kind_of_node(&self, node: Node) -> Option<Kind> {
        let linear = &self.numbers.linear[*self.numbers.nodes.get(&node)?];
        let is_of = |kind: &Kind| self.numbers.node_of.get(&(*kind, linear.clone())) == Some(&node);
        // One node is not both an integer and a real, because these sorts differ.
        [Kind::Int, Kind::Real].into_iter().find(is_of)
    }

    /// The term of a node; a number yields its sum.
    pub fn node_term(&self, pool: &mut TermPool, node: Node) -> Term {
        let (Some(kind), Some(&number)) = (self.kind_of_node(node), self.numbers.nodes.get(&node)) else {
            return self.own_term(pool, node);
        };
        let sort = match kind {
            Kind::Int => Sort::Int,
            Kind::Real => Sort::Real,
        };
        let Linear { form, constant } = self.numbers.linear[number].clone();
        let mut summands = self.summands(pool, &form, sort);
        if !constant.is_zero() || summands.is_empty() {
            summands.push(pool.number(sort, &constant.to_big()));
        }
        pool.add(&summands)
    }

    /// The products of a combination.
    fn summands(&self, pool: &mut TermPool, form: &arith::Combination, sort: Sort) -> Vec<Term> {
        let mut summands = Vec::with_capacity(form.len());
        for (variable, coefficient) in form.entries() {
            let mut base = self.number_term(pool, *variable).expect("a variable of the problem has a name");
            if pool.sort(base) != sort {
                base = pool.to_real(base);
            }
            let factor = pool.number(sort, &coefficient.to_big());
            summands.push(pool.mul(factor, base));
        }
        summands
    }

    /// Connects a node to its number.
    pub fn connect_number(&mut self, node: Node, kind: Kind, number: Number) {
        self.numbers.node_of.insert((kind, self.numbers.linear[number].clone()), node);
        self.numbers.nodes.insert(node, number);
    }

    /// The signal of the equality of two numeric nodes; `None` for other nodes.
    pub(super) fn equal_numbers(
        &mut self,
        left: Node,
        right: Node,
        sink: &mut impl ClauseSink,
    ) -> Option<Signal> {
        let [left, right] = [left, right].map(|node| self.numbers.nodes.get(&node).copied());
        let difference = self.linear(left?).minus(self.linear(right?));
        Some(self.is_zero(&difference, sink))
    }

    /// The term of a simplex variable; `None` for variables that stand for a combination of others.
    pub fn number_term(&self, pool: &mut TermPool, variable: Var) -> Option<Term> {
        self.numbers.names[variable].map(|name| match name {
            Name::Term(term) => term,
            Name::Node(node) => self.own_term(pool, node),
            Name::Quotient(dividend, divisor) => pool.int_div(dividend, divisor),
        })
    }

    /// All simplex variables.
    pub fn number_variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.numbers.simplex.variables()
    }

    /// The term of an atom over numbers.
    pub fn inequality_term(&self, pool: &mut TermPool, inequality: Inequality) -> Term {
        let [Bound { variable, value, .. }, _] = &self.numbers.bounds[inequality];
        let definition = self.numbers.simplex.definition(*variable);
        let is_integer = |(variable, _): &(Var, Rational)| self.numbers.simplex.kind(*variable) == Kind::Int;
        let of_integers = definition.entries().iter().all(is_integer);
        let sort = if of_integers { Sort::Int } else { Sort::Real };
        let summands = self.summands(pool, definition, sort);
        let sum = pool.add(&summands);
        let limit = pool.number(sort, &value.real.to_big());
        if value.delta.is_zero() { pool.le(sum, limit) } else { pool.lt(sum, limit) }
    }

    /// The values of all simplex variables, in which nodes with different values in the model stay
    /// different. Requires that the last search ended with a model.
    pub fn number_values(&self) -> Vec<Rational> {
        let nodes = self.numbers.nodes.keys().filter_map(|&node| self.numbers.value(node));
        self.numbers.simplex.model_apart(nodes.collect())
    }

    /// The number of a node.
    pub fn number_of(&self, node: Node) -> Option<Number> {
        self.numbers.nodes.get(&node).copied()
    }

    /// The value of a linear term.
    pub fn evaluate(&self, number: Number, values: &[Rational]) -> Rational {
        use terms::entity::Entity;
        let Linear { form, constant } = &self.numbers.linear[number];
        let mut value = constant.clone();
        for (variable, coefficient) in form.entries() {
            value.add_product(coefficient, &values[variable.index()]);
        }
        value
    }
}

/// A literal as the reason of a bound.
pub(super) fn reason32(literal: Literal) -> Reason32 {
    Reason32(super::reason(literal))
}
