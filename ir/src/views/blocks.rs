//! Block formulas: what happens between cut points.
//!
//! The block operator `blk` of adjustable-block encoding (*A Unifying View on SMT-Based Software Verification*, §3.2) chooses the
//! cut points. For cut points i and j the block formula is the path formula of all paths from i to j that pass no other cut
//! point, over the state at i (`x`), the state at j (`x+`) and the inputs on the way. It has the form
//! `guard ∧ ⋀ x+ = update`, where guard and updates come from one symbolic execution of the blocks between, in weak topological
//! order, merging where paths meet: linear in the program part, since guards and merged values are shared subterms.
//!
//! *State.* The live values and live regions at the cut point. An SSA value keeps its symbol at all cut points. So a value whose
//! definition dominates a loop is the same symbol before and after each iteration: its update is the symbol itself, it is listed in
//! [`BlockFormula::kept`], and the formula does not mention an `x+` for it.
//!
//! DIVERGENCE: `lf` should also cut at calls and returns. Calls are inlined before and leave no marks, so `lf` is `l` here.
//!
//! Cost: from each cut point, the program part up to the next ones. A part behind several cut points is encoded once for each, which is
//! what a summary between each pair means.

use super::ViewError;
use super::machine::{Exit, Machine, NOWHERE};
use crate::entity::{Entity, PrimaryMap};
use crate::ssa::cfg::ControlFlow;
use crate::ssa::liveness::{RegionEffects, RegionLiveness, RegionSet};
use crate::ssa::loops::LoopForest;
use crate::ssa::{Block, Program, Property, Region, RegionKind, Type, Value};
use crate::term::{Representation, Sort, Term, TermPool};
use crate::unroll::guards::{self, GuardId, Incoming, State};
use crate::unroll::plan::Precision;
use crate::unroll::{Config, UnsupportedCause};
use grammars::source::Span;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

crate::entity! {
    /// A cut point.
    CutPoint, "c"
}

/// The block operator `blk`: where blocks end, besides at errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockOperator {
    /// At every block: single-block encoding.
    Sbe,
    /// At loop heads.
    L,
    /// At loop heads, calls and returns.
    Lf,
    /// Nowhere; for programs without loops.
    Never,
}

/// The block formulas of a program.
#[derive(Clone, Debug)]
pub struct BlockFormulas {
    /// The cut points: the entry first, then blocks in weak topological order, then errors, then what is not supported.
    pub cut_points: PrimaryMap<CutPoint, CutPointData>,
    /// All variables of states, each with its symbols, in order of first use.
    pub variables: PrimaryMap<Variable, VariableData>,
    /// Where execution starts; its state is empty.
    pub entry: CutPoint,
    /// One for each pair with a path, ordered by source and target.
    pub formulas: Vec<BlockFormula>,
}

crate::entity! {
    /// A variable of states.
    Variable, "x"
}

/// A variable of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableData {
    /// What it stands for.
    pub origin: Origin,
    /// Unique among the variables: the source name where there is one, with the value's name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// How integers encodings should see it.
    pub representation: Representation,
    /// The symbol `x`: its value at the source of a block formula.
    pub before: Term,
    /// The symbol `x+`: its value at the target.
    pub after: Term,
    /// Where it is declared or assigned.
    pub span: Span,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An SSA value of the entry function.
    Value(Value),
    /// The contents of a region.
    Region(Region),
    /// The address at which the next heap block lies.
    HeapPointer,
}

/// A cut point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutPointData {
    /// What kind.
    pub kind: CutPointKind,
    /// The variables that are live here, values before regions, each by index.
    pub state: Vec<Variable>,
    /// Where.
    pub span: Span,
}

/// Kinds of cut points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CutPointKind {
    /// The start of the program.
    Entry,
    /// The start of a block.
    Block(Block),
    /// An error site; empty state.
    Error(Property),
    /// Something that is not covered; empty state.
    Unsupported(String),
}

/// All paths from one cut point to another that pass no third.
#[derive(Clone, Debug)]
pub struct BlockFormula {
    /// Where they start.
    pub from: CutPoint,
    /// Where they end.
    pub to: CutPoint,
    /// Over `x`, `x+` and `inputs`: the whole formula.
    pub formula: Term,
    /// The condition under which such a path is taken, over `x` and `inputs`.
    pub guard: Term,
    /// What each variable of the target's state becomes, over `x` and `inputs`.
    pub updates: Vec<Term>,
    /// Positions in the target's state of the variables that stay as they are; `formula` does not mention their `x+`.
    pub kept: Vec<usize>,
    /// The symbols of nondeterministic choices that occur.
    pub inputs: Vec<Term>,
    /// Whether an input stands for an over-approximation.
    pub is_approximate: bool,
}

/// Cuts the entry function of `program` as `operator` says and gives the formula of every block.
///
/// # Errors
/// If the program is not inlined, has irreducible loops, or has loops and the operator is `never`.
pub fn block_formulas(
    pool: &mut TermPool,
    program: &Program,
    operator: BlockOperator,
    config: Config,
) -> Result<BlockFormulas, ViewError> {
    let mut machine = Machine::new(pool, program, config)?;
    let graph = ControlFlow::new(machine.function);
    let loops = LoopForest::new(&graph);
    if operator == BlockOperator::Never && !loops.loops().is_empty() {
        return Err(ViewError::HasLoops);
    }
    let is_cut = |block: Block| match operator {
        BlockOperator::Sbe => true,
        BlockOperator::L | BlockOperator::Lf => loops.headed_by(block).is_some(),
        BlockOperator::Never => false,
    };
    let effects = RegionEffects::new(program);
    let live_regions =
        RegionLiveness::new(program, &effects, machine.function, &graph, &RegionSet::default());
    let mut builder = Builder::new(pool, &machine);
    let span = machine.function.span;
    let entry_block = machine.plan.entry;
    let entry = builder.cut(CutPointKind::Entry, Vec::new(), span);
    for &block in loops.order() {
        if block != entry_block && is_cut(block) {
            let state = builder.state(pool, &machine, block, &live_regions);
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
    Ok(builder.finish())
}

struct Builder {
    result: BlockFormulas,
    variables: FxHashMap<Origin, Variable>,
    cut_blocks: FxHashMap<Block, CutPoint>,
    ends: IndexMap<CutPointKind, CutPoint>,
    names: FxHashSet<String>,
    /// The symbols of all variables.
    state_symbols: FxHashSet<Term>,
    initial: Vec<Term>,
}

impl Builder {
    fn new(pool: &mut TermPool, machine: &Machine<'_>) -> Self {
        let result = BlockFormulas {
            cut_points: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            entry: CutPoint::new(0),
            formulas: Vec::new(),
        };
        Builder {
            result,
            variables: FxHashMap::default(),
            cut_blocks: FxHashMap::default(),
            ends: IndexMap::new(),
            names: FxHashSet::default(),
            state_symbols: FxHashSet::default(),
            initial: machine.initial_regions(pool),
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

    fn variable(&mut self, pool: &mut TermPool, machine: &Machine<'_>, origin: Origin) -> Variable {
        if let Some(&known) = self.variables.get(&origin) {
            return known;
        }
        let pointer = Type::Pointer { width: machine.memory.pointer_width };
        let (name, sort, representation, span) = match origin {
            Origin::Value(value) => {
                let data = &machine.function.values[value];
                let name = match &data.name {
                    Some(name) => format!("{name}.{value}"),
                    None => value.to_string(),
                };
                (name, data.ty.sort(), data.ty.representation(), data.span)
            }
            Origin::Region(region) => {
                let data = &machine.program.regions[region];
                let representation = match data.kind {
                    RegionKind::Scalar(ty) => ty.representation(),
                    _ => Representation::Unsigned,
                };
                (data.name.clone(), machine.memory.regions[region.index()].sort, representation, Span::NONE)
            }
            Origin::HeapPointer => ("heap".to_owned(), pointer.sort(), pointer.representation(), Span::NONE),
        };
        // The names have to be new in the pool as well, or the symbols of two programs would be mixed up.
        let mut unique = name.clone();
        let mut attempt = 1;
        let (before, after) = loop {
            if self.names.insert(unique.clone()) {
                let count = pool.symbol_count();
                let before = pool.symbol_with(&unique, sort, representation);
                let after = pool.symbol_with(&format!("{unique}+"), sort, representation);
                if pool.symbol_count() == count + 2 {
                    break (before, after);
                }
            }
            attempt += 1;
            unique = format!("{name}.{attempt}");
        };
        let data = VariableData { origin, name: unique, sort, representation, before, after, span };
        let variable = self.result.variables.push(data);
        self.variables.insert(origin, variable);
        self.state_symbols.extend([before, after]);
        variable
    }

    fn state(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        block: Block,
        live_regions: &RegionLiveness,
    ) -> Vec<Variable> {
        let entry: Vec<u32> = machine.plan.block(block).segments[0].entry.to_vec();
        let mut state: Vec<Variable> = entry
            .into_iter()
            .map(|value| self.variable(pool, machine, Origin::Value(Value(value))))
            .collect();
        for region in live_regions.live_in(block).iter() {
            state.push(self.variable(pool, machine, Origin::Region(region)));
        }
        if machine.has_heap() {
            state.push(self.variable(pool, machine, Origin::HeapPointer));
        }
        state
    }

    /// The state at the start of a block from the cut point there.
    fn start(&self, machine: &Machine<'_>, from: CutPoint) -> State {
        let mut values = Vec::new();
        // Regions that are not in the state are not read before they are written.
        let mut regions = self.initial.clone();
        for &variable in &self.result.cut_points[from].state {
            let data = &self.result.variables[variable];
            match data.origin {
                Origin::Value(_) => values.push(data.before),
                Origin::Region(region) => regions[region.index()] = data.before,
                Origin::HeapPointer => regions[machine.heap_index()] = data.before,
            }
        }
        State { values: values.into(), result: None, regions: Rc::new(regions) }
    }

    /// Executes everything between the cut point `from`, at the start of `block`, and the next ones.
    fn explore(&mut self, pool: &mut TermPool, machine: &mut Machine<'_>, from: CutPoint, block: Block) {
        let start = Incoming { from: NOWHERE, guard: guards::ROOT, state: self.start(machine, from) };
        let mut queue = BTreeMap::from([(machine.plan.block(block).position, (block, vec![start]))]);
        let mut arrivals: BTreeMap<CutPoint, Vec<Incoming>> = BTreeMap::new();
        let mut exits = Vec::new();
        while let Some((_, (block, incoming))) = queue.pop_first() {
            let (guard, state) = guards::merge(pool, &mut machine.guards, &incoming);
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
                        arrivals.entry(end).or_default().push(empty(guard));
                    }
                    Exit::Unsupported { cause, guard, span } => {
                        let text = match &cause {
                            UnsupportedCause::Construct(construct) => {
                                machine.program.unsupported[*construct].construct.clone()
                            }
                            other => other.to_string(),
                        };
                        let end = self.end(CutPointKind::Unsupported(text), span);
                        arrivals.entry(end).or_default().push(empty(guard));
                    }
                }
            }
        }
        for (to, incoming) in arrivals {
            let (guard, state) = guards::merge(pool, &mut machine.guards, &incoming);
            self.formula(pool, machine, from, to, guard, &state);
        }
    }

    fn formula(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        from: CutPoint,
        to: CutPoint,
        guard: GuardId,
        state: &State,
    ) {
        let guard = machine.guards.term(guard);
        let (mut updates, mut kept, mut conjuncts) = (Vec::new(), Vec::new(), vec![guard]);
        let mut values = state.values.iter();
        for (position, &variable) in self.result.cut_points[to].state.iter().enumerate() {
            let data = &self.result.variables[variable];
            let update = match data.origin {
                Origin::Value(_) => *values.next().expect("a state has all live values"),
                Origin::Region(region) => state.regions[region.index()],
                Origin::HeapPointer => state.regions[machine.heap_index()],
            };
            updates.push(update);
            if update == data.before {
                kept.push(position);
            } else {
                conjuncts.push(pool.eq(data.after, update));
            }
        }
        let formula = pool.and(&conjuncts);
        if formula == pool.fls() {
            return;
        }
        let mut inputs = Vec::new();
        for symbol in pool.free_symbols(formula) {
            let symbol = pool.symbol_term(symbol);
            if !self.state_symbols.contains(&symbol) {
                inputs.push(symbol);
            }
        }
        let is_approximate =
            inputs.iter().any(|input| machine.inputs.get(input) == Some(&Precision::Approximation));
        self.result.formulas.push(BlockFormula {
            from,
            to,
            formula,
            guard,
            updates,
            kept,
            inputs,
            is_approximate,
        });
    }

    fn finish(self) -> BlockFormulas {
        let mut result = self.result;
        result.formulas.sort_by_key(|formula| (formula.from, formula.to));
        result
    }
}

fn empty(guard: GuardId) -> Incoming {
    Incoming {
        from: NOWHERE,
        guard,
        state: State { values: Rc::new([]), result: None, regions: Rc::new(Vec::new()) },
    }
}
