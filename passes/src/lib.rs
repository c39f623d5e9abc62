//! TODO

pub mod transform;
