//! Bound propagation.
//!
//! The owner registers the bounds that have literals. When a bound is asserted, the weaker
//! registered bounds of the same variable follow. In addition, in each row with the variable, the
//! bounds of the other variables imply a bound of each variable (Dutertre, de Moura, CAV 2006).
//! Rows are examined once after their bounds changed, only by [`propagate`](Simplex::propagate),
//! and only if they are short.
//!
//! DIVERGENCE: only rows of the current tableau are used, but for all of their variables, not only
//! for the basic one.

use super::tableau::RowIndex;
use super::{Bound, Presence, Simplex, is_as_strong};
use crate::prover::arith::certificate::merge;
use crate::prover::arith::{Certificate, DeltaRational, Multiplier, Rational, Reason32, Side, Var};
use terms::entity::SecondaryMap;

/// A registered bound that is implied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The literal of the registered bound.
    pub literal: Reason32,
    /// The implied bound, at least as strong as the registered one.
    pub bound: Bound,
    source: Source,
    /// The revision of the solver at that time.
    revision: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The asserted bound of the variable.
    Asserted,
    Row(RowIndex),
}

/// Registered bounds and recent changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Propagation {
    registered: SecondaryMap<Var, [Vec<Registered>; 2]>,
    /// Tightened bounds, with their previous values.
    tightened: Vec<(Var, Side, Option<DeltaRational>)>,
    is_any: bool,
}

#[derive(Clone, Debug)]
struct Registered {
    value: DeltaRational,
    literal: Reason32,
}

/// Rows of this length or longer are skipped.
const LONGEST: usize = 40;

/// The maximum number of rows per round; the others are skipped.
const ROWS: usize = 100;

impl Propagation {
    /// Records that a bound is about to be tightened.
    pub(super) fn note(&mut self, variable: Var, side: Side, before: Option<&DeltaRational>) {
        if self.is_any {
            self.tightened.push((variable, side, before.cloned()));
        }
    }

    /// Forgets changes that were retracted.
    pub(super) fn forget(&mut self) {
        self.tightened.clear();
    }

    fn of(&self, variable: Var, side: Side) -> &[Registered] {
        &self.registered[variable][side as usize]
    }
}

impl Simplex {
    /// Makes [`propagate`](Self::propagate) report when the bound holds. To learn when the bound is
    /// violated, the owner registers the negation, too.
    pub fn register(&mut self, bound: &Bound, literal: Reason32) {
        let value = self.rounded(bound.variable, bound.side, &bound.value);
        let registered = &mut self.propagation.registered[bound.variable][bound.side as usize];
        let at = registered.partition_point(|other| other.value <= value);
        registered.insert(at, Registered { value, literal });
        self.activate(bound.variable);
        let data = &mut self.variables[bound.variable];
        data.row = Presence::Pinned;
        // The bound may already hold.
        if data.limit(bound.side).is_some() {
            self.propagation.tightened.push((bound.variable, bound.side, None));
        }
        self.propagation.is_any = true;
    }

    /// Returns registered bounds that have become implied since the last call, by asserted bounds
    /// of the variable or by one row. The result is incomplete and may repeat earlier bounds. No
    /// pivots are made: the call is cheap and is allowed before feasibility is known.
    pub fn propagate(&mut self) -> Vec<Implied> {
        let mut implied = Vec::new();
        let mut rows: Vec<RowIndex> = Vec::new();
        for (variable, side, before) in std::mem::take(&mut self.propagation.tightened) {
            if let Some(limit) = self.variables[variable].limit(side) {
                self.imply(variable, side, &limit.value, before.as_ref(), Source::Asserted, &mut implied);
            }
            match self.tableau.row_of(variable) {
                Some(row) => rows.push(row),
                None => rows.extend(self.tableau.column(variable)),
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows.truncate(ROWS);
        for index in rows {
            if self.tableau.row(index).entries.len() < LONGEST {
                self.propagate_row(index, &mut implied);
            }
        }
        implied
    }

    /// The certificate of an implied bound: a [`Certificate::Farkas`] with the negation of the
    /// registered bound, which has a reason of its own. `None` if bounds or tableau have changed
    /// since.
    pub fn certificate(&self, implied: &Implied, negation: Reason32) -> Option<Certificate> {
        let mut multipliers = self.explain(implied)?;
        let side = implied.bound.side.opposite();
        multipliers.push(Multiplier { coefficient: Rational::ONE, side, reason: negation });
        Some(Certificate::Farkas(multipliers))
    }

    /// Multiples of asserted bounds that add up to the implied bound, up to rounding for integers;
    /// `None` if bounds or tableau have changed since.
    pub fn explain(&self, implied: &Implied) -> Option<Vec<Multiplier>> {
        if implied.revision != self.revision {
            return None;
        }
        let Bound { variable, side, .. } = &implied.bound;
        match implied.source {
            Source::Asserted => Some(vec![self.multiplier(*variable, *side, Rational::ONE)]),
            Source::Row(index) => {
                let row = &self.tableau.row(index).entries;
                let own = row.iter().find(|entry| entry.0 == *variable);
                let minus = -own.expect("the variable is in the row that bounds it").1.recip();
                let others = row.iter().filter(|entry| entry.0 != *variable);
                let multiplier = |(other, coefficient): &(Var, Rational)| {
                    let factor = coefficient * &minus;
                    self.multiplier(*other, side.scaled(&factor), factor.abs())
                };
                Some(merge(others.map(multiplier).collect()))
            }
        }
    }

    /// Adds the registered bounds that `value` implies and `before` did not.
    fn imply(
        &self,
        variable: Var,
        side: Side,
        value: &DeltaRational,
        before: Option<&DeltaRational>,
        source: Source,
        implied: &mut Vec<Implied>,
    ) {
        let value = self.rounded(variable, side, value);
        for registered in self.propagation.of(variable, side) {
            if is_as_strong(side, &value, &registered.value)
                && before.is_none_or(|before| !is_as_strong(side, before, &registered.value))
            {
                let bound = Bound { variable, side, value: value.clone() };
                let (literal, revision) = (registered.literal, self.revision);
                implied.push(Implied { literal, bound, source, revision });
            }
        }
    }

    fn propagate_row(&self, index: RowIndex, implied: &mut Vec<Implied>) {
        let row = &self.tableau.row(index).entries;
        if row.iter().all(|(variable, _)| {
            Side::BOTH.iter().all(|&side| self.propagation.of(*variable, side).is_empty())
        }) {
            return;
        }
        for extreme in Side::BOTH {
            // The extreme value of the sum, without the variables that have no bound.
            let mut sum = DeltaRational::default();
            let mut unbounded = Vec::new();
            for (variable, coefficient) in row {
                match self.variables[*variable].limit(extreme.scaled(coefficient)) {
                    Some(limit) => sum.add_product(coefficient, &limit.value),
                    None => unbounded.push(*variable),
                }
                if unbounded.len() > 1 {
                    break;
                }
            }
            if unbounded.len() > 1 {
                continue;
            }
            for (variable, coefficient) in row {
                if unbounded.first().is_some_and(|only| only != variable) {
                    continue;
                }
                // The sum of all others is at most (at least) `rest`, and so is
                // `-coefficient · variable`.
                let own = self.variables[*variable].limit(extreme.scaled(coefficient));
                let mut rest = sum.clone();
                if let Some(limit) = own {
                    rest.add_product(&-coefficient, &limit.value);
                }
                let minus = -coefficient.recip();
                let side = extreme.scaled(&minus);
                if self.propagation.of(*variable, side).is_empty() {
                    continue;
                }
                let value = rest.scaled(&minus);
                let before = self.variables[*variable].limit(side).map(|limit| &limit.value);
                self.imply(*variable, side, &value, before, Source::Row(index), implied);
            }
        }
    }
}
