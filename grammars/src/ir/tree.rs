//! The syntax tree of the text form.
//!
//! Entities are plain numbers here. `at` fields are spans in the text; `span` fields are the spans
//! in the source program that the text states.

use super::token::LexicalError;
use crate::source::Span;

/// A parsed text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// In order.
    pub items: Vec<Item>,
    /// All terms; children and `let` bindings precede the terms that contain them.
    pub terms: Vec<TermNode>,
}

/// A position in [`Tree::terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// A node of a term.
#[derive(Clone, Debug)]
pub struct TermNode {
    /// Where the node is.
    pub at: Span,
    /// The kind.
    pub kind: TermKind,
}

/// Kinds of nodes.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `v7`
    Value(u32),
    /// `true`, `false`
    Truth(Truth),
    /// `#x2a`, `#b101`, with the prefix
    Bits(String),
    /// `(_ bv42 8)`: the symbol and the width
    Decimal(String, u32),
    /// `RNE`
    RoundingMode(String),
    /// `?0`
    Bound(u32),
    /// `(bvadd v1 v2)`, `((_ extract 7 0) v1)`
    Apply {
        /// The operator.
        operator: String,
        /// Its indices.
        indices: Vec<u32>,
        /// Its arguments.
        arguments: Vec<TermId>,
    },
    /// `(?0 term)` of a `let`
    Binding(u32, TermId),
    /// `(let (…) body)`
    Let(TermId),
}

/// A Boolean constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// `true`
    True,
    /// `false`
    False,
}

/// A term: its root, and the first node that belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The first node.
    pub first: TermId,
    /// The last node.
    pub root: TermId,
}

/// A name with its position: `v7`.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The number.
    pub number: u32,
    /// Where it is.
    pub at: Span,
}

/// A type.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// `ptr`
    Pointer,
    /// `i32`
    Signed(u32),
    /// `u32`
    Unsigned(u32),
}

/// A top-level item.
#[derive(Clone, Debug)]
pub struct Item {
    /// Where it is.
    pub at: Span,
    /// The kind.
    pub kind: ItemKind,
}

/// Kinds of items.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are those of the `program` package's types")]
pub enum ItemKind {
    Machine {
        width: u32,
        slot_bits: Option<u32>,
        /// Whether blocks may end.
        frees: bool,
    },
    Shadow {
        part: String,
        region: Name,
    },
    Entry(Name),
    Region {
        name: Name,
        text: String,
        kind: RegionKind,
    },
    Object {
        name: Name,
        text: String,
        size: u64,
        align: u64,
        owner: Option<Name>,
        regions: Vec<Name>,
        span: Option<Span>,
    },
    Property {
        name: Name,
        kind: Word,
        text: String,
        span: Option<Span>,
    },
    Unsupported {
        name: Name,
        text: String,
        span: Option<Span>,
    },
    Function(Function),
}

/// The contents of a region.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum RegionKind {
    Bytes,
    Scalar(Type),
    Cells(Type),
}

/// A keyword that the `program` package interprets.
#[derive(Clone, Debug)]
pub struct Word {
    /// The keyword.
    pub text: String,
    /// Where it is.
    pub at: Span,
}

/// Whether more arguments may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variadic {
    /// `...`
    Yes,
    /// Not.
    No,
}

/// The parameters between the parentheses of a function or a function type.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Types of the parameters.
    pub parameters: Vec<Type>,
    /// Whether there is a `...`.
    pub variadic: Variadic,
    /// The type of the result.
    pub result: Option<Type>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// `f7`
    pub name: Name,
    /// The source name.
    pub text: String,
    /// Parameters and result.
    pub signature: Signature,
    /// The source span.
    pub span: Option<Span>,
    /// The body, unless the function is only declared.
    pub body: Option<Body>,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// The entry block if it is not `b0`.
    pub entry: Option<Name>,
    /// Values without a definition.
    pub unused: Vec<ValueDeclaration>,
    /// The blocks in order.
    pub blocks: Vec<Block>,
}

/// `v7: i32 "x" @3..7`
#[derive(Clone, Debug)]
pub struct ValueDeclaration {
    /// `v7`
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// The source variable.
    pub text: Option<String>,
    /// The source span.
    pub span: Option<Span>,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// `b7`
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<ValueDeclaration>,
    /// The label in the source.
    pub label: Option<String>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Where the terminator is.
    pub terminator_at: Span,
    /// The terminator.
    pub terminator: Terminator,
    /// The terminator's source span.
    pub span: Option<Span>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Where it is.
    pub at: Span,
    /// The defined value.
    pub result: Option<ValueDeclaration>,
    /// The kind.
    pub kind: InstructionKind,
    /// The source span.
    pub span: Option<Span>,
}

/// Kinds of instructions.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum InstructionKind {
    Pure(Term),
    Havoc(HavocSource),
    AddressOf(Name),
    FunctionAddress(Name),
    Load { region: Name, address: Option<Term> },
    Store { region: Name, address: Option<Term>, ty: Type, value: Term, place: Option<String> },
    Forget { region: Name, object: Name },
    Allocate { parts: Vec<Part>, size: Term, align: Option<u64>, contents: Contents },
    Call { callee: Callee, arguments: Vec<Term> },
}

/// A region that holds bytes of an object; all of them if it lists none.
#[derive(Clone, Debug)]
pub struct Part {
    /// The region.
    pub region: Name,
    /// First offsets and ends.
    pub stretches: Vec<(u64, u64)>,
    /// The distance after which the stretches repeat.
    pub period: Option<u64>,
}

/// The source of a nondeterministic value.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum HavocSource {
    Input(String),
    Uninitialized,
    External(String),
    Approximation(String),
}

/// The contents of new memory.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum Contents {
    Zero,
    Unknown,
}

/// The target of a call.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum Callee {
    Direct(Name),
    Indirect(Term, Signature),
}

/// `b7(v1, v2)`
#[derive(Clone, Debug)]
pub struct Edge {
    /// `b7`
    pub target: Name,
    /// The arguments.
    pub arguments: Vec<Term>,
}

/// Terminators.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum Terminator {
    Goto(Edge),
    Branch { condition: Term, then: Edge, otherwise: Edge },
    Switch { scrutinee: Term, cases: Vec<SwitchCase>, default: Edge },
    Return(Option<Term>),
    Error(Name),
    Stop(StopReason),
    Unsupported(Name),
}

/// A case of a switch.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The order in which the ranges are compared.
    pub signedness: Signedness,
    /// Inclusive ranges.
    pub ranges: Vec<(Term, Term)>,
    /// Where it leads.
    pub edge: Edge,
}

/// The interpretation of integers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum Signedness {
    Signed,
    Unsigned,
}

/// Why execution stops.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are those of the `program` package")]
pub enum StopReason {
    Assume,
    Exit,
    Unreachable,
}

/// Collects terms while parsing.
#[derive(Default)]
pub struct Builder {
    terms: Vec<TermNode>,
    /// The first node of the current term.
    first: u32,
}

impl Builder {
    /// Adds a node; its children must already be present.
    pub fn node(&mut self, lo: u32, hi: u32, kind: TermKind) -> TermId {
        let id = TermId(self.terms.len() as u32);
        self.terms.push(TermNode { at: Span::new(lo, hi), kind });
        id
    }

    /// Ends the term with this root.
    pub fn term(&mut self, root: TermId) -> Term {
        let first = TermId(self.first);
        self.first = self.terms.len() as u32;
        Term { first, root }
    }

    /// The tree.
    pub fn finish(self, items: Vec<Item>) -> Tree {
        Tree { items, terms: self.terms }
    }
}

/// A number, perhaps after a prefix of `skip` bytes.
pub(super) fn number<T: std::str::FromStr>(lo: u32, text: &str, skip: usize) -> Result<T, LexicalError> {
    text[skip..].parse().map_err(|_| LexicalError {
        span: Span::new(lo, lo + text.len() as u32),
        message: "this number is too large".to_owned(),
    })
}

/// `v7`
pub(super) fn name(lo: u32, text: &str) -> Result<Name, LexicalError> {
    Ok(Name { number: number(lo, text, 1)?, at: Span::new(lo, lo + text.len() as u32) })
}

/// `@3..7`, `@none`
pub(super) fn span(lo: u32, text: &str) -> Result<Span, LexicalError> {
    let Some((from, to)) = text[1..].split_once("..") else { return Ok(Span::NONE) };
    let (from, to) = (number(lo, from, 0)?, number(lo, to, 0)?);
    if from > to {
        return Err(LexicalError {
            span: Span::new(lo, lo + text.len() as u32),
            message: "this span ends before it starts".to_owned(),
        });
    }
    Ok(Span::new(from, to))
}

/// The contents of a string in quotes: `\"`, `\\`, `\n`, `\t`, `\r` and `\u{2a}`.
pub(super) fn unquote(lo: u32, text: &str) -> Result<String, LexicalError> {
    let bad = || LexicalError {
        span: Span::new(lo, lo + text.len() as u32),
        message: "unknown escape sequence in a string".to_owned(),
    };
    let mut result = String::new();
    let mut rest = text[1..text.len() - 1].chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        result.push(match rest.next().ok_or_else(bad)? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            quoted @ ('"' | '\\') => quoted,
            'u' => {
                let tail = rest.as_str();
                let (digits, after) =
                    tail.strip_prefix('{').and_then(|tail| tail.split_once('}')).ok_or_else(bad)?;
                rest = after.chars();
                u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(bad)?
            }
            _ => return Err(bad()),
        });
    }
    Ok(result)
}
