//! Constrained Horn clauses.
//!
//! A [`System`] says `∀ variables. body ∧ constraint ⇒ head` for each clause; what it comes from is safe iff the predicates have an
//! interpretation that satisfies all of them.
//!
//! The terms may be of any theory: [`System::encode`] translates them, and the sorts of the arguments follow. [`System::print`] writes
//! the format of CHC-COMP.

mod encode;
mod print;

use terms::entity::PrimaryMap;
use terms::{Sort, Term};

terms::entity! {
    /// A predicate symbol of a system (a relation).
    Predicate, "P"
}

/// A set of Horn clauses.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The predicates.
    pub predicates: PrimaryMap<Predicate, PredicateData>,
    /// The clauses; exactly one is a query.
    pub clauses: Vec<Clause>,
}

/// A predicate symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateData {
    /// Unique in the system.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// For people: what holds where; no line breaks.
    pub comment: String,
}

/// An argument place of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// For people.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// `∀ variables. body ∧ constraint ⇒ head`, where the variables are the free symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What is assumed.
    pub body: Vec<Atom>,
    /// A formula without predicates.
    pub constraint: Term,
    /// What follows: `None` for `false`.
    pub head: Option<Atom>,
    /// For people; no line breaks.
    pub comment: String,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which predicate.
    pub predicate: Predicate,
    /// One for each argument place; distinct symbols in systems made from programs.
    pub arguments: Vec<Term>,
}
