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
//! Calls must have been inlined, except in [`procedures`](crate::procedures), where every call is a
//! cut point. The inliner marks the blocks where calls start and return
//! ([`BlockData::call_boundary`]), and `lf` cuts there if the preparation of the program
//! preserved the marks. Likewise, `sbe` cuts at each block of the program; the preparation may
//! split blocks into one per operation.
//!
//! Cost: from each cut point, the program part up to the next cut points. A part reachable from
//! several cut points is encoded once for each of them.

use super::ViewError;
use super::interface::Interface;
use super::machine::{CallSite, Exit, Machine};
use super::origin::cell;
use super::paths::PathFormula;
use super::requests::Requests;
use super::state::Vocabulary;
pub use super::state::{FRAME, Moment, Origin, RESULT, Variable, VariableData};
use super::{BlockOperator, Place};
use crate::execute::guards::{self, GuardId, Incoming, State};
use crate::execute::memory::Memory;
use crate::execute::{Config, NOWHERE};
use crate::inputs::{Collector, TraceError, Values};
use grammars::source::Span;
use indexmap::IndexMap;
#[cfg(doc)]
use program::ssa::BlockData;
use program::ssa::cfg::ControlFlow;
use program::ssa::loops::LoopForest;
use program::ssa::{Block, Function, Program, Property};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

terms::entity! {
    /// A cut point.
    CutPoint, "c"
}

/// The block formulas of a function.
#[derive(Clone, Debug)]
pub struct BlockFormulas {
    /// The function.
    pub function: Function,
    /// The cut points: the entry, then blocks in weak topological order, each followed by its
    /// calls, then returns, errors and unsupported constructs.
    pub cut_points: PrimaryMap<CutPoint, CutPointData>,
    /// All state variables with their symbols, in order of first use.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// The cut point at the start of the function; at program start, its state is empty.
    pub entry: CutPoint,
    /// One formula for each pair of cut points with a path, ordered by source and target.
    pub formulas: Vec<BlockFormula>,
    /// The calls, by cut point.
    pub calls: FxHashMap<CutPoint, CallFormula>,
    /// The symbols of inputs and of unknown contents, with the place of the instruction that makes
    /// them.
    pub inputs: Vec<(Term, Span)>,
    /// The inputs of the blocks behind each cut point.
    requests: FxHashMap<CutPoint, Requests>,
    memory: Rc<Memory>,
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
    /// The start of the function.
    Entry,
    /// The start of a block.
    Block(Block),
    /// Before a call. Paths from here start after it.
    Call(CallSite),
    /// The return of a procedure; the state has its entry, its result and its changes.
    Return,
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

/// A call: what goes into the callee and what comes out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFormula {
    /// The callee.
    pub callee: Function,
    /// The value of each variable of the callee's state at its entry, over the state before the
    /// call.
    pub passed: Vec<Term>,
    /// A symbol for each other variable of the callee's state at its return. The formulas of the
    /// paths after the call are over these symbols as well.
    pub returned: Vec<Term>,
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
    let vocabulary = Vocabulary::new(pool, &machine, &graph);
    build(pool, &mut machine, (&graph, vocabulary), operator, (blocks, &[]))
}

/// The block formulas of the current function of `machine`, a procedure. `interfaces` has those of
/// all functions.
pub(super) fn of_procedure(
    pool: &mut TermPool,
    machine: &mut Machine<'_>,
    operator: BlockOperator,
    interfaces: &[Option<Rc<Interface>>],
) -> Result<BlockFormulas, ViewError> {
    let interface =
        interfaces[machine.of().index()].as_ref().expect("functions that are called have an interface");
    let graph = ControlFlow::new(machine.function);
    let mut vocabulary = Vocabulary::of_procedure(pool, machine, interface);
    if machine.needs_frame(machine.of()) {
        let frame = vocabulary.variable(pool, machine, Origin::Value(FRAME));
        machine.set_frame(vocabulary.variables[frame].before);
    }
    build(pool, machine, (&graph, vocabulary), operator, (&BTreeSet::new(), interfaces))
}

fn build(
    pool: &mut TermPool,
    machine: &mut Machine<'_>,
    (graph, vocabulary): (&ControlFlow, Vocabulary),
    operator: BlockOperator,
    (blocks, interfaces): (&BTreeSet<Block>, &[Option<Rc<Interface>>]),
) -> Result<BlockFormulas, ViewError> {
    let loops = LoopForest::new(graph);
    if operator == BlockOperator::Never && !loops.loops().is_empty() {
        return Err(ViewError::HasLoops);
    }
    let mut builder = Builder::new(machine, vocabulary, interfaces);
    let span = machine.function.span;
    let entry_block = machine.plan.entry;
    let state = match machine.of() == machine.program.entry {
        true => Vec::new(),
        false => builder.vocabulary.state_at_entry(pool, machine),
    };
    let entry = builder.cut(CutPointKind::Entry, state, span);
    // The length, in locations, of the longest path from the last cut point to each block. Edges
    // lead back only to loop heads.
    let mut sizes: FxHashMap<Block, u32> = FxHashMap::default();
    for &block in loops.order() {
        let size = sizes.get(&block).copied().unwrap_or(0);
        let is_call_boundary = machine.function.blocks[block].call_boundary.is_some();
        let place = Place { is_head: loops.headed_by(block).is_some(), is_call_boundary, size };
        let is_cut = block != entry_block && (operator.ends_at(place) || blocks.contains(&block));
        let calls = machine.calls_in(block);
        let next = if is_cut || calls > 0 { 1 } else { size + 1 };
        for edge in machine.function.blocks[block].terminator.edges() {
            let size = sizes.entry(edge.target).or_default();
            *size = next.max(*size);
        }
        if is_cut {
            let state = builder.vocabulary.state(pool, machine, block);
            builder.cut(CutPointKind::Block(block), state, machine.function.blocks[block].span);
        }
        for index in 0..calls {
            let site = CallSite { block, index };
            let state = builder.vocabulary.state_at_call(pool, machine, site);
            builder.cut(CutPointKind::Call(site), state, machine.call_span(site));
        }
    }
    for (from, kind) in builder.sources() {
        let start = match kind {
            CutPointKind::Block(block) => Some(builder.at_block(machine, from, block)),
            CutPointKind::Call(site) => builder.after_call(pool, machine, from, site),
            _ => Some(builder.at_block(machine, entry, entry_block)),
        };
        if let Some(start) = start {
            builder.explore(pool, machine, from, start);
        }
    }
    let mut result = builder.finish();
    result.inputs = std::mem::take(&mut machine.executor.inputs);
    Ok(result)
}

impl BlockFormulas {
    /// The variables of the state at a cut point.
    pub fn state(&self, cut: CutPoint) -> impl Iterator<Item = &VariableData> {
        self.cut_points[cut].state.iter().map(|&variable| &self.variables[variable])
    }

    /// Adds to a trace the inputs from the cut point `from` to the next one in a model of a block
    /// formula, in an activation of the function. `eval` returns the values of terms over the state
    /// at `from`, inputs, and what a call at `from` returns.
    ///
    /// # Errors
    /// See [`TraceError`].
    pub fn trace(
        &self,
        pool: &mut TermPool,
        (from, activation): (CutPoint, u32),
        eval: &mut Values<'_>,
        collector: &mut Collector,
    ) -> Result<(), TraceError> {
        match self.requests.get(&from) {
            Some(behind) => behind.trace(pool, &self.memory, (self.function, activation), eval, collector),
            None => Ok(()),
        }
    }
}

struct Builder<'i> {
    result: BlockFormulas,
    vocabulary: Vocabulary,
    /// By function; empty for a function without calls.
    interfaces: &'i [Option<Rc<Interface>>],
    /// The cut points that are blocks or calls.
    cuts: FxHashMap<CutPointKind, CutPoint>,
    ends: IndexMap<CutPointKind, CutPoint>,
}

/// The start of an execution: a block, the number of its calls that are over, and the state.
type Start = (Block, usize, State);

impl<'i> Builder<'i> {
    fn new(machine: &Machine<'_>, vocabulary: Vocabulary, interfaces: &'i [Option<Rc<Interface>>]) -> Self {
        let result = BlockFormulas {
            function: machine.of(),
            cut_points: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            entry: CutPoint::new(0),
            formulas: Vec::new(),
            calls: FxHashMap::default(),
            inputs: Vec::new(),
            requests: FxHashMap::default(),
            memory: Rc::clone(&machine.executor.memory),
        };
        Builder { result, vocabulary, interfaces, cuts: FxHashMap::default(), ends: IndexMap::new() }
    }

    fn cut(&mut self, kind: CutPointKind, state: Vec<Variable>, span: Span) -> CutPoint {
        let is_source = matches!(kind, CutPointKind::Block(_) | CutPointKind::Call(_));
        let cut = self.result.cut_points.push(CutPointData { kind: kind.clone(), state, span });
        if is_source {
            self.cuts.insert(kind, cut);
        }
        cut
    }

    /// The cut points from which paths start.
    fn sources(&self) -> Vec<(CutPoint, CutPointKind)> {
        self.result.cut_points.iter().map(|(cut, data)| (cut, data.kind.clone())).collect()
    }

    fn end(&mut self, kind: CutPointKind, state: Vec<Variable>, span: Span) -> CutPoint {
        if let Some(&known) = self.ends.get(&kind) {
            return known;
        }
        let cut = self.cut(kind.clone(), state, span);
        self.ends.insert(kind, cut);
        cut
    }

    fn at_block(&self, machine: &Machine<'_>, from: CutPoint, block: Block) -> Start {
        let state = &self.result.cut_points[from].state;
        (block, 0, self.vocabulary.symbolic(machine, machine.entry_values(block), state))
    }

    /// Records the call at `from`; returns the state after it, `None` if the callee never returns.
    fn after_call(
        &mut self,
        pool: &mut TermPool,
        machine: &mut Machine<'_>,
        from: CutPoint,
        site: CallSite,
    ) -> Option<Start> {
        let (callee, live) = machine.call(site);
        let before = self.vocabulary.symbolic(machine, live, &self.result.cut_points[from].state);
        let interface =
            self.interfaces[callee.index()].clone().expect("functions that are called have an interface");
        let mut arguments = machine.arguments(pool, site, &before.values).into_iter();
        let frame = machine.next_frame(pool);
        let passed = interface.at_entry().iter().map(|&(origin, _)| match cell(machine, origin) {
            Some(region) => before.regions[region],
            None if origin == Origin::Value(FRAME) => frame,
            None => arguments.next().expect("each parameter has an argument"),
        });
        let passed = passed.collect();
        let (mut returned, mut result, mut regions) = (Vec::new(), None, before.regions);
        for &origin in interface.changes() {
            let symbol = self.vocabulary.returned(pool, machine, site, origin);
            match cell(machine, origin) {
                Some(region) => Rc::make_mut(&mut regions)[region] = symbol,
                None => result = Some(symbol),
            }
            returned.push(symbol);
        }
        self.result.calls.insert(from, CallFormula { callee, passed, returned });
        let (values, live) = (machine.after_call(site).1, machine.call(site).1);
        let values = values.iter().map(|value| {
            let position = live.binary_search(value);
            before.values[position.expect("values that are live after a call are live before it")]
        });
        let state = State { values: values.collect(), result, regions };
        interface.may_return().then_some((site.block, site.index + 1, state))
    }

    /// Executes everything between the cut point `from`, where `start` begins, and the next cut
    /// points.
    fn explore(&mut self, pool: &mut TermPool, machine: &mut Machine<'_>, from: CutPoint, start: Start) {
        let (block, mut calls, state) = start;
        let start = Incoming { from: NOWHERE, guard: guards::ROOT, state };
        let mut queue = BTreeMap::from([(machine.plan.block(block).position, (block, vec![start]))]);
        let mut arrivals: BTreeMap<CutPoint, Vec<Incoming>> = BTreeMap::new();
        let mut exits = Vec::new();
        while let Some((_, (block, incoming))) = queue.pop_first() {
            let (guard, state) = guards::merge(pool, &mut machine.executor.guards, &incoming);
            let inputs = machine.execute_after(pool, (block, calls), guard, &state, &mut exits);
            if !inputs.is_empty() {
                let guard = machine.executor.guards.term(guard);
                self.result.requests.entry(from).or_default().add(guard, inputs);
            }
            calls = 0;
            for exit in exits.drain(..) {
                let empty = |guard| Incoming { from: NOWHERE, guard, state: State::empty() };
                let (end, incoming) = match exit {
                    Exit::Edge { target, incoming } => match self.cuts.get(&CutPointKind::Block(target)) {
                        Some(&cut) => (cut, incoming),
                        None => {
                            let position = machine.plan.block(target).position;
                            queue.entry(position).or_insert((target, Vec::new())).1.push(incoming);
                            continue;
                        }
                    },
                    Exit::Call { index, incoming } => {
                        (self.cuts[&CutPointKind::Call(CallSite { block, index })], incoming)
                    }
                    // The program ends.
                    Exit::Return { .. } if machine.of() == machine.program.entry => continue,
                    Exit::Return { incoming } => {
                        let state = self.vocabulary.state_at_return(pool, machine);
                        (self.end(CutPointKind::Return, state, machine.function.span), incoming)
                    }
                    Exit::Error { property, guard } => {
                        let span = machine.program.properties[property].span;
                        (self.end(CutPointKind::Error(property), Vec::new(), span), empty(guard))
                    }
                    Exit::Unsupported { what, guard, span } => {
                        (self.end(CutPointKind::Unsupported(what), Vec::new(), span), empty(guard))
                    }
                };
                arrivals.entry(end).or_default().push(incoming);
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
        let CutPointData { kind, state: variables, .. } = &self.result.cut_points[to];
        let values = match *kind {
            CutPointKind::Block(block) => machine.entry_values(block),
            CutPointKind::Call(site) => machine.call(site).1,
            _ => &[],
        };
        let path = PathFormula::new(pool, &self.vocabulary, machine, (variables, values), guard, state);
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
