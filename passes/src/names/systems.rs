//! The names of the states of a transition system.

use super::{FormulaReader, Named, Place, Places, SavedPredicate, SavedScope, Variables, all_names};
use crate::invariants::Fact;
use crate::transitions::TransitionSystem;
use horn::Relation;
use terms::TermPool;
use terms::entity::PrimaryMap;

/// The places of the relations of a transition system, with the names of their arguments. A
/// relation without an origin in the source has none.
pub(crate) struct NamedSystem {
    relations: PrimaryMap<Relation, Option<NamedState>>,
}

/// The states of a relation.
struct NamedState {
    place: Place,
    named: Vec<Named>,
    variables: Variables,
}

impl NamedSystem {
    /// Names the states of `system`, which is the system of the prepared program of `places`.
    pub(crate) fn new(places: &mut Places<'_>, system: &TransitionSystem) -> Self {
        let relations = system.states.iter().map(|(relation, state)| {
            let place = places.of(state.block, true)?;
            let named = places.variables(&place, state.block, system.variables(relation));
            let variables = all_names(named.clone());
            Some(NamedState { place, named, variables })
        });
        NamedSystem { relations: relations.collect() }
    }

    /// The formulas of a predicate at the places in its scope, in the encoding of the system.
    pub(crate) fn read(
        &self,
        pool: &mut TermPool,
        predicate: &SavedPredicate,
        reader: Option<FormulaReader>,
    ) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (at, state) in self.relations.iter() {
            let Some(state) = state else { continue };
            if predicate.scope.has(&state.place)
                && let Ok(formula) = predicate.formula(pool, &state.variables, reader)
            {
                facts.push(Fact { at, formula });
            }
        }
        facts
    }

    /// A fact in names of the source, if it has such names.
    pub(crate) fn print(
        &self,
        pool: &mut TermPool,
        fact: Fact,
        reader: Option<FormulaReader>,
    ) -> Option<SavedPredicate> {
        let state = self.relations[fact.at].as_ref()?;
        SavedPredicate::printed(pool, &state.named, &SavedScope::of(&state.place), fact.formula, reader)
    }
}
