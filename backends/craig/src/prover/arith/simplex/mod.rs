//! An incremental simplex method for conjunctions of bounds.
//!
//! Dutertre, de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006. The linear
//! combinations of the problem are variables of their own ("slack"), defined once by the rows of a
//! tableau; only bounds of single variables are asserted and retracted. The model always satisfies
//! the tableau and the bounds of nonbasic variables. `check` pivots until the basic variables
//! satisfy their bounds, or ends with a row that shows infeasibility. Strict bounds are weak bounds
//! of pairs ([`DeltaRational`]).
//!
//! DIVERGENCE: combinations are normalized up to a factor, to coprime integers, so that
//! `2x + 2y ≤ 5` is a bound of `x + y`. If the variables are integers, so is the combination, and
//! its bounds are rounded when they are asserted.
//!
//! DIVERGENCE: the paper returns to the last model after a conflict. Here the values stay where the
//! conflict left them, which is equally valid because the bounds of nonbasic variables hold anyway.
//! Returning was tried, and took up to a third more pivots on random sequences of sparse bounds.
//!
//! DIVERGENCE: a combination has a row only while its variable has bounds, or permanently if bounds
//! were registered for propagation. Cuts and objectives that are no longer in use therefore cost
//! nothing.
//!
//! DIVERGENCE: the leaving variable is the one with the largest violation, the entering one has the
//! shortest column. After many pivots Bland's rule (least index) takes over, which terminates.
//!
//! # Cost
//! A pivot touches all rows of the entering column. The number of pivots has no useful theoretical
//! bound; in practice it is roughly linear in the number of rows. Backtracking takes time
//! proportional to the retracted bounds.
//!
//! | file | content |
//! |---|---|
//! | `tableau` | rows and columns, pivots |
//! | `check` | feasibility |
//! | `optimize` | maxima of combinations |
//! | `propagate` | implied bounds |
//! | `model` | concrete values, equal variables |

mod check;
mod model;
mod optimize;
mod propagate;
mod tableau;

pub use check::Feasibility;
pub use model::Fixed;
pub use optimize::Optimum;
pub use propagate::Implied;

use super::{
    Certificate, Combination, DeltaRational, Kind, Multiplier, Premise, Rational, Reason32, Relation, Side,
    Var,
};
use propagate::Propagation;
use rustc_hash::FxHashMap;
use std::fmt;
use tableau::Tableau;
use terms::entity::PrimaryMap;

/// A bound of a variable, without reason: `variable ≤ value` or `variable ≥ value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The bounded variable.
    pub variable: Var,
    /// The side of the bound.
    pub side: Side,
    /// The value; an integer for integer variables.
    pub value: DeltaRational,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.side {
            Side::Lower => "≥",
            Side::Upper => "≤",
        };
        write!(f, "{} {relation} {}", self.variable, self.value)
    }
}

/// The effect of asserting a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted {
    /// A bound at least as strong already held.
    Redundant,
    /// The bound is now the strongest.
    Tightened,
}

/// An incremental simplex solver: variables, bounds and a model.
///
/// [`define`](Self::define) turns combinations into variables. Bounds of variables are asserted
/// with reasons and retracted by level. [`check`](Self::check) repairs the model until all bounds
/// hold, or explains why they cannot.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    variables: PrimaryMap<Var, Variable>,
    /// The variable of each primitive combination: coprime integer coefficients, the first one
    /// positive.
    defined: FxHashMap<Combination, Var>,
    tableau: Tableau,
    trail: Vec<Undo>,
    /// The length of the trail when each level was opened.
    levels: Vec<usize>,
    /// Variables that may have lost their last bound.
    idle: Vec<Var>,
    /// The number of `idle` variables that were still in use at the last cleanup.
    busy: usize,
    /// A superset of the basic variables outside of their bounds.
    suspects: Vec<Var>,
    propagation: Propagation,
    /// Increases with each change of bounds or tableau.
    revision: u64,
    pivots: u64,
}

#[derive(Clone, Debug)]
struct Variable {
    kind: Kind,
    /// The definition over variables of the problem; for those, the variable itself.
    definition: Combination,
    row: Presence,
    /// Within the bounds for a nonbasic variable, determined by the row for a basic one, and
    /// meaningless for a variable outside of the tableau.
    value: DeltaRational,
    lower: Option<Limit>,
    upper: Option<Limit>,
    /// Whether the variable is among the suspects.
    is_suspect: bool,
}

/// Whether a variable is in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// A combination without bounds; it gets a row on demand.
    Absent,
    /// While it is needed.
    Present,
    /// Permanently.
    Pinned,
}

/// An asserted bound.
#[derive(Clone, Debug)]
struct Limit {
    value: DeltaRational,
    reason: Reason32,
}

#[derive(Clone, Debug)]
struct Undo {
    variable: Var,
    side: Side,
    before: Option<Limit>,
}

impl Variable {
    fn limit(&self, side: Side) -> Option<&Limit> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    fn limit_mut(&mut self, side: Side) -> &mut Option<Limit> {
        match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        }
    }

    /// Whether the row is currently unneeded.
    fn is_idle(&self) -> bool {
        self.row == Presence::Present && self.lower.is_none() && self.upper.is_none()
    }

    /// Whether a value is within the bounds.
    fn allows(&self, value: &DeltaRational) -> bool {
        self.lower.as_ref().is_none_or(|limit| *value >= limit.value)
            && self.upper.as_ref().is_none_or(|limit| *value <= limit.value)
    }

    /// Whether the value can move toward `side` without leaving the bounds.
    fn has_room(&self, side: Side) -> bool {
        self.limit(side).is_none_or(|limit| match side {
            Side::Lower => self.value > limit.value,
            Side::Upper => self.value < limit.value,
        })
    }

    /// The side on which the value is out of bounds.
    fn violated(&self) -> Option<Side> {
        if self.lower.as_ref().is_some_and(|limit| self.value < limit.value) {
            Some(Side::Lower)
        } else if self.upper.as_ref().is_some_and(|limit| self.value > limit.value) {
            Some(Side::Upper)
        } else {
            None
        }
    }
}

/// The number of rows without bounds that are kept.
const IDLE: usize = if cfg!(test) { 0 } else { 16 };

/// Whether `value` is at least as strong as `other`, on the same side.
fn is_as_strong(side: Side, value: &DeltaRational, other: &DeltaRational) -> bool {
    match side {
        Side::Lower => value >= other,
        Side::Upper => value <= other,
    }
}

impl Simplex {
    /// Creates a solver without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a variable of the problem, without bounds.
    pub fn variable(&mut self, kind: Kind) -> Var {
        self.tableau.add_variable();
        let definition = Combination::variable(self.variables.next_key());
        self.add(kind, definition, Presence::Pinned)
    }

    /// The variable of a combination up to a factor: `(v, factor)` with `combination = factor · v`.
    /// `None` for 0.
    ///
    /// Definitions are permanent. The combination may contain defined variables.
    pub fn define(&mut self, combination: &Combination) -> Option<(Var, Rational)> {
        let (primitive, factor) = self.primitive(combination)?;
        if let [(variable, _)] = primitive.entries() {
            return Some((*variable, factor));
        }
        if let Some(variable) = self.defined.get(&primitive) {
            return Some((*variable, factor));
        }
        let is_integer = primitive.entries().iter().all(|(variable, _)| self.kind(*variable) == Kind::Int);
        let kind = if is_integer { Kind::Int } else { Kind::Real };
        self.tableau.add_variable();
        let variable = self.add(kind, primitive.clone(), Presence::Absent);
        self.defined.insert(primitive, variable);
        Some((variable, factor))
    }

    /// The bound `combination ≤ value`, or `≥`, as a bound of the variable of
    /// [`define`](Self::define); rounded for integers. `None` for 0.
    pub fn bound(&mut self, combination: &Combination, side: Side, value: &DeltaRational) -> Option<Bound> {
        let (variable, factor) = self.define(combination)?;
        let side = side.scaled(&factor);
        let value = self.rounded(variable, side, &value.scaled(&factor.recip()));
        Some(Bound { variable, side, value })
    }

    /// The premise of a bound, over variables of the problem. The multipliers of certificates refer
    /// to it.
    pub fn premise(&self, bound: &Bound) -> Premise {
        let relation = match (bound.side, bound.value.delta.is_zero()) {
            (Side::Upper, true) => Relation::AtMost,
            (Side::Upper, false) => Relation::Less,
            (Side::Lower, true) => Relation::AtLeast,
            (Side::Lower, false) => Relation::Greater,
        };
        Premise {
            form: self.definition(bound.variable).clone(),
            relation,
            constant: bound.value.real.clone(),
        }
    }

    /// The negation of `bound`.
    pub fn negation(&self, bound: &Bound) -> Bound {
        let side = bound.side.opposite();
        let step = match (self.kind(bound.variable), side) {
            (Kind::Int, Side::Lower) => DeltaRational::from(1),
            (Kind::Int, Side::Upper) => DeltaRational::from(-1),
            (Kind::Real, Side::Lower) => DeltaRational::new(Rational::ZERO, Rational::ONE),
            (Kind::Real, Side::Upper) => DeltaRational::new(Rational::ZERO, Rational::MINUS_ONE),
        };
        let value = &self.rounded(bound.variable, bound.side, &bound.value) + &step;
        Bound { variable: bound.variable, side, value }
    }

    /// The kind of a variable. A variable that stands for an integral combination of integers is an
    /// integer.
    pub fn kind(&self, variable: Var) -> Kind {
        self.variables[variable].kind
    }

    /// The definition of a variable, over variables of the problem.
    pub fn definition(&self, variable: Var) -> &Combination {
        &self.variables[variable].definition
    }

    /// All variables, including those that stand for combinations.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Var> + use<> {
        self.variables.keys()
    }

    /// Whether a variable belongs to the problem and does not stand for a combination.
    pub fn is_of_problem(&self, variable: Var) -> bool {
        self.definition(variable).entries()[0].0 == variable
    }

    /// The value in the model. Valid right after a check that found it.
    pub fn value(&self, variable: Var) -> DeltaRational {
        let data = &self.variables[variable];
        match data.row {
            Presence::Absent => self.value_of(&data.definition),
            Presence::Present | Presence::Pinned => data.value.clone(),
        }
    }

    /// The value of a combination in the model.
    pub fn value_of(&self, combination: &Combination) -> DeltaRational {
        let mut value = DeltaRational::default();
        for (variable, coefficient) in combination.entries() {
            value.add_product(coefficient, &self.value(*variable));
        }
        value
    }

    /// The strongest asserted bound of a side, with its reason.
    pub fn asserted(&self, variable: Var, side: Side) -> Option<(&DeltaRational, Reason32)> {
        self.variables[variable].limit(side).map(|limit| (&limit.value, limit.reason))
    }

    /// Each basic variable with its row: integral coefficients of it and of nonbasic variables,
    /// whose sum is 0.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Var, &[(Var, Rational)])> {
        self.tableau.rows().map(|row| (row.basic, &row.entries[..]))
    }

    /// The total number of pivots.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Opens a level of bounds. Returns the number of levels.
    pub fn push(&mut self) -> usize {
        self.levels.push(self.trail.len());
        self.levels.len()
    }

    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Retracts all bounds that were asserted at levels above `level`. Definitions and values stay.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&length) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        for undo in self.trail.drain(length..).rev() {
            let data = &mut self.variables[undo.variable];
            *data.limit_mut(undo.side) = undo.before;
            if data.is_idle() {
                self.idle.push(undo.variable);
            }
        }
        self.revision += 1;
        self.propagation.forget();
    }

    /// Asserts a bound. If it contradicts the opposite bound of the variable, the bound is rejected
    /// with a certificate.
    pub fn assert_bound(&mut self, bound: &Bound, reason: Reason32) -> Result<Asserted, Certificate> {
        let (variable, side) = (bound.variable, bound.side);
        let value = self.rounded(variable, side, &bound.value);
        let data = &self.variables[variable];
        if data.limit(side).is_some_and(|limit| is_as_strong(side, &limit.value, &value)) {
            return Ok(Asserted::Redundant);
        }
        if let Some(limit) = data.limit(side.opposite())
            && !is_as_strong(side, &limit.value, &value)
        {
            let one = |side, reason| Multiplier { coefficient: Rational::ONE, side, reason };
            return Err(Certificate::Farkas(vec![one(side, reason), one(side.opposite(), limit.reason)]));
        }
        self.activate(variable);
        let data = &self.variables[variable];
        self.revision += 1;
        self.propagation.note(variable, side, data.limit(side).map(|limit| &limit.value));
        let is_outside = match side {
            Side::Lower => data.value < value,
            Side::Upper => data.value > value,
        };
        if is_outside {
            if self.tableau.is_basic(variable) {
                self.suspect(variable);
            } else {
                self.update(variable, value.clone());
            }
        }
        let limit = self.variables[variable].limit_mut(side);
        let before = limit.replace(Limit { value, reason });
        self.trail.push(Undo { variable, side, before });
        Ok(Asserted::Tightened)
    }

    /// Strengthens a bound to the strongest equivalent one for the variable's kind. For reals, all
    /// multiples of δ that make it strict are equivalent.
    fn rounded(&self, variable: Var, side: Side, value: &DeltaRational) -> DeltaRational {
        match (self.kind(variable), side) {
            (Kind::Int, Side::Lower) => value.ceil().into(),
            (Kind::Int, Side::Upper) => value.floor().into(),
            (Kind::Real, Side::Lower) if value.delta.is_positive() => {
                DeltaRational::above(value.real.clone())
            }
            (Kind::Real, Side::Upper) if value.delta.is_negative() => {
                DeltaRational::below(value.real.clone())
            }
            (Kind::Real, _) => value.real.clone().into(),
        }
    }

    fn add(&mut self, kind: Kind, definition: Combination, row: Presence) -> Var {
        let (lower, upper, value) = (None, None, DeltaRational::default());
        self.variables.push(Variable { kind, definition, row, value, lower, upper, is_suspect: false })
    }

    /// Adds the row of a variable that is absent from the tableau.
    fn activate(&mut self, variable: Var) {
        if self.variables[variable].row == Presence::Absent {
            let value = self.value(variable);
            let data = &mut self.variables[variable];
            data.value = value;
            data.row = Presence::Present;
            self.tableau.add_row(variable, &data.definition);
            self.revision += 1;
        }
    }

    /// Removes the rows of variables without bounds, once there are many.
    fn rest(&mut self) {
        if self.idle.len() <= 2 * self.busy + IDLE + self.tableau.len() / 4 {
            return;
        }
        let mut idle = std::mem::take(&mut self.idle);
        idle.sort_unstable();
        idle.dedup();
        idle.retain(|&variable| {
            let data = &mut self.variables[variable];
            if data.is_idle() && self.tableau.is_basic(variable) {
                data.row = Presence::Absent;
                self.tableau.remove_row(variable);
                self.revision += 1;
            }
            data.is_idle()
        });
        self.busy = idle.len();
        self.idle = idle;
    }

    /// The combination over variables of the problem, with coprime integer coefficients and a
    /// positive first one, and the extracted factor.
    fn primitive(&self, combination: &Combination) -> Option<(Combination, Rational)> {
        let mut original = Combination::zero();
        for (variable, coefficient) in combination.entries() {
            original.add_scaled(coefficient, self.definition(*variable));
        }
        let (_, first) = original.entries().first()?;
        let content = original.content();
        let factor = if first.is_negative() { -content } else { content };
        Some((original.scaled(&factor.recip()), factor))
    }

    /// Changes the value of a nonbasic variable.
    fn update(&mut self, variable: Var, value: DeltaRational) {
        let change = &value - &self.variables[variable].value;
        self.variables[variable].value = value;
        self.shift_rows(variable, &change);
    }

    /// Updates the values of the basic variables after a nonbasic variable changed.
    fn shift_rows(&mut self, variable: Var, change: &DeltaRational) {
        for &index in self.tableau.column(variable) {
            let row = self.tableau.row(index);
            let basic = &mut self.variables[row.basic];
            basic.value.add_product(&row.ratio(variable), change);
            if !basic.is_suspect && basic.violated().is_some() {
                basic.is_suspect = true;
                self.suspects.push(row.basic);
            }
        }
    }

    fn suspect(&mut self, variable: Var) {
        let data = &mut self.variables[variable];
        if !data.is_suspect {
            data.is_suspect = true;
            self.suspects.push(variable);
        }
    }

    /// The strongest bound of a side, which must exist, times `coefficient > 0`.
    fn multiplier(&self, variable: Var, side: Side, coefficient: Rational) -> Multiplier {
        let limit = self.variables[variable].limit(side).expect("the bound of a certificate was asserted");
        Multiplier { coefficient, side, reason: limit.reason }
    }
}
