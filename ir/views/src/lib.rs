//! Views of a program without calls as formulas: [`paths`] between locations, [`blocks`] between cut points, [`clauses`] made of these; and [`unroll`], the
//! executions up to a bound, with calls.
//!
//! One executor (`execute`) executes the program's blocks symbolically for all of them, so there is one semantics of instructions,
//! memory and merging. What differs between the unroller and the views, such as the addresses of objects, is a *policy* of it.
//! The program must have been inlined for all but [`unroll`]: only the entry function is looked at.

pub mod blocks;
pub mod clauses;
mod execute;
pub mod inputs;
mod machine;
mod operator;
pub mod paths;
pub mod print;
pub mod state;
pub mod unroll;

pub use execute::{Accesses, Config, SetupError, UnsupportedCause};
pub use machine::ViewError;
pub use operator::{BlockOperator, Place};

#[cfg(test)]
mod tests;
