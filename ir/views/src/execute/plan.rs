//! The plan of a function: precomputed data for its execution. Blocks are split at calls, terms are
//! compiled to tapes, and edges list the values that they carry.
//!
//! A block is a sequence of *segments*, one more than it has calls of functions with a body. The
//! entry values of a segment are those that are live at its start; states on edges are vectors
//! aligned with them. Instructions without effect whose result is not live are omitted.

use super::SetupError;
use super::tape::Tape;
use program::layout::Layout;
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::Liveness;
use program::ssa::loops::LoopForest;
use program::ssa::{
    Block, Callee, Contents, Edge, Function, FunctionData, HavocSource, Instruction, InstructionKind, Object,
    Part, Program, Property, Region, Signedness, Terminator, Type, Unsupported, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Op, Term, TermPool};

/// A function, ready for execution.
pub(crate) struct FunctionPlan {
    /// By block; `None` for unreachable blocks.
    pub(crate) blocks: Vec<Option<BlockPlan>>,
    /// The blocks in weak topological order.
    pub(crate) order: Vec<Block>,
    pub(crate) entry: Block,
    /// For each entry value, the index of the function parameter.
    pub(crate) entry_parameters: Vec<usize>,
    /// The number of SSA values.
    pub(crate) values: usize,
    /// Whether an execution may call the function again.
    pub(crate) is_recursive: bool,
}

/// A block.
pub(crate) struct BlockPlan {
    /// The position in the weak topological order.
    pub(crate) position: u32,
    /// Not empty. All segments but the last end with a call.
    pub(crate) segments: Vec<Segment>,
}

/// A part of a block.
pub(crate) struct Segment {
    /// The values in a state that enters the segment.
    pub(crate) entry: Box<[u32]>,
    /// The value defined by the preceding call.
    pub(crate) call_result: Option<u32>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

/// An instruction.
pub(crate) enum Step {
    Pure {
        result: u32,
        tape: Tape,
    },
    /// Includes the result of an external function.
    Havoc {
        result: u32,
        name: Box<str>,
        ty: Type,
        precision: Precision,
        instruction: u32,
    },
    /// The address of an automatic object.
    Address {
        result: u32,
        object: Object,
    },
    Load {
        result: u32,
        region: Region,
        address: Option<Tape>,
        ty: Type,
        instruction: u32,
    },
    Store {
        region: Region,
        address: Option<Tape>,
        value: Tape,
        ty: Type,
        instruction: u32,
    },
    Forget {
        region: Region,
        object: Object,
        instruction: u32,
    },
    Allocate {
        result: u32,
        parts: Rc<[Part]>,
        size: Tape,
        contents: Contents,
        instruction: u32,
    },
}

/// Whether a nondeterministic value is an input or an over-approximation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precision {
    Exact,
    Approximation,
}

/// The end of a segment.
pub(crate) enum End {
    Call {
        callee: Function,
        arguments: Vec<Tape>,
        /// The values that are live before the call: the arguments and the entry values of the next
        /// segment that are not its result.
        live: Box<[u32]>,
    },
    /// An indirect call, which cannot be executed.
    IndirectCall {
        instruction: u32,
    },
    Goto(EdgePlan),
    Branch {
        condition: Tape,
        then: EdgePlan,
        otherwise: EdgePlan,
    },
    Switch {
        scrutinee: Tape,
        cases: Vec<CasePlan>,
        default: EdgePlan,
    },
    Return(Option<Tape>),
    Error(Property),
    Stop,
    Unsupported(Unsupported),
}

/// A case of a switch.
pub(crate) struct CasePlan {
    pub(crate) ranges: Vec<(Term, Term)>,
    pub(crate) signedness: Signedness,
    pub(crate) edge: EdgePlan,
}

/// An edge.
pub(crate) struct EdgePlan {
    pub(crate) target: Block,
    /// The number of loops around the source that contain the target.
    pub(crate) kept_loops: usize,
    pub(crate) kind: EdgeKind,
    /// Aligned with the entry values of the target.
    pub(crate) gather: Box<[Gather]>,
}

/// The kind of an edge with respect to loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgeKind {
    /// Forward; may leave loops.
    Forward,
    /// Forward, to the head of a loop that does not contain the source.
    EntersLoop,
    /// To the head of a loop that contains the source, the last of the `kept_loops`.
    Back,
}

/// The source of an entry value of an edge's target.
pub(crate) enum Gather {
    Value(u32),
    Argument(Tape),
}

impl FunctionPlan {
    /// Computes the plan of a function with a body.
    pub(crate) fn new(
        pool: &mut TermPool,
        program: &Program,
        layout: &Layout,
        function: Function,
    ) -> Result<Self, SetupError> {
        let data = &program.functions[function];
        let graph = ControlFlow::new(data);
        let loops = LoopForest::new(&graph);
        if !loops.is_reducible() {
            return Err(SetupError::Irreducible { function: data.name.clone() });
        }
        let liveness = Liveness::new(pool, data, &graph);
        let mut builder = Builder { pool, program, layout, data, loops: &loops, liveness: &liveness };
        let mut blocks: Vec<Option<BlockPlan>> = Vec::new();
        blocks.resize_with(data.blocks.len(), || None);
        for &block in loops.order() {
            blocks[block.index()] = Some(builder.block(block));
        }
        let entry_block = &data.blocks[data.entry];
        let entry_parameters = liveness.live_in(data.entry).iter().map(|value| {
            let position = entry_block.parameters.iter().position(|parameter| parameter == value);
            position.expect("only parameters are live at the entry of a function")
        });
        Ok(FunctionPlan {
            entry_parameters: entry_parameters.collect(),
            blocks,
            order: loops.order().to_vec(),
            entry: data.entry,
            values: data.values.len(),
            is_recursive: is_recursive(program, function),
        })
    }

    /// The plan of a reachable block.
    pub(crate) fn block(&self, block: Block) -> &BlockPlan {
        self.blocks[block.index()].as_ref().expect("the block is reachable")
    }
}

struct Builder<'a> {
    pool: &'a mut TermPool,
    program: &'a Program,
    layout: &'a Layout,
    data: &'a FunctionData,
    loops: &'a LoopForest,
    liveness: &'a Liveness,
}

impl Builder<'_> {
    fn block(&mut self, block: Block) -> BlockPlan {
        let data = &self.data.blocks[block];
        let end = self.terminator(block, &data.terminator);
        let mut live: FxHashSet<u32> = FxHashSet::default();
        values_of_end(&end, &mut live);
        let mut segments = Vec::new();
        let (mut end, mut steps) = (end, Vec::new());
        // Backwards, so that instructions whose results are not live are never planned.
        for (index, instruction) in data.instructions.iter().enumerate().rev() {
            let result = instruction.result.map(|value| value.0);
            if let InstructionKind::Call { callee, arguments } = &instruction.kind {
                let call = match callee {
                    Callee::Direct(callee) if !self.program.functions[*callee].is_defined() => None,
                    Callee::Direct(callee) => Some(End::Call {
                        callee: *callee,
                        arguments: arguments.iter().map(|&argument| Tape::new(self.pool, argument)).collect(),
                        live: Box::default(),
                    }),
                    Callee::Indirect { .. } => Some(End::IndirectCall { instruction: index as u32 }),
                };
                if let Some(call) = call {
                    let call_result = result.filter(|result| live.remove(result));
                    steps.reverse();
                    segments.push(Segment { entry: sorted(&live), call_result, steps, end });
                    (end, steps) = (call, Vec::new());
                    values_of_end(&end, &mut live);
                    if let End::Call { live: before, .. } = &mut end {
                        *before = sorted(&live);
                    }
                    continue;
                }
            }
            let is_used = result.is_some_and(|result| live.remove(&result));
            if let Some(step) = self.step(&data.instructions, index as u32, result, is_used) {
                values_of_step(&step, &mut live);
                steps.push(step);
            }
        }
        steps.reverse();
        let entry = self.liveness.live_in(block).iter().map(|value| value.0).collect();
        segments.push(Segment { entry, call_result: None, steps, end });
        segments.reverse();
        BlockPlan { position: self.loops.position(block).expect("the block is reachable") as u32, segments }
    }

    /// A nondeterministic value, named after the source variable that it or its first copy is
    /// assigned to.
    fn havoc(
        &self,
        instructions: &[Instruction],
        index: u32,
        fallback: &str,
        precision: Precision,
    ) -> Option<Step> {
        let value = instructions[index as usize].result?;
        let copies = instructions[index as usize + 1..].iter().take(4).filter_map(|instruction| {
            match instruction.kind {
                InstructionKind::Pure(term) if self.pool.op(term) == Op::Value(value.0) => instruction.result,
                _ => None,
            }
        });
        let names = std::iter::once(value).chain(copies);
        let name = names.filter_map(|value| self.data.values[value].name.as_deref()).next();
        let ty = self.data.values[value].ty;
        let name = name.unwrap_or(fallback).into();
        Some(Step::Havoc { result: value.0, name, ty, precision, instruction: index })
    }

    fn step(
        &mut self,
        instructions: &[Instruction],
        index: u32,
        result: Option<u32>,
        is_used: bool,
    ) -> Option<Step> {
        let kind = &instructions[index as usize].kind;
        let width = self.program.machine.pointer_width;
        let defined = || result.expect("the instruction has a result");
        Some(match kind {
            InstructionKind::Pure(_) | InstructionKind::FunctionAddress(_) | InstructionKind::Load { .. }
                if !is_used =>
            {
                return None;
            }
            InstructionKind::Pure(term) => {
                Step::Pure { result: defined(), tape: Tape::new(self.pool, *term) }
            }
            InstructionKind::Havoc(source) => {
                let is_approximation = matches!(source, HavocSource::Approximation(_));
                let fallback = match source {
                    HavocSource::Input(name) => name.strip_prefix("__VERIFIER_").unwrap_or(name),
                    HavocSource::Uninitialized => "uninitialized",
                    HavocSource::External(name) => name,
                    HavocSource::Approximation(_) => "approximation",
                };
                let precision = if is_approximation { Precision::Approximation } else { Precision::Exact };
                self.havoc(instructions, index, fallback, precision)?
            }
            // Only calls of functions without a body remain; a call whose result is unused has no
            // effect.
            InstructionKind::Call { callee, .. } => {
                let name = match callee {
                    Callee::Direct(callee) => &self.program.functions[*callee].name,
                    Callee::Indirect { .. } => "external",
                };
                self.havoc(instructions, index, name, Precision::Exact)?
            }
            InstructionKind::AddressOf(object) => match self.layout.object(*object) {
                Some(address) => {
                    let address = self.pool.bv(width, address);
                    Step::Pure { result: defined(), tape: Tape::new(self.pool, address) }
                }
                None => Step::Address { result: defined(), object: *object },
            },
            InstructionKind::FunctionAddress(function) => {
                let address = self.pool.bv(width, self.layout.function(*function));
                Step::Pure { result: defined(), tape: Tape::new(self.pool, address) }
            }
            InstructionKind::Load { region, address } => Step::Load {
                result: defined(),
                region: *region,
                address: address.map(|address| Tape::new(self.pool, address)),
                ty: self.data.values[Value(defined())].ty,
                instruction: index,
            },
            InstructionKind::Store { region, address, value, ty, place: _ } => Step::Store {
                region: *region,
                address: address.map(|address| Tape::new(self.pool, address)),
                value: Tape::new(self.pool, *value),
                ty: *ty,
                instruction: index,
            },
            InstructionKind::Forget { region, object } => {
                Step::Forget { region: *region, object: *object, instruction: index }
            }
            InstructionKind::Allocate { parts, size, align: _, contents } => Step::Allocate {
                result: defined(),
                parts: parts[..].into(),
                size: Tape::new(self.pool, *size),
                contents: *contents,
                instruction: index,
            },
        })
    }

    fn terminator(&mut self, block: Block, terminator: &Terminator) -> End {
        match terminator {
            Terminator::Goto(edge) => End::Goto(self.edge(block, edge)),
            Terminator::Branch { condition, then, otherwise } => End::Branch {
                condition: Tape::new(self.pool, *condition),
                then: self.edge(block, then),
                otherwise: self.edge(block, otherwise),
            },
            Terminator::Switch { scrutinee, cases, default } => {
                let cases = cases.iter().map(|case| CasePlan {
                    ranges: case.ranges.clone(),
                    signedness: case.signedness,
                    edge: self.edge(block, &case.edge),
                });
                End::Switch {
                    cases: cases.collect(),
                    scrutinee: Tape::new(self.pool, *scrutinee),
                    default: self.edge(block, default),
                }
            }
            Terminator::Return(value) => End::Return(value.map(|value| Tape::new(self.pool, value))),
            Terminator::Error(property) => End::Error(*property),
            Terminator::Stop(_) => End::Stop,
            Terminator::Unsupported(construct) => End::Unsupported(*construct),
        }
    }

    fn edge(&self, from: Block, edge: &Edge) -> EdgePlan {
        let target = edge.target;
        let depth = self.loops.depth(target) as usize;
        let (kind, kept_loops) = match self.loops.headed_by(target) {
            Some(headed) if self.loops.contains(headed, from) => (EdgeKind::Back, depth),
            Some(_) => (EdgeKind::EntersLoop, depth - 1),
            None => (EdgeKind::Forward, depth),
        };
        let parameters = self.data.blocks[target].parameters.iter().copied();
        let arguments: FxHashMap<Value, Term> = parameters.zip(edge.arguments.iter().copied()).collect();
        let gather = self.liveness.live_in(target).iter().map(|value| match arguments.get(value) {
            Some(&argument) => Gather::Argument(Tape::new(self.pool, argument)),
            None => Gather::Value(value.0),
        });
        EdgePlan { target, kept_loops, kind, gather: gather.collect() }
    }
}

impl CasePlan {
    /// The condition under which `scrutinee` is in one of the ranges.
    pub(crate) fn condition(&self, pool: &mut TermPool, scrutinee: Term) -> Term {
        let mut conditions = Vec::with_capacity(self.ranges.len());
        for &(low, high) in &self.ranges {
            let condition = if low == high {
                pool.eq(scrutinee, low)
            } else {
                let (above, below) = match self.signedness {
                    Signedness::Signed => (pool.bv_sle(low, scrutinee), pool.bv_sle(scrutinee, high)),
                    Signedness::Unsigned => (pool.bv_ule(low, scrutinee), pool.bv_ule(scrutinee, high)),
                };
                pool.and2(above, below)
            };
            conditions.push(condition);
        }
        pool.or(&conditions)
    }
}

impl End {
    /// The called function, if the segment ends with a call.
    pub(crate) fn callee(&self) -> Option<Function> {
        match self {
            End::Call { callee, .. } => Some(*callee),
            _ => None,
        }
    }

    /// The edges in order.
    fn edges(&self) -> Vec<&EdgePlan> {
        match self {
            End::Goto(edge) => vec![edge],
            End::Branch { then, otherwise, .. } => vec![then, otherwise],
            End::Switch { cases, default, .. } => {
                cases.iter().map(|case| &case.edge).chain(std::iter::once(default)).collect()
            }
            _ => vec![],
        }
    }
}

fn values_of_end(end: &End, live: &mut FxHashSet<u32>) {
    match end {
        End::Branch { condition: tape, .. }
        | End::Switch { scrutinee: tape, .. }
        | End::Return(Some(tape)) => {
            live.extend(tape.values());
        }
        End::Call { arguments, .. } => live.extend(arguments.iter().flat_map(Tape::values)),
        _ => {}
    }
    for edge in end.edges() {
        for gather in &edge.gather {
            match gather {
                Gather::Value(value) => drop(live.insert(*value)),
                Gather::Argument(tape) => live.extend(tape.values()),
            }
        }
    }
}

fn values_of_step(step: &Step, live: &mut FxHashSet<u32>) {
    match step {
        Step::Pure { tape, .. } | Step::Allocate { size: tape, .. } => live.extend(tape.values()),
        Step::Load { address, .. } => live.extend(address.iter().flat_map(Tape::values)),
        Step::Store { address, value, .. } => {
            live.extend(address.iter().flat_map(Tape::values));
            live.extend(value.values());
        }
        Step::Havoc { .. } | Step::Address { .. } | Step::Forget { .. } => {}
    }
}

fn sorted(values: &FxHashSet<u32>) -> Box<[u32]> {
    let mut values: Vec<u32> = values.iter().copied().collect();
    values.sort_unstable();
    values.into()
}

fn is_recursive(program: &Program, function: Function) -> bool {
    let callees = |of: Function| {
        program.functions[of].blocks.values().flat_map(|block| &block.instructions).filter_map(
            |instruction| match &instruction.kind {
                InstructionKind::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
                _ => None,
            },
        )
    };
    let mut seen = FxHashSet::default();
    let mut stack = vec![function];
    while let Some(caller) = stack.pop() {
        for callee in callees(caller) {
            if callee == function {
                return true;
            }
            if seen.insert(callee) {
                stack.push(callee);
            }
        }
    }
    false
}
