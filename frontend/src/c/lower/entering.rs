//! Jumps into blocks.
//!
//! Each entry into a block makes new objects of its automatic variables, whose values are indeterminate (C11 6.2.4p6). A declaration that is reached
//! says so by itself. A jump past it, by `goto` or to a `case`, leads into the scope of a variable that may hold what an earlier entry
//! left there; so the jump makes the variables of all scopes that it enters indeterminate. Where one of them is declared below the label, its
//! declaration does so again.
//!
//! # Limits
//!
//! Computed gotos, and labels in statement expressions, are taken to stay in the scopes that they enter.

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

    /// A jump enters the scope of a variable. `false` if that is not supported; then the block has ended.
    pub(super) fn enter_by_jump(&mut self, local: LocalId, span: Span) -> bool {
        let data = &self.hir[local];
        let is_instance = self.lifetimes.planned(local).is_some()
            || (!self.is_chosen(local) && data.is_address_taken && self.slot_bits().is_some());
        // Nothing leads past the declaration of a variable-length array; an instance is made anew at the label.
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
    /// Whether the current statement stands in a scope.
    fn has_scope(&self, scope: StmtId) -> bool {
        self.statements_of_scopes().any(|statement| statement == scope)
    }
}
