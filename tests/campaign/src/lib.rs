//! The campaign: randomly generated programs, and the requirements on the verifier's answers.
//!
//! | module | contents |
//! |---|---|
//! | [`pointers`] | random pointer programs with concrete inputs |
//! | [`transform`] | program transformations that preserve the semantics |
//! | [`truth`] | the ground truth: reports of the sanitizers |
//! | [`interpret`] | results of the front end and the interpreter |
//! | [`tool`] | verdicts of the verifier |
//! | [`compare`] | disagreements between these |
//! | [`drive`] | batches of programs through all of these, and the table at the end |
//! | [`csmith`] | csmith programs with inputs, whose checksum is asserted and negated |
//! | [`fuzz`] | the readers of the project on mutated inputs |
//! | [`reduce`] | reduction to a smaller program with the same wrong answer |
//! | [`random`], [`process`] | random choices, child processes |
//!
//! The library depends on the front end, the IR and the interpreter. The verifier is a separate
//! process, so that a crash is an observation.

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
