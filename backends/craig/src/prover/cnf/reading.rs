//! Back translation of literals to terms.
//!
//! # Idea
//! Interpolants are over terms, but proofs are over variables, such as the bits of shared symbols.
//! The variable of a gate is read as the formula of its *cone*, down to the inputs, and not as the
//! term for which it was created: that term may contain more symbols than the gate depends on, and
//! another term without these symbols may share the gate. The free symbols of the result are
//! exactly those on which the gate depends.
//!
//! # Cost
//! Linear in the cone, without recursion; results are cached. The term shares what the gates share.
//!
//! # Limits
//! A bit vector is read as a formula over its bits. A bit of an application is read as a bit of the
//! whole application, including its arguments.

use super::gates::{Function, Gate, Signal};
use crate::prover::sat::Literal;
use crate::prover::theory::{Combination, Source};
use terms::entity::SecondaryMap;
use terms::{Term, TermPool};

/// Reads the literals of one prover as terms of its pool.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    known: SecondaryMap<Gate, Option<Term>>,
}

impl Reader {
    /// The formula of a literal. `None` for the selectors of scopes.
    pub fn literal(&mut self, pool: &mut TermPool, theory: &Combination, literal: Literal) -> Option<Term> {
        let gate = theory.encoder.gate(literal.variable())?;
        let term = self.signal(pool, theory, Signal::positive(gate));
        Some(if literal.is_positive() { term } else { pool.not(term) })
    }

    /// The formula of a signal.
    pub fn signal(&mut self, pool: &mut TermPool, theory: &Combination, signal: Signal) -> Term {
        let mut stack = vec![signal.gate()];
        let mut missing: Vec<Gate> = Vec::new();
        while let Some(&gate) = stack.last() {
            if self.known[gate].is_some() {
                stack.pop();
                continue;
            }
            missing.clear();
            let copied = match theory.source(gate) {
                Some(Source::Copy(signal)) => Some(signal),
                _ => None,
            };
            let operands = theory.gates.operands(gate).iter().chain(&copied);
            missing.extend(operands.map(|operand| operand.gate()).filter(|&gate| self.known[gate].is_none()));
            if missing.is_empty() {
                self.known[gate] = Some(self.build(pool, theory, gate));
                stack.pop();
            } else {
                stack.append(&mut missing);
            }
        }
        self.read(pool, signal)
    }

    /// The formula of a signal whose gate has been read.
    fn read(&self, pool: &mut TermPool, signal: Signal) -> Term {
        let term = self.known[signal.gate()].expect("operands are read before their gate");
        if signal.is_positive() { term } else { pool.not(term) }
    }

    /// The formula of a gate whose operands have been read.
    fn build(&self, pool: &mut TermPool, theory: &Combination, gate: Gate) -> Term {
        let operands: Vec<Term> =
            theory.gates.operands(gate).iter().map(|&operand| self.read(pool, operand)).collect();
        match (theory.gates.function(gate), &operands[..]) {
            (Function::True, _) => pool.tru(),
            (Function::And, operands) => pool.and(operands),
            (Function::Xor, &[a, b]) => pool.xor(a, b),
            (Function::Ite, &[condition, then, otherwise]) => pool.ite(condition, then, otherwise),
            (Function::Majority, &[a, b, c]) => {
                let (either, both) = (pool.or2(b, c), pool.and2(b, c));
                let one = pool.and2(a, either);
                pool.or2(one, both)
            }
            (Function::Input, _) => match theory.source(gate).expect("an input has a source") {
                Source::Truth(term) => term,
                Source::Bit(term, bit) => {
                    let bit = pool.extract(bit, bit, term);
                    let one = pool.bv(1, 1);
                    pool.eq(bit, one)
                }
                Source::NodeTruth(node) => theory.node_term(pool, node),
                Source::NodeBit(node, bit) => {
                    let term = theory.node_term(pool, node);
                    let bit = pool.extract(bit, bit, term);
                    let one = pool.bv(1, 1);
                    pool.eq(bit, one)
                }
                Source::Equality(a, b) => {
                    let (a, b) = (theory.node_term(pool, a), theory.node_term(pool, b));
                    pool.eq(a, b)
                }
                Source::Inequality(inequality) => theory.inequality_term(pool, inequality),
                Source::Copy(signal) => self.read(pool, signal),
            },
            (function, operands) => {
                unreachable!("{function:?} should not have {} operands", operands.len())
            }
        }
    }
}
