//! Linear arithmetic over reals and integers, with certificates.
//!
//! A solver of its own, for a theory combination and for linear programs alone:
//!
//! * [`Simplex`] keeps variables, bounds with the reasons of their owner, and a model that it moves until it satisfies them. It
//!   propagates to bounds that were registered, maximizes, and tells which variables have the same value.
//! * [`Integers`] says what to do about integer variables that are not integers in that model: a conflict of equalities, cuts,
//!   or a branch. [`solve`] does it all alone, for callers without a search of their own.
//! * [`Certificate`] says why something holds, in terms of the asserted bounds only; [`check`] believes it without
//!   the tableau.
//!
//! ```
//! use backend_craig::prover::arith::{Combination, DeltaRational, Feasibility, Kind, Rational, Reason32, Side, Simplex};
//! let mut simplex = Simplex::new();
//! let [x, y] = [simplex.variable(Kind::Real), simplex.variable(Kind::Real)];
//! let sum: Combination = [(x, Rational::from(2)), (y, Rational::from(2))].into_iter().collect();
//! let bound = simplex.bound(&sum, Side::Upper, &DeltaRational::below(8.into())).expect("a sum of variables");
//! assert_eq!(bound.to_string(), "v2 ≤ 4 - 1δ");
//! simplex.assert_bound(&bound, Reason32(7)).expect("nothing contradicts it");
//! assert_eq!(simplex.check(&Default::default()), Feasibility::Feasible);
//! ```

mod certificate;
mod combination;
mod delta;
pub mod integers;
mod rational;
mod simplex;
#[cfg(test)]
mod tests;

pub use certificate::{
    Certificate, Cut, EquationMultiplier, Flaw, Multiplier, Premise, Premises, check, check_bound, combine,
    combine_equations,
};
pub use combination::Combination;
pub use delta::DeltaRational;
pub use integers::{Answer, Branch, IntegerCheck, Integers, Refutation, solve};
pub use rational::Rational;
pub use simplex::{Asserted, Bound, Feasibility, Fixed, Implied, Optimum, Simplex};

terms::entity! {
    /// A variable: one of the problem, or one that stands for a linear combination of those.
    Var, "v"
}

terms::entity! {
    /// Why a bound was asserted: a number of the owner, such as a literal.
    Reason32, "r"
}

/// What values a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Integers.
    Int,
    /// Reals.
    Real,
}

/// Which end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The variable is at least the bound.
    Lower,
    /// The variable is at most the bound.
    Upper,
}

impl Side {
    /// Both ends.
    pub const BOTH: [Side; 2] = [Side::Lower, Side::Upper];

    /// The other end.
    pub fn opposite(self) -> Self {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// The end that is meant after both sides of the inequality are multiplied with `factor`, which is not 0.
    pub fn scaled(self, factor: &Rational) -> Self {
        if factor.is_negative() { self.opposite() } else { self }
    }
}

/// How a linear combination compares to a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// ≤
    AtMost,
    /// <
    Less,
    /// ≥
    AtLeast,
    /// >
    Greater,
    /// =
    Equal,
}
