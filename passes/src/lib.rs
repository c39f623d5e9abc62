//! The algorithms, their shared parts, transformations and evidence. See `DESIGN` §6 and §7.

pub mod bmc;
pub mod candidates;
pub mod evidence;
pub mod induction;
mod intervals;
pub mod invariants;
pub mod predicate;
pub mod trace;
pub mod transform;
pub mod transitions;
pub mod validate;
