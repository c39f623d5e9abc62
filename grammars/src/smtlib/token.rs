//! Tokens of SMT-LIB.

use super::node::Node;
use super::{Interner, Name};
use crate::source::{Diagnostic, Span};
use logos::Logos;
use std::fmt;

/// A raw token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(utf8 = false)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"(?-u);[^\n]*", allow_greedy = true))]
pub(super) enum Raw {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*")]
    Symbol,
    #[regex(r"(?-u)\|[^|\\]*\|")]
    Quoted,
    #[regex(r"(?-u)\|[^|\\]*")]
    OpenQuoted,
    #[regex(r":[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+")]
    Keyword,
    #[regex("[0-9]+")]
    Numeral,
    #[regex(r"[0-9]+\.[0-9]+")]
    Decimal,
    #[regex("#x[0-9A-Fa-f]+")]
    Hexadecimal,
    #[regex("#b[01]+")]
    Binary,
    #[regex(r"[0-9][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*", priority = 1)]
    #[regex(r"#[A-Za-z0-9~!@$%^&*_\-+=<>.?/]*", priority = 1)]
    Malformed,
    #[regex(r#"(?-u)"([^"]|"")*""#)]
    String,
    #[regex(r#"(?-u)"([^"]|"")*"#)]
    OpenString,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "the words are those of SMT-LIB")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All words, each at its index.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The spelling of the word.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// Words that are symbols only if quoted, and the names of commands.
    Word {
        Underscore "_",
        Bang "!",
        As "as",
        Let "let",
        Forall "forall",
        Exists "exists",
        Match "match",
        Par "par",
        BinaryWord "BINARY",
        DecimalWord "DECIMAL",
        HexadecimalWord "HEXADECIMAL",
        NumeralWord "NUMERAL",
        StringWord "STRING",
        Assert "assert",
        CheckSat "check-sat",
        CheckSatAssuming "check-sat-assuming",
        DeclareConst "declare-const",
        DeclareDatatype "declare-datatype",
        DeclareDatatypes "declare-datatypes",
        DeclareFun "declare-fun",
        DeclareRel "declare-rel",
        DeclareSort "declare-sort",
        DeclareSortParameter "declare-sort-parameter",
        DeclareVar "declare-var",
        DefineConst "define-const",
        DefineFun "define-fun",
        DefineFunRec "define-fun-rec",
        DefineFunsRec "define-funs-rec",
        DefineSort "define-sort",
        Echo "echo",
        Exit "exit",
        GetAssertions "get-assertions",
        GetAssignment "get-assignment",
        GetInfo "get-info",
        GetInterpolants "get-interpolants",
        GetModel "get-model",
        GetOption "get-option",
        GetProof "get-proof",
        GetUnsatAssumptions "get-unsat-assumptions",
        GetUnsatCore "get-unsat-core",
        GetValue "get-value",
        Pop "pop",
        Push "push",
        Query "query",
        Reset "reset",
        ResetAssertions "reset-assertions",
        Rule "rule",
        SetInfo "set-info",
        SetLogic "set-logic",
        SetOption "set-option",
    }
}

impl Word {
    /// The name of the word in every table made by [`names`](Word::names).
    #[must_use]
    pub fn name(self) -> Name {
        Name(self as u32)
    }

    /// The word with this name.
    #[must_use]
    pub fn of(name: Name) -> Option<Word> {
        Word::ALL.get(name.0 as usize).copied()
    }

    /// A table that holds the words.
    #[must_use]
    pub fn names() -> Interner {
        let mut names = Interner::default();
        for &word in Word::ALL {
            let name = names.intern(word.text());
            assert_eq!(name, word.name(), "a word should have the name of its index");
        }
        names
    }

    /// Whether the word names a command.
    #[must_use]
    pub fn is_command(self) -> bool {
        self as u32 >= Word::Assert as u32
    }
}

/// A terminal of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the terminals are SMT-LIB's")]
pub enum Token {
    Open,
    Close,
    Word(Word),
    Symbol(Name),
    Keyword(Name),
    Numeral(Name),
    Decimal(Name),
    Hexadecimal(Name),
    Binary(Name),
    String(Name),
    /// A term that was read ahead of the automaton.
    Term(Node),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::Open => "`(`",
            Token::Close => "`)`",
            Token::Word(word) => return write!(f, "reserved word `{}`", word.text()),
            Token::Symbol(_) => "symbol",
            Token::Keyword(_) => "keyword",
            Token::Numeral(_) => "numeral",
            Token::Decimal(_) => "decimal",
            Token::Hexadecimal(_) => "hexadecimal constant",
            Token::Binary(_) => "binary constant",
            Token::String(_) => "string",
            Token::Term(_) => "term",
        })
    }
}

impl Token {
    /// The terminal for `raw`, whose bytes are `slice` at `span`.
    pub(super) fn new(raw: Raw, slice: &[u8], span: Span, names: &mut Interner) -> Result<Token, Diagnostic> {
        let mut intern = |bytes: &[u8]| match std::str::from_utf8(bytes) {
            Ok(text) => Ok(names.intern(text)),
            Err(error) => {
                // The text begins inside the token, behind a bar or a quote.
                let at = span.lo + (slice.len() - bytes.len()).min(1) as u32 + error.valid_up_to() as u32;
                Err(Diagnostic::error(Span::new(at, at + 1), "this is not UTF-8 text")
                    .with_help("only comments may hold other bytes"))
            }
        };
        Ok(match raw {
            Raw::Open => Token::Open,
            Raw::Close => Token::Close,
            Raw::Symbol => {
                let name = intern(slice)?;
                Word::of(name).map_or(Token::Symbol(name), Token::Word)
            }
            Raw::Quoted => Token::Symbol(intern(&slice[1..slice.len() - 1])?),
            Raw::Keyword => Token::Keyword(intern(slice)?),
            Raw::Numeral => Token::Numeral(intern(slice)?),
            Raw::Decimal => Token::Decimal(intern(slice)?),
            Raw::Hexadecimal => Token::Hexadecimal(intern(slice)?),
            Raw::Binary => Token::Binary(intern(slice)?),
            Raw::String => {
                let inner = &slice[1..slice.len() - 1];
                if inner.contains(&b'"') {
                    intern(inner)?;
                    let text = String::from_utf8_lossy(inner).replace("\"\"", "\"");
                    Token::String(names.intern(&text))
                } else {
                    Token::String(intern(inner)?)
                }
            }
            Raw::Malformed => {
                let text = String::from_utf8_lossy(&slice[..slice.len().min(40)]);
                let help = match slice[0] {
                    b'#' => "a bit vector is `#x` and hexadecimal digits, or `#b` and binary digits",
                    _ => "a symbol does not start with a digit; write it between bars, as in `|1x|`",
                };
                return Err(Diagnostic::error(span, format!("`{text}` is neither a number nor a symbol"))
                    .with_help(help));
            }
            Raw::OpenQuoted => {
                let message = "this quoted symbol has no closing bar";
                return Err(Diagnostic::error(Span::new(span.lo, span.lo + 1), message)
                    .with_help("a quoted symbol holds neither bars nor backslashes"));
            }
            Raw::OpenString => {
                let message = "this string has no closing quote";
                return Err(Diagnostic::error(Span::new(span.lo, span.lo + 1), message)
                    .with_help("a quote inside of a string is written twice"));
            }
        })
    }
}
