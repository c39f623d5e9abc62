//! The commands of a script: of a file, or of standard input as they arrive.
//!
//! A program that uses `hornwork smt -` as a solver sends commands and waits for their answers, so
//! standard input is not read to its end first: each read is cut after the last complete command,
//! and the rest waits for more.

use super::response::{Stop, respond, string};
use crate::error::CliError;
use crate::input::open;
use crate::project::{BYTE_ORDER_MARK, STANDARD_INPUT, SourceFile};
use crate::{Streams, show};
use frontend::smtlib::{Paused, Script, Step};
use grammars::source::{Diagnostic, SourceMap};
use std::io::Read;
use std::path::Path;
use terms::TermPool;

/// A script and its source, for diagnostics.
pub(super) struct Reader {
    sources: SourceMap,
    /// `None` only while a command is read.
    script: Option<Paused>,
    /// The source of further text.
    parts: Option<Parts<std::io::Stdin>>,
}

impl Reader {
    /// Opens a script.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        let is_input = SourceFile::new(path.to_path_buf()).is_standard_input();
        let (sources, file, parts) = if is_input {
            let mut sources = SourceMap::new();
            let file = sources.add(STANDARD_INPUT, Vec::new());
            let file = file.map_err(|error| CliError::Usage(error.to_string()))?;
            (sources, file, Some(Parts::new(std::io::stdin())))
        } else {
            let (sources, file) = open(path)?;
            (sources, file, None)
        };
        let script = Some(Script::new(&sources, file).pause());
        Ok(Reader { sources, script, parts })
    }

    /// Reads from the script.
    pub(super) fn with<T>(&mut self, read: impl FnOnce(&mut Script<'_>) -> T) -> T {
        let paused = self.script.take().expect("the script is put back after each read");
        let mut script = paused.resume(&self.sources);
        let result = read(&mut script);
        self.script = Some(script.pause());
        result
    }

    /// The next command; `None` at the end.
    pub(super) fn next(
        &mut self,
        pool: &mut TermPool,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Step>, Stop> {
        loop {
            match self.with(|script| script.next(pool)) {
                Some(Ok(step)) => return Ok(Some(step)),
                Some(Err(diagnostic)) => {
                    respond(streams, &format!("(error {})", string(&diagnostic.message)));
                    show(&[diagnostic], &self.sources, streams);
                    return Err(Stop::Error);
                }
                None => {}
            }
            let Some(part) = self.parts.as_mut().map(Parts::next) else { return Ok(None) };
            let added = match part {
                Ok(None) => return Ok(None),
                Ok(Some(Part { bytes, line })) => {
                    let added = self.sources.add_part(STANDARD_INPUT, bytes, line);
                    added.map(|_| ()).map_err(|error| error.to_string())
                }
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = added {
                respond(streams, &format!("(error {})", string(&error)));
                let _ = writeln!(streams.err, "error: standard input: {error}");
                return Err(Stop::Error);
            }
        }
    }

    /// Reports an error of `step` that is not a syntax error.
    pub(super) fn fail(&self, step: &Step, message: &str, streams: &mut Streams<'_>) -> Stop {
        respond(streams, &format!("(error {})", string(message)));
        show(&[Diagnostic::error(step.span, message)], &self.sources, streams);
        Stop::Error
    }
}

/// The size of a read.
const CHUNK: usize = 1 << 16;

/// A text that is cut between commands.
struct Parts<R> {
    input: R,
    /// The bytes that belong to no part yet.
    rest: Vec<u8>,
    /// How many of them are scanned.
    scanned: usize,
    inside: Inside,
    /// The number of open parentheses.
    depth: usize,
    /// The line at which `rest` begins, from 1.
    line: u32,
    is_first: bool,
    has_ended: bool,
}

/// Some commands, from the beginning of one to the end of one.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    bytes: Vec<u8>,
    /// The line on which they begin, from 1.
    line: u32,
}

/// A token that may contain parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Comment,
    String,
    QuotedSymbol,
}

impl<R: Read> Parts<R> {
    fn new(input: R) -> Self {
        Parts {
            input,
            rest: Vec::new(),
            scanned: 0,
            inside: Inside::Nothing,
            depth: 0,
            line: 1,
            is_first: true,
            has_ended: false,
        }
    }

    /// The next part: at least one command, or the remaining bytes at the end of the input.
    fn next(&mut self) -> std::io::Result<Option<Part>> {
        loop {
            if let Some(end) = self.scan() {
                return Ok(Some(self.cut(end)));
            }
            if self.has_ended {
                let end = self.rest.len();
                return Ok((end > 0).then(|| self.cut(end)));
            }
            let before = self.rest.len();
            self.rest.resize(before + CHUNK, 0);
            let count = loop {
                match self.input.read(&mut self.rest[before..]) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    result => break result,
                }
            };
            self.rest.truncate(before + count.as_ref().map_or(0, |&count| count));
            self.has_ended = count? == 0;
            if std::mem::take(&mut self.is_first) && self.rest.starts_with(BYTE_ORDER_MARK) {
                self.rest.drain(..BYTE_ORDER_MARK.len());
            }
        }
    }

    /// Scans the rest. Returns the end of the last complete command, with its line end.
    fn scan(&mut self) -> Option<usize> {
        let mut end = None;
        for (position, &byte) in self.rest.iter().enumerate().skip(self.scanned) {
            self.inside = match (self.inside, byte) {
                (Inside::Nothing, b';') => Inside::Comment,
                (Inside::Nothing, b'"') => Inside::String,
                (Inside::Nothing, b'|') => Inside::QuotedSymbol,
                (Inside::Comment, b'\n') | (Inside::String, b'"') | (Inside::QuotedSymbol, b'|') => {
                    Inside::Nothing
                }
                (inside, _) => inside,
            };
            match (self.inside, byte) {
                (Inside::Nothing, b'(') => self.depth += 1,
                (Inside::Nothing, b')') => {
                    // One too many is an error of the script, which its reader reports.
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        end = Some(position + 1);
                    }
                }
                (Inside::Nothing, b'\n') if end == Some(position) => end = Some(position + 1),
                _ => {}
            }
        }
        self.scanned = self.rest.len();
        end
    }

    fn cut(&mut self, end: usize) -> Part {
        let rest = self.rest.split_off(end);
        let bytes = std::mem::replace(&mut self.rest, rest);
        self.scanned = self.rest.len();
        let line = self.line;
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        Part { bytes, line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one word at each read.
    struct Slow<'t>(std::str::SplitInclusive<'t, char>);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let word = self.0.next().unwrap_or_default().as_bytes();
            buffer[..word.len()].copy_from_slice(word);
            Ok(word.len())
        }
    }

    fn parts(text: &str) -> Vec<(String, u32)> {
        let mut parts = Parts::new(Slow(text.split_inclusive(' ')));
        let mut all = Vec::new();
        while let Some(Part { bytes, line }) = parts.next().expect("the text can be read") {
            all.push((String::from_utf8(bytes).expect("text"), line));
        }
        all
    }

    #[test]
    fn a_text_is_cut_after_its_commands() {
        assert_eq!(
            parts("(push 1)\n(assert (< x\n 1))\n(check-sat)"),
            [("(push 1)\n".to_owned(), 1), ("(assert (< x\n 1))\n(check-sat)".to_owned(), 2)]
        );
        assert_eq!(
            parts("(push 1)\n (assert (< x\n 1))\n (check-sat) "),
            [
                ("(push 1)\n".to_owned(), 1),
                (" (assert (< x\n 1))\n".to_owned(), 2),
                (" (check-sat)".to_owned(), 4),
                (" ".to_owned(), 4)
            ]
        );
    }

    #[test]
    fn parentheses_in_other_tokens_do_not_count() {
        let text = "(echo \")\"\" ) \") ; ( comment\n(declare-const |) | Bool)";
        let all = parts(text);
        assert_eq!(all.iter().map(|(part, _)| part.as_str()).collect::<String>(), text);
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all[0].0.ends_with(" \")"), "{all:?}");
        assert!(all[1].0.starts_with(" ; (") && all[1].1 == 1, "{all:?}");
    }

    #[test]
    fn what_is_not_complete_is_the_last_part() {
        assert_eq!(parts(") (a "), [(")".to_owned(), 1), (" (a ".to_owned(), 1)]);
        assert_eq!(parts(""), []);
    }
}
