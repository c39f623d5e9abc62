//! Conversions between scalar types; truth values.

use super::floats::{self, FloatFormat};
use super::function::Lowering;
use super::module::Module;
use super::places::Value;
use crate::c::hir::CastKind;
use crate::c::types::{IntegerKind, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{InstructionKind, Signedness, Type, ValueData};
use terms::{Sort, Term};

impl Module<'_, '_> {
    /// The width of a bit-vector term.
    pub(super) fn pool_width(&self, term: Term) -> u32 {
        match self.pool.sort(term) {
            Sort::BitVec(width) => width,
            _ => unreachable!("scalars of C are bit vectors"),
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Truncates or extends a term.
    pub(super) fn resize(&mut self, term: Term, width: u32, signedness: Signedness) -> Term {
        let from = self.m.pool_width(term);
        if from == width {
            term
        } else if from > width {
            self.bits_of(term, width - 1, 0)
        } else if signedness == Signedness::Signed {
            self.m.pool.sign_extend(width - from, term)
        } else {
            self.m.pool.zero_extend(width - from, term)
        }
    }

    /// The bits from `low` to `high` of a number. If they are as many as the bits of a slot number
    /// or of an offset within a slot, they become a value of their own, so that they are not
    /// mistaken for the terms of access checks.
    pub(super) fn bits_of(&mut self, term: Term, high: u32, low: u32) -> Term {
        let part = self.m.pool.extract(high, low, term);
        let width = self.m.program.machine.pointer_width;
        let is_like_slot = self.m.pool_width(term) == width
            && self
                .slot_bits()
                .is_some_and(|bits| (low == 0 && high + 1 == bits) || (low == bits && high + 1 == width));
        if !is_like_slot {
            return part;
        }
        let ty = Type::unsigned(high + 1 - low);
        let data = ValueData { ty, name: None, span: Span::NONE };
        let value = self.b.define(InstructionKind::Pure(part), data);
        self.m.pool.value(value.0, ty.sort())
    }

    /// Resizes a term where the types may differ because of undefined behavior of the program.
    pub(super) fn fit(&mut self, term: Term, ty: Type) -> Term {
        self.resize(term, ty.width(), Signedness::Unsigned)
    }

    /// The signedness with which values of an integer type are extended; other scalars are
    /// unsigned.
    pub(super) fn signedness(&self, ty: TypeId) -> Signedness {
        self.hir.types.integer(ty).map_or(Signedness::Unsigned, |(_, signedness)| signedness)
    }

    /// The width of a scalar type.
    pub(super) fn width(&self, ty: TypeId) -> u32 {
        self.m.scalar_type(self.hir, ty).map_or(self.m.program.machine.pointer_width, Type::width)
    }

    /// The format of a real floating type.
    pub(super) fn float_format(&self, ty: TypeId) -> Option<FloatFormat> {
        match self.hir.types[ty] {
            CType::Float(kind) => Some(FloatFormat::new(kind.format(), self.width(ty))),
            _ => None,
        }
    }

    /// Whether a scalar is nonzero.
    pub(super) fn truth(&mut self, term: Term, ty: TypeId) -> Term {
        if let Some(format) = self.float_format(ty) {
            return floats::is_nonzero(self.m.pool, format, term);
        }
        let zero = self.m.pool.bv(self.m.pool_width(term), 0);
        self.m.pool.neq(term, zero)
    }

    /// 1 or 0 in a type of the given width.
    pub(super) fn flag(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.m.pool.bv(width, 1), self.m.pool.bv(width, 0));
        self.m.pool.ite(condition, one, zero)
    }

    /// Lowers a conversion of a value.
    pub(super) fn cast(
        &mut self,
        kind: CastKind,
        value: Value,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> Value {
        if kind == CastKind::ToVoid {
            return Value::Void;
        }
        let term = match value {
            Value::Scalar(term) => term,
            other if kind == CastKind::Same => return other,
            Value::Void => return self.dummy(to),
            Value::Leaves(_) | Value::Memory(_) => {
                return self.unsupported_value("a conversion of a complex value", to, span);
            }
        };
        let Some(target) = self.m.scalar_type(self.hir, to) else {
            return self.unsupported_value("a conversion to a complex type", to, span);
        };
        let width = target.width();
        let result = match kind {
            CastKind::Integer
            | CastKind::IntegerToPointer
            | CastKind::PointerToInteger
            | CastKind::Pointer => {
                let signedness = self.signedness(from);
                self.resize(term, width, signedness)
            }
            CastKind::ToBool => {
                let condition = self.truth(term, from);
                self.flag(condition, width)
            }
            CastKind::IntegerToFloat => {
                let signedness = self.signedness(from);
                match self.float_format(to) {
                    Some(format) => floats::from_integer(self.m.pool, format, term, signedness),
                    None => self.approximation(target, "conversion of an integer to a floating type", span),
                }
            }
            CastKind::FloatToInteger => {
                let signedness = self.signedness(to);
                match self.float_format(from) {
                    Some(format) => floats::to_integer(self.m.pool, format, term, width, signedness),
                    None => {
                        self.approximation(target, "conversion of a floating value to an integer type", span)
                    }
                }
            }
            CastKind::Float => match (self.float_format(from), self.float_format(to)) {
                (Some(from), Some(to)) if from == to => term,
                (Some(source), Some(format)) => floats::convert(self.m.pool, source, format, term),
                _ => self.approximation(target, "conversion between floating types", span),
            },
            CastKind::Same => self.fit(term, target),
            CastKind::ToVoid => return Value::Void,
            CastKind::RealToComplex | CastKind::ComplexToReal | CastKind::Complex => {
                return self.unsupported_value("complex arithmetic", to, span);
            }
        };
        Value::Scalar(result)
    }

    /// Converts a promoted argument to the type of the parameter of an old-style definition.
    pub(super) fn convert_passed(&mut self, term: Term, from: TypeId, to: TypeId, span: Span) -> Term {
        if from == to {
            return term;
        }
        let types = &self.hir.types;
        let kind = match (&types[from], &types[to]) {
            (CType::Integer(_) | CType::Enum(_), CType::Integer(IntegerKind::Bool)) => CastKind::ToBool,
            (CType::Float(_), CType::Float(_)) => CastKind::Float,
            (CType::Float(_), _) => CastKind::FloatToInteger,
            (_, CType::Float(_)) => CastKind::IntegerToFloat,
            _ => CastKind::Integer,
        };
        match self.cast(kind, Value::Scalar(term), from, to, span) {
            Value::Scalar(term) => term,
            _ => term,
        }
    }
}
