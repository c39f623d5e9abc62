//! The tableau: each row expresses a basic variable in terms of nonbasic ones.
//!
//! DIVERGENCE: a row is stored as `0 = Σ` with coprime integer coefficients, not solved for its
//! basic variable. A pivot therefore computes only products and sums of integers, and divides the
//! row at the end by one common divisor, which is nearly always 1.

use crate::prover::arith::combination::{Support, add_scaled};
use crate::prover::arith::{Combination, Rational, Side, Var};
use terms::entity::Entity;

/// A row. Pivots change its contents and its basic variable, not its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowIndex(u32);

/// `0 = Σ entries`, over the basic variable and nonbasic ones.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) basic: Var,
    /// Sorted by variable; coprime integers.
    pub(super) entries: Vec<(Var, Rational)>,
}

impl Row {
    /// The coefficient of a variable of the row.
    pub(super) fn coefficient(&self, variable: Var) -> &Rational {
        let at = self.entries.binary_search_by_key(&variable, |entry| entry.0);
        &self.entries[at.expect("the rows of a column contain its variable")].1
    }

    /// The growth of the basic variable when a nonbasic one grows by 1.
    pub(super) fn ratio(&self, nonbasic: Var) -> Rational {
        let (coefficient, own) = (self.coefficient(nonbasic), self.coefficient(self.basic));
        if *own == Rational::MINUS_ONE { coefficient.clone() } else { -(coefficient / own) }
    }

    /// The nonbasic variables, with their coefficients.
    pub(super) fn nonbasic(&self) -> impl Iterator<Item = &(Var, Rational)> {
        self.entries.iter().filter(|(variable, _)| *variable != self.basic)
    }

    /// The direction in which a nonbasic variable with coefficient 1 must move for the basic one to
    /// move toward `side`.
    pub(super) fn direction(&self, side: Side) -> Side {
        side.opposite().scaled(self.coefficient(self.basic))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    /// Free rows have no entries.
    rows: Vec<Row>,
    free: Vec<RowIndex>,
    /// The row of each basic variable.
    row_of: Vec<Option<RowIndex>>,
    /// The rows that contain a nonbasic variable; empty for basic ones. The order is arbitrary but
    /// deterministic.
    columns: Vec<Vec<RowIndex>>,
    scratch: Vec<(Var, Rational)>,
}

impl Tableau {
    /// Adds a nonbasic variable with the next number.
    pub(super) fn add_variable(&mut self) {
        self.row_of.push(None);
        self.columns.push(Vec::new());
    }

    /// Makes a nonbasic variable with an empty column basic, with the value of `combination`, whose
    /// coefficients are integers.
    pub(super) fn add_row(&mut self, basic: Var, combination: &Combination) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row { basic, entries: Vec::new() });
            RowIndex(u32::try_from(self.rows.len() - 1).expect("a tableau has fewer than 2^32 rows"))
        });
        let mut entries = combination.entries().to_vec();
        let at = entries.partition_point(|entry| entry.0 < basic);
        entries.insert(at, (basic, Rational::MINUS_ONE));
        let mut scratch = Vec::new();
        for (variable, _) in combination.entries() {
            if let Some(row) = self.row_of(*variable) {
                eliminate(*variable, &mut entries, &self.row(row).entries, &mut scratch, |_, _| {});
            }
        }
        for (variable, _) in entries.iter().filter(|entry| entry.0 != basic) {
            self.columns[variable.index()].push(index);
        }
        self.row_of[basic.index()] = Some(index);
        self.rows[index.0 as usize] = Row { basic, entries };
    }

    /// Removes the row of a basic variable, which becomes nonbasic with an empty column.
    pub(super) fn remove_row(&mut self, basic: Var) {
        let index = self.row_of[basic.index()].take().expect("only basic variables have rows");
        for (variable, _) in std::mem::take(&mut self.rows[index.0 as usize].entries) {
            if variable != basic {
                remove(&mut self.columns[variable.index()], index);
            }
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

    /// The rows that contain a nonbasic variable.
    pub(super) fn column(&self, variable: Var) -> &[RowIndex] {
        &self.columns[variable.index()]
    }

    /// Exchanges the basic variable of a row with a nonbasic one of the row.
    pub(super) fn pivot(&mut self, index: RowIndex, entering: Var) {
        let row = std::mem::take(&mut self.rows[index.0 as usize].entries);
        let leaving = self.rows[index.0 as usize].basic;
        let column = std::mem::take(&mut self.columns[entering.index()]);
        self.columns[leaving.index()].push(index);
        for &other in column.iter().filter(|&&other| other != index) {
            let target = &mut self.rows[other.0 as usize].entries;
            let columns = &mut self.columns;
            eliminate(entering, target, &row, &mut self.scratch, |variable, support| match support {
                Support::Grew => columns[variable.index()].push(other),
                Support::Shrank if variable == entering => {}
                Support::Shrank => remove(&mut columns[variable.index()], other),
            });
        }
        self.rows[index.0 as usize] = Row { basic: entering, entries: row };
        self.row_of[leaving.index()] = None;
        self.row_of[entering.index()] = Some(index);
    }
}

/// Adds a multiple of `source` to a multiple of `target` such that `variable` cancels out, and
/// divides by the content of the sum.
fn eliminate(
    variable: Var,
    target: &mut Vec<(Var, Rational)>,
    source: &[(Var, Rational)],
    scratch: &mut Vec<(Var, Rational)>,
    changed: impl FnMut(Var, Support),
) {
    let coefficient = |row: &[(Var, Rational)]| {
        let at = row.binary_search_by_key(&variable, |entry| entry.0);
        row[at.expect("the rows of a column contain its variable")].1.clone()
    };
    let (ours, theirs) = (coefficient(target), coefficient(source));
    // The greatest common divisor, with the sign that leaves the target unchanged if only its sign
    // would change.
    let common = if theirs.is_negative() { -ours.gcd(&theirs) } else { ours.gcd(&theirs) };
    let (own, factor) = (&theirs / &common, -(&ours / &common));
    add_scaled(target, &own, &factor, source, scratch, changed);
    let mut content = Rational::ZERO;
    for (_, coefficient) in target.iter() {
        content = content.gcd(coefficient);
        if content.is_one() {
            return;
        }
    }
    let inverse = content.recip();
    for (_, coefficient) in target.iter_mut() {
        *coefficient *= &inverse;
    }
}

fn remove(column: &mut Vec<RowIndex>, index: RowIndex) {
    let at = column.iter().position(|&row| row == index);
    column.swap_remove(at.expect("a column contains all rows of its variable"));
}
