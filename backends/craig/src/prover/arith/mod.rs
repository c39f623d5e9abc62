//! Linear arithmetic over reals and integers, with certificates.
//!
//! A self-contained solver, usable in a theory combination and for linear programs alone:
//!
//! * [`Simplex`] maintains variables, bounds with the owner's reasons, and a model that it repairs
//!   until it satisfies them. It propagates to registered bounds, maximizes, and reports which
//!   variables have the same value.
//! * [`Integers`] chooses the next step for integer variables with fractional values: a conflict of
//!   equalities, cuts, or a branch. [`solve`] runs the whole search for callers without one of
//!   their own.
//! * [`Certificate`] justifies a result in terms of the asserted bounds only; [`check`] checks it
//!   without the tableau.
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
    /// A variable of the problem, or one that stands for a linear combination of those.
    Var, "v"
}

terms::entity! {
    /// The reason of a bound: a number that the owner chooses, such as a literal.
    Reason32, "r"
}

/// The domain of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Integers.
    Int,
    /// Reals.
    Real,
}

/// A side of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The variable is at least the bound.
    Lower,
    /// The variable is at most the bound.
    Upper,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Lower, Side::Upper];

    /// The other side.
    pub fn opposite(self) -> Self {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// The side after multiplying both sides of the inequality by the nonzero `factor`.
    pub fn scaled(self, factor: &Rational) -> Self {
        if factor.is_negative() { self.opposite() } else { self }
    }
}

/// The relation between a linear combination and a constant.
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
