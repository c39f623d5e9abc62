//! The bounds of a step, by loop and by recursive function.

use program::ssa::{Block, Function};
use std::collections::BTreeMap;
use std::fmt;

/// A part of the program that is unrolled up to a bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// The loop with this head: the bound is the number of visits of the head each time the loop is
    /// entered.
    Loop(Function, Block),
    /// The recursion of this function: the bound is its number of activations on the call chain.
    Recursion(Function),
}

impl Place {
    /// The function of the loop, or the recursive function.
    #[must_use]
    pub fn function(self) -> Function {
        match self {
            Place::Loop(function, _) | Place::Recursion(function) => function,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Loop(function, head) => write!(f, "{function}.{head}"),
            Place::Recursion(function) => write!(f, "{function}"),
        }
    }
}

/// The bounds of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The bound of each place that is not in `at`.
    pub default: u32,
    /// The bounds of individual places.
    pub at: BTreeMap<Place, Bound>,
    /// The number of visits up to which a place does not count against its bound as long as its
    /// conditions fold to constants, see [`unroll`](super).
    pub free: u32,
}

/// The bound of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Visits that fold to constants do not count.
    Counted(u32),
    /// All visits count.
    Exact(u32),
}

impl Bound {
    /// Returns the number of visits.
    #[must_use]
    pub fn visits(self) -> u32 {
        match self {
            Bound::Counted(visits) | Bound::Exact(visits) => visits,
        }
    }
}

impl Bounds {
    /// Unrolls each loop and recursion up to `bound`; all visits count.
    #[must_use]
    pub fn exactly(bound: u32) -> Self {
        Bounds { default: bound, at: BTreeMap::new(), free: 0 }
    }

    /// Returns the bound of `place`, at least 1.
    #[must_use]
    pub fn of(&self, place: Place) -> u32 {
        self.at.get(&place).map_or(self.default, |bound| bound.visits()).max(1)
    }

    /// Returns the number of visits of `place` that are free while they fold to constants.
    pub(super) fn free(&self, place: Place) -> u32 {
        match self.at.get(&place) {
            Some(Bound::Exact(_)) => 0,
            Some(Bound::Counted(_)) | None => self.free,
        }
    }
}
