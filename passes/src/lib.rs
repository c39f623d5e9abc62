//! The algorithms, their shared parts, transformations and evidence. See `DESIGN` §6 and §7.

pub mod bmc;
pub mod candidates;
pub mod evidence;
pub mod predicate;
pub mod trace;
pub mod transform;
