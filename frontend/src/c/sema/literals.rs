//! Constants and string literals.

use super::Checker;
use super::operand::Operand;
use crate::c::hir::{
    Definition, ExprId, ExprKind, Fill, FloatConstant, Global, GlobalId, GlobalKind, InitEntry, InitValue,
    Initializer, Linkage, PlaceKind, Symbol,
};
use crate::c::types::{ArrayLength, FloatKind, IntegerKind, Type, TypeId};
use grammars::c::ast::{
    CharId, Encoding, FloatId, FloatSuffix, IntegerId, Qualifiers, Radix, StringId, StringUnits,
};
use grammars::source::Span;

impl Checker<'_> {
    pub(super) fn integer_literal(&mut self, id: IntegerId, span: Span) -> ExprId {
        let literal = self.ast[id];
        let candidates: &[IntegerKind] = match literal.longs {
            0 => &[IntegerKind::Int, IntegerKind::Long, IntegerKind::LongLong, IntegerKind::Int128],
            1 => &[IntegerKind::Long, IntegerKind::LongLong, IntegerKind::Int128],
            _ => &[IntegerKind::LongLong, IntegerKind::Int128],
        };
        let model = self.types().model;
        let bits = 128 - literal.value.leading_zeros();
        let mut chosen = None;
        for &kind in candidates {
            let width = kind.width(model);
            if !literal.is_unsigned && bits < width {
                chosen = Some(kind);
                break;
            }
            // A decimal constant is unsigned only if no signed type can represent its value.
            let unsigned =
                literal.is_unsigned || literal.radix != Radix::Decimal || kind == IntegerKind::LongLong;
            if unsigned && bits <= width && !(kind == IntegerKind::LongLong && self.prefers_int128(&literal))
            {
                chosen = Some(kind.to_unsigned());
                break;
            }
        }
        let kind = chosen.unwrap_or(IntegerKind::UnsignedInt128);
        let ty = TypeId::integer(kind);
        let bits = self.cut(literal.value, ty);
        let value = self.expr(ExprKind::Integer(bits), ty, span);
        if literal.is_imaginary { self.imaginary(value) } else { value }
    }

    /// Whether the literal has type `__int128`: a decimal constant without `u` that exceeds
    /// `long long`.
    fn prefers_int128(&self, literal: &grammars::c::ast::IntegerLiteral) -> bool {
        !literal.is_unsigned
            && literal.radix == Radix::Decimal
            && self.types().model == crate::c::types::DataModel::Lp64
    }

    fn imaginary(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        let complex = self.program.types.intern(Type::Complex(ty));
        let span = self.span(value);
        let zero = if self.types().is_integer(ty) {
            self.integer(0, ty, span)
        } else {
            self.expr(ExprKind::Float(FloatConstant { text: "0.0".into() }), ty, span)
        };
        let kind = ExprKind::Builtin {
            builtin: crate::c::hir::Builtin::MakeComplex,
            arguments: Box::new([zero, value]),
        };
        self.expr(kind, complex, span)
    }

    pub(super) fn float_literal(&mut self, id: FloatId, span: Span) -> ExprId {
        let literal = &self.ast[id];
        let kind = match literal.suffix {
            FloatSuffix::None => FloatKind::Double,
            FloatSuffix::F => FloatKind::Float,
            FloatSuffix::L => FloatKind::LongDouble,
            FloatSuffix::F16 => FloatKind::Float16,
            FloatSuffix::F32 => FloatKind::Float32,
            FloatSuffix::F64 => FloatKind::Float64,
            FloatSuffix::F128 => FloatKind::Float128,
            FloatSuffix::F32x => FloatKind::Float32x,
            FloatSuffix::F64x => FloatKind::Float64x,
        };
        let constant = FloatConstant { text: literal.text.clone() };
        let value = self.expr(ExprKind::Float(constant), TypeId::float(kind), span);
        if literal.is_imaginary { self.imaginary(value) } else { value }
    }

    pub(super) fn char_literal(&mut self, id: CharId, span: Span) -> ExprId {
        let literal = &self.ast[id];
        let ty = match literal.encoding {
            Encoding::Char => TypeId::INT,
            other => self.string_unit(other),
        };
        self.integer(i128::from(literal.value()), ty, span)
    }

    /// The element type of a string literal.
    pub(super) fn string_unit(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Char | Encoding::Utf8 => TypeId::CHAR,
            Encoding::Wide => self.types().wide_char_type(),
            Encoding::Utf16 => TypeId::integer(IntegerKind::UnsignedShort),
            Encoding::Utf32 => TypeId::UNSIGNED,
        }
    }

    /// The bytes of a string literal, including the terminator.
    pub(super) fn string_bytes(&self, id: StringId) -> Vec<u8> {
        let literal = &self.ast[id];
        match &literal.units {
            StringUnits::Narrow(bytes) => bytes.iter().copied().chain([0]).collect(),
            StringUnits::Wide(units) => {
                let width = if literal.encoding == Encoding::Utf16 { 2 } else { 4 };
                let units = units.iter().copied().chain([0]);
                units.flat_map(|unit| unit.to_le_bytes().into_iter().take(width)).collect()
            }
        }
    }

    pub(super) fn string_literal(&mut self, id: StringId, span: Span) -> Operand {
        let unit = self.string_unit(self.ast[id].encoding);
        let bytes = self.string_bytes(id);
        let global = self.string_object(unit, bytes, GlobalKind::StringLiteral, span);
        let ty = self.program.globals[global].ty;
        Operand::Place(self.place(PlaceKind::Global(global), ty, Qualifiers::NONE, span))
    }

    /// The static object with these bytes; equal literals share it.
    pub(super) fn string_object(
        &mut self,
        unit: TypeId,
        bytes: Vec<u8>,
        kind: GlobalKind,
        span: Span,
    ) -> GlobalId {
        let bytes = bytes.into_boxed_slice();
        let key = (unit, bytes.clone());
        if kind == GlobalKind::StringLiteral
            && let Some(&global) = self.strings.get(&key)
        {
            return global;
        }
        let size = self.types().size(unit).unwrap_or(1);
        let length = ArrayLength::Known(bytes.len() as u64 / size);
        let ty = self.program.types.array(unit, length);
        let entry =
            InitEntry { offset: 0, bits: None, ty, value: InitValue::Bytes(bytes), repeat: None, span };
        let init = Initializer {
            ty,
            fill: Fill::Zero,
            entries: Box::new([entry]),
            overridden: Box::default(),
            span,
        };
        let initializer = Some(self.program.inits.push(init));
        let global = self.program.globals.push(Global {
            name: None,
            kind,
            ty,
            qualifiers: Qualifiers::NONE,
            linkage: Linkage::None,
            symbol: Symbol::default(),
            definition: Definition::Defined,
            initializer,
            align: None,
            is_thread_local: false,
            extra_size: 0,
            span,
        });
        if kind == GlobalKind::StringLiteral {
            self.strings.insert(key, global);
        }
        global
    }

    /// `__func__`: a static array with the name of the function.
    pub(super) fn function_name(&mut self, span: Span) -> Operand {
        let name = match &self.function {
            Some(context) => self.program.name(self.program.functions[context.id].name).as_bytes().to_vec(),
            None => Vec::new(),
        };
        let mut bytes = name;
        bytes.push(0);
        let global = self.string_object(TypeId::CHAR, bytes, GlobalKind::FunctionName, span);
        let ty = self.program.globals[global].ty;
        let qualifiers = Qualifiers::NONE.with(grammars::c::ast::Qualifier::Const);
        Operand::Place(self.place(PlaceKind::Global(global), ty, qualifiers, span))
    }
}
