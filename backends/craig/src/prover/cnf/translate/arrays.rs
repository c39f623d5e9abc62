//! Array terms.
//!
//! All of them are nodes. There is one read per pair of array node and index node, including reads
//! that the search created.

use super::{Builder, Meaning, print};
use crate::prover::cnf::clauses::ClauseSink;
use crate::prover::euf::Node;
use crate::prover::theory::{DEEPEST, depth};
use terms::{Op, Sort, Term, TermPool};

/// The reason why a sort is unsupported.
pub(super) fn unsupported_sort(pool: &TermPool, sort: Sort) -> Option<String> {
    if depth(pool, sort).is_none() {
        return Some(format!("arrays nested more than {DEEPEST} times"));
    }
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match sort {
            Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Uninterpreted(_) => {}
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                stack.extend([index, element]);
            }
            Sort::Float(..) | Sort::RoundingMode => {
                return Some(format!("the sort {}", print::sort(pool, sort)));
            }
        }
    }
    None
}

impl<S: ClauseSink> Builder<'_, S> {
    /// Translates a read, a write or a constant array.
    pub(super) fn array(&mut self, op: Op, term: Term, children: &[Meaning]) -> Meaning {
        let arguments = self.arguments(term, children);
        match (op, &arguments[..]) {
            (Op::Select, &[array, index]) => match self.theory.known_read(array, index) {
                Some(node) => {
                    self.theory.set_term(node, term);
                    self.nodes.insert(term, node);
                    self.meaning_of(node)
                }
                None => {
                    let node = self.theory.read_term(term, array, index);
                    self.result(term, node)
                }
            },
            (Op::Store, &[array, index, element]) => {
                Meaning::Node(self.theory.write_term(term, array, index, element))
            }
            (Op::ConstArray(sort), &[element]) => {
                Meaning::Node(self.theory.constant_term(self.pool, term, sort, element))
            }
            (op, _) => unreachable!("{op:?} should be an operator of arrays"),
        }
    }

    /// The translation of an existing node.
    fn meaning_of(&mut self, node: Node) -> Meaning {
        if let Some(signal) = self.theory.truth_signal(node) {
            return Meaning::Truth(signal);
        }
        if let Some(number) = self.theory.number_of(node) {
            return Meaning::Number(number);
        }
        match self.theory.word_bits(node).map(<[_]>::to_vec) {
            Some(word) => self.word(&word),
            None => Meaning::Node(node),
        }
    }
}
