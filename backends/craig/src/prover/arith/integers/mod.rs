//! Integer arithmetic: the treatment of integer variables with fractional values.
//!
//! After [`Simplex::check`] has found a model over reals, [`Integers::check`] takes the first
//! applicable step:
//!
//! 1. all integers have integral values: done;
//! 2. a row has no integer solution by the greatest common divisor of its coefficients, or the
//!    equalities together have none (`diophantine`): a conflict;
//! 3. a solution of the equalities near the model satisfies all bounds: done, with that solution as
//!    the model;
//! 4. the equalities allow rounding a bound, or a row of the tableau can be rounded (`cuts`): new
//!    bounds for the owner to assert;
//! 5. a branch: on a combination that the tight bounds force to be fractional, if the owner allows
//!    it (Dillig, Dillig, Aiken, *Cuts from Proofs*, CAV 2009), else on a variable.
//!
//! The owner asserts cuts and branches as bounds with reasons of their own, so later certificates
//! may use them. An interpolating owner restricts the allowed combinations by [`Purity`]; branches
//! on single variables of the problem are always allowed.
//!
//! # Limits
//! The search may diverge on integers without bounds. [`Config`] limits the number of cuts and
//! branches; beyond that the answer is unknown.
//!
//! [`solve`] is a complete depth-first branching search for callers without a search of their own.

mod branching;
mod cuts;
mod diophantine;

pub use branching::{Answer, Node, Refutation, check_refutation, solve};

use super::{Certificate, Combination, Cut, EquationMultiplier, Fixed, Kind, Rational, Side, Simplex, Var};
use backends::{Limits, Reason};
use diophantine::{Equations, Multiples};
use terms::entity::Entity;

/// Restricts the steps to those that the owner supports.
pub trait Purity {
    /// Whether the owner supports a cut.
    fn allows_cut(&self, cut: &Cut) -> bool;
    /// Whether the owner supports a branch on a combination of several variables.
    fn allows_branch(&self, form: &Combination) -> bool;
}

/// Allows all cuts and all branches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anything;

impl Purity for Anything {
    fn allows_cut(&self, _cut: &Cut) -> bool {
        true
    }

    fn allows_branch(&self, _form: &Combination) -> bool {
        true
    }
}

/// Budgets and size limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// Maximum number of cuts.
    pub cuts: usize,
    /// Maximum number of branches.
    pub branches: usize,
    /// Maximum number of cuts per round.
    pub batch: usize,
    /// Rows are rounded in every round whose number is a multiple of this.
    pub period: usize,
    /// Maximum number of variables in a cut or branch.
    pub widest: usize,
    /// Maximum number of bits of a coefficient in a cut or branch.
    pub longest: u64,
    /// Maximum number of equalities that are solved together.
    pub equations: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            cuts: 1_000,
            branches: 5_000,
            batch: 2,
            period: 3,
            widest: 20,
            longest: 64,
            equations: 3_000,
        }
    }
}

/// The state of the integer search over one [`Simplex`]: the remaining budget, and reusable
/// results.
#[derive(Clone, Debug, Default)]
pub struct Integers {
    config: Config,
    /// The integer equalities that are solved, in the order in which their bounds met. The common
    /// prefix with the current equalities is reused.
    fixed: Vec<(Var, Rational)>,
    equations: Equations,
    cuts: usize,
    branches: usize,
    rounds: usize,
}

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerCheck {
    /// The integer variables of the problem have integral values.
    Consistent,
    /// There is no integer solution: a [`Certificate::Diophantine`].
    Infeasible(Certificate),
    /// Implied bounds that the model violates; at least one.
    Cuts(Vec<Cut>),
    /// The model satisfies neither case.
    Branch(Branch),
    /// The budget or the limits ended the search.
    Unknown(Reason),
}

/// `variable ≤ floor ∨ variable ≥ floor + 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// An integer variable, possibly one that stands for a combination.
    pub variable: Var,
    /// An integer.
    pub floor: Rational,
}

impl Integers {
    /// Creates a state with a full budget.
    pub fn new(config: Config) -> Self {
        Integers { config, ..Self::default() }
    }

    /// Restores the full budget.
    pub fn renew(&mut self) {
        *self = Self::new(self.config.clone());
    }

    /// Chooses the next step for fractional integers. Must be called right after a check that found
    /// a model.
    pub fn check(&mut self, simplex: &mut Simplex, limits: &Limits, purity: &dyn Purity) -> IntegerCheck {
        let fractional: Vec<Var> =
            simplex.variables().filter(|&variable| is_fractional(simplex, variable)).collect();
        if fractional.is_empty() {
            return IntegerCheck::Consistent;
        }
        if let Some(reason) = limits.exceeded() {
            return IntegerCheck::Unknown(reason);
        }
        if let Some(certificate) = row_without_integers(simplex) {
            return IntegerCheck::Infeasible(certificate);
        }
        if let Err(stop) = self.solve_equations(simplex, limits) {
            return stop;
        }
        if adopts_solution_nearby(simplex, &self.equations) {
            return IntegerCheck::Consistent;
        }
        self.rounds += 1;
        if self.cuts < self.config.cuts {
            let mut cuts = cuts::tightened(simplex, &self.equations, &self.fixed, &self.config, purity);
            if cuts.is_empty() && self.rounds.is_multiple_of(self.config.period) {
                cuts = cuts::gomory(simplex, &self.config, purity);
            }
            if !cuts.is_empty() {
                self.cuts += cuts.len();
                return IntegerCheck::Cuts(cuts);
            }
        }
        if self.branches >= self.config.branches {
            return IntegerCheck::Unknown(Reason::Incomplete(
                "the budget of integer branches is exhausted".to_owned(),
            ));
        }
        self.branches += 1;
        let variable = branching_variable(simplex, &fractional);
        let is_bounded = Side::BOTH.iter().all(|&side| simplex.asserted(variable, side).is_some());
        if !is_bounded && let Some(branch) = self.forced_branch(simplex, purity) {
            return IntegerCheck::Branch(branch);
        }
        let floor = simplex.value(variable).floor();
        IntegerCheck::Branch(Branch { variable, floor })
    }

    /// Solves the integer equalities.
    fn solve_equations(&mut self, simplex: &Simplex, limits: &Limits) -> Result<(), IntegerCheck> {
        let mut fixed = simplex.fixed_in_order();
        fixed.retain(|(variable, _)| simplex.kind(*variable) == Kind::Int);
        fixed.truncate(self.config.equations);
        let same = self.fixed.iter().zip(&fixed).take_while(|(before, now)| before == now).count();
        self.fixed.truncate(same);
        self.equations.truncate(same);
        for (variable, value) in fixed.drain(same..) {
            if let Some(reason) = limits.exceeded() {
                return Err(IntegerCheck::Unknown(reason));
            }
            let added = self.equations.add(simplex.definition(variable).clone(), value.clone());
            self.fixed.push((variable, value));
            if let Err(multiples) = added {
                let certificate = diophantine_certificate(simplex, &self.fixed, &multiples);
                self.fixed.pop();
                return Err(IntegerCheck::Infeasible(certificate));
            }
        }
        Ok(())
    }

    /// A branch on a combination that is fractional as long as the integers at their bounds stay
    /// there.
    fn forced_branch(&mut self, simplex: &mut Simplex, purity: &dyn Purity) -> Option<Branch> {
        let form = self.forced_form(simplex);
        self.equations.truncate(self.fixed.len());
        let form = form?;
        let is_small = form.len() <= self.config.widest
            && form.entries().iter().all(|(_, coefficient)| coefficient.bits() <= self.config.longest);
        if !is_small || form.len() > 1 && !purity.allows_branch(&form) {
            return None;
        }
        let (variable, _) = simplex.define(&form)?;
        let value = simplex.value(variable);
        (!value.is_integer()).then(|| Branch { variable, floor: value.floor() })
    }

    /// Adds the tight bounds of the model to the equations until they have no integer solution.
    fn forced_form(&mut self, simplex: &Simplex) -> Option<Combination> {
        for variable in simplex.variables() {
            let value = simplex.value(variable);
            let is_tight = Side::BOTH
                .iter()
                .any(|&side| simplex.asserted(variable, side).is_some_and(|(bound, _)| *bound == value));
            if simplex.kind(variable) != Kind::Int || !is_tight || simplex.fixed(variable).is_some() {
                continue;
            }
            if self.equations.len() >= self.config.equations {
                return None;
            }
            let form = simplex.definition(variable);
            let Err(multiples) = self.equations.add(form.clone(), value.real) else { continue };
            // Integral multiples do not contribute to the contradiction.
            let mut sum = Combination::zero();
            for (number, factor) in &multiples {
                let form =
                    if *number < self.equations.len() { self.equations.given(*number).0 } else { form };
                sum.add_scaled(&factor.fraction(), form);
            }
            return Some(sum);
        }
        None
    }
}

fn is_fractional(simplex: &Simplex, variable: Var) -> bool {
    simplex.kind(variable) == Kind::Int
        && simplex.is_of_problem(variable)
        && !simplex.value(variable).is_integer()
}

/// Whether a solution of the equalities near the model satisfies all bounds. If so, it becomes the
/// model.
fn adopts_solution_nearby(simplex: &mut Simplex, equations: &Equations) -> bool {
    let variables: Vec<Var> = simplex.variables().collect();
    let point: Vec<Rational> = variables.iter().map(|&variable| simplex.value(variable).real).collect();
    let is_integer = |variable: Var| simplex.kind(variable) == Kind::Int && simplex.is_of_problem(variable);
    let integers: Vec<Var> = variables.into_iter().filter(|&variable| is_integer(variable)).collect();
    [Rational::round, Rational::floor, Rational::ceil].into_iter().any(|round| {
        let mut values = equations.solution_near(&point, round);
        let changes =
            integers.iter().map(|variable| (*variable, std::mem::take(&mut values[variable.index()])));
        simplex.adopt(changes.collect())
    })
}

/// The fractional variable with the smallest range. Variables without bounds come last, by absolute
/// value.
fn branching_variable(simplex: &Simplex, fractional: &[Var]) -> Var {
    let range = |variable: Var| {
        let bound = |side| simplex.asserted(variable, side).map(|(value, _)| value.real.clone());
        Some(&bound(Side::Upper)? - &bound(Side::Lower)?)
    };
    let key = |variable: &Var| {
        let range = range(*variable);
        (range.is_none(), range, simplex.value(*variable).real.abs(), *variable)
    };
    *fractional.iter().min_by_key(|variable| key(variable)).expect("a branching variable is fractional")
}

/// Finds an integer row in which the fixed part is not a multiple of the common divisor of the
/// other coefficients.
fn row_without_integers(simplex: &Simplex) -> Option<Certificate> {
    for (_, row) in simplex.rows() {
        if row.iter().any(|(variable, _)| simplex.kind(*variable) != Kind::Int) {
            continue;
        }
        let (mut divisor, mut constant) = (Rational::ZERO, Rational::ZERO);
        for (variable, coefficient) in row {
            match simplex.fixed(*variable) {
                Some(fixed) => constant.add_product(coefficient, &fixed.value),
                None => divisor = divisor.gcd(coefficient),
            }
        }
        if divisor.is_zero() || (&constant / &divisor).is_integer() {
            continue;
        }
        // In the row divided by the divisor, the other variables have integral coefficients, so the
        // sum of the fixed ones must be integral.
        let with_value = |(variable, _): &(Var, Rational)| Some((*variable, simplex.fixed(*variable)?.value));
        let fixed: Vec<(Var, Rational)> = row.iter().filter_map(with_value).collect();
        let factors = row.iter().filter(|(variable, _)| simplex.fixed(*variable).is_some());
        let multiples = factors.map(|(_, coefficient)| coefficient / &divisor).enumerate().collect();
        return Some(diophantine_certificate(simplex, &fixed, &multiples));
    }
    None
}

/// The certificate for multiples of the equalities of fixed variables. Integral multiples
/// contribute nothing and are omitted.
fn diophantine_certificate(
    simplex: &Simplex,
    fixed: &[(Var, Rational)],
    multiples: &Multiples,
) -> Certificate {
    let multiplier = |(number, factor): (&usize, &Rational)| {
        let Fixed { lower, upper, .. } =
            simplex.fixed(fixed[*number].0).expect("equalities belong to fixed variables");
        EquationMultiplier { coefficient: factor.fraction(), lower, upper }
    };
    let multipliers = multiples.iter().map(multiplier).filter(|multiplier| !multiplier.coefficient.is_zero());
    Certificate::Diophantine(multipliers.collect())
}
