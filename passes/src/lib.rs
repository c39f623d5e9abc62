//! Passes over the IR ([`transform`]) and over Horn systems ([`horn`]), the verification algorithms
//! ([`engines`]) with the analyses that they share, and the evidence for their verdicts.

pub mod emit;
pub mod engines;
pub mod evidence;
pub mod exchange;
pub mod features;
pub mod horn;
pub mod infer;
mod intervals;
pub mod invariants;
pub mod models;
pub mod names;
pub mod procedures;
mod selection;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod transform;
pub mod transitions;
pub mod validate;
