//! Shifts.
//!
//! A shift by a constant is a product or a quotient rounded down. A shift by an amount of few
//! values, or of a constant, is a case distinction over such shifts. Any other shift is an
//! uninterpreted function for its width, with these axioms: the range; a shift by 0 has no effect;
//! a shift by at least the width shifts everything out; a right shift keeps the sign and moves
//! towards zero, by at least half of the distance unless the amount is 0.

use super::number::{Number, add_constant, integer, scale};
use super::product::FEW_VALUES;
use super::{ApproximationKind, EncodeError, Encoder};
use terms::{Op, Representation, Sort, Term, TermPool};

impl Encoder {
    pub(super) fn shift(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        width: u32,
    ) -> Result<Number, EncodeError> {
        let op = pool.op(term);
        let (value, amount) = (pool.children(term)[0], pool.children(term)[1]);
        let (value, amount) = (self.number(pool, value)?, self.number(pool, amount)?);
        let amount = self.normalize(pool, amount, width, Representation::Unsigned);
        let value = match op {
            Op::BvShl => value,
            Op::BvLshr => self.normalize(pool, value, width, Representation::Unsigned),
            _ => self.normalize(pool, value, width, Representation::Signed),
        };
        let bits = i128::from(width);
        if let Some(amount) = amount.constant() {
            return Ok(self.shift_by(pool, op, value, amount, width));
        }
        let (first, last) = (amount.low.clamp(0, bits), amount.high.clamp(0, bits));
        if last - first < 2 * FEW_VALUES || value.constant().is_some() {
            let mut result = self.shift_by(pool, op, value, last, width);
            for candidate in (first..last).rev() {
                let constant = integer(pool, candidate);
                let is_candidate = pool.eq(amount.term, constant);
                let shifted = self.shift_by(pool, op, value, candidate, width);
                let shifted = self.settle(pool, shifted, width);
                result = self.choose(pool, is_candidate, shifted, result, width);
                result = self.settle(pool, result, width);
            }
            return Ok(result);
        }
        self.approximate(term, ApproximationKind::Shift);
        let (name, representation) = match op {
            Op::BvShl => ("shl", Representation::Unsigned),
            Op::BvLshr => ("lshr", Representation::Unsigned),
            _ => ("ashr", Representation::Signed),
        };
        let value = self.normalize(pool, value, width, representation);
        let function =
            pool.function_symbol(&format!("int.{name}{width}"), &[Sort::Int, Sort::Int], Sort::Int);
        let result_term = pool.apply(function, &[value.term, amount.term]);
        let mut result = self.in_range(result_term, width, representation);
        if op != Op::BvShl && !value.is_unknown() {
            result.low = value.low.min(0);
            result.high = value.high.max(0);
        }
        self.constrain_range(pool, &result);
        let zero = pool.int(0);
        let is_zero = pool.eq(amount.term, zero);
        let same = pool.eq(result_term, value.term);
        let neutral = pool.implies(is_zero, same);
        self.constrain(pool, neutral);
        self.shift_axioms(pool, op, value, amount, result_term, width);
        Ok(result)
    }

    fn shift_axioms(
        &mut self,
        pool: &mut TermPool,
        op: Op,
        value: Number,
        amount: Number,
        result: Term,
        width: u32,
    ) {
        let (zero, one) = (pool.int(0), pool.int(1));
        let all = integer(pool, i128::from(width));
        let is_all = pool.le(all, amount.term);
        if op == Op::BvShl {
            let is_zero = pool.eq(value.term, zero);
            let nothing_left = pool.or2(is_zero, is_all);
            let is_zero = pool.eq(result, zero);
            let axiom = pool.implies(nothing_left, is_zero);
            self.constrain(pool, axiom);
            return;
        }
        let is_positive = pool.le(zero, value.term);
        let is_shifted = pool.le(one, amount.term);
        let double = scale(pool, 2, result);
        // Moves towards zero; an arithmetic shift of a negative number stays negative.
        let bounds = [pool.le(zero, result), pool.le(result, value.term)];
        let is_half = pool.le(double, value.term);
        let is_zero = pool.eq(result, zero);
        let facts = [bounds[0], bounds[1], pool.implies(is_shifted, is_half), pool.implies(is_all, is_zero)];
        let facts = pool.and(&facts);
        let axiom = pool.implies(is_positive, facts);
        self.constrain(pool, axiom);
        if value.low < 0 {
            let is_negative = pool.lt(value.term, zero);
            let below = add_constant(pool, value.term, -1);
            let is_half = pool.le(below, double);
            let minus_one = pool.int(-1);
            let is_minus_one = pool.eq(result, minus_one);
            let facts = [
                pool.lt(result, zero),
                pool.le(value.term, result),
                pool.implies(is_shifted, is_half),
                pool.implies(is_all, is_minus_one),
            ];
            let facts = pool.and(&facts);
            let axiom = pool.implies(is_negative, facts);
            self.constrain(pool, axiom);
        }
    }

    /// A shift by a constant; `value` is normalized for right shifts.
    fn shift_by(&mut self, pool: &mut TermPool, op: Op, value: Number, amount: i128, width: u32) -> Number {
        let is_beyond = !(0..i128::from(width)).contains(&amount);
        match (op, is_beyond) {
            (Op::BvShl, false) => self.multiple(pool, 1i128 << amount, value),
            (Op::BvLshr | Op::BvAshr, false) => self.floor_divide(pool, value, 1i128 << amount),
            (Op::BvAshr, true) => self.floor_divide(pool, value, 1i128 << (width - 1)),
            _ => self.constant(pool, 0),
        }
    }
}
