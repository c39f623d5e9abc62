//! Verdicts and their evidence: traces, certificates, and reasons for UNKNOWN.

mod fidelity;
mod infix;
mod invariants;
mod loads;
mod loops;
mod present;
mod quantified;
mod scope;
mod unknown;
mod verdict;

pub use invariants::{Index, Invariants};
pub use loops::{Listed, PresentedFact, PresentedKind, PresentedLoop, PresentedLoops, present_loops};
pub use present::{Presented, PresentedInvariant, PresentedInvariants, present};
pub use unknown::{Site, SolverFailure, UnknownKind, UnknownReason};
pub use verdict::{Basis, BoundedProof, Certificate, Obligation, ObligationKind, Verdict};
