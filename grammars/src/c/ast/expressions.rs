//! Expressions.

use super::{CharId, ExprId, FloatId, Ident, InitId, IntegerId, Name, StmtId, StringId, TypeNameId};
use crate::source::Span;
use serde::{Deserialize, Serialize};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// Its text, without enclosing parentheses.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An identifier that is not a typedef name here (also `__func__` and builtins in the form of a
    /// function).
    Name(Name),
    /// An integer constant.
    Integer(IntegerId),
    /// A floating constant.
    Float(FloatId),
    /// A character constant.
    Char(CharId),
    /// A string literal.
    String(StringId),
    /// `_Generic(control, type: e, default: e)`
    Generic {
        /// Not evaluated.
        control: ExprId,
        /// The associations.
        associations: Box<[GenericAssociation]>,
    },
    /// `({ … })` (GNU); the statement is a [`StmtKind::Compound`](super::StmtKind::Compound).
    Statement(StmtId),
    /// `base[index]`
    Index {
        /// The operand before the brackets.
        base: ExprId,
        /// The operand between the brackets.
        index: ExprId,
    },
    /// `callee(arguments)`
    Call {
        /// The function.
        callee: ExprId,
        /// The arguments.
        arguments: Box<[ExprId]>,
    },
    /// `base.field` or `base->field`
    Member {
        /// The record or the pointer to it.
        base: ExprId,
        /// Which of the two.
        access: MemberAccess,
        /// The member.
        field: Ident,
    },
    /// `(type-name){ … }`
    CompoundLiteral {
        /// The type.
        type_name: TypeNameId,
        /// A braced list.
        init: InitId,
    },
    /// An operator with one operand, prefix or postfix.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: ExprId,
    },
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(type-name)`
    SizeofType(TypeNameId),
    /// `_Alignof e` (GNU)
    AlignofExpr(ExprId),
    /// `_Alignof(type-name)` or `__alignof__(type-name)`
    AlignofType(Alignment, TypeNameId),
    /// `(type-name) e`
    Cast {
        /// The type.
        type_name: TypeNameId,
        /// The operand.
        operand: ExprId,
    },
    /// An operator with two operands, `&&` and `||` included.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand: a spine of any length.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The value if the condition holds; absent in the GNU form `a ?: b`, whose value is then
        /// that of `a`.
        then: Option<ExprId>,
        /// The value otherwise.
        otherwise: ExprId,
    },
    /// `lhs = rhs`, `lhs += rhs`, …
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// The assigned expression. The grammar permits any; the type checker demands an lvalue.
        lhs: ExprId,
        /// The assigned value.
        rhs: ExprId,
    },
    /// `lhs, rhs`
    Comma {
        /// Evaluated first: a spine of any length.
        lhs: ExprId,
        /// The value.
        rhs: ExprId,
    },
    /// `&&label` (GNU)
    LabelAddress(Ident),
    /// `__builtin_va_arg(list, type-name)`
    VaArg {
        /// The `va_list`.
        list: ExprId,
        /// The type of the argument.
        type_name: TypeNameId,
    },
    /// `__builtin_convertvector(value, type-name)`
    ConvertVector {
        /// The vector.
        value: ExprId,
        /// The type of the result.
        type_name: TypeNameId,
    },
    /// `__builtin_offsetof(type-name, path)`
    Offsetof {
        /// The record.
        type_name: TypeNameId,
        /// The path; its first step is a field.
        path: Box<[OffsetofStep]>,
    },
    /// `__builtin_types_compatible_p(type-name, type-name)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(condition, then, otherwise)`
    Choose {
        /// A constant expression.
        condition: ExprId,
        /// The expression if the condition is not zero.
        then: ExprId,
        /// The expression if the condition is zero.
        otherwise: ExprId,
    },
}

/// One association of `_Generic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenericAssociation {
    /// The type; `None` for `default`.
    pub type_name: Option<TypeNameId>,
    /// The expression.
    pub value: ExprId,
}

/// One step of an `offsetof` path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OffsetofStep {
    /// `.field`
    Field(Ident),
    /// `[index]`
    Index(ExprId),
}

/// The operator of a member access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MemberAccess {
    /// `.`
    Dot,
    /// `->`
    Arrow,
}

/// The alignment of a type that an operator yields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Alignment {
    /// `_Alignof`: the least that the ABI demands of an object of the type.
    Least,
    /// `__alignof__` (GNU): the alignment that the compiler prefers.
    Preferred,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
    /// `&e`
    AddressOf,
    /// `*e`
    Dereference,
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    BitNot,
    /// `!e`
    Not,
    /// `__real__ e`
    Real,
    /// `__imag__ e`
    Imag,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}
