//! Built-in operations of the compiler.

/// A built-in operation of the compiler. Unless stated otherwise, *the type* of an operation is the
/// type of its node.
///
/// The library functions behind `__builtin_memcpy`, `__builtin_strlen`, `__builtin_abort`, … are
/// not listed here: such a call is an ordinary call of the [`Function`](super::Function) with the
/// plain name, declared on first use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `__builtin_expect(value, expected)`, `__builtin_expect_with_probability`: the first
    /// argument, of type `long`; all arguments are evaluated.
    Expect,
    /// `__builtin_*_overflow(a, b, &result)`: `a` and `b` are integers of any type, not promoted;
    /// the third argument is a pointer to an integer. Computes the exact result and stores it
    /// truncated to the pointed-to type; yields `_Bool`: whether the truncation changed the value.
    Overflow(OverflowOp),
    /// `__builtin_*_overflow_p(a, b, c)`: the same test for the type of `c`; nothing is stored. `c`
    /// is an integer of which only the type matters.
    OverflowCheck(OverflowOp),
    /// `__builtin_unreachable()`: undefined behavior if reached.
    Unreachable,
    /// `__builtin_trap()`: terminates the program abnormally.
    Trap,
    /// `__builtin_bswap16/32/64/128`: argument and result have the same unsigned type.
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
    /// `__builtin_ffs*`: `int`, 1 plus the index of the lowest set bit; 0 for 0.
    FindFirstSet,
    /// `__builtin_alloca(size)`: a pointer to new memory whose lifetime ends when the function
    /// returns. Further arguments (the alignment) are constants.
    Alloca,
    /// `__builtin_inf*`, `__builtin_huge_val*`: infinity of the type of the node.
    Infinity,
    /// `__builtin_nan*(string)`: a quiet NaN of the type of the node.
    NotANumber,
    /// `__builtin_isnan(x)`: `int`; the argument is floating and not converted. The same holds for
    /// the following ones.
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
    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: five `int`s and a
    /// floating value.
    Classify,
    /// `__builtin_isgreater(x, y)` and the other quiet comparisons: `int`; both arguments have the
    /// same floating type; no floating-point exception is raised.
    FloatCompare(FloatComparison),
    /// `__builtin_fabs*`, with the type of the node.
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
    /// `__builtin_return_address(n)`, `__builtin_frame_address(n)`: an unspecified pointer.
    FrameAddress,
    /// `__builtin_object_size(p, kind)` of unknown size. The type checker folds it to gcc's value
    /// for unknown sizes, without evaluating the argument, so this node is never created; it exists
    /// for completeness of the names.
    ObjectSize,
    /// `__builtin_prefetch(…)`: evaluates its arguments and has no other effect.
    Prefetch,
    /// An atomic operation, sequentially consistent.
    Atomic(AtomicOp),
    /// An operation on vectors or an x86 instruction.
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

/// Quiet floating comparisons.
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

/// Atomic operations on `*p`, where `p` is the first argument, a pointer to an integer or pointer
/// type `T`, or to any complete type if the operands are pointers as well. Memory orders are
/// evaluated and then ignored; constant memory orders do not appear among the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// `(p)`: `*p`.
    Load,
    /// `(p, result)`: `*result = *p`; `void`.
    LoadInto,
    /// `(p, value: T)`: `*p = value`; `void`.
    Store,
    /// `(p, value)`: `*p = *value`, where `value` is a pointer; `void`.
    StoreFrom,
    /// `(p, value: T)`: stores `value` and yields the old value.
    Exchange,
    /// `(p, value, result)`: `*result = *p; *p = *value`; `void`.
    ExchangeInto,
    /// `(p, value: T)`: stores the result of the operation and yields the old value. For pointers
    /// `value` counts bytes.
    FetchThen(FetchOp),
    /// `(p, value: T)`: stores the result of the operation and yields it.
    ThenFetch(FetchOp),
    /// `(p, expected: T, desired: T)`: stores `desired` if `*p == expected`; yields whether it did
    /// (`_Bool`).
    CompareAndSwap,
    /// Like [`CompareAndSwap`](Self::CompareAndSwap), but yields the old value.
    CompareAndSwapValue,
    /// `(p, expected, desired: T)`, where `expected` is a pointer: stores `desired` if
    /// `*p == *expected`, else assigns `*expected = *p`; yields whether it stored (`_Bool`).
    CompareExchange,
    /// Like [`CompareExchange`](Self::CompareExchange), but `desired` is a pointer to the value.
    CompareExchangeFrom,
    /// `(p)`: sets the byte `*p` to 1 and yields whether it was set before (`_Bool`).
    TestAndSet,
    /// `(p)`: sets `*p` to 0; `void`.
    Clear,
    /// `()`: a fence; `void`.
    Fence,
    /// `(size, pointer)`: the arguments are not evaluated; yields true.
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
