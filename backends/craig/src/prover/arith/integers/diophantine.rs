//! Systems of linear equations in integers.
//!
//! An equation is brought into the coordinates that the ones before left, divided by the greatest common divisor of its
//! coefficients, and solved for a variable of coefficient 1. If it has none, a new parameter takes the place of the
//! variable of least coefficient, in which the others are divided by it with remainder, until there is one (Knuth, *The Art
//! of Computer Programming* 2, section 4.5.2; Griggio, *A Practical Approach to Satisfiability Modulo Linear Integer
//! Arithmetic*, JSAT 8, 2012). Replacing is invertible in integers, so a combination has integral coefficients in the new
//! coordinates just if it has them in the old ones. Hence an equation with integral coefficients and a constant that is
//! none shows that the system has no solution, and the multiples of the equations that it was made of are the certificate
//! (Jain, Clarke, Grumberg, CAV 2008).
//!
//! Conversely, in the final coordinates the solutions are all values of what is left, so an inequality whose coefficients
//! have a divisor there can be rounded: the tightening of Dillig, Dillig, Aiken, *Cuts from Proofs*, CAV 2009, and Griggio.
//!
//! DIVERGENCE: the log of replacements is applied to each new equation; equations solved before are not simplified by later
//! ones. That keeps the triangular form of Hermite, which suffices.
//!
//! Cost: the number of steps is polynomial, but coefficients can grow; an equation whose coefficients get longer than
//! [`MOST_BITS`] is left out, which is sound and may miss a conflict.

use crate::prover::arith::{Combination, Rational, Var};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use terms::entity::Entity;

/// Equations whose coefficients get longer are left out.
const MOST_BITS: u64 = 600;

/// Variables from this number on are parameters.
const PARAMETERS: usize = 1 << 31;

/// Multiples of the equations that were given, by their number.
pub(super) type Multiples = BTreeMap<usize, Rational>;

/// Equations in integers, solved.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    given: Vec<Given>,
    log: Vec<Step>,
    /// The step that takes a variable away. After it, the variable does not occur.
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
    /// The variable is what it is replaced by: a change of coordinates.
    Replace { variable: Var, by: Combination },
    /// `form = constant` is the sum of the multiples of given equations, in the coordinates of this step. The coefficient of
    /// the variable is 1.
    Solve { variable: Var, form: Combination, constant: Rational, multiples: Multiples },
}

/// In the final coordinates: what is left of a combination.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// `combination - Σ multiples · equations`.
    form: Combination,
    /// What that is, as a combination of the given equations' constants, less than the combination.
    constant: Rational,
    multiples: Multiples,
}

impl Equations {
    /// How many equations there are.
    pub(super) fn len(&self) -> usize {
        self.given.len()
    }

    /// The equation of a number, as it was given.
    pub(super) fn given(&self, number: usize) -> (&Combination, &Rational) {
        let Given { form, constant, .. } = &self.given[number];
        (form, constant)
    }

    /// Takes equations back, so that so many are left.
    pub(super) fn truncate(&mut self, count: usize) {
        let Some(given) = self.given.get(count) else { return };
        let (steps, parameters) = given.before;
        self.given.truncate(count);
        for step in self.log.drain(steps..) {
            self.step_of.remove(&step.variable());
        }
        self.parameters = parameters;
    }

    /// Adds an equation with integral coefficients. Returns multiples of equations whose sum has integral coefficients and
    /// a constant that is no integer, if it contradicts the others in integers; it is not taken then. An equation that
    /// contradicts them in reals as well is left out.
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
            // The sum is `coefficient · (variable + Σ quotient · other) + Σ remainder · other`; what is in brackets is the
            // parameter.
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

    /// A combination in the final coordinates.
    pub(super) fn reduce(&self, combination: &Combination) -> Reduced {
        let mut reduced =
            Reduced { form: combination.clone(), constant: Rational::ZERO, multiples: Multiples::new() };
        // Steps to do, in order. What a step brings in is taken away by later ones only.
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

    /// A solution near the values of a point, of which the first entries are the variables of the equations: what is free
    /// in the final coordinates is rounded, and the rest follows.
    ///
    /// Equations that were left out are not regarded.
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
                    // The parameter is what is left after the others are taken away.
                    let (parameter, _) =
                        by.entries().last().expect("what replaces a variable has the parameter");
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
    /// What it takes away.
    fn variable(&self) -> Var {
        match self {
            Step::Replace { variable, .. } | Step::Solve { variable, .. } => *variable,
        }
    }
}

impl Reduced {
    /// What `sign · combination ≤ bound` can be divided by and rounded after, with the equations: the divisor, and the
    /// multiples of equations to add to the inequality after it was divided. `None` if nothing is gained. The combination
    /// is integral.
    pub(super) fn tighten(&self, sign: &Rational, bound: &Rational) -> Option<(Rational, Multiples)> {
        let divisor = self.form.content();
        if divisor.is_zero() || (&(bound - &(&self.constant * sign)) / &divisor).is_integer() {
            return None;
        }
        // Integral multiples of an equation change nothing but the size of the coefficients.
        let least = |factor: &Rational| {
            let quotient = -(&(factor * sign) / &divisor);
            &quotient - &quotient.round()
        };
        let multiples = self.multiples.iter().map(|(number, factor)| (*number, least(factor)));
        let multiples = multiples.filter(|(_, factor)| !factor.is_zero()).collect();
        Some((divisor, multiples))
    }
}

/// Where the value of a variable is: parameters come after the variables of the point.
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
