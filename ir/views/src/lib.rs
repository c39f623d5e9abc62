//! Views of a program without calls as formulas: [`paths`] between locations, [`blocks`] between cut points, [`clauses`] made of these; and [`unroll`], the
//! executions up to a bound, with calls.
//!
//! All execute the program's blocks symbolically, each once for every way in which it is looked at, with the guards and merges of
//! [`unroll`], so there is no second copy of the semantics of merging and memory. The program must have been
//! inlined for all but [`unroll`]: only the entry function is looked at.

pub mod blocks;
pub mod clauses;
pub mod inputs;
mod machine;
pub mod paths;
pub mod print;
pub mod state;
pub mod unroll;

pub use machine::ViewError;

#[cfg(test)]
mod tests;
