//! Simplification: constants, copies, dead code, empty and straight-line blocks.
//!
//! Rounds of small rewritings until a fixpoint (at most [`MOST_ROUNDS`]):
//! 1. A value whose definition is a constant or another value is replaced by it, and so is a block
//!    parameter that gets the same argument from all its edges (except itself). Terms simplify when
//!    they are rebuilt, so constants fold.
//! 2. A branch or switch whose condition is constant, or whose edges are equal, becomes a `goto`.
//! 3. Unreachable blocks are cleared.
//! 4. An edge to a block that only jumps is redirected to the target (unless the block's parameters
//!    are used elsewhere).
//! 5. A block with one incoming edge, a `goto`, is appended to its predecessor; its parameters
//!    become copies.
//! 6. Unused values are removed, with the parameters and arguments that only they need.
//!
//! Finally blocks are numbered in reverse postorder and values in the order of their definitions.
//!
//! [`Events::Keep`] keeps all reads of nondeterministic input, so the result can be executed on the
//! same inputs.
//! Cost: linear in the function for each round.

use super::back::{BackTranslator, FunctionOrigin, Step};
use super::rewrite::as_value;
use program::ssa::cfg::ControlFlow;
use program::ssa::{
    Block, BlockData, Edge, Function, FunctionData, Instruction, InstructionKind, Program, Signedness,
    StopReason, SwitchCase, Terminator, Value,
};
use rustc_hash::FxHashMap;
use terms::entity::{Entity, PrimaryMap};
use terms::{Op, Term, TermPool};

/// The largest number of rounds; each one applies all rewritings once.
pub const MOST_ROUNDS: usize = 12;

/// The treatment of instructions whose only effect is to consume nondeterministic input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Events {
    /// They are kept: executions consume the same inputs as before.
    Keep,
    /// They are removed if their result is unused.
    Drop,
}

/// Simplifies every function of `program`.
pub fn simplify(pool: &mut TermPool, program: &mut Program, events: Events) -> BackTranslator {
    let mut step = Step::default();
    let defined: Vec<Function> = program
        .functions
        .iter()
        .filter(|(_, data)| data.is_defined())
        .map(|(function, _)| function)
        .collect();
    for function in defined {
        let data = &mut program.functions[function];
        for _ in 0..MOST_ROUNDS {
            let mut is_changed = propagate(pool, data);
            is_changed |= fold_terminators(pool, data);
            clear_unreachable(data);
            is_changed |= thread_jumps(pool, data);
            clear_unreachable(data);
            is_changed |= merge_blocks(data);
            is_changed |= remove_dead_values(pool, data, events);
            if !is_changed {
                break;
            }
        }
        step.functions[function] = Some(renumber(pool, function, data));
    }
    BackTranslator::from_step(step)
}

/// Replacements of values by constants or other values.
#[derive(Default)]
struct Replacements {
    terms: FxHashMap<u32, Term>,
    done: FxHashMap<Term, Term>,
}

impl Replacements {
    /// Applies the replacements known so far to `term`.
    fn resolve(&self, pool: &mut TermPool, term: Term) -> Term {
        if self.terms.is_empty() || pool.is_constant(term) {
            return term;
        }
        pool.map_leaves(term, &mut |pool, leaf| {
            let mut last = None;
            let mut current = leaf;
            while let Op::Value(index) = pool.op(current) {
                let Some(&next) = self.terms.get(&index) else { break };
                last = Some(next);
                current = next;
            }
            last
        })
    }

    /// Like [`resolve`](Self::resolve), after the last replacement was added.
    fn apply(&mut self, pool: &mut TermPool, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let result = self.resolve(pool, term);
        self.done.insert(term, result);
        result
    }
}

fn propagate(pool: &mut TermPool, data: &mut FunctionData) -> bool {
    let graph = ControlFlow::new(data);
    let mut replacements = Replacements::default();
    for &block in graph.reverse_postorder() {
        let parameters = data.blocks[block].parameters.clone();
        for (position, parameter) in parameters.into_iter().enumerate() {
            if let Some(term) = common_argument(pool, data, &graph, &replacements, block, position, parameter)
            {
                replacements.terms.insert(parameter.0, term);
            }
        }
        for index in 0..data.blocks[block].instructions.len() {
            let instruction = &mut data.blocks[block].instructions[index];
            if let (Some(result), InstructionKind::Pure(term)) = (instruction.result, &mut instruction.kind) {
                *term = replacements.resolve(pool, *term);
                let is_copy = as_value(pool, *term).is_some_and(|value| value != result);
                if pool.is_constant(*term) || is_copy {
                    replacements.terms.insert(result.0, *term);
                }
                // `n = nondet()`: the input gets the name of the variable.
                if let Some(original) = as_value(pool, *term)
                    && original != result
                    && data.values[original].name.is_none()
                {
                    data.values[original].name = data.values[result].name.clone();
                }
            }
        }
    }
    if replacements.terms.is_empty() {
        return false;
    }
    let mut is_changed = false;
    for block in data.blocks.values_mut() {
        for instruction in &mut block.instructions {
            instruction.kind.map_terms(|term| {
                let new = replacements.apply(pool, term);
                is_changed |= new != term;
                new
            });
        }
        block.terminator.map_terms(|term| {
            let new = replacements.apply(pool, term);
            is_changed |= new != term;
            new
        });
    }
    is_changed
}

/// The argument that all edges pass for a parameter, if that is one constant or value other than
/// the parameter.
fn common_argument(
    pool: &mut TermPool,
    data: &FunctionData,
    graph: &ControlFlow,
    replacements: &Replacements,
    block: Block,
    position: usize,
    parameter: Value,
) -> Option<Term> {
    let mut common = None;
    for edge in graph.predecessors(block) {
        let argument = replacements.resolve(pool, edge.edge(data).arguments[position]);
        if as_value(pool, argument) == Some(parameter) {
            continue;
        }
        let is_simple = pool.is_constant(argument) || as_value(pool, argument).is_some();
        if !is_simple || common.is_some_and(|common| common != argument) {
            return None;
        }
        common = Some(argument);
    }
    common
}

fn fold_terminators(pool: &TermPool, data: &mut FunctionData) -> bool {
    let mut is_changed = false;
    for block in data.blocks.values_mut() {
        let chosen = match &block.terminator {
            Terminator::Branch { condition, then, otherwise } => match pool.as_bool(*condition) {
                Some(true) => Some(then.clone()),
                Some(false) => Some(otherwise.clone()),
                None if then == otherwise => Some(then.clone()),
                None => None,
            },
            Terminator::Switch { scrutinee, cases, default } => {
                if pool.is_constant(*scrutinee) {
                    let taken = cases.iter().find(|case| is_taken(pool, case, *scrutinee));
                    Some(taken.map_or(default, |case| &case.edge).clone())
                } else if cases.iter().all(|case| case.edge == *default) {
                    Some(default.clone())
                } else {
                    None
                }
            }
            _ => None,
        };
        if let Some(edge) = chosen {
            block.terminator = Terminator::Goto(edge);
            is_changed = true;
        }
    }
    is_changed
}

/// Whether a constant scrutinee is in the case.
pub(crate) fn is_taken(pool: &TermPool, case: &SwitchCase, scrutinee: Term) -> bool {
    let key = |term: Term| {
        let (width, value) =
            pool.as_bv(term).expect("switch ranges and a folded scrutinee are bit-vector constants");
        // Signed order is unsigned order with the sign bit flipped.
        let is_negative = case.signedness == Signedness::Signed && value.bit(u64::from(width) - 1);
        let is_upper = case.signedness == Signedness::Signed && !is_negative;
        (is_upper, value.clone())
    };
    let value = key(scrutinee);
    case.ranges.iter().any(|&(low, high)| key(low) <= value && value <= key(high))
}

fn clear_unreachable(data: &mut FunctionData) {
    let graph = ControlFlow::new(data);
    for (block, data) in data.blocks.iter_mut() {
        if !graph.is_reachable(block) {
            data.parameters.clear();
            data.instructions.clear();
            data.terminator = Terminator::Stop(StopReason::Unreachable);
        }
    }
}

fn thread_jumps(pool: &mut TermPool, data: &mut FunctionData) -> bool {
    let outside = used_outside_own_terminator(pool, data);
    let onward: Vec<Option<Edge>> = data
        .blocks
        .iter()
        .map(|(block, block_data)| match &block_data.terminator {
            Terminator::Goto(edge)
                if block_data.instructions.is_empty()
                    && edge.target != block
                    && block != data.entry
                    && block_data.call_boundary.is_none()
                    && block_data.parameters.iter().all(|parameter| !outside[parameter.index()]) =>
            {
                Some(edge.clone())
            }
            _ => None,
        })
        .collect();
    let parameters: Vec<Vec<Value>> = data.blocks.values().map(|block| block.parameters.clone()).collect();
    let mut is_changed = false;
    for block in data.blocks.values_mut() {
        for edge in block.terminator.edges_mut() {
            // Bounded, because empty blocks may form a cycle.
            for _ in 0..8 {
                let Some(next) = &onward[edge.target.index()] else { break };
                let replaced: FxHashMap<u32, Term> = parameters[edge.target.index()]
                    .iter()
                    .map(|parameter| parameter.0)
                    .zip(edge.arguments.iter().copied())
                    .collect();
                let arguments = next
                    .arguments
                    .iter()
                    .map(|&argument| {
                        pool.map_leaves(argument, &mut |pool, leaf| match pool.op(leaf) {
                            Op::Value(index) => replaced.get(&index).copied(),
                            _ => None,
                        })
                    })
                    .collect();
                *edge = Edge { target: next.target, arguments };
                is_changed = true;
            }
        }
    }
    is_changed
}

/// The parameters that are used by anything but the terminator of their own block.
fn used_outside_own_terminator(pool: &TermPool, data: &FunctionData) -> Vec<bool> {
    let mut is_used = vec![false; data.values.len()];
    let mut own = vec![None; data.values.len()];
    for (block, block_data) in data.blocks.iter() {
        for parameter in &block_data.parameters {
            own[parameter.index()] = Some(block);
        }
    }
    for (block, block_data) in data.blocks.iter() {
        for instruction in &block_data.instructions {
            instruction.kind.for_each_term(|term| {
                for value in pool.free_values(term) {
                    is_used[value as usize] = true;
                }
            });
        }
        block_data.terminator.for_each_term(|term| {
            for value in pool.free_values(term) {
                if own[value as usize] != Some(block) {
                    is_used[value as usize] = true;
                }
            }
        });
    }
    is_used
}

fn merge_blocks(data: &mut FunctionData) -> bool {
    let graph = ControlFlow::new(data);
    let mut is_changed = false;
    for &first in graph.reverse_postorder() {
        // A block that was appended to another one has no edges anymore.
        while let Terminator::Goto(edge) = &data.blocks[first].terminator {
            let second = edge.target;
            let is_kept = second == data.entry || data.blocks[second].call_boundary.is_some();
            if second == first || is_kept || graph.predecessors(second).len() != 1 {
                break;
            }
            let arguments = edge.arguments.clone();
            let span = data.blocks[second].span;
            let placeholder = BlockData {
                parameters: Vec::new(),
                instructions: Vec::new(),
                terminator: Terminator::Stop(StopReason::Unreachable),
                span,
                label: None,
                call_boundary: None,
            };
            let appended = std::mem::replace(&mut data.blocks[second], placeholder);
            let copies: Vec<Instruction> = appended
                .parameters
                .iter()
                .zip(arguments)
                .map(|(&parameter, argument)| Instruction {
                    result: Some(parameter),
                    kind: InstructionKind::Pure(argument),
                    span: data.values[parameter].span,
                })
                .collect();
            let block = &mut data.blocks[first];
            block.instructions.extend(copies);
            block.instructions.extend(appended.instructions);
            block.terminator = appended.terminator;
            block.span = appended.span;
            if block.label.is_none() {
                block.label = appended.label;
            }
            is_changed = true;
        }
    }
    is_changed
}

fn remove_dead_values(pool: &TermPool, data: &mut FunctionData, events: Events) -> bool {
    let graph = ControlFlow::new(data);
    let mut is_live = vec![false; data.values.len()];
    let mut definition: Vec<Option<(Block, usize)>> = vec![None; data.values.len()];
    let mut parameter: Vec<Option<(Block, usize)>> = vec![None; data.values.len()];
    let mut work: Vec<u32> = Vec::new();
    let need = |term: Term, is_live: &mut Vec<bool>, work: &mut Vec<u32>| {
        for value in pool.free_values(term) {
            if !std::mem::replace(&mut is_live[value as usize], true) {
                work.push(value);
            }
        }
    };
    for (block, block_data) in data.blocks.iter() {
        for (index, value) in block_data.parameters.iter().enumerate() {
            parameter[value.index()] = Some((block, index));
        }
        for (index, instruction) in block_data.instructions.iter().enumerate() {
            if let Some(result) = instruction.result {
                definition[result.index()] = Some((block, index));
            }
            if !is_removable(&instruction.kind, events) {
                instruction.kind.for_each_term(|term| need(term, &mut is_live, &mut work));
            }
        }
        block_data.terminator.for_each_own_term(|term| need(term, &mut is_live, &mut work));
    }
    while let Some(value) = work.pop() {
        if let Some((block, index)) = definition[value as usize] {
            data.blocks[block].instructions[index]
                .kind
                .for_each_term(|term| need(term, &mut is_live, &mut work));
        }
        if let Some((block, index)) = parameter[value as usize] {
            for edge in graph.predecessors(block) {
                need(edge.edge(data).arguments[index], &mut is_live, &mut work);
            }
        }
    }
    let keeps: Vec<Vec<bool>> = data
        .blocks
        .iter()
        .map(|(block, block_data)| {
            let keep = |value: &Value| block == data.entry || is_live[value.index()];
            block_data.parameters.iter().map(keep).collect()
        })
        .collect();
    let mut is_changed = false;
    for (block, block_data) in data.blocks.iter_mut() {
        let before = block_data.instructions.len() + block_data.parameters.len();
        block_data.instructions.retain(|instruction| {
            !is_removable(&instruction.kind, events)
                || instruction.result.is_some_and(|value| is_live[value.index()])
        });
        retain_by(&mut block_data.parameters, &keeps[block.index()]);
        is_changed |= block_data.instructions.len() + block_data.parameters.len() != before;
        for edge in block_data.terminator.edges_mut() {
            let target = edge.target;
            retain_by(&mut edge.arguments, &keeps[target.index()]);
        }
    }
    is_changed
}

fn retain_by<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next().copied().unwrap_or(true));
}

/// Whether the only effect of an instruction is its result.
fn is_removable(kind: &InstructionKind, events: Events) -> bool {
    match kind {
        InstructionKind::Pure(_) | InstructionKind::FunctionAddress(_) | InstructionKind::Load { .. } => true,
        InstructionKind::Havoc(_) | InstructionKind::AddressOf(_) => events == Events::Drop,
        InstructionKind::Store { .. }
        | InstructionKind::Forget { .. }
        | InstructionKind::Allocate { .. }
        | InstructionKind::Call { .. } => false,
    }
}

/// Drops unreachable blocks and undefined values and renumbers the rest.
fn renumber(pool: &mut TermPool, function: Function, data: &mut FunctionData) -> FunctionOrigin {
    let graph = ControlFlow::new(data);
    let mut origin = FunctionOrigin::default();
    let mut new_values: FxHashMap<u32, Value> = FxHashMap::default();
    let mut values = PrimaryMap::new();
    let mut new_block = vec![Block(0); data.blocks.len()];
    for (position, &block) in graph.reverse_postorder().iter().enumerate() {
        new_block[block.index()] = Block::new(position);
        origin.blocks.push(Some((function, block)));
        let block = &data.blocks[block];
        let results = block.instructions.iter().filter_map(|instruction| instruction.result);
        for value in block.parameters.iter().copied().chain(results) {
            new_values.insert(value.0, values.push(data.values[value].clone()));
            origin.values.push(Some((function, value)));
        }
    }
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut rename = |term: Term| {
        *done.entry(term).or_insert_with(|| {
            pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
                Op::Value(index) => {
                    let new = new_values.get(&index).expect("a value that is used is defined");
                    let sort = pool.sort(leaf);
                    Some(pool.value(new.0, sort))
                }
                _ => None,
            })
        })
    };
    let mut blocks = PrimaryMap::new();
    for &block in graph.reverse_postorder() {
        let mut block = data.blocks[block].clone();
        for parameter in &mut block.parameters {
            *parameter = new_values[&parameter.0];
        }
        for instruction in &mut block.instructions {
            instruction.result = instruction.result.map(|value| new_values[&value.0]);
            instruction.kind.map_terms(&mut rename);
        }
        block.terminator.map_terms(&mut rename);
        for edge in block.terminator.edges_mut() {
            edge.target = new_block[edge.target.index()];
        }
        blocks.push(block);
    }
    data.blocks = blocks;
    data.values = values;
    data.entry = Block(0);
    origin
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Build, INT};
    use super::*;

    fn run(build: &mut Build, events: Events) -> BackTranslator {
        build.assert_well_formed();
        let back = simplify(&mut build.pool, &mut build.program, events);
        build.assert_well_formed();
        back
    }

    #[test]
    fn a_constant_condition_leaves_one_straight_line() {
        let mut build = Build::new();
        let one = build.number(1);
        let x = build.pure(INT, one);
        let (then, otherwise, end) = (build.block(&[]), build.block(&[]), build.block(&[INT]));
        let is_one = build.pool.eq(x, one);
        build.branch(is_one, then, otherwise);
        build.at(Function(0), then);
        build.goto(end, &[x]);
        build.at(Function(0), otherwise);
        let two = build.number(2);
        build.goto(end, &[two]);
        build.at(Function(0), end);
        let parameter = build.parameter(end, 0);
        let (good, bad) = (build.block(&[]), build.block(&[]));
        let is_one = build.pool.eq(parameter, one);
        build.branch(is_one, good, bad);
        build.at(Function(0), bad);
        build.end(Terminator::Error(program::ssa::Property(0)));
        let back = run(&mut build, Events::Drop);
        let function = &build.program.functions[Function(0)];
        assert_eq!(function.blocks.len(), 1);
        assert_eq!(function.blocks[Block(0)].terminator, Terminator::Stop(StopReason::Exit));
        assert!(function.values.is_empty());
        assert_eq!(back.block(Function(0), Block(0)), Some((Function(0), Block(0))));
    }

    #[test]
    fn inputs_stay_where_events_count() {
        for (events, kept) in [(Events::Keep, 1), (Events::Drop, 0)] {
            let mut build = Build::new();
            let input = build.input(INT);
            let one = build.number(1);
            let sum = build.pool.bv_add(input, one);
            build.pure(INT, sum);
            run(&mut build, events);
            assert_eq!(build.kinds(Function(0)).len(), kept, "{events:?}");
        }
    }

    #[test]
    fn an_empty_endless_loop_stays_one() {
        let mut build = Build::new();
        let (first, second) = (build.block(&[]), build.block(&[]));
        build.goto(first, &[]);
        build.at(Function(0), first);
        build.goto(second, &[]);
        build.at(Function(0), second);
        build.goto(first, &[]);
        run(&mut build, Events::Drop);
        let function = &build.program.functions[Function(0)];
        let has_cycle = function
            .blocks
            .iter()
            .any(|(block, data)| matches!(&data.terminator, Terminator::Goto(edge) if edge.target <= block));
        assert!(has_cycle);
    }

    #[test]
    fn a_loop_variable_that_nothing_needs_goes() {
        let mut build = Build::new();
        let (head, body) = (build.block(&[INT, INT]), build.block(&[]));
        let stop = build.block(&[]);
        let (zero, one) = (build.number(0), build.number(1));
        build.goto(head, &[zero, zero]);
        build.at(Function(0), head);
        let (needed, unneeded) = (build.parameter(head, 0), build.parameter(head, 1));
        let is_less = build.pool.bv_slt(needed, one);
        build.branch(is_less, body, stop);
        build.at(Function(0), body);
        let input = build.input(INT);
        let sum = build.pool.bv_add(unneeded, one);
        build.goto(head, &[input, sum]);
        run(&mut build, Events::Drop);
        let function = &build.program.functions[Function(0)];
        assert_eq!(function.blocks.values().map(|block| block.parameters.len()).max(), Some(1));
    }

    #[test]
    fn a_constant_scrutinee_chooses_its_case() {
        for (value, target) in [(3u64, 1), (u64::from(u32::MAX), 2), (7, 3)] {
            let mut build = Build::new();
            let blocks = [build.block(&[]), build.block(&[]), build.block(&[])];
            let constant = build.number(value);
            let scrutinee = build.pure(INT, constant);
            let case = |build: &mut Build, low: i64, high: i64, block| SwitchCase {
                ranges: vec![(build.pool.bv_i64(32, low), build.pool.bv_i64(32, high))],
                signedness: Signedness::Signed,
                edge: Edge::to(block),
            };
            let cases = vec![case(&mut build, 1, 5, blocks[0]), case(&mut build, -9, 0, blocks[1])];
            build.end(Terminator::Switch { scrutinee, cases, default: Edge::to(blocks[2]) });
            for (index, block) in blocks.into_iter().enumerate() {
                build.at(Function(0), block);
                let input = build.input(INT);
                let expected = build.number(index as u64 + 1);
                let (same, other) = (build.block(&[]), build.block(&[]));
                let condition = build.pool.eq(input, expected);
                build.branch(condition, same, other);
                build.at(Function(0), same);
                build.end(Terminator::Error(program::ssa::Property(0)));
            }
            let back = run(&mut build, Events::Keep);
            let first = &build.program.functions[Function(0)].blocks[Block(0)];
            assert_eq!(first.instructions.len(), 1, "only the chosen case's input is left");
            let origins: Vec<Block> = build.program.functions[Function(0)]
                .values
                .keys()
                .filter_map(|value| back.value(Function(0), value))
                .map(|(_, value)| Block(value.0))
                .collect();
            // Value 0 is the scrutinee, value i the input of case i.
            assert_eq!(origins, [Block(target)]);
        }
    }
}
