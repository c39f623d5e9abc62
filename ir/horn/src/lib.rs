//! Constrained Horn clauses: what programs become, and what everything behind them reads.
//!
//! A [`System`] says `∀ symbols. body ∧ constraint ⇒ head` for each clause. It is safe iff its relations have an interpretation that satisfies
//! all clauses. A clause without head is a *query*, something that must not be derivable; one without body is an *entry*; one with a body of
//! one atom a *transition*. The terms may be of any theory: a [`Translation`] takes a system into another, and clauses and relations keep
//! their indices.
//!
//! *Symbols.* An argument of a relation has a symbol `x`, over which formulas about the relation are written, such as invariants. Relations may
//! share symbols: a value of a program is the same symbol wherever it lives. Atoms of bodies are applied to the symbols of their relations. Of an
//! atom in a head, an argument that stays as it is is `x`, and one that changes has a symbol of its own, `x+` ([`Update`]). What is chosen on
//! the way are [`inner`](ClauseData::inner) symbols. Clauses share no symbols but these by name; each is closed.
//!
//! *Updates.* Where the constraint says what `x+` is, as a term over the body and inner symbols, the clause keeps that term, so that nobody has to
//! find it again: [`ClauseData::at_head`] puts it into formulas about the head, which often fold then.
//!
//! *Instances.* [`frames`] has the symbols of the states of sequences of transitions: [`frames::Frames`] where it is open which is taken,
//! [`frames::Sequence`] where it is known.

pub mod frames;
mod print;
mod translation;
mod updates;

pub use translation::{Target, Translation};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

terms::entity! {
    /// A relation of a system, an uninterpreted predicate.
    Relation, "R"
}
terms::entity! {
    /// A clause of a system.
    Clause, "C"
}

/// A set of Horn clauses.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The relations.
    pub relations: PrimaryMap<Relation, RelationData>,
    /// The clauses.
    pub clauses: PrimaryMap<Clause, ClauseData>,
}

/// A relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationData {
    /// Unique in the system.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Where it comes from, for people: what holds where; no line breaks.
    pub origin: String,
}

/// An argument of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// For people.
    pub name: String,
    /// The symbol `x`, which no other argument of the relation has.
    pub symbol: Term,
}

/// `∀ symbols. body ∧ constraint ⇒ head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseData {
    /// What is assumed.
    pub body: Vec<Atom>,
    /// A formula without relations.
    pub constraint: Term,
    /// What follows: `None` for `false`.
    pub head: Option<Atom>,
    /// Of the arguments of the head's relation, by their `x`: those that are not `x`.
    pub updates: Updates,
    /// What the constraint says besides the values of [`updates`](Self::updates), over the body and inner symbols as far as these are known.
    pub guard: Term,
    /// The symbols of the constraint that are no arguments, in order of occurrence: what is chosen.
    pub inner: Vec<Term>,
    /// Where it comes from, for people; no line breaks.
    pub origin: String,
}

/// Arguments that change, by their symbols `x`.
pub type Updates = IndexMap<Term, Update, FxBuildHasher>;

/// What an argument becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The symbol `x+`.
    pub after: Term,
    /// What `x+` equals where the constraint holds, without any `x+`, if that is known.
    pub value: Option<Term>,
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which relation.
    pub relation: Relation,
    /// One for each argument.
    pub arguments: Vec<Term>,
}

impl RelationData {
    /// The symbols `x` of the arguments.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = Term> {
        self.arguments.iter().map(|argument| argument.symbol)
    }
}

impl System {
    /// `relation`, applied to its own symbols.
    pub fn atom(&self, relation: Relation) -> Atom {
        Atom { relation, arguments: self.relations[relation].symbols().collect() }
    }

    /// `relation`, applied to the symbols `x+` of `updates` and to its own symbols for the rest.
    pub fn updated(&self, relation: Relation, updates: &Updates) -> Atom {
        let symbols = self.relations[relation].symbols();
        let arguments = symbols.map(|symbol| updates.get(&symbol).map_or(symbol, |update| update.after));
        Atom { relation, arguments: arguments.collect() }
    }

    /// The clauses with a head.
    pub fn rules(&self) -> impl Iterator<Item = (Clause, &ClauseData)> {
        self.clauses.iter().filter(|(_, clause)| clause.head.is_some())
    }

    /// The clauses without a head.
    pub fn queries(&self) -> impl Iterator<Item = (Clause, &ClauseData)> {
        self.clauses.iter().filter(|(_, clause)| clause.head.is_none())
    }
}

impl ClauseData {
    /// The clause whose constraint is `guard` and the equations that `updates` know the values of.
    pub fn new(
        pool: &mut TermPool,
        body: Vec<Atom>,
        guard: Term,
        (head, updates): (Option<Atom>, Updates),
        origin: String,
    ) -> Self {
        let mut conjuncts = vec![guard];
        for update in updates.values() {
            if let Some(value) = update.value {
                conjuncts.push(pool.eq(update.after, value));
            }
        }
        let constraint = pool.and(&conjuncts);
        let inner = inner(pool, &body, &updates, constraint);
        ClauseData { body, constraint, head, updates, guard, inner, origin }
    }

    /// The relation of the body; `None` for an entry.
    ///
    /// # Panics
    /// Panics if there are several; such systems have no transitions.
    pub fn from(&self) -> Option<Relation> {
        assert!(self.body.len() <= 1, "a linear clause has one body atom");
        self.body.first().map(|atom| atom.relation)
    }

    /// The relation of the head; `None` for a query.
    pub fn to(&self) -> Option<Relation> {
        self.head.as_ref().map(|atom| atom.relation)
    }

    /// `formula`, over the symbols of the head's relation, over those of the clause, whose constraint has to hold. Known values are
    /// substituted, so that the constructors of terms simplify what they become.
    pub fn at_head(&self, pool: &mut TermPool, formula: Term) -> Term {
        if self.updates.is_empty() {
            return formula;
        }
        let image = |update: &Update| update.value.unwrap_or(update.after);
        pool.map_leaves(formula, &mut |_, leaf| self.updates.get(&leaf).map(image))
    }

    /// `formula`, over symbols `x+`, said of the symbols `x` instead.
    pub fn unprimed(&self, pool: &mut TermPool, formula: Term) -> Term {
        let back: FxHashMap<Term, Term> =
            self.updates.iter().map(|(&before, update)| (update.after, before)).collect();
        pool.map_leaves(formula, &mut |_, leaf| back.get(&leaf).copied())
    }

    /// The symbols `x+`.
    pub fn after(&self) -> impl Iterator<Item = Term> {
        self.updates.values().map(|update| update.after)
    }
}

/// All symbols of `constraint` but arguments of the body and of the head.
fn inner(pool: &mut TermPool, body: &[Atom], updates: &Updates, constraint: Term) -> Vec<Term> {
    let arguments = body.iter().flat_map(|atom| atom.arguments.iter().copied());
    let outer: FxHashSet<Term> = arguments.chain(updates.values().map(|update| update.after)).collect();
    let symbols = pool.free_symbols(constraint).into_iter().map(|symbol| pool.symbol_term(symbol));
    symbols.filter(|symbol| !outer.contains(symbol)).collect()
}

#[cfg(test)]
mod tests;
