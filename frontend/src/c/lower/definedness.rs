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
//! Other objects in memory (arrays, unions, structs whose address is taken, heap blocks) are not
//! tracked; their contents are indeterminate without an error.

use super::function::Lowering;
use super::module::Module;
use super::places::Location;
use super::ssa::{Variable, VariableData};
use crate::c::hir::{self, LocalId, LocalKind, PlaceId, PlaceKind};
use grammars::source::Span;
use program::ssa::{InstructionKind, PropertyKind, RegionData, RegionKind, Type, Value, ValueData};
use rustc_hash::FxHashMap;
use terms::Term;

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

    /// Whether the shadow checks reads of the local by its name.
    fn is_shadowed(&self, local: LocalId) -> bool {
        self.m.program.shadow.assigned.is_some()
            && self.checks(PropertyKind::Uninitialized)
            && is_in_memory(self.m, self.hir, local)
    }

    /// Whether a read of the place may fail because it is uninitialized.
    pub(super) fn may_be_unassigned(&self, local: LocalId) -> bool {
        self.is_tracked(local) || self.is_shadowed(local)
    }

    /// Records a store to memory.
    pub(super) fn note_assigned(&mut self, address: Term, span: Span) {
        // No local is live during the initialization of static objects.
        if self.source.is_some() {
            self.set_assigned(address, 1, span);
        }
    }

    fn set_assigned(&mut self, address: Term, flag: u64, span: Span) {
        let Some(region) = self.m.program.shadow.assigned else { return };
        let ty = Type::unsigned(8);
        let value = self.m.pool.bv(8, flag);
        let kind = InstructionKind::Store { region, address: Some(address), value, ty, place: None };
        self.b.effect(kind, span);
    }

    /// Clears the flag of a local in memory at its declaration.
    pub(super) fn forget_assignment(&mut self, local: LocalId, span: Span) {
        if !self.is_shadowed(local) {
            return;
        }
        if let Location::Memory { base, offset: 0, .. } = self.local_location(local) {
            self.set_assigned(base.address, 0, span);
        }
    }

    /// Checks a read of a scalar in memory by its name.
    pub(super) fn check_assigned(&mut self, place: PlaceId, span: Span) {
        let PlaceKind::Local(local) = self.hir[place].kind else { return };
        let Some(region) = self.m.program.shadow.assigned.filter(|_| self.is_shadowed(local)) else {
            return;
        };
        let Location::Memory { base, offset: 0, .. } = self.local_location(local) else { return };
        let kind = InstructionKind::Load { region, address: Some(base.address) };
        let flag = self.emit(kind, Type::unsigned(8), span);
        let zero = self.m.pool.bv(8, 0);
        let failure = self.m.pool.eq(flag, zero);
        let description = format!("{} is used uninitialized", self.local_name(local));
        self.check(PropertyKind::Uninitialized, failure, description, &[], span);
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

impl Module<'_, '_> {
    /// Creates the shadow of assignments, if reads of variables in memory are checked.
    pub(super) fn track_assignments(&mut self) {
        if !self.checks.contains(PropertyKind::Uninitialized) {
            return;
        }
        let linked = self.linked;
        let has_local = |hir: &hir::Program| hir.locals.keys().any(|local| is_in_memory(self, hir, local));
        if !linked.units.values().any(|hir| has_local(hir)) {
            return;
        }
        let kind = RegionKind::Cells(Type::unsigned(8));
        let name = self.unique_name("<assigned>".to_owned());
        self.program.shadow.assigned = Some(self.program.regions.push(RegionData { name, kind }));
    }
}
