//! C11 with the GNU extensions: tokens, grammar and [syntax tree](ast).
//!
//! [`parse`] reads a preprocessed file. The essay on how is in `parser.rs`, the productions are in
//! `grammar.lalrpop`. [`dump`] prints tokens and trees for tests.

pub mod ast;
mod context;
pub mod dump;
mod headers;
mod lexer;
mod literal;
mod packing;
mod parser;
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

/// The typedef names that exist without a declaration, as in gcc: `__int128` and `unsigned __int128`.
pub const PREDECLARED_TYPES: [&str; 2] = ["__int128_t", "__uint128_t"];

pub use self::headers::hint as declaration_hint;
pub use self::parser::parse;
pub use self::token::Token;

use crate::source::Diagnostic;

/// What [`parse`] makes of a file.
#[derive(Debug)]
pub struct ParseResult {
    /// The tree of everything that parsed.
    pub unit: ast::TranslationUnit,
    /// Errors and warnings in source order; the unit is complete if there is no error among them.
    pub diagnostics: Vec<Diagnostic>,
}
