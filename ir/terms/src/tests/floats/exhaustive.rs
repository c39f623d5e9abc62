//! All arguments in tiny formats, against definitions by a table of all values. The reference only
//! *compares* the exact result with the floats of the format and chooses the float that the
//! rounding mode prescribes. NaN, infinities and signs of zeros follow the hardware's double
//! precision, in which sums and products of tiny floats are exact.

use super::{apply, float, integer, mode};
use crate::ieee::{self, Outcome};
use crate::{Op, RoundingMode, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::cmp::Ordering;

/// Numbers are multiples of `2^-SCALE`. All tiny floats are multiples of twice that, so their means
/// are representable too.
const SCALE: u32 = 9;

struct Tiny {
    exponent: u16,
    significand: u16,
    /// The finite floats with their patterns, ascending, with a single zero.
    finite: Vec<(i128, u128)>,
}

impl Tiny {
    fn new(exponent: u16, significand: u16) -> Self {
        let mut tiny = Tiny { exponent, significand, finite: Vec::new() };
        for pattern in 0..tiny.count() {
            let value = tiny.double(pattern);
            if value.is_finite() && !(value == 0.0 && value.is_sign_negative()) {
                tiny.finite.push((scaled(value), pattern));
            }
        }
        tiny.finite.sort_unstable();
        tiny
    }

    fn count(&self) -> u128 {
        1 << (self.exponent + self.significand)
    }

    /// IEEE 754's definition of the value of a pattern.
    fn double(&self, pattern: u128) -> f64 {
        let fraction_bits = i32::from(self.significand) - 1;
        let fraction = (pattern & ((1 << fraction_bits) - 1)) as f64 / f64::from(1 << fraction_bits);
        let field = (pattern >> fraction_bits) as i32 & ((1 << self.exponent) - 1);
        let bias = (1 << (self.exponent - 1)) - 1;
        let magnitude = match field {
            0 => fraction * 2f64.powi(1 - bias),
            field if field < (1 << self.exponent) - 1 => (1.0 + fraction) * 2f64.powi(field - bias),
            _ if fraction == 0.0 => f64::INFINITY,
            _ => f64::NAN,
        };
        if pattern >> (self.exponent + self.significand - 1) == 1 { -magnitude } else { magnitude }
    }

    fn value(&self, pattern: u128) -> Value {
        float(self.exponent, self.significand, pattern)
    }

    fn sign(&self) -> u128 {
        self.count() / 2
    }

    fn infinity(&self) -> u128 {
        ((1 << self.exponent) - 1) << (self.significand - 1)
    }

    /// The pattern of a NaN, an infinity or a zero.
    fn special(&self, value: f64) -> u128 {
        let sign = if value.is_sign_negative() { self.sign() } else { 0 };
        if value.is_nan() {
            self.infinity() | 1
        } else if value == 0.0 {
            sign
        } else {
            assert!(value.is_infinite());
            self.infinity() | sign
        }
    }

    /// The pattern of a rounded nonzero number; `compare` orders the number relative to a multiple
    /// of `2^-SCALE`.
    fn round(&self, mode: RoundingMode, compare: &dyn Fn(i128) -> Ordering) -> u128 {
        let is_negative = compare(0).is_lt();
        let below = self.finite.partition_point(|&(value, _)| compare(value).is_ge());
        let below = below.checked_sub(1).map(|index| self.finite[index]);
        let above = self.finite.partition_point(|&(value, _)| compare(value).is_gt());
        let above = self.finite.get(above).copied();
        // The next power of two, which rounding to nearest treats as infinity.
        let beyond = 1i128 << ((1 << (self.exponent - 1)) + SCALE);
        let below_or_infinite = below.unwrap_or((-beyond, self.infinity() | self.sign()));
        let above_or_infinite = above.unwrap_or((beyond, self.infinity()));
        let chosen = match mode {
            RoundingMode::TowardPositive => above_or_infinite.1,
            RoundingMode::TowardNegative => below_or_infinite.1,
            RoundingMode::TowardZero if is_negative => above.expect("0 is a float").1,
            RoundingMode::TowardZero => below.expect("0 is a float").1,
            RoundingMode::NearestEven | RoundingMode::NearestAway => {
                let (low, high) = (below_or_infinite, above_or_infinite);
                match compare((low.0 + high.0) / 2) {
                    Ordering::Less => low.1,
                    Ordering::Greater => high.1,
                    Ordering::Equal if low == high => low.1,
                    Ordering::Equal if mode == RoundingMode::NearestAway => {
                        if is_negative {
                            low.1
                        } else {
                            high.1
                        }
                    }
                    Ordering::Equal => {
                        if low.1.is_multiple_of(2) {
                            low.1
                        } else {
                            high.1
                        }
                    }
                }
            }
        };
        if chosen == 0 && is_negative { self.sign() } else { chosen }
    }

    /// The rounded result: `hardware` if it is special, else the exact result that `compare`
    /// orders.
    fn expect(
        &self,
        mode: RoundingMode,
        operands: &[f64],
        hardware: f64,
        compare: &dyn Fn(i128) -> Ordering,
    ) -> Option<Value> {
        let is_exact_zero = hardware == 0.0;
        let is_special = !hardware.is_finite() || operands.iter().any(|operand| !operand.is_finite());
        let pattern =
            if is_special || is_exact_zero { self.special(hardware) } else { self.round(mode, compare) };
        Some(self.value(pattern))
    }
}

fn scaled(value: f64) -> i128 {
    let scaled = value * f64::from(1 << SCALE);
    assert!(scaled.fract() == 0.0 && (scaled as i128) % 2 == 0);
    scaled as i128
}

/// The scaled value; 0 for infinities and NaN.
fn number(value: f64) -> i128 {
    if value.is_finite() { scaled(value) } else { 0 }
}

/// Corrects the sign of an exact zero sum of operands of opposite signs for the rounding mode.
fn zero_sum(mode: RoundingMode, sum: f64, is_cancelled: bool) -> f64 {
    if sum == 0.0 && is_cancelled && mode == RoundingMode::TowardNegative { -0.0 } else { sum }
}

fn tiny_formats() -> Vec<Tiny> {
    [(2, 2), (2, 3), (3, 2), (3, 4), (4, 2), (4, 3)].into_iter().map(|(e, s)| Tiny::new(e, s)).collect()
}

#[test]
fn operations_of_one_and_two_operands_round_to_the_right_neighbor() {
    for tiny in tiny_formats() {
        for by in RoundingMode::ALL {
            for p in 0..tiny.count() {
                let (x, a) = (tiny.double(p), tiny.value(p));
                let i = number(x);
                let expected = tiny.expect(by, &[x], x.sqrt(), &|point| {
                    if point < 0 { Ordering::Greater } else { (i << SCALE).cmp(&(point * point)) }
                });
                assert_eq!(apply(Op::FpSqrt, &[mode(by), a.clone()]), expected, "{by:?} {x}");
                for q in 0..tiny.count() {
                    let (y, b) = (tiny.double(q), tiny.value(q));
                    let j = number(y);
                    let run = |op| apply(op, &[mode(by), a.clone(), b.clone()]);
                    let differ = x.is_sign_negative() != y.is_sign_negative();
                    let sum = zero_sum(by, x + y, differ);
                    let expected = tiny.expect(by, &[x, y], sum, &|point| (i + j).cmp(&point));
                    assert_eq!(run(Op::FpAdd), expected, "{by:?} {x} + {y}");
                    let difference = zero_sum(by, x - y, !differ);
                    let expected = tiny.expect(by, &[x, y], difference, &|point| (i - j).cmp(&point));
                    assert_eq!(run(Op::FpSub), expected, "{by:?} {x} - {y}");
                    let expected = tiny.expect(by, &[x, y], x * y, &|point| (i * j).cmp(&(point << SCALE)));
                    assert_eq!(run(Op::FpMul), expected, "{by:?} {x} * {y}");
                    let expected = tiny.expect(by, &[x, y], x / y, &|point| {
                        ((i * j.signum()) << SCALE).cmp(&(point * j.abs()))
                    });
                    assert_eq!(run(Op::FpDiv), expected, "{by:?} {x} / {y}");
                }
            }
        }
    }
}

#[test]
fn a_fused_product_and_sum_is_rounded_once() {
    for tiny in [Tiny::new(2, 3), Tiny::new(3, 2)] {
        for by in RoundingMode::ALL {
            for p in 0..tiny.count() {
                for q in 0..tiny.count() {
                    for r in 0..tiny.count() {
                        let [x, y, z] = [p, q, r].map(|pattern| tiny.double(pattern));
                        let [i, j, k] = [x, y, z].map(number);
                        let product = x * y;
                        let sum =
                            zero_sum(by, product + z, product.is_sign_negative() != z.is_sign_negative());
                        let expected = tiny.expect(by, &[x, y, z], sum, &|point| {
                            (i * j + (k << SCALE)).cmp(&(point << SCALE))
                        });
                        let arguments = [mode(by), tiny.value(p), tiny.value(q), tiny.value(r)];
                        assert_eq!(apply(Op::FpFma, &arguments), expected, "{by:?} {x} * {y} + {z}");
                    }
                }
            }
        }
    }
}

/// Rounds `numerator / denominator` to an integer.
fn round_integer(mode: RoundingMode, numerator: i128, denominator: i128) -> i128 {
    assert!(denominator > 0);
    let floor = numerator.div_euclid(denominator);
    let rest = numerator.rem_euclid(denominator);
    let is_up = match mode {
        RoundingMode::TowardNegative => false,
        RoundingMode::TowardPositive => rest > 0,
        RoundingMode::TowardZero => rest > 0 && numerator < 0,
        RoundingMode::NearestEven => 2 * rest > denominator || (2 * rest == denominator && floor % 2 != 0),
        RoundingMode::NearestAway => 2 * rest > denominator || (2 * rest == denominator && numerator > 0),
    };
    if is_up { floor + 1 } else { floor }
}

#[test]
fn remainders_are_by_the_nearest_multiple() {
    for tiny in tiny_formats() {
        for p in 0..tiny.count() {
            for q in 0..tiny.count() {
                let (x, y) = (tiny.double(p), tiny.double(q));
                let expected = if !x.is_finite() || y.is_nan() || y == 0.0 {
                    tiny.special(f64::NAN)
                } else if y.is_infinite() || x == 0.0 {
                    p
                } else {
                    let (i, j) = (scaled(x), scaled(y));
                    let n = round_integer(RoundingMode::NearestEven, i * j.signum(), j.abs());
                    let remainder = i - j * n;
                    if remainder == 0 {
                        if i < 0 { tiny.sign() } else { 0 }
                    } else {
                        let at = tiny.finite.binary_search_by_key(&remainder, |&(value, _)| value);
                        tiny.finite[at.expect("a remainder is a float")].1
                    }
                };
                let found = apply(Op::FpRem, &[tiny.value(p), tiny.value(q)]);
                assert_eq!(found, Some(tiny.value(expected)), "{x} rem {y}");
            }
        }
    }
}

#[test]
fn floats_become_the_right_integers() {
    for tiny in tiny_formats() {
        for by in RoundingMode::ALL {
            for p in 0..tiny.count() {
                let (x, a) = (tiny.double(p), tiny.value(p));
                let arguments = [mode(by), a.clone()];
                if !x.is_finite() {
                    assert_eq!(apply(Op::FpRoundToIntegral, &arguments), Some(a.clone()));
                    assert_eq!(apply(Op::FpToSigned(4), &arguments), None);
                    assert_eq!(apply(Op::FpToUnsigned(4), &arguments), None);
                    assert_eq!(apply(Op::FpToReal, std::slice::from_ref(&a)), None);
                    continue;
                }
                let expected = round_integer(by, scaled(x), 1 << SCALE);
                for width in 1..8 {
                    let signed = (-(1 << (width - 1))..1 << (width - 1)).contains(&expected);
                    let found = apply(Op::FpToSigned(width), &arguments);
                    assert_eq!(found, signed.then(|| integer(width, expected)), "{by:?} {x} {width}");
                    let unsigned = (0..1 << width).contains(&expected);
                    let found = apply(Op::FpToUnsigned(width), &arguments);
                    assert_eq!(found, unsigned.then(|| integer(width, expected)), "{by:?} {x} {width}");
                }
                let real = Value::Real(BigRational::new(scaled(x).into(), BigInt::from(1 << SCALE)));
                assert_eq!(apply(Op::FpToReal, std::slice::from_ref(&a)), Some(real));
                let index = tiny.finite.binary_search_by_key(&(expected << SCALE), |&(value, _)| value);
                let arguments: Vec<&Value> = arguments.iter().collect();
                let found = ieee::apply(Op::FpRoundToIntegral, &arguments);
                match index {
                    Err(_) => assert_eq!(found, Outcome::Unsupported, "{x}"),
                    Ok(_) if expected == 0 => {
                        let zero = if x.is_sign_negative() { tiny.sign() } else { 0 };
                        assert_eq!(found, Outcome::Value(tiny.value(zero)), "{by:?} {x}");
                    }
                    Ok(index) => {
                        assert_eq!(found, Outcome::Value(tiny.value(tiny.finite[index].1)), "{by:?} {x}");
                    }
                }
            }
        }
    }
}

#[test]
fn numbers_become_the_right_floats() {
    for tiny in tiny_formats() {
        let (exponent, significand) = (tiny.exponent, tiny.significand);
        for by in RoundingMode::ALL {
            for k in -128i128..256 {
                let expected = if k == 0 { 0 } else { tiny.round(by, &|point| (k << SCALE).cmp(&point)) };
                let expected = Some(tiny.value(expected));
                if k < 128 {
                    let op = Op::FpFromSigned { exponent, significand };
                    assert_eq!(apply(op, &[mode(by), integer(8, k)]), expected, "{by:?} {k}");
                }
                if k >= 0 {
                    let op = Op::FpFromUnsigned { exponent, significand };
                    assert_eq!(apply(op, &[mode(by), integer(8, k)]), expected, "{by:?} {k}");
                }
                for denominator in [1i128, 3, 7, 64, 1000, 65536] {
                    let expected = match k {
                        0 => 0,
                        _ => tiny.round(by, &|point| (k << SCALE).cmp(&(point * denominator))),
                    };
                    let real = Value::Real(BigRational::new(k.into(), denominator.into()));
                    let found = apply(Op::FpFromReal { exponent, significand }, &[mode(by), real]);
                    assert_eq!(found, Some(tiny.value(expected)), "{by:?} {k}/{denominator}");
                }
            }
            for source in tiny_formats() {
                for p in 0..source.count() {
                    let x = source.double(p);
                    let expected = tiny.expect(by, &[x], x, &|point| number(x).cmp(&point));
                    let found =
                        apply(Op::FpFromFloat { exponent, significand }, &[mode(by), source.value(p)]);
                    assert_eq!(found, expected, "{by:?} {x}");
                }
            }
        }
    }
}
