//! Fourier–Motzkin elimination over big rationals; shares no code with the solver.

use crate::prover::arith::{Premise, Relation};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeSet;
use terms::entity::Entity;

/// `Σ coefficients · variables ≤ constant`, or `<`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Inequality {
    coefficients: Vec<BigRational>,
    constant: BigRational,
    is_strict: bool,
    /// The inequalities that it was derived from.
    history: u64,
}

/// The bound that premises imply for a combination: `Ok(None)` if it is unbounded, and an error if
/// the premises are infeasible.
pub(super) type UpperBound = Result<Option<(BigRational, bool)>, Infeasible>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Infeasible;

pub(super) fn is_feasible(variables: usize, premises: &[Premise]) -> bool {
    eliminate(variables, inequalities(variables, premises)).is_ok()
}

/// The least upper bound of an objective, and whether it is strict.
pub(super) fn maximum(variables: usize, premises: &[Premise], objective: &[i64]) -> UpperBound {
    let mut all = inequalities(variables + 1, premises);
    for sign in [1, -1] {
        let mut coefficients: Vec<BigRational> = objective
            .iter()
            .map(|coefficient| BigRational::from_integer((-sign * coefficient).into()))
            .collect();
        coefficients.push(BigRational::from_integer(sign.into()));
        let history = 1 << all.len();
        all.push(Inequality { coefficients, constant: BigRational::zero(), is_strict: false, history });
    }
    let rest = eliminate(variables, all)?;
    let bound = |inequality: &Inequality| {
        (&inequality.constant / &inequality.coefficients[variables], inequality.is_strict)
    };
    let bounds = |sign: i64| {
        rest.iter()
            .filter(move |inequality| {
                (&inequality.coefficients[variables] * BigRational::from_integer(sign.into())).is_positive()
            })
            .map(bound)
    };
    let upper = bounds(1).min_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(&left.1)));
    if let Some((upper, is_strict)) = &upper
        && bounds(-1).any(|(lower, is_also)| lower > *upper || lower == *upper && (*is_strict || is_also))
    {
        return Err(Infeasible);
    }
    Ok(upper)
}

fn inequalities(variables: usize, premises: &[Premise]) -> Vec<Inequality> {
    let mut all = Vec::new();
    for Premise { form, relation, constant } in premises {
        let (signs, is_strict): (&[i64], bool) = match relation {
            Relation::AtMost => (&[1], false),
            Relation::Less => (&[1], true),
            Relation::AtLeast => (&[-1], false),
            Relation::Greater => (&[-1], true),
            Relation::Equal => (&[1, -1], false),
        };
        for &sign in signs {
            let sign = BigRational::from_integer(sign.into());
            let mut coefficients = vec![BigRational::zero(); variables];
            for (variable, coefficient) in form.entries() {
                coefficients[variable.index()] = coefficient.to_big() * &sign;
            }
            let history = 1 << all.len();
            all.push(Inequality { coefficients, constant: constant.to_big() * &sign, is_strict, history });
        }
    }
    all
}

/// Eliminates the first variables. An inequality derived from more original inequalities than there
/// were eliminations plus one is redundant (Kohler).
fn eliminate(variables: usize, mut all: Vec<Inequality>) -> Result<Vec<Inequality>, Infeasible> {
    let mut left: BTreeSet<usize> = (0..variables).collect();
    let mut eliminations = 0;
    loop {
        for inequality in &all {
            let is_constant = inequality.coefficients.iter().all(Zero::is_zero);
            let is_false =
                inequality.constant.is_negative() || inequality.is_strict && inequality.constant.is_zero();
            if is_constant && is_false {
                return Err(Infeasible);
            }
        }
        let count = |variable: usize, sign: i64| {
            let sign = BigRational::from_integer(sign.into());
            all.iter().filter(|inequality| (&inequality.coefficients[variable] * &sign).is_positive()).count()
        };
        let Some(variable) =
            left.iter().copied().min_by_key(|&variable| count(variable, 1) * count(variable, -1))
        else {
            return Ok(all);
        };
        left.remove(&variable);
        eliminations += 1;
        let mut next = BTreeSet::new();
        for inequality in all.iter().filter(|inequality| inequality.coefficients[variable].is_zero()) {
            next.insert(inequality.clone());
        }
        for upper in all.iter().filter(|inequality| inequality.coefficients[variable].is_positive()) {
            for lower in all.iter().filter(|inequality| inequality.coefficients[variable].is_negative()) {
                let history = upper.history | lower.history;
                if history.count_ones() <= eliminations + 1 {
                    next.insert(combine(upper, lower, variable, history));
                }
            }
        }
        all = next.into_iter().collect();
    }
}

fn combine(upper: &Inequality, lower: &Inequality, variable: usize, history: u64) -> Inequality {
    let above = BigRational::one() / &upper.coefficients[variable];
    let below = -BigRational::one() / &lower.coefficients[variable];
    let coefficients = upper.coefficients.iter().zip(&lower.coefficients);
    Inequality {
        coefficients: coefficients.map(|(left, right)| left * &above + right * &below).collect(),
        constant: &upper.constant * &above + &lower.constant * &below,
        is_strict: upper.is_strict || lower.is_strict,
        history,
    }
}
