//! What is asserted, by scope.

use crate::AssertionId;
use terms::Term;

/// The assertions of all open scopes with their numbers, ascending.
#[derive(Debug, Default)]
pub(super) struct Log {
    live: Vec<(AssertionId, Term)>,
    /// For each open scope, how many assertions are older.
    scopes: Vec<usize>,
}

impl Log {
    pub(super) fn push(&mut self) {
        self.scopes.push(self.live.len());
    }

    pub(super) fn pop(&mut self) {
        if let Some(older) = self.scopes.pop() {
            self.live.truncate(older);
        }
    }

    pub(super) fn assert(&mut self, id: AssertionId, formula: Term) {
        self.live.push((id, formula));
    }

    /// The assertions, then `assumptions`.
    pub(super) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        self.live.iter().map(|&(_, formula)| formula).chain(assumptions.iter().copied()).collect()
    }

    pub(super) fn live(&self) -> &[(AssertionId, Term)] {
        &self.live
    }
}
