//! Null pointers, array indices out of bounds, pointers that leave the address space.
//!
//! These checks depend on the source rather than on the contents of memory.
//!
//! *Bounds* applies to `a[i]` where `a` is a declared array: a variable, a member (of an object of
//! any origin), or an element of another array, with a length that is constant or was evaluated at
//! its declaration. A flexible array member has a length if its object is a global whose
//! initializer determines it. The check does not apply to `p[i]` with a pointer `p`. The address
//! `&a[n]` just past the end is valid, an access there is not.
//!
//! *Null* applies to every access through a pointer that is null or derived from null by arithmetic
//! (`p->x`, `p[3]`), and to calls through function pointers. Computing `&p->x` is not an access.
//!
//! *Pointer-compare* applies to `<`, `>`, `<=`, `>=` and the difference of pointers: both must
//! point into one object, or just past its end (C11 6.5.6p9, 6.5.8p5). The address slots determine
//! the objects, see `safety`.

use super::function::Lowering;
use super::places::{Location, Value};
use crate::c::hir::{CastKind, CompareOp, Direction, ExprId, ExprKind, PlaceId, PlaceKind, Scale};
use crate::c::types::{ArrayLength, Type as CType};
use grammars::source::Span;
use program::ssa::{PropertyKind, Signedness, Type};
use terms::Term;

/// The purpose of evaluating a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The place is read, written or copied.
    Access,
    /// An address from which the address of an access is derived.
    Derivation,
    /// An address.
    Address,
}

impl Lowering<'_, '_, '_> {
    /// The value of a pointer for an access.
    pub(super) fn dereferenced(&mut self, pointer: ExprId, purpose: Purpose) -> Term {
        if purpose == Purpose::Address || !self.checks(PropertyKind::Null) {
            return self.scalar(pointer);
        }
        let mut spine = Vec::new();
        let mut at = pointer;
        while let ExprKind::PointerOffset { pointer: next, .. }
        | ExprKind::Cast { kind: CastKind::Pointer | CastKind::Same, operand: next } = self.hir[at].kind
        {
            spine.push(at);
            at = next;
        }
        let mut value = match self.hir[at].kind {
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                self.place_address(place, Purpose::Derivation, self.hir[at].span)
            }
            _ => {
                let value = self.value(at);
                if let Value::Scalar(term) = value {
                    self.check_null(at, term, self.hir[pointer].span);
                }
                value
            }
        };
        while let Some(node) = spine.pop() {
            value = self.spine_value(node, value);
        }
        match value {
            Value::Scalar(term) => term,
            _ => self.m.pool.bv(self.m.program.machine.pointer_width, 0),
        }
    }

    /// Checks a pointer before an access or a call.
    pub(super) fn check_null(&mut self, pointer: ExprId, term: Term, span: Span) {
        if !self.checks(PropertyKind::Null) {
            return;
        }
        let null = self.m.pool.bv(self.m.pool_width(term), 0);
        let is_null = self.m.pool.eq(term, null);
        let text = format!("access through the null pointer {}", self.render(pointer));
        let span = if self.m.is_library(self.unit) { Span::NONE } else { span };
        self.check(PropertyKind::Null, is_null, text, &[], span);
    }

    /// Checks `array[index]`, the place `id`; `index` is a signed number as wide as an address.
    pub(super) fn check_index(&mut self, id: PlaceId, location: &Location, index: Term, purpose: Purpose) {
        let PlaceKind::Index { array, index: written, .. } = self.hir[id].kind else { return };
        if !self.checks(PropertyKind::Bounds) {
            return;
        }
        let Some(length) = self.array_length(array, location) else { return };
        let zero = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        let is_before = self.m.pool.bv_slt(index, zero);
        let is_behind = match purpose {
            Purpose::Access => self.m.pool.bv_sle(length, index),
            Purpose::Derivation | Purpose::Address => self.m.pool.bv_slt(length, index),
        };
        let failure = self.m.pool.or2(is_before, is_behind);
        let text = match self.m.pool.as_bv_u64(length) {
            Some(length) => {
                format!("index out of bounds of the {length} elements of {}", self.names().place(array))
            }
            None => format!("index out of bounds of {}", self.names().place(array)),
        };
        let operands = [self.operand_of_type(written, index, self.index_type())];
        self.check(PropertyKind::Bounds, failure, text, &operands, self.hir[id].span);
    }

    /// Checks that the pointers `lhs` and `rhs`, ordered or subtracted by the expression `id`,
    /// point into one object.
    pub(super) fn check_one_object(&mut self, id: ExprId, lhs: Term, rhs: Term) {
        let Some(bits) = self.slot_bits() else { return };
        if !self.checks(PropertyKind::PointerCompare) {
            return;
        }
        let pool = &mut *self.m.pool;
        let top = pool.width(lhs) - 1;
        let (slot, other) = (pool.extract(top, bits, lhs), pool.extract(top, bits, rhs));
        let failure = pool.neq(slot, other);
        let text = format!("pointers to different objects in {}", self.render(id));
        self.check(PropertyKind::PointerCompare, failure, text, &[], self.hir[id].span);
    }

    /// Whether the operands of a comparison must point into one object.
    pub(super) fn needs_one_object(&self, op: CompareOp, operand: ExprId) -> bool {
        self.checks(PropertyKind::PointerCompare)
            && !matches!(op, CompareOp::Eq | CompareOp::Ne)
            && matches!(self.hir.types[self.hir[operand].ty], CType::Pointer(_))
    }

    fn index_type(&self) -> Type {
        Type::signed(self.m.program.machine.pointer_width)
    }

    /// The number of elements of the array, as a signed number of the width of an address.
    fn array_length(&mut self, array: PlaceId, location: &Location) -> Option<Term> {
        let width = self.m.program.machine.pointer_width;
        if let Some((_, lanes)) = self.vector(self.hir[array].ty) {
            return Some(self.m.pool.bv(width, lanes));
        }
        let CType::Array(element, length) = self.hir.types[self.hir[array].ty] else { return None };
        match length {
            // A flexible array member in the style before C99.
            ArrayLength::Known(0) | ArrayLength::Incomplete => {
                let bytes = self.bytes_of_flexible_member(array)?;
                let element = self.hir.types.size(element.ty).filter(|&size| size > 0)?;
                Some(self.m.pool.bv(width, bytes / element))
            }
            ArrayLength::Known(length) => Some(self.m.pool.bv(width, length)),
            ArrayLength::Variable(length) if matches!(location, Location::Memory { .. }) => {
                let location = self.local_location(length);
                let ty = self.hir[length].ty;
                match self.load(&location, ty, Span::NONE) {
                    Value::Scalar(term) => Some(self.resize(term, width, Signedness::Unsigned)),
                    _ => None,
                }
            }
            ArrayLength::Variable(_) | ArrayLength::Unevaluated => None,
        }
    }

    /// The size in bytes of a flexible array member of a global.
    fn bytes_of_flexible_member(&self, array: PlaceId) -> Option<u64> {
        let mut offset = 0_u64;
        let mut at = array;
        loop {
            match self.hir[at].kind {
                PlaceKind::Field { base, record, field } => {
                    let definition = self.hir.types.records[record].definition.as_ref()?;
                    offset += definition.fields.get(field as usize)?.offset;
                    at = base;
                }
                PlaceKind::Global(global) if at != array => {
                    let global = &self.hir[global];
                    let size = self.hir.types.size(global.ty)?.checked_add(global.extra_size)?;
                    return size.checked_sub(offset);
                }
                _ => return None,
            }
        }
    }

    /// Checks `pointer ± index`, the expression `id`: the sum of the address and the signed
    /// distance must be an address. C requires that the end of an object is also an address, so the
    /// end of the last object lies within the address space.
    pub(super) fn check_pointer_offset(&mut self, id: ExprId, pointer: Term, index: Term) {
        let ExprKind::PointerOffset { direction, scale, .. } = self.hir[id].kind else { return };
        if !self.checks(PropertyKind::PointerOverflow) {
            return;
        }
        let width = self.m.program.machine.pointer_width;
        let scale_bits = match scale {
            Scale::Constant(bytes) => 64 - bytes.leading_zeros(),
            Scale::Variable(_) => width,
        };
        let more = scale_bits + 2;
        let scale = self.scale(scale);
        let pool = &mut *self.m.pool;
        let (scale, distance) = (pool.zero_extend(more, scale), pool.sign_extend(more, index));
        let distance = pool.bv_mul(distance, scale);
        let address = pool.zero_extend(more, pointer);
        let exact = match direction {
            Direction::Forward => pool.bv_add(address, distance),
            Direction::Backward => pool.bv_sub(address, distance),
        };
        let (zero, one) = (pool.bv(width + more, 0), pool.bv(width + more, 1));
        let shift = pool.bv(width + more, u64::from(width));
        let end = pool.bv_shl(one, shift);
        let (is_before, is_behind) = (pool.bv_slt(exact, zero), pool.bv_sle(end, exact));
        let failure = pool.or2(is_before, is_behind);
        let text = format!("pointer overflow in {}", self.render(id));
        self.check(PropertyKind::PointerOverflow, failure, text, &[], self.hir[id].span);
    }
}
