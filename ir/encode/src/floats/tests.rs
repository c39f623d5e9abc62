//! Comparison of the circuits with the exact arithmetic of `terms::ieee`, through constructors that
//! fold constants.

use super::{FloatEncoding, FloatTranslation, Means};
use num_bigint::BigUint;
use proptest::prelude::*;
use terms::{Assignment, Completion, Evaluator, Op, RoundingMode, Sort, Symbol, Term, TermPool, Value};

/// A term over patterns that are symbols, with its translation.
struct Subject {
    pool: TermPool,
    evaluator: Evaluator,
    symbols: Vec<Symbol>,
    source: Term,
    target: Term,
    constraints: Vec<Term>,
}

impl Subject {
    /// Builds the term over floats of the format, whose patterns are symbols.
    fn new((e, s): (u16, u16), floats: usize, build: impl FnOnce(&mut TermPool, &[Term]) -> Term) -> Self {
        let mut pool = TermPool::new();
        let patterns: Vec<Term> = (0..floats)
            .map(|index| pool.symbol(&format!("x{index}"), Sort::BitVec(u32::from(e) + u32::from(s))))
            .collect();
        let operands: Vec<Term> = patterns.iter().map(|&bits| pool.fp_from_bits(e, s, bits)).collect();
        let built = build(&mut pool, &operands);
        Self::of(pool, &patterns, built)
    }

    /// Translates a term over these bit vectors.
    fn of(mut pool: TermPool, patterns: &[Term], built: Term) -> Self {
        let symbols = patterns
            .iter()
            .map(|&pattern| match pool.op(pattern) {
                Op::Symbol(symbol) => symbol,
                op => panic!("{op:?} should be a symbol"),
            })
            .collect();
        let source = match pool.sort(built) {
            Sort::Float(..) => pool.fp_to_bits(built),
            _ => built,
        };
        let mut translation = FloatTranslation::new(FloatEncoding::Bits);
        let target = translation.translate(&mut pool, Means::Chosen, source).expect("a circuit");
        let constraints = translation.take().0;
        Subject { pool, evaluator: Evaluator::new(), symbols, source, target, constraints }
    }

    fn check(&mut self, values: &[u128]) {
        let mut assignment = Assignment::default();
        assignment.completion = Completion::Default;
        for (&symbol, &value) in self.symbols.iter().zip(values) {
            let Sort::BitVec(width) = self.pool.symbol_data(symbol).sort else { panic!("a pattern") };
            let value = terms::BitVector::from_natural(width, BigUint::from(value));
            assignment.set(symbol, Value::BitVec(value));
        }
        self.evaluator.clear();
        let expected = self.evaluator.eval(&self.pool, self.source, &assignment).expect("exact arithmetic");
        let found = self.evaluator.eval(&self.pool, self.target, &assignment).expect("bit vectors");
        assert_eq!(found, expected, "{} at {values:x?}", self.pool.display(self.source));
    }

    fn check_all(&mut self) {
        let widths: Vec<u32> = self
            .symbols
            .iter()
            .map(|&symbol| match self.pool.symbol_data(symbol).sort {
                Sort::BitVec(width) => width,
                sort => panic!("{sort:?} should be a sort of patterns"),
            })
            .collect();
        let total: u32 = widths.iter().sum();
        for mut all in 0..1u128 << total {
            let mut values = Vec::new();
            for &width in &widths {
                values.push(all & ((1 << width) - 1));
                all >>= width;
            }
            self.check(&values);
        }
    }
}

type Build = fn(&mut TermPool, Term, &[Term]) -> Term;

/// Rounding operations, with their number of operands.
const ROUNDED: [(usize, Build); 8] = [
    (2, |pool, mode, x| pool.fp_add(mode, x[0], x[1])),
    (2, |pool, mode, x| pool.fp_sub(mode, x[0], x[1])),
    (2, |pool, mode, x| pool.fp_mul(mode, x[0], x[1])),
    (2, |pool, mode, x| pool.fp_div(mode, x[0], x[1])),
    (1, |pool, mode, x| pool.fp_sqrt(mode, x[0])),
    (1, |pool, mode, x| pool.fp_round_to_integral(mode, x[0])),
    (1, |pool, mode, x| pool.fp_to_signed(6, mode, x[0])),
    (1, |pool, mode, x| pool.fp_to_unsigned(5, mode, x[0])),
];

type Exact = fn(&mut TermPool, &[Term]) -> Term;

const EXACT: [(usize, Exact); 16] = [
    (2, |pool, x| pool.fp_rem(x[0], x[1])),
    (2, |pool, x| pool.fp_min(x[0], x[1])),
    (2, |pool, x| pool.fp_max(x[0], x[1])),
    (2, |pool, x| pool.fp_lt(x[0], x[1])),
    (2, |pool, x| pool.fp_le(x[0], x[1])),
    (2, |pool, x| pool.fp_eq(x[0], x[1])),
    (2, |pool, x| pool.eq(x[0], x[1])),
    (1, |pool, x| pool.fp_neg(x[0])),
    (1, |pool, x| pool.fp_abs(x[0])),
    (1, |pool, x| pool.fp_is_nan(x[0])),
    (1, |pool, x| pool.fp_is_infinite(x[0])),
    (1, |pool, x| pool.fp_is_zero(x[0])),
    (1, |pool, x| pool.fp_is_normal(x[0])),
    (1, |pool, x| pool.fp_is_subnormal(x[0])),
    (1, |pool, x| pool.fp_is_negative(x[0])),
    (1, |pool, x| pool.fp_is_positive(x[0])),
];

fn rounded(format: (u16, u16), mode: RoundingMode, floats: usize, build: Build) -> Subject {
    Subject::new(format, floats, |pool, operands| {
        let mode = pool.rounding_mode(mode);
        build(pool, mode, operands)
    })
}

#[test]
#[ignore = "slow"]
fn all_operands_of_tiny_formats() {
    for format in [(3, 4), (3, 2), (4, 2)] {
        for mode in RoundingMode::ALL {
            for (floats, build) in ROUNDED {
                rounded(format, mode, floats, build).check_all();
            }
        }
        for (floats, build) in EXACT {
            Subject::new(format, floats, build).check_all();
        }
    }
}

#[test]
fn fused_products_of_tiny_formats() {
    for mode in RoundingMode::ALL {
        rounded((3, 2), mode, 3, |pool, mode, x| pool.fp_fma(mode, x[0], x[1], x[2])).check_all();
    }
}

/// Chains, so that results are operands of further operations.
#[test]
fn operations_over_results() {
    for mode in RoundingMode::ALL {
        rounded((3, 3), mode, 2, |pool, mode, x| {
            let quotient = pool.fp_div(mode, x[0], x[1]);
            let negated = pool.fp_neg(quotient);
            let sum = pool.fp_add(mode, negated, x[1]);
            let same = pool.eq(sum, negated);
            let root = pool.fp_sqrt(mode, sum);
            pool.ite(same, negated, root)
        })
        .check_all();
    }
}

#[test]
fn conversions_between_tiny_formats() {
    for mode in RoundingMode::ALL {
        for from in [(3, 4), (5, 3), (2, 6)] {
            for (e, s) in [(3, 4), (5, 3), (2, 6), (3, 3), (6, 8)] {
                Subject::new(from, 1, |pool, x| {
                    let mode = pool.rounding_mode(mode);
                    pool.fp_from_float(e, s, mode, x[0])
                })
                .check_all();
            }
        }
        for width in [1, 2, 5, 9] {
            for (e, s) in [(3, 4), (5, 3), (6, 12)] {
                for is_signed in [false, true] {
                    let mut pool = TermPool::new();
                    let mode = pool.rounding_mode(mode);
                    let integer = pool.symbol("i", Sort::BitVec(width));
                    let term = match is_signed {
                        true => pool.fp_from_signed(e, s, mode, integer),
                        false => pool.fp_from_unsigned(e, s, mode, integer),
                    };
                    Subject::of(pool, &[integer], term).check_all();
                }
            }
        }
        for width in [1, 2, 9] {
            rounded(
                (4, 4),
                mode,
                1,
                match width {
                    1 => |pool, mode, x| pool.fp_to_signed(1, mode, x[0]),
                    2 => |pool, mode, x| pool.fp_to_unsigned(1, mode, x[0]),
                    _ => |pool, mode, x| pool.fp_to_signed(9, mode, x[0]),
                },
            )
            .check_all();
        }
    }
}

/// Patterns of a format: arbitrary, close to 1, special, or close to special.
fn pattern((e, s): (u32, u32)) -> impl Strategy<Value = u128> {
    let fraction = s - 1;
    let top = (1u128 << e) - 1;
    let middle = top / 2;
    let field = prop_oneof![
        2 => 0..=top,
        3 => middle.saturating_sub(u128::from(s))..=(middle + u128::from(s)).min(top),
        1 => prop::sample::select(vec![0, 1, top - 1, top]),
    ];
    let digits = prop_oneof![3 => any::<u128>(), 1 => Just(0), 1 => Just(1), 1 => Just(u128::MAX)];
    (any::<bool>(), field, digits).prop_map(move |(sign, field, digits)| {
        (u128::from(sign) << (e + fraction)) | (field << fraction) | (digits & ((1 << fraction) - 1))
    })
}

fn usual() -> impl Strategy<Value = ((u16, u16), [u128; 3])> {
    prop::sample::select(vec![(5u16, 11u16), (8, 24), (11, 53), (15, 64)]).prop_flat_map(|(e, s)| {
        let shape = (u32::from(e), u32::from(s));
        (Just((e, s)), [pattern(shape), pattern(shape), pattern(shape)])
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn usual_formats((format, values) in usual(), mode in 0usize..5, index in 0usize..10) {
        let mode = RoundingMode::ALL[mode];
        let (floats, build): (usize, Build) = match index {
            8 => (3, |pool, mode, x| pool.fp_fma(mode, x[0], x[1], x[2])),
            9 => (1, |pool, mode, x| pool.fp_to_signed(64, mode, x[0])),
            _ => ROUNDED[index],
        };
        rounded(format, mode, floats, build).check(&values[..floats]);
    }

    #[test]
    fn exact_operations_of_usual_formats((format, values) in usual(), index in 1usize..EXACT.len()) {
        let (floats, build) = EXACT[index];
        Subject::new(format, floats, build).check(&values[..floats]);
    }

    #[test]
    fn conversions_of_usual_formats((format, values) in usual(), (to, _) in usual(), mode in 0usize..5) {
        let mode = RoundingMode::ALL[mode];
        Subject::new(format, 1, |pool, x| {
            let mode = pool.rounding_mode(mode);
            pool.fp_from_float(to.0, to.1, mode, x[0])
        })
        .check(&values[..1]);
    }

    #[test]
    fn conversions_of_integers((to, values) in usual(), mode in 0usize..5, width in 1u32..=64, is_signed: bool) {
        let mut pool = TermPool::new();
        let mode = pool.rounding_mode(RoundingMode::ALL[mode]);
        let integer = pool.symbol("i", Sort::BitVec(width));
        let term = match is_signed {
            true => pool.fp_from_signed(to.0, to.1, mode, integer),
            false => pool.fp_from_unsigned(to.0, to.1, mode, integer),
        };
        Subject::of(pool, &[integer], term).check(&[values[0] & ((1 << width) - 1)]);
    }

    /// Exact for `float`; for `double` exact if the exponents do not differ too much, else only
    /// bounded.
    #[test]
    fn remainders(a in pattern((8, 24)), b in pattern((8, 24)), x in pattern((11, 53)), distance in 0u64..200) {
        Subject::new((8, 24), 2, |pool, x| pool.fp_rem(x[0], x[1])).check(&[a, b]);
        let y = (x & !(0x7ff << 52)) ^ 0x5_5555_5555 | (u128::from((1023 + 100 - distance) as u16) << 52);
        let x = x & !(0x7ff << 52) | ((1023 + 100) << 52);
        Subject::new((11, 53), 2, |pool, x| pool.fp_rem(x[0], x[1])).check(&[x, y]);
    }
}

#[test]
fn far_remainders_are_unknown_but_bounded() {
    let subject = Subject::new((11, 53), 2, |pool, x| pool.fp_rem(x[0], x[1]));
    assert_eq!(subject.constraints.len(), 1);
}

#[test]
fn floats_that_are_no_patterns_are_refused() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Float(8, 24));
    let mode = pool.symbol("mode", Sort::RoundingMode);
    let bits = pool.symbol("bits", Sort::BitVec(32));
    let y = pool.fp_from_bits(8, 24, bits);
    let sum = pool.fp_add(mode, y, y);
    for float in [x, sum] {
        let test = pool.fp_is_nan(float);
        let translated = FloatTranslation::new(FloatEncoding::Bits).translate(&mut pool, Means::Chosen, test);
        assert!(translated.is_err());
    }
}

#[test]
fn patterns_become_symbols_for_the_theory() {
    let mut pool = TermPool::new();
    let bits = pool.symbol("bits", Sort::BitVec(7));
    let float = pool.fp_from_bits(3, 4, bits);
    let mode = pool.rounding_mode(RoundingMode::NearestEven);
    let double = pool.fp_add(mode, float, float);
    let pattern = pool.fp_to_bits(double);
    let other = pool.symbol("other", Sort::BitVec(7));
    let equal = pool.eq(pattern, other);
    let mut translation = FloatTranslation::new(FloatEncoding::Theory);
    let translated = translation.translate(&mut pool, Means::Chosen, equal).expect("a translation");
    let mut terms = vec![translated];
    terms.extend(translation.take().0);
    assert_eq!(terms.len(), 3);
    pool.visit(&terms, |_| true, |term| assert_ne!(pool.op(term), Op::FpToBits));
}

/// Encodes `build` of two floats and an integer in a linear encoding, and checks that all
/// constraints hold for the actual values.
fn facts_hold(
    (e, s): (u16, u16),
    values: [u128; 3],
    build: impl FnOnce(&mut TermPool, &[Term], Term) -> Term,
) {
    use crate::{Encoder, Encoding, Overflow};
    let mut pool = TermPool::new();
    let width = u32::from(e) + u32::from(s);
    let patterns = ["x0", "x1", "x2"].map(|name| pool.symbol(name, Sort::BitVec(width)));
    let floats = [0, 1].map(|index| pool.fp_from_bits(e, s, patterns[index]));
    let result = build(&mut pool, &floats, patterns[2]);
    let formula = match pool.sort(result) {
        Sort::Bool => result,
        Sort::Float(..) => pool.fp_le(result, floats[0]),
        _ => {
            let zero = pool.bv(pool.width(result), 0);
            pool.bv_slt(result, zero)
        }
    };
    let mut sources = Assignment::with_completion(Completion::Default);
    for (&pattern, &value) in patterns.iter().zip(&values) {
        let Op::Symbol(symbol) = pool.op(pattern) else { panic!("a symbol") };
        let bits = terms::BitVector::from_natural(width, BigUint::from(value));
        sources.set(symbol, Value::BitVec(bits));
    }
    let mut encoder = Encoder::new(Encoding::QfUflira, Overflow::Wrap);
    let encoded = encoder.formula(&mut pool, formula).expect("a translation");
    let mut terms = encoder.take_constraints();
    terms.push(encoded);
    let mut symbols = Vec::new();
    pool.visit(
        &terms,
        |_| true,
        |term| {
            if let Op::Symbol(symbol) = pool.op(term) {
                symbols.push(symbol);
            }
        },
    );
    let mut targets = Assignment::with_completion(Completion::Partial);
    for symbol in symbols {
        let data = pool.symbol_data(symbol).clone();
        let meant = data.name.split_once('!').and_then(|(_, number)| number.parse().ok()).map(Term);
        let value = match (meant, data.sort) {
            (Some(float), Sort::Real) => {
                let real = pool.fp_to_real(float);
                terms::eval(&pool, real, &sources).expect("a float has a value")
            }
            (meant, Sort::Int) => {
                let source = match meant {
                    Some(term) if matches!(pool.sort(term), Sort::Float(..)) => pool.fp_to_bits(term),
                    Some(term) => term,
                    None => pool.symbol(&data.name, Sort::BitVec(width)),
                };
                let value = terms::eval(&pool, source, &sources).expect("bits");
                let bits = value.as_bv().expect("bits");
                Value::Int(match data.representation {
                    terms::Representation::Signed => bits.to_signed(),
                    terms::Representation::Unsigned => bits.to_natural().into(),
                })
            }
            (_, sort) => panic!("a symbol of sort {sort:?}"),
        };
        targets.set(symbol, value);
    }
    let expected = terms::eval(&pool, formula, &sources).expect("exact arithmetic");
    for &constraint in &terms[..terms.len() - 1] {
        let holds = terms::eval(&pool, constraint, &targets).expect("integers and reals");
        assert_eq!(holds, Value::Bool(true), "{} at {values:x?}", pool.display(constraint));
    }
    assert_eq!(terms::eval(&pool, encoded, &targets), Ok(expected), "{values:x?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_of_reals_is_true(
        (format, values) in prop::sample::select(vec![(5u16, 11u16), (8, 24), (11, 53)]).prop_flat_map(|(e, s)| {
            let shape = (u32::from(e), u32::from(s));
            (Just((e, s)), [pattern(shape), pattern(shape), pattern(shape)])
        }),
        mode in 0usize..5,
        index in 0usize..18,
    ) {
        let (e, s) = format;
        facts_hold(format, values, |pool, x, integer| {
            let mode = pool.rounding_mode(RoundingMode::ALL[mode]);
            let third = pool.real(&num_rational::BigRational::new(1.into(), 3.into()));
            let third = pool.fp_from_real(e, s, mode, third);
            match index {
                0 => pool.fp_add(mode, x[0], x[1]),
                1 => pool.fp_sub(mode, x[0], x[1]),
                2 => pool.fp_mul(mode, x[0], x[1]),
                3 => pool.fp_div(mode, x[0], x[1]),
                4 => pool.fp_mul(mode, x[0], third),
                5 => pool.fp_div(mode, x[1], third),
                6 => pool.fp_sqrt(mode, x[0]),
                7 => pool.fp_round_to_integral(mode, x[1]),
                8 | 9 => {
                    let (wider, narrower) = if index == 8 { (8, 24) } else { (11, 53) };
                    let float = pool.fp_from_float(wider, narrower, mode, x[0]);
                    let back = pool.fp_from_float(e, s, mode, float);
                    pool.fp_add(mode, back, third)
                }
                10 => pool.fp_from_signed(e, s, mode, integer),
                11 => pool.fp_from_unsigned(e, s, mode, integer),
                12 => {
                    let short = pool.extract(9, 0, integer);
                    let float = pool.fp_from_signed(e, s, mode, short);
                    pool.fp_add(mode, float, third)
                }
                13 => pool.fp_to_signed(16, mode, x[0]),
                14 => pool.fp_to_unsigned(16, mode, x[0]),
                15 => pool.fp_rem(x[0], x[1]),
                16 => {
                    let sum = pool.fp_add(mode, x[0], x[1]);
                    let negated = pool.fp_neg(sum);
                    let is_less = pool.fp_lt(sum, third);
                    let chosen = pool.ite(is_less, negated, third);
                    pool.fp_eq(chosen, negated)
                }
                _ => pool.fp_mul(mode, x[0], x[0]),
            }
        });
    }
}

/// The purpose of the facts: a bound on a sum that holds in spite of rounding, for unknown
/// patterns.
#[test]
fn a_sum_is_compared_with_a_constant_by_its_exact_value() {
    use crate::{Encoder, Encoding, Overflow};
    let mut pool = TermPool::new();
    let mode = pool.rounding_mode(RoundingMode::NearestEven);
    let patterns = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let [x, y] = patterns.map(|pattern| pool.fp_from_bits(8, 24, pattern));
    let two = pool.bv(32, 0x4000_0000);
    let two = pool.fp_from_bits(8, 24, two);
    let sum = pool.fp_add(mode, x, y);
    let formula = pool.fp_le(sum, two);
    let count = |pool: &mut TermPool, formula: Term| {
        let mut encoder = Encoder::new(Encoding::QfUflira, Overflow::Wrap);
        encoder.formula(pool, formula).expect("a translation");
        assert!(!encoder.is_exact());
        encoder.take_constraints().len()
    };
    let test = pool.fp_is_nan(sum);
    let (compared, alone) = (count(&mut pool, formula), count(&mut pool, test));
    // The comparison itself, and the monotonicity of rounding.
    assert_eq!(compared, alone + 2);
}
