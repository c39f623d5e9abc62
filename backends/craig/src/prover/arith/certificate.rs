//! Why bounds contradict each other or imply another, and a check of that without the solver.
//!
//! A certificate names asserted bounds by their reasons and says what to multiply them with. What the reasons stand for is told
//! by the owner ([`Premises`]), as inequalities over variables of the problem.
//!
//! | certificate | holds because |
//! |---|---|
//! | [`Farkas`](Certificate::Farkas) | the sum of positive multiples of inequalities is `0 ≤ c` with `c < 0`, or `0 < 0` |
//! | [`Diophantine`](Certificate::Diophantine) | the sum of multiples of equalities has integral coefficients and a constant that is no integer |
//! | [`Cut`](Certificate::Cut) | the sum of positive multiples of inequalities has integral coefficients, so its constant can be rounded (Chvátal, Gomory) |
//! | [`Branch`](Certificate::Branch) | an integer is at most `n` or at least `n + 1` |
//!
//! The second row is from Jain, Clarke, Grumberg, *Efficient Craig Interpolation for Linear Diophantine (Dis)Equations and
//! Linear Modular Equations*, CAV 2008.
//!
//! The inequalities that are multiplied are *rounded* premises: one over integers is first divided by the greatest common
//! divisor of its coefficients, its constant is rounded, a strict one made weak, and it is multiplied back. So `2x < 7`
//! counts as `2x ≤ 6`. The coefficients refer to the premise as it is given. [`Simplex`](super::Simplex) gives them for the
//! bound of its variable, whose form is [`Simplex::definition`](super::Simplex::definition): the owner who knows an
//! inequality by a multiple of that form divides by the factor.

use super::{Combination, Kind, Rational, Reason32, Relation, Side, Var};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Why something holds, in terms of asserted bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The bounds contradict each other.
    Farkas(Vec<Multiplier>),
    /// The equalities have no solution in integers.
    Diophantine(Vec<EquationMultiplier>),
    /// The bounds imply another one in integers.
    Cut(Cut),
    /// `variables ≤ floor ∨ variables ≥ floor + 1`, of integers with integral coefficients.
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
    /// Which bound it is: a reason may have asserted both, as an equality does.
    pub side: Side,
    /// Why it holds.
    pub reason: Reason32,
}

/// A multiple of an equality: of two bounds that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationMultiplier {
    /// Not 0.
    pub coefficient: Rational,
    /// Why the lower bound holds.
    pub lower: Reason32,
    /// Why the upper bound holds.
    pub upper: Reason32,
}

/// `form ≤ bound`, by rounding a sum of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The summands.
    pub premises: Vec<Multiplier>,
    /// Their sum: integral coefficients of integers.
    pub form: Combination,
    /// The sum of their constants, rounded down.
    pub bound: Rational,
}

/// What a reason asserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Over variables of the problem.
    pub form: Combination,
    /// How it compares.
    pub relation: Relation,
    /// To what.
    pub constant: Rational,
}

/// What the owner asserted.
pub trait Premises {
    /// What a reason asserted. An [`Relation::Equal`] serves as bound of both sides.
    fn premise(&self, reason: Reason32) -> Option<Premise>;
    /// The kind of a variable of the problem.
    fn kind(&self, variable: Var) -> Kind;
}

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The owner does not know a reason.
    #[error("nothing was asserted because of {0}")]
    UnknownReason(Reason32),
    /// The reason asserted no bound of this side.
    #[error("{0} is not a bound of the side that is used")]
    WrongSide(Reason32),
    /// A coefficient that has to be positive is not.
    #[error("the multiple {1} of {0}")]
    Sign(Reason32, Rational),
    /// Two bounds that should be an equality do not meet.
    #[error("{0} and {1} are not an equality")]
    NotEqual(Reason32, Reason32),
    /// The sum is not the form that is claimed.
    #[error("the sum is {0}")]
    Form(Combination),
    /// A form is not integral, or not of integers.
    #[error("{0} need not be an integer")]
    NotIntegral(Combination),
    /// The constant of the sum does not say what is claimed.
    #[error("the constant of the sum is {0}")]
    Constant(Rational),
}

/// Whether a certificate is right.
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

/// Whether the sum of multiples is `form relation constant` or says more, where the relation is `≤` or `<`.
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

/// The sum of multiples of bounds, rounded as in certificates: `form ≤ constant`, or `<`. Of the part of a conflict that
/// one side of an interpolation asserted, it is an interpolant of a [`Certificate::Farkas`] (McMillan, *An Interpolating
/// Theorem Prover*, 2005).
pub fn combine(multipliers: &[Multiplier], premises: &impl Premises) -> Result<Premise, Flaw> {
    let Inequality { form, constant, is_strict } = sum(multipliers, premises)?;
    let relation = if is_strict { Relation::Less } else { Relation::AtMost };
    Ok(Premise { form, relation, constant })
}

/// The sum of multiples of equalities. Of the part of a conflict that one side asserted, it is an interpolant of a
/// [`Certificate::Diophantine`] when read modulo the integral coefficients of variables that are not shared (Jain, Clarke,
/// Grumberg).
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

/// Adds up the multiples of the same bound; in order of first occurrence.
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

/// What a reason says of one side, as an upper bound, rounded.
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
