//! From gates to clauses.
//!
//! # Idea
//! Tseitin's translation gives each gate a variable that is equivalent to it; Plaisted and Greenbaum (*A Structure-preserving Clause Form Translation*, 1986)
//! give only the implication that is needed: the one from the variable to its gate where the gate occurs positively, the
//! other one where it occurs negatively. What of a gate was written is kept by gate, so that a gate that is needed with
//! the other polarity later gets the other implication then.
//!
//! Choices get a redundant clause for each implication (both branches decide the choice whatever the condition), without
//! which unit propagation is weaker.
//!
//! Each clause has a *tag*, which [`Tags`] maps to what it is about: interpolation assigns clauses to parts by it.
//!
//! # Cost
//! Linear in the gates, each visited at most once for each polarity, without recursion.

use super::gates::{Function, Gate, Gates, Signal};
use crate::prover::sat::{Literal, Variable};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use terms::Term;
use terms::entity::SecondaryMap;

/// Where clauses go.
pub trait ClauseSink {
    /// A new variable.
    fn new_variable(&mut self) -> Variable;
    /// Adds a clause.
    fn add_clause(&mut self, literals: &[Literal], tag: u32);
}

/// What a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// The constant true.
    Truth,
    /// It is the assertion with this number, or a conjunct of it. Its scope is open, or the clause holds trivially.
    Assertion(u32),
    /// It defines the term or a part of it: all free symbols of what it says occur in the term.
    Definition(Term),
    /// It defines the equality of two terms, which need not be a term itself.
    Equality(Term, Term),
    /// It defines something that only lemmas of arrays are about.
    Arrays,
    /// It closes a scope. It is in no refutation: what it negates occurs in clauses with one sign only.
    Closing,
}

/// Tags by number.
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

/// With which sign something occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// It may be false, and then nothing follows.
    Positive,
    /// It may be true, and then nothing follows.
    Negative,
    /// Both matter.
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

/// The other direction of each implication in a set, if the signal is negative.
fn oriented(bits: u8, signal: Signal) -> u8 {
    if signal.is_positive() { bits } else { (bits >> 1 | bits << 1) & BOTH }
}

/// What was written of the gates of one graph.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    variables: SecondaryMap<Gate, Option<Variable>>,
    written: SecondaryMap<Gate, u8>,
    /// The gates of variables, for those who read clauses.
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

    /// The literal of a signal that nothing is said of so far. Writes no clauses.
    pub fn name(&mut self, signal: Signal, sink: &mut impl ClauseSink) -> Literal {
        self.need(signal, 0, sink)
    }

    /// Whether an input occurs where it may have to be false.
    pub fn is_denied(&self, gate: Gate) -> bool {
        self.written[gate] & NEGATIVE != 0
    }

    /// The gate that a variable stands for.
    pub fn gate(&self, variable: Variable) -> Option<Gate> {
        self.gates[variable]
    }

    /// The literal of a signal that occurs with this polarity. Writes the clauses that this needs.
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
        let variable = self.variables[signal.gate()].expect("a gate that is needed has a variable");
        Literal::new(variable, signal.is_positive())
    }

    /// Writes clauses that say that `signal` holds if `condition` does: conjunctions become one clause for each operand, and
    /// disjunctions clauses without a variable of their own.
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
                // False: the condition alone is denied.
                Function::True => {}
                _ => clause.push(self.literal(gates, signal, Polarity::Positive, sink)),
            }
            sink.add_clause(&clause, tag);
        }
    }

    /// Notes that implications of a signal are needed, and gives it a variable.
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
        let x = Literal::positive(self.variables[gate].expect("a gate that is needed has a variable"));
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
