//! Statements and `asm`.

use super::{AsmId, AttributeId, DeclId, ExprId, Ident, StaticAssertId, StmtId, StringId};
use crate::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Compound(Box<[BlockItem]>),
    /// `e;`
    Expr(ExprId),
    /// `;`
    Empty,
    /// `if (condition) then else otherwise`
    If {
        /// The condition.
        condition: ExprId,
        /// The first branch.
        then: StmtId,
        /// The second branch. An `else if` chain may be of any length: walk it in a loop.
        otherwise: Option<StmtId>,
    },
    /// `switch (value) body`
    Switch {
        /// The controlling expression.
        value: ExprId,
        /// The body, which contains the labels.
        body: StmtId,
    },
    /// `while (condition) body`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do body while (condition);`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for (init; condition; step) body`
    For {
        /// The first clause.
        init: ForInit,
        /// The condition; if absent, it is true.
        condition: Option<ExprId>,
        /// The expression evaluated after each iteration.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `goto label;`
    Goto(Ident),
    /// `goto *target;` (GNU)
    GotoIndirect(ExprId),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<ExprId>),
    /// `label: body`
    Labeled {
        /// The label.
        label: Ident,
        /// Attributes after the colon.
        attributes: Box<[AttributeId]>,
        /// The labeled statement; [`StmtKind::Empty`] if the label ends a block or precedes a
        /// declaration.
        body: StmtId,
    },
    /// `case low: body`, `case low ... high: body` (GNU)
    Case {
        /// The constant, or the lower bound.
        low: ExprId,
        /// The upper bound of a range, included.
        high: Option<ExprId>,
        /// The labeled statement.
        body: StmtId,
    },
    /// `default: body`
    Default {
        /// The labeled statement.
        body: StmtId,
    },
    /// `asm …;`
    Asm(AsmId),
    /// `__attribute__((fallthrough));`
    Attributes(Box<[AttributeId]>),
    /// A statement that did not parse; its error was reported.
    Error,
}

/// An entry of a compound statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(DeclId),
    /// A statement.
    Statement(StmtId),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssertId),
    /// One name of `__label__ a, b;` (GNU)
    LocalLabel(Ident),
}

/// The first clause of a `for`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForInit {
    /// No clause.
    Empty,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Declaration(DeclId),
}

/// An `asm` statement or declaration.
#[derive(Clone, Debug)]
pub struct Asm {
    /// Whether it is qualified by `volatile`, which a basic `asm` implies.
    pub is_volatile: bool,
    /// Whether it is qualified by `goto`.
    pub is_goto: bool,
    /// The template.
    pub template: StringId,
    /// The operands written by the statement.
    pub outputs: Box<[AsmOperand]>,
    /// The operands read by the statement.
    pub inputs: Box<[AsmOperand]>,
    /// The other registers and memory that it changes.
    pub clobbers: Box<[StringId]>,
    /// The possible targets of an `asm goto`.
    pub labels: Box<[Ident]>,
    /// The whole statement.
    pub span: Span,
}

/// `[name] "constraint" (expression)`
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand {
    /// The symbolic name.
    pub name: Option<Ident>,
    /// The constraint.
    pub constraint: StringId,
    /// The operand.
    pub value: ExprId,
}
