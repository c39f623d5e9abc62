//! Verdicts and their evidence: traces, certificates, and reasons for UNKNOWN.

mod infix;
mod invariants;
mod loads;
mod present;
mod unknown;
mod verdict;

pub use invariants::Invariants;
pub use present::{Presented, PresentedInvariant, PresentedInvariants, present};
pub use unknown::{Site, SolverFailure, UnknownKind, UnknownReason};
pub use verdict::{Basis, BoundedProof, Certificate, Obligation, ObligationKind, Verdict};
