//! Bit vectors between the search and the closure.
//!
//! # Idea
//! Bits of bit vectors are the search's own. Where a bit vector is an argument or a result of a function it is
//! a node of the closure, too, and the two have to agree, as in the combination of Nelson and Oppen with equalities on
//! demand (de Moura, Bjørner: *Model-based Theory Combination*, 2007). When all is assigned,
//!
//! 1. two nodes of one class whose bits differ get the atom that they are equal, which follows from the closure and decides
//!    the bits;
//! 2. two applications of one function whose arguments have the same values, but whose results do not, get the atoms that the
//!    arguments are equal, pair by pair where they are not known to be; the bits make them true, and the closure the
//!    results equal. If these are words, they get their atom at once, so that the closure can tell the search.
//!
//! Addresses are often sums of a base and a constant. So an equality of two sums says that the difference of the bases is a constant: for many
//! pairs of sums there is one difference.
//!
//! Applications that are not in such a conflict are left alone, so that most pairs of arguments never get an atom. Boolean
//! arguments need none: each is equal to true or to false.
//!
//! # Cost
//! A final check is linear in the bits of all such words and in the applications.

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
    /// Decides what theories have to know and the search left open.
    pub(super) fn complete(&self, decisions: &mut Vec<Literal>) {
        for &signal in self.truths.values().chain(self.words.values().flatten()) {
            if self.value(signal).is_none() {
                decisions.extend(self.encoder.known_literal(!signal));
            }
        }
    }

    /// Notes that a word is a word plus a constant.
    pub fn note_sum(&mut self, sum: &[Signal], base: &[Signal], constant: &[Signal]) {
        let is_constant = |word: &[Signal]| word.iter().all(|bit| bit.as_constant().is_some());
        if !is_constant(sum) && is_constant(constant) && sum != base && !self.sums.contains_key(sum) {
            self.sums.insert(sum.to_vec(), (base.to_vec(), constant.to_vec()));
        }
    }

    /// The bits of a node, each as it was before it got a variable of its own.
    pub(super) fn original_bits(&self, node: Node) -> Option<Word> {
        let original = |&bit: &Signal| match self.source(bit.gate()) {
            Some(Source::Copy(signal)) if bit.is_positive() => signal,
            Some(Source::Copy(signal)) => !signal,
            _ => bit,
        };
        self.words.get(&node).map(|word| word.iter().map(original).collect())
    }

    /// A word as a base and a constant that is added to it.
    fn split<'a>(&'a self, word: &'a [Signal], zero: &'a [Signal]) -> (&'a [Signal], &'a [Signal]) {
        match self.sums.get(word) {
            Some((base, constant)) => (base, constant),
            None if word.iter().all(|bit| bit.as_constant().is_some()) => (zero, word),
            None => (word, zero),
        }
    }

    /// Whether two words are one base and different constants.
    pub(super) fn are_apart(&self, left: &[Signal], right: &[Signal]) -> bool {
        let zero = vec![Signal::FALSE; left.len()];
        let ((a, i), (b, j)) = (self.split(left, &zero), self.split(right, &zero));
        a == b && i != j
    }

    /// Whether two words have the same bits. All sums of two bases share a difference: `a + i = b + j` is `a - b = j - i`.
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
        // One base is 0 if a word is constant, and the difference is the other or its negation.
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

    /// Pairs of arguments that have the same value, are not known to be equal, and make applications with different values. What is
    /// written is left to the theory of arrays.
    pub(super) fn unequal_results(&self) -> Vec<(Node, Node)> {
        let canonical = self.canonical();
        let is_function = |&&node: &&Node| {
            !matches!(self.array_term(node), Some(ArrayTerm::Write { .. } | ArrayTerm::Constant { .. }))
        };
        let applications: Vec<Node> = self.applications.iter().filter(is_function).copied().collect();
        self.equal_arguments(&applications, &canonical)
    }

    /// Of each bit vector and number the first node with the same value.
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

    /// Pairs of arguments that are the same by `canonical`, not known to be equal, and make applications that are not the same. What
    /// `canonical` does not know is represented by its class, such as a Boolean by its truth value.
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

    /// Makes the atoms of pairs of nodes.
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

/// Definitions that are made in the search are lemmas.
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
