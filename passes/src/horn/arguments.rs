//! Argument filtering: removal of arguments that are constant or irrelevant.
//!
//! *Constants.* An argument that is the same constant in every derivable atom is replaced by it.
//! The constants are the least fixpoint of constant propagation over the clauses, where each clause
//! passes on the constants of its body and the constant values of its head. *Irrelevant.* An
//! argument is relevant if in some clause a constraint, another atom of the body or a relevant
//! argument of the head depends on it. What is left after a removed argument of a head is projected
//! is the guard of the clause and the definitions of the other arguments, so no quantifier arises.
//!
//! Source: redundant argument filtering, Leuschel and Sørensen, *Redundant Argument Filtering of
//! Logic Programs*, LOPSTR 1996; for clauses with constraints as in Eldarica (FMCAD 2018).
//!
//! Cost: linear in the clauses times the number of arguments of a relation that change.

use super::Transformed;
use super::back::{Back, Definition, History, Source};
use horn::{Atom, Clause, ClauseData, Relation, RelationData, System, Update, Updates};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The value of an argument in all derivable atoms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// No atom is derivable.
    Nothing,
    Constant(Term),
    Anything,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (Known::Constant(a), Known::Constant(b)) if a == b => self,
            _ => Known::Anything,
        }
    }
}

/// A property of each argument of each relation.
type Arguments<T> = PrimaryMap<Relation, Vec<T>>;

pub(super) fn filter(pool: &mut TermPool, old: &System) -> Transformed {
    let constants = constants(pool, old);
    let relevant = relevant(pool, old);
    let is_kept = |relation: Relation, place: usize| {
        relevant[relation][place] && !matches!(constants[relation][place], Known::Constant(_))
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
            .filter_map(|(symbol, known)| match known {
                Known::Constant(value) => Some(pool.eq(symbol, *value)),
                _ => None,
            })
            .collect();
        let also = pool.and(&equations);
        definitions.push((relation, Definition::Image { relation, symbols: Vec::new(), also }));
    }
    let filtered = |atom: &Atom| {
        let arguments = atom.arguments.iter().enumerate();
        let arguments = arguments.filter(|&(place, _)| is_kept(atom.relation, place));
        Atom { relation: atom.relation, arguments: arguments.map(|(_, &argument)| argument).collect() }
    };
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
                if let Known::Constant(value) = known {
                    values.insert(argument, *value);
                }
            }
        }
        let body: Vec<Atom> = data.body.iter().map(filtered).collect();
        let head = data.head.as_ref().map(filtered);
        // A symbol with a constant value may still be an argument of another atom.
        let mut conjuncts = vec![data.guard];
        let arguments: FxHashSet<Term> =
            body.iter().chain(&head).flat_map(|atom| atom.arguments.iter().copied()).collect();
        let mut kept: Vec<(Term, Term)> = values.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        kept.retain(|(symbol, _)| arguments.contains(symbol));
        kept.sort_unstable();
        for (symbol, value) in kept {
            values.remove(&symbol);
            conjuncts.push(pool.eq(symbol, value));
        }
        let mut updates = Updates::default();
        let places = old.relations.get(data.to().unwrap_or(Relation(0)));
        let own = places.map_or(Vec::new(), |relation| relation.symbols().collect());
        for (place, symbol) in own.into_iter().enumerate() {
            let Some(head) = data.to().filter(|&head| is_kept(head, place)) else { continue };
            debug_assert!(place < old.relations[head].arguments.len(), "the places are those of the head");
            let Some(update) = data.updates.get(&symbol) else { continue };
            if let Some(value) = update.value {
                conjuncts.push(pool.eq(update.after, value));
            }
            updates.insert(symbol, Update { after: update.after, value: None });
        }
        let constraint = pool.and(&conjuncts);
        let constraint = pool.map_leaves(constraint, &mut |_, leaf| values.get(&leaf).copied());
        let origin = data.origin.clone();
        system.clauses.push(ClauseData::from_constraint(pool, body, constraint, (head, updates), origin));
    }
    Transformed { system, back: Back { old: old.clone(), definitions, history: History::default(), sources } }
}

/// The clauses with a relation in their body.
fn users(system: &System) -> PrimaryMap<Relation, Vec<Clause>> {
    let mut users: PrimaryMap<Relation, Vec<Clause>> = system.relations.keys().map(|_| Vec::new()).collect();
    for (clause, data) in system.clauses.iter() {
        for atom in &data.body {
            if users[atom.relation].last() != Some(&clause) {
                users[atom.relation].push(clause);
            }
        }
    }
    users
}

fn constants(pool: &TermPool, system: &System) -> Arguments<Known> {
    let mut known: Arguments<Known> =
        system.relations.values().map(|data| vec![Known::Nothing; data.arguments.len()]).collect();
    let mut is_derivable: PrimaryMap<Relation, bool> = system.relations.keys().map(|_| false).collect();
    let users = users(system);
    let mut work: Vec<Clause> = system.rules().map(|(clause, _)| clause).collect();
    let mut is_waiting: PrimaryMap<Clause, bool> = system.clauses.keys().map(|_| true).collect();
    while let Some(clause) = work.pop() {
        is_waiting[clause] = false;
        let data = &system.clauses[clause];
        let Some(head) = &data.head else { continue };
        if pool.as_bool(data.constraint) == Some(false)
            || !data.body.iter().all(|atom| is_derivable[atom.relation])
        {
            continue;
        }
        let mut values: FxHashMap<Term, Known> = FxHashMap::default();
        for atom in &data.body {
            for (&argument, &value) in atom.arguments.iter().zip(&known[atom.relation]) {
                values.insert(argument, value);
            }
        }
        let of = |term: Term| match values.get(&term) {
            Some(&value) => value,
            None if pool.op(term).is_constant() => Known::Constant(term),
            None => Known::Anything,
        };
        let symbols = system.relations[head.relation].symbols();
        let derived: Vec<Known> = symbols
            .map(|symbol| match data.updates.get(&symbol) {
                Some(update) => update.value.map_or(Known::Anything, of),
                None => of(symbol),
            })
            .collect();
        let mut has_changed = !std::mem::replace(&mut is_derivable[head.relation], true);
        for (value, new) in known[head.relation].iter_mut().zip(derived) {
            let joined = value.join(new);
            has_changed |= joined != *value;
            *value = joined;
        }
        if has_changed {
            for &user in &users[head.relation] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    work.push(user);
                }
            }
        }
    }
    known
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
