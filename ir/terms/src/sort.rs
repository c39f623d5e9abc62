//! Sorts of terms.

/// An array sort, interned in the pool that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArraySort(pub(crate) u32);

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Rational-valued reals.
    Real,
    /// Bit vectors of the given width in bits, at least 1.
    BitVec(u32),
    /// IEEE 754 binary floats: width of the exponent, width of the significand with the hidden bit.
    Float(u16, u16),
    /// IEEE rounding modes.
    RoundingMode,
    /// Arrays; index and element sort are found by [`TermPool::array_sort_parts`](super::TermPool::array_sort_parts).
    Array(ArraySort),
    /// An uninterpreted sort, by its index in the pool.
    Uninterpreted(u32),
}

/// Whether an integer type is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// Natural numbers.
    Unsigned,
}
