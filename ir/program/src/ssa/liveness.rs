//! Liveness of values and regions.
//!
//! *Values.* A value is live at the start of a block if an instruction or terminator on some path
//! from there uses it before (in SSA form: without) its definition. Block parameters are defined at
//! the start of their block, so a used parameter is live in its own block: the live values of a cut
//! point are its state. An edge argument counts as used only if the parameter it feeds is used, so
//! a value that only circulates between parameters is not live. The sets are computed by walking
//! from each use up to the definition: Boissinot et al., *Computing Liveness Sets for SSA-Form
//! Programs* (INRIA 2011), Algorithms 6 and 7. The cost is linear in the size of the program and of
//! the result.
//!
//! *Regions.* A region is live at the start of a block if it may be read from there before it is
//! overwritten entirely, which only a store to a scalar region does. Calls read and write the
//! regions in their [`RegionEffects`].
//!
//! *Writes.* A region is [written](RegionWrites) before a block if a path from the entry to the
//! block writes it.

use super::cfg::ControlFlow;
use super::{Block, Callee, Function, FunctionData, InstructionKind, Program, Region, RegionKind, Value};
use std::collections::BTreeSet;
use terms::TermPool;
use terms::entity::Entity;

/// The values that are live at the start of each block.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The live values by block, sorted.
    live_in: Vec<Vec<Value>>,
}

impl Liveness {
    /// Computes the live values of `function`; `graph` is its control-flow graph.
    pub fn new(pool: &TermPool, function: &FunctionData, graph: &ControlFlow) -> Self {
        let uses = needed_uses(pool, function, graph);
        let definitions = definitions(function);
        let mut live_in: Vec<Vec<Value>> = vec![Vec::new(); function.blocks.len()];
        let mut stack = Vec::new();
        for (index, blocks) in uses.iter().enumerate() {
            let value = Value::new(index);
            let Some(definition) = definitions[index] else { continue };
            stack.extend(blocks.iter().copied());
            while let Some(block) = stack.pop() {
                let is_defined_inside = definition == Definition::Instruction(block);
                if is_defined_inside || live_in[block.index()].last() == Some(&value) {
                    continue;
                }
                live_in[block.index()].push(value);
                if definition != Definition::Parameter(block) {
                    stack.extend(graph.predecessors(block).iter().map(|edge| edge.from));
                }
            }
        }
        Liveness { live_in }
    }

    /// The values that are live at the start of `block`, including its own parameters, in order of
    /// their index.
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block.index()]
    }

    /// Whether `value` is live at the start of `block`.
    pub fn is_live_in(&self, block: Block, value: Value) -> bool {
        self.live_in[block.index()].binary_search(&value).is_ok()
    }
}

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// A parameter of the block.
    Parameter(Block),
    /// An instruction in the block.
    Instruction(Block),
}

impl Definition {
    /// The defining block.
    pub fn block(self) -> Block {
        match self {
            Definition::Parameter(block) | Definition::Instruction(block) => block,
        }
    }
}

/// The definition of each value of the function, by index; `None` for a value without a definition.
pub fn definitions(function: &FunctionData) -> Vec<Option<Definition>> {
    let mut definitions = vec![None; function.values.len()];
    for (block, data) in function.blocks.iter() {
        for parameter in &data.parameters {
            definitions[parameter.index()] = Some(Definition::Parameter(block));
        }
        for result in data.instructions.iter().filter_map(|instruction| instruction.result) {
            definitions[result.index()] = Some(Definition::Instruction(block));
        }
    }
    definitions
}

/// By value, the blocks that use it, in an instruction, in the terminator, or as an edge argument
/// of a used parameter.
fn needed_uses(pool: &TermPool, function: &FunctionData, graph: &ControlFlow) -> Vec<Vec<Block>> {
    let mut uses: Vec<Vec<Block>> = vec![Vec::new(); function.values.len()];
    let mut parameter_of = vec![None; function.values.len()];
    for (block, data) in function.blocks.iter() {
        for (index, parameter) in data.parameters.iter().enumerate() {
            parameter_of[parameter.index()] = Some((block, index));
        }
    }
    let mut waiting: Vec<Value> = Vec::new();
    let mut note = |value: u32, block: Block, waiting: &mut Vec<Value>| {
        let uses = &mut uses[value as usize];
        if uses.is_empty() && parameter_of[value as usize].is_some() {
            waiting.push(Value(value));
        }
        if uses.last() != Some(&block) {
            uses.push(block);
        }
    };
    for &block in graph.reverse_postorder() {
        let data = &function.blocks[block];
        let mut visit = |term| {
            for value in pool.free_values(term) {
                note(value, block, &mut waiting);
            }
        };
        for instruction in &data.instructions {
            instruction.kind.for_each_term(&mut visit);
        }
        data.terminator.for_each_own_term(&mut visit);
    }
    while let Some(parameter) = waiting.pop() {
        let Some((block, index)) = parameter_of[parameter.index()] else { continue };
        for edge in graph.predecessors(block) {
            for value in pool.free_values(edge.edge(function).arguments[index]) {
                note(value, edge.from, &mut waiting);
            }
        }
    }
    uses
}

/// A set of regions as a bit set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RegionSet {
    words: Vec<u64>,
}

impl RegionSet {
    /// Creates the set of all regions of `program`.
    pub fn all(program: &Program) -> Self {
        let mut set = RegionSet::default();
        for region in program.regions.keys() {
            set.insert(region);
        }
        set
    }

    /// Adds a region; returns whether it was new.
    pub fn insert(&mut self, region: Region) -> bool {
        let (word, bit) = (region.index() / 64, 1 << (region.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Removes a region.
    pub fn remove(&mut self, region: Region) {
        if let Some(word) = self.words.get_mut(region.index() / 64) {
            *word &= !(1 << (region.index() % 64));
        }
    }

    /// Whether the region is in the set.
    pub fn contains(&self, region: Region) -> bool {
        self.words.get(region.index() / 64).is_some_and(|word| word & (1 << (region.index() % 64)) != 0)
    }

    /// Removes all regions that are not in `other`.
    pub fn intersect(&mut self, other: &RegionSet) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
    }

    /// Adds all regions of `other`; returns whether any was new.
    pub fn union(&mut self, other: &RegionSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut is_changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            is_changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        is_changed
    }

    /// The regions in order.
    pub fn iter(&self) -> impl Iterator<Item = Region> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(i, &word)| {
                (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| i * 64 + bit)
            })
            .map(Region::new)
    }
}

/// The regions that each function of a program reads and writes, directly or through calls.
#[derive(Clone, Debug)]
pub struct RegionEffects {
    reads: Vec<RegionSet>,
    writes: Vec<RegionSet>,
}

impl RegionEffects {
    /// Computes the effects of all functions. An indirect call may call every function with a body.
    pub fn new(program: &Program) -> Self {
        let count = program.functions.len();
        // Index `count` represents an arbitrary function.
        let mut effects = RegionEffects {
            reads: vec![RegionSet::default(); count + 1],
            writes: vec![RegionSet::default(); count + 1],
        };
        let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count + 1];
        for (function, data) in program.functions.iter() {
            if data.is_defined() {
                callers[function.index()].insert(count);
            }
            for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
                match &instruction.kind {
                    InstructionKind::Load { region, .. } => {
                        effects.reads[function.index()].insert(*region);
                    }
                    kind @ (InstructionKind::Store { .. }
                    | InstructionKind::Forget { .. }
                    | InstructionKind::Allocate { .. }) => {
                        for region in kind.regions() {
                            effects.writes[function.index()].insert(region);
                        }
                    }
                    InstructionKind::Call { callee, .. } => {
                        callers[effects.slot(callee)].insert(function.index());
                    }
                    _ => {}
                }
            }
        }
        let mut waiting: Vec<usize> = (0..=count).collect();
        while let Some(callee) = waiting.pop() {
            let (reads, writes) = (effects.reads[callee].clone(), effects.writes[callee].clone());
            for &caller in &callers[callee] {
                let is_changed = effects.reads[caller].union(&reads) | effects.writes[caller].union(&writes);
                if is_changed {
                    waiting.push(caller);
                }
            }
        }
        effects
    }

    fn slot(&self, callee: &Callee) -> usize {
        match callee {
            Callee::Direct(function) => function.index(),
            Callee::Indirect { .. } => self.reads.len() - 1,
        }
    }

    /// The regions that an execution of the function may read.
    pub fn reads(&self, function: Function) -> &RegionSet {
        &self.reads[function.index()]
    }

    /// The regions that an execution of the function may write.
    pub fn writes(&self, function: Function) -> &RegionSet {
        &self.writes[function.index()]
    }

    /// The regions that the instruction may read; for a call, those that the callee may read.
    pub fn read_by<'a>(&'a self, kind: &'a InstructionKind) -> impl Iterator<Item = Region> + 'a {
        let own = match kind {
            InstructionKind::Load { region, .. } => Some(*region),
            _ => None,
        };
        own.into_iter().chain(self.callee(kind).into_iter().flat_map(|slot| self.reads[slot].iter()))
    }

    /// The regions that the instruction may write; for a call, those that the callee may write.
    pub fn written_by<'a>(&'a self, kind: &'a InstructionKind) -> impl Iterator<Item = Region> + 'a {
        let own = kind.regions().filter(|_| !matches!(kind, InstructionKind::Load { .. }));
        own.chain(self.callee(kind).into_iter().flat_map(|slot| self.writes[slot].iter()))
    }

    fn callee(&self, kind: &InstructionKind) -> Option<usize> {
        match kind {
            InstructionKind::Call { callee, .. } => Some(self.slot(callee)),
            _ => None,
        }
    }
}

/// The regions that are live at the start of each block.
#[derive(Clone, Debug)]
pub struct RegionLiveness {
    live_in: Vec<RegionSet>,
}

impl RegionLiveness {
    /// Computes the live regions of `function`. `at_return` are the regions that its callers may
    /// still read; empty for the program's entry.
    pub fn new(
        program: &Program,
        effects: &RegionEffects,
        function: &FunctionData,
        graph: &ControlFlow,
        at_return: &RegionSet,
    ) -> Self {
        Self::with(function, graph, at_return, &mut |kind, live| {
            if let InstructionKind::Store { region, .. } = kind
                && matches!(program.regions[*region].kind, RegionKind::Scalar(_))
            {
                live.remove(*region);
            }
            for region in effects.read_by(kind) {
                live.insert(region);
            }
        })
    }

    /// As [`new`](Self::new), where `transfer` turns the regions that are live after an instruction
    /// into those that are live before it. It must be monotone.
    pub fn with(
        function: &FunctionData,
        graph: &ControlFlow,
        at_return: &RegionSet,
        transfer: &mut dyn FnMut(&InstructionKind, &mut RegionSet),
    ) -> Self {
        let mut live_in = vec![RegionSet::default(); function.blocks.len()];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &block in graph.reverse_postorder().iter().rev() {
                let mut live = live_out(function, graph, block, at_return, &live_in);
                for instruction in function.blocks[block].instructions.iter().rev() {
                    transfer(&instruction.kind, &mut live);
                }
                is_changed |= live_in[block.index()].union(&live);
            }
        }
        RegionLiveness { live_in }
    }

    /// The regions that are live at the end of `block`, given the arguments of
    /// [`with`](Self::with).
    pub fn live_out(
        &self,
        function: &FunctionData,
        graph: &ControlFlow,
        block: Block,
        at_return: &RegionSet,
    ) -> RegionSet {
        live_out(function, graph, block, at_return, &self.live_in)
    }

    /// The regions that are live at the start of `block`.
    pub fn live_in(&self, block: Block) -> &RegionSet {
        &self.live_in[block.index()]
    }

    /// Removes the regions that are not written before a block from those that are live there.
    pub fn restrict(&mut self, writes: &RegionWrites) {
        for (live, written) in self.live_in.iter_mut().zip(&writes.before) {
            live.intersect(written);
        }
    }
}

/// The regions that may have been written between the entry of a function and the start of each
/// block.
#[derive(Clone, Debug)]
pub struct RegionWrites {
    before: Vec<RegionSet>,
}

impl RegionWrites {
    /// Computes the regions that `function` may have written before each block. Those `at_entry`
    /// count as written before all blocks.
    pub fn new(
        effects: &RegionEffects,
        function: &FunctionData,
        graph: &ControlFlow,
        at_entry: &RegionSet,
    ) -> Self {
        let mut before = vec![RegionSet::default(); function.blocks.len()];
        before[function.entry.index()] = at_entry.clone();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &block in graph.reverse_postorder() {
                let mut written = before[block.index()].clone();
                for instruction in &function.blocks[block].instructions {
                    for region in effects.written_by(&instruction.kind) {
                        written.insert(region);
                    }
                }
                for target in graph.successors(block) {
                    is_changed |= before[target.index()].union(&written);
                }
            }
        }
        RegionWrites { before }
    }

    /// The regions that may have been written before `block`.
    pub fn before(&self, block: Block) -> &RegionSet {
        &self.before[block.index()]
    }
}

fn live_out(
    function: &FunctionData,
    graph: &ControlFlow,
    block: Block,
    at_return: &RegionSet,
    live_in: &[RegionSet],
) -> RegionSet {
    let mut live = match function.blocks[block].terminator {
        super::Terminator::Return(_) => at_return.clone(),
        _ => RegionSet::default(),
    };
    for target in graph.successors(block) {
        live.union(&live_in[target.index()]);
    }
    live
}
