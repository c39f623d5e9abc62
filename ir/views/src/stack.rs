//! Frames: the automatic objects of recursive functions.
//!
//! Several activations of a recursive function exist at the same time, so each has a *frame* with
//! the addresses of its objects. The address of the frame is an implicit parameter
//! ([`FRAME`](crate::state::FRAME)): a caller passes the first address after its own frame. It does
//! not come out of a call, so activations that follow each other use the same addresses. Objects of
//! other functions have one address each, as in all views.
//!
//! The frames are in the upper half of the address space, the heap is below. Executions whose
//! frames would pass the end of the address space are excluded, as those that exhaust the heap are
//! ([`machine`](crate::machine)): a recursion does not use up all of memory. If there are few
//! slots, they are unsupported.
//!
//! *Access checks.* A region with objects in frames is accessed inside of objects if the address is
//! between the first frame and the end of the current one.

use crate::execute::plan::FunctionPlan;
use crate::execute::{Accesses, BLOCK_ALIGN, Config};
use program::layout::{Layout, LayoutError};
use program::ssa::{Callee, Function, InstructionKind, Object, Program, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::Entity;

/// The frames of a program.
#[derive(Debug)]
pub(crate) struct Stack {
    /// The address of the first frame.
    pub(crate) start: u64,
    /// The greatest address.
    last: u64,
    offsets: FxHashMap<Object, u64>,
    /// The size of the frame of each function.
    sizes: Vec<u64>,
    /// By function, whether it depends on the address of its frame.
    depends: Vec<bool>,
    /// The regions with objects in frames.
    regions: FxHashSet<Region>,
}

impl Stack {
    /// Lays out the frames of the functions with a plan.
    ///
    /// # Errors
    /// If a frame does not fit into the upper half of the address space, or static objects reach
    /// into it.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        plans: &[Option<Rc<FunctionPlan>>],
        config: Config,
    ) -> Result<Self, LayoutError> {
        let width = program.machine.pointer_width;
        let mut stack = Stack {
            start: 1 << (width - 1),
            last: layout.last_address(),
            offsets: FxHashMap::default(),
            sizes: vec![0; plans.len()],
            depends: vec![false; plans.len()],
            regions: FxHashSet::default(),
        };
        let is_recursive =
            |function: Function| plans[function.index()].as_ref().is_some_and(|plan| plan.is_recursive);
        let framed = program.objects.iter().filter(|(_, data)| data.owner.is_some_and(is_recursive));
        let framed: Vec<_> = framed.collect();
        let align = framed.iter().map(|(_, data)| data.align.max(BLOCK_ALIGN)).max().unwrap_or(BLOCK_ALIGN);
        // Twice the alignment, because the layout avoids addresses that are aligned better than
        // they have to be.
        let stride = layout.slot_bits().map_or(2 * align, |bits| (1 << bits).max(2 * align));
        for (object, data) in framed {
            let size = &mut stack.sizes[data.owner.expect("objects in frames have an owner").index()];
            let place = layout.place(stack.start + *size, data.size, data.align);
            let end = place.map(|(_, end)| (end - stack.start).next_multiple_of(stride));
            let has_room = |&end: &u64| end < stack.start && layout.dynamic_start() < stack.start;
            let (Some((address, _)), Some(end)) = (place, end.filter(has_room)) else {
                let what = format!("the object `{}`", data.name);
                return Err(LayoutError::AddressSpace { what, pointer_width: width });
            };
            stack.offsets.insert(object, address - stack.start);
            stack.regions.extend(&data.regions);
            *size = end;
        }
        stack.depends = stack.dependent(program, plans, config);
        Ok(stack)
    }

    fn dependent(&self, program: &Program, plans: &[Option<Rc<FunctionPlan>>], config: Config) -> Vec<bool> {
        let mut depends: Vec<bool> = self.sizes.iter().map(|&size| size > 0).collect();
        let mut is_changed = !self.offsets.is_empty();
        while std::mem::take(&mut is_changed) {
            for (function, data) in program.functions.iter() {
                if plans[function.index()].is_none() || depends[function.index()] {
                    continue;
                }
                let kinds = data.blocks.values().flat_map(|block| &block.instructions);
                let is_dependent = kinds.map(|instruction| &instruction.kind).any(|kind| match kind {
                    InstructionKind::Load { region, .. } | InstructionKind::Store { region, .. } => {
                        config.accesses == Accesses::Checked
                            && self.regions.contains(region)
                            && !program.checks_accesses_to(*region)
                    }
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => depends[callee.index()],
                    _ => false,
                });
                depends[function.index()] = is_dependent;
                is_changed |= is_dependent;
            }
        }
        depends
    }

    /// Whether there are no objects in frames.
    pub(crate) fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The offset of an object in the frame of its function; `None` if it has a fixed address.
    pub(crate) fn offset(&self, object: Object) -> Option<u64> {
        self.offsets.get(&object).copied()
    }

    /// The size of the frame of a function.
    pub(crate) fn size(&self, function: Function) -> u64 {
        self.sizes[function.index()]
    }

    /// Whether a function depends on the address of its frame.
    pub(crate) fn is_needed(&self, function: Function) -> bool {
        self.depends[function.index()]
    }

    /// Whether objects of the region are in frames.
    pub(crate) fn holds(&self, region: Region) -> bool {
        self.regions.contains(&region)
    }

    /// The last address at which the frame of a function may be.
    pub(crate) fn last_frame(&self, function: Function) -> u64 {
        self.last - self.size(function)
    }
}
