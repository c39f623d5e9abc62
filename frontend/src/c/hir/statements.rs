//! Statements and initializers.

use super::{Bits, ExprId, InitId, LabelId, LocalId, PlaceId, StmtId};
use crate::c::types::{BitRange, TypeId};
use grammars::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind.
    pub kind: StmtKind,
    /// The source text.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression, evaluated for its effects.
    Expr(ExprId),
    /// Starts the lifetime of a local and initializes it. Without an initializer the contents
    /// become indeterminate *each time* execution reaches the declaration.
    Declare {
        /// The object.
        local: LocalId,
        /// The initial contents.
        initializer: Option<InitId>,
    },
    /// A scope: the lifetime of its locals ends with it.
    Block(Box<[StmtId]>),
    /// `if`
    If {
        /// The condition.
        condition: ExprId,
        /// The first branch.
        then: StmtId,
        /// The second branch (a spine, see the documentation of [`hir`](super)).
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`. The lifetime of the declarations in the first clause ends with the loop.
    For {
        /// The first clause.
        init: Box<[StmtId]>,
        /// The condition; `None` means true.
        condition: Option<ExprId>,
        /// The expression evaluated after the body and after `continue`.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`: jumps to a label in the body, or past the body.
    Switch {
        /// The controlling value, of promoted integer type.
        value: ExprId,
        /// The cases in source order; they do not overlap.
        cases: Box<[SwitchCase]>,
        /// The label of `default`.
        default: Option<LabelId>,
        /// The body.
        body: StmtId,
    },
    /// A jump target: a `goto` label, `case` or `default`. The labeled statement is the next
    /// statement.
    Label(LabelId),
    /// `goto label;`
    Goto(LabelId),
    /// `goto *address;` (GNU)
    GotoIndirect(ExprId),
    /// Exits the innermost loop or `switch`.
    Break,
    /// Continues with the step or the condition of the innermost loop.
    Continue,
    /// `return`. In a `void` function a value, if present, has type `void`. In other functions the
    /// value has the result type; if it is missing, the function returns an indeterminate value.
    Return(Option<ExprId>),
    /// `asm` with unknown effects.
    Asm(Box<Asm>),
    /// A construct that gcc accepts and the IR cannot represent, with the reason.
    Unsupported(Box<str>),
    /// A statement whose error was reported.
    Error,
}

/// A case of a `switch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchCase {
    /// The first value, in the type of the controlling value.
    pub low: Bits,
    /// The last value, in the same type; not less than `low` in the order of that type.
    pub high: Bits,
    /// The jump target.
    pub label: LabelId,
    /// The label in the source.
    pub span: Span,
}

/// An `asm` statement.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: Box<str>,
    /// The places written; a place with a `+` constraint is also read.
    pub outputs: Box<[PlaceId]>,
    /// The values read.
    pub inputs: Box<[ExprId]>,
    /// Whether `"memory"` is in the clobber list.
    pub clobbers_memory: bool,
    /// The possible targets of an `asm goto`.
    pub labels: Box<[LabelId]>,
    /// The value of each output without instructions.
    pub kept: Box<[AsmOutput]>,
}

/// The value of an output of an `asm` statement if the template has no instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsmOutput {
    /// It has its old value: `"+r"`.
    Old,
    /// It is in the register of this input: `"=r"` with an input `"0"`.
    Input(usize),
    /// It is indeterminate.
    Indeterminate,
}

/// The initial contents of an object. With [`Fill::Zero`], every byte is first set to zero; then
/// the entries are evaluated and stored in order. A later entry may overwrite an earlier one.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// The type of the object, with array lengths completed.
    pub ty: TypeId,
    /// The contents of parts without an entry.
    pub fill: Fill,
    /// The parts to store.
    pub entries: Box<[InitEntry]>,
    /// Values that later entries replace, also those without an entry. C leaves open whether they
    /// are evaluated (C11 6.7.9p19, footnote).
    pub overridden: Box<[ExprId]>,
    /// The source text.
    pub span: Span,
}

/// The contents of an object before the entries of its initializer are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Zeros.
    Zero,
    /// Irrelevant: one entry covers the whole object.
    Covered,
}

/// A part of an initializer.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// The offset from the start of the object in bytes; for a bit-field see
    /// [`Field`](crate::c::types::Field).
    pub offset: u64,
    /// The bit range of a bit-field.
    pub bits: Option<BitRange>,
    /// The type of the part.
    pub ty: TypeId,
    /// The value to store.
    pub value: InitValue,
    /// Repetition, for `[0 ... 9] = x`: the value is evaluated once and stored `count` times,
    /// `stride` bytes apart.
    pub repeat: Option<Repeat>,
    /// The source text.
    pub span: Span,
}

/// The repetition of an initialized part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// The number of copies, at least 2.
    pub count: u64,
    /// The distance between two copies, in bytes.
    pub stride: u64,
}

impl Repeat {
    /// The distance between the first copy and the last, in bytes.
    #[must_use]
    pub fn reach(self) -> u64 {
        (self.count - 1).saturating_mul(self.stride)
    }
}

/// The value of an initializer entry.
#[derive(Clone, Debug)]
pub enum InitValue {
    /// A value with the type of the entry.
    Expr(ExprId),
    /// The bytes of a string literal, at most as many as the array has elements; the remaining
    /// elements are zero.
    Bytes(Box<[u8]>),
}
