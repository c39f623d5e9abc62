//! Symbols of the states of sequences of transitions.
//!
//! In *frame* i, the state with number i, argument `x` has the symbol `x@i`. There are two kinds of
//! formulas of sequences:
//!
//! * [`Frames`]: the transitions are open, as in k-induction. Boolean symbols encode the relation
//!   of a state in binary, so each state is in at most one relation. Each transition has a Boolean
//!   symbol that implies its constraint. An argument that no transition changes has one symbol in
//!   all frames.
//! * [`Sequence`]: the clauses are known, as in a counterexample. An argument that a clause does
//!   not change keeps its symbol, so a value that is live throughout a loop has one symbol in all
//!   iterations.
//!
//! In both, every execution is a model: inner symbols are fresh in each frame, and arguments that a
//! state does not determine are free. The first state is constrained only by the clauses whose
//! bodies it satisfies.

use crate::{Clause, ClauseData, Relation, System};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

/// The states that a formula constrains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The start of the system, from which entries and queries without a body lead.
    Entry,
    /// A state of any relation.
    Relations,
}

impl Source {
    fn has(self, clause: &ClauseData) -> bool {
        clause.body.is_empty() == (self == Source::Entry)
    }
}

/// Frames of a linear system with open transitions.
#[derive(Clone, Debug)]
pub struct Frames {
    /// The symbols `x` of arguments.
    arguments: FxHashSet<Term>,
    /// Those that some transition between relations changes.
    changing: FxHashSet<Term>,
    instances: FxHashMap<(Term, u32), Term>,
}

impl Frames {
    /// No frames yet.
    #[must_use]
    pub fn new(system: &System) -> Self {
        let arguments = system.relations.values().flat_map(|data| data.symbols()).collect();
        let transitions = system.rules().filter(|(_, clause)| !clause.body.is_empty());
        let changing = transitions.flat_map(|(_, clause)| clause.updates.keys().copied()).collect();
        Frames { arguments, changing, instances: FxHashMap::default() }
    }

    /// `x@frame`.
    pub fn argument(&mut self, pool: &mut TermPool, symbol: Term, frame: u32) -> Term {
        if self.changing.contains(&symbol) { self.instance(pool, symbol, frame) } else { symbol }
    }

    /// The symbol `symbol@frame`, which is fresh.
    fn instance(&mut self, pool: &mut TermPool, symbol: Term, frame: u32) -> Term {
        *self.instances.entry((symbol, frame)).or_insert_with(|| {
            let Op::Symbol(id) = pool.op(symbol) else { return symbol };
            let (name, representation) = {
                let data = pool.symbol_data(id);
                (format!("{}@{frame}", data.name), data.representation)
            };
            let sort = pool.sort(symbol);
            let count = pool.symbol_count();
            let instance = pool.symbol_with(&name, sort, representation);
            let is_new = pool.symbol_count() > count;
            if is_new { instance } else { pool.fresh_symbol(&name, sort, representation) }
        })
    }

    fn marker(&mut self, pool: &mut TermPool, name: &str, frame: u32) -> Term {
        let generic = pool.symbol(&format!("{name} of states"), Sort::Bool);
        self.instance(pool, generic, frame)
    }

    /// The Boolean symbols that encode the relation of the state of `frame`, lowest bit first.
    fn location(&mut self, pool: &mut TermPool, system: &System, frame: u32) -> Vec<Term> {
        let bits = usize::BITS - system.relations.len().saturating_sub(1).leading_zeros();
        (0..bits).map(|bit| self.marker(pool, &format!("at.{bit}"), frame)).collect()
    }

    /// The formula stating that the state of `frame` is in `relation`.
    pub fn at(&mut self, pool: &mut TermPool, system: &System, relation: Relation, frame: u32) -> Term {
        let location = self.location(pool, system, frame).into_iter().enumerate();
        let literals: Vec<Term> = location
            .map(|(bit, symbol)| if relation.index() >> bit & 1 == 1 { symbol } else { pool.not(symbol) })
            .collect();
        pool.and(&literals)
    }

    /// All symbols of the state of `frame`: those of its relation, then `x@frame` for each argument
    /// `x` of the system. The order is that of other frames.
    pub fn state(&mut self, pool: &mut TermPool, system: &System, frame: u32) -> Vec<Term> {
        let mut state = self.location(pool, system, frame);
        let arguments: IndexSet<Term, FxBuildHasher> =
            system.relations.values().flat_map(|data| data.symbols()).collect();
        state.extend(arguments.into_iter().map(|symbol| self.argument(pool, symbol, frame)));
        state
    }

    /// `formula`, over symbols `x`, as a formula about the state of `frame`.
    pub fn in_frame(&mut self, pool: &mut TermPool, formula: Term, frame: u32) -> Term {
        let mut images = FxHashMap::default();
        for symbol in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(symbol);
            if self.arguments.contains(&symbol) {
                images.insert(symbol, self.argument(pool, symbol, frame));
            }
        }
        pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
    }

    /// The formula stating that `clause` leads from the state of frame `from` to that of frame
    /// `to`; a query has no second state.
    fn taken(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        clause: &ClauseData,
        (from, to): (u32, u32),
    ) -> Term {
        let mut images = FxHashMap::default();
        let mut conjuncts = Vec::new();
        for &symbol in clause.body.iter().flat_map(|atom| &atom.arguments) {
            images.insert(symbol, self.argument(pool, symbol, from));
        }
        // The choices of queries have instances in the frame of the state as well.
        for &symbol in &clause.inner {
            images.insert(symbol, self.instance(pool, symbol, from));
        }
        if let Some(relation) = clause.to() {
            conjuncts.push(self.at(pool, system, relation, to));
            for symbol in system.relations[relation].symbols() {
                let new = self.argument(pool, symbol, to);
                match clause.updates.get(&symbol) {
                    Some(update) => {
                        images.insert(update.after, new);
                    }
                    None => {
                        let old = self.argument(pool, symbol, from);
                        conjuncts.push(pool.eq(old, new));
                    }
                }
            }
        }
        if let Some(relation) = clause.from() {
            conjuncts.push(self.at(pool, system, relation, from));
        }
        conjuncts.push(pool.map_leaves(clause.constraint, &mut |_, leaf| images.get(&leaf).copied()));
        pool.and(&conjuncts)
    }

    /// The formulas stating that one of `clauses` is taken; each clause has a Boolean symbol that
    /// implies its formula.
    fn one_of(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        clauses: &[(Clause, &ClauseData)],
        (from, to): (u32, u32),
    ) -> Vec<Term> {
        let (mut formulas, mut markers) = (Vec::new(), Vec::new());
        for &(clause, data) in clauses {
            let taken = self.taken(pool, system, data, (from, to));
            if let [_] = clauses {
                return vec![taken];
            }
            let marker = self.marker(pool, &clause.to_string(), from);
            formulas.push(pool.implies(marker, taken));
            markers.push(marker);
        }
        formulas.push(pool.or(&markers));
        formulas
    }

    /// That a transition, or an entry, leads from the state of frame `from` to the one of frame
    /// `to`, as a conjunction.
    pub fn transition(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        source: Source,
        (from, to): (u32, u32),
    ) -> Vec<Term> {
        let clauses: Vec<_> = system.rules().filter(|(_, clause)| source.has(clause)).collect();
        self.one_of(pool, system, &clauses, (from, to))
    }

    /// That the state of `frame` derives a query, as a conjunction.
    pub fn end(&mut self, pool: &mut TermPool, system: &System, source: Source, frame: u32) -> Vec<Term> {
        let clauses: Vec<_> = system.queries().filter(|(_, clause)| source.has(clause)).collect();
        self.one_of(pool, system, &clauses, (frame, frame))
    }

    /// The formula stating that the state of `frame` derives this query.
    pub fn end_by(&mut self, pool: &mut TermPool, system: &System, query: Clause, frame: u32) -> Term {
        self.taken(pool, system, &system.clauses[query], (frame, frame))
    }
}

/// The instances of the clauses of a sequence.
#[derive(Debug, Default)]
pub struct Sequence {
    /// The instance of each argument that was changed, by its symbol `x`.
    current: FxHashMap<Term, Term>,
    /// The argument that an instance belongs to.
    argument_of: FxHashMap<Term, Term>,
    /// The instances of the symbols of the last clause.
    last: FxHashMap<Term, Term>,
    length: usize,
}

impl Sequence {
    /// The instance of the constraint of the next clause of the sequence.
    pub fn next(&mut self, pool: &mut TermPool, clause: &ClauseData) -> Term {
        let frame = self.length;
        self.length += 1;
        let instance = |pool: &mut TermPool, symbol: Term, frame: usize| {
            let Op::Symbol(id) = pool.op(symbol) else { return symbol };
            let name = format!("{}@{frame}", pool.symbol_data(id).name);
            let sort = pool.sort(symbol);
            pool.symbol(&name, sort)
        };
        let mut images: FxHashMap<Term, Term> = self.current.clone();
        for &symbol in &clause.inner {
            let image = instance(pool, symbol, frame);
            images.insert(symbol, image);
        }
        for (&before, update) in &clause.updates {
            let image = instance(pool, before, frame);
            images.insert(update.after, image);
            self.current.insert(before, image);
            self.argument_of.insert(image, before);
        }
        self.last = images;
        self.in_last(pool, clause.constraint)
    }

    /// `formula`, over the symbols of the last clause, over instances.
    pub fn in_last(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.last.get(&leaf).copied())
    }

    /// The instance of a symbol of the last clause; of another one, itself.
    pub fn symbol_in_last(&self, symbol: Term) -> Term {
        self.last.get(&symbol).copied().unwrap_or(symbol)
    }

    /// `formula`, over the state after the clauses so far, over instances.
    pub fn instance(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.current.get(&leaf).copied())
    }

    /// `formula`, over instances, over the symbols that they are instances of.
    pub fn generic(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.argument_of.get(&leaf).copied())
    }
}
