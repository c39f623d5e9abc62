//! Source text: files, spans, positions and diagnostics.
//!
//! A [`Span`] is eight bytes: two global offsets into the concatenation of all files of a
//! [`SourceMap`], so every node of every tree can have one. Binary search yields everything else on
//! demand, such as the physical line, or the *presumed* position that `# 12 "file.c"` markers of
//! the preprocessor state.
//!
//! No file is opened here: the caller loads bytes and adds them.
//!
//! DIVERGENCE: line markers are recognized by their form (`#`, optional `line`, a number) at the
//! start of a line, also inside a multi-line comment. The preprocessor removes comments, so this
//! concerns only hand-written `.c` files that are read without it.

mod diagnostic;
mod map;

pub use self::diagnostic::{Diagnostic, Label, Report, Severity};
pub use self::map::{FileId, Location, Presumed, SourceMap, SourceMapError};

use serde::{Deserialize, Serialize};

/// A range of global byte offsets in a [`SourceMap`]; `lo <= hi`, `hi` not included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of entities without source text. Offsets start at 1, so it is in no file.
    pub const NONE: Self = Self { lo: 0, hi: 0 };

    /// The bytes from `lo` up to `hi`.
    #[must_use]
    pub fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi: hi.max(lo) }
    }

    /// Whether the span has no source text.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The smallest span that covers both; [`Span::NONE`] is neutral.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.is_none() {
            other
        } else if other.is_none() {
            self
        } else {
            Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
        }
    }

    /// The empty span at the start.
    #[must_use]
    pub fn start(self) -> Self {
        Self { lo: self.lo, hi: self.lo }
    }

    /// The empty span at the end.
    #[must_use]
    pub fn end(self) -> Self {
        Self { lo: self.hi, hi: self.hi }
    }

    /// The number of bytes.
    #[must_use]
    pub fn len(self) -> u32 {
        self.hi - self.lo
    }

    /// Whether the span is a point between two bytes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.lo == self.hi
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}
