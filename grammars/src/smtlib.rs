//! SMT-LIB 2.6 scripts: tokens, grammar, syntax tree.
//!
//! A [`Reader`] hands out one [`Command`] at a time, so that a caller may execute a command before the next one is
//! read, and a file of any length takes the memory of its longest command. Names and literals are interned: a tree
//! holds [`Name`]s, and what a name means can be kept in a table.
//!
//! # Shape of the tree
//! Terms, sorts and S-expressions are rows of one table, children before parents. Neither the parser (an LR automaton
//! with its stack on the heap) nor the tree recurses, so a million nested `let`s are as good as any other text.
//!
//! # What is accepted
//! All commands of the standard, `define-const` of SMT-LIB 2.7, and SMTInterpol's `get-interpolants`. More than the
//! standard allows: numerals with leading zeros; `push` and `pop` without a number; and the command names without
//! a dash, except `assert`, as symbols. Comments may hold any bytes, all other text is UTF-8.
//!
//! # Errors
//! A command that does not parse is one located [`Diagnostic`](crate::source::Diagnostic), and reading goes on behind
//! it: where its parentheses close, or where at the start of a line the next command begins.

mod reader;
pub mod token;
pub mod tree;

#[allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::needless_pass_by_value,
    clippy::semicolon_if_nothing_returned,
    clippy::redundant_clone,
    reason = "generated code"
)]
mod grammar {
    lalrpop_util::lalrpop_mod!(generated, "/smtlib/grammar.rs");
    pub(super) use generated::CommandParser;
}

pub use crate::names::{Interner, Name};
pub use reader::Reader;
pub use tree::{Command, CommandKind, List, Node, NodeKind, Tree};

#[cfg(test)]
mod tests;
