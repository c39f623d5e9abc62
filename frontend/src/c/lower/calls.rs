//! Direct and indirect calls of functions.

use super::externals::{self, Model, Site};
use super::function::{Lowering, ResultUse};
use super::order::Sequencing;
use super::output::Output;
use super::places::{Location, Value};
use crate::c::hir::{self, ExprId, ExprKind, FunctionId};
use crate::c::link::Resolved;
use crate::c::types::{Prototype, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{Callee, InstructionKind, PropertyKind, Type};
use terms::Term;

/// An evaluated argument: a scalar, or the address of a copy of an aggregate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    pub(super) term: Term,
    pub(super) ty: TypeId,
    /// The source expression.
    pub(super) expr: Option<ExprId>,
}

impl Lowering<'_, '_, '_> {
    pub(super) fn call(
        &mut self,
        callee: hir::Callee,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Value {
        let result_use = std::mem::replace(&mut self.result_use, ResultUse::Used);
        let callee = match callee {
            hir::Callee::Indirect(pointer) => match self.hir[pointer].kind {
                ExprKind::FunctionAddress(function) => hir::Callee::Direct(function),
                _ => callee,
            },
            direct => direct,
        };
        match callee {
            hir::Callee::Direct(id) => self.direct_call(id, arguments, result_use, ty, span),
            hir::Callee::Indirect(pointer) => self.indirect_call(pointer, arguments, ty, span),
        }
    }

    fn direct_call(
        &mut self,
        id: FunctionId,
        arguments: &[ExprId],
        result_use: ResultUse,
        ty: TypeId,
        span: Span,
    ) -> Value {
        let function = &self.hir[id];
        let name = self.hir.name(function.name);
        let arguments = match externals::model(name) {
            // Their argument decides how the program goes on.
            Model::Assume | Model::Assert => {
                let (arguments, reads) = self.watched(|this| this.arguments(arguments));
                self.argument_reads = Some(reads);
                arguments
            }
            _ => self.arguments(arguments),
        };
        if self.m.is_error_function(self.unit, id) {
            self.error(PropertyKind::ReachCall, format!("call of {name}"), span);
            return self.dummy(ty);
        }
        if let Some(reason) = self.m.opaque(self.unit, id) {
            return self.unsupported_value(format!("a call of {name}, {reason}"), ty, span);
        }
        if self.m.resolve(self.unit, id) == Resolved::Null {
            let construct = format!("a call of the undefined weak function {name}");
            return self.unsupported_value(construct, ty, span);
        }
        let is_library = self.m.library_function(self.unit, id).is_some();
        let has_statements = self.m.has_statements(self.unit, id);
        // Output is only observable in its result and its reads.
        let may_be_unseen = externals::model(name) == Model::Harmless
            && !arguments.iter().any(|argument| self.counts_output(argument));
        let output =
            match may_be_unseen && (!has_statements || is_library && result_use == ResultUse::Ignored) {
                true => self.output(name, &arguments, span),
                false => Output::Runs,
            };
        match output {
            Output::Refused => return self.dummy(ty),
            Output::Runs if may_be_unseen && !has_statements => {
                let construct = format!("{name} with a type that differs from that of the C library");
                return self.unsupported_value(construct, ty, span);
            }
            Output::Runs | Output::Skipped => {}
        }
        if !has_statements || output == Output::Skipped {
            let value = self.external_call(id, &arguments, ty, span, Site::Direct);
            return match value {
                Some(term) => {
                    let width = self.width(ty);
                    Value::Scalar(self.fit(term, Type::unsigned(width)))
                }
                None if self.m.scalar_type(self.hir, ty).is_none() && !self.is_void(ty) => {
                    // An unknown aggregate value.
                    self.unknown_aggregate(ty, span)
                }
                None => self.dummy(ty),
            };
        }
        if is_library && let Some(result) = self.block_operation(name, &arguments, span) {
            return match result {
                Some(term) if !self.is_void(ty) => {
                    let width = self.width(ty);
                    Value::Scalar(self.fit(term, Type::unsigned(width)))
                }
                _ => Value::Void,
            };
        }
        if is_library && matches!(name, "div" | "ldiv" | "lldiv" | "imaxdiv") {
            self.check_division(name, &arguments, span);
        }
        let target = self.m.function(self.unit, id);
        let data = &self.m.program.functions[target];
        let (parameters, result, is_variadic) = (data.parameters.clone(), data.result, data.is_variadic);
        let mut terms = Vec::with_capacity(arguments.len() + 1);
        // Not the type of the call, which returns `int` if the function is declared later.
        let declared = self.hir.types.function(function.ty).map_or(TypeId::VOID, |function| function.result);
        let is_aggregate = self.m.scalar_type(self.hir, declared).is_none() && !self.is_void(declared);
        let memory = (result.is_none() && is_aggregate).then(|| self.temporary(declared, span));
        terms.extend(memory);
        let takes_area = self.m.takes_area(target);
        let named = parameters.len() - usize::from(takes_area);
        let mut arguments = arguments.into_iter();
        for &parameter in &parameters[terms.len().min(named)..named] {
            let term = match arguments.next() {
                Some(argument) => self.fit(argument.term, parameter),
                // Undefined behavior: the parameter is indeterminate.
                None => self.indeterminate(parameter, span),
            };
            terms.push(term);
        }
        if takes_area {
            let rest: Vec<Argument> = arguments.collect();
            terms.push(self.argument_area(&rest, span));
        } else if is_variadic {
            terms.extend(arguments.map(|argument| argument.term));
        }
        let kind = InstructionKind::Call { callee: Callee::Direct(target), arguments: terms };
        self.finish_call(kind, result, memory, ty, span)
    }

    fn indirect_call(&mut self, pointer: ExprId, arguments: &[ExprId], ty: TypeId, span: Span) -> Value {
        let pointee = self.hir.types.pointee(self.hir[pointer].ty);
        let Some(function) = pointee.and_then(|pointee| self.hir.types.function(pointee.ty)) else {
            return self.unsupported_value("a call of an expression that is not a function", ty, span);
        };
        let (result_type, declared) = (function.result, function.parameters.clone());
        let is_open = function.prototype == Prototype::Missing;
        let is_variadic = function.prototype == Prototype::Variadic;
        let (address, arguments) = self.called_and_arguments(pointer, arguments, span);
        self.check_null(pointer, address, span);
        self.check_callee(address, span);
        let result = self.m.scalar_type(self.hir, result_type);
        let mut parameters = Vec::new();
        let mut terms = Vec::new();
        let memory =
            (result.is_none() && !self.is_void(result_type)).then(|| self.temporary(result_type, span));
        if let Some(memory) = memory {
            parameters.push(self.m.address_type());
            terms.push(memory);
        }
        for (index, argument) in arguments.iter().enumerate() {
            let declared = declared.get(index).copied();
            if declared.is_none() && !is_open {
                break;
            }
            let parameter = self.m.passed_type(self.hir, declared.unwrap_or(argument.ty));
            terms.push(self.fit(argument.term, parameter));
            parameters.push(parameter);
        }
        if is_variadic {
            let rest = arguments.get(declared.len()..).unwrap_or_default();
            parameters.push(self.m.address_type());
            terms.push(self.argument_area(rest, span));
        }
        let callee = Callee::Indirect { address, parameters, result };
        let kind = InstructionKind::Call { callee, arguments: terms };
        self.finish_call(kind, result, memory, ty, span)
    }

    /// Evaluates the called address and the arguments, in unspecified order.
    fn called_and_arguments(
        &mut self,
        pointer: ExprId,
        arguments: &[ExprId],
        span: Span,
    ) -> (Term, Vec<Argument>) {
        let sequencing = self.sequencing_of_call(pointer, arguments);
        let before = self.scalar(pointer);
        let arguments = self.arguments(arguments);
        match sequencing {
            Sequencing::Free => (before, arguments),
            Sequencing::Repeatable => {
                let after = self.scalar(pointer);
                if before == after {
                    return (before, arguments);
                }
                let is_from_left = self.is_from_left(span);
                (self.m.pool.ite(is_from_left, before, after), arguments)
            }
            Sequencing::Exclusive => {
                let is_from_left = self.is_from_left(span);
                let (first, last) = (self.b.create_block(), self.b.create_block());
                self.branch(is_from_left, first, last, span);
                self.b.seal(first);
                self.b.seal(last);
                self.b.switch_to(last);
                self.unsupported("a called function whose evaluation conflicts with the arguments", span);
                self.b.switch_to(first);
                (before, arguments)
            }
        }
    }

    fn finish_call(
        &mut self,
        kind: InstructionKind,
        result: Option<Type>,
        memory: Option<Term>,
        ty: TypeId,
        span: Span,
    ) -> Value {
        match (result, memory) {
            (Some(result), _) => {
                let term = self.emit(kind, result, span);
                match self.m.scalar_type(self.hir, ty) {
                    Some(scalar) => Value::Scalar(self.fit(term, scalar)),
                    None => self.dummy(ty),
                }
            }
            (None, Some(memory)) => {
                self.b.effect(kind, span);
                Value::Memory(memory)
            }
            (None, None) => {
                self.b.effect(kind, span);
                match self.m.scalar_type(self.hir, ty) {
                    Some(scalar) => Value::Scalar(self.indeterminate(scalar, span)),
                    None => self.dummy(ty),
                }
            }
        }
    }

    /// Evaluates arguments, in both orders if they conflict; aggregates are copied.
    fn arguments(&mut self, arguments: &[ExprId]) -> Vec<Argument> {
        let terms = if self.conflict(arguments) {
            let span = self.hir[arguments[0]].span;
            let types: Vec<Type> =
                arguments.iter().map(|&expr| self.m.passed_type(self.hir, self.hir[expr].ty)).collect();
            let evaluate = &mut |this: &mut Self, index: usize| {
                let term = this.argument(arguments[index]);
                this.fit(term, types[index])
            };
            self.in_both_orders(arguments, &types, span, evaluate)
        } else {
            arguments.iter().map(|&expr| self.argument(expr)).collect()
        };
        let of = |(term, &expr): (Term, &ExprId)| Argument { term, ty: self.hir[expr].ty, expr: Some(expr) };
        terms.into_iter().zip(arguments).map(of).collect()
    }

    fn argument(&mut self, expr: ExprId) -> Term {
        let node = &self.hir[expr];
        if node.ty == TypeId::VA_LIST {
            return self.list_argument(expr);
        }
        match self.value(expr) {
            Value::Scalar(term) => term,
            Value::Void => self.m.pool.bv(self.m.program.machine.pointer_width, 0),
            aggregate => self.copy_to_temporary(aggregate, node.ty, node.span),
        }
    }

    fn unknown_aggregate(&mut self, ty: TypeId, span: Span) -> Value {
        let Some(layout) = self.hir.types.layout(ty) else {
            return self.unsupported_value("a value of incomplete type", ty, span);
        };
        let object = self.create_object("temporary".to_owned(), layout.size, layout.align, span);
        let base = self.object_address(object);
        self.b.effect(InstructionKind::Forget { region: super::module::MEMORY, object }, span);
        let base = self.given_base(base);
        self.load(&Location::at(base), ty, span)
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.hir.types[ty], CType::Void | CType::Error)
    }
}
