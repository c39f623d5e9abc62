//! Unrolling a program into formulas, step by step: the path formulas of bounded model checking.
//!
//! The predicate analysis of *A Unifying View on SMT-Based Software Verification* (§3, §4.1) with `blk_never`: no abstraction, one path
//! formula for all paths to a location, states merged where paths meet, and the Loop-Bound CPA that cuts paths after `k`
//! visits of a loop head. Here it is symbolic execution (`execute`) with merging, in an order in which every state is complete before it is
//! executed:
//!
//! * An **instance** is a part of a block (up to the next call) in a context: the chain of calls, and for each loop around the
//!   block the index of the iteration. It has a guard and maps the live values and the regions to terms.
//! * Instances of one activation are ordered by key: for each enclosing loop its position in the weak topological
//!   order and the iteration, then the block's position, then the part. All edges lead from smaller to larger keys, a callee is
//!   done before the instance after its call. So a queue for each activation and a stack of activations process every instance
//!   after all its predecessors, once. There is no recursion; a loop of 100,000 iterations is a queue with one element.
//! * **Guards** are chains of branch literals, and merging is `ite` over the literal at which the paths part, see `execute::guards`.
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
mod instance;
mod journal;
mod trace;

use crate::execute::guards::{GuardId, Incoming};
use crate::execute::plan::FunctionPlan;
use crate::execute::{Config, Executor, SetupError, UnsupportedCause};
use crate::inputs::InputRecord;
use grammars::source::Span;
use program::layout::Layout;
use program::ssa::{Block, Function, Object, Program, Property};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Term, TermPool};

pub use crate::execute::InstanceId;
pub use journal::{Journal, Site};

#[cfg(test)]
mod property_tests;
#[cfg(test)]
pub(crate) mod random_program;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

terms::entity! {
    /// A call of a function in a context.
    ActivationId, "a"
}
terms::entity! {
    /// A place at which a step stopped because of its bound.
    FrontierId, "fr"
}

/// When a step ends early.
pub struct Limits<'a> {
    /// The largest number of new instances in the step.
    pub instances: u64,
    /// Asked now and then; `true` ends the step.
    pub is_cancelled: &'a mut dyn FnMut() -> bool,
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
    executor: Executor<'p>,
    exploration: Exploration,
}

/// What was explored, and what is left.
#[derive(Default)]
struct Exploration {
    /// By function; those that can be called from the entry function.
    plans: Vec<Option<Rc<FunctionPlan>>>,
    activations: Vec<Activation>,
    instances: Vec<Instance>,
    /// Sources and guards of the edges into all instances.
    edges: Vec<(InstanceId, Term)>,
    /// What all instances take from outside.
    inputs: Vec<InputRecord>,
    frontier: BTreeMap<(ActivationId, Key, bool), FrontierEntry>,
    next_frontier: u32,
    /// Where the next automatic object or heap block lies at the earliest.
    next_address: u64,
    statistics: Statistics,
    bound: u32,
    found: Found,
    journal: Option<Journal>,
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
    guard: GuardId,
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
    pub fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, SetupError> {
        let executor = Executor::new(pool, program, config)?;
        let next_address = executor.layout.dynamic_start();
        let mut unroller =
            Unroller { executor, exploration: Exploration { next_address, ..Exploration::default() } };
        unroller.plan_all(pool)?;
        Ok(unroller)
    }

    /// The cost so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { guards: self.executor.guards.len() as u64, ..self.exploration.statistics }
    }

    /// The layout that gives static objects and functions their addresses.
    pub fn layout(&self) -> &Layout {
        &self.executor.layout
    }

    /// Notes from now on which terms stand for which values and guards; see [`journal`](Self::journal).
    pub fn keep_journal(&mut self) {
        self.exploration.journal.get_or_insert_default();
    }

    /// The notes; `None` if there are none.
    pub fn journal(&self) -> Option<&Journal> {
        self.exploration.journal.as_ref()
    }

    /// The symbols of inputs and of unknown contents, with the place of the instruction that makes them.
    pub fn inputs(&self) -> &[(Term, Span)] {
        &self.executor.inputs
    }

    /// Drops a frontier item whose guard was found to be unsatisfiable; nothing is explored from there.
    pub fn prune(&mut self, id: FrontierId) {
        self.exploration.frontier.retain(|_, entry| entry.id != id);
    }
}

impl Exploration {
    /// The instances before an instance, each with the guard of the edge from there.
    fn edges_of(&self, instance: InstanceId) -> &[(InstanceId, Term)] {
        let first = self.instances[instance.index()].first_edge as usize;
        let next = self.instances.get(instance.index() + 1);
        &self.edges[first..next.map_or(self.edges.len(), |next| next.first_edge as usize)]
    }

    /// What an instance takes from outside, in order of execution.
    fn inputs_of(&self, instance: InstanceId) -> &[InputRecord] {
        let first = self.instances[instance.index()].first_input as usize;
        let next = self.instances.get(instance.index() + 1);
        &self.inputs[first..next.map_or(self.inputs.len(), |next| next.first_input as usize)]
    }
}
