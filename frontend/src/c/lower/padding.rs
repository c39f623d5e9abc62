//! Padding: the bytes of an object that belong to no member.
//!
//! # The rule
//!
//! | what happens | contents of the padding afterwards |
//! |---|---|
//! | a structure is stored as a whole (assignment, argument, result, initializer that is a structure) | any values (C11 6.2.6.1p6) |
//! | an initializer list, automatic storage | any values; zeros in structures inside for which the list has nothing (6.7.9p10, p21) |
//! | an initializer, static storage | zeros (6.7.9p10) |
//! | an unknown function changes the object | any values |
//! | a `long double` is stored in memory | any values behind its 80 bits |
//! | a member is stored | unchanged |
//!
//! The last line, and the copies below, are more than C promises; compilers do so.
//!
//! * A structure with unions or bit-fields, or with too many scalars, is copied with its padding.
//! * The bytes of a union behind the member that a list initializes are zeros, as are the bits
//!   between bit-fields.
//! * Temporary objects have no padding that a program could read: it reads only their members and
//!   copies, and a copy does not get the padding.
//!
//! Padding is stored as single bytes, as in [`blocks`](super::blocks). So region splitting gives it
//! regions of its own, and dead code elimination removes what the program does not read.

use super::function::Lowering;
use super::module::{Leaf, MEMORY};
use super::places::{Location, Value};
use crate::c::hir::{self, InitEntry, InitId, InitValue, Initializer};
use crate::c::types::{ArrayLength, Type as CType, TypeId};
use grammars::c::ast::RecordKind;
use grammars::source::Span;
use program::ssa::{HavocSource, InstructionKind, Type, ValueData};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::Term;

/// The largest number of structures of an initializer whose padding is stored.
const MAX_STRUCTURES: usize = 4096;
/// The number of bytes of padding that one input provides.
const CHUNK: u64 = 16;

/// Successive bytes of padding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Gap {
    offset: u64,
    size: u64,
}

/// The new contents of padding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PaddingContents {
    Zero,
    Any(HavocSource),
}

/// The structures with padding for which an initializer list has a value, by offset and type.
type Structures = BTreeSet<(u64, TypeId)>;

impl Lowering<'_, '_, '_> {
    /// Stores any values in the padding of a structure that was stored as a whole.
    pub(super) fn forget_padding(&mut self, location: &Location, ty: TypeId, span: Span) {
        if !matches!(location, Location::Memory { .. }) || self.m.scalar_type(self.hir, ty).is_some() {
            return;
        }
        let Some(leaves) = self.m.leaves(self.unit, ty) else { return };
        let gaps = gaps(self.hir, ty, &leaves);
        if !gaps.is_empty() {
            let base = self.plain_address(location, span);
            self.fill_gaps(base, &gaps, &PaddingContents::Any(HavocSource::Uninitialized), span);
        }
    }

    /// Stores in the padding of an automatic object what its initializer list leaves there. The
    /// object is already zero where the list has nothing if it `is_zero`.
    pub(super) fn initialize_padding(&mut self, base: Term, init: InitId, is_zero: bool) {
        let initializer = &self.hir[init];
        let Some(structures) = structures(self.hir, initializer) else {
            self.unsupported(
                format!("an initializer of more than {MAX_STRUCTURES} structures with padding"),
                initializer.span,
            );
            return;
        };
        let mut any = Vec::new();
        for &(offset, ty) in &structures {
            let gaps = record_gaps(self.hir, ty);
            any.extend(gaps.into_iter().map(|gap| Gap { offset: offset + gap.offset, ..gap }));
        }
        any.sort_unstable();
        if !is_zero && let Some(leaves) = self.m.leaves(self.unit, initializer.ty) {
            let all = gaps(self.hir, initializer.ty, &leaves);
            let zero: Vec<Gap> = all.into_iter().flat_map(|gap| without(gap, &any)).collect();
            self.fill_gaps(base, &zero, &PaddingContents::Zero, initializer.span);
        }
        self.fill_gaps(base, &any, &PaddingContents::Any(HavocSource::Uninitialized), initializer.span);
    }

    /// Stores in the given padding of the object at `base`.
    pub(super) fn fill_gaps(&mut self, base: Term, gaps: &[Gap], contents: &PaddingContents, span: Span) {
        for gap in gaps {
            let (chunks, rest) = (gap.size / CHUNK, gap.size % CHUNK);
            if chunks > 0 {
                let start = self.displaced(base, gap.offset);
                self.repeat(chunks, CHUNK, span, &mut |this, offset| {
                    let at = this.m.pool.bv_add(start, offset);
                    this.fill_bytes(at, CHUNK, contents, span);
                });
            }
            if rest > 0 {
                let at = self.displaced(base, gap.offset + chunks * CHUNK);
                self.fill_bytes(at, rest, contents, span);
            }
        }
    }

    fn fill_bytes(&mut self, at: Term, count: u64, contents: &PaddingContents, span: Span) {
        let width = count as u32 * 8;
        let term = match contents {
            PaddingContents::Zero => self.m.pool.bv(width, 0),
            PaddingContents::Any(source) => self.any_padding(width, source.clone(), span),
        };
        let ty = Type::unsigned(8);
        for byte in 0..count {
            let low = byte as u32 * 8;
            let value = self.m.pool.extract(low + 7, low, term);
            let address = Some(self.displaced(at, byte));
            self.b.effect(InstructionKind::Store { region: MEMORY, address, value, ty, place: None }, span);
        }
    }

    fn any_padding(&mut self, width: u32, source: HavocSource, span: Span) -> Term {
        // No variable has such a name.
        let data = ValueData { ty: Type::unsigned(width), name: Some("padding bytes".to_owned()), span };
        let value = self.b.define(InstructionKind::Havoc(source), data);
        self.m.pool.value(value.0, Type::unsigned(width).sort())
    }

    /// The bits that memory holds after `term` is stored: the padding of the x87's format gets any
    /// value.
    pub(super) fn with_padding(&mut self, ty: TypeId, term: Term, span: Span) -> Term {
        let Some(bits) = self.float_format(ty).map(|format| format.value_bits()) else { return term };
        let width = self.m.pool_width(term);
        if bits >= width {
            return term;
        }
        let high = self.any_padding(width - bits, HavocSource::Uninitialized, span);
        let low = self.m.pool.extract(bits - 1, 0, term);
        self.m.pool.concat(high, low)
    }

    /// The value as it is stored at the location.
    pub(super) fn padded(&mut self, location: &Location, ty: TypeId, value: Value, span: Span) -> Value {
        match (value, location) {
            (Value::Scalar(term), Location::Memory { bits: None, .. }) => {
                Value::Scalar(self.with_padding(ty, term, span))
            }
            (value, _) => value,
        }
    }
}

/// The padding between the scalars of a type.
pub(super) fn gaps(hir: &hir::Program, ty: TypeId, leaves: &[Leaf]) -> Vec<Gap> {
    let scalars = leaves.iter().map(|leaf| (leaf.offset, hir.types.size(leaf.ty).unwrap_or(0)));
    gaps_between(scalars, hir.types.size(ty).unwrap_or(0))
}

/// The gaps between parts in order of offset, up to the end of the object.
fn gaps_between(parts: impl Iterator<Item = (u64, u64)>, size: u64) -> Vec<Gap> {
    let (mut gaps, mut end) = (Vec::new(), 0);
    for (offset, size) in parts.chain([(size, 0)]) {
        if end < offset {
            gaps.push(Gap { offset: end, size: offset - end });
        }
        end = end.max(offset.saturating_add(size));
    }
    gaps
}

/// The padding of a structure that is not within a member.
fn record_gaps(hir: &hir::Program, ty: TypeId) -> Vec<Gap> {
    let fields = hir.types.fields(ty).unwrap_or_default();
    let mut parts: Vec<(u64, u64)> = fields
        .iter()
        .map(|field| match field.bits {
            Some(bits) => (field.offset, u64::from((bits.first + bits.width).div_ceil(8))),
            None => (field.offset, hir.types.size(field.ty).unwrap_or(0)),
        })
        .collect();
    parts.sort_unstable();
    gaps_between(parts.into_iter(), hir.types.size(ty).unwrap_or(0))
}

/// The parts of a gap outside of others, which are in order.
fn without(gap: Gap, others: &[Gap]) -> Vec<Gap> {
    let end = gap.offset + gap.size;
    let within = others.iter().filter(|other| other.offset < end && gap.offset < other.offset + other.size);
    let parts = within.map(|other| {
        let start = other.offset.max(gap.offset);
        (start - gap.offset, (other.offset + other.size).min(end) - start)
    });
    let rest = gaps_between(parts, gap.size);
    rest.into_iter().map(|part| Gap { offset: gap.offset + part.offset, ..part }).collect()
}

/// The structures with padding that contain an entry of an initializer; `None` if there are too
/// many.
fn structures(hir: &hir::Program, initializer: &Initializer) -> Option<Structures> {
    let mut gaps: FxHashMap<TypeId, bool> = FxHashMap::default();
    let mut has_gaps = |ty: TypeId| *gaps.entry(ty).or_insert_with(|| !record_gaps(hir, ty).is_empty());
    let mut found = Structures::new();
    for entry in &initializer.entries {
        let (count, stride) = entry.repeat.map_or((1, 0), |repeat| (repeat.count, repeat.stride));
        let mut last = None;
        for index in 0..count {
            let moved = index.saturating_mul(stride);
            let mut around = structures_around(hir, initializer.ty, entry, moved);
            // All repetitions have the same types around them.
            around.retain(|&(_, ty)| has_gaps(ty));
            // They may be in one structure.
            if around.is_empty() || around.last() == last.as_ref() {
                break;
            }
            last = around.last().copied();
            found.extend(around);
            if found.len() > MAX_STRUCTURES {
                return None;
            }
        }
    }
    Some(found)
}

/// The structures around an entry, which is `moved` by some bytes, from the outermost to the
/// innermost, with their offsets.
fn structures_around(
    hir: &hir::Program,
    mut ty: TypeId,
    entry: &InitEntry,
    moved: u64,
) -> Vec<(u64, TypeId)> {
    let (at, mut start) = (entry.offset.saturating_add(moved), 0);
    let mut around = Vec::new();
    loop {
        let is_entry = at == start && ty == entry.ty && matches!(entry.value, InitValue::Expr(_));
        match hir.types[ty] {
            _ if is_entry => return around,
            CType::Array(element, ArrayLength::Known(_) | ArrayLength::Incomplete) => {
                let Some(size) = hir.types.size(element.ty).filter(|&size| size > 0) else { return around };
                start += (at - start) / size * size;
                ty = element.ty;
            }
            CType::Record(record) if hir.types.records[record].kind == RecordKind::Struct => {
                around.push((start, ty));
                let fields = hir.types.fields(ty).unwrap_or_default();
                let Some(field) = fields.iter().find(|field| {
                    let offset = start + field.offset;
                    let size = match hir.types[field.ty] {
                        CType::Array(_, ArrayLength::Incomplete) => u64::MAX,
                        _ => hir.types.size(field.ty).unwrap_or(0),
                    };
                    field.bits.is_none() && offset <= at && at - offset < size
                }) else {
                    return around;
                };
                start += field.offset;
                ty = field.ty;
            }
            _ => return around,
        }
    }
}
