//! Refutations: resolution steps over input clauses and theory lemmas.
//!
//! [`check`] shares no code with the search: it replays the resolution steps and passes inputs and
//! lemmas to their owner. [`trim`] drops steps that the last step does not need.

mod check;
mod trim;

pub use check::{CheckError, check};
pub use trim::trim;

use crate::prover::sat::Literal;

/// A trimmed refutation: a later step uses each step but the last, which is the proved clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The clauses, antecedents first.
    pub steps: Vec<Step>,
}

impl Proof {
    /// The proved clause: empty in a refutation without assumptions. `None` if there are no steps.
    pub fn conclusion(&self) -> Option<&[Literal]> {
        self.steps.last().map(|step| &*step.literals)
    }
}

/// One clause of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its literals, without duplicates.
    pub literals: Vec<Literal>,
    /// The justification.
    pub origin: Origin,
}

/// The justification of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An input clause, with the tag that its owner passed along.
    Input(u32),
    /// A lemma that is valid in the theory, with the number of its certificate.
    Lemma(u32),
    /// Resolution: the first step, then for each further step the pivot as it occurs in the clause
    /// derived so far (its negation occurs in that step).
    Chain {
        /// Index of the first step.
        first: u32,
        /// Pivots and indices of steps.
        rest: Vec<(Literal, u32)>,
    },
}
