//! Symbolic execution of one instance.

use super::engine::NO_INSTANCE;
use super::guards::{self, GuardId, Incoming, State};
use super::memory::RegionInfo;
use super::plan::{End, FunctionPlan, Gather, Step};
use super::{
    Accesses, ActivationId, CallSite, ErrorInstance, Instance, InstanceId, Key, Unroller, UnsupportedCause,
    UnsupportedInstance,
};
use crate::inputs::{Holder, InputRecord, Quantity};
use grammars::source::Span;
use program::layout::slot_capacity;
use program::ssa::{Block, Contents, Object, Region, RegionKind, Signedness, Type, Value};
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Representation, Sort, Term, TermPool};

/// Alignment of heap blocks.
const BLOCK_ALIGN: u64 = 16;
/// Objects with fewer cells are forgotten cell by cell even if they have a region for themselves.
const FEW_CELLS: u64 = 8;

/// The instance that is executed.
struct Running<'a> {
    plan: &'a FunctionPlan,
    activation: ActivationId,
    key: &'a Key,
    block: Block,
    id: InstanceId,
    guard: GuardId,
    regions: Rc<Vec<Term>>,
}

/// Whether the instance goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    Continues,
    Ends,
}

impl Unroller<'_> {
    /// Executes the instance at `key` into which `incoming` leads, and puts its successors where they belong.
    pub(super) fn execute(
        &mut self,
        pool: &mut TermPool,
        activation: ActivationId,
        key: &Key,
        incoming: &[Incoming],
        stack: &mut Vec<ActivationId>,
    ) {
        let plan = self.plan(self.activations[activation.index()].function);
        let block = plan.order[key[key.len() - 2] as usize];
        let segment_index = key[key.len() - 1] / 2;
        let segment = &plan.block(block).segments[segment_index as usize];
        let id = InstanceId::new(self.instances.len());
        self.instances.push(Instance {
            activation,
            block,
            first_edge: self.edges.len() as u32,
            first_input: self.inputs.len() as u32,
            segment: segment_index,
        });
        self.edges.extend(incoming.iter().map(|edge| (edge.from, self.guards.term(edge.guard))));
        self.statistics.instances += 1;
        self.statistics.merged_edges += incoming.len() as u64 - 1;
        let (guard, state) = guards::merge(pool, &mut self.guards, incoming);
        if self.guards.is_false(pool, guard) {
            return;
        }
        let environment = &mut self.buffers.environment;
        for (&value, &term) in segment.entry.iter().zip(state.values.iter()) {
            environment[value as usize] = term;
        }
        if let (Some(value), Some(term)) = (segment.call_result, state.result) {
            environment[value as usize] = term;
        }
        let mut running = Running { plan: &plan, activation, key, block, id, guard, regions: state.regions };
        for step in &segment.steps {
            if self.step_through(pool, &mut running, step) == Flow::Ends {
                return;
            }
        }
        let next_entry = plan.block(block).segments.get(segment_index as usize + 1).map(|next| &*next.entry);
        self.leave(pool, running, &segment.end, next_entry, stack);
    }

    fn run(&mut self, pool: &mut TermPool, tape: &super::tape::Tape) -> Term {
        tape.run(pool, &self.buffers.environment, &mut self.buffers.scratch)
    }

    fn step_through(&mut self, pool: &mut TermPool, running: &mut Running<'_>, step: &Step) -> Flow {
        match step {
            Step::Pure { result, tape } => {
                let term = self.run(pool, tape);
                self.define(*result, term);
            }
            Step::Havoc { result, name, ty, precision } => {
                let term = self.fresh(pool, name, ty.sort(), ty.representation());
                self.inputs.push(InputRecord::Value { value: Value(*result), term, precision: *precision });
                self.define(*result, term);
            }
            Step::Address { result, object } => {
                let Some(address) = self.object_address(running.activation, *object) else {
                    let span = self.program.objects[*object].span;
                    return self.unsupported_all(running, UnsupportedCause::AddressSpace, span);
                };
                self.inputs.push(InputRecord::Object { object: *object, address });
                let term = pool.bv(self.memory.pointer_width, address);
                self.define(*result, term);
            }
            Step::Load { result, region, address, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(pool, address));
                self.check_bounds(pool, running, *region, address, *ty, *instruction);
                let contents = running.regions[region.index()];
                let term = self.memory.load(pool, *region, contents, address, *ty);
                self.define(*result, term);
            }
            Step::Store { region, address, value, ty, instruction } => {
                let address = address.as_ref().map(|address| self.run(pool, address));
                self.check_bounds(pool, running, *region, address, *ty, *instruction);
                let value = self.run(pool, value);
                let contents = running.regions[region.index()];
                let stored = self.memory.store(pool, *region, contents, address, value, *ty);
                running.set(*region, stored);
            }
            Step::Forget { region, object, instruction } => {
                return self.forget(pool, running, *region, *object, *instruction);
            }
            Step::Allocate { result, region, size, contents, instruction } => {
                let size = self.run(pool, size);
                let span = self.span(running, *instruction);
                return self.allocate(pool, running, *result, *region, size, *contents, span);
            }
        }
        Flow::Continues
    }

    fn define(&mut self, value: u32, term: Term) {
        self.buffers.environment[value as usize] = term;
    }

    fn span(&self, running: &Running<'_>, instruction: u32) -> Span {
        let function = self.activations[running.activation.index()].function;
        self.program.functions[function].blocks[running.block].instructions[instruction as usize].span
    }

    /// A symbol `name@n` that no one else has.
    fn fresh(&mut self, pool: &mut TermPool, name: &str, sort: Sort, representation: Representation) -> Term {
        if !self.names.contains_key(name) {
            self.names.insert(name.into(), 0);
        }
        let count = self.names.get_mut(name).expect("just inserted");
        loop {
            let before = pool.symbol_count();
            let symbol = pool.symbol_with(&format!("{name}@{count}"), sort, representation);
            *count += 1;
            if pool.symbol_count() > before {
                return symbol;
            }
        }
    }

    fn place(&mut self, size: u64, align: u64) -> Option<u64> {
        let (address, next) = self.layout.place(self.next_address, size, align)?;
        self.next_address = next;
        Some(address)
    }

    /// The address of an automatic object in an activation; `None` if there is no room.
    fn object_address(&mut self, activation: ActivationId, object: Object) -> Option<u64> {
        let known = &self.activations[activation.index()].addresses;
        if let Some(&(_, address)) = known.iter().find(|(other, _)| *other == object) {
            return Some(address);
        }
        let data = &self.program.objects[object];
        let address = self.place(data.size, data.align)?;
        self.activations[activation.index()].addresses.push((object, address));
        for &region in &data.regions {
            self.extents.add(region, address, data.size);
        }
        Some(address)
    }

    /// Reports the executions in which an access is not within an object: what memory holds there is not known, and the
    /// alias analysis knows nothing of such accesses. They go on, since a run to an error is replayed anyway.
    fn check_bounds(
        &mut self,
        pool: &mut TermPool,
        running: &Running<'_>,
        region: Region,
        address: Option<Term>,
        ty: Type,
        instruction: u32,
    ) {
        let Some(address) = address else { return };
        if self.config.accesses == Accesses::Trusted || self.program.checks_accesses_to(region) {
            return;
        }
        let outside = self.extents.outside(pool, region, address, ty.bytes());
        let guard = self.guards.term(running.guard);
        let guard = pool.and2(guard, outside);
        if guard != pool.fls() {
            let (cause, span) = (UnsupportedCause::OutOfBounds, self.span(running, instruction));
            self.found.unsupported.push(UnsupportedInstance { instance: running.id, cause, guard, span });
        }
    }

    fn forget(
        &mut self,
        pool: &mut TermPool,
        running: &mut Running<'_>,
        region: Region,
        object: Object,
        instruction: u32,
    ) -> Flow {
        let info = &self.memory.regions[region.index()];
        let size = self.program.objects[object].size;
        let (sort, kind, is_unknown_at_first) = (info.sort, info.kind, info.is_unknown_at_first);
        let name = self.program.objects[object].name.clone();
        let is_static = self.program.objects[object].owner.is_none();
        let address = match self.layout.object(object) {
            Some(address) => Some(address),
            None => self.object_address(running.activation, object),
        };
        let Some(address) = address else {
            let span = self.span(running, instruction);
            return self.unsupported_all(running, UnsupportedCause::AddressSpace, span);
        };
        if !is_static {
            self.inputs.push(InputRecord::Object { object, address });
        }
        if let RegionKind::Scalar(ty) = kind {
            let fresh = self.fresh(pool, &name, sort, ty.representation());
            running.set(region, fresh);
            self.record_contents(
                running,
                Holder::Object(object),
                region,
                address,
                Quantity::Fixed(ty.bytes()),
            );
            return Flow::Continues;
        }
        let is_new =
            !is_static && running.is_outside_loops() && self.memory.forget_sites[&(object, region)] == 1;
        if !(is_unknown_at_first && is_new) {
            let cells = size.div_ceil(self.memory.regions[region.index()].cell_bytes);
            let is_alone = self.memory.regions[region.index()].only_object == Some(object)
                && self.activations[running.activation.index()].depth == 1;
            if is_alone && cells > FEW_CELLS {
                let fresh = self.fresh(pool, &name, sort, Representation::Unsigned);
                running.set(region, fresh);
            } else if cells <= self.config.forget_cells {
                self.forget_cells(pool, running, region, address, cells, &name);
            } else {
                let span = self.span(running, instruction);
                return self.unsupported_all(running, UnsupportedCause::Contents { cells }, span);
            }
        }
        self.record_contents(running, Holder::Object(object), region, address, Quantity::Fixed(size));
        Flow::Continues
    }

    fn forget_cells(
        &mut self,
        pool: &mut TermPool,
        running: &mut Running<'_>,
        region: Region,
        address: u64,
        cells: u64,
        name: &str,
    ) {
        let RegionInfo { kind, cell_bytes, .. } = self.memory.regions[region.index()];
        let representation = kind.cell_type().map_or(Representation::Unsigned, Type::representation);
        let sort = Sort::BitVec(self.memory.cell_width(region));
        let mut contents = running.regions[region.index()];
        for cell in 0..cells {
            let fresh = self.fresh(pool, &format!("{name}[{cell}]"), sort, representation);
            let index = pool.bv(self.memory.pointer_width, address + cell * cell_bytes);
            contents = pool.store(contents, index, fresh);
        }
        running.set(region, contents);
    }

    fn record_contents(
        &mut self,
        running: &Running<'_>,
        of: Holder,
        region: Region,
        address: u64,
        size: Quantity,
    ) {
        let contents = running.regions[region.index()];
        self.inputs.push(InputRecord::Contents {
            of,
            region,
            contents,
            address: Quantity::Fixed(address),
            size,
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn allocate(
        &mut self,
        pool: &mut TermPool,
        running: &mut Running<'_>,
        result: u32,
        region: Region,
        size: Term,
        contents: Contents,
        span: Span,
    ) -> Flow {
        let width = self.memory.pointer_width;
        let (bytes, asked) = match pool.as_bv_u64(size) {
            Some(bytes) => (bytes, Quantity::Fixed(bytes)),
            None => {
                let has_room =
                    contents == Contents::Zero || self.memory.regions[region.index()].is_unknown_at_first;
                let slot = match self.layout.slot_bits() {
                    Some(bits) if has_room => slot_capacity(bits),
                    _ => self.config.allocation_slot,
                };
                let limit = pool.bv(width, slot);
                let fits = pool.bv_ule(size, limit);
                let cause = UnsupportedCause::Allocation { limit: slot };
                if self.unsupported_unless(pool, running, fits, cause, span) == Flow::Ends {
                    return Flow::Ends;
                }
                (slot, Quantity::Term(size))
            }
        };
        let Some(address) = self.place(bytes, BLOCK_ALIGN) else {
            return self.unsupported_all(running, UnsupportedCause::AddressSpace, span);
        };
        self.inputs.push(InputRecord::Block { result: Value(result), address: Quantity::Fixed(address) });
        self.extents.add(region, address, bytes);
        let term = pool.bv(width, address);
        self.define(result, term);
        let RegionInfo { is_unknown_at_first, cell_bytes, kind, .. } = self.memory.regions[region.index()];
        if contents == Contents::Zero {
            // A region with zeroed blocks starts as zeros, and nothing was at this address before.
            return Flow::Continues;
        }
        if let RegionKind::Scalar(ty) = kind {
            let fresh = self.fresh(pool, "block", ty.sort(), ty.representation());
            running.set(region, fresh);
        } else if !is_unknown_at_first {
            let cells = bytes.div_ceil(cell_bytes);
            if cells > self.config.forget_cells {
                return self.unsupported_all(running, UnsupportedCause::Contents { cells }, span);
            }
            self.forget_cells(pool, running, region, address, cells, "block");
        }
        self.record_contents(running, Holder::Block(Value(result)), region, address, asked);
        Flow::Continues
    }

    fn unsupported_all(&mut self, running: &Running<'_>, cause: UnsupportedCause, span: Span) -> Flow {
        let guard = self.guards.term(running.guard);
        self.found.unsupported.push(UnsupportedInstance { instance: running.id, cause, guard, span });
        Flow::Ends
    }

    /// What does not satisfy `condition` is unsupported, the rest goes on.
    fn unsupported_unless(
        &mut self,
        pool: &mut TermPool,
        running: &mut Running<'_>,
        condition: Term,
        cause: UnsupportedCause,
        span: Span,
    ) -> Flow {
        let otherwise = pool.not(condition);
        if let Some(outside) = self.guards.and(pool, running.guard, otherwise) {
            let guard = self.guards.term(outside);
            self.found.unsupported.push(UnsupportedInstance { instance: running.id, cause, guard, span });
        }
        match self.guards.and(pool, running.guard, condition) {
            Some(inside) => {
                running.guard = inside;
                Flow::Continues
            }
            None => Flow::Ends,
        }
    }

    fn leave(
        &mut self,
        pool: &mut TermPool,
        running: Running<'_>,
        end: &End,
        next_entry: Option<&[u32]>,
        stack: &mut Vec<ActivationId>,
    ) {
        let block = running.block;
        let function = self.activations[running.activation.index()].function;
        let span = self.program.functions[function].blocks[block].span;
        match end {
            End::Call { callee, arguments } => {
                let callee_plan = self.plan(*callee);
                let passed =
                    callee_plan.entry_parameters.iter().map(|&parameter| match arguments.get(parameter) {
                        Some(tape) => tape.run(pool, &self.buffers.environment, &mut self.buffers.scratch),
                        None => unreachable!("the checker compares the number of arguments"),
                    });
                let passed: Rc<[Term]> = passed.collect();
                let kept = next_entry.unwrap_or(&[]);
                let values = kept.iter().map(|&value| self.buffers.environment[value as usize]).collect();
                let call = CallSite {
                    from: running.id,
                    guard: running.guard,
                    callee: *callee,
                    arguments: passed,
                    values,
                    regions: running.regions,
                };
                let mut key = running.key.clone();
                *key.last_mut().expect("a key is not empty") += 1;
                self.call(running.activation, &key, call, stack);
            }
            End::IndirectCall { instruction } => {
                let span = self.span(&running, *instruction);
                self.unsupported_all(&running, UnsupportedCause::IndirectCall, span);
            }
            End::Goto(edge) => self.send(pool, &running, running.guard, edge),
            End::Branch { condition, then, otherwise } => {
                let condition = self.run(pool, condition);
                if let Some(guard) = self.guards.and(pool, running.guard, condition) {
                    self.send(pool, &running, guard, then);
                }
                let negated = pool.not(condition);
                if let Some(guard) = self.guards.and(pool, running.guard, negated) {
                    self.send(pool, &running, guard, otherwise);
                }
            }
            End::Switch { scrutinee, cases, default } => {
                let scrutinee = self.run(pool, scrutinee);
                let mut rest = Some(running.guard);
                for case in cases {
                    let Some(before) = rest else { break };
                    let matches = case_condition(pool, scrutinee, &case.ranges, case.signedness);
                    if let Some(guard) = self.guards.and(pool, before, matches) {
                        self.send(pool, &running, guard, &case.edge);
                    }
                    let negated = pool.not(matches);
                    rest = self.guards.and(pool, before, negated);
                }
                if let Some(guard) = rest {
                    self.send(pool, &running, guard, default);
                }
            }
            End::Return(value) => {
                let result = value.as_ref().map(|value| self.run(pool, value));
                let values = self.activations[running.activation.index()].caller_values.clone();
                let state = State { values, result, regions: running.regions };
                self.return_from(
                    running.activation,
                    Incoming { from: running.id, guard: running.guard, state },
                );
            }
            End::Error(property) => {
                let guard = self.guards.term(running.guard);
                let span = self.program.properties[*property].span;
                self.found.errors.push(ErrorInstance {
                    instance: running.id,
                    property: *property,
                    guard,
                    span,
                });
            }
            End::Stop => {}
            End::Unsupported(construct) => {
                self.unsupported_all(&running, UnsupportedCause::Construct(*construct), span);
            }
        }
    }

    fn send(
        &mut self,
        pool: &mut TermPool,
        running: &Running<'_>,
        guard: GuardId,
        edge: &super::plan::EdgePlan,
    ) {
        debug_assert_ne!(running.id, NO_INSTANCE);
        let values = edge.gather.iter().map(|gather| match gather {
            Gather::Value(value) => self.buffers.environment[*value as usize],
            Gather::Argument(tape) => tape.run(pool, &self.buffers.environment, &mut self.buffers.scratch),
        });
        let state = State { values: values.collect(), result: None, regions: running.regions.clone() };
        let incoming = Incoming { from: running.id, guard, state };
        self.follow(running.activation, running.plan, running.key, edge, incoming);
    }
}

impl Running<'_> {
    fn set(&mut self, region: Region, contents: Term) {
        if self.regions[region.index()] != contents {
            Rc::make_mut(&mut self.regions)[region.index()] = contents;
        }
    }

    /// Whether every loop around the block is in its first iteration.
    fn is_outside_loops(&self) -> bool {
        self.key[..self.key.len() - 2].chunks(2).all(|level| level[1] == 0)
    }
}

/// The condition under which `scrutinee` is in one of the ranges.
pub(crate) fn case_condition(
    pool: &mut TermPool,
    scrutinee: Term,
    ranges: &[(Term, Term)],
    signedness: Signedness,
) -> Term {
    let mut conditions = Vec::with_capacity(ranges.len());
    for &(low, high) in ranges {
        let condition = if low == high {
            pool.eq(scrutinee, low)
        } else {
            let (above, below) = match signedness {
                Signedness::Signed => (pool.bv_sle(low, scrutinee), pool.bv_sle(scrutinee, high)),
                Signedness::Unsigned => (pool.bv_ule(low, scrutinee), pool.bv_ule(scrutinee, high)),
            };
            pool.and2(above, below)
        };
        conditions.push(condition);
    }
    pool.or(&conditions)
}
