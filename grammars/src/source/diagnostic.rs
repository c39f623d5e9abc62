//! Errors and warnings with excerpts.

use super::{SourceMap, Span};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteSpanContents, SourceCode, SpanContents,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Severity {
    /// The program is accepted.
    Warning,
    /// The program is rejected.
    Error,
}

/// A span with a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// The text, possibly empty.
    pub text: String,
}

/// An error or a warning of any stage that reads source text.
///
/// ```
/// use grammars::source::{Diagnostic, SourceMap, Span};
/// let mut map = SourceMap::new();
/// map.add("a.c", *b"int x = y;\n").unwrap();
/// let error = Diagnostic::error(Span::new(9, 10), "`y` is not declared").with_label("used here");
/// assert!(error.render(&map).contains("a.c:1:9"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a final period, lower case as in "expected …".
    pub message: String,
    /// The location, with a text.
    pub primary: Label,
    /// Other relevant locations, such as a previous declaration.
    pub secondary: Vec<Label>,
    /// A suggestion for the user.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// A warning at `span`.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }

    /// A diagnostic without labels and help.
    #[must_use]
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        let primary = Label { span, text: String::new() };
        Self { severity, message: message.into(), primary, secondary: Vec::new(), help: None }
    }

    /// Adds a text at the primary span.
    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a secondary location.
    #[must_use]
    pub fn with_secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the program is rejected.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The plain rendering, the same on every terminal: no colors, ASCII frames.
    #[must_use]
    pub fn render(&self, map: &SourceMap) -> String {
        self.report(map).render(GraphicalTheme::none())
    }

    /// The diagnostic with its source lines, for miette.
    #[must_use]
    pub fn report(&self, map: &SourceMap) -> Report {
        let excerpt = Excerpt::around(map, self.primary.span);
        let mut labels = Vec::new();
        let mut related = Vec::new();
        if let Some(excerpt) = &excerpt {
            labels.push(excerpt.label(self.primary.span, &self.primary.text, true));
        }
        for label in &self.secondary {
            match &excerpt {
                Some(excerpt) if excerpt.contains(label.span) => {
                    labels.push(excerpt.label(label.span, &label.text, false));
                }
                _ => {
                    let excerpt = Excerpt::around(map, label.span);
                    let labels = excerpt.iter().map(|excerpt| excerpt.label(label.span, "", true)).collect();
                    let message = if label.text.is_empty() { "see here" } else { &label.text };
                    related.push(Report {
                        severity: miette::Severity::Advice,
                        message: message.to_owned(),
                        help: None,
                        excerpt,
                        labels,
                        related: Vec::new(),
                    });
                }
            }
        }
        let severity = match self.severity {
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        };
        Report { severity, message: self.message.clone(), help: self.help.clone(), excerpt, labels, related }
    }
}

/// A [`Diagnostic`] with its excerpts: a [`miette::Diagnostic`] that needs no source map. Its
/// `Display` is the message alone.
#[derive(Debug)]
pub struct Report {
    severity: miette::Severity,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    related: Vec<Report>,
}

impl Report {
    /// Renders with miette's graphical handler and the given theme.
    #[must_use]
    pub fn render(&self, theme: GraphicalTheme) -> String {
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(120);
        match handler.render_report(&mut text, self) {
            Ok(()) => text,
            Err(_) => format!("{}\n", self.message),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.excerpt.as_ref()?;
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        if self.related.is_empty() {
            return None;
        }
        Some(Box::new(self.related.iter().map(|report| report as &dyn miette::Diagnostic)))
    }
}

/// Lines around a span, with their position.
#[derive(Debug)]
struct Excerpt {
    name: String,
    /// The presumed line of the first line of `text`, from 0.
    first_line: usize,
    /// The column of the first character of `text`, from 0; not 0 only when a very long line is
    /// cut.
    first_column: usize,
    /// The offset in `text` of the position for which the excerpt was made, and its column in
    /// bytes, from 0.
    place: (usize, usize),
    /// The span `text` was made from.
    span: Span,
    text: String,
    /// The source bytes of `span`, to map offsets when `text` needed replacement characters.
    bytes: Vec<u8>,
}

/// Lines longer than this are cut around the span.
const LONG_LINE: u32 = 400;

impl Excerpt {
    fn around(map: &SourceMap, span: Span) -> Option<Self> {
        let location = map.location(span)?;
        let line = |number| map.line_span(location.file, number);
        let this = line(location.line)?;
        let presumed = map.presumed(span)?;
        let (covered, first_line, first_column);
        if this.len() > LONG_LINE {
            let lo = span.lo.saturating_sub(LONG_LINE / 4).max(this.lo);
            let hi = span.lo.saturating_add(LONG_LINE / 4).min(this.hi);
            (first_line, first_column) = (presumed.line.saturating_sub(1), lo - this.lo);
            covered = Span::new(lo, hi);
        } else {
            // A line of context before, unless it is a marker or very long, and the lines of the
            // span itself.
            let before = line(location.line - 1).filter(|before| {
                before.len() <= LONG_LINE
                    && presumed.line > 1
                    && !map.slice(*before).trim_ascii_start().starts_with(b"#")
            });
            let mut last = this;
            for number in location.line + 1..location.line + 8 {
                match line(number) {
                    Some(next) if next.lo < span.hi && next.len() <= LONG_LINE => last = next,
                    _ => break,
                }
            }
            first_line = presumed.line.saturating_sub(1 + u32::from(before.is_some()));
            first_column = 0;
            covered = before.unwrap_or(this).join(last);
        }
        let bytes = map.slice(covered).to_vec();
        let text = printable(&bytes);
        let mut excerpt = Self {
            name: presumed.file.to_string(),
            first_line: first_line as usize,
            first_column: first_column as usize,
            place: (0, 0),
            span: covered,
            text,
            bytes,
        };
        excerpt.place = (excerpt.offset(span.lo), presumed.column.saturating_sub(1) as usize);
        Some(excerpt)
    }

    fn contains(&self, span: Span) -> bool {
        !span.is_none() && self.span.lo <= span.lo && span.hi <= self.span.hi
    }

    fn label(&self, span: Span, text: &str, is_primary: bool) -> LabeledSpan {
        let mut lo = self.offset(span.lo);
        let hi = self.offset(span.hi).max(lo);
        // miette shows nothing at the end of a line, so this selects the last character.
        if lo == hi && matches!(self.text.as_bytes().get(lo), None | Some(b'\n')) {
            lo = self.text[..lo]
                .char_indices()
                .next_back()
                .map_or(lo, |(at, c)| if c == '\n' { lo } else { at });
        }
        let text = (!text.is_empty()).then(|| text.to_owned());
        match is_primary {
            true => LabeledSpan::new_primary_with_span(text, (lo, hi - lo)),
            false => LabeledSpan::new_with_span(text, (lo, hi - lo)),
        }
    }

    /// The offset in `text` of a global offset, cut to the excerpt.
    fn offset(&self, global: u32) -> usize {
        let local = (global.clamp(self.span.lo, self.span.hi) - self.span.lo) as usize;
        printable(&self.bytes[..local]).len().min(self.text.len())
    }
}

/// The printable text of source bytes: control characters would disturb the terminal.
fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c })
        .collect()
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, miette::MietteError> {
        let inner = self.text.as_bytes().read_span(span, context_lines_before, context_lines_after)?;
        let first_column = if inner.line() == 0 { self.first_column } else { 0 };
        // Replacement characters are longer than the bytes that they replace.
        let column = match inner.span().offset() == self.place.0 {
            true => self.place.1,
            false => inner.column() + first_column,
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first_line,
            column,
            inner.line_count(),
        )))
    }
}
