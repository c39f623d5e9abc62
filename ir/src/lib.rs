//! The middle of Hornwork: terms, the guarded SSA IR, its views and encodings. No solver and no C here.

pub use grammars::source;

pub mod encode;
pub mod entity;
pub mod horn;
pub mod interp;
pub mod layout;
pub mod ssa;
pub mod term;
pub mod testing;
pub mod text;
pub mod unroll;
pub mod views;
