//! Makes the variables at loop heads observable.
//!
//! The preparation of a program drops variables that influence no branch: a sum that is only
//! returned is dead in a view of the entry function. Here each loop head compares its variables
//! with unknown values and ends the run if one is equal. So the variables are live at the loop
//! head. No state is lost: each run has a copy with other unknown values that goes on.
//!
//! The results of calls of procedures are observed in the same way after each call: a summary has
//! no result that no caller uses.
//!
//! The unknown values are compared after an addition of [`OFFSET`], so that a simulation in which
//! all unknown values are zero goes on.
//!
//! Cost: one unknown value and one equation for each variable of each loop head. Static variables
//! are observed in functions that access them, at most [`MOST`] in all.

use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{
    Block, BlockData, Callee, Edge, Function, HavocSource, Instruction, InstructionKind, Program, Region,
    RegionKind, StopReason, Terminator, Type, Value, ValueData,
};
use std::collections::BTreeSet;
use terms::{Term, TermPool};

/// The difference of an unknown value from the value that ends the run.
const OFFSET: u64 = 0x5b;
/// The largest number of observed variables at a loop head.
const MOST: usize = 64;

/// Returns `program`, as lowered, with observed variables and observed results of `procedures`.
/// Blocks and values keep their indices.
pub(super) fn observe(pool: &mut TermPool, program: &Program, procedures: &BTreeSet<Function>) -> Program {
    let mut observed = program.clone();
    for (function, data) in program.functions.iter() {
        for (block, data) in data.blocks.iter() {
            // From the end, so that the places before a split stay valid.
            for (index, instruction) in data.instructions.iter().enumerate().rev() {
                if let InstructionKind::Call { callee: Callee::Direct(callee), .. } = instruction.kind
                    && procedures.contains(&callee)
                {
                    let result = instruction.result.into_iter();
                    let is_number = |&value: &Value| is_number(program.functions[function].values[value].ty);
                    let values: Vec<Value> = result.filter(is_number).collect();
                    let regions = regions(program, function);
                    observe_at(pool, &mut observed, (function, block, index + 1), &values, &regions);
                }
            }
        }
    }
    for function in program.functions.keys() {
        let data = &program.functions[function];
        if !data.is_defined() || !program.source.loops.keys().any(|&(of, _)| of == function) {
            continue;
        }
        let graph = ControlFlow::new(data);
        let forest = LoopForest::new(&graph);
        let regions = regions(program, function);
        let heads: BTreeSet<Block> = forest.loops().values().map(|data| data.head).collect();
        for head in heads {
            let Some(source) = program.source.loops.get(&(function, head)) else { continue };
            let values = source.variables.iter().map(|&(_, value)| value);
            let values: Vec<Value> = values.filter(|&value| is_number(data.values[value].ty)).collect();
            observe_at(pool, &mut observed, (function, head, 0), &values, &regions);
        }
    }
    observed
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Int { .. })
}

/// The scalar variables in memory that the function accesses, by their regions.
fn regions(program: &Program, function: Function) -> Vec<(Region, Type)> {
    let blocks = program.functions[function].blocks.values();
    let accessed: BTreeSet<Region> = blocks
        .flat_map(|block| &block.instructions)
        .flat_map(|instruction| instruction.kind.regions())
        .collect();
    let is_variable = |region: &Region| !program.shadow.contains(*region);
    let scalars =
        accessed.into_iter().filter(is_variable).filter_map(|region| match program.regions[region].kind {
            RegionKind::Scalar(ty) if is_number(ty) => Some((region, ty)),
            _ => None,
        });
    scalars.collect()
}

/// Observes `values` and `regions` before the instruction of a block with an index.
fn observe_at(
    pool: &mut TermPool,
    program: &mut Program,
    (function, block, index): (Function, Block, usize),
    values: &[Value],
    regions: &[(Region, Type)],
) {
    let data = &mut program.functions[function];
    let (span, label) = (data.blocks[block].span, None);
    let mut instructions = Vec::new();
    let mut define = |data: &mut program::ssa::FunctionData, ty, kind| {
        let value = data.values.push(ValueData { ty, name: None, span });
        instructions.push(Instruction { result: Some(value), kind, span });
        value
    };
    let mut operands: Vec<(Value, Type)> =
        values.iter().map(|&value| (value, data.values[value].ty)).collect();
    for &(region, ty) in regions {
        let loaded = define(data, ty, InstructionKind::Load { region, address: None });
        operands.push((loaded, ty));
    }
    operands.truncate(MOST);
    let mut equal: Vec<Term> = Vec::new();
    for (value, ty) in operands {
        let unknown = define(data, ty, InstructionKind::Havoc(HavocSource::Uninitialized));
        let [value, unknown] = [value, unknown].map(|value| pool.value(value.0, ty.sort()));
        let offset = pool.bv(ty.width(), OFFSET);
        let shifted = pool.bv_add(value, offset);
        equal.push(pool.eq(unknown, shifted));
    }
    if equal.is_empty() {
        return;
    }
    let stop = data.blocks.push(BlockData {
        parameters: Vec::new(),
        instructions: Vec::new(),
        terminator: Terminator::Stop(StopReason::Assume),
        span,
        label,
        call_boundary: None,
    });
    let mut rest = BlockData { parameters: Vec::new(), ..data.blocks[block].clone() };
    rest.instructions.drain(..index);
    let rest = data.blocks.push(rest);
    let block = &mut data.blocks[block];
    block.instructions.truncate(index);
    block.instructions.extend(instructions);
    block.terminator =
        Terminator::Branch { condition: pool.or(&equal), then: Edge::to(stop), otherwise: Edge::to(rest) };
}
