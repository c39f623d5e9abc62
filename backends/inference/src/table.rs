//! Domains as tables of templates.
//!
//! A simple domain is a type of [`Template`] and a function that makes the rows of a relation when
//! its first state is known. [`Table`] does the rest.

use crate::Known;
use crate::bounds::Search;
use crate::domain::{Counts, Domain, Edge, Row};
use crate::vocabulary::{Material, Terms, Vocabulary};
use horn::{Relation, System};
use std::rc::Rc;
use terms::entity::SecondaryMap;
use terms::{Term, TermPool, Value};

/// The material of the domains of a system.
#[derive(Clone, Copy)]
pub(crate) struct Base<'b> {
    pub(crate) system: &'b System,
    pub(crate) vocabulary: &'b Rc<Vocabulary>,
    pub(crate) known: &'b Rc<Known>,
    pub(crate) search: Search,
}

/// A template with its parameter.
pub(crate) trait Template {
    /// The terms whose values [`edit`](Self::edit) needs.
    fn required(&self) -> Vec<Term>;

    /// The template with its current parameter; `None` for `true`.
    fn formula(&self, pool: &mut TermPool) -> Option<Term>;

    /// Weakens the parameter, so that a state with these values satisfies the template. Returns
    /// whether it changed.
    fn edit(&mut self, values: &[Value]) -> bool;

    /// Strengthens the parameter on trial, see [`Domain::not_satisfiable`]. Returns whether it is
    /// on trial.
    fn halve(&mut self) -> bool {
        false
    }

    /// Whether the parameter is on trial.
    fn is_on_trial(&self) -> bool {
        false
    }

    /// Makes the parameter what it was before the trial. Called only if it is on trial.
    fn fail(&mut self) {}
}

/// The first state of a relation, for templates that depend on it.
pub(crate) struct First<'m> {
    pub(crate) relation: Relation,
    pub(crate) vocabulary: &'m Vocabulary,
    pub(crate) material: &'m Material,
    /// The known facts about all states of the relation.
    pub(crate) known: &'m Terms,
    /// The values of the numbers of the material.
    values: &'m [Value],
}

impl First<'_> {
    /// The value of a number in the first state.
    pub(crate) fn value(&self, number: Term) -> Option<&Value> {
        let place = self.material.numbers.iter().position(|&own| own == number)?;
        self.values.get(place)
    }
}

type Make<T> = Box<dyn Fn(&mut TermPool, &First<'_>) -> Vec<T>>;

/// The domain of a kind of templates.
pub(crate) struct Table<T> {
    name: &'static str,
    vocabulary: Rc<Vocabulary>,
    known: Rc<Known>,
    make: Make<T>,
    rows: Vec<Entry<T>>,
    of: SecondaryMap<Relation, Option<Vec<usize>>>,
    values: Vec<Value>,
    changes: usize,
    /// Which rows may be violated.
    open: Open,
}

/// Which rows may be violated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    All,
    /// Those on trial: the successors of states that satisfy stronger templates satisfy the other
    /// rows, which were inductive before. So no row may become weaker than it was then.
    OnTrial,
}

struct Entry<T> {
    template: T,
    is_suspended: bool,
}

impl<T: Template> Table<T> {
    pub(crate) fn new(
        name: &'static str,
        base: &Base<'_>,
        make: impl Fn(&mut TermPool, &First<'_>) -> Vec<T> + 'static,
    ) -> Self {
        Table {
            name,
            vocabulary: Rc::clone(base.vocabulary),
            known: Rc::clone(base.known),
            make: Box::new(make),
            rows: Vec::new(),
            of: SecondaryMap::new(),
            values: Vec::new(),
            changes: 0,
            open: Open::All,
        }
    }

    fn start(&mut self, pool: &mut TermPool, relation: Relation) {
        let first = First {
            relation,
            vocabulary: &self.vocabulary,
            material: &self.vocabulary.of[relation],
            known: &self.known[relation],
            values: &self.values,
        };
        let mut made = (self.make)(pool, &first);
        made.retain(|template| {
            let terms: Vec<Term> = template.required().into_iter().chain(template.formula(pool)).collect();
            first.material.admits(pool, &terms)
        });
        let before = self.rows.len();
        self.rows.extend(made.into_iter().map(|template| Entry { template, is_suspended: false }));
        self.of[relation] = Some((before..self.rows.len()).collect());
    }

    fn template(&self, row: Row) -> &T {
        &self.rows[index(row)].template
    }
}

fn index(row: Row) -> usize {
    row.0 as usize - 1
}

impl<T> Entry<T> {
    fn formula(&self, pool: &mut TermPool) -> Option<Term>
    where
        T: Template,
    {
        if self.is_suspended { None } else { self.template.formula(pool) }
    }
}

impl<T: Template> Domain for Table<T> {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term> {
        match &self.of[relation] {
            None => vec![pool.fls()],
            Some(rows) => rows.iter().filter_map(|&row| self.rows[row].formula(pool)).collect(),
        }
    }

    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)> {
        let Some(rows) = &self.of[edge.head] else { return vec![(Row::FIRST, pool.fls())] };
        let mut found = Vec::new();
        for &row in rows {
            let entry = &self.rows[row];
            if self.open == Open::All || entry.template.is_on_trial() {
                found.extend(entry.formula(pool).map(|formula| (Row(row as u64 + 1), formula)));
            }
        }
        found
    }

    fn get_required_values(&self, _: &mut TermPool, edge: Edge, row: Row) -> Vec<Term> {
        match row {
            Row::FIRST => self.vocabulary.of[edge.head].numbers.clone(),
            _ => self.template(row).required(),
        }
    }

    fn set_values(&mut self, values: Vec<Value>) {
        self.values = values;
    }

    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool {
        if row == Row::FIRST {
            self.start(pool, edge.head);
            return true;
        }
        let is_changed = self.rows[index(row)].template.edit(&self.values);
        self.changes += usize::from(is_changed);
        is_changed
    }

    fn suspend(&mut self, row: Row) {
        if row == Row::FIRST {
            return;
        }
        let entry = &mut self.rows[index(row)];
        if entry.template.is_on_trial() {
            // Rows that are not tried any more may rest on its inductive parameter.
            entry.template.fail();
        } else {
            entry.is_suspended = true;
        }
    }

    fn not_satisfiable(&mut self) -> bool {
        self.open = Open::OnTrial;
        let mut is_on_trial = false;
        for row in self.rows.iter_mut().filter(|row| !row.is_suspended) {
            is_on_trial |= row.template.halve();
        }
        is_on_trial
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        let suspended = self.rows.iter().filter(|row| row.is_suspended).count();
        vec![(self.name(), Counts { rows: self.rows.len(), changes: self.changes, suspended })]
    }
}
