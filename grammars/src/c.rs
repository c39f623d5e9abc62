//! C11 with the GNU extensions: tokens, grammar and [syntax tree](ast).

pub mod ast;
mod names;

use crate::source::{Diagnostic, FileId, SourceMap};

/// What [`parse`] makes of a file.
#[derive(Debug)]
pub struct ParseResult {
    /// The tree of everything that parsed.
    pub unit: ast::TranslationUnit,
    /// Errors and warnings in source order; the unit is complete if there is no error among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a preprocessed C file.
#[must_use]
pub fn parse(map: &SourceMap, file: FileId) -> ParseResult {
    let _ = (map, file);
    ParseResult { unit: ast::TranslationUnit::default(), diagnostics: Vec::new() }
}
