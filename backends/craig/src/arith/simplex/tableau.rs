//! The tableau: each row says what a basic variable is in terms of nonbasic ones.

use crate::arith::combination::{Support, add_scaled};
use crate::arith::{Combination, Rational, Var};
use ir::entity::Entity;

/// A row. Pivots change what it says and whose it is, not its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowIndex(u32);

/// `basic = Σ entries`, over nonbasic variables, sorted.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) basic: Var,
    pub(super) entries: Vec<(Var, Rational)>,
}

impl Row {
    pub(super) fn coefficient(&self, variable: Var) -> &Rational {
        let at = self.entries.binary_search_by_key(&variable, |entry| entry.0);
        &self.entries[at.expect("a row of the column of a variable has the variable")].1
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    /// Those that are free have no entries.
    rows: Vec<Row>,
    free: Vec<RowIndex>,
    /// The row of each basic variable.
    row_of: Vec<Option<RowIndex>>,
    /// In which rows a nonbasic variable is. Empty for basic ones. In any order, but the same in each run.
    columns: Vec<Vec<RowIndex>>,
    scratch: Vec<(Var, Rational)>,
}

impl Tableau {
    /// A nonbasic variable, the next by number.
    pub(super) fn add_variable(&mut self) {
        self.row_of.push(None);
        self.columns.push(Vec::new());
    }

    /// Makes a nonbasic variable of an empty column basic: it is `combination`.
    pub(super) fn add_row(&mut self, basic: Var, combination: &Combination) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row { basic, entries: Vec::new() });
            RowIndex(u32::try_from(self.rows.len() - 1).expect("a tableau has fewer than 2^32 rows"))
        });
        let (mut entries, mut scratch) = (Vec::new(), Vec::new());
        for (variable, coefficient) in combination.entries() {
            let alone = [(*variable, Rational::ONE)];
            let nonbasic = match self.row_of(*variable) {
                Some(row) => &self.row(row).entries[..],
                None => &alone,
            };
            add_scaled(&mut entries, coefficient, nonbasic, &mut scratch, |_, _| {});
        }
        for (variable, _) in &entries {
            self.columns[variable.index()].push(index);
        }
        self.row_of[basic.index()] = Some(index);
        self.rows[index.0 as usize] = Row { basic, entries };
    }

    /// Takes the row of a basic variable out: the variable is nonbasic, of an empty column.
    pub(super) fn remove_row(&mut self, basic: Var) {
        let index = self.row_of[basic.index()].take().expect("only basic variables have rows");
        for (variable, _) in std::mem::take(&mut self.rows[index.0 as usize].entries) {
            remove(&mut self.columns[variable.index()], index);
        }
        self.free.push(index);
    }

    pub(super) fn row(&self, index: RowIndex) -> &Row {
        &self.rows[index.0 as usize]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.entries.is_empty())
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// The row of a basic variable.
    pub(super) fn row_of(&self, variable: Var) -> Option<RowIndex> {
        self.row_of[variable.index()]
    }

    pub(super) fn is_basic(&self, variable: Var) -> bool {
        self.row_of(variable).is_some()
    }

    /// The rows in which a nonbasic variable is.
    pub(super) fn column(&self, variable: Var) -> &[RowIndex] {
        &self.columns[variable.index()]
    }

    /// Exchanges the basic variable of a row with a nonbasic one of the row.
    pub(super) fn pivot(&mut self, index: RowIndex, entering: Var) {
        let mut row = std::mem::take(&mut self.rows[index.0 as usize].entries);
        let leaving = self.rows[index.0 as usize].basic;
        let at = row.binary_search_by_key(&entering, |entry| entry.0);
        let (_, coefficient) = row.remove(at.expect("the entering variable is in the row"));
        let inverse = coefficient.recip();
        if inverse == Rational::MINUS_ONE {
            // The other coefficients stay as they are.
        } else {
            let factor = -&inverse;
            for (_, coefficient) in &mut row {
                *coefficient *= &factor;
            }
        }
        let at = row.partition_point(|entry| entry.0 < leaving);
        row.insert(at, (leaving, inverse));

        let column = std::mem::take(&mut self.columns[entering.index()]);
        self.columns[leaving.index()].push(index);
        for &other in column.iter().filter(|&&other| other != index) {
            let target = &mut self.rows[other.0 as usize].entries;
            let at = target.binary_search_by_key(&entering, |entry| entry.0);
            let (_, factor) = target.remove(at.expect("a row of the column of a variable has the variable"));
            let columns = &mut self.columns;
            add_scaled(target, &factor, &row, &mut self.scratch, |variable, support| {
                let column = &mut columns[variable.index()];
                match support {
                    Support::Grew => column.push(other),
                    Support::Shrank => remove(column, other),
                }
            });
        }
        self.rows[index.0 as usize] = Row { basic: entering, entries: row };
        self.row_of[leaving.index()] = None;
        self.row_of[entering.index()] = Some(index);
    }
}

fn remove(column: &mut Vec<RowIndex>, index: RowIndex) {
    let at = column.iter().position(|&row| row == index);
    column.swap_remove(at.expect("the column of a variable has all its rows"));
}
