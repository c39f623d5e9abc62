//! Refutation of formulas over bit vectors by way of integers.
//!
//! # Idea
//! Whether an interpolant is one is a question about linear arithmetic if the interpolant came from there, and a hard one for a solver that
//! looks at bits: that `3x` grows by 3 when `x` grows by 1 is a circuit of a multiplier. So a query is translated and given to a prover of
//! integers. Translations allow no less than the formulas do, so `unsat` can be believed as far as that prover can; any other answer says
//! nothing.
//!
//! Each query is translated anew, in the pool of the caller: this is for many small ones.

use super::translate::{Translation, translate};
use backends::interpolation::Problem;
use backends::{Limits, ProverFactory, Reason, Status};
use terms::{Term, TermPool};

/// Whether a prover of `integers` refutes the conjunction. `false` says nothing.
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
