//! Reading a file command by command.

use super::ahead::Ahead;
use super::token::{Raw, Token, Word};
use super::tree::{Builder, Command, CommandKind, Tree};
use super::{Interner, grammar};
use crate::source::{Diagnostic, FileId, SourceMap, Span};
use lalrpop_util::ParseError;
use logos::Logos;

/// The commands of a file in order: an iterator.
///
/// A command that does not parse yields an error, and the next command is read nevertheless. Time
/// is linear in the size of the file.
///
/// ```
/// use grammars::{smtlib::Reader, source::SourceMap};
/// let mut map = SourceMap::new();
/// let file = map.add("a.smt2", *b"(declare-const x Int) (assert (< x)) (check-sat").unwrap();
/// let mut reader = Reader::new(&map, file);
/// assert!(reader.next().unwrap().is_ok());
/// assert!(reader.next().unwrap().is_ok(), "a missing argument is not a syntax error");
/// let error = reader.next().unwrap().unwrap_err();
/// assert!(error.render(&map).contains("a.smt2:1:38"));
/// assert!(reader.next().is_none());
/// ```
#[derive(Debug)]
pub struct Reader<'m> {
    pub(super) lexer: logos::Lexer<'m, Raw>,
    pub(super) bytes: &'m [u8],
    file: FileId,
    /// The global offset of the first byte.
    base: u32,
    pub(super) names: Interner,
    /// The offsets of the open parentheses of the current command.
    open: Vec<u32>,
    /// The local offset of the last parenthesis at the start of a line inside the current command:
    /// reading resumes there if that parenthesis begins a command.
    line: Option<usize>,
    pub(super) ahead: Ahead,
    /// An empty tree with the storage of a previous one.
    spare: Tree,
}

/// A [`Reader`] between two commands without its map, to which files may be added meanwhile.
#[derive(Debug)]
pub struct Paused {
    file: FileId,
    /// The local offset of the first byte that was not read.
    offset: usize,
    names: Interner,
}

impl Paused {
    /// The reader again: where it was, or at the end of its file at the start of the next file of
    /// `map`, if there is one.
    #[must_use]
    pub fn resume(self, map: &SourceMap) -> Reader<'_> {
        match map.after(self.file) {
            Some(next) if self.offset >= map.bytes(self.file).len() => {
                Paused { file: next, offset: 0, ..self }.here(map)
            }
            _ => self.here(map),
        }
    }

    /// The reader where it was.
    fn here(self, map: &SourceMap) -> Reader<'_> {
        let Paused { file, offset, names } = self;
        let bytes = map.bytes(file);
        Reader {
            lexer: lexer_at(bytes, offset),
            bytes,
            file,
            base: map.file_span(file).lo,
            names,
            open: Vec::new(),
            line: None,
            ahead: Ahead::default(),
            spare: Tree::default(),
        }
    }
}

impl<'m> Reader<'m> {
    /// A reader at the start of `file`.
    #[must_use]
    pub fn new(map: &'m SourceMap, file: FileId) -> Self {
        Paused { file, offset: 0, names: Word::names() }.here(map)
    }

    /// Gives up the map between two commands.
    #[must_use]
    pub fn pause(self) -> Paused {
        Paused { file: self.file, offset: self.lexer.span().end, names: self.names }
    }

    /// The names and literals read so far. They begin with the [`Word`]s.
    #[must_use]
    pub fn names(&self) -> &Interner {
        &self.names
    }

    /// Takes back the tree of a command, whose storage the next command reuses.
    pub fn recycle(&mut self, tree: Tree) {
        self.spare = tree.emptied();
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        let local = self.lexer.span();
        Span::new(self.base + local.start as u32, self.base + local.end as u32)
    }

    /// The next token, with the stack of parentheses updated.
    fn token(&mut self) -> Option<Result<(u32, Token, u32), Diagnostic>> {
        let raw = self.lexer.next()?;
        let span = self.span();
        let token = match raw {
            Ok(raw) => Token::new(raw, self.lexer.slice(), span, &mut self.names),
            Err(()) => Err(self.stray(span)),
        };
        match token {
            Ok(Token::Open) => {
                if !self.open.is_empty() && self.is_at_line_start() {
                    self.line = Some(self.lexer.span().start);
                }
                self.open.push(span.lo);
            }
            Ok(Token::Close) => {
                self.open.pop();
            }
            _ => {}
        }
        Some(token.map(|token| (span.lo, token, span.hi)))
    }

    /// The error for bytes that do not begin a token.
    fn stray(&self, span: Span) -> Diagnostic {
        let rest = &self.bytes[self.lexer.span().start..];
        let first = rest.iter().take(4).copied().collect::<Vec<u8>>();
        let valid = match std::str::from_utf8(&first) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&first[..error.valid_up_to()]).unwrap_or(""),
        };
        match valid.chars().next() {
            Some('\\') => Diagnostic::error(span, "a symbol cannot contain a backslash"),
            Some(character) if !character.is_control() => {
                let span = Span::new(span.lo, span.lo + character.len_utf8() as u32);
                Diagnostic::error(span, format!("invalid character `{character}`"))
                    .with_help("a symbol with other characters is written between bars, as in `|ä|`")
            }
            Some(_) => Diagnostic::error(span, "invalid control character"),
            None => Diagnostic::error(span, "this is not UTF-8 text"),
        }
    }

    /// Skips the rest of a broken command: to where its parentheses close, or to a line that starts
    /// with a command.
    fn recover(&mut self) {
        if let Some(line) = self.line.take() {
            let broken = std::mem::replace(&mut self.lexer, lexer_at(self.bytes, line + 1));
            if self.command_word().is_some() {
                self.lexer = lexer_at(self.bytes, line);
                return;
            }
            self.lexer = broken;
        }
        while !self.open.is_empty() {
            let ahead = self.lexer.clone();
            match self.lexer.next() {
                None => return,
                Some(Ok(Raw::Open)) => {
                    if self.is_at_line_start() && self.command_word().is_some() {
                        self.lexer = ahead;
                        return;
                    }
                    self.open.push(0);
                }
                Some(Ok(Raw::Close)) => {
                    self.open.pop();
                }
                // These reach to the end of the file.
                Some(Ok(Raw::OpenQuoted | Raw::OpenString)) => return,
                _ => {}
            }
        }
    }

    /// Whether the last token is the first of a line.
    fn is_at_line_start(&self) -> bool {
        let at = self.lexer.span().start;
        at == 0 || self.bytes[at - 1] == b'\n'
    }

    /// The next token, if it is a command name.
    fn command_word(&self) -> Option<Word> {
        let mut lexer = self.lexer.clone();
        match lexer.next() {
            Some(Ok(Raw::Symbol)) => {
                let text = lexer.slice();
                Word::ALL.iter().copied().find(|word| word.is_command() && word.text().as_bytes() == text)
            }
            _ => None,
        }
    }

    fn command(&mut self) -> Option<Result<Command, Diagnostic>> {
        self.open.clear();
        self.line = None;
        let start = match self.token()? {
            Ok(token @ (_, Token::Open, _)) => token,
            Ok((lo, Token::Close, hi)) => {
                return Some(Err(Diagnostic::error(Span::new(lo, hi), "unmatched closing parenthesis")));
            }
            Ok((lo, token, hi)) => {
                let error = Diagnostic::error(Span::new(lo, hi), format!("unexpected {token}"))
                    .with_label("a command starts with `(`");
                return Some(Err(error));
            }
            Err(error) => return Some(Err(error)),
        };
        let mut builder = Builder::new(std::mem::take(&mut self.spare));
        let behind = self.lexer.span().end;
        self.ahead.tokens.clear();
        self.ahead.tokens.push(start);
        if self.read_ahead(&mut builder).is_some() {
            if let (Ok(kind), _) = self.parse(&mut builder) {
                return Some(Ok(builder.finish(self.since(start.0), kind)));
            }
            self.open.clear();
            self.open.push(start.0);
            self.line = None;
        }
        // The automaton reads the command from its start, and describes an error.
        builder.clear();
        self.lexer = lexer_at(self.bytes, behind);
        self.ahead.tokens.clear();
        self.ahead.tokens.push(start);
        match self.parse(&mut builder) {
            (Ok(kind), _) => Some(Ok(builder.finish(self.since(start.0), kind))),
            (Err(error), is_complete) => {
                let error = self.describe(error, start.0);
                if !is_complete {
                    self.recover();
                }
                Some(Err(error))
            }
        }
    }

    /// From the global offset `lo` to the end of the last token.
    fn since(&self, lo: u32) -> Span {
        Span::new(lo, self.span().hi)
    }

    /// Runs the automaton over the tokens that were read ahead and the rest of the command. Returns
    /// also whether the last parenthesis is closed.
    fn parse(
        &mut self,
        builder: &mut Builder,
    ) -> (Result<CommandKind, ParseError<u32, Token, Diagnostic>>, bool) {
        let mut tokens = Tokens { reader: self, ahead: 0, is_complete: false };
        let result = grammar::CommandParser::new().parse(builder, &mut tokens);
        (result, tokens.is_complete)
    }

    fn describe(&self, error: ParseError<u32, Token, Diagnostic>, start: u32) -> Diagnostic {
        let point = |at: u32| Span::new(at, at + 1);
        let (lo, token, hi, expected) = match error {
            ParseError::User { error } => return error,
            ParseError::InvalidToken { location } => {
                return Diagnostic::error(point(location), "invalid token");
            }
            ParseError::UnrecognizedEof { location, expected } => {
                let Some(&innermost) = self.open.last() else {
                    // The command is closed but incomplete.
                    return Diagnostic::error(
                        Span::new(location - 1, location),
                        "unexpected end of the command",
                    )
                    .with_label(expectation(&expected));
                };
                let error = Diagnostic::error(point(innermost), "this parenthesis is never closed");
                return match (innermost == start, self.open.len()) {
                    (true, _) => error,
                    (false, 2) => error.with_secondary(point(start), "and neither is this one"),
                    (false, open) => {
                        error.with_secondary(point(start), format!("the first of {open} that are not closed"))
                    }
                };
            }
            ParseError::UnrecognizedToken { token: (lo, token, hi), expected } => (lo, token, hi, expected),
            ParseError::ExtraToken { token: (lo, token, hi) } => (lo, token, hi, Vec::new()),
        };
        let span = Span::new(lo, hi);
        let text = String::from_utf8_lossy(&self.bytes[(lo - self.base) as usize..(hi - self.base) as usize]);
        let found = match token {
            Token::Open | Token::Close | Token::Word(_) => format!("unexpected {token}"),
            _ if text.len() > 60 => format!("unexpected {token}"),
            _ => format!("unexpected {token} `{text}`"),
        };
        // The parenthesis that is open around the token.
        let around = match token {
            Token::Open => self.open.len().checked_sub(2).map(|index| self.open[index]),
            Token::Close => None,
            _ => self.open.last().copied(),
        };
        let next_command = match token {
            Token::Open if lo != start => self.command_word(),
            Token::Word(word) if word.is_command() && self.open.len() > 1 => Some(word),
            _ => None,
        };
        if let Some(word) = next_command {
            let outer = if token == Token::Open {
                around
            } else {
                self.open.len().checked_sub(2).map(|i| self.open[i])
            };
            let error = Diagnostic::error(span, format!("a `{}` command inside of a command", word.text()));
            return match outer {
                Some(outer) => error.with_secondary(point(outer), "this parenthesis is not closed before it"),
                None => error,
            };
        }
        let mut error = Diagnostic::error(span, found).with_label(expectation(&expected));
        if expected.len() == 1
            && expected[0] == "\")\""
            && let Some(around) = around
        {
            error = error.with_secondary(point(around), "to close this parenthesis");
        }
        if token == Token::Close && self.open.is_empty() && lo == start + 1 {
            error = Diagnostic::error(Span::new(start, hi), "this command is empty");
        }
        error
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Command, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        self.command()
    }
}

/// The tokens of one command.
struct Tokens<'r, 'm> {
    reader: &'r mut Reader<'m>,
    /// The number of tokens that were read ahead and passed on.
    ahead: usize,
    /// Whether the last parenthesis is closed.
    is_complete: bool,
}

impl Iterator for Tokens<'_, '_> {
    type Item = Result<(u32, Token, u32), Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(&token) = self.reader.ahead.tokens.get(self.ahead) {
            self.ahead += 1;
            return Some(Ok(token));
        }
        if self.is_complete {
            return None;
        }
        let token = self.reader.token();
        self.is_complete = self.reader.open.is_empty();
        token
    }
}

/// A lexer at a local offset.
fn lexer_at(bytes: &[u8], offset: usize) -> logos::Lexer<'_, Raw> {
    let mut lexer = Raw::lexer(bytes);
    lexer.bump(offset);
    lexer
}

/// The tokens that would be accepted at a position. Many choices are summarized.
fn expectation(expected: &[String]) -> String {
    // A term as a token stands for its own tokens, which are expected as well.
    let names = expected.iter().map(|name| name.trim_matches('"')).filter(|name| *name != "term");
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let has = |name: &str| names.contains(&name);
    if has("set-logic") {
        return "expected a command".to_owned();
    }
    if has("numeral") && has("let") {
        return "expected an S-expression".to_owned();
    }
    if has("numeral") && has("symbol") && has("decimal") {
        return "expected a term".to_owned();
    }
    // The command names that may be symbols.
    if has("symbol") && has("echo") {
        names.retain(|name| !matches!(*name, "echo" | "exit" | "pop" | "push" | "query" | "reset" | "rule"));
    }
    let quoted = names.iter().map(|name| match *name {
        "(" | ")" | "_" | "!" | "as" | "let" | "forall" | "exists" | "match" => format!("`{name}`"),
        name => format!("a {name}"),
    });
    let names: Vec<String> = quoted.collect();
    match names.len() {
        0 => String::new(),
        _ => format!("expected {}", names.join(" or ")),
    }
}
