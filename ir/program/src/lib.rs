//! Programs: guarded SSA whose instructions are terms, its text form, its checker, and the interpreter that says what it means.
//!
//! | module | what |
//! |---|---|
//! | [`ssa`] | functions, blocks, instructions; the rules ([`ssa::check`]); dominators, loops, liveness |
//! | [`layout`] | where objects lie |
//! | [`interp`] | runs |
//! | [`source`] | debug information: types of places, conditions |
//! | [`text`] | the text form and graphs |
//! | [`testing`] | random programs |

pub mod interp;
pub mod layout;
pub mod source;
pub mod ssa;
pub mod testing;
pub mod text;
