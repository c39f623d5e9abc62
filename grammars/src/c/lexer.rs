//! From bytes to terminals, and the lexer's half of the typedef-name problem.
//!
//! `logos` splits the bytes into raw tokens; this file converts them to the terminals of the
//! grammar. After Jourdan and Pottier (*A Simple, Possibly Correct LR Parser for C11*, TOPLAS
//! 39(4), 2017, §3), an identifier becomes *two* terminals: [`Token::Name`], followed by
//! [`Token::IsType`] or [`Token::IsVariable`], depending on the meaning of the name **at the moment
//! the parser requests the second terminal**. An LR(1) parser requests a token only after it has
//! shifted the previous one, and it shifts a name only after every reduction before it. So
//! declarations that end just before the name are already in [`Scopes`](super::scope::Scopes).
//!
//! Keywords are ordinary identifiers with small interned numbers, so recognizing one is an array
//! access.
//!
//! Bytes that are not C (stray bytes, unfinished comments and literals, directives of a file that
//! was not preprocessed) are reported here and skipped. Comments and literals may contain any
//! bytes.
//!
//! The lexer also keeps the stack of open brackets: it bounds nesting ([`MAX_NESTING`]) and shows
//! error recovery where statements and functions end. Cost: one pass, no allocation per token.
//!
//! DIVERGENCE: a backslash before a line end is white space and does not join the lines, because
//! the preprocessor has already joined them; trigraphs and digraphs are not supported.

use super::ast::{MAX_NESTING, Name};
use super::context::Context;
use super::token::Token;
use crate::source::{Diagnostic, Span};
use logos::Logos;

/// A terminal with its global offsets.
pub(super) type Spanned = (u32, Token, u32);

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(utf8 = false)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip r"\\\r?\n")]
enum Raw {
    #[regex(r"(?-u)[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*")]
    #[regex(
        r"(?-u)([A-Za-z0-9_$\x80-\xff]*\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))+[A-Za-z0-9_$\x80-\xff]*",
        priority = 1
    )]
    Word,
    #[regex(r"(?-u)\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(?-u)(u8|u|U|L)?"([^"\\\n]|\\[\x00-\xff])*""#)]
    String,
    #[regex(r"(?-u)(u8|u|U|L)?'([^'\\\n]|\\[\x00-\xff])+'")]
    Char,
    #[regex(r#"(?-u)(u8|u|U|L)?"([^"\\\n]|\\[\x00-\xff])*"#)]
    #[regex(r"(?-u)(u8|u|U|L)?'([^'\\\n]|\\[\x00-\xff])*")]
    OpenLiteral,
    #[regex(r"(?-u)//([^\n\\]|\\[\x00-\xff])*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token("#")]
    #[token("%:")]
    Directive,
    #[token("(", |_| Token::LParen)]
    #[token(")", |_| Token::RParen)]
    #[token("<:", |_| Token::LBracket)]
    #[token("[", |_| Token::LBracket)]
    #[token(":>", |_| Token::RBracket)]
    #[token("]", |_| Token::RBracket)]
    #[token("<%", |_| Token::LBrace)]
    #[token("{", |_| Token::LBrace)]
    #[token("%>", |_| Token::RBrace)]
    #[token("}", |_| Token::RBrace)]
    #[token(";", |_| Token::Semicolon)]
    #[token(",", |_| Token::Comma)]
    #[token(":", |_| Token::Colon)]
    #[token("?", |_| Token::Question)]
    #[token("...", |_| Token::Ellipsis)]
    #[token(".", |_| Token::Dot)]
    #[token("->", |_| Token::Arrow)]
    #[token("++", |_| Token::PlusPlus)]
    #[token("--", |_| Token::MinusMinus)]
    #[token("&", |_| Token::Amp)]
    #[token("&&", |_| Token::AmpAmp)]
    #[token("|", |_| Token::Pipe)]
    #[token("||", |_| Token::PipePipe)]
    #[token("^", |_| Token::Caret)]
    #[token("~", |_| Token::Tilde)]
    #[token("!", |_| Token::Bang)]
    #[token("*", |_| Token::Star)]
    #[token("/", |_| Token::Slash)]
    #[token("%", |_| Token::Percent)]
    #[token("+", |_| Token::Plus)]
    #[token("-", |_| Token::Minus)]
    #[token("<<", |_| Token::Shl)]
    #[token(">>", |_| Token::Shr)]
    #[token("<", |_| Token::Lt)]
    #[token(">", |_| Token::Gt)]
    #[token("<=", |_| Token::Le)]
    #[token(">=", |_| Token::Ge)]
    #[token("==", |_| Token::EqEq)]
    #[token("!=", |_| Token::Ne)]
    #[token("=", |_| Token::Eq)]
    #[token("*=", |_| Token::StarEq)]
    #[token("/=", |_| Token::SlashEq)]
    #[token("%=", |_| Token::PercentEq)]
    #[token("+=", |_| Token::PlusEq)]
    #[token("-=", |_| Token::MinusEq)]
    #[token("<<=", |_| Token::ShlEq)]
    #[token(">>=", |_| Token::ShrEq)]
    #[token("&=", |_| Token::AmpEq)]
    #[token("^=", |_| Token::CaretEq)]
    #[token("|=", |_| Token::PipeEq)]
    Punctuation(Token),
}

/// An open bracket.
struct Open {
    token: Token,
    at: u32,
    /// Whether it is the parenthesis of a `for`.
    is_for: bool,
}

/// The token stream of one file.
pub(super) struct Lexer<'c> {
    raw: logos::Lexer<'c, Raw>,
    cx: &'c Context<'c>,
    /// The first token: [`Token::StartUnit`] or [`Token::StartBlock`].
    start: Option<Token>,
    /// A token that was read and pushed back.
    unread: Option<Spanned>,
    /// The last name, if its class was not yielded yet, with its end.
    unclassified: Option<(Name, u32)>,
    open: Vec<Open>,
    braces: u32,
    /// In the rest of a function body: the number of braces that were open where it started. A
    /// brace that closes one of them is not shown to the parser, and the rest ends with the last of
    /// them.
    rest: Option<u32>,
    /// The brace that ended the rest of a function body.
    pub(super) last_hidden: Option<Spanned>,
    /// The last five tokens, without classes.
    pub(super) previous: [Option<Spanned>; 5],
}

impl<'c> Lexer<'c> {
    pub(super) fn new(cx: &'c Context<'c>) -> Self {
        Self {
            raw: Raw::lexer(cx.bytes),
            cx,
            start: Some(Token::StartUnit),
            unread: None,
            unclassified: None,
            open: Vec::new(),
            braces: 0,
            rest: None,
            last_hidden: None,
            previous: [None; 5],
        }
    }

    /// At an unexpected semicolon: treats the enclosing parentheses and brackets as unfinished,
    /// unless they belong to a `for`.
    pub(super) fn give_up_parentheses(&mut self) {
        while self.open.pop_if(|open| open.token != Token::LBrace && !open.is_for).is_some() {}
    }

    /// The number of open braces.
    pub(super) fn braces(&self) -> u32 {
        self.braces
    }

    /// Whether the innermost open bracket is a brace, or no bracket is open.
    pub(super) fn is_between_statements(&self) -> bool {
        self.open.last().is_none_or(|open| open.token == Token::LBrace)
    }

    /// The innermost open bracket.
    pub(super) fn innermost_open(&self) -> Option<(Token, Span)> {
        self.open.last().map(|open| (open.token, Span::new(open.at, open.at + 1)))
    }

    /// Whether the rest of a function body was read to its closing brace.
    pub(super) fn has_ended_body(&self) -> bool {
        self.rest.is_some() && self.braces == 0
    }

    /// The offset of the next token, which is read and pushed back.
    pub(super) fn peek(&mut self) -> Option<u32> {
        let token = self.next_plain()?;
        self.unread(token);
        Some(token.0)
    }

    /// Pushes back the last token.
    pub(super) fn unread(&mut self, token: Spanned) {
        self.unclassified = None;
        self.unread = Some(token);
    }

    /// Lets the parser start again with the rest of a function body.
    pub(super) fn start_block(&mut self) {
        self.start = Some(Token::StartBlock);
        self.previous = [None; 5];
        self.unclassified = None;
        self.rest = Some(self.braces);
    }

    /// Lets the parser start again between external declarations.
    pub(super) fn start_unit(&mut self) {
        self.start = Some(Token::StartUnit);
        self.previous = [None; 5];
        self.unclassified = None;
        self.rest = None;
        self.open.clear();
        self.braces = 0;
    }

    /// The next token, without classes after names; for error recovery and dumps.
    pub(super) fn next_plain(&mut self) -> Option<Spanned> {
        self.unclassified = None;
        if let Some(token) = self.unread.take() {
            return Some(token);
        }
        while !self.cx.is_aborted() {
            let raw = self.raw.next()?;
            let (lo, hi) = self.range();
            match raw {
                Ok(Raw::Word) => return Some((lo, self.word(), hi)),
                Ok(Raw::Number) => return Some((lo, Token::Number, hi)),
                Ok(Raw::String) => return Some((lo, Token::String, hi)),
                Ok(Raw::Char) => return Some((lo, Token::Char, hi)),
                Ok(Raw::Punctuation(token)) => {
                    self.bracket(token, lo);
                    return Some((lo, token, hi));
                }
                Ok(Raw::LineComment) => self.annotation(lo),
                Ok(Raw::BlockComment) => {
                    self.block_comment(lo);
                    self.annotation(lo);
                }
                Ok(Raw::Directive) => self.directive(lo),
                Ok(Raw::OpenLiteral) => {
                    let what = if self.raw.slice().contains(&b'"') {
                        "string literal"
                    } else {
                        "character constant"
                    };
                    let message = match self.raw.slice() {
                        b"'" if self.raw.remainder().starts_with(b"'") => {
                            self.raw.bump(1);
                            let hi = hi + 1;
                            self.cx.report(Diagnostic::error(Span::new(lo, hi), "empty character constant"));
                            return Some((lo, Token::Char, hi));
                        }
                        _ => format!("unterminated {what}"),
                    };
                    self.cx.report(Diagnostic::error(Span::new(lo, hi), message).with_label("starts here"));
                    // The parser gets a literal, and the tokens that it then misses were swallowed
                    // by the literal.
                    self.cx.is_confused.set(true);
                    return Some((
                        lo,
                        if what == "string literal" { Token::String } else { Token::Char },
                        hi,
                    ));
                }
                Err(()) => self.stray(lo, hi),
            }
        }
        None
    }

    fn range(&self) -> (u32, u32) {
        let range = self.raw.span();
        (self.cx.base + range.start as u32, self.cx.base + range.end as u32)
    }

    fn word(&mut self) -> Token {
        let bytes = self.raw.slice();
        let name = match std::str::from_utf8(bytes) {
            Ok(text) => self.cx.names.borrow_mut().intern(text),
            Err(_) => {
                let (lo, hi) = self.range();
                self.cx.report(
                    Diagnostic::error(Span::new(lo, hi), "this is not an identifier")
                        .with_label("these bytes are not UTF-8"),
                );
                self.cx.names.borrow_mut().intern(&String::from_utf8_lossy(bytes))
            }
        };
        match self.cx.keywords.get(name.index()) {
            None => Token::Name(name),
            Some(Token::Atomic) if self.is_before_paren() => Token::AtomicParen,
            Some(&keyword) => keyword,
        }
    }

    /// `_Atomic` before `(` is always a type specifier (6.7.2.4p4).
    fn is_before_paren(&self) -> bool {
        self.raw.remainder().trim_ascii_start().starts_with(b"(")
    }

    fn bracket(&mut self, token: Token, lo: u32) {
        let opening = match token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                let is_for = self.previous[4].is_some_and(|(_, token, _)| token == Token::For);
                self.open.push(Open { token, at: lo, is_for });
                self.braces += u32::from(token == Token::LBrace);
                if self.open.len() > MAX_NESTING as usize {
                    self.cx.too_deep(Span::new(lo, lo + 1));
                }
                return;
            }
            Token::RParen => Token::LParen,
            Token::RBracket => Token::LBracket,
            // A brace closes all brackets left open inside it.
            Token::RBrace => {
                if self.braces > 0 {
                    while self.open.pop().is_some_and(|open| open.token != Token::LBrace) {}
                    self.braces -= 1;
                }
                return;
            }
            _ => return,
        };
        if self.open.last().is_some_and(|open| open.token == opening) {
            self.open.pop();
        }
    }

    /// Records the comment that was just read if it is an annotation.
    fn annotation(&self, lo: u32) {
        let (_, hi) = self.range();
        if self.cx.slice(lo, hi).get(2) == Some(&b'@') {
            self.cx.annotations.borrow_mut().push(Span::new(lo, hi));
        }
    }

    fn block_comment(&mut self, lo: u32) {
        let rest = self.raw.remainder();
        let mut from = 0;
        while let Some(star) = rest[from..].iter().position(|&byte| byte == b'*') {
            from += star + 1;
            if rest.get(from) == Some(&b'/') {
                self.raw.bump(from + 1);
                return;
            }
        }
        self.raw.bump(rest.len());
        let span = Span::new(lo, lo + 2);
        self.cx.report(Diagnostic::error(span, "unterminated comment").with_label("starts here"));
    }

    /// Skips `#pragma`, line markers and `#ident`; reports directives that need the preprocessor.
    fn directive(&mut self, lo: u32) {
        let local = (lo - self.cx.base) as usize;
        let line_start = self.cx.bytes[..local].iter().rev().take_while(|byte| byte.is_ascii_whitespace());
        let is_first =
            local == 0 || line_start.clone().any(|&byte| byte == b'\n') || line_start.count() == local;
        if !is_first {
            self.stray(lo, lo + 1);
            return;
        }
        let rest = self.raw.remainder();
        let mut end = 0;
        loop {
            end += rest[end..].iter().position(|&byte| byte == b'\n').unwrap_or(rest.len() - end);
            let line = &rest[..end];
            let is_continued = line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\");
            if !is_continued || end >= rest.len() {
                break;
            }
            end += 1;
        }
        self.raw.bump(end);
        let word = rest[..end].trim_ascii_start();
        let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if &word[..length] == b"pragma" {
            let hi = lo + 1 + (end - word.len() + length) as u32;
            self.cx.pragma(&word[length..], Span::new(lo, hi));
        }
        if !matches!(&word[..length], b"" | b"pragma" | b"line" | b"ident" | b"sccs" | b"warning") {
            let name = String::from_utf8_lossy(&word[..length]).into_owned();
            let span =
                Span::new(lo, lo + (rest.len() - word.len().min(rest.len())).min(1) as u32 + length as u32);
            self.cx.report(
                Diagnostic::error(span, format!("`#{name}` needs the preprocessor"))
                    .with_help("preprocess the file first, for example with `cc -E`"),
            );
        }
    }

    /// Reports a run of bytes that are not C, and skips it.
    fn stray(&mut self, lo: u32, mut hi: u32) {
        let rest = self.raw.remainder();
        let is_c =
            |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'@' | b'`' | b'\\' | b'#') || byte >= 0x80;
        let run = rest.iter().take_while(|&&byte| !is_c(byte) && !byte.is_ascii_whitespace()).count();
        self.raw.bump(run);
        hi += run as u32;
        let bytes = self.cx.slice(lo, hi);
        let message = match bytes {
            [byte] if byte.is_ascii_graphic() => format!("stray `{}`", char::from(*byte)),
            [byte] => format!("stray byte {byte:#04x}"),
            _ => format!("{} stray bytes", bytes.len()),
        };
        self.cx.report(Diagnostic::error(Span::new(lo, hi), message).with_label("this is not C"));
    }

    /// Hides the braces that close brackets opened before the rest of a body. `None` ends the rest.
    fn hide_closing(&mut self, mut token: Spanned) -> Option<Spanned> {
        while let Some(rest) = self.rest {
            if token.1 != Token::RBrace || self.braces >= rest {
                break;
            }
            self.rest = Some(self.braces);
            if self.braces == 0 {
                self.last_hidden = Some(token);
                return None;
            }
            token = self.next_plain()?;
            if token.1 == Token::Else {
                token = self.next_plain()?;
            }
        }
        Some(token)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Spanned;

    fn next(&mut self) -> Option<Spanned> {
        if let Some(start) = self.start.take() {
            let at = self.range().1;
            return Some((at, start, at));
        }
        if let Some((name, hi)) = self.unclassified.take() {
            let is_type = self.cx.scopes.borrow().is_type(name);
            return Some((hi, if is_type { Token::IsType } else { Token::IsVariable }, hi));
        }
        let token = self.next_plain()?;
        let token = self.hide_closing(token)?;
        if let Token::Name(name) = token.1 {
            self.unclassified = Some((name, token.2));
        }
        self.previous.rotate_left(1);
        self.previous[4] = Some(token);
        Some(token)
    }
}
