//! The exploration order: queues, the stack of activations, the frontier.

use super::instance::Current;
use super::{
    Activation, ActivationId, CallSite, Exploration, FrontierCause, FrontierEntry, FrontierId, FrontierItem,
    Instance, InstanceId, Key, Limits, Outcome, Pending, SetupError, Step, Unroller,
};
use crate::execute::guards::{self, Incoming, State};
use crate::execute::plan::{EdgeKind, EdgePlan, FunctionPlan};
use crate::execute::{Execution, NOWHERE};
use program::ssa::{Block, Function};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::TermPool;
use terms::entity::Entity;

/// The number of instances executed between two checks for cancellation.
const CANCEL_INTERVAL: u64 = 256;

impl Unroller<'_> {
    pub(super) fn plan_all(&mut self, pool: &mut TermPool) -> Result<(), SetupError> {
        self.exploration.plans = self.executor.plans(pool)?;
        Ok(())
    }

    /// Explores everything within `bound` (at least 1) that was not explored before: loop heads are
    /// visited at most `bound` times each time their loop is entered, and functions are on the call
    /// chain at most `bound` times. Bounds should not decrease.
    pub fn step(&mut self, pool: &mut TermPool, bound: u32, limits: &mut Limits<'_>) -> Step {
        let exploration = &mut self.exploration;
        exploration.bound = bound.max(1);
        exploration.statistics.steps += 1;
        let mut stack = Vec::new();
        if exploration.activations.is_empty() {
            let regions = Rc::new(self.executor.memory.initial());
            let state = State { values: Rc::new([]), result: None, regions };
            let incoming = Incoming { from: NOWHERE, guard: guards::ROOT, state };
            let function = self.executor.program.entry;
            stack.push(exploration.begin(function, None, Rc::new([]), 1, incoming));
        } else {
            exploration.resume();
            if !exploration.activations[0].queue.is_empty() {
                stack.push(ActivationId(0));
            }
        }
        let outcome = self.explore(pool, &mut stack, limits);
        let found = std::mem::take(&mut self.exploration.found);
        Step {
            outcome,
            errors: found.errors,
            unsupported: found.unsupported,
            frontier: self.frontier_items(pool),
        }
    }

    /// Returns all points at which exploration stopped.
    pub fn frontier_items(&self, pool: &mut TermPool) -> Vec<FrontierItem> {
        let mut items = Vec::with_capacity(self.exploration.frontier.len());
        for ((activation, key, _), entry) in &self.exploration.frontier {
            let mut terms = Vec::new();
            match &entry.pending {
                Pending::Edges(edges) => {
                    terms.extend(edges.iter().map(|edge| self.executor.guards.term(edge.guard)));
                }
                Pending::Calls { calls, .. } => {
                    terms.extend(calls.iter().map(|call| self.executor.guards.term(call.guard)));
                }
            }
            let function = self.exploration.activations[activation.index()].function;
            let block = self.exploration.plan(function).block_at(key);
            items.push(FrontierItem {
                id: entry.id,
                cause: entry.cause,
                guard: pool.or(&terms),
                block,
                function,
            });
        }
        items.sort_unstable_by_key(|item| item.id);
        items
    }

    fn explore(
        &mut self,
        pool: &mut TermPool,
        stack: &mut Vec<ActivationId>,
        limits: &mut Limits<'_>,
    ) -> Outcome {
        let start = self.exploration.statistics.instances;
        let mut outcome = Outcome::Complete;
        while let Some(&top) = stack.last() {
            let executed = self.exploration.statistics.instances - start;
            if executed >= limits.instances {
                outcome = Outcome::InstanceLimit;
            } else if executed.is_multiple_of(CANCEL_INTERVAL) && (limits.is_cancelled)() {
                outcome = Outcome::Cancelled;
            }
            if outcome != Outcome::Complete {
                self.exploration.interrupt(stack);
                return outcome;
            }
            let Some((key, pending)) = self.exploration.activations[top.index()].queue.pop_first() else {
                stack.pop();
                self.exploration.close(top);
                continue;
            };
            match pending {
                Pending::Edges(incoming) => self.execute(pool, top, &key, &incoming, stack),
                Pending::Calls { calls, activations } => {
                    stack.extend(activations);
                    for call in calls {
                        self.exploration.call(top, &key, call, stack);
                    }
                }
            }
        }
        outcome
    }

    /// Executes the instance at `key` that `incoming` enters, and enqueues its successors.
    fn execute(
        &mut self,
        pool: &mut TermPool,
        activation: ActivationId,
        key: &Key,
        incoming: &[Incoming],
        stack: &mut Vec<ActivationId>,
    ) {
        let Unroller { executor, exploration } = self;
        let function = exploration.activations[activation.index()].function;
        let plan = exploration.plan(function);
        let block = plan.block_at(key);
        let part = key[key.len() - 1] / 2;
        let id = InstanceId::new(exploration.instances.len());
        exploration.instances.push(Instance {
            activation,
            block,
            first_edge: exploration.edges.len() as u32,
            first_input: exploration.inputs.len() as u32,
            segment: part,
        });
        exploration.edges.extend(incoming.iter().map(|edge| (edge.from, executor.guards.term(edge.guard))));
        exploration.statistics.instances += 1;
        exploration.statistics.merged_edges += incoming.len() as u64 - 1;
        let (guard, state) = guards::merge(pool, &mut executor.guards, incoming);
        if executor.guards.is_false(pool, guard) {
            return;
        }
        let segments = &plan.block(block).segments;
        if let Some(mut journal) = exploration.journal.take() {
            for edge in incoming.iter().filter(|edge| edge.from != NOWHERE) {
                let from = &exploration.instances[edge.from.index()];
                let owner = exploration.activations[from.activation.index()].function;
                journal.guard(pool, executor.guards.literal(edge.guard), (owner, from.block));
            }
            journal.guard(pool, executor.guards.term(guard), (function, block));
            journal.state(pool, (function, block), &segments[part as usize].entry, &state);
            exploration.journal = Some(journal);
        }
        let live_after = segments.get(part as usize + 1).map_or(&[][..], |next| &*next.entry);
        let policy = Current { exploration, stack, plan: &plan, activation, key, id, live_after };
        let (code, regions) = (&executor.program.functions[function].blocks[block], state.regions);
        let execution = Execution { pool, executor, policy, code, guard, regions };
        execution.execute(&segments[part as usize], &state.values, state.result);
    }
}

impl Exploration {
    /// The plan of a function that may be called.
    pub(super) fn plan(&self, function: Function) -> Rc<FunctionPlan> {
        self.plans[function.index()].clone().expect("functions that are called have a plan")
    }

    /// Moves the frontier entries within the bound back into the queues.
    fn resume(&mut self) {
        let (ready, blocked): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.frontier).into_iter().partition(|(_, entry)| entry.reached < self.bound);
        self.frontier.extend(blocked);
        for ((activation, key, _), entry) in ready {
            self.enqueue(activation, key, entry.pending);
            let mut current = activation;
            // Walks up the chain of callers to the first one that is already scheduled.
            while !self.activations[current.index()].is_scheduled {
                self.activations[current.index()].is_scheduled = true;
                let Some((caller, key)) = self.activations[current.index()].caller.clone() else { break };
                self.enqueue(caller, key, Pending::Calls { calls: vec![], activations: vec![current] });
                current = caller;
            }
        }
    }

    fn enqueue(&mut self, activation: ActivationId, key: Key, pending: Pending) {
        merge_pending(&mut self.activations[activation.index()].queue, key, pending);
    }

    /// Marks an activation as finished for this step.
    fn close(&mut self, activation: ActivationId) {
        let data = &mut self.activations[activation.index()];
        data.is_scheduled = false;
        if !data.is_open {
            data.caller_values = Rc::new([]);
        }
    }

    /// Moves all waiting work to the frontier.
    fn interrupt(&mut self, stack: &mut Vec<ActivationId>) {
        while let Some(activation) = stack.pop() {
            for (key, pending) in std::mem::take(&mut self.activations[activation.index()].queue) {
                match pending {
                    // These wait in their own queues.
                    Pending::Calls { calls, activations } => {
                        stack.extend(activations);
                        if !calls.is_empty() {
                            let pending = Pending::Calls { calls, activations: vec![] };
                            self.stop(activation, key, FrontierCause::Interrupted, 0, pending);
                        }
                    }
                    edges => self.stop(activation, key, FrontierCause::Interrupted, 0, edges),
                }
            }
            self.close(activation);
        }
    }

    /// Adds an entry to the frontier.
    fn stop(
        &mut self,
        activation: ActivationId,
        key: Key,
        cause: FrontierCause,
        reached: u32,
        pending: Pending,
    ) {
        let mut current = Some(activation);
        while let Some(open) = current.filter(|open| !self.activations[open.index()].is_open) {
            let data = &mut self.activations[open.index()];
            data.is_open = true;
            current = data.caller.as_ref().map(|(caller, _)| *caller);
        }
        let is_interrupted = cause == FrontierCause::Interrupted;
        match self.frontier.entry((activation, key, is_interrupted)) {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                let id = FrontierId(self.next_frontier);
                self.next_frontier += 1;
                vacant.insert(FrontierEntry { id, cause, reached, pending });
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                entry.get_mut().pending.absorb(pending);
            }
        }
    }

    /// Creates an activation whose first instance waits.
    fn begin(
        &mut self,
        function: Function,
        caller: Option<(ActivationId, Key)>,
        caller_values: Rc<[terms::Term]>,
        depth: u32,
        incoming: Incoming,
    ) -> ActivationId {
        let plan = self.plan(function);
        let key = entry_key(&plan);
        let id = ActivationId::new(self.activations.len());
        self.activations.push(Activation {
            function,
            caller,
            caller_values,
            depth,
            addresses: SmallVec::new(),
            queue: BTreeMap::from([(key, Pending::Edges(vec![incoming]))]),
            is_open: false,
            is_scheduled: true,
        });
        self.statistics.activations += 1;
        id
    }

    /// Begins a call, or adds it to the frontier. `key` is that of the call.
    pub(super) fn call(
        &mut self,
        caller: ActivationId,
        key: &Key,
        call: CallSite,
        stack: &mut Vec<ActivationId>,
    ) {
        let depth = 1 + self.depth_below(caller, call.callee);
        if depth > self.bound {
            let pending = Pending::Calls { calls: vec![call], activations: vec![] };
            self.stop(caller, key.clone(), FrontierCause::Recursion, depth - 1, pending);
            return;
        }
        let state = State { values: call.arguments, result: None, regions: call.regions };
        let incoming = Incoming { from: call.from, guard: call.guard, state };
        stack.push(self.begin(call.callee, Some((caller, key.clone())), call.values, depth, incoming));
    }

    /// The number of activations of `function` on the call chain that ends with `activation`.
    fn depth_below(&self, activation: ActivationId, function: Function) -> u32 {
        if !self.plan(function).is_recursive {
            return 0;
        }
        let mut current = Some(activation);
        while let Some(on_chain) = current {
            let data = &self.activations[on_chain.index()];
            if data.function == function {
                return data.depth;
            }
            current = data.caller.as_ref().map(|(caller, _)| *caller);
        }
        0
    }

    /// Passes a returned state from `callee` to the instance after the call.
    pub(super) fn return_from(&mut self, callee: ActivationId, incoming: Incoming) {
        if let Some((caller, mut key)) = self.activations[callee.index()].caller.clone() {
            *key.last_mut().expect("a key is not empty") += 1;
            self.enqueue(caller, key, Pending::Edges(vec![incoming]));
        }
    }

    /// Passes a state along an edge from the instance at `key`.
    pub(super) fn follow(
        &mut self,
        activation: ActivationId,
        plan: &FunctionPlan,
        key: &Key,
        edge: &EdgePlan,
        incoming: Incoming,
    ) {
        let position = plan.block(edge.target).position;
        let mut target: Key = key[..2 * edge.kept_loops].into();
        match edge.kind {
            EdgeKind::Forward => {}
            EdgeKind::EntersLoop => target.extend([position, 0]),
            EdgeKind::Back => *target.last_mut().expect("a back edge stays in its loop") += 1,
        }
        let iteration = target.last().copied().filter(|_| edge.kind == EdgeKind::Back);
        target.extend([position, 0]);
        let pending = Pending::Edges(vec![incoming]);
        match iteration {
            Some(iteration) if iteration >= self.bound => {
                self.stop(activation, target, FrontierCause::Loop, iteration, pending);
            }
            _ => self.enqueue(activation, target, pending),
        }
    }
}

impl FunctionPlan {
    /// The block of the instance or call at `key`.
    fn block_at(&self, key: &Key) -> Block {
        self.order[key[key.len() - 2] as usize]
    }
}

fn entry_key(plan: &FunctionPlan) -> Key {
    [plan.block(plan.entry).position, 0].into_iter().collect()
}

fn merge_pending(queue: &mut BTreeMap<Key, Pending>, key: Key, pending: Pending) {
    match queue.entry(key) {
        std::collections::btree_map::Entry::Vacant(vacant) => {
            vacant.insert(pending);
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => entry.get_mut().absorb(pending),
    }
}

impl Pending {
    fn absorb(&mut self, other: Pending) {
        match (self, other) {
            (Pending::Edges(edges), Pending::Edges(more)) => edges.extend(more),
            (
                Pending::Calls { calls, activations },
                Pending::Calls { calls: more_calls, activations: more_activations },
            ) => {
                calls.extend(more_calls);
                activations.extend(more_activations);
            }
            _ => unreachable!("keys of calls and of instances differ"),
        }
    }
}
