//! The typed tree of a C program ("HIR"): what the type checker makes of the syntax tree, with everything implicit
//! made explicit.
//!
//! # Shape
//!
//! Expressions, places, statements and initializers live in arenas of [`Program`] and are named by typed indices:
//! `program[id]` is the node. Children are made before their parents.
//!
//! *Values and places are different sorts of nodes.* A [`Place`] denotes a piece of memory (C's lvalue, also the
//! hidden object of a record rvalue); an [`Expr`] is a value. [`ExprKind::Load`], [`ExprKind::AddressOf`] and
//! [`ExprKind::Decay`] lead from places to values, [`PlaceKind::Deref`] leads back.
//!
//! *Every conversion is a [`ExprKind::Cast`]*: promotions, the usual arithmetic conversions, those of assignment,
//! arguments and `return`. So both operands of [`ExprKind::Binary`] have the type of the result (but see
//! [`BinaryOp::Shl`]), both of [`ExprKind::Compare`] have one type, and the value of an assignment has the type of
//! its place. A *condition* (of `if`, loops, `?:`, `&&`, `||`, `!`) is any scalar value and holds where it is not
//! zero.
//!
//! *A vector is a value*: operators work element by element, and both operands have one vector type, where the type
//! checker made a vector of a scalar operand; but the amount of a shift may be one integer for all elements.
//!
//! What can be known is gone: `sizeof`, `_Alignof`, `offsetof`, `_Generic`, enumeration constants, `typeof`,
//! `__builtin_choose_expr`, `__builtin_types_compatible_p`, `__builtin_constant_p`, constant expressions where C
//! demands them.
//!
//! # Depth
//!
//! The depth of a tree is bounded (as the syntax tree's is, times a small factor), except for the *spines*, which
//! must be walked in a loop: the left operand of [`ExprKind::Binary`] and [`ExprKind::Compare`], directly or
//! through one [`ExprKind::Cast`] after another, as well as the pointer of [`ExprKind::PointerOffset`]; and
//! [`StmtKind::If`]'s `otherwise`. Commas and chains of `&&` or `||` are flat lists.
//!
//! # What could not be checked
//!
//! The program is complete only if there was no error. [`ExprKind::Error`], [`StmtKind::Unsupported`] and
//! [`ExprKind::Unsupported`] stand for what was reported or cannot be represented; with an error in the diagnostics
//! the program must not be lowered.

mod builtins;
mod statements;
mod vectors;

pub use self::builtins::*;
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

/// A checked translation unit.
#[derive(Clone, Debug)]
pub struct Program {
    /// The types, which also know the data model.
    pub types: TypeTable,
    /// The text of all names.
    pub names: Interner,
    /// Objects of static storage duration, in order of first declaration.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions, in order of first declaration.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Objects of automatic storage duration of all functions; see [`Body::locals`].
    pub locals: PrimaryMap<LocalId, Local>,
    /// Labels of all functions.
    pub labels: PrimaryMap<LabelId, Label>,
    /// Expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// Places.
    pub places: PrimaryMap<PlaceId, Place>,
    /// Statements.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Initializers.
    pub inits: PrimaryMap<InitId, Initializer>,
    /// The [casts](ExprKind::Cast) that the source writes; all others are implicit conversions.
    pub casts: FxHashSet<ExprId>,
    /// Constants that a conversion made of a constant with another value, which they map to.
    pub changed: FxHashMap<ExprId, ExprId>,
}

/// An object of static storage duration.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `None` for string and compound literals.
    pub name: Option<Name>,
    /// What it comes from.
    pub kind: GlobalKind,
    /// Its type. Complete if the object is defined here.
    pub ty: TypeId,
    /// Its qualifiers (for an array: of its elements).
    pub qualifiers: Qualifiers,
    /// Whether other units see it.
    pub linkage: Linkage,
    /// What the linker is told about it.
    pub symbol: Symbol,
    /// Whether this unit defines it.
    pub definition: Definition,
    /// The initial contents; `None` means zero where the object is [defined](Definition::Defined). All
    /// expressions in it are constant.
    pub initializer: Option<InitId>,
    /// The alignment demanded by `_Alignas` or `aligned`, if more than the type's.
    pub align: Option<u64>,
    /// `_Thread_local`
    pub is_thread_local: bool,
    /// Bytes that the initializer of a flexible array member adds to the size of the type.
    pub extra_size: u64,
    /// The declared name, or the literal.
    pub span: Span,
}

/// Where a static object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalKind {
    /// A declaration at file scope, or `extern` in a block.
    Variable,
    /// `static` in a function.
    StaticLocal(FunctionId),
    /// A string literal. Equal literals are one object.
    StringLiteral,
    /// A compound literal at file scope or in a static initializer.
    CompoundLiteral,
    /// `__func__` and its like.
    FunctionName,
}

/// Visibility of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// All units.
    External,
    /// This unit.
    Internal,
    /// One scope.
    None,
}

/// Whether an object exists in this unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// Only declared (`extern`): its contents are unknown.
    Declared,
    /// Defined, perhaps tentatively.
    Defined,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Whether other units see it.
    pub linkage: Linkage,
    /// `noreturn`, `_Noreturn`
    pub is_noreturn: bool,
    /// Whether it was never declared but only called.
    pub is_implicit: bool,
    /// What the linker is told about it.
    pub symbol: Symbol,
    /// Whether a definition here serves this unit alone.
    pub inlining: Inlining,
    /// Whether it runs without being called.
    pub automatic: Automatic,
    /// Its body, if it is defined here.
    pub body: Option<Body>,
    /// The first declaration, later the definition.
    pub span: Span,
}

/// What attributes tell the linker about a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Symbol {
    /// Whether another definition goes before it.
    pub strength: Strength,
    /// `alias("name")`, `weakref("name")`: it stands for another name.
    pub alias: Option<Alias>,
    /// `asm("label")`: an object that has another name outside of C.
    pub has_assembler_name: bool,
}

/// How a definition competes with others of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// There may be no other strong one.
    #[default]
    Strong,
    /// `weak`: it yields to a strong one, and where there is none at all, the address is null.
    Weak,
}

/// Another name for a function or an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// What it stands for.
    pub target: Name,
    /// The attribute.
    pub span: Span,
}

/// Whether the definition of a function is seen by other units (C11 6.7.4p7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inlining {
    /// As its linkage says.
    #[default]
    External,
    /// An inline definition: every declaration at file scope says `inline` and none says `extern`, or the attribute
    /// `gnu_inline` goes with `extern inline`.
    InlineOnly,
}

/// Whether a function runs without being called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Automatic {
    /// Only calls run it.
    #[default]
    Never,
    /// `constructor`: before `main`, those with a lower priority first.
    Constructor(u32),
    /// `destructor`: after `main`, those with a higher priority first.
    Destructor(u32),
}

/// The body of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters, in order. Their types are those of the declaration of the parameter; in an old-style
    /// definition the caller passes the promoted type and the callee converts it
    /// (see [`Body::passed`]).
    pub parameters: Box<[LocalId]>,
    /// The types in which the arguments arrive: for an old-style definition the promoted types, else those of
    /// `parameters`. Where the two differ, the callee converts as if by assignment.
    pub passed: Box<[TypeId]>,
    /// All objects of the function, parameters and hidden ones included: a contiguous range.
    pub locals: std::ops::Range<u32>,
    /// The statements. Running off the end returns: 0 in `main`, else an indeterminate value.
    pub stmts: Box<[StmtId]>,
    /// The closing brace.
    pub end: Span,
}

/// An object of automatic storage duration.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; `None` if hidden or an unnamed parameter.
    pub name: Option<Name>,
    /// What it comes from.
    pub kind: LocalKind,
    /// Its type.
    pub ty: TypeId,
    /// Its qualifiers (for an array: of its elements).
    pub qualifiers: Qualifiers,
    /// The alignment demanded by `_Alignas` or `aligned`, if more than the type's.
    pub align: Option<u64>,
    /// Whether its address may be seen by other code: whether `&`, [`ExprKind::Decay`] or an `asm` is applied to it
    /// or a part of it. (`Decay` directly under [`PlaceKind::Index`]'s place form does not occur, so `a[i]` alone
    /// does not set it.)
    pub is_address_taken: bool,
    /// The declared name, or what it is made for.
    pub span: Span,
}

/// Where an automatic object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// A parameter.
    Parameter,
    /// A declaration.
    Variable,
    /// A compound literal in a function: lives as long as the enclosing block.
    CompoundLiteral,
    /// Made by the type checker (`a ?: b`, lengths of arrays); assigned before it is read.
    Hidden,
}

/// A target of jumps.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name; `None` for `case` and `default`.
    pub name: Option<Name>,
    /// Whether `&&label` occurs.
    pub is_address_taken: bool,
    /// Where it stands.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type: never an array or a function.
    pub ty: TypeId,
    /// The text it comes from.
    pub span: Span,
}

/// A place in memory.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of what lies there.
    pub ty: TypeId,
    /// Its qualifiers, with those inherited from the enclosing record.
    pub qualifiers: Qualifiers,
    /// The text it comes from.
    pub span: Span,
}

/// The kinds of places.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// An automatic object.
    Local(LocalId),
    /// A static object.
    Global(GlobalId),
    /// What a pointer value points to.
    Deref(ExprId),
    /// A member of a record; see [`Field`](super::types::Field) for its offset and bits. Members of anonymous records
    /// are reached in several steps.
    Field {
        /// A place of type `record`.
        base: PlaceId,
        /// The record.
        record: RecordId,
        /// The index in the record's fields.
        field: u32,
    },
    /// An element of an array or vector place: at `index × size of the element` bytes from it, whether or not that is within
    /// the array.
    Index {
        /// A place of array or vector type.
        array: PlaceId,
        /// The index, of type `ptrdiff_t`.
        index: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// The object of a compound literal. Evaluating the place runs the initializer and denotes the local.
    CompoundLiteral {
        /// The object, of kind [`LocalKind::CompoundLiteral`].
        local: LocalId,
        /// Its contents.
        initializer: InitId,
    },
    /// A hidden object that holds a value of record, vector, complex or `va_list` type, as in `f().x`. It is only read.
    Temporary(ExprId),
    /// What was reported.
    Error,
}

/// A number of bytes to multiply an index by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A constant (1 for `void` and functions, which GNU C allows; may be 0).
    Constant(u64),
    /// A value of type `size_t`, for elements of variable size.
    Variable(ExprId),
}

/// The bits of an integer constant: two's complement, zero-extended from the width of the constant's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    low: u64,
    high: u64,
}

impl Bits {
    /// From the bits.
    #[must_use]
    pub fn new(bits: u128) -> Self {
        Self { low: bits as u64, high: (bits >> 64) as u64 }
    }

    /// The bits.
    #[must_use]
    pub fn get(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// The bits read as a signed number of `width` bits.
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
    /// A constant of integer, enumeration or pointer type (a null pointer, or an address written as a number).
    Integer(Bits),
    /// A real floating constant.
    Float(FloatConstant),
    /// What lies at a place, of any object type but arrays.
    Load(PlaceId),
    /// The address of a place that is no bit-field.
    AddressOf(PlaceId),
    /// The address of the first element of an array place, as a pointer to an element.
    Decay(PlaceId),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `&&label` (GNU), of type `void *`.
    LabelAddress(LabelId),
    /// A conversion to the type of the node.
    Cast {
        /// Which one.
        kind: CastKind,
        /// What is converted.
        operand: ExprId,
    },
    /// An operator with one operand of the type of the result.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: ExprId,
    },
    /// `!operand`: `int` 1 if the condition does not hold, else 0.
    Not(ExprId),
    /// An arithmetic operator; both operands have the type of the result, except for shifts.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand: a spine.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// A comparison, of type `int`. Both operands have one type: real arithmetic, pointer, or for `Eq` and `Ne` complex.
    /// Of vectors the type is a vector of signed integers as wide as the elements: -1 where it holds, else 0.
    Compare {
        /// The operator.
        op: CompareOp,
        /// The left operand: a spine.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
    },
    /// `pointer + index` or `pointer - index`, in units of `scale` bytes.
    PointerOffset {
        /// The pointer, of the type of the result.
        pointer: ExprId,
        /// Whether to add or to subtract.
        direction: Direction,
        /// The index, of type `ptrdiff_t`.
        index: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// `lhs - rhs` of pointers: the difference of addresses divided by `scale`, of type `ptrdiff_t`.
    PointerDifference {
        /// A pointer.
        lhs: ExprId,
        /// A pointer.
        rhs: ExprId,
        /// The size of an element.
        scale: Scale,
    },
    /// A chain of `&&` or of `||`: `int` 0 or 1, evaluated from the left until decided.
    Logical {
        /// Which of the two.
        op: LogicalOp,
        /// Conditions, at least two.
        operands: Box<[ExprId]>,
    },
    /// `condition ? then : otherwise`, both of the type of the node.
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The value if it holds.
        then: ExprId,
        /// The value if it does not.
        otherwise: ExprId,
    },
    /// All but the last are evaluated for their effects; the last is the value. At least two.
    Comma(Box<[ExprId]>),
    /// Stores `value`, which has the declared type of the place, and yields what the place then holds (a bit-field may
    /// cut the value).
    Assign {
        /// Where to.
        place: PlaceId,
        /// What.
        value: ExprId,
    },
    /// A compound assignment, `++` or `--`: evaluates the place once, computes `value` and stores it.
    Modify {
        /// The place, evaluated once.
        place: PlaceId,
        /// The new value, of the declared type of the place. In it [`ExprKind::Old`] is the value that the place held.
        value: ExprId,
        /// What the whole expression yields.
        result: ModifyResult,
    },
    /// The value that the place of the innermost enclosing [`ExprKind::Modify`] held, of the type of its value.
    Old,
    /// A call. Arguments are converted to the parameters' types or promoted.
    Call {
        /// What is called.
        callee: Callee,
        /// The arguments.
        arguments: Box<[ExprId]>,
    },
    /// An operation known to the compiler.
    Builtin {
        /// Which.
        builtin: Builtin,
        /// Its arguments, converted as [`Builtin`] says.
        arguments: Box<[ExprId]>,
    },
    /// `__builtin_va_arg(list, T)`: the next argument, of the type of the node.
    VaArg(PlaceId),
    /// `({ … })` (GNU): a block whose last expression is the value.
    Statements {
        /// The statements.
        stmts: Box<[StmtId]>,
        /// The value, evaluated after them within their scope; none if the node's type is `void`.
        value: Option<ExprId>,
    },
    /// A record, vector or union value made from parts (GNU cast to a union type).
    Aggregate(InitId),
    /// Accepted by gcc but not representable here; the reason. Its value is not known.
    Unsupported(Box<str>),
    /// What was reported.
    Error,
}

/// A real floating constant as written, or a folded infinity or NaN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatConstant {
    /// `1.5e3`, `0x1.8p1`, `inf` or `nan`, without sign and suffix.
    pub text: Box<str>,
}

/// What a conversion does. Source and target types are those of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Between integer (or enumeration) types: cut, or extended by the signedness of the *source*. The target is not
    /// `_Bool`.
    Integer,
    /// A scalar to `_Bool`: whether it differs from zero.
    ToBool,
    /// Integer to real floating.
    IntegerToFloat,
    /// Real floating to integer, towards zero.
    FloatToInteger,
    /// Between real floating types.
    Float,
    /// Integer to pointer: cut or extended to the width of an address.
    IntegerToPointer,
    /// Pointer to integer: cut or zero-extended.
    PointerToInteger,
    /// Between pointer types, without change.
    Pointer,
    /// A value to `void`: forgotten.
    ToVoid,
    /// Real (of the part's type) to complex.
    RealToComplex,
    /// Complex to real (the real part, of the part's type).
    ComplexToReal,
    /// Between complex types.
    Complex,
    /// The same representation under another type (qualifiers of nested types, compatible types, vectors and integers of
    /// equal size).
    Same,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-e`
    Negate,
    /// `~e`; of a complex operand the conjugate.
    Complement,
    /// `__real__ e`; the operand is complex.
    Real,
    /// `__imag__ e`; the operand is complex.
    Imaginary,
}

/// Arithmetic operators.
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
    /// `<<`: the right operand is promoted on its own and has its own type; the result has that of the left.
    Shl,
    /// `>>`: as `<<`; arithmetic if the left operand is signed.
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

/// Which way a pointer moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `+`
    Forward,
    /// `-`
    Backward,
}

/// What a [`ExprKind::Modify`] yields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModifyResult {
    /// What the place holds after: compound assignment, `++x`.
    New,
    /// What it held before: `x++`.
    Old,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by its name.
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
    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The function with this name, if it is declared.
    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let name = self.names.get(name)?;
        self.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }
}
