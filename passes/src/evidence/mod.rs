//! Verdicts and their evidence: traces, certificates, and reasons for UNKNOWN.

mod contracts;
mod cut_points;
mod fidelity;
mod infix;
mod invariants;
mod loads;
mod loops;
mod present;
mod quantified;
mod scope;
mod summaries;
mod unknown;
mod verdict;
mod widened;

pub(crate) use infix::c_text;
pub(crate) use loops::present_at;

pub use contracts::{PresentedProcedure, PresentedSummaries};
pub use cut_points::PresentedInvariant;
pub use invariants::{Index, Invariants};
pub use loops::{
    Listed, PresentedContract, PresentedFact, PresentedKind, PresentedLoop, PresentedLoops,
    ProgramInvariants, present_loops,
};
pub use present::{Presented, PresentedInvariants, present};
pub use summaries::{Place, Predicate, Summaries};
pub use unknown::{Site, SolverFailure, UnknownKind, UnknownReason};
pub use verdict::{Basis, BoundedProof, Certificate, Obligation, ObligationKind, Unrolled, Verdict};
