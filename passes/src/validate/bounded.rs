//! Bounded proofs: the program is unrolled again, at once to the bound, and one query asks whether anything is reached that should not be.
//!
//! The engine drops what the solver says is not reached while it deepens; here nothing is dropped, so the unrolling may be
//! larger. It is at least as large, so what the query excludes is at least what the proof claims.

use super::check::{Check, Claim, NotValidated, Rejection, Undecided};
use super::query::Query;
use crate::evidence::BoundedProof;
use crate::transform::{prepare_for_bmc, reducible};
use backends::Limits;
use program::ssa::reducible::DEFAULT_LIMIT;
use program::ssa::{Function, Program};
use terms::TermPool;
use views::unroll::{self, Outcome, Unroller};

/// New instances after which limits are looked at.
const PORTION: u64 = 50_000;
/// There may be so many terms.
const LARGEST_POOL: usize = 40_000_000;

/// Nothing leads to an error, to what is not supported, or beyond the bound.
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
        // What cannot be made reducible is refused by the unroller.
        let _ = reducible(pool, &mut prepared, function, DEFAULT_LIMIT);
    }
    let mut unroller = Unroller::new(pool, &prepared, views::Config::STANDARD).map_err(Rejection::Unroll)?;
    let mut reached = Vec::new();
    loop {
        let mut is_cancelled = || limits.exceeded().is_some();
        let mut portion = unroll::Limits { instances: PORTION, is_cancelled: &mut is_cancelled };
        let step = unroller.step(pool, proof.bound(), &mut portion);
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
