//! Programs as formulas: [`paths`] between locations, [`blocks`] between cut points, [`clauses`]
//! built from these, and [`unroll`], the bounded executions of a program with calls.
//!
//! A single symbolic executor (`execute`) underlies all of them, so there is one semantics of
//! instructions, memory and merging. The unroller and the views differ only in its *policy*, such
//! as the addresses of objects. [`paths`] and [`blocks`] cover only the entry function, into which
//! all calls must have been inlined; [`procedures`] has the block formulas of all functions.

pub mod blocks;
pub mod clauses;
mod execute;
pub mod inputs;
mod interface;
mod machine;
mod operator;
mod origin;
pub mod paths;
pub mod print;
pub mod procedures;
mod requests;
mod stack;
pub mod state;
pub mod unroll;
mod zones;

pub use execute::{Accesses, Config, SetupError, UnsupportedCause};
pub use machine::{CallSite, ViewError};
pub use operator::{BlockOperator, Place};

#[cfg(test)]
mod tests;
