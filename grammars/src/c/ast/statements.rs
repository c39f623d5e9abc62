//! Statements and `asm`.

use super::{AsmId, AttributeId, DeclId, ExprId, Ident, StaticAssertId, StmtId, StringId};
use crate::source::Span;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
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
        /// The body, in which the labels are.
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
        /// What runs first.
        init: ForInit,
        /// The condition; absent means true.
        condition: Option<ExprId>,
        /// What runs after the body.
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
        /// What follows; [`StmtKind::Empty`] where a label ends a block or precedes a declaration.
        body: StmtId,
    },
    /// `case low: body`, `case low ... high: body` (GNU)
    Case {
        /// The constant, or the lower bound.
        low: ExprId,
        /// The upper bound of a range, included.
        high: Option<ExprId>,
        /// What follows.
        body: StmtId,
    },
    /// `default: body`
    Default {
        /// What follows.
        body: StmtId,
    },
    /// `asm …;`
    Asm(AsmId),
    /// `__attribute__((fallthrough));`
    Attributes(Box<[AttributeId]>),
    /// What did not parse and was reported.
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
    /// Nothing.
    Empty,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Declaration(DeclId),
}

/// An `asm` statement or declaration.
#[derive(Clone, Debug)]
pub struct Asm {
    /// Whether it is qualified by `volatile` (or is basic, which implies it).
    pub is_volatile: bool,
    /// Whether it is qualified by `goto`.
    pub is_goto: bool,
    /// The template.
    pub template: StringId,
    /// What it writes.
    pub outputs: Box<[AsmOperand]>,
    /// What it reads.
    pub inputs: Box<[AsmOperand]>,
    /// What else it changes.
    pub clobbers: Box<[StringId]>,
    /// Where an `asm goto` may jump to.
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
