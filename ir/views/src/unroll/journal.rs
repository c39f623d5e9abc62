//! A map from the terms of an unrolling to the program values and guards that they represent.
//!
//! Emitted formulas name their subterms by this map. A term that represents several values is
//! mapped to the first. Cost: one lookup for each live value and each changed region of a block
//! instance.

use crate::execute::guards::State;
use indexmap::IndexMap;
use program::ssa::{Block, Function, Region, Value};
use rustc_hash::FxBuildHasher;
use terms::{Op, Term, TermPool};

/// The program entity that a term represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// An SSA value of a function.
    Value(Function, Value),
    /// The contents of a region at the start of a block.
    Region(Region, (Function, Block)),
    /// The condition of a branch at the end of the block, or the guard of the block.
    Guard(Function, Block),
}

/// The sites of terms, in execution order. Symbols and constants are not recorded.
#[derive(Debug, Default)]
pub struct Journal {
    sites: IndexMap<Term, Site, FxBuildHasher>,
    /// The region contents at the last recorded instance, by region.
    regions: Vec<Term>,
}

impl Journal {
    /// Returns the terms with their sites.
    pub fn sites(&self) -> impl Iterator<Item = (Term, Site)> {
        self.sites.iter().map(|(&term, &site)| (term, site))
    }

    /// Records the first site of a term that is neither a symbol nor a constant.
    fn note(&mut self, pool: &TermPool, term: Term, site: impl FnOnce() -> Site) {
        if !pool.children(term).is_empty() {
            self.sites.entry(term).or_insert_with(site);
        }
    }

    /// Records a branch condition or guard, without its outermost negation.
    pub(super) fn guard(&mut self, pool: &TermPool, guard: Term, (function, block): (Function, Block)) {
        let condition = if pool.op(guard) == Op::Not { pool.children(guard)[0] } else { guard };
        self.note(pool, condition, || Site::Guard(function, block));
    }

    /// Records the state at the start of a block. `values` are the indices of its live values.
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
