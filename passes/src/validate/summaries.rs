//! Checks of calling contexts and summaries.
//!
//! For each procedure, the checks are those of its [block formulas](super::induction), where a path
//! after a call starts in a state that satisfies the invariant before the call and the summary of
//! the callee, for the passed and the returned values. In addition, the invariant before each call
//! implies the calling context of the callee.
//!
//! *Soundness.* By induction over the length of an execution and its prefixes: each activation
//! starts in its calling context, since its call was reached with the invariant before the call;
//! each state at a cut point satisfies its invariant, since the summaries of the calls that have
//! returned before hold. The entry function starts in the initial state and has no calling context.
//! So no execution of any depth reaches an error.
//!
//! DIVERGENCE from the engine: the clauses of
//! [`views::clauses::procedures`](mod@views::clauses::procedures) are not used; the checks follow
//! the calls ([`views::blocks::CallFormula`]) themselves.

use super::check::{Check, Claim, NotValidated, Rejection, Start};
use super::induction::{assume, assume_at, consecution, safety, within};
use super::query::Query;
use super::system::{Invariant, Misplaced, System};
use crate::evidence::{Place, Summaries};
use crate::transform::prepare_for_views;
use backends::Limits;
use program::ssa::{Function, Program};
use std::collections::BTreeSet;
use terms::{Term, TermPool};
use views::blocks::{BlockFormula, BlockFormulas, CutPoint, CutPointKind};
use views::procedures::procedure_formulas;
use views::{BlockOperator, Config};

/// The checks that `summaries` are inductive over all procedures, and that they exclude the errors.
pub(super) fn checks(
    pool: &mut TermPool,
    program: &Program,
    summaries: &Summaries,
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let systems = systems(pool, program, summaries)?;
    let mut checks = inductive(pool, &systems, limits)?;
    for system in &systems {
        checks.extend(safety(pool, system, &after_calls(&systems), limits)?);
    }
    Ok(checks)
}

/// The checks that `summaries` are inductive over all procedures.
pub(super) fn summary_checks(
    pool: &mut TermPool,
    program: &Program,
    summaries: &Summaries,
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let systems = systems(pool, program, summaries)?;
    inductive(pool, &systems, limits)
}

fn inductive(pool: &mut TermPool, systems: &[System], limits: &Limits) -> Result<Vec<Check>, NotValidated> {
    let mut checks = Vec::new();
    for system in systems {
        checks.extend(calling_contexts(pool, system, systems, limits)?);
        checks.extend(consecution(pool, system, &after_calls(systems), limits)?);
    }
    Ok(checks)
}

/// Prepares the program as `summaries` specifies; returns the block formulas of its procedures.
fn systems(
    pool: &mut TermPool,
    program: &Program,
    summaries: &Summaries,
) -> Result<Vec<System>, NotValidated> {
    let mut prepared = program.clone();
    prepare_for_views(pool, &mut prepared, summaries.limits, &summaries.pipeline)
        .map_err(Rejection::Prepare)?;
    let procedures = procedure_formulas(pool, &prepared, BlockOperator::L, Config::STANDARD);
    let procedures = procedures.map_err(Rejection::View)?;
    let mut left: BTreeSet<(Function, Place)> = summaries.at.keys().copied().collect();
    let mut systems = Vec::new();
    for blocks in procedures.blocks {
        let function = blocks.function;
        let mut invariants = Vec::new();
        for (cut, data) in blocks.cut_points.iter() {
            let place = Place::of(&data.kind);
            let is_start = function == prepared.entry && place == Some(Place::Entry);
            let place = place.map(|place| (function, place)).filter(|_| !is_start);
            let invariant = place.and_then(|place| {
                left.remove(&place);
                let predicate = summaries.at.get(&place)?;
                Some(invariant(pool, &blocks, cut, place, &predicate.arguments, predicate.formula))
            });
            invariants.push(invariant.transpose()?);
        }
        let start = |kind: &CutPointKind| match Place::of(kind) {
            Some(Place::Entry) if function == prepared.entry => Start::Entry,
            Some(place) => Start::Place(function, place),
            None => Start::Entry,
        };
        systems.push(System::with(&prepared, summaries.basis(), blocks, invariants, start));
    }
    match left.first() {
        Some(&(function, place)) => Err(Rejection::NoSuchPlace(Start::Place(function, place)).into()),
        None => Ok(systems),
    }
}

fn invariant(
    pool: &mut TermPool,
    blocks: &BlockFormulas,
    cut: CutPoint,
    (function, place): (Function, Place),
    arguments: &[Term],
    formula: Term,
) -> Result<Invariant, Rejection> {
    let at = Start::Place(function, place);
    let variables = blocks.cut_points[cut].state.len();
    if arguments.len() != variables {
        return Err(Rejection::Arity { at, arguments: arguments.len(), variables });
    }
    let position = |symbol| {
        let found = arguments.iter().position(|&argument| argument == symbol);
        found.ok_or(Misplaced::Foreign)
    };
    Invariant::new(pool, at, formula, None, position)
}

/// The invariant before each call implies the calling context of the callee.
fn calling_contexts(
    pool: &mut TermPool,
    system: &System,
    systems: &[System],
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let mut checks = Vec::new();
    for cut in system.blocks.cut_points.keys() {
        let Some(call) = system.blocks.calls.get(&cut) else { continue };
        within(limits)?;
        let callee = of_function(systems, call.callee)?;
        let Some(context) = callee.invariant(callee.blocks.entry) else { continue };
        let mut query = Query::new(&system.basis);
        assume_at(pool, system, &mut query, cut, &[None])?;
        let context = query.instance(pool, context, callee.state(callee.blocks.entry), &call.passed, None)?;
        let violated = pool.not(context);
        let claim = Claim::CallingContext { from: system.start(cut), callee: call.callee };
        checks.push(query.check(pool, claim, violated));
    }
    Ok(checks)
}

/// Asserts the invariant of a cut point and, if it is a call, the summary of the callee.
fn after_calls(
    systems: &[System],
) -> impl Fn(&mut TermPool, &System, &mut Query, &BlockFormula) -> Result<(), NotValidated> {
    move |pool, system, query, formula| {
        assume(pool, system, query, formula)?;
        let Some(call) = system.blocks.calls.get(&formula.from) else { return Ok(()) };
        let callee = of_function(systems, call.callee)?;
        let mut cuts = callee.blocks.cut_points.iter();
        let Some((end, _)) = cuts.find(|(_, data)| data.kind == CutPointKind::Return) else {
            // No path of the callee returns.
            query.assert(pool.fls());
            return Ok(());
        };
        if let Some(summary) = callee.invariant(end) {
            let values: Vec<Term> = call.passed.iter().chain(&call.returned).copied().collect();
            let summary = query.instance(pool, summary, callee.state(end), &values, None)?;
            query.assert(summary);
        }
        Ok(())
    }
}

/// The formulas of a function that is called.
fn of_function(systems: &[System], function: Function) -> Result<&System, NotValidated> {
    let found = systems.iter().find(|system| system.blocks.function == function);
    found.ok_or_else(|| Rejection::NoSuchPlace(Start::Place(function, Place::Entry)).into())
}
