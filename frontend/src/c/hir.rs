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

use super::types::{RecordId, TypeId, TypeTable};
use grammars::c::ast::{Interner, Name, Qualifiers};
use grammars::source::Span;
use ir::entity::PrimaryMap;
use std::ops::Index;

ir::entity! {
    /// An expression, a value.
    ExprId, "e"
}
ir::entity! {
    /// A place in memory.
    PlaceId, "p"
}
ir::entity! {
    /// A statement.
    StmtId, "s"
}
ir::entity! {
    /// An initializer.
    InitId, "init"
}
ir::entity! {
    /// An object of automatic storage duration. Ids are unique in the program.
    LocalId, "local"
}
ir::entity! {
    /// An object of static storage duration.
    GlobalId, "global"
}
ir::entity! {
    /// A function, defined or only declared.
    FunctionId, "function"
}
ir::entity! {
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
    /// Its body, if it is defined here.
    pub body: Option<Body>,
    /// The first declaration, later the definition.
    pub span: Span,
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
    /// An element of an array place: at `index × size of the element` bytes from it, whether or not that is within
    /// the array.
    Index {
        /// A place of array type.
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
    /// A hidden object that holds a value of record, complex or `va_list` type, as in `f().x`. It is only read.
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
    /// Stores `value`, which has the type of the place, and yields what the place then holds (a bit-field may
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
        /// The new value, of the type of the place. In it [`ExprKind::Old`] is the value that the place held.
        value: ExprId,
        /// What the whole expression yields.
        result: ModifyResult,
    },
    /// The value that the place of the innermost enclosing [`ExprKind::Modify`] held, of the type of that place.
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
    /// The same representation under another type (qualifiers of nested types, compatible types, vectors of equal size).
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

/// Operations known to the compiler. "The type" of an operation is that of its node where not said otherwise.
///
/// The plain library functions behind `__builtin_memcpy`, `__builtin_strlen`, `__builtin_abort`, … are not here: these
/// are calls of a [`Function`] of the plain name, declared on first use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `__builtin_expect(value, expected)` and its like: the first argument, of type `long`; all are evaluated.
    Expect,
    /// `__builtin_*_overflow(a, b, &result)`: `a` and `b` integers of any type, not promoted; the third a pointer to an
    /// integer. Computes exactly, stores cut to the pointed-to type; `_Bool`: whether something was lost.
    Overflow(OverflowOp),
    /// `__builtin_*_overflow_p(a, b, c)`: the same for the type of `c`, nothing is stored. Arguments `a`, `b`,
    /// and `c`, which is an integer whose type counts, not its value.
    OverflowCheck(OverflowOp),
    /// `__builtin_unreachable()`: reaching it is undefined.
    Unreachable,
    /// `__builtin_trap()`: ends the program abnormally.
    Trap,
    /// `__builtin_bswap16/32/64/128`: argument and result of one unsigned type.
    ByteSwap,
    /// `__builtin_clz*`: `int`; undefined for 0.
    CountLeadingZeros,
    /// `__builtin_ctz*`: `int`; undefined for 0.
    CountTrailingZeros,
    /// `__builtin_clrsb*`: `int`, the number of redundant sign bits.
    CountRedundantSignBits,
    /// `__builtin_popcount*`: `int`
    PopulationCount,
    /// `__builtin_parity*`: `int`
    Parity,
    /// `__builtin_ffs*`: `int`, 1 plus the index of the lowest one, 0 for 0.
    FindFirstSet,
    /// `__builtin_alloca(size)`: a pointer to new memory that lives until the function returns. Further arguments
    /// (alignment) are constants.
    Alloca,
    /// `__builtin_inf*`, `__builtin_huge_val*`: of the node's type.
    Infinity,
    /// `__builtin_nan*(string)`: a quiet NaN of the node's type.
    NotANumber,
    /// `__builtin_isnan(x)`: `int`; the argument is floating, not converted. So for the following.
    IsNan,
    /// `__builtin_isinf(x)`
    IsInfinite,
    /// `__builtin_isinf_sign(x)`: -1, 0 or 1.
    IsInfiniteSign,
    /// `__builtin_isfinite(x)`, `__builtin_finite`
    IsFinite,
    /// `__builtin_isnormal(x)`
    IsNormal,
    /// `__builtin_signbit(x)`
    SignBit,
    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: five `int`s and a floating value.
    Classify,
    /// `__builtin_isgreater(x, y)` and its like: `int`; both of one floating type, no exception.
    FloatCompare(FloatComparison),
    /// `__builtin_fabs*`, of the node's type.
    FloatAbsolute,
    /// `__builtin_copysign*(x, y)`
    CopySign,
    /// `__builtin_complex(re, im)`
    MakeComplex,
    /// `__builtin_va_start(list, last)`: the first argument is the address of the list.
    VaStart,
    /// `__builtin_va_end(list)`: the address of the list.
    VaEnd,
    /// `__builtin_va_copy(to, from)`: the addresses of the lists.
    VaCopy,
    /// `__builtin_return_address(n)`, `__builtin_frame_address(n)`: some pointer.
    FrameAddress,
    /// `__builtin_object_size(p, kind)` where the size is not known: the argument is *not* evaluated and the node is
    /// never made; kept for completeness of names. The checker folds it to gcc's "unknown" answer.
    ObjectSize,
    /// `__builtin_prefetch(…)`: no effect beyond its arguments.
    Prefetch,
    /// An atomic operation; sequentially consistent.
    Atomic(AtomicOp),
}

/// The arithmetic of the overflow builtins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
}

/// Quiet comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatComparison {
    /// `isgreater`
    Greater,
    /// `isgreaterequal`
    GreaterEqual,
    /// `isless`
    Less,
    /// `islessequal`
    LessEqual,
    /// `islessgreater`
    LessGreater,
    /// `isunordered`
    Unordered,
}

/// Atomic operations on `*p`, where `p` is the first argument, a pointer to an integer or pointer type `T`.
/// Memory orders are evaluated and forgotten: they are not among the arguments if they are constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// `(p)`: `*p`.
    Load,
    /// `(p, result)`: `*result = *p`; `void`.
    LoadInto,
    /// `(p, value: T)`: `*p = value`; `void`.
    Store,
    /// `(p, value)`: `*p = *value`, the second a pointer; `void`.
    StoreFrom,
    /// `(p, value: T)`: stores, yields the old value.
    Exchange,
    /// `(p, value, result)`: `*result = *p; *p = *value`; `void`.
    ExchangeInto,
    /// `(p, value: T)`: stores the result of the operation, yields the old value. For pointers `value` counts bytes.
    FetchThen(FetchOp),
    /// `(p, value: T)`: stores the result of the operation and yields it.
    ThenFetch(FetchOp),
    /// `(p, expected: T, desired: T)`: if `*p == expected` stores `desired`; yields whether it did (`_Bool`).
    CompareAndSwap,
    /// As [`CompareAndSwap`](Self::CompareAndSwap), but yields the old value.
    CompareAndSwapValue,
    /// `(p, expected, desired: T)`: the second a pointer; if `*p == *expected` stores `desired`, else
    /// `*expected = *p`; `_Bool`.
    CompareExchange,
    /// As [`CompareExchange`](Self::CompareExchange), `desired` a pointer to the value.
    CompareExchangeFrom,
    /// `(p)`: sets `*p` (a byte) to 1, yields whether it was set (`_Bool`).
    TestAndSet,
    /// `(p)`: sets `*p` to 0; `void`.
    Clear,
    /// `()`: a fence; `void`.
    Fence,
    /// `(size, pointer)`: not evaluated; yields true.
    IsLockFree,
}

/// The read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FetchOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `~(a & b)`
    Nand,
}

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
    /// Bytes from the start of the object; for a bit-field as in [`Field`](super::types::Field).
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<super::types::BitRange>,
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
