//! Splitting of relations by constants: an argument with a few constants, such as the program
//! counter of a transition system, becomes the choice of a relation.
//!
//! A relation `R(pc, x)` becomes a relation `R_c(x)` for each constant `c` that `pc` has in a
//! derivable atom, and each clause one clause for each choice of constants in its body under which
//! its constraint is not false. So the control flow that was encoded in data is in the graph of
//! relations again, where other passes and engines see it. This is predicate splitting (De Angelis,
//! Fioravanti, Pettorossi and Proietti, *Program Verification via Iterated Specialization*, SCP
//! 2014: specialization with one version of a predicate for each constant).
//!
//! Each relation is split by the argument with the most constants, if every clause derives a
//! constant for it, or the constant that a split argument of its body has.
//!
//! Cost: linear in the clauses that are made. At most [`MAX_CONSTANTS`] relations are made of one,
//! and at most [`MAX_CLAUSES`] clauses.

use super::Transformed;
use super::arguments::project;
use super::back::{Back, Definition, Source};
use super::constants::{Known, constants};
use horn::{Atom, ClauseData, Relation, RelationData, System};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The most constants of an argument.
const MAX_CONSTANTS: usize = 64;
/// The most clauses that are made of one.
const MAX_CLAUSES: usize = 4096;

/// The argument by which each split relation is split, and its constants.
type Splits = FxHashMap<Relation, (usize, Vec<Term>)>;

pub(super) fn split(pool: &mut TermPool, old: &System) -> Transformed {
    let splits = choose(pool, old);
    let mut names: FxHashSet<String> = old.relations.values().map(|data| data.name.clone()).collect();
    let mut system = System::default();
    let mut versions: FxHashMap<(Relation, Option<Term>), Relation> = FxHashMap::default();
    let mut definitions = Vec::new();
    for (relation, data) in old.relations.iter() {
        let Some((place, values)) = splits.get(&relation) else {
            let new = system.relations.push(data.clone());
            versions.insert((relation, None), new);
            definitions.push((relation, super::back::kept(pool, new)));
            continue;
        };
        let symbol = data.arguments[*place].symbol;
        let mut cases = Vec::new();
        for &value in values {
            let mut name = format!("{}.{}", data.name, pool.display(value)).replace(['|', '\\'], "_");
            while !names.insert(name.clone()) {
                name.push('\'');
            }
            let mut arguments = data.arguments.clone();
            arguments.remove(*place);
            let new = system.relations.push(RelationData { name, arguments, origin: data.origin.clone() });
            versions.insert((relation, Some(value)), new);
            cases.push((new, pool.eq(symbol, value)));
        }
        definitions.push((relation, Definition::Cases(cases)));
    }
    let is_kept =
        |relation: Relation, place: usize| splits.get(&relation).is_none_or(|&(split, _)| split != place);
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        for values in choices(&splits, data) {
            let constant = |term: Term| values.get(&term).copied().unwrap_or(term);
            let guard = pool.map_leaves(data.guard, &mut |_, leaf| values.get(&leaf).copied());
            if guard == pool.fls() {
                continue;
            }
            let version = |atom: &Atom| {
                let place = splits.get(&atom.relation).map(|&(place, _)| place);
                versions[&(atom.relation, place.map(|place| constant(atom.arguments[place])))]
            };
            let body: Vec<Relation> = data.body.iter().map(version).collect();
            let head = data.head.as_ref().map(|atom| {
                let place = splits.get(&atom.relation).map(|&(place, _)| place);
                versions[&(atom.relation, place.map(|place| constant(derived(old, data, place))))]
            });
            let mut new = project(pool, old, data, &is_kept, (values.clone(), Vec::new()));
            for (atom, relation) in new.body.iter_mut().zip(body) {
                atom.relation = relation;
            }
            if let (Some(atom), Some(relation)) = (&mut new.head, head) {
                atom.relation = relation;
            }
            system.clauses.push(new);
            sources.push(Source::Old(clause));
        }
    }
    Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
}

/// The value that a clause derives for an argument of its head, or the symbol of its body that has
/// this value.
fn derived(system: &System, clause: &ClauseData, place: usize) -> Term {
    let relation = clause.to().expect("the clause has a head");
    let symbol = system.relations[relation].arguments[place].symbol;
    match clause.updates.get(&symbol) {
        Some(update) => update.value.expect("the value is a constant or a symbol"),
        None => symbol,
    }
}

/// The constants of the split arguments in a body, in all combinations.
fn choices(splits: &Splits, clause: &ClauseData) -> Vec<FxHashMap<Term, Term>> {
    let mut choices = vec![FxHashMap::default()];
    for atom in &clause.body {
        let Some((place, values)) = splits.get(&atom.relation) else { continue };
        let symbol = atom.arguments[*place];
        if choices.first().is_some_and(|choice: &FxHashMap<Term, Term>| choice.contains_key(&symbol)) {
            choices.retain(|choice| values.contains(&choice[&symbol]));
            continue;
        }
        choices = choices
            .into_iter()
            .flat_map(|choice| {
                values.iter().map(move |&value| {
                    let mut choice = choice.clone();
                    choice.insert(symbol, value);
                    choice
                })
            })
            .collect();
    }
    choices
}

/// The arguments by which relations can be split.
fn choose(pool: &TermPool, system: &System) -> Splits {
    let constants = constants(pool, system, MAX_CONSTANTS);
    let mut splits = Splits::default();
    for (relation, known) in constants.iter() {
        let candidates = known.iter().enumerate().filter_map(|(place, known)| match known {
            Known::Constants(values) if values.len() > 1 => Some((place, values.clone())),
            _ => None,
        });
        let best = candidates.max_by_key(|(place, values)| (values.len(), std::cmp::Reverse(*place)));
        splits.extend(best.map(|best| (relation, best)));
    }
    loop {
        let mut refused: FxHashSet<Relation> = FxHashSet::default();
        for clause in system.clauses.values() {
            let split: Vec<(Relation, Term, usize)> = clause
                .body
                .iter()
                .filter_map(|atom| {
                    let (place, values) = splits.get(&atom.relation)?;
                    Some((atom.relation, atom.arguments[*place], values.len()))
                })
                .collect();
            let count = split.iter().fold(1usize, |count, &(_, _, values)| count.saturating_mul(values));
            if count > MAX_CLAUSES {
                refused.extend(split.iter().map(|&(relation, ..)| relation));
            }
            let Some(head) = clause.to().filter(|head| splits.contains_key(head)) else { continue };
            let symbol = system.relations[head].arguments[splits[&head].0].symbol;
            let value = clause.updates.get(&symbol).map_or(Some(symbol), |update| update.value);
            // A clause that is not derivable may have a constant in its body that the head lacks.
            let values = &splits[&head].1;
            let is_known = |value: Term| {
                values.contains(&value)
                    || split.iter().any(|&(relation, symbol, _)| {
                        symbol == value && splits[&relation].1.iter().all(|value| values.contains(value))
                    })
            };
            if !value.is_some_and(is_known) {
                refused.insert(head);
            }
        }
        if refused.is_empty() {
            return splits;
        }
        splits.retain(|relation, _| !refused.contains(relation));
    }
}
