//! Ends infinite executions as a failing assumption does.
//!
//! An execution that stays in a loop forever without an instruction that could violate a property
//! reaches no error. The pass finds the blocks from which control can reach neither the end of the
//! function (`Return`, `Stop`), nor an error, nor an unsupported construct, nor a call, and ends
//! them with `Stop(Assume)`. So `while (1);` ends the path, and bounded model checking does not
//! unroll it.
//!
//! A block with a load or store of an unchecked address is not harmless: such an access may be
//! outside of every object, which the unroller reports. A branch on a constant has only one
//! successor.
//!
//! The pass keeps blocks, instructions and values, and the inputs of each execution up to the loop.
//! It is unsound for termination properties, which are not supported.
//!
//! Cost: linear in the program.

use super::back::BackTranslator;
use program::ssa::{
    Block, BlockData, FunctionData, InstructionKind, Program, RegionKind, StopReason, Terminator,
};
use terms::TermPool;
use terms::entity::Entity;

/// Ends the blocks of all functions from which every execution is infinite.
pub fn endless(pool: &TermPool, program: &mut Program) -> BackTranslator {
    let functions: Vec<_> = program.functions.keys().collect();
    for function in functions {
        if !program.functions[function].is_defined() {
            continue;
        }
        for block in endless_blocks(pool, program, &program.functions[function]) {
            let data = &mut program.functions[function].blocks[block];
            data.terminator = Terminator::Stop(StopReason::Assume);
        }
    }
    BackTranslator::identity()
}

/// The blocks that can reach only each other.
fn endless_blocks(pool: &TermPool, program: &Program, function: &FunctionData) -> Vec<Block> {
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); function.blocks.len()];
    let mut leads_out = vec![false; function.blocks.len()];
    let mut work = Vec::new();
    for (block, data) in function.blocks.iter() {
        let successors = successors(pool, &data.terminator);
        if successors.is_empty() || has_effect(program, data) {
            leads_out[block.index()] = true;
            work.push(block);
        }
        for successor in successors {
            predecessors[successor.index()].push(block);
        }
    }
    while let Some(block) = work.pop() {
        for &predecessor in &predecessors[block.index()] {
            if !std::mem::replace(&mut leads_out[predecessor.index()], true) {
                work.push(predecessor);
            }
        }
    }
    function.blocks.keys().filter(|block| !leads_out[block.index()]).collect()
}

/// The possible successors.
fn successors(pool: &TermPool, terminator: &Terminator) -> Vec<Block> {
    match terminator {
        Terminator::Branch { condition, then, otherwise } => match pool.as_bool(*condition) {
            Some(true) => vec![then.target],
            Some(false) => vec![otherwise.target],
            None => vec![then.target, otherwise.target],
        },
        terminator => terminator.edges().into_iter().map(|edge| edge.target).collect(),
    }
}

/// Whether an instruction of the block may be relevant to a property even if the function never
/// returns.
fn has_effect(program: &Program, block: &BlockData) -> bool {
    block.instructions.iter().any(|instruction| match instruction.kind {
        InstructionKind::Call { .. } => true,
        InstructionKind::Load { region, .. } | InstructionKind::Store { region, .. } => {
            !matches!(program.regions[region].kind, RegionKind::Scalar(_))
                && !program.checks_accesses_to(region)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT, POINTER};
    use super::*;
    use program::ssa::{Edge, Function, Property};

    fn is_ended(build: &Build, block: Block) -> bool {
        build.program.functions[Function(0)].blocks[block].terminator == Terminator::Stop(StopReason::Assume)
    }

    #[test]
    fn an_endless_loop_stops() {
        let mut build = Build::new();
        let (empty, bad, counts) = (build.block(&[]), build.block(&[]), build.block(&[INT]));
        let (zero, one) = (build.number(0), build.number(1));
        let input = build.input(INT);
        let is_zero = build.pool.eq(input, zero);
        let then = Edge { target: counts, arguments: vec![one] };
        build.end(Terminator::Branch { condition: is_zero, then, otherwise: Edge::to(empty) });
        build.at(Function(0), empty);
        build.goto(empty, &[]);
        build.at(Function(0), counts);
        let counter = build.parameter(counts, 0);
        let next = build.pool.bv_add(counter, one);
        let always = build.pool.tru();
        let then = Edge { target: counts, arguments: vec![next] };
        build.end(Terminator::Branch { condition: always, then, otherwise: Edge::to(bad) });
        build.at(Function(0), bad);
        build.end(Terminator::Error(Property(0)));
        endless(&build.pool, &mut build.program);
        build.assert_well_formed();
        assert!(is_ended(&build, empty) && is_ended(&build, counts));
        assert!(is_ended(&build, Block(0)), "both arms are endless");
        assert!(!is_ended(&build, bad));
    }

    #[test]
    fn what_may_matter_goes_on() {
        let mut build = Build::new();
        let (calls, reads, leaves) = (build.block(&[]), build.block(&[]), build.block(&[]));
        let (end, bad) = (build.block(&[]), build.block(&[]));
        let callee = build.declare("callee", &[], None);
        let (zero, null) = (build.number(0), build.pool.bv(64, 0));
        let input = build.input(INT);
        let is_zero = build.pool.eq(input, zero);
        build.branch(is_zero, calls, reads);
        build.at(Function(0), calls);
        build.call(callee, &[], None);
        build.goto(calls, &[]);
        build.at(Function(0), reads);
        build.load(POINTER, null);
        build.goto(reads, &[]);
        build.at(Function(0), leaves);
        let input = build.input(INT);
        let is_zero = build.pool.eq(input, zero);
        build.branch(is_zero, leaves, end);
        build.at(Function(0), end);
        build.branch(is_zero, leaves, bad);
        build.at(Function(0), bad);
        build.end(Terminator::Error(Property(0)));
        endless(&build.pool, &mut build.program);
        for block in [Block(0), calls, reads, leaves, end, bad] {
            assert!(!is_ended(&build, block), "{block}");
        }
    }
}
