//! Which functions depend on the contents of which places: what the analysis of contents visits
//! again when a place changes.

use program::ssa::{Block, Callee, Function, InstructionKind, Program, Region};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;

/// The cells of each access: several if the points-to analysis separates calls of its function.
pub(super) type CellsOf = FxHashMap<(Function, Block, usize), Vec<usize>>;

/// The functions that use what other functions define.
pub(super) struct Uses {
    /// The functions that may call a function.
    pub(super) callers: PrimaryMap<Function, Vec<Function>>,
    /// The functions that load a scalar region.
    pub(super) of_scalars: PrimaryMap<Region, Vec<Function>>,
    /// The functions that load a cell, by its number.
    pub(super) of_cells: Vec<Vec<Function>>,
}

impl Uses {
    /// `cells_of` has the cells of each access, of which there are `cells`.
    pub(super) fn of(
        program: &Program,
        address_taken: &[Function],
        cells_of: &CellsOf,
        cells: usize,
    ) -> Self {
        let mut uses = Uses {
            callers: program.functions.values().map(|_| Vec::new()).collect(),
            of_scalars: program.regions.values().map(|_| Vec::new()).collect(),
            of_cells: vec![Vec::new(); cells],
        };
        let add = |users: &mut Vec<Function>, user: Function| {
            if users.last() != Some(&user) {
                users.push(user);
            }
        };
        for (function, data) in program.functions.iter() {
            for (block, block_data) in data.blocks.iter() {
                for (index, instruction) in block_data.instructions.iter().enumerate() {
                    match &instruction.kind {
                        InstructionKind::Call { callee: Callee::Direct(target), .. } => {
                            add(&mut uses.callers[*target], function);
                        }
                        InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => {
                            address_taken.iter().for_each(|&target| add(&mut uses.callers[target], function));
                        }
                        InstructionKind::Load { region, address: None } => {
                            add(&mut uses.of_scalars[*region], function);
                        }
                        InstructionKind::Load { .. } => {
                            for &cell in cells_of.get(&(function, block, index)).into_iter().flatten() {
                                add(&mut uses.of_cells[cell], function);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        uses
    }
}
