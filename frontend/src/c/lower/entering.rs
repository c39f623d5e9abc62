//! Jumps into blocks.
//!
//! Each entry into a block creates its automatic variables anew, with indeterminate values (C11
//! 6.2.4p6). An executed declaration has this effect by itself. A jump past the declaration, by
//! `goto` or to a `case`, enters the scope of a variable that may still hold a value of an earlier
//! entry. So the jump makes the variables of all scopes that it enters indeterminate. A declaration
//! below the label does so again.
//!
//! # Limits
//!
//! Computed gotos and jumps to labels in statement expressions are assumed not to enter scopes.

use super::function::{Lowering, Storage};
use super::lifetimes::Lifetimes;
use super::module::MEMORY;
use crate::c::hir::{LabelId, LocalId, LocalKind, StmtId, StmtKind};
use grammars::source::Span;
use program::ssa::InstructionKind;

impl Lowering<'_, '_, '_> {
    /// The variables of the scopes that a jump to the label enters.
    pub(super) fn entered_by(&mut self, label: LabelId) -> Vec<LocalId> {
        let Some(around) = self.scopes_of_label(label) else { return Vec::new() };
        let mut locals = Vec::new();
        for scope in around {
            if self.lifetimes.has_scope(scope) {
                continue;
            }
            let stmts: &[StmtId] = match &self.hir[scope].kind {
                StmtKind::Block(stmts) => stmts,
                StmtKind::For { init, .. } => init,
                _ => &[],
            };
            for &stmt in stmts {
                if let StmtKind::Declare { local, .. } = self.hir[stmt].kind
                    && self.hir[local].kind == LocalKind::Variable
                    && !locals.contains(&local)
                {
                    locals.push(local);
                }
            }
        }
        locals
    }

    /// Makes a variable indeterminate at a jump into its scope. Returns `false` if this is
    /// unsupported; the block has then ended.
    pub(super) fn enter_by_jump(&mut self, local: LocalId, span: Span) -> bool {
        let data = &self.hir[local];
        let is_instance = self.lifetimes.planned(local).is_some()
            || (!self.is_chosen(local) && data.is_address_taken && self.slot_bits().is_some());
        // No jump bypasses the declaration of a variable-length array; the label creates instances
        // anew.
        if is_instance || self.hir.types.layout(data.ty).is_none() {
            return true;
        }
        if !self.is_chosen(local) && self.is_large(data.ty) {
            self.unsupported("a jump past the declaration of a large object", span);
            return false;
        }
        match self.storage(local) {
            Storage::Split(parts) => parts.iter().for_each(|&part| self.make_indeterminate(part, span)),
            Storage::Object(object) => {
                self.object_address(object);
                self.b.effect(InstructionKind::Forget { region: MEMORY, object }, span);
                self.forget_assignment(local, span);
            }
            Storage::Allocated(_) => {
                self.unsupported("a jump past the declaration of a large object", span);
                return false;
            }
            Storage::Address(_) => {}
        }
        true
    }
}

impl Lifetimes {
    /// Whether the current statement lies in a scope.
    fn has_scope(&self, scope: StmtId) -> bool {
        self.statements_of_scopes().any(|statement| statement == scope)
    }
}
