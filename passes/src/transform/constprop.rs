//! Sparse conditional constant propagation for the whole program.
//!
//! Wegman, Zadeck, *Constant Propagation with Conditional Branches*, TOPLAS 1991, §3.4 and §4: all
//! values start as unseen, only edges that are feasible under the current facts count, and facts
//! only get weaker until a fixpoint. A value is *known* if it always has the same constant, or is
//! always the same address in the same static object. Facts across functions:
//! * A parameter is known if all feasible calls agree, a result if all returns agree.
//! * A scalar region is known if all stores to it store the same constant. The stores of the entry
//!   function before its first call, the initialization of globals, are executed in order, and only
//!   the last value counts.
//! * A region that only this initialization writes is a *table*: a load at a known address in it is
//!   known.
//!
//! The known constants then replace the values, and [simplification](super::simplify) removes
//! decided branches. A table whose entries are addresses is followed, but a known address does not
//! replace a value, since that would require a new `AddressOf`.
//!
//! DIVERGENCE: instead of the two worklists, functions are swept in reverse postorder until a
//! fixpoint, which visits an instruction a few times more and needs no def-use chains. The result
//! of a function that never returns is unseen as well.
//!
//! Cost: a few sweeps over the program, at most two for each value.

use super::back::BackTranslator;
use super::rewrite::zero;
use super::simplify::{Events, is_taken, simplify};
use program::ssa::cfg::ControlFlow;
use program::ssa::{
    Block, Callee, Function, FunctionData, InstructionKind, Object, Program, Region, RegionKind, Terminator,
    Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::entity::Entity;
use terms::{BitVector, Op, Sort, Term, TermPool};

/// Replaces known values by their constants and folds decided branches.
pub fn constant_propagation(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    // Merges the initialization into one block.
    let before = simplify(pool, program, Events::Keep);
    let known = Analysis::run(pool, program).values;
    rewrite(pool, program, &known);
    before.then(simplify(pool, program, Events::Keep))
}

/// The lattice of facts about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// No definition was reached yet.
    Unseen,
    /// Always this constant or [place](place) in a static object.
    Is(Term),
    /// Not constant.
    Varies,
}

impl Known {
    /// The meet. Returns whether the fact changed.
    fn meet(&mut self, other: Known) -> bool {
        let new = match (*self, other) {
            (known, Known::Unseen) | (Known::Unseen, known) => known,
            (Known::Is(a), Known::Is(b)) if a == b => Known::Is(a),
            _ => Known::Varies,
        };
        std::mem::replace(self, new) != new
    }
}

/// Value leaves from this index on represent the addresses of static objects, the same in all
/// functions.
const FIRST_PLACE: u32 = 1 << 31;

/// The object and offset that a known address denotes.
fn place(pool: &TermPool, term: Term) -> Option<(Object, u64)> {
    let object = |term| match pool.op(term) {
        Op::Value(index) if index >= FIRST_PLACE => Some(Object::new((index - FIRST_PLACE) as usize)),
        _ => None,
    };
    if let Some(object) = object(term) {
        return Some((object, 0));
    }
    match (pool.op(term), pool.children(term)) {
        (Op::BvAdd, &[a, b]) => match (pool.as_bv_u64(a), pool.as_bv_u64(b)) {
            (Some(offset), None) => Some((object(b)?, offset)),
            (None, Some(offset)) => Some((object(a)?, offset)),
            _ => None,
        },
        _ => None,
    }
}

/// The largest size in bytes of a table entry kept as a term.
const LARGEST_ENTRY: u64 = 16;

/// The contents of tables after initialization; absent entries are zero.
#[derive(Default)]
struct Tables {
    /// The regions that are tables.
    regions: FxHashSet<Region>,
    /// Single bytes; `None` for an unknown byte.
    bytes: BTreeMap<(Region, Object, u64), Option<u8>>,
    /// Entries that are addresses.
    entries: BTreeMap<(Region, Object, u64), (u64, Term)>,
}

impl Tables {
    fn store(&mut self, pool: &TermPool, at: (Region, Object, u64), bytes: u64, value: Known) {
        let (region, object, offset) = at;
        let constant = match value {
            Known::Is(term) => pool.as_bit_vector(term),
            _ => None,
        };
        // No access is larger than the largest entry.
        let near = (region, object, offset.saturating_sub(LARGEST_ENTRY))..(region, object, offset + bytes);
        let overlapping: Vec<_> = self
            .entries
            .range(near)
            .filter(|(at, (size, _))| at.2 + size > offset)
            .map(|(&at, _)| at)
            .collect();
        for at in overlapping {
            self.entries.remove(&at);
        }
        for byte in 0..bytes {
            let bits = constant.as_ref().and_then(|bits| {
                let low = byte as u32 * 8;
                bits.extract((low + 7).min(bits.width() - 1), low).to_u64()
            });
            self.bytes.insert((region, object, offset + byte), bits.map(|bits| bits as u8));
        }
        if let (Known::Is(term), None) = (value, constant)
            && bytes <= LARGEST_ENTRY
        {
            self.entries.insert(at, (bytes, term));
        }
    }

    fn load(&self, pool: &mut TermPool, at: (Region, Object, u64), ty: Type) -> Known {
        if let Some(&(bytes, term)) = self.entries.get(&at)
            && bytes == ty.bytes()
            && pool.sort(term) == ty.sort()
        {
            return Known::Is(term);
        }
        if ty.width() == 0 || !ty.width().is_multiple_of(8) {
            return Known::Varies;
        }
        let (region, object, offset) = at;
        let mut bits: Option<BitVector> = None;
        for byte in 0..ty.bytes() {
            let Some(byte) = self.bytes.get(&(region, object, offset + byte)).copied().unwrap_or(Some(0))
            else {
                return Known::Varies;
            };
            let byte = BitVector::new(8, u64::from(byte));
            bits = Some(bits.map_or(byte.clone(), |low| byte.concat(&low)));
        }
        bits.map_or(Known::Varies, |bits| Known::Is(pool.bit_vector(&bits)))
    }
}

/// The state of the analysis.
struct Analysis<'a> {
    program: &'a Program,
    /// By function and value.
    values: Vec<Vec<Known>>,
    /// For each function and block, whether it is reachable.
    is_reached: Vec<Vec<bool>>,
    taken: Vec<FxHashSet<(Block, u32)>>,
    results: Vec<Known>,
    regions: Vec<Known>,
    is_called: Vec<bool>,
    tables: Tables,
    /// The number of instructions of the entry block before its first call.
    initialization: usize,
    /// The number of changes to facts across functions.
    changes: u64,
    leaves: FxHashMap<Term, Box<[u32]>>,
}

impl<'a> Analysis<'a> {
    fn run(pool: &mut TermPool, program: &'a Program) -> Self {
        let defined = |function: &FunctionData| function.is_defined();
        let entry = &program.functions[program.entry];
        let first = entry.blocks.get(entry.entry).map_or(&[][..], |block| &block.instructions);
        let is_call = |kind: &InstructionKind| matches!(kind, InstructionKind::Call { .. });
        let initialization = match first.iter().position(|instruction| is_call(&instruction.kind)) {
            _ if is_entry_called(program) => 0,
            position => position.unwrap_or(first.len()),
        };
        let mut analysis = Analysis {
            program,
            values: program.functions.values().map(|f| vec![Known::Unseen; f.values.len()]).collect(),
            is_reached: program.functions.values().map(|f| vec![false; f.blocks.len()]).collect(),
            taken: vec![FxHashSet::default(); program.functions.len()],
            results: vec![Known::Unseen; program.functions.len()],
            regions: vec![Known::Unseen; program.regions.len()],
            is_called: vec![false; program.functions.len()],
            tables: Tables { regions: tables(program, initialization), ..Tables::default() },
            initialization,
            changes: 1,
            leaves: FxHashMap::default(),
        };
        if !defined(entry) {
            return analysis;
        }
        let graphs: Vec<Option<ControlFlow>> =
            program.functions.values().map(|f| defined(f).then(|| ControlFlow::new(f))).collect();
        analysis.initialize(pool);
        analysis.call(program.entry);
        analysis.call_through_pointers();
        // The number of changes at the last sweep of each function.
        let mut seen = vec![0; program.functions.len()];
        loop {
            let mut is_done = true;
            for (function, graph) in program.functions.keys().zip(&graphs) {
                let Some(graph) = graph else { continue };
                while analysis.is_called[function.index()] && seen[function.index()] < analysis.changes {
                    seen[function.index()] = analysis.changes;
                    is_done = false;
                    while analysis.sweep(pool, function, graph) {}
                }
            }
            if is_done {
                return analysis;
            }
        }
    }

    fn call(&mut self, function: Function) {
        if std::mem::replace(&mut self.is_called[function.index()], true) {
            return;
        }
        self.changes += 1;
        let data = &self.program.functions[function];
        if data.is_defined() {
            self.is_reached[function.index()][data.entry.index()] = true;
        }
    }

    /// Makes everything unknown about functions that may be called through a pointer.
    fn call_through_pointers(&mut self) {
        let kinds =
            || self.program.functions.values().flat_map(|f| f.blocks.values()).flat_map(|b| &b.instructions);
        let is_indirect = |kind: &InstructionKind| {
            matches!(kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. })
        };
        if !kinds().any(|instruction| is_indirect(&instruction.kind)) {
            return;
        }
        let taken: Vec<Function> = kinds()
            .filter_map(|instruction| match instruction.kind {
                InstructionKind::FunctionAddress(function) => Some(function),
                _ => None,
            })
            .collect();
        for function in taken {
            let data = &self.program.functions[function];
            if data.is_defined() {
                self.call(function);
                for parameter in &data.blocks[data.entry].parameters {
                    self.values[function.index()][parameter.index()] = Known::Varies;
                }
            }
        }
    }

    /// Executes the initialization of globals.
    fn initialize(&mut self, pool: &mut TermPool) {
        let program = self.program;
        let entry = &program.functions[program.entry];
        for (region, data) in program.regions.iter() {
            if let RegionKind::Scalar(ty) = data.kind {
                self.regions[region.index()] = Known::Is(zero(pool, ty));
            }
        }
        let index = program.entry.index();
        for instruction in &entry.blocks[entry.entry].instructions[..self.initialization] {
            match &instruction.kind {
                InstructionKind::Store { region, address, value, ty, .. } => {
                    let value = self.evaluate(pool, index, *value);
                    match address {
                        None => self.regions[region.index()] = value,
                        Some(address) if self.tables.regions.contains(region) => {
                            match self.evaluate(pool, index, *address) {
                                Known::Is(address) if self.is_inside(pool, address, *ty) => {
                                    let (object, offset) =
                                        place(pool, address).expect("it is inside of an object");
                                    self.tables.store(pool, (*region, object, offset), ty.bytes(), value);
                                }
                                _ => {
                                    self.tables.regions.remove(region);
                                }
                            }
                        }
                        Some(_) => {}
                    }
                }
                kind @ (InstructionKind::Forget { .. } | InstructionKind::Allocate { .. }) => {
                    for region in kind.regions() {
                        self.regions[region.index()] = Known::Varies;
                    }
                    self.define(index, instruction.result, Known::Varies);
                }
                // Tables are not complete yet.
                InstructionKind::Load { region, address: Some(_) }
                    if self.tables.regions.contains(region) =>
                {
                    self.define(index, instruction.result, Known::Varies);
                }
                kind => {
                    let known = self.effect(pool, program.entry, instruction.result, kind);
                    self.define(index, instruction.result, known);
                }
            }
        }
    }

    fn is_inside(&self, pool: &TermPool, address: Term, ty: Type) -> bool {
        place(pool, address).is_some_and(|(object, offset)| {
            let data = &self.program.objects[object];
            data.owner.is_none() && ty.bytes() <= data.size && offset <= data.size - ty.bytes()
        })
    }

    fn define(&mut self, function: usize, value: Option<Value>, known: Known) -> bool {
        value.is_some_and(|value| self.values[function][value.index()].meet(known))
    }

    /// Evaluates a term under the facts about its leaves.
    fn evaluate(&mut self, pool: &mut TermPool, function: usize, term: Term) -> Known {
        if pool.is_constant(term) {
            return Known::Is(term);
        }
        let leaves = self.leaves.entry(term).or_insert_with(|| pool.free_values(term).into());
        let values = &self.values[function];
        let mut has_known = leaves.is_empty();
        for &leaf in &*leaves {
            match values[leaf as usize] {
                Known::Unseen => return Known::Unseen,
                Known::Is(_) => has_known = true,
                Known::Varies => {}
            }
        }
        if !has_known {
            return Known::Varies;
        }
        let result = pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
            Op::Value(index) => match values[index as usize] {
                Known::Is(known) => Some(known),
                _ => None,
            },
            _ => None,
        });
        if pool.is_constant(result) || place(pool, result).is_some() {
            Known::Is(result)
        } else {
            Known::Varies
        }
    }

    /// Sweeps over the reachable blocks of a function. Returns whether facts about it changed.
    fn sweep(&mut self, pool: &mut TermPool, function: Function, graph: &ControlFlow) -> bool {
        let data = &self.program.functions[function];
        let index = function.index();
        let mut is_changed = false;
        for &block in graph.reverse_postorder() {
            if !self.is_reached[index][block.index()] {
                continue;
            }
            for (position, &parameter) in data.blocks[block].parameters.iter().enumerate() {
                for edge in graph.predecessors(block) {
                    if self.taken[index].contains(&(edge.from, edge.index)) {
                        let known = self.evaluate(pool, index, edge.edge(data).arguments[position]);
                        is_changed |= self.values[index][parameter.index()].meet(known);
                    }
                }
            }
            let is_start = function == self.program.entry && block == data.entry;
            let done = if is_start { self.initialization } else { 0 };
            for instruction in &data.blocks[block].instructions[done..] {
                let known = self.effect(pool, function, instruction.result, &instruction.kind);
                is_changed |= self.define(index, instruction.result, known);
            }
            is_changed |= self.leave(pool, function, block);
        }
        is_changed
    }

    /// The result of an instruction; updates the facts across functions.
    fn effect(
        &mut self,
        pool: &mut TermPool,
        function: Function,
        result: Option<Value>,
        kind: &InstructionKind,
    ) -> Known {
        let index = function.index();
        match kind {
            InstructionKind::Pure(term) => self.evaluate(pool, index, *term),
            InstructionKind::AddressOf(object) if self.program.objects[*object].owner.is_none() => {
                let sort = Sort::BitVec(self.program.machine.pointer_width);
                Known::Is(pool.value(FIRST_PLACE + object.0, sort))
            }
            InstructionKind::Load { region, address: None } => self.regions[region.index()],
            InstructionKind::Load { region, address: Some(address) } => {
                if !self.tables.regions.contains(region) {
                    return Known::Varies;
                }
                let ty = result.map(|value| self.program.functions[function].values[value].ty);
                match (self.evaluate(pool, index, *address), ty) {
                    (Known::Unseen, _) => Known::Unseen,
                    (Known::Is(address), Some(ty)) if self.is_inside(pool, address, ty) => {
                        let (object, offset) = place(pool, address).expect("it is inside of an object");
                        self.tables.load(pool, (*region, object, offset), ty)
                    }
                    _ => Known::Varies,
                }
            }
            InstructionKind::Store { region, address: None, value, .. } => {
                let value = self.evaluate(pool, index, *value);
                self.weaken_region(*region, value);
                Known::Varies
            }
            InstructionKind::Forget { .. } | InstructionKind::Allocate { .. } => {
                for region in kind.regions() {
                    self.weaken_region(region, Known::Varies);
                }
                Known::Varies
            }
            InstructionKind::Call { callee: Callee::Direct(callee), arguments } => {
                let target = &self.program.functions[*callee];
                if !target.is_defined() {
                    return Known::Varies;
                }
                self.call(*callee);
                for (&parameter, &argument) in target.blocks[target.entry].parameters.iter().zip(arguments) {
                    let known = self.evaluate(pool, index, argument);
                    if self.values[callee.index()][parameter.index()].meet(known) {
                        self.changes += 1;
                    }
                }
                self.results[callee.index()]
            }
            InstructionKind::Havoc(_)
            | InstructionKind::AddressOf(_)
            | InstructionKind::FunctionAddress(_)
            | InstructionKind::Store { .. }
            | InstructionKind::Call { .. } => Known::Varies,
        }
    }

    fn weaken_region(&mut self, region: Region, known: Known) {
        if self.regions[region.index()].meet(known) {
            self.changes += 1;
        }
    }

    /// Marks the edges that can be taken.
    fn leave(&mut self, pool: &mut TermPool, function: Function, block: Block) -> bool {
        let index = function.index();
        let terminator = &self.program.functions[function].blocks[block].terminator;
        let edges = terminator.edges();
        let taken: Vec<usize> = match terminator {
            Terminator::Branch { condition, .. } => match self.evaluate(pool, index, *condition) {
                Known::Unseen => vec![],
                Known::Is(condition) => vec![usize::from(pool.as_bool(condition) == Some(false))],
                Known::Varies => vec![0, 1],
            },
            Terminator::Switch { scrutinee, cases, .. } => match self.evaluate(pool, index, *scrutinee) {
                Known::Unseen => vec![],
                Known::Is(scrutinee) if pool.is_constant(scrutinee) => {
                    let case = cases.iter().position(|case| is_taken(pool, case, scrutinee));
                    vec![case.unwrap_or(cases.len())]
                }
                Known::Is(_) | Known::Varies => (0..edges.len()).collect(),
            },
            Terminator::Goto(_) => vec![0],
            Terminator::Return(Some(value)) => {
                let known = self.evaluate(pool, index, *value);
                if self.results[index].meet(known) {
                    self.changes += 1;
                }
                vec![]
            }
            Terminator::Return(None)
            | Terminator::Error(_)
            | Terminator::Stop(_)
            | Terminator::Unsupported(_) => vec![],
        };
        let mut is_changed = false;
        for edge in taken {
            is_changed |= self.taken[index].insert((block, edge as u32));
            let target = edges[edge].target;
            is_changed |= !std::mem::replace(&mut self.is_reached[index][target.index()], true);
        }
        is_changed
    }
}

/// The regions that only the initialization writes.
fn tables(program: &Program, initialization: usize) -> FxHashSet<Region> {
    let mut tables: FxHashSet<Region> = program
        .regions
        .iter()
        .filter(|(_, data)| !matches!(data.kind, RegionKind::Scalar(_)))
        .map(|(region, _)| region)
        .collect();
    for (function, data) in program.functions.iter() {
        for (block, block_data) in data.blocks.iter() {
            let is_start = function == program.entry && block == data.entry;
            for (index, instruction) in block_data.instructions.iter().enumerate() {
                let is_initialization = is_start && index < initialization;
                match &instruction.kind {
                    InstructionKind::Store { .. } if is_initialization => {}
                    InstructionKind::Load { .. } => {}
                    kind => {
                        for region in kind.regions() {
                            tables.remove(&region);
                        }
                    }
                }
            }
        }
    }
    tables
}

/// Whether the program may call the entry function.
fn is_entry_called(program: &Program) -> bool {
    let mut blocks = program.functions.values().flat_map(|function| function.blocks.values());
    blocks.any(|block| {
        block.instructions.iter().any(|instruction| match instruction.kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => callee == program.entry,
            InstructionKind::FunctionAddress(function) => function == program.entry,
            _ => false,
        })
    })
}

/// Replaces known values by their constants.
fn rewrite(pool: &mut TermPool, program: &mut Program, known: &[Vec<Known>]) {
    for (function, data) in program.functions.iter_mut() {
        let values = &known[function.index()];
        let constant = |pool: &TermPool, value: u32| match values.get(value as usize) {
            Some(Known::Is(term)) if pool.is_constant(*term) => Some(*term),
            _ => None,
        };
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut replace = |pool: &mut TermPool, term: Term| {
            *done.entry(term).or_insert_with(|| {
                pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
                    Op::Value(index) => constant(pool, index),
                    _ => None,
                })
            })
        };
        for block in data.blocks.values_mut() {
            for instruction in &mut block.instructions {
                instruction.kind.map_terms(|term| replace(pool, term));
                if let (InstructionKind::Load { .. }, Some(result)) = (&instruction.kind, instruction.result)
                    && let Some(term) = constant(pool, result.0)
                {
                    instruction.kind = InstructionKind::Pure(term);
                }
            }
            block.terminator.map_terms(|term| replace(pool, term));
        }
    }
}
