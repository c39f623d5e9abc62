//! Concrete models, and groups of variables with equal values.

use super::{Simplex, Variable};
use crate::prover::arith::{DeltaRational, Kind, Rational, Reason32, Var};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use terms::entity::Entity;

/// The value of a variable whose bounds meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The only possible value.
    pub value: Rational,
    /// The reason of the lower bound.
    pub lower: Reason32,
    /// The reason of the upper bound.
    pub upper: Reason32,
}

impl Simplex {
    /// The values of all variables, by index, with a concrete δ: all bounds hold, strict ones
    /// strictly, and two variables have the same value only if they have the same
    /// [`value`](Self::value). Valid right after a check that found a model.
    pub fn model(&self) -> Vec<Rational> {
        self.model_apart(Vec::new())
    }

    /// Like [`model`](Self::model), with a δ that also keeps different values in `others`
    /// different.
    pub fn model_apart(&self, others: Vec<DeltaRational>) -> Vec<Rational> {
        let mut values: Vec<DeltaRational> = self.variables().map(|variable| self.value(variable)).collect();
        let number = values.len();
        values.extend(others);
        let delta = self.concrete_delta(&values);
        values.truncate(number);
        let concrete = |value: &DeltaRational| {
            let mut concrete = value.real.clone();
            concrete.add_product(&value.delta, &delta);
            concrete
        };
        values.iter().map(concrete).collect()
    }

    /// The only possible value of a variable, if its asserted bounds meet.
    pub fn fixed(&self, variable: Var) -> Option<Fixed> {
        let Variable { lower: Some(lower), upper: Some(upper), .. } = &self.variables[variable] else {
            return None;
        };
        if lower.value != upper.value {
            return None;
        }
        Some(Fixed { value: lower.value.real.clone(), lower: lower.reason, upper: upper.reason })
    }

    /// The variables whose bounds meet, with their values, in the order in which the bounds met.
    pub(in crate::prover::arith) fn fixed_in_order(&self) -> Vec<(Var, Rational)> {
        let mut fixed = Vec::new();
        let mut is_seen = vec![false; self.variables.len()];
        for undo in self.trail.iter().rev() {
            if !std::mem::replace(&mut is_seen[undo.variable.index()], true)
                && let Some(Fixed { value, .. }) = self.fixed(undo.variable)
            {
                fixed.push((undo.variable, value));
            }
        }
        fixed.reverse();
        fixed
    }

    /// Gives variables of the problem new values if all bounds hold afterwards. Returns whether
    /// they do.
    pub(in crate::prover::arith) fn adopt(&mut self, changes: Vec<(Var, Rational)>) -> bool {
        let mut values: Vec<DeltaRational> = self.variables.values().map(|data| data.value.clone()).collect();
        for (variable, value) in changes {
            values[variable.index()] = value.into();
        }
        for (variable, data) in self.variables.iter() {
            if !self.is_of_problem(variable) {
                let mut value = DeltaRational::default();
                for (part, coefficient) in data.definition.entries() {
                    value.add_product(coefficient, &values[part.index()]);
                }
                values[variable.index()] = value;
            }
            if !data.allows(&values[variable.index()]) {
                return false;
            }
        }
        for (data, value) in self.variables.values_mut().zip(values) {
            data.value = value;
        }
        true
    }

    /// Groups of two or more of the variables with the same value in the model, in order of first
    /// occurrence.
    pub fn equal_groups(&self, interface: &[Var]) -> Vec<Vec<Var>> {
        let mut groups: IndexMap<DeltaRational, Vec<Var>, FxBuildHasher> = IndexMap::default();
        for &variable in interface {
            groups.entry(self.value(variable)).or_default().push(variable);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    /// Moves the model within all bounds so that fewer of the variables have equal values. Returns
    /// the number of nonbasic variables that moved. Integral integers stay integral.
    ///
    /// Only nonbasic variables move, one at a time, each by one of a few steps. Values that stay
    /// equal may still differ in other models.
    pub fn separate(&mut self, interface: &[Var]) -> usize {
        for &variable in interface {
            self.activate(variable);
        }
        let mut moved = 0;
        let groups: Vec<Var> = self.equal_groups(interface).into_iter().flatten().collect();
        for variable in groups {
            let candidates: Vec<Var> = match self.tableau.row_of(variable) {
                None => vec![variable],
                Some(row) => self.tableau.row(row).nonbasic().map(|entry| entry.0).take(WIDTH).collect(),
            };
            moved +=
                usize::from(candidates.into_iter().any(|nonbasic| self.moves_apart(nonbasic, interface)));
        }
        moved
    }

    /// Moves a nonbasic variable by the first step that makes more of the variables differ.
    fn moves_apart(&mut self, nonbasic: Var, interface: &[Var]) -> bool {
        let before = self.variables[nonbasic].value.clone();
        let distinct = self.distinct(interface);
        for step in STEPS {
            let step = DeltaRational::from(step);
            if !self.can_shift(nonbasic, &step) {
                continue;
            }
            self.update(nonbasic, &before + &step);
            if self.distinct(interface) > distinct {
                return true;
            }
            self.update(nonbasic, before.clone());
        }
        false
    }

    fn distinct(&self, interface: &[Var]) -> usize {
        interface.iter().map(|variable| self.value(*variable)).collect::<FxHashSet<_>>().len()
    }

    /// Whether all bounds hold and all integral integers stay integral after shifting a nonbasic
    /// variable.
    fn can_shift(&self, nonbasic: Var, step: &DeltaRational) -> bool {
        let fits = |variable: Var, change: &DeltaRational| {
            let data = &self.variables[variable];
            let value = &data.value + change;
            data.allows(&value) && (data.kind == Kind::Real || !data.value.is_integer() || value.is_integer())
        };
        fits(nonbasic, step)
            && self.tableau.column(nonbasic).iter().all(|&index| {
                let row = self.tableau.row(index);
                fits(row.basic, &step.scaled(&row.ratio(nonbasic)))
            })
    }

    /// A δ small enough for all bounds, and for different values to stay different.
    fn concrete_delta(&self, values: &[DeltaRational]) -> Rational {
        let mut delta = Rational::ONE;
        let mut narrow = |low: &DeltaRational, high: &DeltaRational| {
            if low.real < high.real && low.delta > high.delta {
                let most = &(&high.real - &low.real) / &(&low.delta - &high.delta);
                if most < delta {
                    delta = most;
                }
            }
        };
        for (data, value) in self.variables.values().zip(values) {
            if let Some(lower) = &data.lower {
                narrow(&lower.value, value);
            }
            if let Some(upper) = &data.upper {
                narrow(value, &upper.value);
            }
        }
        // Values whose real parts are `gap` apart stay different if δ times the difference of their
        // δ-parts is smaller.
        let mut values: Vec<&DeltaRational> = values.iter().collect();
        values.sort_unstable();
        let mut gap: Option<Rational> = None;
        let mut widest = Rational::ZERO;
        for pair in values.windows(2) {
            let distance = &pair[1].real - &pair[0].real;
            if distance.is_positive() && gap.as_ref().is_none_or(|gap| distance < *gap) {
                gap = Some(distance);
            }
        }
        for value in values {
            widest = widest.max(value.delta.abs());
        }
        if let Some(gap) = gap
            && widest.is_positive()
        {
            delta = delta.min(&gap / &(&widest * &Rational::from(4)));
        }
        delta
    }
}

/// The steps by which nonbasic variables are moved to separate variables.
const STEPS: [i64; 8] = [1, -1, 2, -3, 7, -11, 64, -101];

/// The maximum number of nonbasic variables per row that are tried.
const WIDTH: usize = 8;
