//! Program sizes, for statistics and for passes that run until a fixpoint.

use program::ssa::{Program, RegionKind};
use serde::Serialize;

/// The size of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Functions with a body.
    pub functions: usize,
    /// Their blocks.
    pub blocks: usize,
    /// Their instructions.
    pub instructions: usize,
    /// Scalar regions that an instruction mentions.
    pub scalars: usize,
    /// Other regions that an instruction mentions.
    pub arrays: usize,
}

impl Size {
    /// The size of `program`.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut size = Size { functions: 0, blocks: 0, instructions: 0, scalars: 0, arrays: 0 };
        let mut is_mentioned = vec![false; program.regions.len()];
        for function in program.functions.values().filter(|function| function.is_defined()) {
            size.functions += 1;
            size.blocks += function.blocks.len();
            for instruction in function.blocks.values().flat_map(|block| &block.instructions) {
                size.instructions += 1;
                for region in instruction.kind.regions() {
                    is_mentioned[region.0 as usize] = true;
                }
            }
        }
        for (data, _) in program.regions.values().zip(is_mentioned).filter(|(_, is_mentioned)| *is_mentioned)
        {
            match data.kind {
                RegionKind::Scalar(_) => size.scalars += 1,
                RegionKind::Cells(_) | RegionKind::Bytes => size.arrays += 1,
            }
        }
        size
    }
}
