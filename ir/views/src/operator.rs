//! The block operator `blk` of adjustable-block encoding.

use std::fmt;

/// The block operator `blk` (*A Unifying View on SMT-Based Software Verification*, §3.2): where blocks end, besides at targets.
/// The locations are the starts of the program's blocks; who prepares the program chooses how large these are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockOperator {
    /// At every location: single-block encoding.
    Sbe,
    /// At loop heads.
    L,
    /// At loop heads, and where inlined calls begin and return.
    Lf,
    /// Nowhere.
    Never,
    /// At loop heads, and where the longest path since the start of the block has so many locations.
    Size(u32),
}

/// What the block operator needs to know of a location.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Whether it is a loop head.
    pub is_head: bool,
    /// Whether an inlined call begins or returns there.
    pub is_call_boundary: bool,
    /// The locations on the longest path since the start of the block.
    pub size: u32,
}

impl BlockOperator {
    /// The operator of this name: `sbe`, `l`, `lf`, `never`, or a number.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sbe" => BlockOperator::Sbe,
            "l" => BlockOperator::L,
            "lf" => BlockOperator::Lf,
            "never" => BlockOperator::Never,
            number => BlockOperator::Size(number.parse().ok().filter(|&size| size > 0)?),
        })
    }

    /// Whether a block ends at `place`.
    #[must_use]
    pub fn ends_at(self, place: Place) -> bool {
        match self {
            BlockOperator::Sbe => true,
            BlockOperator::L => place.is_head,
            BlockOperator::Lf => place.is_head || place.is_call_boundary,
            BlockOperator::Size(size) => place.is_head || place.size >= size,
            BlockOperator::Never => false,
        }
    }
}

impl fmt::Display for BlockOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockOperator::Sbe => f.write_str("sbe"),
            BlockOperator::L => f.write_str("l"),
            BlockOperator::Lf => f.write_str("lf"),
            BlockOperator::Never => f.write_str("never"),
            BlockOperator::Size(size) => write!(f, "{size}"),
        }
    }
}
