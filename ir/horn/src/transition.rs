//! Linear systems as transition systems, for the formats of model checkers.
//!
//! # Idea
//! The relations of a linear system become values of a *location*, and their arguments share the
//! variables of the state: an argument keeps the variable of its symbol, else it takes a variable
//! of its sort that its relation does not use yet. The variables that the relation of the location
//! does not use have any value. Facts, rules and queries become steps between the initial location,
//! those of the relations, and that of the error.
//!
//! A system with a single relation needs no location if its facts and queries have no inner
//! symbols: its facts are then the initial states, and its queries the bad ones.
//!
//! In both cases a bad state is reachable iff a query is derivable.
//!
//! # Cost
//! Linear in the size of the system, plus the number of pairs of arguments of one relation.

use crate::updates::Contents;
use crate::{ClauseData, Relation, System, Update, Updates, updates, variable_name};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::Entity;
use terms::{Sort, Term, TermPool};

/// A symbolic transition system. All symbols are distinct.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The variables of the state.
    pub states: Vec<StateVariable>,
    /// Inputs: symbols of the steps that are not part of the state.
    pub inputs: Vec<Term>,
    /// The initial states, over the variables.
    pub init: Term,
    /// The steps, over variables, next values and inputs.
    pub trans: Term,
    /// The bad states, over the variables.
    pub bad: Term,
}

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// A name for readers, not necessarily unique.
    pub name: String,
    /// Its symbol.
    pub symbol: Term,
    /// The symbol of its next value.
    pub next: Term,
}

/// The sort of the location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationSort {
    /// An integer.
    Int,
    /// A bit vector of the least width.
    BitVec,
}

/// A system with a clause of several body atoms is not a transition system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a nonlinear system of Horn clauses is not a transition system")]
pub struct Nonlinear;

impl System {
    /// The transition system of a linear system.
    ///
    /// # Errors
    /// If a clause has several body atoms.
    pub fn to_transitions(
        &self,
        pool: &mut TermPool,
        location: LocationSort,
    ) -> Result<TransitionSystem, Nonlinear> {
        if !self.is_linear() {
            return Err(Nonlinear);
        }
        let needs_location = self.relations.len() != 1
            || self.clauses.values().any(|clause| {
                let (is_fact, is_query) = (clause.body.is_empty(), clause.head.is_none());
                (is_fact && is_query) || ((is_fact || is_query) && !clause.inner.is_empty())
            });
        let mut builder = Builder::new(self, pool);
        if needs_location {
            builder.add_location(pool, self.relations.len() + 2, location);
        }
        for clause in self.clauses.values() {
            builder.clause(pool, clause);
        }
        Ok(builder.finish(pool))
    }
}

impl TransitionSystem {
    /// The next values that every step determines, and the formula of the steps without their
    /// equations.
    pub fn functions(&self, pool: &mut TermPool) -> (Vec<Option<Term>>, Term) {
        let mut updates = Updates::default();
        for variable in &self.states {
            updates.insert(variable.symbol, Update { after: variable.next, value: None });
        }
        let contents = Contents::new(pool, self.trans, &updates);
        updates::determine(pool, self.trans, &contents, &mut updates);
        let guard = updates::guard(pool, self.trans, &contents, &updates);
        (updates.values().map(|update| update.value).collect(), guard)
    }
}

/// The location: its variable, its next value, and the terms of the values.
struct Location {
    symbol: Term,
    next: Term,
    values: Vec<Term>,
}

#[derive(Default)]
struct Builder {
    states: Vec<StateVariable>,
    /// The variables of the arguments of each relation.
    slots: FxHashMap<Relation, Vec<usize>>,
    inputs: Vec<Term>,
    by_sort: FxHashMap<Sort, Vec<Term>>,
    location: Option<Location>,
    init: Vec<Term>,
    trans: Vec<Term>,
    bad: Vec<Term>,
}

impl Builder {
    fn new(system: &System, pool: &mut TermPool) -> Self {
        let mut builder = Builder::default();
        let mut of_symbol: FxHashMap<Term, usize> = FxHashMap::default();
        let mut of_sort: FxHashMap<Sort, Vec<usize>> = FxHashMap::default();
        for (relation, data) in system.relations.iter() {
            let mut used: FxHashSet<usize> =
                data.symbols().filter_map(|symbol| of_symbol.get(&symbol).copied()).collect();
            let mut slots = Vec::with_capacity(data.arguments.len());
            let mut next_of_sort: FxHashMap<Sort, usize> = FxHashMap::default();
            for argument in &data.arguments {
                let sort = pool.sort(argument.symbol);
                let slot = of_symbol.get(&argument.symbol).copied().unwrap_or_else(|| {
                    let same = of_sort.entry(sort).or_default();
                    let place = next_of_sort.entry(sort).or_insert(0);
                    while same.get(*place).is_some_and(|slot| used.contains(slot)) {
                        *place += 1;
                    }
                    let slot = same.get(*place).copied().unwrap_or_else(|| {
                        let name = argument.name.clone();
                        let symbol = fresh(pool, &name, sort);
                        let next = fresh(pool, &format!("{name}.next"), sort);
                        builder.states.push(StateVariable { name, symbol, next });
                        same.push(builder.states.len() - 1);
                        builder.states.len() - 1
                    });
                    of_symbol.insert(argument.symbol, slot);
                    slot
                });
                used.insert(slot);
                slots.push(slot);
            }
            builder.slots.insert(relation, slots);
        }
        builder
    }

    /// Adds the location, with a value for the start, each relation and the error.
    fn add_location(&mut self, pool: &mut TermPool, count: usize, of: LocationSort) {
        let width = usize::BITS - (count - 1).leading_zeros();
        let sort = match of {
            LocationSort::Int => Sort::Int,
            LocationSort::BitVec => Sort::BitVec(width),
        };
        let values = (0..count as u64).map(|value| match of {
            LocationSort::Int => pool.int(value as i64),
            LocationSort::BitVec => pool.bv(width, value),
        });
        let values = values.collect();
        let symbol = fresh(pool, "location", sort);
        let next = fresh(pool, "location.next", sort);
        self.states.push(StateVariable { name: "location".to_owned(), symbol, next });
        self.location = Some(Location { symbol, next, values });
    }

    /// Adds the states or steps of a clause.
    fn clause(&mut self, pool: &mut TermPool, clause: &ClauseData) {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut conjuncts = Vec::new();
        if let Some(atom) = clause.body.first() {
            let slots = self.slots[&atom.relation].clone();
            self.bind(
                pool,
                &atom.arguments,
                &slots,
                |variable| variable.symbol,
                (&mut images, &mut conjuncts),
            );
        }
        if let Some(atom) = &clause.head {
            let slots = self.slots[&atom.relation].clone();
            // A fact of a system without a location describes initial states.
            let is_initial = clause.body.is_empty() && self.location.is_none();
            let of = |variable: &StateVariable| if is_initial { variable.symbol } else { variable.next };
            self.bind(pool, &atom.arguments, &slots, of, (&mut images, &mut conjuncts));
        }
        let mut places: FxHashMap<Sort, usize> = FxHashMap::default();
        for &symbol in &clause.inner {
            let sort = pool.sort(symbol);
            let place = places.entry(sort).or_insert(0);
            let known = self.by_sort.entry(sort).or_default();
            if known.len() == *place {
                let input = fresh(pool, &variable_name(pool, symbol), sort);
                known.push(input);
                self.inputs.push(input);
            }
            images.insert(symbol, known[*place]);
            *place += 1;
        }
        conjuncts.push(pool.map_leaves(clause.constraint, &mut |_, leaf| images.get(&leaf).copied()));
        if let Some(Location { symbol, next, values }) = &self.location {
            let from = clause.body.first().map_or(0, |atom| atom.relation.index() + 1);
            let to = clause.head.as_ref().map_or(values.len() - 1, |atom| atom.relation.index() + 1);
            conjuncts.extend([pool.eq(*symbol, values[from]), pool.eq(*next, values[to])]);
        }
        let formula = pool.and(&conjuncts);
        match (&self.location, clause.body.is_empty(), clause.head.is_none()) {
            (None, true, _) => self.init.push(formula),
            (None, _, true) => self.bad.push(formula),
            _ => self.trans.push(formula),
        }
    }

    /// Maps the arguments of an atom to variables, or equates those that already have an image.
    fn bind(
        &self,
        pool: &mut TermPool,
        arguments: &[Term],
        slots: &[usize],
        of: impl Fn(&StateVariable) -> Term,
        (images, conjuncts): (&mut FxHashMap<Term, Term>, &mut Vec<Term>),
    ) {
        for (&argument, &slot) in arguments.iter().zip(slots) {
            let variable = of(&self.states[slot]);
            match images.get(&argument) {
                Some(&image) => conjuncts.push(pool.eq(variable, image)),
                None => {
                    images.insert(argument, variable);
                }
            }
        }
    }

    fn finish(self, pool: &mut TermPool) -> TransitionSystem {
        let (init, bad) = match &self.location {
            Some(Location { symbol, values, .. }) => {
                let last = *values.last().expect("there are at least two values");
                (pool.eq(*symbol, values[0]), pool.eq(*symbol, last))
            }
            None => (pool.or(&self.init), pool.or(&self.bad)),
        };
        let trans = pool.or(&self.trans);
        TransitionSystem { states: self.states, inputs: self.inputs, init, trans, bad }
    }
}

fn fresh(pool: &mut TermPool, name: &str, sort: Sort) -> Term {
    pool.fresh_symbol(name, sort, terms::Representation::Signed)
}
