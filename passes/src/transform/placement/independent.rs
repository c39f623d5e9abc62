//! The numbers of a program that do not depend on the placement of objects.
//!
//! The flat addresses of formulas are identities of objects, not the addresses that the program
//! would print. A statement about a number is one about the source program only if the number does
//! not depend on them.

use super::contents::Contents;
pub use super::contents::Stored;
use program::ssa::{Function, Program, Region, Value};
use rustc_hash::FxHashSet;
use terms::TermPool;

/// The values, scalar regions and memory of a program that are independent of addresses.
#[derive(Clone, Debug)]
pub struct Independent {
    dependent_values: FxHashSet<(Function, Value)>,
    dependent_regions: FxHashSet<Region>,
    /// The values in memory.
    pub memory: Stored,
}

impl Independent {
    /// Analyzes a program without inlined calls.
    pub fn new(pool: &TermPool, program: &Program) -> Self {
        let contents = Contents::new(pool, program);
        Independent {
            dependent_values: contents.dependent_values().collect(),
            dependent_regions: contents.dependent_regions().collect(),
            memory: contents.stored(),
        }
    }

    /// Whether the value is a number that does not depend on addresses.
    pub fn value(&self, function: Function, value: Value) -> bool {
        !self.dependent_values.contains(&(function, value))
    }

    /// Whether the scalar region holds numbers that do not depend on addresses.
    pub fn region(&self, region: Region) -> bool {
        !self.dependent_regions.contains(&region)
    }
}
