//! What to do about integer variables that are no integers in the model.
//!
//! After [`Simplex::check`] found a model over reals, [`Integers::check`] takes the first of these that applies:
//!
//! 1. the integers have integer values: done;
//! 2. a row has no integer solution by the greatest common divisor of its coefficients, or the equalities have none together
//!    (`diophantine`): a conflict;
//! 3. a solution of the equalities near the model satisfies all bounds: done, with that as the model;
//! 4. bounds can be rounded with the equalities, or a row of the tableau can (`cuts`): new bounds, for the owner to assert;
//! 5. a branch: on a combination that the bounds at hand force not to be an integer, if the owner allows it (Dillig, Dillig, Aiken,
//!    *Cuts from Proofs*, CAV 2009), else on a variable.
//!
//! The owner asserts cuts and branches as bounds with reasons of their own, so the certificates that follow may use them. One
//! who interpolates says by [`Purity`] which combinations are allowed; branches on single variables of the problem always
//! are.
//!
//! Limits: integer programs without bounds on the variables need not end; the number of cuts and branches is bounded by
//! [`Config`], after which the answer is unknown.
//!
//! [`solve`] is a complete search for those without one of their own, by depth first branching.

mod branching;
mod cuts;
mod diophantine;

pub use branching::{Answer, Node, Refutation, check_refutation, solve};

use super::{Certificate, Combination, Cut, EquationMultiplier, Fixed, Kind, Rational, Side, Simplex, Var};
use backends::{Limits, Reason};
use diophantine::{Equations, Multiples};
use terms::entity::Entity;

/// Which steps the owner can do without.
pub trait Purity {
    /// Whether the owner can use a cut.
    fn allows_cut(&self, cut: &Cut) -> bool;
    /// Whether the owner can branch on a combination of several variables.
    fn allows_branch(&self, form: &Combination) -> bool;
}

/// All cuts, and all branches.
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

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many cuts may be made.
    pub cuts: usize,
    /// How many branches may be made.
    pub branches: usize,
    /// How many cuts are made at once.
    pub batch: usize,
    /// Rows are rounded in each round whose number is a multiple of this.
    pub period: usize,
    /// The greatest number of variables of a cut or branch.
    pub widest: usize,
    /// The greatest number of bits of a coefficient of a cut or branch.
    pub longest: u64,
    /// At most so many equalities are solved together.
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

/// The state of the search for integers of one [`Simplex`]: what is left of the budget, and what can be used again.
#[derive(Clone, Debug, Default)]
pub struct Integers {
    config: Config,
    /// The equalities of integers when they were last looked at, in the order in which their bounds met, solved. Those that
    /// are still the first ones are not solved again.
    fixed: Vec<(Var, Rational)>,
    equations: Equations,
    cuts: usize,
    branches: usize,
    rounds: usize,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerCheck {
    /// The integer variables of the problem have integer values.
    Consistent,
    /// There is no solution in integers: a [`Certificate::Diophantine`].
    Infeasible(Certificate),
    /// These hold, and the model violates them. At least one.
    Cuts(Vec<Cut>),
    /// The model satisfies neither case.
    Branch(Branch),
    /// The budget is used up, or the limits ended the search.
    Unknown(Reason),
}

/// `variable ≤ floor ∨ variable ≥ floor + 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// An integer variable, perhaps one that stands for a combination.
    pub variable: Var,
    /// An integer.
    pub floor: Rational,
}

impl Integers {
    /// With a budget.
    pub fn new(config: Config) -> Self {
        Integers { config, ..Self::default() }
    }

    /// The whole budget is there again.
    pub fn renew(&mut self) {
        *self = Self::new(self.config.clone());
    }

    /// What to do about integers that have no integer values. Right after a check that found a model.
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
                "the budget of branches on integers".to_owned(),
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

    /// Solves the equalities of integers.
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

    /// A combination that is no integer if the integers that are at their bounds stay there.
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

    /// Adds the bounds that the model meets to the equations, until they have no solution in integers.
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
            // What is integral in it is no part of the contradiction.
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

/// Whether a solution of the equalities near the model satisfies all bounds. If one does it is the model now.
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

/// The one of the smallest range; those without bounds last, those of small values first.
fn branching_variable(simplex: &Simplex, fractional: &[Var]) -> Var {
    let range = |variable: Var| {
        let bound = |side| simplex.asserted(variable, side).map(|(value, _)| value.real.clone());
        Some(&bound(Side::Upper)? - &bound(Side::Lower)?)
    };
    let key = |variable: &Var| {
        let range = range(*variable);
        (range.is_none(), range, simplex.value(*variable).real.abs(), *variable)
    };
    *fractional.iter().min_by_key(|variable| key(variable)).expect("a variable is no integer")
}

/// A row of integers in which what is fixed is no multiple of the common divisor of the other coefficients.
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
        // The other variables have integral coefficients in the row divided by the divisor, so the sum of the fixed ones is
        // one, too.
        let with_value = |(variable, _): &(Var, Rational)| Some((*variable, simplex.fixed(*variable)?.value));
        let fixed: Vec<(Var, Rational)> = row.iter().filter_map(with_value).collect();
        let factors = row.iter().filter(|(variable, _)| simplex.fixed(*variable).is_some());
        let multiples = factors.map(|(_, coefficient)| coefficient / &divisor).enumerate().collect();
        return Some(diophantine_certificate(simplex, &fixed, &multiples));
    }
    None
}

/// Multiples of the equalities of fixed variables. Integral parts contribute nothing, and are left out.
fn diophantine_certificate(
    simplex: &Simplex,
    fixed: &[(Var, Rational)],
    multiples: &Multiples,
) -> Certificate {
    let multiplier = |(number, factor): (&usize, &Rational)| {
        let Fixed { lower, upper, .. } =
            simplex.fixed(fixed[*number].0).expect("an equality is of a fixed variable");
        EquationMultiplier { coefficient: factor.fraction(), lower, upper }
    };
    let multipliers = multiples.iter().map(multiplier).filter(|multiplier| !multiplier.coefficient.is_zero());
    Certificate::Diophantine(multipliers.collect())
}
