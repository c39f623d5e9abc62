//! The terms and constants of a system from which domains make their rows.
//!
//! * The *numbers* of a relation: its numeric arguments, and the loads from its array arguments
//!   that occur in clauses (a byte, or several bytes as one word), at places that no loop around
//!   the relation changes. Numbers that occur in conditions come first.
//! * Its *literals*: the atoms of clauses over its arguments. An atom of a clause to the relation
//!   is rewritten over the new state, where the clause says which argument has the value of a term.
//!   An atom of a clause with several body atoms is rewritten over the arguments of each.
//! * The *constants* with which a number is compared, and the numbers with which it shares an atom.

use crate::candidates::Formulas;
use crate::instance::Instance;
use backends::symbolic::{atoms, integer, is_numeric, without_common_parts};
use horn::{Atom, ClauseData, Relation, System};
use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::SecondaryMap;
use terms::{Op, Sort, Substitution, Term, TermPool};

/// A set of terms in order of insertion.
pub(crate) type Terms = IndexSet<Term, FxBuildHasher>;

/// The largest number of numbers of a relation.
pub(crate) const MAX_NUMBERS: usize = 256;
/// The largest number of atoms of a relation.
pub(crate) const MAX_ATOMS: usize = 300;
/// The largest number of conjuncts of a query whose disjunctions become literals.
const MAX_CONJUNCTS: usize = 5;
/// The number of nonlinear clauses through which goals are passed on.
const ROUNDS: usize = 2;
/// The largest size of an atom; larger ones are rarely invariants and costly in queries.
const MAX_SIZE: usize = 400;

/// The material of a system, see the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The material of each relation.
    pub(crate) of: SecondaryMap<Relation, Material>,
    /// The divisors of remainders.
    pub(crate) divisors: BTreeSet<BigInt>,
}

/// The material of a relation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Material {
    /// Comparable terms.
    pub(crate) numbers: Vec<Term>,
    /// Boolean arguments.
    pub(crate) truths: Vec<Term>,
    /// Atoms.
    pub(crate) atoms: Terms,
    /// Formulas that exclude queries from this relation, without some of their conjuncts.
    pub(crate) goals: Terms,
    /// The constants in atoms with a symbol.
    constants: FxHashMap<Term, BTreeSet<BigInt>>,
    /// The symbols that share an atom with a symbol.
    neighbors: IndexMap<Term, Terms, FxBuildHasher>,
    /// Segments: formulas under which the domain `segments` has rows.
    pub(crate) guards: Vec<Term>,
    /// If there are any, rows are only made about these symbols.
    focus: FxHashSet<Term>,
}

/// Material beside that of a system, for each relation over the symbols of its arguments.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Formulas that may hold.
    pub literals: Formulas,
    /// Numbers that rows are made of.
    pub numbers: Formulas,
    /// Guards of the domain `segments`.
    pub guards: Formulas,
}

/// The atoms of a constraint, each followed by itself without common parts of its sides.
pub(crate) fn atoms_with_parts(pool: &mut TermPool, constraint: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms(pool, constraint) {
        found.push(atom);
        found.extend(without_common_parts(pool, atom));
    }
    found
}

/// The largest number of arguments to which suggested numbers are related.
const MAX_RELATED: usize = 6;

impl Vocabulary {
    /// The material of `system`.
    #[must_use]
    pub(crate) fn of(pool: &mut TermPool, system: &System) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut all = Terms::default();
        for clause in system.clauses.values() {
            let here = atoms_with_parts(pool, clause.constraint);
            let mut becomes = Substitution::new();
            for (&symbol, update) in &clause.updates {
                if let Some(value) = update.value.filter(|&value| !pool.is_constant(value)) {
                    becomes.insert(value, symbol);
                }
            }
            for atom in here {
                if pool.dag_size(atom) > MAX_SIZE {
                    continue;
                }
                all.insert(atom);
                let unprimed = clause.unprimed(pool, atom);
                all.insert(unprimed);
                let after = becomes.apply(pool, atom);
                all.insert(after);
                for other in summaries(clause) {
                    all.extend(over_relation(pool, system, other, atom));
                }
            }
            vocabulary.read_divisors(pool, clause);
        }
        let found = Found::of(pool, system, &all);
        for relation in system.relations.keys() {
            let own: FxHashSet<Term> = system.relations[relation].symbols().collect();
            let mut material = Material::default();
            for (atom, symbols) in found.atoms_with(&own) {
                material.read(pool, *atom, symbols);
                let is_own = symbols.iter().all(|symbol| own.contains(symbol));
                if is_own && material.atoms.len() < MAX_ATOMS {
                    material.atoms.insert(*atom);
                }
            }
            material.truths =
                own_in_order(system, relation).filter(|&symbol| pool.sort(symbol) == Sort::Bool).collect();
            material.numbers = found.numbers(pool, system, relation, &own);
            vocabulary.of[relation] = material;
        }
        for (_, query) in system.queries() {
            for atom in &query.body {
                vocabulary.of[atom.relation].goals(pool, system, query, atom);
            }
        }
        for _ in 0..ROUNDS {
            vocabulary.pass_goals(pool, system);
        }
        vocabulary
    }

    /// Passes the goals of a relation to the other body atoms of nonlinear clauses that lead to it:
    /// a goal after a call may be a property of the summary alone.
    fn pass_goals(&mut self, pool: &mut TermPool, system: &System) {
        for (_, clause) in system.rules() {
            let Some(head) = clause.to().filter(|_| summaries(clause).next().is_some()) else { continue };
            let goals: Vec<Term> = self.of[head].goals.iter().copied().collect();
            let mut instance = Instance::of_head(system, clause);
            for goal in goals {
                let before = instance.apply(pool, goal);
                for atom in summaries(clause) {
                    let material = &mut self.of[atom.relation];
                    if material.goals.len() < MAX_ATOMS {
                        material.goals.extend(over_relation(pool, system, atom, before));
                    }
                }
            }
        }
    }

    /// Adds suggestions to the material of each relation. Suggested numbers come first.
    pub(crate) fn suggest(&mut self, suggested: &Suggestions, system: &System) {
        for relation in system.relations.keys() {
            let material = &mut self.of[relation];
            for &formula in &suggested.literals[relation] {
                if material.goals.len() < MAX_ATOMS {
                    material.goals.insert(formula);
                }
            }
            let mut numbers: Terms = suggested.numbers[relation].iter().copied().collect();
            numbers.extend(material.numbers.iter().copied());
            numbers.truncate(MAX_NUMBERS);
            material.numbers = numbers.into_iter().collect();
            material.guards.extend(&suggested.guards[relation]);
        }
    }

    /// The material for rows about the contents of arrays: loads, the last argument, and a few
    /// other arguments to which they are related.
    pub(crate) fn about_arrays(&self, pool: &mut TermPool, system: &System) -> Self {
        let mut of = SecondaryMap::new();
        for (relation, data) in system.relations.iter() {
            let Material { numbers, .. } = &self.of[relation];
            let mut material = self.of[relation].clone();
            material.focus = data.symbols().filter(|&x| matches!(pool.sort(x), Sort::Array(_))).collect();
            let (loads, arguments): (Vec<Term>, Vec<Term>) =
                numbers.iter().partition(|&&number| material.is_in_focus(pool, number));
            let last = data.symbols().last().filter(|last| arguments.contains(last));
            let mut chosen: Terms = loads.into_iter().chain(last).collect();
            let related = MAX_RELATED + chosen.len();
            chosen.extend(arguments);
            chosen.truncate(related);
            material.numbers = chosen.into_iter().collect();
            of[relation] = material;
        }
        Vocabulary { of, divisors: self.divisors.clone() }
    }

    fn read_divisors(&mut self, pool: &TermPool, clause: &ClauseData) {
        let divisors = &mut self.divisors;
        pool.visit(
            &[clause.constraint],
            |_| true,
            |term| {
                if matches!(pool.op(term), Op::IntMod | Op::BvUrem | Op::BvSrem)
                    && let Some(divisor) = integer(pool, pool.children(term)[1])
                {
                    divisors.insert(divisor);
                }
            },
        );
    }
}

/// The body atoms of other relations than the first, which has the symbols of its relation. Atoms
/// of the same relation are instances of one state, see [`cells`](crate::cells).
fn summaries(clause: &ClauseData) -> impl Iterator<Item = &Atom> {
    let first = clause.body.first().map(|atom| atom.relation);
    clause.body.iter().filter(move |atom| Some(atom.relation) != first)
}

fn own_in_order(system: &System, relation: Relation) -> impl Iterator<Item = Term> {
    system.relations[relation].symbols()
}

/// `formula`, over the arguments of `atom`, as a formula over the symbols of its relation; `None`
/// if it has other symbols.
fn over_relation(pool: &mut TermPool, system: &System, atom: &Atom, formula: Term) -> Option<Term> {
    let symbols = system.relations[atom.relation].symbols();
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for (&argument, symbol) in atom.arguments.iter().zip(symbols) {
        images.entry(argument).or_insert(symbol);
    }
    let is_inside = symbols_of(pool, formula).iter().all(|symbol| images.contains_key(symbol));
    is_inside.then(|| pool.map_leaves(formula, &mut |_, leaf| images.get(&leaf).copied()))
}

/// The literals of a system and the formulas that exclude its queries: formulas to suggest for a
/// translation of the system.
pub fn literals(pool: &mut TermPool, system: &System) -> Formulas {
    let vocabulary = Vocabulary::of(pool, system);
    let mut found = Formulas::new();
    for relation in system.relations.keys() {
        let Material { atoms, goals, .. } = &vocabulary.of[relation];
        found[relation].extend(goals);
        for &atom in atoms {
            found[relation].extend([atom, pool.not(atom)]);
        }
    }
    found
}

/// The free symbols of a term, as terms.
pub(crate) fn symbols_of(pool: &mut TermPool, term: Term) -> Vec<Term> {
    pool.free_symbols(term).into_iter().map(|symbol| pool.symbol_term(symbol)).collect()
}

/// The atoms of a system and their parts.
struct Found {
    /// The atoms with symbols, and their symbols.
    atoms: Vec<(Term, Vec<Term>)>,
    /// The places in `atoms` of those with a symbol.
    with: FxHashMap<Term, Vec<usize>>,
    /// Loads that are no part of larger loads, and their symbols. A byte of a word that is loaded
    /// as a whole is not a number by itself.
    loads: Vec<(Term, Vec<Term>)>,
    /// The symbols that a transition within a strongly connected component changes, by relation.
    changed: SecondaryMap<Relation, FxHashSet<Term>>,
}

impl Found {
    fn of(pool: &mut TermPool, system: &System, all: &Terms) -> Self {
        let mut loads = Terms::default();
        let terms: Vec<Term> = all.iter().copied().collect();
        pool.visit(
            &terms,
            |_| true,
            |term| {
                if matches!(pool.op(term), Op::Select | Op::Concat) && is_load(pool, term) {
                    loads.insert(term);
                }
            },
        );
        let parts: FxHashSet<Term> = loads.iter().flat_map(|&load| pool.children(load).to_vec()).collect();
        loads.retain(|&load| !parts.contains(&load) && is_numeric(pool.sort(load)));
        let mut with_symbols = |terms: &Terms| -> Vec<(Term, Vec<Term>)> {
            terms.iter().map(|&term| (term, symbols_of(pool, term))).collect()
        };
        let (mut atoms, loads) = (with_symbols(all), with_symbols(&loads));
        atoms.retain(|(_, symbols)| !symbols.is_empty());
        let mut with: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        for (place, (_, symbols)) in atoms.iter().enumerate() {
            for &symbol in symbols {
                with.entry(symbol).or_default().push(place);
            }
        }
        let components = system.components().of;
        let mut by_component: FxHashMap<usize, FxHashSet<Term>> = FxHashMap::default();
        for (_, clause) in system.rules() {
            let Some(component) = clause.to().map(|head| components[head]) else { continue };
            if clause.body.iter().any(|atom| components[atom.relation] == component) {
                by_component.entry(component).or_default().extend(clause.updates.keys());
            }
        }
        let mut changed: SecondaryMap<Relation, FxHashSet<Term>> = SecondaryMap::new();
        for relation in system.relations.keys() {
            changed[relation] = by_component.get(&components[relation]).cloned().unwrap_or_default();
        }
        Found { atoms, with, loads, changed }
    }

    /// The atoms with one of these symbols, and their symbols.
    fn atoms_with(&self, symbols: &FxHashSet<Term>) -> impl Iterator<Item = &(Term, Vec<Term>)> {
        let places = symbols.iter().filter_map(|symbol| self.with.get(symbol)).flatten().copied();
        places.collect::<BTreeSet<usize>>().into_iter().map(|place| &self.atoms[place])
    }

    /// The comparable terms of a relation: those in atoms first.
    fn numbers(
        &self,
        pool: &TermPool,
        system: &System,
        relation: Relation,
        own: &FxHashSet<Term>,
    ) -> Vec<Term> {
        let mut found = Terms::default();
        let arguments = || own_in_order(system, relation).filter(|&symbol| is_numeric(pool.sort(symbol)));
        found.extend(arguments().filter(|symbol| self.with.contains_key(symbol)));
        let is_steady = |symbol: &Term| {
            own.contains(symbol)
                && (matches!(pool.sort(*symbol), Sort::Array(_)) || !self.changed[relation].contains(symbol))
        };
        let steady = self.loads.iter().filter(|(_, symbols)| symbols.iter().all(is_steady));
        found.extend(steady.map(|&(load, _)| load));
        found.extend(arguments());
        found.truncate(MAX_NUMBERS);
        found.into_iter().collect()
    }
}

/// Whether a term reads an array argument: a cell, or a word of several cells.
fn is_load(pool: &TermPool, term: Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match (pool.op(term), pool.children(term)) {
            (Op::Concat, children) => open.extend(children),
            (Op::Select, &[array, _]) if matches!(pool.op(array), Op::Symbol(_)) => {}
            _ => return false,
        }
    }
    true
}

impl Material {
    fn read(&mut self, pool: &TermPool, atom: Term, symbols: &[Term]) {
        let mut constants = BTreeSet::new();
        pool.visit(
            &[atom],
            |_| true,
            |term| {
                if let Some(number) = integer(pool, term) {
                    constants.insert(number);
                }
            },
        );
        for &symbol in symbols {
            self.constants.entry(symbol).or_default().extend(constants.iter().cloned());
            let neighbors = self.neighbors.entry(symbol).or_default();
            neighbors.extend(symbols.iter().copied().filter(|&other| other != symbol));
        }
    }

    /// The negations of subsets of the conjuncts of a query's guard over the arguments of a body
    /// atom. They include the disjunctive property without the loop condition.
    fn goals(&mut self, pool: &mut TermPool, system: &System, query: &ClauseData, atom: &Atom) {
        let mut conjuncts = Vec::new();
        for formula in pool.conjuncts(&[query.guard]) {
            if let Some(formula) = over_relation(pool, system, atom, formula) {
                conjuncts.push(pool.not(formula));
            }
        }
        if conjuncts.len() > MAX_CONJUNCTS {
            return;
        }
        // Larger subsets give weaker formulas.
        for subset in (1..1usize << conjuncts.len()).rev() {
            let chosen = conjuncts.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
            let chosen: Vec<Term> = chosen.map(|(_, &conjunct)| conjunct).collect();
            self.goals.insert(pool.or(&chosen));
        }
    }

    /// Whether a term is about a symbol in focus.
    fn is_in_focus(&self, pool: &mut TermPool, term: Term) -> bool {
        symbols_of(pool, term).iter().any(|symbol| self.focus.contains(symbol))
    }

    /// Whether rows are made of any of `terms`: suggested formulas, and terms in focus.
    pub(crate) fn admits(&self, pool: &mut TermPool, terms: &[Term]) -> bool {
        let is_suggested = |term: &Term| self.goals.contains(term);
        self.focus.is_empty() || terms.iter().any(|term| is_suggested(term) || self.is_in_focus(pool, *term))
    }

    /// The constants in atoms with a symbol of `term`.
    pub(crate) fn constants_of(&self, symbols: &[Term]) -> BTreeSet<BigInt> {
        symbols.iter().filter_map(|symbol| self.constants.get(symbol)).flatten().cloned().collect()
    }

    /// The symbols that share an atom with one of `symbols`.
    pub(crate) fn neighbors_of(&self, symbols: &[Term]) -> Terms {
        symbols.iter().filter_map(|symbol| self.neighbors.get(symbol)).flatten().copied().collect()
    }
}
