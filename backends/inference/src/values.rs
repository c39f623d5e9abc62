//! Small sets of values: `x = c₁ ∨ … ∨ x = cₙ` for numbers, and constant truth values.
//!
//! Disjunctive intervals of single values, for state machines and flags. A set that outgrows
//! [`FEW`] values becomes `true`.

use crate::table::{Base, Table, Template};
use terms::{Term, TermPool, Value};

/// The size of the largest set.
pub(crate) const FEW: usize = 4;

/// The domain of small sets of values.
pub(crate) fn values(base: &Base<'_>) -> Table<FewValues> {
    Table::new("values", base, |_, first| {
        let terms = first.material.numbers.iter().chain(&first.material.truths);
        terms.map(|&term| FewValues { term, known: Some(Vec::new()) }).collect()
    })
}

/// A row.
pub(crate) struct FewValues {
    term: Term,
    /// The values; `None` if there are too many.
    known: Option<Vec<Value>>,
}

impl Template for FewValues {
    fn required(&self) -> Vec<Term> {
        vec![self.term]
    }

    fn formula(&self, pool: &mut TermPool) -> Option<Term> {
        let sort = pool.sort(self.term);
        let mut options = Vec::new();
        for value in self.known.as_ref()? {
            let value = value.to_term(pool, sort)?;
            options.push(pool.eq(self.term, value));
        }
        let formula = pool.or(&options);
        (formula != pool.tru()).then_some(formula)
    }

    fn edit(&mut self, values: &[Value]) -> bool {
        let (Some(known), Some(value)) = (&mut self.known, values.first()) else { return false };
        if known.contains(value) {
            return false;
        }
        known.push(value.clone());
        if known.len() > FEW {
            self.known = None;
        }
        true
    }
}
