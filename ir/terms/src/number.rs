//! Exact rational coefficients with a fast path for machine integers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

/// A rational number. An integer that fits 64 bits is always `Small`, so that equality is
/// structural.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Small(i64),
    Big(Box<BigRational>),
}

use Number::{Big, Small};

impl Number {
    pub(super) fn new(value: i64) -> Self {
        Small(value)
    }

    pub(super) fn from_integer(value: &BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Small(small),
            None => Big(Box::new(BigRational::from_integer(value.clone()))),
        }
    }

    pub(super) fn from_rational(value: BigRational) -> Self {
        match value.numer().to_i64() {
            Some(small) if value.denom().is_one() => Small(small),
            _ => Big(Box::new(value)),
        }
    }

    pub(super) fn to_rational(&self) -> BigRational {
        match self {
            Small(small) => BigRational::from_integer(BigInt::from(*small)),
            Big(big) => (**big).clone(),
        }
    }

    pub(super) fn to_i64(&self) -> Option<i64> {
        match self {
            Small(small) => Some(*small),
            Big(_) => None,
        }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Small(sum);
        }
        Number::from_rational(self.to_rational() + other.to_rational())
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Small(product);
        }
        Number::from_rational(self.to_rational() * other.to_rational())
    }

    pub(super) fn neg(&self) -> Self {
        self.mul(&Small(-1))
    }

    pub(super) fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// The multiplicative inverse; `None` for 0.
    pub(super) fn inverse(&self) -> Option<Self> {
        match self {
            Small(0) => None,
            Small(1 | -1) => Some(self.clone()),
            _ => Some(Number::from_rational(self.to_rational().recip())),
        }
    }

    /// The non-negative greatest common divisor of two integers.
    ///
    /// # Panics
    /// If a number is not an integer.
    pub(super) fn gcd(&self, other: &Self) -> Self {
        if let (Small(a), Small(b)) = (self, other)
            && *a != i64::MIN
            && *b != i64::MIN
        {
            return Small(a.gcd(b));
        }
        let (a, b) = (self.to_rational(), other.to_rational());
        assert!(a.is_integer() && b.is_integer(), "coefficients of integers should be whole");
        Number::from_integer(&a.numer().gcd(b.numer()))
    }

    pub(super) fn floor(&self) -> Self {
        match self {
            Small(_) => self.clone(),
            Big(big) => Number::from_rational(big.floor()),
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        match self {
            Small(_) => true,
            Big(big) => big.is_integer(),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Small(0)
    }

    pub(super) fn is_one(&self) -> bool {
        *self == Small(1)
    }

    pub(super) fn is_negative(&self) -> bool {
        match self {
            Small(small) => *small < 0,
            Big(big) => big.is_negative(),
        }
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }
}
