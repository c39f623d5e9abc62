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
//! Applications that are not in such a conflict are left alone, so that most pairs of arguments never get an atom. Boolean
//! arguments need none: each is equal to true or to false.
//!
//! # Cost
//! A final check is linear in the bits of all such words and in the applications.

use super::{Combination, Lemma};
use crate::arith::DeltaRational;
use crate::euf::Node;
use crate::front::clauses::{ClauseSink, Tag};
use crate::front::gates::Signal;
use crate::sat::{Consequences, Literal, Variable};
use ir::term::BitVector;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Combination {
    /// Decides what theories have to know and the search left open.
    pub(super) fn complete(&self, decisions: &mut Vec<Literal>) {
        for &signal in self.truths.values().chain(self.words.values().flatten()) {
            if self.value(signal).is_none() {
                decisions.extend(self.encoder.known_literal(!signal));
            }
        }
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

    /// Pairs of arguments that have the same value, are not known to be equal, and make applications with different values.
    pub(super) fn equal_arguments(&self) -> Vec<(Node, Node)> {
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
        // What is Boolean is in the class of its truth value.
        let canonical = |node: Node| canonical.get(&node).copied().unwrap_or(self.representative(node));
        let mut results: FxHashMap<SmallVec<[u32; 4]>, Node> = FxHashMap::default();
        let mut pairs = Vec::new();
        for &node in &self.applications {
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
            if let (Some(a), Some(b)) = (self.terms[left], self.terms[right]) {
                self.begin(Tag::Equality(a, b));
            }
            let mut sink = Definitions { fresh, lemmas: &mut consequences.lemmas };
            let signal = self.equality(left, right, &mut sink);
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
