//! Programs: the guarded SSA IR with terms as instructions, its text form, its checker, and the
//! interpreter, which defines its semantics.
//!
//! | module | contents |
//! |---|---|
//! | [`ssa`] | functions, blocks, instructions; the well-formedness rules ([`ssa::check`]); dominators, loops, liveness |
//! | [`layout`] | addresses of objects and functions |
//! | [`interp`] | the interpreter |
//! | [`ssa::source`] | debug information: types of places, conditions |
//! | [`text`] | the text form, and graphs for Graphviz |
//! | [`testing`] | random programs |

pub mod interp;
pub mod layout;
pub mod ssa;
pub mod testing;
pub mod text;
