//! Guarded templates: a domain for each of several guards.
//!
//! The template of a relation is `⋀ g ⇒ T(x, d_g)` over its guards `g`, and always `true` among
//! them: the guarded templates of Marušák, *Generic Template-Based Synthesis of Program
//! Abstractions*, Master's thesis, Brno University of Technology, 2019, §4.2. There are two kinds
//! of guards:
//!
//! * *Segments* of arrays such as `0 ≤ k < i` ([`Suggestions::guards`](crate::Suggestions)), for a
//!   system with [distinguished cells](crate::cells). Rows are made of the contents of arrays only:
//!   the other rows would hold without a guard. *Source.* Gopan, Reps, Sagiv, *A framework for
//!   numeric analysis of array operations*, POPL 2005, which splits arrays at loop counters.
//!   DIVERGENCE: they summarize the cells of a segment by one variable and expand it where it is
//!   read; here a cell is [instantiated](crate::cells), so no segment is ever split or joined, and
//!   segments may overlap.
//! * *Phases* of a loop: the branch conditions of its body over the state at the loop head, and
//!   their negations. *Source.* Sharma, Dillig, Dillig, Aiken, *Simplifying Loop Invariant
//!   Generation Using Splitter Predicates*, CAV 2011. DIVERGENCE: they make a sequence of loops of
//!   one whose condition changes its value only once; here the loop stays, so a phase may come
//!   again, and a state may be in several.
//!
//! Cost: the rows of the inner domain for each guard. A relation has at most [`MAX_PHASES`]
//! conditions as guards.

use crate::domain::{Counts, Domain, Edge, Row};
use crate::paths::sum;
use crate::spec::DomainSpec;
use crate::table::Base;
use horn::{Relation, System};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::rc::Rc;
use terms::entity::{Entity, SecondaryMap};
use terms::{Term, TermPool, Value};

/// The largest number of conditions of a relation that are guards.
const MAX_PHASES: usize = 3;

/// A domain for each guard.
pub(crate) struct Guarded {
    name: &'static str,
    /// The guards of each relation; the first is `true`.
    guards: SecondaryMap<Relation, Vec<Term>>,
    /// The domain of each guard, by its place among the guards of a relation.
    elements: Vec<Box<dyn Domain>>,
    relations: usize,
    /// The guards whose first state was not decided.
    dropped: FxHashSet<(usize, Relation)>,
    values: Vec<Value>,
    /// Whether rows are on trial. Then no guard gets its first state: it had none before, under
    /// weaker templates.
    is_on_trial: bool,
}

impl Guarded {
    /// A domain about the contents of arrays for each segment.
    pub(crate) fn segments(pool: &mut TermPool, base: &Base<'_>, inner: &DomainSpec) -> Self {
        let vocabulary = Rc::new(base.vocabulary.about_arrays(pool, base.system));
        let mut guards: SecondaryMap<Relation, Vec<Term>> = SecondaryMap::new();
        for relation in base.system.relations.keys() {
            guards[relation].clone_from(&vocabulary.of[relation].guards);
        }
        Guarded::new(pool, "segments", &Base { vocabulary: &vocabulary, ..*base }, &guards, inner)
    }

    /// A domain for each phase of a loop.
    pub(crate) fn phases(pool: &mut TermPool, base: &Base<'_>, inner: &DomainSpec) -> Self {
        let guards = phases(pool, base.system);
        Guarded::new(pool, "phases", base, &guards, inner)
    }

    fn new(
        pool: &mut TermPool,
        name: &'static str,
        base: &Base<'_>,
        suggested: &SecondaryMap<Relation, Vec<Term>>,
        inner: &DomainSpec,
    ) -> Self {
        let mut guards: SecondaryMap<Relation, Vec<Term>> = SecondaryMap::new();
        let mut count = 1;
        for relation in base.system.relations.keys() {
            let all = pool.tru();
            let suggested = suggested[relation].iter().copied();
            guards[relation] = [all].into_iter().chain(suggested.filter(|&guard| guard != all)).collect();
            count = count.max(guards[relation].len());
        }
        Guarded {
            name,
            guards,
            elements: (0..count).map(|_| inner.make(pool, base)).collect(),
            relations: base.system.relations.len(),
            dropped: FxHashSet::default(),
            values: Vec::new(),
            is_on_trial: false,
        }
    }

    /// The elements of a relation that are in use, each with its guard.
    fn of(&self, relation: Relation) -> impl Iterator<Item = (usize, &dyn Domain, Term)> {
        let guards = self.guards[relation].iter().zip(&self.elements).enumerate();
        let all = guards.map(|(place, (&guard, element))| (place, &**element, guard));
        all.filter(move |&(place, ..)| !self.dropped.contains(&(place, relation)))
    }

    /// The row of an element at a relation as a row of this domain.
    fn row(&self, place: usize, relation: Relation, row: Row) -> Row {
        row.of_part(relation.index(), self.relations).of_part(place, self.elements.len())
    }

    /// The element of a row, its relation, and its row there.
    fn part(&self, row: Row) -> (usize, Relation, Row) {
        let (place, row) = row.part(self.elements.len());
        let (relation, row) = row.part(self.relations);
        (place, Relation::new(relation), row)
    }
}

/// The conditions over the state of each relation that decide between clauses back to it, and their
/// negations.
fn phases(pool: &mut TermPool, system: &System) -> SecondaryMap<Relation, Vec<Term>> {
    let components = system.components();
    let mut literals: SecondaryMap<Relation, IndexSet<Term, FxBuildHasher>> = SecondaryMap::new();
    for (_, clause) in system.rules() {
        let (Some(atom), Some(head)) = (clause.body.first(), clause.to()) else { continue };
        if components.of[atom.relation] != components.of[head] {
            continue;
        }
        let own: FxHashSet<Term> = system.relations[atom.relation].symbols().collect();
        for literal in pool.conjuncts(&[clause.guard]) {
            let symbols = pool.free_symbols(literal);
            if !symbols.is_empty()
                && symbols.into_iter().all(|symbol| own.contains(&pool.symbol_term(symbol)))
            {
                literals[atom.relation].insert(literal);
            }
        }
    }
    let mut guards: SecondaryMap<Relation, Vec<Term>> = SecondaryMap::new();
    for relation in system.relations.keys() {
        let own = std::mem::take(&mut literals[relation]);
        for &literal in &own {
            let negation = pool.not(literal);
            let found = &mut guards[relation];
            if own.contains(&negation) && !found.contains(&literal) && found.len() < 2 * MAX_PHASES {
                found.extend([literal, negation]);
            }
        }
    }
    guards
}

/// Whether a loop of the system has several phases.
pub(crate) fn has_phases(pool: &mut TermPool, system: &System) -> bool {
    let guards = phases(pool, system);
    system.relations.keys().any(|relation| !guards[relation].is_empty())
}

impl Domain for Guarded {
    fn name(&self) -> String {
        format!("{}({})", self.name, self.elements[0].name())
    }

    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        for (_, element, guard) in self.of(relation) {
            for conjunct in element.to_pre_constraints(pool, relation) {
                conjuncts.push(pool.implies(guard, conjunct));
            }
        }
        conjuncts
    }

    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)> {
        let mut found = Vec::new();
        for (place, element, guard) in self.of(edge.head) {
            for (row, formula) in element.make_not_post_constraints(pool, edge) {
                if self.is_on_trial && row == Row::FIRST {
                    continue;
                }
                found.push((self.row(place, edge.head, row), pool.implies(guard, formula)));
            }
        }
        found
    }

    fn get_required_values(&self, pool: &mut TermPool, edge: Edge, row: Row) -> Vec<Term> {
        let (place, _, row) = self.part(row);
        self.elements[place].get_required_values(pool, edge, row)
    }

    fn set_values(&mut self, values: Vec<Value>) {
        self.values = values;
    }

    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool {
        let values = std::mem::take(&mut self.values);
        let (place, _, row) = self.part(row);
        let element = &mut self.elements[place];
        element.set_values(values);
        element.edit_row(pool, edge, row)
    }

    fn suspend(&mut self, row: Row) {
        let (place, relation, row) = self.part(row);
        if row == Row::FIRST {
            self.dropped.insert((place, relation));
        } else {
            self.elements[place].suspend(row);
        }
    }

    fn not_satisfiable(&mut self) -> bool {
        self.is_on_trial = true;
        let mut are_rows = false;
        for element in &mut self.elements {
            are_rows |= element.not_satisfiable();
        }
        are_rows
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        sum(self.elements.iter().flat_map(|element| element.counts()))
    }
}
