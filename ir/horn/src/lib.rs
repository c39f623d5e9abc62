//! Constrained Horn clauses: the representation of programs that engines and emission work on.
//!
//! Each clause of a [`System`] states `∀ symbols. body ∧ constraint ⇒ head`. The system is safe iff
//! its relations have an interpretation that satisfies all clauses. A clause without a head is a
//! *query*: its body must not be derivable. A clause without a body is an *entry*, one with a body
//! of one atom a *transition*. A clause with several body atoms is *nonlinear*, such as one that
//! continues after a call: its body has the state before the call and the summary of the callee.
//! Terms may be of any theory: a [`Translation`] takes a system into another theory and keeps the
//! indices of clauses and relations.
//!
//! *Symbols.* Each argument of a relation has a symbol `x`; formulas about the relation, such as
//! invariants, are over these symbols. Relations may share symbols: a program value has the same
//! symbol wherever it is live. All arguments of atoms are symbols. The first atom of a body is
//! applied to the symbols of its relation; the other atoms are applied to any symbols, in any order
//! and possibly twice, and [`at_body`](ClauseData::at_body) takes formulas about their relations to
//! the clause. In a head, an unchanged argument is `x`, and a changed one has its own symbol `x+`
//! ([`Update`]). Nondeterministic choices are [`inner`](ClauseData::inner) symbols. Every clause is
//! closed; clauses share symbols by name only.
//!
//! *Updates.* If the constraint defines `x+` by a term over body and inner symbols, the clause
//! keeps that term. [`ClauseData::at_head`] substitutes it into formulas about the head, which
//! often fold then.
//!
//! *Instances.* [`frames`] has the symbols of the states in sequences of transitions:
//! [`frames::Frames`] if the transitions are open, [`frames::Sequence`] if they are known. Both are
//! for [linear](System::is_linear) systems: a derivation of a nonlinear one is a tree.

mod btor2;
pub mod frames;
mod graph;
mod normal;
mod print;
mod signature;
mod solution;
mod summary;
mod transition;
mod translation;
mod updates;
mod vmt;

pub use btor2::Inexpressible;
pub use graph::{Components, escaped, shortened};
pub use normal::{Normalizer, OpenAtom, OpenClause, variable_name};
pub use print::{ERROR, Notes};
pub use signature::Signatures;
pub use solution::{Derivation, DerivationError, Interpretation, Step, StepData};
pub use summary::Summary;
pub use transition::{LocationSort, Nonlinear, StateVariable, TransitionSystem};
pub use translation::{Target, Translation};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::entity::PrimaryMap;
use terms::{Term, TermMap, TermPool};
use updates::Contents;

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
    /// The origin in the source, for readers, without line breaks.
    pub origin: String,
}

/// An argument of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name for readers.
    pub name: String,
    /// The symbol `x`, distinct from those of the relation's other arguments.
    pub symbol: Term,
}

/// `∀ symbols. body ∧ constraint ⇒ head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseData {
    /// The assumed atoms; the first is applied to the symbols of its relation.
    pub body: Vec<Atom>,
    /// A formula without relations.
    pub constraint: Term,
    /// The derived atom; `None` for `false`.
    pub head: Option<Atom>,
    /// The changed arguments of the head's relation, by their `x`.
    pub updates: Updates,
    /// The constraint without the definitions of [`updates`](Self::updates). It is over body and
    /// inner symbols if all values are known.
    pub guard: Term,
    /// The symbols of the constraint that are not arguments of atoms, in order of occurrence:
    /// nondeterministic choices.
    pub inner: Vec<Term>,
    /// The origin in the source, for readers, without line breaks.
    pub origin: String,
}

/// Changed arguments, by their symbols `x`.
pub type Updates = IndexMap<Term, Update, FxBuildHasher>;

/// The new value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The symbol `x+`.
    pub after: Term,
    /// A term without any `x+` that equals `x+` if the constraint holds; `None` if unknown.
    pub value: Option<Term>,
}

/// A relation applied to symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: Relation,
    /// A symbol for each argument of the relation.
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

    /// `relation`, applied to the symbols `x+` of `updates` and, for unchanged arguments, to its
    /// own symbols.
    pub fn updated(&self, relation: Relation, updates: &Updates) -> Atom {
        let symbols = self.relations[relation].symbols();
        let arguments = symbols.map(|symbol| updates.get(&symbol).map_or(symbol, |update| update.after));
        Atom { relation, arguments: arguments.collect() }
    }

    /// Whether no clause has several body atoms.
    pub fn is_linear(&self) -> bool {
        self.clauses.values().all(|clause| clause.body.len() <= 1)
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
    /// The clause whose constraint is `guard` and the equations of those `updates` that have a
    /// value.
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

    /// The clause with this constraint, in which the `updates` have no values yet: it determines
    /// them where it can.
    pub fn from_constraint(
        pool: &mut TermPool,
        body: Vec<Atom>,
        constraint: Term,
        head: (Option<Atom>, Updates),
        origin: String,
    ) -> Self {
        ClauseData::with_contents(pool, &mut Contents::default(), body, constraint, head, origin)
    }

    /// As [`from_constraint`](Self::from_constraint), with storage that is used for many clauses.
    fn with_contents(
        pool: &mut TermPool,
        contents: &mut Contents,
        body: Vec<Atom>,
        constraint: Term,
        (head, mut updates): (Option<Atom>, Updates),
        origin: String,
    ) -> Self {
        contents.fill(pool, constraint, &updates);
        updates::determine(pool, constraint, contents, &mut updates);
        let guard = updates::guard(pool, constraint, contents, &updates);
        let inner = inner_of(&contents.symbols, &body, &updates);
        ClauseData { body, constraint, head, updates, guard, inner, origin }
    }

    /// The clause with another constraint over the same symbols.
    #[must_use]
    pub fn with_constraint(&self, pool: &mut TermPool, constraint: Term) -> Self {
        let updates = self.updates.iter();
        let updates = updates.map(|(&before, update)| (before, Update { value: None, ..*update })).collect();
        let head = (self.head.clone(), updates);
        ClauseData::from_constraint(pool, self.body.clone(), constraint, head, self.origin.clone())
    }

    /// The relation of the body; `None` for an entry.
    ///
    /// # Panics
    /// Panics if there are several: a nonlinear clause is not a transition. See
    /// [`System::is_linear`].
    pub fn from(&self) -> Option<Relation> {
        assert!(self.body.len() <= 1, "a linear clause has one body atom");
        self.body.first().map(|atom| atom.relation)
    }

    /// The relation of the head; `None` for a query.
    pub fn to(&self) -> Option<Relation> {
        self.head.as_ref().map(|atom| atom.relation)
    }

    /// `formula`, over the symbols of the head's relation, as a formula over the symbols of the
    /// clause; they are equivalent if the constraint holds. Known values are substituted, so term
    /// constructors simplify the result.
    pub fn at_head(&self, pool: &mut TermPool, formula: Term) -> Term {
        if self.updates.is_empty() {
            return formula;
        }
        let image = |update: &Update| update.value.unwrap_or(update.after);
        pool.map_leaves(formula, &mut |_, leaf| self.updates.get(&leaf).map(image))
    }

    /// `formula`, over the symbols of the relation of the body atom with this index, as a formula
    /// over the symbols of the clause. For the first atom, this is the formula itself.
    ///
    /// # Panics
    /// If the body has no such atom.
    pub fn at_body(&self, pool: &mut TermPool, system: &System, index: usize, formula: Term) -> Term {
        let atom = &self.body[index];
        let symbols = system.relations[atom.relation].symbols();
        let images: FxHashMap<Term, Term> =
            symbols.zip(atom.arguments.iter().copied()).filter(|(symbol, image)| symbol != image).collect();
        if images.is_empty() {
            return formula;
        }
        pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied())
    }

    /// The clause in the opposite direction: the head is assumed and the first body atom derived, a
    /// fact becomes a query and a query a fact. Nothing is assumed of the other body atoms.
    pub fn reversed(&self) -> OpenClause {
        let open = |atom: &Atom| (atom.relation, atom.arguments.clone());
        OpenClause {
            body: self.head.iter().map(open).collect(),
            constraint: vec![self.constraint],
            head: self.body.first().map(open),
        }
    }

    /// `formula` with each symbol `x+` replaced by `x`.
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

/// All symbols of `constraint` except arguments of the body and of the head.
fn inner(pool: &TermPool, body: &[Atom], updates: &Updates, constraint: Term) -> Vec<Term> {
    inner_of(&Contents::new(pool, constraint, updates).symbols, body, updates)
}

/// The `symbols` of a constraint except arguments of the body and of the head.
fn inner_of(symbols: &[Term], body: &[Atom], updates: &Updates) -> Vec<Term> {
    let mut outer = TermMap::default();
    let arguments = body.iter().flat_map(|atom| atom.arguments.iter().copied());
    for symbol in arguments.chain(updates.values().map(|update| update.after)) {
        outer.insert(symbol, 0);
    }
    symbols.iter().copied().filter(|&symbol| !outer.contains(symbol)).collect()
}

#[cfg(test)]
mod tests;
