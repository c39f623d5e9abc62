//! Expressions: values, conditions and effects.

use super::floats::{self, Arithmetic};
use super::function::{Lowering, ResultUse};
use super::module::GlobalStorage;
use super::places::{Location, Value};
use super::pointers::Purpose;
use super::render::Names;
use super::source::Shown;
use crate::c::hir::{
    BinaryOp, CastKind, CompareOp, ExprId, ExprKind, LogicalOp, PlaceId, PlaceKind, Scale, UnaryOp,
};
use crate::c::link::Opaque;
use crate::c::types::{Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::source::TrueEdge;
use program::ssa::{Block, HavocSource, InstructionKind, PropertyKind, Signedness, Type};
use terms::Term;

/// The largest number of nodes of an operand of `&&`, `||` or `?:` that is evaluated eagerly.
const MAX_EAGER: u32 = 48;

impl Lowering<'_, '_, '_> {
    /// The value of an expression of scalar type.
    pub(super) fn scalar(&mut self, id: ExprId) -> Term {
        let value = self.value(id);
        self.scalar_of(&value, self.hir[id].ty)
    }

    /// The term of a value of scalar type.
    pub(super) fn scalar_of(&mut self, value: &Value, ty: TypeId) -> Term {
        match *value {
            Value::Scalar(term) => term,
            Value::Void | Value::Leaves(_) | Value::Memory(_) => {
                // Only reached after an unsupported construct.
                let width = self.width(ty);
                self.m.pool.bv(width, 0)
            }
        }
    }

    /// Evaluates an expression whose value is not used.
    pub(super) fn effect(&mut self, id: ExprId) {
        match &self.hir[id].kind {
            ExprKind::Cast { kind: CastKind::ToVoid, operand } => self.effect(*operand),
            ExprKind::Comma(list) => list.iter().for_each(|&expr| self.effect(expr)),
            // An unused record is not copied.
            ExprKind::Load(place) if self.m.scalar_type(self.hir, self.hir[id].ty).is_none() => {
                self.location(*place);
            }
            ExprKind::Logical { .. } | ExprKind::Conditional { .. } => self.control_effect(id),
            ExprKind::Call { .. } => {
                self.result_use = ResultUse::Ignored;
                self.value(id);
            }
            _ => {
                self.value(id);
            }
        }
    }

    fn control_effect(&mut self, id: ExprId) {
        let span = self.hir[id].span;
        if !self.descend(span) {
            return;
        }
        match &self.hir[id].kind {
            ExprKind::Conditional { condition, then, otherwise } => {
                let blocks = [self.b.create_block(), self.b.create_block(), self.b.create_block()];
                self.branch_on(*condition, blocks[0], blocks[1]);
                for (&block, &arm) in blocks.iter().zip([then, otherwise]) {
                    self.b.seal(block);
                    self.b.switch_to(block);
                    self.effect(arm);
                    self.goto(blocks[2], span);
                }
                self.b.seal(blocks[2]);
                self.b.switch_to(blocks[2]);
            }
            _ => {
                let after = self.b.create_block();
                self.branch_on(id, after, after);
                self.b.seal(after);
                self.b.switch_to(after);
            }
        }
        self.depth -= 1;
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, id: ExprId) -> Value {
        if let Some((evaluated, term)) = self.evaluated
            && evaluated == id
        {
            return Value::Scalar(term);
        }
        // The left operands form a spine of any length.
        let mut spine = Vec::new();
        let mut at = id;
        while let ExprKind::Binary { lhs: next, .. }
        | ExprKind::Compare { lhs: next, .. }
        | ExprKind::Cast { operand: next, .. }
        | ExprKind::PointerOffset { pointer: next, .. } = self.hir[at].kind
        {
            if self.is_unordered(at) {
                break;
            }
            spine.push(at);
            at = next;
        }
        if !self.descend(self.hir[at].span) {
            return self.dummy(self.hir[id].ty);
        }
        let mark = self.read_mark();
        let mut value = self.leaf_value(at);
        self.note_read(at, &value, mark);
        while let Some(node) = spine.pop() {
            value = self.spine_value(node, value);
        }
        self.depth -= 1;
        value
    }

    pub(super) fn spine_value(&mut self, id: ExprId, value: Value) -> Value {
        let expr = &self.hir[id];
        let (ty, span) = (expr.ty, expr.span);
        match expr.kind {
            ExprKind::Cast { kind, operand } => {
                self.check_conversion(id, kind, &value, operand);
                self.cast(kind, value, self.hir[operand].ty, ty, span)
            }
            ExprKind::Binary { rhs, .. } => {
                let Value::Scalar(a) = value else {
                    return self.unsupported_value("complex arithmetic", ty, span);
                };
                let b = self.scalar(rhs);
                self.combined(id, a, b)
            }
            ExprKind::Compare { rhs, .. } => {
                let Value::Scalar(a) = value else {
                    return self.unsupported_value("a comparison of complex values", ty, span);
                };
                let b = self.scalar(rhs);
                self.combined(id, a, b)
            }
            ExprKind::PointerOffset { index, .. } => {
                let Value::Scalar(pointer) = value else { return value };
                let index = self.scalar(index);
                self.combined(id, pointer, index)
            }
            _ => value,
        }
    }

    /// The value of a binary operator, from the values of its operands.
    fn combined(&mut self, id: ExprId, a: Term, b: Term) -> Value {
        let expr = &self.hir[id];
        let (ty, span) = (expr.ty, expr.span);
        match expr.kind {
            ExprKind::Binary { op, lhs, rhs } => {
                if self.vector(ty).is_some() {
                    return self.vector_binary(id, op, a, b, lhs, rhs);
                }
                self.check_binary(id, op, a, b, lhs, rhs);
                self.binary(op, a, b, ty, self.hir[rhs].ty, span)
            }
            ExprKind::Compare { op, lhs, .. } => {
                if let Some((element, _)) = self.vector(self.hir[lhs].ty) {
                    return Value::Scalar(self.vector_compare(op, a, b, element));
                }
                let condition = self.compared(id, op, lhs, a, b);
                let width = self.width(ty);
                Value::Scalar(self.flag(condition, width))
            }
            ExprKind::PointerOffset { direction, scale, .. } => {
                let index = self.resize(b, self.m.program.machine.pointer_width, Signedness::Signed);
                self.check_pointer_offset(id, a, index);
                let moved = self.moved(a, direction, index, scale);
                self.keep_in_slot(moved.address, a, moved.is_far, span);
                Value::Scalar(moved.address)
            }
            _ => Value::Scalar(a),
        }
    }

    /// Whether the comparison `id` of scalars with the given values holds.
    fn compared(&mut self, id: ExprId, op: CompareOp, lhs: ExprId, a: Term, b: Term) -> Term {
        if self.needs_one_object(op, lhs) {
            self.check_one_object(id, a, b);
        }
        self.compare(op, a, b, self.hir[lhs].ty)
    }

    /// The operands of an operator whose order of evaluation C leaves unspecified.
    fn unordered_operands(&self, id: ExprId) -> Option<[ExprId; 2]> {
        match self.hir[id].kind {
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Compare { lhs, rhs, .. } => Some([lhs, rhs]),
            ExprKind::PointerOffset { pointer, index, .. } => Some([pointer, index]),
            _ => None,
        }
    }

    /// Whether the expression is an operator with conflicting operands.
    pub(super) fn is_unordered(&mut self, id: ExprId) -> bool {
        let Some(operands) = self.unordered_operands(id) else { return false };
        let is_scalar = |operand: ExprId| self.m.scalar_type(self.hir, self.hir[operand].ty).is_some();
        operands.into_iter().all(is_scalar) && self.conflict(&operands)
    }

    /// Evaluates an operator with conflicting operands.
    fn unordered(&mut self, id: ExprId) -> Value {
        let (ty, span) = (self.hir[id].ty, self.hir[id].span);
        let Some(operands) = self.unordered_operands(id) else { return self.dummy(ty) };
        let types: Vec<Type> = operands
            .iter()
            .filter_map(|&operand| self.m.scalar_type(self.hir, self.hir[operand].ty))
            .collect();
        let evaluate = &mut |this: &mut Self, index: usize| this.scalar(operands[index]);
        match self.in_both_orders(&operands, &types, span, evaluate)[..] {
            [a, b] => self.combined(id, a, b),
            _ => self.dummy(ty),
        }
    }

    /// Evaluates an expression that is not a spine.
    fn leaf_value(&mut self, id: ExprId) -> Value {
        let hir = self.hir;
        let expr = &hir[id];
        let (ty, span) = (expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Integer(bits) => {
                self.check_converted_constant(id);
                let width = self.width(ty);
                let bits = bits.get();
                let term = if width <= 64 {
                    self.m.pool.bv(width, bits as u64)
                } else {
                    let high = self.m.pool.bv(width - 64, (bits >> 64) as u64);
                    let low = self.m.pool.bv(64, bits as u64);
                    self.m.pool.concat(high, low)
                };
                Value::Scalar(term)
            }
            ExprKind::Float(constant) => {
                let format = self.float_format(ty);
                match format.and_then(|format| self.float_constant(format, &constant.text)) {
                    Some(term) => Value::Scalar(term),
                    None => self.approximate(ty, "a floating constant of this type", span),
                }
            }
            ExprKind::Load(place) => {
                let location = self.location(*place);
                self.check_assigned(*place, span);
                self.load(&location, ty, span)
            }
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                self.place_address(*place, Purpose::Address, span)
            }
            &ExprKind::FunctionAddress(function) => match self.m.opaque(self.unit, function) {
                Some(reason) if reason != Opaque::Resolver => {
                    let name = self.hir.name(self.hir[function].name);
                    self.unsupported_value(format!("the address of {name}, {reason}"), ty, span)
                }
                _ => Value::Scalar(self.function_address(function)),
            },
            ExprKind::LabelAddress(label) => {
                let width = self.width(ty);
                Value::Scalar(self.m.pool.bv(width, u64::from(label.0) + 1))
            }
            ExprKind::Unary { op, operand } => self.unary(id, *op, *operand, span),
            ExprKind::Not(_) | ExprKind::Logical { .. } => self.truth_value(id, ty, span),
            ExprKind::PointerDifference { lhs, rhs, scale } => {
                let operands = [*lhs, *rhs];
                let (a, b) = if self.conflict(&operands) {
                    let types = [self.m.address_type(); 2];
                    let evaluate = &mut |this: &mut Self, index: usize| this.scalar(operands[index]);
                    let terms = self.in_both_orders(&operands, &types, span, evaluate);
                    (terms[0], terms[1])
                } else {
                    (self.scalar(*lhs), self.scalar(*rhs))
                };
                self.check_one_object(id, a, b);
                let difference = self.m.pool.bv_sub(a, b);
                let result = match scale {
                    Scale::Constant(0 | 1) => difference,
                    Scale::Constant(bytes) if bytes.is_power_of_two() => {
                        // The difference is a multiple of the size.
                        let amount =
                            self.m.pool.bv(self.m.pool_width(difference), u64::from(bytes.trailing_zeros()));
                        self.m.pool.bv_ashr(difference, amount)
                    }
                    &scale => {
                        let scale = self.scale(scale);
                        self.m.pool.bv_sdiv(difference, scale)
                    }
                };
                let width = self.width(ty);
                Value::Scalar(self.resize(result, width, Signedness::Signed))
            }
            &ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, ty, span)
            }
            ExprKind::Comma(list) => {
                let Some((&last, first)) = list.split_last() else { return Value::Void };
                first.iter().for_each(|&expr| self.effect(expr));
                self.value(last)
            }
            &ExprKind::Assign { place, value } => self.assignment(place, value, ty, span),
            &ExprKind::Modify { place, value, result } => self.modification(place, value, result, ty, span),
            ExprKind::Old => match self.old.last() {
                Some(&(term, _)) => Value::Scalar(term),
                None => self.unsupported_value("an update of a complex value", ty, span),
            },
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments, ty, span),
            ExprKind::Builtin { builtin, arguments } => self.builtin(*builtin, arguments, ty, span),
            &ExprKind::VaArg(list) => self.next_argument(list, ty, span),
            ExprKind::Statements { stmts, value } => {
                self.open_scope_of(None, stmts);
                self.statements(stmts);
                let value = match value {
                    Some(value) => self.value(*value),
                    None => Value::Void,
                };
                self.close_scope(span);
                value
            }
            &ExprKind::Aggregate(initializer) => {
                let address = self.temporary(ty, span);
                let location = Location::at(self.given_base(address));
                self.initialize(&location, initializer);
                Value::Memory(address)
            }
            ExprKind::Unsupported(reason) => self.unsupported_value(reason.to_string(), ty, span),
            ExprKind::Error => self.unsupported_value("an erroneous expression", ty, span),
            ExprKind::Binary { .. } | ExprKind::Compare { .. } | ExprKind::PointerOffset { .. } => {
                self.unordered(id)
            }
            ExprKind::Cast { .. } => unreachable!("casts are traversed as spines"),
        }
    }

    /// The address of a place of any kind.
    pub(super) fn place_address(&mut self, place: PlaceId, purpose: Purpose, span: Span) -> Value {
        let location = self.locate(place, purpose);
        let is_temporary = self.slot_bits().is_some() && self.is_temporary(place);
        let location = match location {
            Location::Leaves { .. } => self.temporary_copy(&location, self.hir[place].ty, span),
            Location::Memory { bits: None, .. } if is_temporary => {
                self.temporary_copy(&location, self.hir[place].ty, span)
            }
            other => other,
        };
        Value::Scalar(self.address(&location, span))
    }

    fn float_constant(&mut self, format: floats::FloatFormat, text: &str) -> Option<Term> {
        match text {
            "inf" => Some(floats::infinity(self.m.pool, format)),
            "nan" => Some(floats::not_a_number(self.m.pool, format)),
            _ => floats::constant(self.m.pool, format, text),
        }
    }

    /// An over-approximated scalar; for other types an unsupported construct.
    pub(super) fn approximate(&mut self, ty: TypeId, what: &str, span: Span) -> Value {
        match self.m.scalar_type(self.hir, ty) {
            Some(scalar) => Value::Scalar(self.approximation(scalar, what, span)),
            None => self.unsupported_value(what, ty, span),
        }
    }

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId, span: Span) -> Value {
        let ty = self.hir[id].ty;
        let Value::Scalar(term) = self.value(operand) else {
            return self.unsupported_value("complex arithmetic", ty, span);
        };
        if let Some((element, _)) = self.vector(ty) {
            return self.vector_unary(id, op, term, element);
        }
        self.check_unary(id, op, term, operand);
        let format = self.float_format(ty);
        Value::Scalar(match (op, format) {
            (UnaryOp::Negate, Some(format)) => floats::negate(self.m.pool, format, term),
            (UnaryOp::Negate, None) => self.m.pool.bv_neg(term),
            (UnaryOp::Complement, None) => self.m.pool.bv_not(term),
            _ => return self.unsupported_value("complex arithmetic", ty, span),
        })
    }

    /// `a op b` of type `ty`; `rhs` is the type of the right operand.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: Term,
        b: Term,
        ty: TypeId,
        rhs: TypeId,
        span: Span,
    ) -> Value {
        if let Some(format) = self.float_format(ty) {
            let operation = match op {
                BinaryOp::Add => Arithmetic::Add,
                BinaryOp::Sub => Arithmetic::Sub,
                BinaryOp::Mul => Arithmetic::Mul,
                BinaryOp::Div => Arithmetic::Div,
                _ => return self.approximate(ty, "floating-point arithmetic", span),
            };
            return Value::Scalar(floats::arithmetic(self.m.pool, format, operation, a, b));
        }
        let signedness = self.signedness(ty);
        let is_signed = signedness == Signedness::Signed;
        let width = self.m.pool_width(a);
        let b = match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift_amount(b, width, rhs),
            _ => b,
        };
        let pool = &mut *self.m.pool;
        Value::Scalar(match op {
            BinaryOp::Mul => pool.bv_mul(a, b),
            BinaryOp::Div if is_signed => pool.bv_sdiv(a, b),
            BinaryOp::Div => pool.bv_udiv(a, b),
            BinaryOp::Rem if is_signed => pool.bv_srem(a, b),
            BinaryOp::Rem => pool.bv_urem(a, b),
            BinaryOp::Add => pool.bv_add(a, b),
            BinaryOp::Sub => pool.bv_sub(a, b),
            BinaryOp::Shl => pool.bv_shl(a, b),
            BinaryOp::Shr if is_signed => pool.bv_ashr(a, b),
            BinaryOp::Shr => pool.bv_lshr(a, b),
            BinaryOp::And => pool.bv_and(a, b),
            BinaryOp::Xor => pool.bv_xor(a, b),
            BinaryOp::Or => pool.bv_or(a, b),
        })
    }

    /// The shift amount in the width of the shifted operand. An amount that does not fit becomes
    /// the greatest number, which is also out of range.
    pub(super) fn shift_amount(&mut self, amount: Term, width: u32, ty: TypeId) -> Term {
        let from = self.m.pool_width(amount);
        if from <= width {
            let signedness = self.signedness(ty);
            return self.resize(amount, width, signedness);
        }
        let high = self.m.pool.extract(from - 1, width, amount);
        let low = self.m.pool.extract(width - 1, 0, amount);
        let zero = self.m.pool.bv(from - width, 0);
        let fits = self.m.pool.eq(high, zero);
        let none = self.m.pool.bv(width, 0);
        let all = self.m.pool.bv_not(none);
        self.m.pool.ite(fits, low, all)
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: Term, b: Term, ty: TypeId) -> Term {
        if let Some(format) = self.float_format(ty) {
            return floats::compare(self.m.pool, format, op, a, b);
        }
        let is_signed = self.signedness(ty) == Signedness::Signed;
        let pool = &mut *self.m.pool;
        match op {
            CompareOp::Eq => pool.eq(a, b),
            CompareOp::Ne => pool.neq(a, b),
            CompareOp::Lt if is_signed => pool.bv_slt(a, b),
            CompareOp::Lt => pool.bv_ult(a, b),
            CompareOp::Le if is_signed => pool.bv_sle(a, b),
            CompareOp::Le => pool.bv_ule(a, b),
            CompareOp::Gt if is_signed => pool.bv_slt(b, a),
            CompareOp::Gt => pool.bv_ult(b, a),
            CompareOp::Ge if is_signed => pool.bv_sle(b, a),
            CompareOp::Ge => pool.bv_ule(b, a),
        }
    }

    /// The spelling of expressions and places.
    pub(super) fn names(&self) -> Names<'_> {
        Names { hir: self.hir, old: self.old.last().map(|&(_, place)| place) }
    }

    /// The spelling of an expression.
    pub(super) fn render(&self, id: ExprId) -> String {
        self.names().value(id)
    }

    fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Value {
        let scalar = self.m.scalar_type(self.hir, ty);
        if scalar.is_some() && self.is_eager(then) && self.is_eager(otherwise) {
            let condition = self.condition(condition);
            let then = self.scalar(then);
            let otherwise = self.scalar(otherwise);
            return Value::Scalar(self.m.pool.ite(condition, then, otherwise));
        }
        let is_void = matches!(self.hir.types[ty], CType::Void | CType::Error);
        let result_type = scalar.unwrap_or_else(|| self.m.address_type());
        let variable = self.hidden_variable(result_type, span);
        let blocks = [self.b.create_block(), self.b.create_block(), self.b.create_block()];
        self.branch_on(condition, blocks[0], blocks[1]);
        for (&block, arm) in blocks.iter().zip([then, otherwise]) {
            self.b.seal(block);
            self.b.switch_to(block);
            let value = self.value(arm);
            if !is_void {
                let term = match value {
                    Value::Scalar(term) => term,
                    other => self.value_in_memory(other, ty, span),
                };
                self.assign_hidden(variable, term, span);
            }
            self.goto(blocks[2], span);
        }
        self.b.seal(blocks[2]);
        self.b.switch_to(blocks[2]);
        match scalar {
            _ if is_void => Value::Void,
            Some(_) => Value::Scalar(self.read(variable)),
            None => {
                // Both branches were checked where they were evaluated.
                let address = self.read(variable);
                Value::Memory(address)
            }
        }
    }

    /// Whether the place is the hidden object of an aggregate value, or a part of it.
    pub(super) fn is_temporary(&self, mut id: PlaceId) -> bool {
        loop {
            match self.hir[id].kind {
                PlaceKind::Field { base, .. } => id = base,
                PlaceKind::Index { array, .. } => id = array,
                PlaceKind::Temporary(_) => return true,
                _ => return false,
            }
        }
    }

    /// A copy of a part of an aggregate value, to which a pointer is taken.
    fn temporary_copy(&mut self, location: &Location, ty: TypeId, span: Span) -> Location {
        let value = self.load(location, ty, span);
        let address = self.copy_to_temporary(value, ty, span);
        let size = self.hir.types.size(ty).unwrap_or(0);
        self.begin_temporary(address, size, span);
        Location::at(self.object_base(address, size))
    }

    /// The value 1 or 0 of `!`, `&&` or `||`.
    fn truth_value(&mut self, id: ExprId, ty: TypeId, span: Span) -> Value {
        let width = self.width(ty);
        if let ExprKind::Logical { operands, .. } = &self.hir[id].kind
            && !operands[1..].iter().all(|&operand| self.is_eager(operand))
        {
            return Value::Scalar(self.branching_truth(id, width, span));
        }
        let condition = self.condition(id);
        Value::Scalar(self.flag(condition, width))
    }

    /// The value 1 or 0 in a new variable, computed by control flow.
    fn branching_truth(&mut self, id: ExprId, width: u32, span: Span) -> Term {
        let variable = self.hidden_variable(Type::signed(width), span);
        let blocks = [self.b.create_block(), self.b.create_block(), self.b.create_block()];
        self.branch_on(id, blocks[0], blocks[1]);
        for (&block, number) in blocks.iter().zip([1, 0]) {
            self.b.seal(block);
            self.b.switch_to(block);
            let term = self.m.pool.bv(width, number);
            self.assign_hidden(variable, term, span);
            self.goto(blocks[2], span);
        }
        self.b.seal(blocks[2]);
        self.b.switch_to(blocks[2]);
        self.read(variable)
    }

    /// Whether a scalar expression is nonzero, as a Boolean term.
    pub(super) fn condition(&mut self, id: ExprId) -> Term {
        let expr = &self.hir[id];
        let span = expr.span;
        if !self.descend(span) {
            return self.m.pool.fls();
        }
        let result = match &expr.kind {
            // Conversions under which 0 and 1 stay distinct.
            &ExprKind::Cast { kind: CastKind::Integer | CastKind::ToBool, operand }
                if self.is_truth(operand) =>
            {
                self.condition(operand)
            }
            &ExprKind::Not(operand) => {
                let condition = self.condition(operand);
                self.m.pool.not(condition)
            }
            &ExprKind::Compare { op, lhs, rhs } if !self.is_unordered(id) => match self.value(lhs) {
                Value::Scalar(a) => {
                    let b = self.scalar(rhs);
                    self.compared(id, op, lhs, a, b)
                }
                _ => {
                    self.unsupported("a comparison of complex values", span);
                    self.m.pool.fls()
                }
            },
            ExprKind::Logical { op, operands }
                if operands[1..].iter().all(|&operand| self.is_eager(operand)) =>
            {
                let terms: Vec<Term> = operands.iter().map(|&operand| self.condition(operand)).collect();
                match op {
                    LogicalOp::And => self.m.pool.and(&terms),
                    LogicalOp::Or => self.m.pool.or(&terms),
                }
            }
            ExprKind::Logical { .. } => {
                let term = self.branching_truth(id, 32, span);
                let zero = self.m.pool.bv(32, 0);
                self.m.pool.neq(term, zero)
            }
            _ => {
                let term = self.scalar(id);
                self.truth(term, expr.ty)
            }
        };
        self.depth -= 1;
        result
    }

    /// Whether the expression is a truth value, so that its value is 0 or 1.
    fn is_truth(&self, mut id: ExprId) -> bool {
        loop {
            match self.hir[id].kind {
                ExprKind::Not(_) | ExprKind::Compare { .. } | ExprKind::Logical { .. } => return true,
                ExprKind::Cast { kind: CastKind::Integer | CastKind::ToBool, operand } => id = operand,
                _ => return false,
            }
        }
    }

    /// Branches on a condition; `&&`, `||` and `!` become control flow where necessary.
    pub(super) fn branch_on(&mut self, id: ExprId, then: Block, otherwise: Block) {
        self.branch_as(id, then, otherwise, Shown { expr: id, true_edge: TrueEdge::First });
    }

    /// Like [`branch_on`](Self::branch_on); traces show the condition as `shown`.
    fn branch_as(&mut self, id: ExprId, then: Block, otherwise: Block, shown: Shown) {
        let expr = &self.hir[id];
        let span = expr.span;
        if !self.descend(span) {
            return;
        }
        match &expr.kind {
            &ExprKind::Not(operand) => {
                let shown = Shown { true_edge: shown.true_edge.negated(), ..shown };
                self.branch_as(operand, otherwise, then, shown);
            }
            &ExprKind::Cast { kind: CastKind::Integer | CastKind::ToBool, operand }
                if self.is_truth(operand) =>
            {
                self.branch_as(operand, then, otherwise, shown);
            }
            ExprKind::Logical { op, operands }
                if !operands[1..].iter().all(|&operand| self.is_eager(operand)) =>
            {
                let (last, first) = operands.split_last().expect("a chain has at least two operands");
                for &operand in first {
                    let next = self.b.create_block();
                    match op {
                        LogicalOp::And => self.branch_on(operand, next, otherwise),
                        LogicalOp::Or => self.branch_on(operand, then, next),
                    }
                    self.b.seal(next);
                    self.b.switch_to(next);
                }
                self.branch_on(*last, then, otherwise);
            }
            _ => {
                let (condition, reads) = self.watched(|this| this.condition(id));
                if !self.m.pool.is_constant(condition) {
                    self.decide(shown, &reads);
                }
                self.branch(condition, then, otherwise, span);
            }
        }
        self.depth -= 1;
    }

    /// Whether the expression may be evaluated even if its value is not needed: it has no side
    /// effects, cannot fail and is small.
    fn is_eager(&mut self, id: ExprId) -> bool {
        let mut budget = MAX_EAGER;
        self.is_eager_within(id, &mut budget)
    }

    fn is_eager_within(&mut self, id: ExprId, budget: &mut u32) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let expr = &self.hir[id];
        if self.m.scalar_type(self.hir, expr.ty).is_none() {
            return false;
        }
        match &expr.kind {
            ExprKind::Binary { .. } | ExprKind::Unary { .. } if self.vector(expr.ty).is_some() => false,
            ExprKind::Integer(_) => self.changed_constant(id).is_none(),
            ExprKind::Old => true,
            ExprKind::Load(place) => self.is_direct(*place),
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.is_direct(*place),
            ExprKind::Cast { kind, operand } => {
                matches!(
                    kind,
                    CastKind::Integer
                        | CastKind::ToBool
                        | CastKind::Pointer
                        | CastKind::PointerToInteger
                        | CastKind::IntegerToPointer
                ) && !self.may_change(id)
                    && self.is_eager_within(*operand, budget)
            }
            ExprKind::Unary { op, operand } => {
                !self.may_fail_unary(*op, expr.ty) && self.is_eager_within(*operand, budget)
            }
            ExprKind::Not(operand) => self.is_eager_within(*operand, budget),
            ExprKind::Binary { op, lhs, rhs } => {
                let is_safe = match op {
                    BinaryOp::Div | BinaryOp::Rem => {
                        matches!(self.hir[*rhs].kind, ExprKind::Integer(bits) if bits.get() != 0)
                    }
                    _ => true,
                };
                is_safe
                    && !self.may_fail(*op, expr.ty)
                    && !self.hir.types.is_floating(expr.ty)
                    && self.is_eager_within(*lhs, budget)
                    && self.is_eager_within(*rhs, budget)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                !self.needs_one_object(*op, *lhs)
                    && self.is_eager_within(*lhs, budget)
                    && self.is_eager_within(*rhs, budget)
            }
            // Where addresses must stay in their slot, the operation may fail.
            ExprKind::PointerOffset { pointer, index, scale: Scale::Constant(_), .. }
                if !self.checks(PropertyKind::PointerOverflow) && self.slot_bits().is_none() =>
            {
                self.is_eager_within(*pointer, budget) && self.is_eager_within(*index, budget)
            }
            ExprKind::Logical { operands, .. } => {
                operands.iter().all(|&operand| self.is_eager_within(operand, budget))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|&operand| self.is_eager_within(operand, budget))
            }
            _ => false,
        }
    }

    /// Whether the place is a named object or a member of one.
    fn is_direct(&mut self, mut id: PlaceId) -> bool {
        loop {
            match self.hir[id].kind {
                PlaceKind::Local(local) => {
                    return !self.may_be_unassigned(local)
                        && self.hir.types.layout(self.hir[local].ty).is_some();
                }
                // A weak object may be undefined.
                PlaceKind::Global(global) => {
                    let storage = self.m.global(self.unit, global);
                    return matches!(storage, GlobalStorage::Scalar(_) | GlobalStorage::Object(_));
                }
                PlaceKind::Field { base, .. } => id = base,
                PlaceKind::Index { array, index, .. } => {
                    let ExprKind::Integer(bits) = self.hir[index].kind else { return false };
                    let CType::Array(_, crate::c::types::ArrayLength::Known(length)) =
                        self.hir.types[self.hir[array].ty]
                    else {
                        return false;
                    };
                    if bits.get() >= u128::from(length) {
                        return false;
                    }
                    id = array;
                }
                _ => return false,
            }
        }
    }

    /// An indeterminate value.
    pub(super) fn indeterminate(&mut self, ty: Type, span: Span) -> Term {
        self.emit(InstructionKind::Havoc(HavocSource::Uninitialized), ty, span)
    }
}
