//! Operands of register code.

/// The index of a register or, with [`CONSTANT`] set, of an entry in the function's table of
/// constants.
pub(super) type Operand = u32;
pub(super) const CONSTANT: u32 = 1 << 31;

/// An operand with its bank: words of up to 64 bits, or wide bit vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Narrow(Operand),
    Wide(Operand),
}

/// A register with the width of its contents in bits; 0 for `Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Typed {
    pub(super) register: Register,
    pub(super) width: u32,
}
