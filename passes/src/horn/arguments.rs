//! Argument filtering: removal of arguments that are constant or irrelevant.
//!
//! *Constants.* An argument that is the same constant in every derivable atom is replaced by it
//! (`constants`). *Irrelevant.* An argument is relevant if in some clause a constraint, another
//! atom of the body or a relevant argument of the head depends on it. The projection of a removed
//! argument of a head leaves the guard of the clause and the definitions of the other arguments, so
//! no quantifier arises.
//!
//! Source: redundant argument filtering, Leuschel and Sørensen, *Redundant Argument Filtering of
//! Logic Programs*, LOPSTR 1996; for clauses with constraints as in Eldarica (FMCAD 2018).
//!
//! Cost: linear in the clauses times the number of arguments of a relation that change.

use super::Transformed;
use super::back::{Back, Definition, History, Source};
use super::constants::{Arguments, constants};
use horn::{Atom, Clause, ClauseData, Relation, RelationData, System, Update, Updates};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

pub(super) fn filter(pool: &mut TermPool, old: &System) -> Transformed {
    let constants = constants(pool, old, 1);
    let relevant = relevant(pool, old);
    let is_kept = |relation: Relation, place: usize| {
        relevant[relation][place] && constants[relation][place].constant().is_none()
    };
    let mut system = System::default();
    let mut definitions = Vec::new();
    for (relation, data) in old.relations.iter() {
        let arguments = data.arguments.iter().enumerate();
        let arguments = arguments.filter(|&(place, _)| is_kept(relation, place));
        let arguments = arguments.map(|(_, argument)| argument.clone()).collect();
        system.relations.push(RelationData { arguments, ..data.clone() });
        let equations: Vec<Term> = data
            .symbols()
            .zip(&constants[relation])
            .filter_map(|(symbol, known)| known.constant().map(|value| pool.eq(symbol, value)))
            .collect();
        let also = pool.and(&equations);
        definitions.push((relation, Definition::Image { relation, symbols: Vec::new(), also }));
    }
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        let changes = data
            .body
            .iter()
            .chain(&data.head)
            .any(|atom| (0..atom.arguments.len()).any(|place| !is_kept(atom.relation, place)));
        sources.push(Source::Old(clause));
        if !changes {
            system.clauses.push(data.clone());
            continue;
        }
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for atom in &data.body {
            for (&argument, known) in atom.arguments.iter().zip(&constants[atom.relation]) {
                values.extend(known.constant().map(|value| (argument, value)));
            }
        }
        system.clauses.push(project(pool, old, data, &is_kept, values));
    }
    Transformed { system, back: Back { old: old.clone(), definitions, history: History::default(), sources } }
}

/// The clause with only the arguments that are kept, and with symbols of its body replaced by their
/// `values`. Definitions of removed arguments of the head are left out.
pub(super) fn project(
    pool: &mut TermPool,
    system: &System,
    data: &ClauseData,
    is_kept: &dyn Fn(Relation, usize) -> bool,
    mut values: FxHashMap<Term, Term>,
) -> ClauseData {
    let filtered = |atom: &Atom| {
        let arguments = atom.arguments.iter().enumerate();
        let arguments = arguments.filter(|&(place, _)| is_kept(atom.relation, place));
        Atom { relation: atom.relation, arguments: arguments.map(|(_, &argument)| argument).collect() }
    };
    let body: Vec<Atom> = data.body.iter().map(filtered).collect();
    let head = data.head.as_ref().map(filtered);
    let mut conjuncts = vec![data.guard];
    // A symbol with a constant value may still be an argument of another atom.
    let mut arguments = FxHashSet::default();
    for &argument in body.iter().chain(&head).flat_map(|atom| &atom.arguments) {
        if arguments.insert(argument)
            && let Some(value) = values.remove(&argument)
        {
            conjuncts.push(pool.eq(argument, value));
        }
    }
    let mut updates = Updates::default();
    if let Some(relation) = data.to() {
        for (place, symbol) in system.relations[relation].symbols().enumerate() {
            let Some(update) = data.updates.get(&symbol).filter(|_| is_kept(relation, place)) else {
                continue;
            };
            if let Some(value) = update.value {
                conjuncts.push(pool.eq(update.after, value));
            }
            updates.insert(symbol, Update { after: update.after, value: None });
        }
    }
    let constraint = pool.and(&conjuncts);
    let constraint = pool.map_leaves(constraint, &mut |_, leaf| values.get(&leaf).copied());
    ClauseData::from_constraint(pool, body, constraint, (head, updates), data.origin.clone())
}

fn relevant(pool: &TermPool, system: &System) -> Arguments<bool> {
    let mut relevant: Arguments<bool> =
        system.relations.values().map(|data| vec![false; data.arguments.len()]).collect();
    let mut rules: PrimaryMap<Relation, Vec<Clause>> = system.relations.keys().map(|_| Vec::new()).collect();
    for (clause, data) in system.rules() {
        rules[data.to().expect("a rule has a head")].push(clause);
    }
    let mut work: Vec<Clause> = system.clauses.keys().collect();
    let mut is_waiting: PrimaryMap<Clause, bool> = system.clauses.keys().map(|_| true).collect();
    while let Some(clause) = work.pop() {
        is_waiting[clause] = false;
        let data = &system.clauses[clause];
        let mut roots = vec![data.guard];
        if let Some(head) = data.to() {
            for (symbol, &is_relevant) in system.relations[head].symbols().zip(&relevant[head]) {
                if is_relevant {
                    let update = data.updates.get(&symbol);
                    roots.push(update.map_or(symbol, |update| update.value.unwrap_or(update.after)));
                }
            }
        }
        let used: FxHashSet<Term> = {
            let mut used = FxHashSet::default();
            pool.visit(
                &roots,
                |_| true,
                |term| {
                    used.insert(term);
                },
            );
            used
        };
        let mut count: FxHashMap<Term, u32> = FxHashMap::default();
        for &argument in data.body.iter().flat_map(|atom| &atom.arguments) {
            *count.entry(argument).or_default() += 1;
        }
        for atom in &data.body {
            let mut has_changed = false;
            for (argument, is_relevant) in atom.arguments.iter().zip(relevant[atom.relation].iter_mut()) {
                if !*is_relevant && (used.contains(argument) || count[argument] > 1) {
                    *is_relevant = true;
                    has_changed = true;
                }
            }
            if has_changed {
                for &rule in &rules[atom.relation] {
                    if !std::mem::replace(&mut is_waiting[rule], true) {
                        work.push(rule);
                    }
                }
            }
        }
    }
    relevant
}
