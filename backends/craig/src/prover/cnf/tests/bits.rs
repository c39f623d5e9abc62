//! Gates compute the same values as the evaluation of `ir`.

use super::{Kept, leaves, random_value};
use crate::prover::cnf::gates::{Gate, Gates, Signal};
use crate::prover::cnf::translate::{Meaning, Translator, supported};
use crate::prover::theory::{Combination, word_value};
use backends::conformance::random::{Random, Vocabulary};
use backends::{Limits, Reason};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use terms::{Assignment, Sort, Term, TermPool, Value, eval};

/// Translates and simulates terms.
#[derive(Default)]
struct Fixture {
    translator: Translator,
    theory: Combination,
    kept: Kept,
}

impl Fixture {
    fn translate(&mut self, pool: &TermPool, formula: Term) -> Signal {
        assert_eq!(supported(pool, formula, &self.translator), Ok(()));
        let Fixture { translator, theory, kept } = self;
        translator.formula(pool, formula, theory, kept, &Limits::default()).expect("no limit is reached")
    }

    /// The values of all gates under the values of symbols.
    fn simulate(&self, values: &[(Term, Value)]) -> Vec<bool> {
        let mut inputs: FxHashMap<Gate, bool> = FxHashMap::default();
        for (symbol, value) in values {
            match (self.translator.known(*symbol), value) {
                (None, _) => {}
                (Some(Meaning::Truth(signal)), Value::Bool(value)) => {
                    inputs.insert(signal.gate(), *value);
                }
                (Some(Meaning::Bits { start, end }), Value::BitVec(value)) => {
                    for (index, bit) in self.translator.bits(start, end).iter().enumerate() {
                        inputs.insert(bit.gate(), value.bit(index as u32));
                    }
                }
                other => panic!("{symbol} should be a Boolean or a bit vector, not {other:?}"),
            }
        }
        self.theory.gates.simulate(|gate| inputs[&gate])
    }

    /// Asserts that a translated term has the value that `ir` computes.
    fn agree(&self, pool: &TermPool, term: Term, values: &[(Term, Value)]) {
        let mut assignment = Assignment::new();
        for (symbol, value) in values {
            assignment.set_leaf(pool, *symbol, value.clone());
        }
        let expected = eval(pool, term, &assignment).expect("all symbols have values");
        let gates = self.simulate(values);
        let holds = |signal: Signal| gates[signal.gate().0 as usize] == signal.is_positive();
        let found = match self.translator.known(term).expect("it is translated") {
            Meaning::Truth(signal) => Value::Bool(holds(signal)),
            Meaning::Bits { start, end } => {
                Value::BitVec(word_value(self.translator.bits(start, end), holds))
            }
            Meaning::Number(number) => panic!("{term} should not be {number}"),
            Meaning::Node(node) => panic!("{term} should not be {node}"),
        };
        assert_eq!(found, expected, "{} under {values:?}", pool.display(term));
    }
}

type Binary = fn(&mut TermPool, Term, Term) -> Term;

const BINARY: &[Binary] = &[
    TermPool::bv_and,
    TermPool::bv_or,
    TermPool::bv_xor,
    TermPool::bv_add,
    TermPool::bv_sub,
    TermPool::bv_mul,
    TermPool::bv_udiv,
    TermPool::bv_urem,
    TermPool::bv_sdiv,
    TermPool::bv_srem,
    TermPool::bv_shl,
    TermPool::bv_lshr,
    TermPool::bv_ashr,
    TermPool::concat,
    TermPool::bv_ult,
    TermPool::bv_ule,
    TermPool::bv_slt,
    TermPool::bv_sle,
    TermPool::eq,
];

/// All operators over two bit vectors and a Boolean.
fn all_operators(pool: &mut TermPool, x: Term, y: Term, b: Term) -> Vec<Term> {
    let width = pool.width(x);
    let mut terms: Vec<Term> = BINARY.iter().map(|operator| operator(pool, x, y)).collect();
    terms.extend([pool.bv_not(x), pool.bv_neg(x), pool.ite(b, x, y)]);
    terms.extend([pool.zero_extend(3, x), pool.sign_extend(3, x)]);
    for low in 0..width {
        for high in low..width {
            terms.push(pool.extract(high, low, x));
        }
    }
    terms
}

/// Translates terms of any sort.
fn translate_all(fixture: &mut Fixture, pool: &mut TermPool, terms: &[Term]) {
    for &term in terms {
        let formula = match pool.sort(term) {
            Sort::Bool => term,
            Sort::BitVec(width) => {
                let other = pool.symbol(&format!("other {width}"), Sort::BitVec(width));
                pool.eq(term, other)
            }
            sort => panic!("{sort:?} should be a sort of formulas or bit vectors"),
        };
        fixture.translate(pool, formula);
    }
}

#[test]
fn all_operators_are_right_for_all_operands_of_up_to_three_bits() {
    for width in 1..=3 {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::BitVec(width)), pool.symbol("y", Sort::BitVec(width)));
        let b = pool.symbol("b", Sort::Bool);
        let terms = all_operators(&mut pool, x, y, b);
        let mut fixture = Fixture::default();
        translate_all(&mut fixture, &mut pool, &terms);
        let others = (1..=2 * width + 3).map(|width| {
            let other = pool.symbol(&format!("other {width}"), Sort::BitVec(width));
            (other, Value::bv(width, 0))
        });
        let others: Vec<(Term, Value)> = others.collect();
        for (left, right) in (0..1 << width).flat_map(|left| (0..1 << width).map(move |right| (left, right)))
        {
            for choice in [false, true] {
                let mut values = others.clone();
                values.extend([
                    (x, Value::bv(width, left)),
                    (y, Value::bv(width, right)),
                    (b, Value::Bool(choice)),
                ]);
                terms.iter().for_each(|&term| fixture.agree(&pool, term, &values));
            }
        }
    }
}

/// One operand is constant, in all combinations.
#[test]
fn operators_are_right_with_constant_operands() {
    for width in [2, 3] {
        for constant in 0..1 << width {
            let mut pool = TermPool::new();
            let x = pool.symbol("x", Sort::BitVec(width));
            let (c, b) = (pool.bv(width, constant), pool.symbol("b", Sort::Bool));
            let mut terms = all_operators(&mut pool, x, c, b);
            terms.extend(all_operators(&mut pool, c, x, b));
            let mut fixture = Fixture::default();
            translate_all(&mut fixture, &mut pool, &terms);
            for value in 0..1 << width {
                let mut values = vec![(x, Value::bv(width, value)), (b, Value::Bool(value % 2 == 0))];
                for width in 1..=2 * width + 3 {
                    let other = pool.symbol(&format!("other {width}"), Sort::BitVec(width));
                    values.push((other, Value::bv(width, 1)));
                }
                terms.iter().for_each(|&term| fixture.agree(&pool, term, &values));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn wide_operators_are_right(width in 4u32..=70, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::BitVec(width)), pool.symbol("y", Sort::BitVec(width)));
        let terms: Vec<Term> = BINARY.iter().map(|operator| operator(&mut pool, x, y)).collect();
        let mut fixture = Fixture::default();
        let mut values = Vec::new();
        for &term in &terms {
            if let Sort::BitVec(width) = pool.sort(term) {
                let other = pool.symbol(&format!("other {width}"), Sort::BitVec(width));
                values.push((other, Value::bv(width, 0)));
            }
        }
        translate_all(&mut fixture, &mut pool, &terms);
        for _ in 0..4 {
            let mut values = values.clone();
            let amount = random.below(width as usize + 3) as u64;
            let right = if random.chance(1, 2) { Value::bv(width, amount) } else {
                random_value(&mut random, Sort::BitVec(width))
            };
            values.extend([(x, random_value(&mut random, Sort::BitVec(width))), (y, right)]);
            terms.iter().for_each(|&term| fixture.agree(&pool, term, &values));
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_formulas_are_right(width in 1u32..=8, depth in 1u32..=6, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let vocabulary = Vocabulary::of(&mut pool, Sort::BitVec(width), 3);
        let formula = vocabulary.formula(&mut random, &mut pool, depth);
        let mut fixture = Fixture::default();
        fixture.translate(&pool, formula);
        let symbols = leaves(&pool, &[formula]);
        for _ in 0..16 {
            let values: Vec<(Term, Value)> = symbols
                .iter()
                .map(|&symbol| (symbol, random_value(&mut random, pool.sort(symbol))))
                .collect();
            fixture.agree(&pool, formula, &values);
        }
    }
}

/// Every gate over three inputs, their negations and constants computes its function.
#[test]
fn gates_are_simplified_without_a_change() {
    let mut gates = Gates::default();
    let inputs = [gates.input(), gates.input(), gates.input()];
    let mut signals = vec![(Signal::TRUE, 0xff_u8), (Signal::FALSE, 0)];
    for (index, &input) in inputs.iter().enumerate() {
        let table: u8 = (0..8).filter(|row| row >> index & 1 == 1).map(|row| 1u8 << row).sum();
        signals.extend([(input, table), (!input, !table)]);
    }
    // A second layer, over some gates of the first.
    for _ in 0..2 {
        let mut made = Vec::new();
        for &(a, ta) in &signals {
            for &(b, tb) in &signals {
                made.push((gates.and2(a, b), ta & tb));
                made.push((gates.or2(a, b), ta | tb));
                made.push((gates.xor(a, b), ta ^ tb));
                for &(c, tc) in signals.iter().take(8) {
                    made.push((gates.ite(a, b, c), ta & tb | !ta & tc));
                    made.push((gates.majority(a, b, c), ta & tb | ta & tc | tb & tc));
                    made.push((gates.and([a, b, c]), ta & tb & tc));
                }
            }
        }
        for row in 0..8 {
            let values = gates.simulate(|gate| {
                let index = inputs.iter().position(|input| input.gate() == gate);
                row >> index.expect("there are three inputs") & 1 == 1
            });
            for &(signal, table) in &made {
                let value = values[signal.gate().0 as usize] == signal.is_positive();
                assert_eq!(value, table >> row & 1 == 1, "{signal:?} in row {row}");
            }
        }
        made.sort_unstable();
        made.dedup();
        signals.extend(made.into_iter().step_by(7));
    }
}

#[test]
fn what_is_shared_is_made_once() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
    let (quotient, remainder) = (pool.bv_udiv(x, y), pool.bv_urem(x, y));
    let mut fixture = Fixture::default();
    translate_all(&mut fixture, &mut pool, &[quotient]);
    let before = fixture.theory.gates.len();
    let formula = pool.eq(remainder, x);
    fixture.translate(&pool, formula);
    // A comparison, without a second division.
    assert!(fixture.theory.gates.len() < before + 2 * 32);
}

#[test]
fn what_is_not_supported_is_named() {
    let mut pool = TermPool::new();
    let translator = Translator::default();
    let (i, j) = (pool.symbol("i", Sort::Int), pool.symbol("j", Sort::Int));
    let sort = pool.array_sort(Sort::Int, Sort::RoundingMode);
    let array = pool.symbol("a", sort);
    let other = pool.symbol("b", sort);
    let product = pool.mul(i, j);
    let product = pool.eq(product, i);
    let cases = [
        (product, "the product of two non-constant terms"),
        (pool.eq(array, other), "the sort RoundingMode"),
        (pool.value(3, Sort::Bool), "the operator |Value(3)|"),
    ];
    for (formula, expected) in cases {
        assert_eq!(supported(&pool, formula, &translator), Err(Reason::Unsupported(expected.to_owned())));
    }
}
