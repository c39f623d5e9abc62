//! The validator: checks that a certificate proves the program safe.
//!
//! [`checks`] turns a program as lowered and a [`Certificate`] into a list of checks. Each check is
//! a separate conjunction in the theories of the certificate, and the certificate is valid if all
//! of them are unsatisfiable. [`discharge`] runs a solver on each; [`script`](fn@script) writes
//! them as SMT-LIB for any other solver. [`validate`] combines both steps.
//!
//! | certificate | proof obligations |
//! |---|---|
//! | [`Inductive`](Certificate::Inductive) | each block formula leads from invariant to invariant, and none from an invariant to an error or an unsupported construct |
//! | [`KInductive`](Certificate::KInductive) | each block formula leads from invariant to invariant; no error within k steps and the part that follows; no error after k steps through states that satisfy the invariants |
//! | [`Summaries`](Certificate::Summaries) | in each procedure, as for `Inductive`, where a path after a call starts with the summary of the callee; the invariant before each call implies the calling context of the callee |
//! | [`Bounded`](Certificate::Bounded) | in the unrolling to the bound, no path leads to an error, to an unsupported construct, or beyond the bound |
//!
//! *Trusted*: the front end, the transformations ([`transform`](crate::transform): function
//! pointers, regions, the passes, inlining, promotion), the views and the unroller ([`views`],
//! [`views::unroll`]), the encoder ([`encode`]), and the solver that discharges the checks. *Not
//! trusted*: every algorithm that makes certificates (`bmc`, `predicate`, `induction`), including
//! its instantiation of formulas, and its solver. The validator uses none of their code, enforced
//! by a test.
//!
//! DIVERGENCE from the engines: no formula is instantiated after encoding. A check is built over
//! bit vectors and arrays, with updates in place of `x+`, and encoded as a whole by its own
//! encoder. An invariant is a formula of the target theories; its symbols are replaced by the
//! translations of the terms that they represent. So side constraints (ranges, axioms, frame
//! conditions of memory) are those of this very formula, and memory may be represented by
//! functions, which cannot be renamed.
//!
//! Functions for nonlinear operations in an invariant have the axioms of this operation in all
//! block formulas from the same cut point, as in the engines, which explore these formulas together
//! (`System::axioms`). A function that the encoder constrains nowhere is arbitrary: the check holds
//! for each of them, and so for the intended one.
//!
//! Cost: for invariants, one query for each block formula, and one for each call; for k-induction
//! k + 2 more queries, whose formulas grow with the size of the program times k; for a bounded
//! proof one query, over an unrolling without the pruning that the engine may have needed.

mod bounded;
mod check;
mod induction;
mod query;
mod script;
mod summaries;
mod system;

#[cfg(test)]
mod tests;

pub use check::{Check, Checks, Claim, End, NotValidated, Rejection, Start, Undecided, Validated};
pub use script::script;

use crate::evidence::{Certificate, Invariants, Summaries};
use backends::{Limits, Prover, ProverFactory, Status};
use program::ssa::Program;
use std::time::{Duration, Instant};
use terms::TermPool;

/// The effort of a turn in which easy checks are decided.
pub const SHORT: Duration = Duration::from_secs(1);

/// Checks that `certificate` proves `program`, as lowered, safe. A prover of `factory` decides the
/// checks; the deadline of `limits` applies to the whole validation.
///
/// # Errors
/// [`NotValidated::Rejected`] if the certificate is wrong, [`NotValidated::Undecided`] if the
/// validation is incomplete.
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

/// Returns the checks of a certificate.
///
/// # Errors
/// If the certificate does not fit the program, or the formulas cannot be built within the limits.
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
            let mut list = induction::consecution(pool, &system, &induction::assume, limits)?;
            list.extend(induction::safety(pool, &system, &induction::assume, limits)?);
            (list, invariants.basis())
        }
        Certificate::KInductive { k, invariants } => {
            let system = system::System::new(pool, program, invariants)?;
            let mut list = induction::consecution(pool, &system, &induction::assume, limits)?;
            list.extend(induction::base_case(pool, &system, *k, limits)?);
            list.push(induction::step_case(pool, &system, *k, limits)?);
            (list, invariants.basis())
        }
        Certificate::Summaries(summaries) => {
            (summaries::checks(pool, program, summaries, limits)?, summaries.basis())
        }
    };
    Ok(Checks::new(pool, basis, list))
}

/// Returns the checks that `invariants` hold whenever an execution reaches their blocks. The
/// invariants need not exclude errors.
///
/// # Errors
/// If the invariants do not fit the program, or the formulas cannot be built within the limits.
pub fn invariant_checks(
    pool: &mut TermPool,
    program: &Program,
    invariants: &Invariants,
    limits: &Limits,
) -> Result<Checks, NotValidated> {
    let system = system::System::new(pool, program, invariants)?;
    let list = induction::consecution(pool, &system, &induction::assume, limits)?;
    Ok(Checks::new(pool, invariants.basis(), list))
}

/// Returns the checks that `summaries` hold whenever an execution reaches their places. They need
/// not exclude errors.
///
/// # Errors
/// As for [`invariant_checks`].
pub fn summary_checks(
    pool: &mut TermPool,
    program: &Program,
    summaries: &Summaries,
    limits: &Limits,
) -> Result<Checks, NotValidated> {
    let list = summaries::summary_checks(pool, program, summaries, limits)?;
    Ok(Checks::new(pool, summaries.basis(), list))
}

/// Decides the checks with provers of `factory`.
///
/// # Errors
/// See [`discharge_in_turns`].
pub fn discharge(
    pool: &TermPool,
    checks: &Checks,
    factory: &dyn ProverFactory,
    limits: &Limits,
) -> Result<Validated, NotValidated> {
    let turns = [Some(SHORT), None].map(|effort| Turn { factory, effort });
    discharge_in_turns(pool, checks, &turns, limits)
}

/// A turn of a solver at checks that are not decided yet.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The solver.
    pub factory: &'a dyn ProverFactory,
    /// The effort of the turn, of which one of several checks gets at most a quarter, or its share
    /// if they are fewer than four. `None` for an equal share
    /// of the effort that is left for this and later turns, with a new prover for each check: a
    /// prover that has seen many checks may be slow.
    pub effort: Option<Duration>,
}

/// Decides the checks. Each turn continues with the checks that those before it left open.
///
/// # Errors
/// [`NotValidated::Rejected`] if a check is satisfiable; otherwise [`NotValidated::Undecided`] if a
/// check has no answer.
pub fn discharge_in_turns(
    pool: &TermPool,
    checks: &Checks,
    turns: &[Turn<'_>],
    limits: &Limits,
) -> Result<Validated, NotValidated> {
    let start = Instant::now();
    let mut open: Vec<&Check> =
        checks.list.iter().filter(|check| !check.formulas.contains(&pool.fls())).collect();
    let mut solvers: Vec<&str> = Vec::new();
    let mut undecided = None;
    for (index, Turn { factory, effort }) in turns.iter().enumerate() {
        if open.is_empty() && index > 0 {
            break;
        }
        undecided = None;
        let limits = match effort {
            Some(effort) => {
                let shares = open.len().clamp(1, 4) as u32;
                limits.within(*effort).per_check(*effort / shares)
            }
            None => limits.share(u32::try_from(turns.len() - index).unwrap_or(u32::MAX)),
        };
        let mut prover = None;
        let before = open.len();
        let mut left = Vec::new();
        for check in open {
            let answer = match limits.exceeded() {
                Some(reason) => Status::Unknown(reason),
                None => decide(pool, checks.logic, check, *factory, &mut prover, &limits),
            };
            if effort.is_none() {
                prover = None;
            }
            match answer {
                Status::Unsat => {}
                Status::Sat => return Err(Rejection::Refuted(check.claim.clone()).into()),
                // Continue: a refuted check is a stronger result.
                Status::Unknown(reason) => {
                    undecided.get_or_insert(Undecided::Check { claim: check.claim.clone(), reason });
                    left.push(check);
                }
            }
        }
        open = left;
        if (open.len() < before || before == 0) && !solvers.contains(&factory.name()) {
            solvers.push(factory.name());
        }
    }
    match undecided {
        Some(undecided) => Err(undecided.into()),
        None => {
            Ok(Validated { checks: checks.list.len(), solver: solvers.join(" and "), time: start.elapsed() })
        }
    }
}

/// Decides a check with `prover`, which is made if it does not exist.
fn decide(
    pool: &TermPool,
    logic: &str,
    check: &Check,
    factory: &dyn ProverFactory,
    prover: &mut Option<Box<dyn Prover>>,
    limits: &Limits,
) -> Status {
    let answer = || {
        let prover = match prover {
            Some(prover) => prover,
            empty => empty.insert(factory.new_prover(logic, limits)?),
        };
        prover.push()?;
        let asserted = check.formulas.iter().try_for_each(|&formula| prover.assert(pool, formula));
        let status = match asserted {
            Ok(()) => prover.status(pool, &[]),
            Err(reason) => Status::Unknown(reason),
        };
        prover.pop()?;
        Ok(status)
    };
    answer().unwrap_or_else(Status::Unknown)
}
