//! Predicates of other runs that the analysis tracks, and atoms of its own for them.

use super::abstraction::Predicate;
use super::config::Scope;
use super::precision::Precision;
use backends::symbolic::atoms;
use program::ssa::Block;
use terms::{Term, TermPool};
use views::paths::Location;

/// The formulas that an analysis gets from other runs and has for them.
#[derive(Default)]
pub(super) struct Shared {
    /// The predicates of others.
    pub(super) predicates: Vec<(Location, Predicate)>,
    /// Atoms of facts that were not sent yet; `None` if nothing is sent.
    news: Option<Vec<(Block, Term)>>,
}

impl Shared {
    /// Notes atoms from now on.
    pub(super) fn open(&mut self) {
        self.news = Some(Vec::new());
    }

    /// The atoms that were noted since the last call.
    pub(super) fn take_news(&mut self) -> Vec<(Block, Term)> {
        self.news.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Adds the predicates of others to a precision.
    pub(super) fn extend(&self, precision: &mut Precision) {
        for &(location, predicate) in &self.predicates {
            precision.insert(Scope::Location, location, None, predicate);
        }
    }

    /// Notes atoms of a fact about the states at a location.
    pub(super) fn note(&mut self, pool: &TermPool, location: Location, fact: Term) {
        if let (Some(news), Location::Block(block)) = (&mut self.news, location) {
            news.extend(atoms(pool, fact).into_iter().map(|atom| (block, atom)));
        }
    }
}
