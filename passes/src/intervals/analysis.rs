//! The ranges of all values of a program, computed by sweeps until a fixpoint.

use super::range::{Abstract, Range, apply};
use program::ssa::cfg::{ControlFlow, EdgeRef};
use program::ssa::dominators::Dominators;
use program::ssa::{
    Block, Callee, Function, FunctionData, InstructionKind, Program, Region, RegionKind, Terminator, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

/// The number of widenings after which a range is widened to the limits of its type.
const THRESHOLDS: u8 = 10;
/// The largest number of steps into one condition.
pub(super) const MOST_FACTS: usize = 64;

/// A range that a value has because a condition holds, linked to the earlier facts.
#[derive(Clone, Copy)]
pub(super) struct Fact {
    pub(super) value: u32,
    pub(super) known: Abstract,
    pub(super) before: Option<u32>,
    pub(super) depth: usize,
}

/// The parameters of widening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Widening {
    /// The number of times that a parameter or region may grow before it is widened.
    pub(crate) delay: u8,
    /// The largest number of sweeps until no range grows; beyond it the analysis fails.
    pub(crate) sweeps: usize,
    /// The number of narrowing sweeps.
    pub(crate) narrowing: usize,
}

impl Widening {
    /// For passes over the program.
    pub(crate) const QUICK: Widening = Widening { delay: 3, sweeps: 60, narrowing: 2 };
    /// Widens later and narrows longer.
    pub(crate) const PATIENT: Widening = Widening { delay: 24, sweeps: 400, narrowing: 6 };
}

/// The facts at a block: the last one of a linked chain.
pub(crate) type Facts = Option<u32>;

/// The ranges of a program.
pub(crate) struct Analysis<'a> {
    pub(super) program: &'a Program,
    functions: Vec<Option<FunctionRanges>>,
    results: Vec<Growing>,
    regions: Vec<Growing>,
    pub(super) arena: Vec<Fact>,
    mode: Mode,
    widening: Widening,
    is_changed: bool,
}

/// The state of the analysis for a function with a body.
pub(super) struct FunctionRanges {
    graph: ControlFlow,
    dominators: Dominators,
    thresholds: Vec<i128>,
    values: Vec<Abstract>,
    /// The number of times that each value grew.
    growth: Vec<u8>,
    is_reached: Vec<bool>,
    facts: Vec<Facts>,
    taken: FxHashSet<EdgeRef>,
    /// The definitions of Booleans, to refine through them.
    pub(super) conditions: FxHashMap<u32, Term>,
}

#[derive(Clone, Copy)]
struct Growing {
    known: Abstract,
    growth: u8,
}

/// The effect of a sweep.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Joins and widens.
    Grow,
    /// Replaces the ranges of values by smaller ones.
    Shrink,
    /// Checks whether any range would grow.
    Check,
}

impl<'a> Analysis<'a> {
    /// Computes the ranges; `None` if the limit on sweeps is exceeded.
    pub(crate) fn run(pool: &TermPool, program: &'a Program, widening: Widening) -> Option<Self> {
        let mut analysis = Analysis {
            program,
            functions: program.functions.iter().map(|(_, data)| FunctionRanges::new(pool, data)).collect(),
            results: vec![Growing { known: Abstract::Nothing, growth: 0 }; program.functions.len()],
            regions: program
                .regions
                .values()
                .map(|region| match region.kind {
                    // Regions are zero at program start.
                    RegionKind::Scalar(ty) => Growing { known: zero(ty.sort()), growth: 0 },
                    RegionKind::Cells(_) | RegionKind::Bytes => {
                        Growing { known: Abstract::Anything, growth: 0 }
                    }
                })
                .collect(),
            arena: Vec::new(),
            mode: Mode::Grow,
            widening,
            is_changed: false,
        };
        analysis.enter(program.entry);
        analysis.call_through_pointers();
        // Back edges carry ranges of the sweep before, so one sweep without changes is not enough.
        let (mut sweeps, mut quiet) = (0, 0);
        while quiet < 2 {
            sweeps += 1;
            if sweeps > widening.sweeps {
                return None;
            }
            quiet = if analysis.sweep(pool) { 0 } else { quiet + 1 };
        }
        analysis.mode = Mode::Shrink;
        for _ in 0..widening.narrowing {
            analysis.sweep(pool);
        }
        analysis.mode = Mode::Check;
        if analysis.sweep(pool) { None } else { Some(analysis) }
    }

    /// The facts at the start of a block; `None` if it is unreachable.
    pub(crate) fn at(&self, function: Function, block: Block) -> Option<Facts> {
        let ranges = self.functions[function.index()].as_ref()?;
        ranges.is_reached[block.index()].then(|| ranges.facts[block.index()])
    }

    /// The abstract value of `value` at a block with `facts`.
    pub(crate) fn value(&self, function: Function, facts: Facts, value: Value) -> Abstract {
        self.leaf(function, facts, value.0)
    }

    /// The definition of a Boolean.
    pub(crate) fn condition(&self, function: Function, value: Value) -> Option<Term> {
        self.functions[function.index()].as_ref()?.conditions.get(&value.0).copied()
    }

    /// The range of all contents of a scalar region.
    pub(crate) fn region(&self, region: Region) -> Abstract {
        self.regions[region.index()].known
    }

    /// The abstract value of `term` at a block with `facts`. `known` caches results for these
    /// facts.
    pub(crate) fn evaluate(
        &self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        term: Term,
        known: &mut FxHashMap<Term, Abstract>,
    ) -> Abstract {
        if let Some(&found) = known.get(&term) {
            return found;
        }
        let mut order = Vec::new();
        pool.visit(&[term], |below| !known.contains_key(&below), |below| order.push(below));
        let mut children = Vec::new();
        for below in order {
            if known.contains_key(&below) {
                continue;
            }
            let found = match pool.op(below) {
                Op::True => Abstract::of_truth(true),
                Op::False => Abstract::of_truth(false),
                Op::Value(value) => self.leaf(function, facts, value),
                op => match pool.as_bit_vector(below) {
                    Some(bits) => Range::constant(&bits)
                        .filter(|range| range.width <= super::range::WIDEST)
                        .map_or(Abstract::Anything, Abstract::Range),
                    None => {
                        children.clear();
                        children.extend(pool.children(below).iter().map(|child| known[child]));
                        match pool.sort(below) {
                            Sort::Bool => apply(op, None, &children),
                            Sort::BitVec(width) => apply(op, Some(width), &children),
                            _ => Abstract::Anything,
                        }
                    }
                },
            };
            known.insert(below, found);
        }
        known[&term]
    }

    pub(super) fn leaf(&self, function: Function, facts: Facts, value: u32) -> Abstract {
        let mut next = facts;
        while let Some(index) = next {
            let fact = self.arena[index as usize];
            if fact.value == value {
                return fact.known;
            }
            next = fact.before;
        }
        self.functions[function.index()]
            .as_ref()
            .map_or(Abstract::Anything, |ranges| ranges.values[value as usize])
    }

    /// Marks a function as called.
    fn enter(&mut self, function: Function) {
        if let Some(ranges) = &mut self.functions[function.index()] {
            let entry = self.program.functions[function].entry;
            if !std::mem::replace(&mut ranges.is_reached[entry.index()], true) {
                self.is_changed = true;
            }
        }
    }

    fn call_through_pointers(&mut self) {
        let program = self.program;
        let kinds = || {
            program
                .functions
                .values()
                .flat_map(|f| f.blocks.values())
                .flat_map(|b| &b.instructions)
                .map(|i| &i.kind)
        };
        if !kinds().any(|kind| matches!(kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. }))
        {
            return;
        }
        for kind in kinds() {
            let InstructionKind::FunctionAddress(function) = *kind else { continue };
            self.enter(function);
            let data = &program.functions[function];
            if let Some(ranges) = &mut self.functions[function.index()] {
                for value in &data.blocks[data.entry].parameters {
                    ranges.values[value.index()] = Abstract::top(data.values[*value].ty.sort());
                }
            }
        }
    }

    /// Sweeps over the program once. Returns whether any range grew.
    fn sweep(&mut self, pool: &TermPool) -> bool {
        self.is_changed = false;
        for function in self.program.functions.keys() {
            let entry = self.program.functions[function].entry;
            let is_called = self.functions[function.index()]
                .as_ref()
                .is_some_and(|ranges| ranges.is_reached[entry.index()]);
            if is_called {
                self.function(pool, function);
            }
        }
        self.is_changed
    }

    pub(super) fn ranges(&mut self, function: Function) -> &mut FunctionRanges {
        self.functions[function.index()].as_mut().expect("only functions with a body are analyzed")
    }

    fn function(&mut self, pool: &TermPool, function: Function) {
        let data = &self.program.functions[function];
        let order = self.ranges(function).graph.reverse_postorder().to_vec();
        for block in order {
            if !self.ranges(function).is_reached[block.index()] {
                continue;
            }
            let facts = self.facts_at(pool, function, block);
            self.ranges(function).facts[block.index()] = facts;
            if block != data.entry {
                self.parameters(pool, function, block);
            }
            let mut known = FxHashMap::default();
            for instruction in &data.blocks[block].instructions {
                let found = self.effect(pool, function, facts, &instruction.kind, &mut known);
                if let Some(value) = instruction.result {
                    let found = found.unwrap_or_else(|| Abstract::top(data.values[value].ty.sort()));
                    let old = std::mem::replace(&mut self.ranges(function).values[value.index()], found);
                    // A back edge may have carried the old range to a loop head.
                    self.is_changed |= !old.contains(found);
                }
            }
            self.leave(pool, function, block, facts, &mut known);
        }
    }

    /// The facts of the dominator, and those of the edge into the block if there is only one.
    fn facts_at(&mut self, pool: &TermPool, function: Function, block: Block) -> Facts {
        let ranges = self.ranges(function);
        let above = ranges.dominators.immediate(block)?;
        let facts = ranges.facts[above.index()];
        match *ranges.graph.predecessors(block) {
            [edge] => self.along(pool, function, facts, edge).unwrap_or(facts),
            _ => facts,
        }
    }

    fn parameters(&mut self, pool: &TermPool, function: Function, block: Block) {
        let data = &self.program.functions[function];
        let parameters = &data.blocks[block].parameters;
        if parameters.is_empty() {
            return;
        }
        let ranges = self.ranges(function);
        let edges: Vec<EdgeRef> = ranges
            .graph
            .predecessors(block)
            .iter()
            .copied()
            .filter(|edge| ranges.taken.contains(edge))
            .collect();
        let position = ranges.graph.position(block);
        let is_head = edges.iter().any(|edge| ranges.graph.position(edge.from) >= position);
        let mut found = vec![Abstract::Nothing; parameters.len()];
        for edge in edges {
            let before = self.ranges(function).facts[edge.from.index()];
            let Some(facts) = self.along(pool, function, before, edge) else { continue };
            let mut known = FxHashMap::default();
            for (found, &argument) in found.iter_mut().zip(&edge.edge(data).arguments) {
                *found = found.join(self.evaluate(pool, function, facts, argument, &mut known));
            }
        }
        for (&value, found) in parameters.iter().zip(found) {
            let mode = self.mode;
            let delay = self.widening.delay;
            let ranges = self.ranges(function);
            let (old, growth) = (ranges.values[value.index()], ranges.growth[value.index()]);
            match mode {
                Mode::Grow => {
                    let mut growing = Growing { known: old, growth };
                    let patience = if is_head { delay } else { u8::MAX };
                    if growing.grow(found, patience, &ranges.thresholds) {
                        ranges.values[value.index()] = growing.known;
                        ranges.growth[value.index()] = growing.growth;
                        self.is_changed = true;
                    }
                }
                Mode::Shrink => {
                    if found != Abstract::Nothing && old.contains(found) {
                        ranges.values[value.index()] = found;
                    }
                }
                Mode::Check => self.is_changed |= !old.contains(found),
            }
        }
    }

    /// Returns the abstract result of an instruction, if known, and records its effects across
    /// functions.
    fn effect(
        &mut self,
        pool: &TermPool,
        function: Function,
        facts: Facts,
        kind: &InstructionKind,
        known: &mut FxHashMap<Term, Abstract>,
    ) -> Option<Abstract> {
        match kind {
            InstructionKind::Pure(term) => Some(self.evaluate(pool, function, facts, *term, known)),
            InstructionKind::Load { region, address: None } => Some(self.regions[region.index()].known),
            InstructionKind::Store { region, address: None, value, .. } => {
                let value = self.evaluate(pool, function, facts, *value, known);
                self.store(region.index(), value);
                None
            }
            InstructionKind::Forget { region, .. } => {
                if let RegionKind::Scalar(ty) = self.program.regions[*region].kind {
                    self.store(region.index(), Abstract::top(ty.sort()));
                }
                None
            }
            InstructionKind::Call { callee: Callee::Direct(callee), arguments } => {
                let target = &self.program.functions[*callee];
                if !target.is_defined() {
                    return None;
                }
                self.enter(*callee);
                for (&parameter, &argument) in target.blocks[target.entry].parameters.iter().zip(arguments) {
                    let found = self.evaluate(pool, function, facts, argument, known);
                    self.pass(*callee, parameter, found);
                }
                target.result.map(|_| self.results[callee.index()].known)
            }
            InstructionKind::Call { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::Load { .. }
            | InstructionKind::Havoc(_)
            // Allocated objects are not scalars.
            | InstructionKind::Allocate { .. }
            | InstructionKind::AddressOf(_)
            | InstructionKind::FunctionAddress(_) => None,
        }
    }

    /// Ranges across functions only grow.
    fn store(&mut self, region: usize, found: Abstract) {
        if self.mode == Mode::Check {
            self.is_changed |= !self.regions[region].known.contains(found);
        } else if self.mode == Mode::Grow && self.regions[region].grow(found, self.widening.delay, &[]) {
            self.is_changed = true;
        }
    }

    fn pass(&mut self, callee: Function, parameter: Value, found: Abstract) {
        let (mode, delay) = (self.mode, self.widening.delay);
        let ranges = self.ranges(callee);
        let (known, growth) = (ranges.values[parameter.index()], ranges.growth[parameter.index()]);
        let mut growing = Growing { known, growth };
        if mode == Mode::Check {
            self.is_changed |= !known.contains(found);
        } else if mode == Mode::Grow && growing.grow(found, delay, &ranges.thresholds) {
            ranges.values[parameter.index()] = growing.known;
            ranges.growth[parameter.index()] = growing.growth;
            self.is_changed = true;
        }
    }

    /// Marks the edges that can be taken.
    fn leave(
        &mut self,
        pool: &TermPool,
        function: Function,
        block: Block,
        facts: Facts,
        known: &mut FxHashMap<Term, Abstract>,
    ) {
        let program = self.program;
        let terminator = &program.functions[function].blocks[block].terminator;
        if let Terminator::Return(Some(value)) = terminator {
            let found = self.evaluate(pool, function, facts, *value, known);
            let result = &mut self.results[function.index()];
            if self.mode == Mode::Check {
                self.is_changed |= !result.known.contains(found);
            } else if self.mode == Mode::Grow && result.grow(found, self.widening.delay, &[]) {
                self.is_changed = true;
            }
        }
        let decided = match terminator {
            Terminator::Branch { condition, .. } => {
                match self.evaluate(pool, function, facts, *condition, known) {
                    Abstract::Nothing => return,
                    condition => condition.as_truth(),
                }
            }
            _ => None,
        };
        let outgoing: Vec<EdgeRef> = self.ranges(function).graph.outgoing(block).collect();
        for edge in outgoing {
            if decided.is_some_and(|is| is != (edge.index == 0))
                || self.along(pool, function, facts, edge).is_none()
            {
                continue;
            }
            let ranges = self.ranges(function);
            let target = ranges.graph.target(edge);
            let is_new = !ranges.taken.contains(&edge) || !ranges.is_reached[target.index()];
            ranges.taken.insert(edge);
            ranges.is_reached[target.index()] = true;
            self.is_changed |= is_new;
        }
    }
}

impl Growing {
    /// Joins `found`. Returns whether the range changed.
    fn grow(&mut self, found: Abstract, patience: u8, thresholds: &[i128]) -> bool {
        let joined = self.known.join(found);
        if joined == self.known {
            return false;
        }
        self.growth = self.growth.saturating_add(1);
        self.known = match (self.known, joined) {
            (Abstract::Range(old), Abstract::Range(new)) if self.growth > patience => {
                let is_slow = self.growth - patience > THRESHOLDS;
                Abstract::Range(old.widen(new, if is_slow { &[] } else { thresholds }))
            }
            (_, joined) => joined,
        };
        true
    }
}

impl FunctionRanges {
    fn new(pool: &TermPool, data: &FunctionData) -> Option<Self> {
        if !data.is_defined() {
            return None;
        }
        let graph = ControlFlow::new(data);
        let dominators = Dominators::new(&graph);
        let mut terms = Vec::new();
        let mut conditions = FxHashMap::default();
        for block in data.blocks.values() {
            for instruction in &block.instructions {
                instruction.kind.for_each_term(|term| terms.push(term));
                if let (Some(value), InstructionKind::Pure(term)) = (instruction.result, &instruction.kind)
                    && pool.sort(*term) == Sort::Bool
                {
                    conditions.insert(value.0, *term);
                }
            }
            block.terminator.for_each_term(|term| terms.push(term));
        }
        let mut thresholds = vec![-1, 0, 1];
        pool.visit(
            &terms,
            |_| true,
            |term| {
                if let Some(bits) = pool.as_bit_vector(term)
                    && let Some(range) = Range::constant(&bits)
                {
                    for value in [range.unsigned.0, range.signed.0] {
                        thresholds.extend([value - 1, value, value + 1]);
                    }
                }
            },
        );
        for width in [8, 16, 32, 64] {
            let full = Range::full(width);
            thresholds.extend([full.unsigned.1, full.signed.0, full.signed.1]);
        }
        thresholds.sort_unstable();
        thresholds.dedup();
        Some(FunctionRanges {
            dominators,
            thresholds,
            values: vec![Abstract::Nothing; data.values.len()],
            growth: vec![0; data.values.len()],
            is_reached: vec![false; data.blocks.len()],
            facts: vec![None; data.blocks.len()],
            taken: FxHashSet::default(),
            conditions,
            graph,
        })
    }
}

fn zero(sort: Sort) -> Abstract {
    match sort {
        Sort::BitVec(width) if width <= super::range::WIDEST => {
            Range::of_unsigned(width, (0, 0)).map_or(Abstract::Anything, Abstract::Range)
        }
        sort => Abstract::top(sort),
    }
}
