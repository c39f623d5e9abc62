//! Statements and initializers.

use super::{Bits, ExprId, InitId, LabelId, LocalId, PlaceId, StmtId};
use crate::c::types::{BitRange, TypeId};
use grammars::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The text it comes from.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression for its effects.
    Expr(ExprId),
    /// Begins the life of a local and initializes it. Without initializer its contents are indeterminate *each time*
    /// this is reached.
    Declare {
        /// The object.
        local: LocalId,
        /// Its initial contents.
        initializer: Option<InitId>,
    },
    /// A scope: its locals die at the end.
    Block(Box<[StmtId]>),
    /// `if`
    If {
        /// The condition.
        condition: ExprId,
        /// The first branch.
        then: StmtId,
        /// The second branch: a spine.
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
    /// `for`. Declarations of the first clause live until the loop ends.
    For {
        /// What runs first.
        init: Box<[StmtId]>,
        /// The condition; none means true.
        condition: Option<ExprId>,
        /// What runs after the body and after `continue`.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`. Jumps to a label in the body, or past it.
    Switch {
        /// The value, of promoted integer type.
        value: ExprId,
        /// The cases in source order; no two overlap.
        cases: Box<[SwitchCase]>,
        /// The label of `default`.
        default: Option<LabelId>,
        /// The body.
        body: StmtId,
    },
    /// A place to jump to: a `goto` label, `case` or `default`. What follows it is the next statement.
    Label(LabelId),
    /// `goto label;`
    Goto(LabelId),
    /// `goto *address;` (GNU)
    GotoIndirect(ExprId),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Goes to the step or condition of the innermost loop.
    Continue,
    /// `return`. In a `void` function a value, if there is one, is of type `void`; elsewhere it has the result
    /// type, or is missing, which is an indeterminate value.
    Return(Option<ExprId>),
    /// `asm`: its effects are unknown.
    Asm(Box<Asm>),
    /// Accepted by gcc but not representable here; the reason.
    Unsupported(Box<str>),
    /// What was reported.
    Error,
}

/// A case of a `switch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchCase {
    /// The first value, in the type of the switched value.
    pub low: Bits,
    /// The last value, in that type and its order at least `low`.
    pub high: Bits,
    /// Where to go.
    pub label: LabelId,
    /// The label in the source.
    pub span: Span,
}

/// An `asm` statement.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: Box<str>,
    /// Written places (also read, with a `+` constraint).
    pub outputs: Box<[PlaceId]>,
    /// Values read.
    pub inputs: Box<[ExprId]>,
    /// Whether `"memory"` is clobbered.
    pub clobbers_memory: bool,
    /// Where an `asm goto` may jump to.
    pub labels: Box<[LabelId]>,
}

/// The contents of an object: first, if [`Fill::Zero`], every byte becomes zero; then the entries are evaluated and
/// stored in order (a later one may overwrite an earlier one).
#[derive(Clone, Debug)]
pub struct Initializer {
    /// The type of the object, array lengths completed.
    pub ty: TypeId,
    /// What lies where no entry is.
    pub fill: Fill,
    /// What to store.
    pub entries: Box<[InitEntry]>,
    /// The text it comes from.
    pub span: Span,
}

/// What lies in an object before the entries of its initializer are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Zeros.
    Zero,
    /// It does not matter: one entry covers the whole object.
    Covered,
}

/// A part of an initializer.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Bytes from the start of the object; for a bit-field as in [`Field`](crate::c::types::Field).
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<BitRange>,
    /// The type of the part.
    pub ty: TypeId,
    /// What to store there.
    pub value: InitValue,
    /// The value is evaluated once and stored `count` times, `stride` bytes apart; for `[0 ... 9] = x`.
    pub repeat: Option<Repeat>,
    /// The text it comes from.
    pub span: Span,
}

/// Copies of an initialized part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// How many in all, at least 2.
    pub count: u64,
    /// Bytes from one to the next.
    pub stride: u64,
}

/// What an initializer stores.
#[derive(Clone, Debug)]
pub enum InitValue {
    /// A value of the type of the entry.
    Expr(ExprId),
    /// Bytes of a string literal, at most as many as the part (an array) has; what is left of it is zero.
    Bytes(Box<[u8]>),
}
