//! A graph of gates: Boolean functions with structural sharing, before their translation to
//! clauses.
//!
//! # Idea
//! An and-inverter graph (Kuehlmann, Paruthi, Krohm, Ganai: *Robust Boolean reasoning for
//! equivalence checking and functional property verification*, 2002) with additional gates.
//! Negation is a bit of the [`Signal`] that refers to a gate and costs nothing. Gates are
//! hash-consed: operands are sorted, constants and equal or opposite operands are simplified away,
//! and the rest is looked up in a table. Constants and shared functions are therefore detected
//! before any clause exists.
//!
//! DIVERGENCE: conjunctions have any number of operands, as terms do, and there are gates for
//! exclusive or, if-then-else and majority, whose clauses propagate better than those of equivalent
//! conjunctions. Simplification considers the operands, and the operands of one conjunction, but
//! nothing deeper.
//!
//! Each gate stores the *tag* under which it was created: its inputs belong to the term of the tag.
//!
//! # Cost
//! O(n log n) for n operands.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use std::ops::Not;
use terms::entity::{Entity, PrimaryMap};

terms::entity! {
    /// A gate.
    Gate, "g"
}

/// A gate or its negation: twice the index of the gate, plus 1 if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(u32);

impl Signal {
    /// True.
    pub const TRUE: Signal = Signal(0);
    /// False.
    pub const FALSE: Signal = Signal(1);

    /// The constant signal of a value.
    pub fn constant(value: bool) -> Self {
        if value { Signal::TRUE } else { Signal::FALSE }
    }

    /// The signal that is true if `gate` is.
    pub fn positive(gate: Gate) -> Self {
        Signal(gate.0 << 1)
    }

    /// The gate.
    pub fn gate(self) -> Gate {
        Gate(self.0 >> 1)
    }

    /// Whether the signal is true if its gate is.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The value, if it is constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Signal::TRUE)
    }

    /// The signal, negated if `parity` is odd.
    fn flip(self, parity: u32) -> Self {
        Signal(self.0 ^ (parity & 1))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        self.flip(1)
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_positive() {
            write!(f, "-")?;
        }
        write!(f, "{}", self.gate())
    }
}

/// The function of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// The constant true, without operands. Gate 0 is the only one.
    True,
    /// A free variable, without operands.
    Input,
    /// Conjunction of at least two operands.
    And,
    /// Exclusive or of two positive operands.
    Xor,
    /// The second operand if the first holds, else the third. The first two are positive.
    Ite,
    /// Whether at least two of the three operands hold; at most one operand is negative.
    Majority,
}

type Key = (Function, SmallVec<[Signal; 3]>);

#[derive(Clone, Copy, Debug)]
struct Data {
    function: Function,
    start: u32,
    end: u32,
    tag: u32,
}

/// A graph of gates.
#[derive(Clone, Debug)]
pub struct Gates {
    gates: PrimaryMap<Gate, Data>,
    operands: Vec<Signal>,
    /// For lookup only, so that the order of the table does not matter.
    known: FxHashMap<Key, Gate>,
    /// The tag of new gates.
    tag: u32,
}

impl Default for Gates {
    fn default() -> Self {
        let mut gates = PrimaryMap::new();
        gates.push(Data { function: Function::True, start: 0, end: 0, tag: 0 });
        Gates { gates, operands: Vec::new(), known: FxHashMap::default(), tag: 0 }
    }
}

impl Gates {
    /// The number of gates.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether the graph contains only the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// Sets the tag of gates created from now on.
    pub fn set_tag(&mut self, tag: u32) {
        self.tag = tag;
    }

    /// The tag under which a gate was created.
    pub fn tag(&self, gate: Gate) -> u32 {
        self.gates[gate].tag
    }

    /// The function of a gate.
    pub fn function(&self, gate: Gate) -> Function {
        self.gates[gate].function
    }

    /// The operands of a gate; they are older than the gate.
    pub fn operands(&self, gate: Gate) -> &[Signal] {
        let Data { start, end, .. } = self.gates[gate];
        &self.operands[start as usize..end as usize]
    }

    /// Creates a free variable.
    pub fn input(&mut self) -> Signal {
        self.push(Function::Input, &[])
    }

    /// The conjunction.
    pub fn and(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        let mut operands: SmallVec<[Signal; 3]> =
            signals.into_iter().filter(|&signal| signal != Signal::TRUE).collect();
        operands.sort_unstable();
        operands.dedup();
        // After sorting, a gate and its negation are neighbors, and false comes first.
        let is_false = operands.first() == Some(&Signal::FALSE)
            || operands.windows(2).any(|pair| pair[0].gate() == pair[1].gate());
        if is_false {
            return Signal::FALSE;
        }
        match operands[..] {
            [] => Signal::TRUE,
            [one] => one,
            [a, b] => self.and_of_two(a, b),
            _ => self.make((Function::And, operands)),
        }
    }

    /// The conjunction of two.
    pub fn and2(&mut self, a: Signal, b: Signal) -> Signal {
        self.and([a, b])
    }

    /// The disjunction.
    pub fn or(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        !self.and(signals.into_iter().map(|signal| !signal))
    }

    /// The disjunction of two.
    pub fn or2(&mut self, a: Signal, b: Signal) -> Signal {
        self.or([a, b])
    }

    /// The exclusive or.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let parity = (a.0 ^ b.0) & 1;
        let (a, b) = (Signal(a.0 & !1), Signal(b.0 & !1));
        let positive = if a == b {
            Signal::FALSE
        } else if a == Signal::TRUE {
            !b
        } else if b == Signal::TRUE {
            !a
        } else {
            self.make((Function::Xor, [a.min(b), a.max(b)].into_iter().collect()))
        };
        positive.flip(parity)
    }

    /// Whether two signals are equal.
    pub fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    /// `then` or `otherwise`, by the condition.
    pub fn ite(&mut self, condition: Signal, then: Signal, otherwise: Signal) -> Signal {
        let (condition, then, otherwise) = if condition.is_positive() {
            (condition, then, otherwise)
        } else {
            (!condition, otherwise, then)
        };
        // The condition is known within a branch.
        let then = if then.gate() == condition.gate() { Signal::constant(then.is_positive()) } else { then };
        let otherwise = if otherwise.gate() == condition.gate() {
            Signal::constant(!otherwise.is_positive())
        } else {
            otherwise
        };
        if condition == Signal::TRUE || then == otherwise {
            return then;
        }
        match (then.as_constant(), otherwise.as_constant()) {
            (Some(true), _) => self.or2(condition, otherwise),
            (Some(false), _) => self.and2(!condition, otherwise),
            (_, Some(true)) => self.or2(!condition, then),
            (_, Some(false)) => self.and2(condition, then),
            _ if then == !otherwise => self.iff(condition, then),
            _ => {
                let parity = u32::from(!then.is_positive());
                let operands = [condition, then.flip(parity), otherwise.flip(parity)];
                self.make((Function::Ite, operands.into_iter().collect())).flip(parity)
            }
        }
    }

    /// Whether at least two of the three signals hold: the carry of an adder.
    pub fn majority(&mut self, a: Signal, b: Signal, c: Signal) -> Signal {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [first, second, third] = operands;
        // Equal and opposite operands are neighbors.
        if first == second || second == third {
            return second;
        }
        if first == !second {
            return third;
        }
        if second == !third {
            return first;
        }
        match first.as_constant() {
            Some(true) => self.or2(second, third),
            Some(false) => self.and2(second, third),
            None => {
                let negative = operands.iter().filter(|operand| !operand.is_positive()).count();
                let parity = u32::from(negative > 1);
                let operands = operands.into_iter().map(|operand| operand.flip(parity)).collect();
                self.make((Function::Majority, operands)).flip(parity)
            }
        }
    }

    /// The values of all gates, by index, given those of the inputs.
    pub fn simulate(&self, input: impl Fn(Gate) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in self.gates.keys() {
            let operands = self.operands(gate);
            let value = |position: usize| {
                let operand: Signal = operands[position];
                values[operand.gate().index()] == operand.is_positive()
            };
            let value = match self.function(gate) {
                Function::True => true,
                Function::Input => input(gate),
                Function::And => (0..operands.len()).all(value),
                Function::Xor => value(0) != value(1),
                Function::Ite => {
                    if value(0) {
                        value(1)
                    } else {
                        value(2)
                    }
                }
                Function::Majority => (0..3).filter(|&position| value(position)).count() >= 2,
            };
            values.push(value);
        }
        values
    }

    /// Requires `a < b`, neither constant nor of the same gate.
    fn and_of_two(&mut self, a: Signal, b: Signal) -> Signal {
        for (one, other) in [(a, b), (b, a)] {
            if self.function(one.gate()) != Function::And {
                continue;
            }
            let operands = self.operands(one.gate());
            if one.is_positive() {
                if operands.contains(&other) {
                    return one;
                }
                if operands.contains(&!other) {
                    return Signal::FALSE;
                }
            } else {
                if operands.contains(&!other) {
                    return other;
                }
                // x ∧ ¬(x ∧ y) is x ∧ ¬y.
                if let &[x, y] = operands
                    && (x == other || y == other)
                {
                    let rest = if x == other { y } else { x };
                    return self.and2(other, !rest);
                }
            }
        }
        self.make((Function::And, [a, b].into_iter().collect()))
    }

    /// The gate with this function and operands.
    fn make(&mut self, key: Key) -> Signal {
        if let Some(&gate) = self.known.get(&key) {
            return Signal::positive(gate);
        }
        let signal = self.push(key.0, &key.1);
        self.known.insert(key, signal.gate());
        signal
    }

    fn push(&mut self, function: Function, operands: &[Signal]) -> Signal {
        let start =
            u32::try_from(self.operands.len()).expect("a graph of gates has fewer than 2^32 operands");
        self.operands.extend_from_slice(operands);
        let end = start + operands.len() as u32;
        let gate = self.gates.push(Data { function, start, end, tag: self.tag });
        assert!(gate.0 < 1 << 31, "a graph of gates should have fewer than 2^31 gates");
        Signal::positive(gate)
    }
}
