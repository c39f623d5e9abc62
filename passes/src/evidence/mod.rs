//! Evidence: what an answer rests on. See `DESIGN` §7.

mod invariants;
mod verdict;

pub use invariants::Invariants;
pub use verdict::{
    Basis, BoundedProof, Certificate, Obligation, ObligationKind, Site, UnknownReason, Verdict,
};
