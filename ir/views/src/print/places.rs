//! Source positions in emitted texts.

use grammars::source::{SourceMap, Span};
use program::ssa::Program;
use std::path::{Path, PathBuf};

/// The source positions of a program, for comments and names in emitted texts.
#[derive(Clone, Debug)]
pub struct Places<'s> {
    sources: &'s SourceMap,
    /// Base folders for relative paths; the first that contains the file is used.
    folders: Vec<PathBuf>,
    /// The defined functions: the start offset of the definition, and the name. Sorted.
    functions: Vec<(u32, String)>,
}

impl<'s> Places<'s> {
    /// Creates the positions of `program` in `sources`. Positions are attributed only to functions
    /// that `program` defines; inlining removes definitions. An absolute path becomes relative to
    /// the first of `folders` that contains the file, if there is one.
    #[must_use]
    pub fn new(sources: &'s SourceMap, program: &Program, folders: &[PathBuf]) -> Self {
        let defined = program.functions.values().filter(|function| function.is_defined());
        let mut functions: Vec<(u32, String)> = defined
            .filter(|function| !function.span.is_none())
            .map(|function| (function.span.lo, function.name.clone()))
            .collect();
        functions.sort();
        Places { sources, folders: folders.to_vec(), functions }
    }

    /// Returns the line of a span; `None` if the position is unknown.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<u32> {
        self.sources.presumed(span).map(|place| place.line)
    }

    /// Returns `file:line` of a span, without control characters; `None` if the position is
    /// unknown.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<String> {
        let place = self.sources.presumed(span)?;
        Some(format!("{}:{}", one_line(&self.relative(&place.file)), place.line))
    }

    /// Returns the file that defines `main`, or else the first function, without control
    /// characters.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        let main = self.functions.iter().find(|(_, name)| name == "main");
        let &(start, _) = main.or(self.functions.first())?;
        let place = self.sources.presumed(Span::new(start, start))?;
        Some(one_line(&self.relative(&place.file)))
    }

    fn relative(&self, file: &str) -> String {
        let path = Path::new(file);
        let shorter = self.folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
        match shorter {
            Some(shorter) if path.is_absolute() => shorter.display().to_string(),
            _ => file.to_owned(),
        }
    }

    /// Returns the name of the function that contains a span: the last function whose definition
    /// starts at or before the span.
    #[must_use]
    pub fn function(&self, span: Span) -> Option<&str> {
        if span.is_none() {
            return None;
        }
        let after = self.functions.partition_point(|(start, _)| *start <= span.lo);
        Some(&self.functions[after.checked_sub(1)?].1)
    }
}

/// Returns `text` with control characters replaced by spaces, so that it fits in a line comment.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
