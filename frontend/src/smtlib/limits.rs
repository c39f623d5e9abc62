//! Size limits. Each one prevents a small file from creating a term that does not fit into memory.

/// Bits of a bit vector.
pub const BIT_VECTOR_WIDTH: u32 = 1 << 24;
/// Bits of a bit vector converted from or to an integer.
pub const CONVERTED_WIDTH: u32 = 64;
/// Bits of the exponent of a float.
pub const EXPONENT_WIDTH: u32 = 60;
/// Bits of the significand of a float, including the hidden bit.
pub const SIGNIFICAND_WIDTH: u32 = 4096;
/// Decimal digits of a numeral.
pub const NUMERAL_DIGITS: usize = 100_000;
/// Decimal digits of a decimal.
pub const DECIMAL_DIGITS: usize = 10_000;
/// Bits of a product of constants.
pub const PRODUCT_BITS: u64 = 1 << 20;
/// Arguments of `distinct`, which expands to a condition for each pair.
pub const DISTINCT_ARGUMENTS: usize = 2000;
/// Sorts in a sort, counted as a tree.
pub const SORT_SIZE: u32 = 1000;
/// Open scopes.
pub const SCOPES: usize = 1_000_000;
