//! Sources of interpolants, and the order in which they run.
//!
//! | module | source |
//! |---|---|
//! | [`by_parts`] | interpolates a sequence or tree with local queries to any prover |
//! | [`int_blasting`] | interpolates bit vectors via integers, over another source |
//! | [`from_proof`] | interpolates a proof of [`CraigProver`](crate::CraigProver) |
//! | [`Alternatives`] | runs several sources in turn, each for a share of the time |

mod alternatives;
pub mod by_parts;
pub mod from_proof;
pub mod int_blasting;

pub use alternatives::Alternatives;
