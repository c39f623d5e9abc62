//! Refutation of bit-vector formulas via integers.
//!
//! # Idea
//! Whether a formula obtained from linear arithmetic is an interpolant is a question about linear
//! arithmetic, but a hard one for a bit-level solver: proving that `3x` grows by 3 when `x` grows
//! by 1 involves a multiplier circuit. The query is therefore translated and passed to a prover of
//! integers. The translation over-approximates, so an `unsat` answer carries over; any other answer
//! is inconclusive.
//!
//! Each query is translated anew in the caller's pool, which suits many small queries.

use super::translate::{Translation, translate};
use backends::interpolation::Problem;
use backends::{Limits, ProverFactory, Reason, Status};
use terms::{Term, TermPool};

/// Whether a prover of `integers` refutes the conjunction. `false` is inconclusive.
pub fn refutes(
    integers: &dyn ProverFactory,
    pool: &mut TermPool,
    conjuncts: Vec<Term>,
    limits: &Limits,
) -> bool {
    status(integers, pool, conjuncts, limits) == Ok(Status::Unsat)
}

fn status(
    integers: &dyn ProverFactory,
    pool: &mut TermPool,
    conjuncts: Vec<Term>,
    limits: &Limits,
) -> Result<Status, Reason> {
    let limits = limits.of_check();
    let Translation { problem, .. } = translate(pool, &Problem::sequence(vec![conjuncts]), &limits)?;
    let mut prover = integers.new_prover("ALL", &limits)?;
    for &formula in problem.parts.iter().flatten() {
        prover.assert(pool, formula)?;
    }
    Ok(prover.status(pool, &[]))
}
