//! Iterations that are decided by constants.
//!
//! A loop has a constant trip count, as far as the unrolling has come, if a condition to leave it
//! folds to a constant in each iteration. Such a loop terminates by itself, so an iteration that is
//! *decided* does not count against the bound. An iteration is decided if
//!
//! * an edge out of the loop had a syntactically false guard in it, and
//! * something on which the conditions to leave the loop depend (a *counter*: a parameter of the
//!   head, or a scalar region) was constant at its start and is different at the start of the next.
//!   This excludes `while (1)` and loops whose condition never changes.
//!
//! Edges that end at once at an error, a stop or an unsupported construct do not leave the loop in
//! this sense: the check of an overflow does not terminate a loop.
//!
//! This is a heuristic for bounds and irrelevant for soundness: whatever is not explored is on the
//! frontier. A loop that counts forever is cut by [`Bounds::free`](super::Bounds).
//!
//! Cost: the counters are computed once for each function, by a slice of each loop, O(size) for
//! each level of nesting; one record for each iteration of a loop with counters.

use super::{ActivationId, Key};
use crate::execute::guards::State;
use crate::execute::plan::{EdgePlan, End, FunctionPlan};
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::{LoopData, LoopForest};
use program::ssa::{Block, FunctionData, InstructionKind, Program, RegionKind, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use terms::{Term, TermPool};

/// A part of the state at a loop head on which the conditions to leave the loop depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counter {
    /// A live value at the head, by index in the state.
    Value(u32),
    /// The contents of a scalar region.
    Region(u32),
}

/// The counters of the loops of a function, by head.
#[derive(Default)]
pub(super) struct Counters {
    by_head: FxHashMap<Block, Box<[Counter]>>,
}

impl Counters {
    /// Finds the counters of all loops of a function with a body.
    pub(super) fn new(pool: &TermPool, program: &Program, data: &FunctionData, plan: &FunctionPlan) -> Self {
        let graph = ControlFlow::new(data);
        let loops = LoopForest::new(&graph);
        if loops.loops().is_empty() {
            return Counters::default();
        }
        let slicer = Slicer::new(pool, program, data);
        let mut by_head = FxHashMap::default();
        for (index, of) in loops.loops().iter() {
            let exits = of.exits.iter().filter(|exit| !ends_at_once(data, exit.edge(data).target));
            let conditions = exits.filter_map(|exit| match data.blocks[exit.from].terminator {
                Terminator::Branch { condition: term, .. } | Terminator::Switch { scrutinee: term, .. } => {
                    Some(term)
                }
                _ => None,
            });
            let entry = &plan.block(of.head).segments[0].entry;
            let conditions: Vec<Term> = conditions.collect();
            let counters = slicer.counters(of, loops.blocks(index), &conditions, entry);
            if !counters.is_empty() {
                by_head.insert(of.head, counters.into());
            }
        }
        Counters { by_head }
    }
}

/// Whether an execution that enters the block ends there without returning.
fn ends_at_once(data: &FunctionData, block: Block) -> bool {
    matches!(
        data.blocks[block].terminator,
        Terminator::Error(_) | Terminator::Stop(_) | Terminator::Unsupported(_)
    )
}

/// Finds the values on which conditions depend.
struct Slicer<'a> {
    pool: &'a TermPool,
    program: &'a Program,
    data: &'a FunctionData,
    /// The instruction or the parameter that defines a value.
    definitions: FxHashMap<Value, (Block, Definition)>,
    /// The blocks with an edge to a block.
    predecessors: FxHashMap<Block, Vec<Block>>,
}

#[derive(Clone, Copy)]
enum Definition {
    /// By index.
    Parameter(usize),
    /// By index.
    Instruction(usize),
}

impl<'a> Slicer<'a> {
    fn new(pool: &'a TermPool, program: &'a Program, data: &'a FunctionData) -> Self {
        let mut definitions = FxHashMap::default();
        let mut predecessors: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for (block, code) in data.blocks.iter() {
            for (index, &value) in code.parameters.iter().enumerate() {
                definitions.insert(value, (block, Definition::Parameter(index)));
            }
            for (index, instruction) in code.instructions.iter().enumerate() {
                if let Some(value) = instruction.result {
                    definitions.insert(value, (block, Definition::Instruction(index)));
                }
            }
            for edge in code.terminator.edges() {
                predecessors.entry(edge.target).or_default().push(block);
            }
        }
        Slicer { pool, program, data, definitions, predecessors }
    }

    /// The counters of a loop with these blocks and conditions to leave it. `entry` are the live
    /// values at its head.
    fn counters(&self, of: &LoopData, blocks: &[Block], conditions: &[Term], entry: &[u32]) -> Vec<Counter> {
        let inside: FxHashSet<Block> = blocks.iter().copied().collect();
        let mut waiting: Vec<u32> = conditions.iter().flat_map(|&term| self.pool.free_values(term)).collect();
        let mut seen: FxHashSet<u32> = waiting.iter().copied().collect();
        let mut counters = Vec::new();
        while let Some(value) = waiting.pop() {
            let Some(&(block, definition)) = self.definitions.get(&Value(value)) else { continue };
            if !inside.contains(&block) {
                continue;
            }
            let mut terms: SmallVec<[Term; 4]> = SmallVec::new();
            match definition {
                Definition::Parameter(_) if block == of.head => {
                    let index = entry.iter().position(|&live| live == value);
                    counters.extend(index.map(|index| Counter::Value(index as u32)));
                }
                Definition::Parameter(index) => {
                    for from in self.predecessors.get(&block).into_iter().flatten() {
                        let edges = self.data.blocks[*from].terminator.edges();
                        let edges = edges.iter().filter(|edge| edge.target == block);
                        terms.extend(edges.map(|edge| edge.arguments[index]));
                    }
                }
                Definition::Instruction(index) => match &self.data.blocks[block].instructions[index].kind {
                    InstructionKind::Pure(term) => terms.push(*term),
                    InstructionKind::Load { region, address } => {
                        terms.extend(*address);
                        let counter = Counter::Region(region.0);
                        let is_scalar = matches!(self.program.regions[*region].kind, RegionKind::Scalar(_));
                        if is_scalar && !counters.contains(&counter) {
                            counters.push(counter);
                        }
                    }
                    InstructionKind::Call { arguments, .. } => terms.extend(arguments.iter().copied()),
                    _ => {}
                },
            }
            for used in terms.iter().flat_map(|&term| self.pool.free_values(term)) {
                if seen.insert(used) {
                    waiting.push(used);
                }
            }
        }
        counters
    }
}

/// The iterations so far of loops with counters.
#[derive(Default)]
pub(super) struct Trips {
    iterations: FxHashMap<(ActivationId, Key), Iteration>,
}

/// An iteration of a loop.
struct Iteration {
    /// The counters at its start; `None` for those that were not constant.
    counters: SmallVec<[Option<Term>; 2]>,
    /// Whether an edge out of the loop had a false guard.
    is_decided: bool,
}

impl Trips {
    /// Records the state at the start of an iteration of the loop with this head. `key` is that of
    /// the instance.
    pub(super) fn start(
        &mut self,
        pool: &TermPool,
        counters: &Counters,
        head: Block,
        (activation, key): (ActivationId, &Key),
        state: &State,
    ) {
        let Some(counters) = counters.by_head.get(&head) else { return };
        let now = counters.iter().map(|&counter| {
            let term = value(counter, state);
            pool.is_constant(term).then_some(term)
        });
        let iteration = Iteration { counters: now.collect(), is_decided: false };
        self.iterations.insert((activation, key[..key.len() - 2].into()), iteration);
    }

    /// Notes that `edge` from the instance at `key` has a false guard.
    pub(super) fn dead_edge(
        &mut self,
        plan: &FunctionPlan,
        (activation, key): (ActivationId, &Key),
        edge: &EdgePlan,
    ) {
        let depth = (key.len() - 2) / 2;
        if edge.kept_loops >= depth {
            return;
        }
        let last = plan.block(edge.target).segments.last();
        if last.is_none_or(|last| matches!(last.end, End::Error(_) | End::Stop | End::Unsupported(_))) {
            return;
        }
        for left in edge.kept_loops + 1..=depth {
            if let Some(iteration) = self.iterations.get_mut(&(activation, key[..2 * left].into())) {
                iteration.is_decided = true;
            }
        }
    }

    /// Whether the iteration at `key`, which ends in a back edge to the head with `state`, was
    /// decided by constants.
    pub(super) fn is_decided(
        &self,
        counters: &Counters,
        head: Block,
        (activation, key): (ActivationId, &[u32]),
        state: &State,
    ) -> bool {
        let Some(counters) = counters.by_head.get(&head) else { return false };
        let Some(iteration) = self.iterations.get(&(activation, key.into())) else { return false };
        let mut changes = counters.iter().zip(&iteration.counters);
        iteration.is_decided
            && changes.any(|(&counter, before)| before.is_some_and(|before| before != value(counter, state)))
    }
}

fn value(counter: Counter, state: &State) -> Term {
    match counter {
        Counter::Value(index) => state.values[index as usize],
        Counter::Region(index) => state.regions[index as usize],
    }
}
