//! Execution of single blocks of one function: the views' policy of the executor
//! ([`crate::execute`]).
//!
//! DIVERGENCE from the unroller, which knows the context of every instance: here an automatic
//! object has one address for all executions of its declaration, objects of recursive functions
//! have one in each frame (module `stack`), and heap addresses come from *heap pointers*,
//! additional state variables that allocations increase, one for each of the `zones`. Paths on
//! which a heap pointer would pass the end of its zone, or a frame that of the address space, are
//! excluded: allocation succeeds. This is the only assumption of a proof that does not come from
//! the program (stated in `docs/library.md`). It would be wrong for a single block that is too
//! large for a process or for a slot, as `malloc(-1)` asks for, and with 32-bit addresses if freed
//! addresses may come again; such paths are reported as unsupported, as in the unroller.
//!
//! An access outside of all objects of its region leads to an unsupported exit, as in the unroller.
//! Of the heap blocks, only the range from the first block to the heap pointer is known, so an
//! access between two blocks counts as inside.
//!
//! Calls end an execution: the machine of [`procedures`](crate::procedures) continues after a call
//! in another execution, from any state. All other views reject programs with calls.

use crate::execute::guards::{GuardId, Incoming, State};
use crate::execute::plan::{EdgePlan, End, FunctionPlan, Precision};
use crate::execute::tape::Tape;
use crate::execute::{
    Access, Accesses, Allocation, BLOCK_ALIGN, Config, Execution, Executor, Flow, Forgetting, HeapBlock,
    NOWHERE, Policy, SetupError, UnsupportedCause,
};
use crate::inputs::{InputRecord, Quantity};
use crate::stack::Stack;
use crate::zones::{Zone, Zones};
use grammars::source::Span;
use program::layout::{LayoutError, slot_capacity};
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::RegionSet;
use program::ssa::loops::LoopForest;
use program::ssa::{
    Block, Callee, Function, FunctionData, InstructionKind, Object, Part, Program, Property, Region, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Term, TermPool};

/// The reason why a program has no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The program has no layout, the entry function has no body, or a loop has several entries.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A call that was not inlined.
    #[error("the call of `{callee}` is not inlined")]
    NotInlined {
        /// The called function.
        callee: String,
        /// The source location.
        span: Span,
    },
    /// A program with loops, which the chosen block operator does not support.
    #[error("the block operator `never` does not support programs with loops")]
    HasLoops,
    /// A call of the entry function, which only the environment may call.
    #[error("the entry function `{function}` is called by the program")]
    EntryIsCalled {
        /// The entry function.
        function: String,
    },
    /// A recursive function with an automatic object in a region that holds one object only.
    #[error("activations of the recursive function `{function}` share the automatic object `{object}`")]
    SharedObject {
        /// The function.
        function: String,
        /// The object.
        object: String,
        /// Its declaration.
        span: Span,
    },
}

/// A call of a function with a body, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSite {
    /// The block.
    pub block: Block,
    /// The number of calls before it in the block.
    pub index: usize,
}

/// An exit of a block.
pub(super) enum Exit {
    Edge {
        target: Block,
        incoming: Incoming,
    },
    /// The values of the state are those that are live before the call.
    Call {
        index: usize,
        incoming: Incoming,
    },
    /// The state has no values except the result.
    Return {
        incoming: Incoming,
    },
    Error {
        property: Property,
        guard: GuardId,
    },
    Unsupported {
        what: String,
        guard: GuardId,
        span: Span,
    },
}

/// Address spaces with at most 2 to this power slots may be exhausted by a program.
const FEW_SLOTS: u32 = 20;

/// The number of addresses of a process on x86-64.
const LARGEST_PROCESS: u64 = 1 << 47;

/// Executes blocks of one function, at first of the entry function.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    /// The current function.
    pub(super) function: &'p FunctionData,
    pub(super) plan: Rc<FunctionPlan>,
    /// By function; `None` for functions that are never called.
    pub(super) plans: Vec<Option<Rc<FunctionPlan>>>,
    /// The loops of the entry function.
    loops: LoopForest,
    pub(super) executor: Executor<'p>,
    context: Context,
}

/// Data shared by all executions of all blocks.
struct Context {
    /// The symbols of over-approximations.
    approximations: FxHashSet<Term>,
    /// Addresses of automatic objects.
    addresses: FxHashMap<Object, u64>,
    /// The zones of the heap.
    zones: Zones,
    /// The index of the first heap pointer among the regions of a state.
    heap_index: usize,
    stack: Stack,
    /// The current function.
    of: Function,
    /// The address of the frame of the current function.
    frame: Term,
}

impl Context {
    /// The heap pointer of the blocks in a region, as a region of a state.
    fn heap_pointer(&self, region: Region) -> Option<Region> {
        self.zones.of(region).map(|zone| Region::new(self.heap_index + zone))
    }

    /// The index of the heap pointer for an allocation among the regions of a state.
    fn pointer_index(&self, allocation: &Allocation) -> usize {
        let pointer = self.heap_pointer(allocation.parts[0].region);
        pointer.expect("the blocks of the program have zones").index()
    }

    /// The zone of the heap pointer with an index among the regions of a state.
    fn zone(&self, index: usize) -> Zone {
        self.zones.zones[index - self.heap_index]
    }
}

impl<'p> Machine<'p> {
    pub(super) fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, ViewError> {
        let machine = Machine::with_calls(pool, program, config)?;
        for (block, data) in machine.function.blocks.iter() {
            let Some(plan) = &machine.plan.blocks[block.index()] else { continue };
            if let Some(End::Call { callee, .. }) = plan.segments.first().map(|segment| &segment.end) {
                let callee = program.functions[*callee].name.clone();
                return Err(ViewError::NotInlined { callee, span: data.span });
            }
        }
        Ok(machine)
    }

    /// As [`new`](Self::new), for a program that may have calls.
    pub(super) fn with_calls(
        pool: &mut TermPool,
        program: &'p Program,
        config: Config,
    ) -> Result<Self, ViewError> {
        let mut executor = Executor::new(pool, program, config)?;
        let plans = executor.plans(pool)?;
        let mut addresses = FxHashMap::default();
        let mut next = executor.layout.dynamic_start();
        let stack = Stack::new(program, &executor.layout, &plans, config).map_err(SetupError::Layout)?;
        let heap_last = if stack.is_empty() { executor.layout.last_address() } else { stack.start - 1 };
        let has_address = |object| stack.offset(object).is_none();
        let objects = program.objects.iter().filter(|(_, data)| data.owner.is_some());
        for (object, data) in objects.filter(|&(object, _)| has_address(object)) {
            let place = executor.layout.place(next, data.size, data.align);
            let (address, after) = place.filter(|&(_, after)| after <= heap_last).ok_or_else(|| {
                SetupError::Layout(LayoutError::AddressSpace {
                    what: format!("the object `{}`", data.name),
                    pointer_width: program.machine.pointer_width,
                })
            })?;
            addresses.insert(object, address);
            for &region in &data.regions {
                executor.extents.add(region, address, data.size);
            }
            next = after;
        }
        let context = Context {
            approximations: FxHashSet::default(),
            addresses,
            zones: Zones::new(pool, program, &executor.layout, next, heap_last),
            heap_index: program.regions.len(),
            frame: pool.bv(program.machine.pointer_width, stack.start),
            stack,
            of: program.entry,
        };
        let function = &program.functions[program.entry];
        let plan = plans[program.entry.index()].clone().expect("the entry function has a plan");
        let loops = LoopForest::new(&ControlFlow::new(function));
        Ok(Machine { program, function, plan, plans, loops, executor, context })
    }

    /// The current function.
    pub(super) fn of(&self) -> Function {
        self.context.of
    }

    /// Whether a function depends on the address of its frame; the entry function knows it.
    pub(super) fn needs_frame(&self, function: Function) -> bool {
        function != self.program.entry && self.context.stack.is_needed(function)
    }

    /// Sets the address of the frame of the current function.
    pub(super) fn set_frame(&mut self, frame: Term) {
        self.context.frame = frame;
    }

    /// The address of the frames of callees.
    pub(super) fn next_frame(&self, pool: &mut TermPool) -> Term {
        self.context.next_frame(pool)
    }

    /// Continues with the blocks of another function that may be called.
    pub(super) fn enter(&mut self, function: Function) {
        self.plan = self.plans[function.index()].clone().expect("functions that are called have a plan");
        (self.context.of, self.function) = (function, &self.program.functions[function]);
    }

    /// The values in the state at the start of a block.
    pub(super) fn entry_values(&self, block: Block) -> &[u32] {
        &self.plan.block(block).segments[0].entry
    }

    /// The number of calls in a block.
    pub(super) fn calls_in(&self, block: Block) -> usize {
        let segments = self.plan.block(block).segments.iter();
        segments.filter(|segment| matches!(segment.end, End::Call { .. })).count()
    }

    /// The callee and the values that are live before a call.
    pub(super) fn call(&self, site: CallSite) -> (Function, &[u32]) {
        match &self.plan.block(site.block).segments[site.index].end {
            End::Call { callee, live, .. } => (*callee, live),
            _ => unreachable!("a call site has a call"),
        }
    }

    /// The source location of a call.
    pub(super) fn call_span(&self, site: CallSite) -> Span {
        let block = &self.function.blocks[site.block];
        let is_cut = |kind: &InstructionKind| match kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                self.program.functions[*callee].is_defined()
            }
            kind => matches!(kind, InstructionKind::Call { .. }),
        };
        let calls = block.instructions.iter().filter(|instruction| is_cut(&instruction.kind));
        calls.map(|instruction| instruction.span).nth(site.index).unwrap_or(block.span)
    }

    /// The result of a call, if it is used, and the other values that are live after it.
    pub(super) fn after_call(&self, site: CallSite) -> (Option<Value>, &[u32]) {
        let next = &self.plan.block(site.block).segments[site.index + 1];
        (next.call_result.map(Value), &next.entry)
    }

    /// The arguments of a call that its callee uses, in order, given the values that are live
    /// before the call.
    pub(super) fn arguments(&mut self, pool: &mut TermPool, site: CallSite, values: &[Term]) -> Vec<Term> {
        let plan = self.plan.clone();
        let End::Call { callee, arguments, live } = &plan.block(site.block).segments[site.index].end else {
            unreachable!("a call site has a call")
        };
        let callee = self.plans[callee.index()].clone().expect("functions that are called have a plan");
        let passed = callee.entry_parameters.iter().map(|&parameter| &arguments[parameter]);
        self.executor.evaluate(pool, (live, values), passed)
    }

    /// The heap pointer on which accesses to the region depend.
    pub(super) fn limit_of_accesses(&self, region: Region) -> Option<Region> {
        let is_checked =
            self.executor.config.accesses == Accesses::Checked && !self.program.checks_accesses_to(region);
        self.context.heap_pointer(region).filter(|_| is_checked)
    }

    /// Whether replacing the contents of `object` replaces all of `region`.
    pub(super) fn fills(&self, object: Object, region: Region) -> bool {
        self.context.fills(&self.executor, object, region)
    }

    /// The heap pointers, as regions of a state; none if the program allocates no blocks.
    pub(super) fn heap_pointers(&self) -> impl Iterator<Item = Region> + use<> {
        let Context { heap_index: first, zones, .. } = &self.context;
        let count = if zones.has_blocks() { zones.zones.len() } else { 0 };
        (*first..first + count).map(Region::new)
    }

    /// The heap pointer of the blocks of an `Allocate`, as a region of a state.
    pub(super) fn pointer_of(&self, parts: &[Part]) -> Region {
        self.context.heap_pointer(parts[0].region).expect("the blocks of the program have zones")
    }

    /// The regions whose contents at program start are not a constant, and the heap pointers.
    pub(super) fn unknown_at_start(&self) -> RegionSet {
        let mut unknown = RegionSet::default();
        for (index, region) in self.executor.memory.regions.iter().enumerate() {
            if region.is_unknown_at_first {
                unknown.insert(Region::new(index));
            }
        }
        self.heap_pointers().for_each(|pointer| _ = unknown.insert(pointer));
        unknown
    }

    /// The zone of a heap pointer; `None` for the contents of a region.
    pub(super) fn zone_of(&self, region: Region) -> Option<usize> {
        region.index().checked_sub(self.context.heap_index)
    }

    /// The index of a heap pointer among the regions of a state.
    pub(super) fn heap_index(&self, zone: usize) -> usize {
        self.context.heap_index + zone
    }

    /// Whether a symbol is an over-approximation.
    pub(super) fn is_approximation(&self, symbol: Term) -> bool {
        self.context.approximations.contains(&symbol)
    }

    /// All regions and the heap pointers at program start.
    pub(super) fn initial_regions(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut regions = self.executor.memory.initial();
        let width = self.executor.memory.pointer_width;
        regions.extend(self.context.zones.zones.iter().map(|zone| pool.bv(width, zone.start)));
        regions
    }

    /// Executes a block in a state with the values that are live at its start. Returns the inputs
    /// in execution order.
    pub(super) fn execute(
        &mut self,
        pool: &mut TermPool,
        block: Block,
        guard: GuardId,
        state: &State,
        exits: &mut Vec<Exit>,
    ) -> Vec<InputRecord> {
        self.execute_after(pool, (block, 0), guard, state, exits)
    }

    /// Executes a block after this number of its calls, in a state with the values that are live
    /// there and the result of the last of these calls.
    pub(super) fn execute_after(
        &mut self,
        pool: &mut TermPool,
        (block, calls): (Block, usize),
        guard: GuardId,
        state: &State,
        exits: &mut Vec<Exit>,
    ) -> Vec<InputRecord> {
        let mut inputs = Vec::new();
        let Some(plan) = &self.plan.blocks[block.index()] else { return inputs };
        let is_once = self.context.of == self.program.entry && self.loops.depth(block) == 0;
        let policy = Current { context: &mut self.context, is_once, calls, exits, inputs: &mut inputs };
        let executor = &mut self.executor;
        let (code, regions) = (&self.function.blocks[block], state.regions.clone());
        let execution = Execution { pool, executor, policy, code, guard, regions };
        execution.execute(&plan.segments[calls], &state.values, state.result);
        inputs
    }
}

impl Context {
    fn next_frame(&self, pool: &mut TermPool) -> Term {
        let width = pool.width(self.frame);
        let size = pool.bv(width, self.stack.size(self.of));
        pool.bv_add(self.frame, size)
    }

    /// Whether `object` is the only object that is ever in `region`.
    fn fills(&self, executor: &Executor<'_>, object: Object, region: Region) -> bool {
        executor.memory.regions[region.index()].only_object == Some(object)
            && self.stack.offset(object).is_none()
    }
}

/// The block being executed.
struct Current<'a> {
    context: &'a mut Context,
    /// Whether each run executes the block at most once.
    is_once: bool,
    /// The number of calls before the execution.
    calls: usize,
    exits: &'a mut Vec<Exit>,
    /// The inputs so far.
    inputs: &'a mut Vec<InputRecord>,
}

impl Policy for Current<'_> {
    fn input(&mut self, value: Value, symbol: Term, precision: Precision) {
        self.inputs.push(InputRecord::Value { value, term: symbol, precision });
        if precision == Precision::Approximation {
            self.context.approximations.insert(symbol);
        }
    }

    fn address(&mut self, pool: &mut TermPool, executor: &mut Executor<'_>, object: Object) -> Option<Term> {
        let width = executor.memory.pointer_width;
        let address = match self.context.stack.offset(object) {
            Some(offset) => {
                let offset = pool.bv(width, offset);
                pool.bv_add(self.context.frame, offset)
            }
            None => pool.bv(width, *self.context.addresses.get(&object)?),
        };
        self.inputs.push(InputRecord::Object { object, address: Quantity::of(pool, address) });
        Some(address)
    }

    fn forgetting(&self, executor: &Executor<'_>, object: Object, region: Region, _: u64) -> Forgetting {
        let memory = &executor.memory;
        let is_new = self.is_once
            && self.context.stack.offset(object).is_none()
            && memory.forget_sites[&(object, region)] == 1;
        if self.context.fills(executor, object, region) {
            Forgetting::Region
        } else if is_new && memory.regions[region.index()].is_unknown_at_first {
            Forgetting::Nothing
        } else {
            Forgetting::Cells
        }
    }

    fn forgotten(
        &mut self,
        pool: &TermPool,
        object: Object,
        region: Region,
        contents: Term,
        (address, size): (Term, u64),
    ) {
        self.inputs.push(InputRecord::of_object(
            object,
            region,
            contents,
            (Quantity::of(pool, address), size),
        ));
    }

    fn allocate(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation) -> Option<HeapBlock> {
        let address = execution.regions[execution.policy.context.pointer_index(allocation)];
        let block =
            InputRecord::Block { result: allocation.result, address: Quantity::of(execution.pool, address) };
        execution.policy.inputs.push(block);
        Some(HeapBlock { address, bytes: execution.pool.as_bv_u64(allocation.size) })
    }

    /// Advances the heap pointer past the block.
    fn allocated(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation, heap: Term) -> Flow {
        let record = InputRecord::of_block(execution, allocation, heap);
        execution.policy.inputs.extend(record);
        let index = execution.policy.context.pointer_index(allocation);
        let zone = execution.policy.context.zone(index);
        let next = match execution.executor.layout.slot_bits() {
            Some(bits) => next_slot(execution, allocation, (zone, heap), bits),
            None => next_block(execution, allocation, (zone, heap)),
        };
        let Some(next) = next else { return Flow::Ends };
        execution.set(index, next);
        Flow::Continues
    }

    fn outside_blocks(execution: &mut Execution<'_, '_, Self>, access: &Access, mut outside: Term) -> Term {
        let Execution { pool, policy: Current { context, .. }, regions, .. } = execution;
        if let Some(pointer) = context.heap_pointer(access.region) {
            let zone = context.zone(pointer.index());
            let beyond = beyond(pool, access, zone.start, regions[pointer.index()]);
            outside = pool.and2(outside, beyond);
        }
        if context.stack.holds(access.region) {
            let end = context.next_frame(pool);
            let beyond = beyond(pool, access, context.stack.start, end);
            outside = pool.and2(outside, beyond);
        }
        outside
    }

    fn call(mut execution: Execution<'_, '_, Self>, callee: Function, _: &[Tape], live: &[u32]) {
        if reserve_frame(&mut execution, callee) == Flow::Ends {
            return;
        }
        let Execution { executor, policy, guard, regions, .. } = execution;
        let values = live.iter().map(|&value| executor.environment[value as usize]).collect();
        let state = State { values, result: None, regions };
        let incoming = Incoming { from: NOWHERE, guard, state };
        policy.exits.push(Exit::Call { index: policy.calls, incoming });
    }

    fn returns(mut execution: Execution<'_, '_, Self>, value: Option<&Tape>) {
        let result = value.map(|value| execution.run(value));
        let Execution { policy, guard, regions, .. } = execution;
        let state = State { values: Rc::new([]), result, regions };
        policy.exits.push(Exit::Return { incoming: Incoming { from: NOWHERE, guard, state } });
    }

    fn edge(&mut self, edge: &EdgePlan, guard: GuardId, state: State) {
        let incoming = Incoming { from: NOWHERE, guard, state };
        self.exits.push(Exit::Edge { target: edge.target, incoming });
    }

    fn error(&mut self, _: &Executor<'_>, property: Property, guard: GuardId) {
        self.exits.push(Exit::Error { property, guard });
    }

    fn unsupported(&mut self, executor: &Executor<'_>, cause: UnsupportedCause, guard: GuardId, span: Span) {
        let what = match cause {
            UnsupportedCause::Construct(of) => executor.program.unsupported[of].construct.clone(),
            other => other.to_string(),
        };
        self.exits.push(Exit::Unsupported { what, guard, span });
    }
}

/// The condition under which an access is not between `first` and `end`.
fn beyond(pool: &mut TermPool, access: &Access, first: u64, end: Term) -> Term {
    let width = pool.width(end);
    let (first, bytes) = (pool.bv(width, first), pool.bv(width, access.bytes));
    let used = pool.bv_sub(end, first);
    let offset = pool.bv_sub(access.address, first);
    let last = pool.bv_sub(used, bytes);
    let (has_room, is_before) = (pool.bv_ule(bytes, used), pool.bv_ule(offset, last));
    let inside = pool.and2(has_room, is_before);
    pool.not(inside)
}

/// Continues with the executions in which the frame of a callee fits.
fn reserve_frame(execution: &mut Execution<'_, '_, Current<'_>>, callee: Function) -> Flow {
    let context = &execution.policy.context;
    if !context.stack.is_needed(callee) {
        return Flow::Continues;
    }
    let last = context.stack.last_frame(callee);
    let frame = context.next_frame(execution.pool);
    let width = execution.executor.memory.pointer_width;
    let last = execution.pool.bv(width, last);
    let fits = execution.pool.bv_ule(frame, last);
    let span = execution.executor.program.functions[callee].span;
    if execution.executor.layout.slot_bits().is_some_and(|bits| width - bits <= FEW_SLOTS) {
        execution.demand(fits, UnsupportedCause::AddressSpace, span)
    } else {
        execution.assume(fits)
    }
}

/// The heap pointer after the block and a gap; `None` if there is definitely no room.
fn next_block(
    execution: &mut Execution<'_, '_, Current<'_>>,
    allocation: &Allocation,
    (zone, heap): (Zone, Term),
) -> Option<Term> {
    let width = execution.executor.memory.pointer_width;
    if demand_possible(execution, allocation) == Flow::Ends {
        return None;
    }
    // The heap pointer is a multiple of `BLOCK_ALIGN`.
    let size = execution.pool.as_bv_u64(allocation.size).filter(|&size| size < zone.last);
    let distance =
        zone.stride.or_else(|| size?.checked_add(2 * BLOCK_ALIGN - 1).map(|end| end & !(BLOCK_ALIGN - 1)));
    if let Some(distance) = distance {
        let needed = distance.checked_add(2 * BLOCK_ALIGN)?;
        let last = zone.last.checked_sub(needed).filter(|&last| last >= zone.start)?;
        let last = execution.pool.bv(width, last);
        let is_below = execution.pool.bv_ule(heap, last);
        let distance = execution.pool.bv(width, distance);
        let next = execution.pool.bv_add(heap, distance);
        return (find_room(execution, is_below, allocation.span) == Flow::Continues).then_some(next);
    }
    // Room for the block, the guard byte and rounding; `last - heap` does not wrap because the heap
    // stays below `last`.
    let last = zone.last.saturating_sub(2 * BLOCK_ALIGN);
    let last = execution.pool.bv(width, last);
    let room = execution.pool.bv_sub(last, heap);
    let fits = execution.pool.bv_ule(allocation.size, room);
    if find_room(execution, fits, allocation.span) == Flow::Ends {
        return None;
    }
    let gap = execution.pool.bv(width, 2 * BLOCK_ALIGN - 1);
    let end = execution.pool.bv_add(heap, allocation.size);
    let end = execution.pool.bv_add(end, gap);
    let mask = execution.pool.bv(width, !(BLOCK_ALIGN - 1));
    let next = execution.pool.bv_and(end, mask);
    let is_below = execution.pool.bv_ule(next, last);
    (find_room(execution, is_below, allocation.span) == Flow::Continues).then_some(next)
}

/// Continues with the executions in which the block is not larger than the addresses of a process.
/// In the others `malloc` fails, so they are not excluded.
fn demand_possible(execution: &mut Execution<'_, '_, Current<'_>>, allocation: &Allocation) -> Flow {
    let width = execution.executor.memory.pointer_width;
    let limit = LARGEST_PROCESS.min(1 << (width - 1));
    let most = execution.pool.bv(width, limit);
    let is_possible = execution.pool.bv_ule(allocation.size, most);
    execution.demand(is_possible, UnsupportedCause::Allocation { limit }, allocation.span)
}

/// Continues with the executions that satisfy `condition`, in which the heap pointer leaves room
/// for a block. The others do not exist, unless blocks that have ended leave room elsewhere.
fn find_room(execution: &mut Execution<'_, '_, Current<'_>>, condition: Term, span: Span) -> Flow {
    match execution.executor.program.machine.frees {
        true => execution.demand(condition, UnsupportedCause::AddressSpace, span),
        false => execution.assume(condition),
    }
}

/// The heap pointer in the next slot of 2^`bits` addresses. If there are few slots, a program may
/// exhaust them.
fn next_slot(
    execution: &mut Execution<'_, '_, Current<'_>>,
    allocation: &Allocation,
    (zone, heap): (Zone, Term),
    bits: u32,
) -> Option<Term> {
    let width = execution.executor.memory.pointer_width;
    let capacity = execution.pool.bv(width, slot_capacity(bits));
    let fits = execution.pool.bv_ule(allocation.size, capacity);
    let cause = UnsupportedCause::Allocation { limit: slot_capacity(bits) };
    if execution.demand(fits, cause, allocation.span) == Flow::Ends {
        return None;
    }
    let last = zone.last - (2 << bits);
    let last = execution.pool.bv(width, last);
    let is_below = execution.pool.bv_ule(heap, last);
    let flow = if width - bits <= FEW_SLOTS {
        execution.demand(is_below, UnsupportedCause::AddressSpace, allocation.span)
    } else {
        execution.assume(is_below)
    };
    if flow == Flow::Ends {
        return None;
    }
    let stride = execution.pool.bv(width, 1 << bits);
    Some(execution.pool.bv_add(heap, stride))
}
