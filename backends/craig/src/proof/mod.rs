//! Refutations: resolution steps over clauses of the problem and theory lemmas.

use crate::sat::Literal;

/// A refutation, trimmed: each step is needed by a later one, the last is the clause that was proved.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The clauses in the order in which they can be checked.
    pub steps: Vec<Step>,
}

/// One clause of a proof.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its literals, without duplicates.
    pub literals: Vec<Literal>,
    /// Why it holds.
    pub origin: Origin,
}

/// Why a clause of a proof holds.
#[derive(Clone, Debug)]
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
