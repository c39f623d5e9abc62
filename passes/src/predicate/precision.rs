//! Precisions: which predicates are tracked where.

use super::abstraction::Predicate;
use imbl::{OrdMap, OrdSet};
use ir::views::paths::Place;

/// Where a predicate that was found at one place is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Scope {
    /// At that place.
    Location,
    /// At all places of the same function.
    Function,
    /// Everywhere.
    Global,
}

/// A mapping from places to sets of predicates. It is a persistent value: each state of `reached` has its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Precision {
    local: OrdMap<Place, OrdSet<Predicate>>,
    /// By name of the function.
    functions: OrdMap<String, OrdSet<Predicate>>,
    global: OrdSet<Predicate>,
}

impl Precision {
    /// The predicates at `place` of `function`, ascending.
    pub(crate) fn at(&self, place: Place, function: &str) -> Vec<Predicate> {
        let mut all = self.global.clone();
        all.extend(self.local.get(&place).into_iter().flatten().copied());
        all.extend(self.functions.get(function).into_iter().flatten().copied());
        all.into_iter().collect()
    }

    /// Adds a predicate.
    pub(crate) fn insert(&mut self, scope: Scope, place: Place, function: &str, predicate: Predicate) {
        match scope {
            Scope::Location => self.local.entry(place).or_default().insert(predicate),
            Scope::Function => self.functions.entry(function.to_owned()).or_default().insert(predicate),
            Scope::Global => self.global.insert(predicate),
        };
    }

    /// Adds the predicates of another.
    pub(crate) fn join(&mut self, other: &Precision) {
        let union = |a: OrdSet<Predicate>, b: OrdSet<Predicate>| a.union(b);
        self.local = std::mem::take(&mut self.local).union_with(other.local.clone(), union);
        self.functions = std::mem::take(&mut self.functions).union_with(other.functions.clone(), union);
        self.global.extend(other.global.iter().copied());
    }
}
