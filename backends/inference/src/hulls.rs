//! Affine hulls: all linear equations between numbers of one sort.
//!
//! A row is the [hull](backends::symbolic::affine) of the numbers of one sort, over the rationals
//! or modulo 2^w. Editing it adds a point. If transitions change bit vectors of several widths, the
//! row of the widest of these has narrower numbers, too, extended by their signedness: a counter of
//! 64 bits and one of 32 bits may have a constant sum.
//!
//! Cost: at most n + 1 points (n · w + 1 modulo 2^w) for n numbers.

use crate::table::{Base, Table, Template};
use backends::symbolic::affine::{self, Hull};
use backends::symbolic::representation;
use rustc_hash::FxHashSet;
use terms::{Op, Representation, Sort, Term, TermPool, Value};

/// The largest number of numbers in a hull; further ones are ignored.
const MAX_HULL: usize = 48;

/// The largest number of extended numbers in a hull.
const MAX_EXTENDED: usize = 12;

/// The domain of affine hulls.
pub(crate) fn hulls(base: &Base<'_>) -> Table<AffineHull> {
    let transitions = base.system.clauses.values().filter(|clause| !clause.body.is_empty());
    let changed: FxHashSet<Term> = transitions.flat_map(|clause| clause.updates.keys().copied()).collect();
    Table::new("hulls", base, move |pool, first| {
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
        extend(pool, &mut rows, &changed);
        rows
    })
}

/// Adds the numbers of narrower rows to that of the widest changed bit vectors of at most a word,
/// if narrower ones are changed, too.
fn extend(pool: &mut TermPool, rows: &mut [AffineHull], changed: &FxHashSet<Term>) {
    let width = |row: &AffineHull| match row.sort {
        Sort::BitVec(width @ ..=64) => Some(width),
        _ => None,
    };
    let is_changed = |row: &&AffineHull| row.numbers.iter().any(|number| changed.contains(number));
    let widths = || rows.iter().filter(is_changed).filter_map(width);
    let Some(widest) = widths().max().filter(|&widest| widths().any(|own| own < widest)) else { return };
    let narrower: Vec<Term> = rows
        .iter()
        .filter(|row| width(row).is_some_and(|own| own < widest))
        .flat_map(|row| row.numbers.iter().copied())
        .filter(|&number| matches!(pool.op(number), Op::Symbol(_)))
        .take(MAX_EXTENDED)
        .collect();
    let Some(row) = rows.iter_mut().find(|row| width(row) == Some(widest)) else { return };
    for number in narrower {
        let bits = widest - pool.width(number);
        let extended = match representation(pool, number) {
            Representation::Signed => pool.sign_extend(bits, number),
            Representation::Unsigned => pool.zero_extend(bits, number),
        };
        if row.numbers.len() < MAX_HULL && !row.numbers.contains(&extended) {
            row.numbers.push(extended);
        }
    }
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
