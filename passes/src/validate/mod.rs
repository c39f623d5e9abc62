//! The validator: does a certificate show that the program is safe?
//!
//! [`checks`] makes of a program as it was lowered and a [`Certificate`] the list of formulas that must have no model if the certificate is
//! right, each a conjunction on its own, in the theories that the certificate names. [`discharge`] asks a solver about each;
//! [`script`](fn@script) writes them for any other. [`validate`] is both in one.
//!
//! | certificate | what is shown |
//! |---|---|
//! | [`Inductive`](Certificate::Inductive) | each block formula leads from invariant to invariant, and none from an invariant to an error or to something unsupported |
//! | [`KInductive`](Certificate::KInductive) | each block formula leads from invariant to invariant; no error within k steps and the part that follows; none after k steps through states that satisfy the invariants |
//! | [`Bounded`](Certificate::Bounded) | in the unrolling to the bound nothing leads to an error, to something unsupported, or beyond |
//!
//! *What is trusted*: the front end, the transformations ([`transform`](crate::transform): function pointers, regions, the
//! passes, inlining, promotion), the views and the unroller ([`views`], [`views::unroll`]), the encoder ([`encode`]), and the solver
//! that is asked. *What is not*: every algorithm that makes certificates (`bmc`, `predicate`, `induction`), with its own way
//! to instantiate formulas, and the solver that it asked. Nothing of them is used here, which a test looks after.
//!
//! DIVERGENCE from how the engines ask: no formula is instantiated after it was encoded. A check is put together over bit vectors and
//! arrays, with updates in the place of `x+`, and encoded as a whole by an encoder of its own; an invariant, which is a formula of
//! the target theories, gets the translations of the terms that its symbols stand for. So constraints (ranges, axioms, frame
//! conditions of memory) are those of this very formula, and memory may be functions, which cannot be renamed.
//!
//! Functions in an invariant that the encoder does not constrain, such as a product that the check has none of, are arbitrary: what is shown then holds
//! for each of them, so also for the right one.
//!
//! Cost: of invariants, one query a block formula; of k-induction k + 2 more, whose formulas are the program part times k; a bounded proof
//! is one query, but about an unrolling without the pruning that the engine may have needed.

mod bounded;
mod check;
mod induction;
mod query;
mod script;
mod system;

#[cfg(test)]
mod tests;

pub use check::{Check, Checks, Claim, End, NotValidated, Rejection, Start, Undecided, Validated};
pub use script::script;

use crate::evidence::Certificate;
use backends::{Limits, ProverFactory, Status};
use program::ssa::Program;
use std::time::Instant;
use terms::TermPool;

/// Whether `certificate` shows that `program`, as it was lowered, is safe; a prover of `factory` decides, and all of it ends with the
/// deadline of `limits`.
///
/// # Errors
/// [`NotValidated::Rejected`] if the certificate is wrong, [`NotValidated::Undecided`] if that could not be found out.
pub fn validate(
    pool: &mut TermPool,
    program: &Program,
    certificate: &Certificate,
    factory: &dyn ProverFactory,
    limits: &Limits,
) -> Result<Validated, NotValidated> {
    let start = Instant::now();
    let checks = checks(pool, program, certificate, limits)?;
    let validated = discharge(pool, &checks, factory, limits)?;
    Ok(Validated { time: start.elapsed(), ..validated })
}

/// What has to be shown.
///
/// # Errors
/// If the certificate does not fit the program, or the formulas cannot be made within the limits.
pub fn checks(
    pool: &mut TermPool,
    program: &Program,
    certificate: &Certificate,
    limits: &Limits,
) -> Result<Checks, NotValidated> {
    let (list, basis) = match certificate {
        Certificate::Bounded(proof) => {
            (vec![bounded::check(pool, program, proof, limits)?], proof.basis().clone())
        }
        Certificate::Inductive(invariants) => {
            let system = system::System::new(pool, program, invariants)?;
            let mut list = induction::consecution(pool, &system, limits)?;
            list.extend(induction::safety(pool, &system, limits)?);
            (list, invariants.basis())
        }
        Certificate::KInductive { k, invariants } => {
            let system = system::System::new(pool, program, invariants)?;
            let mut list = induction::consecution(pool, &system, limits)?;
            list.extend(induction::base_case(pool, &system, *k, limits)?);
            list.push(induction::step_case(pool, &system, *k, limits)?);
            (list, invariants.basis())
        }
    };
    Ok(Checks::new(pool, basis, list))
}

/// Asks a prover of `factory` about each check.
///
/// # Errors
/// [`NotValidated::Rejected`] if one has a model; otherwise [`NotValidated::Undecided`] if one got no answer.
pub fn discharge(
    pool: &TermPool,
    checks: &Checks,
    factory: &dyn ProverFactory,
    limits: &Limits,
) -> Result<Validated, NotValidated> {
    let start = Instant::now();
    let mut prover = factory.new_prover(checks.logic, limits).map_err(Undecided::Solver)?;
    let mut undecided = None;
    for check in &checks.list {
        if check.formulas.contains(&pool.fls()) {
            continue;
        }
        if let Some(reason) = limits.exceeded() {
            undecided.get_or_insert(Undecided::Check { claim: check.claim.clone(), reason });
            break;
        }
        prover.push().map_err(Undecided::Solver)?;
        let asserted =
            check.formulas.iter().try_for_each(|&formula| prover.assert(pool, formula).map(|_| ()));
        let status = match asserted {
            Ok(()) => prover.status(pool, &[]),
            Err(reason) => Status::Unknown(reason),
        };
        match status {
            Status::Unsat => {}
            Status::Sat => return Err(Rejection::Refuted(check.claim.clone()).into()),
            // Another check may be refuted, which says more.
            Status::Unknown(reason) => {
                undecided.get_or_insert(Undecided::Check { claim: check.claim.clone(), reason });
            }
        }
        prover.pop().map_err(Undecided::Solver)?;
    }
    match undecided {
        Some(undecided) => Err(undecided.into()),
        None => Ok(Validated { checks: checks.list.len(), solver: factory.name(), time: start.elapsed() }),
    }
}
