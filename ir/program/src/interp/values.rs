//! Conversions between bit patterns, values and bytes of memory.

use crate::ssa::Type;
use num_bigint::BigUint;
use terms::{BitVector, Value as TermValue};

/// The bit pattern of a value of type `ty`; a `Bool` has one bit. `None` if the sort of the value
/// does not match the type.
pub(super) fn bits_of(value: &TermValue, ty: Type) -> Option<BitVector> {
    match (value, ty) {
        (TermValue::Bool(value), Type::Bool) => Some(BitVector::new(1, u64::from(*value))),
        (TermValue::BitVec(bits), Type::Int { width, .. } | Type::Pointer { width })
            if bits.width() == width =>
        {
            Some(bits.clone())
        }
        _ => None,
    }
}

pub(super) fn value_of(bits: &BitVector, width: u32) -> TermValue {
    if width == 0 { TermValue::Bool(!bits.is_zero()) } else { TermValue::BitVec(bits.clone()) }
}

pub(super) fn little_endian(bits: &BitVector) -> Vec<u8> {
    let mut bytes = bits.to_natural().to_bytes_le();
    bytes.resize((bits.width() / 8) as usize, 0);
    bytes
}

pub(super) fn from_little_endian(bytes: &[u8]) -> BitVector {
    BitVector::from_natural(bytes.len() as u32 * 8, BigUint::from_bytes_le(bytes))
}
