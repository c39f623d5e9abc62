//! The simplex method for a conjunction of bounds that changes all the time.
//!
//! Dutertre, de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006. The linear combinations of the problem are
//! variables of their own ("slack"), defined once by the rows of a tableau; what is asserted and taken back are only bounds of
//! single variables. A model satisfies the tableau always, and the bounds of nonbasic variables always; `check` makes basic
//! variables satisfy theirs by pivoting, or ends with a row that shows that it is impossible. Strict
//! bounds are weak ones of pairs ([`DeltaRational`]).
//!
//! DIVERGENCE: combinations are kept up to a factor, as integers without a common divisor, so that `2x + 2y ≤ 5` is a bound of
//! `x + y`; if its variables are integers so is it, and its bounds are rounded when they are asserted.
//!
//! DIVERGENCE: the paper goes back to the last model after a conflict. Here the values stay where the conflict left them,
//! which is as valid, as bounds of nonbasic variables hold anyway; going back was tried, and took up to a third more pivots
//! on random sequences of sparse bounds.
//!
//! DIVERGENCE: a combination has a row only while its variable has bounds, or for ever if bounds were registered for
//! propagation; so cuts and objectives that are no longer in use cost nothing.
//!
//! DIVERGENCE: the leaving variable is the one that is farthest outside its bounds, the entering one that of the shortest
//! column; only after many pivots Bland's rule (least index), which ends always.
//!
//! Cost: a pivot touches all rows of the entering column. There is no bound on the number of pivots that matters in theory; in
//! practice it is about linear in the rows. Backtracking is proportional to the bounds that are taken back.
//!
//! | file | what |
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
    /// What is bounded.
    pub variable: Var,
    /// From which side.
    pub side: Side,
    /// By what. Of an integer variable an integer.
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

/// What asserting a bound did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted {
    /// A bound at least as strong was there before.
    Redundant,
    /// It is the bound now.
    Tightened,
}

/// Variables, bounds and a model: the simplex method for a conjunction of bounds that changes all the time.
///
/// Combinations become variables by [`define`](Self::define); bounds of variables are asserted with reasons and taken back
/// by level; [`check`](Self::check) moves the model until all bounds hold, or says why they cannot.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    variables: PrimaryMap<Var, Variable>,
    /// The variable of a combination that is primitive: integers without a common divisor, the first one positive.
    defined: FxHashMap<Combination, Var>,
    tableau: Tableau,
    trail: Vec<Undo>,
    /// The length of the trail when each level was opened.
    levels: Vec<usize>,
    /// Variables that may have lost their last bound.
    idle: Vec<Var>,
    /// How many of those were still in use when they were looked at last.
    busy: usize,
    /// Basic variables that may be outside their bounds: at least all that are.
    suspects: Vec<Var>,
    propagation: Propagation,
    /// Grows with each change of bounds or tableau.
    revision: u64,
    pivots: u64,
}

#[derive(Clone, Debug)]
struct Variable {
    kind: Kind,
    /// Over variables of the problem. Of one of those, itself.
    definition: Combination,
    row: Presence,
    /// Between the bounds if the variable is nonbasic, what its row says if it is basic, and nothing if it has no place in the
    /// tableau.
    value: DeltaRational,
    lower: Option<Limit>,
    upper: Option<Limit>,
    /// Whether it is among the suspects.
    is_suspect: bool,
}

/// Whether a variable has a place in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// It stands for a combination and has no bounds; it gets a row when it is needed.
    Absent,
    /// As long as it is needed.
    Present,
    /// For ever.
    Pinned,
}

/// A bound that was asserted.
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

    /// Whether the row is not needed now.
    fn is_idle(&self) -> bool {
        self.row == Presence::Present && self.lower.is_none() && self.upper.is_none()
    }

    /// Whether a value is within the bounds.
    fn allows(&self, value: &DeltaRational) -> bool {
        self.lower.as_ref().is_none_or(|limit| *value >= limit.value)
            && self.upper.as_ref().is_none_or(|limit| *value <= limit.value)
    }

    /// Whether the value can go a little to `side` without leaving the bounds.
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

/// So many rows without bounds are kept.
const IDLE: usize = if cfg!(test) { 0 } else { 16 };

/// Whether `value` says at least as much as `other`, on the same side.
fn is_as_strong(side: Side, value: &DeltaRational, other: &DeltaRational) -> bool {
    match side {
        Side::Lower => value >= other,
        Side::Upper => value <= other,
    }
}

impl Simplex {
    /// No variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable of the problem, without bounds.
    pub fn variable(&mut self, kind: Kind) -> Var {
        self.tableau.add_variable();
        let definition = Combination::variable(self.variables.next_key());
        self.add(kind, definition, Presence::Pinned)
    }

    /// The variable that stands for a combination up to a factor: `(v, factor)` with `combination = factor · v`. `None` of 0.
    ///
    /// What is defined stays defined; nothing takes it back. The combination may be over defined variables.
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

    /// The bound that `combination ≤ value`, or `≥`, is, after [`define`](Self::define); rounded if it is of integers.
    /// `None` of 0.
    pub fn bound(&mut self, combination: &Combination, side: Side, value: &DeltaRational) -> Option<Bound> {
        let (variable, factor) = self.define(combination)?;
        let side = side.scaled(&factor);
        let value = self.rounded(variable, side, &value.scaled(&factor.recip()));
        Some(Bound { variable, side, value })
    }

    /// What a bound says, over variables of the problem: what the coefficients of certificates refer to.
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

    /// What holds if `bound` does not.
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

    /// The kind of a variable. One that stands for a combination of integers is an integer.
    pub fn kind(&self, variable: Var) -> Kind {
        self.variables[variable].kind
    }

    /// What a variable stands for, over variables of the problem.
    pub fn definition(&self, variable: Var) -> &Combination {
        &self.variables[variable].definition
    }

    /// All variables, those that stand for combinations too.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Var> + use<> {
        self.variables.keys()
    }

    /// Whether a variable is of the problem, not one that stands for a combination.
    pub fn is_of_problem(&self, variable: Var) -> bool {
        self.definition(variable).entries()[0].0 == variable
    }

    /// The value in the model. Right after a check that found it.
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

    /// The strongest bound that was asserted on a side, and why.
    pub fn asserted(&self, variable: Var, side: Side) -> Option<(&DeltaRational, Reason32)> {
        self.variables[variable].limit(side).map(|limit| (&limit.value, limit.reason))
    }

    /// Each basic variable, and its row: integral coefficients of it and of nonbasic variables, whose sum is 0.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Var, &[(Var, Rational)])> {
        self.tableau.rows().map(|row| (row.basic, &row.entries[..]))
    }

    /// How many pivots were made, ever.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Opens a level of bounds. Returns their number.
    pub fn push(&mut self) -> usize {
        self.levels.push(self.trail.len());
        self.levels.len()
    }

    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Takes back all bounds that were asserted at levels above `level`. What was defined and the values stay.
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

    /// Asserts a bound. If it contradicts the opposite bound of the variable, it is not taken and the result says why not.
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

    /// A bound as strong as one of the variable's kind can be. Of reals, all multiples of δ that make it strict are one.
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

    /// Gives a variable a row, if it has no place in the tableau.
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

    /// Takes rows out whose variables have no bounds, once they are many.
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

    /// Over variables of the problem, as integers without a common divisor, the first one positive; and the factor that
    /// was taken out.
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

    /// Gives a nonbasic variable another value.
    fn update(&mut self, variable: Var, value: DeltaRational) {
        let change = &value - &self.variables[variable].value;
        self.variables[variable].value = value;
        self.shift_rows(variable, &change);
    }

    /// Changes the values of the basic variables as that of a nonbasic one changed.
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

    /// The tightest bound on a side, which the caller knows is there, times `coefficient > 0`.
    fn multiplier(&self, variable: Var, side: Side, coefficient: Rational) -> Multiplier {
        let limit = self.variables[variable].limit(side).expect("the bound of a certificate was asserted");
        Multiplier { coefficient, side, reason: limit.reason }
    }
}
