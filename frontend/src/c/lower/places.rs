//! Memory: locations of places, loads, stores and copies, bit-fields.

use super::function::{Lowering, Part, Storage};
use super::literals;
use super::module::{GlobalStorage, MEMORY};
use super::pointers::Purpose;
use super::safety::{Access, Base};
use super::ssa::edge;
use crate::c::hir::{CastKind, Direction, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Scale};
use crate::c::types::{BitRange, RecordId, TypeId};
use grammars::source::Span;
use program::ssa::{InstructionKind, Region, RegionKind, Signedness, Terminator, Type};
use std::rc::Rc;
use terms::Term;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Void,
    /// A scalar.
    Scalar(Term),
    /// The scalars of an aggregate, in order of offset.
    Leaves(Rc<[LeafValue]>),
    /// An aggregate in memory at an address; to be used before memory changes.
    Memory(Term),
}

/// A scalar of an aggregate value.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafValue {
    pub(super) offset: u64,
    pub(super) ty: TypeId,
    pub(super) term: Term,
}

/// The location of a place.
#[derive(Clone, Debug)]
pub(super) enum Location {
    /// In SSA variables, from `offset` on.
    Parts { parts: Rc<[Part]>, offset: u64 },
    /// In a value, from `offset` on.
    Leaves { leaves: Rc<[LeafValue]>, offset: u64 },
    /// The whole of a scalar region.
    Region(Region),
    /// At `base + offset`; for a bit-field, the given bits there.
    Memory { base: Base, offset: u64, bits: Option<BitRange> },
}

impl Location {
    /// A location in memory, at a base.
    pub(super) fn at(base: Base) -> Self {
        Location::Memory { base, offset: 0, bits: None }
    }
}

/// The largest number of parts that a copy unrolls; longer copies are loops.
const MAX_UNROLLED: u64 = 1024;

impl Lowering<'_, '_, '_> {
    /// Evaluates a place for reading, writing or copying.
    pub(super) fn location(&mut self, id: PlaceId) -> Location {
        self.locate(id, Purpose::Access)
    }

    /// Evaluates a place.
    pub(super) fn locate(&mut self, id: PlaceId, purpose: Purpose) -> Location {
        // Members and elements form a spine of any length.
        let mut path = Vec::new();
        let mut at = id;
        let mut location = loop {
            match self.hir[at].kind {
                PlaceKind::Field { base, .. } => {
                    path.push(at);
                    at = base;
                }
                PlaceKind::Index { array, .. } => {
                    path.push(at);
                    at = array;
                }
                _ => break self.root_location(at, purpose),
            }
        };
        while let Some(step) = path.pop() {
            let span = self.hir[step].span;
            location = match self.hir[step].kind {
                PlaceKind::Field { record, field, .. } => self.field_location(location, record, field, span),
                PlaceKind::Index { array, index, scale } => {
                    let array_type = self.hir[array].ty;
                    if self.vector(array_type).is_some() && !matches!(location, Location::Memory { .. }) {
                        let index = self.index(index);
                        location = self.element_location(location, array_type, index, scale, span);
                        continue;
                    }
                    if self.vector(array_type).is_some() && purpose == Purpose::Access {
                        // The access reads the whole vector.
                        let bytes = self.hir.types.size(array_type).unwrap_or(0);
                        self.accessed(&location, bytes, Access::Read, span);
                    }
                    let location = self.in_memory(location, array_type, span);
                    let index = self.index(index);
                    let purpose = if path.is_empty() { purpose } else { Purpose::Access };
                    self.check_index(step, &location, index, purpose);
                    self.offset_location(location, Direction::Forward, index, scale)
                }
                _ => location,
            };
        }
        location
    }

    fn root_location(&mut self, id: PlaceId, purpose: Purpose) -> Location {
        let place = &self.hir[id];
        match place.kind {
            PlaceKind::Local(local) => self.local_location(local),
            PlaceKind::Global(global) => match self.m.global(self.unit, global) {
                GlobalStorage::Scalar(region) => Location::Region(region),
                GlobalStorage::Object(object) => {
                    let address = self.object_address(object);
                    if self.m.marks_literals && literals::is_literal(self.hir, global) {
                        return Location::at(self.pointer_base(address));
                    }
                    let size = self.m.object_size(object);
                    Location::at(self.object_base(address, size))
                }
                GlobalStorage::Null => self.nowhere(),
                GlobalStorage::Unknown => {
                    self.unsupported(
                        "an object of unknown size or that `asm` at file scope may define",
                        place.span,
                    );
                    self.nowhere()
                }
            },
            PlaceKind::Deref(pointer) => self.pointed(pointer, purpose),
            PlaceKind::CompoundLiteral { local, initializer } => {
                self.initialize_local(local, Some(initializer), place.span);
                self.local_location(local)
            }
            PlaceKind::Temporary(value) => match self.value(value) {
                Value::Leaves(leaves) => Location::Leaves { leaves, offset: 0 },
                Value::Memory(address) => self.temporary_location(value, address, place.span),
                Value::Scalar(term) if self.vector(place.ty).is_some() => {
                    self.vector_value_location(term, place.ty)
                }
                Value::Void | Value::Scalar(_) => self.nowhere(),
            },
            PlaceKind::Field { .. } | PlaceKind::Index { .. } => self.nowhere(),
            PlaceKind::Error => {
                self.unsupported("an object that an unknown value determines", place.span);
                self.nowhere()
            }
        }
    }

    /// The target of a pointer expression. The address computed by an outermost `+` is part of the
    /// access: it belongs to the object of the unmodified pointer and need not stay in its slot.
    fn pointed(&mut self, pointer: ExprId, purpose: Purpose) -> Location {
        match self.hir[pointer].kind {
            ExprKind::AddressOf(inner) => self.locate(inner, purpose),
            ExprKind::PointerOffset { pointer: inner, direction, index, scale }
                if self.slot_bits().is_some() && !self.is_unordered(pointer) =>
            {
                let location = self.pointed_object(inner, purpose);
                let index = self.index(index);
                let address = self.plain_address(&location, self.hir[inner].span);
                self.check_pointer_offset(pointer, address, index);
                self.offset_location(location, direction, index, scale)
            }
            _ if self.slot_bits().is_some() => self.pointed_object(pointer, purpose),
            _ => {
                let address = self.dereferenced(pointer, purpose);
                Location::at(self.pointer_base(address))
            }
        }
    }

    /// The target of a pointer: the object that the expression names, otherwise the object
    /// determined by the value.
    fn pointed_object(&mut self, pointer: ExprId, purpose: Purpose) -> Location {
        let mut at = pointer;
        while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::Same, operand } = self.hir[at].kind {
            at = operand;
        }
        if let ExprKind::AddressOf(place) | ExprKind::Decay(place) = self.hir[at].kind
            && !self.is_temporary(place)
        {
            let purpose = if purpose == Purpose::Address { purpose } else { Purpose::Derivation };
            let location = self.locate(place, purpose);
            if let Location::Memory { bits: None, .. } = location {
                return location;
            }
            self.unsupported("the address of a value that is not in memory", self.hir[at].span);
            return self.nowhere();
        }
        let address = self.dereferenced(pointer, purpose);
        Location::at(self.pointer_base(address))
    }

    /// The location of an aggregate value in memory. Evaluation before the access may end or change
    /// the object, so the value is copied; the result of a call already has its own memory.
    fn temporary_location(&mut self, value: ExprId, address: Term, span: Span) -> Location {
        let ty = self.hir[value].ty;
        let address = match self.hir[value].kind {
            ExprKind::Call { .. } => address,
            _ => self.copy_to_temporary(Value::Memory(address), ty, span),
        };
        let size = self.hir.types.size(ty).unwrap_or(0);
        Location::at(self.object_base(address, size))
    }

    /// The null location, for objects without an address and for unreachable code.
    pub(super) fn nowhere(&mut self) -> Location {
        let null = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        Location::at(self.pointer_base(null))
    }

    /// The location of a local.
    pub(super) fn local_location(&mut self, local: LocalId) -> Location {
        match self.storage(local) {
            Storage::Split(parts) => Location::Parts { parts, offset: 0 },
            Storage::Object(object) => {
                let address = self.object_address(object);
                self.named_location(local, address)
            }
            Storage::Allocated(variable) => {
                let address = self.read(variable);
                Location::at(self.pointer_base(address))
            }
            Storage::Address(address) => self.named_location(local, address),
        }
    }

    /// The location of a local of constant size at an address. The name is only used in its scope,
    /// where the object is live.
    fn named_location(&mut self, local: LocalId, address: Term) -> Location {
        let size = self.hir.types.size(self.hir[local].ty).unwrap_or(0);
        Location::at(self.object_base(address, size))
    }

    /// The location without access checks.
    pub(super) fn given(&mut self, location: Location) -> Location {
        match location {
            Location::Memory { base, offset, bits } => {
                Location::Memory { base: self.given_base(base.address), offset, bits }
            }
            other => other,
        }
    }

    fn field_location(&mut self, location: Location, record: RecordId, field: u32, span: Span) -> Location {
        let definition = self.hir.types.records[record].definition.as_ref();
        let Some(field) = definition.and_then(|definition| definition.fields.get(field as usize)) else {
            self.unsupported("a member of an incomplete type", span);
            return self.nowhere();
        };
        match location {
            Location::Parts { parts, offset } => Location::Parts { parts, offset: offset + field.offset },
            Location::Leaves { leaves, offset } => Location::Leaves { leaves, offset: offset + field.offset },
            Location::Region(_) => self.nowhere(),
            Location::Memory { base, offset, .. } => {
                Location::Memory { base, offset: offset.wrapping_add(field.offset), bits: field.bits }
            }
        }
    }

    pub(super) fn offset_location(
        &mut self,
        location: Location,
        direction: Direction,
        index: Term,
        scale: Scale,
    ) -> Location {
        let Location::Memory { base, offset, bits } = location else { return location };
        let Scaled { distance, is_far } = self.scaled(direction, index, scale);
        match self.m.pool.as_bv_u64(distance) {
            Some(constant) if is_far == self.m.pool.fls() => {
                Location::Memory { base, offset: offset.wrapping_add(constant), bits }
            }
            _ => Location::Memory { base: self.moved_base(base, distance, is_far), offset, bits },
        }
    }

    /// Adds an index to a pointer value.
    pub(super) fn moved(&mut self, pointer: Term, direction: Direction, index: Term, scale: Scale) -> Moved {
        let Scaled { distance, is_far } = self.scaled(direction, index, scale);
        Moved { address: self.m.pool.bv_add(pointer, distance), is_far }
    }

    /// The value of an index, in the width of an address.
    pub(super) fn index(&mut self, index: ExprId) -> Term {
        let index = self.scalar(index);
        self.resize(index, self.m.program.machine.pointer_width, Signedness::Signed)
    }

    /// `index × scale` or its negation, in the width of an address.
    fn scaled(&mut self, direction: Direction, index: Term, scale: Scale) -> Scaled {
        let scale = self.scale(scale);
        let is_far = self.is_far(index, scale);
        let distance = self.m.pool.bv_mul(index, scale);
        match direction {
            Direction::Forward => Scaled { distance, is_far },
            Direction::Backward => Scaled { distance: self.m.pool.bv_neg(distance), is_far },
        }
    }

    /// The value of a scale in bytes, in the width of an address.
    pub(super) fn scale(&mut self, scale: Scale) -> Term {
        let width = self.m.program.machine.pointer_width;
        match scale {
            Scale::Constant(bytes) => self.m.pool.bv(width, bytes),
            Scale::Variable(expr) => {
                let term = self.scalar(expr);
                self.resize(term, width, Signedness::Unsigned)
            }
        }
    }

    /// The address of a location in memory, as a value of the program; checks that it stays in its
    /// slot.
    pub(super) fn address(&mut self, location: &Location, span: Span) -> Term {
        self.keep_location_in_slot(location, span);
        self.plain_address(location, span)
    }

    /// The address of a location in memory, without a check.
    pub(super) fn plain_address(&mut self, location: &Location, span: Span) -> Term {
        let width = self.m.program.machine.pointer_width;
        match *location {
            Location::Memory { base, offset, .. } => self.displaced(base.address, offset),
            _ => {
                self.unsupported("the address of a value that is not in memory", span);
                self.m.pool.bv(width, 0)
            }
        }
    }

    /// `base + offset`.
    pub(super) fn displaced(&mut self, base: Term, offset: u64) -> Term {
        let offset = self.m.pool.bv(self.m.program.machine.pointer_width, offset);
        self.m.pool.bv_add(base, offset)
    }

    /// The location; an aggregate value is stored to an object of its own.
    fn in_memory(&mut self, location: Location, ty: TypeId, span: Span) -> Location {
        match location {
            Location::Memory { .. } => location,
            Location::Leaves { .. } | Location::Parts { .. } => {
                let value = self.load(&location, ty, span);
                let address = self.copy_to_temporary(value, ty, span);
                let size = self.hir.types.size(ty).unwrap_or(0);
                Location::at(self.object_base(address, size))
            }
            Location::Region(_) => self.nowhere(),
        }
    }

    /// The address of an aggregate value; a value that is not in memory is stored to an object of
    /// its own.
    pub(super) fn value_in_memory(&mut self, value: Value, ty: TypeId, span: Span) -> Term {
        match value {
            Value::Memory(address) => address,
            Value::Leaves(_) => self.copy_to_temporary(value, ty, span),
            Value::Void | Value::Scalar(_) => self.m.pool.bv(self.m.program.machine.pointer_width, 0),
        }
    }

    /// Makes a new object with a copy of the aggregate value; returns its address.
    pub(super) fn copy_to_temporary(&mut self, value: Value, ty: TypeId, span: Span) -> Term {
        let address = self.temporary(ty, span);
        let location = Location::at(self.given_base(address));
        self.store_members(&location, ty, value, span, None);
        address
    }

    /// Makes a new object for a value of the type; returns its address.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> Term {
        let Some(layout) = self.hir.types.layout(ty) else {
            self.unsupported("a value of incomplete type", span);
            return self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        };
        let object = self.create_object("temporary".to_owned(), layout.size, layout.align, span);
        self.object_address(object)
    }

    /// Loads the value at a location.
    pub(super) fn load(&mut self, location: &Location, ty: TypeId, span: Span) -> Value {
        let Some(scalar) = self.m.scalar_type(self.hir, ty) else {
            return self.load_aggregate(location, ty, span);
        };
        match location {
            Location::Parts { parts, offset } => match self.part_at(parts, *offset) {
                Some(part) => {
                    let variable = part.variable;
                    self.check_defined(variable, span);
                    let whole = self.read(variable);
                    Value::Scalar(self.part_of(whole, offset - part.offset, scalar.width()))
                }
                None => self.unsupported_value("a member without a value", ty, span),
            },
            Location::Leaves { leaves, offset } => match leaves
                .iter()
                .find(|leaf| self.reaches(leaf.offset, leaf.ty, *offset))
            {
                Some(&leaf) => Value::Scalar(self.part_of(leaf.term, offset - leaf.offset, scalar.width())),
                None => self.unsupported_value("a member without a value", ty, span),
            },
            &Location::Region(region) => {
                let RegionKind::Scalar(stored) = self.m.program.regions[region].kind else {
                    return self.dummy(ty);
                };
                let term = self.emit(InstructionKind::Load { region, address: None }, stored, span);
                Value::Scalar(self.fit(term, scalar))
            }
            Location::Memory { bits: None, .. } => {
                let address = self.accessed(location, scalar.bytes(), Access::Read, span);
                let term = self.load_unchecked(address, scalar, span);
                Value::Scalar(self.valid(term, ty))
            }
            &Location::Memory { bits: Some(bits), .. } => {
                let unit = Type::unsigned(unit_width(bits));
                let address = self.accessed(location, unit.bytes(), Access::Read, span);
                let word = self.load_unchecked(address, unit, span);
                let field = self.bits_of(word, bits.first + bits.width - 1, bits.first);
                let signedness = self.signedness(ty);
                Value::Scalar(self.resize(field, scalar.width(), signedness))
            }
        }
    }

    /// The variable at an offset, which may lie within a vector.
    fn part_at(&self, parts: &[Part], offset: u64) -> Option<Part> {
        parts.iter().copied().find(|part| self.reaches(part.offset, part.ty, offset))
    }

    fn load_aggregate(&mut self, location: &Location, ty: TypeId, span: Span) -> Value {
        let size = self.hir.types.size(ty).unwrap_or(0);
        match location {
            Location::Parts { parts, offset } => {
                let mut leaves = Vec::new();
                for part in parts.iter().filter(|part| part.offset >= *offset && part.offset - offset < size)
                {
                    let term = self.read(part.variable);
                    leaves.push(LeafValue { offset: part.offset - offset, ty: part.ty, term });
                }
                Value::Leaves(Rc::from(leaves))
            }
            Location::Leaves { leaves, offset } => {
                let within =
                    leaves.iter().filter(|leaf| leaf.offset >= *offset && leaf.offset - offset < size);
                Value::Leaves(
                    within.map(|leaf| LeafValue { offset: leaf.offset - offset, ..*leaf }).collect(),
                )
            }
            Location::Memory { .. } => Value::Memory(self.accessed(location, size, Access::Read, span)),
            Location::Region(_) => self.dummy(ty),
        }
    }

    /// Stores a value; its padding gets any contents (see `padding`). `name` is the spelling of the
    /// place in the source.
    pub(super) fn store(
        &mut self,
        location: &Location,
        ty: TypeId,
        value: Value,
        span: Span,
        name: Option<String>,
    ) {
        let value = self.padded(location, ty, value, span);
        self.store_members(location, ty, value, span, name);
        self.forget_padding(location, ty, span);
    }

    /// Stores a value; the padding between its members stays.
    pub(super) fn store_members(
        &mut self,
        location: &Location,
        ty: TypeId,
        value: Value,
        span: Span,
        name: Option<String>,
    ) {
        match value {
            Value::Void => {}
            Value::Scalar(term) => {
                self.note_named_place(name.as_deref(), ty);
                self.store_value(location, ty, term, span, name);
            }
            Value::Leaves(leaves) => match location {
                Location::Parts { parts, offset } => {
                    for leaf in leaves.iter() {
                        if let Some(part) = parts.iter().find(|part| part.offset == offset + leaf.offset) {
                            let variable = part.variable;
                            self.assign(variable, leaf.term, span);
                        }
                    }
                }
                Location::Memory { .. } => {
                    let size = self.hir.types.size(ty).unwrap_or(0);
                    let base = self.accessed(location, size, Access::Write, span);
                    for leaf in leaves.iter() {
                        let address = self.displaced(base, leaf.offset);
                        let Some(scalar) = self.m.scalar_type(self.hir, leaf.ty) else { continue };
                        let place = name
                            .as_deref()
                            .map(|name| super::render::leaf_name(self.hir, name, ty, leaf.offset));
                        self.note_named_place(place.as_deref(), leaf.ty);
                        let term = self.with_padding(leaf.ty, leaf.term, span);
                        self.store_unchecked(address, term, scalar, span, place);
                    }
                }
                Location::Leaves { .. } | Location::Region(_) => {}
            },
            Value::Memory(from) => match location {
                Location::Parts { parts, offset } => {
                    let size = self.hir.types.size(ty).unwrap_or(0);
                    for part in
                        parts.iter().filter(|part| part.offset >= *offset && part.offset - offset < size)
                    {
                        let address = self.displaced(from, part.offset - offset);
                        let Some(scalar) = self.m.scalar_type(self.hir, part.ty) else { continue };
                        let term = self.load_unchecked(address, scalar, span);
                        let term = self.valid(term, part.ty);
                        self.assign(part.variable, term, span);
                    }
                }
                Location::Memory { .. } => {
                    let size = self.hir.types.size(ty).unwrap_or(0);
                    let to = self.accessed(location, size, Access::Write, span);
                    self.copy(to, from, ty, span, name.as_deref());
                }
                Location::Leaves { .. } | Location::Region(_) => {}
            },
        }
    }

    fn store_value(
        &mut self,
        location: &Location,
        ty: TypeId,
        term: Term,
        span: Span,
        place: Option<String>,
    ) {
        let Some(scalar) = self.m.scalar_type(self.hir, ty) else { return };
        match *location {
            Location::Parts { ref parts, offset } => match self.part_at(parts, offset) {
                Some(part) if self.m.pool_width(term) == self.b.variable(part.variable).ty.width() => {
                    self.assign(part.variable, term, span);
                }
                Some(part) if self.vector(part.ty).is_some() => {
                    self.assign_element(part, offset - part.offset, term, span);
                }
                Some(part) => self.assign(part.variable, term, span),
                None => {}
            },
            Location::Region(region) => {
                let RegionKind::Scalar(stored) = self.m.program.regions[region].kind else { return };
                let value = self.fit(term, stored);
                let kind = InstructionKind::Store { region, address: None, value, ty: stored, place };
                self.b.effect(kind, span);
            }
            Location::Memory { bits: None, .. } => {
                let address = self.accessed(location, scalar.bytes(), Access::Write, span);
                self.store_unchecked(address, term, scalar, span, place);
            }
            Location::Memory { bits: Some(bits), .. } => {
                let bytes = u64::from(unit_width(bits) / 8);
                let address = self.accessed(location, bytes, Access::Write, span);
                self.store_bits(address, bits, term, span, place);
            }
            Location::Leaves { .. } => {}
        }
    }

    /// Stores the low bits of `term` as a bit-field.
    pub(super) fn store_bits(
        &mut self,
        address: Term,
        bits: BitRange,
        term: Term,
        span: Span,
        place: Option<String>,
    ) {
        let width = unit_width(bits);
        let unit = Type::unsigned(width);
        let mut word = self.bits_of(term, bits.width - 1, 0);
        let above = width - bits.first - bits.width;
        if bits.first > 0 || above > 0 {
            let old = self.load_unchecked(address, unit, span);
            if bits.first > 0 {
                let low = self.bits_of(old, bits.first - 1, 0);
                word = self.m.pool.concat(word, low);
            }
            if above > 0 {
                let high = self.bits_of(old, width - 1, bits.first + bits.width);
                word = self.m.pool.concat(high, word);
            }
        }
        self.note_bit_field(place.as_deref(), bits);
        let kind =
            InstructionKind::Store { region: MEMORY, address: Some(address), value: word, ty: unit, place };
        self.b.effect(kind, span);
        self.note_bits_assigned(address, bits.first, span);
    }

    /// The value of a place after storing `term`: a bit-field truncates it; a variable gets a value
    /// of its own, which keeps terms small.
    pub(super) fn cut(&mut self, location: &Location, ty: TypeId, term: Term) -> Term {
        match *location {
            Location::Memory { bits: Some(bits), .. } => {
                let width = self.m.pool_width(term);
                let field = self.bits_of(term, bits.width - 1, 0);
                let signedness = self.signedness(ty);
                self.resize(field, width, signedness)
            }
            Location::Parts { ref parts, offset } => match self.part_at(parts, offset) {
                Some(part) => {
                    let (whole, width) = (self.read(part.variable), self.m.pool_width(term));
                    self.part_of(whole, offset - part.offset, width)
                }
                None => term,
            },
            _ => term,
        }
    }

    /// Copies an object of the type.
    fn copy(&mut self, to: Term, from: Term, ty: TypeId, span: Span, name: Option<&str>) {
        if to == from {
            return;
        }
        if let Some(leaves) = self.m.leaves(self.unit, ty) {
            for leaf in leaves.iter() {
                let Some(scalar) = self.m.scalar_type(self.hir, leaf.ty) else { continue };
                let source = self.displaced(from, leaf.offset);
                let target = self.displaced(to, leaf.offset);
                let term = self.load_unchecked(source, scalar, span);
                let term = self.with_padding(leaf.ty, term, span);
                let place = name.map(|name| super::render::leaf_name(self.hir, name, ty, leaf.offset));
                self.note_named_place(place.as_deref(), leaf.ty);
                self.store_unchecked(target, term, scalar, span, place);
            }
            return;
        }
        let Some(layout) = self.hir.types.layout(ty) else {
            self.unsupported("a copy of an object of unknown size", span);
            return;
        };
        let chunk = chunk(layout.size, layout.align);
        self.copy_chunks(to, from, layout.size / chunk, chunk, span);
        self.note_members(to, ty, span);
    }

    /// Copies `count` pieces of `chunk` bytes.
    pub(super) fn copy_chunks(&mut self, to: Term, from: Term, count: u64, chunk: u64, span: Span) {
        let ty = Type::unsigned(chunk as u32 * 8);
        self.repeat(count, chunk, span, &mut |this, offset| {
            let source = this.m.pool.bv_add(from, offset);
            let target = this.m.pool.bv_add(to, offset);
            let term = this.load_unchecked(source, ty, span);
            this.store_unchecked(target, term, ty, span, None);
        });
    }

    /// Stores zeros in an object of the type.
    pub(super) fn store_zero(&mut self, to: Term, ty: TypeId, span: Span) {
        if let Some(leaves) = self.m.leaves(self.unit, ty) {
            for leaf in leaves.iter() {
                let Some(scalar) = self.m.scalar_type(self.hir, leaf.ty) else { continue };
                let target = self.displaced(to, leaf.offset);
                let zero = self.m.pool.bv(scalar.width(), 0);
                self.store_unchecked(target, zero, scalar, span, None);
            }
            return;
        }
        let Some(layout) = self.hir.types.layout(ty) else {
            self.unsupported("an initializer of an object of unknown size", span);
            return;
        };
        let chunk = chunk(layout.size, layout.align);
        let scalar = Type::unsigned(chunk as u32 * 8);
        let zero = self.m.pool.bv(scalar.width(), 0);
        self.repeat(layout.size / chunk, chunk, span, &mut |this, offset| {
            let target = this.m.pool.bv_add(to, offset);
            this.store_unchecked(target, zero, scalar, span, None);
        });
        self.note_members(to, ty, span);
    }

    /// Emits `body` for the `count` offsets `0, stride, 2 × stride, …`, unrolled or as a loop.
    pub(super) fn repeat(
        &mut self,
        count: u64,
        stride: u64,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Term),
    ) {
        let width = self.m.program.machine.pointer_width;
        if count <= MAX_UNROLLED {
            for index in 0..count {
                let offset = self.m.pool.bv(width, index.wrapping_mul(stride));
                body(self, offset);
            }
            return;
        }
        let variable = self.hidden_variable(self.m.address_type(), span);
        let zero = self.m.pool.bv(width, 0);
        self.assign_hidden(variable, zero, span);
        let (head, inside, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head, span);
        self.b.switch_to(head);
        let offset = self.read(variable);
        let end = self.m.pool.bv(width, count.wrapping_mul(stride));
        let condition = self.m.pool.bv_ult(offset, end);
        self.b.terminate(Terminator::Branch { condition, then: edge(inside), otherwise: edge(after) }, span);
        self.b.seal(inside);
        self.b.seal(after);
        self.b.switch_to(inside);
        body(self, offset);
        let next = self.displaced(offset, stride);
        self.assign_hidden(variable, next, span);
        self.goto(head, span);
        self.b.seal(head);
        self.b.switch_to(after);
    }
}

/// The distance computed from an index.
struct Scaled {
    /// In bytes.
    distance: Term,
    /// Whether it exceeds the size of every object.
    is_far: Term,
}

/// The sum of a pointer and an index.
pub(super) struct Moved {
    pub(super) address: Term,
    /// Whether the distance exceeds the size of every object.
    pub(super) is_far: Term,
}

/// The number of bits in the bytes that an access to a bit-field touches.
fn unit_width(bits: BitRange) -> u32 {
    (bits.first + bits.width).div_ceil(8) * 8
}

/// The size of the pieces in which an object is copied, in bytes.
fn chunk(size: u64, align: u64) -> u64 {
    [8, 4, 2]
        .into_iter()
        .find(|chunk| align.is_multiple_of(*chunk) && size.is_multiple_of(*chunk))
        .unwrap_or(1)
}
