//! Evidence: what an answer rests on. See `DESIGN` §7.

mod verdict;

pub use verdict::{BoundedProof, Certificate, Obligation, ObligationKind, Site, UnknownReason, Verdict};
