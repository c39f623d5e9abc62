//! Linear terms of bounds: `Σ cᵢ·xᵢ`, which cannot wrap around.
//!
//! The value of a linear term over bit vectors is its value over the integers: each `x` is extended
//! by as many bits as the sum can carry. A single `x` needs no extension, as `x ≤ d` and `-x ≤ d`
//! are comparisons of `x` with `d` and `-d`.

use backends::symbolic::{less_equal, numeral, representation};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use terms::{Representation, Sort, Term, TermPool, Value};

/// A linear term over numbers of one sort, or over bit vectors.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    /// The term that a solver evaluates: `x` itself, or the whole sum.
    term: Term,
    sort: Sort,
    /// Whether the value is that of `term`, or its negation.
    sign: Sign,
    signedness: Representation,
    /// The largest value; `None` if unbounded.
    largest: Option<BigInt>,
    /// See [`extreme`](Self::extreme).
    extreme: Option<BigInt>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(crate) const BOTH: [Sign; 2] = [Sign::Plus, Sign::Minus];

    pub(crate) fn of(self, number: BigInt) -> BigInt {
        match self {
            Sign::Plus => number,
            Sign::Minus => -number,
        }
    }
}

impl Linear {
    /// `x` or `-x`. A bit vector is read as `signedness` says.
    pub(crate) fn single(pool: &TermPool, sign: Sign, x: Term, signedness: Representation) -> Self {
        let sort = pool.sort(x);
        let largest = match sort {
            Sort::BitVec(width) => Some(largest(width, sign, signedness)),
            _ => None,
        };
        Linear { term: x, sort, sign, signedness, extreme: largest.clone(), largest }
    }

    /// `Σ cᵢ·xᵢ` for numbers of one sort or bit vectors, which are read as they are declared.
    /// `None` if the sorts differ otherwise, or the sum is empty.
    pub(crate) fn sum(pool: &mut TermPool, parts: &[(i64, Term)]) -> Option<Self> {
        let sort = pool.sort(parts.first()?.1);
        let width_of = |x: Term| match pool.sort(x) {
            Sort::BitVec(width) => Some(width),
            _ => None,
        };
        let widths: Option<Vec<u32>> = parts.iter().map(|&(_, x)| width_of(x)).collect();
        let signedness = Representation::Signed;
        let Some(widths) = widths else {
            if parts.iter().any(|&(_, x)| pool.sort(x) != sort) {
                return None;
            }
            let products: Vec<Term> = parts
                .iter()
                .map(|&(factor, x)| {
                    let factor = numeral(pool, sort, &factor.into());
                    pool.mul(factor, x)
                })
                .collect();
            let term = pool.add(&products);
            return Some(Linear { term, sort, sign: Sign::Plus, signedness, largest: None, extreme: None });
        };
        let factors: BigInt = parts.iter().map(|&(factor, _)| BigInt::from(factor).abs()).sum();
        let wide = widths.iter().max()? + 1 + u32::try_from(factors.bits()).ok()?;
        let mut sum = pool.bv(wide, 0);
        let (mut most, mut extreme) = (BigInt::zero(), BigInt::zero());
        for (&(factor, x), &width) in parts.iter().zip(&widths) {
            let own = representation(pool, x);
            extreme += (BigInt::one() << (width - 1)) * BigInt::from(factor).abs() / 2;
            let extended = match own {
                Representation::Signed => pool.sign_extend(wide - width, x),
                Representation::Unsigned => pool.zero_extend(wide - width, x),
            };
            let coefficient = pool.bv_i64(wide, factor);
            let product = match factor {
                1 => extended,
                -1 => {
                    sum = pool.bv_sub(sum, extended);
                    most += largest(width, Sign::Minus, own);
                    continue;
                }
                _ => pool.bv_mul(coefficient, extended),
            };
            sum = pool.bv_add(sum, product);
            let sign = if factor < 0 { Sign::Minus } else { Sign::Plus };
            most += largest(width, sign, own) * BigInt::from(factor).abs();
        }
        let sort = Sort::BitVec(wide);
        let (largest, extreme) = (Some(most), Some(extreme));
        Some(Linear { term: sum, sort, sign: Sign::Plus, signedness, largest, extreme })
    }

    /// The term that [`value`](Self::value) needs.
    pub(crate) fn term(&self) -> Term {
        self.term
    }

    /// The value, given that of the [term](Self::term). Fractions are rounded up.
    pub(crate) fn value(&self, value: &Value) -> Option<BigInt> {
        let number = match value {
            Value::Int(number) => number.clone(),
            Value::Real(number) => {
                let number = if self.sign == Sign::Minus { -number } else { number.clone() };
                return Some(number.ceil().to_integer());
            }
            Value::BitVec(bits) => match self.signedness {
                Representation::Signed => bits.to_signed(),
                Representation::Unsigned => bits.to_natural().into(),
            },
            _ => return None,
        };
        Some(self.sign.of(number))
    }

    /// A constant that is compared with the term, as a value of the linear term.
    pub(crate) fn constant(&self, number: &BigInt) -> BigInt {
        let number = match (self.sort, self.signedness) {
            (Sort::BitVec(width), Representation::Unsigned) if number.is_negative() => {
                number + (BigInt::one() << width)
            }
            _ => number.clone(),
        };
        self.sign.of(number)
    }

    /// The largest value; `None` if unbounded.
    pub(crate) fn largest(&self) -> Option<&BigInt> {
        self.largest.as_ref()
    }

    /// A bound from which on larger ones hold whenever no number is close to an end of its type:
    /// the largest value of a single number, and of a sum the largest value over the inner halves
    /// of the signed types; `None` if unbounded.
    pub(crate) fn extreme(&self) -> Option<&BigInt> {
        self.extreme.as_ref()
    }

    /// `self ≤ bound`, for a bound that is less than the largest value.
    pub(crate) fn at_most(&self, pool: &mut TermPool, bound: &BigInt) -> Term {
        let constant = numeral(pool, self.sort, &self.sign.of(bound.clone()));
        match self.sign {
            Sign::Plus => less_equal(pool, self.signedness, self.term, constant),
            Sign::Minus => less_equal(pool, self.signedness, constant, self.term),
        }
    }
}

/// The largest value of `±x`.
fn largest(width: u32, sign: Sign, signedness: Representation) -> BigInt {
    match (sign, signedness) {
        (Sign::Plus, Representation::Unsigned) => (BigInt::one() << width) - 1,
        (Sign::Minus, Representation::Unsigned) => BigInt::zero(),
        (Sign::Plus, Representation::Signed) => (BigInt::one() << (width - 1)) - 1,
        (Sign::Minus, Representation::Signed) => BigInt::one() << (width - 1),
    }
}
