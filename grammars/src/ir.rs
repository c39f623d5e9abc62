//! The text form of the IR: tokens, grammar, syntax tree. `program::text` describes the format and
//! gives it its meaning.
//!
//! Terms are kept flat, as nodes in one table with children before parents, so a deeply nested term
//! costs no stack.

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
    lalrpop_util::lalrpop_mod!(generated, "/ir/grammar.rs");
    pub(super) use generated::ProgramParser;
}

use crate::source::{Diagnostic, FileId, SourceMap, Span};
use lalrpop_util::ParseError;
use token::{Lexer, LexicalError, Token};
use tree::{Builder, Tree};

/// Parses a file.
///
/// # Errors
/// The first error, located.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Tree, Diagnostic> {
    let whole = map.file_span(file);
    let text = std::str::from_utf8(map.bytes(file)).map_err(|error| {
        let at = whole.lo + error.valid_up_to() as u32;
        Diagnostic::error(Span::new(at, at + 1), "this is not UTF-8 text")
    })?;
    let mut builder = Builder::default();
    let items = grammar::ProgramParser::new()
        .parse(&mut builder, Lexer::new(text, whole.lo))
        .map_err(|error| diagnostic(error, whole))?;
    Ok(builder.finish(items))
}

fn diagnostic(error: ParseError<u32, Token<'_>, LexicalError>, whole: Span) -> Diagnostic {
    match error {
        ParseError::InvalidToken { location } => {
            Diagnostic::error(Span::new(location, location + 1), "invalid token")
        }
        ParseError::UnrecognizedEof { location: _, expected } => {
            Diagnostic::error(whole.end(), "unexpected end of the text").with_label(expectation(&expected))
        }
        ParseError::UnrecognizedToken { token: (lo, token, hi), expected } => {
            Diagnostic::error(Span::new(lo, hi), format!("unexpected {token}"))
                .with_label(expectation(&expected))
        }
        ParseError::ExtraToken { token: (lo, token, hi) } => {
            Diagnostic::error(Span::new(lo, hi), format!("unexpected {token}"))
        }
        ParseError::User { error } => Diagnostic::error(error.span, error.message),
    }
}

fn expectation(expected: &[String]) -> String {
    let mut names: Vec<String> = expected.iter().map(|name| name.trim_matches('"').to_owned()).collect();
    names.sort();
    names.dedup();
    match names.len() {
        0 => String::new(),
        1..=6 => format!("expected {}", names.join(", ")),
        _ => format!("expected one of {}, …", names[..6].join(", ")),
    }
}
