//! Random terms over small widths: the translation has the value of the source, and every constraint holds when the
//! uninterpreted functions are the operations that they stand for.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::HashMap;

/// Values of source symbols, by name; arrays are functions of their name and the index.
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

/// The value of a translated term (Booleans as 0 and 1). Integer symbols are read in their representation.
struct Integers<'a> {
    pool: &'a TermPool,
    encoder: &'a Encoder,
    values: &'a Assignment,
    element_width: u32,
}

impl Integers<'_> {
    fn value(&self, term: Term) -> i128 {
        let pool = self.pool;
        let children = pool.children(term);
        let of = |index: usize| self.value(children[index]);
        let all = || children.iter().map(|&child| self.value(child));
        match pool.op(term) {
            Op::True => 1,
            Op::False => 0,
            Op::IntConst(_) => i128::try_from(pool.as_int(term).expect("a constant").clone()).expect("small"),
            Op::Symbol(symbol) => self.symbol(symbol),
            Op::Not => 1 - of(0),
            Op::And => all().min().unwrap_or(1),
            Op::Or => all().max().unwrap_or(0),
            Op::Xor => all().sum::<i128>() & 1,
            Op::Ite => of(if of(0) == 1 { 1 } else { 2 }),
            Op::Eq => i128::from(of(0) == of(1)),
            Op::Add => all().sum(),
            Op::Sub => of(0) - of(1),
            Op::Neg => -of(0),
            Op::Mul => all().product(),
            Op::IntDiv => of(0).div_euclid(of(1)),
            Op::IntMod => of(0).rem_euclid(of(1)),
            Op::Le => i128::from(of(0) <= of(1)),
            Op::Lt => i128::from(of(0) < of(1)),
            Op::Apply(function) => {
                let name = pool.function_data(function).0;
                self.function(name, &all().collect::<Vec<_>>())
            }
            Op::Select => self.element(children[0], of(1)),
            other => panic!("not expected in a translation: {other:?}"),
        }
    }

    fn symbol(&self, target: Symbol) -> i128 {
        let data = self.pool.symbol_data(target);
        if data.sort == Sort::Bool {
            return i128::from(self.values[&data.name]);
        }
        let source = self.encoder.source_symbol(target).expect("every symbol of a translation has a source");
        let data = self.pool.symbol_data(source);
        let Sort::BitVec(width) = data.sort else { panic!("not a bit vector") };
        let value = self.values[&data.name];
        match data.representation {
            Representation::Unsigned => i128::from(value),
            Representation::Signed => i128::from(signed(value, width)),
        }
    }

    fn cell(&self, name: &str, index: i128) -> i128 {
        let value = cell(name, u64::try_from(index).expect("indices are unsigned"), self.element_width);
        if self.element_width <= 8 {
            i128::from(value)
        } else {
            i128::from(signed(value, self.element_width))
        }
    }

    fn element(&self, array: Term, index: i128) -> i128 {
        let children = self.pool.children(array);
        match self.pool.op(array) {
            Op::Symbol(symbol) => self.cell(&self.pool.symbol_data(symbol).name, index),
            Op::ConstArray(_) => self.value(children[0]),
            Op::Store if self.value(children[1]) == index => self.value(children[2]),
            Op::Store => self.element(children[0], index),
            Op::Ite => self.element(children[if self.value(children[0]) == 1 { 1 } else { 2 }], index),
            other => panic!("not expected in a translation: {other:?}"),
        }
    }

    /// What the uninterpreted functions stand for.
    fn function(&self, name: &str, arguments: &[i128]) -> i128 {
        let a = arguments[0];
        let Some(operation) = name.strip_prefix("int.") else { return self.cell(name, a) };
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

    /// A term of `width` bits: a random one, cut or extended.
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
            let integers = Integers { pool: &pool, encoder: &encoder, values: &assignment, element_width };
            let value = integers.value(translated);
            let wanted = match (pool.sort(term), representation) {
                (Sort::BitVec(width), Representation::Signed) => i128::from(signed(expected, width)),
                _ => i128::from(expected),
            };
            prop_assert_eq!(value, wanted, "op {:?} in {:?}", pool.op(term), representation);
        }
    }
    for constraint in encoder.take_constraints() {
        let integers = Integers { pool: &pool, encoder: &encoder, values: &assignment, element_width };
        prop_assert_eq!(integers.value(constraint), 1, "a constraint is false");
    }
    Ok(())
}

fn run_random(encoding: Encoding) {
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
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
fn random_terms_keep_their_value_without_arrays() {
    run_random(Encoding::QfUflira);
}

#[test]
fn random_terms_keep_their_value_with_arrays() {
    run_random(Encoding::QfAuflira);
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
fn the_precise_encoding_is_the_identity() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let formula = pool.eq(x, y);
    let mut encoder = Encoder::new(Encoding::QfAbvfp, Overflow::Wrap);
    assert_eq!(encoder.formula(&mut pool, formula), Ok(formula));
    assert!(encoder.take_constraints().is_empty());
}

#[test]
fn encodings_that_are_only_names_say_so() {
    let mut pool = TermPool::new();
    let truth = pool.tru();
    for encoding in Encoding::ALL {
        assert_eq!(encoding.name().parse(), Ok(encoding));
        let result = Encoder::new(encoding, Overflow::Wrap).formula(&mut pool, truth);
        assert_eq!(result == Err(EncodeError::NotImplemented(encoding)), !encoding.is_implemented());
    }
    assert!("QF_BV".parse::<Encoding>().is_err());
}

#[test]
fn array_equality_needs_arrays() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let (a, b) = (pool.symbol("a", sort), pool.symbol("b", sort));
    let equal = pool.eq(a, b);
    assert_eq!(linear().formula(&mut pool, equal), Err(EncodeError::ArrayEquality(Encoding::QfUflira)));
    let mut encoder = Encoder::new(Encoding::QfAuflira, Overflow::Wrap);
    assert!(encoder.formula(&mut pool, equal).is_ok());
    assert!(!encoder.is_exact());
}

#[test]
fn reads_of_eliminated_arrays_are_listed_and_writes_are_read_through() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let memory = pool.symbol("memory", sort);
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(8)));
    let place = pool.bv(32, 4096);
    let written = pool.store(memory, place, y);
    let read = pool.select(written, x);
    let mut encoder = linear();
    let translated = encoder.term(&mut pool, read).expect("linear");
    assert_eq!(pool.op(translated), Op::Ite);
    let Op::Symbol(memory) = pool.op(memory) else { panic!("memory is a symbol") };
    assert_eq!(encoder.initial_reads(memory).len(), 1);
    assert!(pool.free_symbols(translated).iter().all(|&symbol| pool.symbol_data(symbol).sort == Sort::Int));
    assert!(encoder.is_exact());
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
