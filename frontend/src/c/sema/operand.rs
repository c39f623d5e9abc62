//! Construction of nodes; operands that are places, functions or values.

use super::Checker;
use crate::c::hir::{
    Bits, CastKind, Expr, ExprId, ExprKind, FunctionId, LocalId, Place, PlaceId, PlaceKind, Scale, Stmt,
    StmtId, StmtKind,
};
use crate::c::types::{ArrayLength, Type, TypeId};
use grammars::c::ast::Qualifiers;
use grammars::source::Span;

/// The denotation of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Value(ExprId),
    Place(PlaceId),
    Function(FunctionId, Span),
}

impl Checker<'_> {
    pub(super) fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span })
    }

    pub(super) fn place(
        &mut self,
        kind: PlaceKind,
        ty: TypeId,
        qualifiers: Qualifiers,
        span: Span,
    ) -> PlaceId {
        self.program.places.push(Place { kind, ty, qualifiers, span })
    }

    pub(super) fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.program.stmts.push(Stmt { kind, span })
    }

    pub(super) fn ty(&self, expr: ExprId) -> TypeId {
        self.program.exprs[expr].ty
    }

    pub(super) fn span(&self, expr: ExprId) -> Span {
        self.program.exprs[expr].span
    }

    pub(super) fn error_expr(&mut self, span: Span) -> ExprId {
        self.expr(ExprKind::Error, TypeId::ERROR, span)
    }

    pub(super) fn unsupported(&mut self, what: impl Into<String>, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Unsupported(what.into().into_boxed_str()), ty, span)
    }

    pub(super) fn error_operand(&mut self, span: Span) -> Operand {
        Operand::Value(self.error_expr(span))
    }

    /// Makes an integer constant of an integer, enumeration or pointer type; the value is truncated
    /// to the type.
    pub(super) fn integer(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let bits = self.cut(value as u128, ty);
        self.expr(ExprKind::Integer(bits), ty, span)
    }

    /// Makes a constant of type `size_t`.
    pub(super) fn size_constant(&mut self, value: u64, span: Span) -> ExprId {
        let ty = self.types().size_type();
        self.integer(i128::from(value), ty, span)
    }

    /// The bits of `value`, truncated to a type.
    pub(super) fn cut(&self, value: u128, ty: TypeId) -> Bits {
        let width = self.scalar_width(ty);
        Bits::new(if width >= 128 { value } else { value & ((1 << width) - 1) })
    }

    /// The width of an integer, enumeration or pointer type.
    pub(super) fn scalar_width(&self, ty: TypeId) -> u32 {
        match self.types().integer(ty) {
            Some((width, _)) => width,
            None => self.types().model.pointer_width(),
        }
    }

    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        self.types().integer_kind(ty).is_some_and(|kind| kind.is_signed())
    }

    /// The value of an integer constant node.
    pub(super) fn constant_bits(&self, expr: ExprId) -> Option<Bits> {
        match self.program.exprs[expr].kind {
            ExprKind::Integer(bits) => Some(bits),
            _ => None,
        }
    }

    /// The type of an operand, before arrays and functions decay.
    pub(super) fn operand_type(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(expr) => self.ty(expr),
            Operand::Place(place) => self.program.places[place].ty,
            Operand::Function(function, _) => self.program.functions[function].ty,
        }
    }

    pub(super) fn operand_span(&self, operand: Operand) -> Span {
        match operand {
            Operand::Value(expr) => self.span(expr),
            Operand::Place(place) => self.program.places[place].span,
            Operand::Function(_, span) => span,
        }
    }

    /// The value of an operand: loads places; arrays and functions decay.
    pub(super) fn rvalue(&mut self, operand: Operand) -> ExprId {
        match operand {
            Operand::Value(expr) => expr,
            Operand::Place(place) => self.load(place),
            Operand::Function(function, span) => self.function_address(function, span),
        }
    }

    pub(super) fn function_address(&mut self, function: FunctionId, span: Span) -> ExprId {
        let ty = self.program.functions[function].ty;
        let pointer = self.program.types.pointer(ty);
        self.expr(ExprKind::FunctionAddress(function), pointer, span)
    }

    /// Loads a place; an array decays.
    pub(super) fn load(&mut self, place: PlaceId) -> ExprId {
        let Place { ty, span, qualifiers, .. } = self.program.places[place];
        match self.types()[ty] {
            Type::Error => self.error_expr(span),
            Type::Array(mut element, _) => {
                element.qualifiers = element.qualifiers.union(qualifiers);
                self.take_address(place);
                let pointer = self.program.types.pointer(element);
                self.expr(ExprKind::Decay(place), pointer, span)
            }
            Type::Function(_) => match self.program.places[place].kind {
                // A function designated through a pointer: `*f` is `f`.
                PlaceKind::Deref(pointer) => pointer,
                _ => self.error_expr(span),
            },
            _ => {
                if self.types().layout(ty).is_none() && ty != TypeId::VOID {
                    let name = self.type_name(ty);
                    self.error(span, format!("incomplete type `{name}`"));
                    return self.error_expr(span);
                }
                let ty = self.value_type(place);
                self.expr(ExprKind::Load(place), ty, span)
            }
        }
    }

    /// Marks the local that contains the place as address-taken.
    pub(super) fn take_address(&mut self, mut place: PlaceId) {
        loop {
            match self.program.places[place].kind {
                PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => {
                    self.program.locals[local].is_address_taken = true;
                    return;
                }
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Index { array, .. } => place = array,
                _ => return,
            }
        }
    }

    pub(super) fn local_place(&mut self, local: LocalId, span: Span) -> PlaceId {
        let data = &self.program.locals[local];
        let (ty, qualifiers) = (data.ty, data.qualifiers);
        self.place(PlaceKind::Local(local), ty, qualifiers, span)
    }

    /// The size of a type: a constant, or computed from lengths evaluated earlier. Reports an
    /// incomplete type.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Option<Scale> {
        match self.types()[ty] {
            Type::Void | Type::Function(_) => return Some(Scale::Constant(1)),
            Type::Error => return None,
            _ => {}
        }
        if let Some(size) = self.types().size(ty) {
            return Some(Scale::Constant(size));
        }
        if !self.types().is_variable(ty) {
            let name = self.type_name(ty);
            self.error(span, format!("incomplete type `{name}`"));
            return None;
        }
        let size_type = self.types().size_type();
        let mut factors: Vec<ExprId> = Vec::new();
        let mut constant: u64 = 1;
        let mut current = ty;
        while let Type::Array(element, length) = self.types()[current] {
            match length {
                ArrayLength::Known(length) => constant = constant.wrapping_mul(length),
                ArrayLength::Variable(local) => {
                    let place = self.local_place(local, span);
                    factors.push(self.load(place));
                }
                ArrayLength::Incomplete | ArrayLength::Unevaluated => {
                    if self.unevaluated == 0 && self.function.is_some() {
                        let value =
                            self.unsupported("the size of an array of unknown length", size_type, span);
                        factors.push(value);
                    }
                }
            }
            current = element.ty;
        }
        let Scale::Constant(element) = self.size_of(current, span)? else { return None };
        let mut product = self.size_constant(constant.wrapping_mul(element), span);
        for factor in factors {
            product = self.expr(
                ExprKind::Binary { op: crate::c::hir::BinaryOp::Mul, lhs: factor, rhs: product },
                size_type,
                span,
            );
        }
        Some(Scale::Variable(product))
    }

    /// Returns `value`, preceded by the evaluations in `pending`.
    pub(super) fn after_pending(&mut self, value: ExprId) -> ExprId {
        if self.pending.is_empty() {
            return value;
        }
        let (ty, span) = (self.ty(value), self.span(value));
        let mut list = std::mem::take(&mut self.pending);
        list.push(value);
        self.expr(ExprKind::Comma(list.into_boxed_slice()), ty, span)
    }

    pub(super) fn cast_node(&mut self, kind: CastKind, operand: ExprId, ty: TypeId) -> ExprId {
        let span = self.span(operand);
        self.expr(ExprKind::Cast { kind, operand }, ty, span)
    }
}
