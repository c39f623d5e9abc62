//! Interpolants: where they come from, and what is tried in which order.
//!
//! | module | what |
//! |---|---|
//! | [`by_parts`] | along a sequence or tree, by local queries to any prover |
//! | [`int_blasting`] | of bit vectors by way of integers, over another source |
//! | [`from_proof`] | from a proof of the prover |
//! | [`Alternatives`] | sources in turn, each for a share of the time |

mod alternatives;
pub mod by_parts;
pub mod from_proof;
pub mod int_blasting;

pub use alternatives::Alternatives;
