//! Reading variables before they have a value.
//!
//! Beside each SSA variable of a declared local there is a truth value: whether it was assigned since its declaration was last reached.
//! Both constants are one value each per function, so where all paths assign, no φ is left and the check folds away.
//! Tracked are locals that are SSA variables: scalars whose address is not taken, and the members of structs of which the same holds.
//! Not tracked are objects in memory (arrays, unions, whatever has its address taken), whose contents are indeterminate without
//! error; and a struct that is assigned as a whole counts as having a value in all members.

use super::function::Lowering;
use super::ssa::{Variable, VariableData};
use crate::c::hir::{LocalId, LocalKind};
use grammars::source::Span;
use ir::ssa::{InstructionKind, PropertyKind, Type, Value, ValueData};
use rustc_hash::FxHashMap;

/// Whether a variable has a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Definedness {
    Defined,
    Indeterminate,
}

/// The truth values beside variables.
#[derive(Default)]
pub(super) struct Definitions {
    beside: FxHashMap<Variable, Variable>,
    constants: FxHashMap<Definedness, Value>,
}

impl Lowering<'_, '_, '_> {
    /// Whether reading the local is checked.
    pub(super) fn is_tracked(&self, local: LocalId) -> bool {
        self.checks(PropertyKind::Uninitialized)
            && self.hir[local].kind == LocalKind::Variable
            && !self.hir[local].is_address_taken
    }

    /// Tracks an SSA variable of a local, which has no value yet.
    pub(super) fn track(&mut self, variable: Variable) {
        let span = self.b.variable(variable).span;
        let beside = self.b.create_variable(VariableData { ty: Type::Bool, name: None, span });
        // Where a jump leads past the declaration there is no value either.
        let indeterminate = self.definedness_constant(Definedness::Indeterminate);
        self.b.write_at_entry(beside, indeterminate);
        self.definitions.beside.insert(variable, beside);
    }

    /// Notes that a variable got a value, or that its declaration was reached.
    pub(super) fn note(&mut self, variable: Variable, definedness: Definedness) {
        if let Some(&beside) = self.definitions.beside.get(&variable) {
            let value = self.definedness_constant(definedness);
            self.b.write(beside, value);
        }
    }

    /// Checks a variable that is read.
    pub(super) fn check_defined(&mut self, variable: Variable, span: Span) {
        let Some(&beside) = self.definitions.beside.get(&variable) else { return };
        let value = self.b.read(beside);
        if self.definitions.constants.get(&Definedness::Defined) == Some(&value) {
            return;
        }
        let is_defined = self.m.pool.value(value.0, Type::Bool.sort());
        let failure = self.m.pool.not(is_defined);
        let name = self.b.variable(variable).name.clone().unwrap_or_default();
        self.check(
            PropertyKind::Uninitialized,
            failure,
            format!("{name} is read before it has a value"),
            &[],
            span,
        );
    }

    /// Whether a variable has a value on every path, or is not tracked.
    pub(super) fn is_surely_defined(&mut self, variable: Variable) -> bool {
        let Some(&beside) = self.definitions.beside.get(&variable) else { return true };
        let value = self.b.read(beside);
        self.definitions.constants.get(&Definedness::Defined) == Some(&value)
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
