//! Facts that travel between runs on the same program while they run.
//!
//! A run sends what it learns about the program, and receives what others have learned, as formulas
//! in [names of the source](crate::names). How they travel is up to the implementation of
//! [`Exchange`], which the caller of an engine supplies; engines only see a [`Link`].
//!
//! | engine | sends | uses what it receives as |
//! |---|---|---|
//! | k-induction, kIkI | auxiliary invariants | candidates of auxiliary invariants |
//! | property-directed reachability | auxiliary invariants; lemmas of the highest level | candidates of lemmas of all levels |
//! | predicate abstraction, UFO | atoms of the facts that refute counterexamples | predicates of the precision |
//! | Impact | the same | candidates of facts to inject |
//!
//! Source: the exchange of invariants between analyses of Beyer, Dangl, Wendler, *Boosting
//! k-Induction with Continuously-Refined Invariants*, CAV 2015. DIVERGENCE: there, the analysis
//! that receives an invariant trusts it.
//!
//! *Soundness.* Nothing that is received is trusted. A predicate only chooses the abstraction, and
//! a candidate becomes a fact when the receiver has proved it inductive in its own system and
//! encoding. So a fact that is false, that is about another program, or that changes its meaning
//! between encodings costs time and no verdict.
//!
//! Limits: facts are about loop heads of programs whose calls can be inlined.

use crate::names::{FormulaReader, SavedPredicate};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The knowledge of the sender about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Status {
    /// It holds in all states, and is inductive together with the other facts of the sender.
    Inductive,
    /// It may hold in all states.
    Candidate,
    /// It holds on some paths.
    PathLocal,
}

/// The number of another run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Sender(pub usize);

/// A formula of another run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The other run.
    pub from: Sender,
    /// Its knowledge about the formula.
    pub status: Status,
    /// The formula.
    pub fact: SavedPredicate,
}

/// The use of a formula that was received.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// It has no meaning here: its place or its variables do not exist.
    Skipped,
    /// It is a predicate of the precision.
    Tracked,
    /// It is proved inductive, and a fact that was not known.
    Proved,
}

/// A connection to other runs.
pub trait Exchange {
    /// The formulas that have arrived since the last call.
    fn receive(&mut self) -> Vec<Received>;

    /// Sends formulas to all others.
    fn send(&mut self, status: Status, facts: Vec<SavedPredicate>);

    /// Counts the use of a formula.
    fn note(&mut self, from: Sender, fate: Fate);

    /// Reads formulas in SMT-LIB. Without a reader, they are skipped.
    fn reader(&self) -> Option<FormulaReader>;
}

/// A shared handle of an [`Exchange`], or none.
#[derive(Clone, Default)]
pub struct Link(Option<Rc<RefCell<dyn Exchange>>>);

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_open() { "Link(open)" } else { "Link(none)" })
    }
}

impl Link {
    /// A link to other runs.
    pub fn new(exchange: Rc<RefCell<dyn Exchange>>) -> Self {
        Link(Some(exchange))
    }

    /// Whether there is a connection.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// See [`Exchange::receive`].
    pub(crate) fn receive(&self) -> Vec<Received> {
        self.0.as_ref().map(|exchange| exchange.borrow_mut().receive()).unwrap_or_default()
    }

    /// See [`Exchange::send`].
    pub(crate) fn send(&self, status: Status, facts: Vec<SavedPredicate>) {
        if let Some(exchange) = &self.0 {
            exchange.borrow_mut().send(status, facts);
        }
    }

    /// See [`Exchange::note`].
    pub(crate) fn note(&self, from: Sender, fate: Fate) {
        if let Some(exchange) = &self.0 {
            exchange.borrow_mut().note(from, fate);
        }
    }

    /// See [`Exchange::reader`].
    pub(crate) fn reader(&self) -> Option<FormulaReader> {
        self.0.as_ref().and_then(|exchange| exchange.borrow().reader())
    }
}
