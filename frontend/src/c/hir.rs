//! The typed tree of a C program (HIR): the output of the type checker. Everything that C leaves
//! implicit is explicit here.
//!
//! # Shape
//!
//! Expressions, places, statements and initializers live in arenas of [`Program`] and are named by
//! typed indices: `program[id]` is the node. Children are created before their parents.
//!
//! *Values and places are distinct node types.* A [`Place`] denotes a piece of memory (a C lvalue,
//! or the hidden object of a record rvalue); an [`Expr`] is a value. [`ExprKind::Load`],
//! [`ExprKind::AddressOf`] and [`ExprKind::Decay`] turn places into values, [`PlaceKind::Deref`]
//! turns a value into a place.
//!
//! *Every conversion is an [`ExprKind::Cast`]*: promotions, the usual arithmetic conversions, and
//! the conversions of assignment, arguments and `return`. Hence both operands of
//! [`ExprKind::Binary`] have the type of the result (except for shifts, see [`BinaryOp::Shl`]),
//! both operands of [`ExprKind::Compare`] have one type, and the value of an assignment has the
//! type of its place. A *condition* (of `if`, loops, `?:`, `&&`, `||`, `!`) is any scalar value; it
//! holds if the value is nonzero.
//!
//! *A vector is a value*: operators work element by element. Both operands have the same vector
//! type; the type checker has already broadcast a scalar operand to a vector. Exception: the amount
//! of a shift may be one integer for all elements.
//!
//! *Compile-time constructs are already evaluated*: `sizeof`, `_Alignof`, `offsetof`, `_Generic`,
//! enumeration constants, `typeof`, `__builtin_choose_expr`, `__builtin_types_compatible_p`,
//! `__builtin_constant_p`, and constant expressions where C requires them.
//!
//! # Depth
//!
//! The depth of a tree is bounded by the depth of the syntax tree times a small factor. The
//! exceptions are the *spines*, which must be traversed with a loop: the left operand of
//! [`ExprKind::Binary`] and [`ExprKind::Compare`], directly or through a chain of
//! [`ExprKind::Cast`]s; the pointer of [`ExprKind::PointerOffset`]; and `otherwise` of
//! [`StmtKind::If`]. Commas and chains of `&&` or `||` are flat lists.
//!
//! # Errors and unsupported constructs
//!
//! The program is complete only if there was no error. [`ExprKind::Error`] stands for an expression
//! whose error was reported; [`StmtKind::Unsupported`] and [`ExprKind::Unsupported`] stand for
//! constructs that the IR cannot represent. If the diagnostics contain an error, the program must
//! not be lowered.

mod builtins;
mod contract;
mod statements;
mod vectors;

pub use self::builtins::*;
pub use self::contract::*;
pub use self::statements::*;
pub use self::vectors::*;

use super::types::{RecordId, TypeId, TypeTable};
use grammars::c::ast::{Interner, Name, Qualifiers};
use grammars::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Index;
use terms::entity::PrimaryMap;

terms::entity! {
    /// An expression, a value.
    ExprId, "e"
}
terms::entity! {
    /// A place in memory.
    PlaceId, "p"
}
terms::entity! {
    /// A statement.
    StmtId, "s"
}
terms::entity! {
    /// An initializer.
    InitId, "init"
}
terms::entity! {
    /// An object of automatic storage duration. Ids are unique in the program.
    LocalId, "local"
}
terms::entity! {
    /// An object of static storage duration.
    GlobalId, "global"
}
terms::entity! {
    /// A function, defined or only declared.
    FunctionId, "function"
}
terms::entity! {
    /// A target of `goto` or `switch`. Ids are unique in the program.
    LabelId, "label"
}

/// A type-checked translation unit.
#[derive(Clone, Debug)]
pub struct Program {
    /// The types, with the data model.
    pub types: TypeTable,
    /// The interned names.
    pub names: Interner,
    /// The objects of static storage duration, in order of first declaration.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The functions, in order of first declaration.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// The objects of automatic storage duration of all functions; see [`Body::locals`].
    pub locals: PrimaryMap<LocalId, Local>,
    /// The labels of all functions.
    pub labels: PrimaryMap<LabelId, Label>,
    /// The expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// The places.
    pub places: PrimaryMap<PlaceId, Place>,
    /// The statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// The initializers.
    pub inits: PrimaryMap<InitId, Initializer>,
    /// The explicit [casts](ExprKind::Cast) of the source; all other casts are implicit
    /// conversions.
    pub casts: FxHashSet<ExprId>,
    /// Constants whose value a conversion changed, mapped to the constant before the conversion.
    pub changed: FxHashMap<ExprId, ExprId>,
    /// The texts of `asm` at file scope.
    pub assembly: Vec<Box<str>>,
}

/// An object of static storage duration.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name; `None` for string and compound literals.
    pub name: Option<Name>,
    /// The origin of the object.
    pub kind: GlobalKind,
    /// The type; complete if the object is defined here.
    pub ty: TypeId,
    /// The qualifiers (for an array: of its elements).
    pub qualifiers: Qualifiers,
    /// The linkage.
    pub linkage: Linkage,
    /// The linker attributes.
    pub symbol: Symbol,
    /// Whether this unit defines the object.
    pub definition: Definition,
    /// The initial contents; `None` means zero if the object is [defined](Definition::Defined). All
    /// expressions in the initializer are constant.
    pub initializer: Option<InitId>,
    /// The alignment requested by `_Alignas` or `aligned`, if it exceeds that of the type.
    pub align: Option<u64>,
    /// Whether the object is declared `_Thread_local`.
    pub is_thread_local: bool,
    /// The size of the initialized flexible array member, in bytes; added to the size of the type.
    pub extra_size: u64,
    /// The declared name, or the literal.
    pub span: Span,
}

/// The origin of a static object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalKind {
    /// A declaration at file scope, or `extern` in a block.
    Variable,
    /// `static` in a function.
    StaticLocal(FunctionId),
    /// A string literal. Equal literals share one object.
    StringLiteral,
    /// A compound literal at file scope or in a static initializer.
    CompoundLiteral,
    /// `__func__`, `__FUNCTION__` or `__PRETTY_FUNCTION__`.
    FunctionName,
}

/// The linkage of a name (C11 6.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Visible in all units.
    External,
    /// Visible in this unit.
    Internal,
    /// Visible in one scope.
    None,
}

/// Whether a unit defines an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// Only declared (`extern`): the contents are unknown.
    Declared,
    /// Defined, possibly tentatively.
    Defined,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Name,
    /// The type.
    pub ty: TypeId,
    /// The linkage.
    pub linkage: Linkage,
    /// Whether the function is declared `_Noreturn` or `noreturn`.
    pub is_noreturn: bool,
    /// Whether the function is called without a declaration.
    pub is_implicit: bool,
    /// The linker attributes.
    pub symbol: Symbol,
    /// Whether a definition here is visible to other units.
    pub inlining: Inlining,
    /// Whether the function runs without being called.
    pub automatic: Automatic,
    /// The statements of its declarations about its arguments.
    pub contract: Contract,
    /// The body, if the function is defined here.
    pub body: Option<Body>,
    /// The definition if there is one, else the first declaration.
    pub span: Span,
}

/// Attributes of a name that affect linking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Symbol {
    /// Whether another definition takes precedence.
    pub strength: Strength,
    /// `alias("name")` or `weakref("name")`: the name refers to another symbol.
    pub alias: Option<Alias>,
    /// The name that `asm("label")` gives the symbol outside of C, if it differs from the name in C
    /// and the [`name`](Function::name) here is the one in C.
    pub assembler_name: Option<Name>,
    /// Whether the name here is the assembler name instead of the name in C: for what is only
    /// declared.
    pub is_renamed: bool,
    /// `ifunc("resolver")`: another function determines what is called.
    pub has_resolver: bool,
}

/// The precedence of a definition among others of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// At most one strong definition may exist.
    #[default]
    Strong,
    /// `weak`: a strong definition takes precedence; without any definition the address is null.
    Weak,
}

/// An alias of a function or an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The aliased name.
    pub target: Name,
    /// The position of the attribute.
    pub span: Span,
}

/// Whether other units see the definition of a function (C11 6.7.4p7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inlining {
    /// Determined by the linkage.
    #[default]
    External,
    /// An inline definition: every declaration at file scope has `inline` and none has `extern`, or
    /// the definition is `extern inline` with the attribute `gnu_inline`.
    InlineOnly,
}

/// Whether a function runs without being called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Automatic {
    /// Runs only when called.
    #[default]
    Never,
    /// `constructor`: runs before `main`, in ascending order of priority.
    Constructor(u32),
    /// `destructor`: runs after `main`, in descending order of priority.
    Destructor(u32),
}

/// The body of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters, in order, with their declared types.
    pub parameters: Box<[LocalId]>,
    /// The types in which the arguments arrive: the promoted types for an old-style definition,
    /// else the types of `parameters`. Where the two differ, the callee converts as if by
    /// assignment.
    pub passed: Box<[TypeId]>,
    /// All objects of the function, including parameters and hidden objects: a contiguous range.
    pub locals: std::ops::Range<u32>,
    /// The statements. Running off the end returns 0 in `main` and an indeterminate value
    /// elsewhere.
    pub stmts: Box<[StmtId]>,
    /// The position of the closing brace.
    pub end: Span,
}

/// An object of automatic storage duration.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name; `None` for hidden objects and unnamed parameters.
    pub name: Option<Name>,
    /// The origin of the object.
    pub kind: LocalKind,
    /// The type.
    pub ty: TypeId,
    /// The qualifiers (for an array: of its elements).
    pub qualifiers: Qualifiers,
    /// The alignment requested by `_Alignas` or `aligned`, if it exceeds that of the type.
    pub align: Option<u64>,
    /// Whether other code may observe the address: `&`, [`ExprKind::Decay`] or an `asm` is applied
    /// to the object or to a part of it. `a[i]` alone does not set this, because
    /// [`PlaceKind::Index`] takes the array as a place, without a `Decay`.
    pub is_address_taken: bool,
    /// The declared name, or the construct that needs the hidden object.
    pub span: Span,
}

/// The origin of an automatic object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// A parameter.
    Parameter,
    /// A declaration.
    Variable,
    /// A compound literal in a function; its lifetime is that of the enclosing block.
    CompoundLiteral,
    /// A temporary of the type checker (`a ?: b`, lengths of arrays); assigned before it is read.
    Hidden,
}

/// A target of jumps.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name; `None` for `case` and `default`.
    pub name: Option<Name>,
    /// Whether `&&label` occurs.
    pub is_address_taken: bool,
    /// The position of the label.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The type: never an array or a function.
    pub ty: TypeId,
    /// The source text.
    pub span: Span,
}

/// A place in memory.
#[derive(Clone, Debug)]
pub struct Place {
    /// The kind.
    pub kind: PlaceKind,
    /// The type of the object at the place.
    pub ty: TypeId,
    /// The qualifiers, including those inherited from the enclosing record.
    pub qualifiers: Qualifiers,
    /// The source text.
    pub span: Span,
}

/// The kinds of places.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// An automatic object.
    Local(LocalId),
    /// A static object.
    Global(GlobalId),
    /// The object that a pointer value points to.
    Deref(ExprId),
    /// A member of a record; see [`Field`](super::types::Field) for its offset and bits. A member
    /// of an anonymous record is reached in several steps.
    Field {
        /// A place of type `record`.
        base: PlaceId,
        /// The record.
        record: RecordId,
        /// The index in the record's fields.
        field: u32,
    },
    /// An element of an array or vector place, `index × size of the element` bytes from its start.
    /// The index may be out of bounds.
    Index {
        /// A place of array or vector type.
        array: PlaceId,
        /// The index, of type `ptrdiff_t`.
        index: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// The object of a compound literal. Evaluating the place runs the initializer and then denotes
    /// the local.
    CompoundLiteral {
        /// The object, of kind [`LocalKind::CompoundLiteral`].
        local: LocalId,
        /// The contents.
        initializer: InitId,
    },
    /// A hidden object that holds a value of record, vector, complex or `va_list` type, as in
    /// `f().x`. It is only read.
    Temporary(ExprId),
    /// An expression whose error was reported.
    Error,
}

/// The number of bytes by which an index is multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A constant: 1 for `void` and function types (GNU C); 0 is possible.
    Constant(u64),
    /// A value of type `size_t`, for elements of variable size.
    Variable(ExprId),
}

/// The bits of an integer constant: two's complement, zero-extended from the width of the
/// constant's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    low: u64,
    high: u64,
}

impl Bits {
    /// Makes a constant from its bits.
    #[must_use]
    pub fn new(bits: u128) -> Self {
        Self { low: bits as u64, high: (bits >> 64) as u64 }
    }

    /// The bits.
    #[must_use]
    pub fn get(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// Returns the low `width` bits as a signed number.
    #[must_use]
    pub fn signed(self, width: u32) -> i128 {
        let shift = 128 - width.clamp(1, 128);
        ((self.get() << shift) as i128) >> shift
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of integer, enumeration or pointer type (a null pointer, or an address written as
    /// a number).
    Integer(Bits),
    /// A real floating constant.
    Float(FloatConstant),
    /// The value stored at a place, of any object type except arrays.
    Load(PlaceId),
    /// The address of a place that is not a bit-field.
    AddressOf(PlaceId),
    /// The address of the first element of an array place, as a pointer to an element.
    Decay(PlaceId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `&&label` (GNU), of type `void *`.
    LabelAddress(LabelId),
    /// A conversion to the type of the node.
    Cast {
        /// The kind of the conversion.
        kind: CastKind,
        /// The converted value.
        operand: ExprId,
    },
    /// A unary operator; the operand has the type of the result.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// `!operand`: `int` 1 if the condition does not hold, else 0.
    Not(ExprId),
    /// An arithmetic operator; both operands have the type of the result, except for shifts.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand (a spine, see the module documentation).
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// A comparison, of type `int`. Both operands have the same type: real arithmetic, pointer, or
    /// complex for `Eq` and `Ne`. A comparison of vectors yields a vector of signed integers as
    /// wide as the elements: -1 where it holds, else 0.
    Compare {
        /// The operator.
        op: CompareOp,
        /// The left operand (a spine, see the module documentation).
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `pointer + index` or `pointer - index`, in units of `scale` bytes.
    PointerOffset {
        /// The pointer, of the type of the result.
        pointer: ExprId,
        /// Addition or subtraction.
        direction: Direction,
        /// The index, of type `ptrdiff_t`.
        index: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// `lhs - rhs` of pointers: the difference of the addresses divided by `scale`, of type
    /// `ptrdiff_t`.
    PointerDifference {
        /// A pointer.
        lhs: ExprId,
        /// A pointer.
        rhs: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// A chain of `&&` or of `||`: `int` 0 or 1, with short-circuit evaluation from the left.
    Logical {
        /// The operator.
        op: LogicalOp,
        /// The conditions, at least two.
        operands: Box<[ExprId]>,
    },
    /// `condition ? then : otherwise`, both of the type of the node.
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The value if the condition holds.
        then: ExprId,
        /// The value if the condition does not hold.
        otherwise: ExprId,
    },
    /// The comma operator, at least two operands: all but the last are evaluated for their effects;
    /// the last is the value.
    Comma(Box<[ExprId]>),
    /// Stores `value`, which has the declared type of the place, and yields the stored value
    /// (truncated if the place is a bit-field).
    Assign {
        /// The target.
        place: PlaceId,
        /// The value.
        value: ExprId,
    },
    /// A compound assignment, `++` or `--`: evaluates the place once, computes `value` and stores
    /// it.
    Modify {
        /// The place, evaluated once.
        place: PlaceId,
        /// The new value, of the declared type of the place. [`ExprKind::Old`] in it is the old
        /// value of the place.
        value: ExprId,
        /// The value of the whole expression.
        result: ModifyResult,
    },
    /// The old value of the place of the innermost enclosing [`ExprKind::Modify`], with the type of
    /// the stored value.
    Old,
    /// A call. Arguments are converted to the types of the parameters, or promoted.
    Call {
        /// The called function.
        callee: Callee,
        /// The arguments.
        arguments: Box<[ExprId]>,
    },
    /// A built-in operation of the compiler.
    Builtin {
        /// The operation.
        builtin: Builtin,
        /// The arguments, converted as documented at [`Builtin`].
        arguments: Box<[ExprId]>,
    },
    /// `__builtin_va_arg(list, T)`: the next argument, of the type of the node.
    VaArg(PlaceId),
    /// `({ … })` (GNU): a block whose last expression is the value.
    Statements {
        /// The statements.
        stmts: Box<[StmtId]>,
        /// The value, evaluated after the statements within their scope; `None` if the type of the
        /// node is `void`.
        value: Option<ExprId>,
    },
    /// A record, vector or union value built from parts (as by a GNU cast to a union type).
    Aggregate(InitId),
    /// A construct that gcc accepts and the IR cannot represent, with the reason. The value is
    /// unknown.
    Unsupported(Box<str>),
    /// An expression whose error was reported.
    Error,
}

/// A real floating constant as written, or the result of constant folding: infinity or NaN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatConstant {
    /// `1.5e3`, `0x1.8p1`, `inf` or `nan`, without sign and suffix.
    pub text: Box<str>,
}

/// The kind of a conversion. The source and target types are those of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Between integer (or enumeration) types: truncated, or extended according to the signedness
    /// of the *source*. The target is not `_Bool`.
    Integer,
    /// A scalar to `_Bool`: whether it is nonzero.
    ToBool,
    /// Integer to real floating type.
    IntegerToFloat,
    /// Real floating type to integer, rounded toward zero.
    FloatToInteger,
    /// Between real floating types.
    Float,
    /// Integer to pointer: truncated or extended to the width of an address.
    IntegerToPointer,
    /// Pointer to integer: truncated or zero-extended.
    PointerToInteger,
    /// Between pointer types; the address does not change.
    Pointer,
    /// A value to `void`: discarded.
    ToVoid,
    /// Real (of the part's type) to complex.
    RealToComplex,
    /// Complex to real (the real part, of the part's type).
    ComplexToReal,
    /// Between complex types.
    Complex,
    /// The same representation with another type (qualifiers of nested types, compatible types,
    /// vectors and integers of equal size).
    Same,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-e`
    Negate,
    /// `~e`; the conjugate of a complex operand.
    Complement,
    /// `__real__ e`; the operand is complex.
    Real,
    /// `__imag__ e`; the operand is complex.
    Imaginary,
}

/// Binary arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// `<<`: the right operand is promoted separately and keeps its own type; the result has the
    /// type of the left operand.
    Shl,
    /// `>>`: like `<<`; arithmetic if the left operand is signed.
    Shr,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// `&&` or `||`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// The direction of pointer arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `+`
    Forward,
    /// `-`
    Backward,
}

/// The value of an [`ExprKind::Modify`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModifyResult {
    /// The new value: compound assignment, `++x`.
    New,
    /// The old value: `x++`.
    Old,
}

/// The target of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A named function.
    Direct(FunctionId),
    /// A pointer to a function.
    Indirect(ExprId),
}

macro_rules! index {
    ($($id:ident => $field:ident : $node:ident;)*) => {
        $(
            impl Index<$id> for Program {
                type Output = $node;
                fn index(&self, id: $id) -> &$node {
                    &self.$field[id]
                }
            }
        )*
    };
}

index! {
    ExprId => exprs: Expr;
    PlaceId => places: Place;
    StmtId => stmts: Stmt;
    InitId => inits: Initializer;
    LocalId => locals: Local;
    GlobalId => globals: Global;
    FunctionId => functions: Function;
    LabelId => labels: Label;
}

impl Program {
    /// Returns the text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// Returns the function with this name, if it is declared.
    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let name = self.names.get(name)?;
        self.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }
}
