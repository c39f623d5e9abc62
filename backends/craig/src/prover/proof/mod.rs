//! Refutations: resolution steps over clauses of the problem and theory lemmas.
//!
//! [`check`] shares no code with the search: it resolves again, and gives inputs and lemmas to who knows them. [`trim`] drops
//! what the last step does not need.

mod check;
mod trim;

pub use check::{CheckError, check};
pub use trim::trim;

use crate::prover::sat::Literal;

/// A refutation, trimmed: each step is needed by a later one, the last is the clause that was proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The clauses in the order in which they can be checked.
    pub steps: Vec<Step>,
}

impl Proof {
    /// The clause that was proved: empty in a refutation without assumptions. None if there are no steps.
    pub fn conclusion(&self) -> Option<&[Literal]> {
        self.steps.last().map(|step| &*step.literals)
    }
}

/// One clause of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its literals, without duplicates.
    pub literals: Vec<Literal>,
    /// Why it holds.
    pub origin: Origin,
}

/// Why a clause of a proof holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is a clause of the problem. The tag is what its owner gave with it.
    Input(u32),
    /// It is valid in the theory, by the certificate of this number.
    Lemma(u32),
    /// By resolution: the first step, then for each further one the pivot as it occurs in what was derived so far (its
    /// negation occurs in that step).
    Chain {
        /// Index of the first step.
        first: u32,
        /// Pivots and indices of steps.
        rest: Vec<(Literal, u32)>,
    },
}
