//! Initializers of locals and globals.

use super::definedness::Definedness;
use super::function::{Lowering, Part, Storage};
use super::module::{GlobalStorage, Leaf, MEMORY};
use super::places::{Location, Value};
use super::ssa::Variable;
use crate::c::hir::{
    ExprKind, Fill, GlobalId, InitEntry, InitId, InitValue, Initializer, LocalId, PlaceKind, Repeat,
};
use crate::c::types::{ArrayLength, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{Contents, InstructionKind, Signedness, Type};
use rustc_hash::FxHashSet;
use terms::Term;

/// A zero-filled array with more scalars than this is allocated as zeros instead of being stored
/// scalar by scalar.
const MAX_ZERO_STORES: usize = 256;

impl Lowering<'_, '_, '_> {
    /// Lowers a declaration.
    pub(super) fn initialize_local(&mut self, local: LocalId, initializer: Option<InitId>, span: Span) {
        let data = &self.hir[local];
        let (ty, span) = (data.ty, if data.span.is_none() { span } else { data.span });
        if self.hir.types.layout(ty).is_none() {
            self.allocate_variable_length(local, ty, span);
            return;
        }
        if self.declare_instance(local, initializer, span) {
            return;
        }
        let Some(init) = initializer else {
            match self.storage(local) {
                Storage::Split(parts) => {
                    for part in parts.iter() {
                        self.make_indeterminate(*part, span);
                    }
                    return;
                }
                Storage::Object(object) => {
                    self.object_address(object);
                    self.b.effect(InstructionKind::Forget { region: MEMORY, object }, span);
                }
                Storage::Allocated(variable) => {
                    let size = self.hir.types.size(ty).unwrap_or(1).max(1);
                    let size = self.m.pool.bv(self.m.program.machine.pointer_width, size);
                    self.allocate(local, variable, size, Contents::Unknown, span);
                    self.begin_local(local, Some(size), span);
                    self.forget_assignment(local, span);
                    return;
                }
                Storage::Address(_) => {}
            }
            self.begin_local(local, None, span);
            self.forget_assignment(local, span);
            return;
        };
        if self.is_mostly_zero(local, init) && !self.is_chosen(local) {
            let variable = self.set_allocated(local);
            let size = self.hir.types.size(ty).unwrap_or(1).max(1);
            let size = self.m.pool.bv(self.m.program.machine.pointer_width, size);
            self.allocate(local, variable, size, Contents::Zero, span);
            self.begin_local(local, Some(size), span);
            self.initialize_zeroed(local, init);
            return;
        }
        let initializer = &self.hir[init];
        match self.storage(local) {
            Storage::Split(parts) => {
                for part in parts.iter() {
                    self.note(part.variable, Definedness::Indeterminate);
                }
                self.initialize_parts(&parts, initializer);
            }
            storage => {
                let size = match storage {
                    Storage::Allocated(_) => self.hir.types.size(ty),
                    _ => None,
                };
                let size = size.map(|size| self.m.pool.bv(self.m.program.machine.pointer_width, size));
                self.begin_local(local, size, span);
                self.forget_assignment(local, span);
                let location = self.local_location(local);
                self.initialize(&location, init);
            }
        }
    }

    /// Whether the object is allocated as zeros, because it is large and zero-filled.
    pub(super) fn is_mostly_zero(&mut self, local: LocalId, init: InitId) -> bool {
        self.hir[init].fill == Fill::Zero && self.is_large(self.hir[local].ty)
    }

    /// Stores the entries of the initializer of a zeroed local.
    pub(super) fn initialize_zeroed(&mut self, local: LocalId, init: InitId) {
        let location = self.local_location(local);
        if let Location::Memory { base, offset: 0, .. } = location {
            self.note_members(base.address, self.hir[local].ty, self.hir[init].span);
        }
        let base = self.plain_address(&location, self.hir[init].span);
        self.initialize_padding(base, init, true);
        self.store_entries(&location, &self.hir[init]);
    }

    pub(super) fn is_large(&mut self, ty: TypeId) -> bool {
        match self.m.leaves(self.unit, ty) {
            Some(leaves) => leaves.len() > MAX_ZERO_STORES,
            None => self.hir.types.size(ty).is_some_and(|size| size > MAX_ZERO_STORES as u64 * 8),
        }
    }

    fn allocate(&mut self, local: LocalId, variable: Variable, size: Term, contents: Contents, span: Span) {
        let align = self.local_align(local);
        let kind = InstructionKind::Allocate {
            parts: vec![program::ssa::Part::whole(MEMORY)],
            size,
            align,
            contents,
        };
        self.m.program.machine.set_frees();
        let ty = self.m.address_type();
        let address = self.emit(kind, ty, span);
        self.assign_hidden(variable, address, span);
    }

    fn allocate_variable_length(&mut self, local: LocalId, ty: TypeId, span: Span) {
        let width = self.m.program.machine.pointer_width;
        let mut size = self.m.pool.bv(width, 1);
        let mut at = ty;
        while let CType::Array(element, length) = self.hir.types[at] {
            let factor = match length {
                ArrayLength::Known(length) => self.m.pool.bv(width, length),
                ArrayLength::Variable(length) => {
                    let location = self.local_location(length);
                    match self.load(&location, self.hir[length].ty, span) {
                        Value::Scalar(term) => self.resize(term, width, Signedness::Unsigned),
                        _ => break,
                    }
                }
                ArrayLength::Incomplete | ArrayLength::Unevaluated => break,
            };
            size = self.m.pool.bv_mul(size, factor);
            at = element.ty;
        }
        let Some(bytes) = self.hir.types.size(at) else {
            self.unsupported("an object of unknown size", span);
            return;
        };
        let bytes = self.m.pool.bv(width, bytes);
        size = self.m.pool.bv_mul(size, bytes);
        let variable = self.set_allocated(local);
        self.allocate(local, variable, size, Contents::Unknown, span);
        self.begin_local(local, Some(size), span);
    }

    pub(super) fn make_indeterminate(&mut self, part: Part, span: Span) {
        let data = self.b.variable(part.variable).clone();
        let mut kind = InstructionKind::Havoc(program::ssa::HavocSource::Uninitialized);
        if part.ty == TypeId::BOOL
            && let Some(term) = self.any_value(program::ssa::HavocSource::Uninitialized, part.ty, span)
        {
            kind = InstructionKind::Pure(term);
        }
        let value = self.b.define(kind, program::ssa::ValueData { ty: data.ty, name: data.name, span });
        self.b.write(part.variable, value);
        self.note(part.variable, Definedness::Indeterminate);
    }

    /// Initializes a local in SSA variables.
    fn initialize_parts(&mut self, parts: &[Part], initializer: &Initializer) {
        self.check_overridden(initializer);
        if initializer.fill == Fill::Zero {
            for part in parts {
                if !self.is_covered(initializer, part) {
                    let zero = self.m.pool.bv(self.b.variable(part.variable).ty.width(), 0);
                    self.assign(part.variable, zero, initializer.span);
                }
            }
        }
        for entry in &initializer.entries {
            let InitValue::Expr(expr) = entry.value else { continue };
            let value = self.value(expr);
            let location = Location::Parts { parts: parts.into(), offset: entry.offset };
            self.store(&location, entry.ty, value, entry.span, None);
        }
    }

    /// Whether one entry stores all of a variable. (An initializer may set only some elements of a
    /// vector.)
    fn is_covered(&self, initializer: &Initializer, part: &Part) -> bool {
        let wanted = self.hir.types.size(part.ty).unwrap_or(0);
        initializer.entries.iter().any(|entry| {
            let size = self.hir.types.size(entry.ty).unwrap_or(0);
            let end = entry.offset.saturating_add(size);
            entry.bits.is_none() && entry.offset <= part.offset && part.offset.saturating_add(wanted) <= end
        })
    }

    /// Initializes an object in memory.
    pub(super) fn initialize(&mut self, location: &Location, init: InitId) {
        let initializer = &self.hir[init];
        if initializer.fill == Fill::Zero {
            let base = self.address(location, initializer.span);
            match self.m.leaves(self.unit, initializer.ty) {
                Some(leaves) => {
                    let covered = self.covered_scalars(initializer);
                    let rest: Vec<&Leaf> =
                        leaves.iter().filter(|leaf| !self.is_stored(leaf, &covered)).collect();
                    for leaf in rest {
                        let Some(scalar) = self.m.scalar_type(self.hir, leaf.ty) else { continue };
                        let address = self.displaced(base, leaf.offset);
                        let zero = self.m.pool.bv(scalar.width(), 0);
                        self.store_unchecked(address, zero, scalar, initializer.span, None);
                    }
                }
                None => self.store_zero(base, initializer.ty, initializer.span),
            }
            self.initialize_padding(base, init, false);
        }
        self.store_entries(location, initializer);
    }

    /// Whether an entry stores all of a scalar; for a vector it may store only an element.
    fn is_stored(&self, leaf: &Leaf, covered: &FxHashSet<u64>) -> bool {
        covered.contains(&leaf.offset) && self.vector(leaf.ty).is_none()
    }

    /// The offsets of the scalars that have an entry.
    fn covered_scalars(&self, initializer: &Initializer) -> FxHashSet<u64> {
        let mut covered = FxHashSet::default();
        for entry in &initializer.entries {
            if entry.bits.is_some() {
                continue;
            }
            let repeat = entry.repeat.map_or((1, 0), |repeat| (repeat.count, repeat.stride));
            match &entry.value {
                InitValue::Expr(_) if self.m.scalar_type(self.hir, entry.ty).is_some() => {
                    covered.extend((0..repeat.0.min(1 << 20)).map(|index| entry.offset + index * repeat.1));
                }
                InitValue::Bytes(_) => {
                    let size = self.hir.types.size(entry.ty).unwrap_or(0);
                    for index in 0..repeat.0.min(1 << 20) {
                        let start = entry.offset + index * repeat.1;
                        covered.extend(start..start.saturating_add(size.min(1 << 20)));
                    }
                }
                InitValue::Expr(_) => {}
            }
        }
        covered
    }

    /// Compilers differ in whether they evaluate a value that a later entry replaces.
    fn check_overridden(&mut self, initializer: &Initializer) {
        for &value in &initializer.overridden {
            if self.has_effect(value) {
                let span = self.hir[value].span;
                self.unsupported("an initializer with side effects that a later one overrides", span);
            }
        }
    }

    fn store_entries(&mut self, location: &Location, initializer: &Initializer) {
        self.check_overridden(initializer);
        let base = self.address(location, initializer.span);
        for entry in &initializer.entries {
            self.store_entry(base, entry);
        }
    }

    fn store_entry(&mut self, base: Term, entry: &InitEntry) {
        let start = self.displaced(base, entry.offset);
        match &entry.value {
            InitValue::Expr(expr) => {
                let value = self.value(*expr);
                self.at_each(start, entry, &mut |this, address| {
                    let location = this.entry_location(address, entry);
                    this.store(&location, entry.ty, value.clone(), entry.span, None);
                });
            }
            InitValue::Bytes(bytes) => {
                let size = self.hir.types.size(entry.ty).unwrap_or(bytes.len() as u64);
                self.at_each(start, entry, &mut |this, address| {
                    this.store_bytes(address, bytes, size, entry.ty, Padding::Zero, entry.span);
                });
            }
        }
    }

    fn entry_location(&mut self, address: Term, entry: &InitEntry) -> Location {
        Location::Memory { base: self.given_base(address), offset: 0, bits: entry.bits }
    }

    fn at_each(&mut self, start: Term, entry: &InitEntry, store: &mut dyn FnMut(&mut Self, Term)) {
        match entry.repeat {
            None => store(self, start),
            Some(repeat) => self.repeat(repeat.count, repeat.stride, entry.span, &mut |this, offset| {
                let address = this.m.pool.bv_add(start, offset);
                store(this, address);
            }),
        }
    }

    /// Stores the elements of a string.
    fn store_bytes(
        &mut self,
        start: Term,
        bytes: &[u8],
        size: u64,
        ty: TypeId,
        padding: Padding,
        span: Span,
    ) {
        let element = self.hir.types.element(ty).and_then(|element| self.hir.types.size(element.ty));
        let element = element.filter(|size| matches!(size, 1 | 2 | 4)).unwrap_or(1);
        let signed =
            self.hir.types.element(ty).map_or(Signedness::Unsigned, |element| self.signedness(element.ty));
        let scalar = Type::Int { width: element as u32 * 8, signedness: signed };
        let count = size / element;
        for index in 0..count {
            let at = (index * element) as usize;
            if padding == Padding::AlreadyZero && at >= bytes.len() {
                break;
            }
            let unit = (0..element as usize).fold(0, |unit, byte| {
                unit | u64::from(bytes.get(at + byte).copied().unwrap_or(0)) << (8 * byte)
            });
            if padding == Padding::AlreadyZero && unit == 0 {
                continue;
            }
            let address = self.displaced(start, index * element);
            let term = self.m.pool.bv(scalar.width(), unit);
            self.store_unchecked(address, term, scalar, span, None);
        }
    }

    /// Stores the nonzero initial contents of a global; memory is zero at the start.
    pub(super) fn initialize_static(&mut self, id: GlobalId, storage: GlobalStorage, init: InitId) {
        let initializer = &self.hir[init];
        let name = self.hir[id].name.map(|name| self.hir.name(name).to_owned());
        match storage {
            GlobalStorage::Unknown | GlobalStorage::Null => {}
            GlobalStorage::Scalar(region) => {
                for entry in &initializer.entries {
                    let InitValue::Expr(expr) = entry.value else { continue };
                    let term = self.scalar(expr);
                    if !self.is_zero(term) {
                        let location = Location::Region(region);
                        self.store(&location, entry.ty, Value::Scalar(term), entry.span, name.clone());
                    }
                }
            }
            GlobalStorage::Object(object) => {
                if initializer.entries.is_empty() {
                    return;
                }
                let base = self.object_address(object);
                // The end of the entries so far: the memory behind it is still zero.
                let mut end = 0;
                for entry in &initializer.entries {
                    let size = self.hir.types.size(entry.ty).unwrap_or(0);
                    let repeat = entry.repeat.map_or(0, Repeat::reach);
                    let is_fresh = entry.offset >= end && entry.bits.is_none();
                    end = end.max(entry.offset.saturating_add(size).saturating_add(repeat));
                    match &entry.value {
                        InitValue::Expr(expr) if is_fresh && self.is_static_zero(*expr) => {}
                        InitValue::Bytes(bytes) if is_fresh && entry.repeat.is_none() => {
                            let start = self.displaced(base, entry.offset);
                            self.store_bytes(start, bytes, size, entry.ty, Padding::AlreadyZero, entry.span);
                        }
                        InitValue::Expr(expr) => {
                            let start = self.displaced(base, entry.offset);
                            let value = self.static_value(*expr);
                            // The padding is still zero.
                            self.at_each(start, entry, &mut |this, address| {
                                let location = this.entry_location(address, entry);
                                this.store_members(&location, entry.ty, value.clone(), entry.span, None);
                            });
                        }
                        InitValue::Bytes(_) => self.store_entry(base, entry),
                    }
                }
            }
        }
    }

    /// A constant of aggregate type, such as a compound literal, is initialized where it is used,
    /// because its own global may not be initialized yet.
    fn static_value(&mut self, expr: crate::c::hir::ExprId) -> Value {
        if let ExprKind::Load(place) = self.hir[expr].kind
            && let PlaceKind::Global(global) = self.hir[place].kind
            && let Some(init) = self.hir[global].initializer
        {
            let storage = self.m.global(self.unit, global);
            self.initialize_static(global, storage, init);
        }
        self.value(expr)
    }

    fn is_static_zero(&self, expr: crate::c::hir::ExprId) -> bool {
        let mut at = expr;
        loop {
            match self.hir[at].kind {
                ExprKind::Integer(bits) => return bits.get() == 0 && self.changed_constant(at).is_none(),
                ExprKind::Cast { kind, operand } if kind != crate::c::hir::CastKind::ToVoid => at = operand,
                _ => return false,
            }
        }
    }

    /// Whether the term is the constant zero.
    pub(super) fn is_zero(&self, term: Term) -> bool {
        self.m.pool.as_bv_u64(term) == Some(0)
    }
}

/// The contents of the array elements behind a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Padding {
    /// They must be set to zero.
    Zero,
    /// They are already zero.
    AlreadyZero,
}
