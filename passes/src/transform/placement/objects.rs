//! The origins of addresses in a function, determined within the function.

use super::super::points_to::linearize;
use super::super::rewrite::as_value;
use super::shapes::object_start;
use program::ssa::{Block, Callee, Function, FunctionData, InstructionKind, Object, Program, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};

/// The largest number of definitions that are followed.
const STEPS: usize = 64;

/// The definition of a value.
#[derive(Clone, Debug)]
enum Definition {
    Pure(Term),
    AddressOf(Object),
    /// A block parameter, with the arguments of its predecessors.
    Parameter(Vec<Term>),
    Other,
}

/// The origin of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Object(Object),
    Value(Value),
}

#[derive(Default)]
struct Definitions {
    of: Vec<Definition>,
    block: Vec<Block>,
    /// The successors of each block before the rewriting.
    successors: PrimaryMap<Block, Vec<Block>>,
    cyclic: FxHashMap<Block, bool>,
}

/// The origins of addresses.
pub(super) struct Origins {
    functions: PrimaryMap<Function, Definitions>,
    /// The functions with at most one activation in an execution.
    single: FxHashSet<Function>,
    allocations: FxHashMap<(Function, Value), (Term, u64)>,
    /// The allocations that live until they are freed.
    heap: FxHashSet<(Function, Value)>,
    /// The objects that may be created more than once in an activation: the front end repeats
    /// `AddressOf` at the declaration.
    redeclared: FxHashSet<Object>,
}

impl Origins {
    pub(super) fn new(pool: &TermPool, program: &Program) -> Self {
        let mut allocations = FxHashMap::default();
        let mut heap = FxHashSet::default();
        for (function, data) in program.functions.iter() {
            for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
                match (&instruction.kind, instruction.result) {
                    (InstructionKind::Allocate { size, align, .. }, Some(value)) => {
                        allocations.insert((function, value), (*size, *align));
                        // If blocks are not tracked, most other allocations have another alignment.
                        if program.shadow.blocks.is_none() && *align == program.machine.block_align() {
                            heap.insert((function, value));
                        }
                    }
                    // The front end marks heap blocks in this way.
                    (InstructionKind::Store { region, address: Some(index), value, .. }, _)
                        if program.shadow.blocks == Some(*region) && pool.as_bv_u64(*value) != Some(0) =>
                    {
                        let note = |term| {
                            if let Op::Value(value) = pool.op(term) {
                                heap.insert((function, Value(value)));
                            }
                        };
                        pool.visit(&[*index], |_| true, note);
                    }
                    _ => {}
                }
            }
        }
        let mut functions: PrimaryMap<Function, Definitions> =
            program.functions.values().map(Definitions::new).collect();
        let single = single_functions(program, &mut functions);
        let mut redeclared = FxHashSet::default();
        for (function, data) in program.functions.iter() {
            for (block, block_data) in data.blocks.iter() {
                for instruction in &block_data.instructions {
                    if let InstructionKind::AddressOf(object) = instruction.kind
                        && program.objects[object].owner.is_some()
                        && functions[function].is_cyclic(block)
                    {
                        redeclared.insert(object);
                    }
                }
            }
        }
        Origins { functions, single, allocations, heap, redeclared }
    }

    /// The size and the alignment of an allocation.
    pub(super) fn allocation(&self, function: Function, value: Value) -> Option<(Term, u64)> {
        self.allocations.get(&(function, value)).copied()
    }

    /// Whether an execution has at most one object of this declaration.
    pub(super) fn is_single_object(&self, program: &Program, object: Object) -> bool {
        program.objects[object]
            .owner
            .is_none_or(|owner| self.is_single(owner) && !self.redeclared.contains(&object))
    }

    /// Whether an allocation lives until it is freed; other allocations end with their scope.
    pub(super) fn is_heap_block(&self, function: Function, value: Value) -> bool {
        self.heap.contains(&(function, value))
    }

    /// Whether an execution has at most one activation of a function.
    pub(super) fn is_single(&self, function: Function) -> bool {
        self.single.contains(&function)
    }

    /// Whether both terms are computed from the address of one object, or from one value that does
    /// not change between them.
    pub(super) fn are_of_one_origin(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        a: Term,
        b: Term,
    ) -> bool {
        let data = &program.functions[function];
        let definitions = &mut self.functions[function];
        let (Some((of_a, a_is_direct)), Some((of_b, b_is_direct))) =
            (definitions.origins(pool, program, data, a), definitions.origins(pool, program, data, b))
        else {
            return false;
        };
        let ([first], [second]) = (&of_a[..], &of_b[..]) else { return false };
        first == second
            && match *first {
                Origin::Object(object) => (a_is_direct && b_is_direct) || !self.redeclared.contains(&object),
                Origin::Value(value) => (a_is_direct && b_is_direct) || !definitions.is_in_cycle(value),
            }
    }
}

/// The functions with a single call site, outside of cycles, in the entry function or in another
/// such function.
fn single_functions(
    program: &Program,
    definitions: &mut PrimaryMap<Function, Definitions>,
) -> FxHashSet<Function> {
    let mut calls: FxHashMap<Function, Vec<(Function, Block)>> = FxHashMap::default();
    let mut address_taken = FxHashSet::default();
    for (function, data) in program.functions.iter() {
        for (block, block_data) in data.blocks.iter() {
            for instruction in &block_data.instructions {
                match &instruction.kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                        calls.entry(*callee).or_default().push((function, block));
                    }
                    InstructionKind::FunctionAddress(callee) => {
                        address_taken.insert(*callee);
                    }
                    _ => {}
                }
            }
        }
    }
    let mut single = FxHashSet::default();
    // The entry function is not called.
    let mut work = vec![program.entry];
    while let Some(function) = work.pop() {
        if address_taken.contains(&function) || !single.insert(function) {
            continue;
        }
        for callee in program.functions.keys() {
            if let Some(&[(caller, block)]) = calls.get(&callee).map(Vec::as_slice)
                && caller == function
                && !definitions[caller].is_cyclic(block)
            {
                work.push(callee);
            }
        }
    }
    single
}

impl Definitions {
    fn new(data: &FunctionData) -> Self {
        let mut of = vec![Definition::Other; data.values.len()];
        let mut block_of = vec![data.entry; data.values.len()];
        for (block, block_data) in data.blocks.iter() {
            for &parameter in &block_data.parameters {
                block_of[parameter.index()] = block;
                if block != data.entry {
                    of[parameter.index()] = Definition::Parameter(Vec::new());
                }
            }
            for instruction in &block_data.instructions {
                let Some(result) = instruction.result else { continue };
                block_of[result.index()] = block;
                of[result.index()] = match instruction.kind {
                    InstructionKind::Pure(term) => Definition::Pure(term),
                    InstructionKind::AddressOf(object) => Definition::AddressOf(object),
                    _ => Definition::Other,
                };
            }
        }
        for block in data.blocks.values() {
            for edge in block.terminator.edges() {
                for (&parameter, &argument) in data.blocks[edge.target].parameters.iter().zip(&edge.arguments)
                {
                    if let Definition::Parameter(arguments) = &mut of[parameter.index()] {
                        arguments.push(argument);
                    }
                }
            }
        }
        let successors = data
            .blocks
            .values()
            .map(|block| block.terminator.edges().iter().map(|edge| edge.target).collect());
        Definitions { of, block: block_of, successors: successors.collect(), cyclic: FxHashMap::default() }
    }

    /// The origins of an address in order, and whether it depends on no block parameter; `None` if
    /// there are too many.
    fn origins(
        &self,
        pool: &TermPool,
        program: &Program,
        data: &FunctionData,
        term: Term,
    ) -> Option<(Vec<Origin>, bool)> {
        let mut result = Vec::new();
        let mut is_direct = true;
        let mut seen = FxHashSet::default();
        let mut work = vec![term];
        let mut steps = STEPS;
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            steps = steps.checked_sub(1)?;
            if let Some(value) = as_value(pool, term) {
                match &self.of[value.index()] {
                    Definition::Pure(term) => work.push(*term),
                    Definition::AddressOf(object) => result.push(Origin::Object(*object)),
                    Definition::Parameter(arguments) => {
                        is_direct = false;
                        work.extend_from_slice(arguments);
                    }
                    Definition::Other => result.push(Origin::Value(value)),
                }
                continue;
            }
            match pool.op(term) {
                Op::Ite => work.extend_from_slice(&pool.children(term)[1..]),
                Op::Concat => work.push(object_start(pool, program, term)?),
                // Null.
                Op::BvConst(_) if pool.as_bv_u64(term) == Some(0) => {}
                Op::BvAdd | Op::BvSub => {
                    let sum = linearize(pool, term)?;
                    let is_pointer = |part: Term| {
                        as_value(pool, part)
                            .is_some_and(|value| matches!(data.values[value].ty, Type::Pointer { .. }))
                    };
                    // The only pointer in the sum; otherwise the origin is unknown.
                    let mut pointers = sum.parts.iter().filter(|part| is_pointer(part.0));
                    let (Some(&(part, 1)), None) = (pointers.next(), pointers.next()) else { return None };
                    let has_other_pointers = sum.parts.iter().any(|other| {
                        let values = pool.free_values(other.0);
                        let is_mentioned =
                            |value: u32| matches!(data.values[Value(value)].ty, Type::Pointer { .. });
                        other.0 != part && values.into_iter().any(is_mentioned)
                    });
                    if has_other_pointers {
                        return None;
                    }
                    work.push(part);
                }
                _ => return None,
            }
        }
        result.sort_unstable();
        result.dedup();
        Some((result, is_direct))
    }

    /// Whether the block that defines a value is on a cycle.
    fn is_in_cycle(&mut self, value: Value) -> bool {
        self.is_cyclic(self.block[value.index()])
    }

    fn is_cyclic(&mut self, block: Block) -> bool {
        let successors = &self.successors;
        *self.cyclic.entry(block).or_insert_with(|| {
            let mut seen = FxHashSet::default();
            let mut work = successors[block].clone();
            while let Some(next) = work.pop() {
                if next == block {
                    return true;
                }
                if seen.insert(next) {
                    work.extend(&successors[next]);
                }
            }
            false
        })
    }
}
