//! GNU vectors: types, operators, elements, conversions, and the built-in functions that gcc
//! documents for them.
//!
//! A vector is a value. Operators work element by element and do not promote; a scalar operand is
//! broadcast to a vector. As in gcc, operands whose element types differ only in signedness are
//! compatible: arithmetic has the type of the left operand, a comparison is unsigned. The result of
//! a comparison is -1 or 0 in signed integers as wide as the elements.
//!
//! # Elements
//! `v[i]` with a constant index within bounds denotes a part of the value. Any other index makes
//! the vector an object in memory, like an array, so that an index out of bounds is an access out
//! of bounds.
//!
//! # Machine-specific built-in functions
//! A call of a machine-specific function (`__builtin_ia32_…`) that
//! [`intrinsics`](super::intrinsics) does not know is an [`ExprKind::Unsupported`] of the error
//! type, without a diagnostic; a conversion by its context then gives it a type. The headers wrap
//! these calls in functions with the attribute `artificial`, which attributes their code to the
//! line of the caller. Hence a call of such a function is the unsupported construct.

use super::Checker;
use super::operand::Operand;
use crate::c::hir::{
    BinaryOp, Builtin, Callee, CastKind, CompareOp, ExprId, ExprKind, FunctionId, PlaceKind, Scale, UnaryOp,
    VectorOp,
};
use crate::c::types::{Type, TypeId};
use grammars::c::ast::{self, Qualifiers};
use grammars::source::Span;

/// Name prefixes of machine-specific built-in functions, each of which is one instruction.
const MACHINE_PREFIXES: [&str; 4] =
    ["__builtin_ia32_", "__builtin_aarch64_", "__builtin_arm_", "__builtin_neon_"];

impl Checker<'_> {
    /// The element type and the number of elements of a vector type.
    pub(super) fn vector(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match self.types()[ty] {
            Type::Vector(element, lanes) => Some((element, lanes)),
            _ => None,
        }
    }

    /// The vector type with this many elements.
    pub(super) fn vector_of(&mut self, element: TypeId, lanes: u64) -> TypeId {
        self.program.types.intern(Type::Vector(element, lanes))
    }

    /// Applies `vector_size` to a declared type: to the innermost type of a pointer, array or
    /// function.
    pub(super) fn vector_type(&mut self, ty: TypeId, bytes: u64, span: Span) -> TypeId {
        // The types around the element type, outermost first.
        let mut outer = Vec::new();
        let mut element = ty;
        loop {
            match &self.types()[element] {
                Type::Pointer(inner) | Type::Array(inner, _) => {
                    outer.push(element);
                    element = inner.ty;
                }
                Type::Function(function) => {
                    outer.push(element);
                    element = function.result;
                }
                _ => break,
            }
        }
        let types = self.types();
        let is_scalar = types.is_integer(element) || matches!(types[element], Type::Float(_));
        let size = types.size(element).filter(|_| is_scalar && element != TypeId::BOOL);
        if element == TypeId::ERROR {
            return ty;
        }
        let Some(size) = size else {
            let name = self.type_name(element);
            self.error(span, format!("invalid vector element type `{name}`"));
            return TypeId::ERROR;
        };
        if bytes < size || !bytes.is_multiple_of(size) {
            self.error(span, "vector size must be a multiple of the element size");
            return TypeId::ERROR;
        }
        let mut result = self.vector_of(element, bytes / size);
        while let Some(enclosing) = outer.pop() {
            let mut data = self.types()[enclosing].clone();
            match &mut data {
                Type::Pointer(inner) | Type::Array(inner, _) => inner.ty = result,
                Type::Function(function) => function.result = result,
                _ => {}
            }
            result = self.program.types.intern(data);
        }
        result
    }

    /// Whether gcc allows a cast between these types, one of which is a vector: to a vector or an
    /// integer of the same size.
    pub(super) fn may_reinterpret(&self, from: TypeId, to: TypeId) -> bool {
        let types = self.types();
        let fits = |ty: TypeId| {
            self.vector(ty).is_some() || matches!(types[ty], Type::Integer(_)) && ty != TypeId::BOOL
        };
        (self.vector(from).is_some() || self.vector(to).is_some())
            && fits(from)
            && fits(to)
            && types.size(from).is_some()
            && types.size(from) == types.size(to)
    }

    /// The same bits with another type.
    pub(super) fn reinterpret(&mut self, value: ExprId, to: TypeId) -> ExprId {
        if self.ty(value) == to { value } else { self.cast_node(CastKind::Same, value, to) }
    }

    /// Makes a vector operation.
    pub(super) fn vector_node(
        &mut self,
        op: VectorOp,
        operands: Vec<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let kind = ExprKind::Builtin { builtin: Builtin::Vector(op), arguments: operands.into_boxed_slice() };
        self.expr(kind, ty, span)
    }

    /// A vector whose elements all have the value of a scalar.
    fn broadcast(&mut self, scalar: ExprId, ty: TypeId) -> Option<ExprId> {
        let (element, _) = self.vector(ty)?;
        let from = self.ty(scalar);
        let types = self.types();
        let fits = types.is_integer(from)
            || (matches!(types[from], Type::Float(_)) && matches!(types[element], Type::Float(_)));
        if !fits {
            return None;
        }
        let span = self.span(scalar);
        let value = self.convert(scalar, element);
        let single = self.vector_of(element, 1);
        let single = self.vector_node(VectorOp::Make, vec![value], single, span);
        Some(self.vector_node(VectorOp::Broadcast, vec![single], ty, span))
    }

    /// Converts both operands to vectors of one length; `None` if they are incompatible.
    fn vector_operands(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId)> {
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        match (self.vector(x), self.vector(y)) {
            (Some((a, m)), Some((b, n))) => {
                let types = self.types();
                let fit =
                    a == b || (types.is_integer(a) && types.is_integer(b) && types.size(a) == types.size(b));
                (m == n && fit).then_some((lhs, rhs))
            }
            (Some(_), None) => Some((lhs, self.broadcast(rhs, x)?)),
            (None, Some(_)) => Some((self.broadcast(lhs, y)?, rhs)),
            (None, None) => None,
        }
    }

    /// Checks an arithmetic operator with a vector operand; `None` if neither operand is a vector.
    pub(super) fn vector_arithmetic(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(unknown) = self.unknown_operand(&[lhs, rhs], span) {
            return Some(unknown);
        }
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        let first = self.vector(x).or(self.vector(y))?;
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let is_integral =
            is_shift || matches!(op, BinaryOp::Rem | BinaryOp::And | BinaryOp::Xor | BinaryOp::Or);
        if is_integral && !self.types().is_integer(first.0) {
            return Some(self.operator_error(x, y, span));
        }
        // A common shift amount for all elements keeps its own type.
        if is_shift && self.vector(x).is_some() && self.types().is_integer(y) {
            let rhs = self.promote(rhs);
            return Some(self.expr(ExprKind::Binary { op, lhs, rhs }, x, span));
        }
        let Some((lhs, rhs)) = self.vector_operands(lhs, rhs) else {
            return Some(self.operator_error(x, y, span));
        };
        let ty = self.ty(lhs);
        let rhs = if is_shift { rhs } else { self.reinterpret(rhs, ty) };
        Some(self.expr(ExprKind::Binary { op, lhs, rhs }, ty, span))
    }

    /// Checks a comparison with a vector operand; `None` if neither operand is a vector.
    pub(super) fn vector_comparison(
        &mut self,
        op: CompareOp,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(unknown) = self.unknown_operand(&[lhs, rhs], span) {
            return Some(unknown);
        }
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        self.vector(x).or(self.vector(y))?;
        let Some((lhs, rhs)) = self.vector_operands(lhs, rhs) else {
            return Some(self.operator_error(x, y, span));
        };
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        let ((a, lanes), (b, _)) = (self.vector(x)?, self.vector(y)?);
        let ty = if self.is_signed(a) && !self.is_signed(b) { y } else { x };
        let (lhs, rhs) = (self.reinterpret(lhs, ty), self.reinterpret(rhs, ty));
        let width = u32::try_from(self.types().size(a)?).ok()?.checked_mul(8)?;
        let truth = TypeId::integer(self.integer_of_width(width, true));
        let ty = self.vector_of(truth, lanes);
        Some(self.expr(ExprKind::Compare { op, lhs, rhs }, ty, span))
    }

    /// Checks `+`, `-` or `~` of a vector; `None` if the operand is not a vector.
    pub(super) fn vector_unary(&mut self, op: ast::UnaryOp, value: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.ty(value);
        let (element, _) = self.vector(ty)?;
        let op = match op {
            ast::UnaryOp::Plus => return Some(value),
            ast::UnaryOp::Minus => UnaryOp::Negate,
            ast::UnaryOp::BitNot if self.types().is_integer(element) => UnaryOp::Complement,
            _ => {
                let name = self.type_name(ty);
                self.error(span, format!("invalid operand of type `{name}` to unary operator"));
                return Some(self.error_expr(span));
            }
        };
        Some(self.expr(ExprKind::Unary { op, operand: value }, ty, span))
    }

    /// Checks `base[index]` of a vector.
    pub(super) fn vector_element(&mut self, base: Operand, index: ExprId, span: Span) -> Operand {
        let ty = self.operand_type(base);
        let Some((element, lanes)) = self.vector(ty) else { return self.error_operand(span) };
        if !self.types().is_integer(self.ty(index)) {
            if self.ty(index) != TypeId::ERROR {
                self.error(span, "vector subscript is not an integer");
            }
            return self.error_operand(span);
        }
        let (array, qualifiers) = match base {
            Operand::Place(place) => (place, self.program.places[place].qualifiers),
            Operand::Value(value) => {
                (self.place(PlaceKind::Temporary(value), ty, Qualifiers::NONE, span), Qualifiers::NONE)
            }
            Operand::Function(..) => return self.error_operand(span),
        };
        let difference = self.types().difference_type();
        let index = self.convert(index, difference);
        if self.constant_bits(index).is_none_or(|bits| bits.get() >= u128::from(lanes)) {
            self.take_address(array);
        }
        let Some(scale) = self.types().size(element) else { return self.error_operand(span) };
        let kind = PlaceKind::Index { array, index, scale: Scale::Constant(scale) };
        Operand::Place(self.place(kind, element, qualifiers, span))
    }

    /// Checks `__builtin_shuffle`, `__builtin_shufflevector`, `__builtin_convertvector` and the
    /// machine-specific functions, by their full names.
    pub(super) fn vector_builtin(
        &mut self,
        name: &str,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> Option<ExprId> {
        match name {
            "__builtin_shuffle" => Some(self.shuffle(arguments, span)),
            "__builtin_shufflevector" => Some(self.shuffle_vector(arguments, span)),
            _ if MACHINE_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) => {
                let values: Vec<ExprId> = arguments.iter().map(|&argument| self.value(argument)).collect();
                let known =
                    name.strip_prefix("__builtin_ia32_").and_then(|rest| self.intrinsic(rest, &values, span));
                Some(known.unwrap_or_else(|| self.unknown_function(name, span)))
            }
            _ => None,
        }
    }

    /// `__builtin_convertvector(value, T)`
    pub(super) fn convert_vector(&mut self, value: ast::ExprId, to: TypeId, span: Span) -> ExprId {
        let value = self.value(value);
        let from = self.ty(value);
        match (self.vector(from), self.vector(to)) {
            (Some((_, m)), Some((_, n))) if m == n => {
                self.vector_node(VectorOp::Convert, vec![value], to, span)
            }
            _ => {
                if from != TypeId::ERROR && to != TypeId::ERROR {
                    self.error(
                        span,
                        "`__builtin_convertvector` requires vectors with the same number of elements",
                    );
                }
                self.error_expr(span)
            }
        }
    }

    fn shuffle(&mut self, arguments: &[ast::ExprId], span: Span) -> ExprId {
        let values: Vec<ExprId> = arguments.iter().map(|&argument| self.value(argument)).collect();
        let shapes: Vec<_> = values.iter().filter_map(|&value| self.vector(self.ty(value))).collect();
        let fits = shapes.len() == values.len()
            && matches!(values.len(), 2 | 3)
            && shapes.iter().all(|shape| shape.1 == shapes[0].1)
            && shapes.last().is_some_and(|mask| self.types().is_integer(mask.0))
            && self.types().size(shapes[0].0) == shapes.last().and_then(|mask| self.types().size(mask.0))
            && (values.len() == 2 || self.ty(values[0]) == self.ty(values[1]));
        if !fits {
            return self.wrong_vectors(&values, span);
        }
        let ty = self.ty(values[0]);
        self.vector_node(VectorOp::Shuffle, values, ty, span)
    }

    fn shuffle_vector(&mut self, arguments: &[ast::ExprId], span: Span) -> ExprId {
        let values: Vec<ExprId> = arguments.iter().map(|&argument| self.value(argument)).collect();
        let shape = |this: &Self, index: usize| this.vector(this.ty(*values.get(index)?));
        let (Some((element, m)), Some((other, n))) = (shape(self, 0), shape(self, 1)) else {
            return self.wrong_vectors(&values, span);
        };
        let lanes = (values.len() - 2) as u64;
        if element != other || !lanes.is_power_of_two() {
            return self.wrong_vectors(&values, span);
        }
        let mut operands = vec![values[0], values[1]];
        for &index in &values[2..] {
            let Some(bits) = self.evaluate(index).filter(|_| self.types().is_integer(self.ty(index))) else {
                self.error(span, "element indices must be integer constants");
                return self.error_expr(span);
            };
            let number = bits.signed(self.scalar_width(self.ty(index)));
            if number == -1 {
                return self.unsupported("an unspecified vector element (index -1)", TypeId::ERROR, span);
            }
            if !(0..i128::from(m + n)).contains(&number) {
                self.error(span, "element index is out of range of both vectors");
                return self.error_expr(span);
            }
            operands.push(self.integer(number, TypeId::INT, span));
        }
        let ty = self.vector_of(element, lanes);
        self.vector_node(VectorOp::Permute, operands, ty, span)
    }

    fn wrong_vectors(&mut self, values: &[ExprId], span: Span) -> ExprId {
        if values.iter().all(|&value| self.ty(value) != TypeId::ERROR) {
            self.error(span, "incompatible vector arguments to built-in function");
        }
        self.error_expr(span)
    }

    /// A call of a built-in function that is not known, and neither is its type. Where only the
    /// type matters, this is an error.
    pub(super) fn unknown_builtin(&mut self, name: ast::Name, span: Span) -> ExprId {
        let name = self.text(name).to_owned();
        if self.unevaluated > 0 {
            self.error(span, format!("the type of the built-in function {name} is not known"));
            return self.error_expr(span);
        }
        self.unknown_function(&name, span)
    }

    /// A call of an unknown machine-specific function; its context determines the type.
    pub(super) fn unknown_function(&mut self, name: &str, span: Span) -> ExprId {
        self.note_unsupported(name);
        self.unsupported(format!("the built-in function {name}"), TypeId::ERROR, span)
    }

    /// Records that the function being checked is unsupported, if it is `artificial`.
    fn note_unsupported(&mut self, reason: &str) {
        if self.unevaluated == 0
            && let Some(context) = self.function.as_ref().filter(|context| context.is_artificial)
        {
            self.unsupported_functions.entry(context.id).or_insert_with(|| reason.into());
        }
    }

    /// A call of an unsupported `artificial` function, as an unsupported construct; `None` for
    /// other functions.
    pub(super) fn unsupported_call(&mut self, callee: Callee, result: TypeId, span: Span) -> Option<ExprId> {
        let Callee::Direct(function) = callee else { return None };
        let reason = self.unsupported_functions.get(&function)?.clone();
        self.note_unsupported(&reason);
        let name = self.function_text(function);
        Some(self.unsupported(format!("the intrinsic {name} ({reason})"), result, span))
    }

    fn function_text(&self, function: FunctionId) -> String {
        self.text(self.program.functions[function].name).to_owned()
    }

    /// Gives an unsupported value without a type the type that its context requires; an error for
    /// other values.
    pub(super) fn poisoned(&mut self, expr: ExprId, to: TypeId, span: Span) -> ExprId {
        match &self.program.exprs[expr].kind {
            ExprKind::Unsupported(reason) if self.ty(expr) == TypeId::ERROR && to != TypeId::ERROR => {
                let (reason, at) = (reason.clone(), self.span(expr));
                self.expr(ExprKind::Unsupported(reason), to, at)
            }
            _ => self.error_expr(span),
        }
    }

    /// The result of an operator on an unsupported operand without a type.
    pub(super) fn unknown_operand(&mut self, operands: &[ExprId], span: Span) -> Option<ExprId> {
        let reason = operands.iter().find_map(|&operand| match &self.program.exprs[operand].kind {
            ExprKind::Unsupported(reason) if self.ty(operand) == TypeId::ERROR => Some(reason.clone()),
            _ => None,
        })?;
        Some(self.expr(ExprKind::Unsupported(reason), TypeId::ERROR, span))
    }
}
