//! Files, offsets, lines and presumed positions.

use super::Span;
use miette::{NamedSource, SourceSpan};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A physical position in a loaded file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The loaded file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// A presumed position: the position in the user's file, by the markers of the preprocessor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Presumed {
    /// The name in the current marker, or the name of the loaded file.
    #[serde(serialize_with = "as_str")]
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Whether the current marker designates a system header (flag 3).
    pub is_system: bool,
}

fn as_str<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

impl std::fmt::Display for Presumed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The loaded files. Offsets of spans start at 1 and continue through all files, with a gap of one
/// between them.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: Vec<File>,
}

#[derive(Clone, Debug)]
struct File {
    name: Arc<str>,
    bytes: Arc<[u8]>,
    /// The global offset of the first byte.
    base: u32,
    /// The local offset of the first byte of each line; the first entry is 0.
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
}

#[derive(Clone, Debug)]
struct Marker {
    /// The index in `line_starts` of the line after the marker, which has the presumed line
    /// `presumed_line`.
    first_line: u32,
    presumed_line: u32,
    file: Arc<str>,
    is_system: bool,
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. `name` is its name in diagnostics unless a marker gives another.
    ///
    /// # Errors
    /// [`SourceMapError::TooLarge`] if the files together reach 4 GiB.
    pub fn add(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Result<FileId, SourceMapError> {
        self.add_part(name, bytes, 1)
    }

    /// Adds a part of a file, which begins with this line of it (from 1).
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_part(
        &mut self,
        name: &str,
        bytes: impl Into<Arc<[u8]>>,
        first_line: u32,
    ) -> Result<FileId, SourceMapError> {
        let bytes = bytes.into();
        let base = self.files.last().map_or(1, |file| file.base + file.bytes.len() as u32 + 1);
        let end = u64::from(base) + bytes.len() as u64 + 1;
        if u32::try_from(end).is_err() {
            return Err(SourceMapError::TooLarge);
        }
        let name: Arc<str> = name.into();
        let line_starts = line_starts(&bytes);
        let mut markers = markers(&name, &bytes, &line_starts);
        if first_line > 1 {
            let file = Arc::clone(&name);
            markers.insert(0, Marker { first_line: 0, presumed_line: first_line, file, is_system: false });
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(File { name, bytes, base, line_starts, markers });
        Ok(id)
    }

    /// The files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The file that was added after `file`.
    #[must_use]
    pub fn after(&self, file: FileId) -> Option<FileId> {
        let next = file.0 + 1;
        ((next as usize) < self.files.len()).then_some(FileId(next))
    }

    /// The name a file was added under.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    /// The bytes of a file.
    #[must_use]
    pub fn bytes(&self, file: FileId) -> &[u8] {
        &self.files[file.0 as usize].bytes
    }

    /// The span of a whole file.
    #[must_use]
    pub fn file_span(&self, file: FileId) -> Span {
        let file = &self.files[file.0 as usize];
        Span::new(file.base, file.base + file.bytes.len() as u32)
    }

    /// The file in which a span starts; `None` for [`Span::NONE`] and spans of another map.
    #[must_use]
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        let index = self.files.partition_point(|file| file.base <= span.lo).checked_sub(1)?;
        let file = &self.files[index];
        (span.lo <= file.base + file.bytes.len() as u32).then_some(FileId(index as u32))
    }

    /// The bytes a span covers, cut at the end of its file; empty for [`Span::NONE`].
    #[must_use]
    pub fn slice(&self, span: Span) -> &[u8] {
        let Some(id) = self.file_of(span) else { return &[] };
        let file = &self.files[id.0 as usize];
        let lo = (span.lo - file.base) as usize;
        let hi = ((span.hi - file.base) as usize).min(file.bytes.len());
        &file.bytes[lo..hi]
    }

    /// The text a span covers, with replacement characters where it is not UTF-8.
    #[must_use]
    pub fn text(&self, span: Span) -> Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// The physical position of the start of a span. Logarithmic in the number of lines.
    #[must_use]
    pub fn location(&self, span: Span) -> Option<Location> {
        let id = self.file_of(span)?;
        let file = &self.files[id.0 as usize];
        let (line, column) = file.line_and_column(span.lo - file.base);
        Some(Location { file: id, line: line + 1, column })
    }

    /// The presumed position of the start of a span. Logarithmic in the numbers of lines and
    /// markers.
    #[must_use]
    pub fn presumed(&self, span: Span) -> Option<Presumed> {
        let id = self.file_of(span)?;
        let file = &self.files[id.0 as usize];
        let (line, column) = file.line_and_column(span.lo - file.base);
        Some(file.presumed(line, column))
    }

    /// The span of a physical line (from 1) without its line end.
    #[must_use]
    pub fn line_span(&self, file: FileId, line: u32) -> Option<Span> {
        let file = &self.files[file.0 as usize];
        let index = line.checked_sub(1)? as usize;
        let lo = *file.line_starts.get(index)?;
        let next = file.line_starts.get(index + 1).copied();
        let mut hi = next.map_or(file.bytes.len() as u32, |next| next - 1);
        if hi > lo && file.bytes[hi as usize - 1] == b'\r' {
            hi -= 1;
        }
        Some(Span::new(file.base + lo, file.base + hi))
    }

    /// The source line a span starts on, without its line end and with replacement characters where
    /// it is not UTF-8.
    #[must_use]
    pub fn line_text(&self, span: Span) -> Option<Cow<'_, str>> {
        let location = self.location(span)?;
        Some(self.text(self.line_span(location.file, location.line)?))
    }

    /// The number of lines of a file, an unfinished last one included.
    #[must_use]
    pub fn line_count(&self, file: FileId) -> usize {
        self.files[file.0 as usize].line_starts.len()
    }

    /// A span for miette: the whole file as a named source, and the local range.
    /// [`Diagnostic::report`](super::Diagnostic::report) is preferable for excerpts, as it copies
    /// only the necessary lines and uses presumed lines.
    #[must_use]
    pub fn miette(&self, span: Span) -> Option<(NamedSource<String>, SourceSpan)> {
        let id = self.file_of(span)?;
        let file = &self.files[id.0 as usize];
        let local = (span.lo - file.base) as usize;
        let before = String::from_utf8_lossy(&file.bytes[..local]).len();
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        let length = (self.text(span).len()).min(text.len() - before);
        Some((NamedSource::new(&*file.name, text), (before, length).into()))
    }
}

/// The reason why a file cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SourceMapError {
    /// Offsets are 32 bits wide.
    #[error("the source files are larger than 4 GiB together")]
    TooLarge,
}

impl File {
    /// The line, from 0, and the column, from 1, of a local offset.
    fn line_and_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        (line as u32, offset - self.line_starts[line] + 1)
    }

    fn presumed(&self, line: u32, column: u32) -> Presumed {
        match self.markers.partition_point(|marker| marker.first_line <= line).checked_sub(1) {
            None => Presumed { file: Arc::clone(&self.name), line: line + 1, column, is_system: false },
            Some(index) => {
                let marker = &self.markers[index];
                Presumed {
                    file: Arc::clone(&marker.file),
                    line: marker.presumed_line.saturating_add(line - marker.first_line),
                    column,
                    is_system: marker.is_system,
                }
            }
        }
    }
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
    starts.push(0);
    // Most chunks are in the middle of a line, which is seen without a look at single bytes.
    const CHUNK: usize = 32;
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        if chunk.iter().fold(false, |found, byte| found | (*byte == b'\n')) {
            let ends = chunk.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            starts.extend(ends.map(|(at, _)| (index * CHUNK + at) as u32 + 1));
        }
    }
    starts
}

fn markers(name: &Arc<str>, bytes: &[u8], line_starts: &[u32]) -> Vec<Marker> {
    let mut markers: Vec<Marker> = Vec::new();
    for (index, &start) in line_starts.iter().enumerate() {
        let rest = &bytes[start as usize..];
        if !matches!(rest.first(), Some(b'#' | b' ' | b'\t')) {
            continue;
        }
        let end = line_starts.get(index + 1).map_or(bytes.len(), |&next| next as usize - 1);
        let Some((presumed_line, file, is_system)) = marker(&bytes[start as usize..end]) else { continue };
        let (file, is_system) = match file {
            // Markers alternate between few files.
            Some(file) => (
                match markers.iter().rev().take(8).find(|marker| *marker.file == *file) {
                    Some(marker) => Arc::clone(&marker.file),
                    None => file.into(),
                },
                is_system,
            ),
            None => match markers.last() {
                Some(marker) => (Arc::clone(&marker.file), marker.is_system),
                None => (Arc::clone(name), false),
            },
        };
        markers.push(Marker { first_line: index as u32 + 1, presumed_line, file, is_system });
    }
    markers
}

/// Parses `# 12 "file.c" 1 3` or `#line 12 "file.c"`: the line, the file if present, and flag 3.
fn marker(line: &[u8]) -> Option<(u32, Option<String>, bool)> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = match rest.strip_prefix(b"line") {
        Some(rest) if rest.first().is_some_and(u8::is_ascii_whitespace) => rest.trim_ascii_start(),
        Some(_) => return None,
        None => rest,
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        return rest.is_empty().then_some((number, None, false));
    };
    let mut file = Vec::new();
    let mut bytes = quoted.iter().copied();
    loop {
        match bytes.next()? {
            b'"' => break,
            b'\\' => file.push(bytes.next()?),
            byte => file.push(byte),
        }
    }
    let flags: Vec<u8> = bytes.collect();
    let is_system = flags.split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
    Some((number, Some(String::from_utf8_lossy(&file).into_owned()), is_system))
}
