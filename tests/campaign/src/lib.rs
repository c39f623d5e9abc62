//! The campaign: programs that are made at random, and what must hold of the verifier's answers.
//!
//! | module | what |
//! |---|---|
//! | [`pointers`] | random pointer programs with concrete inputs |
//! | [`transform`] | programs changed in ways that keep their meaning |
//! | [`truth`] | what sanitizers say about them |
//! | [`interpret`] | what the front end and the interpreter say |
//! | [`tool`] | what the verifier says |
//! | [`compare`] | when these disagree |
//! | [`drive`] | batches of programs through all of these, and the table at the end |
//! | [`csmith`] | csmith's programs with inputs, whose checksum is asserted and denied |
//! | [`fuzz`] | the readers of the project on mutated inputs |
//! | [`reduce`] | a smaller program that is wrong in the same way |
//! | [`random`], [`process`] | choices, child processes |
//!
//! The library knows the front end, the IR and the interpreter. The verifier is a process, so that a crash is an observation.

pub mod compare;
pub mod csmith;
pub mod drive;
pub mod fuzz;
pub mod interpret;
pub mod pointers;
pub mod process;
pub mod random;
pub mod reduce;
pub mod tool;
pub mod transform;
pub mod truth;
