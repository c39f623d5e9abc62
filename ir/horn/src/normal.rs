//! Clauses over arbitrary terms in the normal form of a [`System`]: the conventions about symbols.
//!
//! The variables in the first atom of a body become the symbols of its relation, those that occur
//! first in the head become the symbols `x+` of its relation, and all others become inner symbols
//! with their own names. An argument that is another term, or a variable that already has a symbol,
//! becomes an equation. Symbols of relations differ from all inner symbols.

use crate::updates::Contents;
use crate::{Atom, ClauseData, Relation, RelationData, System, Update, Updates};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Substitution, Term, TermPool};

/// An atom over arbitrary terms.
pub type OpenAtom = (Relation, Vec<Term>);

/// A clause over arbitrary terms. Its variables are the symbols and the free bound variables.
#[derive(Clone, Debug, Default)]
pub struct OpenClause {
    /// The assumed atoms.
    pub body: Vec<OpenAtom>,
    /// Formulas without relations.
    pub constraint: Vec<Term>,
    /// The derived atom.
    pub head: Option<OpenAtom>,
}

/// Takes clauses to normal form.
#[derive(Debug, Default)]
pub struct Normalizer {
    /// The symbols `x+` by `x`.
    after: FxHashMap<Term, Term>,
    /// The symbols `x` and `x+`.
    outer: FxHashSet<Term>,
    /// The inner symbols of variables, and all inner symbols.
    variables: FxHashMap<Term, Term>,
    inner: FxHashSet<Term>,
    /// The inner symbols for the terms that are arguments in bodies.
    places: FxHashMap<(usize, Sort), Term>,
    images: Substitution,
    contents: Contents,
    /// Equations between a symbol and a term over variables, and the conjuncts of a constraint: the
    /// storage of [`clause`](Self::clause).
    equations: Vec<(Term, Term)>,
    conjuncts: Vec<Term>,
}

impl Normalizer {
    /// A normalizer for clauses of the relations of `system`.
    pub fn of(system: &System) -> Self {
        let mut normalizer = Normalizer::default();
        for clause in system.clauses.values() {
            for (&before, update) in &clause.updates {
                normalizer.after.entry(before).or_insert(update.after);
                normalizer.outer.insert(update.after);
            }
        }
        normalizer.outer.extend(system.relations.values().flat_map(RelationData::symbols));
        normalizer
    }

    /// Makes a symbol `x` for an argument of a relation, distinct from all others.
    pub fn argument(&mut self, pool: &mut TermPool, name: &str, sort: Sort) -> Term {
        let symbol = self.outer(pool, name.to_owned(), sort);
        self.after(pool, symbol);
        symbol
    }

    fn outer(&mut self, pool: &mut TermPool, mut name: String, sort: Sort) -> Term {
        loop {
            let symbol = pool.symbol(&name, sort);
            if !self.inner.contains(&symbol) && self.outer.insert(symbol) {
                return symbol;
            }
            name.push('!');
        }
    }

    /// The symbol `x+`.
    fn after(&mut self, pool: &mut TermPool, before: Term) -> Term {
        if let Some(&after) = self.after.get(&before) {
            return after;
        }
        let after = self.outer(pool, format!("{}+", variable_name(pool, before)), pool.sort(before));
        self.after.insert(before, after);
        after
    }

    fn inner(&mut self, pool: &mut TermPool, mut name: String, sort: Sort) -> Term {
        loop {
            let symbol = pool.symbol(&name, sort);
            if !self.outer.contains(&symbol) && self.inner.insert(symbol) {
                return symbol;
            }
            name.push('!');
        }
    }

    /// The inner symbol of a variable.
    fn variable(&mut self, pool: &mut TermPool, variable: Term) -> Term {
        if let Some(&symbol) = self.variables.get(&variable) {
            return symbol;
        }
        let symbol = self.inner(pool, variable_name(pool, variable), pool.sort(variable));
        self.variables.insert(variable, symbol);
        symbol
    }

    /// The inner symbol for the argument number `place` of a body that is no variable.
    fn place(&mut self, pool: &mut TermPool, place: usize, sort: Sort) -> Term {
        if let Some(&symbol) = self.places.get(&(place, sort)) {
            return symbol;
        }
        let symbol = self.inner(pool, format!("argument.{place}"), sort);
        self.places.insert((place, sort), symbol);
        symbol
    }

    /// The normal form of a clause over the relations of `system`.
    pub fn clause(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        open: &OpenClause,
        origin: String,
    ) -> ClauseData {
        self.images.clear();
        let mut equations = std::mem::take(&mut self.equations);
        let mut conjuncts = std::mem::take(&mut self.conjuncts);
        let mut body = Vec::with_capacity(open.body.len());
        let mut places = 0;
        for (index, (relation, terms)) in open.body.iter().enumerate() {
            let mut arguments = Vec::with_capacity(terms.len());
            for (own, &term) in system.relations[*relation].symbols().zip(terms) {
                let known = self.images.get(term);
                arguments.push(match (index, is_variable(pool, term), known) {
                    (0, true, None) => {
                        self.images.insert(term, own);
                        own
                    }
                    (0, ..) => {
                        equations.push((own, term));
                        own
                    }
                    (_, true, Some(symbol)) => symbol,
                    (_, true, None) => {
                        let symbol = self.variable(pool, term);
                        self.images.insert(term, symbol);
                        symbol
                    }
                    (_, false, _) => {
                        let symbol = self.place(pool, places, pool.sort(term));
                        places += 1;
                        equations.push((symbol, term));
                        symbol
                    }
                });
            }
            body.push(Atom { relation: *relation, arguments });
        }
        let mut updates = Updates::default();
        let head = open.head.as_ref().map(|(relation, terms)| {
            for (own, &term) in system.relations[*relation].symbols().zip(terms) {
                let is_variable = is_variable(pool, term);
                let known = self.images.get(term);
                if is_variable && known == Some(own) {
                    continue;
                }
                let after = self.after(pool, own);
                if is_variable && known.is_none() {
                    self.images.insert(term, after);
                } else {
                    equations.push((after, term));
                }
                updates.insert(own, Update { after, value: None });
            }
            system.updated(*relation, &updates)
        });
        for (symbol, term) in equations.drain(..) {
            let image = self.image(pool, term);
            conjuncts.push(pool.eq(symbol, image));
        }
        for &conjunct in &open.constraint {
            conjuncts.push(self.image(pool, conjunct));
        }
        let constraint = pool.and(&conjuncts);
        conjuncts.clear();
        (self.equations, self.conjuncts) = (equations, conjuncts);
        ClauseData::with_contents(pool, &mut self.contents, body, constraint, (head, updates), origin)
    }

    /// A term over variables of the last clause as a term over its symbols.
    pub fn image(&mut self, pool: &mut TermPool, term: Term) -> Term {
        let mut images = std::mem::take(&mut self.images);
        let image = images.apply_with(pool, term, &mut |pool, leaf| Some(self.variable(pool, leaf)));
        self.images = images;
        image
    }
}

/// Whether an argument is a variable.
fn is_variable(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Bound(_) | Op::Symbol(_))
}

/// The name of a bound variable or symbol.
pub fn variable_name(pool: &TermPool, variable: Term) -> String {
    match pool.op(variable) {
        Op::Bound(id) => pool.bound_name(id).to_owned(),
        Op::Symbol(symbol) => pool.symbol_data(symbol).name.clone(),
        op => unreachable!("{op:?} is no variable"),
    }
}
