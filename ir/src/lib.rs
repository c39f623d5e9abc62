//! The middle of Hornwork: terms, the guarded SSA IR, its views and encodings. No solver and no C here.

pub mod entity;
pub mod ssa;
pub mod term;
