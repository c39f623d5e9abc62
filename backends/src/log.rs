//! A log of the assertions on the stack of a prover, by scope.
//!
//! The client of a worker replays the log to a new worker,
//! [`Recording`](crate::wrappers::Recording) writes it to scripts, and
//! [`Checked`](crate::wrappers::Checked) evaluates models on it. These layers wrap one prover, so
//! they share one log: a layer takes the log of the wrapped prover ([`Prover::log`]), or keeps its
//! own if that prover has no log.

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

    /// Closes the innermost scope. Returns whether a scope was open.
    pub(crate) fn pop(&self) -> bool {
        self.0.borrow_mut().pop()
    }

    pub(crate) fn assert(&self, formula: Term) {
        self.0.borrow_mut().assert(formula);
    }

    /// The assertions followed by `assumptions`.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.0.borrow().with(assumptions)
    }

    /// The events that rebuild the stack in a new prover.
    pub(crate) fn replay(&self) -> Vec<Event> {
        self.0.borrow().replay()
    }
}

/// The owner of a log, which writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeper {
    /// The wrapped prover.
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
    /// The log of `inner` if it keeps one, else a new log that the layer keeps.
    pub(crate) fn around(inner: &dyn Prover) -> Self {
        match inner.log() {
            Some(log) => LayerLog { log, keeper: Keeper::Inner },
            None => LayerLog { log: SharedLog::default(), keeper: Keeper::Layer },
        }
    }

    /// Records that the wrapped prover opened a scope.
    pub(crate) fn push(&self) {
        if self.keeper == Keeper::Layer {
            self.log.push();
        }
    }

    /// Records that the wrapped prover closed a scope.
    pub(crate) fn pop(&self) {
        if self.keeper == Keeper::Layer {
            self.log.pop();
        }
    }

    /// Records that the wrapped prover accepted a formula.
    pub(crate) fn assert(&self, formula: Term) {
        if self.keeper == Keeper::Layer {
            self.log.assert(formula);
        }
    }

    /// The assertions followed by `assumptions`.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.log.with(assumptions)
    }

    /// The log, for the layers around this one.
    pub(crate) fn share(&self) -> SharedLog {
        self.log.clone()
    }
}

/// The assertions of all open scopes.
#[derive(Debug, Default)]
struct Log {
    assertions: Vec<Term>,
    /// For each open scope, the number of older assertions.
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

    /// Closes the innermost scope. Returns whether a scope was open.
    fn pop(&mut self) -> bool {
        let older = self.scopes.pop();
        self.assertions.truncate(older.unwrap_or(self.assertions.len()));
        older.is_some()
    }

    fn assert(&mut self, formula: Term) {
        self.assertions.push(formula);
    }

    /// The assertions followed by `assumptions`.
    fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        [&self.assertions, assumptions].concat()
    }

    /// The events that rebuild the stack in a new prover.
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
