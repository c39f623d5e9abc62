//! Dead code elimination: removes code whose results are not used.
//!
//! Rounds until a fixpoint (at most [`MOST_ROUNDS`]):
//! 1. Functions that the entry does not call lose their bodies.
//! 2. Dead stores are removed: to a region that no function loads from, and to a scalar region that
//!    every following path overwrites or does not read ([`RegionLiveness`]). `forget`s of regions
//!    that are never loaded are removed as well.
//! 3. Calls are removed if their result is unused and their callee has no effect: it writes
//!    nothing, cannot end the program, reaches neither an error nor an unsupported construct, and
//!    calls only functions without effect.
//! 4. [Simplification](super::simplify) with [`Events::Drop`] removes unused values (Cytron et al.,
//!    *Efficiently Computing Static Single Assignment Form and the Control Dependence Graph*,
//!    TOPLAS 1991, §7.1, on values only), unreachable blocks, and block parameters that get the
//!    same argument from all edges.
//!
//! *A store outside of every object* is undefined behavior and may change anything in the lowered
//! program. The unroller reports it, so a store whose address is not provably within its object is
//! kept even if the region is never read. A load outside of every object is removed with its value:
//! it has no effect.
//!
//! DIVERGENCE: a call without effect may not terminate; without it, the code after it is reached.
//! Proofs remain valid, and counterexamples are replayed on the lowered program.
//!
//! Cost: linear in the program for each round, except for the liveness of regions, which takes a
//! few sweeps.

use super::addresses::is_inside;
use super::back::BackTranslator;
use super::rewrite::definitions;
use super::simplify::{Events, simplify};
use super::size::Size;
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::{RegionEffects, RegionLiveness, RegionSet};
use program::ssa::{Callee, Function, FunctionData, InstructionKind, Program, RegionKind, Terminator};
use terms::TermPool;
use terms::entity::{Entity, PrimaryMap};

/// The largest number of rounds.
pub const MOST_ROUNDS: usize = 6;

/// Removes dead code from `program`.
pub fn dead_code(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let mut back = BackTranslator::identity();
    for _ in 0..MOST_ROUNDS {
        let before = Size::of(program);
        remove_uncalled_functions(program);
        remove_dead_stores(pool, program);
        remove_calls_without_effect(pool, program);
        back = back.then(simplify(pool, program, Events::Drop));
        if Size::of(program) == before {
            break;
        }
    }
    back
}

/// The functions that the entry may call, directly or indirectly. A call through a pointer may
/// reach every function whose address is taken.
pub(crate) fn called_functions(program: &Program) -> Vec<bool> {
    let mut is_called = vec![false; program.functions.len()];
    let mut work = vec![program.entry];
    is_called[program.entry.index()] = true;
    let mut taken = Vec::new();
    let mut has_indirect = false;
    while let Some(function) = work.pop() {
        let mut call = |target: Function, work: &mut Vec<Function>| {
            if !std::mem::replace(&mut is_called[target.index()], true) {
                work.push(target);
            }
        };
        for kind in kinds(&program.functions[function]) {
            match kind {
                InstructionKind::Call { callee: Callee::Direct(callee), .. } => call(*callee, &mut work),
                InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => has_indirect = true,
                InstructionKind::FunctionAddress(target) => taken.push(*target),
                _ => {}
            }
        }
        if has_indirect {
            for target in taken.drain(..) {
                call(target, &mut work);
            }
        }
    }
    is_called
}

fn kinds(function: &FunctionData) -> impl Iterator<Item = &InstructionKind> {
    function.blocks.values().flat_map(|block| &block.instructions).map(|instruction| &instruction.kind)
}

fn remove_uncalled_functions(program: &mut Program) {
    let is_called = called_functions(program);
    for (function, data) in program.functions.iter_mut() {
        if !is_called[function.index()] && data.is_defined() {
            data.blocks = PrimaryMap::new();
            data.values = PrimaryMap::new();
        }
    }
}

fn remove_dead_stores(pool: &TermPool, program: &mut Program) {
    let mut is_read = RegionSet::default();
    for kind in program.functions.values().flat_map(kinds) {
        if let InstructionKind::Load { region, .. } = kind {
            is_read.insert(*region);
        }
    }
    let effects = RegionEffects::new(program);
    let defined: Vec<Function> = program.functions.keys().collect();
    for function in defined {
        let data = &program.functions[function];
        if !data.is_defined() {
            continue;
        }
        let at_return = if function == program.entry { RegionSet::default() } else { is_read.clone() };
        let kept = kept_instructions(pool, program, &effects, data, &is_read, &at_return);
        for (block, keeps) in program.functions[function].blocks.values_mut().zip(kept) {
            let mut flags = keeps.into_iter();
            block.instructions.retain(|_| flags.next().unwrap_or(true));
        }
    }
}

/// For each block and instruction, whether it is not a dead store.
fn kept_instructions(
    pool: &TermPool,
    program: &Program,
    effects: &RegionEffects,
    function: &FunctionData,
    is_read: &RegionSet,
    at_return: &RegionSet,
) -> Vec<Vec<bool>> {
    let graph = ControlFlow::new(function);
    let liveness = RegionLiveness::new(program, effects, function, &graph, at_return);
    let definitions = definitions(function);
    let is_scalar = |region| matches!(program.regions[region].kind, RegionKind::Scalar(_));
    let mut all = Vec::with_capacity(function.blocks.len());
    for (block, data) in function.blocks.iter() {
        let mut live = match data.terminator {
            Terminator::Return(_) => at_return.clone(),
            _ => RegionSet::default(),
        };
        for target in graph.successors(block) {
            live.union(liveness.live_in(*target));
        }
        let mut keeps = vec![true; data.instructions.len()];
        for (index, instruction) in data.instructions.iter().enumerate().rev() {
            match &instruction.kind {
                InstructionKind::Store { region, address, ty, .. } => {
                    keeps[index] = match address {
                        None => live.contains(*region),
                        Some(address) => {
                            is_read.contains(*region)
                                || !is_inside(pool, program, &definitions, *address, ty.bytes())
                        }
                    };
                    if is_scalar(*region) {
                        live.remove(*region);
                    }
                }
                InstructionKind::Forget { region, .. } => {
                    keeps[index] =
                        if is_scalar(*region) { live.contains(*region) } else { is_read.contains(*region) };
                    if is_scalar(*region) {
                        live.remove(*region);
                    }
                }
                kind => {
                    for region in effects.read_by(kind) {
                        live.insert(region);
                    }
                }
            }
        }
        all.push(keeps);
    }
    all
}

/// For each function, whether its only effect is its result, so that a call with an unused result
/// may be removed.
pub(crate) fn functions_without_effect(program: &Program) -> Vec<bool> {
    let mut is_pure: Vec<bool> = program
        .functions
        .values()
        .map(|function| {
            let graph = function.is_defined().then(|| ControlFlow::new(function));
            function.blocks.iter().all(|(block, data)| {
                let is_reached = graph.as_ref().is_some_and(|graph| graph.is_reachable(block));
                !is_reached
                    || !matches!(
                        data.terminator,
                        Terminator::Error(_) | Terminator::Unsupported(_) | Terminator::Stop(_)
                    ) && data.instructions.iter().all(|instruction| is_pure_by_itself(&instruction.kind))
            })
        })
        .collect();
    loop {
        let mut is_changed = false;
        for (function, data) in program.functions.iter() {
            let calls_effect = || {
                kinds(data).any(|kind| match kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => !is_pure[callee.index()],
                    _ => false,
                })
            };
            if is_pure[function.index()] && calls_effect() {
                is_pure[function.index()] = false;
                is_changed = true;
            }
        }
        if !is_changed {
            return is_pure;
        }
    }
}

fn is_pure_by_itself(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Pure(_)
        | InstructionKind::Havoc(_)
        | InstructionKind::AddressOf(_)
        | InstructionKind::FunctionAddress(_)
        | InstructionKind::Load { .. } => true,
        InstructionKind::Call { callee, .. } => matches!(callee, Callee::Direct(_)),
        InstructionKind::Store { .. } | InstructionKind::Forget { .. } | InstructionKind::Allocate { .. } => {
            false
        }
    }
}

fn remove_calls_without_effect(pool: &TermPool, program: &mut Program) {
    let is_pure = functions_without_effect(program);
    for function in program.functions.values_mut() {
        let mut is_used = vec![false; function.values.len()];
        for block in function.blocks.values() {
            let mut note = |term| {
                for value in pool.free_values(term) {
                    is_used[value as usize] = true;
                }
            };
            for instruction in &block.instructions {
                instruction.kind.for_each_term(&mut note);
            }
            block.terminator.for_each_term(&mut note);
        }
        for block in function.blocks.values_mut() {
            block.instructions.retain(|instruction| match &instruction.kind {
                InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                    !is_pure[callee.index()] || instruction.result.is_some_and(|value| is_used[value.index()])
                }
                _ => true,
            });
        }
    }
}
