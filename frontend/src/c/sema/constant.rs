//! Integer constants: folding during node construction, and evaluation where C requires a constant.

use super::Checker;
use crate::c::hir::{
    BinaryOp, Bits, CastKind, CompareOp, ExprId, ExprKind, LogicalOp, PlaceId, PlaceKind, UnaryOp,
};
use crate::c::types::{FloatKind, Type, TypeId};
use grammars::c::ast;
use grammars::source::Span;

/// The treatment of overflow and excessive shift amounts during folding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overflow {
    /// The operation is not folded.
    Keep,
    /// Wraps around, as gcc does in constant expressions.
    Wrap,
}

/// The largest depth of nested unfolded operators in a constant. Only chains of overflowing
/// operations or of address offsets come close.
const MAX_DEPTH: u32 = 20_000;

impl Checker<'_> {
    /// Checks an integer constant expression. Returns `None` if an error was reported.
    pub(super) fn constant(&mut self, id: ast::ExprId) -> Option<(i128, TypeId)> {
        let value = self.value(id);
        let ty = self.ty(value);
        if ty == TypeId::ERROR {
            self.unknown_value(self.ast[id].span);
            return None;
        }
        if !self.types().is_integer(ty) {
            self.error(self.ast[id].span, "expression is not an integer constant expression");
            return None;
        }
        match self.evaluate(value) {
            Some(bits) => Some((self.number(bits, ty), ty)),
            None => {
                self.error(self.ast[id].span, "expression is not a constant expression");
                None
            }
        }
    }

    /// Reports a value without a type where a constant is required, unless there was an error: then
    /// it contains an unsupported construct.
    pub(super) fn unknown_value(&mut self, span: Span) {
        if self.errors == 0 {
            self.error(span, "expression with an unsupported construct is not a constant expression");
        }
    }

    /// The number represented by bits of a type. Values of unsigned 128-bit types of at least 2^127
    /// become negative.
    pub(super) fn number(&self, bits: Bits, ty: TypeId) -> i128 {
        let width = self.scalar_width(ty);
        if self.is_signed(ty) { bits.signed(width) } else { bits.get() as i128 }
    }

    /// Performs an evaluation step; `None` beyond [`MAX_DEPTH`].
    fn within_depth<T>(&self, step: impl FnOnce() -> T) -> Option<T> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return None;
        }
        self.depth.set(depth + 1);
        let result = step();
        self.depth.set(depth);
        Some(result)
    }

    /// Evaluates a node of integer or pointer type; `None` if it is not constant.
    pub(super) fn evaluate(&self, expr: ExprId) -> Option<Bits> {
        self.within_depth(|| self.evaluate_node(expr)).unwrap_or(None)
    }

    fn evaluate_node(&self, expr: ExprId) -> Option<Bits> {
        let node = &self.program.exprs[expr];
        match &node.kind {
            ExprKind::Integer(bits) => Some(*bits),
            ExprKind::Cast { kind: CastKind::FloatToInteger, operand } => {
                let value = self.evaluate_float(*operand)?;
                let exact = num_traits::ToPrimitive::to_i128(&value.trunc())?;
                Some(self.cut(exact as u128, node.ty))
            }
            ExprKind::Cast { kind: CastKind::ToBool, operand } if self.is_real(self.ty(*operand)) => {
                Some(Bits::new(u128::from(self.evaluate_float(*operand)? != 0.0)))
            }
            ExprKind::Cast { kind, operand } => {
                let bits = self.evaluate(*operand)?;
                self.fold_cast(*kind, bits, self.ty(*operand), node.ty)
            }
            ExprKind::Unary { op, operand } => {
                let bits = self.evaluate(*operand)?;
                self.fold_unary(*op, bits, node.ty, Overflow::Wrap)
            }
            ExprKind::Not(operand) => {
                if self.is_real(self.ty(*operand)) {
                    return Some(Bits::new(u128::from(self.evaluate_float(*operand)? == 0.0)));
                }
                Some(Bits::new(u128::from(self.evaluate(*operand)?.get() == 0)))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.evaluate(*lhs)?, self.evaluate(*rhs)?);
                self.fold_binary(*op, left, right, node.ty, self.ty(*rhs), Overflow::Wrap)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let ty = self.ty(*lhs);
                if self.is_real(ty) {
                    let order = self.evaluate_float(*lhs)?.partial_cmp(&self.evaluate_float(*rhs)?);
                    let holds = match op {
                        CompareOp::Eq => order.is_some_and(std::cmp::Ordering::is_eq),
                        CompareOp::Ne => !order.is_some_and(std::cmp::Ordering::is_eq),
                        CompareOp::Lt => order.is_some_and(std::cmp::Ordering::is_lt),
                        CompareOp::Le => order.is_some_and(std::cmp::Ordering::is_le),
                        CompareOp::Gt => order.is_some_and(std::cmp::Ordering::is_gt),
                        CompareOp::Ge => order.is_some_and(std::cmp::Ordering::is_ge),
                    };
                    return Some(Bits::new(u128::from(holds)));
                }
                let (left, right) = (self.evaluate(*lhs)?, self.evaluate(*rhs)?);
                Some(self.fold_compare(*op, left, right, ty))
            }
            ExprKind::Logical { op, operands } => {
                let decisive = *op == LogicalOp::Or;
                for &operand in operands {
                    if self.truth(operand)? == decisive {
                        return Some(Bits::new(u128::from(decisive)));
                    }
                }
                Some(Bits::new(u128::from(!decisive)))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.evaluate(if self.truth(*condition)? { *then } else { *otherwise })
            }
            ExprKind::Load(place) if self.reads_constants => self.constant_load(*place, node.ty),
            // `&((struct s *)0)->field`, the traditional `offsetof`
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                Some(self.cut(self.evaluate_place(*place)?, node.ty))
            }
            ExprKind::PointerOffset { pointer, direction, index, scale } => {
                let crate::c::hir::Scale::Constant(scale) = scale else { return None };
                let base = self.evaluate(*pointer)?.get();
                let index = self.evaluate(*index)?.signed(self.types().model.pointer_width());
                let distance = (index as u128).wrapping_mul(u128::from(*scale));
                Some(self.cut(
                    match direction {
                        crate::c::hir::Direction::Forward => base.wrapping_add(distance),
                        crate::c::hir::Direction::Backward => base.wrapping_sub(distance),
                    },
                    node.ty,
                ))
            }
            ExprKind::PointerDifference { lhs, rhs, scale: crate::c::hir::Scale::Constant(scale) } => {
                let width = self.types().model.pointer_width();
                let (left, right) = (self.evaluate(*lhs)?.get(), self.evaluate(*rhs)?.get());
                let bytes = self.cut(left.wrapping_sub(right), node.ty).signed(width);
                Some(self.cut(bytes.checked_div(i128::from(*scale))? as u128, node.ty))
            }
            _ => None,
        }
    }

    /// The address of a place if it is constant.
    fn evaluate_place(&self, mut place: PlaceId) -> Option<u128> {
        let mut offset: u128 = 0;
        loop {
            match self.program.places[place].kind {
                PlaceKind::Deref(pointer) => return Some(self.evaluate(pointer)?.get().wrapping_add(offset)),
                PlaceKind::Field { base, record, field } => {
                    let definition = self.types().records[record].definition.as_ref()?;
                    offset = offset.wrapping_add(u128::from(definition.fields[field as usize].offset));
                    place = base;
                }
                PlaceKind::Index { array, index, scale: crate::c::hir::Scale::Constant(scale) } => {
                    let index = self.evaluate(index)?.signed(self.types().model.pointer_width());
                    offset = offset.wrapping_add((index as u128).wrapping_mul(u128::from(scale)));
                    place = array;
                }
                _ => return None,
            }
        }
    }

    /// The number of bytes from the target of the pointer expression to the end of the named
    /// object, or with `is_part` to the end of the named member or array; computed as gcc does
    /// without optimization.
    pub(super) fn bytes_behind(&self, pointer: ExprId, is_part: bool) -> Option<u64> {
        let mut offset = 0u128;
        let mut at = pointer;
        let place = loop {
            match self.program.exprs[at].kind {
                ExprKind::Cast { operand, .. } => at = operand,
                ExprKind::PointerOffset {
                    pointer,
                    direction,
                    index,
                    scale: crate::c::hir::Scale::Constant(scale),
                } => {
                    let index = self.evaluate(index)?.signed(self.types().model.pointer_width()) as u128;
                    let distance = index.wrapping_mul(u128::from(scale));
                    offset = match direction {
                        crate::c::hir::Direction::Forward => offset.wrapping_add(distance),
                        crate::c::hir::Direction::Backward => offset.wrapping_sub(distance),
                    };
                    at = pointer;
                }
                ExprKind::AddressOf(place) | ExprKind::Decay(place) => break place,
                _ => return None,
            }
        };
        let mut place = place;
        if is_part {
            if let PlaceKind::Index { array, .. } = self.program.places[place].kind {
                offset = offset
                    .wrapping_add(self.place_offset(place)?.1.wrapping_sub(self.place_offset(array)?.1));
                place = array;
            }
        } else {
            let (root, within) = self.place_offset(place)?;
            (place, offset) = (root, offset.wrapping_add(within));
        }
        let size = self.types().size(self.program.places[place].ty)?;
        Some(u64::try_from(offset).ok().and_then(|offset| size.checked_sub(offset)).unwrap_or(0))
    }

    /// The named object of a place and the offset of the place in it.
    fn place_offset(&self, mut place: PlaceId) -> Option<(PlaceId, u128)> {
        let mut offset = 0u128;
        loop {
            match self.program.places[place].kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) => return Some((place, offset)),
                PlaceKind::Field { base, record, field } => {
                    let definition = self.types().records[record].definition.as_ref()?;
                    offset = offset.wrapping_add(u128::from(definition.fields.get(field as usize)?.offset));
                    place = base;
                }
                PlaceKind::Index { array, index, scale: crate::c::hir::Scale::Constant(scale) } => {
                    let index = self.evaluate(index)?.signed(self.types().model.pointer_width());
                    offset = offset.wrapping_add((index as u128).wrapping_mul(u128::from(scale)));
                    place = array;
                }
                _ => return None,
            }
        }
    }

    /// A load that gcc folds in static initializers: from `const` integers and elements of string
    /// literals.
    fn constant_load(&self, place: PlaceId, ty: TypeId) -> Option<Bits> {
        let (global, offset) = match self.program.places[place].kind {
            PlaceKind::Global(global) => (global, 0),
            PlaceKind::Index { array, index, scale: crate::c::hir::Scale::Constant(scale) } => {
                let PlaceKind::Global(global) = self.program.places[array].kind else { return None };
                if self.program.globals[global].kind != crate::c::hir::GlobalKind::StringLiteral {
                    return None;
                }
                (global, usize::try_from(self.evaluate(index)?.get()).ok()?.checked_mul(scale as usize)?)
            }
            _ => return None,
        };
        let data = &self.program.globals[global];
        let qualifiers = data.qualifiers;
        let is_literal = data.kind == crate::c::hir::GlobalKind::StringLiteral;
        let is_fixed =
            qualifiers.contains(ast::Qualifier::Const) && !qualifiers.contains(ast::Qualifier::Volatile);
        if !is_literal && !is_fixed {
            return None;
        }
        let [entry] = &*self.program.inits[data.initializer?].entries else { return None };
        match &entry.value {
            crate::c::hir::InitValue::Expr(value) if entry.ty == ty && offset == 0 => self.evaluate(*value),
            crate::c::hir::InitValue::Bytes(bytes) => {
                let size = usize::try_from(self.types().size(ty)?).ok()?;
                let bytes = bytes.get(offset..offset.checked_add(size)?)?;
                Some(Bits::new(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte))))
            }
            crate::c::hir::InitValue::Expr(_) => None,
        }
    }

    /// The truth value of a constant condition.
    pub(super) fn truth(&self, expr: ExprId) -> Option<bool> {
        if self.is_real(self.ty(expr)) {
            return Some(self.evaluate_float(expr)? != 0.0);
        }
        if let ExprKind::FunctionAddress(_) = self.program.exprs[expr].kind {
            return Some(true);
        }
        Some(self.evaluate(expr)?.get() != 0)
    }

    fn is_real(&self, ty: TypeId) -> bool {
        matches!(self.types()[ty], Type::Float(_))
    }

    /// The value of a floating constant. Only types whose arithmetic `f64` reproduces exactly are
    /// evaluated.
    pub(super) fn evaluate_float(&self, expr: ExprId) -> Option<f64> {
        self.within_depth(|| self.evaluate_float_node(expr)).unwrap_or(None)
    }

    fn evaluate_float_node(&self, expr: ExprId) -> Option<f64> {
        let node = &self.program.exprs[expr];
        let Type::Float(kind) = self.types()[node.ty] else { return None };
        let round = |value: f64| match kind {
            FloatKind::Float | FloatKind::Float32 => Some(f64::from(value as f32)),
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Some(value),
            _ => None,
        };
        match &node.kind {
            ExprKind::Float(constant) => match kind {
                FloatKind::Float | FloatKind::Float32 => constant.text.parse::<f32>().ok().map(f64::from),
                FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => constant.text.parse().ok(),
                _ => None,
            },
            ExprKind::Cast { kind: CastKind::Float, operand } => round(self.evaluate_float(*operand)?),
            ExprKind::Cast { kind: CastKind::IntegerToFloat, operand } => {
                let number = self.number(self.evaluate(*operand)?, self.ty(*operand));
                match kind {
                    FloatKind::Float | FloatKind::Float32 => Some(f64::from(number as f32)),
                    _ => round(number as f64),
                }
            }
            ExprKind::Unary { op: UnaryOp::Negate, operand } => Some(-self.evaluate_float(*operand)?),
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.evaluate_float(*lhs)?, self.evaluate_float(*rhs)?);
                // Double rounding is exact for the four operations on `float`.
                round(match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Sub => left - right,
                    BinaryOp::Mul => left * right,
                    BinaryOp::Div => left / right,
                    _ => return None,
                })
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.evaluate_float(if self.truth(*condition)? { *then } else { *otherwise })
            }
            _ => None,
        }
    }

    /// Folds a conversion of constant bits between integer and pointer types.
    pub(super) fn fold_cast(&self, kind: CastKind, bits: Bits, from: TypeId, to: TypeId) -> Option<Bits> {
        match kind {
            CastKind::Integer | CastKind::IntegerToPointer => {
                Some(self.cut(self.number(bits, from) as u128, to))
            }
            CastKind::PointerToInteger | CastKind::Pointer | CastKind::Same => Some(self.cut(bits.get(), to)),
            CastKind::ToBool => Some(Bits::new(u128::from(bits.get() != 0))),
            _ => None,
        }
    }

    pub(super) fn fold_unary(&self, op: UnaryOp, bits: Bits, ty: TypeId, overflow: Overflow) -> Option<Bits> {
        match op {
            UnaryOp::Negate => {
                let width = self.scalar_width(ty);
                if overflow == Overflow::Keep && self.is_signed(ty) && bits.get() == 1 << (width - 1) {
                    return None;
                }
                Some(self.cut(bits.get().wrapping_neg(), ty))
            }
            UnaryOp::Complement => Some(self.cut(!bits.get(), ty)),
            UnaryOp::Real | UnaryOp::Imaginary => None,
        }
    }

    pub(super) fn fold_compare(&self, op: CompareOp, left: Bits, right: Bits, ty: TypeId) -> Bits {
        let order = if self.is_signed(ty) {
            self.number(left, ty).cmp(&self.number(right, ty))
        } else {
            left.get().cmp(&right.get())
        };
        Bits::new(u128::from(match op {
            CompareOp::Eq => order.is_eq(),
            CompareOp::Ne => order.is_ne(),
            CompareOp::Lt => order.is_lt(),
            CompareOp::Le => order.is_le(),
            CompareOp::Gt => order.is_gt(),
            CompareOp::Ge => order.is_ge(),
        }))
    }

    /// Folds an arithmetic operation on constants of one type; `None` if the operation has no value
    /// (or, for [`Overflow::Keep`], if it is undefined in C).
    pub(super) fn fold_binary(
        &self,
        op: BinaryOp,
        left: Bits,
        right: Bits,
        ty: TypeId,
        right_ty: TypeId,
        overflow: Overflow,
    ) -> Option<Bits> {
        let signed = self.is_signed(ty);
        let width = self.scalar_width(ty);
        let (a, b) = (left.get(), right.get());
        let (x, y) = (left.signed(width), right.signed(width));
        let keep = overflow == Overflow::Keep;
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let count = self.number(right, right_ty);
            if count < 0 || count >= i128::from(width) {
                if keep {
                    return None;
                }
                // As in gcc, the count is not reduced: all bits are shifted out.
                let negative = signed && op == BinaryOp::Shr && x < 0;
                return Some(self.cut(if negative { u128::MAX } else { 0 }, ty));
            }
            let count = count as u32;
            if op == BinaryOp::Shr {
                return Some(self.cut(if signed { (x >> count) as u128 } else { a >> count }, ty));
            }
            let result = self.cut(a << count, ty);
            if keep && signed && (x < 0 || result.signed(width) >> count != x) {
                return None;
            }
            return Some(result);
        }
        if signed {
            let exact = match op {
                BinaryOp::Add => x.checked_add(y),
                BinaryOp::Sub => x.checked_sub(y),
                BinaryOp::Mul => x.checked_mul(y),
                BinaryOp::Div if y == 0 => return None,
                BinaryOp::Rem if y == 0 => return None,
                BinaryOp::Div => x.checked_div(y),
                BinaryOp::Rem => x.checked_rem(y),
                BinaryOp::And => Some(x & y),
                BinaryOp::Or => Some(x | y),
                BinaryOp::Xor => Some(x ^ y),
                BinaryOp::Shl | BinaryOp::Shr => None,
            };
            let fits = exact.is_some_and(|value| self.cut(value as u128, ty).signed(width) == value);
            // `INT_MIN % -1` overflows although its result is representable.
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) && y == -1 && a == 1 << (width - 1);
            if keep && (!fits || divides) {
                return None;
            }
        }
        let result = match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if signed => x.wrapping_div(y) as u128,
            BinaryOp::Rem if signed => x.wrapping_rem(y) as u128,
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Shl | BinaryOp::Shr => return None,
        };
        Some(self.cut(result, ty))
    }

    /// Whether a value may initialize an object of static storage duration: a number, or the
    /// address of a static object or function plus a constant.
    pub(super) fn is_constant(&self, expr: ExprId) -> bool {
        self.within_depth(|| self.is_constant_node(expr)).unwrap_or(false)
    }

    fn is_constant_node(&self, expr: ExprId) -> bool {
        match &self.program.exprs[expr].kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Error => true,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.is_static(*place),
            // A linker has no relocation for a truncated address.
            ExprKind::Cast { kind: CastKind::PointerToInteger | CastKind::Integer, operand }
                if self.scalar_width(self.ty(expr)) < self.types().model.pointer_width() =>
            {
                self.evaluate(*operand).is_some()
            }
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } | ExprKind::Not(operand) => {
                self.is_constant(*operand)
            }
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Compare { lhs, rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. } => {
                self.is_constant(*lhs) && self.is_constant(*rhs)
            }
            ExprKind::PointerOffset { pointer, index, .. } => {
                self.is_constant(*pointer) && self.is_constant(*index)
            }
            ExprKind::Logical { operands, .. } => operands.iter().all(|&operand| self.is_constant(operand)),
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|&part| self.is_constant(part))
            }
            ExprKind::Builtin { builtin, arguments } => {
                use crate::c::hir::Builtin;
                let pure = matches!(
                    builtin,
                    Builtin::Infinity
                        | Builtin::NotANumber
                        | Builtin::MakeComplex
                        | Builtin::ByteSwap
                        | Builtin::Expect
                        | Builtin::FloatAbsolute
                        | Builtin::CopySign
                        | Builtin::CountLeadingZeros
                        | Builtin::CountTrailingZeros
                        | Builtin::PopulationCount
                        | Builtin::FindFirstSet
                        | Builtin::Parity
                );
                pure && arguments.iter().all(|&argument| self.is_constant(argument))
            }
            ExprKind::Aggregate(init) => {
                self.program.inits[*init].entries.iter().all(|entry| match entry.value {
                    crate::c::hir::InitValue::Expr(value) => self.is_constant(value),
                    crate::c::hir::InitValue::Bytes(_) => true,
                })
            }
            _ => false,
        }
    }

    fn is_static(&self, mut place: PlaceId) -> bool {
        loop {
            match self.program.places[place].kind {
                PlaceKind::Global(global) => return !self.program.globals[global].is_thread_local,
                PlaceKind::Deref(pointer) => return self.is_constant(pointer),
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Index { array, index, .. } => {
                    if !self.is_constant(index) {
                        return false;
                    }
                    place = array;
                }
                PlaceKind::Error => return true,
                PlaceKind::Local(_) | PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => {
                    return false;
                }
            }
        }
    }
}
