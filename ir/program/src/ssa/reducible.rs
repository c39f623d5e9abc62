//! Node splitting: makes irreducible control flow reducible.
//!
//! One of the entries of an irreducible loop becomes its head. The part of the loop that the other
//! entries reach without passing the head is copied, and the edges that enter it from outside are
//! redirected to the copy. From the copy, edges to the head lead into the loop, which now has a
//! single entry. Every irreducible loop that remains, in the loop or in the copy, is smaller than
//! before, so the iteration terminates. The head is the entry that requires the fewest copied
//! instructions, as in Janssen and Corporaal, *Making Graphs Reducible with Controlled Node
//! Splitting* (TOPLAS 1997); their restriction to nodes that need splitting corresponds to the part
//! reached without passing the head. DIVERGENCE: they choose the next node to split among all
//! regions at once; we process outermost loops first.
//!
//! A copied block redefines its values, so several definitions may reach a use. During copying all
//! copies keep the names of the original. At the end, each definition gets its own name, every use
//! refers to the definition that reaches it, and new block parameters merge definitions at the
//! iterated dominance frontier where the value is live (pruned SSA form: Cytron et al.,
//! *Efficiently Computing Static Single Assignment Form and the Control Dependence Graph*, TOPLAS
//! 1991, section 5).
//!
//! The size can grow exponentially in the number of entries of nested irreducible loops. Beyond a
//! limit the transformation fails and leaves the function unchanged.

use super::cfg::{ControlFlow, EdgeRef};
use super::dominators::Dominators;
use super::loops::{Loop, LoopForest};
use super::{Block, FunctionData, StopReason, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use terms::entity::Entity;
use terms::{Op, Term, TermPool};

/// The way back: maps each copied block and value to its original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyOrigins {
    blocks: Vec<Block>,
    values: Vec<Value>,
}

impl CopyOrigins {
    fn identity(function: &FunctionData) -> Self {
        CopyOrigins { blocks: function.blocks.keys().collect(), values: function.values.keys().collect() }
    }

    /// The block of the original function that `block` is a copy of (`block` itself if it is not a
    /// copy).
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(block.index()).copied().unwrap_or(block)
    }

    /// The value of the original function that `value` is a copy of or, for a new block parameter,
    /// whose copies it merges.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(value.index()).copied().unwrap_or(value)
    }

    /// Whether no block was copied.
    pub fn is_identity(&self) -> bool {
        self.blocks.iter().enumerate().all(|(index, block)| block.index() == index)
    }
}

/// The reason why a function was not made reducible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReducibleError {
    /// Too many instructions would be copied.
    #[error("making the control flow of `{function}` reducible copies more than {limit} instructions")]
    TooLarge {
        /// The function's name.
        function: String,
        /// The limit on copied instructions.
        limit: usize,
    },
}

/// A limit that suffices for hand-written code and keeps memory consumption low.
pub const DEFAULT_LIMIT: usize = 200_000;

/// Makes `function` reducible. `limit` bounds the total number of copied instructions, including
/// terminators. A reducible function is not changed. In an irreducible function, unreachable blocks
/// lose their edges.
///
/// # Errors
/// If the limit is exceeded; `function` is then unchanged.
pub fn make_reducible(
    pool: &mut TermPool,
    function: &mut FunctionData,
    limit: usize,
) -> Result<CopyOrigins, ReducibleError> {
    let mut origins = CopyOrigins::identity(function);
    if !function.is_defined() {
        return Ok(origins);
    }
    let mut graph = ControlFlow::new(function);
    let mut forest = LoopForest::new(&graph);
    if forest.is_reducible() {
        return Ok(origins);
    }
    let mut work = function.clone();
    for (block, data) in work.blocks.iter_mut() {
        if !graph.is_reachable(block) {
            data.terminator = Terminator::Stop(StopReason::Unreachable);
        }
    }
    let mut copied = 0;
    while let Some(irreducible) = first_irreducible(&forest) {
        let (head, part) = choose_head(&work, &graph, &forest, irreducible);
        copied += part.iter().map(|&block| cost(&work, block)).sum::<usize>();
        if copied > limit {
            return Err(ReducibleError::TooLarge { function: function.name.clone(), limit });
        }
        split(&mut work, &graph, &forest, irreducible, head, &part, &mut origins);
        graph = ControlFlow::new(&work);
        forest = LoopForest::new(&graph);
    }
    repair(pool, &mut work, &graph, &mut origins);
    *function = work;
    Ok(origins)
}

fn first_irreducible(forest: &LoopForest) -> Option<Loop> {
    forest.loops().iter().find(|(_, data)| !data.other_entries.is_empty()).map(|(found, _)| found)
}

fn cost(function: &FunctionData, block: Block) -> usize {
    function.blocks[block].instructions.len() + 1
}

/// Chooses the entry of the loop that requires the smallest copy; returns it and the blocks to
/// copy, in order.
fn choose_head(
    function: &FunctionData,
    graph: &ControlFlow,
    forest: &LoopForest,
    of: Loop,
) -> (Block, Vec<Block>) {
    let data = forest.data(of);
    let mut entries = vec![data.head];
    for edge in &data.other_entries {
        let target = graph.target(*edge);
        if !entries.contains(&target) {
            entries.push(target);
        }
    }
    let part_for = |head: Block| {
        let mut reached: FxHashSet<Block> = entries.iter().copied().filter(|&entry| entry != head).collect();
        let mut stack: Vec<Block> = entries.iter().copied().filter(|&entry| entry != head).collect();
        while let Some(block) = stack.pop() {
            for &next in graph.successors(block) {
                if next != head && forest.contains(of, next) && reached.insert(next) {
                    stack.push(next);
                }
            }
        }
        let mut part: Vec<Block> = reached.into_iter().collect();
        part.sort_unstable_by_key(|&block| forest.position(block));
        part
    };
    entries
        .iter()
        .map(|&head| (head, part_for(head)))
        .min_by_key(|(_, part)| part.iter().map(|&block| cost(function, block)).sum::<usize>())
        .expect("a loop has an entry")
}

fn split(
    function: &mut FunctionData,
    graph: &ControlFlow,
    forest: &LoopForest,
    of: Loop,
    head: Block,
    part: &[Block],
    origins: &mut CopyOrigins,
) {
    let mut copies: FxHashMap<Block, Block> = FxHashMap::default();
    for &block in part {
        let data = function.blocks[block].clone();
        let copy = function.blocks.push(data);
        origins.blocks.push(origins.block(block));
        copies.insert(block, copy);
    }
    for &block in part {
        for edge in function.blocks[copies[&block]].terminator.edges_mut() {
            if let Some(&copy) = copies.get(&edge.target) {
                edge.target = copy;
            }
        }
    }
    let data = forest.data(of);
    let entering: Vec<EdgeRef> = data.entries.iter().chain(&data.other_entries).copied().collect();
    for edge in entering {
        if graph.target(edge) != head {
            let edge =
                &mut *function.blocks[edge.from].terminator.edges_mut().swap_remove(edge.index as usize);
            edge.target = copies[&edge.target];
        }
    }
}

/// The definitions of one original value after copying.
#[derive(Default)]
struct Variable {
    /// The definitions: a block and the value that it defines.
    definitions: Vec<(Block, Value)>,
    /// Blocks with a use that precedes any definition in the block, including uses in the arguments
    /// of their outgoing edges.
    uses: Vec<Block>,
}

/// Gives each definition of a copied value its own name. On entry every term still uses the
/// original names.
fn repair(pool: &mut TermPool, function: &mut FunctionData, graph: &ControlFlow, origins: &mut CopyOrigins) {
    let mut variables = rename_definitions(function, graph, origins);
    if variables.is_empty() {
        return;
    }
    collect_uses(pool, function, graph, &mut variables);
    let dominators = Dominators::new(graph);
    let frontiers = frontiers(graph, &dominators);
    let mut names: Vec<Value> = variables.keys().copied().collect();
    names.sort_unstable();
    // The value of a variable at the start and at the end of a block, where it is needed.
    let mut at_start: FxHashMap<(Block, Value), Value> = FxHashMap::default();
    let mut at_end: FxHashMap<(Block, Value), Value> = FxHashMap::default();
    let mut merges: Vec<(Block, Value)> = Vec::new();
    for &name in &names {
        let variable = &variables[&name];
        for &(block, value) in &variable.definitions {
            at_end.insert((block, name), value);
        }
        let live = live_blocks(graph, variable);
        for block in merge_blocks(&frontiers, variable, &live) {
            let data = function.values[name].clone();
            let merged = function.values.push(data);
            origins.values.push(origins.value(name));
            function.blocks[block].parameters.push(merged);
            at_start.insert((block, name), merged);
            at_end.entry((block, name)).or_insert(merged);
            merges.push((block, name));
        }
        let mut live: Vec<Block> = live.into_iter().collect();
        live.sort_unstable_by_key(|&block| graph.position(block));
        for block in live {
            let above = dominators.immediate(block).and_then(|above| at_end.get(&(above, name)).copied());
            if let (Entry::Vacant(slot), Some(above)) = (at_start.entry((block, name)), above) {
                slot.insert(above);
                at_end.entry((block, name)).or_insert(above);
            }
        }
    }
    rewrite(pool, function, origins, &variables, &at_start);
    for (block, name) in merges {
        let sort = function.values[name].ty.sort();
        for &edge in graph.predecessors(block) {
            let value = at_end[&(edge.from, name)];
            let argument = pool.value(value.0, sort);
            let edge = function.blocks[edge.from].terminator.edges_mut().swap_remove(edge.index as usize);
            edge.arguments.push(argument);
        }
    }
}

/// Renames every definition of a value except the first. Returns the values with several
/// definitions by their original name.
fn rename_definitions(
    function: &mut FunctionData,
    graph: &ControlFlow,
    origins: &mut CopyOrigins,
) -> FxHashMap<Value, Variable> {
    let mut variables: FxHashMap<Value, Variable> = FxHashMap::default();
    let FunctionData { blocks, values, .. } = function;
    for (block, data) in blocks.iter_mut() {
        let results = data.instructions.iter_mut().filter_map(|instruction| instruction.result.as_mut());
        for slot in data.parameters.iter_mut().chain(results) {
            let name = *slot;
            let variable = variables.entry(name).or_default();
            if !variable.definitions.is_empty() {
                *slot = values.push(values[name].clone());
                origins.values.push(name);
            }
            variable.definitions.push((block, *slot));
        }
    }
    variables.retain(|_, variable| variable.definitions.len() > 1);
    for variable in variables.values_mut() {
        variable.definitions.retain(|&(block, _)| graph.is_reachable(block));
    }
    variables
}

fn collect_uses(
    pool: &TermPool,
    function: &FunctionData,
    graph: &ControlFlow,
    variables: &mut FxHashMap<Value, Variable>,
) {
    for &block in graph.reverse_postorder() {
        let data = &function.blocks[block];
        let mut visit = |term| {
            for value in pool.free_values(term) {
                // In a block that defines the value, every use comes after the definition.
                if let Some(variable) = variables.get_mut(&Value(value))
                    && variable.uses.last() != Some(&block)
                    && variable.definitions.iter().all(|&(definition, _)| definition != block)
                {
                    variable.uses.push(block);
                }
            }
        };
        for instruction in &data.instructions {
            instruction.kind.for_each_term(&mut visit);
        }
        data.terminator.for_each_term(&mut visit);
    }
}

/// The blocks at whose start the variable is live.
fn live_blocks(graph: &ControlFlow, variable: &Variable) -> FxHashSet<Block> {
    let mut live = FxHashSet::default();
    let mut stack = variable.uses.clone();
    while let Some(block) = stack.pop() {
        let is_defined = variable.definitions.iter().any(|&(definition, _)| definition == block);
        if !is_defined && live.insert(block) {
            stack.extend(graph.predecessors(block).iter().map(|edge| edge.from));
        }
    }
    live
}

/// The blocks where several definitions of the variable meet and the variable is live, in order.
fn merge_blocks(frontiers: &[Vec<Block>], variable: &Variable, live: &FxHashSet<Block>) -> Vec<Block> {
    let mut merges = FxHashSet::default();
    let mut stack: Vec<Block> = variable.definitions.iter().map(|&(block, _)| block).collect();
    while let Some(block) = stack.pop() {
        for &meeting in &frontiers[block.index()] {
            if live.contains(&meeting) && merges.insert(meeting) {
                stack.push(meeting);
            }
        }
    }
    let mut merges: Vec<Block> = merges.into_iter().collect();
    merges.sort_unstable();
    merges
}

/// The dominance frontier of each block (Cooper, Harvey, Kennedy, *A Simple, Fast Dominance
/// Algorithm*, 2001, Figure 5).
fn frontiers(graph: &ControlFlow, dominators: &Dominators) -> Vec<Vec<Block>> {
    let mut frontiers: Vec<Vec<Block>> = vec![Vec::new(); graph.block_count()];
    for &block in graph.reverse_postorder() {
        let Some(above) = dominators.immediate(block) else { continue };
        for edge in graph.predecessors(block) {
            let mut runner = edge.from;
            while runner != above {
                if frontiers[runner.index()].last() != Some(&block) {
                    frontiers[runner.index()].push(block);
                }
                let Some(next) = dominators.immediate(runner) else { break };
                runner = next;
            }
        }
    }
    frontiers
}

/// Replaces each use of an original name by the definition that reaches it.
fn rewrite(
    pool: &mut TermPool,
    function: &mut FunctionData,
    origins: &CopyOrigins,
    variables: &FxHashMap<Value, Variable>,
    at_start: &FxHashMap<(Block, Value), Value>,
) {
    let FunctionData { blocks, values, .. } = function;
    for (block, data) in blocks.iter_mut() {
        let mut local: FxHashMap<Value, Value> = FxHashMap::default();
        for &parameter in &data.parameters {
            local.insert(origins.value(parameter), parameter);
        }
        let mut substitute = |term: Term, local: &FxHashMap<Value, Value>| {
            if !pool.free_values(term).iter().any(|&value| variables.contains_key(&Value(value))) {
                return term;
            }
            pool.map_leaves(term, &mut |pool, leaf| {
                let Op::Value(value) = pool.op(leaf) else { return None };
                let name = Value(value);
                let reaching = variables.contains_key(&name).then(|| {
                    local.get(&name).or_else(|| at_start.get(&(block, name))).copied().unwrap_or(name)
                })?;
                Some(pool.value(reaching.0, values[name].ty.sort()))
            })
        };
        for instruction in &mut data.instructions {
            instruction.kind.map_terms(|term| substitute(term, &local));
            if let Some(result) = instruction.result {
                local.insert(origins.value(result), result);
            }
        }
        data.terminator.map_terms(|term| substitute(term, &local));
    }
}
