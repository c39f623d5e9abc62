//! Reversal of linear systems: facts and queries change places, and clauses their directions.
//!
//! A clause `R(x) ∧ φ ⇒ H(x')` becomes `H(x') ∧ φ ⇒ R(x)`, a fact `φ ⇒ H(x')` the query
//! `H(x') ∧ φ ⇒ false`, and a query a fact. The derivable atoms of the new system are those from
//! which a query of the old one can be derived, so an engine that goes forward goes backward, and
//! the invariants that it looks for are those of the complement. This is the query-answer
//! transformation for linear clauses (Kafle and Gallagher, *Horn Clause Verification with Convex
//! Polyhedral Abstraction and Tree Automata-Based Refinement*, 2017) without answers; reversed
//! transition systems are found in De Angelis, Fioravanti, Pettorossi and Proietti, *Program
//! Verification via Iterated Specialization*, SCP 2014.
//!
//! *Models* are negated: a state from which no query can be reached. *Derivations* are reversed.
//!
//! Cost: linear. A nonlinear system remains as it is.

use super::Transformed;
use super::back::{Back, Definition, History, Made, Order, Part, Source, kept, symbols};
use horn::{Normalizer, System};
use terms::TermPool;
use terms::entity::PrimaryMap;

pub(super) fn reverse(pool: &mut TermPool, old: &System) -> Transformed {
    if !old.is_linear() {
        return unchanged(pool, old);
    }
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut normalizer = Normalizer::of(old);
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    for (clause, data) in old.clauses.iter() {
        system.clauses.push(normalizer.clause(pool, old, &data.reversed(), data.origin.clone()));
        let images = symbols(pool, data).into_iter().map(|symbol| {
            let term = pool.symbol_term(symbol);
            (symbol, normalizer.image(pool, term))
        });
        let images = images.collect();
        sources.push(history.add(Made::Copy(Part { source: Source::Old(clause), images })));
    }
    let definitions =
        old.relations.keys().map(|relation| (relation, Definition::Negation(relation))).collect();
    let back = Back { old: old.clone(), order: Order::Backward, definitions, history, sources };
    Transformed { system, back }
}

/// The result of a pass that does not apply.
pub(super) fn unchanged(pool: &TermPool, old: &System) -> Transformed {
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    let sources = old.clauses.keys().map(Source::Old).collect();
    let back = Back { old: old.clone(), definitions, sources, ..Back::default() };
    Transformed { system: old.clone(), back }
}
