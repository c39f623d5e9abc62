//! Types of IR values.

use terms::{Representation, Signedness, Sort};

/// The target machine of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Machine {
    /// The width of an address in bits: 32 (ILP32) or 64 (LP64).
    pub pointer_width: u32,
    /// If set, every object lies in its own aligned slot of `2^slot_bits` addresses, so that the
    /// upper bits of an address identify the object that it was derived from; see
    /// [`layout`](crate::layout). Such a program checks each access itself.
    pub slot_bits: Option<u32>,
    /// Whether blocks may end, so that an execution may allocate more than the address space holds.
    /// 64-bit addresses do not run out, so it is not recorded for them.
    pub frees: bool,
}

impl Machine {
    /// Creates a machine that lays out objects consecutively, without slots.
    pub fn new(pointer_width: u32) -> Self {
        Machine { pointer_width, slot_bits: None, frees: false }
    }

    /// Records that blocks may end.
    pub fn set_frees(&mut self) {
        self.frees = self.pointer_width < 64;
    }

    /// The alignment of blocks from `malloc`: the strictest alignment of any type.
    pub fn block_align(self) -> u64 {
        (u64::from(self.pointer_width) / 4).max(1)
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A truth value (the result of a comparison, not C's `_Bool`); cannot be stored in memory.
    Bool,
    /// An integer of `width` bits. The signedness does not affect the semantics of any operation:
    /// it determines how traces and integer encodings interpret the bits.
    Int {
        /// The width in bits, at least 1; a multiple of 8 in memory.
        width: u32,
        /// The interpretation of the bits.
        signedness: Signedness,
    },
    /// An address of `width` bits.
    Pointer {
        /// The width in bits: [`Machine::pointer_width`].
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

    /// The width in bits in memory; 0 for `Bool`.
    pub fn width(self) -> u32 {
        match self {
            Type::Bool => 0,
            Type::Int { width, .. } | Type::Pointer { width } => width,
        }
    }

    /// The size in bytes in memory; 0 for `Bool`.
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

    /// The representation of values of this type in integer encodings.
    pub fn representation(self) -> Representation {
        match self {
            Type::Int { signedness: Signedness::Signed, .. } => Representation::Signed,
            _ => Representation::Unsigned,
        }
    }
}
