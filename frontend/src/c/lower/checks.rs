//! Error sites at operations, in addition to calls, labels and assertions.

use super::function::Lowering;
use crate::c::hir::ExprId;
use crate::c::types::TypeId;
use grammars::source::Span;
use program::ssa::{InstructionKind, Property, PropertyKind, Terminator, Type, ValueData};
use terms::Term;

/// An operand that the trace shows at a failed check.
pub(super) struct Operand {
    /// The spelling in the source.
    pub(super) text: String,
    pub(super) term: Term,
    pub(super) ty: Type,
    /// The type in the source.
    pub(super) source: TypeId,
}

impl Lowering<'_, '_, '_> {
    /// Whether errors of this kind are checked here. Arithmetic in library functions is not part of
    /// the program, so it is not checked.
    pub(super) fn checks(&self, kind: PropertyKind) -> bool {
        let concerns_caller = matches!(
            kind,
            PropertyKind::Null
                | PropertyKind::ValidDeref
                | PropertyKind::ValidFree
                | PropertyKind::ValidMemtrack
                | PropertyKind::ValidMemcleanup
        );
        (concerns_caller || !self.m.is_library(self.unit)) && self.m.checks.contains(kind)
    }

    /// Emits an error site that is reached if `failure` holds, and returns it; lowering continues
    /// in the other case. Emits nothing if constants exclude the failure.
    ///
    /// The operands become named values of the block that ends in the error. Transformations need
    /// no knowledge of them; the trace, which is an execution of the program as lowered, finds them
    /// there.
    pub(super) fn check(
        &mut self,
        kind: PropertyKind,
        failure: Term,
        description: String,
        operands: &[Operand],
        span: Span,
    ) -> Option<Property> {
        if failure == self.m.pool.fls() {
            return None;
        }
        let (error, next) = (self.b.create_block(), self.b.create_block());
        self.branch(failure, error, next, span);
        self.b.seal(error);
        self.b.switch_to(error);
        for (index, operand) in operands.iter().enumerate() {
            let is_repeated = operands[..index].iter().any(|earlier| earlier.text == operand.text);
            if is_repeated || self.m.pool.is_constant(operand.term) {
                continue;
            }
            let data = ValueData { ty: operand.ty, name: Some(operand.text.clone()), span };
            self.b.define(InstructionKind::Pure(operand.term), data);
        }
        let property = self.m.property(kind, description, span);
        for operand in operands {
            self.note_operand(property, &operand.text, operand.source);
        }
        self.b.terminate(Terminator::Error(property), span);
        self.b.seal(next);
        self.b.switch_to(next);
        Some(property)
    }

    /// As [`check`](Self::check) of the operation that the expression `id` is: `error` is what is
    /// wrong.
    pub(super) fn check_operation(
        &mut self,
        kind: PropertyKind,
        failure: Term,
        error: &str,
        operands: &[Operand],
        id: ExprId,
    ) {
        let description = format!("{error} in {}", self.render(id));
        let property = self.check(kind, failure, description, operands, self.hir[id].span);
        if let Some(property) = property {
            self.note_operation(property, id);
        }
    }
}
