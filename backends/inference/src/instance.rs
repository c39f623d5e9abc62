//! Formulas about relations as formulas over the symbols of clauses.

use horn::{Atom, ClauseData, System};
use rustc_hash::FxHashMap;
use terms::{Substitution, Term, TermPool};

/// A renaming of the symbols of a relation. It keeps its results.
pub(crate) struct Instance(Option<Substitution>);

impl Instance {
    /// To the arguments of `atom`.
    pub(crate) fn of(system: &System, atom: &Atom) -> Self {
        Instance::new(system, atom, |argument| argument)
    }

    /// To the arguments of the head of `clause`, or their values where the clause determines them.
    pub(crate) fn of_head(system: &System, clause: &ClauseData) -> Self {
        let values: FxHashMap<Term, Term> =
            clause.updates.values().filter_map(|update| Some((update.after, update.value?))).collect();
        match &clause.head {
            Some(head) => {
                Instance::new(system, head, |argument| values.get(&argument).copied().unwrap_or(argument))
            }
            None => Instance(None),
        }
    }

    fn new(system: &System, atom: &Atom, image: impl Fn(Term) -> Term) -> Self {
        let mut substitution = Substitution::new();
        let mut is_identity = true;
        for (symbol, &argument) in system.relations[atom.relation].symbols().zip(&atom.arguments) {
            let image = image(argument);
            if image != symbol {
                is_identity = false;
                substitution.insert(symbol, image);
            }
        }
        Instance((!is_identity).then_some(substitution))
    }

    /// The image of `term`.
    pub(crate) fn apply(&mut self, pool: &mut TermPool, term: Term) -> Term {
        self.0.as_mut().map_or(term, |substitution| substitution.apply(pool, term))
    }
}
