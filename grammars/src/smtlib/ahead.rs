//! Terms, read ahead of the automaton.
//!
//! A large script consists of terms, and terms have few forms. This module reads the term of a
//! command in one loop over raw tokens. The automaton then reads the command with the term as a
//! single token, so it costs a few steps for each command instead of several for each symbol.
//!
//! The grammar defines the language and its errors. This reader accepts a part of the terms of the
//! grammar, with the same rows, and gives up at any other token: an annotation, a `match`, or an
//! error. The automaton then reads the command from its start, so that each byte is read at most
//! twice.
//!
//! Open terms are on a stack, so depth costs no recursion.

use super::Name;
use super::Reader;
use super::token::{Raw, Token, Word};
use super::tree::{Builder, List, Node, NodeKind};

/// The greatest depth of a sort that is read here.
const SORT_DEPTH: u32 = 16;

/// A term that is not complete.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// An application; its arguments are the pending elements from `first` on.
    Apply { lo: u32, head: Node, first: u32 },
    /// The value of a binding of a `let`; the finished bindings are the pending elements from
    /// `first` on.
    Binding { let_lo: u32, lo: u32, name: Name, first: u32 },
    /// The body of a `let`.
    Let { lo: u32, bindings: List },
    /// The body of a quantifier.
    Quantifier { lo: u32, variables: List, word: Word },
}

/// The storage of the reader, kept between commands.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    open: Vec<Open>,
    /// The tokens of the command up to its term, with which the automaton starts.
    pub(super) tokens: Vec<(u32, Token, u32)>,
}

impl Reader<'_> {
    /// Reads the tokens of a command behind its opening parenthesis up to and including its term.
    /// `None` if the command has no term, or one that is not read here; then the position and the
    /// builder have changed.
    pub(super) fn read_ahead(&mut self, builder: &mut Builder) -> Option<()> {
        self.ahead.open.clear();
        let word = match self.raw()? {
            Raw::Symbol => Word::of(self.name())?,
            _ => return None,
        };
        self.keep(Token::Word(word));
        match word {
            Word::Assert | Word::Rule | Word::Query => {}
            Word::DefineFun => {
                self.keep_symbol()?;
                match self.raw()? {
                    Raw::Open => self.keep_group()?,
                    _ => return None,
                }
                self.keep_sort()?;
            }
            Word::DefineConst => {
                self.keep_symbol()?;
                self.keep_sort()?;
            }
            _ => return None,
        }
        let term = self.term(builder)?;
        let at = builder.span(term);
        self.ahead.tokens.push((at.lo, Token::Term(term), at.hi));
        Some(())
    }

    /// Passes the last raw token on to the automaton.
    fn keep(&mut self, token: Token) {
        let (lo, hi) = self.place();
        self.ahead.tokens.push((lo, token, hi));
    }

    /// The last token, a symbol without bars.
    fn symbol_or_word(&mut self) -> Token {
        let name = self.name();
        Word::of(name).map_or(Token::Symbol(name), Token::Word)
    }

    /// Passes a name on to the automaton.
    fn keep_symbol(&mut self) -> Option<()> {
        let token = match self.raw()? {
            Raw::Symbol => self.symbol_or_word(),
            Raw::Quoted => Token::Symbol(self.quoted()?),
            _ => return None,
        };
        self.keep(token);
        Some(())
    }

    fn keep_sort(&mut self) -> Option<()> {
        match self.raw()? {
            Raw::Symbol => {
                let token = self.symbol_or_word();
                self.keep(token);
                Some(())
            }
            Raw::Open => self.keep_group(),
            _ => None,
        }
    }

    /// Passes the tokens on to the automaton up to the parenthesis that closes the last one.
    fn keep_group(&mut self) -> Option<()> {
        self.keep(Token::Open);
        let mut depth = 1u32;
        while depth > 0 {
            let token = match self.raw()? {
                Raw::Open => Token::Open,
                Raw::Close => Token::Close,
                Raw::Symbol => self.symbol_or_word(),
                Raw::Quoted => Token::Symbol(self.quoted()?),
                Raw::Numeral => Token::Numeral(self.name()),
                _ => return None,
            };
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            self.keep(token);
        }
        Some(())
    }

    /// The next raw token; `None` at the end of the file and for an error.
    #[inline]
    fn raw(&mut self) -> Option<Raw> {
        self.lexer.next()?.ok()
    }

    fn expect(&mut self, raw: Raw) -> Option<()> {
        (self.raw()? == raw).then_some(())
    }

    /// The global offsets of the last token.
    #[inline]
    fn place(&self) -> (u32, u32) {
        let span = self.span();
        (span.lo, span.hi)
    }

    /// The name of the last token, whose bytes are ASCII.
    #[inline]
    fn name(&mut self) -> Name {
        let local = self.lexer.span();
        self.names.intern_ascii(self.bytes, local)
    }

    /// The name of the last token without its bars.
    fn quoted(&mut self) -> Option<Name> {
        let slice = self.lexer.slice();
        let text = std::str::from_utf8(&slice[1..slice.len() - 1]).ok()?;
        Some(self.names.intern(text))
    }

    /// A row for the last token.
    #[inline]
    fn leaf(&self, builder: &mut Builder, kind: NodeKind) -> Node {
        let (lo, hi) = self.place();
        builder.node(lo, kind, hi)
    }

    /// Closes a row that began at `lo` with the last token.
    #[inline]
    fn closed(&self, builder: &mut Builder, lo: u32, kind: NodeKind) -> Node {
        builder.node(lo, kind, self.place().1)
    }

    fn term(&mut self, builder: &mut Builder) -> Option<Node> {
        let mut raw = self.raw()?;
        loop {
            let mut node = match raw {
                Raw::Symbol => {
                    let name = self.name();
                    if Word::of(name).is_some() {
                        return None;
                    }
                    self.leaf(builder, NodeKind::Symbol(name))
                }
                Raw::Numeral => {
                    let kind = match small(self.lexer.slice()) {
                        Some(value) => NodeKind::Number(value),
                        None => NodeKind::Numeral(self.name()),
                    };
                    self.leaf(builder, kind)
                }
                Raw::Open => match self.opened(builder)? {
                    Some(node) => node,
                    None => {
                        raw = self.raw()?;
                        continue;
                    }
                },
                Raw::Quoted => {
                    let name = self.quoted()?;
                    self.leaf(builder, NodeKind::Symbol(name))
                }
                Raw::Decimal => {
                    let name = self.name();
                    self.leaf(builder, NodeKind::Decimal(name))
                }
                Raw::Hexadecimal => {
                    let name = self.name();
                    self.leaf(builder, NodeKind::Hexadecimal(name))
                }
                Raw::Binary => {
                    let name = self.name();
                    self.leaf(builder, NodeKind::Binary(name))
                }
                _ => return None,
            };
            // The terms that end here.
            loop {
                match self.ahead.open.last() {
                    None => return Some(node),
                    Some(&Open::Apply { lo, head, first }) => {
                        builder.element(node);
                        raw = self.raw()?;
                        if raw != Raw::Close {
                            break;
                        }
                        let arguments = builder.list_from(first);
                        node = self.closed(builder, lo, NodeKind::Apply { head, arguments });
                    }
                    Some(&Open::Let { lo, bindings }) => {
                        self.expect(Raw::Close)?;
                        node = self.closed(builder, lo, NodeKind::Let { bindings, body: node });
                    }
                    Some(&Open::Quantifier { lo, variables, word }) => {
                        self.expect(Raw::Close)?;
                        let kind = match word {
                            Word::Forall => NodeKind::Forall { variables, body: node },
                            _ => NodeKind::Exists { variables, body: node },
                        };
                        node = self.closed(builder, lo, kind);
                    }
                    Some(&Open::Binding { let_lo, lo, name, first }) => {
                        self.expect(Raw::Close)?;
                        let binding = self.closed(builder, lo, NodeKind::Binding { name, value: node });
                        builder.element(binding);
                        self.ahead.open.pop();
                        match self.raw()? {
                            Raw::Open => self.binding(let_lo, first)?,
                            Raw::Close => {
                                let bindings = builder.list_from(first);
                                self.ahead.open.push(Open::Let { lo: let_lo, bindings });
                            }
                            _ => return None,
                        }
                        raw = self.raw()?;
                        break;
                    }
                }
                self.ahead.open.pop();
            }
        }
    }

    /// Reads on behind the parenthesis of a term: a whole identifier, or the start of a term, which
    /// becomes an open one.
    fn opened(&mut self, builder: &mut Builder) -> Option<Option<Node>> {
        let (lo, _) = self.place();
        let head = match self.raw()? {
            Raw::Symbol => {
                let name = self.name();
                match Word::of(name) {
                    None => self.leaf(builder, NodeKind::Symbol(name)),
                    Some(Word::Let) => {
                        self.expect(Raw::Open)?;
                        self.expect(Raw::Open)?;
                        self.binding(lo, builder.pending())?;
                        return Some(None);
                    }
                    Some(word @ (Word::Forall | Word::Exists)) => {
                        let variables = self.variables(builder)?;
                        self.ahead.open.push(Open::Quantifier { lo, variables, word });
                        return Some(None);
                    }
                    Some(Word::Underscore) => return self.indexed(builder, lo).map(Some),
                    Some(Word::As) => return self.qualified(builder, lo).map(Some),
                    Some(_) => return None,
                }
            }
            Raw::Quoted => {
                let name = self.quoted()?;
                self.leaf(builder, NodeKind::Symbol(name))
            }
            Raw::Open => {
                let (lo, _) = self.place();
                match self.word()? {
                    Word::Underscore => self.indexed(builder, lo)?,
                    Word::As => self.qualified(builder, lo)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.ahead.open.push(Open::Apply { lo, head, first: builder.pending() });
        Some(None)
    }

    fn word(&mut self) -> Option<Word> {
        match self.raw()? {
            Raw::Symbol => Word::of(self.name()),
            _ => None,
        }
    }

    /// A name that is no word.
    fn symbol(&mut self) -> Option<Name> {
        match self.raw()? {
            Raw::Symbol => Some(self.name()).filter(|&name| Word::of(name).is_none()),
            Raw::Quoted => self.quoted(),
            _ => None,
        }
    }

    /// The name of a binding, whose value becomes an open term.
    fn binding(&mut self, let_lo: u32, first: u32) -> Option<()> {
        let (lo, _) = self.place();
        let name = self.symbol()?;
        self.ahead.open.push(Open::Binding { let_lo, lo, name, first });
        Some(())
    }

    /// The variables of a quantifier with their parentheses.
    fn variables(&mut self, builder: &mut Builder) -> Option<List> {
        self.expect(Raw::Open)?;
        self.expect(Raw::Open)?;
        let first = builder.pending();
        loop {
            let (lo, _) = self.place();
            let name = self.symbol()?;
            let raw = self.raw()?;
            let sort = self.sort(builder, raw, SORT_DEPTH)?;
            self.expect(Raw::Close)?;
            let variable = self.closed(builder, lo, NodeKind::Variable { name, sort });
            builder.element(variable);
            match self.raw()? {
                Raw::Open => {}
                Raw::Close => return Some(builder.list_from(first)),
                _ => return None,
            }
        }
    }

    /// The sort that starts with the last token `raw`.
    fn sort(&mut self, builder: &mut Builder, raw: Raw, depth: u32) -> Option<Node> {
        match raw {
            Raw::Symbol => {
                let name = self.name();
                Word::of(name).is_none().then(|| self.leaf(builder, NodeKind::Symbol(name)))
            }
            Raw::Quoted => {
                let name = self.quoted()?;
                Some(self.leaf(builder, NodeKind::Symbol(name)))
            }
            Raw::Open if depth > 0 => {
                let (lo, _) = self.place();
                let head = match self.raw()? {
                    Raw::Symbol => {
                        let name = self.name();
                        match Word::of(name) {
                            None => self.leaf(builder, NodeKind::Symbol(name)),
                            Some(Word::Underscore) => return self.indexed(builder, lo),
                            Some(_) => return None,
                        }
                    }
                    _ => return None,
                };
                let first = builder.pending();
                let mut raw = self.raw()?;
                loop {
                    let argument = self.sort(builder, raw, depth - 1)?;
                    builder.element(argument);
                    raw = self.raw()?;
                    if raw == Raw::Close {
                        let arguments = builder.list_from(first);
                        return Some(self.closed(builder, lo, NodeKind::Apply { head, arguments }));
                    }
                }
            }
            _ => None,
        }
    }

    /// An indexed identifier behind its underscore.
    fn indexed(&mut self, builder: &mut Builder, lo: u32) -> Option<Node> {
        let name = self.symbol()?;
        let first = builder.pending();
        loop {
            let kind = match self.raw()? {
                Raw::Numeral => NodeKind::Numeral(self.name()),
                Raw::Hexadecimal => NodeKind::Hexadecimal(self.name()),
                Raw::Symbol => NodeKind::Symbol(Some(self.name()).filter(|&name| Word::of(name).is_none())?),
                Raw::Quoted => NodeKind::Symbol(self.quoted()?),
                Raw::Close if builder.pending() > first => {
                    let indices = builder.list_from(first);
                    return Some(self.closed(builder, lo, NodeKind::Indexed { name, indices }));
                }
                _ => return None,
            };
            let index = self.leaf(builder, kind);
            builder.element(index);
        }
    }

    /// An identifier with its sort behind the word `as`.
    fn qualified(&mut self, builder: &mut Builder, lo: u32) -> Option<Node> {
        let name = self.symbol()?;
        let identifier = self.leaf(builder, NodeKind::Symbol(name));
        let raw = self.raw()?;
        let sort = self.sort(builder, raw, SORT_DEPTH)?;
        self.expect(Raw::Close)?;
        Some(self.closed(builder, lo, NodeKind::As { identifier, sort }))
    }
}

/// The value of a numeral of few digits.
#[inline]
fn small(digits: &[u8]) -> Option<u32> {
    if digits.len() > 9 {
        return None;
    }
    Some(digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')))
}
