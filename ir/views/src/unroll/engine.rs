//! The exploration order: queues, the stack of activations, the frontier.

use super::instance::Current;
use super::{
    Activation, ActivationId, Bounds, CallSite, Counters, Exploration, FrontierEntry, FrontierId,
    FrontierItem, Instance, InstanceId, Key, Limits, Outcome, Pending, Place, SetupError, Step, Unroller,
};
use crate::execute::guards::{self, Incoming, State};
use crate::execute::plan::{EdgeKind, EdgePlan, FunctionPlan};
use crate::execute::{Execution, NOWHERE};
use program::ssa::{Block, Function};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Term, TermPool};

/// The number of instances executed between two checks for cancellation.
const CANCEL_INTERVAL: u64 = 256;

impl Unroller<'_> {
    pub(super) fn plan_all(&mut self, pool: &mut TermPool) -> Result<(), SetupError> {
        self.exploration.plans = self.executor.plans(pool)?;
        let program = self.executor.program;
        let counters = program.functions.values().zip(&self.exploration.plans).map(|(data, plan)| {
            plan.as_ref().map_or_else(Counters::default, |plan| Counters::new(pool, program, data, plan))
        });
        self.exploration.counters = counters.collect();
        Ok(())
    }

    /// Explores everything within `bounds` that was not explored before. Bounds should not
    /// decrease.
    pub fn step(&mut self, pool: &mut TermPool, bounds: &Bounds, limits: &mut Limits<'_>) -> Step {
        let exploration = &mut self.exploration;
        exploration.bounds.clone_from(bounds);
        exploration.statistics.steps += 1;
        let mut stack = Vec::new();
        if exploration.activations.is_empty() {
            let regions = Rc::new(self.executor.memory.initial());
            let state = State { values: Rc::new([]), result: None, regions };
            let incoming = Incoming { from: NOWHERE, guard: guards::ROOT, state };
            let function = self.executor.program.entry;
            let call = Begun { arguments: Rc::new([]), values: Rc::new([]), depth: 1 };
            stack.push(exploration.begin(function, None, call, incoming));
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
                        self.exploration.call(top, &key, call, stack, pool);
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
        if part == 0 && exploration.visit(function, block, key) {
            let counters = &exploration.counters[function.index()];
            exploration.trips.start(pool, counters, block, (activation, key), &state);
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
        let is_ready = |entry: &FrontierEntry| match entry.cause {
            Some((place, visits)) => visits < self.bounds.of(place),
            None => true,
        };
        let (ready, blocked): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.frontier).into_iter().partition(|(_, entry)| is_ready(entry));
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
                            self.stop(activation, key, None, pending);
                        }
                    }
                    edges => self.stop(activation, key, None, edges),
                }
            }
            self.close(activation);
        }
    }

    /// Adds an entry to the frontier.
    fn stop(&mut self, activation: ActivationId, key: Key, cause: Option<(Place, u32)>, pending: Pending) {
        let mut current = Some(activation);
        while let Some(open) = current.filter(|open| !self.activations[open.index()].is_open) {
            let data = &mut self.activations[open.index()];
            data.is_open = true;
            current = data.caller.as_ref().map(|(caller, _)| *caller);
        }
        match self.frontier.entry((activation, key, cause.is_none())) {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                let id = FrontierId(self.next_frontier);
                self.next_frontier += 1;
                vacant.insert(FrontierEntry { id, cause, pending });
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
        Begun { arguments, values, depth }: Begun,
        incoming: Incoming,
    ) -> ActivationId {
        let plan = self.plan(function);
        let key = entry_key(&plan);
        let id = ActivationId::new(self.activations.len());
        if plan.is_recursive {
            let visits = self.visits.entry(Place::Recursion(function)).or_default();
            *visits = depth.max(*visits);
        }
        self.activations.push(Activation {
            function,
            caller,
            caller_values: values,
            depth,
            guard: incoming.guard,
            arguments,
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
        pool: &TermPool,
    ) {
        let before = self.last_on_chain(caller, call.callee);
        let depth = 1 + before.map_or(0, |before| before.depth);
        let place = Place::Recursion(call.callee);
        if depth > self.bounds.of(place) {
            let is_free = depth <= self.bounds.free(place)
                && before.is_some_and(|before| before.guard == call.guard && differs(pool, before, &call));
            if !is_free {
                let pending = Pending::Calls { calls: vec![call], activations: vec![] };
                self.stop(caller, key.clone(), Some((place, depth - 1)), pending);
                return;
            }
        }
        let begun = Begun { arguments: call.arguments.clone(), values: call.values, depth };
        let state = State { values: call.arguments, result: None, regions: call.regions };
        let incoming = Incoming { from: call.from, guard: call.guard, state };
        stack.push(self.begin(call.callee, Some((caller, key.clone())), begun, incoming));
    }

    /// The last activation of a recursive `function` on the call chain that ends with `activation`.
    fn last_on_chain(&self, activation: ActivationId, function: Function) -> Option<&Activation> {
        if !self.plan(function).is_recursive {
            return None;
        }
        let mut current = Some(activation);
        while let Some(on_chain) = current {
            let data = &self.activations[on_chain.index()];
            if data.function == function {
                return Some(data);
            }
            current = data.caller.as_ref().map(|(caller, _)| *caller);
        }
        None
    }

    /// Records the visit of a block; returns whether the block is the head of a loop.
    fn visit(&mut self, function: Function, block: Block, key: &Key) -> bool {
        let [.., head, iteration, position, _] = key[..] else { return false };
        if head != position {
            return false;
        }
        let visits = self.visits.entry(Place::Loop(function, block)).or_default();
        *visits = (iteration + 1).max(*visits);
        true
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
        if let Some(iteration) = iteration {
            let function = self.activations[activation.index()].function;
            let place = Place::Loop(function, edge.target);
            if iteration >= self.bounds.of(place) {
                let (counters, from) = (&self.counters[function.index()], &key[..2 * edge.kept_loops]);
                let is_free = iteration < self.bounds.free(place)
                    && self.trips.is_decided(counters, edge.target, (activation, from), &incoming.state);
                if !is_free {
                    self.stop(activation, target, Some((place, iteration)), Pending::Edges(vec![incoming]));
                    return;
                }
            }
        }
        self.enqueue(activation, target, Pending::Edges(vec![incoming]));
    }
}

/// The context of an activation that begins.
struct Begun {
    arguments: Rc<[Term]>,
    /// The caller's live values after the call.
    values: Rc<[Term]>,
    depth: u32,
}

/// Whether a constant argument of `call` differs from that of the activation `before` of the same
/// function.
fn differs(pool: &TermPool, before: &Activation, call: &CallSite) -> bool {
    let mut arguments = before.arguments.iter().zip(call.arguments.iter());
    arguments.any(|(old, &new)| *old != new && pool.is_constant(new))
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
