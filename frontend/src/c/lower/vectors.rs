//! Vectors: bit patterns with the first element in the lowest bits, as in memory.
//!
//! A vector is a scalar of its size, so variables, memory, parameters, results and unions need no
//! special case. An operator extracts the elements, computes each with the scalar operator of the
//! element type (without promotion), and joins the results. Extractions from joined results cancel
//! between consecutive operations.
//!
//! An element at a constant index is a part of the variable; other indices use addresses, see the
//! type checker.
//!
//! *Checks.* Signed overflow, division by zero and shift amounts are checked in each element. The
//! overflow of unsigned elements is not, because intrinsics rely on it.
//!
//! *Floats.* The treatment of NaN patterns in [`floats`] applies to elements as well.

use super::floats;
use super::function::{Lowering, Part};
use super::places::{LeafValue, Location, Value};
use crate::c::hir::{BinaryOp, CompareOp, Direction, ExprId, Scale, UnaryOp};
use crate::c::types::{Type as CType, TypeId};
use grammars::source::Span;
use std::rc::Rc;
use terms::Term;

impl Lowering<'_, '_, '_> {
    /// The element type and number of elements of a vector type.
    pub(super) fn vector(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match self.hir.types[ty] {
            CType::Vector(element, lanes) => Some((element, lanes)),
            _ => None,
        }
    }

    /// The elements of a vector, of `width` bits each.
    pub(super) fn elements(&mut self, vector: Term, width: u32) -> Vec<Term> {
        let lanes = self.m.pool_width(vector) / width;
        (0..lanes).map(|lane| self.m.pool.extract(width * (lane + 1) - 1, width * lane, vector)).collect()
    }

    /// The vector of these elements.
    pub(super) fn join(&mut self, elements: &[Term]) -> Term {
        let (&last, rest) = elements.split_last().expect("a vector has an element");
        rest.iter().rev().fold(last, |upper, &lower| self.m.pool.concat(upper, lower))
    }

    /// `lhs op rhs`, the expression `id`, on vectors or on a vector and a common shift amount, with
    /// the values `a` and `b`.
    pub(super) fn vector_binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        a: Term,
        b: Term,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Value {
        let (ty, span) = (self.hir[id].ty, self.hir[id].span);
        let (Some((element, _)), rhs_ty) = (self.vector(self.hir[lhs].ty), self.hir[rhs].ty) else {
            return self.unsupported_value("an operation on this vector type", ty, span);
        };
        let width = self.width(element);
        let amount = self.vector(rhs_ty);
        let (xs, ys) = (self.elements(a, width), amount.map(|_| self.elements(b, width)));
        let right = amount.map_or(rhs_ty, |(element, _)| element);
        let mut results = Vec::with_capacity(xs.len());
        for (lane, &x) in xs.iter().enumerate() {
            let y = ys.as_ref().map_or(b, |ys| ys[lane]);
            self.check_element(id, op, x, y, element);
            match self.binary(op, x, y, element, right, span) {
                Value::Scalar(term) => results.push(term),
                _ => return self.unsupported_value("an operation on this vector type", ty, span),
            }
        }
        Value::Scalar(self.join(&results))
    }

    /// `-` or `~` of a vector, the expression `id`.
    pub(super) fn vector_unary(&mut self, id: ExprId, op: UnaryOp, term: Term, element: TypeId) -> Value {
        let (width, format) = (self.width(element), self.float_format(element));
        let mut results = Vec::new();
        for x in self.elements(term, width) {
            self.check_negated_element(id, op, x, element);
            results.push(match (op, format) {
                (UnaryOp::Negate, Some(format)) => floats::negate(self.m.pool, format, x),
                (UnaryOp::Negate, None) => self.m.pool.bv_neg(x),
                (UnaryOp::Complement, None) => self.m.pool.bv_not(x),
                _ => {
                    let (ty, span) = (self.hir[id].ty, self.hir[id].span);
                    return self.unsupported_value("an operation on this vector type", ty, span);
                }
            });
        }
        Value::Scalar(self.join(&results))
    }

    /// A comparison of vectors with elements of type `element`: all ones where it holds, else zero.
    pub(super) fn vector_compare(&mut self, op: CompareOp, a: Term, b: Term, element: TypeId) -> Term {
        let width = self.width(element);
        let (xs, ys) = (self.elements(a, width), self.elements(b, width));
        let results: Vec<Term> = xs
            .into_iter()
            .zip(ys)
            .map(|(x, y)| {
                let condition = self.compare(op, x, y, element);
                self.all_ones(condition, width)
            })
            .collect();
        self.join(&results)
    }

    /// All ones where the condition holds, else zero.
    pub(super) fn all_ones(&mut self, condition: Term, width: u32) -> Term {
        let zero = self.m.pool.bv(width, 0);
        let ones = self.m.pool.bv_not(zero);
        self.m.pool.ite(condition, ones, zero)
    }

    /// An element of a vector that is not in memory.
    pub(super) fn element_location(
        &mut self,
        location: Location,
        vector: TypeId,
        index: Term,
        scale: Scale,
        span: Span,
    ) -> Location {
        let size = self.hir.types.size(vector).unwrap_or(0);
        let step = match scale {
            Scale::Constant(scale) => scale,
            Scale::Variable(_) => 0,
        };
        let distance = self.m.pool.as_bv_u64(index).and_then(|index| index.checked_mul(step));
        match (location, distance.filter(|&distance| distance < size)) {
            (Location::Parts { parts, offset }, Some(distance)) => {
                Location::Parts { parts, offset: offset + distance }
            }
            (Location::Leaves { leaves, offset }, Some(distance)) => {
                Location::Leaves { leaves, offset: offset + distance }
            }
            (location @ Location::Leaves { .. }, None) => {
                let value = self.load(&location, vector, span);
                let address = self.copy_to_temporary(value, vector, span);
                let location = Location::at(self.object_base(address, size));
                self.offset_location(location, Direction::Forward, index, scale)
            }
            _ => {
                self.unsupported("an element of this vector at a variable index", span);
                self.nowhere()
            }
        }
    }

    /// The location of a vector value.
    pub(super) fn vector_value_location(&self, term: Term, ty: TypeId) -> Location {
        Location::Leaves { leaves: Rc::from([LeafValue { offset: 0, ty, term }]), offset: 0 }
    }

    /// Whether an offset is the start of a scalar, or lies within a vector.
    pub(super) fn reaches(&self, start: u64, ty: TypeId, offset: u64) -> bool {
        start == offset
            || (self.vector(ty).is_some()
                && start < offset
                && offset - start < self.hir.types.size(ty).unwrap_or(0))
    }

    /// The `width` bits from a byte of a scalar on: the whole scalar, or an element of a vector.
    pub(super) fn part_of(&mut self, whole: Term, byte: u64, width: u32) -> Term {
        let low = u32::try_from(byte * 8).unwrap_or(u32::MAX);
        match self.m.pool_width(whole) {
            whole_width if low.saturating_add(width) <= whole_width => {
                self.bits_of(whole, low + width - 1, low)
            }
            _ => whole,
        }
    }

    /// Assigns the element at a byte offset of a variable of vector type.
    pub(super) fn assign_element(&mut self, part: Part, byte: u64, term: Term, span: Span) {
        if !self.is_surely_defined(part.variable) {
            let construct = "an assignment to an element of an uninitialized vector, where reads are checked";
            self.unsupported(construct, span);
            return;
        }
        let whole = self.read(part.variable);
        let (size, width) = (self.m.pool_width(whole), self.m.pool_width(term));
        let low = u32::try_from(byte * 8).unwrap_or(u32::MAX);
        let mut result = term;
        if low > 0 {
            let lower = self.bits_of(whole, low - 1, 0);
            result = self.m.pool.concat(result, lower);
        }
        if low + width < size {
            let upper = self.bits_of(whole, size - 1, low + width);
            result = self.m.pool.concat(upper, result);
        }
        self.assign(part.variable, result, span);
    }
}
