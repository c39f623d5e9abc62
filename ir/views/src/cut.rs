//! Cut SSA: a whole function as one acyclic formula.
//!
//! *Generic Template-Based Synthesis of Program Abstractions*, chapter 3: the loops are cut at their ends. Where a value comes from
//! the end of the loop to its head, it is replaced by a free *loop-back value* `x_lb`, and the choice between it and the value `x_0` from
//! before the loop is a free Boolean, the *loop-select* variable: `x_phi = ite(g_ls, x_lb, x_0)`. Every block has a guard. The formula so
//! obtained over-approximates the program: an invariant `I` of a loop is a condition on `x_phi` for which `guard_head ∧ g_ls ⇒ I(x_lb)`
//! may be assumed and `guard_end ⇒ I(x_end)` has to be shown.
//!
//! Only what a loop changes is cut: head parameters that some back edge changes, and the regions that are
//! stored to in the loop (and the heap pointer, if there is one). Everything is a term over inputs, loop-back values and selects;
//! there are no further equations. Cost: linear in the function, each block is executed once.

use super::ViewError;
use super::blocks::Origin;
use super::machine::{Exit, Machine, NOWHERE};
use crate::unroll::guards::{self, Incoming, State};
use crate::unroll::plan::EdgeKind;
use crate::unroll::{Config, UnsupportedCause};
use grammars::source::Span;
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::RegionEffects;
use program::ssa::loops::{Loop, LoopForest};
use program::ssa::{Block, Program, Property, RegionKind, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;
use terms::entity::Entity;
use terms::{Representation, Sort, Term, TermPool};

/// The function as one formula.
#[derive(Clone, Debug)]
pub struct CutSsa {
    /// The loops, an outer one before those inside.
    pub loops: Vec<CutLoop>,
    /// By block: under which condition it is reached from the start or from a cut; `None` where not reached.
    pub guards: Vec<Option<Term>>,
    /// By value: its term; `None` where its definition is not reached or the value is never used.
    pub values: Vec<Option<Term>>,
    /// Every error site with its guard.
    pub errors: Vec<(Property, Term)>,
    /// What is not covered, with its guard.
    pub unsupported: Vec<(UnsupportedCause, Term, Span)>,
}

/// A loop that was cut.
#[derive(Clone, Debug)]
pub struct CutLoop {
    /// Which loop of the function's loop forest.
    pub id: Loop,
    /// Its head.
    pub head: Block,
    /// The condition under which the head is reached (`g_lh`).
    pub head_guard: Term,
    /// The loop-select Boolean (`g_ls`): whether the state at the head comes from the end of the loop.
    pub select: Term,
    /// The condition under which the end of the loop is reached; false if it never is.
    pub end_guard: Term,
    /// What the loop changes.
    pub variables: Vec<CutVariable>,
}

/// A variable that a loop changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutVariable {
    /// The head's parameter or the region.
    pub origin: Origin,
    /// Its value when the loop is entered (`x_0`).
    pub before: Term,
    /// The loop-back value (`x_lb`): a symbol.
    pub back: Term,
    /// Its value at the head: `ite(select, back, before)`.
    pub phi: Term,
    /// Its value at the end of the loop, under `end_guard`.
    pub end: Term,
}

/// Marks values that the execution of a block did not define.
const UNDEFINED: Term = Term(u32::MAX);

/// The entry function of `program` as one formula.
///
/// # Errors
/// If the program is not inlined or has irreducible loops.
pub fn cut_ssa(pool: &mut TermPool, program: &Program, config: Config) -> Result<CutSsa, ViewError> {
    let mut machine = Machine::new(pool, program, config)?;
    let graph = ControlFlow::new(machine.function);
    let loops = LoopForest::new(&graph);
    let effects = RegionEffects::new(program);
    let mut result = CutSsa {
        loops: Vec::new(),
        guards: vec![None; machine.function.blocks.len()],
        values: vec![None; machine.function.values.len()],
        errors: Vec::new(),
        unsupported: Vec::new(),
    };
    let entry = machine.plan.entry;
    let regions = Rc::new(machine.initial_regions(pool));
    let start = State { values: Rc::new([]), result: None, regions };
    let start = Incoming { from: NOWHERE, guard: guards::ROOT, state: start };
    let mut queue = BTreeMap::from([(machine.plan.block(entry).position, (entry, vec![start]))]);
    // By loop, in order of `result.loops`: the states that reach the loop's end.
    let mut ends: Vec<Vec<Incoming>> = Vec::new();
    let mut cut_of: BTreeMap<Block, usize> = BTreeMap::new();
    let mut exits = Vec::new();
    while let Some((_, (block, incoming))) = queue.pop_first() {
        let (guard, mut state) = guards::merge(pool, &mut machine.guards, &incoming);
        let guard_term = machine.guards.term(guard);
        result.guards[block.index()] = Some(guard_term);
        if let Some(id) = loops.headed_by(block) {
            let cutter = Cutter { loops: &loops, effects: &effects, id };
            let cut = cutter.cut(pool, &mut machine, guard_term, &mut state);
            cut_of.insert(block, result.loops.len());
            result.loops.push(cut);
            ends.push(Vec::new());
        }
        let defined =
            machine.function.blocks[block].instructions.iter().filter_map(|instruction| instruction.result);
        for value in defined.clone() {
            machine.environment[value.index()] = UNDEFINED;
        }
        machine.execute(pool, block, guard, &state, &mut exits);
        for value in defined {
            result.values[value.index()] =
                Some(machine.environment[value.index()]).filter(|&term| term != UNDEFINED);
        }
        let entry_values = &machine.plan.block(block).segments[0].entry;
        for (&value, &term) in entry_values.iter().zip(state.values.iter()) {
            if machine.function.blocks[block].parameters.contains(&Value(value)) {
                result.values[value as usize] = Some(term);
            }
        }
        for exit in exits.drain(..) {
            match exit {
                Exit::Edge { target, kind: EdgeKind::Back, incoming } => ends[cut_of[&target]].push(incoming),
                Exit::Edge { target, incoming, .. } => {
                    let position = machine.plan.block(target).position;
                    queue.entry(position).or_insert((target, Vec::new())).1.push(incoming);
                }
                Exit::Error { property, guard } => result.errors.push((property, machine.guards.term(guard))),
                Exit::Unsupported { cause, guard, span } => {
                    result.unsupported.push((cause, machine.guards.term(guard), span));
                }
            }
        }
    }
    for (cut, incoming) in result.loops.iter_mut().zip(&ends) {
        if incoming.is_empty() {
            continue;
        }
        let (guard, state) = guards::merge(pool, &mut machine.guards, incoming);
        cut.end_guard = machine.guards.term(guard);
        let entry = &machine.plan.block(cut.head).segments[0].entry;
        for variable in &mut cut.variables {
            variable.end = match variable.origin {
                Origin::Value(value) => {
                    let position = entry.iter().position(|&other| other == value.0);
                    state.values[position.expect("cut values are live")]
                }
                Origin::Region(region) => state.regions[region.index()],
                Origin::HeapPointer => state.regions[machine.heap_index()],
            };
        }
    }
    Ok(result)
}

struct Cutter<'a> {
    loops: &'a LoopForest,
    effects: &'a RegionEffects,
    id: Loop,
}

impl Cutter<'_> {
    /// Replaces what the loop changes in the state at its head.
    fn cut(
        &self,
        pool: &mut TermPool,
        machine: &mut Machine<'_>,
        head_guard: Term,
        state: &mut State,
    ) -> CutLoop {
        let head = self.loops.data(self.id).head;
        let select = machine.fresh(pool, &format!("select.{}", self.id), Sort::Bool, Representation::Signed);
        let mut variables = Vec::new();
        let carried: FxHashSet<Value> =
            self.loops.carried(self.id, machine.function, pool).into_iter().collect();
        let entry = machine.plan.block(head).segments[0].entry.to_vec();
        let mut values = state.values.to_vec();
        for (slot, value) in values.iter_mut().zip(entry) {
            let value = Value(value);
            if carried.contains(&value) {
                let data = &machine.function.values[value];
                let name = format!("{}.lb", data.name.clone().unwrap_or_else(|| value.to_string()));
                let back = machine.fresh(pool, &name, data.ty.sort(), data.ty.representation());
                pool.mark_computed(back);
                let variable = choose(pool, select, Origin::Value(value), *slot, back);
                *slot = variable.phi;
                variables.push(variable);
            }
        }
        let mut regions = state.regions.to_vec();
        for region in self.effects.modified_in_loop(machine.function, self.loops, self.id).iter() {
            let info = &machine.memory.regions[region.index()];
            let representation = match info.kind {
                RegionKind::Scalar(ty) => ty.representation(),
                _ => Representation::Unsigned,
            };
            let (name, sort) = (format!("{}.lb", info.name), info.sort);
            let back = machine.fresh(pool, &name, sort, representation);
            pool.mark_computed(back);
            regions[region.index()] =
                push(pool, select, Origin::Region(region), regions[region.index()], back, &mut variables);
        }
        if machine.has_heap() {
            let heap = machine.heap_index();
            let sort = Sort::BitVec(machine.memory.pointer_width);
            let back = machine.fresh(pool, "heap.lb", sort, Representation::Unsigned);
            pool.mark_computed(back);
            regions[heap] = push(pool, select, Origin::HeapPointer, regions[heap], back, &mut variables);
        }
        state.values = values.into();
        state.regions = Rc::new(regions);
        CutLoop { id: self.id, head, head_guard, select, end_guard: pool.fls(), variables }
    }
}

fn push(
    pool: &mut TermPool,
    select: Term,
    origin: Origin,
    before: Term,
    back: Term,
    variables: &mut Vec<CutVariable>,
) -> Term {
    let variable = choose(pool, select, origin, before, back);
    variables.push(variable);
    variable.phi
}

fn choose(pool: &mut TermPool, select: Term, origin: Origin, before: Term, back: Term) -> CutVariable {
    let phi = pool.ite(select, back, before);
    CutVariable { origin, before, back, phi, end: phi }
}
