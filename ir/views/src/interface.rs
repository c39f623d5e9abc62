//! The interfaces of procedures: the parts of the state that go in and come out.
//!
//! * A parameter goes in if its value is used, a region if the procedure may read it before it
//!   overwrites all of it, or if the region comes out and may be unchanged.
//! * The result comes out if a call uses it, a region if the procedure may write it and it is live
//!   after some call.
//!
//! Both are the least solution of an interprocedural liveness analysis. A call reads the regions
//! that go into the callee and overwrites those that the callee may write; those that are live
//! after the call come out of the callee. So a region that is live before a call has its value in
//! the state, and the value of any other region that goes in at this call has no influence.
//!
//! A region that no path from program start to a location writes has its contents from program
//! start there, so it is not in the state if these are a constant, and does not go into a procedure
//! if this holds at all its calls. The regions that may be written before a location are the least
//! solution of an interprocedural analysis too.
//!
//! The heap pointers count as regions after the last one. An allocation reads and writes one. An
//! access to a region with heap blocks reads one if accesses are checked.
//!
//! Cost: rounds of region liveness for all functions, at most one for each pair of a function and a
//! region, few in practice.

use crate::machine::{CallSite, Machine};
use crate::origin::{FRAME, Moment, Origin, RESULT, region_origin};
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::{RegionEffects, RegionLiveness, RegionSet, RegionWrites};
use program::ssa::{Block, Callee, Function, InstructionKind, RegionKind, Terminator, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terms::entity::Entity;

/// The interface of a procedure, with the live regions of its body.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The variables that go in: parameters, the frame, then regions.
    at_entry: Vec<(Origin, Moment)>,
    /// The variables that come out.
    changes: Vec<Origin>,
    live: RegionLiveness,
    at_calls: FxHashMap<CallSite, RegionSet>,
    /// By block, whether control may lead from its start to a return.
    leads_to_return: Vec<bool>,
    entry: Block,
}

impl Interface {
    /// The variables that go in: parameters, then regions. A region that the procedure may write
    /// has a variable of its own for the value at entry ([`Moment::Entry`]).
    pub(crate) fn at_entry(&self) -> &[(Origin, Moment)] {
        &self.at_entry
    }

    /// The variables that come out: the result, if a call uses it, then regions.
    pub(crate) fn changes(&self) -> &[Origin] {
        &self.changes
    }

    /// Whether the procedure may return, as far as its control flow shows.
    pub(crate) fn may_return(&self) -> bool {
        self.may_return_from(self.entry)
    }

    /// Whether the procedure may return from a block.
    pub(crate) fn may_return_from(&self, block: Block) -> bool {
        self.leads_to_return[block.index()]
    }

    /// The regions that are live at the start of a block.
    pub(crate) fn live_in(&self, block: Block) -> &RegionSet {
        self.live.live_in(block)
    }

    /// The regions that are live before a call.
    pub(crate) fn live_before(&self, site: CallSite) -> &RegionSet {
        &self.at_calls[&site]
    }
}

/// The regions that go into functions and come out of them, by function.
struct Flow {
    effects: RegionEffects,
    /// Those that may be read before they are overwritten, also if they are a constant at entry.
    inputs: Vec<RegionSet>,
    outputs: Vec<RegionSet>,
    /// Those that an execution of the function may write.
    writes: Vec<RegionSet>,
}

/// Computes the interfaces of all functions that may be called, and of the entry function.
pub(crate) fn interfaces(machine: &Machine<'_>) -> Vec<Option<Rc<Interface>>> {
    let program = machine.program;
    let functions: Vec<Function> =
        program.functions.keys().filter(|function| machine.plans[function.index()].is_some()).collect();
    let graphs: Vec<ControlFlow> =
        functions.iter().map(|&function| ControlFlow::new(&program.functions[function])).collect();
    let count = program.functions.len();
    let effects = RegionEffects::new(program);
    let writes = writes(machine, &functions, &effects);
    let mut flow = Flow {
        effects,
        inputs: vec![RegionSet::default(); count],
        outputs: vec![RegionSet::default(); count],
        writes,
    };
    let mut lives: Vec<RegionLiveness> = Vec::new();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        lives.clear();
        for (&function, graph) in functions.iter().zip(&graphs) {
            let data = &program.functions[function];
            let at_return = flow.outputs[function.index()].clone();
            let live = RegionLiveness::with(data, graph, &at_return, &mut |kind, live| {
                flow.before(machine, kind, live);
            });
            is_changed |= flow.inputs[function.index()].union(live.live_in(data.entry));
            for (kind, after) in flow.after_calls(machine, function, graph, &live) {
                let Some(callee) = called(machine, kind) else { continue };
                let mut out = RegionSet::default();
                for region in after.iter().filter(|&region| flow.writes[callee.index()].contains(region)) {
                    out.insert(region);
                }
                is_changed |= flow.outputs[callee.index()].union(&out);
            }
            lives.push(live);
        }
    }
    let written = flow.written(machine, &functions, &graphs);
    let used = used_results(machine, &functions);
    let mut result = vec![None; count];
    for (((function, graph), live), written) in functions.into_iter().zip(&graphs).zip(lives).zip(written) {
        let interface = flow.interface(machine, (function, graph), (live, &written), &used);
        result[function.index()] = Some(Rc::new(interface));
    }
    result
}

impl Flow {
    /// Turns the regions that are live after an instruction into those that are live before it.
    fn before(&self, machine: &Machine<'_>, kind: &InstructionKind, live: &mut RegionSet) {
        match kind {
            InstructionKind::Load { region, .. } | InstructionKind::Store { region, .. } => {
                let is_load = matches!(kind, InstructionKind::Load { .. });
                if matches!(machine.program.regions[*region].kind, RegionKind::Scalar(_)) && !is_load {
                    live.remove(*region);
                }
                if is_load {
                    live.insert(*region);
                }
                if let Some(pointer) = machine.limit_of_accesses(*region) {
                    live.insert(pointer);
                }
            }
            InstructionKind::Forget { region, object } => {
                let is_scalar = matches!(machine.program.regions[*region].kind, RegionKind::Scalar(_));
                if is_scalar || machine.fills(*object, *region) {
                    live.remove(*region);
                }
            }
            InstructionKind::Allocate { parts, .. } => _ = live.insert(machine.pointer_of(parts)),
            InstructionKind::Call { .. } => {
                let Some(callee) = called(machine, kind) else { return };
                for region in self.writes[callee.index()].iter() {
                    live.remove(region);
                }
                live.union(&self.inputs[callee.index()]);
            }
            _ => {}
        }
    }

    /// The regions that may be written between program start and the blocks of each function. The
    /// heap pointers count as written everywhere.
    fn written(
        &self,
        machine: &Machine<'_>,
        functions: &[Function],
        graphs: &[ControlFlow],
    ) -> Vec<RegionWrites> {
        let program = machine.program;
        let mut at_entry = vec![RegionSet::default(); program.functions.len()];
        at_entry[program.entry.index()] = machine.unknown_at_start();
        // With the regions at entry that they were computed for.
        let mut result: Vec<Option<(RegionSet, RegionWrites)>> = vec![None; functions.len()];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for ((&function, graph), last) in functions.iter().zip(graphs).zip(&mut result) {
                let (data, known) = (&program.functions[function], at_entry[function.index()].clone());
                if last.as_ref().is_some_and(|(last, _)| *last == known) {
                    continue;
                }
                is_changed = true;
                let new = RegionWrites::new(&self.effects, data, graph, &known);
                for &block in graph.reverse_postorder() {
                    let mut written = new.before(block).clone();
                    for instruction in &data.blocks[block].instructions {
                        if let Some(callee) = called(machine, &instruction.kind) {
                            at_entry[callee.index()].union(&written);
                        }
                        self.effects
                            .written_by(&instruction.kind)
                            .for_each(|region| _ = written.insert(region));
                    }
                }
                *last = Some((known, new));
            }
        }
        result.into_iter().map(|last| last.expect("each function was visited").1).collect()
    }

    /// Visits the calls of a function backward, with the regions that are live after each.
    fn after_calls<'p>(
        &self,
        machine: &Machine<'p>,
        function: Function,
        graph: &ControlFlow,
        live: &RegionLiveness,
    ) -> Vec<(&'p InstructionKind, RegionSet)> {
        let data = &machine.program.functions[function];
        let mut calls = Vec::new();
        for &block in graph.reverse_postorder() {
            let mut live = live.live_out(data, graph, block, &self.outputs[function.index()]);
            for instruction in data.blocks[block].instructions.iter().rev() {
                if is_cut(machine, &instruction.kind) {
                    calls.push((&instruction.kind, live.clone()));
                }
                self.before(machine, &instruction.kind, &mut live);
            }
        }
        calls
    }

    fn interface(
        &self,
        machine: &Machine<'_>,
        (function, graph): (Function, &ControlFlow),
        (mut live, written): (RegionLiveness, &RegionWrites),
        used: &[bool],
    ) -> Interface {
        let data = &machine.program.functions[function];
        let [inputs, outputs, writes] =
            [&self.inputs, &self.outputs, &self.writes].map(|sets| &sets[function.index()]);
        let mut at_calls = FxHashMap::default();
        let mut calls = self.after_calls(machine, function, graph, &live).into_iter();
        for &block in graph.reverse_postorder() {
            let mut written = written.before(block).clone();
            let mut before = Vec::new();
            for instruction in &data.blocks[block].instructions {
                if is_cut(machine, &instruction.kind) {
                    before.push(written.clone());
                }
                self.effects.written_by(&instruction.kind).for_each(|region| _ = written.insert(region));
            }
            for (index, written) in before.iter().enumerate().rev() {
                let (kind, mut live) = calls.next().expect("each call has a set");
                self.before(machine, kind, &mut live);
                live.intersect(written);
                at_calls.insert(CallSite { block, index }, live);
            }
        }
        live.restrict(written);
        let (mut at_entry, mut changes) = (Vec::new(), Vec::new());
        if function != machine.program.entry {
            let plan = machine.plans[function.index()].as_ref().expect("the function has a plan");
            let parameters = plan.block(plan.entry).segments[0].entry.iter();
            at_entry.extend(parameters.map(|&value| (Origin::Value(Value(value)), Moment::Now)));
            if machine.needs_frame(function) {
                at_entry.push((Origin::Value(FRAME), Moment::Now));
            }
            let mut inputs = inputs.clone();
            inputs.intersect(written.before(data.entry));
            at_entry.extend(inputs.iter().map(|region| {
                let moment = if writes.contains(region) { Moment::Entry } else { Moment::Now };
                (region_origin(machine, region), moment)
            }));
            changes
                .extend((data.result.is_some() && used[function.index()]).then_some(Origin::Value(RESULT)));
            changes.extend(outputs.iter().map(|region| region_origin(machine, region)));
        }
        Interface {
            at_entry,
            changes,
            live,
            at_calls,
            leads_to_return: leads_to_return(machine, function, graph),
            entry: data.entry,
        }
    }
}

/// Whether a call ends an execution of its block.
fn is_cut(machine: &Machine<'_>, kind: &InstructionKind) -> bool {
    called(machine, kind).is_some()
        || matches!(kind, InstructionKind::Call { callee: Callee::Indirect { .. }, .. })
}

/// The function with a body that an instruction calls.
fn called(machine: &Machine<'_>, kind: &InstructionKind) -> Option<Function> {
    match kind {
        InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
            machine.program.functions[*callee].is_defined().then_some(*callee)
        }
        _ => None,
    }
}

/// The regions, and the heap pointers, that an execution of each function may write.
fn writes(machine: &Machine<'_>, functions: &[Function], effects: &RegionEffects) -> Vec<RegionSet> {
    let program = machine.program;
    let mut writes: Vec<RegionSet> =
        program.functions.keys().map(|function| effects.writes(function).clone()).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &function in functions {
            let blocks = program.functions[function].blocks.values();
            let mut moved = RegionSet::default();
            for instruction in blocks.flat_map(|block| &block.instructions) {
                if let InstructionKind::Allocate { parts, .. } = &instruction.kind {
                    moved.insert(machine.pointer_of(parts));
                }
                if let Some(callee) = called(machine, &instruction.kind) {
                    let writes = &writes[callee.index()];
                    let pointers = machine.heap_pointers().filter(|&pointer| writes.contains(pointer));
                    pointers.for_each(|pointer| _ = moved.insert(pointer));
                }
            }
            is_changed |= writes[function.index()].union(&moved);
        }
    }
    writes
}

/// By function, whether a call uses its result.
fn used_results(machine: &Machine<'_>, functions: &[Function]) -> Vec<bool> {
    let mut used = vec![false; machine.program.functions.len()];
    for function in functions {
        let plan = machine.plans[function.index()].as_ref().expect("the function has a plan");
        for block in plan.blocks.iter().flatten() {
            for (segment, next) in block.segments.iter().zip(&block.segments[1..]) {
                if let (Some(callee), Some(_)) = (segment.end.callee(), next.call_result) {
                    used[callee.index()] = true;
                }
            }
        }
    }
    used
}

fn leads_to_return(machine: &Machine<'_>, function: Function, graph: &ControlFlow) -> Vec<bool> {
    let data = &machine.program.functions[function];
    let mut leads = vec![false; data.blocks.len()];
    let returns = |block: &Block| matches!(data.blocks[*block].terminator, Terminator::Return(_));
    let mut work: Vec<Block> = graph.reverse_postorder().iter().copied().filter(returns).collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut leads[block.index()], true) {
            work.extend(graph.predecessors(block).iter().map(|edge| edge.from));
        }
    }
    leads
}
