//! Types of IR values.

use terms::{Representation, Signedness, Sort};

/// The machine for which a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Machine {
    /// Width of an address in bits: 32 (ILP32) or 64 (LP64).
    pub pointer_width: u32,
    /// If there, every object lies in an aligned slot of `2^slot_bits` addresses of its own, so that the upper bits of an
    /// address tell the object that it was made from; see [`layout`](crate::layout). Such a program checks each access itself.
    pub slot_bits: Option<u32>,
}

impl Machine {
    /// A machine whose objects follow one another without slots.
    pub fn new(pointer_width: u32) -> Self {
        Machine { pointer_width, slot_bits: None }
    }

    /// The alignment of blocks from `malloc`: that of the type with the strictest one.
    pub fn block_align(self) -> u64 {
        (u64::from(self.pointer_width) / 4).max(1)
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A truth value (the result of a comparison, not C's `_Bool`); cannot be stored in memory.
    Bool,
    /// An integer of `width` bits. The signedness does not change the meaning of any operation: it tells traces and
    /// integer encodings how to read the bits.
    Int {
        /// Bits, at least 1; in memory a multiple of 8.
        width: u32,
        /// How to read them.
        signedness: Signedness,
    },
    /// An address of `width` bits.
    Pointer {
        /// [`Machine::pointer_width`].
        width: u32,
    },
}

impl Type {
    /// The sort of terms of this type.
    pub fn sort(self) -> Sort {
        match self {
            Type::Bool => Sort::Bool,
            Type::Int { width, .. } | Type::Pointer { width } => Sort::BitVec(width),
        }
    }

    /// Bits in memory; 0 for `Bool`.
    pub fn width(self) -> u32 {
        match self {
            Type::Bool => 0,
            Type::Int { width, .. } | Type::Pointer { width } => width,
        }
    }

    /// Bytes in memory; 0 for `Bool`.
    pub fn bytes(self) -> u64 {
        u64::from(self.width()).div_ceil(8)
    }

    /// A signed integer of `width` bits.
    pub fn signed(width: u32) -> Self {
        Type::Int { width, signedness: Signedness::Signed }
    }

    /// An unsigned integer of `width` bits.
    pub fn unsigned(width: u32) -> Self {
        Type::Int { width, signedness: Signedness::Unsigned }
    }

    /// How an integer encoding represents values of this type.
    pub fn representation(self) -> Representation {
        match self {
            Type::Int { signedness: Signedness::Signed, .. } => Representation::Signed,
            _ => Representation::Unsigned,
        }
    }
}
