//! Argument filtering: removal of arguments that others determine or that are irrelevant.
//!
//! *Determined.* An argument that is the same constant in every derivable atom, or differs from
//! another argument by the same constant, is replaced by its value ([`equalities`]). *Irrelevant.*
//! An argument is relevant if in some clause a constraint, another atom of the body or a relevant
//! argument of the head depends on it. The projection of a removed argument of a head leaves the
//! guard of the clause and the definitions of the other arguments, so no quantifier arises.
//!
//! Source: redundant argument filtering, Leuschel and Sørensen, *Redundant Argument Filtering of
//! Logic Programs*, LOPSTR 1996; for clauses with constraints as in Eldarica (Hojjat and Rümmer,
//! FMCAD 2018). Determined arguments are functional dependencies of relations.
//!
//! *Models.* The equations of the removed arguments hold in all derivable atoms, and are conjuncts.
//! The formula of a relation that is not derivable is `false`: other relations have equations that
//! only hold without it.
//!
//! Cost: linear in the clauses times the number of arguments of a relation that change.

use super::Transformed;
use super::back::{Back, Definition, History, Made, Part, Source, symbols};
use super::constants::Arguments;
use super::equalities::{Base, Known, equalities, shifted};
use horn::{Atom, Clause, ClauseData, Relation, RelationData, System, Update, Updates};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// What becomes of an argument.
#[derive(Clone, Debug)]
enum Fate {
    Kept,
    Irrelevant,
    /// The value of an argument that is always the same.
    Constant(Term),
    /// The sum of another argument, which is kept, and a number.
    Shifted(usize, BigRational),
}

pub(super) fn filter(pool: &mut TermPool, old: &System) -> Transformed {
    let known = equalities(pool, old);
    let fates = fates(pool, old, &known);
    let is_kept = |relation: Relation, place: usize| matches!(fates[relation][place], Fate::Kept);
    let mut system = System::default();
    let mut definitions = Vec::new();
    for (relation, data) in old.relations.iter() {
        let arguments = data.arguments.iter().enumerate();
        let arguments = arguments.filter(|&(place, _)| is_kept(relation, place));
        let arguments = arguments.map(|(_, argument)| argument.clone()).collect();
        system.relations.push(RelationData { arguments, ..data.clone() });
        let own: Vec<Term> = data.symbols().collect();
        let values = values_of(pool, &fates[relation], &own);
        let equations: Vec<Term> = values.into_iter().map(|(symbol, value)| pool.eq(symbol, value)).collect();
        let also = match known[relation] {
            Some(_) => pool.and(&equations),
            None => pool.fls(),
        };
        definitions.push((relation, Definition::Image { relation, symbols: Vec::new(), also }));
    }
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    for (clause, data) in old.clauses.iter() {
        let changes = data
            .body
            .iter()
            .chain(&data.head)
            .any(|atom| (0..atom.arguments.len()).any(|place| !is_kept(atom.relation, place)));
        if !changes {
            system.clauses.push(data.clone());
            sources.push(Source::Old(clause));
            continue;
        }
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        // A symbol that is an argument of several atoms may have several values.
        let mut equations = Vec::new();
        for atom in &data.body {
            for (symbol, value) in values_of(pool, &fates[atom.relation], &atom.arguments) {
                let first = *values.entry(symbol).or_insert(value);
                equations.push(pool.eq(first, value));
            }
        }
        system.clauses.push(project(pool, old, data, &is_kept, (values.clone(), equations)));
        if let Some(head) = &data.head {
            for (symbol, value) in values_of(pool, &fates[head.relation], &head.arguments) {
                values.entry(symbol).or_insert(value);
            }
        }
        let images = symbols(pool, data).into_iter().map(|symbol| {
            let term = pool.symbol_term(symbol);
            (symbol, values.get(&term).copied().unwrap_or(term))
        });
        let images = images.collect();
        sources.push(history.add(Made::Copy(Part { source: Source::Old(clause), images })));
    }
    Transformed { system, back: Back { old: old.clone(), definitions, history, sources, ..Back::default() } }
}

fn fates(
    pool: &mut TermPool,
    system: &System,
    known: &PrimaryMap<Relation, Option<Vec<Known>>>,
) -> Arguments<Fate> {
    let relevant = relevant(pool, system);
    let mut fates = Arguments::new();
    for (relation, data) in system.relations.iter() {
        // The first relevant argument of each class, and its offset.
        let mut chosen: FxHashMap<usize, (usize, BigRational)> = FxHashMap::default();
        let known = known[relation].as_deref();
        let own = (0..data.arguments.len()).map(|place| {
            if !relevant[relation][place] {
                return Fate::Irrelevant;
            }
            let Some(argument) = known.map(|known| &known[place]) else { return Fate::Kept };
            if let Some(value) = argument.constant(pool) {
                return Fate::Constant(value);
            }
            let Base::Argument(base) = argument.base else { return Fate::Kept };
            match chosen.get(&base) {
                Some((first, start)) => Fate::Shifted(*first, &argument.offset - start),
                None => {
                    chosen.insert(base, (place, argument.offset.clone()));
                    Fate::Kept
                }
            }
        });
        let own = own.collect();
        fates.push(own);
    }
    fates
}

/// The values of the arguments of an atom that others determine.
fn values_of(pool: &mut TermPool, fates: &[Fate], arguments: &[Term]) -> Vec<(Term, Term)> {
    let mut values = Vec::new();
    for (&argument, fate) in arguments.iter().zip(fates) {
        match fate {
            Fate::Kept | Fate::Irrelevant => {}
            Fate::Constant(value) => values.push((argument, *value)),
            Fate::Shifted(base, offset) => {
                values.push((argument, shifted(pool, arguments[*base], offset)));
            }
        }
    }
    values
}

/// The clause with only the arguments that are kept, and with symbols of its body replaced by their
/// values, whose symbols are arguments that are kept, and with further conjuncts. Definitions of
/// removed arguments of the head are left out.
pub(super) fn project(
    pool: &mut TermPool,
    system: &System,
    data: &ClauseData,
    is_kept: &dyn Fn(Relation, usize) -> bool,
    (mut values, also): (FxHashMap<Term, Term>, Vec<Term>),
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
    let constraint = pool.and(&[&[constraint], &also[..]].concat());
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
