//! Operands of register code.

/// A register or, with [`CONSTANT`] set, an entry of the function's table of constants.
pub(super) type Operand = u32;
pub(super) const CONSTANT: u32 = 1 << 31;

/// An operand with its bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Narrow(Operand),
    Wide(Operand),
}

/// A register with the sort of its contents: 0 bits for `Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Typed {
    pub(super) register: Register,
    pub(super) width: u32,
}
