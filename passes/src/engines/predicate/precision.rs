//! Precisions: the predicates tracked at each location.

use super::abstraction::Predicate;
use super::config::Scope;
use imbl::{OrdMap, OrdSet};
use program::ssa::Function;
use views::paths::Location;

/// A mapping from locations to sets of predicates. A persistent value: each state of `reached` has
/// its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Precision {
    local: OrdMap<Location, OrdSet<Predicate>>,
    functions: OrdMap<Function, OrdSet<Predicate>>,
    global: OrdSet<Predicate>,
}

impl Precision {
    /// The predicates at `location` of `function`, ascending.
    pub(crate) fn at(&self, location: Location, function: Option<Function>) -> Vec<Predicate> {
        let mut all = self.global.clone();
        all.extend(self.local.get(&location).into_iter().flatten().copied());
        all.extend(
            function.and_then(|function| self.functions.get(&function)).into_iter().flatten().copied(),
        );
        all.into_iter().collect()
    }

    /// Adds a predicate.
    pub(crate) fn insert(
        &mut self,
        scope: Scope,
        location: Location,
        function: Option<Function>,
        predicate: Predicate,
    ) {
        match (scope, function) {
            (Scope::Function, Some(function)) => {
                self.functions.entry(function).or_default().insert(predicate)
            }
            (Scope::Location | Scope::Function, _) => {
                self.local.entry(location).or_default().insert(predicate)
            }
            (Scope::Global, _) => self.global.insert(predicate),
        };
    }
}
