//! The block operator `blk` of adjustable-block encoding.

use std::fmt;

/// The block operator `blk` (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
/// Verification*, JAR 2018, §3.2): determines where blocks end, besides at targets. Locations are
/// the starts of the program's blocks; their granularity depends on the preparation of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockOperator {
    /// At every location: single-block encoding.
    Sbe,
    /// At loop heads.
    L,
    /// At loop heads, and where calls start and return: inlined calls, or those of
    /// [procedures](crate::procedures), where blocks always end.
    Lf,
    /// Nowhere.
    Never,
    /// At loop heads, and where the longest path since the start of the block has this number of
    /// locations.
    Size(u32),
}

/// The properties of a location on which the block operator depends.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Whether it is a loop head.
    pub is_head: bool,
    /// Whether an inlined call starts or returns there.
    pub is_call_boundary: bool,
    /// The number of locations on the longest path since the start of the block.
    pub size: u32,
}

impl BlockOperator {
    /// Names and help texts, with the operator of each name; the last row stands for a number.
    pub const VALUES: [(&str, &str, Option<Self>); 5] = [
        ("sbe", "at every location: single-block encoding", Some(BlockOperator::Sbe)),
        ("l", "at loop heads", Some(BlockOperator::L)),
        ("lf", "at loop heads, and where calls begin and return", Some(BlockOperator::Lf)),
        ("never", "nowhere", Some(BlockOperator::Never)),
        ("N", "at loop heads, and where the longest path since the start of the block has N locations", None),
    ];

    /// The operator with this name or number.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match Self::VALUES.iter().find(|(known, _, _)| *known == name) {
            Some(&(_, _, operator)) => operator,
            None => Some(BlockOperator::Size(name.parse().ok().filter(|&size| size > 0)?)),
        }
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
        if let BlockOperator::Size(size) = self {
            return write!(f, "{size}");
        }
        let named = Self::VALUES.iter().find(|(_, _, operator)| operator.as_ref() == Some(self));
        f.write_str(named.map_or("", |(name, _, _)| name))
    }
}
