//! The interface of an abstract domain.
//!
//! Marušák, *Generic Template-Based Synthesis of Program Abstractions*, Master's thesis, Brno
//! University of Technology, 2019, §5.1, whose names the methods have. A domain consists of *rows*,
//! each a template with a parameter at one relation. The [solver](crate::solver) queries for states
//! that violate rows and lets the domain weaken those.
//!
//! DIVERGENCE from the thesis:
//!
//! * The thesis has one formula for a whole procedure, in which guards select the places. Here the
//!   relations of a Horn system are the places, so a row belongs to a relation, and its guard is
//!   that the relation has a state: without one, the row is `false`.
//! * `make_not_post_constraints` returns formulas and the solver negates them, because it also
//!   evaluates them to find the violated rows of a model.
//! * `has_something_to_solve` and `make_permanent` are not needed: no domain here is a set of
//!   formulas that are checked one by one.

use horn::{Clause, Relation};
use terms::{Term, TermPool, Value};

/// A row of a domain.
///
/// Row 0 of each domain stands for the emptiness of a relation: its template is `false`, and
/// [editing](Domain::edit_row) it makes the other rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row(pub u64);

impl Row {
    /// The row that is violated by the first state of a relation.
    pub const FIRST: Row = Row(0);

    /// The row as one of a domain that consists of `parts` domains, of which `part` owns it.
    #[must_use]
    pub fn of_part(self, part: usize, parts: usize) -> Row {
        Row(self.0 * parts as u64 + part as u64)
    }

    /// The part that owns the row, of `parts`, and the row there.
    #[must_use]
    pub fn part(self, parts: usize) -> (usize, Row) {
        let parts = parts as u64;
        ((self.0 % parts) as usize, Row(self.0 / parts))
    }
}

/// A clause with the relation of its head: where new states come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The clause.
    pub clause: Clause,
    /// The relation of its head.
    pub head: Relation,
}

/// The counts of a domain.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Counts {
    /// The rows made so far.
    pub rows: usize,
    /// How often a row changed.
    pub changes: usize,
    /// The rows that are suspended.
    pub suspended: usize,
}

/// An abstract domain over the relations of a system, see the [module](self).
///
/// Formulas and terms are over the symbols of the relation in question.
pub trait Domain {
    /// The name, as in [`Spec`](crate::Spec).
    fn name(&self) -> String;

    /// `T(x, d)`: a conjunction; only `false` if the relation has no state.
    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term>;

    /// For each row that a state at the head of `edge` may violate, its formula.
    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)>;

    /// The terms whose values [`edit_row`](Self::edit_row) needs.
    fn get_required_values(&self, pool: &mut TermPool, edge: Edge, row: Row) -> Vec<Term>;

    /// Passes the values of the required terms in a state.
    fn set_values(&mut self, values: Vec<Value>);

    /// Weakens a row, so that the state with the [passed values](Self::set_values) satisfies it.
    /// Returns whether it changed.
    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool;

    /// Ignores a row whose query was not decided: its template becomes `true`.
    fn suspend(&mut self, row: Row);

    /// Called whenever the templates are inductive: strengthens rows on trial that were weakened
    /// beyond the states seen. A row on trial that is violated becomes what it was. Returns whether
    /// any row is on trial.
    fn not_satisfiable(&mut self) -> bool {
        false
    }

    /// The counts of each domain without parts, with its name.
    fn counts(&self) -> Vec<(String, Counts)>;
}
