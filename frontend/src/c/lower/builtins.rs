//! Lowering of built-in functions of the compiler.

use super::floats::{self, Class};
use super::function::Lowering;
use super::places::{Location, Value};
use crate::c::hir::{AtomicOp, Builtin, CompareOp, ExprId, FetchOp, FloatComparison, OverflowOp};
use crate::c::types::{FloatKind, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{Signedness, StopReason, Type};
use terms::Term;

impl Lowering<'_, '_, '_> {
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Value {
        let result = match builtin {
            Builtin::Atomic(op) => return self.atomic(op, arguments, ty, span),
            Builtin::Vector(op) => return self.vector_operation(op, arguments, ty, span),
            Builtin::Expect => {
                let first = arguments.first().map(|&argument| self.scalar(argument));
                arguments.iter().skip(1).for_each(|&argument| self.effect(argument));
                first
            }
            Builtin::Overflow(op) => self.overflow(op, arguments, Overflow::Store, ty, span),
            Builtin::OverflowCheck(op) => self.overflow(op, arguments, Overflow::Check, ty, span),
            Builtin::Unreachable => {
                self.stop(StopReason::Unreachable, span);
                return Value::Void;
            }
            Builtin::Trap => {
                self.exit(span);
                return Value::Void;
            }
            Builtin::Prefetch => {
                arguments.iter().for_each(|&argument| self.effect(argument));
                return Value::Void;
            }
            Builtin::ByteSwap
            | Builtin::CountLeadingZeros
            | Builtin::CountTrailingZeros
            | Builtin::CountRedundantSignBits
            | Builtin::PopulationCount
            | Builtin::Parity
            | Builtin::FindFirstSet => self.bits(builtin, arguments, ty),
            Builtin::Alloca => arguments.first().and_then(|&size| {
                // In bits.
                let align = arguments.get(1).map(|&align| self.scalar(align));
                let align = align.map_or(Some(8), |align| self.alignment(align, span))? / 8;
                let size_type = self.hir[size].ty;
                let size = self.scalar(size);
                let signedness = self.signedness(size_type);
                let size = self.resize(size, self.m.program.machine.pointer_width, signedness);
                Some(self.allocate_on_stack(size, align, span))
            }),
            Builtin::Infinity => self.float_format(ty).map(|format| floats::infinity(self.m.pool, format)),
            Builtin::IsNan
            | Builtin::IsInfinite
            | Builtin::IsInfiniteSign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::SignBit
            | Builtin::FloatCompare(_)
            | Builtin::FloatAbsolute
            | Builtin::CopySign
            | Builtin::Classify => self.float_builtin(builtin, arguments, ty),
            Builtin::NotANumber => {
                self.float_format(ty).map(|format| floats::not_a_number(self.m.pool, format))
            }
            Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy => {
                return self.list_builtin(builtin, arguments, span);
            }
            Builtin::MakeComplex => return self.unsupported_value("complex arithmetic", ty, span),
            Builtin::FrameAddress | Builtin::ObjectSize => None,
        };
        match result {
            Some(term) => {
                let width = self.width(ty);
                Value::Scalar(self.fit(term, Type::unsigned(width)))
            }
            None => self.approximate(ty, "a built-in operation", span),
        }
    }

    /// Compares the exact result, computed in a sufficient width, with the truncated one.
    fn overflow(
        &mut self,
        op: OverflowOp,
        arguments: &[ExprId],
        kind: Overflow,
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let &[a, b, c] = arguments else { return None };
        let target = match kind {
            Overflow::Store => self.hir.types.pointee(self.hir[c].ty)?.ty,
            Overflow::Check => self.hir[c].ty,
        };
        let target_type = self.m.scalar_type(self.hir, target)?;
        let (a_type, b_type) = (self.hir[a].ty, self.hir[b].ty);
        let (a, b, c) = (self.scalar(a), self.scalar(b), self.scalar(c));
        let width = (self.m.pool_width(a) + self.m.pool_width(b) + 2).max(target_type.width() + 2);
        let (a_sign, b_sign, sign) =
            (self.signedness(a_type), self.signedness(b_type), self.signedness(target));
        let a = self.resize(a, width, a_sign);
        let b = self.resize(b, width, b_sign);
        let exact = match op {
            OverflowOp::Add => self.m.pool.bv_add(a, b),
            OverflowOp::Sub => self.m.pool.bv_sub(a, b),
            OverflowOp::Mul => self.m.pool.bv_mul(a, b),
        };
        let cut = self.resize(exact, target_type.width(), sign);
        let back = self.resize(cut, width, sign);
        let is_lost = self.m.pool.neq(back, exact);
        if kind == Overflow::Store {
            let location = Location::at(self.pointer_base(c));
            self.store(&location, target, Value::Scalar(cut), span, None);
        }
        let width = self.width(ty);
        Some(self.flag(is_lost, width))
    }

    fn bits(&mut self, builtin: Builtin, arguments: &[ExprId], ty: TypeId) -> Option<Term> {
        let operand = self.scalar(*arguments.first()?);
        let width = self.m.pool_width(operand);
        let result = self.width(ty);
        Some(match builtin {
            Builtin::ByteSwap => {
                let mut swapped = self.m.pool.extract(7, 0, operand);
                for byte in 1..width / 8 {
                    let next = self.m.pool.extract(8 * byte + 7, 8 * byte, operand);
                    swapped = self.m.pool.concat(swapped, next);
                }
                swapped
            }
            Builtin::CountLeadingZeros => self.leading_zeros(operand, result),
            Builtin::CountTrailingZeros => self.trailing_zeros(operand, result),
            Builtin::CountRedundantSignBits => {
                let amount = self.m.pool.bv(width, u64::from(width) - 1);
                let sign = self.m.pool.bv_ashr(operand, amount);
                let changes = self.m.pool.bv_xor(operand, sign);
                let zeros = self.leading_zeros(changes, result);
                let one = self.m.pool.bv(result, 1);
                self.m.pool.bv_sub(zeros, one)
            }
            Builtin::FindFirstSet => {
                let zeros = self.trailing_zeros(operand, result);
                let one = self.m.pool.bv(result, 1);
                let index = self.m.pool.bv_add(zeros, one);
                let zero = self.m.pool.bv(width, 0);
                let is_zero = self.m.pool.eq(operand, zero);
                let none = self.m.pool.bv(result, 0);
                self.m.pool.ite(is_zero, none, index)
            }
            _ => {
                let mut sum = self.m.pool.bv(result, 0);
                for bit in 0..width {
                    let bit = self.m.pool.extract(bit, bit, operand);
                    let bit = self.m.pool.zero_extend(result - 1, bit);
                    sum = self.m.pool.bv_add(sum, bit);
                }
                if builtin == Builtin::Parity {
                    let one = self.m.pool.bv(result, 1);
                    sum = self.m.pool.bv_and(sum, one);
                }
                sum
            }
        })
    }

    fn bit_is_set(&mut self, operand: Term, bit: u32) -> Term {
        let bit = self.m.pool.extract(bit, bit, operand);
        let one = self.m.pool.bv(1, 1);
        self.m.pool.eq(bit, one)
    }

    /// The number of leading zeros; the width for 0.
    pub(super) fn leading_zeros(&mut self, operand: Term, result: u32) -> Term {
        let width = self.m.pool_width(operand);
        let mut zeros = self.m.pool.bv(result, u64::from(width));
        for bit in 0..width {
            let is_set = self.bit_is_set(operand, bit);
            let here = self.m.pool.bv(result, u64::from(width - 1 - bit));
            zeros = self.m.pool.ite(is_set, here, zeros);
        }
        zeros
    }

    /// The number of trailing zeros; the width for 0.
    pub(super) fn trailing_zeros(&mut self, operand: Term, result: u32) -> Term {
        let width = self.m.pool_width(operand);
        let mut zeros = self.m.pool.bv(result, u64::from(width));
        for bit in (0..width).rev() {
            let is_set = self.bit_is_set(operand, bit);
            let here = self.m.pool.bv(result, u64::from(bit));
            zeros = self.m.pool.ite(is_set, here, zeros);
        }
        zeros
    }

    fn float_builtin(&mut self, builtin: Builtin, arguments: &[ExprId], ty: TypeId) -> Option<Term> {
        let terms: Vec<Term> = arguments.iter().map(|&argument| self.scalar(argument)).collect();
        let &operand = arguments.last()?;
        let format = self.float_format(self.hir[operand].ty)?;
        let x = *terms.last()?;
        let width = self.width(ty);
        let pool = &mut *self.m.pool;
        let condition = match builtin {
            Builtin::FloatAbsolute => return Some(floats::absolute(pool, format, x)),
            Builtin::CopySign => return Some(floats::copy_sign(pool, format, terms[0], x)),
            Builtin::IsNan => floats::is_class(pool, format, x, Class::Nan),
            Builtin::IsInfinite => floats::is_class(pool, format, x, Class::Infinite),
            Builtin::IsFinite => floats::is_class(pool, format, x, Class::Finite),
            Builtin::IsNormal => floats::is_class(pool, format, x, Class::Normal),
            Builtin::SignBit => floats::is_negative(pool, format, x),
            Builtin::IsInfiniteSign => {
                let is_infinite = floats::is_class(pool, format, x, Class::Infinite);
                let is_negative = floats::is_negative(pool, format, x);
                let (one, minus, zero) = (pool.bv(width, 1), pool.bv_i64(width, -1), pool.bv(width, 0));
                let sign = pool.ite(is_negative, minus, one);
                return Some(pool.ite(is_infinite, sign, zero));
            }
            Builtin::Classify => {
                let classes = [Class::Nan, Class::Infinite, Class::Normal, Class::Subnormal, Class::Zero];
                let mut result = *terms.get(4)?;
                for (class, &term) in classes.into_iter().zip(&terms).take(4).rev() {
                    let is_in = floats::is_class(pool, format, x, class);
                    result = pool.ite(is_in, term, result);
                }
                return Some(result);
            }
            Builtin::FloatCompare(comparison) => {
                let a = *terms.first()?;
                let compare = |pool: &mut _, op| floats::compare(pool, format, op, a, x);
                match comparison {
                    FloatComparison::Greater => compare(pool, CompareOp::Gt),
                    FloatComparison::GreaterEqual => compare(pool, CompareOp::Ge),
                    FloatComparison::Less => compare(pool, CompareOp::Lt),
                    FloatComparison::LessEqual => compare(pool, CompareOp::Le),
                    FloatComparison::LessGreater => {
                        let less = compare(pool, CompareOp::Lt);
                        let greater = compare(pool, CompareOp::Gt);
                        pool.or2(less, greater)
                    }
                    FloatComparison::Unordered => floats::unordered(pool, format, a, x),
                }
            }
            _ => return None,
        };
        Some(self.flag(condition, width))
    }

    fn atomic(&mut self, op: AtomicOp, arguments: &[ExprId], ty: TypeId, span: Span) -> Value {
        let terms: Vec<Term> = arguments.iter().map(|&argument| self.scalar(argument)).collect();
        let width = self.width(ty);
        match op {
            AtomicOp::Fence => return Value::Void,
            AtomicOp::IsLockFree => return Value::Scalar(self.m.pool.bv(width, 1)),
            _ => {}
        }
        let pointee = arguments.first().and_then(|&pointer| self.hir.types.pointee(self.hir[pointer].ty));
        let Some(stored) = pointee.and_then(|pointee| match op {
            AtomicOp::TestAndSet | AtomicOp::Clear => Some(Type::unsigned(8)),
            _ => self.m.scalar_type(self.hir, pointee.ty),
        }) else {
            if let (Some(pointee), false) = (pointee, ty == TypeId::BOOL) {
                return self.atomic_copies(op, &terms, pointee.ty, span);
            }
            return self.unsupported_value("an atomic comparison of an aggregate", ty, span);
        };
        // Comparisons are of all bytes, of which some of a `long double` have no value.
        let has_padding = |ty: TypeId| {
            matches!(self.hir.types[ty], CType::Float(FloatKind::LongDouble | FloatKind::Float64x))
        };
        if op == AtomicOp::CompareExchangeFrom && pointee.is_some_and(|pointee| has_padding(pointee.ty)) {
            return self.unsupported_value("an atomic comparison of a long double", ty, span);
        }
        let at = terms[0];
        let operand = |this: &mut Self, index: usize| {
            let term = terms.get(index).copied().unwrap_or(at);
            this.fit(term, stored)
        };
        let through = |this: &mut Self, index: usize| {
            let address = terms.get(index).copied().unwrap_or(at);
            this.load_scalar(address, stored, span)
        };
        let put =
            |this: &mut Self, address: Term, term: Term| this.store_scalar(address, term, stored, span, None);
        let second = terms.get(1).copied().unwrap_or(at);
        let third = terms.get(2).copied().unwrap_or(at);
        let result = match op {
            AtomicOp::Load => self.load_scalar(at, stored, span),
            AtomicOp::LoadInto => {
                let old = self.load_scalar(at, stored, span);
                put(self, second, old);
                return Value::Void;
            }
            AtomicOp::Store => {
                let new = operand(self, 1);
                put(self, at, new);
                return Value::Void;
            }
            AtomicOp::StoreFrom => {
                let new = through(self, 1);
                put(self, at, new);
                return Value::Void;
            }
            AtomicOp::Exchange => {
                let new = operand(self, 1);
                let old = self.load_scalar(at, stored, span);
                put(self, at, new);
                old
            }
            AtomicOp::ExchangeInto => {
                let new = through(self, 1);
                let old = self.load_scalar(at, stored, span);
                put(self, third, old);
                put(self, at, new);
                return Value::Void;
            }
            AtomicOp::FetchThen(fetch) | AtomicOp::ThenFetch(fetch) => {
                let amount = operand(self, 1);
                let old = self.load_scalar(at, stored, span);
                let pool = &mut *self.m.pool;
                let new = match fetch {
                    FetchOp::Add => pool.bv_add(old, amount),
                    FetchOp::Sub => pool.bv_sub(old, amount),
                    FetchOp::And => pool.bv_and(old, amount),
                    FetchOp::Xor => pool.bv_xor(old, amount),
                    FetchOp::Or => pool.bv_or(old, amount),
                    FetchOp::Nand => {
                        let both = pool.bv_and(old, amount);
                        pool.bv_not(both)
                    }
                };
                put(self, at, new);
                if matches!(op, AtomicOp::FetchThen(_)) { old } else { new }
            }
            AtomicOp::CompareAndSwap
            | AtomicOp::CompareAndSwapValue
            | AtomicOp::CompareExchange
            | AtomicOp::CompareExchangeFrom => {
                let is_exchange = matches!(op, AtomicOp::CompareExchange | AtomicOp::CompareExchangeFrom);
                let expected = if is_exchange { through(self, 1) } else { operand(self, 1) };
                let desired =
                    if op == AtomicOp::CompareExchangeFrom { through(self, 2) } else { operand(self, 2) };
                let old = self.load_scalar(at, stored, span);
                let is_equal = self.m.pool.eq(old, expected);
                let new = self.m.pool.ite(is_equal, desired, old);
                put(self, at, new);
                if is_exchange {
                    // If they are equal, the store changes nothing.
                    put(self, second, old);
                }
                match op {
                    AtomicOp::CompareAndSwapValue => old,
                    _ => self.flag(is_equal, width),
                }
            }
            AtomicOp::TestAndSet => {
                let old = self.load_scalar(at, stored, span);
                let one = self.m.pool.bv(8, 1);
                put(self, at, one);
                let zero = self.m.pool.bv(8, 0);
                let was_set = self.m.pool.neq(old, zero);
                self.flag(was_set, width)
            }
            AtomicOp::Clear => {
                let zero = self.m.pool.bv(8, 0);
                put(self, at, zero);
                return Value::Void;
            }
            AtomicOp::Fence | AtomicOp::IsLockFree => return Value::Void,
        };
        Value::Scalar(self.resize(result, width, Signedness::Unsigned))
    }

    /// An atomic operation that copies aggregates of type `ty`.
    fn atomic_copies(&mut self, op: AtomicOp, terms: &[Term], ty: TypeId, span: Span) -> Value {
        let at = |this: &mut Self, address: Term| Location::at(this.pointer_base(address));
        let copy = |this: &mut Self, to: Term, from: Term| {
            let (to, from) = (at(this, to), at(this, from));
            let value = this.load(&from, ty, span);
            this.store(&to, ty, value, span, None);
        };
        match (op, terms) {
            (AtomicOp::LoadInto, &[object, result, ..]) => copy(self, result, object),
            (AtomicOp::StoreFrom, &[object, value, ..]) => copy(self, object, value),
            (AtomicOp::ExchangeInto, &[object, value, result, ..]) => {
                let value = at(self, value);
                let value = self.load(&value, ty, span);
                let new = self.copy_to_temporary(value, ty, span);
                copy(self, result, object);
                copy(self, object, new);
            }
            _ => self.unsupported("an atomic operation on an aggregate", span),
        }
        Value::Void
    }
}

/// Whether the result is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overflow {
    Store,
    Check,
}
