//! Interpolants from a proof.
