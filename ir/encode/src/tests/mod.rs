//! Random terms over small widths: the translation has the value of the source, and every
//! constraint holds if the uninterpreted functions are interpreted as the operations that they
//! represent.

mod bits;
mod memory;
mod native;

use super::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::HashMap;
use terms::{ArrayValue, Environment, Evaluator, FunctionSymbol, Value};

/// Values of source symbols, by name; an array is a function of its name and the index.
type Assignment = HashMap<String, u64>;

fn cell(name: &str, index: u64, width: u32) -> u64 {
    let mixed = (index ^ (name.len() as u64) << 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 17) & mask(width)
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

fn width_of(pool: &TermPool, term: Term) -> u32 {
    match pool.sort(term) {
        Sort::BitVec(width) => width,
        Sort::Bool => 1,
        other => panic!("not a bit vector: {other:?}"),
    }
}

/// The bits of a source term (Booleans as 0 and 1).
fn bits(pool: &TermPool, term: Term, values: &Assignment) -> u64 {
    let children = pool.children(term);
    let of = |index: usize| bits(pool, children[index], values);
    let inner = || width_of(pool, children[0]);
    let width = width_of(pool, term);
    let all = || children.iter().map(|&child| bits(pool, child, values));
    let result = match pool.op(term) {
        Op::True => 1,
        Op::False => 0,
        Op::BvConst(_) => pool.as_bv_u64(term).expect("constants of these tests are small"),
        Op::Symbol(symbol) => values[&pool.symbol_data(symbol).name],
        Op::Not | Op::BvNot => !of(0),
        Op::And | Op::BvAnd => all().fold(u64::MAX, |a, b| a & b),
        Op::Or | Op::BvOr => all().fold(0, |a, b| a | b),
        Op::Xor | Op::BvXor => all().fold(0, |a, b| a ^ b),
        Op::Ite => of(if of(0) == 1 { 1 } else { 2 }),
        Op::Eq => u64::from(of(0) == of(1)),
        Op::BvNeg => of(0).wrapping_neg(),
        Op::BvAdd => all().fold(0, u64::wrapping_add),
        Op::BvSub => of(0).wrapping_sub(of(1)),
        Op::BvMul => all().fold(1, u64::wrapping_mul),
        Op::BvUdiv => of(0).checked_div(of(1)).unwrap_or(u64::MAX),
        Op::BvUrem => of(0).checked_rem(of(1)).unwrap_or(of(0)),
        Op::BvSdiv => {
            let (a, b) = (signed(of(0), width), signed(of(1), width));
            if b == 0 { if a < 0 { 1 } else { u64::MAX } } else { a.wrapping_div(b) as u64 }
        }
        Op::BvSrem => {
            let (a, b) = (signed(of(0), width), signed(of(1), width));
            if b == 0 { a as u64 } else { a.wrapping_rem(b) as u64 }
        }
        Op::BvShl => {
            if of(1) >= u64::from(width) {
                0
            } else {
                of(0) << of(1)
            }
        }
        Op::BvLshr => {
            if of(1) >= u64::from(width) {
                0
            } else {
                of(0) >> of(1)
            }
        }
        Op::BvAshr => (signed(of(0), width) >> of(1).min(u64::from(width) - 1)) as u64,
        Op::BvUlt => u64::from(of(0) < of(1)),
        Op::BvUle => u64::from(of(0) <= of(1)),
        Op::BvSlt => u64::from(signed(of(0), inner()) < signed(of(1), inner())),
        Op::BvSle => u64::from(signed(of(0), inner()) <= signed(of(1), inner())),
        Op::Concat => children
            .iter()
            .fold(0, |high, &child| (high << width_of(pool, child)) | bits(pool, child, values)),
        Op::Extract { low, .. } => of(0) >> low,
        Op::ZeroExtend(_) => of(0),
        Op::SignExtend(_) => signed(of(0), inner()) as u64,
        Op::Select => element(pool, children[0], of(1), width, values),
        other => panic!("not generated: {other:?}"),
    };
    result & mask(width)
}

fn element(pool: &TermPool, array: Term, index: u64, width: u32, values: &Assignment) -> u64 {
    let children = pool.children(array);
    match pool.op(array) {
        Op::Symbol(symbol) => cell(&pool.symbol_data(symbol).name, index, width),
        Op::ConstArray(_) => bits(pool, children[0], values),
        Op::Store if bits(pool, children[1], values) == index => bits(pool, children[2], values),
        Op::Store => element(pool, children[0], index, width, values),
        Op::Ite => element(
            pool,
            children[if bits(pool, children[0], values) == 1 { 1 } else { 2 }],
            index,
            width,
            values,
        ),
        other => panic!("not generated: {other:?}"),
    }
}

/// Interprets a translation: symbols have the values of their source symbols in their
/// representation, versions of memory and fresh arrays those of their source arrays, and
/// uninterpreted functions are the operations that they approximate.
struct Target<'a> {
    pool: &'a TermPool,
    encoder: &'a Encoder,
    values: &'a Assignment,
    element_width: u32,
}

impl Environment for Target<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let Op::Symbol(symbol) = pool.op(leaf) else { return None };
        let data = pool.symbol_data(symbol);
        match data.sort {
            Sort::Bool => Some(Value::Bool(self.values[&data.name] == 1)),
            Sort::BitVec(width) => Some(Value::bv(width, self.values[&data.name])),
            Sort::Array(_) => {
                let is_source =
                    |encoded: &Encoded| matches!(encoded, Encoded::Array(array) if *array == leaf);
                let mut array = ArrayValue::constant(self.element_value(0));
                let source = self.source(is_source);
                for index in 0..1 << ARRAY_INDEX {
                    let element = element(pool, source, index, self.element_width, self.values);
                    array.store(self.index_value(index), self.element_value(element));
                }
                Some(Value::Array(array))
            }
            _ => {
                let source = *self.encoder.target_of.iter().find(|(_, target)| **target == leaf)?.0;
                let data = pool.symbol_data(source);
                let Sort::BitVec(width) = data.sort else { return None };
                Some(number(self.values[&data.name], width, data.representation))
            }
        }
    }

    fn apply(&self, pool: &TermPool, function: FunctionSymbol, arguments: &[&Value]) -> Option<Value> {
        let name = pool.function_data(function).0;
        if name.starts_with("int.") {
            let arguments: Vec<i128> = arguments.iter().map(|value| as_integer(value)).collect();
            return Some(Value::Int(self.function(name, &arguments).into()));
        }
        let index = u64::try_from(as_integer(arguments[0])).ok()?;
        let is_source = |encoded: &Encoded| matches!(encoded, Encoded::Version(Version::Function(other)) if *other == function);
        let initial = self.encoder.accesses.functions.iter().find(|(_, other)| **other == function);
        let element = match initial {
            Some((symbol, _)) => cell(&pool.symbol_data(*symbol).name, index, self.element_width),
            None => element(pool, self.source(is_source), index, self.element_width, self.values),
        };
        Some(self.element_value(element))
    }
}

fn as_integer(value: &Value) -> i128 {
    match value {
        Value::Bool(value) => i128::from(*value),
        Value::Int(value) => i128::try_from(value.clone()).expect("small"),
        Value::BitVec(value) => i128::from(value.to_u64().expect("small")),
        other => panic!("not expected in a translation: {other}"),
    }
}

fn number(bits: u64, width: u32, representation: Representation) -> Value {
    Value::Int(match representation {
        Representation::Unsigned => bits.into(),
        Representation::Signed => signed(bits, width).into(),
    })
}

impl Target<'_> {
    fn source(&self, is_source: impl Fn(&Encoded) -> bool) -> Term {
        *self.encoder.cache.iter().find(|(_, encoded)| is_source(encoded)).expect("it stands for something").0
    }

    fn index_value(&self, index: u64) -> Value {
        if self.encoder.encoding.is_linear() {
            Value::Int(index.into())
        } else {
            Value::bv(ARRAY_INDEX, index)
        }
    }

    fn element_value(&self, element: u64) -> Value {
        match self.encoder.encoding.is_linear() {
            true if self.element_width <= 8 => number(element, self.element_width, Representation::Unsigned),
            true => number(element, self.element_width, Representation::Signed),
            false => Value::bv(self.element_width, element),
        }
    }

    /// The value of a term without quantifiers; Booleans as 0 and 1.
    fn value(&self, term: Term) -> i128 {
        let value = Evaluator::new().eval(self.pool, term, self);
        as_integer(&value.unwrap_or_else(|error| panic!("{}: {error}", self.pool.display(term))))
    }

    /// The interpretation of the uninterpreted functions.
    fn function(&self, name: &str, arguments: &[i128]) -> i128 {
        let a = arguments[0];
        let operation = name.strip_prefix("int.").expect("the name of an operation");
        let b = arguments[1];
        let digits = operation.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let width: u32 = if digits.is_empty() { 1 } else { digits.parse().expect("a width") };
        match operation.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "mul" => a * b,
            "and" => a & b,
            "udiv" => {
                if b == 0 {
                    (1 << width) - 1
                } else {
                    a / b
                }
            }
            "urem" | "srem" => {
                if b == 0 {
                    a
                } else {
                    a % b
                }
            }
            "sdiv" => match b {
                0 => i128::from(signed(if a < 0 { 1 } else { u64::MAX }, width)),
                _ => i128::from(signed((a / b) as u64, width)),
            },
            "shl" => {
                if b >= i128::from(width) {
                    0
                } else {
                    (a << b) & i128::from(mask(width))
                }
            }
            "lshr" => {
                if b >= i128::from(width) {
                    0
                } else {
                    a >> b
                }
            }
            "ashr" => a >> b.min(i128::from(width) - 1),
            other => panic!("unknown function {other}"),
        }
    }
}

/// Whether a constraint holds; quantified variables range over the indices of the source.
fn holds(
    pool: &mut TermPool,
    encoder: &Encoder,
    values: &Assignment,
    element_width: u32,
    constraint: Term,
) -> bool {
    if let (Op::Forall, [bound, body]) = (pool.op(constraint), pool.children(constraint)) {
        let (bound, body) = (*bound, *body);
        return (0..1 << ARRAY_INDEX).all(|index| {
            let index = match pool.sort(bound) {
                Sort::BitVec(width) => pool.bv(width, index),
                _ => pool.int(index as i64),
            };
            let instance = pool.map_leaves(body, &mut |_, leaf| (leaf == bound).then_some(index));
            Target { pool, encoder, values, element_width }.value(instance) == 1
        });
    }
    Target { pool, encoder, values, element_width }.value(constraint) == 1
}

/// Builds random terms from a stream of numbers.
struct Builder<'a> {
    pool: &'a mut TermPool,
    choices: &'a [u32],
    position: usize,
    bit_vectors: Vec<Term>,
    booleans: Vec<Term>,
    arrays: Vec<Term>,
}

const ARRAY_INDEX: u32 = 8;

impl Builder<'_> {
    fn next(&mut self, bound: usize) -> usize {
        let choice = self.choices[self.position % self.choices.len()];
        self.position += 1;
        choice as usize % bound
    }

    fn pick(&mut self) -> Term {
        let index = self.next(self.bit_vectors.len());
        self.bit_vectors[index]
    }

    fn boolean(&mut self) -> Term {
        let index = self.next(self.booleans.len());
        self.booleans[index]
    }

    /// A term of `width` bits: a random term, truncated or extended.
    fn of_width(&mut self, width: u32) -> Term {
        let term = self.pick();
        let own = width_of(self.pool, term);
        if own > width {
            self.pool.extract(width - 1, 0, term)
        } else if self.next(2) == 0 {
            self.pool.zero_extend(width - own, term)
        } else {
            self.pool.sign_extend(width - own, term)
        }
    }

    fn pair(&mut self) -> (Term, Term) {
        let a = self.pick();
        let width = width_of(self.pool, a);
        let b = match self.next(3) {
            0 => {
                let value = self.next(1 << 16) as u64;
                self.pool.bv(width, value)
            }
            1 => {
                let value = self.next(7) as i64 - 3;
                self.pool.bv_i64(width, value)
            }
            _ => self.of_width(width),
        };
        (a, b)
    }

    fn step(&mut self) {
        let (a, b) = self.pair();
        let width = width_of(self.pool, a);
        let pool = &mut *self.pool;
        let new = match self.choices[self.position % self.choices.len()] % 30 {
            0 | 1 => pool.bv_add(a, b),
            2 | 3 => pool.bv_sub(a, b),
            4 | 5 => pool.bv_mul(a, b),
            6 => pool.bv_udiv(a, b),
            7 => pool.bv_urem(a, b),
            8 => pool.bv_sdiv(a, b),
            9 => pool.bv_srem(a, b),
            10 => pool.bv_shl(a, b),
            11 => pool.bv_lshr(a, b),
            12 => pool.bv_ashr(a, b),
            13 => pool.bv_and(a, b),
            14 => pool.bv_or(a, b),
            15 => pool.bv_xor(a, b),
            16 => pool.bv_not(a),
            17 => pool.bv_neg(a),
            18 if width <= 16 => pool.concat(a, b),
            19 if width <= 24 => pool.sign_extend(5, a),
            20 if width <= 24 => pool.zero_extend(5, a),
            21 => {
                let low = self.next(width as usize) as u32;
                let high = low + self.next((width - low) as usize) as u32;
                self.pool.extract(high, low, a)
            }
            22 => {
                let condition = self.boolean();
                self.pool.ite(condition, a, b)
            }
            23 => {
                let index = self.of_width(ARRAY_INDEX);
                let array = self.arrays[self.arrays.len() - 1];
                self.pool.select(array, index)
            }
            24 => {
                let index = self.of_width(ARRAY_INDEX);
                let which = self.next(self.arrays.len());
                let array = self.arrays[which];
                let element = {
                    let read = self.pool.select(array, index);
                    width_of(self.pool, read)
                };
                let value = self.of_width(element);
                let stored = self.pool.store(array, index, value);
                let condition = self.boolean();
                let chosen = self.pool.ite(condition, stored, array);
                self.arrays.push(chosen);
                return;
            }
            choice => {
                let boolean = match choice {
                    25 => pool.bv_ult(a, b),
                    26 => pool.bv_ule(a, b),
                    27 => pool.bv_slt(a, b),
                    28 => pool.bv_sle(a, b),
                    _ => pool.eq(a, b),
                };
                self.booleans.push(boolean);
                return;
            }
        };
        self.bit_vectors.push(new);
    }
}

fn check_random(encoding: Encoding, choices: &[u32], values: &[u64]) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let element_width = if values[0].is_multiple_of(2) { 8 } else { 16 };
    let mut assignment = Assignment::new();
    let mut bit_vectors = Vec::new();
    for (index, (width, representation)) in [
        (8, Representation::Signed),
        (8, Representation::Unsigned),
        (13, Representation::Signed),
        (16, Representation::Unsigned),
        (1, Representation::Unsigned),
        (3, Representation::Signed),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("x{index}");
        bit_vectors.push(pool.symbol_with(&name, Sort::BitVec(width), representation));
        assignment.insert(name, values[index % values.len()] & mask(width));
    }
    let truth = pool.symbol("b", Sort::Bool);
    assignment.insert("b".to_owned(), values[0] & 1);
    let array_sort = pool.array_sort(Sort::BitVec(ARRAY_INDEX), Sort::BitVec(element_width));
    let memory = pool.symbol("memory", array_sort);
    let zero = pool.bv(element_width, 0);
    let zeros = pool.const_array(array_sort, zero);
    let mut builder = Builder {
        pool: &mut pool,
        choices,
        position: 0,
        bit_vectors,
        booleans: vec![truth],
        arrays: vec![memory, zeros],
    };
    for _ in 0..choices.len() / 2 {
        builder.step();
    }
    let Builder { bit_vectors, booleans, .. } = builder;
    let mut encoder = Encoder::new(encoding, Overflow::Wrap);
    for &term in bit_vectors.iter().chain(&booleans) {
        if pool.sort(term) != Sort::Bool && width_of(&pool, term) > 40 {
            continue;
        }
        let expected = bits(&pool, term, &assignment);
        for representation in [Representation::Unsigned, Representation::Signed] {
            let translated =
                encoder.term_as(&mut pool, term, representation).expect("everything generated is translated");
            let target = Target { pool: &pool, encoder: &encoder, values: &assignment, element_width };
            let value = target.value(translated);
            let wanted = match (pool.sort(term), representation) {
                (Sort::BitVec(width), Representation::Signed) if encoding.is_linear() => {
                    i128::from(signed(expected, width))
                }
                _ => i128::from(expected),
            };
            prop_assert_eq!(value, wanted, "op {:?} in {:?}", pool.op(term), representation);
        }
    }
    for constraint in encoder.take_constraints() {
        let holds = holds(&mut pool, &encoder, &assignment, element_width, constraint);
        prop_assert!(holds, "a constraint is false: {}", pool.display(constraint));
    }
    Ok(())
}

fn run_random(encoding: Encoding, cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, random);
    let strategy =
        (proptest::collection::vec(any::<u32>(), 10..60), proptest::collection::vec(any::<u64>(), 6));
    let outcome = runner.run(&strategy, |(choices, values)| check_random(encoding, &choices, &values));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn random_terms_keep_their_value_without_quantifiers() {
    for encoding in [Encoding::QfUflira, Encoding::QfAuflira, Encoding::QfUfbvfp] {
        run_random(encoding, 600);
    }
}

#[test]
fn random_terms_keep_their_value_with_quantifiers() {
    for encoding in [Encoding::Uflira, Encoding::Auflira, Encoding::Ufbvfp] {
        run_random(encoding, 100);
    }
}

fn linear() -> Encoder {
    Encoder::new(Encoding::QfUflira, Overflow::Wrap)
}

#[test]
fn sums_are_corrected_only_where_they_are_compared() {
    let mut pool = TermPool::new();
    let x = pool.symbol_with("x", Sort::BitVec(32), Representation::Signed);
    let one = pool.bv(32, 1);
    let sum = pool.bv_add(x, one);
    let mut encoder = linear();
    assert!(encoder.translate(&mut pool, sum).is_ok());
    let Some(Encoded::Number(number)) = encoder.cache.get(&sum).copied() else { panic!("a sum is a number") };
    assert_eq!((number.low, number.high), (-(1 << 31) + 1, 1 << 31));
    assert_ne!(pool.op(number.term), Op::Ite);
    let below = pool.bv_slt(x, sum);
    let formula = encoder.formula(&mut pool, below).expect("linear");
    assert!(pool.children(formula).iter().any(|&child| pool.op(child) == Op::Ite));
    assert!(encoder.is_exact());
}

#[test]
fn ignored_overflow_compares_sums_as_they_are() {
    let mut pool = TermPool::new();
    let x = pool.symbol_with("x", Sort::BitVec(32), Representation::Unsigned);
    let one = pool.bv_i64(32, -1);
    let sum = pool.bv_add(x, one);
    let below = pool.bv_ult(sum, x);
    let mut encoder = Encoder::new(Encoding::QfUflira, Overflow::Ignore);
    let formula = encoder.formula(&mut pool, below).expect("linear");
    assert!(pool.children(formula).iter().all(|&child| pool.op(child) != Op::Ite));
    assert!(!encoder.is_exact());
}

#[test]
fn products_of_variables_are_marked_and_products_with_constants_are_not() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let seven = pool.bv(32, 7);
    let mut encoder = linear();
    let exact = pool.bv_mul(x, seven);
    encoder.term(&mut pool, exact).expect("linear");
    assert!(encoder.is_exact());
    let product = pool.bv_mul(x, y);
    encoder.term(&mut pool, product).expect("linear");
    let kinds: Vec<ApproximationKind> = encoder.approximations().iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [ApproximationKind::Multiplication]);
}

#[test]
fn the_precise_encodings_with_arrays_are_the_identity() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let formula = pool.eq(x, y);
    for encoding in [Encoding::QfAbvfp, Encoding::Abvfp] {
        let mut encoder = Encoder::new(encoding, Overflow::Wrap);
        assert_eq!(encoder.formula(&mut pool, formula), Ok(formula));
        assert!(encoder.take_constraints().is_empty());
    }
}

#[test]
fn encodings_are_found_by_their_names() {
    for encoding in Encoding::ALL {
        assert_eq!(encoding.name().parse(), Ok(encoding));
        assert_eq!(encoding.name().to_lowercase().parse(), Ok(encoding));
    }
    assert!("QF_BV".parse::<Encoding>().is_err());
}

#[test]
fn too_wide_vectors_are_refused() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(128));
    assert_eq!(linear().term(&mut pool, x), Err(EncodeError::TooWide(128)));
}

#[test]
fn a_deep_term_is_translated_without_recursion() {
    let mut pool = TermPool::new();
    let x = pool.symbol_with("x", Sort::BitVec(32), Representation::Signed);
    let c = pool.symbol("c", Sort::Bool);
    let three = pool.bv(32, 3);
    let mut term = x;
    for _ in 0..100_000 {
        let next = pool.bv_mul(term, three);
        let next = pool.bv_add(next, x);
        term = pool.ite(c, next, term);
    }
    let mut encoder = linear();
    assert!(encoder.term(&mut pool, term).is_ok());
    assert!(encoder.is_exact());
}

#[test]
fn values_decode_to_bits() {
    assert_eq!(Encoder::decode_bits(8, &BigInt::from(-1)), BigUint::from(255u32));
    assert_eq!(Encoder::decode_bits(8, &BigInt::from(256 + 3)), BigUint::from(3u32));
}

/// Every operation on all values of small widths, of symbols and of extended terms, which have
/// different intervals.
#[test]
fn axioms_hold_for_all_values_of_small_widths() {
    use Representation::{Signed, Unsigned};
    for width in 1..=4u32 {
        for (first, second) in
            [(Signed, Signed), (Signed, Unsigned), (Unsigned, Signed), (Unsigned, Unsigned)]
        {
            for narrow in [0, 1, 2] {
                for is_square in [true, false] {
                    check_all_values(width, (first, second), narrow, is_square);
                }
            }
        }
    }
}

/// The operations on two bit vectors of one width without an exact translation.
fn approximated_operations(pool: &mut TermPool, x: Term, y: Term) -> Vec<Term> {
    vec![
        pool.bv_mul(x, y),
        pool.bv_udiv(x, y),
        pool.bv_urem(x, y),
        pool.bv_sdiv(x, y),
        pool.bv_srem(x, y),
        pool.bv_shl(x, y),
        pool.bv_lshr(x, y),
        pool.bv_ashr(x, y),
        pool.bv_and(x, y),
        pool.bv_or(x, y),
        pool.bv_xor(x, y),
    ]
}

fn check_all_values(
    width: u32,
    representations: (Representation, Representation),
    narrow: u32,
    is_square: bool,
) {
    let mut pool = TermPool::new();
    let full = width + narrow;
    let x = pool.symbol_with("x", Sort::BitVec(width), representations.0);
    let y = pool.symbol_with("y", Sort::BitVec(width), representations.1);
    let (wide_x, wide_y) = (pool.sign_extend(narrow, x), pool.zero_extend(narrow, y));
    let (wide_x, wide_y) = (wide_x, if is_square { wide_x } else { wide_y });
    let operations = approximated_operations(&mut pool, wide_x, wide_y);
    let mut encoder = linear();
    let mut translated = Vec::new();
    for &operation in &operations {
        translated.push(encoder.term(&mut pool, operation).expect("it is narrow"));
    }
    let constraints = encoder.take_constraints();
    for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
        let values = Assignment::from([("x".to_owned(), a), ("y".to_owned(), b)]);
        let target = Target { pool: &pool, encoder: &encoder, values: &values, element_width: 8 };
        for &constraint in &constraints {
            assert_eq!(
                target.value(constraint),
                1,
                "x = {a}, y = {b}, {full} bits: {}",
                pool.display(constraint)
            );
        }
        for (&operation, &integer) in operations.iter().zip(&translated) {
            let expected = i128::from(bits(&pool, operation, &values));
            assert_eq!(target.value(integer), expected, "x = {a}, y = {b}: {}", pool.display(operation));
        }
    }
}

#[test]
fn bytes_put_together_are_exact() {
    let mut pool = TermPool::new();
    let (high, low) = (pool.symbol("h", Sort::BitVec(8)), pool.symbol("l", Sort::BitVec(8)));
    let (high, low) = (pool.zero_extend(24, high), pool.zero_extend(24, low));
    let eight = pool.bv(32, 8);
    let above = pool.bv_shl(high, eight);
    let both = pool.bv_or(above, low);
    let mut encoder = linear();
    encoder.term(&mut pool, both).expect("linear");
    assert!(encoder.is_exact());
    let nine = pool.bv(32, 9);
    let wide = pool.bv_mul(low, nine);
    let overlapping = pool.bv_xor(above, wide);
    encoder.term(&mut pool, overlapping).expect("linear");
    assert!(!encoder.is_exact());
}
