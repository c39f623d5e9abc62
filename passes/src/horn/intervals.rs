//! Interval propagation: bounds of the numbers in all derivable atoms, as conjuncts of constraints.
//!
//! The fixpoint of interval analysis (Cousot and Cousot, *Abstract Interpretation: A Unified
//! Lattice Model*, POPL 1977) over the clauses, without a solver. A clause takes the bounds of its
//! body to its head by [propagation](super::bounds) through its constraint. After [`UPDATES`]
//! changes, a bound that still grows is dropped (widening); two more rounds then restore those that
//! the constraints imply (narrowing). A clause whose bounds are contradictory is removed, as is one
//! that uses a relation that is not derivable.
//!
//! *Models.* The bounds are inductive: they are conjuncts of the formulas. *Derivations* remain.
//!
//! Cost: linear in the constraints for each round; if all rounds together exceed [`EFFORT`]
//! propagations, no bounds are found.
//!
//! # Limits
//! Integers and reals; a strict bound of a real counts as weak.

use super::Transformed;
use super::back::{Back, Definition, Source};
use super::bounds::{Bounds, EFFORT, Interval, Propagation, formulas};
use super::constants::users;
use horn::{Clause, ClauseData, Relation, System};
use std::collections::VecDeque;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The changes of a relation before widening.
const UPDATES: usize = 4;
/// The rounds of narrowing.
const NARROWINGS: usize = 2;

/// The bounds of the arguments of each relation; `None` if it is not derivable.
type State = PrimaryMap<Relation, Option<Vec<Interval>>>;

pub(super) fn bound(pool: &mut TermPool, old: &System) -> Transformed {
    let mut analysis = Analysis { propagation: Propagation { pool, effort: 0 }, system: old };
    let state = analysis.fixpoint();
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        let mut conjuncts = vec![data.constraint];
        if let Some(state) = &state {
            let Some(derived) = analysis.transfer(data, state) else { continue };
            for atom in &data.body {
                let bounds = state[atom.relation].as_deref().unwrap_or_default();
                conjuncts.extend(formulas(analysis.propagation.pool, &atom.arguments, bounds));
            }
            // A constant of the head is a consequence that the other passes see.
            let values = data.head.iter().flat_map(|atom| &atom.arguments).zip(&derived);
            for (&argument, value) in values.filter(|(_, interval)| interval.value().is_some()) {
                conjuncts.extend(formulas(
                    analysis.propagation.pool,
                    &[argument],
                    std::slice::from_ref(value),
                ));
            }
        }
        let constraint = analysis.propagation.pool.and(&conjuncts);
        system.clauses.push(match constraint == data.constraint {
            true => data.clone(),
            false => data.with_constraint(analysis.propagation.pool, constraint),
        });
        sources.push(Source::Old(clause));
    }
    let definitions = old.relations.iter().map(|(relation, data)| {
        let symbols: Vec<Term> = data.symbols().collect();
        let also = match &state {
            None => pool.tru(),
            Some(state) => match &state[relation] {
                None => pool.fls(),
                Some(bounds) => {
                    let bounds = formulas(pool, &symbols, bounds);
                    pool.and(&bounds)
                }
            },
        };
        (relation, Definition::Image { relation, symbols: Vec::new(), also })
    });
    let definitions = definitions.collect();
    Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
}

struct Analysis<'p> {
    propagation: Propagation<'p>,
    system: &'p System,
}

impl Analysis<'_> {
    /// `None` if the effort is exceeded.
    fn fixpoint(&mut self) -> Option<State> {
        let system = self.system;
        let mut state: State = system.relations.keys().map(|_| None).collect();
        let mut updates: PrimaryMap<Relation, usize> = system.relations.keys().map(|_| 0).collect();
        let users = users(system);
        let mut work: VecDeque<Clause> = system.rules().map(|(clause, _)| clause).collect();
        let mut is_waiting: PrimaryMap<Clause, bool> = system.clauses.keys().map(|_| true).collect();
        while let Some(clause) = work.pop_front() {
            is_waiting[clause] = false;
            let data = &system.clauses[clause];
            let Some(head) = data.to() else { continue };
            let Some(derived) = self.transfer(data, &state) else { continue };
            if self.propagation.effort > EFFORT {
                return None;
            }
            let joined = match &state[head] {
                None => derived,
                Some(before) => {
                    let pairs = before.iter().zip(&derived);
                    match updates[head] < UPDATES {
                        true => pairs.map(|(before, new)| before.join(new)).collect(),
                        false => pairs.map(|(before, new)| before.widen(new)).collect(),
                    }
                }
            };
            if state[head].as_ref() != Some(&joined) {
                state[head] = Some(joined);
                updates[head] += 1;
                for &user in &users[head] {
                    if !std::mem::replace(&mut is_waiting[user], true) {
                        work.push_back(user);
                    }
                }
            }
        }
        for _ in 0..NARROWINGS {
            let mut next: State = system.relations.keys().map(|_| None).collect();
            for (_, data) in system.rules() {
                let Some(head) = data.to() else { continue };
                let Some(derived) = self.transfer(data, &state) else { continue };
                next[head] = Some(match next[head].take() {
                    None => derived,
                    Some(before) => before.iter().zip(&derived).map(|(a, b)| a.join(b)).collect(),
                });
            }
            if self.propagation.effort > EFFORT {
                break;
            }
            for (relation, new) in next.iter() {
                let Some(before) = &state[relation] else { continue };
                let narrowed =
                    new.as_ref().map(|new| before.iter().zip(new).map(|(a, b)| a.meet(b)).collect());
                state[relation] = narrowed;
            }
        }
        Some(state)
    }

    /// The bounds of the atom that a clause derives, none for a query; `None` if it derives
    /// nothing.
    fn transfer(&mut self, clause: &ClauseData, state: &State) -> Option<Vec<Interval>> {
        let mut bounds = Bounds::default();
        for atom in &clause.body {
            let known = state[atom.relation].as_ref()?;
            for (&argument, interval) in atom.arguments.iter().zip(known) {
                let both = bounds.entry(argument).or_default().meet(interval);
                if both.is_empty() {
                    return None;
                }
                bounds.insert(argument, both);
            }
        }
        if !self.propagation.refine(clause.constraint, &mut bounds) {
            return None;
        }
        let head = clause.head.iter().flat_map(|atom| &atom.arguments);
        Some(head.map(|argument| bounds.get(argument).cloned().unwrap_or_default()).collect())
    }
}
