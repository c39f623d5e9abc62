//! Checks of induction, with invariants alone or over k steps.
//!
//! *One step* (`consecution`, `safety`): a symbolic state that satisfies the invariant, the guard
//! of a block formula, and the state after its updates.
//!
//! *Quantified invariants* hold for all values of one symbol, the index. The conclusion has an
//! arbitrary index. The premise is instantiated at it and at terms of the block formula, so each
//! check is quantifier-free and implied by the quantified one. The check is incomplete: a proof
//! with other instances is rejected. In k steps, premises have the arbitrary index only.
//!
//! *k steps* (Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR
//! 2018, §4.2) use frames. A frame has, for each cut point, the condition under which it is reached
//! after so many steps, and the state there, as terms over the state of the first frame and the
//! inputs. The next frame follows by the guards and updates of all block formulas, merged where
//! paths meet. In the base case the first frame is the program entry; in the step case it is any of
//! the other cut points, with a symbol for each variable.
//!
//! *Soundness.* Take the first m steps of an execution to an error. If m ≤ k, the base case
//! excludes it. Otherwise its last k steps start at a cut point other than the program entry, since
//! no edge leads back there, and go through states that satisfy the invariants, since those are
//! inductive; the step case excludes it. If a model selects two cut points of the first frame at
//! once, or guards are not exclusive, it still has one path: that of the first true guard of each
//! merge.

use super::check::{Check, Claim, NotValidated, Undecided};
use super::query::Query;
use super::system::System;
use backends::Limits;
use encode::applied_operations;
use terms::entity::Entity;
use terms::{Op, Representation, Sort, Substitution, Term, TermPool};
use views::blocks::{BlockFormula, CutPoint};

/// Reports a limit that is exceeded.
pub(super) fn within(limits: &Limits) -> Result<(), NotValidated> {
    limits.exceeded().map_or(Ok(()), |reason| Err(Undecided::Formulas(reason).into()))
}

/// Asserts what is known where paths from a cut point start.
pub(super) type Assume<'a> =
    &'a dyn Fn(&mut TermPool, &System, &mut Query, &BlockFormula) -> Result<(), NotValidated>;

/// Each block formula leads from invariant to invariant.
pub(super) fn consecution(
    pool: &mut TermPool,
    system: &System,
    assume: Assume<'_>,
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let mut checks = Vec::new();
    for formula in system.steps() {
        within(limits)?;
        let Some(after) = system.invariant(formula.to) else { continue };
        for after in after.parts(pool) {
            let mut query = Query::new(&system.basis);
            assume(pool, system, &mut query, formula)?;
            let guard = query.encode(pool, formula.path.guard)?;
            query.assert(guard);
            let (state, updates) = (system.state(formula.to), &formula.path.updates);
            let after = query.instance(pool, &after, state, updates, system.arbitrary())?;
            let violated = pool.not(after);
            let claim = Claim::Consecution { from: system.start(formula.from), to: system.start(formula.to) };
            checks.push(query.check(pool, claim, violated));
        }
    }
    Ok(checks)
}

/// No block formula leads from an invariant to an error.
pub(super) fn safety(
    pool: &mut TermPool,
    system: &System,
    assume: Assume<'_>,
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let mut checks = Vec::new();
    for (formula, end) in system.violations() {
        within(limits)?;
        let mut query = Query::new(&system.basis);
        assume(pool, system, &mut query, formula)?;
        let guard = query.encode(pool, formula.path.guard)?;
        let claim = Claim::Safety { from: system.start(formula.from), to: end.clone() };
        checks.push(query.check(pool, claim, guard));
    }
    Ok(checks)
}

/// Asserts the invariant of the start of a block formula for its symbolic state.
pub(super) fn assume(
    pool: &mut TermPool,
    system: &System,
    query: &mut Query,
    formula: &BlockFormula,
) -> Result<(), NotValidated> {
    let at = system.instances(pool, formula);
    assume_at(pool, system, query, formula.from, &at)
}

/// Asserts the invariant of a cut point for its symbolic state, at values of the quantified symbol.
pub(super) fn assume_at(
    pool: &mut TermPool,
    system: &System,
    query: &mut Query,
    cut: CutPoint,
    values: &[Option<Term>],
) -> Result<(), NotValidated> {
    let Some(invariant) = system.invariant(cut) else { return Ok(()) };
    for &at in values {
        let instance = query.instance(pool, invariant, system.state(cut), &system.symbols(cut), at)?;
        if !applied_operations(pool, instance).is_empty() {
            let axioms = system.axioms(pool, cut)?;
            query.constrain_operations(pool, instance, &axioms);
        }
        query.assert(instance);
    }
    Ok(())
}

/// No error follows 0, …, k steps from the program entry.
pub(super) fn base_case(
    pool: &mut TermPool,
    system: &System,
    k: u32,
    limits: &Limits,
) -> Result<Vec<Check>, NotValidated> {
    let mut query = Query::new(&system.basis);
    let mut checks = Vec::new();
    let mut frame = Frame::nowhere(system);
    frame.cuts[system.blocks.entry.index()] = Some(Arrival { guard: pool.tru(), state: Vec::new() });
    for steps in 0..=k {
        within(limits)?;
        let Frontier { next, violated } = frame.successors(pool, system);
        let violated = query.encode(pool, violated)?;
        checks.push(query.check(pool, Claim::BaseCase { steps }, violated));
        frame = next;
    }
    Ok(checks)
}

/// No error follows k steps through states that satisfy the invariants.
pub(super) fn step_case(
    pool: &mut TermPool,
    system: &System,
    k: u32,
    limits: &Limits,
) -> Result<Check, NotValidated> {
    let mut query = Query::new(&system.basis);
    let mut frame = Frame::nowhere(system);
    for (cut, data) in system.blocks.cut_points.iter() {
        if cut != system.blocks.entry && system.end(cut).is_none() {
            let guard = pool.fresh_symbol(&format!("at.{cut}"), Sort::Bool, Representation::Signed);
            let state = system.symbols(cut);
            debug_assert_eq!(state.len(), data.state.len());
            frame.cuts[cut.index()] = Some(Arrival { guard, state });
        }
    }
    let mut steps = 0;
    loop {
        within(limits)?;
        frame.satisfies_invariants(pool, system, &mut query)?;
        let Frontier { next, violated } = frame.successors(pool, system);
        if steps == k {
            let violated = query.encode(pool, violated)?;
            return Ok(query.check(pool, Claim::StepCase { k }, violated));
        }
        frame = next;
        steps += 1;
    }
}

/// The cut points that an execution may reach after some steps.
struct Frame {
    cuts: Vec<Option<Arrival>>,
}

/// The arrival at a cut point.
struct Arrival {
    /// Its condition.
    guard: Term,
    /// The state under this condition.
    state: Vec<Term>,
}

/// The successors of a frame.
struct Frontier {
    next: Frame,
    /// The condition under which an error or an unsupported construct follows directly.
    violated: Term,
}

impl Frame {
    fn nowhere(system: &System) -> Self {
        Frame { cuts: system.blocks.cut_points.keys().map(|_| None).collect() }
    }

    fn successors(&self, pool: &mut TermPool, system: &System) -> Frontier {
        let mut next = Frame::nowhere(system);
        let mut violated = Vec::new();
        let mut instance = Substitution::new();
        for (cut, arrival) in system.blocks.cut_points.keys().zip(&self.cuts) {
            let Some(arrival) = arrival else { continue };
            instance.clear();
            for (variable, &value) in system.state(cut).zip(&arrival.state) {
                instance.insert(variable.before, value);
            }
            for formula in system.blocks.formulas.iter().filter(|formula| formula.from == cut) {
                // Inner symbols get fresh copies; the formulas of one cut point share their inputs.
                let guard = instance.apply_with(pool, formula.path.guard, &mut another);
                let guard = pool.and2(arrival.guard, guard);
                if guard == pool.fls() {
                    continue;
                }
                if system.end(formula.to).is_some() {
                    violated.push(guard);
                    continue;
                }
                let updates = formula.path.updates.iter();
                let state = updates.map(|&update| instance.apply_with(pool, update, &mut another)).collect();
                next.arrive(pool, formula.to, Arrival { guard, state });
            }
        }
        Frontier { next, violated: pool.or(&violated) }
    }

    fn arrive(&mut self, pool: &mut TermPool, cut: CutPoint, new: Arrival) {
        let place = &mut self.cuts[cut.index()];
        let merged = match place.take() {
            None => new,
            Some(known) => {
                let values = known.state.iter().zip(&new.state);
                Arrival {
                    state: values.map(|(&a, &b)| pool.ite(known.guard, a, b)).collect(),
                    guard: pool.or2(known.guard, new.guard),
                }
            }
        };
        *place = Some(merged);
    }

    fn satisfies_invariants(
        &self,
        pool: &mut TermPool,
        system: &System,
        query: &mut Query,
    ) -> Result<(), NotValidated> {
        for (cut, arrival) in system.blocks.cut_points.keys().zip(&self.cuts) {
            let (Some(arrival), Some(invariant)) = (arrival, system.invariant(cut)) else { continue };
            let guard = query.encode(pool, arrival.guard)?;
            let (state, at) = (system.state(cut), system.arbitrary());
            let holds = query.instance(pool, invariant, state, &arrival.state, at)?;
            let holds = pool.implies(guard, holds);
            query.assert(holds);
        }
        Ok(())
    }
}

/// A fresh symbol with the name and sort of `symbol`.
fn another(pool: &mut TermPool, symbol: Term) -> Option<Term> {
    let Op::Symbol(id) = pool.op(symbol) else { return None };
    let data = pool.symbol_data(id).clone();
    Some(pool.fresh_symbol(&data.name, data.sort, data.representation))
}
