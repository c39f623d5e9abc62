//! Certificates of arithmetic conflicts and implied bounds, and a checker that is independent of
//! the solver.
//!
//! A certificate refers to asserted bounds by their reasons and assigns a multiplier to each. The
//! owner supplies the meaning of the reasons ([`Premises`]) as inequalities over variables of the
//! problem.
//!
//! | certificate | justification |
//! |---|---|
//! | [`Farkas`](Certificate::Farkas) | the sum of positive multiples of inequalities is `0 ≤ c` with `c < 0`, or `0 < 0` |
//! | [`Diophantine`](Certificate::Diophantine) | the sum of multiples of equalities has integral coefficients and a fractional constant |
//! | [`Cut`](Certificate::Cut) | the sum of positive multiples of inequalities has integral coefficients, so its constant can be rounded (Chvátal, Gomory) |
//! | [`Branch`](Certificate::Branch) | an integer is at most `n` or at least `n + 1` |
//!
//! The second row is from Jain, Clarke, Grumberg, *Efficient Craig Interpolation for Linear
//! Diophantine (Dis)Equations and Linear Modular Equations*, CAV 2008.
//!
//! The multiplied inequalities are *rounded* premises. A premise over integers is divided by the
//! greatest common divisor of its coefficients, its constant is rounded, a strict inequality
//! becomes a weak one, and the result is multiplied back. So `2x < 7` counts as `2x ≤ 6`.
//! Multipliers refer to the premise as the owner supplies it. [`Simplex`](super::Simplex) produces
//! them for bounds of its variables, whose forms are
//! [`Simplex::definition`](super::Simplex::definition): an owner that stores a multiple of such a
//! form divides the multiplier by the factor.

use super::{Combination, Kind, Rational, Reason32, Relation, Side, Var};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The justification of a conflict or implied bound in terms of asserted bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The bounds contradict each other.
    Farkas(Vec<Multiplier>),
    /// The equalities have no integer solution.
    Diophantine(Vec<EquationMultiplier>),
    /// The bounds imply another bound over integers.
    Cut(Cut),
    /// `form ≤ floor ∨ form ≥ floor + 1`, over integers with integral coefficients.
    Branch {
        /// The combination.
        form: Combination,
        /// An integer.
        floor: Rational,
    },
}

/// A multiple of an asserted bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// Positive.
    pub coefficient: Rational,
    /// The side of the bound: one reason may assert both sides, as an equality does.
    pub side: Side,
    /// The reason of the bound.
    pub reason: Reason32,
}

/// A multiple of an equality, that is of two bounds that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationMultiplier {
    /// Not 0.
    pub coefficient: Rational,
    /// The reason of the lower bound.
    pub lower: Reason32,
    /// The reason of the upper bound.
    pub upper: Reason32,
}

/// `form ≤ bound`, obtained by rounding a sum of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The summands.
    pub premises: Vec<Multiplier>,
    /// Their sum, with integral coefficients of integers.
    pub form: Combination,
    /// The sum of their constants, rounded down.
    pub bound: Rational,
}

/// The inequality or equality of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The form, over variables of the problem.
    pub form: Combination,
    /// The relation to the constant.
    pub relation: Relation,
    /// The constant.
    pub constant: Rational,
}

/// The meaning of reasons, supplied by the owner.
pub trait Premises {
    /// The premise of a reason. An [`Relation::Equal`] serves as a bound of both sides.
    fn premise(&self, reason: Reason32) -> Option<Premise>;
    /// The kind of a variable of the problem.
    fn kind(&self, variable: Var) -> Kind;
}

/// A defect of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The owner does not know a reason.
    #[error("unknown reason {0}")]
    UnknownReason(Reason32),
    /// The reason asserted no bound of this side.
    #[error("{0} does not assert a bound of the side in use")]
    WrongSide(Reason32),
    /// A multiplier that must be positive is not.
    #[error("invalid multiplier {1} of {0}")]
    Sign(Reason32, Rational),
    /// Two bounds of an equality do not meet.
    #[error("the bounds of {0} and {1} do not meet")]
    NotEqual(Reason32, Reason32),
    /// The sum differs from the claimed form.
    #[error("wrong sum of the premises: {0}")]
    Form(Combination),
    /// A form is not integral, or not over integers.
    #[error("{0} is not integral")]
    NotIntegral(Combination),
    /// The constant of the sum does not justify the claim.
    #[error("the constant {0} of the sum does not justify the claim")]
    Constant(Rational),
}

/// Checks a certificate.
pub fn check(certificate: &Certificate, premises: &impl Premises) -> Result<(), Flaw> {
    match certificate {
        Certificate::Farkas(multipliers) => {
            let sum = sum(multipliers, premises)?;
            if !sum.form.is_zero() {
                return Err(Flaw::Form(sum.form));
            }
            if sum.constant.is_negative() || sum.is_strict && sum.constant.is_zero() {
                Ok(())
            } else {
                Err(Flaw::Constant(sum.constant))
            }
        }
        Certificate::Diophantine(multipliers) => {
            let Premise { form, constant, .. } = combine_equations(multipliers, premises)?;
            if !is_integer(&form, premises) {
                return Err(Flaw::NotIntegral(form));
            }
            if constant.is_integer() { Err(Flaw::Constant(constant)) } else { Ok(()) }
        }
        Certificate::Cut(Cut { premises: summands, form, bound }) => {
            let sum = sum(summands, premises)?;
            if sum.form != *form {
                return Err(Flaw::Form(sum.form));
            }
            if !is_integer(form, premises) {
                return Err(Flaw::NotIntegral(sum.form));
            }
            if *bound < greatest_integer(&sum) { Err(Flaw::Constant(sum.constant)) } else { Ok(()) }
        }
        Certificate::Branch { form, floor } => {
            if !is_integer(form, premises) {
                return Err(Flaw::NotIntegral(form.clone()));
            }
            if floor.is_integer() { Ok(()) } else { Err(Flaw::Constant(floor.clone())) }
        }
    }
}

/// Checks that the sum of multiples implies `form relation constant`, where the relation is `≤` or
/// `<`.
pub fn check_bound(
    multipliers: &[Multiplier],
    form: &Combination,
    relation: Relation,
    constant: &Rational,
    premises: &impl Premises,
) -> Result<(), Flaw> {
    let sum = sum(multipliers, premises)?;
    if sum.form != *form {
        return Err(Flaw::Form(sum.form));
    }
    let is_implied = match relation {
        Relation::AtMost => sum.constant <= *constant,
        Relation::Less => sum.constant < *constant || sum.is_strict && sum.constant == *constant,
        Relation::AtLeast | Relation::Greater | Relation::Equal => false,
    };
    if is_implied { Ok(()) } else { Err(Flaw::Constant(sum.constant)) }
}

/// The sum of multiples of bounds, rounded as in certificates: `form ≤ constant`, or `<`. The sum
/// of the premises of one side of an interpolation problem is an interpolant of a
/// [`Certificate::Farkas`] (McMillan, *An Interpolating Theorem Prover*, 2005).
pub fn combine(multipliers: &[Multiplier], premises: &impl Premises) -> Result<Premise, Flaw> {
    let Inequality { form, constant, is_strict } = sum(multipliers, premises)?;
    let relation = if is_strict { Relation::Less } else { Relation::AtMost };
    Ok(Premise { form, relation, constant })
}

/// The sum of multiples of equalities. The sum of the premises of one side is an interpolant of a
/// [`Certificate::Diophantine`] when it is read modulo the integral coefficients of variables that
/// are not shared (Jain, Clarke, Grumberg).
pub fn combine_equations(
    multipliers: &[EquationMultiplier],
    premises: &impl Premises,
) -> Result<Premise, Flaw> {
    let (mut form, mut constant) = (Combination::zero(), Rational::ZERO);
    for EquationMultiplier { coefficient, lower, upper } in multipliers {
        let above = at_most(*upper, Side::Upper, premises)?;
        let below = at_most(*lower, Side::Lower, premises)?;
        let minus = below.form.scaled(&Rational::MINUS_ONE);
        if above.is_strict || below.is_strict || above.form != minus || above.constant != -below.constant {
            return Err(Flaw::NotEqual(*lower, *upper));
        }
        form.add_scaled(coefficient, &above.form);
        constant.add_product(coefficient, &above.constant);
    }
    Ok(Premise { form, relation: Relation::Equal, constant })
}

/// Adds up the multiples of the same bound, in order of first occurrence.
pub(super) fn merge(multipliers: Vec<Multiplier>) -> Vec<Multiplier> {
    let mut merged: IndexMap<(Reason32, Side), Rational, FxBuildHasher> = IndexMap::default();
    for Multiplier { coefficient, side, reason } in multipliers {
        *merged.entry((reason, side)).or_default() += &coefficient;
    }
    let multiplier = |((reason, side), coefficient)| Multiplier { coefficient, side, reason };
    merged.into_iter().map(multiplier).collect()
}

/// `form ≤ constant`, or `form < constant`.
struct Inequality {
    form: Combination,
    constant: Rational,
    is_strict: bool,
}

fn sum(multipliers: &[Multiplier], premises: &impl Premises) -> Result<Inequality, Flaw> {
    let mut sum = Inequality { form: Combination::zero(), constant: Rational::ZERO, is_strict: false };
    for Multiplier { coefficient, side, reason } in multipliers {
        if !coefficient.is_positive() {
            return Err(Flaw::Sign(*reason, coefficient.clone()));
        }
        let summand = at_most(*reason, *side, premises)?;
        sum.form.add_scaled(coefficient, &summand.form);
        sum.constant.add_product(coefficient, &summand.constant);
        sum.is_strict |= summand.is_strict;
    }
    Ok(sum)
}

/// The rounded bound that a reason asserts on one side, as an upper bound.
fn at_most(reason: Reason32, side: Side, premises: &impl Premises) -> Result<Inequality, Flaw> {
    let Premise { form, relation, constant } = premises.premise(reason).ok_or(Flaw::UnknownReason(reason))?;
    let (form, constant, is_strict) = match (side, relation) {
        (Side::Upper, Relation::AtMost | Relation::Equal) => (form, constant, false),
        (Side::Upper, Relation::Less) => (form, constant, true),
        (Side::Lower, Relation::AtLeast | Relation::Equal) => {
            (form.scaled(&Rational::MINUS_ONE), -constant, false)
        }
        (Side::Lower, Relation::Greater) => (form.scaled(&Rational::MINUS_ONE), -constant, true),
        _ => return Err(Flaw::WrongSide(reason)),
    };
    let content = form.content();
    let is_of_integers = form.entries().iter().all(|(variable, _)| premises.kind(*variable) == Kind::Int);
    if content.is_zero() || !is_of_integers {
        return Ok(Inequality { form, constant, is_strict });
    }
    let primitive = Inequality { form: Combination::zero(), constant: &constant / &content, is_strict };
    Ok(Inequality { form, constant: &greatest_integer(&primitive) * &content, is_strict: false })
}

/// The greatest integer that satisfies the inequality.
fn greatest_integer(inequality: &Inequality) -> Rational {
    let floor = inequality.constant.floor();
    if inequality.is_strict && floor == inequality.constant { &floor - &Rational::ONE } else { floor }
}

fn is_integer(form: &Combination, premises: &impl Premises) -> bool {
    form.entries()
        .iter()
        .all(|(variable, coefficient)| coefficient.is_integer() && premises.kind(*variable) == Kind::Int)
}
