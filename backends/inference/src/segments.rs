//! Segments: a domain for each of several guards.
//!
//! The template of a relation is `⋀ g ⇒ T(x, d_g)` over its guards `g`
//! ([`Suggestions::guards`](crate::Suggestions)), and always `true` among them. For a system with
//! [distinguished cells](crate::cells) the guards are segments of arrays such as `0 ≤ k < i`, and
//! rows are made of the contents of arrays only: the other rows would hold without a guard.
//!
//! *Source.* Gopan, Reps, Sagiv, *A framework for numeric analysis of array operations*, POPL 2005,
//! which splits arrays at loop counters. DIVERGENCE: they summarize the cells of a segment by one
//! variable and expand it where it is read; here a cell is [instantiated](crate::cells), so no
//! segment is ever split or joined, and segments may overlap.
//!
//! Cost: the rows of the inner domain for each guard.

use crate::domain::{Counts, Domain, Edge, Row};
use crate::paths::sum;
use crate::spec::DomainSpec;
use crate::table::Base;
use horn::Relation;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::entity::{Entity, SecondaryMap};
use terms::{Term, TermPool, Value};

/// A domain for each guard.
pub(crate) struct Segments {
    /// The guards of each relation; the first is `true`.
    guards: SecondaryMap<Relation, Vec<Term>>,
    /// The domain of each guard, by its place among the guards of a relation.
    elements: Vec<Box<dyn Domain>>,
    relations: usize,
    /// The guards whose first state was not decided.
    dropped: FxHashSet<(usize, Relation)>,
    values: Vec<Value>,
    /// Whether rows are on trial. Then no segment gets its first state: it had none before, under
    /// weaker templates.
    is_on_trial: bool,
}

impl Segments {
    pub(crate) fn new(pool: &mut TermPool, base: &Base<'_>, inner: &DomainSpec) -> Self {
        let vocabulary = Rc::new(base.vocabulary.about_arrays(pool, base.system));
        let base = Base { vocabulary: &vocabulary, ..*base };
        let mut guards: SecondaryMap<Relation, Vec<Term>> = SecondaryMap::new();
        let mut count = 1;
        for relation in base.system.relations.keys() {
            let all = pool.tru();
            let suggested = vocabulary.of[relation].guards.iter().copied();
            guards[relation] = [all].into_iter().chain(suggested.filter(|&guard| guard != all)).collect();
            count = count.max(guards[relation].len());
        }
        Segments {
            guards,
            elements: (0..count).map(|_| inner.make(pool, &base)).collect(),
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

impl Domain for Segments {
    fn name(&self) -> String {
        format!("segments({})", self.elements[0].name())
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
