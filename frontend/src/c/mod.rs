//! C: from the syntax tree to the IR.
//!
//! | module | what |
//! |---|---|
//! | [`dump`](mod@dump) | the tree as text |
//! | [`types`] | interned types, sizes, layouts |
//! | [`hir`] | the typed tree, in which nothing is implicit |
//! | [`link`](mod@link) | several units as one program |
//! | [`lower`](mod@lower) | to the IR |
//! | [`sema`] | [`check`](sema::check): names, types, constants, initializers |

pub mod dump;
pub mod hir;
pub mod link;
pub mod lower;
pub mod sema;
pub mod types;
