//! Clauses over terms as clauses of a system: the conventions of [`horn`] about symbols.
//!
//! The variables in the first atom of a body become the symbols of its relation, those that occur
//! first in the head become the symbols `x+` of its relation, and all others become inner symbols
//! with their own names. An argument that is another term, or a variable that already has a symbol,
//! becomes an equation. Symbols of relations differ from all inner symbols.
//!
//! The arguments of a relation are named for readers by the variables of the first atom of a body
//! in which it occurs first.

use super::sequent::RawClause;
use crate::smtlib::Declaration;
use horn::{Argument, Atom, ClauseData, Relation, RelationData, System, Update, Updates};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Sort, Substitution, Term, TermPool};

/// Builds a system.
#[derive(Debug, Default)]
pub(super) struct Builder {
    system: System,
    functions: FxHashMap<FunctionSymbol, Relation>,
    constants: FxHashMap<Term, Relation>,
    names: FxHashMap<String, Relation>,
    /// The symbols `x+` of each relation, and whether its arguments are named.
    after: Vec<(Vec<Term>, bool)>,
    /// The symbols of relations.
    outer: FxHashSet<Term>,
    /// The inner symbols of variables, and all inner symbols.
    variables: FxHashMap<Term, Term>,
    inner: FxHashSet<Term>,
    /// The inner symbols for the terms that are arguments in bodies.
    places: FxHashMap<(usize, Sort), Term>,
    images: Substitution,
}

impl Builder {
    /// Adds a relation.
    pub(super) fn relation(&mut self, pool: &mut TermPool, declaration: Declaration, name: &str) {
        let relation = self.system.relations.next_key();
        let sorts = match declaration {
            Declaration::Constant(symbol) => {
                self.constants.insert(symbol, relation);
                Vec::new()
            }
            Declaration::Function(function) => {
                self.functions.insert(function, relation);
                pool.function_data(function).1.to_vec()
            }
        };
        // A declared name is unique, so a relation that has it already is auxiliary.
        if let Some(auxiliary) = self.names.insert(name.to_owned(), relation) {
            let other = std::iter::successors(Some(format!("{name}!")), |name| Some(format!("{name}!")))
                .find(|name| !self.names.contains_key(name))
                .expect("the candidates are infinitely many");
            self.system.relations[auxiliary].name.clone_from(&other);
            self.names.insert(other, auxiliary);
        }
        let mut symbols = |suffix: &str| -> Vec<Term> {
            let names = sorts.iter().enumerate();
            names.map(|(place, &sort)| self.outer(pool, format!("{name}.{place}{suffix}"), sort)).collect()
        };
        let (before, after) = (symbols(""), symbols("+"));
        let arguments = before.into_iter().enumerate();
        let arguments = arguments.map(|(place, symbol)| Argument { name: format!("x{place}"), symbol });
        let data =
            RelationData { name: name.to_owned(), arguments: arguments.collect(), origin: String::new() };
        self.system.relations.push(data);
        self.after.push((after, false));
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

    fn relation_of(&self, pool: &TermPool, atom: Term) -> Relation {
        let relation = match pool.op(atom) {
            Op::Apply(function) => self.functions.get(&function),
            _ => self.constants.get(&atom),
        };
        *relation.expect("the relation of an atom is declared")
    }

    /// Names the arguments of a relation by the variables of an atom.
    fn name_arguments(&mut self, pool: &TermPool, relation: Relation, arguments: &[Term]) {
        if std::mem::replace(&mut self.after[relation.0 as usize].1, true) {
            return;
        }
        let mut taken = FxHashSet::default();
        let variables: FxHashSet<Term> =
            arguments.iter().copied().filter(|&t| is_variable(pool, t)).collect();
        let used: FxHashSet<String> =
            variables.iter().map(|&variable| variable_name(pool, variable)).collect();
        for (argument, &term) in self.system.relations[relation].arguments.iter_mut().zip(arguments) {
            let mut name = argument.name.clone();
            if is_variable(pool, term) && !taken.contains(&variable_name(pool, term)) {
                name = variable_name(pool, term);
            } else {
                while used.contains(&name) || taken.contains(&name) {
                    name.push('\'');
                }
            }
            taken.insert(name.clone());
            argument.name = name;
        }
    }

    /// Adds a clause.
    pub(super) fn clause(&mut self, pool: &mut TermPool, raw: &RawClause, origin: String) {
        self.images.clear();
        // Equations between a symbol and a term over variables.
        let mut equations: Vec<(Term, Term)> = Vec::new();
        let mut body = Vec::with_capacity(raw.body.len());
        let mut places = 0;
        for (index, &atom) in raw.body.iter().enumerate() {
            let relation = self.relation_of(pool, atom);
            let terms = pool.children(atom).to_vec();
            if index == 0 {
                self.name_arguments(pool, relation, &terms);
            }
            let mut arguments = Vec::with_capacity(terms.len());
            for (place, &term) in terms.iter().enumerate() {
                let own = self.system.relations[relation].arguments[place].symbol;
                let known = self.images.get(term);
                let is_variable = is_variable(pool, term);
                arguments.push(match (index, is_variable, known) {
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
            body.push(Atom { relation, arguments });
        }
        let mut updates = Updates::default();
        let head = raw.head.map(|atom| {
            let relation = self.relation_of(pool, atom);
            for (place, &term) in pool.children(atom).iter().enumerate() {
                let own = self.system.relations[relation].arguments[place].symbol;
                let after = self.after[relation.0 as usize].0[place];
                let is_variable = is_variable(pool, term);
                match self.images.get(term) {
                    Some(symbol) if is_variable && symbol == own => continue,
                    None if is_variable => self.images.insert(term, after),
                    _ => equations.push((after, term)),
                }
                updates.insert(own, Update { after, value: None });
            }
            self.system.updated(relation, &updates)
        });
        let mut conjuncts = Vec::with_capacity(equations.len() + raw.constraint.len());
        for (symbol, term) in equations {
            let image = self.image(pool, term);
            conjuncts.push(pool.eq(symbol, image));
        }
        for &conjunct in &raw.constraint {
            conjuncts.push(self.image(pool, conjunct));
        }
        let constraint = pool.and(&conjuncts);
        let data = ClauseData::from_constraint(pool, body, constraint, (head, updates), origin);
        self.system.clauses.push(data);
    }

    /// A term over variables as a term over symbols.
    fn image(&mut self, pool: &mut TermPool, term: Term) -> Term {
        let mut images = std::mem::take(&mut self.images);
        let image = images.apply_with(pool, term, &mut |pool, leaf| Some(self.variable(pool, leaf)));
        self.images = images;
        image
    }

    pub(super) fn finish(self) -> System {
        self.system
    }
}

/// Whether an argument is a variable. No relation is an argument.
fn is_variable(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Bound(_) | Op::Symbol(_))
}

fn variable_name(pool: &TermPool, variable: Term) -> String {
    match pool.op(variable) {
        Op::Bound(id) => pool.bound_name(id).to_owned(),
        Op::Symbol(symbol) => pool.symbol_data(symbol).name.clone(),
        op => unreachable!("{op:?} is no variable"),
    }
}
