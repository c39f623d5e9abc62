//! Affine hulls: all linear equations between numbers of one sort.
//!
//! A row is the [hull](backends::symbolic::affine) of the numbers of one sort, over the rationals
//! or modulo 2^w. Editing it adds a point.
//!
//! Cost: at most n + 1 points (n · w + 1 modulo 2^w) for n numbers.

use crate::table::{Base, Table, Template};
use backends::symbolic::affine::{self, Hull};
use terms::{Sort, Term, TermPool, Value};

/// The largest number of numbers in a hull; further ones are ignored.
const MAX_HULL: usize = 48;

/// The domain of affine hulls.
pub(crate) fn hulls(base: &Base<'_>) -> Table<AffineHull> {
    Table::new("hulls", base, |pool, first| {
        let mut rows: Vec<AffineHull> = Vec::new();
        for &number in &first.material.numbers {
            let sort = pool.sort(number);
            if !affine::has_hull(sort) {
                continue;
            }
            match rows.iter_mut().find(|row| row.sort == sort) {
                Some(row) if row.numbers.len() >= MAX_HULL => {}
                Some(row) => row.numbers.push(number),
                None => rows.push(AffineHull { sort, numbers: vec![number], hull: None }),
            }
        }
        rows
    })
}

/// A row: the hull of the states so far.
pub(crate) struct AffineHull {
    sort: Sort,
    numbers: Vec<Term>,
    hull: Option<Hull>,
}

impl Template for AffineHull {
    fn required(&self) -> Vec<Term> {
        self.numbers.clone()
    }

    fn formula(&self, pool: &mut TermPool) -> Option<Term> {
        let Some(hull) = &self.hull else { return Some(pool.fls()) };
        let conjuncts = hull.equations(pool);
        let formula = pool.and(&conjuncts);
        (formula != pool.tru()).then_some(formula)
    }

    fn edit(&mut self, values: &[Value]) -> bool {
        match &mut self.hull {
            Some(hull) => hull.add(values),
            None => {
                self.hull = Hull::new(self.sort, self.numbers.clone(), values);
                self.hull.is_some()
            }
        }
    }
}
