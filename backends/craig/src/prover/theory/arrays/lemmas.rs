//! Array lemmas, and their checker.
//!
//! A violation of the candidate is a path between two holders with different elements at one index.
//! The path is split into chains of writes that are chains of terms. The lemma of a chain states
//! that the reads at its two ends are equal, or that some index written on it is the read one. The
//! lemma of the last chain also states the element of a write or constant array at the end of the
//! path. Reads of equal arrays are congruent.

use super::candidate::{CONFLICTS, Direction, Holder, Rejection, Step, Violation};
use super::{ArrayTerm, Candidate};
use crate::prover::arith::{Kind, Rational};
use crate::prover::cnf::clauses::Polarity;
use crate::prover::cnf::gates::Signal;
use crate::prover::euf::{Fact, Facts, Node};
use crate::prover::sat::{Consequences, FinalCheck, Literal, Variable};
use crate::prover::theory::{Certificates, Combination, Lemma, Linear, reason};
use backends::Limits;
use std::collections::BTreeMap;
use terms::{ArraySort, Sort, Value};

/// The schema of an array lemma. A *chain* leads from a write to the array that it modifies, and so
/// on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLemma {
    /// `top[j] = base[j]`, or j is one of the indices written on the chain from `top` to `base`.
    Unwritten {
        /// The start of the chain.
        top: Node,
        /// The end of the chain.
        base: Node,
        /// j
        index: Node,
    },
    /// `top[j]` is the element of `write`, or j differs from the index of `write`, or j is one of
    /// the indices written on the chain from `top` to `write` that are not known to differ from
    /// that index.
    Written {
        /// The start of the chain.
        top: Node,
        /// The end of the chain, a write itself.
        write: Node,
        /// j
        index: Node,
    },
    /// `top[j]` is the element of `constant`, or j is one of the indices written on the chain.
    Constant {
        /// The start of the chain.
        top: Node,
        /// The end of the chain, a constant array.
        constant: Node,
        /// j
        index: Node,
    },
    /// `left = right`, or `left[k] ≠ right[k]`, where k is the fresh witness of the two.
    Witness {
        /// An array.
        left: Node,
        /// Another array.
        right: Node,
        /// k
        index: Node,
    },
}

/// Writes that form a chain of terms.
#[derive(Clone, Copy, Debug)]
struct Chain {
    top: Node,
    base: Node,
    direction: Direction,
}

/// A defect of an array lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongArrayLemma {
    /// There is no such lemma.
    #[error("there is no array lemma with number {0}")]
    Unknown(u32),
    /// A node does not fit its place in the schema.
    #[error("{0} does not fit its place in the schema")]
    Kind(Node),
    /// There is no chain of writes.
    #[error("there is no chain of writes from {0} to {1}")]
    Chain(Node, Node),
    /// The lemma lacks a literal that states this fact.
    #[error("no literal states {0:?}")]
    Missing(Fact),
    /// The witness is not fresh, or belongs to other arrays.
    #[error("{0} is not a witness of the two arrays")]
    Witness(Node),
}

impl Combination {
    /// Checks whether the arrays have a model and adds lemmas if not. The other theories must
    /// agree.
    pub(in crate::prover::theory) fn check_arrays(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        if self.arrays.nodes.is_empty() {
            return FinalCheck::Consistent;
        }
        let candidate = match Candidate::new(self, self.number_values(), &self.numbers.limits) {
            Ok(candidate) => candidate,
            Err(Rejection::Unknown(reason)) => return FinalCheck::Unknown(reason),
            Err(Rejection::Violations(violations)) => {
                for violation in violations {
                    self.explain(&violation, fresh, consequences);
                }
                return FinalCheck::Continue;
            }
            Err(Rejection::Equal(pairs)) => {
                for (left, right) in pairs {
                    self.tell_apart(left, right, fresh, consequences);
                }
                return FinalCheck::Continue;
            }
        };
        let pairs = self.equal_array_arguments(&candidate);
        if pairs.is_empty() {
            return FinalCheck::Consistent;
        }
        self.add_equalities(&pairs, fresh, consequences);
        FinalCheck::Continue
    }

    /// The values of all arrays, given the values of the simplex variables. Requires that the last
    /// search ended with a model.
    pub(crate) fn array_values(&self, numbers: Vec<Rational>) -> Candidate {
        Candidate::new(self, numbers, &Limits::default()).expect("the last check accepted the candidate")
    }

    /// Arrays of a sort that must differ but have equal values, without a witness.
    pub(super) fn equal_but_denied(&self, candidate: &Candidate, sort: ArraySort) -> Vec<(Node, Node)> {
        let arrays = &self.arrays;
        let is_denied =
            |signal: Signal| self.value(signal) == Some(false) && self.encoder.is_denied(signal.gate());
        let of_sort = arrays.equalities.iter().filter(|&&(left, ..)| arrays.sorts[left] == Some(sort));
        of_sort
            .filter(|&&(.., signal)| is_denied(signal))
            .map(|&(left, right, _)| (left, right))
            .filter(|pair| !arrays.witnesses.contains_key(pair) && !candidate.differ(self, pair.0, pair.1))
            .take(CONFLICTS)
            .collect()
    }

    /// Pairs of arguments with equal values of applications with different values and at least one
    /// array argument.
    fn equal_array_arguments(&self, candidate: &Candidate) -> Vec<(Node, Node)> {
        let takes_arrays = |&&node: &&Node| {
            let application = self.congruence.application(node).expect("it is an application");
            self.array_term(node).is_none()
                && application.arguments.iter().any(|&argument| self.arrays.sorts[argument].is_some())
        };
        let applications: Vec<Node> = self.applications.iter().filter(takes_arrays).copied().collect();
        if applications.is_empty() {
            return Vec::new();
        }
        let mut canonical = self.canonical();
        let mut by_value: BTreeMap<(Sort, Value), Node> = BTreeMap::new();
        for &node in &self.arrays.nodes {
            let sort = Sort::Array(self.arrays.sorts[node].expect("arrays are registered"));
            let representative = self.representative(node);
            let first = match canonical.get(&representative) {
                Some(&first) => first,
                None => {
                    let value = candidate.value(self, node, sort);
                    *by_value.entry((sort, value)).or_insert(representative)
                }
            };
            canonical.insert(representative, first);
            canonical.insert(node, first);
        }
        self.equal_arguments(&applications, &canonical)
    }

    /// Adds lemmas for the holders and the path of a violation.
    fn explain(
        &mut self,
        violation: &Violation,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) {
        let Violation { start, end, .. } = *violation;
        let at = |theory: &Self, holder| match holder {
            Holder::Read(read) => match theory.array_term(read) {
                Some(ArrayTerm::Read { array, index }) => (array, Some(index)),
                _ => unreachable!("it is a read"),
            },
            Holder::Write(write) => match theory.array_term(write) {
                Some(ArrayTerm::Write { index, .. }) => (write, Some(index)),
                _ => unreachable!("it is a write"),
            },
            Holder::Constant(constant) => (constant, None),
        };
        let (_, index) = at(self, start);
        let index = match index.or(violation.node) {
            Some(index) => index,
            None => self.value_as_node(&violation.index, violation.sort, fresh, consequences),
        };
        match start {
            Holder::Read(_) => {}
            Holder::Write(write) => {
                self.tell(ArrayLemma::Written { top: write, write, index }, fresh, consequences);
            }
            Holder::Constant(constant) => {
                self.tell(ArrayLemma::Constant { top: constant, constant, index }, fresh, consequences);
            }
        }
        let (last, last_index) = at(self, end);
        let mut chains = self.chains(&violation.steps);
        let top = match (end, chains.last()) {
            (Holder::Read(_), _) => last,
            (_, Some(&Chain { top, base, direction: Direction::Down })) if base == last => {
                chains.pop();
                top
            }
            _ => last,
        };
        for Chain { top, base, .. } in chains {
            self.tell(ArrayLemma::Unwritten { top, base, index }, fresh, consequences);
        }
        match end {
            Holder::Read(_) => {
                let other = last_index.expect("reads have indices");
                if !self.congruence.are_equal(index, other) {
                    self.add_equalities(&[(index, other)], fresh, consequences);
                }
            }
            Holder::Write(write) => {
                self.tell(ArrayLemma::Written { top, write, index }, fresh, consequences);
            }
            Holder::Constant(constant) => {
                self.tell(ArrayLemma::Constant { top, constant, index }, fresh, consequences);
            }
        }
    }

    /// Splits a path into chains.
    fn chains(&self, steps: &[Step]) -> Vec<Chain> {
        let mut chains: Vec<Chain> = Vec::new();
        for &Step { write: top, direction } in steps {
            let Some(ArrayTerm::Write { array: base, .. }) = self.array_term(top) else {
                unreachable!("an edge is a write")
            };
            match chains.last_mut() {
                Some(chain) if chain.direction == direction && chain.base == top => chain.base = base,
                Some(chain) if chain.direction == direction && chain.top == base => chain.top = top,
                _ => chains.push(Chain { top, base, direction }),
            }
        }
        chains
    }

    /// Creates an index at which two arrays differ.
    fn tell_apart(
        &mut self,
        left: Node,
        right: Node,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) {
        let sort = self.shape(left).index;
        let mut sink = self.definitions(fresh, consequences);
        let index = self.new_node(sort, &mut sink);
        self.arrays.witnesses.insert((left, right), index);
        self.tell(ArrayLemma::Witness { left, right, index }, fresh, consequences);
    }

    /// A node for a value of an enumerable sort.
    fn value_as_node(
        &mut self,
        value: &Value,
        sort: Sort,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> Node {
        let mut sink = self.definitions(fresh, consequences);
        let node = match value {
            Value::Bool(value) => return self.truth(*value),
            Value::BitVec(bits) => {
                let bits = crate::prover::cnf::bits::constant(bits);
                let node = self.value_node(&bits);
                self.connect_word(node, &bits, &mut sink);
                node
            }
            Value::Int(value) => self.nameless_node(Kind::Int, Linear::constant(value.clone().into())),
            Value::Real(value) => self.nameless_node(Kind::Real, Linear::constant(value.clone().into())),
            value => unreachable!("{value:?} should be of a sort that can be enumerated"),
        };
        self.arrays.made.insert(node, sort);
        node
    }

    /// Adds a lemma, once.
    fn tell(
        &mut self,
        lemma: ArrayLemma,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) {
        if !self.arrays.told.insert(lemma) {
            return;
        }
        let mut sink = self.definitions(fresh, consequences);
        let mut signals = Vec::new();
        let conclusion = match lemma {
            ArrayLemma::Unwritten { top, base: end, index }
            | ArrayLemma::Written { top, write: end, index }
            | ArrayLemma::Constant { top, constant: end, index } => {
                let last = self.last_index(lemma);
                let mut at = top;
                while at != end {
                    let Some(ArrayTerm::Write { array, index: written, .. }) = self.array_term(at) else {
                        unreachable!("a chain consists of writes")
                    };
                    if !last.is_some_and(|last| self.are_different(written, last)) {
                        signals.push((self.same(index, written, &mut sink), Polarity::Both));
                    }
                    at = array;
                }
                let read = self.read(top, index, &mut sink);
                let element = match (lemma, self.array_term(end)) {
                    (ArrayLemma::Constant { .. }, Some(ArrayTerm::Constant { element })) => element,
                    (ArrayLemma::Written { .. }, Some(ArrayTerm::Write { index: written, element, .. })) => {
                        signals.push((!self.same(index, written, &mut sink), Polarity::Both));
                        element
                    }
                    _ => self.read(end, index, &mut sink),
                };
                self.same(read, element, &mut sink)
            }
            ArrayLemma::Witness { left, right, index } => {
                signals.push((self.same(left, right, &mut sink), Polarity::Positive));
                let [left, right] = [left, right].map(|array| self.read(array, index, &mut sink));
                !self.same(left, right, &mut sink)
            }
        };
        let mut literals: Vec<Literal> = Vec::with_capacity(signals.len() + 1);
        let mut decisions = Vec::new();
        for (signal, polarity) in signals {
            match signal.as_constant() {
                Some(true) => return,
                Some(false) => {}
                None => {
                    let literal = self.encoder.literal(&self.gates, signal, polarity, &mut sink);
                    literals.push(literal);
                    // The candidate falsifies all literals but the conclusion.
                    decisions.push(!literal);
                }
            }
        }
        match conclusion.as_constant() {
            Some(true) => return,
            Some(false) => {}
            None => {
                let positive = Polarity::Positive;
                literals.push(self.encoder.literal(&self.gates, conclusion, positive, &mut sink));
            }
        }
        consequences.decisions.append(&mut decisions);
        let number = self.arrays.number_of_lemmas;
        self.arrays.number_of_lemmas += 1;
        if self.certificates == Certificates::Kept {
            self.arrays.lemmas.push(lemma);
        }
        consequences.lemmas.push((literals, Lemma::Array(number).number()));
    }

    /// The index written at the end of a chain, for `Written` lemmas. Chain indices known to differ
    /// from it need no literal, because j equal to this index differs from them.
    fn last_index(&self, lemma: ArrayLemma) -> Option<Node> {
        match lemma {
            ArrayLemma::Written { write, .. } => match self.array_term(write) {
                Some(ArrayTerm::Write { index, .. }) => Some(index),
                _ => None,
            },
            _ => None,
        }
    }

    /// An array lemma, by number. `None` if certificates are dropped.
    pub fn array_lemma(&self, number: u32) -> Option<&ArrayLemma> {
        self.arrays.lemmas.get(number as usize)
    }

    /// Checks that a clause is an instance of its schema.
    ///
    /// # Errors
    /// The defect.
    pub fn check_array_lemma(&self, clause: &[Literal], number: u32) -> Result<(), WrongArrayLemma> {
        let lemma = *self.array_lemma(number).ok_or(WrongArrayLemma::Unknown(number))?;
        let read = |array: Node, index: Node| {
            let node = self.known_read(array, index).ok_or(WrongArrayLemma::Kind(array))?;
            let expected = Some(ArrayTerm::Read { array, index });
            if self.array_term(node) == expected { Ok(node) } else { Err(WrongArrayLemma::Kind(node)) }
        };
        let has = |fact: Fact| {
            let is_false = match fact {
                Fact::Equal(left, right) => self.are_different(left, right),
                Fact::Distinct(left, right) => left == right,
            };
            let is_said = || clause.iter().any(|&literal| self.says(reason(literal), fact));
            if is_false || is_said() { Ok(()) } else { Err(WrongArrayLemma::Missing(fact)) }
        };
        let (top, end, index) = match lemma {
            ArrayLemma::Unwritten { top, base, index } => (top, base, index),
            ArrayLemma::Written { top, write, index } => (top, write, index),
            ArrayLemma::Constant { top, constant, index } => (top, constant, index),
            ArrayLemma::Witness { left, right, index } => {
                let is_fresh = self.arrays.witnesses.get(&(left, right)) == Some(&index)
                    && self.term(index).is_none()
                    && self.congruence.application(index).is_none()
                    && !self.congruence.is_value(index)
                    && index > left.max(right);
                if !is_fresh {
                    return Err(WrongArrayLemma::Witness(index));
                }
                has(Fact::Equal(left, right))?;
                return has(Fact::Distinct(read(left, index)?, read(right, index)?));
            }
        };
        let last = self.last_index(lemma);
        let mut at = top;
        while at != end {
            let Some(ArrayTerm::Write { array, index: written, .. }) = self.array_term(at) else {
                return Err(WrongArrayLemma::Chain(top, end));
            };
            if !last.is_some_and(|last| self.are_different(written, last)) {
                has(Fact::Equal(index, written))?;
            }
            at = array;
        }
        let element = match (lemma, self.array_term(end)) {
            (ArrayLemma::Unwritten { .. }, _) => read(end, index)?,
            (ArrayLemma::Written { .. }, Some(ArrayTerm::Write { index: written, element, .. })) => {
                has(Fact::Distinct(index, written))?;
                element
            }
            (ArrayLemma::Constant { .. }, Some(ArrayTerm::Constant { element })) => element,
            _ => return Err(WrongArrayLemma::Kind(end)),
        };
        has(Fact::Equal(read(top, index)?, element))
    }
}
