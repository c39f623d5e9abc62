//! Record layout as in gcc (`stor-layout.cc`) for the System V ABIs of i386 and x86-64.
//!
//! A plain member is placed at the next multiple of its alignment. A bit-field is placed at the
//! next bit, unless it would span more alignment units of its type than the type itself has
//! (`PCC_BITFIELD_TYPE_MATTERS`). An unnamed bit-field does not affect the alignment of the record;
//! a bit-field of width 0 advances to the next boundary of its type. `packed` reduces every
//! alignment to 1 byte (1 bit for bit-fields), except for members with an `aligned` attribute of
//! their own. `#pragma pack` limits all alignments except that of a bit-field of width 0, and lets
//! bit-fields straddle units at any limit. With both, the pragma and not `packed` determines how a
//! bit-field affects the alignment of its record.
//!
//! DIVERGENCE: on i386, gcc aligns a 64-bit bit-field with `aligned` to 8 bytes; here it is aligned
//! to 4.

use crate::c::types::{BitRange, Layout};
use grammars::c::ast::RecordKind;

/// A member, as input to the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The layout of its type; a flexible array member has size 0.
    pub(super) layout: Layout,
    /// The width of a bit-field.
    pub(super) bits: Option<u32>,
    pub(super) is_named: bool,
    pub(super) is_packed: bool,
    /// The alignment requested by `aligned` or `_Alignas` on the member.
    pub(super) align: Option<u64>,
}

/// The position of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) offset: u64,
    pub(super) bits: Option<BitRange>,
    /// The alignment of the member in bytes; 1 for a bit-field.
    pub(super) align: u64,
}

/// The record exceeds the largest representable size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLarge;

/// Computes the positions of the members and the layout of the record. `align` is the alignment
/// requested by an attribute of the record, `greatest` the limit of `#pragma pack` for the
/// alignment of members.
pub(super) fn lay_out(
    kind: RecordKind,
    members: &[Member],
    align: Option<u64>,
    greatest: Option<u64>,
) -> Result<(Vec<Position>, Layout), TooLarge> {
    let mut positions = Vec::with_capacity(members.len());
    // Positions and sizes are in bits.
    let mut next: u128 = 0;
    let mut end: u128 = 0;
    let mut record_align = align.unwrap_or(1);
    for member in members {
        if kind == RecordKind::Union {
            next = 0;
        }
        let at_most = |align: u64| greatest.map_or(align, |greatest| align.min(greatest));
        let demanded = at_most(member.align.unwrap_or(1));
        let natural = if member.is_packed { 1 } else { at_most(member.layout.align) };
        let size = u128::from(member.layout.size) * 8;
        match member.bits {
            None => {
                let unit = natural.max(demanded);
                record_align = record_align.max(unit);
                next = next.next_multiple_of(u128::from(unit) * 8);
                positions.push(Position { offset: bytes(next)?, bits: None, align: unit });
                next += size;
            }
            Some(0) => {
                next = next.next_multiple_of(u128::from(member.layout.align.max(demanded)) * 8);
                positions.push(Position { offset: bytes(next)?, bits: None, align: 1 });
            }
            Some(width) => {
                if member.is_named {
                    let of_type = if greatest.is_some() { at_most(member.layout.align) } else { natural };
                    record_align = record_align.max(of_type).max(demanded);
                }
                if member.align.is_some() {
                    next = next.next_multiple_of(u128::from(demanded) * 8);
                }
                if !member.is_packed && greatest.is_none() {
                    let unit = u128::from(natural) * 8;
                    if (next % unit + u128::from(width)).div_ceil(unit) > size / unit {
                        next = next.next_multiple_of(unit);
                    }
                }
                let first = (next % 8) as u32;
                positions.push(Position {
                    offset: bytes(next)?,
                    bits: Some(BitRange { first, width }),
                    align: 1,
                });
                next += u128::from(width);
            }
        }
        end = end.max(next);
    }
    let size = bytes(end.next_multiple_of(8).next_multiple_of(u128::from(record_align) * 8))?;
    Ok((positions, Layout { size, align: record_align }))
}

/// The byte that contains a bit.
fn bytes(bits: u128) -> Result<u64, TooLarge> {
    let bytes = u64::try_from(bits / 8).map_err(|_| TooLarge)?;
    if bytes > i64::MAX as u64 { Err(TooLarge) } else { Ok(bytes) }
}
