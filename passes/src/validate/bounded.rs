//! Bounded proofs: the program is unrolled again, directly to the bound, and one query checks that
//! no error, unsupported construct or execution beyond the bound is reachable.
//!
//! The engine prunes unreachable items while it deepens. Here nothing is pruned, so this unrolling
//! contains that of the engine, and the query excludes at least what the proof claims.

use super::check::{Check, Claim, NotValidated, Rejection, Undecided};
use super::query::Query;
use crate::evidence::BoundedProof;
use crate::transform::{prepare_for_bmc, reducible};
use backends::Limits;
use program::ssa::reducible::DEFAULT_LIMIT;
use program::ssa::{Function, Program};
use terms::TermPool;
use views::unroll::{self, Outcome, Unroller};

/// The number of new instances between checks of the limits.
const PORTION: u64 = 50_000;
/// The largest number of terms.
const LARGEST_POOL: usize = 40_000_000;

/// Builds the check that no path leads to an error, to an unsupported construct, or beyond the
/// bound.
pub(super) fn check(
    pool: &mut TermPool,
    program: &Program,
    proof: &BoundedProof,
    limits: &Limits,
) -> Result<Check, NotValidated> {
    let basis = proof.basis();
    let mut prepared = program.clone();
    prepare_for_bmc(pool, &mut prepared, &basis.pipeline);
    let functions: Vec<Function> = prepared.functions.keys().collect();
    for function in functions {
        // The unroller rejects a function that cannot be made reducible.
        let _ = reducible(pool, &mut prepared, function, DEFAULT_LIMIT);
    }
    let mut unroller = Unroller::new(pool, &prepared, views::Config::STANDARD).map_err(Rejection::Unroll)?;
    let mut reached = Vec::new();
    loop {
        let mut is_cancelled = || limits.exceeded().is_some();
        let mut portion = unroll::Limits { instances: PORTION, is_cancelled: &mut is_cancelled };
        let step = unroller.step(pool, proof.bounds(), &mut portion);
        reached.extend(step.errors.iter().map(|instance| instance.guard));
        reached.extend(step.unsupported.iter().map(|instance| instance.guard));
        if step.outcome == Outcome::Complete {
            reached.extend(step.frontier.iter().map(|item| item.guard));
            break;
        }
        if let Some(reason) = limits.exceeded() {
            return Err(Undecided::Formulas(reason).into());
        }
        if pool.len() > LARGEST_POOL {
            return Err(Undecided::Size.into());
        }
    }
    let reached = pool.or(&reached);
    let mut query = Query::new(basis);
    let reached = query.encode(pool, reached)?;
    Ok(query.check(pool, Claim::Bounded { bound: proof.bound() }, reached))
}
