//! Reads of uninitialized variables.
//!
//! Each SSA variable of a declared local has an associated flag: whether it was assigned since the
//! last execution of its declaration. The two constants are one value each per function, so if all
//! paths assign, no φ remains and the check is folded. This tracks locals that are SSA variables:
//! scalars whose address is not taken, and the members of structs whose address is not taken. An
//! assignment to a struct as a whole initializes all its members.
//!
//! A scalar whose address is taken lies in memory, and any store may assign it. It has a cell in
//! the shadow ([`Shadow::assigned`](program::ssa::Shadow)) at its address: the declaration clears
//! the cell, and every store to memory sets the cell at its address. Every store that writes the
//! first byte of a valid scalar starts there, so no assignment is missed; a store of only some of
//! its bytes counts as an assignment. A read by the name of the variable is checked, a read through
//! a pointer is not.
//!
//! A struct whose address is not taken lies in memory if it has members that are no SSA variables:
//! bit-fields, arrays or unions. Each member that is a scalar has a cell in the shadow as well, up
//! to [`MAX_MEMBERS`]; bit-fields have a bit each of the cell of their first byte. An assignment to
//! the struct as a whole, or an initializer, initializes all members.
//!
//! Other objects in memory (arrays, unions, structs whose address is taken, heap blocks) are not
//! tracked; their contents are indeterminate without an error. Nor are the members of members that
//! are arrays or unions.

use super::function::{Lowering, Storage};
use super::module::Module;
use super::places::Location;
use super::ssa::{Variable, VariableData};
use crate::c::hir::{self, LocalId, LocalKind, PlaceId, PlaceKind};
use crate::c::link::UnitId;
use crate::c::types::{Type as CType, TypeId};
use grammars::c::ast::RecordKind;
use grammars::source::Span;
use program::ssa::{InstructionKind, PropertyKind, RegionData, RegionKind, Type, Value, ValueData};
use rustc_hash::FxHashMap;
use terms::Term;

/// The most members of a struct in memory that are tracked.
const MAX_MEMBERS: usize = 64;
/// The cell of the shadow for what is assigned as a whole.
const ASSIGNED: u64 = 0xff;

/// A scalar in memory whose reads are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Member {
    /// The offset of its cell in the shadow from the start of the local.
    offset: u64,
    /// The bit of the cell that stands for a bit-field.
    bit: Option<u32>,
}

/// Whether a variable is initialized.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Definedness {
    Defined,
    Indeterminate,
}

/// The flags of variables.
#[derive(Default)]
pub(super) struct Definitions {
    beside: FxHashMap<Variable, Variable>,
    constants: FxHashMap<Definedness, Value>,
}

impl Lowering<'_, '_, '_> {
    /// Whether reads of the local are checked.
    pub(super) fn is_tracked(&self, local: LocalId) -> bool {
        self.checks(PropertyKind::Uninitialized)
            && self.hir[local].kind == LocalKind::Variable
            && !self.hir[local].is_address_taken
    }

    /// Tracks an SSA variable of a local, which is not initialized yet.
    pub(super) fn track(&mut self, variable: Variable) {
        let span = self.b.variable(variable).span;
        let beside = self.b.create_variable(VariableData { ty: Type::Bool, name: None, span });
        // A jump past the declaration leaves the variable uninitialized as well.
        let indeterminate = self.definedness_constant(Definedness::Indeterminate);
        self.b.write_at_entry(beside, indeterminate);
        self.definitions.beside.insert(variable, beside);
    }

    /// Records an assignment to a variable, or the execution of its declaration.
    pub(super) fn note(&mut self, variable: Variable, definedness: Definedness) {
        if let Some(&beside) = self.definitions.beside.get(&variable) {
            let value = self.definedness_constant(definedness);
            self.b.write(beside, value);
        }
    }

    /// Checks a read of a variable.
    pub(super) fn check_defined(&mut self, variable: Variable, span: Span) {
        let Some(&beside) = self.definitions.beside.get(&variable) else { return };
        let value = self.b.read(beside);
        if self.definitions.constants.get(&Definedness::Defined) == Some(&value) {
            return;
        }
        let is_defined = self.m.pool.value(value.0, Type::Bool.sort());
        let failure = self.m.pool.not(is_defined);
        let name = self.b.variable(variable).name.clone().unwrap_or_default();
        self.check(PropertyKind::Uninitialized, failure, format!("{name} is used uninitialized"), &[], span);
    }

    /// Whether a variable is initialized on every path, or not tracked.
    pub(super) fn is_surely_defined(&mut self, variable: Variable) -> bool {
        let Some(&beside) = self.definitions.beside.get(&variable) else { return true };
        let value = self.b.read(beside);
        self.definitions.constants.get(&Definedness::Defined) == Some(&value)
    }

    /// The scalars of the local whose reads the shadow checks.
    fn shadowed(&self, local: LocalId) -> Vec<Member> {
        if self.m.program.shadow.assigned.is_none() || !self.checks(PropertyKind::Uninitialized) {
            return Vec::new();
        }
        if is_in_memory(self.m, self.hir, local) {
            return vec![Member { offset: 0, bit: None }];
        }
        let is_in_memory = matches!(
            self.locals.get(&local),
            Some(Storage::Object(_) | Storage::Allocated(_) | Storage::Address(_))
        );
        if is_in_memory && self.is_tracked(local) {
            members(self.hir, self.hir[local].ty)
        } else {
            Vec::new()
        }
    }

    /// Whether a read of the place may fail because it is uninitialized.
    pub(super) fn may_be_unassigned(&self, local: LocalId) -> bool {
        self.is_tracked(local) || !self.shadowed(local).is_empty()
    }

    /// Records a store to memory.
    pub(super) fn note_assigned(&mut self, address: Term, span: Span) {
        // No local is live during the initialization of static objects.
        if self.source.is_some() {
            self.set_assigned(address, ASSIGNED, span);
        }
    }

    /// Records a store of a bit-field whose lowest bit is this one of the byte at the address.
    pub(super) fn note_bits_assigned(&mut self, address: Term, first: u32, span: Span) {
        let Some(region) = self.m.program.shadow.assigned.filter(|_| self.source.is_some()) else { return };
        let ty = Type::unsigned(8);
        let old = self.emit(InstructionKind::Load { region, address: Some(address) }, ty, span);
        let bit = self.m.pool.bv(8, 1 << first);
        let value = self.m.pool.bv_or(old, bit);
        let kind = InstructionKind::Store { region, address: Some(address), value, ty, place: None };
        self.b.effect(kind, span);
    }

    /// Records that all members of an object of the type are assigned, also where its bytes were
    /// written several at a time.
    pub(super) fn note_members(&mut self, address: Term, ty: TypeId, span: Span) {
        if self.m.program.shadow.assigned.is_none() || self.source.is_none() {
            return;
        }
        for member in members(self.hir, ty) {
            let address = self.displaced(address, member.offset);
            self.set_assigned(address, ASSIGNED, span);
        }
    }

    fn set_assigned(&mut self, address: Term, flag: u64, span: Span) {
        let Some(region) = self.m.program.shadow.assigned else { return };
        let ty = Type::unsigned(8);
        let value = self.m.pool.bv(8, flag);
        let kind = InstructionKind::Store { region, address: Some(address), value, ty, place: None };
        self.b.effect(kind, span);
    }

    /// Clears the flags of a local in memory at its declaration.
    pub(super) fn forget_assignment(&mut self, local: LocalId, span: Span) {
        let members = self.shadowed(local);
        if members.is_empty() {
            return;
        }
        if let Location::Memory { base, offset: 0, .. } = self.local_location(local) {
            for member in members {
                let address = self.displaced(base.address, member.offset);
                self.set_assigned(address, 0, span);
            }
        }
    }

    /// Checks a read of a scalar in memory by its name.
    pub(super) fn check_assigned(&mut self, place: PlaceId, span: Span) {
        let Some(local) = self.base_local(place) else { return };
        let Some(region) = self.m.program.shadow.assigned else { return };
        let Some(members) = Some(self.shadowed(local)).filter(|members| !members.is_empty()) else { return };
        let Location::Memory { base, offset, bits } = self.location(place) else { return };
        let member = Member { offset, bit: bits.map(|bits| bits.first) };
        if !members.contains(&member) {
            return;
        }
        let address = self.displaced(base.address, offset);
        let kind = InstructionKind::Load { region, address: Some(address) };
        let ty = Type::unsigned(8);
        let flag = self.emit(kind, ty, span);
        let flag = match member.bit {
            Some(bit) => self.m.pool.extract(bit, bit, flag),
            None => flag,
        };
        let zero = self.m.pool.bv(self.m.pool_width(flag), 0);
        let failure = self.m.pool.eq(flag, zero);
        let description = format!("{} is used uninitialized", self.names().place(place));
        self.check(PropertyKind::Uninitialized, failure, description, &[], span);
    }

    /// The local that a place is, or is a member of; `None` if evaluating the place does more.
    fn base_local(&self, mut place: PlaceId) -> Option<LocalId> {
        loop {
            match self.hir[place].kind {
                PlaceKind::Local(local) => return Some(local),
                PlaceKind::Field { base, .. } => place = base,
                _ => return None,
            }
        }
    }

    fn definedness_constant(&mut self, definedness: Definedness) -> Value {
        if let Some(&value) = self.definitions.constants.get(&definedness) {
            return value;
        }
        let term = match definedness {
            Definedness::Defined => self.m.pool.tru(),
            Definedness::Indeterminate => self.m.pool.fls(),
        };
        let data = ValueData { ty: Type::Bool, name: None, span: Span::NONE };
        let value = self.b.define_at_entry(InstructionKind::Pure(term), data);
        self.definitions.constants.insert(definedness, value);
        value
    }
}

/// Whether a local is a scalar variable in memory.
fn is_in_memory(module: &Module<'_, '_>, hir: &hir::Program, local: LocalId) -> bool {
    let data = &hir[local];
    data.kind == LocalKind::Variable && data.is_address_taken && module.scalar_type(hir, data.ty).is_some()
}

/// The scalar members of a struct type at any depth, without those of arrays and unions; none if
/// there are too many.
fn members(hir: &hir::Program, ty: TypeId) -> Vec<Member> {
    let mut found = Vec::new();
    let mut open = vec![(ty, 0)];
    while let Some((ty, offset)) = open.pop() {
        let CType::Record(record) = hir.types[ty] else { continue };
        let data = &hir.types.records[record];
        if data.kind == RecordKind::Union {
            continue;
        }
        for field in data.definition.iter().flat_map(|definition| &definition.fields) {
            let offset = offset + field.offset;
            match hir.types[field.ty] {
                CType::Record(_) => open.push((field.ty, offset)),
                CType::Integer(_)
                | CType::Enum(_)
                | CType::BitField(..)
                | CType::Float(_)
                | CType::Pointer(_) => {
                    found.push(Member { offset, bit: field.bits.map(|bits| bits.first) });
                }
                _ => {}
            }
        }
        if found.len() > MAX_MEMBERS {
            return Vec::new();
        }
    }
    found
}

/// Whether a local is a struct in memory whose members are tracked.
fn is_record_in_memory(
    module: &mut Module<'_, '_>,
    unit: UnitId,
    hir: &hir::Program,
    local: LocalId,
) -> bool {
    let data = &hir[local];
    data.kind == LocalKind::Variable
        && !data.is_address_taken
        && hir.types.is_record(data.ty)
        && !module.is_split(unit, hir, data.ty)
        && !members(hir, data.ty).is_empty()
}

impl Module<'_, '_> {
    /// Creates the shadow of assignments, if reads of variables in memory are checked.
    pub(super) fn track_assignments(&mut self) {
        if !self.checks.contains(PropertyKind::Uninitialized) {
            return;
        }
        let linked = self.linked;
        let mut has_local = |unit, hir: &hir::Program| {
            hir.locals
                .keys()
                .any(|local| is_in_memory(self, hir, local) || is_record_in_memory(self, unit, hir, local))
        };
        if !linked.units.iter().any(|(unit, hir)| has_local(unit, hir)) {
            return;
        }
        let kind = RegionKind::Cells(Type::unsigned(8));
        let name = self.unique_name("<assigned>".to_owned());
        self.program.shadow.assigned = Some(self.program.regions.push(RegionData { name, kind }));
    }
}
