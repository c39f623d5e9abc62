//! Block formulas: the formulas of all paths between cut points.
//!
//! The block operator `blk` of adjustable-block encoding ([`BlockOperator`]) chooses the cut
//! points. For cut points i and j, the block formula is the path formula of all paths from i to j
//! that pass no other cut point, over the state at i (`x`), the state at j (`x+`) and the inputs on
//! the way. It has the form `guard ∧ ⋀ x+ = update`. Guard and updates come from one symbolic
//! execution of the blocks in between, in weak topological order, merging where paths meet; the
//! formula is linear in the program part, since guards and merged values are shared subterms.
//!
//! *State.* The live values and live regions at the cut point. An SSA value has the same symbol at
//! all cut points. A value whose definition dominates a loop is thus unchanged by each iteration:
//! its update is its own symbol, it is listed in [`PathFormula::kept`], and the formula does not
//! contain an `x+` for it.
//!
//! Calls must have been inlined. The inliner marks the blocks where they start and return
//! ([`BlockData::is_call_boundary`]), and `lf` cuts there if the preparation of the program
//! preserved the marks. Likewise, `sbe` cuts at each block of the program; the preparation may
//! split blocks into one per operation.
//!
//! Cost: from each cut point, the program part up to the next cut points. A part reachable from
//! several cut points is encoded once for each of them.

use super::ViewError;
use super::machine::{Exit, Machine};
use super::paths::PathFormula;
use super::state::Vocabulary;
pub use super::state::{Origin, Variable, VariableData};
use super::{BlockOperator, Place};
use crate::execute::guards::{self, GuardId, Incoming, State};
use crate::execute::{Config, NOWHERE};
use grammars::source::Span;
use indexmap::IndexMap;
#[cfg(doc)]
use program::ssa::BlockData;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Block, Program, Property};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

terms::entity! {
    /// A cut point.
    CutPoint, "c"
}

/// The block formulas of a program.
#[derive(Clone, Debug)]
pub struct BlockFormulas {
    /// The cut points: the entry, then blocks in weak topological order, then errors, then
    /// unsupported constructs.
    pub cut_points: PrimaryMap<CutPoint, CutPointData>,
    /// All state variables with their symbols, in order of first use.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// The cut point at the program start; its state is empty.
    pub entry: CutPoint,
    /// One formula for each pair of cut points with a path, ordered by source and target.
    pub formulas: Vec<BlockFormula>,
    /// The symbols of inputs and of unknown contents, with the place of the instruction that makes
    /// them.
    pub inputs: Vec<(Term, Span)>,
}

/// A cut point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutPointData {
    /// The kind.
    pub kind: CutPointKind,
    /// The variables that are live here, values before regions, each by index.
    pub state: Vec<Variable>,
    /// The source location.
    pub span: Span,
}

/// The kinds of cut points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CutPointKind {
    /// The start of the program.
    Entry,
    /// The start of a block.
    Block(Block),
    /// An error site; empty state.
    Error(Property),
    /// An unsupported construct; empty state.
    Unsupported(String),
}

/// All paths from one cut point to another that pass no third.
#[derive(Clone, Debug)]
pub struct BlockFormula {
    /// The source of the paths.
    pub from: CutPoint,
    /// The target of the paths.
    pub to: CutPoint,
    /// The formula of the paths.
    pub path: PathFormula,
}

/// Splits the entry function of `program` at the cut points of `operator` and computes all block
/// formulas.
///
/// # Errors
/// If the program is not inlined, has irreducible loops, or has loops and the operator is `never`.
pub fn block_formulas(
    pool: &mut TermPool,
    program: &Program,
    operator: BlockOperator,
    config: Config,
) -> Result<BlockFormulas, ViewError> {
    block_formulas_through(pool, program, operator, &BTreeSet::new(), config)
}

/// As [`block_formulas`], with the reachable blocks among `blocks` as additional cut points.
///
/// # Errors
/// If the program is not inlined, has irreducible loops, or has loops and the operator is `never`.
pub fn block_formulas_through(
    pool: &mut TermPool,
    program: &Program,
    operator: BlockOperator,
    blocks: &BTreeSet<Block>,
    config: Config,
) -> Result<BlockFormulas, ViewError> {
    let mut machine = Machine::new(pool, program, config)?;
    let graph = ControlFlow::new(machine.function);
    let loops = LoopForest::new(&graph);
    if operator == BlockOperator::Never && !loops.loops().is_empty() {
        return Err(ViewError::HasLoops);
    }
    let mut builder = Builder::new(pool, &machine, &graph);
    let span = machine.function.span;
    let entry_block = machine.plan.entry;
    let entry = builder.cut(CutPointKind::Entry, Vec::new(), span);
    // The length, in locations, of the longest path from the last cut point to each block. Edges
    // lead back only to loop heads.
    let mut sizes: FxHashMap<Block, u32> = FxHashMap::default();
    for &block in loops.order() {
        let size = sizes.get(&block).copied().unwrap_or(0);
        let is_call_boundary = machine.function.blocks[block].is_call_boundary;
        let place = Place { is_head: loops.headed_by(block).is_some(), is_call_boundary, size };
        let is_cut = block != entry_block && (operator.ends_at(place) || blocks.contains(&block));
        let next = if is_cut { 1 } else { size + 1 };
        for edge in machine.function.blocks[block].terminator.edges() {
            let size = sizes.entry(edge.target).or_default();
            *size = next.max(*size);
        }
        if is_cut {
            let state = builder.vocabulary.state(pool, &machine, block);
            builder.cut(CutPointKind::Block(block), state, machine.function.blocks[block].span);
        }
    }
    let sources: Vec<(CutPoint, Block)> = builder
        .result
        .cut_points
        .iter()
        .map(|(cut, data)| match data.kind {
            CutPointKind::Block(block) => (cut, block),
            _ => (entry, entry_block),
        })
        .collect();
    for (from, block) in sources {
        builder.explore(pool, &mut machine, from, block);
    }
    let mut result = builder.finish();
    result.inputs = machine.executor.inputs;
    Ok(result)
}

struct Builder {
    result: BlockFormulas,
    vocabulary: Vocabulary,
    cut_blocks: FxHashMap<Block, CutPoint>,
    ends: IndexMap<CutPointKind, CutPoint>,
}

impl Builder {
    fn new(pool: &mut TermPool, machine: &Machine<'_>, graph: &ControlFlow) -> Self {
        let result = BlockFormulas {
            cut_points: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            entry: CutPoint::new(0),
            formulas: Vec::new(),
            inputs: Vec::new(),
        };
        Builder {
            result,
            vocabulary: Vocabulary::new(pool, machine, graph),
            cut_blocks: FxHashMap::default(),
            ends: IndexMap::new(),
        }
    }

    fn cut(&mut self, kind: CutPointKind, state: Vec<Variable>, span: Span) -> CutPoint {
        let block = if let CutPointKind::Block(block) = kind { Some(block) } else { None };
        let cut = self.result.cut_points.push(CutPointData { kind, state, span });
        if let Some(block) = block {
            self.cut_blocks.insert(block, cut);
        }
        cut
    }

    fn end(&mut self, kind: CutPointKind, span: Span) -> CutPoint {
        if let Some(&known) = self.ends.get(&kind) {
            return known;
        }
        let cut = self.cut(kind.clone(), Vec::new(), span);
        self.ends.insert(kind, cut);
        cut
    }

    /// Executes everything between the cut point `from`, at the start of `block`, and the next cut
    /// points.
    fn explore(&mut self, pool: &mut TermPool, machine: &mut Machine<'_>, from: CutPoint, block: Block) {
        let state = self.vocabulary.symbolic(machine, &self.result.cut_points[from].state);
        let start = Incoming { from: NOWHERE, guard: guards::ROOT, state };
        let mut queue = BTreeMap::from([(machine.plan.block(block).position, (block, vec![start]))]);
        let mut arrivals: BTreeMap<CutPoint, Vec<Incoming>> = BTreeMap::new();
        let mut exits = Vec::new();
        while let Some((_, (block, incoming))) = queue.pop_first() {
            let (guard, state) = guards::merge(pool, &mut machine.executor.guards, &incoming);
            machine.execute(pool, block, guard, &state, &mut exits);
            for exit in exits.drain(..) {
                match exit {
                    Exit::Edge { target, incoming, .. } => match self.cut_blocks.get(&target) {
                        Some(&cut) => arrivals.entry(cut).or_default().push(incoming),
                        None => {
                            let position = machine.plan.block(target).position;
                            queue.entry(position).or_insert((target, Vec::new())).1.push(incoming);
                        }
                    },
                    Exit::Error { property, guard } => {
                        let span = machine.program.properties[property].span;
                        let end = self.end(CutPointKind::Error(property), span);
                        arrivals.entry(end).or_default().push(Incoming {
                            from: NOWHERE,
                            guard,
                            state: State::empty(),
                        });
                    }
                    Exit::Unsupported { what, guard, span } => {
                        let end = self.end(CutPointKind::Unsupported(what), span);
                        arrivals.entry(end).or_default().push(Incoming {
                            from: NOWHERE,
                            guard,
                            state: State::empty(),
                        });
                    }
                }
            }
        }
        for (to, incoming) in arrivals {
            let (guard, state) = guards::merge(pool, &mut machine.executor.guards, &incoming);
            self.formula(pool, machine, (from, to), guard, &state);
        }
    }

    fn formula(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        (from, to): (CutPoint, CutPoint),
        guard: GuardId,
        state: &State,
    ) {
        let variables = &self.result.cut_points[to].state;
        let path = PathFormula::new(pool, &self.vocabulary, machine, variables, guard, state);
        if path.formula != pool.fls() {
            self.result.formulas.push(BlockFormula { from, to, path });
        }
    }

    fn finish(self) -> BlockFormulas {
        let mut result = self.result;
        result.variables = self.vocabulary.variables;
        result.formulas.sort_by_key(|formula| (formula.from, formula.to));
        result
    }
}
