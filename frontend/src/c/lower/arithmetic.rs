//! Errors of integer arithmetic: overflow, division by zero, invalid shifts.
//!
//! # Definitions
//! * *Signed overflow* is that of SV-COMP: the type of a signed operation cannot represent the
//!   mathematical result. It covers `+`, `-`, `*`, unary `-`, the division of the least number by
//!   -1 (and its remainder, C11 6.5.5p6), and a left shift `a << b` of a number of either sign if
//!   the type cannot represent `a·2^b`, for any `b`. The types are those after promotion, so
//!   arithmetic on `char`, `short`, `_Bool`, enumerations and bit-fields overflows like that on
//!   `int`. Conversions do not overflow.
//! * A left shift of a negative number, and a shift by an amount that is negative or not less than
//!   the width, have no defined result (C11 6.5.7p3–4). These are *shift* errors.
//! * A *conversion* error is an implicit conversion between integer types, or between an integer
//!   and a floating type, that changes the value, or a store to a bit-field that cannot represent
//!   the value. Rounding between floating types is not an error.
//! * *Unsigned overflow* is the wraparound of `+`, `-`, `*` and unary `-`. It is well-defined in C.
//!
//! # Conditions
//! A sum, difference or product is computed a second time in a width in which it is exact, and
//! compared with the bounds of the range. This costs one more adder in a bit-precise encoding. A
//! linear encoding sees the sum of integers itself, so the check of a linear operation is linear
//! and exact. (The usual sign tests use the wrapped result, which a linear encoding must first
//! reduce to its range.) If one operand is constant, the other one is compared with a constant,
//! also for products.

use super::calls::Argument;
use super::checks::Operand;
use super::floats;
use super::function::Lowering;
use super::places::{Location, Value};
use crate::c::hir::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind, PlaceId, UnaryOp};
use crate::c::types::TypeId;
use grammars::source::Span;
use program::ssa::{PropertyKind, Signedness, Type};
use terms::{Term, TermPool};

/// An integer operation with its operands, as terms of one width.
#[derive(Clone, Copy)]
struct Operation {
    op: BinaryOp,
    a: Term,
    b: Term,
    width: u32,
}

impl Lowering<'_, '_, '_> {
    /// Checks `lhs op rhs`, the expression `id`, before it is computed; `b` is the right operand in
    /// its own width.
    pub(super) fn check_binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        a: Term,
        b: Term,
        lhs: ExprId,
        rhs: ExprId,
    ) {
        let Some((width, signedness)) = self.hir.types.integer(self.hir[id].ty) else { return };
        let operands = |this: &Self| [this.operand(lhs, a), this.operand(rhs, b)];
        match op {
            BinaryOp::Div | BinaryOp::Rem if self.checks(PropertyKind::DivisionByZero) => {
                let zero = self.m.pool.bv(width, 0);
                let is_zero = self.m.pool.eq(b, zero);
                let operands = operands(self);
                self.check_operation(
                    PropertyKind::DivisionByZero,
                    is_zero,
                    "division by zero",
                    &operands,
                    id,
                );
            }
            BinaryOp::Shl | BinaryOp::Shr if self.checks(PropertyKind::Shift) => {
                self.check_shift(id, op, a, b, lhs, rhs);
            }
            _ => {}
        }
        let (kind, error) = match signedness {
            Signedness::Signed => (PropertyKind::SignedOverflow, "signed overflow"),
            Signedness::Unsigned => (PropertyKind::UnsignedOverflow, "unsigned overflow"),
        };
        if !self.checks(kind) {
            return;
        }
        let operation = Operation { op, a, b, width };
        let failure = match (signedness, op) {
            (Signedness::Signed, BinaryOp::Shl) => {
                Some(self.left_shift_overflows(operation, self.hir[rhs].ty))
            }
            (Signedness::Signed, _) => signed_overflow(self.m.pool, operation),
            (Signedness::Unsigned, _) => unsigned_overflow(self.m.pool, operation),
        };
        if let Some(failure) = failure {
            let operands = operands(self);
            self.check_operation(kind, failure, error, &operands, id);
        }
    }

    /// Checks `op operand`, the expression `id`.
    pub(super) fn check_unary(&mut self, id: ExprId, op: UnaryOp, term: Term, operand: ExprId) {
        let Some((width, signedness)) = self.hir.types.integer(self.hir[id].ty) else { return };
        let kind = match signedness {
            Signedness::Signed => PropertyKind::SignedOverflow,
            Signedness::Unsigned => PropertyKind::UnsignedOverflow,
        };
        if op != UnaryOp::Negate || !self.checks(kind) {
            return;
        }
        let pool = &mut *self.m.pool;
        let (failure, error) = match signedness {
            Signedness::Signed => {
                let least = least(pool, width);
                (pool.eq(term, least), "signed overflow")
            }
            Signedness::Unsigned => {
                let zero = pool.bv(width, 0);
                (pool.neq(term, zero), "unsigned overflow")
            }
        };
        let operand = self.operand(operand, term);
        self.check_operation(kind, failure, error, &[operand], id);
    }

    /// Checks `a op b` on elements of type `ty`, a part of the expression `id`: signed overflow and
    /// division by zero, as in gcc's sanitizer.
    pub(super) fn check_element(&mut self, id: ExprId, op: BinaryOp, a: Term, b: Term, ty: TypeId) {
        let Some((width, signedness)) = self.hir.types.integer(ty) else { return };
        let span = self.hir[id].span;
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.checks(PropertyKind::DivisionByZero) {
            let zero = self.m.pool.bv(width, 0);
            let is_zero = self.m.pool.eq(b, zero);
            let text = format!("division by zero in an element of {}", self.render(id));
            self.check(PropertyKind::DivisionByZero, is_zero, text, &[], span);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && self.checks(PropertyKind::Shift) {
            // Negative amounts are large ones.
            let bits = self.m.pool_width(b);
            let most = self.m.pool.bv(bits, u64::from(width) - 1);
            let is_too_much = self.m.pool.bv_ult(most, b);
            let text = format!("shift by the width or more in an element of {}", self.render(id));
            self.check(PropertyKind::Shift, is_too_much, text, &[], span);
        }
        if signedness == Signedness::Unsigned || !self.checks(PropertyKind::SignedOverflow) {
            return;
        }
        if let Some(failure) = signed_overflow(self.m.pool, Operation { op, a, b, width }) {
            let text = format!("signed overflow in an element of {}", self.render(id));
            self.check(PropertyKind::SignedOverflow, failure, text, &[], span);
        }
    }

    /// Checks `-term` on an element of type `ty`, a part of the expression `id`.
    pub(super) fn check_negated_element(&mut self, id: ExprId, op: UnaryOp, term: Term, ty: TypeId) {
        if op == UnaryOp::Negate
            && let Some((width, _)) = self.hir.types.integer(ty)
        {
            let zero = self.m.pool.bv(width, 0);
            self.check_element(id, BinaryOp::Sub, zero, term, ty);
        }
    }

    /// Checks `abs(argument)`, `labs(argument)` and `llabs(argument)`.
    pub(super) fn check_absolute(&mut self, name: &str, term: Term, argument: Option<ExprId>, span: Span) {
        let Some(argument) = argument.filter(|_| self.checks(PropertyKind::SignedOverflow)) else { return };
        let least = least(self.m.pool, self.m.pool_width(term));
        let failure = self.m.pool.eq(term, least);
        let text = format!("signed overflow in {name}({})", self.render(argument));
        let operand = self.operand(argument, term);
        self.check(PropertyKind::SignedOverflow, failure, text, &[operand], span);
    }

    /// Checks `div(a, b)`, `ldiv(a, b)` and `lldiv(a, b)`.
    pub(super) fn check_division(&mut self, name: &str, arguments: &[Argument], span: Span) {
        let &[a, b] = arguments else { return };
        let width = self.m.pool_width(a.term);
        let (true, true) = (self.hir.types.is_integer(a.ty), width == self.m.pool_width(b.term)) else {
            return;
        };
        let show = |this: &Self, argument: Argument| match argument.expr {
            Some(expr) => this.render(expr),
            None => "…".to_owned(),
        };
        let call = format!("{name}({}, {})", show(self, a), show(self, b));
        if self.checks(PropertyKind::DivisionByZero) {
            let zero = self.m.pool.bv(width, 0);
            let is_zero = self.m.pool.eq(b.term, zero);
            self.check(
                PropertyKind::DivisionByZero,
                is_zero,
                format!("division by zero in {call}"),
                &[],
                span,
            );
        }
        if self.checks(PropertyKind::SignedOverflow)
            && let Some(failure) =
                signed_overflow(self.m.pool, Operation { op: BinaryOp::Div, a: a.term, b: b.term, width })
        {
            self.check(
                PropertyKind::SignedOverflow,
                failure,
                format!("signed overflow in {call}"),
                &[],
                span,
            );
        }
    }

    /// Whether a binary operation of this kind may have an error site.
    pub(super) fn may_fail(&self, op: BinaryOp, ty: TypeId) -> bool {
        let Some((_, signedness)) = self.hir.types.integer(ty) else { return false };
        let overflow = match signedness {
            Signedness::Signed => PropertyKind::SignedOverflow,
            Signedness::Unsigned => PropertyKind::UnsignedOverflow,
        };
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.checks(overflow),
            BinaryOp::Div | BinaryOp::Rem => {
                self.checks(PropertyKind::DivisionByZero)
                    || signedness == Signedness::Signed && self.checks(overflow)
            }
            BinaryOp::Shl => {
                self.checks(PropertyKind::Shift) || signedness == Signedness::Signed && self.checks(overflow)
            }
            BinaryOp::Shr => self.checks(PropertyKind::Shift),
            BinaryOp::And | BinaryOp::Xor | BinaryOp::Or => false,
        }
    }

    /// Whether a unary operation may have an error site.
    pub(super) fn may_fail_unary(&self, op: UnaryOp, ty: TypeId) -> bool {
        op == UnaryOp::Negate
            && match self.hir.types.integer(ty) {
                Some((_, Signedness::Signed)) => self.checks(PropertyKind::SignedOverflow),
                Some((_, Signedness::Unsigned)) => self.checks(PropertyKind::UnsignedOverflow),
                None => false,
            }
    }

    fn check_shift(&mut self, id: ExprId, op: BinaryOp, a: Term, b: Term, lhs: ExprId, rhs: ExprId) {
        let operands = [self.operand(lhs, a), self.operand(rhs, b)];
        let (bits, is_signed) =
            (self.m.pool_width(b), self.signedness(self.hir[rhs].ty) == Signedness::Signed);
        let width = self.m.pool_width(a);
        if is_signed {
            let zero = self.m.pool.bv(bits, 0);
            let is_negative = self.m.pool.bv_slt(b, zero);
            let error = "shift by a negative amount";
            self.check_operation(PropertyKind::Shift, is_negative, error, &operands, id);
        }
        // In the promoted type, which can represent the width.
        let most = self.m.pool.bv(bits, u64::from(width) - 1);
        let is_too_much = match is_signed {
            true => self.m.pool.bv_slt(most, b),
            false => self.m.pool.bv_ult(most, b),
        };
        let error = "shift by the width or more";
        self.check_operation(PropertyKind::Shift, is_too_much, error, &operands, id);
        if op == BinaryOp::Shl && self.signedness(self.hir[id].ty) == Signedness::Signed {
            let zero = self.m.pool.bv(width, 0);
            let is_negative = self.m.pool.bv_slt(a, zero);
            let error = "left shift of a negative number";
            self.check_operation(PropertyKind::Shift, is_negative, error, &operands, id);
        }
    }

    /// Whether the type cannot represent `a·2^b`. `a` must be at most the greatest number halved
    /// `b` times, rounded down, and at least the negation of this bound minus one. From the width
    /// on, only `a = 0` is representable. Negative amounts do not overflow.
    fn left_shift_overflows(
        &mut self,
        Operation { a, b, width, .. }: Operation,
        amount_type: TypeId,
    ) -> Term {
        let greatest = greatest(self.m.pool, width);
        let amount = self.shift_amount(b, width, amount_type);
        let pool = &mut *self.m.pool;
        let most = pool.bv_lshr(greatest, amount);
        let (zero, bits) = (pool.bv(width, 0), pool.bv(width, u64::from(width)));
        let is_within = pool.bv_ult(amount, bits);
        let least = pool.bv_not(most);
        let least = pool.ite(is_within, least, zero);
        let (is_too_large, is_too_small) = (pool.bv_slt(most, a), pool.bv_slt(a, least));
        let is_lost = pool.or2(is_too_large, is_too_small);
        if self.signedness(amount_type) == Signedness::Unsigned {
            return is_lost;
        }
        let zero = self.m.pool.bv(self.m.pool_width(b), 0);
        let is_forward = self.m.pool.bv_sle(zero, b);
        self.m.pool.and2(is_forward, is_lost)
    }

    /// Checks the conversion `id`, unless it is an explicit cast.
    pub(super) fn check_conversion(&mut self, id: ExprId, kind: CastKind, value: &Value, operand: ExprId) {
        let &Value::Scalar(term) = value else { return };
        if !self.may_change(id) {
            return;
        }
        let failure = match kind {
            CastKind::Integer => self.leaves_target(id, term, operand),
            CastKind::FloatToInteger => self.is_no_integer(id, term, operand),
            CastKind::IntegerToFloat => self.is_rounded(id, term, operand),
            _ => None,
        };
        let Some(failure) = failure else { return };
        let ty = crate::c::sema::type_name(self.hir, self.hir[id].ty);
        let text = format!("conversion of {} to {ty} changes the value", self.render(operand));
        let operand = self.operand(operand, term);
        self.check(PropertyKind::Conversion, failure, text, &[operand], self.hir[id].span);
    }

    /// Whether the integer type to which the expression `id` converts cannot represent a floating
    /// value.
    fn is_no_integer(&mut self, id: ExprId, term: Term, operand: ExprId) -> Option<Term> {
        let format = self.float_format(self.hir[operand].ty)?;
        let (width, signedness) = self.hir.types.integer(self.hir[id].ty)?;
        let pool = &mut *self.m.pool;
        let converted = floats::to_integer(pool, format, term, width, signedness);
        let back = floats::from_integer(pool, format, converted, signedness);
        let is_same = floats::compare(pool, format, CompareOp::Eq, back, term);
        Some(pool.not(is_same))
    }

    /// Whether the floating type to which the expression `id` converts cannot represent an integer
    /// exactly.
    fn is_rounded(&mut self, id: ExprId, term: Term, operand: ExprId) -> Option<Term> {
        let format = self.float_format(self.hir[id].ty)?;
        let (width, signedness) = self.hir.types.integer(self.hir[operand].ty)?;
        let pool = &mut *self.m.pool;
        let converted = floats::from_integer(pool, format, term, signedness);
        let back = floats::to_integer(pool, format, converted, width, signedness);
        Some(pool.neq(back, term))
    }

    /// Whether the integer type to which the expression `id` converts cannot represent an integer.
    fn leaves_target(&mut self, id: ExprId, term: Term, operand: ExprId) -> Option<Term> {
        let types = &self.hir.types;
        let (Some((width, signedness)), Some((target, to))) =
            (types.integer(self.hir[operand].ty), types.integer(self.hir[id].ty))
        else {
            return None;
        };
        // One bit wider than both, so that no information is lost.
        let wide = width.max(target) + 1;
        let exact = self.resize(term, wide, signedness);
        let pool = &mut *self.m.pool;
        Some(match to {
            Signedness::Signed => leaves_signed_range(pool, exact, target),
            Signedness::Unsigned => {
                let zero = pool.bv(wide, 0);
                let is_negative = pool.bv_slt(exact, zero);
                if target < width {
                    let (one, amount) = (pool.bv(wide, 1), pool.bv(wide, u64::from(target)));
                    let end = pool.bv_shl(one, amount);
                    let is_large = pool.bv_sle(end, exact);
                    pool.or2(is_negative, is_large)
                } else {
                    is_negative
                }
            }
        })
    }

    /// The constant before the implicit conversion that changed its value, if conversions are
    /// checked.
    pub(super) fn changed_constant(&self, id: ExprId) -> Option<ExprId> {
        if !self.checks(PropertyKind::Conversion) || self.hir.casts.contains(&id) {
            return None;
        }
        self.hir.changed.get(&id).copied()
    }

    /// Checks the implicit conversion of a constant, which the type checker has folded.
    pub(super) fn check_converted_constant(&mut self, id: ExprId) {
        let Some(before) = self.changed_constant(id) else { return };
        let ty = crate::c::sema::type_name(self.hir, self.hir[id].ty);
        let text = format!("conversion of {} to {ty} changes the value", self.render(before));
        let failure = self.m.pool.tru();
        self.check(PropertyKind::Conversion, failure, text, &[], self.hir[id].span);
    }

    /// Checks that a bit-field can represent the value stored to it.
    pub(super) fn check_bit_field(&mut self, place: PlaceId, location: &Location, term: Term, span: Span) {
        let Location::Memory { bits: Some(bits), .. } = location else { return };
        if !self.checks(PropertyKind::Conversion) {
            return;
        }
        let ty = self.hir[place].ty;
        let held = self.cut(location, ty, term);
        let failure = self.m.pool.neq(held, term);
        let name = self.names().place(place);
        let text = format!("conversion to the {}-bit bit-field {name} changes the value", bits.width);
        let source = ty;
        let ty = self.m.scalar_type(self.hir, ty).expect("a bit-field is an integer");
        let operand = Operand { text: "the value".to_owned(), term, ty, source };
        self.check(PropertyKind::Conversion, failure, text, &[operand], span);
    }

    /// Whether the conversion is checked: it is implicit and changes some value.
    pub(super) fn may_change(&self, id: ExprId) -> bool {
        let ExprKind::Cast { operand, .. } = self.hir[id].kind else { return false };
        if !self.checks(PropertyKind::Conversion) || self.hir.casts.contains(&id) {
            return false;
        }
        let types = &self.hir.types;
        match (types.integer(self.hir[operand].ty), types.integer(self.hir[id].ty)) {
            (Some((width, from)), Some((target, to))) => match (from, to) {
                (Signedness::Signed, Signedness::Unsigned) => true,
                (Signedness::Unsigned, Signedness::Signed) => target <= width,
                _ => target < width,
            },
            (Some((width, _)), None) => {
                self.float_format(self.hir[id].ty).is_some_and(|format| format.digits() < width)
            }
            (None, Some(_)) => self.float_format(self.hir[operand].ty).is_some() && !self.is_bool(id),
            _ => false,
        }
    }

    fn is_bool(&self, id: ExprId) -> bool {
        self.hir[id].ty == TypeId::BOOL
    }

    /// An operand, as shown in the trace.
    pub(super) fn operand(&self, id: ExprId, term: Term) -> Operand {
        let ty = self.m.scalar_type(self.hir, self.hir[id].ty).expect("operands of checks are scalars");
        self.operand_of_type(id, term, ty)
    }

    /// Like [`operand`](Self::operand), for a term converted to another type.
    pub(super) fn operand_of_type(&self, id: ExprId, term: Term, ty: Type) -> Operand {
        Operand { text: self.render(id), term, ty, source: self.hir[id].ty }
    }
}

fn least(pool: &mut TermPool, width: u32) -> Term {
    let greatest = greatest(pool, width);
    pool.bv_not(greatest)
}

fn greatest(pool: &mut TermPool, width: u32) -> Term {
    let zero = pool.bv(width, 0);
    let all = pool.bv_not(zero);
    let one = pool.bv(width, 1);
    pool.bv_lshr(all, one)
}

/// The sign of a constant.
fn sign(pool: &TermPool, constant: Term) -> Option<std::cmp::Ordering> {
    let bits = pool.as_bit_vector(constant)?;
    let zero = terms::BitVector::new(bits.width(), 0);
    Some(bits.signed_cmp(&zero))
}

/// The overflow condition of a signed operation; `None` for shifts and for operations without
/// overflow.
fn signed_overflow(pool: &mut TermPool, Operation { op, a, b, width }: Operation) -> Option<Term> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let (least, greatest) = (least(pool, width), greatest(pool, width));
    match op {
        BinaryOp::Add => {
            for (constant, other) in [(a, b), (b, a)] {
                match sign(pool, constant) {
                    Some(Less) => {
                        let bound = pool.bv_sub(least, constant);
                        return Some(pool.bv_slt(other, bound));
                    }
                    Some(Equal) => return None,
                    Some(Greater) => {
                        let bound = pool.bv_sub(greatest, constant);
                        return Some(pool.bv_slt(bound, other));
                    }
                    None => {}
                }
            }
            let (a, b) = (pool.sign_extend(1, a), pool.sign_extend(1, b));
            let exact = pool.bv_add(a, b);
            Some(leaves_signed_range(pool, exact, width))
        }
        BinaryOp::Sub => {
            match (sign(pool, a), sign(pool, b)) {
                (_, Some(Less)) => {
                    let bound = pool.bv_add(greatest, b);
                    return Some(pool.bv_slt(bound, a));
                }
                (_, Some(Equal)) => return None,
                (_, Some(Greater)) => {
                    let bound = pool.bv_add(least, b);
                    return Some(pool.bv_slt(a, bound));
                }
                (Some(Less), _) => {
                    let bound = pool.bv_sub(a, least);
                    return Some(pool.bv_slt(bound, b));
                }
                (Some(Equal | Greater), _) => {
                    let bound = pool.bv_sub(a, greatest);
                    return Some(pool.bv_slt(b, bound));
                }
                (None, None) => {}
            }
            let (a, b) = (pool.sign_extend(1, a), pool.sign_extend(1, b));
            let exact = pool.bv_sub(a, b);
            Some(leaves_signed_range(pool, exact, width))
        }
        BinaryOp::Mul => {
            for (factor, other) in [(a, b), (b, a)] {
                let Some(sign) = sign(pool, factor) else { continue };
                if sign == Equal {
                    return None;
                }
                let minus_one = pool.bv_i64(width, -1);
                if factor == minus_one {
                    return Some(pool.eq(other, least));
                }
                let (up, down) = (pool.bv_sdiv(greatest, factor), pool.bv_sdiv(least, factor));
                let (low, high) = if sign == Greater { (down, up) } else { (up, down) };
                let (below, above) = (pool.bv_slt(other, low), pool.bv_slt(high, other));
                return Some(pool.or2(below, above));
            }
            let (a, b) = (pool.sign_extend(width, a), pool.sign_extend(width, b));
            let exact = pool.bv_mul(a, b);
            Some(leaves_signed_range(pool, exact, width))
        }
        BinaryOp::Div | BinaryOp::Rem => {
            let minus_one = pool.bv_i64(width, -1);
            let (is_least, is_negated) = (pool.eq(a, least), pool.eq(b, minus_one));
            Some(pool.and2(is_least, is_negated))
        }
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Xor | BinaryOp::Or => None,
    }
}

/// Whether `exact`, of a greater width, exceeds the range of signed numbers of `width` bits.
fn leaves_signed_range(pool: &mut TermPool, exact: Term, width: u32) -> Term {
    let wide = pool.width(exact);
    let (least, greatest) = (least(pool, width), greatest(pool, width));
    let (least, greatest) = (pool.sign_extend(wide - width, least), pool.sign_extend(wide - width, greatest));
    let (below, above) = (pool.bv_slt(exact, least), pool.bv_slt(greatest, exact));
    pool.or2(below, above)
}

/// The wraparound condition of an unsigned operation; `None` for operations without wraparound.
fn unsigned_overflow(pool: &mut TermPool, Operation { op, a, b, width }: Operation) -> Option<Term> {
    let zero = pool.bv(width, 0);
    let greatest = pool.bv_not(zero);
    match op {
        BinaryOp::Add => {
            for (constant, other) in [(a, b), (b, a)] {
                if pool.is_constant(constant) {
                    let bound = pool.bv_sub(greatest, constant);
                    return Some(pool.bv_ult(bound, other));
                }
            }
            let (a, b) = (pool.zero_extend(1, a), pool.zero_extend(1, b));
            let (exact, greatest) = (pool.bv_add(a, b), pool.zero_extend(1, greatest));
            Some(pool.bv_ult(greatest, exact))
        }
        BinaryOp::Sub => Some(pool.bv_ult(a, b)),
        BinaryOp::Mul => {
            for (factor, other) in [(a, b), (b, a)] {
                if factor == zero {
                    return None;
                }
                if pool.is_constant(factor) {
                    let bound = pool.bv_udiv(greatest, factor);
                    return Some(pool.bv_ult(bound, other));
                }
            }
            let (a, b) = (pool.zero_extend(width, a), pool.zero_extend(width, b));
            let (exact, greatest) = (pool.bv_mul(a, b), pool.zero_extend(width, greatest));
            Some(pool.bv_ult(greatest, exact))
        }
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Xor
        | BinaryOp::Or => None,
    }
}
