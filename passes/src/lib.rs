//! Transformations of the IR ([`transform`]), the algorithms ([`engines`]), what they share, and evidence. See `DESIGN` §1 and §5.

pub mod candidates;
pub mod emit;
pub mod engines;
pub mod evidence;
mod intervals;
pub mod invariants;
pub mod trace;
pub mod transform;
pub mod transitions;
pub mod validate;
