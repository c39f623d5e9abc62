//! Symbolic execution of single blocks of one function.
//!
//! DIVERGENCE from the unroller, which knows the context of every instance: here an automatic object has one address for all
//! executions of its declaration (the program has no recursion), and heap addresses come from a *heap pointer*, one more variable of
//! the state that every allocation moves up. Paths on which the heap pointer would pass the end of the address space do not exist here:
//! allocation succeeds. This is the one assumption of a proof that is none of the program's (`docs/library.md` states it). Where objects have slots of addresses, and these are few (up to 2^20, as with addresses of 32 bits), such paths are
//! something that is not supported, as in the unroller.
//!
//! An access outside of all objects of its region is a way to what is not supported, as in the unroller. Of heap blocks only
//! the stretch from the first to the heap pointer is known, so an access between two of them counts as one within.

use crate::inputs::{Holder, InputRecord, Quantity};
use crate::unroll::extents::Extents;
use crate::unroll::guards::{GuardId, GuardTree, Incoming, State};
use crate::unroll::memory::Memory;
use crate::unroll::plan::{EdgePlan, End, FunctionPlan, Gather, Precision, Step};
use crate::unroll::{Accesses, Config, InstanceId, UnrollError, UnsupportedCause, case_condition, tape};
use grammars::source::Span;
use program::layout::{Layout, LayoutError, slot_capacity};
use program::ssa::{
    Block, Contents, FunctionData, InstructionKind, Object, Program, Property, Region, RegionKind, Type,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Representation, Sort, Term, TermPool};

/// Why there is no view of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The program has no layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The entry function has no body, or a loop with several entries.
    #[error(transparent)]
    Function(UnrollError),
    /// A call that was not inlined.
    #[error("the call of `{callee}` is not inlined")]
    NotInlined {
        /// The called function.
        callee: String,
        /// Where.
        span: Span,
    },
    /// A loop where the chosen block operator allows none.
    #[error("a program with loops has no cut points for the block operator `never`")]
    HasLoops,
}

/// What leaves a block.
pub(super) enum Exit {
    Edge { target: Block, incoming: Incoming },
    Error { property: Property, guard: GuardId },
    Unsupported { cause: UnsupportedCause, guard: GuardId, span: Span },
}

/// Programs may use up as many slots as numbers of this many bits.
const FEW_SLOTS: u32 = 20;

/// Executes blocks of the entry function.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) function: &'p FunctionData,
    pub(super) plan: FunctionPlan,
    pub(super) memory: Memory,
    pub(super) guards: GuardTree,
    /// What each value was when its definition was last executed or entered a block.
    pub(super) environment: Vec<Term>,
    /// The symbols made for nondeterministic values, and whether they stand for approximations.
    pub(super) inputs: FxHashMap<Term, Precision>,
    layout: Layout,
    config: Config,
    scratch: tape::Scratch,
    addresses: FxHashMap<Object, u64>,
    /// Where static and automatic objects lie.
    extents: Extents,
    /// The regions in which heap blocks lie.
    heap_regions: FxHashSet<Region>,
    /// The first address of the heap.
    heap_start: u64,
    names: FxHashMap<String, u32>,
}

/// The source of states in views, where no paths are kept.
pub(super) const NOWHERE: InstanceId = InstanceId(u32::MAX);

/// Alignment of heap blocks.
const BLOCK_ALIGN: u64 = 16;

impl<'p> Machine<'p> {
    pub(super) fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, ViewError> {
        let function = &program.functions[program.entry];
        if !function.is_defined() {
            return Err(ViewError::Function(UnrollError::NoEntry { function: function.name.clone() }));
        }
        let layout = Layout::new(program)?;
        let memory = Memory::new(pool, program, &layout);
        let plan = FunctionPlan::new(pool, program, &layout, program.entry).map_err(ViewError::Function)?;
        for (block, data) in function.blocks.iter() {
            let Some(plan) = &plan.blocks[block.index()] else { continue };
            if let Some(End::Call { callee, .. }) = plan.segments.first().map(|segment| &segment.end) {
                let callee = program.functions[*callee].name.clone();
                return Err(ViewError::NotInlined { callee, span: data.span });
            }
        }
        let mut addresses = FxHashMap::default();
        let mut next = layout.dynamic_start();
        let mut extents = Extents::of_static_objects(program, &layout);
        for (object, data) in program.objects.iter().filter(|(_, data)| data.owner.is_some()) {
            let (address, after) =
                layout.place(next, data.size, data.align).ok_or_else(|| LayoutError::AddressSpace {
                    what: format!("the object `{}`", data.name),
                    pointer_width: program.machine.pointer_width,
                })?;
            addresses.insert(object, address);
            for &region in &data.regions {
                extents.add(region, address, data.size);
            }
            next = after;
        }
        let instructions = function.blocks.values().flat_map(|block| &block.instructions);
        let heap_regions = instructions
            .filter_map(|instruction| match instruction.kind {
                InstructionKind::Allocate { region, .. } => Some(region),
                _ => None,
            })
            .collect();
        Ok(Machine {
            program,
            function,
            environment: vec![pool.tru(); plan.values],
            plan,
            memory,
            guards: GuardTree::new(pool),
            inputs: FxHashMap::default(),
            heap_start: layout.place(next, 1, BLOCK_ALIGN).map_or(next, |(address, _)| address),
            layout,
            config,
            scratch: tape::Scratch::default(),
            addresses,
            extents,
            heap_regions,
            names: FxHashMap::default(),
        })
    }

    /// Whether the program allocates heap blocks, so that the heap pointer matters.
    pub(super) fn has_heap(&self) -> bool {
        !self.heap_regions.is_empty()
    }

    /// The index of the heap pointer among the regions of a state.
    pub(super) fn heap_index(&self) -> usize {
        self.program.regions.len()
    }

    /// All regions and the heap pointer at program start.
    pub(super) fn initial_regions(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut regions = self.memory.initial();
        regions.push(pool.bv(self.memory.pointer_width, self.heap_start));
        regions
    }

    /// A symbol `name@n` that no one else has.
    pub(super) fn fresh(
        &mut self,
        pool: &mut TermPool,
        name: &str,
        sort: Sort,
        representation: Representation,
    ) -> Term {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        loop {
            let before = pool.symbol_count();
            let symbol = pool.symbol_with(&format!("{name}@{count}"), sort, representation);
            *count += 1;
            if pool.symbol_count() > before {
                self.inputs.insert(symbol, Precision::Exact);
                return symbol;
            }
        }
    }

    /// Executes a block in a state whose values are those that are live at its start. What the execution takes from outside, in order.
    pub(super) fn execute(
        &mut self,
        pool: &mut TermPool,
        block: Block,
        guard: GuardId,
        state: &State,
        exits: &mut Vec<Exit>,
    ) -> Vec<InputRecord> {
        // The plan is taken out, so that its parts can be read while the rest of the machine changes.
        let Some(block_plan) = self.plan.blocks[block.index()].take() else { return Vec::new() };
        let segment = &block_plan.segments[0];
        for (&value, &term) in segment.entry.iter().zip(state.values.iter()) {
            self.environment[value as usize] = term;
        }
        let mut run = Run { block, guard, regions: state.regions.clone(), inputs: Vec::new() };
        let is_done = segment.steps.iter().all(|step| self.step(pool, &mut run, step, exits));
        if is_done {
            self.leave(pool, &run, &segment.end, exits);
        }
        self.plan.blocks[block.index()] = Some(block_plan);
        run.inputs
    }

    fn run(&mut self, pool: &mut TermPool, tape: &tape::Tape) -> Term {
        tape.run(pool, &self.environment, &mut self.scratch)
    }

    /// Executes one step; `false` if execution does not go on.
    fn step(&mut self, pool: &mut TermPool, run: &mut Run, step: &Step, exits: &mut Vec<Exit>) -> bool {
        match step {
            Step::Pure { result, tape } => self.environment[*result as usize] = self.run(pool, tape),
            Step::Havoc { result, name, ty, precision } => {
                let symbol = self.fresh(pool, name, ty.sort(), ty.representation());
                self.inputs.insert(symbol, *precision);
                let value = Value(*result);
                run.inputs.push(InputRecord::Value { value, term: symbol, precision: *precision });
                self.environment[*result as usize] = symbol;
            }
            Step::Address { result, object } => {
                let address = self.addresses[object];
                run.inputs.push(InputRecord::Object { object: *object, address });
                self.environment[*result as usize] = pool.bv(self.memory.pointer_width, address);
            }
            Step::Load { result, region, address, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(pool, address));
                self.check_bounds(pool, run, (*region, address, *ty), *instruction, exits);
                let contents = run.regions[region.index()];
                self.environment[*result as usize] = self.memory.load(pool, *region, contents, address, *ty);
            }
            Step::Store { region, address, value, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(pool, address));
                self.check_bounds(pool, run, (*region, address, *ty), *instruction, exits);
                let value = self.run(pool, value);
                let contents = run.regions[region.index()];
                let stored = self.memory.store(pool, *region, contents, address, value, *ty);
                run.set(region.index(), stored);
            }
            Step::Forget { region, object, instruction } => {
                return self.forget(pool, run, *region, *object, *instruction, exits);
            }
            Step::Allocate { result, region, size, contents, instruction } => {
                let size = self.run(pool, size);
                let heap = run.regions[self.heap_index()];
                self.environment[*result as usize] = heap;
                let (address, result) = (Quantity::of(pool, heap), Value(*result));
                run.inputs.push(InputRecord::Block { result, address });
                let is_new = self.memory.regions[region.index()].is_unknown_at_first;
                if *contents == Contents::Unknown && !is_new {
                    let span = self.span(run.block, *instruction);
                    let bytes = pool.as_bv_u64(size);
                    let cell_bytes = self.memory.regions[region.index()].cell_bytes;
                    let cells = bytes.map_or(u64::MAX, |bytes| bytes.div_ceil(cell_bytes));
                    if cells > self.config.forget_cells {
                        let cause =
                            UnsupportedCause::Allocation { limit: self.config.forget_cells * cell_bytes };
                        exits.push(Exit::Unsupported { cause, guard: run.guard, span });
                        return false;
                    }
                    self.forget_cells(pool, run, *region, heap, cells, "block");
                }
                if *contents == Contents::Unknown {
                    run.ask_for_contents(Holder::Block(result), *region, address, Quantity::of(pool, size));
                }
                let span = self.span(run.block, *instruction);
                return self.move_heap(pool, run, (heap, size), span, exits);
            }
        }
        true
    }

    /// Reports the executions in which an access is not within an object. They go on.
    fn check_bounds(
        &mut self,
        pool: &mut TermPool,
        run: &Run,
        (region, address, ty): (Region, Option<Term>, Type),
        instruction: u32,
        exits: &mut Vec<Exit>,
    ) {
        let Some(address) = address else { return };
        if self.config.accesses == Accesses::Trusted || self.program.checks_accesses_to(region) {
            return;
        }
        let mut outside = self.extents.outside(pool, region, address, ty.bytes());
        if self.heap_regions.contains(&region) {
            let width = self.memory.pointer_width;
            let (first, bytes) = (pool.bv(width, self.heap_start), pool.bv(width, ty.bytes()));
            let used = pool.bv_sub(run.regions[self.heap_index()], first);
            let offset = pool.bv_sub(address, first);
            let last = pool.bv_sub(used, bytes);
            let (has_room, is_before) = (pool.bv_ule(bytes, used), pool.bv_ule(offset, last));
            let inside = pool.and2(has_room, is_before);
            let beyond = pool.not(inside);
            outside = pool.and2(outside, beyond);
        }
        if let Some(guard) = self.guards.and(pool, run.guard, outside) {
            let span = self.span(run.block, instruction);
            exits.push(Exit::Unsupported { cause: UnsupportedCause::OutOfBounds, guard, span });
        }
    }

    /// Moves the heap pointer past a block of `size` bytes and a gap; `false` if there cannot be room.
    fn move_heap(
        &mut self,
        pool: &mut TermPool,
        run: &mut Run,
        (heap, size): (Term, Term),
        span: Span,
        exits: &mut Vec<Exit>,
    ) -> bool {
        let width = self.memory.pointer_width;
        if let Some(bits) = self.layout.slot_bits() {
            let few = (width - bits <= FEW_SLOTS).then_some(span);
            return self.move_heap_to_next_slot(pool, run, (heap, size, bits), few, exits);
        }
        // Room for the block, the guard byte and rounding; `last - 2 × align - heap` does not wrap as the heap stays below `last - 2 × align`.
        let last = pool.bv(width, self.layout.last_address().saturating_sub(2 * BLOCK_ALIGN));
        let room = pool.bv_sub(last, heap);
        let fits = pool.bv_ule(size, room);
        let Some(guard) = self.guards.and(pool, run.guard, fits) else { return false };
        run.guard = guard;
        let gap = pool.bv(width, 2 * BLOCK_ALIGN - 1);
        let end = pool.bv_add(heap, size);
        let end = pool.bv_add(end, gap);
        let mask = pool.bv(width, !(BLOCK_ALIGN - 1));
        let next = pool.bv_and(end, mask);
        let top = pool.bv(width, self.layout.last_address().saturating_sub(2 * BLOCK_ALIGN));
        let is_below = pool.bv_ule(next, top);
        let Some(guard) = self.guards.and(pool, run.guard, is_below) else { return false };
        run.guard = guard;
        run.set(self.heap_index(), next);
        true
    }

    /// As [`move_heap`](Self::move_heap), where each object has a slot. Where there are few, with the place of the allocation, programs may use them up.
    fn move_heap_to_next_slot(
        &mut self,
        pool: &mut TermPool,
        run: &mut Run,
        (heap, size, bits): (Term, Term, u32),
        few: Option<Span>,
        exits: &mut Vec<Exit>,
    ) -> bool {
        let width = self.memory.pointer_width;
        let capacity = pool.bv(width, slot_capacity(bits));
        let fits = pool.bv_ule(size, capacity);
        let Some(guard) = self.guards.and(pool, run.guard, fits) else { return false };
        let last = pool.bv(width, self.layout.last_address() - (2 << bits));
        let is_below = pool.bv_ule(heap, last);
        if let Some(span) = few {
            let is_used_up = pool.not(is_below);
            if let Some(guard) = self.guards.and(pool, guard, is_used_up) {
                exits.push(Exit::Unsupported { cause: UnsupportedCause::AddressSpace, guard, span });
            }
        }
        let Some(guard) = self.guards.and(pool, guard, is_below) else { return false };
        run.guard = guard;
        let stride = pool.bv(width, 1 << bits);
        let next = pool.bv_add(heap, stride);
        run.set(self.heap_index(), next);
        true
    }

    fn span(&self, block: Block, instruction: u32) -> Span {
        self.function.blocks[block].instructions[instruction as usize].span
    }

    fn forget(
        &mut self,
        pool: &mut TermPool,
        run: &mut Run,
        region: Region,
        object: Object,
        instruction: u32,
        exits: &mut Vec<Exit>,
    ) -> bool {
        let data = &self.program.objects[object];
        let info = &self.memory.regions[region.index()];
        let (sort, cells) = (info.sort, data.size.div_ceil(info.cell_bytes));
        let address = self.layout.object(object).unwrap_or_else(|| self.addresses[&object]);
        if data.owner.is_some() {
            run.inputs.push(InputRecord::Object { object, address });
        }
        let mut size = data.size;
        if let RegionKind::Scalar(ty) = info.kind {
            size = ty.bytes();
            let fresh = self.fresh(pool, &data.name, sort, ty.representation());
            run.set(region.index(), fresh);
        } else if info.only_object == Some(object) {
            let fresh = self.fresh(pool, &data.name, sort, Representation::Unsigned);
            run.set(region.index(), fresh);
        } else if cells <= self.config.forget_cells {
            let address = pool.bv(self.memory.pointer_width, address);
            self.forget_cells(pool, run, region, address, cells, &data.name);
        } else {
            let (cause, span) = (UnsupportedCause::Contents { cells }, self.span(run.block, instruction));
            exits.push(Exit::Unsupported { cause, guard: run.guard, span });
            return false;
        }
        let holder = Holder::Object(object);
        run.ask_for_contents(holder, region, Quantity::Fixed(address), Quantity::Fixed(size));
        true
    }

    fn forget_cells(
        &mut self,
        pool: &mut TermPool,
        run: &mut Run,
        region: Region,
        address: Term,
        cells: u64,
        name: &str,
    ) {
        let info = &self.memory.regions[region.index()];
        let representation = info.kind.cell_type().map_or(Representation::Unsigned, Type::representation);
        let (sort, cell_bytes) = (Sort::BitVec(self.memory.cell_width(region)), info.cell_bytes);
        let mut contents = run.regions[region.index()];
        for cell in 0..cells {
            let fresh = self.fresh(pool, &format!("{name}[{cell}]"), sort, representation);
            let index = self.memory.offset(pool, address, cell * cell_bytes);
            contents = pool.store(contents, index, fresh);
        }
        run.set(region.index(), contents);
    }

    fn leave(&mut self, pool: &mut TermPool, run: &Run, end: &End, exits: &mut Vec<Exit>) {
        let span = self.function.blocks[run.block].span;
        let guard = run.guard;
        match end {
            End::Goto(edge) => self.send(pool, run, guard, edge, exits),
            End::Branch { condition, then, otherwise } => {
                let condition = self.run(pool, condition);
                if let Some(guard) = self.guards.and(pool, guard, condition) {
                    self.send(pool, run, guard, then, exits);
                }
                let negated = pool.not(condition);
                if let Some(guard) = self.guards.and(pool, guard, negated) {
                    self.send(pool, run, guard, otherwise, exits);
                }
            }
            End::Switch { scrutinee, cases, default } => {
                let scrutinee = self.run(pool, scrutinee);
                let mut rest = Some(guard);
                for case in cases {
                    let Some(before) = rest else { break };
                    let matches = case_condition(pool, scrutinee, &case.ranges, case.signedness);
                    if let Some(guard) = self.guards.and(pool, before, matches) {
                        self.send(pool, run, guard, &case.edge, exits);
                    }
                    let negated = pool.not(matches);
                    rest = self.guards.and(pool, before, negated);
                }
                if let Some(guard) = rest {
                    self.send(pool, run, guard, default, exits);
                }
            }
            End::Error(property) => exits.push(Exit::Error { property: *property, guard }),
            End::Return(_) | End::Stop => {}
            End::Unsupported(construct) => {
                exits.push(Exit::Unsupported { cause: UnsupportedCause::Construct(*construct), guard, span });
            }
            End::IndirectCall { .. } => {
                exits.push(Exit::Unsupported { cause: UnsupportedCause::IndirectCall, guard, span });
            }
            End::Call { .. } => unreachable!("calls of functions with a body were refused"),
        }
    }

    fn send(
        &mut self,
        pool: &mut TermPool,
        run: &Run,
        guard: GuardId,
        edge: &EdgePlan,
        exits: &mut Vec<Exit>,
    ) {
        let values = edge.gather.iter().map(|gather| match gather {
            Gather::Value(value) => self.environment[*value as usize],
            Gather::Argument(tape) => tape.run(pool, &self.environment, &mut self.scratch),
        });
        let state = State { values: values.collect(), result: None, regions: run.regions.clone() };
        let incoming = Incoming { from: NOWHERE, guard, state };
        exits.push(Exit::Edge { target: edge.target, incoming });
    }
}

/// A block under execution.
struct Run {
    block: Block,
    guard: GuardId,
    regions: Rc<Vec<Term>>,
    /// What was taken from outside so far.
    inputs: Vec<InputRecord>,
}

impl Run {
    /// Records that the contents of an object are unknown here.
    fn ask_for_contents(&mut self, of: Holder, region: Region, address: Quantity, size: Quantity) {
        let contents = self.regions[region.index()];
        self.inputs.push(InputRecord::Contents { of, region, contents, address, size });
    }

    fn set(&mut self, index: usize, contents: Term) {
        if self.regions[index] != contents {
            Rc::make_mut(&mut self.regions)[index] = contents;
        }
    }
}
