//! Floats as reals, for the linear encodings: facts about the unknown patterns of results.
//!
//! # Idea
//! Every float `t` gets a real `r(t)`: its value if it is finite, and an arbitrary number
//! otherwise. The rest of a formula still refers to patterns; the facts below relate them to the
//! reals. All facts hold for IEEE 754's operations, so unknown patterns with these facts are an
//! over-approximation (error bounds: D. Monniaux, *The Pitfalls of Verifying Floating-Point
//! Computations*, TOPLAS 2008; the linear form: A. Miné, *Weakly Relational Numerical Abstract
//! Domains*, PhD thesis, 2004).
//!
//! * A finite float is between the least and the greatest number of its format. It is 0 iff its
//!   pattern is a zero, and negative iff it has a negative sign and is not a zero.
//! * For finite operands, comparisons of patterns are comparisons of the reals.
//! * If the exact result `s` of an operation on finite operands is a linear term (sums, products
//!   and quotients by constants, conversions), then: the result is not NaN; it is finite if `|s|`
//!   is in the range, and otherwise has the sign of `s`; if it is finite, then
//!   `|r - s| ≤ ε·|s| + δ` (in directed modes if `|s|` is in the range); it equals `s` if `s` is an
//!   integer with at most as many digits as the significand; and rounding is monotone: `s ≥ a`
//!   implies `r ≥ a` for 0, each operand, and each float `a` with which the result is compared, and
//!   likewise for `≤`.
//! * For products and quotients of variables: the sign and the comparison with an operand; for
//!   roots: the comparison with 1.
//! * Rounding to integers and conversions to integers are exact (`to_int`); for nearest modes up to
//!   one half.
//!
//! A fact whose translation fails is omitted: soundness requires no fact.
//!
//! # Cost and limits
//! A fixed number of facts per operation. Formats with wider exponents than `double` get no facts:
//! the constants would be too long.

use super::Facts;
use super::round::{Floats, Format};
use crate::{EncodeError, Encoded, Encoder};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use terms::{Op, Representation, RoundingMode, Sort, Term, TermPool};

/// The real of each float.
#[derive(Debug, Default)]
pub(crate) struct Reals {
    known: FxHashMap<Term, Term>,
    /// For each operation its exact result, and the condition under which it is exact and the
    /// rounded result is finite.
    exact: FxHashMap<Term, (Term, Term)>,
}

/// The greatest exponent width of formats with facts. These formats must also contain all integers
/// with as many digits as the significand.
const MOST_EXPONENT_BITS: u32 = 11;

/// The properties of an operand or result.
#[derive(Clone, Copy)]
struct Described {
    /// The value if it is finite.
    real: Term,
    is_finite: Term,
    is_nan: Term,
    is_negative: Term,
}

fn format_of(pool: &TermPool, term: Term) -> Option<Format> {
    match pool.sort(term) {
        Sort::Float(e, s) if u32::from(e) <= MOST_EXPONENT_BITS => {
            let format = Format { e: e.into(), s: s.into() };
            (format.greatest() >= i64::from(format.s)).then_some(format)
        }
        _ => None,
    }
}

fn power(exponent: i64) -> BigRational {
    let power = BigInt::one() << exponent.unsigned_abs();
    if exponent >= 0 { BigRational::from_integer(power) } else { BigRational::new(BigInt::one(), power) }
}

/// The greatest finite number.
fn greatest(format: Format) -> BigRational {
    let significand = BigRational::from_integer(BigInt::from(2)) - power(1 - i64::from(format.s));
    significand * power(format.greatest())
}

/// The value of a finite constant.
fn value(pool: &TermPool, constant: Term) -> Option<BigRational> {
    match terms::Value::of_constant(pool, constant) {
        Some(float) => match terms::evaluate_float_operator(Op::FpToReal, &[&float]) {
            Some(terms::Value::Real(real)) => Some(real),
            _ => None,
        },
        None => None,
    }
}

/// Rounding is monotone, and a float (the anchor) rounds to itself.
fn monotone(pool: &mut TermPool, exact: Term, rounded: Term, anchor: Term) -> Term {
    let (from_below, above) = (pool.le(anchor, exact), pool.le(anchor, rounded));
    let (from_above, below) = (pool.le(exact, anchor), pool.le(rounded, anchor));
    let up = pool.implies(from_below, above);
    let down = pool.implies(from_above, below);
    pool.and2(up, down)
}

/// Shorthands for formulas over reals.
struct Linear<'p>(&'p mut TermPool);

impl Linear<'_> {
    fn number(&mut self, value: &BigRational) -> Term {
        self.0.real(value)
    }

    fn times(&mut self, factor: &BigRational, term: Term) -> Term {
        let factor = self.0.real(factor);
        self.0.mul(factor, term)
    }

    /// `low ≤ term ≤ high`.
    fn between(&mut self, low: Term, term: Term, high: Term) -> Term {
        let (above, below) = (self.0.le(low, term), self.0.le(term, high));
        self.0.and2(above, below)
    }

    /// `|term| ≤ limit`.
    fn within(&mut self, term: Term, limit: &BigRational) -> Term {
        let (low, high) = (self.number(&-limit.clone()), self.number(limit));
        self.between(low, term, high)
    }

    fn magnitude(&mut self, term: Term) -> Term {
        let zero = self.0.real(&BigRational::zero());
        let (is_positive, opposite) = (self.0.le(zero, term), self.0.neg(term));
        self.0.ite(is_positive, term, opposite)
    }

    fn floor(&mut self, term: Term) -> Term {
        self.0.to_int(term)
    }

    fn ceiling(&mut self, term: Term) -> Term {
        let opposite = self.0.neg(term);
        let floor = self.0.to_int(opposite);
        self.0.neg(floor)
    }

    fn truncated(&mut self, term: Term) -> Term {
        let zero = self.0.real(&BigRational::zero());
        let is_positive = self.0.le(zero, term);
        let (floor, ceiling) = (self.floor(term), self.ceiling(term));
        self.0.ite(is_positive, floor, ceiling)
    }
}

impl Encoder {
    /// Adds the facts about floats that were translated to unknown patterns.
    pub(crate) fn describe_floats(&mut self, pool: &mut TermPool, facts: Facts) {
        for term in facts.terms {
            // A fact that cannot be translated is omitted.
            let _ = match pool.sort(term) {
                Sort::Float(..) => self.describe_float(pool, term),
                Sort::Bool => self.describe_comparison(pool, term),
                _ => self.describe_integer(pool, term),
            };
        }
    }

    /// Translates a formula over patterns.
    fn over_patterns(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, EncodeError> {
        match self.translate(pool, formula)? {
            Encoded::Same(term) => Ok(term),
            _ => Err(self.no_translation(pool, formula)),
        }
    }

    fn described(&mut self, pool: &mut TermPool, float: Term) -> Result<Described, EncodeError> {
        let missing = self.no_translation(pool, float);
        let (Some(format), Some(bits), Some(&real)) =
            (format_of(pool, float), self.floats.pattern(float), self.reals.known.get(&float))
        else {
            return Err(missing);
        };
        let parts = Floats::new(pool).parts(format, bits);
        let is_special = pool.or2(parts.is_nan, parts.is_infinite);
        let is_finite = pool.not(is_special);
        Ok(Described {
            real,
            is_finite: self.over_patterns(pool, is_finite)?,
            is_nan: self.over_patterns(pool, parts.is_nan)?,
            is_negative: self.over_patterns(pool, parts.is_negative)?,
        })
    }

    fn describe_float(&mut self, pool: &mut TermPool, term: Term) -> Result<(), EncodeError> {
        let missing = self.no_translation(pool, term);
        let (Some(format), Some(bits)) = (format_of(pool, term), self.floats.pattern(term)) else {
            return Err(missing);
        };
        let children = pool.children(term).to_vec();
        let known = |encoder: &Self, child: usize| encoder.reals.known.get(&children[child]).copied();
        let derived = match pool.op(term) {
            Op::FloatConst(_) => {
                let value = value(pool, term).unwrap_or_else(BigRational::zero);
                Some(pool.real(&value))
            }
            Op::FpNeg => known(self, 0).map(|real| pool.neg(real)),
            Op::FpAbs => known(self, 0).map(|real| Linear(pool).magnitude(real)),
            Op::Ite => match (known(self, 1), known(self, 2), self.floats.pattern(children[0])) {
                (Some(then), Some(otherwise), Some(condition)) => {
                    let condition = self.over_patterns(pool, condition)?;
                    Some(pool.ite(condition, then, otherwise))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(real) = derived {
            self.reals.known.insert(term, real);
            return Ok(());
        }
        let real = pool.symbol_with(&format!("float.real!{}", term.0), Sort::Real, Representation::Signed);
        self.reals.known.insert(term, real);
        let result = self.described(pool, term)?;
        let in_range = Linear(pool).within(real, &greatest(format));
        let parts = Floats::new(pool).parts(format, bits);
        let is_zero = self.over_patterns(pool, parts.is_zero)?;
        let nothing = pool.real(&BigRational::zero());
        let (equals_zero, below_zero) = (pool.eq(real, nothing), pool.lt(real, nothing));
        let zero_agrees = pool.eq(is_zero, equals_zero);
        let not_zero = pool.not(is_zero);
        let negative = pool.and2(result.is_negative, not_zero);
        let sign_agrees = pool.eq(negative, below_zero);
        let facts = pool.and(&[in_range, zero_agrees, sign_agrees]);
        self.constrain_if(pool, &[result.is_finite], facts);
        self.describe_operation(pool, term, format, result)
    }

    fn constrain_if(&mut self, pool: &mut TermPool, premises: &[Term], fact: Term) {
        let premise = pool.and(premises);
        let constraint = pool.implies(premise, fact);
        self.constrain(pool, constraint);
    }

    fn describe_operation(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        format: Format,
        result: Described,
    ) -> Result<(), EncodeError> {
        let op = pool.op(term);
        let children = pool.children(term).to_vec();
        let mode = match children.first().map(|&child| pool.op(child)) {
            Some(Op::RoundingMode(mode)) => mode,
            _ => return Ok(()),
        };
        let zero = pool.real(&BigRational::zero());
        match op {
            Op::FpFromSigned { .. } | Op::FpFromUnsigned { .. } => {
                let representation = match op {
                    Op::FpFromSigned { .. } => Representation::Signed,
                    _ => Representation::Unsigned,
                };
                let width = pool.width(children[1]);
                let Some(bits) = self.floats.pattern(children[1]) else { return Ok(()) };
                let integer = self.term_as(pool, bits, representation)?;
                let exact = pool.to_real(integer);
                if width <= format.s {
                    let equal = pool.eq(result.real, exact);
                    let fact = pool.and2(result.is_finite, equal);
                    self.constrain(pool, fact);
                    return Ok(());
                }
                let small = Linear(pool).within(exact, &power(format.s.into()));
                let equal = pool.eq(result.real, exact);
                self.constrain_if(pool, &[small, result.is_finite], equal);
                self.describe_rounding(pool, term, format, mode, &[], exact, &[zero], result);
            }
            Op::FpFromFloat { .. } => {
                let operand = self.described(pool, children[1])?;
                let Some(source) = format_of(pool, children[1]) else { return Ok(()) };
                let same_nan = pool.eq(operand.is_nan, result.is_nan);
                self.constrain(pool, same_nan);
                if format.e >= source.e && format.s >= source.s {
                    let same = pool.eq(operand.is_finite, result.is_finite);
                    self.constrain(pool, same);
                    let equal = pool.eq(operand.real, result.real);
                    self.constrain_if(pool, &[operand.is_finite], equal);
                    return Ok(());
                }
                self.describe_rounding(pool, term, format, mode, &[operand], operand.real, &[zero], result);
            }
            Op::FpAdd | Op::FpSub => {
                let (x, y) = (self.described(pool, children[1])?, self.described(pool, children[2])?);
                let (exact, anchor) = match op {
                    Op::FpAdd => (pool.add(&[x.real, y.real]), y.real),
                    _ => (pool.sub(x.real, y.real), pool.neg(y.real)),
                };
                self.describe_rounding(
                    pool,
                    term,
                    format,
                    mode,
                    &[x, y],
                    exact,
                    &[zero, x.real, anchor],
                    result,
                );
                self.describe_integers(pool, format, &[x, y], exact, result);
            }
            Op::FpMul | Op::FpDiv => {
                let (x, y) = (self.described(pool, children[1])?, self.described(pool, children[2])?);
                let factor = value(pool, children[2]).filter(|_| pool.is_constant(children[2]));
                let other = value(pool, children[1]).filter(|_| pool.is_constant(children[1]));
                let exact = match (op, factor, other) {
                    (Op::FpMul, Some(factor), _) => Some(Linear(pool).times(&factor, x.real)),
                    (Op::FpMul, None, Some(factor)) => Some(Linear(pool).times(&factor, y.real)),
                    (Op::FpDiv, Some(divisor), _) if !divisor.is_zero() => {
                        Some(Linear(pool).times(&divisor.recip(), x.real))
                    }
                    _ => None,
                };
                match exact {
                    Some(exact) => {
                        let operand = if pool.is_constant(children[1]) { y } else { x };
                        let anchors = [zero, operand.real];
                        self.describe_rounding(pool, term, format, mode, &[x, y], exact, &anchors, result);
                        self.describe_integers(pool, format, &[x, y], exact, result);
                    }
                    None => self.describe_nonlinear(pool, op, x, y, result),
                }
            }
            Op::FpSqrt => {
                let x = self.described(pool, children[1])?;
                let one = pool.real(&BigRational::one());
                let is_defined = pool.le(zero, x.real);
                let (is_large, is_small) = (pool.le(one, x.real), pool.le(x.real, one));
                let large = Linear(pool).between(one, result.real, x.real);
                let small = Linear(pool).between(x.real, result.real, one);
                self.constrain_if(pool, &[x.is_finite, is_defined], result.is_finite);
                self.constrain_if(pool, &[x.is_finite, is_large], large);
                self.constrain_if(pool, &[x.is_finite, is_defined, is_small], small);
            }
            Op::FpRoundToIntegral => self.describe_integral(pool, mode, children[1], result)?,
            _ => {}
        }
        Ok(())
    }

    /// The consequences of rounding the known number `exact`, for finite operands.
    #[allow(clippy::too_many_arguments, reason = "one operation, described by its parts")]
    fn describe_rounding(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        format: Format,
        mode: RoundingMode,
        operands: &[Described],
        exact: Term,
        anchors: &[Term],
        result: Described,
    ) {
        let mut premises: Vec<Term> = operands.iter().map(|operand| operand.is_finite).collect();
        let is_number = pool.not(result.is_nan);
        self.constrain_if(pool, &premises, is_number);
        let in_range = Linear(pool).within(exact, &greatest(format));
        let mut with_range = premises.clone();
        with_range.push(in_range);
        self.constrain_if(pool, &with_range, result.is_finite);
        // An overflow has the sign of the exact result.
        let zero = pool.real(&BigRational::zero());
        let (is_negative, is_infinite) = (pool.lt(exact, zero), pool.not(result.is_finite));
        let same_sign = pool.eq(is_negative, result.is_negative);
        let mut overflown = premises.clone();
        overflown.push(is_infinite);
        self.constrain_if(pool, &overflown, same_sign);
        premises.push(result.is_finite);
        let is_nearest = matches!(mode, RoundingMode::NearestEven | RoundingMode::NearestAway);
        let half = if is_nearest { 1 } else { 0 };
        let error = power(1 - half - i64::from(format.s));
        let least = power(format.least() - half);
        let (one, mut linear) = (BigRational::one(), Linear(pool));
        let (more, less) = (linear.times(&(&one + &error), exact), linear.times(&(&one - &error), exact));
        let least = linear.number(&least);
        // The greater of the two is the upper bound, whatever the sign.
        let either = |pool: &mut TermPool, is_upper: bool| {
            let bounds = [more, less].map(|bound| {
                if is_upper {
                    let bound = pool.add(&[bound, least]);
                    pool.le(result.real, bound)
                } else {
                    let bound = pool.sub(bound, least);
                    pool.le(bound, result.real)
                }
            });
            pool.or(&bounds)
        };
        let (upper, lower) = (either(pool, true), either(pool, false));
        let is_close = pool.and2(upper, lower);
        // Directed modes round numbers beyond the range to the greatest number, at any distance.
        let is_near = if is_nearest { pool.tru() } else { in_range };
        let premise = pool.and(&premises);
        self.constrain_if(pool, &[premise, is_near], is_close);
        for &anchor in anchors {
            let monotone = monotone(pool, exact, result.real, anchor);
            self.constrain_if(pool, &premises, monotone);
        }
        let premise = pool.and(&premises);
        self.reals.exact.insert(term, (premise, exact));
    }

    /// Integers with at most as many digits as the significand are exact.
    fn describe_integers(
        &mut self,
        pool: &mut TermPool,
        format: Format,
        operands: &[Described],
        exact: Term,
        result: Described,
    ) {
        let mut premises: Vec<Term> = operands.iter().map(|operand| operand.is_finite).collect();
        premises.push(result.is_finite);
        premises.push(Linear(pool).within(exact, &power(format.s.into())));
        let floor = pool.to_int(exact);
        let floor = pool.to_real(floor);
        premises.push(pool.eq(floor, exact));
        let equal = pool.eq(result.real, exact);
        self.constrain_if(pool, &premises, equal);
    }

    /// Products and quotients of variables: signs, and the comparison with the first operand.
    fn describe_nonlinear(
        &mut self,
        pool: &mut TermPool,
        op: Op,
        x: Described,
        y: Described,
        result: Described,
    ) {
        let (zero, one) = (pool.real(&BigRational::zero()), pool.real(&BigRational::one()));
        let finite = [x.is_finite, y.is_finite];
        let is_number = pool.not(result.is_nan);
        let is_divisor = match op {
            Op::FpDiv => {
                let is_zero = pool.eq(y.real, zero);
                pool.not(is_zero)
            }
            _ => pool.tru(),
        };
        self.constrain_if(pool, &[finite[0], finite[1], is_divisor], is_number);
        for x_sign in [1, -1] {
            for y_sign in [1, -1] {
                let of_sign = |pool: &mut TermPool, term: Term, sign: i32| match sign {
                    1 => pool.le(zero, term),
                    _ => pool.le(term, zero),
                };
                let premises = [
                    finite[0],
                    finite[1],
                    is_divisor,
                    of_sign(pool, x.real, x_sign),
                    of_sign(pool, y.real, y_sign),
                    result.is_finite,
                ];
                let fact = of_sign(pool, result.real, x_sign * y_sign);
                self.constrain_if(pool, &premises, fact);
            }
        }
        let [a, b, c] = [x.real, y.real, result.real].map(|term| Linear(pool).magnitude(term));
        let pairs: &[(Term, Term)] = if op == Op::FpMul { &[(a, b), (b, a)] } else { &[(a, b)] };
        for &(operand, other) in pairs {
            // A product by at most 1 does not grow, a quotient by at most 1 does not shrink.
            let (other_small, other_large) = (pool.le(other, one), pool.le(one, other));
            let (shrinks, grows) = (pool.le(c, operand), pool.le(operand, c));
            let (small, large) = match op {
                Op::FpMul => (other_small, other_large),
                _ => (other_large, other_small),
            };
            let fact = pool.and2(result.is_finite, shrinks);
            self.constrain_if(pool, &[finite[0], finite[1], is_divisor, small], fact);
            self.constrain_if(pool, &[finite[0], finite[1], is_divisor, result.is_finite, large], grows);
        }
    }

    fn describe_integral(
        &mut self,
        pool: &mut TermPool,
        mode: RoundingMode,
        operand: Term,
        result: Described,
    ) -> Result<(), EncodeError> {
        let x = self.described(pool, operand)?;
        let same = pool.eq(x.is_finite, result.is_finite);
        self.constrain(pool, same);
        let same = pool.eq(x.is_nan, result.is_nan);
        self.constrain(pool, same);
        let integer = match mode {
            RoundingMode::TowardNegative => Linear(pool).floor(x.real),
            RoundingMode::TowardPositive => Linear(pool).ceiling(x.real),
            RoundingMode::TowardZero => Linear(pool).truncated(x.real),
            RoundingMode::NearestEven | RoundingMode::NearestAway => {
                let half = power(-1);
                let distance = pool.sub(result.real, x.real);
                let is_close = Linear(pool).within(distance, &half);
                let floor = pool.to_int(result.real);
                let floor = pool.to_real(floor);
                let is_integer = pool.eq(floor, result.real);
                let fact = pool.and2(is_close, is_integer);
                self.constrain_if(pool, &[x.is_finite], fact);
                return Ok(());
            }
        };
        let integer = pool.to_real(integer);
        let equal = pool.eq(result.real, integer);
        self.constrain_if(pool, &[x.is_finite], equal);
        Ok(())
    }

    fn describe_comparison(&mut self, pool: &mut TermPool, term: Term) -> Result<(), EncodeError> {
        let (a, b) = (pool.children(term)[0], pool.children(term)[1]);
        let (x, y) = (self.described(pool, a)?, self.described(pool, b)?);
        let missing = self.no_translation(pool, term);
        let translated = self.floats.pattern(term).ok_or(missing)?;
        let holds = self.over_patterns(pool, translated)?;
        let meant = match pool.op(term) {
            Op::FpLt => pool.lt(x.real, y.real),
            Op::FpLe => pool.le(x.real, y.real),
            _ => pool.eq(x.real, y.real),
        };
        let agrees = pool.eq(holds, meant);
        self.constrain_if(pool, &[x.is_finite, y.is_finite], agrees);
        // A float compared with a result has the same format.
        for (result, real, anchor) in [(a, x.real, y), (b, y.real, x)] {
            if let Some(&(premise, exact)) = self.reals.exact.get(&result) {
                let monotone = monotone(pool, exact, real, anchor.real);
                self.constrain_if(pool, &[premise, anchor.is_finite], monotone);
            }
        }
        Ok(())
    }

    /// A conversion towards zero to an integer in range.
    fn describe_integer(&mut self, pool: &mut TermPool, term: Term) -> Result<(), EncodeError> {
        let children = pool.children(term).to_vec();
        let (width, representation) = match pool.op(term) {
            Op::FpToSigned(width) => (width, Representation::Signed),
            Op::FpToUnsigned(width) => (width, Representation::Unsigned),
            _ => return Ok(()),
        };
        if pool.op(children[0]) != Op::RoundingMode(RoundingMode::TowardZero) {
            return Ok(());
        }
        let x = self.described(pool, children[1])?;
        let missing = self.no_translation(pool, term);
        let bits = self.floats.pattern(term).ok_or(missing)?;
        let integer = self.term_as(pool, bits, representation)?;
        let (low, high) = match representation {
            Representation::Signed => (-power(i64::from(width) - 1), power(i64::from(width) - 1)),
            Representation::Unsigned => (BigRational::zero(), power(width.into())),
        };
        let (low, high) = (pool.real(&(low - BigRational::one())), pool.real(&high));
        let (above, below) = (pool.lt(low, x.real), pool.lt(x.real, high));
        let truncated = Linear(pool).truncated(x.real);
        let equal = pool.eq(integer, truncated);
        self.constrain_if(pool, &[x.is_finite, above, below], equal);
        Ok(())
    }
}
