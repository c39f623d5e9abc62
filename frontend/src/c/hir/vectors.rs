//! Operations on vectors that are no operators of C.

/// An operation on vectors, or an instruction on integers that only x86 has.
///
/// Vectors have the types of the argument nodes, and signedness is that of their elements: the type checker converts
/// arguments to the types that decide the meaning, and the node has the type of the result before it is
/// reinterpreted as the type that the compiler's function has. A *block* is a group of 128 bits (64 in a vector of 64
/// bits): instructions on longer vectors do in each block what they do in a vector of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorOp {
    /// `__builtin_shuffle(a, mask)`, `(a, b, mask)`: elements of `a` and `b` by index, modulo their number.
    Shuffle,
    /// `__builtin_shufflevector(a, b, i, …)`: elements of `a` and `b` by constant index.
    Permute,
    /// Element by element, the conversion of C, of as many of the first elements as the result has; further
    /// elements of the result are zero.
    Convert,
    /// `(a, b)`: the sum, brought into the range of the elements.
    AddSaturating,
    /// `(a, b)`: the difference, brought into the range of the elements.
    SubtractSaturating,
    /// `(a, b)`: the upper half of the product.
    MultiplyHigh,
    /// `(a, b)`: bits 15 to 30 of the product of 16-bit numbers, rounded.
    MultiplyHighRounded,
    /// `(a, b)`: the product of each second element, from the first on, in twice the width.
    MultiplyEven,
    /// `(a, b)`: the sum of two neighboring products in twice the width.
    MultiplyAdd(Excess),
    /// `(a, b)`: the smaller number.
    Minimum,
    /// `(a, b)`: the greater number.
    Maximum,
    /// `(a, b)`: the mean of unsigned numbers, rounded up.
    Average,
    /// `(a, b)`: `a`, `-a` or 0, as `b` is positive, negative or 0.
    Sign,
    /// `(a)`: the absolute value; the least number stays.
    Absolute,
    /// `(a, b)`: `~a & b`, of any elements.
    AndNot,
    /// `(a, b)`: `a & b`, of any elements.
    And,
    /// `(a, b)`: `a | b`, of any elements.
    Or,
    /// `(a, b)`: `a ^ b`, of any elements.
    ExclusiveOr,
    /// `(a, b)`: the sum of the absolute differences of each eight bytes, in 64 bits.
    SumAbsoluteDifferences,
    /// `(a, b)`, by block: the sums of neighbors in `a`, then in `b`.
    HorizontalAdd(Excess),
    /// `(a, b)`, by block: the differences of neighbors in `a`, then in `b`.
    HorizontalSubtract(Excess),
    /// `(a, b)`, by block: the elements of `a`, then those of `b`, brought into the range of half their width.
    Pack,
    /// `(a, b)`, by block: the lower halves of `a` and `b`, element by element in turn.
    UnpackLow,
    /// `(a, b)`, by block: the upper halves of `a` and `b`, element by element in turn.
    UnpackHigh,
    /// `(a, count)`: all elements by one count, a number or the first 64 bits of a vector; too much gives 0.
    ShiftLeft,
    /// As `ShiftLeft`; too much gives 0, or for signed elements copies of the sign.
    ShiftRight,
    /// `(a, counts)`: each element by its own count; too much gives 0.
    ShiftLeftEach,
    /// As `ShiftLeftEach`; too much gives 0, or for signed elements copies of the sign.
    ShiftRightEach,
    /// `(a, bits)`, by block: towards the upper bytes.
    BytesUp,
    /// `(a, bits)`, by block: towards the lower bytes.
    BytesDown,
    /// `(a, b, bits)`, by block: `a` above `b`, shifted towards the lower bytes.
    Align,
    /// `(a, order)`, by four elements: those that each two bits of `order` name.
    ShuffleFour,
    /// `(a, order)`, by block: `ShuffleFour` of the lower four of eight elements.
    ShuffleLow,
    /// `(a, order)`, by block: `ShuffleFour` of the upper four of eight elements.
    ShuffleHigh,
    /// `(a, b, order)`, by block: half of the elements from `a`, half from `b`, as the bits of `order` say.
    ShuffleTwo,
    /// `(a, order)`, by block: bytes by index; 0 where the index has its upper bit.
    ShuffleBytes,
    /// `(a, b, mask)`: an element of `b` where the bit of the constant mask is set, else of `a`.
    Blend,
    /// `(a, b, mask)`: an element of `b` where that of the mask has its upper bit, else of `a`.
    BlendSign,
    /// `(a)`: the upper bits of the elements as a number.
    MoveMask,
    /// `(a, index)`: an element, by index modulo their number.
    Element,
    /// `(a, value, index)`: with an element replaced, by index modulo their number.
    Insert,
    /// `(x, …)`: the elements.
    Make,
    /// `(a, b)`: the first element of `b`, the others of `a`.
    First,
    /// `(a)`: the first element, then zeros.
    FirstAlone,
    /// `(a, b)`: the upper half of `b`, then the upper half of `a`.
    HighToLow,
    /// `(a, b)`: the lower half of `a`, then the lower half of `b`.
    LowToHigh,
    /// `(a)`: the first half of `a`, or `a` and as many indeterminate elements, as the type of the node says.
    Resize,
    /// `(a)`: the first element everywhere.
    Broadcast,
    /// `(a, index)`: half of `a`, by the lowest bit of the index.
    Half,
    /// `(a, b, index)`: `a` with a half replaced, by the lowest bit of the index.
    InsertHalf,
    /// `(a, b, order)`: two of four halves, or zero, as four bits each of `order` say.
    TwoHalves,
    /// `(a, indices)`: elements of the whole of `a` by index, modulo their number.
    PermuteEach,
    /// `(a, b)`: `int` 1 if `a & b` is zero.
    TestZero,
    /// `(a, b)`: `int` 1 if `~a & b` is zero.
    TestCarry,
    /// `(a, b)`: `int` 1 if neither `a & b` nor `~a & b` is zero.
    TestNeither,
    /// `(a, b)`: an operation of floats, of each element.
    Float(FloatOp),
    /// `(a, b)`: an operation of floats of the first elements; the others are those of `a`.
    FloatFirst(FloatOp),
    /// `(a)`: the square root of each element.
    SquareRoot,
    /// `(a)`: the square root of the first element; the others stay.
    SquareRootFirst,
    /// `(a, b)`: the conversion of a scalar or of the first element of `b`; the others are those of `a`.
    ConvertFirst,
    /// `(a)`: a float of the vector as a signed integer, truncated.
    TruncateFirst,
    /// `(crc, value)`: CRC-32C.
    CyclicRedundancy,
    /// `(value, mask)`: the lowest bits of the value go where the mask has bits.
    DepositBits,
    /// `(value, mask)`: the bits of the value where the mask has bits go to the lowest places.
    ExtractBits,
    /// `(value, index)`: the bits below an index of 8 bits.
    ZeroHigh,
    /// `(value, control)`: a field of bits: bits 0 to 7 of the control are the start, 8 to 15 the length.
    BitField,
    /// `(value)`: the number of zeros above the highest one; the width for 0.
    LeadingZeros,
    /// `(value)`: the number of zeros below the lowest one; the width for 0.
    TrailingZeros,
    /// `(value, count)`: by a count modulo the width.
    RotateLeft,
    /// `(value, count)`: by a count modulo the width.
    RotateRight,
}

/// What becomes of a result that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Excess {
    /// It wraps around.
    Wraps,
    /// It becomes the nearest number that fits.
    Saturates,
}

/// An operation of two floats.
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
    /// `b` unless `a < b`.
    Minimum,
    /// `b` unless `a > b`.
    Maximum,
    /// All ones if the comparison holds, else zero.
    Compare(super::CompareOp),
    /// All ones if the comparison does not hold, else zero.
    CompareNot(super::CompareOp),
    /// All ones if neither is NaN.
    Ordered,
    /// All ones if one is NaN.
    Unordered,
}
