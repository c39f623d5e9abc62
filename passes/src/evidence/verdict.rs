//! Verdicts. Each verdict carries its evidence: a certificate, a trace, or a reason.

use super::{Invariants, Summaries, UnknownReason};
use crate::trace::Trace;
use crate::transform::Pipeline;
use encode::Theories;
use serde::Serialize;
use std::collections::BTreeMap;
use terms::Term;
use views::unroll::Bounds;

/// The answer to the question whether an error is reachable.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error is reachable, with a certificate.
    Safe(Certificate),
    /// An error is reachable, with an execution that the interpreter has replayed.
    Unsafe(Box<Trace>),
    /// Neither was established, with the reason.
    Unknown(UnknownReason),
}

/// A proof that the program is safe.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// All executions end within a bound, without an error.
    Bounded(BoundedProof),
    /// The invariants are inductive and exclude every path from a cut point to an error that passes
    /// no other cut point.
    Inductive(Box<Invariants>),
    /// `k`-induction relative to the inductive invariants succeeds. Base case: no error is
    /// reachable within `k` steps between cut points, or from there before the next cut point. Step
    /// case: no error follows `k` steps through states that satisfy the invariants. Source: Beyer,
    /// Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR 2018, §4.2.
    KInductive {
        /// The number of steps between cut points.
        k: u32,
        /// The auxiliary invariants.
        invariants: Box<Invariants>,
    },
    /// Calling contexts and summaries of procedures, with invariants of their loops: together they
    /// are inductive over all procedures and exclude every path from a cut point to an error.
    Summaries(Box<Summaries>),
}

/// A proof by bounded model checking: no error is reachable within the bound, and no execution
/// exceeds it (forward condition).
#[derive(Clone, Debug, Serialize)]
pub struct BoundedProof {
    /// The largest number of visits of a loop or recursion.
    bound: u32,
    /// The loops and recursions, with their visits.
    loops: Vec<Unrolled>,
    #[serde(skip)]
    bounds: Bounds,
    obligations: Vec<Obligation>,
    /// The encoding of the program.
    #[serde(flatten)]
    basis: Basis,
}

/// The encoding of a program as formulas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// The theories of the formulas.
    #[serde(flatten)]
    pub theories: Theories,
    /// The optional transformations that ran; those that every algorithm needs are implied.
    pub pipeline: Pipeline,
}

/// A formula that was shown unsatisfiable in its context (see [`BoundedProof::obligations`]).
#[derive(Clone, Debug, Serialize)]
pub struct Obligation {
    /// The executions that the obligation excludes.
    pub kind: ObligationKind,
    /// The bound at which the obligation was discharged.
    pub bound: u32,
    /// The number of disjuncts: places in the unrolled program that the formula covers.
    pub instances: usize,
    /// The disjunction over the places, in the term pool of the run; the constant false if the pool
    /// simplified it.
    #[serde(skip)]
    pub formula: Term,
}

/// The executions that an [`Obligation`] excludes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObligationKind {
    /// Executions that reach an error site within the bound.
    ErrorReached,
    /// Executions that exceed the bound or reach an unsupported construct.
    BoundExceeded,
}

impl BoundedProof {
    /// Creates a proof. Returns `None` unless the last obligation is the forward condition, there
    /// is at least one other, and all others exclude errors.
    pub(crate) fn new(
        (bounds, loops): (Bounds, Vec<Unrolled>),
        obligations: Vec<Obligation>,
        basis: Basis,
    ) -> Option<Self> {
        let (last, others) = obligations.split_last()?;
        let is_complete = last.kind == ObligationKind::BoundExceeded
            && !others.is_empty()
            && others.iter().all(|obligation| obligation.kind == ObligationKind::ErrorReached);
        let bound = loops.iter().map(|place| place.visits).max().unwrap_or(bounds.default);
        is_complete.then_some(BoundedProof { bound, loops, bounds, obligations, basis })
    }

    /// Returns the largest number of visits of a loop head, or of activations of a function on the
    /// call chain, in an execution.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Returns the loops and recursive functions with their visits.
    pub fn loops(&self) -> &[Unrolled] {
        &self.loops
    }

    /// Returns the bounds at which the forward condition holds, for the program transformed by the
    /// pipeline.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the encoding of the program.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Returns the discharged obligations in order: the errors of each step, then the forward
    /// condition. The context of an obligation consists of the definitions of the unrolling and the
    /// negations of all earlier obligations.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }
}

/// A loop or recursive function that was unrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unrolled {
    /// The name: `function.line` for a loop, `function` for a recursion.
    pub name: String,
    /// The bound.
    pub bound: u32,
    /// The largest number of visits of the loop head, or of activations on the call chain, that was
    /// explored. It exceeds the bound where constants decide the iterations.
    pub visits: u32,
}

impl Unrolled {
    /// Joins the places with the same name: those of copies of a loop.
    pub(crate) fn list(places: impl Iterator<Item = Unrolled>) -> Vec<Unrolled> {
        let mut by_name: BTreeMap<String, Unrolled> = BTreeMap::new();
        let mut order = Vec::new();
        for place in places {
            match by_name.get_mut(&place.name) {
                Some(known) => {
                    known.bound = known.bound.max(place.bound);
                    known.visits = known.visits.max(place.visits);
                }
                None => {
                    order.push(place.name.clone());
                    by_name.insert(place.name.clone(), place);
                }
            }
        }
        order.iter().filter_map(|name| by_name.remove(name)).collect()
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
        let proof = |obligations| BoundedProof::new((Bounds::exactly(1), vec![]), obligations, basis.clone());
        let (error, exceeded) = (ObligationKind::ErrorReached, ObligationKind::BoundExceeded);
        assert!(proof(vec![]).is_none());
        assert!(proof(vec![obligation(error)]).is_none());
        assert!(proof(vec![obligation(exceeded)]).is_none());
        assert!(proof(vec![obligation(error), obligation(exceeded)]).is_some());
    }
}
