//! Maximization: the primal simplex method, starting from the current model.
//!
//! The objective is a defined variable `z`. While it is basic, its row determines the nonbasic
//! variables that would raise it and have room. Such a variable moves until it or a basic variable
//! reaches a bound; in the latter case the basic variable leaves the basis. While `z` is nonbasic,
//! it moves itself. If no variable has room, the row of `z` is the proof: the bounds of its
//! nonbasic variables bound `z`. Degenerate steps cannot cycle: after many of them the least index
//! is chosen (Bland).
//!
//! # Limits
//! The maximum is over reals; for integers it is an upper bound.

use super::check::BREATH;
use super::tableau::RowIndex;
use super::{Feasibility, Simplex};
use crate::prover::arith::certificate::merge;
use crate::prover::arith::{Certificate, Combination, DeltaRational, Multiplier, Rational, Side, Var};
use backends::{Limits, Reason};

/// The maximum of a combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// `combination ≤ value`, where `c - kδ` means less than but arbitrarily close to `c`.
    Bounded {
        /// The least upper bound, which the model attains.
        value: DeltaRational,
        /// The multiples of bounds that add up to it.
        multipliers: Vec<Multiplier>,
    },
    /// There is no upper bound.
    Unbounded,
    /// The bounds are infeasible.
    Infeasible(Certificate),
    /// The limits ended the search.
    Unknown(Reason),
}

/// The number of consecutive degenerate steps before the terminating rule takes over.
const PATIENCE: usize = if cfg!(test) { 1 } else { 50 };

impl Simplex {
    /// The maximum of a combination under the bounds. Afterwards the model attains it; if there is
    /// no maximum, the model is arbitrary.
    pub fn maximize(&mut self, combination: &Combination, limits: &Limits) -> Optimum {
        match self.check(limits) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(certificate) => return Optimum::Infeasible(certificate),
            Feasibility::Unknown(reason) => return Optimum::Unknown(reason),
        }
        let Some((objective, factor)) = self.define(combination) else {
            return Optimum::Bounded { value: DeltaRational::default(), multipliers: Vec::new() };
        };
        self.activate(objective);
        let optimum = self.optimize(objective, &factor, limits);
        if self.variables[objective].is_idle() {
            self.idle.push(objective);
        }
        optimum
    }

    /// The maximum of `factor · objective`, starting from a model.
    fn optimize(&mut self, objective: Var, factor: &Rational, limits: &Limits) -> Optimum {
        let goal = Side::Upper.scaled(factor);
        let mut idle = 0;
        loop {
            if self.pivots.is_multiple_of(BREATH)
                && let Some(reason) = limits.exceeded()
            {
                return Optimum::Unknown(reason);
            }
            let row = self.objective_row(objective);
            let moving = |(variable, coefficient): &&(Var, Rational)| {
                self.variables[*variable].has_room(goal.scaled(coefficient))
            };
            let entering = if idle < PATIENCE {
                let steepness = |entry: &(Var, Rational)| entry.1.abs();
                row.iter().filter(moving).max_by(|left, right| {
                    steepness(left).cmp(&steepness(right)).then_with(|| right.0.cmp(&left.0))
                })
            } else {
                row.iter().find(moving)
            };
            let Some((entering, coefficient)) = entering else {
                let multiplier = |(variable, coefficient): &(Var, Rational)| {
                    let weight = (coefficient * factor).abs();
                    self.multiplier(*variable, goal.scaled(coefficient), weight)
                };
                let multipliers = merge(row.iter().map(multiplier).collect());
                let value = self.variables[objective].value.scaled(factor);
                return Optimum::Bounded { value, multipliers };
            };
            let before = self.variables[objective].value.clone();
            if !self.step(*entering, goal.scaled(coefficient)) {
                return Optimum::Unbounded;
            }
            idle = if before == self.variables[objective].value { idle + 1 } else { 0 };
        }
    }

    /// The objective in terms of nonbasic variables.
    fn objective_row(&self, objective: Var) -> Vec<(Var, Rational)> {
        match self.tableau.row_of(objective) {
            Some(row) => {
                let row = self.tableau.row(row);
                row.nonbasic().map(|(variable, _)| (*variable, row.ratio(*variable))).collect()
            }
            None => vec![(objective, Rational::ONE)],
        }
    }

    /// Moves a nonbasic variable toward `side` as far as all bounds allow. Returns whether a bound
    /// stopped it.
    fn step(&mut self, entering: Var, side: Side) -> bool {
        // The possible step, and the blocking variable: the variable itself, or the basic variable
        // of a row.
        let mut nearest: Option<(DeltaRational, Option<(Var, RowIndex)>)> = None;
        let data = &self.variables[entering];
        if let Some(limit) = data.limit(side) {
            nearest = Some((distance(side, &data.value, &limit.value), None));
        }
        for &index in self.tableau.column(entering) {
            let row = self.tableau.row(index);
            let ratio = row.ratio(entering);
            let basic = &self.variables[row.basic];
            let towards = side.scaled(&ratio);
            let Some(limit) = basic.limit(towards) else { continue };
            let room = distance(towards, &basic.value, &limit.value).scaled(&ratio.abs().recip());
            let is_nearer = nearest.as_ref().is_none_or(|(least, stopper)| {
                room < *least || room == *least && stopper.is_some_and(|(other, _)| row.basic < other)
            });
            if is_nearer {
                nearest = Some((room, Some((row.basic, index))));
            }
        }
        match nearest {
            None => false,
            Some((_, None)) => {
                let limit = self.variables[entering].limit(side).expect("the variable stopped at its bound");
                let target = limit.value.clone();
                self.update(entering, target);
                true
            }
            Some((_, Some((basic, index)))) => {
                let ratio = self.tableau.row(index).ratio(entering);
                let limit = self.variables[basic].limit(side.scaled(&ratio));
                let target = limit.expect("the variable stopped at its bound").value.clone();
                self.pivot_and_update(index, entering, &target);
                true
            }
        }
    }
}

/// The distance between a value and the bound on `side`.
fn distance(side: Side, value: &DeltaRational, bound: &DeltaRational) -> DeltaRational {
    match side {
        Side::Lower => value - bound,
        Side::Upper => bound - value,
    }
}
