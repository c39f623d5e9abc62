//! Annotations before a function: a subset of ACSL.
//!
//! The subset (Baudin et al., *ACSL: ANSI/ISO C Specification Language*, version 1.18, §2.3) is
//! `requires` with a conjunction of
//!
//! * `\valid(R)` and `\valid_read(R)`, where `R` is `p`, `p + (0 .. e)` or `&p[0 .. e]` for a
//!   pointer parameter `p`: the pointer refers to one or to `e + 1` elements;
//! * `p == \null || \valid(R)` and `p != \null ==> \valid(R)`: it may also be null;
//! * `valid_string(p)` and `valid_read_string(p)`, the predicates of Frama-C;
//! * `\separated(…)` and `\initialized(…)`, which hold of all arguments;
//! * C conditions over the parameters without side effects, with `==>`, `\null`, `\true`, `\false`
//!   and chains of comparisons (`0 <= n <= 16`).
//!
//! A construct outside of the subset in a `requires` clause is an error. Clauses that state no
//! precondition (`assigns`, `ensures`, …) are checked by no one: each is a warning. Clauses of a
//! `behavior` hold only under its assumption; leaving them out weakens the precondition, so they
//! are a warning as well.
//!
//! DIVERGENCE: conditions have the meaning of C, with its conversions and overflows. In ACSL,
//! arithmetic is that of mathematical integers.

use super::{Extent, MOST_ELEMENTS, Null, Precondition};
use crate::c::hir::Program;
use crate::c::types::Type;
use grammars::source::{Diagnostic, SourceMap, Span};

/// A token of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Token<'t> {
    text: &'t str,
    span: Span,
}

/// Clauses that state no precondition.
const OTHER_CLAUSES: &[&str] =
    &["assigns", "ensures", "frees", "allocates", "terminates", "decreases", "exits"];
/// The words after which clauses hold only under an assumption, or that conclude a contract.
const BEHAVIORS: &[&str] = &["behavior", "complete", "disjoint"];
/// The operators of two or three characters.
const OPERATORS: &[&str] = &[
    "<==>", "==>", "<<=", ">>=", "...", "..", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++",
    "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
/// Operators with a side effect, and those without a meaning in C.
const NOT_CONDITIONS: &[&str] = &[
    "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "<==>", "..", "...", ";",
    "{", "}", "\\", "@", "#", "$", "`",
];
/// The words of C that may occur in a condition.
const TYPE_WORDS: &[&str] =
    &["sizeof", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "void"];

/// Adds the `requires` clauses of an annotation to a precondition.
pub(super) fn read(
    annotation: Span,
    program: &Program,
    sources: &SourceMap,
    precondition: &mut Precondition,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let text = sources.text(annotation);
    let body = text.get(3..).unwrap_or_default();
    let body = match text.starts_with("/*") {
        true => body.strip_suffix("*/").unwrap_or(body),
        false => body,
    };
    let tokens = match tokens(body, annotation.lo + 3) {
        Ok(tokens) => tokens,
        Err(diagnostic) => return diagnostics.push(diagnostic),
    };
    let mut reader = Reader { program, precondition, diagnostics };
    let mut rest = tokens.as_slice();
    while let Some(&first) = rest.first() {
        if BEHAVIORS.contains(&first.text) {
            let text = format!("`{}` has no effect: only clauses before behaviors are read", first.text);
            return reader.diagnostics.push(Diagnostic::warning(first.span, text));
        }
        let Some(length) = rest.iter().position(|token| token.text == ";") else {
            let text = format!("clause `{}` without a semicolon", first.text);
            return reader.diagnostics.push(Diagnostic::error(first.span, text));
        };
        let clause = &rest[1..length];
        rest = &rest[length + 1..];
        match first.text {
            "requires" => {
                if let Err(diagnostic) = reader.requires(first, clause) {
                    reader.diagnostics.push(diagnostic);
                }
            }
            name if OTHER_CLAUSES.contains(&name) => {
                let text = format!("clause `{name}` has no effect: it is not checked");
                reader.diagnostics.push(Diagnostic::warning(first.span, text));
            }
            name => {
                let text = format!("unsupported annotation `{name}`");
                let help = "supported: requires with C conditions, \\valid and \\valid_read";
                reader.diagnostics.push(Diagnostic::error(first.span, text).with_help(help));
            }
        }
    }
}

/// Splits the text of an annotation, whose first byte is at offset `base`.
fn tokens(text: &str, base: u32) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = base + (text.len() - rest.len()) as u32;
        let word = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match first {
            // `@` may start a line of an annotation.
            c if c.is_whitespace() || c == '@' => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '\\' => 1 + word(&rest[1..]),
            // `0..9` is a range.
            c if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
                rest[..end].find("..").unwrap_or(end)
            }
            c if c.is_alphabetic() || c == '_' => word(rest),
            '"' | '\'' => {
                let span = Span::new(at, at + 1);
                return Err(Diagnostic::error(span, "unsupported in annotations: strings and characters"));
            }
            _ if rest.starts_with("//") || rest.starts_with("/*") => {
                let span = Span::new(at, at + 2);
                return Err(Diagnostic::error(span, "unsupported in annotations: comments"));
            }
            _ => OPERATORS
                .iter()
                .find(|operator| rest.starts_with(**operator))
                .map_or(first.len_utf8(), |operator| operator.len()),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(Token { text: token, span: Span::new(at, at + length as u32) });
        rest = after;
    }
    Ok(tokens)
}

/// A statement about a pointer parameter.
struct Shape {
    parameter: usize,
    extent: Extent,
}

struct Reader<'r> {
    program: &'r Program,
    precondition: &'r mut Precondition,
    diagnostics: &'r mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// Adds a condition that was written after `clause`.
    fn requires(&mut self, clause: Token<'_>, tokens: &[Token<'_>]) -> Result<(), Diagnostic> {
        if tokens.is_empty() {
            return Err(Diagnostic::error(clause.span, "empty clause `requires`"));
        }
        // A conjunction, unless an operator that binds less follows.
        let binds_less = |token: &Token<'_>| matches!(token.text, "||" | "==>" | "<==>" | "?" | ":" | ",");
        if !at_top(tokens).any(|(_, token)| binds_less(token)) {
            let parts = split(tokens, "&&");
            if parts.len() > 1 {
                return parts.into_iter().try_for_each(|part| self.requires(clause, part));
            }
            if let Some(inner) = parenthesized(tokens) {
                return self.requires(clause, inner);
            }
        }
        if tokens.len() > 2 && parenthesized(&tokens[1..]).is_some() {
            match tokens[0].text {
                "\\separated" | "\\initialized" => return Ok(()),
                _ => {}
            }
        }
        if let Some(shape) = self.shape(tokens)? {
            self.set(shape, Null::Excluded);
            return Ok(());
        }
        if let Some(shape) = self.shape_unless_null(tokens)? {
            self.set(shape, Null::Allowed);
            return Ok(());
        }
        let condition = self.condition(tokens)?;
        self.precondition.conditions.push(condition);
        Ok(())
    }

    fn set(&mut self, shape: Shape, null: Null) {
        let parameter = &mut self.precondition.parameters[shape.parameter];
        parameter.null = null;
        parameter.extent = shape.extent;
    }

    /// `p == \null || \valid(…)` and `p != \null ==> \valid(…)`.
    fn shape_unless_null(&self, tokens: &[Token<'_>]) -> Result<Option<Shape>, Diagnostic> {
        for (operator, comparison) in [("||", "=="), ("==>", "!=")] {
            let parts = split(tokens, operator);
            let &[test, rest] = parts.as_slice() else { continue };
            let test = parenthesized(test).unwrap_or(test);
            let [name, sign, null] = test else { continue };
            if sign.text != comparison || !matches!(null.text, "\\null" | "0" | "NULL") {
                continue;
            }
            if let Some(shape) = self.shape(parenthesized(rest).unwrap_or(rest))?
                && self.precondition.parameters[shape.parameter].name == name.text
            {
                return Ok(Some(shape));
            }
        }
        Ok(None)
    }

    /// `\valid(…)`, `\valid_read(…)`, `valid_string(…)`, `valid_read_string(…)`.
    fn shape(&self, tokens: &[Token<'_>]) -> Result<Option<Shape>, Diagnostic> {
        let Some((first, rest)) = tokens.split_first() else { return Ok(None) };
        let Some(inner) = parenthesized(rest) else { return Ok(None) };
        match first.text {
            "\\valid" | "\\valid_read" => self.region(*first, inner).map(Some),
            "valid_string" | "valid_read_string" => {
                let [name] = inner else { return Err(unsupported(first.span)) };
                Ok(Some(Shape { parameter: self.pointer(*name)?, extent: Extent::String(MOST_ELEMENTS) }))
            }
            _ => Ok(None),
        }
    }

    /// The set of locations in `\valid(…)`.
    fn region(&self, of: Token<'_>, tokens: &[Token<'_>]) -> Result<Shape, Diagnostic> {
        let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let (name, range) = match texts.as_slice() {
            [_] => {
                let parameter = self.pointer(tokens[0])?;
                return Ok(Shape { parameter, extent: Extent::Between(1, 1) });
            }
            [_, "+", ..] => (tokens[0], parenthesized(&tokens[2..])),
            ["&", _, "[", .., "]"] => (tokens[1], Some(&tokens[3..tokens.len() - 1])),
            _ => return Err(unsupported(of.span)),
        };
        let parameter = self.pointer(name)?;
        let bounds = range.map(|range| split(range, ".."));
        let Some(&[least, most]) = bounds.as_deref() else { return Err(unsupported(of.span)) };
        match least {
            [zero] if zero.text == "0" => {}
            _ => {
                let text = "unsupported range: the first index must be 0";
                return Err(Diagnostic::error(least.first().map_or(of.span, |token| token.span), text));
            }
        }
        if most.is_empty() {
            return Err(unsupported(of.span));
        }
        let extent = match most {
            [number] if number.text.parse::<u64>().is_ok_and(|most| most < MOST_ELEMENTS) => {
                let count = number.text.parse::<u64>().map_or(0, |most| most + 1);
                Extent::Between(count, count)
            }
            // `e - 1`, where `e` has no operator that binds less than `-`.
            [count @ .., minus, one] if minus.text == "-" && one.text == "1" && count.len() == 1 => {
                Extent::Expression(self.condition(count)?)
            }
            _ => Extent::Expression(format!("({}) + 1", self.condition(most)?)),
        };
        Ok(Shape { parameter, extent })
    }

    /// The index of a pointer parameter.
    fn pointer(&self, name: Token<'_>) -> Result<usize, Diagnostic> {
        let parameters = &self.precondition.parameters;
        match parameters.iter().position(|parameter| parameter.name == name.text) {
            Some(index) if matches!(self.program.types[parameters[index].ty], Type::Pointer(_)) => Ok(index),
            Some(_) => Err(Diagnostic::error(name.span, format!("`{}` is not a pointer", name.text))),
            None => Err(Diagnostic::error(name.span, format!("`{}` is not a pointer parameter", name.text))),
        }
    }

    /// The C text of a condition or of another expression.
    fn condition(&self, tokens: &[Token<'_>]) -> Result<String, Diagnostic> {
        if let Some((at, _)) = at_top(tokens).find(|(_, token)| token.text == "==>") {
            let (premise, conclusion) = (&tokens[..at], &tokens[at + 1..]);
            return Ok(format!("(!({}) || ({}))", self.condition(premise)?, self.condition(conclusion)?));
        }
        let mut text = String::new();
        let mut rest = tokens;
        loop {
            let is_end = |token: &Token<'_>| matches!(token.text, "&&" | "||" | "?" | ":" | ",");
            let end = at_top(rest).find(|(_, token)| is_end(token)).map_or(rest.len(), |(at, _)| at);
            text.push_str(&self.comparisons(&rest[..end])?);
            let Some(operator) = rest.get(end) else { return Ok(text) };
            text.push_str(&format!(" {} ", operator.text));
            rest = &rest[end + 1..];
        }
    }

    /// A chain of comparisons: `a <= b < c` is `a <= b && b < c`.
    fn comparisons(&self, tokens: &[Token<'_>]) -> Result<String, Diagnostic> {
        const UP: &[&str] = &["<", "<=", "=="];
        const DOWN: &[&str] = &[">", ">=", "=="];
        let is_sign =
            |token: &Token<'_>| UP.contains(&token.text) || DOWN.contains(&token.text) || token.text == "!=";
        let signs: Vec<usize> =
            at_top(tokens).filter(|(_, token)| is_sign(token)).map(|(at, _)| at).collect();
        let (&[first, .., last], true) = (signs.as_slice(), signs.len() > 1) else {
            return self.plain(tokens);
        };
        let goes = |signs_of: &[&str]| signs.iter().all(|&at| signs_of.contains(&tokens[at].text));
        if !goes(UP) && !goes(DOWN) {
            let span = tokens[first].span.join(tokens[last].span);
            return Err(Diagnostic::error(span, "comparisons in different directions in one chain"));
        }
        let mut parts = Vec::new();
        for (index, &at) in signs.iter().enumerate() {
            let from = if index == 0 { 0 } else { signs[index - 1] + 1 };
            let to = signs.get(index + 1).copied().unwrap_or(tokens.len());
            let (left, right) = (self.plain(&tokens[from..at])?, self.plain(&tokens[at + 1..to])?);
            parts.push(format!("{left} {} {right}", tokens[at].text));
        }
        Ok(format!("({})", parts.join(" && ")))
    }

    /// An expression without logical operators outside of brackets.
    fn plain(&self, tokens: &[Token<'_>]) -> Result<String, Diagnostic> {
        let mut text = String::new();
        let mut index = 0;
        while let Some(&token) = tokens.get(index) {
            if let Some(length) = bracketed(&tokens[index..]) {
                let close = tokens[index + length - 1];
                let inner = &tokens[index + 1..index + length - 1];
                text.push_str(&format!("{}{}{}", token.text, self.condition(inner)?, close.text));
                index += length;
                continue;
            }
            let previous = index.checked_sub(1).map(|before| tokens[before].text);
            let word = self.word(token, previous, tokens.get(index + 1).map(|next| next.text))?;
            if !text.is_empty() && !matches!(previous, Some("." | "->")) && !matches!(word, "." | "->") {
                text.push(' ');
            }
            text.push_str(word);
            index += 1;
        }
        Ok(text)
    }

    /// The C text of a token that is not a bracket.
    fn word<'t>(
        &self,
        token: Token<'t>,
        previous: Option<&str>,
        next: Option<&str>,
    ) -> Result<&'t str, Diagnostic> {
        let Token { text, span } = token;
        let is_word = text.starts_with(|first: char| first.is_alphabetic() || first == '_');
        Ok(match text {
            "\\null" => "((void *)0)",
            "\\true" => "1",
            "\\false" => "0",
            _ if text.starts_with('\\') || NOT_CONDITIONS.contains(&text) => {
                return Err(unsupported_token(token));
            }
            "(" | ")" | "[" | "]" => return Err(Diagnostic::error(span, format!("unmatched `{text}`"))),
            _ if !is_word || matches!(previous, Some("." | "->")) || TYPE_WORDS.contains(&text) => text,
            _ if next == Some("(") => return Err(unsupported_token(token)),
            _ if self.precondition.parameters.iter().any(|parameter| parameter.name == text) => text,
            "NULL" => "((void *)0)",
            _ => return Err(Diagnostic::error(span, format!("`{text}` is not a parameter"))),
        })
    }
}

fn unsupported(span: Span) -> Diagnostic {
    Diagnostic::error(span, "unsupported set of locations in an annotation")
        .with_help("supported: p, p + (0 .. e) and &p[0 .. e] for a pointer parameter p")
}

fn unsupported_token(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(
        token.span,
        format!("`{}` is not supported in a condition of an annotation", token.text),
    )
    .with_help("supported: C conditions over the parameters without side effects")
}

/// The tokens outside of brackets, with their indices.
fn at_top<'a, 't>(tokens: &'a [Token<'t>]) -> impl Iterator<Item = (usize, &'a Token<'t>)> {
    let mut depth = 0_usize;
    tokens.iter().enumerate().filter(move |(_, token)| match token.text {
        "(" | "[" => {
            depth += 1;
            false
        }
        ")" | "]" => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    })
}

/// Splits at an operator outside of brackets.
fn split<'a, 't>(tokens: &'a [Token<'t>], operator: &str) -> Vec<&'a [Token<'t>]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in at_top(tokens).filter(|(_, token)| token.text == operator) {
        parts.push(&tokens[start..at]);
        start = at + 1;
    }
    parts.push(&tokens[start..]);
    parts
}

/// The number of tokens up to the bracket that closes the first token, if that opens one.
fn bracketed(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then_some(index + 1);
        }
    }
    None
}

/// The tokens between parentheses around all tokens.
fn parenthesized<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a [Token<'t>]> {
    let is_all =
        tokens.first().is_some_and(|token| token.text == "(") && bracketed(tokens) == Some(tokens.len());
    is_all.then(|| &tokens[1..tokens.len() - 1])
}
