//! Symbolic execution of a block: the one executor below the unroller and the views.
//!
//! A block, or its part up to the next call, is executed in a *state*, which maps the values that are live at its start and
//! all regions to terms, under a *guard*. Each instruction is one case of `Execution::step`, each way out of a block one case of
//! `Execution::leave`. Pure instructions run as tapes (`tape`), loads and stores are terms over the contents of regions (`memory`),
//! a branch extends the guard by its literal (`guards`), and an access is compared with the objects of its region (`extents`).
//! What does not depend on the state is prepared once for each function (`plan`).
//!
//! Who executes blocks chooses a [`Policy`], which is dispatched statically. It owns what depends on the context:
//!
//! | | `unroll` | the views (`machine`) |
//! |---|---|---|
//! | automatic object | one address for each activation | one address |
//! | heap block | the next free address, a constant | the heap pointer, a variable of the state |
//! | forgetting an object | nothing if its addresses are new; a fresh array, or cell by cell | a fresh array, or cell by cell |
//! | inputs | recorded for the trace | only approximations are noted |
//! | calls of functions with a body | expanded | refused before |
//! | ways out | the queues of activations, the frontier | `Exit`s of the block |
//!
//! The rules of soundness that both share are here: an access outside of every object is reported with the guard under which it
//! happens and execution goes on, because memory there has some contents; anything else that the formulas do not cover is reported
//! and execution ends under that guard.

pub(crate) mod extents;
pub(crate) mod guards;
pub(crate) mod memory;
pub(crate) mod plan;
pub(crate) mod tape;

use extents::Extents;
use grammars::source::Span;
use guards::{GuardId, GuardTree, State};
use memory::{Memory, RegionInfo};
use plan::{EdgePlan, End, FunctionPlan, Gather, Precision, Segment, Step};
use program::layout::{Layout, LayoutError};
use program::ssa::{
    BlockData, Contents, Function, Object, Program, Property, Region, RegionKind, Type, Unsupported, Value,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tape::Tape;
use terms::entity::Entity;
use terms::{Representation, Sort, Term, TermPool};

/// Alignment of heap blocks.
pub(crate) const BLOCK_ALIGN: u64 = 16;

/// Sizes that are limits of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes reserved for a heap block whose size is not a constant; a larger one is reported as unsupported.
    pub allocation_slot: u64,
    /// The largest number of cells that are forgotten or cleared one by one.
    pub forget_cells: u64,
    /// What is said of accesses outside of objects.
    pub accesses: Accesses,
}

/// What is said of accesses outside of objects, in programs that do not check theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// They are reported as unsupported.
    Checked,
    /// There are none.
    Trusted,
}

impl Config {
    /// 64 KiB, 4096 cells, checked accesses.
    pub const STANDARD: Config =
        Config { allocation_slot: 1 << 16, forget_cells: 4096, accesses: Accesses::Checked };

    /// The same without checks of accesses, for formulas that other tools decide: what they find has to be replayed, what they prove
    /// presupposes that there is no access outside of an object.
    pub const TRUSTING: Config = Config { accesses: Accesses::Trusted, ..Config::STANDARD };
}

/// Why a program cannot be executed symbolically.
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

/// What the formulas do not cover.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedCause {
    /// A construct that the front end could not lower.
    #[error("construct {0}")]
    Construct(Unsupported),
    /// A call through a pointer that no pass resolved.
    #[error("call through a function pointer")]
    IndirectCall,
    /// A heap block that may be larger than [`Config::allocation_slot`] or the address space.
    #[error("allocation larger than {limit} bytes")]
    Allocation {
        /// The largest size covered.
        limit: u64,
    },
    /// A load or store that is not within an object.
    #[error("access outside of every object")]
    OutOfBounds,
    /// The address space is used up.
    #[error("address space used up")]
    AddressSpace,
    /// An object of more than [`Config::forget_cells`] cells becomes unknown or zero.
    #[error("new contents for an object of {cells} cells")]
    Contents {
        /// How many.
        cells: u64,
    },
}

terms::entity! {
    /// An instance: part of a block in a context.
    InstanceId, "i"
}

/// The source of states that come from no instance: at program start, and in the views, which keep no paths.
pub(crate) const NOWHERE: InstanceId = InstanceId(u32::MAX);

/// The context of a block: what the executor asks for, and where it puts what it finds.
pub(crate) trait Policy: Sized {
    /// `symbol` is the nondeterministic `value`.
    fn input(&mut self, value: Value, symbol: Term, precision: Precision);

    /// The address of an automatic object; `None` if there is no room.
    fn address(&mut self, executor: &mut Executor<'_>, object: Object) -> Option<u64>;

    /// How `object` becomes unknown in `region`, an array, where it has `cells` cells.
    fn forgetting(&self, executor: &Executor<'_>, object: Object, region: Region, cells: u64) -> Forgetting;

    /// `object` has become unknown: the `size` bytes from `address` on of `contents`.
    fn forgotten(&mut self, _object: Object, _region: Region, _contents: Term, _address: u64, _size: u64) {}

    /// Finds room for a heap block; `None` if execution ends.
    fn allocate(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation) -> Option<HeapBlock>;

    /// The heap block at `address` has its contents.
    fn allocated(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation, address: Term) -> Flow;

    /// The condition under which an access is outside of all heap blocks and `outside`, that is, outside of what the extents list.
    fn outside_blocks(_: &mut Execution<'_, '_, Self>, _: &Access, outside: Term) -> Term {
        outside
    }

    /// Execution calls a function with a body.
    fn call(execution: Execution<'_, '_, Self>, callee: Function, arguments: &[Tape]);

    /// Execution returns what `value` is.
    fn returns(_execution: Execution<'_, '_, Self>, _value: Option<&Tape>) {}

    /// Execution goes along `edge`.
    fn edge(&mut self, edge: &EdgePlan, guard: GuardId, state: State);

    /// Execution reaches an error site.
    fn error(&mut self, executor: &Executor<'_>, property: Property, guard: GuardId);

    /// The formulas do not cover what happens under `guard`.
    fn unsupported(&mut self, executor: &Executor<'_>, cause: UnsupportedCause, guard: GuardId, span: Span);
}

/// How an object in an array becomes unknown.
pub(crate) enum Forgetting {
    /// It is unknown already.
    Nothing,
    /// The region becomes a fresh array.
    Region,
    /// Each cell becomes a fresh symbol.
    Cells,
}

/// An `Allocate` under execution.
pub(crate) struct Allocation {
    pub(crate) result: Value,
    pub(crate) region: Region,
    /// In bytes.
    pub(crate) size: Term,
    pub(crate) contents: Contents,
    pub(crate) span: Span,
}

/// Where a heap block lies.
pub(crate) struct HeapBlock {
    pub(crate) address: Term,
    /// How many bytes are its own, if that is a constant.
    pub(crate) bytes: Option<u64>,
}

/// A load or store.
pub(crate) struct Access {
    pub(crate) region: Region,
    pub(crate) address: Term,
    /// How many are read or written.
    pub(crate) bytes: u64,
}

/// Whether execution goes on.
#[derive(PartialEq, Eq)]
pub(crate) enum Flow {
    Continues,
    Ends,
}

/// What executions of the blocks of one program share.
pub(crate) struct Executor<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) layout: Layout,
    pub(crate) memory: Memory,
    pub(crate) guards: GuardTree,
    /// Where objects lie so far.
    pub(crate) extents: Extents,
    /// By value: what it was when its definition was last executed, or entered a block.
    pub(crate) environment: Vec<Term>,
    scratch: tape::Scratch,
    /// How often each name was given to a symbol.
    names: FxHashMap<Box<str>, u32>,
    /// The symbols that stand for inputs and unknown contents, with the place of the instruction that makes them.
    pub(crate) inputs: Vec<(Term, Span)>,
}

impl<'p> Executor<'p> {
    /// Nothing is executed yet; the extents are those of static objects.
    ///
    /// # Errors
    /// If there is no layout or the entry function has no body.
    pub(crate) fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, SetupError> {
        let entry = &program.functions[program.entry];
        if !entry.is_defined() {
            return Err(SetupError::NoEntry { function: entry.name.clone() });
        }
        let layout = Layout::new(program)?;
        Ok(Executor {
            program,
            config,
            memory: Memory::new(pool, program, &layout),
            extents: Extents::of_static_objects(program, &layout),
            layout,
            guards: GuardTree::new(pool),
            environment: Vec::new(),
            scratch: tape::Scratch::default(),
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

    /// A fresh symbol `name@n` for the instruction at `span`.
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

/// A block, or part of one, under execution.
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
    /// Executes `segment`, a part of the block, with the values and the result of a call in a state at its start.
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

    /// The term of `tape`.
    pub(crate) fn run(&mut self, tape: &Tape) -> Term {
        tape.run(self.pool, &self.executor.environment, &mut self.executor.scratch)
    }

    fn define(&mut self, value: u32, term: Term) {
        self.executor.environment[value as usize] = term;
    }

    /// Changes an entry of `regions`.
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
                let Some(address) = self.policy.address(self.executor, *object) else {
                    let span = self.executor.program.objects[*object].span;
                    return self.give_up(UnsupportedCause::AddressSpace, span);
                };
                let term = self.pool.bv(self.executor.memory.pointer_width, address);
                self.define(*result, term);
            }
            Step::Load { result, region, address, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(address));
                self.check_bounds(*region, address, *ty, *instruction);
                let contents = self.regions[region.index()];
                let term = self.executor.memory.load(self.pool, *region, contents, address, *ty);
                self.define(*result, term);
            }
            Step::Store { region, address, value, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(address));
                self.check_bounds(*region, address, *ty, *instruction);
                let value = self.run(value);
                let contents = self.regions[region.index()];
                let stored = self.executor.memory.store(self.pool, *region, contents, address, value, *ty);
                self.set(region.index(), stored);
            }
            Step::Forget { region, object, instruction } => {
                return self.forget(*object, *region, *instruction);
            }
            Step::Allocate { result, region, size, contents, instruction } => {
                let (result, region, contents) = (Value(*result), *region, *contents);
                let (size, span) = (self.run(size), self.span(*instruction));
                return self.allocate(&Allocation { result, region, size, contents, span });
            }
        }
        Flow::Continues
    }

    /// Reports the executions in which an access is not within an object: what memory holds there is not known, and the
    /// alias analysis knows nothing of such accesses. They go on, since a run to an error is replayed anyway.
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
            Some(address) => Some(address),
            None => self.policy.address(self.executor, object),
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
                let address = self.pool.bv(self.executor.memory.pointer_width, address);
                self.forget_cells(region, address, cells, (&data.name, self.span(instruction)));
            }
            Forgetting::Cells => {
                return self.give_up(UnsupportedCause::Contents { cells }, self.span(instruction));
            }
        }
        self.policy.forgotten(object, region, self.regions[region.index()], address, size);
        Flow::Continues
    }

    fn forget_cells(&mut self, region: Region, address: Term, cells: u64, (name, span): (&str, Span)) {
        let width = self.executor.memory.pointer_width;
        let RegionInfo { cell: ty, cell_bytes, .. } = self.executor.memory.regions[region.index()];
        let first = self.pool.as_bv_u64(address);
        let mut contents = self.regions[region.index()];
        for cell in 0..cells {
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
        let RegionInfo { is_unknown_at_first, cell_bytes, .. } =
            self.executor.memory.regions[allocation.region.index()];
        // A region with zeroed blocks starts as zeros, and nothing was at the addresses of the block before.
        if allocation.contents == Contents::Unknown && !is_unknown_at_first {
            let limit = self.executor.config.forget_cells;
            let cause = match block.bytes.map(|bytes| bytes.div_ceil(cell_bytes)) {
                Some(cells) if cells <= limit => {
                    self.forget_cells(allocation.region, block.address, cells, ("block", allocation.span));
                    return P::allocated(self, allocation, block.address);
                }
                Some(cells) => UnsupportedCause::Contents { cells },
                None => UnsupportedCause::Allocation { limit: limit * cell_bytes },
            };
            return self.give_up(cause, allocation.span);
        }
        P::allocated(self, allocation, block.address)
    }

    /// Reports what satisfies `condition`.
    fn unsupported(&mut self, condition: Term, cause: UnsupportedCause, span: Span) {
        if let Some(guard) = self.executor.guards.and(self.pool, self.guard, condition) {
            self.policy.unsupported(self.executor, cause, guard, span);
        }
    }

    /// Reports all that follows.
    pub(crate) fn give_up(&mut self, cause: UnsupportedCause, span: Span) -> Flow {
        self.policy.unsupported(self.executor, cause, self.guard, span);
        Flow::Ends
    }

    /// Reports what does not satisfy `condition`; the rest goes on.
    pub(crate) fn demand(&mut self, condition: Term, cause: UnsupportedCause, span: Span) -> Flow {
        let otherwise = self.pool.not(condition);
        self.unsupported(otherwise, cause, span);
        self.assume(condition)
    }

    /// Goes on with what satisfies `condition`.
    pub(crate) fn assume(&mut self, condition: Term) -> Flow {
        let Some(guard) = self.executor.guards.and(self.pool, self.guard, condition) else {
            return Flow::Ends;
        };
        self.guard = guard;
        Flow::Continues
    }

    fn leave(mut self, end: &End) {
        match end {
            End::Call { callee, arguments } => P::call(self, *callee, arguments),
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
                    let Some(before) = rest else { return };
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

    /// Goes along an edge, unless its guard is plainly false.
    fn send(&mut self, guard: Option<GuardId>, edge: &EdgePlan) {
        let Some(guard) = guard else { return };
        let values = edge.gather.iter().map(|gather| match gather {
            Gather::Value(value) => self.executor.environment[*value as usize],
            Gather::Argument(tape) => self.run(tape),
        });
        let state = State { values: values.collect(), result: None, regions: self.regions.clone() };
        self.policy.edge(edge, guard, state);
    }
}
