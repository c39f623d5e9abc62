//! The check of a counterexample in an exact encoding, restricted to its path.
//!
//! Counterexample checks of Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University
//! of Passau, 2017, §5.4.2: the formulas of an encoding that approximates operations may have a
//! model that is no execution. A second encoding, which is exact, then decides whether any inputs
//! lead along the path of this model to the error. If so, they are replayed in place of the first
//! ones. If not, the path is excluded, and the search goes on; TRUE remains possible, and is then
//! validated in the exact encoding.
//!
//! The path is that of the instances of blocks whose guards are true in the model. Where the model
//! does not tell which one is, the path up to there is left open. After [`PATHS`] paths to one
//! error instance, all paths to it are checked at once.
//!
//! DIVERGENCE: the thesis runs another configuration on the path alone. Here its formulas are those
//! of the unrolling, under the assumption that the guards of the path hold.
//!
//! Cost: a query over the part of the unrolling on which the guards depend, with a part of the
//! effort of the run.

use super::candidate::Candidate;
use backends::{Limits, Outcome, Prover, ProverFactory, Reason};
use encode::{Encoder, Encoding, Theories};
use terms::{Term, TermPool};
use views::unroll::{ErrorInstance, Unroller};

/// The number of paths to one error instance that are checked one by one.
pub(super) const PATHS: usize = 8;

/// The answer of the check about a path.
pub(super) enum Checked {
    /// These inputs lead along the path to the error.
    Feasible(Candidate),
    /// No inputs do.
    Infeasible,
    /// The check has no answer.
    Unknown,
}

/// The prover of the exact encoding, for all checks of a run.
pub(super) struct Checker {
    encoder: Encoder,
    prover: Box<dyn Prover>,
}

impl Checker {
    /// The exact encoding.
    pub(super) fn theories() -> Theories {
        Theories::of(Encoding::QfAbvfp)
    }

    pub(super) fn new(factory: &dyn ProverFactory, limits: &Limits) -> Result<Self, Reason> {
        let theories = Self::theories();
        Ok(Checker { encoder: theories.encoder(), prover: factory.new_prover(theories.logic(), limits)? })
    }

    /// Checks whether an execution satisfies all `guards`, the path of a counterexample, and
    /// reaches `error`.
    pub(super) fn check(
        &mut self,
        pool: &mut TermPool,
        unroller: &Unroller<'_>,
        guards: &[Term],
        error: &ErrorInstance,
        limits: &Limits,
    ) -> Checked {
        self.decide(pool, unroller, guards, error, limits).unwrap_or(Checked::Unknown)
    }

    fn decide(
        &mut self,
        pool: &mut TermPool,
        unroller: &Unroller<'_>,
        guards: &[Term],
        error: &ErrorInstance,
        limits: &Limits,
    ) -> Option<Checked> {
        let mut assumptions = Vec::new();
        for &guard in guards.iter().chain([&error.guard]) {
            assumptions.push(self.encoder.formula(pool, guard).ok()?);
        }
        for constraint in self.encoder.take_constraints() {
            self.prover.assert(pool, constraint).ok()?;
        }
        self.prover.set_limits(limits);
        let open = [(*error, *assumptions.last()?)];
        match self.prover.check(pool, &assumptions) {
            Outcome::Sat(mut model) => {
                let candidate = Candidate::new(pool, unroller, &mut self.encoder, &mut *model, &open);
                Some(Checked::Feasible(candidate.ok()?))
            }
            Outcome::Unsat(_) if self.encoder.is_exact() => Some(Checked::Infeasible),
            Outcome::Unsat(_) | Outcome::Unknown(_) => None,
        }
    }
}
