//! Combinations over symbolic paths: one element of a domain for each way into a relation.
//!
//! Marušák, *Generic Template-Based Synthesis of Program Abstractions*, Master's thesis, Brno
//! University of Technology, 2019, §6.2.2, Algorithm 3. The template of a relation is a
//! disjunction: a state that arrived by the clause `c` satisfies the element of `c`. Clauses are
//! [split](crate::split) at the choices in their updates before, so a clause is a path.
//!
//! DIVERGENCE: Algorithm 3 solves for one path after the other and excludes those that are solved,
//! in a formula with all paths of a procedure. In a Horn system a path ends at the next relation,
//! so the paths are the clauses; their elements depend on each other and are solved together.
//!
//! Cost: a relation has at most [`MAX_CLASSES`] elements; further clauses share the last one.

use crate::domain::{Counts, Domain, Edge, Row};
use horn::{Clause, Relation, System};
use terms::entity::SecondaryMap;
use terms::{Term, TermPool, Value};

/// The largest number of elements of a relation.
pub(crate) const MAX_CLASSES: usize = 8;

/// A domain over symbolic paths.
pub(crate) struct Paths {
    /// One for each class.
    elements: Vec<Box<dyn Domain>>,
    /// The class of each clause with a head.
    class: SecondaryMap<Clause, usize>,
    values: Vec<Value>,
}

impl Paths {
    /// Elements of the domain that `make` makes.
    pub(crate) fn new(system: &System, make: &mut dyn FnMut() -> Box<dyn Domain>) -> Self {
        let mut class = SecondaryMap::new();
        let mut count: SecondaryMap<Relation, usize> = SecondaryMap::new();
        let mut most = 1;
        for (clause, data) in system.rules() {
            let Some(head) = data.to() else { continue };
            class[clause] = count[head].min(MAX_CLASSES - 1);
            count[head] += 1;
            most = most.max(class[clause] + 1);
        }
        Paths { elements: (0..most).map(|_| make()).collect(), class, values: Vec::new() }
    }

    fn of(&self, edge: Edge) -> (usize, &dyn Domain) {
        let class = self.class[edge.clause];
        (class, &*self.elements[class])
    }

    fn element(&self, row: Row) -> (&dyn Domain, Row) {
        let (class, row) = row.part(self.elements.len());
        (&*self.elements[class], row)
    }

    fn element_mut(&mut self, row: Row) -> (&mut dyn Domain, Row) {
        let (class, row) = row.part(self.elements.len());
        (&mut *self.elements[class], row)
    }
}

impl Domain for Paths {
    fn name(&self) -> String {
        format!("paths({})", self.elements[0].name())
    }

    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term> {
        let mut disjuncts = Vec::new();
        for element in &self.elements {
            let conjuncts = element.to_pre_constraints(pool, relation);
            disjuncts.push(pool.and(&conjuncts));
        }
        let formula = pool.or(&disjuncts);
        pool.conjuncts(&[formula])
    }

    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)> {
        let (class, element) = self.of(edge);
        let rows = element.make_not_post_constraints(pool, edge).into_iter();
        rows.map(|(row, formula)| (row.of_part(class, self.elements.len()), formula)).collect()
    }

    fn get_required_values(&self, pool: &mut TermPool, edge: Edge, row: Row) -> Vec<Term> {
        let (element, row) = self.element(row);
        element.get_required_values(pool, edge, row)
    }

    fn set_values(&mut self, values: Vec<Value>) {
        self.values = values;
    }

    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool {
        let values = std::mem::take(&mut self.values);
        let (element, row) = self.element_mut(row);
        element.set_values(values);
        element.edit_row(pool, edge, row)
    }

    fn suspend(&mut self, row: Row) {
        let (element, row) = self.element_mut(row);
        element.suspend(row);
    }

    fn not_satisfiable(&mut self) -> bool {
        let mut is_on_trial = false;
        for part in &mut self.elements {
            is_on_trial |= part.not_satisfiable();
        }
        is_on_trial
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        sum(self.elements.iter().flat_map(|element| element.counts()))
    }
}

/// The counts of several domains with the same parts.
pub(crate) fn sum(all: impl Iterator<Item = (String, Counts)>) -> Vec<(String, Counts)> {
    let mut sum: Vec<(String, Counts)> = Vec::new();
    for (name, counts) in all {
        match sum.iter_mut().find(|(own, _)| *own == name) {
            Some((_, own)) => {
                own.rows += counts.rows;
                own.changes += counts.changes;
                own.suspended += counts.suspended;
            }
            None => sum.push((name, counts)),
        }
    }
    sum
}
