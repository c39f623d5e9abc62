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
    /// Real numbers. Values are rational.
    Real,
    /// Bit vectors of this width in bits, at least 1.
    BitVec(u32),
    /// IEEE 754 binary floats: exponent width, significand width including the hidden bit.
    Float(u16, u16),
    /// IEEE rounding modes.
    RoundingMode,
    /// Arrays; [`TermPool::array_sort_parts`](super::TermPool::array_sort_parts) returns the index
    /// and element sort.
    Array(ArraySort),
    /// An uninterpreted sort, by its index in the pool.
    Uninterpreted(u32),
}

/// The signedness of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// Natural numbers.
    Unsigned,
}
