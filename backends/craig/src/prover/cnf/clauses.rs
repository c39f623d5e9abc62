//! Translation of gates to clauses.
//!
//! # Idea
//! Tseitin's translation defines a variable for each gate by an equivalence. Plaisted and Greenbaum
//! (*A Structure-preserving Clause Form Translation*, 1986) write only the implications that are
//! needed: from the variable to its gate where the gate occurs positively, and the converse where
//! it occurs negatively. The encoder records the written implications per gate and adds the missing
//! one when a gate is later needed with the other polarity.
//!
//! An `ite` gets a redundant clause for each implication (if both branches agree, so does the
//! `ite`, whatever the condition), without which unit propagation is weaker.
//!
//! Each clause has a *tag*, which [`Tags`] maps to its origin: interpolation assigns clauses to
//! parts by it.
//!
//! # Cost
//! Linear in the number of gates, each visited at most once per polarity, without recursion.

use super::gates::{Function, Gate, Gates, Signal};
use crate::prover::sat::{Literal, Variable};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use terms::Term;
use terms::entity::SecondaryMap;

/// A destination of clauses.
pub trait ClauseSink {
    /// Creates a variable.
    fn new_variable(&mut self) -> Variable;
    /// Adds a clause.
    fn add_clause(&mut self, literals: &[Literal], tag: u32);
}

/// The origin of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// The constant true.
    Truth,
    /// The assertion with this number, or a conjunct of it. Either its scope is open, or the clause
    /// holds trivially.
    Assertion(u32),
    /// A definition of the term or of a part of it: all free symbols of the clause occur in the
    /// term.
    Definition(Term),
    /// A definition of the equality of two terms; the equality need not be a term itself.
    Equality(Term, Term),
    /// A definition for array lemmas.
    Arrays,
    /// The clause that closes a scope. It occurs in no refutation, because the selector occurs in
    /// other clauses with one sign only.
    Closing,
}

/// Numbered tags.
#[derive(Clone, Debug, Default)]
pub struct Tags(IndexSet<Tag, FxBuildHasher>);

impl Tags {
    /// The number of a tag.
    pub fn number(&mut self, tag: Tag) -> u32 {
        u32::try_from(self.0.insert_full(tag).0).expect("fewer than 2^32 tags")
    }

    /// The tag with a number.
    pub fn get(&self, number: u32) -> Option<Tag> {
        self.0.get_index(number as usize).copied()
    }
}

/// The sign with which a signal occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Only the implication from the variable to the gate matters.
    Positive,
    /// Only the implication from the gate to the variable matters.
    Negative,
    /// Both implications matter.
    Both,
}

impl Polarity {
    fn bits(self) -> u8 {
        match self {
            Polarity::Positive => POSITIVE,
            Polarity::Negative => NEGATIVE,
            Polarity::Both => BOTH,
        }
    }
}

// Sets of implications: from the variable to the gate, and back.
const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = 3;

/// Swaps the implications in a set if the signal is negative.
fn oriented(bits: u8, signal: Signal) -> u8 {
    if signal.is_positive() { bits } else { (bits >> 1 | bits << 1) & BOTH }
}

/// The clauses written so far for the gates of one graph.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    variables: SecondaryMap<Gate, Option<Variable>>,
    written: SecondaryMap<Gate, u8>,
    /// The gate of each variable, for readers of clauses.
    gates: SecondaryMap<Variable, Option<Gate>>,
    stack: Vec<(Gate, u8)>,
}

impl Encoder {
    /// The variable of a gate, if it has one.
    pub fn variable(&self, gate: Gate) -> Option<Variable> {
        self.variables[gate]
    }

    /// The literal of a signal, if its gate has a variable.
    pub fn known_literal(&self, signal: Signal) -> Option<Literal> {
        self.variables[signal.gate()].map(|variable| Literal::new(variable, signal.is_positive()))
    }

    /// The literal of a signal, without a polarity. Writes no clauses.
    pub fn name(&mut self, signal: Signal, sink: &mut impl ClauseSink) -> Literal {
        self.need(signal, 0, sink)
    }

    /// Whether an input occurs with negative polarity, so that it may have to be false.
    pub fn is_denied(&self, gate: Gate) -> bool {
        self.written[gate] & NEGATIVE != 0
    }

    /// The gate of a variable.
    pub fn gate(&self, variable: Variable) -> Option<Gate> {
        self.gates[variable]
    }

    /// The literal of a signal that occurs with this polarity. Writes the clauses that this
    /// requires.
    pub fn literal(
        &mut self,
        gates: &Gates,
        signal: Signal,
        polarity: Polarity,
        sink: &mut impl ClauseSink,
    ) -> Literal {
        self.need(signal, polarity.bits(), sink);
        while let Some((gate, needed)) = self.stack.pop() {
            self.write(gates, gate, needed, sink);
        }
        let variable = self.variables[signal.gate()].expect("a needed gate has a variable");
        Literal::new(variable, signal.is_positive())
    }

    /// Writes clauses for `condition → signal`: one clause per operand of a conjunction, and
    /// disjunctions without a variable of their own.
    pub fn require(
        &mut self,
        gates: &Gates,
        condition: Option<Literal>,
        signal: Signal,
        tag: u32,
        sink: &mut impl ClauseSink,
    ) {
        let mut stack = vec![signal];
        let mut clause: Vec<Literal> = Vec::new();
        while let Some(signal) = stack.pop() {
            if signal == Signal::TRUE {
                continue;
            }
            clause.clear();
            clause.extend(condition.map(|literal| !literal));
            match gates.function(signal.gate()) {
                Function::And if signal.is_positive() => {
                    stack.extend(gates.operands(signal.gate()).iter().rev());
                    continue;
                }
                Function::And if self.variables[signal.gate()].is_none() => {
                    for &operand in gates.operands(signal.gate()) {
                        clause.push(self.literal(gates, !operand, Polarity::Positive, sink));
                    }
                }
                // The signal is false: the clause contains only the negated condition.
                Function::True => {}
                _ => clause.push(self.literal(gates, signal, Polarity::Positive, sink)),
            }
            sink.add_clause(&clause, tag);
        }
    }

    /// Requests implications of a signal, and gives it a variable.
    fn need(&mut self, signal: Signal, bits: u8, sink: &mut impl ClauseSink) -> Literal {
        let gate = signal.gate();
        let variable = match self.variables[gate] {
            Some(variable) => variable,
            None => {
                let variable = sink.new_variable();
                self.variables[gate] = Some(variable);
                self.gates[variable] = Some(gate);
                variable
            }
        };
        let missing = oriented(bits, signal) & !self.written[gate];
        if missing != 0 {
            self.written[gate] |= missing;
            self.stack.push((gate, missing));
        }
        Literal::new(variable, signal.is_positive())
    }

    /// Writes implications of a gate.
    fn write(&mut self, gates: &Gates, gate: Gate, bits: u8, sink: &mut impl ClauseSink) {
        let tag = gates.tag(gate);
        let x = Literal::positive(self.variables[gate].expect("a needed gate has a variable"));
        let operands = gates.operands(gate);
        match gates.function(gate) {
            Function::Input => {}
            Function::True => sink.add_clause(&[x], tag),
            Function::And => {
                let literals: Vec<Literal> =
                    operands.iter().map(|&operand| self.need(operand, bits, sink)).collect();
                if bits & POSITIVE != 0 {
                    literals.iter().for_each(|&literal| sink.add_clause(&[!x, literal], tag));
                }
                if bits & NEGATIVE != 0 {
                    let clause: Vec<Literal> = literals.iter().map(|&literal| !literal).chain([x]).collect();
                    sink.add_clause(&clause, tag);
                }
            }
            Function::Xor => {
                let [a, b] = [0, 1].map(|position| self.need(operands[position], BOTH, sink));
                if bits & POSITIVE != 0 {
                    sink.add_clause(&[!x, a, b], tag);
                    sink.add_clause(&[!x, !a, !b], tag);
                }
                if bits & NEGATIVE != 0 {
                    sink.add_clause(&[x, !a, b], tag);
                    sink.add_clause(&[x, a, !b], tag);
                }
            }
            Function::Ite => {
                let condition = self.need(operands[0], BOTH, sink);
                let [then, otherwise] = [1, 2].map(|position| self.need(operands[position], bits, sink));
                if bits & POSITIVE != 0 {
                    sink.add_clause(&[!x, !condition, then], tag);
                    sink.add_clause(&[!x, condition, otherwise], tag);
                    sink.add_clause(&[!x, then, otherwise], tag);
                }
                if bits & NEGATIVE != 0 {
                    sink.add_clause(&[x, !condition, !then], tag);
                    sink.add_clause(&[x, condition, !otherwise], tag);
                    sink.add_clause(&[x, !then, !otherwise], tag);
                }
            }
            Function::Majority => {
                let literals = [0, 1, 2].map(|position| self.need(operands[position], bits, sink));
                for [a, b] in [[0, 1], [0, 2], [1, 2]].map(|pair| pair.map(|position| literals[position])) {
                    if bits & POSITIVE != 0 {
                        sink.add_clause(&[!x, a, b], tag);
                    }
                    if bits & NEGATIVE != 0 {
                        sink.add_clause(&[x, !a, !b], tag);
                    }
                }
            }
        }
    }
}
