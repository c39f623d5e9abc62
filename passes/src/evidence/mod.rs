//! Evidence: verdicts, and the proofs and counterexamples that support them.

mod infix;
mod invariants;
mod present;
mod verdict;

pub use invariants::Invariants;
pub use present::{Presented, PresentedInvariant, PresentedInvariants, present};
pub use verdict::{
    Basis, BoundedProof, Certificate, Obligation, ObligationKind, Site, UnknownReason, Verdict,
};
