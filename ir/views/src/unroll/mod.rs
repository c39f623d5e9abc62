//! Unrolling a program into formulas, step by step: the path formulas of bounded model checking.
//!
//! The predicate analysis of *A Unifying View on SMT-Based Software Verification* (§3, §4.1) with `blk_never`: no abstraction, one path
//! formula for all paths to a location, states merged where paths meet, and the Loop-Bound CPA that cuts paths after `k`
//! visits of a loop head. Here it is symbolic execution with merging, in an order in which every state is complete before it is
//! executed:
//!
//! * An **instance** is a part of a block (up to the next call) in a context: the chain of calls, and for each loop around the
//!   block the index of the iteration. It has a guard and maps the live values and the regions to terms.
//! * Instances of one activation are ordered by key: for each enclosing loop its position in the weak topological
//!   order and the iteration, then the block's position, then the part. All edges lead from smaller to larger keys, a callee is
//!   done before the instance after its call. So a queue for each activation and a stack of activations process every instance
//!   after all its predecessors, once. There is no recursion; a loop of 100,000 iterations is a queue with one element.
//! * **Guards** are chains of branch literals, and merging is `ite` over the literal at which the paths part, see `guards`.
//!   Constants fold in the term constructors, edges with a false guard are dropped: concrete loops vanish.
//! * **Steps.** An edge into iteration `bound` of a loop, and a call that would put a function on the call chain more than
//!   `bound` times, go to the *frontier*. The next step, with a larger bound, continues from there: what it explores are new instances that
//!   merge only among themselves. So a step never changes formulas that were handed out, and for a single loop it costs one body and the
//!   continuation, whatever the bound. An inner loop is continued at its bound, later iterations of the outer loop run it from
//!   scratch; their instances are encoded again, for the states of this step only.
//!
//! Soundness: the program has a violation within the explored part iff the guard of an error instance of some step is
//! satisfiable, and it has no other paths iff all frontier guards and all guards of unsupported instances are unsatisfiable.
//!
//! DIVERGENCE from the paper: the Loop-Bound CPA counts along a path and keeps states with different counters apart; here the counters are
//! part of the key, which is the same, but a deeper step adds a delta instead of starting again.
//!
//! Limits: calls through pointers and irreducible loops must have been removed before. The state is copied at every edge, O(live
//! values), and at each instance with a store, O(regions).

mod engine;
mod execute;
pub(crate) mod extents;
pub(crate) mod guards;
pub(crate) mod memory;
pub(crate) mod plan;
pub(crate) mod tape;
mod trace;

use crate::inputs::InputRecord;
use extents::Extents;
use grammars::source::Span;
use guards::{GuardTree, Incoming};
use memory::Memory;
use plan::FunctionPlan;
use program::layout::{Layout, LayoutError};
use program::ssa::{Block, Function, Object, Program, Property, Unsupported};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::{Term, TermPool};

pub(crate) use execute::case_condition;

#[cfg(test)]
mod property_tests;
#[cfg(test)]
pub(crate) mod random_program;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

terms::entity! {
    /// An instance: part of a block in a context.
    InstanceId, "i"
}
terms::entity! {
    /// A call of a function in a context.
    ActivationId, "a"
}
terms::entity! {
    /// A place at which a step stopped because of its bound.
    FrontierId, "fr"
}

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

/// When a step ends early.
pub struct Limits<'a> {
    /// The largest number of new instances in the step.
    pub instances: u64,
    /// Asked now and then; `true` ends the step.
    pub is_cancelled: &'a mut dyn FnMut() -> bool,
}

/// Why an unrolling cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnrollError {
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

/// What a step adds.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whether the step explored all it should.
    pub outcome: Outcome,
    /// The error instances that the step reached.
    pub errors: Vec<ErrorInstance>,
    /// Where the step met something that the encoding does not cover.
    pub unsupported: Vec<UnsupportedInstance>,
    /// All places where exploration stopped; each path that was not explored so far runs through one of them.
    pub frontier: Vec<FrontierItem>,
}

/// Whether a step explored all it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything within the bound.
    Complete,
    /// The limit of instances was reached; the frontier holds what was left to do, the next step continues.
    InstanceLimit,
    /// Cancelled; as with `InstanceLimit`.
    Cancelled,
}

/// An error site reached in some context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorInstance {
    /// For [`Unroller::trace`].
    pub instance: InstanceId,
    /// Which property is violated.
    pub property: Property,
    /// The condition under which it is reached; not plainly false.
    pub guard: Term,
    /// Where.
    pub span: Span,
}

/// Something reached that the formulas do not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedInstance {
    /// For [`Unroller::trace`].
    pub instance: InstanceId,
    /// What.
    pub cause: UnsupportedCause,
    /// The condition under which it is reached; not plainly false. Execution does not continue under it, except for
    /// [`UnsupportedCause::OutOfBounds`].
    pub guard: Term,
    /// Where.
    pub span: Span,
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

/// Where and why exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontierItem {
    /// For [`Unroller::prune`].
    pub id: FrontierId,
    /// Why.
    pub cause: FrontierCause,
    /// The condition under which it is reached; not plainly false.
    pub guard: Term,
    /// The loop head, or the block of the call.
    pub block: Block,
    /// The function that contains the block.
    pub function: Function,
}

/// Why exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontierCause {
    /// The loop head was visited as often as the bound allows.
    Loop,
    /// The called function is on the call chain as often as the bound allows.
    Recursion,
    /// The step ended early.
    Interrupted,
}

/// What an unrolling has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Instances executed.
    pub instances: u64,
    /// Edges that met another edge at their target.
    pub merged_edges: u64,
    /// Calls expanded.
    pub activations: u64,
    /// Guards made.
    pub guards: u64,
    /// Steps taken.
    pub steps: u64,
}

/// An unrolling of a program.
pub struct Unroller<'p> {
    program: &'p Program,
    config: Config,
    layout: Layout,
    memory: Memory,
    /// By function; those that can be called from the entry function.
    plans: Vec<Option<Rc<FunctionPlan>>>,
    guards: GuardTree,
    activations: Vec<Activation>,
    instances: Vec<Instance>,
    /// Sources and guards of the edges into all instances.
    edges: Vec<(InstanceId, Term)>,
    /// What all instances take from outside.
    inputs: Vec<InputRecord>,
    frontier: BTreeMap<(ActivationId, Key, bool), FrontierEntry>,
    next_frontier: u32,
    next_address: u64,
    /// Where objects lie so far.
    extents: Extents,
    /// How often each name was given to a symbol.
    names: FxHashMap<Box<str>, u32>,
    statistics: Statistics,
    bound: u32,
    buffers: Buffers,
    found: Found,
}

/// Reused between instances.
#[derive(Default)]
struct Buffers {
    /// By value.
    environment: Vec<Term>,
    scratch: tape::Scratch,
}

/// What the running step found.
#[derive(Default)]
struct Found {
    errors: Vec<ErrorInstance>,
    unsupported: Vec<UnsupportedInstance>,
}

/// The place of an instance in its activation: for each enclosing loop the head's position and the iteration, then the block's
/// position, then `2 × segment` (`2 × segment + 1` for the call at the end of the segment).
type Key = SmallVec<[u32; 6]>;

struct Activation {
    function: Function,
    /// The activation that calls, and the key of the call there.
    caller: Option<(ActivationId, Key)>,
    /// The caller's live values after the call; dropped once nothing can return any more.
    caller_values: Rc<[Term]>,
    /// How often the function is on the call chain, this activation included.
    depth: u32,
    /// Addresses of the automatic objects so far.
    addresses: SmallVec<[(Object, u64); 1]>,
    queue: BTreeMap<Key, Pending>,
    /// Whether the frontier holds something of this activation or one below.
    is_open: bool,
    /// Whether the activation is on the stack or will be put there by its caller's queue.
    is_scheduled: bool,
}

/// What waits at a key.
enum Pending {
    /// States that enter an instance.
    Edges(Vec<Incoming>),
    /// At the key of a call: calls to begin and called activations to continue.
    Calls { calls: Vec<CallSite>, activations: Vec<ActivationId> },
}

/// A call about to happen.
struct CallSite {
    from: InstanceId,
    guard: guards::GuardId,
    callee: Function,
    /// Aligned with the callee's entry values.
    arguments: Rc<[Term]>,
    /// The caller's values that are live after the call.
    values: Rc<[Term]>,
    regions: Rc<Vec<Term>>,
}

struct FrontierEntry {
    id: FrontierId,
    cause: FrontierCause,
    /// The entry can go on when the bound is larger than this.
    reached: u32,
    pending: Pending,
}

/// What is kept of an instance: enough to find the path of a counterexample.
struct Instance {
    activation: ActivationId,
    block: Block,
    /// The first of its edges; they end where those of the next instance start.
    first_edge: u32,
    first_input: u32,
    segment: u32,
}

impl<'p> Unroller<'p> {
    /// Sets the unrolling of `program` up; nothing is explored yet. All functions that may be called are looked at.
    ///
    /// # Errors
    /// If there is no layout, the entry has no body, or a function is irreducible.
    pub fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, UnrollError> {
        let layout = Layout::new(program)?;
        let memory = Memory::new(pool, program, &layout);
        let entry = &program.functions[program.entry];
        if !entry.is_defined() {
            return Err(UnrollError::NoEntry { function: entry.name.clone() });
        }
        let mut unroller = Unroller {
            program,
            config,
            extents: Extents::of_static_objects(program, &layout),
            next_address: layout.dynamic_start(),
            layout,
            memory,
            plans: Vec::new(),
            guards: GuardTree::new(pool),
            activations: Vec::new(),
            instances: Vec::new(),
            edges: Vec::new(),
            inputs: Vec::new(),
            frontier: BTreeMap::new(),
            next_frontier: 0,
            names: FxHashMap::default(),
            statistics: Statistics::default(),
            bound: 0,
            buffers: Buffers::default(),
            found: Found::default(),
        };
        unroller.plan_all(pool)?;
        Ok(unroller)
    }

    /// The cost so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The layout that gives static objects and functions their addresses.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Drops a frontier item whose guard was found to be unsatisfiable; nothing is explored from there.
    pub fn prune(&mut self, id: FrontierId) {
        self.frontier.retain(|_, entry| entry.id != id);
    }
}
