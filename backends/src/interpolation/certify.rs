//! Proofs that interpolants are what they claim to be.

use super::Problem;
use crate::{Limits, ProverFactory, Reason};
use ir::term::{Term, TermPool};
use std::rc::Rc;

/// Proves interpolants with a prover of its own.
pub struct Certifier {
    /// The solver; by default another one than the one that answered.
    pub factory: Rc<dyn ProverFactory>,
}

/// What is wrong with interpolants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// One interpolant for each part but the root is expected.
    #[error("{found} interpolants instead of {expected}")]
    Count {
        /// As many as there should be.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// A symbol or function that is not shared.
    #[error("the interpolant of part {part} contains {name}, which is not shared")]
    Vocabulary {
        /// The part.
        part: usize,
        /// The symbol.
        name: String,
    },
    /// A part and the interpolants of its children do not imply its interpolant, or for the root, are satisfiable.
    #[error("part {part} with the interpolants of its children does not imply its own")]
    NotInductive {
        /// The part.
        part: usize,
    },
    /// The proof was not finished.
    #[error("part {part} could not be proved: {reason}")]
    Unproved {
        /// The part.
        part: usize,
        /// Why.
        reason: Reason,
    },
}

impl Certifier {
    /// Proves that `interpolants` are tree interpolants of `problem`.
    pub fn certify(
        &self,
        pool: &mut TermPool,
        problem: &Problem,
        interpolants: &[Term],
        limits: &Limits,
    ) -> Result<(), Fault> {
        let _ = (pool, problem, limits);
        Err(Fault::Count { expected: problem.parts.len() - 1, found: interpolants.len() })
    }
}
