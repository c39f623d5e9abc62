//! C11 with the GNU extensions: tokens, grammar and [syntax tree](ast).
//!
//! [`parse`] reads a preprocessed file. `parser.rs` explains the approach, and `grammar.lalrpop`
//! contains the productions. [`dump`] prints tokens and trees for tests.

pub mod ast;
mod context;
pub mod dump;
mod headers;
mod lexer;
mod literal;
mod packing;
mod parser;
mod pragmas;
mod scope;
mod token;

#[allow(
    clippy::all,
    clippy::needless_pass_by_value,
    clippy::semicolon_if_nothing_returned,
    clippy::redundant_clone,
    unused_qualifications,
    unreachable_pub,
    missing_docs,
    reason = "made by LALRPOP"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/c/grammar.rs"));
}

/// The typedef names that gcc predeclares, for `__int128` and `unsigned __int128`.
pub const PREDECLARED_TYPES: [&str; 2] = ["__int128_t", "__uint128_t"];

pub use self::headers::hint as declaration_hint;
pub use self::parser::parse;
pub use self::token::Token;

use crate::source::Diagnostic;

/// The result of [`parse`].
#[derive(Debug)]
pub struct ParseResult {
    /// The tree of all items that parsed.
    pub unit: ast::TranslationUnit,
    /// Errors and warnings in source order; without errors, the unit is complete.
    pub diagnostics: Vec<Diagnostic>,
}
