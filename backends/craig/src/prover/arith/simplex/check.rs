//! Feasibility: pivots until all basic variables are within their bounds or a row refutes one of
//! them.

use super::Simplex;
use super::tableau::RowIndex;
use crate::prover::arith::certificate::merge;
use crate::prover::arith::{Certificate, DeltaRational, Side, Var};
use backends::{Limits, Reason};
use terms::entity::Entity;

/// Whether the bounds have a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// The model satisfies all bounds.
    Feasible,
    /// The bounds are infeasible: a [`Certificate::Farkas`].
    Infeasible(Certificate),
    /// The limits ended the search.
    Unknown(Reason),
}

/// The number of pivots of one check, per row, before the terminating rule takes over.
const PATIENCE: usize = 4;

/// The number of pivots between two checks of the limits.
pub(super) const BREATH: u64 = 64;

impl Simplex {
    /// Searches for a model of all bounds. Of [`Limits`], the deadline and the interrupt count, not
    /// the time of one check.
    pub fn check(&mut self, limits: &Limits) -> Feasibility {
        self.rest();
        let patience = if cfg!(test) { 2 } else { 100 + PATIENCE * self.tableau.len() };
        let mut spent = 0;
        loop {
            let rule = if spent < patience { Rule::Greedy } else { Rule::Bland };
            let Some((leaving, side)) = self.leaving(rule) else { return Feasibility::Feasible };
            let row = self.tableau.row_of(leaving).expect("only basic variables are out of bounds");
            let Some(entering) = self.entering(row, side, rule) else {
                return Feasibility::Infeasible(self.conflict(row, side));
            };
            let target =
                self.variables[leaving].limit(side).expect("the violated bound exists").value.clone();
            self.pivot_and_update(row, entering, &target);
            spent += 1;
            if self.pivots.is_multiple_of(BREATH)
                && let Some(reason) = limits.exceeded()
            {
                return Feasibility::Unknown(reason);
            }
        }
    }

    /// A basic variable outside of its bounds, and the violated side.
    fn leaving(&mut self, rule: Rule) -> Option<(Var, Side)> {
        let mut best: Option<(Var, Side, DeltaRational)> = None;
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.retain(|&variable| {
            let side =
                if self.tableau.is_basic(variable) { self.variables[variable].violated() } else { None };
            let Some(side) = side else {
                self.variables[variable].is_suspect = false;
                return false;
            };
            let data = &self.variables[variable];
            let bound = &data.limit(side).expect("the violated bound exists").value;
            let distance = match side {
                Side::Lower => bound - &data.value,
                Side::Upper => &data.value - bound,
            };
            let is_better = best.as_ref().is_none_or(|(other, _, farthest)| match rule {
                Rule::Greedy => distance > *farthest || distance == *farthest && variable < *other,
                Rule::Bland => variable < *other,
            });
            if is_better {
                best = Some((variable, side, distance));
            }
            true
        });
        self.suspects = suspects;
        best.map(|(variable, side, _)| (variable, side))
    }

    /// A nonbasic variable that can move the basic one back to the bound on `side`.
    fn entering(&self, row: RowIndex, side: Side, rule: Rule) -> Option<Var> {
        let row = self.tableau.row(row);
        let direction = row.direction(side.opposite());
        let mut fitting = row.nonbasic().filter(|(variable, coefficient)| {
            self.variables[*variable].has_room(direction.scaled(coefficient))
        });
        let found = match rule {
            Rule::Greedy => {
                fitting.min_by_key(|(variable, _)| (self.tableau.column(*variable).len(), variable.index()))
            }
            Rule::Bland => fitting.next(),
        };
        found.map(|(variable, _)| *variable)
    }

    /// Exchanges the basic variable with the entering one, and moves the entering variable so that
    /// the leaving one gets the value `target`.
    pub(super) fn pivot_and_update(&mut self, row: RowIndex, entering: Var, target: &DeltaRational) {
        let leaving = self.tableau.row(row).basic;
        let inverse = self.tableau.row(row).ratio(entering).recip();
        let change = (target - &self.variables[leaving].value).scaled(&inverse);
        self.variables[entering].value += &change;
        self.shift_rows(entering, &change);
        debug_assert!(
            self.variables[leaving].value == *target,
            "the pivot moves the basic variable to its target"
        );
        self.tableau.pivot(row, entering);
        if self.variables[entering].violated().is_some() {
            self.suspect(entering);
        }
        self.revision += 1;
        self.pivots += 1;
    }

    /// The certificate of a row whose basic variable violates its bound although all other
    /// variables are at their best bounds.
    fn conflict(&self, row: RowIndex, side: Side) -> Certificate {
        let row = self.tableau.row(row);
        let direction = row.direction(side.opposite());
        let mut multipliers = vec![self.multiplier(row.basic, side, row.coefficient(row.basic).abs())];
        for (variable, coefficient) in row.nonbasic() {
            multipliers.push(self.multiplier(*variable, direction.scaled(coefficient), coefficient.abs()));
        }
        Certificate::Farkas(merge(multipliers))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The largest violation, the shortest column.
    Greedy,
    /// The least index, which excludes cycles.
    Bland,
}
