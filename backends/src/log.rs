//! What is asserted, by scope: for whoever has to say it again.
//!
//! A worker's client says it to the next worker, records write it, models are evaluated on it. These are layers around one prover, so one log serves
//! them all: a layer asks the prover inside for its log ([`Prover::log`]) and keeps one only where there is none.

use crate::Prover;
use std::cell::RefCell;
use std::rc::Rc;
use terms::Term;

/// The assertions of a prover, shared by the layers around it.
#[derive(Clone, Debug, Default)]
pub struct SharedLog(Rc<RefCell<Log>>);

impl SharedLog {
    pub(crate) fn push(&self) {
        self.0.borrow_mut().push();
    }

    /// Closes the innermost scope. Whether there was one.
    pub(crate) fn pop(&self) -> bool {
        self.0.borrow_mut().pop()
    }

    pub(crate) fn assert(&self, formula: Term) {
        self.0.borrow_mut().assert(formula);
    }

    /// The assertions, then `assumptions`.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.0.borrow().with(assumptions)
    }

    /// What makes a new prover know the same.
    pub(crate) fn replay(&self) -> Vec<Event> {
        self.0.borrow().replay()
    }
}

/// Who writes a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeper {
    /// The prover inside.
    Inner,
    /// The layer itself.
    Layer,
}

/// The log of a layer around a prover.
#[derive(Debug)]
pub(crate) struct LayerLog {
    log: SharedLog,
    keeper: Keeper,
}

impl LayerLog {
    /// The log of `inner`, or one that the layer keeps.
    pub(crate) fn around(inner: &dyn Prover) -> Self {
        match inner.log() {
            Some(log) => LayerLog { log, keeper: Keeper::Inner },
            None => LayerLog { log: SharedLog::default(), keeper: Keeper::Layer },
        }
    }

    /// After the prover inside opened a scope.
    pub(crate) fn push(&self) {
        if self.keeper == Keeper::Layer {
            self.log.push();
        }
    }

    /// After the prover inside closed a scope.
    pub(crate) fn pop(&self) {
        if self.keeper == Keeper::Layer {
            self.log.pop();
        }
    }

    /// After the prover inside took a formula.
    pub(crate) fn assert(&self, formula: Term) {
        if self.keeper == Keeper::Layer {
            self.log.assert(formula);
        }
    }

    /// The assertions, then `assumptions`.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.log.with(assumptions)
    }

    /// For the layers around this one.
    pub(crate) fn share(&self) -> SharedLog {
        self.log.clone()
    }
}

/// The assertions of all open scopes.
#[derive(Debug, Default)]
struct Log {
    assertions: Vec<Term>,
    /// For each open scope, how many assertions are older.
    scopes: Vec<usize>,
}

/// One entry of a [`Log`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A scope was opened.
    Push,
    /// A formula was asserted.
    Assert(Term),
}

impl Log {
    fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    /// Closes the innermost scope. Whether there was one.
    fn pop(&mut self) -> bool {
        let older = self.scopes.pop();
        self.assertions.truncate(older.unwrap_or(self.assertions.len()));
        older.is_some()
    }

    fn assert(&mut self, formula: Term) {
        self.assertions.push(formula);
    }

    /// The assertions, then `assumptions`.
    fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        [&self.assertions, assumptions].concat()
    }

    /// What makes a new prover know the same.
    fn replay(&self) -> Vec<Event> {
        let mut events = Vec::with_capacity(self.assertions.len() + self.scopes.len());
        let mut older = 0;
        for &scope in &self.scopes {
            events.extend(self.assertions[older..scope].iter().copied().map(Event::Assert));
            events.push(Event::Push);
            older = scope;
        }
        events.extend(self.assertions[older..].iter().copied().map(Event::Assert));
        events
    }
}
