//! SMT-LIB 2.6 scripts: tokens, grammar, syntax tree.
//!
//! A [`Reader`] yields one [`Command`] at a time. A caller may execute a command before the next
//! one is read, and a file of any length needs the memory of its longest command. Names and
//! literals are interned: a tree holds [`Name`]s, so the meaning of a name can be stored in a
//! table.
//!
//! # Shape of the tree
//! Terms, sorts and S-expressions are rows of one table, children before parents. Neither the
//! parser (an LR automaton with its stack on the heap) nor the tree recurses, so a million nested
//! `let`s need no special treatment.
//!
//! Most of a script is terms. The usual forms of terms are read in a loop over the tokens, ahead of
//! the automaton, for which such a term is one token (`ahead`).
//!
//! # Accepted input
//! All commands of the standard, `define-const` of SMT-LIB 2.7, SMTInterpol's `get-interpolants`,
//! and the commands of Z3 for Horn clauses (`declare-rel`, `declare-var`, `rule`, `query`). Beyond
//! the standard: numerals with leading zeros; `push` and `pop` without a number; and the command
//! names without a dash, except `assert`, as symbols. Comments may contain any bytes; all other
//! text is UTF-8.
//!
//! # Errors
//! A command that does not parse yields one located [`Diagnostic`](crate::source::Diagnostic).
//! Reading continues after its closing parenthesis, or at the next command that begins at the start
//! of a line.

mod ahead;
mod node;
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
pub use reader::{Paused, Reader};
pub use tree::{Command, CommandKind, List, Node, NodeKind, Tree};

#[cfg(test)]
mod tests;
