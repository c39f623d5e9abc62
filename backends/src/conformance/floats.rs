//! Floats, compared with the exact arithmetic of `terms`.
//!
//! Equations over bit patterns fix the operands, and the solver's result is compared with constant
//! folding in the pool. Every format gets special values (zeros, infinities, NaN, the smallest and
//! largest numbers) and random patterns.

use super::random::Random;
use super::report::Failure;
use super::{Check, MODELS, Verdict, decide, ensure, prover};
use crate::{Prover, ProverFactory};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use terms::{RoundingMode, Sort, Term, TermPool};

const THEORY: &str = "FloatingPoint";

/// The theory of floats of other formats than those of the standard.
const OTHER_FORMATS: &[&str] = &["OtherFloats"];

/// Formats of the standard.
const STANDARD: &[(u16, u16)] = &[(5, 11), (8, 24), (11, 53)];

pub(super) const CHECKS: &[Check] = &[
    Check::new(THEORY, "arithmetic", "small formats, all rounding modes", |factory| {
        // Not (2, 3): its largest number rounds to an integral number outside of the format, which
        // `terms` does not evaluate.
        arithmetic(factory, &[(3, 3), (3, 4), (3, 5)], 14)
    })
    .with(OTHER_FORMATS),
    Check::new(THEORY, "arithmetic", "Float16, all rounding modes", |factory| {
        arithmetic(factory, &[(5, 11)], 14)
    }),
    Check::new(THEORY, "arithmetic", "Float32, all rounding modes", |factory| {
        arithmetic(factory, &[(8, 24)], 12)
    }),
    Check::new(THEORY, "arithmetic", "Float64, all rounding modes", |factory| {
        arithmetic(factory, &[(11, 53)], 8)
    }),
    Check::extra(THEORY, "arithmetic", "Float128", |factory| arithmetic(factory, &[(15, 113)], 3)),
    Check::new(THEORY, "remainder", "remainders of small formats", |factory| remainders(factory, (3, 4)))
        .with(OTHER_FORMATS),
    Check::extra(THEORY, "remainder", "remainders of Float16", |factory| remainders(factory, (5, 11))),
    Check::new(THEORY, "classification", "classes and comparisons of small formats", |factory| {
        classification(factory, &[(2, 3)])
    })
    .with(OTHER_FORMATS),
    Check::new(THEORY, "classification", "classes and comparisons", |factory| {
        classification(factory, STANDARD)
    }),
    Check::new(THEORY, "conversions", "from and to a small format", |factory| {
        between_formats(factory, &[(3, 4), (5, 11)])
    })
    .with(OTHER_FORMATS),
    Check::new(THEORY, "conversions", "between formats", |factory| between_formats(factory, STANDARD)),
    Check::new(THEORY, "conversions", "of bit vectors to a small format", |factory| {
        bit_vectors(factory, &[(4, 5)])
    })
    .with(OTHER_FORMATS),
    Check::new(THEORY, "conversions", "to and from bit vectors", |factory| {
        bit_vectors(factory, &[(5, 11), (8, 24)])
    }),
    Check::extra(THEORY, "conversions", "to and from reals", real_numbers),
    Check::new(THEORY, MODELS, "operands of a small format for a result", |factory| {
        operands(factory, (3, 4))
    })
    .with(OTHER_FORMATS),
    Check::new(THEORY, MODELS, "operands for a result", |factory| operands(factory, (5, 11))),
];

/// The special patterns of a format, and `count` random ones.
fn patterns((exponent, significand): (u16, u16), random: &mut Random, count: usize) -> Vec<BigUint> {
    let width = u32::from(exponent) + u32::from(significand);
    let one = BigUint::from(1u8);
    let fraction = u32::from(significand) - 1;
    let sign = &one << (width - 1);
    let infinity = ((&one << exponent) - 1u8) << fraction;
    let unit = ((&one << (exponent - 1)) - 1u8) << fraction;
    let mut patterns = vec![
        BigUint::from(0u8),
        one.clone(),
        &one << fraction,
        (&one << fraction) - 1u8,
        &infinity - 1u8,
        infinity.clone(),
        &infinity + (&one << (fraction - 1)),
        unit.clone(),
        &unit + 1u8,
    ];
    let negative: Vec<BigUint> =
        [0, 1, 4, 5, 7].iter().map(|&index: &usize| &patterns[index] + &sign).collect();
    patterns.extend(negative);
    for _ in 0..count {
        let noise = (BigUint::from(random.next_u64()) << 64u8) + BigUint::from(random.next_u64());
        patterns.push(noise % (&one << width));
    }
    patterns
}

/// A solver with two or three symbols whose patterns each query fixes.
struct Fixture {
    pool: TermPool,
    prover: Box<dyn Prover>,
}

impl Fixture {
    fn new(factory: &dyn ProverFactory) -> Result<Self, Failure> {
        Ok(Fixture { pool: TermPool::new(), prover: prover(factory, "ALL")? })
    }

    /// Checks that with each symbol equal to its constant all `results` hold (pairs of a name and a
    /// formula): all together are satisfiable, and the negation of their conjunction is not.
    fn hold(&mut self, fixed: &[(Term, Term)], results: &[(String, Term)]) -> Verdict {
        let pool = &mut self.pool;
        let mut equations: Vec<Term> =
            fixed.iter().map(|&(symbol, constant)| pool.eq(symbol, constant)).collect();
        let formulas: Vec<Term> = results.iter().map(|(_, formula)| *formula).collect();
        let all = pool.and(&formulas);
        let wrong = pool.not(all);
        equations.push(all);
        let right = pool.and(&equations);
        equations.pop();
        equations.push(wrong);
        let wrong = pool.and(&equations);
        let prover = &mut *self.prover;
        if decide(prover, pool, right)? && !decide(prover, pool, wrong)? {
            return Ok(());
        }
        let operands: Vec<String> =
            fixed.iter().map(|&(_, constant)| pool.display(constant).to_string()).collect();
        for (name, formula) in results {
            let negated = pool.not(*formula);
            equations.pop();
            equations.push(negated);
            let wrong = pool.and(&equations);
            let is_right = !decide(prover, pool, wrong)?;
            ensure(is_right, &format!("{name} of {}", operands.join(", ")))?;
        }
        Err(format!("some operation on {} differs from the pool's folding", operands.join(", ")).into())
    }
}

fn float(pool: &mut TermPool, (exponent, significand): (u16, u16), bits: &BigUint) -> Term {
    let width = u32::from(exponent) + u32::from(significand);
    let bits = pool.bv_big(width, &BigInt::from(bits.clone()));
    pool.fp_from_bits(exponent, significand, bits)
}

type Rounded = fn(&mut TermPool, Term, Term, Term) -> Term;

const ROUNDED: &[(&str, Rounded)] = &[
    ("fp.add", TermPool::fp_add),
    ("fp.sub", TermPool::fp_sub),
    ("fp.mul", TermPool::fp_mul),
    ("fp.div", TermPool::fp_div),
    ("fp.sqrt", |pool, mode, a, _| pool.fp_sqrt(mode, a)),
    ("fp.roundToIntegral", |pool, mode, a, _| pool.fp_round_to_integral(mode, a)),
    ("fp.fma", |pool, mode, a, b| pool.fp_fma(mode, a, b, a)),
];

/// Random pairs of patterns, with the rounding modes in turn.
fn arithmetic(factory: &dyn ProverFactory, formats: &[(u16, u16)], rounds: usize) -> Verdict {
    let mut random = Random::new(rounds as u64);
    for &format in formats {
        let mut fixture = Fixture::new(factory)?;
        let patterns = patterns(format, &mut random, 12);
        let sort = Sort::Float(format.0, format.1);
        let [x, y] = ["x", "y"].map(|name| fixture.pool.symbol(name, sort));
        for round in 0..rounds {
            let pool = &mut fixture.pool;
            let left = &patterns[random.below(patterns.len())];
            let right = &patterns[random.below(patterns.len())];
            let (left, right) = (float(pool, format, left), float(pool, format, right));
            let mode_name = RoundingMode::ALL[round % RoundingMode::ALL.len()];
            let mode = pool.rounding_mode(mode_name);
            let mut results = Vec::new();
            for (name, operation) in ROUNDED {
                let symbolic = operation(pool, mode, x, y);
                let folded = operation(pool, mode, left, right);
                results.push((format!("{name} {mode_name:?}"), pool.eq(symbolic, folded)));
            }
            fixture.hold(&[(x, left), (y, right)], &results)?;
        }
    }
    Ok(())
}

fn remainders(factory: &dyn ProverFactory, format: (u16, u16)) -> Verdict {
    let mut random = Random::new(3);
    let mut fixture = Fixture::new(factory)?;
    let patterns = patterns(format, &mut random, 20);
    let [x, y] = ["x", "y"].map(|name| fixture.pool.symbol(name, Sort::Float(format.0, format.1)));
    for _ in 0..25 {
        let pool = &mut fixture.pool;
        let left = &patterns[random.below(patterns.len())];
        let right = &patterns[random.below(patterns.len())];
        let (left, right) = (float(pool, format, left), float(pool, format, right));
        let (symbolic, folded) = (pool.fp_rem(x, y), pool.fp_rem(left, right));
        let result = pool.eq(symbolic, folded);
        fixture.hold(&[(x, left), (y, right)], &[("fp.rem".to_owned(), result)])?;
    }
    Ok(())
}

type Class = fn(&mut TermPool, Term, Term) -> Term;

const CLASSES: &[(&str, Class)] = &[
    ("fp.leq", TermPool::fp_le),
    ("fp.lt", TermPool::fp_lt),
    ("fp.eq", TermPool::fp_eq),
    ("=", TermPool::eq),
    ("fp.isNormal", |pool, a, _| pool.fp_is_normal(a)),
    ("fp.isSubnormal", |pool, a, _| pool.fp_is_subnormal(a)),
    ("fp.isZero", |pool, a, _| pool.fp_is_zero(a)),
    ("fp.isInfinite", |pool, a, _| pool.fp_is_infinite(a)),
    ("fp.isNaN", |pool, a, _| pool.fp_is_nan(a)),
    ("fp.isNegative", |pool, a, _| pool.fp_is_negative(a)),
    ("fp.isPositive", |pool, a, _| pool.fp_is_positive(a)),
    ("fp.abs", |pool, a, b| {
        let a = pool.fp_abs(a);
        pool.eq(a, b)
    }),
    ("fp.neg", |pool, a, b| {
        let a = pool.fp_neg(a);
        pool.eq(a, b)
    }),
];

fn classification(factory: &dyn ProverFactory, formats: &[(u16, u16)]) -> Verdict {
    let mut random = Random::new(5);
    for &format in formats {
        let mut fixture = Fixture::new(factory)?;
        let patterns = patterns(format, &mut random, 4);
        let [x, y] = ["x", "y"].map(|name| fixture.pool.symbol(name, Sort::Float(format.0, format.1)));
        for (index, left) in patterns.iter().enumerate() {
            // The next pattern, the same, and the one with the opposite sign.
            for right in [(index + 1) % patterns.len(), index, (index + 9) % patterns.len()] {
                let pool = &mut fixture.pool;
                let (left, right) = (float(pool, format, left), float(pool, format, &patterns[right]));
                let mut results = Vec::new();
                for (name, class) in CLASSES {
                    let (symbolic, folded) = (class(pool, x, y), class(pool, left, right));
                    results.push(((*name).to_owned(), pool.eq(symbolic, folded)));
                }
                for (name, extremum) in
                    [("fp.min", TermPool::fp_min as Class), ("fp.max", TermPool::fp_max as Class)]
                {
                    let folded = extremum(pool, left, right);
                    // Of two zeros of different sign, either may be the result.
                    if pool.is_constant(folded) {
                        let symbolic = extremum(pool, x, y);
                        results.push((name.to_owned(), pool.eq(symbolic, folded)));
                    }
                }
                fixture.hold(&[(x, left), (y, right)], &results)?;
            }
        }
    }
    Ok(())
}

fn between_formats(factory: &dyn ProverFactory, formats: &[(u16, u16)]) -> Verdict {
    let mut random = Random::new(9);
    for &from in formats {
        let mut fixture = Fixture::new(factory)?;
        let x = fixture.pool.symbol("x", Sort::Float(from.0, from.1));
        for (round, bits) in patterns(from, &mut random, 4).iter().enumerate() {
            let pool = &mut fixture.pool;
            let value = float(pool, from, bits);
            let mode = pool.rounding_mode(RoundingMode::ALL[round % RoundingMode::ALL.len()]);
            let mut results = Vec::new();
            for &to in formats.iter().filter(|&&to| to != from) {
                let symbolic = pool.fp_from_float(to.0, to.1, mode, x);
                let folded = pool.fp_from_float(to.0, to.1, mode, value);
                results.push((format!("to_fp {to:?}"), pool.eq(symbolic, folded)));
            }
            fixture.hold(&[(x, value)], &results)?;
        }
    }
    Ok(())
}

fn bit_vectors(factory: &dyn ProverFactory, formats: &[(u16, u16)]) -> Verdict {
    let mut random = Random::new(11);
    let mut fixture = Fixture::new(factory)?;
    let b = fixture.pool.symbol("b", Sort::BitVec(16));
    for round in 0..12 {
        let pool = &mut fixture.pool;
        let constant = match round {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 15,
            _ => random.next_u64(),
        };
        let constant = pool.bv(16, constant);
        let mode = pool.rounding_mode(RoundingMode::ALL[round % RoundingMode::ALL.len()]);
        let mut results = Vec::new();
        for &(exponent, significand) in formats {
            let (symbolic, folded) = (
                pool.fp_from_signed(exponent, significand, mode, b),
                pool.fp_from_signed(exponent, significand, mode, constant),
            );
            results.push(("to_fp of a signed number".to_owned(), pool.eq(symbolic, folded)));
            let (symbolic, folded) = (
                pool.fp_from_unsigned(exponent, significand, mode, b),
                pool.fp_from_unsigned(exponent, significand, mode, constant),
            );
            results.push(("to_fp_unsigned".to_owned(), pool.eq(symbolic, folded)));
        }
        let (symbolic, folded) = (pool.fp_from_bits(5, 11, b), pool.fp_from_bits(5, 11, constant));
        results.push(("to_fp of a pattern".to_owned(), pool.eq(symbolic, folded)));
        fixture.hold(&[(b, constant)], &results)?;
    }
    let format = (5, 11);
    let x = fixture.pool.symbol("x", Sort::Float(format.0, format.1));
    for (round, bits) in patterns(format, &mut random, 10).iter().enumerate() {
        let pool = &mut fixture.pool;
        let value = float(pool, format, bits);
        let mode = pool.rounding_mode(RoundingMode::ALL[round % RoundingMode::ALL.len()]);
        let mut results = Vec::new();
        for width in [4, 8, 20] {
            for (name, convert) in [
                ("fp.to_ubv", TermPool::fp_to_unsigned as fn(&mut TermPool, u32, Term, Term) -> Term),
                ("fp.to_sbv", TermPool::fp_to_signed),
            ] {
                let folded = convert(pool, width, mode, value);
                // Results out of range are unspecified.
                if pool.is_constant(folded) {
                    let symbolic = convert(pool, width, mode, x);
                    results.push((format!("{name} {width}"), pool.eq(symbolic, folded)));
                }
            }
        }
        fixture.hold(&[(x, value)], &results)?;
    }
    Ok(())
}

fn real_numbers(factory: &dyn ProverFactory) -> Verdict {
    let mut random = Random::new(13);
    let mut fixture = Fixture::new(factory)?;
    for (round, (numerator, denominator)) in
        [(1, 3), (-1, 3), (1, 10), (65519, 1), (65520, 1), (-7, 2), (1, 1 << 26)].into_iter().enumerate()
    {
        let pool = &mut fixture.pool;
        let value = pool.real(&BigRational::new(numerator.into(), denominator.into()));
        let mode = pool.rounding_mode(RoundingMode::ALL[round % RoundingMode::ALL.len()]);
        // Reals are converted only as constants, which all solvers support.
        let f = pool.symbol("f", Sort::Float(5, 11));
        let folded = pool.fp_from_real(5, 11, mode, value);
        let back = pool.fp_to_real(f);
        let expected = pool.fp_to_real(folded);
        let mut results = vec![("to_fp of a real".to_owned(), pool.eq(f, folded))];
        if pool.is_constant(expected) {
            results.push(("fp.to_real".to_owned(), pool.eq(back, expected)));
        }
        fixture.hold(&[(f, folded)], &results)?;
    }
    let x = fixture.pool.symbol("x", Sort::Float(3, 4));
    for bits in patterns((3, 4), &mut random, 4) {
        let pool = &mut fixture.pool;
        let value = float(pool, (3, 4), &bits);
        let folded = pool.fp_to_real(value);
        if pool.is_constant(folded) {
            let symbolic = pool.fp_to_real(x);
            let result = pool.eq(symbolic, folded);
            fixture.hold(&[(x, value)], &[("fp.to_real".to_owned(), result)])?;
        }
    }
    Ok(())
}

/// x ∘ y = z backwards: the solver finds operands, and the model is evaluated.
fn operands(factory: &dyn ProverFactory, format: (u16, u16)) -> Verdict {
    let mut fixture = Fixture::new(factory)?;
    let pool = &mut fixture.pool;
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Float(format.0, format.1)));
    for mode in RoundingMode::ALL {
        let mode = pool.rounding_mode(mode);
        let sum = pool.fp_add(mode, x, y);
        let difference = pool.fp_sub(mode, sum, y);
        // Rounds up in one mode, down in another.
        let changes = [pool.fp_lt(difference, x), pool.fp_lt(x, difference)];
        let lost = pool.or(&changes);
        ensure(decide(&mut *fixture.prover, pool, lost)?, "sums round")?;
        let product = pool.fp_mul(mode, x, x);
        let negative = pool.fp_is_negative(product);
        let number = pool.fp_is_nan(x);
        let number = pool.not(number);
        let formula = pool.and2(negative, number);
        ensure(!decide(&mut *fixture.prover, pool, formula)?, "squares are not negative")?;
    }
    Ok(())
}
