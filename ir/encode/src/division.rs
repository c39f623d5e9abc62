//! Division and remainder.
//!
//! SMT-LIB's `div` by a positive constant rounds down, which is unsigned division for unsigned
//! numbers. C's signed division truncates, so it is computed on magnitudes and the sign is
//! restored. Both are exact. For a variable divisor, quotient and remainder are uninterpreted
//! functions with bounds and signs as axioms. Division by zero follows SMT-LIB's bit vectors: the
//! quotient is all ones (signed: 1 for negative dividends), the remainder is the dividend.

use super::number::{Number, base, integer, scale};
use super::{ApproximationKind, EncodeError, Encoder};
use terms::{Op, Representation, Sort, Term, TermPool};

impl Encoder {
    pub(super) fn division(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        width: u32,
    ) -> Result<Number, EncodeError> {
        let op = pool.op(term);
        let (a, b) = (pool.children(term)[0], pool.children(term)[1]);
        let representation = match op {
            Op::BvUdiv | Op::BvUrem => Representation::Unsigned,
            _ => Representation::Signed,
        };
        let (a, b) = (self.number(pool, a)?, self.number(pool, b)?);
        let a = self.normalize(pool, a, width, representation);
        let b = self.normalize(pool, b, width, representation);
        Ok(match (b.constant(), op) {
            (Some(0), _) => self.by_zero(pool, op, a, width),
            (Some(divisor), Op::BvUdiv) => self.floor_divide(pool, a, divisor),
            (Some(divisor), Op::BvUrem) => self.remainder(pool, a, divisor),
            (Some(divisor), Op::BvSdiv) => {
                let quotient = self.truncated(pool, a, divisor.abs());
                self.multiple(pool, divisor.signum(), quotient)
            }
            (Some(divisor), _) => self.signed_remainder(pool, a, divisor.abs()),
            (None, _) => self.by_variable(pool, term, op, a, b, width),
        })
    }

    fn by_zero(&mut self, pool: &mut TermPool, op: Op, a: Number, width: u32) -> Number {
        match op {
            Op::BvUrem | Op::BvSrem => a,
            Op::BvUdiv => self.constant(pool, (1i128 << width) - 1),
            _ => {
                let zero = pool.int(0);
                let is_negative = pool.lt(a.term, zero);
                let (one, minus_one) = (self.constant(pool, 1), self.constant(pool, -1));
                self.choose(pool, is_negative, one, minus_one, width)
            }
        }
    }

    /// `a / divisor`, truncated towards zero, for a positive divisor.
    fn truncated(&mut self, pool: &mut TermPool, a: Number, divisor: i128) -> Number {
        if a.low >= 0 {
            return self.floor_divide(pool, a, divisor);
        }
        let negative = self.multiple(pool, -1, a);
        let down = self.floor_divide(pool, a, divisor);
        let up = self.floor_divide(pool, negative, divisor);
        let up = self.multiple(pool, -1, up);
        self.by_sign(pool, a, down, up)
    }

    /// C's remainder for a positive divisor: it has the sign of `a`.
    fn signed_remainder(&mut self, pool: &mut TermPool, a: Number, divisor: i128) -> Number {
        if a.low >= 0 {
            return self.remainder(pool, a, divisor);
        }
        let negative = self.multiple(pool, -1, a);
        let positive_rest = self.remainder(pool, a, divisor);
        let negative_rest = self.remainder(pool, negative, divisor);
        let negative_rest = self.multiple(pool, -1, negative_rest);
        self.by_sign(pool, a, positive_rest, negative_rest)
    }

    /// `positive` if `a` is at least 0, else `negative`.
    fn by_sign(&mut self, pool: &mut TermPool, a: Number, positive: Number, negative: Number) -> Number {
        let zero = pool.int(0);
        let is_positive = pool.le(zero, a.term);
        let term = pool.ite(is_positive, positive.term, negative.term);
        let (low, high) = match (positive.is_unknown(), negative.is_unknown()) {
            (false, false) => (positive.low.min(negative.low), positive.high.max(negative.high)),
            _ => super::number::UNKNOWN,
        };
        Number { term, low, high, hint: Some(Representation::Signed) }
    }

    fn by_variable(
        &mut self,
        pool: &mut TermPool,
        source: Term,
        op: Op,
        a: Number,
        b: Number,
        width: u32,
    ) -> Number {
        self.approximate(source, ApproximationKind::Division);
        let (name, representation, is_quotient) = match op {
            Op::BvUdiv => ("udiv", Representation::Unsigned, true),
            Op::BvUrem => ("urem", Representation::Unsigned, false),
            Op::BvSdiv => ("sdiv", Representation::Signed, true),
            _ => ("srem", Representation::Signed, false),
        };
        let function =
            pool.function_symbol(&format!("int.{name}{width}"), &[Sort::Int, Sort::Int], Sort::Int);
        let term = pool.apply(function, &[a.term, b.term]);
        let low = base(width, representation);
        let result = self.in_range(term, width, representation);
        self.constrain_range(pool, &result);
        let zero = pool.int(0);
        let is_zero = pool.eq(b.term, zero);
        let at_zero = self.by_zero(pool, op, a, width);
        let at_zero = self.normalize(pool, at_zero, width, representation);
        let at_zero = pool.eq(term, at_zero.term);
        let axiom = pool.implies(is_zero, at_zero);
        self.constrain(pool, axiom);
        for factor in [1, -1] {
            // The quotient of the least number and -1 wraps around.
            if factor < b.low || b.high < factor || (factor < 0 && a.low <= low) {
                continue;
            }
            let constant = integer(pool, factor);
            let is_factor = pool.eq(b.term, constant);
            let value = if is_quotient { scale(pool, factor, a.term) } else { zero };
            let equals = pool.eq(term, value);
            let axiom = pool.implies(is_factor, equals);
            self.constrain(pool, axiom);
        }
        for (a_sign, b_sign) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let may_have = |number: &Number, sign| if sign > 0 { number.high >= 0 } else { number.low < 0 };
            if !may_have(&a, a_sign) || !may_have(&b, b_sign) {
                continue;
            }
            let axiom = division_axiom(pool, (a.term, a_sign), (b.term, b_sign), term, is_quotient);
            self.constrain(pool, axiom);
        }
        result
    }
}

/// The axiom for the quotient or remainder `result` if `a` and `b` have these signs (0 counts as
/// positive for `a`). With the magnitudes `x = |a|` and `y = |b| > 0`: the magnitude of the
/// quotient is in `0..=x`, in `0..=x/2` if `y ≥ 2`, 0 if `x < y`, 1 if `y ≤ x < 2y`; that of the
/// remainder is in `0..y`, `x` if `x < y`, `x - y` if `y ≤ x < 2y`.
fn division_axiom(
    pool: &mut TermPool,
    (a, a_sign): (Term, i128),
    (b, b_sign): (Term, i128),
    result: Term,
    is_quotient: bool,
) -> Term {
    let zero = pool.int(0);
    let (x, y) = (scale(pool, a_sign, a), scale(pool, b_sign, b));
    let sign = if is_quotient { a_sign * b_sign } else { a_sign };
    let has_a_sign = if a_sign > 0 { pool.le(zero, x) } else { pool.lt(zero, x) };
    let has_b_sign = pool.lt(zero, y);
    let is_smaller = pool.lt(x, y);
    let twice = scale(pool, 2, y);
    let once = [pool.le(y, x), pool.lt(x, twice)];
    let is_once = pool.and(&once);
    let size = scale(pool, sign, result);
    // The quotient of the least number and -1 wraps around to the least number, so the bounds on
    // its magnitude do not hold.
    let wraps = is_quotient && a_sign < 0 && b_sign < 0;
    let mut facts = Vec::new();
    if !wraps {
        facts.push(pool.le(zero, size));
        facts.push(pool.le(size, x));
    }
    if is_quotient {
        let is_zero = pool.eq(result, zero);
        facts.push(pool.implies(is_smaller, is_zero));
        let one = integer(pool, sign);
        let is_one = pool.eq(result, one);
        let (two, double) = (pool.int(2), scale(pool, 2, size));
        let is_large = pool.le(two, y);
        let is_once = if wraps { pool.and2(is_large, is_once) } else { is_once };
        facts.push(pool.implies(is_once, is_one));
        let is_half = pool.le(double, x);
        facts.push(pool.implies(is_large, is_half));
    } else {
        facts.push(pool.lt(size, y));
        let is_dividend = pool.eq(result, a);
        facts.push(pool.implies(is_smaller, is_dividend));
        let rest = pool.sub(x, y);
        let is_rest = pool.eq(size, rest);
        facts.push(pool.implies(is_once, is_rest));
    }
    let facts = pool.and(&facts);
    let signs = pool.and2(has_a_sign, has_b_sign);
    pool.implies(signs, facts)
}
