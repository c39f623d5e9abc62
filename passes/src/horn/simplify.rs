//! Simplification of constraints: inner symbols that equations determine are replaced
//! (`equations`), and a clause whose constraint folds to false is removed.
//!
//! Cost: that of the equations.

use super::Transformed;
use super::back::{Back, History, Made, Part, Source, kept, symbols};
use super::equations::solve;
use horn::{ClauseData, System, Updates};
use rustc_hash::FxHashMap;
use terms::TermPool;
use terms::entity::PrimaryMap;

pub(super) fn simplify(pool: &mut TermPool, old: &System) -> Transformed {
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut history = History::default();
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        let mut values = FxHashMap::default();
        let constraint = solve(pool, data.constraint, &data.inner, &mut values);
        if constraint == pool.fls() {
            continue;
        }
        if constraint == data.constraint {
            system.clauses.push(data.clone());
            sources.push(Source::Old(clause));
            continue;
        }
        let updates: Updates = data
            .updates
            .iter()
            .map(|(&before, update)| (before, horn::Update { after: update.after, value: None }))
            .collect();
        let head = (data.head.clone(), updates);
        let origin = data.origin.clone();
        let new = ClauseData::from_constraint(pool, data.body.clone(), constraint, head, origin);
        let images = symbols(pool, data).into_iter().map(|symbol| {
            let term = pool.symbol_term(symbol);
            (symbol, values.get(&term).copied().unwrap_or(term))
        });
        let images = images.collect();
        let main = Part { source: Source::Old(clause), images };
        sources.push(history.add(Made::Copy(main)));
        system.clauses.push(new);
    }
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    Transformed { system, back: Back { old: old.clone(), definitions, history, sources, ..Back::default() } }
}
