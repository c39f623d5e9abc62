//! Agreement of bit vectors between the search and the closure.
//!
//! # Idea
//! The bits of bit vectors belong to the search. An argument or result of a function is also a node
//! of the closure, and the two must agree, as in the Nelson–Oppen combination with equalities on
//! demand (de Moura, Bjørner: *Model-based Theory Combination*, 2007). Once all variables are
//! assigned,
//!
//! 1. two nodes of one class with different bits get an equality atom, which the closure implies
//!    and which determines the bits;
//! 2. two applications of one function whose arguments have equal values but whose results differ
//!    get equality atoms for their arguments, for each pair that is not known to be equal. The bits
//!    make these atoms true, and the closure makes the results equal. Bit-vector results get their
//!    equality atom immediately, so that the closure can report it to the search.
//!
//! Addresses are often sums of a base and a constant. The equality of two sums therefore states
//! that the difference of the bases is a constant: many pairs of sums share one difference.
//!
//! Applications without such a conflict are left alone, so most pairs of arguments never get an
//! atom. Boolean arguments need no atom: each is equal to true or to false.
//!
//! # Cost
//! A final check is linear in the number of bits of these bit vectors and in the number of
//! applications.

use super::{ArrayTerm, Combination, Lemma, Source};
use crate::prover::arith::DeltaRational;
use crate::prover::cnf::bits::{self, Word};
use crate::prover::cnf::clauses::{ClauseSink, Polarity, Tag};
use crate::prover::cnf::gates::Signal;
use crate::prover::euf::Node;
use crate::prover::sat::{Consequences, Literal, Variable};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use terms::BitVector;

impl Combination {
    /// Decides the variables that the theories observe and the search left open.
    pub(super) fn complete(&self, decisions: &mut Vec<Literal>) {
        for &signal in self.truths.values().chain(self.words.values().flatten()) {
            if self.value(signal).is_none() {
                decisions.extend(self.encoder.known_literal(!signal));
            }
        }
    }

    /// Records that a word is the sum of a word and a constant.
    pub fn note_sum(&mut self, sum: &[Signal], base: &[Signal], constant: &[Signal]) {
        let is_constant = |word: &[Signal]| word.iter().all(|bit| bit.as_constant().is_some());
        if !is_constant(sum) && is_constant(constant) && sum != base && !self.sums.contains_key(sum) {
            self.sums.insert(sum.to_vec(), (base.to_vec(), constant.to_vec()));
        }
    }

    /// The bits of a node, before observed copies replaced them.
    pub(super) fn original_bits(&self, node: Node) -> Option<Word> {
        let original = |&bit: &Signal| match self.source(bit.gate()) {
            Some(Source::Copy(signal)) if bit.is_positive() => signal,
            Some(Source::Copy(signal)) => !signal,
            _ => bit,
        };
        self.words.get(&node).map(|word| word.iter().map(original).collect())
    }

    /// A word as a base and an added constant.
    fn split<'a>(&'a self, word: &'a [Signal], zero: &'a [Signal]) -> (&'a [Signal], &'a [Signal]) {
        match self.sums.get(word) {
            Some((base, constant)) => (base, constant),
            None if word.iter().all(|bit| bit.as_constant().is_some()) => (zero, word),
            None => (word, zero),
        }
    }

    /// Whether two words have the same base and different constants.
    pub(super) fn are_apart(&self, left: &[Signal], right: &[Signal]) -> bool {
        let zero = vec![Signal::FALSE; left.len()];
        let ((a, i), (b, j)) = (self.split(left, &zero), self.split(right, &zero));
        a == b && i != j
    }

    /// The equality of two words. All sums of two bases share a difference: `a + i = b + j` is
    /// `a - b = j - i`.
    pub fn equal_bits(&mut self, left: &[Signal], right: &[Signal]) -> Signal {
        let zero = vec![Signal::FALSE; left.len()];
        let ((a, i), (b, j)) = (self.split(left, &zero), self.split(right, &zero));
        if a == b {
            return Signal::constant(i == j);
        }
        let ((a, i), (b, j)) = if a < b { ((a, i), (b, j)) } else { ((b, j), (a, i)) };
        let (a, b, i, j) = (a.to_vec(), b.to_vec(), i.to_vec(), j.to_vec());
        if i == j {
            return bits::equal(&mut self.gates, &a, &b);
        }
        // The base of a constant word is 0, and the difference is the other base or its negation.
        let (one, other, value) = if a == zero {
            (b, a, bits::sub(&mut self.gates, &i, &j))
        } else {
            (a, b, bits::sub(&mut self.gates, &j, &i))
        };
        let difference = bits::sub(&mut self.gates, &one, &other);
        bits::equal(&mut self.gates, &difference, &value)
    }

    /// Pairs of equal nodes with different bits.
    pub(super) fn equal_words(&self) -> Vec<(Node, Node)> {
        let mut first: FxHashMap<Node, Node> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (&node, word) in &self.words {
            let one = *first.entry(self.representative(node)).or_insert(node);
            let differ = word.iter().zip(&self.words[&one]).any(|(&a, &b)| self.value(a) != self.value(b));
            if differ {
                pairs.push((one, node));
            }
        }
        pairs
    }

    /// Pairs of arguments that have equal values, are not known to be equal, and occur in
    /// applications with different values. Writes and constant arrays are left to the theory of
    /// arrays.
    pub(super) fn unequal_results(&self) -> Vec<(Node, Node)> {
        let canonical = self.canonical();
        let is_function = |&&node: &&Node| {
            !matches!(self.array_term(node), Some(ArrayTerm::Write { .. } | ArrayTerm::Constant { .. }))
        };
        let applications: Vec<Node> = self.applications.iter().filter(is_function).copied().collect();
        self.equal_arguments(&applications, &canonical)
    }

    /// Maps each bit vector and number to the first node with the same value.
    pub(super) fn canonical(&self) -> FxHashMap<Node, Node> {
        let mut by_value: FxHashMap<BitVector, Node> = FxHashMap::default();
        let mut canonical: FxHashMap<Node, Node> = FxHashMap::default();
        for (&node, word) in &self.words {
            let value = word_value(word, |bit| self.value(bit) == Some(true));
            canonical.insert(node, *by_value.entry(value).or_insert(node));
        }
        let mut by_number: FxHashMap<DeltaRational, Node> = FxHashMap::default();
        for &node in self.numbers.nodes.keys() {
            if let Some(value) = self.numbers.value(node) {
                canonical.insert(node, *by_number.entry(value).or_insert(node));
            }
        }
        canonical
    }

    /// Pairs of arguments that are equal by `canonical`, not known to be equal, and occur in
    /// applications that differ. Nodes outside of `canonical` are represented by their class, such
    /// as a Boolean by its truth value.
    pub(super) fn equal_arguments(
        &self,
        applications: &[Node],
        canonical: &FxHashMap<Node, Node>,
    ) -> Vec<(Node, Node)> {
        let canonical = |node: Node| canonical.get(&node).copied().unwrap_or(self.representative(node));
        let mut results: FxHashMap<SmallVec<[u32; 4]>, Node> = FxHashMap::default();
        let mut pairs = Vec::new();
        for &node in applications {
            let application = self.congruence.application(node).expect("it is an application");
            let key = std::iter::once(application.function)
                .chain(application.arguments.iter().map(|&argument| canonical(argument).0))
                .collect();
            let other = *results.entry(key).or_insert(node);
            if canonical(other) == canonical(node) {
                continue;
            }
            let arguments = &self.congruence.application(other).expect("it is an application").arguments;
            let differ = arguments.iter().copied().zip(application.arguments.iter().copied());
            pairs.extend(differ.filter(|&(a, b)| !self.congruence.are_equal(a, b)));
            if self.words.contains_key(&node) || self.numbers.nodes.contains_key(&node) {
                pairs.push((other, node));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Creates the equality atoms of pairs of nodes.
    pub(super) fn add_equalities(
        &mut self,
        pairs: &[(Node, Node)],
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) {
        for (left, right) in self.purified(pairs) {
            match (self.terms[left], self.terms[right]) {
                (Some(a), Some(b)) => self.begin(Tag::Equality(a, b)),
                _ => self.begin(Tag::Arrays),
            };
            let mut sink = Definitions { fresh, lemmas: &mut consequences.lemmas };
            let signal = self.equality(left, right, &mut sink);
            self.encoder.literal(&self.gates, signal, Polarity::Both, &mut sink);
            consequences.decisions.extend(self.encoder.known_literal(signal));
        }
    }
}

/// A clause sink that turns definitions made in the search into lemmas.
pub(super) struct Definitions<'a> {
    pub(super) fresh: &'a mut dyn FnMut() -> Variable,
    pub(super) lemmas: &'a mut Vec<(Vec<Literal>, u32)>,
}

impl ClauseSink for Definitions<'_> {
    fn new_variable(&mut self) -> Variable {
        (self.fresh)()
    }

    fn add_clause(&mut self, literals: &[Literal], tag: u32) {
        self.lemmas.push((literals.to_vec(), Lemma::Definition(tag).number()));
    }
}

/// The value of a word.
pub(crate) fn word_value(word: &[Signal], bit: impl Fn(Signal) -> bool) -> BitVector {
    let width = u32::try_from(word.len()).expect("widths fit into 32 bits");
    if width <= 64 {
        let bits = word.iter().rev().fold(0, |value, &signal| value << 1 | u64::from(bit(signal)));
        return BitVector::new(width, bits);
    }
    let mut digits = vec![0u32; word.len().div_ceil(32)];
    for (index, &signal) in word.iter().enumerate() {
        digits[index / 32] |= u32::from(bit(signal)) << (index % 32);
    }
    BitVector::from_natural(width, BigUint::new(digits))
}
