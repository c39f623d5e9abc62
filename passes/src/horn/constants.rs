//! Constant propagation over clauses: the constants that each argument has in derivable atoms.
//!
//! The least fixpoint over the clauses (Wegman and Zadeck, *Constant Propagation with Conditional
//! Branches*, TOPLAS 1991): a clause whose relations are derivable passes on the constants of its
//! body and the constant values of its head. An argument has a bounded set of constants, or any
//! value.
//!
//! Cost: linear in the clauses times the bound and the number of arguments of a relation.

use horn::{Clause, Relation, System};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// A property of each argument of each relation.
pub(super) type Arguments<T> = PrimaryMap<Relation, Vec<T>>;

/// The values of an argument in all derivable atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Some of these constants, in ascending order.
    Constants(Vec<Term>),
    Anything,
}

impl Known {
    /// Adds values; returns whether there are new ones. More than `most` are any value.
    fn join(&mut self, other: &Known, most: usize) -> bool {
        let (Known::Constants(values), Known::Constants(new)) = (&mut *self, other) else {
            let has_changed = *self != Known::Anything;
            *self = Known::Anything;
            return has_changed;
        };
        let before = values.len();
        for &value in new {
            if let Err(at) = values.binary_search(&value) {
                values.insert(at, value);
            }
        }
        let has_changed = values.len() > before;
        if values.len() > most {
            *self = Known::Anything;
        }
        has_changed
    }
}

/// The constants of all arguments, at most `most` of each.
pub(super) fn constants(pool: &TermPool, system: &System, most: usize) -> Arguments<Known> {
    let nothing = || Known::Constants(Vec::new());
    let mut known: Arguments<Known> =
        system.relations.values().map(|data| vec![nothing(); data.arguments.len()]).collect();
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
        let mut values: FxHashMap<Term, &Known> = FxHashMap::default();
        for atom in &data.body {
            values.extend(atom.arguments.iter().copied().zip(&known[atom.relation]));
        }
        let of = |term: Term| match values.get(&term) {
            Some(&value) => value.clone(),
            None if pool.op(term).is_constant() => Known::Constants(vec![term]),
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
        for (value, new) in known[head.relation].iter_mut().zip(&derived) {
            has_changed |= value.join(new, most);
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

/// The clauses with a relation in their body.
pub(super) fn users(system: &System) -> PrimaryMap<Relation, Vec<Clause>> {
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
