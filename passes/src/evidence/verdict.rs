//! Verdicts. None of them can be built without its evidence.

use super::{Invariants, UnknownReason};
use crate::trace::Trace;
use crate::transform::Pipeline;
use encode::Theories;
use serde::Serialize;
use terms::Term;

/// The answer to "can an error be reached?".
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No.
    Safe(Certificate),
    /// Yes: this execution, which the interpreter has replayed.
    Unsafe(Box<Trace>),
    /// Unknown, for a reason.
    Unknown(UnknownReason),
}

/// A proof that the program is safe.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// All executions end within a bound.
    Bounded(BoundedProof),
    /// The invariants are inductive, and no error can be reached from one cut point without passing
    /// another.
    Inductive(Box<Invariants>),
    /// The invariants are inductive; no error is reached within `k` steps from cut point to cut
    /// point, or in the part that follows; and no error follows `k` steps through states that
    /// satisfy the invariants (*A Unifying View on SMT-Based Software Verification*, §4.2).
    KInductive {
        /// The number of steps.
        k: u32,
        /// Auxiliary invariants.
        invariants: Box<Invariants>,
    },
}

/// The forward condition of bounded model checking: within a bound no error is reached, and no
/// execution goes beyond.
#[derive(Clone, Debug, Serialize)]
pub struct BoundedProof {
    bound: u32,
    obligations: Vec<Obligation>,
    /// The encoding of the formulas.
    #[serde(flatten)]
    basis: Basis,
}

/// How a program is encoded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// The theories of the formulas.
    #[serde(flatten)]
    pub theories: Theories,
    /// The transformations that ran besides those that every algorithm needs.
    pub pipeline: Pipeline,
}

/// One formula that was shown to have no model, together with `context`.
#[derive(Clone, Debug, Serialize)]
pub struct Obligation {
    /// The executions that it excludes.
    pub kind: ObligationKind,
    /// The bound at which it was shown.
    pub bound: u32,
    /// The number of places in the unrolled program that the formula stands for.
    pub instances: usize,
    /// The disjunction over the places, in the pool of the run. The constant false if it was
    /// folded.
    #[serde(skip)]
    pub formula: Term,
}

/// The executions that an [`Obligation`] excludes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObligationKind {
    /// An error site is reached within the bound.
    ErrorReached,
    /// An execution goes beyond the bound, or reaches a construct that is not supported.
    BoundExceeded,
}

impl BoundedProof {
    /// `None` unless the last obligation is the forward condition and every other rules out errors.
    pub(crate) fn new(bound: u32, obligations: Vec<Obligation>, basis: Basis) -> Option<Self> {
        let (last, others) = obligations.split_last()?;
        let is_complete = last.kind == ObligationKind::BoundExceeded
            && !others.is_empty()
            && others.iter().all(|obligation| obligation.kind == ObligationKind::ErrorReached);
        is_complete.then_some(BoundedProof { bound, obligations, basis })
    }

    /// The bound at which the forward condition holds.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// How the program was made formulas.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The proved obligations in order: the errors of each step, then the forward condition. The
    /// context of each are the definitions of the unrolling and the negations of the obligations
    /// before it.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encode::Encoding;
    use terms::TermPool;

    #[test]
    fn a_proof_without_forward_condition_cannot_be_built() {
        let pool = TermPool::new();
        let obligation = |kind| Obligation { kind, bound: 1, instances: 1, formula: pool.fls() };
        let basis = Basis { theories: Theories::of(Encoding::QfAbvfp), pipeline: Pipeline::none() };
        let proof = |obligations| BoundedProof::new(1, obligations, basis.clone());
        let (error, exceeded) = (ObligationKind::ErrorReached, ObligationKind::BoundExceeded);
        assert!(proof(vec![]).is_none());
        assert!(proof(vec![obligation(error)]).is_none());
        assert!(proof(vec![obligation(exceeded)]).is_none());
        assert!(proof(vec![obligation(error), obligation(exceeded)]).is_some());
    }
}
