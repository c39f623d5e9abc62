//! Derivations from derivations over configurations, which are sequences of atoms of the old
//! system.
//!
//! A step of the new system that derives a configuration stands for one step of the old system: it
//! derives the last atom. The steps that derive the other atoms are those of the premise.
//!
//! Cost: linear in the steps times the length of configurations.

use super::{Back, Lost};
use horn::{Clause, Derivation, Step};
use terms::TermPool;
use terms::entity::PrimaryMap;

/// The derivation of the old system for one of the new system. `orders` is the data of
/// [`Order::Configurations`](super::Order::Configurations).
///
/// # Errors
/// If a value cannot be computed or the derivation has too many steps.
pub(super) fn derivation(
    back: &Back,
    pool: &mut TermPool,
    new: &Derivation,
    orders: &PrimaryMap<Clause, Vec<usize>>,
) -> Result<Derivation, Lost> {
    let mut old = Derivation::default();
    // For each step, the steps of the old system that derive the atoms of its configuration.
    let mut derived: PrimaryMap<Step, Vec<Step>> = PrimaryMap::new();
    for data in new.steps.values() {
        let mut steps = data.premises.first().map_or_else(Vec::new, |&premise| derived[premise].clone());
        let order = &orders[data.clause];
        let rest = steps.len().checked_sub(order.len()).ok_or(Lost::Value)?;
        let mut premises: Vec<(usize, Step)> = order.iter().copied().zip(steps.split_off(rest)).collect();
        premises.sort_unstable();
        let premises = premises.into_iter().map(|(_, step)| step).collect();
        steps.push(back.expand(pool, &mut old, back.sources[data.clause], &data.values, premises)?);
        derived.push(steps);
    }
    Ok(old)
}
