//! Notes on an unrolling for readers of its formulas: the values and guards
//! of the program.
//!
//! A term gets the first site where it occurs. Cost: a lookup for each live value and each changed
//! region of an instance.

use crate::execute::guards::State;
use indexmap::IndexMap;
use program::ssa::{Block, Function, Region, Value};
use rustc_hash::FxBuildHasher;
use terms::{Op, Term, TermPool};

/// The role of a term in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// A value of a function.
    Value(Function, Value),
    /// The contents of a region at the start of a block.
    Region(Region, (Function, Block)),
    /// The condition of a branch at the end of a block, or the guard of a block.
    Guard(Function, Block),
}

/// The sites of terms, in the order of execution. Symbols and constants have none.
#[derive(Debug, Default)]
pub struct Journal {
    sites: IndexMap<Term, Site, FxBuildHasher>,
    /// The regions of the last instance.
    regions: Vec<Term>,
}

impl Journal {
    /// The terms with their sites.
    pub fn sites(&self) -> impl Iterator<Item = (Term, Site)> {
        self.sites.iter().map(|(&term, &site)| (term, site))
    }

    fn note(&mut self, pool: &TermPool, term: Term, site: impl FnOnce() -> Site) {
        if !pool.children(term).is_empty() {
            self.sites.entry(term).or_insert_with(site);
        }
    }

    /// Notes the condition of a branch, without its negation.
    pub(super) fn guard(&mut self, pool: &TermPool, guard: Term, (function, block): (Function, Block)) {
        let condition = if pool.op(guard) == Op::Not { pool.children(guard)[0] } else { guard };
        self.note(pool, condition, || Site::Guard(function, block));
    }

    /// Notes the state at the start of a block; `values` are the live ones.
    pub(super) fn state(
        &mut self,
        pool: &TermPool,
        (function, block): (Function, Block),
        values: &[u32],
        state: &State,
    ) {
        for (&value, &term) in values.iter().zip(state.values.iter()) {
            self.note(pool, term, || Site::Value(function, Value(value)));
        }
        let mut last = std::mem::take(&mut self.regions);
        last.resize(state.regions.len(), pool.tru());
        for (index, (&contents, last)) in state.regions.iter().zip(&mut last).enumerate() {
            if contents != *last {
                *last = contents;
                self.note(pool, contents, || Site::Region(Region(index as u32), (function, block)));
            }
        }
        self.regions = last;
    }
}
