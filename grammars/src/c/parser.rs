//! Parsing a file: the automaton, and error recovery.
//!
//! # The typedef-name problem
//!
//! `T * x;` declares a pointer or multiplies, depending on `T`. A C parser must know the typedef
//! names, typedef names need scopes, and scopes need parsing. This parser follows J.-H. Jourdan and
//! F. Pottier, *A Simple, Possibly Correct LR Parser for C11*, TOPLAS 39(4), 2017, with three
//! ideas:
//!
//! * The lexer classifies an identifier in a separate token, which it makes only after the parser
//!   has shifted the name ([`lexer`](super::lexer)).
//! * Empty productions save the scope. A saved scope is a value on the parser's stack, so it needs
//!   no care when the parser backs out ([`scope`](super::scope)).
//! * Specifier lists admit a typedef name only if they have no other type. So in
//!   `typedef int T; { T T; }` the second `T` can only be the declared name.
//!
//! A declared name enters the scope when the last token of its declarator has been shifted and the
//! next token is requested, before `=`; so in `T T = sizeof(T)` the operand is the variable. The
//! names of a parameter list are kept until the item ends, and a function definition enters their
//! scope again.
//!
//! # Errors
//!
//! DIVERGENCE: LALRPOP's built-in recovery needs error productions, which cost states and interfere
//! with the scopes. Instead the automaton is dropped and restarted: at the next statement if a
//! function body is open (with [`Token::StartBlock`] as its first token), otherwise at the next
//! external declaration. Nodes finished before the error are kept, except that the function with
//! the error has no node. An error at the very point of a restart is not reported.
//!
//! # Cost and limits
//!
//! Linear in the number of bytes. Stacks are on the heap. Brackets nest at most
//! [`MAX_NESTING`](super::ast::MAX_NESTING) deep. Definitions, and declarations with a storage
//! class or qualifier, may omit `int` as in old programs. Nested functions are rejected. The
//! grammar accepts a superset of C, which the type checker restricts, see the grammar.

use super::ParseResult;
use super::context::Context;
use super::grammar::StartParser;
use super::lexer::{Lexer, Spanned};
use super::token::Token;
use crate::source::{Diagnostic, FileId, SourceMap, Span};
use lalrpop_util::ParseError;

/// Parses a preprocessed C file.
///
/// Never fails: text that does not parse is reported in the diagnostics and missing in the unit.
/// Time is linear in the size of the file.
///
/// ```
/// use grammars::{c, source::SourceMap};
/// let mut map = SourceMap::new();
/// let file = map.add("a.c", *b"typedef int T; int f(T x) { T T = x; return T * x; }").unwrap();
/// let result = c::parse(&map, file);
/// assert!(result.diagnostics.is_empty());
/// assert_eq!(result.unit.items.len(), 2);
/// ```
#[must_use]
pub fn parse(map: &SourceMap, file: FileId) -> ParseResult {
    let cx = Context::new(map.bytes(file), map.file_span(file).lo);
    run(&cx);
    let (unit, mut diagnostics) = cx.finish();
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.lo);
    ParseResult { unit, diagnostics }
}

fn run(cx: &Context<'_>) {
    let mut lexer = Lexer::new(cx);
    let parser = StartParser::new();
    let mut resumed_at = None;
    loop {
        match parser.parse(cx, &mut lexer) {
            Ok(()) if lexer.has_ended_body() => {
                leave_function(cx);
                lexer.start_unit();
                resumed_at = None;
            }
            Ok(()) => return,
            Err(_) if cx.is_aborted() => return,
            Err(failure) => {
                let (found, expected) = match failure {
                    ParseError::UnrecognizedToken { token, expected } => (Some(token), expected),
                    ParseError::ExtraToken { token } => (Some(token), Vec::new()),
                    ParseError::UnrecognizedEof { expected, .. } => (None, expected),
                    ParseError::InvalidToken { .. } => (None, Vec::new()),
                    ParseError::User { error } => match error {},
                };
                // A class token has no text: the error is at the name before it.
                let found = match found {
                    Some((_, Token::IsType | Token::IsVariable, _)) => lexer.previous[4],
                    None if lexer.has_ended_body() => lexer.last_hidden,
                    found => found,
                };
                let is_repeated = found.is_some_and(|(lo, ..)| resumed_at == Some(lo));
                if !is_repeated && !cx.is_confused.take() {
                    cx.report(describe(cx, &lexer, found, &expected));
                }
                cx.reset();
                let Some(found) = found else { return };
                if !recover(cx, &mut lexer, found) {
                    return;
                }
                resumed_at = lexer.peek();
            }
        }
    }
}

fn leave_function(cx: &Context<'_>) {
    if let Some(mark) = cx.function.take() {
        cx.scopes.borrow_mut().restore(mark);
    }
}

/// Skips to the next position where parsing can restart. False at the end of the file.
fn recover(cx: &Context<'_>, lexer: &mut Lexer<'_>, found: Spanned) -> bool {
    let is_in_body = cx.function.get().is_some() && (lexer.braces() > 0 || found.1 == Token::RBrace);
    let mut token = found;
    if found.1 == Token::Semicolon {
        lexer.give_up_parentheses();
    }
    loop {
        let (lo, kind, _) = token;
        let is_new = lo > found.0 && lexer.is_between_statements();
        if is_in_body {
            match kind {
                Token::RBrace if lexer.braces() == 0 => {
                    leave_function(cx);
                    lexer.start_unit();
                    return true;
                }
                Token::RBrace | Token::LBrace => {
                    lexer.start_block();
                    return true;
                }
                Token::Semicolon if lexer.is_between_statements() => {
                    lexer.start_block();
                    return true;
                }
                _ if is_new && (starts_statement(kind) || starts_declaration(kind)) => {
                    lexer.unread(token);
                    lexer.start_block();
                    return true;
                }
                _ => {}
            }
        } else if lexer.braces() == 0 {
            match kind {
                Token::RBrace => {
                    leave_function(cx);
                    lexer.start_unit();
                    match lexer.next_plain() {
                        Some((_, Token::Semicolon, _)) | None => return true,
                        // The declarators of a record.
                        Some(next @ (_, Token::Name(name), _)) if !cx.scopes.borrow().is_type(name) => {
                            token = next;
                        }
                        Some(next @ (_, Token::Star, _)) => {
                            token = next;
                        }
                        Some(next) => {
                            lexer.unread(next);
                            return true;
                        }
                    }
                    continue;
                }
                Token::Semicolon if lexer.is_between_statements() => {
                    leave_function(cx);
                    lexer.start_unit();
                    return true;
                }
                _ if is_new && starts_declaration(kind) => {
                    leave_function(cx);
                    lexer.start_unit();
                    lexer.unread(token);
                    return true;
                }
                _ => {}
            }
        }
        match lexer.next_plain() {
            Some(next) => {
                token = next;
            }
            None => return false,
        }
    }
}

fn starts_statement(token: Token) -> bool {
    use Token::*;
    matches!(token, If | While | For | Do | Switch | Return | Goto | Break | Continue | Case | Default)
}

fn starts_declaration(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Typedef
            | Extern
            | Static
            | Struct
            | Union
            | Enum
            | Void
            | CharKw
            | Short
            | Int
            | Long
            | Float
            | Double
            | Signed
            | Unsigned
            | Bool
            | Inline
            | Extension
    )
}

/// Describes the expected and the found token.
fn describe(cx: &Context<'_>, lexer: &Lexer<'_>, found: Option<Spanned>, expected: &[String]) -> Diagnostic {
    let [before, last] = match found {
        // A hidden brace was not yielded.
        Some(_) if lexer.has_ended_body() => [lexer.previous[4], lexer.last_hidden],
        Some(_) => [lexer.previous[3], lexer.previous[4]],
        None => [lexer.previous[4], None],
    };
    if let Some(diagnostic) = unknown_type(cx, lexer, found, expected) {
        return diagnostic;
    }
    let closing = match (found, lexer.innermost_open()) {
        (None, Some((Token::LBrace, _))) => Some("`}`"),
        (None, Some((Token::LParen, _))) => Some("`)`"),
        (None, Some((Token::LBracket, _))) => Some("`]`"),
        _ => None,
    };
    let wanted = closing.map_or_else(|| wanted(expected), str::to_owned);
    let (at, found_text) = match found {
        Some((lo, token, hi)) => (Span::new(lo, hi), quote(cx, lo, token, hi)),
        None => {
            let end = cx.base + cx.bytes.len() as u32;
            (
                before.map_or(Span::new(end, end), |(_, _, hi)| Span::new(hi, hi)),
                "the end of the file".to_owned(),
            )
        }
    };
    let is_nested_function = matches!(
        (found, before, cx.function.get()),
        (Some((_, Token::LBrace, _)), Some((_, Token::RParen, _)), Some(_))
    ) && wanted == "`;`";
    let message = match is_nested_function {
        true => "nested functions are not supported".to_owned(),
        false => format!("expected {wanted}, found {found_text}"),
    };
    let is_missing = matches!(wanted.as_bytes(), [b'`', b';' | b')' | b']' | b'}', ..]);
    let mut diagnostic = match before {
        // A missing token belongs to the end of the text before it, often on another line.
        Some((_, _, hi)) if is_missing && last.is_some() && !is_nested_function => {
            Diagnostic::error(Span::new(hi, hi), message).with_label(format!("expected {wanted}"))
        }
        _ => Diagnostic::error(at, message).with_label("not expected here"),
    };
    if found.is_none()
        && let Some((token, span)) = lexer.innermost_open()
    {
        diagnostic = diagnostic.with_secondary(span, format!("this `{}` is not closed", token.text()));
    }
    if is_nested_function {
        diagnostic = diagnostic.with_help("define the function outside of the one that uses it");
    }
    diagnostic
}

/// `foo x;` with an undeclared `foo` is the most common error, and it is not an error about `x`.
fn unknown_type(
    cx: &Context<'_>,
    lexer: &Lexer<'_>,
    found: Option<Spanned>,
    expected: &[String],
) -> Option<Diagnostic> {
    if let (Some((lo, Token::Name(_), hi)), [only]) = (found, expected)
        && only == "\"<type>\""
    {
        return Some(unknown_type_error(cx, lo, hi));
    }
    let (_, found, _) = found?;
    let is_in_function = cx.function.get().is_some();
    // `int f(foo, int);`: without the type, this begins a list of names.
    if let [.., Some((lo, Token::Name(_), hi)), Some((_, Token::Comma, _)), _] = lexer.previous
        && !is_in_function
        && matches!(expected, [only] if only == "\"name\"")
        && starts_declaration(found)
    {
        return Some(unknown_type_error(cx, lo, hi));
    }
    // `return (foo)x;`: without the type, the parentheses are an operand. After a name, they are
    // those of a call.
    if let [
        first,
        Some((_, Token::LParen, _)),
        Some((lo, Token::Name(name), hi)),
        Some((_, Token::RParen, _)),
        _,
    ] = lexer.previous
        && !first.is_some_and(|(_, token, _)| ends_operand(token))
        && matches!(found, Token::Name(_) | Token::Number | Token::Char | Token::String)
        && !cx.scopes.borrow().is_type(name)
    {
        return Some(unknown_type_error(cx, lo, hi));
    }
    let [.., first, Some((lo, Token::Name(name), hi)), _] = lexer.previous else { return None };
    let starts = match first.map(|(_, token, _)| token) {
        None => true,
        // In a function, only the header of `for` has a semicolon there.
        Some(Token::LParen) if is_in_function => expected.iter().any(|terminal| terminal == "\";\""),
        Some(Token::LParen | Token::Comma) => !is_in_function,
        Some(Token::LBrace) => expected.iter().any(|terminal| terminal == "\";\""),
        Some(token) => {
            matches!(
                token,
                Token::Semicolon | Token::RBrace | Token::Const | Token::Volatile | Token::Register
            ) || starts_declaration(token) && matches!(token, Token::Static | Token::Extern | Token::Typedef)
        }
    };
    let is_declared = match found {
        Token::Name(_) => true,
        Token::Star => !is_in_function,
        _ => false,
    };
    if !starts || !is_declared || cx.scopes.borrow().is_type(name) {
        return None;
    }
    Some(unknown_type_error(cx, lo, hi))
}

/// Whether parentheses after this token are those of a call or of a statement.
fn ends_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Name(_)
            | Token::RParen
            | Token::RBracket
            | Token::String
            | Token::If
            | Token::While
            | Token::Switch
            | Token::For
            | Token::Sizeof
    )
}

pub(super) fn unknown_type_error(cx: &Context<'_>, lo: u32, hi: u32) -> Diagnostic {
    let text = String::from_utf8_lossy(cx.slice(lo, hi));
    let message = format!("unknown type name `{text}`");
    let error =
        Diagnostic::error(Span::new(lo, hi), message).with_label("no typedef of this name is visible here");
    match super::headers::hint(&text) {
        Some(hint) => error.with_help(hint),
        None => error,
    }
}

fn quote(cx: &Context<'_>, lo: u32, token: Token, hi: u32) -> String {
    match token {
        Token::Name(_) | Token::Number | Token::Char | Token::String => {
            let text = String::from_utf8_lossy(cx.slice(lo, hi.min(lo.saturating_add(120)))).into_owned();
            if text.chars().count() > 30 {
                format!("`{}…`", text.chars().take(29).collect::<String>())
            } else {
                format!("`{text}`")
            }
        }
        _ => format!("`{}`", token.text()),
    }
}

/// Summarizes the terminals that the automaton would accept.
fn wanted(expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|text| text.trim_matches('"') == terminal);
    let mut words: Vec<String> = Vec::new();
    let is_expression = has("number") && has("sizeof");
    let is_type = has("int") && has("struct");
    match (has("return"), is_expression, is_type) {
        (true, _, true) => words.push("a declaration or a statement".to_owned()),
        (true, ..) => words.push("a statement".to_owned()),
        (_, true, true) => words.push("an expression or a type".to_owned()),
        (_, true, false) => words.push("an expression".to_owned()),
        (_, _, true) if has("_Static_assert") => words.push("a declaration".to_owned()),
        // A type keyword that may follow other type keywords is not the missing token.
        (_, _, true) if !has(";") => words.push("a type".to_owned()),
        _ if has("name") => words.push("a name".to_owned()),
        _ => {}
    }
    // After an operand, every token that continues an expression is possible, and none of them is
    // the missing one.
    let is_operand_done = has("+") && !is_expression;
    if words.is_empty() || !has("return") {
        let ends: &[&str] = match (is_operand_done, words.is_empty()) {
            (true, _) => &[";", ")", "]", "}", ":", ","],
            (false, true) => {
                &[";", ")", "]", "}", ":", ",", "=", "(", "{", "while", "string", "<type>", "<variable>"]
            }
            (false, false) => &[";", ")", "]", "}"],
        };
        let is_relevant = |end: &str| match end {
            ";" => true,
            "(" => !has(";") && !has(")") && !has("]"),
            _ => !has(";"),
        };
        for end in ends.iter().filter(|end| has(end) && is_relevant(end)).take(3) {
            words.push(match *end {
                "string" => "a string literal".to_owned(),
                "<type>" => "a type".to_owned(),
                "<variable>" => "a name that is not a type".to_owned(),
                end => format!("`{end}`"),
            });
        }
    }
    match words.as_slice() {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
