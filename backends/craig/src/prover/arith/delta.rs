//! Rationals with an infinitesimal part, which turn strict bounds into weak ones: `x < c` becomes
//! `x ≤ c - δ`.
//!
//! Strict inequalities as in Dutertre, de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV
//! 2006. A pair `(c, k)` denotes `c + kδ` for a positive δ below every positive rational, so the
//! order is lexicographic.

use super::Rational;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// `real + delta · δ`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeltaRational {
    /// The rational part.
    pub real: Rational,
    /// The coefficient of δ.
    pub delta: Rational,
}

impl DeltaRational {
    /// `real + delta · δ`.
    pub fn new(real: Rational, delta: Rational) -> Self {
        DeltaRational { real, delta }
    }

    /// The upper bound of values less than `real`.
    pub fn below(real: Rational) -> Self {
        DeltaRational { real, delta: Rational::MINUS_ONE }
    }

    /// The lower bound of values greater than `real`.
    pub fn above(real: Rational) -> Self {
        DeltaRational { real, delta: Rational::ONE }
    }

    /// Whether both parts are 0.
    pub fn is_zero(&self) -> bool {
        self.real.is_zero() && self.delta.is_zero()
    }

    /// Whether this is an integer without δ.
    pub fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }

    /// The greatest integer at most `self`.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.delta.is_negative() && floor == self.real { &floor - &Rational::ONE } else { floor }
    }

    /// The least integer at least `self`.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &Rational) -> Self {
        DeltaRational { real: &self.real * factor, delta: &self.delta * factor }
    }

    /// `self += factor · other`.
    pub fn add_product(&mut self, factor: &Rational, other: &DeltaRational) {
        self.real.add_product(factor, &other.real);
        if !other.delta.is_zero() {
            self.delta.add_product(factor, &other.delta);
        }
    }
}

impl From<Rational> for DeltaRational {
    fn from(real: Rational) -> Self {
        DeltaRational { real, delta: Rational::ZERO }
    }
}

impl From<i64> for DeltaRational {
    fn from(real: i64) -> Self {
        Rational::from(real).into()
    }
}

impl Add for &DeltaRational {
    type Output = DeltaRational;

    fn add(self, other: &DeltaRational) -> DeltaRational {
        DeltaRational { real: &self.real + &other.real, delta: &self.delta + &other.delta }
    }
}

impl Sub for &DeltaRational {
    type Output = DeltaRational;

    fn sub(self, other: &DeltaRational) -> DeltaRational {
        DeltaRational { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }
}

impl Neg for &DeltaRational {
    type Output = DeltaRational;

    fn neg(self) -> DeltaRational {
        DeltaRational { real: -&self.real, delta: -&self.delta }
    }
}

impl AddAssign<&DeltaRational> for DeltaRational {
    fn add_assign(&mut self, other: &DeltaRational) {
        self.real += &other.real;
        self.delta += &other.delta;
    }
}

impl fmt::Display for DeltaRational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.real)?;
        if self.delta.is_zero() {
            return Ok(());
        }
        let sign = if self.delta.is_negative() { '-' } else { '+' };
        write!(f, " {sign} {}δ", self.delta.abs())
    }
}
