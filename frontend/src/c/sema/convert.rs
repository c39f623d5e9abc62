//! Conversions: promotions, the usual arithmetic conversions, assignment, casts.

use super::Checker;
use super::compatible::covers;
use super::constant::Overflow;
use crate::c::hir::{CastKind, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::c::types::{FloatKind, IntegerKind, QualType, Type, TypeId};
use grammars::c::ast::{Qualifier, Qualifiers};
use grammars::source::Span;

impl Checker<'_> {
    /// The type after the default argument promotions: the integer promotions, and `float` to
    /// `double`.
    pub(super) fn promoted_type(&self, ty: TypeId) -> TypeId {
        match self.types()[ty] {
            Type::Float(FloatKind::Float) => TypeId::DOUBLE,
            _ => self.integer_promoted_type(ty),
        }
    }

    /// The type after integer promotion. An enumeration becomes its underlying type. A bit-field
    /// narrower than `int` becomes `int`; a wider one keeps its width, as in gcc.
    pub(super) fn integer_promoted_type(&self, ty: TypeId) -> TypeId {
        match self.types()[ty] {
            Type::BitField(_, width) if width < IntegerKind::Int.width(self.types().model) => {
                return TypeId::INT;
            }
            Type::BitField(..) => return ty,
            _ => {}
        }
        match self.types().integer_kind(ty) {
            Some(kind) if kind.rank() < IntegerKind::Int.rank() => TypeId::INT,
            Some(kind) => TypeId::integer(kind),
            None => ty,
        }
    }

    /// Applies the integer promotions.
    pub(super) fn promote(&mut self, expr: ExprId) -> ExprId {
        let target = self.integer_promoted_type(self.ty(expr));
        self.convert(expr, target)
    }

    /// The type of the value of a place: for a bit-field an integer of its width, else the type of
    /// the place.
    pub(super) fn value_type(&mut self, place: PlaceId) -> TypeId {
        let ty = self.program.places[place].ty;
        match (self.bit_width(place), self.types().integer_kind(ty)) {
            (Some(width), Some(kind)) if ty != TypeId::BOOL && width < self.scalar_width(ty) => {
                self.program.types.intern(Type::BitField(kind, width))
            }
            _ => ty,
        }
    }

    /// The width of the bit-field at a place; `None` for other places.
    pub(super) fn bit_width(&self, place: PlaceId) -> Option<u32> {
        match self.program.places[place].kind {
            PlaceKind::Field { record, field, .. } => {
                let definition = self.types().records[record].definition.as_ref()?;
                Some(definition.fields[field as usize].bits?.width)
            }
            _ => None,
        }
    }

    /// Applies the default argument promotions.
    pub(super) fn promote_argument(&mut self, expr: ExprId) -> ExprId {
        match self.types()[self.ty(expr)] {
            Type::Float(FloatKind::Float) => self.convert(expr, TypeId::DOUBLE),
            // An argument occupies a whole register or stack slot.
            Type::BitField(kind, _) => {
                let whole = self.integer_promoted_type(TypeId::integer(kind));
                let value = self.promote(expr);
                match self.ty(value) {
                    TypeId::INT => value,
                    _ => self.convert(value, whole),
                }
            }
            _ => self.promote(expr),
        }
    }

    /// The common type of promoted types (the usual arithmetic conversions).
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let part = |this: &Self, ty: TypeId| match this.types()[ty] {
            Type::Complex(part) => (part, true),
            _ => (ty, false),
        };
        let ((x, complex_x), (y, complex_y)) = (part(self, a), part(self, b));
        let common = match (&self.types()[x], &self.types()[y]) {
            (Type::Float(f), Type::Float(g)) => TypeId::float(*f.max(g)),
            (Type::Float(_), _) => x,
            (_, Type::Float(_)) => y,
            (Type::BitField(..), _) | (_, Type::BitField(..)) => self.common_width(x, y),
            _ => match (self.types().integer_kind(x), self.types().integer_kind(y)) {
                (Some(p), Some(q)) => TypeId::integer(self.common_integer(p, q)),
                _ => TypeId::ERROR,
            },
        };
        if complex_x || complex_y { self.program.types.intern(Type::Complex(common)) } else { common }
    }

    /// The common type of integers, at least one of which is a bit-field value: the wider one; of
    /// equal widths a type of rank `long` or higher, else the unsigned one (`c_common_type` in
    /// gcc).
    fn common_width(&self, a: TypeId, b: TypeId) -> TypeId {
        let (Some((m, _)), Some((n, _))) = (self.types().integer(a), self.types().integer(b)) else {
            return TypeId::ERROR;
        };
        if m != n {
            return if m > n { a } else { b };
        }
        let is_unsigned = !self.is_signed(a) || !self.is_signed(b);
        let long = [a, b].into_iter().find_map(|ty| match self.types()[ty] {
            Type::Integer(kind) if kind.rank() >= IntegerKind::Long.rank() => Some(kind),
            _ => None,
        });
        match long {
            Some(kind) => TypeId::integer(if is_unsigned { kind.to_unsigned() } else { kind }),
            None if self.is_signed(a) => b,
            None => a,
        }
    }

    fn common_integer(&self, p: IntegerKind, q: IntegerKind) -> IntegerKind {
        if p.is_signed() == q.is_signed() {
            return if p.rank() >= q.rank() { p } else { q };
        }
        let (signed, unsigned) = if p.is_signed() { (p, q) } else { (q, p) };
        let model = self.types().model;
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width(model) > unsigned.width(model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Makes the conversion nodes without checking that C allows the conversion. Constants are
    /// folded.
    pub(super) fn convert(&mut self, expr: ExprId, to: TypeId) -> ExprId {
        let from = self.ty(expr);
        if from == to {
            return expr;
        }
        if from == TypeId::ERROR || to == TypeId::ERROR {
            let span = self.span(expr);
            return self.poisoned(expr, to, span);
        }
        if to != TypeId::VOID && (self.vector(from).is_some() || self.vector(to).is_some()) {
            return self.reinterpret(expr, to);
        }
        let kind = match (&self.types()[from], &self.types()[to]) {
            (_, Type::Void) => CastKind::ToVoid,
            (
                Type::Integer(_) | Type::Enum(_) | Type::BitField(..) | Type::Pointer(_),
                Type::Integer(IntegerKind::Bool),
            ) => CastKind::ToBool,
            (Type::Float(_) | Type::Complex(_), Type::Integer(IntegerKind::Bool)) => CastKind::ToBool,
            _ if self.types().is_integer(from) && self.types().is_integer(to) => CastKind::Integer,
            (Type::Integer(_) | Type::Enum(_) | Type::BitField(..), Type::Float(_)) => {
                CastKind::IntegerToFloat
            }
            (Type::Integer(_) | Type::Enum(_) | Type::BitField(..), Type::Pointer(_)) => {
                CastKind::IntegerToPointer
            }
            (Type::Float(_), Type::Integer(_) | Type::Enum(_) | Type::BitField(..)) => {
                CastKind::FloatToInteger
            }
            (Type::Float(_), Type::Float(_)) => CastKind::Float,
            (Type::Pointer(_), Type::Integer(_) | Type::Enum(_) | Type::BitField(..)) => {
                CastKind::PointerToInteger
            }
            (Type::Pointer(_), Type::Pointer(_)) => CastKind::Pointer,
            (Type::Complex(_), Type::Complex(_)) => CastKind::Complex,
            (&Type::Complex(part), _) => {
                let real = self.cast_node(CastKind::ComplexToReal, expr, part);
                return self.convert(real, to);
            }
            (_, &Type::Complex(part)) => {
                let real = self.convert(expr, part);
                return self.cast_node(CastKind::RealToComplex, real, to);
            }
            _ => CastKind::Same,
        };
        if let Some(bits) = self.constant_bits(expr)
            && let Some(folded) = self.fold_cast(kind, bits, from, to)
        {
            let span = self.span(expr);
            let converted = self.expr(ExprKind::Integer(folded), to, span);
            if kind == CastKind::Integer && self.number(bits, from) != self.number(folded, to) {
                self.program.changed.insert(converted, expr);
            }
            return converted;
        }
        self.cast_node(kind, expr, to)
    }

    /// Checks a condition: any scalar.
    pub(super) fn condition(&mut self, expr: ExprId) -> ExprId {
        let ty = self.ty(expr);
        if self.types().is_scalar(ty) || ty == TypeId::ERROR {
            return expr;
        }
        let (name, span) = (self.type_name(ty), self.span(expr));
        self.error(span, format!("condition must have scalar type, but has type `{name}`"));
        self.error_expr(span)
    }

    /// Whether a value is a null pointer constant: an integer constant 0, possibly cast to
    /// `void *`.
    pub(super) fn is_null_constant(&self, expr: ExprId) -> bool {
        let node = &self.program.exprs[expr];
        let zero = matches!(node.kind, ExprKind::Integer(bits) if bits.get() == 0);
        zero && match self.types()[node.ty] {
            Type::Pointer(pointee) => pointee.ty == TypeId::VOID && pointee.qualifiers.is_empty(),
            _ => self.types().is_integer(node.ty),
        }
    }

    /// Converts to a pointer to `void` what may be assigned to a pointer to `const void`.
    pub(super) fn pointer_to_void(&mut self, expr: ExprId, what: &str, at: Span) -> ExprId {
        let qualifiers = Qualifiers::NONE.with(Qualifier::Const);
        let constant = self.program.types.pointer(QualType { ty: TypeId::VOID, qualifiers });
        let pointer = self.program.types.pointer(TypeId::VOID);
        let value = self.assign_convert(expr, constant, what, at);
        self.convert(value, pointer)
    }

    /// Converts as if by assignment, with the diagnostics of gcc. `what` names the operation, as in
    /// `assignment`.
    pub(super) fn assign_convert(&mut self, expr: ExprId, to: TypeId, what: &str, at: Span) -> ExprId {
        let from = self.ty(expr);
        if from == to {
            return expr;
        }
        if from == TypeId::ERROR || to == TypeId::ERROR {
            return self.poisoned(expr, to, at);
        }
        let types = self.types();
        match (&types[from], &types[to]) {
            _ if types.is_arithmetic(from) && types.is_arithmetic(to) => {}
            (Type::Pointer(_), Type::Integer(IntegerKind::Bool)) => {}
            (Type::Pointer(x), Type::Pointer(y)) => {
                let (x, y) = (*x, *y);
                if !self.is_null_constant(expr) {
                    self.check_pointees(x, y, what, at);
                }
            }
            (Type::Integer(_) | Type::Enum(_) | Type::BitField(..), Type::Pointer(_)) => {
                if !self.is_null_constant(expr) {
                    let (from, to) = (self.type_name(from), self.type_name(to));
                    self.warning(
                        at,
                        format!("{what} makes pointer `{to}` from integer `{from}` without a cast"),
                    );
                }
            }
            (Type::Pointer(_), Type::Integer(_) | Type::Enum(_) | Type::BitField(..)) => {
                let (from, to) = (self.type_name(from), self.type_name(to));
                self.warning(at, format!("{what} makes integer `{to}` from pointer `{from}` without a cast"));
            }
            (Type::Vector(..), Type::Vector(..)) if types.size(from) == types.size(to) => {}
            (_, &Type::Record(record)) => {
                if let Some(member) = self.transparent_member(record, from, expr) {
                    return self.union_value(record, member, expr, to, at);
                }
                if !self.compatible(from, to) {
                    return self.mismatch(from, to, what, at);
                }
            }
            _ if self.compatible(from, to) => {}
            _ => return self.mismatch(from, to, what, at),
        }
        self.convert(expr, to)
    }

    fn mismatch(&mut self, from: TypeId, to: TypeId, what: &str, at: Span) -> ExprId {
        let (from, to) = (self.type_name(from), self.type_name(to));
        self.error(at, format!("incompatible types in {what}: cannot convert `{from}` to `{to}`"));
        self.error_expr(at)
    }

    fn check_pointees(&mut self, from: QualType, to: QualType, what: &str, at: Span) {
        let is_void = from.ty == TypeId::VOID || to.ty == TypeId::VOID;
        let same_size_integers = match (self.types().integer_kind(from.ty), self.types().integer_kind(to.ty))
        {
            (Some(x), Some(y)) => x.rank() == y.rank(),
            _ => false,
        };
        if !is_void && !same_size_integers && !self.compatible(from.ty, to.ty) {
            let (x, y) = (self.type_name(from.ty), self.type_name(to.ty));
            self.warning(
                at,
                format!(
                    "{what} from incompatible pointer type: pointer to `{x}` converted to pointer to `{y}`"
                ),
            );
        } else if !covers(to.qualifiers, Qualifiers::NONE.union(from.qualifiers)) {
            self.warning(at, format!("{what} discards qualifiers from pointer target type"));
        }
    }

    /// The member of a transparent union that accepts a value of this type.
    fn transparent_member(
        &self,
        record: crate::c::types::RecordId,
        from: TypeId,
        expr: ExprId,
    ) -> Option<u32> {
        let definition = self.types().records[record].definition.as_ref()?;
        if !definition.is_transparent_union {
            return None;
        }
        let accepts = |ty: TypeId| {
            self.compatible(ty, from)
                || (self.types().is_pointer(ty)
                    && (self.types().is_pointer(from) || self.is_null_constant(expr)))
        };
        let exact = definition.fields.iter().position(|field| self.compatible(field.ty, from));
        let position = exact.or_else(|| definition.fields.iter().position(|field| accepts(field.ty)))?;
        Some(position as u32)
    }

    /// Folds an operator with constant operands, or makes the node.
    pub(super) fn binary_node(
        &mut self,
        op: crate::c::hir::BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> ExprId {
        let ty = self.ty(lhs);
        if let (Some(left), Some(right)) = (self.constant_bits(lhs), self.constant_bits(rhs))
            && let Some(bits) = self.fold_binary(op, left, right, ty, self.ty(rhs), Overflow::Keep)
        {
            return self.expr(ExprKind::Integer(bits), ty, span);
        }
        self.expr(ExprKind::Binary { op, lhs, rhs }, ty, span)
    }
}
