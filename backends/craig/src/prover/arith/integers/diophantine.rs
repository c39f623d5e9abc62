//! Systems of linear equations over integers.
//!
//! A new equation is rewritten to the coordinates that the previous ones produced, divided by the
//! greatest common divisor of its coefficients, and solved for a variable with coefficient 1. If no
//! variable has coefficient 1, a new parameter replaces the variable with the least coefficient,
//! and the other coefficients are divided by it with remainder; this repeats until some coefficient
//! is 1 (Knuth, *The Art of Computer Programming* 2, section 4.5.2; Griggio, *A Practical Approach
//! to Satisfiability Modulo Linear Integer Arithmetic*, JSAT 8, 2012). The replacement is
//! invertible over integers, so a combination has integral coefficients in the new coordinates if
//! and only if it has them in the old ones. An equation with integral coefficients and a fractional
//! constant therefore shows that the system has no solution. The multiples of the equations from
//! which it was derived are the certificate (Jain, Clarke, Grumberg, CAV 2008).
//!
//! Conversely, the remaining variables in the final coordinates parameterize all solutions. An
//! inequality whose coefficients have a common divisor there can be rounded: the tightening of
//! Dillig, Dillig, Aiken, *Cuts from Proofs*, CAV 2009, and Griggio.
//!
//! DIVERGENCE: the log of replacements is applied to each new equation; later equations do not
//! simplify earlier ones. That keeps Hermite's triangular form, which suffices.
//!
//! # Cost
//! The number of steps is polynomial, but coefficients can grow. An equation whose coefficients
//! exceed [`MOST_BITS`] is dropped, which is sound and may miss a conflict.

use crate::prover::arith::{Combination, Rational, Var};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use terms::entity::Entity;

/// Equations with longer coefficients are dropped.
const MOST_BITS: u64 = 600;

/// Variables from this number on are parameters.
const PARAMETERS: usize = 1 << 31;

/// Multiples of the given equations, by number.
pub(super) type Multiples = BTreeMap<usize, Rational>;

/// A solved system of equations over integers.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    given: Vec<Given>,
    log: Vec<Step>,
    /// The step that eliminates a variable. After it, the variable does not occur.
    step_of: FxHashMap<Var, usize>,
    /// The number of parameters.
    parameters: usize,
}

/// An equation with integral coefficients.
#[derive(Clone, Debug)]
struct Given {
    form: Combination,
    constant: Rational,
    /// The numbers of steps and parameters before it.
    before: (usize, usize),
}

#[derive(Clone, Debug)]
enum Step {
    /// Substitutes `by` for `variable`: a change of coordinates.
    Replace { variable: Var, by: Combination },
    /// `form = constant` is the sum of the multiples of given equations, in the coordinates of this
    /// step. The coefficient of `variable` is 1.
    Solve { variable: Var, form: Combination, constant: Rational, multiples: Multiples },
}

/// A combination in the final coordinates.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// `combination - Σ multiples · equations`.
    form: Combination,
    /// The sum of the multiples of the equations' constants, that is the value of
    /// `combination - form`.
    constant: Rational,
    multiples: Multiples,
}

impl Equations {
    /// The number of equations.
    pub(super) fn len(&self) -> usize {
        self.given.len()
    }

    /// The equation with a number, as it was given.
    pub(super) fn given(&self, number: usize) -> (&Combination, &Rational) {
        let Given { form, constant, .. } = &self.given[number];
        (form, constant)
    }

    /// Removes the equations from number `count` on.
    pub(super) fn truncate(&mut self, count: usize) {
        let Some(given) = self.given.get(count) else { return };
        let (steps, parameters) = given.before;
        self.given.truncate(count);
        for step in self.log.drain(steps..) {
            self.step_of.remove(&step.variable());
        }
        self.parameters = parameters;
    }

    /// Adds an equation with integral coefficients. If it contradicts the others over integers,
    /// returns multiples of equations whose sum has integral coefficients and a fractional
    /// constant, and does not add the equation. An equation that has no variables in the final
    /// coordinates is redundant, or contradicts the others over reals as well, and is dropped.
    pub(super) fn add(&mut self, form: Combination, constant: Rational) -> Result<(), Multiples> {
        let Reduced { form: mut rest, constant: shift, multiples } = self.reduce(&form);
        let mut multiples: Multiples =
            multiples.into_iter().map(|(number, factor)| (number, -factor)).collect();
        multiples.insert(self.given.len(), Rational::ONE);
        let mut right = &constant - &shift;
        self.given.push(Given { form, constant, before: (self.log.len(), self.parameters) });
        let content = rest.content();
        if content.is_zero() {
            return Ok(());
        }
        let inverse = content.recip();
        rest = rest.scaled(&inverse);
        right *= &inverse;
        multiples.values_mut().for_each(|factor| *factor *= &inverse);
        if !right.is_integer() {
            self.given.pop();
            return Err(multiples);
        }
        loop {
            if rest.entries().iter().any(|(_, coefficient)| coefficient.bits() > MOST_BITS) {
                return Ok(());
            }
            let least = rest.entries().iter().min_by(|left, right| left.1.abs().cmp(&right.1.abs()));
            let (variable, coefficient) = least.expect("a primitive form is not 0").clone();
            if coefficient.abs().is_one() {
                let step = Step::Solve {
                    variable,
                    form: rest.scaled(&coefficient),
                    constant: &right * &coefficient,
                    multiples: multiples
                        .into_iter()
                        .map(|(at, factor)| (at, &factor * &coefficient))
                        .collect(),
                };
                self.push(step);
                return Ok(());
            }
            // The sum is `coefficient · (variable + Σ quotient · other) + Σ remainder · other`; the
            // parameter stands for the parenthesis.
            let parameter = Var::new(PARAMETERS + self.parameters);
            self.parameters += 1;
            let quotient = |entry: &(Var, Rational)| -(&entry.1 / &coefficient).round();
            let others = rest.entries().iter().filter(|entry| entry.0 != variable);
            let by =
                others.map(|entry| (entry.0, quotient(entry))).chain([(parameter, Rational::ONE)]).collect();
            replace(&mut rest, variable, &by);
            self.push(Step::Replace { variable, by });
        }
    }

    /// Rewrites a combination to the final coordinates.
    pub(super) fn reduce(&self, combination: &Combination) -> Reduced {
        let mut reduced =
            Reduced { form: combination.clone(), constant: Rational::ZERO, multiples: Multiples::new() };
        // Pending steps, in order. Only later steps eliminate the variables that a step introduces.
        let mut open: BinaryHeap<Reverse<usize>> = self.steps_of(combination).collect();
        while let Some(Reverse(number)) = open.pop() {
            match &self.log[number] {
                Step::Replace { variable, by } => {
                    if reduced.form.coefficient(*variable).is_some() {
                        replace(&mut reduced.form, *variable, by);
                        open.extend(self.steps_of(by));
                    }
                }
                Step::Solve { variable, form, constant, multiples } => {
                    let Some(factor) = reduced.form.coefficient(*variable).cloned() else { continue };
                    reduced.form.add_scaled(&-&factor, form);
                    reduced.constant.add_product(&factor, constant);
                    for (number, multiple) in multiples {
                        reduced.multiples.entry(*number).or_default().add_product(&factor, multiple);
                    }
                    open.extend(self.steps_of(form));
                }
            }
        }
        reduced.multiples.retain(|_, factor| !factor.is_zero());
        reduced
    }

    /// A solution near the values of a point, whose first entries are the variables of the
    /// equations: the free variables in the final coordinates are rounded, and the others follow.
    ///
    /// Dropped equations are ignored.
    pub(super) fn solution_near(
        &self,
        point: &[Rational],
        round: fn(&Rational) -> Rational,
    ) -> Vec<Rational> {
        let mut values = point.to_vec();
        values.resize(point.len() + self.parameters, Rational::ZERO);
        let mut is_free = vec![true; values.len()];
        let at = |variable: Var| slot(variable, point.len());
        for step in &self.log {
            match step {
                Step::Solve { variable, .. } => is_free[at(*variable)] = false,
                Step::Replace { variable, by } => {
                    is_free[at(*variable)] = false;
                    // The parameter is the variable minus the other summands.
                    let (parameter, _) = by.entries().last().expect("a substitution contains its parameter");
                    let mut value = values[at(*variable)].clone();
                    for (other, coefficient) in &by.entries()[..by.len() - 1] {
                        value.add_product(&-coefficient, &values[at(*other)]);
                    }
                    values[at(*parameter)] = value;
                }
            }
        }
        for (value, _) in values.iter_mut().zip(&is_free).filter(|(_, is_free)| **is_free) {
            *value = round(value);
        }
        for step in self.log.iter().rev() {
            let (variable, value) = match step {
                Step::Replace { variable, by } => (variable, evaluate(by, &values, point.len())),
                Step::Solve { variable, form, constant, .. } => {
                    let own = values[at(*variable)].clone();
                    (variable, &(constant - &evaluate(form, &values, point.len())) + &own)
                }
            };
            values[at(*variable)] = value;
        }
        values.truncate(point.len());
        values
    }

    fn push(&mut self, step: Step) {
        self.step_of.insert(step.variable(), self.log.len());
        self.log.push(step);
    }

    fn steps_of(&self, form: &Combination) -> impl Iterator<Item = Reverse<usize>> {
        form.entries().iter().filter_map(|(variable, _)| self.step_of.get(variable)).copied().map(Reverse)
    }
}

impl Step {
    /// The eliminated variable.
    fn variable(&self) -> Var {
        match self {
            Step::Replace { variable, .. } | Step::Solve { variable, .. } => *variable,
        }
    }
}

impl Reduced {
    /// The divisor by which `sign · combination ≤ bound` can be divided and then rounded, given the
    /// equations, with the multiples of equations to add after the division. `None` if rounding
    /// gains nothing. The combination must be integral.
    pub(super) fn tighten(&self, sign: &Rational, bound: &Rational) -> Option<(Rational, Multiples)> {
        let divisor = self.form.content();
        if divisor.is_zero() || (&(bound - &(&self.constant * sign)) / &divisor).is_integer() {
            return None;
        }
        // Integral multiples of an equation only affect the size of the coefficients.
        let least = |factor: &Rational| {
            let quotient = -(&(factor * sign) / &divisor);
            &quotient - &quotient.round()
        };
        let multiples = self.multiples.iter().map(|(number, factor)| (*number, least(factor)));
        let multiples = multiples.filter(|(_, factor)| !factor.is_zero()).collect();
        Some((divisor, multiples))
    }
}

/// The slot of a variable's value: parameters come after the variables of the point.
fn slot(variable: Var, point: usize) -> usize {
    match variable.index().checked_sub(PARAMETERS) {
        Some(parameter) => point + parameter,
        None => variable.index(),
    }
}

fn evaluate(form: &Combination, values: &[Rational], point: usize) -> Rational {
    let mut value = Rational::ZERO;
    for (variable, coefficient) in form.entries() {
        value.add_product(coefficient, &values[slot(*variable, point)]);
    }
    value
}

fn replace(form: &mut Combination, variable: Var, by: &Combination) {
    if let Some(factor) = form.take(variable) {
        form.add_scaled(&factor, by);
    }
}
