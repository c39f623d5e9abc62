//! Vector operations without a C operator.

/// A vector operation, or an x86 instruction on integers.
///
/// The vectors have the types of the argument nodes; the signedness is that of the elements. The
/// type checker converts the arguments to the types that determine the operation; the node has the
/// type of the result before the conversion to the declared result type of the built-in function. A
/// *block* is a group of 128 bits (64 bits in a vector of 64 bits): instructions on longer vectors
/// apply the 128-bit operation to each block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorOp {
    /// `__builtin_shuffle(a, mask)`, `(a, b, mask)`: elements of `a` and `b`, selected by index
    /// modulo their number.
    Shuffle,
    /// `__builtin_shufflevector(a, b, i, …)`: elements of `a` and `b`, selected by constant index.
    Permute,
    /// The conversion of C, element by element, of the first elements of the operand, as many as
    /// the result has. Further elements of the result are zero.
    Convert,
    /// `(a, b)`: the sum, saturated to the range of the elements.
    AddSaturating,
    /// `(a, b)`: the difference, saturated to the range of the elements.
    SubtractSaturating,
    /// `(a, b)`: the upper half of the product.
    MultiplyHigh,
    /// `(a, b)`: the product of 16-bit numbers, rounded, bits 15 to 30.
    MultiplyHighRounded,
    /// `(a, b)`: the products of the even-numbered elements, in twice the width.
    MultiplyEven,
    /// `(a, b)`: the sums of two neighboring products, in twice the width.
    MultiplyAdd(Excess),
    /// `(a, b)`: the minimum.
    Minimum,
    /// `(a, b)`: the maximum.
    Maximum,
    /// `(a, b)`: the average of unsigned numbers, rounded up.
    Average,
    /// `(a, b)`: `a`, `-a` or 0 if `b` is positive, negative or 0.
    Sign,
    /// `(a)`: the absolute value; the least number is unchanged.
    Absolute,
    /// `(a, b)`: `~a & b`, for elements of any type.
    AndNot,
    /// `(a, b)`: `a & b`, for elements of any type.
    And,
    /// `(a, b)`: `a | b`, for elements of any type.
    Or,
    /// `(a, b)`: `a ^ b`, for elements of any type.
    ExclusiveOr,
    /// `(a, b)`: the sum of the absolute differences of each group of eight bytes, in 64 bits.
    SumAbsoluteDifferences,
    /// `(a, b)`, per block: the sums of neighbors in `a`, then in `b`.
    HorizontalAdd(Excess),
    /// `(a, b)`, per block: the differences of neighbors in `a`, then in `b`.
    HorizontalSubtract(Excess),
    /// `(a, b)`, per block: the elements of `a`, then those of `b`, saturated to the range of half
    /// their width.
    Pack,
    /// `(a, b)`, per block: the lower halves of `a` and `b`, interleaved.
    UnpackLow,
    /// `(a, b)`, per block: the upper halves of `a` and `b`, interleaved.
    UnpackHigh,
    /// `(a, count)`: shifts all elements by one count, a number or the first 64 bits of a vector. A
    /// count of at least the width gives 0.
    ShiftLeft,
    /// Like `ShiftLeft`, to the right. A count of at least the width gives 0, for signed elements
    /// copies of the sign bit.
    ShiftRight,
    /// `(a, counts)`: shifts each element by its own count. A count of at least the width gives 0.
    ShiftLeftEach,
    /// Like `ShiftLeftEach`, to the right. A count of at least the width gives 0, for signed
    /// elements copies of the sign bit.
    ShiftRightEach,
    /// `(a, bits)`, per block: shifts whole bytes toward the upper end.
    BytesUp,
    /// `(a, bits)`, per block: shifts whole bytes toward the lower end.
    BytesDown,
    /// `(a, b, bits)`, per block: the concatenation of `a` (upper) and `b`, shifted toward the
    /// lower end.
    Align,
    /// `(a, order)`, per four elements: elements selected by pairs of bits of `order`.
    ShuffleFour,
    /// `(a, order)`, per block: `ShuffleFour` on the lower four of eight elements.
    ShuffleLow,
    /// `(a, order)`, per block: `ShuffleFour` on the upper four of eight elements.
    ShuffleHigh,
    /// `(a, b, order)`, per block: half of the elements from `a`, half from `b`, selected by the
    /// bits of `order`.
    ShuffleTwo,
    /// `(a, order)`, per block: bytes selected by index; 0 if the upper bit of the index is set.
    ShuffleBytes,
    /// `(a, b, mask)`: the element of `b` if its bit of the constant mask is set, else the element
    /// of `a`.
    Blend,
    /// `(a, b, mask)`: the element of `b` if the upper bit of the mask element is set, else the
    /// element of `a`.
    BlendSign,
    /// `(a)`: the upper bits of the elements, as a number.
    MoveMask,
    /// `(a, index)`: the element at the index modulo their number.
    Element,
    /// `(a, value, index)`: `a` with the element at the index modulo their number replaced.
    Insert,
    /// `(x, …)`: a vector of the elements.
    Make,
    /// `(a, b)`: the first element of `b`, the other elements of `a`.
    First,
    /// `(a)`: the first element, followed by zeros.
    FirstAlone,
    /// `(a, b)`: the upper half of `b`, then the upper half of `a`.
    HighToLow,
    /// `(a, b)`: the lower half of `a`, then the lower half of `b`.
    LowToHigh,
    /// `(a)`: the first half of `a`, or `a` followed by as many indeterminate elements, depending
    /// on the type of the node.
    Resize,
    /// `(a)`: the first element in every position.
    Broadcast,
    /// `(a, index)`: the half of `a` selected by the lowest bit of the index.
    Half,
    /// `(a, b, index)`: `a` with the half selected by the lowest bit of the index replaced by `b`.
    InsertHalf,
    /// `(a, b, order)`: two of the four halves, or zero, each selected by four bits of `order`.
    TwoHalves,
    /// `(a, indices)`: elements of all of `a`, selected by index modulo their number.
    PermuteEach,
    /// `(a, b)`: `int` 1 if `a & b` is zero.
    TestZero,
    /// `(a, b)`: `int` 1 if `~a & b` is zero.
    TestCarry,
    /// `(a, b)`: `int` 1 if neither `a & b` nor `~a & b` is zero.
    TestNeither,
    /// `(a, b)`: a floating operation on each element.
    Float(FloatOp),
    /// `(a, b)`: a floating operation on the first elements; the other elements are those of `a`.
    FloatFirst(FloatOp),
    /// `(a)`: the square root of each element.
    SquareRoot,
    /// `(a)`: the square root of the first element; the other elements are unchanged.
    SquareRootFirst,
    /// `(a, b)`: the conversion of a scalar or of the first element of `b`; the other elements are
    /// those of `a`.
    ConvertFirst,
    /// `(a)`: the first element, a float, as a signed integer, truncated.
    TruncateFirst,
    /// `(crc, value)`: CRC-32C.
    CyclicRedundancy,
    /// `(value, mask)`: deposits the low bits of `value` at the positions of the set bits of
    /// `mask`.
    DepositBits,
    /// `(value, mask)`: extracts the bits of `value` at the set bits of `mask` into the low bits.
    ExtractBits,
    /// `(value, index)`: the bits below an 8-bit index; the other bits are zero.
    ZeroHigh,
    /// `(value, control)`: extracts a bit field; its start is in bits 0 to 7 of the control, its
    /// length in bits 8 to 15.
    BitField,
    /// `(value)`: the number of zeros above the highest set bit; the width for 0.
    LeadingZeros,
    /// `(value)`: the number of zeros below the lowest set bit; the width for 0.
    TrailingZeros,
    /// `(value, count)`: rotates left by the count modulo the width.
    RotateLeft,
    /// `(value, count)`: rotates right by the count modulo the width.
    RotateRight,
}

/// The treatment of a result out of range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Excess {
    /// Wraps around.
    Wraps,
    /// Saturates at the nearest representable number.
    Saturates,
}

/// An operation on two floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// The minimum as in SSE: `b` unless `a < b`.
    Minimum,
    /// The maximum as in SSE: `b` unless `a > b`.
    Maximum,
    /// All ones if the comparison holds, else zero.
    Compare(super::CompareOp),
    /// All ones if the comparison does not hold, else zero.
    CompareNot(super::CompareOp),
    /// All ones if neither operand is NaN.
    Ordered,
    /// All ones if an operand is NaN.
    Unordered,
}
