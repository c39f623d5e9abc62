//! Tokens of the text form.

use crate::source::Span;
use logos::Logos;
use std::fmt;

/// A token. Strings include their quotes.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+", skip(r";[^\n]*", allow_greedy = true))]
#[allow(missing_docs, reason = "keywords and punctuation stand for themselves")]
pub enum Token<'a> {
    #[token("machine")]
    Machine,
    #[token("slots")]
    Slots,
    #[token("frees")]
    Frees,
    #[token("shadow")]
    Shadow,
    #[token("entry")]
    Entry,
    #[token("region")]
    Region,
    #[token("bytes")]
    Bytes,
    #[token("scalar")]
    Scalar,
    #[token("cells")]
    Cells,
    #[token("object")]
    Object,
    #[token("size")]
    Size,
    #[token("align")]
    Align,
    #[token("in")]
    In,
    #[token("regions")]
    Regions,
    #[token("property")]
    Property,
    #[token("unsupported")]
    Unsupported,
    #[token("declare")]
    Declare,
    #[token("function")]
    Function,
    #[token("unused")]
    Unused,
    #[token("block")]
    Block,
    #[token("label")]
    Label,
    #[token("havoc")]
    Havoc,
    #[token("input")]
    Input,
    #[token("uninitialized")]
    Uninitialized,
    #[token("external")]
    External,
    #[token("approximation")]
    Approximation,
    #[token("address-of")]
    AddressOf,
    #[token("function-address")]
    FunctionAddress,
    #[token("load")]
    Load,
    #[token("store")]
    Store,
    #[token("place")]
    Place,
    #[token("forget")]
    Forget,
    #[token("allocate")]
    Allocate,
    #[token("zero")]
    Zero,
    #[token("unknown")]
    Unknown,
    #[token("call")]
    Call,
    #[token("indirect")]
    Indirect,
    #[token("goto")]
    Goto,
    #[token("branch")]
    Branch,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("switch")]
    Switch,
    #[token("case")]
    Case,
    #[token("signed")]
    Signed,
    #[token("unsigned")]
    Unsigned,
    #[token("default")]
    Default,
    #[token("return")]
    Return,
    #[token("error")]
    Error,
    #[token("stop")]
    Stop,
    #[token("assume")]
    Assume,
    #[token("exit")]
    Exit,
    #[token("unreachable")]
    Unreachable,
    #[token("let")]
    Let,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("bool")]
    Bool,
    #[token("ptr")]
    Pointer,
    #[token("_")]
    Underscore,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("=")]
    Equals,
    #[token("->")]
    Arrow,
    #[token("...")]
    Dots,
    #[token("..")]
    Range,
    /// `v7`
    #[regex("v[0-9]+")]
    Value(&'a str),
    /// `b7`
    #[regex("b[0-9]+")]
    BlockName(&'a str),
    /// `r7`
    #[regex("r[0-9]+")]
    RegionName(&'a str),
    /// `o7`
    #[regex("o[0-9]+")]
    ObjectName(&'a str),
    /// `f7`
    #[regex("f[0-9]+")]
    FunctionName(&'a str),
    /// `p7`
    #[regex("p[0-9]+")]
    PropertyName(&'a str),
    /// `u7`: an unsupported construct or an unsigned type.
    #[regex("u[0-9]+")]
    U(&'a str),
    /// `i7`
    #[regex("i[0-9]+")]
    I(&'a str),
    /// A name bound by `let`: `?7`
    #[regex(r"\?[0-9]+")]
    Bound(&'a str),
    /// `42`
    #[regex("[0-9]+")]
    Number(&'a str),
    /// `#x2a`
    #[regex("#x[0-9a-fA-F]+")]
    Hexadecimal(&'a str),
    /// `#b101`
    #[regex("#b[01]+")]
    Binary(&'a str),
    /// A name of the `program` package with hyphens: `reach-call`
    #[regex("[a-z]+(-[a-z]+)+")]
    Hyphenated(&'a str),
    /// An operator of SMT-LIB, or a name of the `program` package.
    #[regex(r"[a-z][a-z0-9_]*(\.[a-zA-Z][a-zA-Z_]*)?")]
    #[token("=>")]
    Symbol(&'a str),
    /// A rounding mode of floats.
    #[regex("R(NE|NA|TP|TN|TZ)")]
    RoundingMode(&'a str),
    /// `"x"`
    #[regex(r#""([^"\\]|\\.)*""#)]
    Text(&'a str),
    /// `@3..7` or `@none`
    #[regex(r"@([0-9]+\.\.[0-9]+|none)")]
    Span(&'a str),
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Value(text)
            | Token::BlockName(text)
            | Token::RegionName(text)
            | Token::ObjectName(text)
            | Token::FunctionName(text)
            | Token::PropertyName(text)
            | Token::U(text)
            | Token::I(text)
            | Token::Bound(text)
            | Token::Number(text)
            | Token::Hexadecimal(text)
            | Token::Binary(text)
            | Token::Hyphenated(text)
            | Token::Symbol(text)
            | Token::RoundingMode(text)
            | Token::Span(text) => write!(f, "`{text}`"),
            Token::Text(_) => f.write_str("string"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// Text that is not a token, or a number that is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexicalError {
    /// Where.
    pub span: Span,
    /// The message.
    pub message: String,
}

/// The tokens of a text with their global offsets.
pub struct Lexer<'a> {
    inner: logos::SpannedIter<'a, Token<'a>>,
    base: u32,
}

impl<'a> Lexer<'a> {
    /// `base` is the global offset of the first byte.
    pub fn new(text: &'a str, base: u32) -> Self {
        Lexer { inner: Token::lexer(text).spanned(), base }
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Result<(u32, Token<'a>, u32), LexicalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (token, range) = self.inner.next()?;
        let (lo, hi) = (self.base + range.start as u32, self.base + range.end as u32);
        Some(match token {
            Ok(token) => Ok((lo, token, hi)),
            Err(()) => Err(LexicalError { span: Span::new(lo, hi), message: "invalid token".to_owned() }),
        })
    }
}
