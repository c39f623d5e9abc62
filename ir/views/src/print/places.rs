//! Positions of the source in texts for readers.

use grammars::source::{SourceMap, Span};
use program::ssa::Program;
use std::path::{Path, PathBuf};

/// Positions, as texts show them.
#[derive(Clone, Debug)]
pub struct Places<'s> {
    sources: &'s SourceMap,
    /// The folders that paths may be relative to; the first that has the file is used.
    folders: Vec<PathBuf>,
    /// The functions with a body: where the definition starts, and the name. In order.
    functions: Vec<(u32, String)>,
}

impl<'s> Places<'s> {
    /// Positions in `sources`, in the functions that have a body in `program` (inlining removes
    /// bodies). Absolute paths become relative to the first of `folders` that contains the file, if
    /// one does.
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

    /// The line of a span.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<u32> {
        self.sources.presumed(span).map(|place| place.line)
    }

    /// `file:line` of a span, without control characters.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<String> {
        let place = self.sources.presumed(span)?;
        Some(format!("{}:{}", one_line(&self.relative(&place.file)), place.line))
    }

    /// The file of the program, without control characters: that of `main`, or of the first
    /// function.
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

    /// The name of the function that contains a span: the last one that is defined before it.
    #[must_use]
    pub fn function(&self, span: Span) -> Option<&str> {
        if span.is_none() {
            return None;
        }
        let after = self.functions.partition_point(|(start, _)| *start <= span.lo);
        Some(&self.functions[after.checked_sub(1)?].1)
    }
}

/// `text` as part of a comment, which ends with its line.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
