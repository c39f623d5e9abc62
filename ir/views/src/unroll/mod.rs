//! Unrolling of a program into formulas, step by step: the path formulas of bounded model checking.
//!
//! This is the predicate analysis of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018, §3 and §4.1, with `blk_never`: no abstraction, one path formula for all
//! paths to a location, states merged where paths meet, and the Loop-Bound CPA, which cuts paths
//! after `k` visits of a loop head. It is implemented as symbolic execution (`execute`) with
//! merging, in an order in which every state is complete before it is executed:
//!
//! * An **instance** is a part of a block (up to the next call) in a context: the call chain and,
//!   for each enclosing loop, the index of the iteration. It has a guard and maps the live values
//!   and the regions to terms.
//! * Instances of one activation are ordered by key: for each enclosing loop its position in the
//!   weak topological order and the iteration, then the block's position, then the part. All edges
//!   lead from smaller to larger keys, and a callee completes before the instance after its call. A
//!   queue for each activation and a stack of activations therefore process every instance exactly
//!   once, after all its predecessors. There is no recursion; a loop of 100,000 iterations is a
//!   queue with one element.
//! * **Guards** are chains of branch literals, and merging is `ite` over the literal at which the
//!   paths diverge, see `execute::guards`. The term constructors fold constants, and edges with a
//!   false guard are dropped: concrete loops vanish.
//! * **Steps.** Each loop and each recursive function has its own bound ([`Bounds`]). An edge into
//!   iteration `bound` of a loop, and a call that would put a function on the call chain more than
//!   `bound` times, go to the *frontier*. The next step, in which some bounds are larger, continues
//!   from there: it explores new instances that merge only among themselves. A step therefore never
//!   changes formulas returned before, and for a single loop it costs one loop body and the
//!   continuation, independent of the bound. An inner loop is continued at its bound; later
//!   iterations of the outer loop execute it from the start, and their instances are encoded again,
//!   for the states of this step only.
//! * **Constant trip counts.** An iteration that constants decide (`trips`), and a recursive call
//!   under the same guard as the call before it, with other constant arguments, do not count
//!   against the bound, up to `Bounds::free`.
//!
//! Soundness: the explored part of the program has a violation iff the guard of an error instance
//! of some step is satisfiable; the program has no other paths iff all frontier guards and all
//! guards of unsupported instances are unsatisfiable.
//!
//! DIVERGENCE from the paper: the Loop-Bound CPA counts along a path and keeps states with
//! different counters separate. Here the counters are part of the key, which is equivalent, but a
//! deeper step adds a delta instead of starting over.
//!
//! Limits: indirect calls and irreducible loops must have been removed before. The state is copied
//! at every edge, O(live values), and at each instance with a store, O(regions).

mod bounds;
mod engine;
mod instance;
mod journal;
mod trace;
mod trips;

use crate::execute::guards::{GuardId, Incoming};
use crate::execute::plan::FunctionPlan;
use crate::execute::{Config, Executor, SetupError, UnsupportedCause};
use crate::inputs::InputRecord;
use grammars::source::Span;
use program::layout::Layout;
use program::ssa::{Block, Function, Object, Program, Property};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Term, TermPool};
use trips::{Counters, Trips};

pub use crate::execute::InstanceId;
pub use bounds::{Bound, Bounds, Place};
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
    /// A point at which exploration stopped.
    FrontierId, "fr"
}

/// Limits of a step.
pub struct Limits<'a> {
    /// The greatest number of new instances in the step.
    pub instances: u64,
    /// Called periodically; `true` ends the step.
    pub is_cancelled: &'a mut dyn FnMut() -> bool,
}

/// The result of a step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whether the step is complete.
    pub outcome: Outcome,
    /// The error instances reached by the step.
    pub errors: Vec<ErrorInstance>,
    /// The instances reached by the step that the encoding does not support.
    pub unsupported: Vec<UnsupportedInstance>,
    /// All points at which exploration stopped; each unexplored path passes through one of them.
    pub frontier: Vec<FrontierItem>,
}

/// Whether a step is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Explored everything within the bound.
    Complete,
    /// Stopped at the limit of instances; the frontier contains the remaining work, which the next
    /// step continues.
    InstanceLimit,
    /// Cancelled; the frontier is as for `InstanceLimit`.
    Cancelled,
}

/// An error site reached in some context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorInstance {
    /// For [`Unroller::trace`].
    pub instance: InstanceId,
    /// The violated property.
    pub property: Property,
    /// The path condition of the instance; not syntactically false.
    pub guard: Term,
    /// The source location.
    pub span: Span,
}

/// An unsupported operation reached in some context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedInstance {
    /// For [`Unroller::trace`].
    pub instance: InstanceId,
    /// The unsupported operation.
    pub cause: UnsupportedCause,
    /// The path condition; not syntactically false. Execution does not continue under it, except
    /// for [`UnsupportedCause::OutOfBounds`].
    pub guard: Term,
    /// The source location.
    pub span: Span,
}

/// A point at which exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontierItem {
    /// For [`Unroller::prune`].
    pub id: FrontierId,
    /// The loop or recursion whose bound was reached, with the number of visits on the paths to
    /// this point; `None` if the step ended early.
    pub cause: Option<(Place, u32)>,
    /// The path condition; not syntactically false.
    pub guard: Term,
    /// The loop head, or the block of the call.
    pub block: Block,
    /// The function that contains the block.
    pub function: Function,
}

/// The cost of an unrolling so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Executed instances.
    pub instances: u64,
    /// Edges that were merged with another edge at their target.
    pub merged_edges: u64,
    /// Expanded calls.
    pub activations: u64,
    /// Created guards.
    pub guards: u64,
    /// Steps.
    pub steps: u64,
}

/// An unrolling of a program.
pub struct Unroller<'p> {
    executor: Executor<'p>,
    exploration: Exploration,
}

/// The explored instances and the remaining work.
struct Exploration {
    /// By function, for those reachable from the entry function.
    plans: Vec<Option<Rc<FunctionPlan>>>,
    activations: Vec<Activation>,
    instances: Vec<Instance>,
    /// The source and guard of each edge into an instance, grouped by instance.
    edges: Vec<(InstanceId, Term)>,
    /// The inputs of all instances.
    inputs: Vec<InputRecord>,
    frontier: BTreeMap<(ActivationId, Key, bool), FrontierEntry>,
    next_frontier: u32,
    /// The lower bound for the address of the next automatic object or heap block.
    next_address: u64,
    statistics: Statistics,
    bounds: Bounds,
    /// By function, as `plans`.
    counters: Vec<Counters>,
    trips: Trips,
    /// The largest number of visits of each place.
    visits: FxHashMap<Place, u32>,
    found: Found,
    journal: Option<Journal>,
}

/// The findings of the current step.
#[derive(Default)]
struct Found {
    errors: Vec<ErrorInstance>,
    unsupported: Vec<UnsupportedInstance>,
}

/// The position of an instance in its activation: for each enclosing loop the head's position and
/// the iteration, then the block's position, then `2 × segment` (`2 × segment + 1` for the call at
/// the end of the segment).
type Key = SmallVec<[u32; 6]>;

struct Activation {
    function: Function,
    /// The calling activation and the key of the call in it.
    caller: Option<(ActivationId, Key)>,
    /// The caller's live values after the call; dropped once no further return is possible.
    caller_values: Rc<[Term]>,
    /// The number of activations of the function on the call chain, including this one.
    depth: u32,
    /// The guard and the arguments of the call.
    guard: GuardId,
    arguments: Rc<[Term]>,
    /// The addresses assigned to automatic objects so far.
    addresses: SmallVec<[(Object, u64); 1]>,
    queue: BTreeMap<Key, Pending>,
    /// Whether the frontier contains an entry of this activation or of one that it called.
    is_open: bool,
    /// Whether the activation is on the stack or will be pushed by its caller's queue.
    is_scheduled: bool,
}

/// The work waiting at a key.
enum Pending {
    /// States that enter an instance.
    Edges(Vec<Incoming>),
    /// At the key of a call: calls to begin, and called activations to continue.
    Calls { calls: Vec<CallSite>, activations: Vec<ActivationId> },
}

/// A call to begin.
struct CallSite {
    from: InstanceId,
    guard: GuardId,
    callee: Function,
    /// The arguments, aligned with the callee's entry values.
    arguments: Rc<[Term]>,
    /// The caller's values that are live after the call.
    values: Rc<[Term]>,
    regions: Rc<Vec<Term>>,
}

struct FrontierEntry {
    id: FrontierId,
    /// The entry can be resumed once the bound of the place exceeds the number of visits; `None`
    /// if it can always be resumed.
    cause: Option<(Place, u32)>,
    pending: Pending,
}

/// The record of an instance that is needed to reconstruct the path of a counterexample.
struct Instance {
    activation: ActivationId,
    block: Block,
    /// The index of its first edge; its edges end where those of the next instance start.
    first_edge: u32,
    first_input: u32,
    segment: u32,
}

impl<'p> Unroller<'p> {
    /// Sets up the unrolling of `program` without exploring anything. Inspects all functions that
    /// may be called.
    ///
    /// # Errors
    /// If the program has no layout, the entry function has no body, or a function is irreducible.
    pub fn new(pool: &mut TermPool, program: &'p Program, config: Config) -> Result<Self, SetupError> {
        let executor = Executor::new(pool, program, config)?;
        let next_address = executor.layout.dynamic_start();
        let mut unroller = Unroller { executor, exploration: Exploration::new(next_address) };
        unroller.plan_all(pool)?;
        Ok(unroller)
    }

    /// The cost so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { guards: self.executor.guards.len() as u64, ..self.exploration.statistics }
    }

    /// The loops and recursive functions explored so far, each with the largest number of visits.
    pub fn visits(&self) -> BTreeMap<Place, u32> {
        self.exploration.visits.iter().map(|(&place, &visits)| (place, visits)).collect()
    }

    /// The layout of static objects and functions.
    pub fn layout(&self) -> &Layout {
        &self.executor.layout
    }

    /// Records from now on the values and guards that terms stand for, in a
    /// [journal](Self::journal).
    pub fn keep_journal(&mut self) {
        self.exploration.journal.get_or_insert_default();
    }

    /// The journal; `None` without [`keep_journal`](Self::keep_journal).
    pub fn journal(&self) -> Option<&Journal> {
        self.exploration.journal.as_ref()
    }

    /// The symbols of inputs and of unknown contents, with the place of the instruction that makes
    /// them.
    pub fn inputs(&self) -> &[(Term, Span)] {
        &self.executor.inputs
    }

    /// Removes a frontier item whose guard is unsatisfiable, so that it is not explored.
    pub fn prune(&mut self, id: FrontierId) {
        self.exploration.frontier.retain(|_, entry| entry.id != id);
    }
}

impl Exploration {
    fn new(next_address: u64) -> Self {
        Exploration {
            plans: Vec::new(),
            activations: Vec::new(),
            instances: Vec::new(),
            edges: Vec::new(),
            inputs: Vec::new(),
            frontier: BTreeMap::new(),
            next_frontier: 0,
            next_address,
            statistics: Statistics::default(),
            bounds: Bounds::exactly(1),
            counters: Vec::new(),
            trips: Trips::default(),
            visits: FxHashMap::default(),
            found: Found::default(),
            journal: None,
        }
    }

    /// The predecessors of an instance, each with the guard of its edge.
    fn edges_of(&self, instance: InstanceId) -> &[(InstanceId, Term)] {
        let first = self.instances[instance.index()].first_edge as usize;
        let next = self.instances.get(instance.index() + 1);
        &self.edges[first..next.map_or(self.edges.len(), |next| next.first_edge as usize)]
    }

    /// The inputs of an instance, in execution order.
    fn inputs_of(&self, instance: InstanceId) -> &[InputRecord] {
        let first = self.instances[instance.index()].first_input as usize;
        let next = self.instances.get(instance.index() + 1);
        &self.inputs[first..next.map_or(self.inputs.len(), |next| next.first_input as usize)]
    }
}
