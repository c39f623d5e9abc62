//! Operations known to the compiler.

/// Operations known to the compiler. "The type" of an operation is that of its node where not said otherwise.
///
/// The plain library functions behind `__builtin_memcpy`, `__builtin_strlen`, `__builtin_abort`, … are not here: these
/// are calls of a [`Function`](super::Function) of the plain name, declared on first use.
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
    /// An operation on vectors or an instruction of x86.
    Vector(super::VectorOp),
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
