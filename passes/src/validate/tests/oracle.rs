//! The reference for the mutation test: enumerates all states and inputs of a program.
//!
//! It uses no encoding and no solver: block formulas and invariants are evaluated.

use super::formula::Symbols;
use super::programs::Opened;
use num_bigint::BigInt;
use program::ssa::Block;
use std::collections::{BTreeMap, BTreeSet};
use terms::entity::Entity;
use terms::{Assignment, BitVector, Evaluator, Op, Representation, Sort, Term, TermPool, Value};
use views::blocks::{CutPoint, CutPointKind};

/// A state: the cut point, and the bits of all its variables.
type State = (CutPoint, u64);

/// The transition relation.
pub(super) struct Oracle {
    entry: CutPoint,
    /// The number of states at each cut point; zero at errors.
    states: BTreeMap<CutPoint, u64>,
    transitions: BTreeSet<(State, State)>,
    /// The states from which an error follows directly.
    violating: BTreeSet<State>,
}

/// The states that satisfy the invariant, by cut point.
pub(super) type Satisfying = BTreeMap<CutPoint, Vec<bool>>;

fn width(pool: &TermPool, symbol: Term) -> u32 {
    match pool.sort(symbol) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        other => panic!("samples have no {other:?}"),
    }
}

/// Assigns to each of `symbols` its part of `bits`.
fn assign(pool: &TermPool, assignment: &mut Assignment, symbols: &[Term], mut bits: u64) {
    for &symbol in symbols {
        let width = width(pool, symbol);
        let value = bits & ((1 << width) - 1);
        bits >>= width;
        let value = match pool.sort(symbol) {
            Sort::Bool => Value::Bool(value == 1),
            _ => Value::bv(width, value),
        };
        assignment.set_leaf(pool, symbol, value);
    }
}

fn bits_of(value: &Value) -> u64 {
    match value {
        Value::Bool(value) => u64::from(*value),
        Value::BitVec(bits) => bits.to_u64().expect("samples are narrow"),
        other => panic!("samples have no {other:?}"),
    }
}

fn count(pool: &TermPool, symbols: &[Term]) -> u64 {
    let bits: u32 = symbols.iter().map(|&symbol| width(pool, symbol)).sum();
    assert!(bits <= 20, "{bits} bits are too many to enumerate");
    1 << bits
}

impl Oracle {
    pub(super) fn new(opened: &Opened) -> Self {
        let (pool, blocks) = (&opened.pool, &opened.blocks);
        let symbols = |cut: CutPoint| -> Vec<Term> {
            blocks.cut_points[cut].state.iter().map(|&variable| blocks.variables[variable].before).collect()
        };
        let is_block = |cut: CutPoint| {
            matches!(blocks.cut_points[cut].kind, CutPointKind::Entry | CutPointKind::Block(_))
        };
        let mut states = BTreeMap::new();
        for cut in blocks.cut_points.keys().filter(|&cut| is_block(cut)) {
            states.insert(cut, count(pool, &symbols(cut)));
        }
        let (mut transitions, mut violating) = (BTreeSet::new(), BTreeSet::new());
        for formula in &blocks.formulas {
            let before = symbols(formula.from);
            let inputs = &formula.path.inputs;
            for bits in 0..states[&formula.from] {
                for chosen in 0..count(pool, inputs) {
                    let mut assignment = Assignment::new();
                    assign(pool, &mut assignment, &before, bits);
                    assign(pool, &mut assignment, inputs, chosen);
                    let mut evaluator = Evaluator::new();
                    let taken = evaluator.eval(pool, formula.path.guard, &assignment).expect("a value");
                    if taken != Value::Bool(true) {
                        continue;
                    }
                    let from = (formula.from, bits);
                    if !is_block(formula.to) {
                        violating.insert(from);
                        continue;
                    }
                    let (mut after, mut shift) = (0, 0);
                    for (&update, symbol) in formula.path.updates.iter().zip(symbols(formula.to)) {
                        let value = evaluator.eval(pool, update, &assignment).expect("a value");
                        after |= bits_of(&value) << shift;
                        shift += width(pool, symbol);
                    }
                    transitions.insert((from, (formula.to, after)));
                }
            }
        }
        Oracle { entry: blocks.entry, states, transitions, violating }
    }

    /// The states that satisfy the invariants over `symbols`.
    pub(super) fn satisfying(
        &self,
        opened: &Opened,
        symbols: &Symbols,
        at: &BTreeMap<Block, Term>,
    ) -> Satisfying {
        let (pool, blocks) = (&opened.pool, &opened.blocks);
        let mut result = Satisfying::new();
        for (&cut, &count) in &self.states {
            let data = &blocks.cut_points[cut];
            let formula = match data.kind {
                CutPointKind::Block(block) => at.get(&block).copied(),
                _ => None,
            };
            let Some(formula) = formula else {
                result.insert(cut, vec![true; count as usize]);
                continue;
            };
            let used: Vec<(Term, u32, u32, Representation)> = symbols
                .iter()
                .filter_map(|(&symbol, &origin)| {
                    let mut shift = 0;
                    for &variable in &data.state {
                        let variable = &blocks.variables[variable];
                        let width = width(pool, variable.before);
                        if variable.origin == origin {
                            return Some((symbol, shift, width, variable.representation));
                        }
                        shift += width;
                    }
                    None
                })
                .collect();
            let holds = (0..count).map(|bits| {
                let mut assignment = Assignment::new();
                for &(symbol, shift, width, representation) in &used {
                    let value = (bits >> shift) & ((1 << width) - 1);
                    assignment.set_leaf(pool, symbol, read(pool, symbol, width, representation, value));
                }
                Evaluator::new().eval(pool, formula, &assignment).expect("a value") == Value::Bool(true)
            });
            result.insert(cut, holds.collect());
        }
        result
    }

    /// Whether each step leads from invariant to invariant.
    pub(super) fn is_inductive(&self, satisfying: &Satisfying) -> bool {
        self.transitions.iter().all(|(from, to)| !holds(satisfying, from) || holds(satisfying, to))
    }

    /// Whether no error follows from an invariant.
    pub(super) fn is_safe(&self, satisfying: &Satisfying) -> bool {
        !self.violating.iter().any(|state| holds(satisfying, state))
    }

    /// Whether no error follows within `k` steps from the start.
    pub(super) fn has_base_case(&self, k: u32) -> bool {
        let mut current = BTreeSet::from([(self.entry, 0)]);
        for _ in 0..=k {
            if !current.is_disjoint(&self.violating) {
                return false;
            }
            current = self.successors(&current);
        }
        true
    }

    /// Whether no error follows `k` steps through the invariants.
    pub(super) fn has_step_case(&self, satisfying: &Satisfying, k: u32) -> bool {
        let states = self.states.iter().filter(|(cut, _)| **cut != self.entry);
        let mut current: BTreeSet<State> =
            states.flat_map(|(&cut, &count)| (0..count).map(move |bits| (cut, bits))).collect();
        current.retain(|state| holds(satisfying, state));
        for _ in 0..k {
            current = self.successors(&current);
            current.retain(|state| holds(satisfying, state));
        }
        current.is_disjoint(&self.violating)
    }

    fn successors(&self, states: &BTreeSet<State>) -> BTreeSet<State> {
        let start = |state: State| (state, (CutPoint::new(0), 0));
        let end = |state: State| (state, (CutPoint::new(u32::MAX as usize - 1), u64::MAX));
        states
            .iter()
            .flat_map(|&state| self.transitions.range(start(state)..=end(state)))
            .map(|(_, to)| *to)
            .collect()
    }
}

fn holds(satisfying: &Satisfying, (cut, bits): &State) -> bool {
    satisfying[cut][*bits as usize]
}

fn read(pool: &TermPool, symbol: Term, width: u32, representation: Representation, value: u64) -> Value {
    debug_assert!(matches!(pool.op(symbol), Op::Symbol(_)));
    match (pool.sort(symbol), representation) {
        (Sort::Bool, _) => Value::Bool(value == 1),
        (Sort::Int, Representation::Signed) => Value::Int(BitVector::new(width, value).to_signed()),
        (Sort::Int, Representation::Unsigned) => Value::Int(BigInt::from(value)),
        _ => Value::bv(width, value),
    }
}
