//! Derivations over arrays from derivations over cells.
//!
//! The atoms at several cells that stand for one atom over arrays may have different derivations.
//! Those that apply the same clauses to the same values are one derivation over arrays: an array
//! that no clause determines has the elements of all of their cells. So a step of the old system is
//! made of a list of steps of the new one, and those that differ from the first one are left out.
//! Where this loses an element that a later clause reads, its constraint is false.
//!
//! Cost: one step for each list of steps that occurs.

use super::{
    Back, Lost, MAX_STEPS, Made, Source, Values, derivation_values, eval, evaluate, symbol, with_defaults,
};
use horn::{Clause, Derivation, Step, StepData};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::entity::PrimaryMap;
use terms::{Symbol, Term, TermPool, Value};

/// A clause over cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The clause over arrays.
    pub(in super::super) clause: Clause,
    /// The terms for the other symbols of that clause.
    pub(in super::super) scalars: Vec<(Symbol, Term)>,
    /// How many atoms of the body each atom of the clause over arrays became.
    pub(in super::super) instances: Vec<usize>,
    /// The arrays that neither the body nor an equation determines.
    pub(in super::super) arrays: Vec<Open>,
    /// The arrays that equations determine, over the symbols of the clause over arrays.
    pub(in super::super) definitions: Vec<(Symbol, Term)>,
}

/// An array that neither the body of a clause nor an equation determines.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(in super::super) array: Symbol,
    /// The indices and elements at which the clause reads it.
    pub(in super::super) elements: Vec<(Term, Term)>,
    /// An array of the body that an equation makes of this one, and that equals it elsewhere.
    pub(in super::super) origin: Option<Symbol>,
}

/// Steps of the new system that make one of the old one; the first one decides.
type Steps = Vec<Step>;

/// The derivation over arrays for one over cells.
///
/// # Errors
/// [`Lost::Cells`] if it does not stand for one.
pub(crate) fn derivation(back: &Back, pool: &mut TermPool, new: &Derivation) -> Result<Derivation, Lost> {
    let mut old = Derivation::default();
    let mut scalars: PrimaryMap<Step, Values> = PrimaryMap::new();
    for data in new.steps.values() {
        scalars.push(evaluate(pool, &cells(back, data)?.scalars, &data.values));
    }
    let mut made: FxHashMap<Steps, Step> = FxHashMap::default();
    let mut stack: Vec<Steps> = new.root().into_iter().map(|root| vec![root]).collect();
    while let Some(steps) = stack.last() {
        if made.contains_key(steps) {
            stack.pop();
            continue;
        }
        if old.steps.len() + stack.len() >= MAX_STEPS {
            return Err(Lost::TooLong);
        }
        let premises = premises(back, new, steps, &scalars)?;
        let open: Vec<Steps> =
            premises.iter().filter(|&premise| !made.contains_key(premise)).cloned().collect();
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        let premises = premises.iter().map(|premise| made[premise]).collect();
        let steps = steps.clone();
        let step = step(back, pool, (new, &old), &steps, (&scalars, premises))?;
        made.insert(steps, old.steps.push(step));
        stack.pop();
    }
    Ok(old)
}

/// How the clause of a step was made.
fn cells<'b>(back: &'b Back, step: &StepData) -> Result<&'b Cells, Lost> {
    match back.sources[step.clause] {
        Source::Made(number) => match back.history.entry(number) {
            Made::Cells(cells) => Ok(cells),
            _ => Err(Lost::Cells),
        },
        Source::Old(_) => Err(Lost::Cells),
    }
}

/// The steps that apply the same clause to the same values as the first one.
fn same<'s>(
    new: &'s Derivation,
    steps: &'s [Step],
    scalars: &'s PrimaryMap<Step, Values>,
) -> impl Iterator<Item = Step> + 's {
    let first = steps[0];
    let is_same = move |step: &Step| {
        new.steps[*step].clause == new.steps[first].clause && scalars[*step] == scalars[first]
    };
    steps.iter().copied().filter(is_same)
}

/// The steps for each premise.
fn premises(
    back: &Back,
    new: &Derivation,
    steps: &[Step],
    scalars: &PrimaryMap<Step, Values>,
) -> Result<Vec<Steps>, Lost> {
    let mut premises = Vec::new();
    let mut start = 0;
    for &count in &cells(back, &new.steps[steps[0]])?.instances {
        let mut own: IndexSet<Step, FxBuildHasher> = IndexSet::default();
        for step in same(new, steps, scalars) {
            own.extend(&new.steps[step].premises[start..start + count]);
        }
        start += count;
        premises.push(own.into_iter().collect());
    }
    Ok(premises)
}

/// The step over arrays for some over cells, given its premises.
fn step(
    back: &Back,
    pool: &mut TermPool,
    (new, old): (&Derivation, &Derivation),
    steps: &[Step],
    (scalars, premises): (&PrimaryMap<Step, Values>, Vec<Step>),
) -> Result<StepData, Lost> {
    let cells = cells(back, &new.steps[steps[0]])?;
    let data = &back.old.clauses[cells.clause];
    let mut values = scalars[steps[0]].clone();
    for (atom, &premise) in data.body.iter().zip(&premises) {
        let (_, derived) = derivation_values(old, pool, &back.old, premise)?;
        for (&argument, value) in atom.arguments.iter().zip(derived) {
            values.entry(symbol(pool, argument)).or_insert(value);
        }
    }
    for Open { array, elements, origin } in &cells.arrays {
        let sort = pool.symbol_data(*array).sort;
        let start = origin.and_then(|origin| values.get(&origin).cloned());
        let start = start.or_else(|| Value::default_of(pool, sort));
        let Some(Value::Array(mut value)) = start else { return Err(Lost::Value) };
        for step in same(new, steps, scalars) {
            let own = &new.steps[step].values;
            for &(index, element) in elements {
                value.store(any_value(pool, index, own)?, any_value(pool, element, own)?);
            }
        }
        values.insert(*array, Value::Array(value));
    }
    for (array, value) in evaluate(pool, &cells.definitions, &values) {
        values.entry(array).or_insert(value);
    }
    let values = back.complete(pool, old, cells.clause, values, &premises)?;
    match eval(pool, data.constraint, &values) {
        Some(Value::Bool(true)) => Ok(StepData { clause: cells.clause, values, premises }),
        _ => Err(Lost::Cells),
    }
}

/// The value of a term whose symbols may have any value where the clause does not use them.
fn any_value(pool: &TermPool, term: Term, values: &Values) -> Result<Value, Lost> {
    if let Some(value) = eval(pool, term, values) {
        return Ok(value);
    }
    eval(pool, term, &with_defaults(pool, &[term], values)).ok_or(Lost::Value)
}
