//! Symbolic execution of a block: the executor shared by the unroller and the views.
//!
//! A block, or its part up to the next call, is executed in a *state*, which maps the values that
//! are live at its start and all regions to terms, under a *guard*. Each instruction is one case of
//! `Execution::step`, each kind of terminator one case of `Execution::leave`. Pure instructions run
//! as tapes (`tape`), loads and stores are terms over the contents of regions (`memory`), a branch
//! extends the guard by its literal (`guards`), and each access is checked against the objects of
//! its region (`extents`). Data that does not depend on the state is precomputed once per function
//! (`plan`).
//!
//! The client chooses a [`Policy`], which is dispatched statically. It determines everything that
//! depends on the context:
//!
//! | | `unroll` | the views (`machine`) |
//! |---|---|---|
//! | automatic object | one address for each activation | one address, or one in a frame |
//! | heap block | the next free address, a constant | the heap pointer, a state variable |
//! | forgetting an object | no effect if its addresses are new; a fresh array, or cell by cell | a fresh array, or cell by cell |
//! | inputs | recorded for the trace | recorded for the trace; approximations are marked |
//! | calls of functions with a body | expanded | rejected beforehand, or ends of the execution ([`procedures`](crate::procedures)) |
//! | exits | the queues of activations, the frontier | `Exit`s of the block |
//!
//! The soundness rules shared by both are implemented here. An access outside of every object is
//! reported with its path condition, and execution continues, because memory has some contents
//! there. Any other unsupported operation is reported, and execution ends under its path condition.

mod cells;
pub(crate) mod extents;
pub(crate) mod guards;
pub(crate) mod memory;
pub(crate) mod plan;
mod ranges;
pub(crate) mod tape;

use cells::{CellAccess, Cells};
use extents::Extents;
use grammars::source::Span;
use guards::{GuardId, GuardTree, State};
use memory::{Memory, RegionInfo};
use plan::{EdgePlan, End, FunctionPlan, Gather, Precision, Segment, Step};
use program::layout::{Layout, LayoutError};
use program::ssa::{
    BlockData, Contents, Function, Object, Part, Program, Property, Region, RegionKind, Type, Unsupported,
    Value,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tape::Tape;
use terms::entity::Entity;
use terms::{Representation, Sort, Term, TermPool};

/// Alignment of heap blocks.
pub(crate) const BLOCK_ALIGN: u64 = 16;

/// Limits of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes reserved for a heap block of non-constant size; a larger block is reported as
    /// unsupported.
    pub allocation_slot: u64,
    /// The greatest number of cells of an object that are forgotten or cleared one by one.
    pub forget_cells: u64,
    /// The treatment of accesses outside of objects.
    pub accesses: Accesses,
}

/// The treatment of accesses outside of objects, in programs that do not check their accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// Accesses are checked, and accesses outside of objects are reported as unsupported.
    Checked,
    /// Accesses are assumed to be inside of objects.
    Trusted,
}

impl Config {
    /// 64 KiB, 4096 cells, checked accesses.
    pub const STANDARD: Config =
        Config { allocation_slot: 1 << 16, forget_cells: 4096, accesses: Accesses::Checked };

    /// `STANDARD` without access checks, for formulas that other tools decide: their
    /// counterexamples must be replayed, and their proofs assume that no access is outside of an
    /// object.
    pub const TRUSTING: Config = Config { accesses: Accesses::Trusted, ..Config::STANDARD };
}

/// The reason why a program cannot be executed symbolically.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The program has no layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A loop with several entries; see [`ssa::reducible`](program::ssa).
    #[error("the function `{function}` has a loop with several entries")]
    Irreducible {
        /// The function.
        function: String,
    },
    /// The entry function has no body.
    #[error("the entry function `{function}` has no body")]
    NoEntry {
        /// The function.
        function: String,
    },
}

/// An operation that the formulas do not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedCause {
    /// A construct that the front end does not support.
    #[error("construct {0}")]
    Construct(Unsupported),
    /// An indirect call that no pass resolved.
    #[error("call through a function pointer")]
    IndirectCall,
    /// A heap block that may exceed [`Config::allocation_slot`] or the address space.
    #[error("allocation larger than {limit} bytes")]
    Allocation {
        /// The greatest supported size.
        limit: u64,
    },
    /// A load or store that is not inside an object.
    #[error("access outside of every object")]
    OutOfBounds,
    /// No room for another object.
    #[error("address space exhausted")]
    AddressSpace,
    /// An object of more than [`Config::forget_cells`] cells that becomes nondeterministic or zero.
    #[error("initialization of an object of {cells} cells")]
    Contents {
        /// The number of cells.
        cells: u64,
    },
}

impl UnsupportedCause {
    /// Whether no view of the program supports the operation. The other causes are limits of the
    /// unrolling, and the clauses of a program may exclude or have no such limit.
    #[must_use]
    pub fn holds_in_each_view(&self) -> bool {
        matches!(
            self,
            UnsupportedCause::Construct(_) | UnsupportedCause::IndirectCall | UnsupportedCause::OutOfBounds
        )
    }
}

terms::entity! {
    /// An instance: a part of a block in a context.
    InstanceId, "i"
}

/// The source of states without a predecessor instance: at program start, and in the views, which
/// do not record paths.
pub(crate) const NOWHERE: InstanceId = InstanceId(u32::MAX);

/// The context of a block: answers the queries of the executor and receives its results.
pub(crate) trait Policy: Sized {
    /// Reports that `symbol` is the nondeterministic `value`.
    fn input(&mut self, value: Value, symbol: Term, precision: Precision);

    /// Returns the address of an automatic object; `None` if there is no room.
    fn address(&mut self, pool: &mut TermPool, executor: &mut Executor<'_>, object: Object) -> Option<Term>;

    /// Decides how `object` becomes nondeterministic in the array `region`, where it has `cells`
    /// cells.
    fn forgetting(&self, executor: &Executor<'_>, object: Object, region: Region, cells: u64) -> Forgetting;

    /// Reports that an object is now nondeterministic: the bytes of `contents` from this address
    /// on, as many as its size.
    fn forgotten(&mut self, _: &TermPool, _: Object, _: Region, _contents: Term, _: (Term, u64)) {}

    /// Assigns an address to a heap block; `None` if execution ends.
    fn allocate(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation) -> Option<HeapBlock>;

    /// Reports that the heap block at `address` has been initialized.
    fn allocated(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation, address: Term) -> Flow;

    /// The condition under which an access is outside of all heap blocks, given the condition
    /// `outside` that it is outside of all objects in the extents.
    fn outside_blocks(_: &mut Execution<'_, '_, Self>, _: &Access, outside: Term) -> Term {
        outside
    }

    /// Executes a call of a function with a body; `live` are the values that are live before it.
    fn call(execution: Execution<'_, '_, Self>, callee: Function, arguments: &[Tape], live: &[u32]);

    /// Executes a return of `value`.
    fn returns(_execution: Execution<'_, '_, Self>, _value: Option<&Tape>) {}

    /// Takes `edge`.
    fn edge(&mut self, edge: &EdgePlan, guard: GuardId, state: State);

    /// Reports that the guard of `edge` is syntactically false.
    fn dead_edge(&mut self, _: &EdgePlan) {}

    /// Reports that execution reaches an error site.
    fn error(&mut self, executor: &Executor<'_>, property: Property, guard: GuardId);

    /// Reports that the formulas do not support an operation under `guard`.
    fn unsupported(&mut self, executor: &Executor<'_>, cause: UnsupportedCause, guard: GuardId, span: Span);
}

/// How an object in an array becomes nondeterministic.
pub(crate) enum Forgetting {
    /// Its contents are unknown already.
    Nothing,
    /// The region becomes a fresh array.
    Region,
    /// Each cell becomes a fresh symbol.
    Cells,
}

/// An `Allocate` under execution.
pub(crate) struct Allocation {
    pub(crate) result: Value,
    pub(crate) parts: Rc<[Part]>,
    /// The size in bytes.
    pub(crate) size: Term,
    pub(crate) contents: Contents,
    pub(crate) span: Span,
}

/// The location of a heap block.
pub(crate) struct HeapBlock {
    pub(crate) address: Term,
    /// The number of reserved bytes, if it is constant.
    pub(crate) bytes: Option<u64>,
}

/// A load or store.
pub(crate) struct Access {
    pub(crate) region: Region,
    pub(crate) address: Term,
    /// The size of the access in bytes.
    pub(crate) bytes: u64,
}

/// Whether execution continues.
#[derive(PartialEq, Eq)]
pub(crate) enum Flow {
    Continues,
    Ends,
}

/// State shared by all executions of the blocks of one program.
pub(crate) struct Executor<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) layout: Layout,
    pub(crate) memory: Rc<Memory>,
    pub(crate) guards: GuardTree,
    /// The extents of the objects so far.
    pub(crate) extents: Extents,
    /// The term of each value, from the last execution of its definition or the last entry of a
    /// block.
    pub(crate) environment: Vec<Term>,
    scratch: tape::Scratch,
    cells: Cells,
    /// The number of symbols created for each name.
    names: FxHashMap<Box<str>, u32>,
    /// The symbols that stand for inputs and unknown contents, with the place of the instruction
    /// that makes them.
    pub(crate) inputs: Vec<(Term, Span)>,
}

impl<'p> Executor<'p> {
    /// Sets up an executor; the extents contain the static objects.
    ///
    /// # Errors
    /// If the program has no layout or the entry function has no body.
    pub(crate) fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, SetupError> {
        let entry = &program.functions[program.entry];
        if !entry.is_defined() {
            return Err(SetupError::NoEntry { function: entry.name.clone() });
        }
        let layout = Layout::new(program)?;
        Ok(Executor {
            program,
            config,
            memory: Rc::new(Memory::new(pool, program, &layout, config.forget_cells)),
            extents: Extents::of_static_objects(program, &layout),
            layout,
            guards: GuardTree::new(pool),
            environment: Vec::new(),
            scratch: tape::Scratch::default(),
            cells: Cells::default(),
            names: FxHashMap::default(),
            inputs: Vec::new(),
        })
    }

    /// Prepares the execution of a function with a body.
    ///
    /// # Errors
    /// If the function is irreducible.
    pub(crate) fn plan(&mut self, pool: &mut TermPool, of: Function) -> Result<Rc<FunctionPlan>, SetupError> {
        let plan = FunctionPlan::new(pool, self.program, &self.layout, of)?;
        let values = self.environment.len().max(plan.values);
        self.environment.resize(values, pool.tru());
        Ok(Rc::new(plan))
    }

    /// Prepares the execution of the entry function and of all functions that it may call; by
    /// function, `None` for the others.
    ///
    /// # Errors
    /// If one of the functions is irreducible.
    pub(crate) fn plans(&mut self, pool: &mut TermPool) -> Result<Vec<Option<Rc<FunctionPlan>>>, SetupError> {
        let mut plans = vec![None; self.program.functions.len()];
        let mut waiting = vec![self.program.entry];
        while let Some(function) = waiting.pop() {
            if plans[function.index()].is_some() {
                continue;
            }
            let plan = self.plan(pool, function)?;
            let segments = plan.blocks.iter().flatten().flat_map(|block| &block.segments);
            waiting.extend(segments.filter_map(|segment| segment.end.callee()));
            plans[function.index()] = Some(plan);
        }
        Ok(plans)
    }

    /// Evaluates tapes, given the terms of the values on which they depend.
    pub(crate) fn evaluate<'t>(
        &mut self,
        pool: &mut TermPool,
        (values, terms): (&[u32], &[Term]),
        tapes: impl Iterator<Item = &'t Tape>,
    ) -> Vec<Term> {
        for (&value, &term) in values.iter().zip(terms) {
            self.environment[value as usize] = term;
        }
        tapes.map(|tape| tape.run(pool, &self.environment, &mut self.scratch)).collect()
    }

    /// Creates a fresh symbol `name@n` for the instruction at `span`.
    fn fresh(
        &mut self,
        pool: &mut TermPool,
        name: &str,
        (sort, representation): (Sort, Representation),
        span: Span,
    ) -> Term {
        if !self.names.contains_key(name) {
            self.names.insert(name.into(), 0);
        }
        let count = self.names.get_mut(name).expect("just inserted");
        loop {
            let before = pool.symbol_count();
            let symbol = pool.symbol_with(&format!("{name}@{count}"), sort, representation);
            *count += 1;
            if pool.symbol_count() > before {
                self.inputs.push((symbol, span));
                return symbol;
            }
        }
    }
}

/// The execution of a block or a part of it.
pub(crate) struct Execution<'a, 'p, P> {
    pub(crate) pool: &'a mut TermPool,
    pub(crate) executor: &'a mut Executor<'p>,
    pub(crate) policy: P,
    pub(crate) code: &'p BlockData,
    pub(crate) guard: GuardId,
    /// The contents of all regions.
    pub(crate) regions: Rc<Vec<Term>>,
}

impl<P: Policy> Execution<'_, '_, P> {
    /// Executes `segment`, a part of the block, given the values of the state at its start and the
    /// result of the preceding call.
    pub(crate) fn execute(mut self, segment: &Segment, values: &[Term], result: Option<Term>) {
        for (&value, &term) in segment.entry.iter().zip(values) {
            self.define(value, term);
        }
        if let (Some(value), Some(term)) = (segment.call_result, result) {
            self.define(value, term);
        }
        for step in &segment.steps {
            if self.step(step) == Flow::Ends {
                return;
            }
        }
        self.leave(&segment.end);
    }

    /// Evaluates `tape` in the current environment.
    pub(crate) fn run(&mut self, tape: &Tape) -> Term {
        tape.run(self.pool, &self.executor.environment, &mut self.executor.scratch)
    }

    fn define(&mut self, value: u32, term: Term) {
        self.executor.environment[value as usize] = term;
    }

    /// Replaces an entry of `regions`.
    pub(crate) fn set(&mut self, index: usize, contents: Term) {
        if self.regions[index] != contents {
            Rc::make_mut(&mut self.regions)[index] = contents;
        }
    }

    fn span(&self, instruction: u32) -> Span {
        self.code.instructions[instruction as usize].span
    }

    fn step(&mut self, step: &Step) -> Flow {
        match step {
            Step::Pure { result, tape } => {
                let term = self.run(tape);
                self.define(*result, term);
            }
            Step::Havoc { result, name, ty, precision, instruction } => {
                let (kind, span) = ((ty.sort(), ty.representation()), self.span(*instruction));
                let symbol = self.executor.fresh(self.pool, name, kind, span);
                self.policy.input(Value(*result), symbol, *precision);
                self.define(*result, symbol);
            }
            Step::Address { result, object } => {
                let Some(address) = self.policy.address(self.pool, self.executor, *object) else {
                    let span = self.executor.program.objects[*object].span;
                    return self.give_up(UnsupportedCause::AddressSpace, span);
                };
                self.define(*result, address);
            }
            Step::Load { result, region, address, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(address));
                self.check_bounds(*region, address, *ty, *instruction);
                let contents = self.regions[region.index()];
                let access = CellAccess { region: *region, contents, address, ty: *ty };
                let Executor { memory, scratch, cells, .. } = &mut *self.executor;
                let term = cells.load(self.pool, (&**memory, &mut scratch.ranges), access);
                self.define(*result, term);
            }
            Step::Store { region, address, value, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(address));
                self.check_bounds(*region, address, *ty, *instruction);
                let value = self.run(value);
                let contents = self.regions[region.index()];
                let access = CellAccess { region: *region, contents, address, ty: *ty };
                let Executor { memory, scratch, cells, .. } = &mut *self.executor;
                let stored = cells.store(self.pool, (&**memory, &mut scratch.ranges), access, value);
                self.set(region.index(), stored);
            }
            Step::Forget { region, object, instruction } => {
                return self.forget(*object, *region, *instruction);
            }
            Step::Allocate { result, parts, size, contents, instruction } => {
                let (result, parts, contents) = (Value(*result), Rc::clone(parts), *contents);
                let (size, span) = (self.run(size), self.span(*instruction));
                return self.allocate(&Allocation { result, parts, size, contents, span });
            }
        }
        Flow::Continues
    }

    /// Reports executions in which an access is not inside an object: memory has unknown contents
    /// there, and the alias analysis does not cover such accesses. Execution continues, since a
    /// path to an error is replayed in any case.
    fn check_bounds(&mut self, region: Region, address: Option<Term>, ty: Type, instruction: u32) {
        let Some(address) = address else { return };
        let Executor { program, config, extents, .. } = &*self.executor;
        if config.accesses == Accesses::Trusted || program.checks_accesses_to(region) {
            return;
        }
        let access = Access { region, address, bytes: ty.bytes() };
        let outside = extents.outside(self.pool, region, address, access.bytes);
        let outside = P::outside_blocks(self, &access, outside);
        self.unsupported(outside, UnsupportedCause::OutOfBounds, self.span(instruction));
    }

    fn forget(&mut self, object: Object, region: Region, instruction: u32) -> Flow {
        let address = match self.executor.layout.object(object) {
            Some(address) => Some(self.pool.bv(self.executor.memory.pointer_width, address)),
            None => self.policy.address(self.pool, self.executor, object),
        };
        let Some(address) = address else {
            return self.give_up(UnsupportedCause::AddressSpace, self.span(instruction));
        };
        let data = &self.executor.program.objects[object];
        let info = &self.executor.memory.regions[region.index()];
        let (sort, cells) = (info.sort, data.size.div_ceil(info.cell_bytes));
        let (forgetting, representation, size) = match info.kind {
            RegionKind::Scalar(ty) => (Forgetting::Region, ty.representation(), ty.bytes()),
            _ => {
                let forgetting = self.policy.forgetting(self.executor, object, region, cells);
                (forgetting, Representation::Unsigned, data.size)
            }
        };
        match forgetting {
            Forgetting::Nothing => {}
            Forgetting::Region => {
                let (kind, span) = ((sort, representation), self.span(instruction));
                let fresh = self.executor.fresh(self.pool, &data.name, kind, span);
                self.set(region.index(), fresh);
            }
            Forgetting::Cells if cells <= self.executor.config.forget_cells => {
                self.forget_cells(&Part::whole(region), address, cells, (&data.name, self.span(instruction)));
            }
            Forgetting::Cells => {
                return self.give_up(UnsupportedCause::Contents { cells }, self.span(instruction));
            }
        }
        let contents = self.regions[region.index()];
        self.policy.forgotten(self.pool, object, region, contents, (address, size));
        Flow::Continues
    }

    /// Makes the cells of a part of an object nondeterministic.
    fn forget_cells(&mut self, part: &Part, address: Term, cells: u64, (name, span): (&str, Span)) {
        let region = part.region;
        let width = self.executor.memory.pointer_width;
        let RegionInfo { cell: ty, cell_bytes, .. } = self.executor.memory.regions[region.index()];
        let first = self.pool.as_bv_u64(address);
        let mut contents = self.regions[region.index()];
        for cell in (0..cells).filter(|cell| part.offsets.contains(cell * cell_bytes)) {
            let name = format!("{name}[{cell}]");
            let fresh = self.executor.fresh(self.pool, &name, (ty.sort(), ty.representation()), span);
            let index = match first {
                Some(first) => self.pool.bv(width, first + cell * cell_bytes),
                None => self.executor.memory.offset(self.pool, address, cell * cell_bytes),
            };
            contents = self.pool.store(contents, index, fresh);
        }
        self.set(region.index(), contents);
    }

    fn allocate(&mut self, allocation: &Allocation) -> Flow {
        let Some(block) = P::allocate(self, allocation) else { return Flow::Ends };
        self.define(allocation.result.0, block.address);
        // In a region with zeroed blocks, memory starts as zeros, and the addresses of the block
        // are new.
        for part in &allocation.parts[..] {
            let RegionInfo { is_unknown_at_first, cell_bytes, .. } =
                self.executor.memory.regions[part.region.index()];
            if allocation.contents == Contents::Zero || is_unknown_at_first {
                continue;
            }
            let limit = self.executor.config.forget_cells;
            let cause = match block.bytes.map(|bytes| bytes.div_ceil(cell_bytes)) {
                Some(cells) if cells <= limit => {
                    self.forget_cells(part, block.address, cells, ("block", allocation.span));
                    continue;
                }
                Some(cells) => UnsupportedCause::Contents { cells },
                None => UnsupportedCause::Allocation { limit: limit * cell_bytes },
            };
            return self.give_up(cause, allocation.span);
        }
        P::allocated(self, allocation, block.address)
    }

    /// Reports the executions that satisfy `condition`.
    fn unsupported(&mut self, condition: Term, cause: UnsupportedCause, span: Span) {
        if let Some(guard) = self.executor.guards.and(self.pool, self.guard, condition) {
            self.policy.unsupported(self.executor, cause, guard, span);
        }
    }

    /// Reports all executions and ends.
    pub(crate) fn give_up(&mut self, cause: UnsupportedCause, span: Span) -> Flow {
        self.policy.unsupported(self.executor, cause, self.guard, span);
        Flow::Ends
    }

    /// Reports the executions that violate `condition`; the others continue.
    pub(crate) fn demand(&mut self, condition: Term, cause: UnsupportedCause, span: Span) -> Flow {
        let otherwise = self.pool.not(condition);
        self.unsupported(otherwise, cause, span);
        self.assume(condition)
    }

    /// Continues with the executions that satisfy `condition`.
    pub(crate) fn assume(&mut self, condition: Term) -> Flow {
        let Some(guard) = self.executor.guards.and(self.pool, self.guard, condition) else {
            return Flow::Ends;
        };
        self.guard = guard;
        Flow::Continues
    }

    fn leave(mut self, end: &End) {
        match end {
            End::Call { callee, arguments, live } => P::call(self, *callee, arguments, live),
            End::IndirectCall { instruction } => {
                self.give_up(UnsupportedCause::IndirectCall, self.span(*instruction));
            }
            End::Goto(edge) => self.send(Some(self.guard), edge),
            End::Branch { condition, then, otherwise } => {
                let condition = self.run(condition);
                let guard = self.executor.guards.and(self.pool, self.guard, condition);
                self.send(guard, then);
                let negated = self.pool.not(condition);
                let guard = self.executor.guards.and(self.pool, self.guard, negated);
                self.send(guard, otherwise);
            }
            End::Switch { scrutinee, cases, default } => {
                let scrutinee = self.run(scrutinee);
                let mut rest = Some(self.guard);
                for case in cases {
                    let Some(before) = rest else {
                        self.send(None, &case.edge);
                        continue;
                    };
                    let matches = case.condition(self.pool, scrutinee);
                    let guard = self.executor.guards.and(self.pool, before, matches);
                    self.send(guard, &case.edge);
                    let negated = self.pool.not(matches);
                    rest = self.executor.guards.and(self.pool, before, negated);
                }
                self.send(rest, default);
            }
            End::Return(value) => P::returns(self, value.as_ref()),
            End::Error(property) => self.policy.error(self.executor, *property, self.guard),
            End::Stop => {}
            End::Unsupported(construct) => {
                self.give_up(UnsupportedCause::Construct(*construct), self.code.span);
            }
        }
    }

    /// Takes an edge unless its guard is syntactically false.
    fn send(&mut self, guard: Option<GuardId>, edge: &EdgePlan) {
        let Some(guard) = guard else {
            self.policy.dead_edge(edge);
            return;
        };
        let values = edge.gather.iter().map(|gather| match gather {
            Gather::Value(value) => self.executor.environment[*value as usize],
            Gather::Argument(tape) => self.run(tape),
        });
        let state = State { values: values.collect(), result: None, regions: self.regions.clone() };
        self.policy.edge(edge, guard, state);
    }
}
