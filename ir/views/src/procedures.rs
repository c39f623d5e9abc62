//! Block formulas of programs with calls: one procedure at a time, with calls as cut points.
//!
//! The idea is that of *summaries* and *calling contexts* (Sharir, Pnueli, *Two Approaches to
//! Interprocedural Data Flow Analysis*, 1981), as 2LS has them (Schrammel, Kroening, *2LS for
//! Program Analysis*, TACAS 2016): the calling context of a procedure is a relation over its
//! arguments and the memory at its entry, its summary a relation between these and the result and
//! the memory at its return. As Horn clauses, a call makes the clause after it *nonlinear*: its
//! body has the state before the call and the summary of the callee, as in SeaHorn (Gurfinkel,
//! Kahsai, Komuravelli, Navas, *The SeaHorn Verification Framework*, CAV 2015) and Eldarica.
//! [`clauses::procedures`](crate::clauses::procedures) builds these clauses. Recursion needs no
//! special case.
//!
//! * The [interface](Interface) of a procedure lists the variables that go in and those that come
//!   out.
//! * Every call is a cut point. Its state is that before the call; paths from it start after the
//!   call, over the symbols of the [`CallFormula`](crate::blocks::CallFormula).
//! * States inside of a procedure, from where it may return, have the variables at its entry beside
//!   the current ones ([`Moment`](crate::state::Moment)), because its summary relates both.
//! * The entry function of the program is no procedure: its paths begin with the initial memory.
//!
//! The formulas are exact: the executions of a procedure are those that some call starts, an
//! execution continues after a call iff the callee returns, and an error in any procedure is an
//! error of the program.
//!
//! DIVERGENCE from SeaHorn, which passes an error flag out of every procedure: an error ends the
//! program where it is, because the calling context has exactly the reachable calls.
//!
//! *Objects.* An automatic object of a recursive function has an address in the frame of its
//! activation (module `stack`); any other has one address for all activations, as in the other
//! views. Activations that follow each other thus use the same addresses. The preparation of the
//! program allocates objects to which a pointer may lead after the activation
//! (`passes::transform::activations`).
//!
//! Cost: that of the block formulas of each function once, whatever the number of calls.

#[cfg(test)]
mod tests;

pub use crate::interface::Interface;

use crate::blocks::{self, BlockFormulas};
use crate::interface;
use crate::machine::{Machine, ViewError};
use crate::{BlockOperator, Config};
use program::ssa::{Function, InstructionKind, Program, Region, RegionKind};
use rustc_hash::FxHashSet;
use terms::TermPool;
use terms::entity::Entity;

/// The block formulas of all functions of a program that may be called.
#[derive(Clone, Debug)]
pub struct Procedures {
    /// The formulas of each function, by index of the function; those of the entry function first.
    pub blocks: Vec<BlockFormulas>,
}

/// Splits all functions of `program` that may be called at the cut points of `operator`, at calls
/// and at returns, and computes all block formulas.
///
/// # Errors
/// If a function has irreducible loops, or has loops and the operator is `never`; if the entry
/// function is called; if a recursive function has an automatic object in a scalar region, which
/// holds one object only.
pub fn procedure_formulas(
    pool: &mut TermPool,
    program: &Program,
    operator: BlockOperator,
    config: Config,
) -> Result<Procedures, ViewError> {
    let mut machine = Machine::with_calls(pool, program, config)?;
    check(&machine)?;
    let interfaces = interface::interfaces(&machine);
    let called = program.functions.keys().filter(|function| interfaces[function.index()].is_some());
    let mut functions: Vec<Function> = called.collect();
    functions.sort_by_key(|&function| function != program.entry);
    let mut blocks = Vec::new();
    for function in functions {
        machine.enter(function);
        blocks.push(blocks::of_procedure(pool, &mut machine, operator, &interfaces)?);
    }
    Ok(Procedures { blocks })
}

/// Rejects programs whose activations cannot be represented.
fn check(machine: &Machine<'_>) -> Result<(), ViewError> {
    let program = machine.program;
    let mut addressed = FxHashSet::default();
    for (function, plan) in program.functions.keys().zip(&machine.plans) {
        if plan.is_none() {
            continue;
        }
        for instruction in program.functions[function].blocks.values().flat_map(|block| &block.instructions) {
            match instruction.kind {
                InstructionKind::AddressOf(object) | InstructionKind::Forget { object, .. } => {
                    addressed.insert(object);
                }
                _ => {}
            }
        }
    }
    let is_recursive =
        |function: Function| machine.plans[function.index()].as_ref().is_some_and(|plan| plan.is_recursive);
    // Every planned function is reachable from the entry function, so a call of it is recursive.
    if is_recursive(program.entry) {
        let function = program.functions[program.entry].name.clone();
        return Err(ViewError::EntryIsCalled { function });
    }
    for (object, data) in program.objects.iter() {
        let is_scalar = |region: &Region| matches!(program.regions[*region].kind, RegionKind::Scalar(_));
        let is_shared = addressed.contains(&object) && data.regions.iter().any(is_scalar);
        let Some(owner) = data.owner.filter(|&owner| is_shared && is_recursive(owner)) else { continue };
        return Err(ViewError::SharedObject {
            function: program.functions[owner].name.clone(),
            object: data.name.clone(),
            span: data.span,
        });
    }
    Ok(())
}
