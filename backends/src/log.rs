//! What is asserted, by scope: for whoever has to say it again.

use terms::Term;

/// The assertions of all open scopes.
#[derive(Debug, Default)]
pub(crate) struct Log {
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
    pub(crate) fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    /// Closes the innermost scope. Whether there was one.
    pub(crate) fn pop(&mut self) -> bool {
        let older = self.scopes.pop();
        self.assertions.truncate(older.unwrap_or(self.assertions.len()));
        older.is_some()
    }

    pub(crate) fn assert(&mut self, formula: Term) {
        self.assertions.push(formula);
    }

    /// The assertions, then `assumptions`.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        [&self.assertions, assumptions].concat()
    }

    /// What makes a new prover know the same.
    pub(crate) fn replay(&self) -> Vec<Event> {
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
