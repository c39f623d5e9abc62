//! Variable arguments.
//!
//! A defined variadic function has one additional parameter: the address of its *argument area*.
//! The caller creates the area, an object of its activation, and stores the variable arguments
//! there in order, each at the next multiple of [`CELL`] bytes, aggregates by value. Without
//! variable arguments the address is null.
//!
//! A `va_list` is the address of the next argument, stored at the start of the memory that the type
//! has in C. So `va_start` stores the address of the area, `va_copy` copies, `va_end` has no
//! effect, and `va_arg` loads and advances. On x86-64 the type is an array, so a parameter of the
//! type is the *caller's* list; in the 32-bit model it is a copy.
//!
//! Calls through pointers to variadic functions pass an area as well. Direct calls of a function
//! without a body pass the arguments themselves; calls through pointers use a separate function,
//! see [`Module::function_for_address`](super::module::Module).
//!
//! Where memory safety is checked, lists are assumed to be valid, and accesses to arguments are
//! checked against their area.
//!
//! *Limits.* An argument that is read with a size other than its own (undefined behavior) yields
//! the bytes at its address, unlike with the calling convention of gcc.

use super::calls::Argument;
use super::function::Lowering;
use super::places::{Location, Value};
use crate::c::hir::{Builtin, ExprId, ExprKind, PlaceId};
use crate::c::types::{DataModel, FloatKind, IntegerKind, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::Type;
use terms::Term;

/// The alignment of arguments in an area.
const CELL: u64 = 8;

impl Lowering<'_, '_, '_> {
    /// The address of an area with these arguments.
    pub(super) fn argument_area(&mut self, arguments: &[Argument], span: Span) -> Term {
        let mut size: u64 = 0;
        let mut offsets = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let Some(bytes) = self.argument_size(argument.ty) else {
                self.unsupported("an argument of incomplete type", span);
                return self.null();
            };
            offsets.push(size);
            size += bytes;
        }
        if size == 0 {
            return self.null();
        }
        let object = self.create_object("arguments".to_owned(), size, 2 * CELL, span);
        let base = self.object_address(object);
        self.begin_temporary(base, size, span);
        for (argument, offset) in arguments.iter().zip(offsets) {
            match self.m.scalar_type(self.hir, argument.ty) {
                Some(_) if argument.ty == TypeId::VA_LIST => {
                    let ty = self.m.address_type();
                    let address = self.displaced(base, offset);
                    self.store_unchecked(address, argument.term, ty, span, None);
                }
                Some(_) => {
                    let location = Location::Memory { base: self.given_base(base), offset, bits: None };
                    self.store(&location, argument.ty, Value::Scalar(argument.term), span, None);
                }
                None => {
                    let location = Location::Memory { base: self.given_base(base), offset, bits: None };
                    self.store_members(&location, argument.ty, Value::Memory(argument.term), span, None);
                }
            }
        }
        base
    }

    fn null(&mut self) -> Term {
        self.m.pool.bv(self.m.program.machine.pointer_width, 0)
    }

    /// The size of an argument in an area, in bytes.
    fn argument_size(&self, ty: TypeId) -> Option<u64> {
        let size = match ty {
            TypeId::VA_LIST => u64::from(self.m.program.machine.pointer_width / 8),
            _ => self.hir.types.size(ty)?,
        };
        size.checked_next_multiple_of(CELL)
    }

    /// Whether a parameter of type `va_list` is the address of the caller's list.
    pub(super) fn passes_lists_by_address(&self) -> bool {
        self.hir.types.model == DataModel::Lp64
    }

    /// A `va_list` as an argument.
    pub(super) fn list_argument(&mut self, expr: ExprId) -> Term {
        let span = self.hir[expr].span;
        if !self.passes_lists_by_address() {
            return self.scalar(expr);
        }
        if let ExprKind::Load(place) = self.hir[expr].kind {
            let location = self.location(place);
            if let Location::Memory { .. } = location {
                return self.address(&location, span);
            }
        }
        let list = self.scalar(expr);
        let address = self.temporary(TypeId::VA_LIST, span);
        let ty = self.m.address_type();
        self.store_unchecked(address, list, ty, span, None);
        address
    }

    /// `va_start`, `va_end` and `va_copy`, of addresses of lists.
    pub(super) fn list_builtin(&mut self, builtin: Builtin, arguments: &[ExprId], span: Span) -> Value {
        let lists: Vec<Term> = arguments.iter().map(|&argument| self.scalar(argument)).collect();
        let ty = self.m.address_type();
        match (builtin, &lists[..]) {
            (Builtin::VaStart, &[list, ..]) => match self.area {
                Some(area) => self.store_unchecked(list, area, ty, span, None),
                None => self.unsupported("va_start in a function without variable arguments", span),
            },
            (Builtin::VaCopy, &[to, from, ..]) => {
                let next = self.load_unchecked(from, ty, span);
                self.store_unchecked(to, next, ty, span, None);
            }
            _ => {}
        }
        Value::Void
    }

    /// `va_arg(list, ty)`
    pub(super) fn next_argument(&mut self, list: PlaceId, ty: TypeId, span: Span) -> Value {
        if self.is_promoted(ty) || ty == TypeId::VA_LIST {
            return self.unsupported_value(
                "va_arg of a type that is never passed as a variable argument",
                ty,
                span,
            );
        }
        let Some(size) = self.argument_size(ty) else {
            return self.unsupported_value("an argument of incomplete type", ty, span);
        };
        let location = self.location(list);
        let location = self.given(location);
        let list = self.load(&location, TypeId::VA_LIST, span);
        let Value::Scalar(at) = list else { return self.dummy(ty) };
        let base = self.pointer_base(at);
        let value = self.load(&Location::at(base), ty, span);
        let next = self.displaced(at, size);
        self.store(&location, TypeId::VA_LIST, Value::Scalar(next), span, None);
        value
    }

    /// Whether arguments of this type are promoted to another type.
    fn is_promoted(&self, ty: TypeId) -> bool {
        match self.hir.types[ty] {
            CType::Integer(kind) => {
                kind.width(self.hir.types.model) < IntegerKind::Int.width(self.hir.types.model)
            }
            CType::Float(kind) => kind == FloatKind::Float,
            _ => false,
        }
    }

    /// Adds the parameter that holds the address of the area.
    pub(super) fn receive_area(&mut self, ty: Type, span: Span) {
        let value = self.b.add_parameter(ty, Some("<arguments>".to_owned()), span);
        self.area = Some(self.m.pool.value(value.0, ty.sort()));
    }
}
