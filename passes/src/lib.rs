//! The algorithms, their shared parts, transformations and evidence. See `DESIGN` §6 and §7.

pub mod transform;
