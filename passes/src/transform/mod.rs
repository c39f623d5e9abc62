//! Transformations of the IR.
//!
//! Each pass takes a program and changes it, and returns a typed result with the way back, a
//! [`BackTranslator`], so that whatever is found out about the new program can be said about the old one.
//!
//! | pass | what it does |
//! |---|---|
//! | [`function_pointers`] | calls through pointers become guarded direct calls |
//! | [`regions`](mod@regions) | memory is split into regions that do not alias |
//! | [`inline`](mod@inline) | the entry function with everything it calls becomes one function |
//! | [`promote`](mod@promote) | scalar regions become SSA values |
//! | [`simplify`](mod@simplify) | constants, dead code, empty and straight-line blocks |
//!
//! The first two run before everything else and keep the sequence of nondeterministic events (`havoc`, `forget`, first
//! `address_of`, `allocate`) of each execution, so that a counterexample can be replayed on the lowered program. The
//! others are for views that are made of one function.

pub mod back;
pub mod function_pointers;
pub mod inline;
pub mod points_to;
pub mod regions;
mod rewrite;

pub use back::BackTranslator;
