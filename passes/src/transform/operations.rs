//! Splits blocks into operations: the locations of single-block encoding.
//!
//! In the literature on single-block encoding (Beyer, Keremoglu, Wendler, *Predicate Abstraction
//! with Adjustable-Block Encoding*, FMCAD 2010) a block is one edge of the control-flow automaton:
//! one assignment, one assumption, one call or return. A basic block of the guarded SSA contains
//! many of these. The pass splits it after each *operation*: an instruction that changes memory or
//! that defines a value with the name of a source variable. Unnamed values belong to the next
//! operation, which uses them; those before a branch are part of its assumption.
//!
//! DIVERGENCE: operations are those of the program after promotion and simplification, which drop
//! copies and unused values, so an assignment that they drop has no block. Assignments that became
//! arguments of an edge form one operation with the edge. An SSA value has one definition, so
//! splitting a block needs no parameters.
//!
//! Cost: linear in the function. Blocks keep their indices, new ones follow.

use super::back::{BackTranslator, FunctionOrigin, Step};
use program::ssa::check::assert_function_well_formed;
use program::ssa::{BlockData, Function, FunctionData, Instruction, InstructionKind, Program, Terminator};
use terms::TermPool;

/// Splits the blocks of `function` after each operation.
pub(super) fn split_operations(pool: &TermPool, program: &mut Program, function: Function) -> BackTranslator {
    let data = &mut program.functions[function];
    let mut origin = FunctionOrigin::identity(function, data.blocks.len(), data.values.len());
    for block in data.blocks.keys().collect::<Vec<_>>() {
        let BlockData { instructions, terminator, .. } = &data.blocks[block];
        let is_assumption = matches!(terminator, Terminator::Branch { .. } | Terminator::Switch { .. });
        let positions = 1..instructions.len() + usize::from(is_assumption);
        let ends: Vec<usize> = positions.filter(|&end| is_operation(data, &instructions[end - 1])).collect();
        // From the end, so that each split moves the instructions of one operation.
        for &end in ends.iter().rev() {
            data.split_block(block, end);
            data.blocks[block].span = data.blocks[block].instructions[end - 1].span;
            origin.blocks.push(Some((function, block)));
        }
    }
    assert_function_well_formed(pool, program, function, "the pass operations");
    let mut step = Step::default();
    step.functions[function] = Some(origin);
    BackTranslator::from_step(step)
}

fn is_operation(data: &FunctionData, instruction: &Instruction) -> bool {
    match instruction.kind {
        InstructionKind::Store { .. } | InstructionKind::Forget { .. } | InstructionKind::Allocate { .. } => {
            true
        }
        _ => instruction.result.is_some_and(|result| data.values[result].name.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT};
    use super::*;
    use program::ssa::Block;

    #[test]
    fn each_operation_gets_a_block() {
        let mut build = Build::new();
        let object = build.object("x", 4, None);
        let address = build.address_of(object);
        let one = build.number(1);
        build.store(INT, address, one);
        let read = build.load(INT, address);
        let more = build.pool.bv_add(read, one);
        build.store(INT, address, more);
        build.end(Terminator::Return(None));
        let entry = build.program.entry;
        let back = split_operations(&build.pool, &mut build.program, entry);
        let blocks = &build.program.functions[entry].blocks;
        let sizes: Vec<usize> = blocks.values().map(|block| block.instructions.len()).collect();
        assert_eq!(sizes, [2, 2], "each store with what it needs");
        assert_eq!(back.block(entry, Block(1)), Some((entry, Block(0))));
    }
}
