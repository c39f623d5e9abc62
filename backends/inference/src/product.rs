//! Products: domains side by side, each in the context of the others.
//!
//! Marušák, *Generic Template-Based Synthesis of Program Abstractions*, Master's thesis, Brno
//! University of Technology, 2019, §6.2.1, Algorithm 2. The template is the conjunction of the
//! parts' templates.
//!
//! DIVERGENCE: Algorithm 2 iterates the solver of one part in the context of the other parts. Here
//! the rows of all parts are rows of the product, so one query covers them, and a violating state
//! is joined into all parts at once. The fixpoint is the same; it takes fewer queries.

use crate::domain::{Counts, Domain, Edge, Row};
use horn::Relation;
use terms::{Term, TermPool, Value};

/// The product of domains.
pub(crate) struct Product {
    parts: Vec<Box<dyn Domain>>,
    values: Vec<Value>,
}

impl Product {
    pub(crate) fn new(parts: Vec<Box<dyn Domain>>) -> Self {
        Product { parts, values: Vec::new() }
    }

    fn part(&self, row: Row) -> (&dyn Domain, Row) {
        let (part, row) = row.part(self.parts.len());
        (&*self.parts[part], row)
    }

    fn part_mut(&mut self, row: Row) -> (&mut dyn Domain, Row) {
        let (part, row) = row.part(self.parts.len());
        (&mut *self.parts[part], row)
    }
}

impl Domain for Product {
    fn name(&self) -> String {
        let names: Vec<String> = self.parts.iter().map(|part| part.name()).collect();
        names.join("*")
    }

    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term> {
        self.parts.iter().flat_map(|part| part.to_pre_constraints(pool, relation)).collect()
    }

    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)> {
        let mut found = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            let rows = part.make_not_post_constraints(pool, edge).into_iter();
            found.extend(rows.map(|(row, formula)| (row.of_part(index, self.parts.len()), formula)));
        }
        found
    }

    fn get_required_values(&self, pool: &mut TermPool, edge: Edge, row: Row) -> Vec<Term> {
        let (part, row) = self.part(row);
        part.get_required_values(pool, edge, row)
    }

    fn set_values(&mut self, values: Vec<Value>) {
        self.values = values;
    }

    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool {
        let values = std::mem::take(&mut self.values);
        let (part, row) = self.part_mut(row);
        part.set_values(values);
        part.edit_row(pool, edge, row)
    }

    fn suspend(&mut self, row: Row) {
        let (part, row) = self.part_mut(row);
        part.suspend(row);
    }

    fn not_satisfiable(&mut self) -> bool {
        let mut is_on_trial = false;
        for part in &mut self.parts {
            is_on_trial |= part.not_satisfiable();
        }
        is_on_trial
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        self.parts.iter().flat_map(|part| part.counts()).collect()
    }
}
