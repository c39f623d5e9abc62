//! C: from the syntax tree to the IR.
//!
//! | module | contents |
//! |---|---|
//! | [`contract`] | preconditions of entry functions, and harnesses that call them |
//! | [`dump`](mod@dump) | text form of the typed tree |
//! | [`types`] | interned types, sizes, record layouts |
//! | [`hir`] | the typed tree, with every implicit conversion explicit |
//! | [`link`](mod@link) | links translation units into one program |
//! | [`lower`](mod@lower) | lowers the typed tree to the IR |
//! | [`sema`] | [`check`](sema::check): names, types, constants, initializers |

pub mod contract;
pub mod dump;
pub mod hir;
pub mod link;
pub mod lower;
pub mod sema;
pub mod types;
