//! Initializers that replace earlier ones: a list may name a part several times, and then the last
//! one counts (C11 6.7.9p19).
//!
//! A part that is initialized as a whole, by braces, a string or an expression, loses all that
//! earlier items stored in it. So does a union whose other member is named. All other parts keep
//! their entries: the later entry is stored after the earlier one.

use super::Checker;
use super::initializers::Storage;
use crate::c::hir::{ExprId, InitEntry, InitValue, Repeat};
use crate::c::types::{BitRange, Type, TypeId};
use grammars::c::ast::RecordKind;
use grammars::source::Span;
use std::collections::BTreeMap;

/// A part of the object to initialize.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) ty: TypeId,
    pub(super) offset: u64,
    pub(super) bits: Option<BitRange>,
    /// The number of aggregates around it.
    pub(super) depth: u32,
}

/// An aggregate under initialization.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) ty: TypeId,
    pub(super) offset: u64,
    /// The number of aggregates around it.
    pub(super) depth: u32,
    /// The index of the next element or field.
    pub(super) next: u64,
    /// The number of elements; `None` for an array whose length the initializer determines.
    pub(super) count: Option<u64>,
}

/// The initialization of one object.
pub(super) struct Walk {
    pub(super) storage: Storage,
    pub(super) entries: Vec<InitEntry>,
    /// The bits that have entries, as disjoint intervals by their start. A store outside of them
    /// overwrites no entry.
    pub(super) covered: BTreeMap<u64, u64>,
    /// The values that later entries replace.
    pub(super) overridden: Vec<ExprId>,
    /// Whether entries replace some copies of earlier ones.
    pub(super) replaces_copies: bool,
    /// The member that each union has entries for, by the offset and depth of the union.
    pub(super) members: BTreeMap<(u64, u32), u64>,
    /// Whether a range has entries in a union: then `members` does not name all unions.
    pub(super) has_union_in_range: bool,
    /// The end of the flexible array member.
    pub(super) extra_end: u64,
}

impl Walk {
    pub(super) fn new(storage: Storage) -> Self {
        Walk {
            storage,
            entries: Vec::new(),
            covered: BTreeMap::new(),
            overridden: Vec::new(),
            replaces_copies: false,
            members: BTreeMap::new(),
            has_union_in_range: false,
            extra_end: 0,
        }
    }

    pub(super) fn cover(&mut self, start: u64, end: u64) {
        let (mut start, mut end) = (start, end.max(start));
        while let Some((&other, &other_end)) = self.covered.range(..=end).next_back()
            && other_end >= start
        {
            self.covered.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        self.covered.insert(start, end);
    }

    pub(super) fn is_covered(&self, start: u64, end: u64) -> bool {
        self.covered.range(..end).next_back().is_some_and(|(_, &other_end)| other_end > start)
    }
}

/// Whether the copies of an entry leave bits of its extent out.
fn has_gaps(entry: &InitEntry, extent: (u64, u64)) -> bool {
    let one =
        |repeat: Repeat| extent.1 - extent.0 - repeat.reach().saturating_mul(8).min(extent.1 - extent.0);
    entry.repeat.is_some_and(|repeat| one(repeat) != repeat.stride.saturating_mul(8))
}

/// The limit for expanding repeated entries that contain repetitions.
pub(super) const MAX_COPIES: u64 = 1 << 16;

impl Checker<'_> {
    /// Adds an entry for one part.
    pub(super) fn push_entry(&mut self, target: Target, value: InitValue, span: Span, walk: &mut Walk) {
        let Target { ty, offset, bits, .. } = target;
        self.add_entry(InitEntry { offset, bits, ty, value, repeat: None, span }, walk);
    }

    /// Adds an entry, which replaces what it overlaps.
    pub(super) fn add_entry(&mut self, mut entry: InitEntry, walk: &mut Walk) {
        let extent = self.extent(&entry);
        if walk.is_covered(extent.0, extent.1) {
            let mut replaces_part = false;
            for other in &walk.entries {
                let InitValue::Expr(value) = other.value else { continue };
                let (start, end) = self.extent(other);
                if end <= extent.0 || extent.1 <= start {
                    continue;
                }
                // gcc then discards the earlier value; other compilers keep the rest of it.
                let is_replaced = extent.0 <= start && end <= extent.1 && !has_gaps(&entry, extent);
                if other.repeat.is_none() || is_replaced {
                    walk.overridden.push(value);
                } else {
                    walk.replaces_copies = true;
                }
                replaces_part |= !self.types().is_scalar(other.ty) && !is_replaced;
            }
            if replaces_part {
                let what = "an initializer that overrides a part of an object initialized by an expression";
                entry.value = InitValue::Expr(self.unsupported(what, entry.ty, entry.span));
            }
        }
        walk.cover(extent.0, extent.1);
        walk.entries.push(entry);
    }

    /// The first bit of an entry and the one behind its last, of all copies.
    pub(super) fn extent(&self, entry: &InitEntry) -> (u64, u64) {
        let start = entry.offset.saturating_mul(8);
        let reach = entry.repeat.map_or(0, Repeat::reach).saturating_mul(8);
        let (start, end) = match (entry.bits, &entry.value) {
            (Some(bits), _) => {
                let first = start.saturating_add(u64::from(bits.first));
                (first, first.saturating_add(u64::from(bits.width)))
            }
            (None, value) => {
                let length = match value {
                    InitValue::Bytes(bytes) => bytes.len() as u64,
                    InitValue::Expr(_) => 0,
                };
                let size = self.types().size(entry.ty).unwrap_or(length);
                (start, start.saturating_add(size.saturating_mul(8)))
            }
        };
        (start, end.saturating_add(reach))
    }

    /// Notes the values of ranges whose copies are all replaced, each by some later entry.
    pub(super) fn find_replaced_ranges(&self, walk: &mut Walk) {
        for (index, entry) in walk.entries.iter().enumerate() {
            let (Some(repeat), &InitValue::Expr(value)) = (entry.repeat, &entry.value) else { continue };
            let later = &walk.entries[index + 1..];
            let (start, end) = self.extent(&InitEntry { repeat: None, ..entry.clone() });
            let is_replaced = |copy: u64| {
                let moved = copy.saturating_mul(repeat.stride).saturating_mul(8);
                later.iter().any(|other| {
                    let extent = self.extent(other);
                    extent.0 < end.saturating_add(moved) && start.saturating_add(moved) < extent.1
                })
            };
            // A range of many copies counts as replaced, which matters if it has side effects.
            if repeat.count.saturating_mul(later.len() as u64) > MAX_COPIES
                || (0..repeat.count).all(is_replaced)
            {
                walk.overridden.push(value);
            }
        }
    }

    /// Removes the earlier entries of a part that is initialized as a whole, and of its copies.
    pub(super) fn forget(&mut self, target: Target, repeat: Option<Repeat>, span: Span, walk: &mut Walk) {
        let Target { ty, offset, bits, depth } = target;
        let zeros = InitEntry { offset, bits, ty, value: InitValue::Bytes(Box::default()), repeat, span };
        // An array without a length is the last part of the object.
        let is_sized = self.types().size(ty).is_some();
        let extent = if is_sized { self.extent(&zeros) } else { (offset.saturating_mul(8), u64::MAX) };
        let end = extent.1.div_ceil(8).max(offset + 1);
        walk.members.retain(|&(place, inner), _| place < offset || end <= place || inner < depth);
        if !walk.is_covered(extent.0, extent.1) {
            return;
        }
        let has_gaps = is_sized && has_gaps(&zeros, extent);
        let mut overlaps = false;
        for entry in std::mem::take(&mut walk.entries) {
            let (start, end) = self.extent(&entry);
            let is_inside = extent.0 <= start && end <= extent.1;
            if is_inside && !has_gaps && entry.repeat.is_none() {
                walk.overridden.extend(match entry.value {
                    InitValue::Expr(value) => Some(value),
                    InitValue::Bytes(_) => None,
                });
                continue;
            }
            overlaps |= start < extent.1 && extent.0 < end;
            walk.entries.push(entry);
        }
        if overlaps && is_sized {
            self.add_entry(zeros, walk);
        } else if overlaps {
            self.error(span, "an initializer that overrides a range of a flexible array is not supported");
        }
    }

    /// Notes the member of a union that is initialized next. Another one replaces what was
    /// initialized before (C11 6.7.9p19).
    pub(super) fn select_member(&mut self, frame: &Frame, span: Span, walk: &mut Walk) {
        let Type::Record(record) = self.types()[frame.ty] else { return };
        if self.types().records[record].kind != RecordKind::Union {
            return;
        }
        let key = (frame.offset, frame.depth);
        let union = Target { ty: frame.ty, offset: frame.offset, bits: None, depth: frame.depth };
        match walk.members.get(&key) {
            Some(&member) if member == frame.next => return,
            Some(_) => self.forget(union, None, span, walk),
            None if walk.has_union_in_range => {
                let start = frame.offset.saturating_mul(8);
                let size = self.types().size(frame.ty).unwrap_or(0).saturating_mul(8);
                if walk.is_covered(start, start.saturating_add(size)) {
                    self.error(span, "an initializer that overrides a range with unions is not supported");
                }
            }
            None => {}
        }
        walk.members.insert(key, frame.next);
    }
}
