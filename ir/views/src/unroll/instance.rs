//! Execution of an instance: the unroller's policy of the executor.
//!
//! The context of an instance is known, so addresses are constants: each activation has its own
//! automatic objects, and a heap block gets the next free address. A heap block of non-constant
//! size gets a slot of [`Config::allocation_slot`](super::Config) bytes, or the layout's slot for
//! each object; a larger block is unsupported.
//!
//! *Forgetting* an object is free if its addresses are new and the region is initially unknown.
//! Replacing the region by a fresh array is correct only if nothing else in it is live: the object
//! is the only one of its region, and no second activation of its function is on the call chain. A
//! fresh array is more expensive for solvers than a few stores, so an object of at most
//! [`FEW_CELLS`] cells is forgotten cell by cell.

use super::{
    ActivationId, CallSite, ErrorInstance, Exploration, InstanceId, Key, UnsupportedCause,
    UnsupportedInstance,
};
use crate::execute::guards::{GuardId, Incoming, State};
use crate::execute::plan::{EdgePlan, FunctionPlan, Precision};
use crate::execute::tape::Tape;
use crate::execute::{Allocation, BLOCK_ALIGN, Execution, Executor, Flow, Forgetting, HeapBlock, Policy};
use crate::inputs::{InputRecord, Quantity};
use grammars::source::Span;
use program::layout::slot_capacity;
use program::ssa::{Contents, Function, Object, Property, Region, Value};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// Objects of at most this number of cells are forgotten cell by cell, even if they have their own
/// region.
const FEW_CELLS: u64 = 8;

/// The instance being executed.
pub(super) struct Current<'a> {
    pub(super) exploration: &'a mut Exploration,
    pub(super) stack: &'a mut Vec<ActivationId>,
    pub(super) plan: &'a FunctionPlan,
    pub(super) activation: ActivationId,
    pub(super) key: &'a Key,
    pub(super) id: InstanceId,
    /// The values that are live after the call that ends the instance, if there is one.
    pub(super) live_after: &'a [u32],
}

impl Current<'_> {
    /// Whether every enclosing loop is in its first iteration.
    fn is_outside_loops(&self) -> bool {
        self.key[..self.key.len() - 2].chunks(2).all(|level| level[1] == 0)
    }

    fn place(&mut self, executor: &Executor<'_>, size: u64, align: u64) -> Option<u64> {
        let (address, next) = executor.layout.place(self.exploration.next_address, size, align)?;
        self.exploration.next_address = next;
        Some(address)
    }

    /// The address of an automatic object of the activation; allocated at the first use.
    fn object_address(&mut self, executor: &mut Executor<'_>, object: Object) -> Option<u64> {
        let known = &self.exploration.activations[self.activation.index()].addresses;
        if let Some(&(_, address)) = known.iter().find(|(other, _)| *other == object) {
            return Some(address);
        }
        let data = &executor.program.objects[object];
        let address = self.place(executor, data.size, data.align)?;
        self.exploration.activations[self.activation.index()].addresses.push((object, address));
        for &region in &data.regions {
            executor.extents.add(region, address, data.size);
        }
        Some(address)
    }
}

impl Policy for Current<'_> {
    fn input(&mut self, value: Value, symbol: Term, precision: Precision) {
        self.exploration.inputs.push(InputRecord::Value { value, term: symbol, precision });
    }

    fn address(&mut self, pool: &mut TermPool, executor: &mut Executor<'_>, object: Object) -> Option<Term> {
        let address = self.object_address(executor, object)?;
        let record = InputRecord::Object { object, address: Quantity::Fixed(address) };
        self.exploration.inputs.push(record);
        Some(pool.bv(executor.memory.pointer_width, address))
    }

    fn forgetting(&self, executor: &Executor<'_>, object: Object, region: Region, cells: u64) -> Forgetting {
        let info = &executor.memory.regions[region.index()];
        let is_new = executor.program.objects[object].owner.is_some()
            && self.is_outside_loops()
            && executor.memory.forget_sites[&(object, region)] == 1;
        let is_alone = info.only_object == Some(object)
            && self.exploration.activations[self.activation.index()].depth == 1;
        if info.is_unknown_at_first && is_new {
            Forgetting::Nothing
        } else if is_alone && cells > FEW_CELLS {
            Forgetting::Region
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
        self.exploration.inputs.push(InputRecord::of_object(
            object,
            region,
            contents,
            (Quantity::of(pool, address), size),
        ));
    }

    fn allocate(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation) -> Option<HeapBlock> {
        let width = execution.executor.memory.pointer_width;
        let bytes = match execution.pool.as_bv_u64(allocation.size) {
            Some(bytes) => bytes,
            None => {
                let regions = &execution.executor.memory.regions;
                let mut parts = allocation.parts.iter();
                let has_room = allocation.contents == Contents::Zero
                    || parts.all(|part| regions[part.region.index()].is_unknown_at_first);
                let slot = match execution.executor.layout.slot_bits() {
                    Some(bits) if has_room => slot_capacity(bits),
                    _ => execution.executor.config.allocation_slot,
                };
                let limit = execution.pool.bv(width, slot);
                let fits = execution.pool.bv_ule(allocation.size, limit);
                let cause = UnsupportedCause::Allocation { limit: slot };
                if execution.demand(fits, cause, allocation.span) == Flow::Ends {
                    return None;
                }
                slot
            }
        };
        let Some(address) = execution.policy.place(execution.executor, bytes, BLOCK_ALIGN) else {
            execution.give_up(UnsupportedCause::AddressSpace, allocation.span);
            return None;
        };
        let block = InputRecord::Block { result: allocation.result, address: Quantity::Fixed(address) };
        execution.policy.exploration.inputs.push(block);
        for part in &allocation.parts[..] {
            execution.executor.extents.add(part.region, address, bytes);
        }
        Some(HeapBlock { address: execution.pool.bv(width, address), bytes: Some(bytes) })
    }

    fn allocated(execution: &mut Execution<'_, '_, Self>, allocation: &Allocation, address: Term) -> Flow {
        let record = InputRecord::of_block(execution, allocation, address);
        execution.policy.exploration.inputs.extend(record);
        Flow::Continues
    }

    fn call(mut execution: Execution<'_, '_, Self>, callee: Function, arguments: &[Tape], _: &[u32]) {
        let callee_plan = execution.policy.exploration.plan(callee);
        let passed = callee_plan.entry_parameters.iter().map(|&parameter| match arguments.get(parameter) {
            Some(tape) => execution.run(tape),
            None => unreachable!("the checker should have rejected a missing argument"),
        });
        let arguments = passed.collect();
        let Execution { pool, executor, policy, guard, regions, .. } = execution;
        let values = policy.live_after.iter().map(|&value| executor.environment[value as usize]).collect();
        let call = CallSite { from: policy.id, guard, callee, arguments, values, regions };
        let mut key = policy.key.clone();
        *key.last_mut().expect("a key is not empty") += 1;
        policy.exploration.call(policy.activation, &key, call, policy.stack, pool);
    }

    fn returns(mut execution: Execution<'_, '_, Self>, value: Option<&Tape>) {
        let result = value.map(|value| execution.run(value));
        let Execution { policy, guard, regions, .. } = execution;
        let values = policy.exploration.activations[policy.activation.index()].caller_values.clone();
        let state = State { values, result, regions };
        policy.exploration.return_from(policy.activation, Incoming { from: policy.id, guard, state });
    }

    fn edge(&mut self, edge: &EdgePlan, guard: GuardId, state: State) {
        let incoming = Incoming { from: self.id, guard, state };
        self.exploration.follow(self.activation, self.plan, self.key, edge, incoming);
    }

    fn dead_edge(&mut self, edge: &EdgePlan) {
        self.exploration.trips.dead_edge(self.plan, (self.activation, self.key), edge);
    }

    fn error(&mut self, executor: &Executor<'_>, property: Property, guard: GuardId) {
        let (guard, span) = (executor.guards.term(guard), executor.program.properties[property].span);
        self.exploration.found.errors.push(ErrorInstance { instance: self.id, property, guard, span });
    }

    fn unsupported(&mut self, executor: &Executor<'_>, cause: UnsupportedCause, guard: GuardId, span: Span) {
        let guard = executor.guards.term(guard);
        let found = UnsupportedInstance { instance: self.id, cause, guard, span };
        self.exploration.found.unsupported.push(found);
    }
}
