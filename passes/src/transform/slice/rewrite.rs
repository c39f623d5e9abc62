//! Removes irrelevant code.

use super::super::rewrite::{zero, zero_of_sort};
use super::{Marked, Marks};
use program::ssa::{
    Block, Callee, Edge, FunctionData, Instruction, InstructionKind, Program, StopReason, Terminator, Type,
};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// Removes everything from `program` that is not marked.
pub(super) fn keep(pool: &mut TermPool, program: &mut Program, marked: &Marked) {
    let needed_parameters = Needed::of(program, marked);
    let entry = program.entry;
    for (function, data) in program.functions.iter_mut().filter(|(_, data)| data.is_defined()) {
        let marks = &marked.marks[function.index()];
        let needed: Vec<Vec<bool>> = data
            .blocks
            .iter()
            .map(|(block, block_data)| {
                let is_needed =
                    |value: &program::ssa::Value| block == data.entry || marks.values[value.index()];
                block_data.parameters.iter().map(is_needed).collect()
            })
            .collect();
        let end = if function == entry { End::Program } else { End::Function(data.result) };
        let blocks: Vec<Block> = data.blocks.keys().collect();
        for &block in &blocks {
            terminator_left(pool, data, marks, block, marked.next[function.index()][block.index()], end);
        }
        for block in blocks {
            let instructions = std::mem::take(&mut data.blocks[block].instructions);
            let kept = instructions
                .into_iter()
                .zip(&marks.instructions[block.index()])
                .filter_map(|(instruction, &is_marked)| {
                    instruction_left(pool, &needed_parameters, marked, marks, instruction, is_marked)
                })
                .collect();
            data.blocks[block].instructions = kept;
            retain(&mut data.blocks[block].parameters, &needed[block.index()]);
            for edge in data.blocks[block].terminator.edges_mut() {
                let target = edge.target;
                retain(&mut edge.arguments, &needed[target.index()]);
            }
        }
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next().copied().unwrap_or(true));
}

/// The relevant parameters of a function.
enum Needed {
    /// The function has no body.
    None,
    /// These parameters, and all further arguments.
    Parameters(Vec<bool>),
}

impl Needed {
    fn of(program: &Program, marked: &Marked) -> Vec<Self> {
        let needed = program.functions.iter().map(|(function, data)| {
            if !data.is_defined() {
                return Needed::None;
            }
            let parameters = data.blocks[data.entry].parameters.iter();
            let values = &marked.marks[function.index()].values;
            Needed::Parameters(parameters.map(|value| values[value.index()]).collect())
        });
        needed.collect()
    }

    fn is_needed(&self, index: usize) -> bool {
        match self {
            Needed::None => false,
            Needed::Parameters(needed) => needed.get(index).copied().unwrap_or(true),
        }
    }
}

/// The terminator of a path without further relevant code.
#[derive(Clone, Copy)]
enum End {
    Program,
    Function(Option<Type>),
}

fn instruction_left(
    pool: &mut TermPool,
    needed_parameters: &[Needed],
    marked: &Marked,
    marks: &Marks,
    mut instruction: Instruction,
    is_marked: bool,
) -> Option<Instruction> {
    let is_needed = instruction.result.is_some_and(|value| marks.values[value.index()]);
    match &mut instruction.kind {
        InstructionKind::Pure(_)
        | InstructionKind::AddressOf(_)
        | InstructionKind::FunctionAddress(_)
        | InstructionKind::Load { .. } => is_needed.then_some(instruction),
        InstructionKind::Havoc(_) | InstructionKind::Forget { .. } | InstructionKind::Allocate { .. } => {
            is_marked.then_some(instruction)
        }
        InstructionKind::Store { region, value, ty, .. } => {
            if !marked.regions[region.index()] {
                *value = zero(pool, *ty);
            }
            is_marked.then_some(instruction)
        }
        InstructionKind::Call { callee, arguments } => {
            if !is_marked {
                return None;
            }
            if let Callee::Direct(callee) = callee {
                let needed = &needed_parameters[callee.index()];
                for (index, argument) in arguments.iter_mut().enumerate() {
                    if !needed.is_needed(index) {
                        *argument = zero_of_sort(pool, pool.sort(*argument));
                    }
                }
            }
            if !is_needed {
                instruction.result = None;
            }
            Some(instruction)
        }
    }
}

fn terminator_left(
    pool: &mut TermPool,
    data: &mut FunctionData,
    marks: &Marks,
    block: Block,
    next: Option<Block>,
    end: End,
) {
    let terminator = &data.blocks[block].terminator;
    let new = match terminator {
        Terminator::Return(Some(_)) if !marks.result => match data.result {
            Some(ty) => Terminator::Return(Some(zero(pool, ty))),
            None => return,
        },
        other if other.edges().len() > 1 && !marks.decides[block.index()] => match next {
            Some(next) => {
                let zeros: Vec<Term> = data.blocks[next]
                    .parameters
                    .iter()
                    .map(|value| data.values[*value].ty)
                    .map(|ty| zero(pool, ty))
                    .collect();
                Terminator::Goto(Edge { target: next, arguments: zeros })
            }
            None => match end {
                End::Program => Terminator::Stop(StopReason::Exit),
                End::Function(result) => Terminator::Return(result.map(|ty| zero(pool, ty))),
            },
        },
        _ => return,
    };
    data.blocks[block].terminator = new;
}
