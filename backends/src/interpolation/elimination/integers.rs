//! Projection of one integer variable out of a conjunction of literals that a model satisfies.
//!
//! This is one disjunct of Cooper's quantifier elimination, chosen by the model (as in the
//! projections of Spacer): `∃x` is a disjunction over the lower bounds `s ≤ b·x` and over the
//! residues of `b·x − s`, because a smallest solution lies near one of the bounds. The projection
//! takes the greatest bound in the model and the model's residue. The number of such choices is
//! finite, so an enumeration of models terminates. Bounds with coefficients other than 1 are
//! supported: they yield divisibilities, which are literals.

use super::contains;
use super::linear::{Inequality, Linear};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use terms::{Op, Sort, Term, TermPool};

/// The literal `period | linear`.
struct Divisibility {
    linear: Linear,
    period: BigInt,
}

#[derive(Default)]
struct Literals {
    inequalities: Vec<Inequality>,
    equations: Vec<Linear>,
    divisibilities: Vec<Divisibility>,
    others: Vec<Term>,
}

/// The literals without `variable`: they imply `∃ variable. literals` and hold in the model, whose
/// integers `value` returns. `None` if the variable occurs outside of linear inequalities,
/// equations and divisibilities.
pub(super) fn project(
    pool: &mut TermPool,
    literals: &[Term],
    variable: Term,
    value: &mut dyn FnMut(&TermPool, Term) -> Option<BigInt>,
) -> Option<Vec<Term>> {
    let mut sorted = Literals::of(pool, literals, variable)?;
    let period = sorted.divisibilities.iter().fold(BigInt::one(), |all, one| lcm(&all, &one.period));
    let mut result = std::mem::take(&mut sorted.others);
    let own = value(pool, variable)?;
    let coefficient =
        |linear: &Linear| linear.coefficient(variable).expect("a literal of the variable").to_integer();
    let equation = match sorted.equations.pop() {
        Some(equation) => equation,
        None => {
            let has_upper = sorted.inequalities.iter().any(|one| coefficient(&one.linear).is_positive());
            let mut best: Option<(BigRational, &Inequality)> = None;
            for lower in sorted.inequalities.iter().filter(|one| coefficient(&one.linear).is_negative()) {
                let rest = lower.linear.without(variable).term(pool);
                let bound = BigRational::new(value(pool, rest)?, -coefficient(&lower.linear));
                if best.as_ref().is_none_or(|(greatest, _)| bound > *greatest) {
                    best = Some((bound, lower));
                }
            }
            match best {
                Some((_, lower)) if has_upper => {
                    // s - b·x ≤ 0: b·x = s + ρ.
                    let factor = -coefficient(&lower.linear);
                    let rest = lower.linear.without(variable).term(pool);
                    let distance = &factor * &own - value(pool, rest)?;
                    let residue = modulo(&distance, &(&factor * &period));
                    let mut equation = lower.linear.clone();
                    equation.constant += BigRational::from_integer(residue);
                    equation
                }
                _ => {
                    // Bounded on one side at most: a value far enough away satisfies every
                    // inequality, with the model's residue.
                    sorted.inequalities.clear();
                    let residue = modulo(&own, &period);
                    Linear {
                        sort: Sort::Int,
                        parts: vec![(variable, -BigRational::one())],
                        constant: BigRational::from_integer(residue),
                    }
                }
            }
        }
    };
    // c·x + t = 0.
    let factor = coefficient(&equation);
    let rest = equation.without(variable);
    let magnitude = BigRational::from_integer(factor.abs());
    // a·x + s, multiplied by |c|.
    let substitute = |linear: &Linear| {
        let own = coefficient(linear);
        let mut scaled = linear.without(variable).scaled(&magnitude);
        scaled.add_scaled(&rest, &BigRational::from_integer(-own * factor.signum()));
        scaled
    };
    for inequality in &sorted.inequalities {
        result.push(Inequality::new(substitute(&inequality.linear), false).term(pool));
    }
    for other in &sorted.equations {
        let sum = substitute(other).term(pool);
        let zero = pool.int(0);
        result.push(pool.eq(sum, zero));
    }
    for one in &sorted.divisibilities {
        result.push(divides(pool, &substitute(&one.linear), &(&one.period * factor.abs())));
    }
    result.push(divides(pool, &rest, &factor.abs()));
    Some(result)
}

impl Literals {
    fn of(pool: &TermPool, literals: &[Term], variable: Term) -> Option<Self> {
        let mut sorted = Literals::default();
        for &literal in literals {
            if !contains(pool, &[literal], variable) {
                sorted.others.push(literal);
                continue;
            }
            let linear = if let Some(inequality) = Inequality::of(pool, literal) {
                sorted.inequalities.push(inequality.clone());
                inequality.linear
            } else if let Some(divisibility) = Divisibility::of(pool, literal) {
                let linear = divisibility.linear.clone();
                sorted.divisibilities.push(divisibility);
                linear
            } else if let (Op::Eq, &[a, b]) = (pool.op(literal), pool.children(literal))
                && pool.sort(a) == Sort::Int
            {
                let linear = Linear::difference(pool, a, b);
                sorted.equations.push(linear.clone());
                linear
            } else {
                return None;
            };
            linear.coefficient(variable)?;
            let bases: Vec<Term> = linear.without(variable).parts.iter().map(|part| part.0).collect();
            if contains(pool, &bases, variable) {
                return None;
            }
        }
        Some(sorted)
    }
}

impl Divisibility {
    fn of(pool: &TermPool, literal: Term) -> Option<Self> {
        let (Op::Eq, &[a, b]) = (pool.op(literal), pool.children(literal)) else { return None };
        for (remainder, zero) in [(a, b), (b, a)] {
            if pool.op(remainder) == Op::IntMod && pool.as_int(zero).is_some_and(BigInt::is_zero) {
                let &[dividend, period] = pool.children(remainder) else { return None };
                let period = pool.as_int(period)?.abs();
                return (!period.is_zero())
                    .then(|| Divisibility { linear: Linear::of(pool, dividend), period });
            }
        }
        None
    }
}

/// The literal `period | linear`.
pub(super) fn divides(pool: &mut TermPool, linear: &Linear, period: &BigInt) -> Term {
    // Coefficients matter only modulo the period.
    let mut reduced = linear.clone();
    for (_, coefficient) in &mut reduced.parts {
        *coefficient = BigRational::from_integer(modulo(&coefficient.to_integer(), period));
    }
    reduced.parts.retain(|part| !part.1.is_zero());
    reduced.constant = BigRational::from_integer(modulo(&reduced.constant.to_integer(), period));
    let sum = reduced.term(pool);
    let period = pool.int_big(period);
    let remainder = pool.int_mod(sum, period);
    let zero = pool.int(0);
    pool.eq(remainder, zero)
}

/// The nonnegative remainder.
fn modulo(value: &BigInt, of: &BigInt) -> BigInt {
    let remainder = value % of;
    if remainder.is_negative() { remainder + of } else { remainder }
}

fn lcm(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut x, mut y) = (a.abs(), b.abs());
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    a.abs() / x * b.abs()
}
