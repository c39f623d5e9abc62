//! A linear system as one transition system: a relation with a location, whose values stand for the
//! relations of the system.
//!
//! Each argument of each relation has a *slot*, an argument of the new relation, that it shares
//! with arguments of other relations of the same sort, preferably with the same name. A clause
//! `R(x) ∧ φ ⇒ H(x')` becomes a transition from the location of `R` to that of `H`, in which the
//! slots that `H` does not use get a default value. So a tool for transition systems, or for
//! systems with one loop, applies. [`merge`](super::merge) makes one clause of all transitions.
//! This is the encoding of control flow by a program counter (Manna and Pnueli, *Temporal
//! Verification of Reactive Systems: Safety*, 1995, §0.2), and the translation of linear clauses to
//! the class LIA-TS of CHC-COMP. [`split`](super::split) is the reverse.
//!
//! *Models.* The formula of a relation is that of the new one at its location, with the default
//! values in the slots that it does not use.
//!
//! Cost: linear in the clauses times the number of slots. A nonlinear system, one with a single
//! relation and one with sorts without a default remain as they are.

use super::Transformed;
use super::back::{Back, Definition, History, Made, Part, Source, symbols};
use super::reverse::unchanged;
use horn::{Argument, Atom, Normalizer, OpenAtom, OpenClause, Relation, RelationData, System};
use terms::entity::{Entity, PrimaryMap};
use terms::{Sort, Term, TermPool, Value};

/// An argument of the transition system.
struct Slot {
    name: String,
    sort: Sort,
    default: Term,
}

pub(super) fn single_loop(pool: &mut TermPool, old: &System) -> Transformed {
    if !old.is_linear() || old.relations.len() < 2 {
        return unchanged(pool, old);
    }
    let Some((slots, places)) = slots(pool, old) else { return unchanged(pool, old) };
    let mut normalizer = Normalizer::default();
    let mut arguments = vec![Argument {
        name: "location".to_owned(),
        symbol: normalizer.argument(pool, "location", Sort::Int),
    }];
    for Slot { name, sort, .. } in &slots {
        let symbol = normalizer.argument(pool, &format!("state.{name}"), *sort);
        arguments.push(Argument { name: name.clone(), symbol });
    }
    let own: Vec<Term> = arguments.iter().map(|argument| argument.symbol).collect();
    let mut system = System::default();
    let data = RelationData { name: "state".to_owned(), arguments, origin: String::new() };
    let state = system.relations.push(data);
    let locations: PrimaryMap<Relation, Term> =
        old.relations.keys().map(|relation| pool.int(relation.index() as i64)).collect();
    // The arguments of the new relation, given those of an old one.
    let filled = |relation: Relation, arguments: &[Term], unused: &dyn Fn(usize) -> Term| -> Vec<Term> {
        let mut filled: Vec<Term> = (0..slots.len()).map(unused).collect();
        for (&place, &argument) in places[relation].iter().zip(arguments) {
            filled[place] = argument;
        }
        filled.insert(0, locations[relation]);
        filled
    };
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    for (clause, data) in old.clauses.iter() {
        let unused: Vec<Term> =
            slots.iter().map(|slot| pool.bound(&format!("unused {}", slot.name), slot.sort)).collect();
        let before = |atom: &Atom| (state, filled(atom.relation, &atom.arguments, &|slot| unused[slot]));
        let after = |atom: &Atom| -> OpenAtom {
            (state, filled(atom.relation, &atom.arguments, &|slot| slots[slot].default))
        };
        let open = OpenClause {
            body: data.body.iter().map(before).collect(),
            constraint: vec![data.constraint],
            head: data.head.as_ref().map(after),
        };
        let new = normalizer.clause(pool, &system, &open, data.origin.clone());
        system.clauses.push(new);
        let images = symbols(pool, data).into_iter().map(|symbol| {
            let term = pool.symbol_term(symbol);
            (symbol, normalizer.image(pool, term))
        });
        let images = images.collect();
        sources.push(history.add(Made::Copy(Part { source: Source::Old(clause), images })));
    }
    let definitions = old.relations.iter().map(|(relation, data)| {
        let symbols: Vec<Term> = data.symbols().collect();
        let values = filled(relation, &symbols, &|slot| slots[slot].default);
        let symbols = own.iter().copied().zip(values).collect();
        (relation, Definition::Image { relation: state, symbols, also: pool.tru() })
    });
    let definitions = definitions.collect();
    Transformed { system, back: Back { old: old.clone(), definitions, history, sources, ..Back::default() } }
}

/// The slot of each argument of each relation.
type Places = PrimaryMap<Relation, Vec<usize>>;

/// The slots, and those of the arguments; `None` if a sort has no default value.
fn slots(pool: &mut TermPool, system: &System) -> Option<(Vec<Slot>, Places)> {
    let mut slots: Vec<Slot> = Vec::new();
    let mut places = Places::new();
    for data in system.relations.values() {
        let mut own: Vec<Option<usize>> = vec![None; data.arguments.len()];
        let mut is_used = vec![false; slots.len()];
        for by_name in [true, false] {
            for (place, argument) in data.arguments.iter().enumerate() {
                let sort = pool.sort(argument.symbol);
                let is_free = |&slot: &usize| {
                    !is_used[slot]
                        && slots[slot].sort == sort
                        && (!by_name || slots[slot].name == argument.name)
                };
                if own[place].is_none()
                    && let Some(slot) = (0..slots.len()).find(is_free)
                {
                    is_used[slot] = true;
                    own[place] = Some(slot);
                }
            }
        }
        for (place, argument) in data.arguments.iter().enumerate() {
            if own[place].is_none() {
                let sort = pool.sort(argument.symbol);
                let default = Value::default_of(pool, sort)?.to_term(pool, sort)?;
                let is_taken = slots.iter().any(|slot| slot.name == argument.name);
                let name = match is_taken {
                    true => format!("{}.{}", argument.name, slots.len()),
                    false => argument.name.clone(),
                };
                own[place] = Some(slots.len());
                slots.push(Slot { name, sort, default });
            }
        }
        places.push(own.into_iter().flatten().collect());
    }
    Some((slots, places))
}
