//! C: from the syntax tree to the IR.
//!
//! | module | what |
//! |---|---|
//! | [`types`] | interned types, sizes, layouts |
//! | [`hir`] | the typed tree, in which nothing is implicit |
//! | `sema` | [`check`]: names, types, constants, initializers |

pub mod hir;
pub mod types;
