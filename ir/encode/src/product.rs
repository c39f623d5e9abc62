//! Products.
//!
//! A product with a constant is linear, and a product with a factor of few values is a case
//! distinction over such products. Any other product is the uninterpreted function `int.mul`,
//! shared by all widths, applied to the factors as signed numbers in order. Its axioms, for
//! `p = x * y`:
//! * `p = 0`, `y`, `-y` if `x = 0`, `1`, `-1`, and vice versa;
//! * the sign of `p`, and `|p| ≥ |x| + |y| - 1`, if both factors are nonzero;
//! * `p ≥ 2|x| - 1` for a square;
//! * if both intervals are small, the four planes through the corners (McCormick, *Computability of
//!   Global Solutions to Factorable Nonconvex Programs*, Mathematical Programming 10, 1976);
//! * the interval of the product.

use super::number::{Number, add_constant, integer, product, scale};
use super::{ApproximationKind, Encoder};
use terms::{Representation, Sort, Term, TermPool};

/// The greatest number of values of a factor that is expanded into cases.
pub(super) const FEW_VALUES: i128 = 4;

/// The greatest number of values of a factor for which planes are added; their coefficients have
/// the size of the interval.
const MOST_BOUNDED: i128 = 1 << 16;

impl Encoder {
    /// A product.
    pub(super) fn times(
        &mut self,
        pool: &mut TermPool,
        source: Term,
        a: Number,
        b: Number,
        width: u32,
    ) -> Number {
        if let Some(factor) = a.constant() {
            return self.multiple(pool, factor, b);
        }
        if let Some(factor) = b.constant() {
            return self.multiple(pool, factor, a);
        }
        let a = self.normalize(pool, a, width, Representation::Signed);
        let b = self.normalize(pool, b, width, Representation::Signed);
        let (low, high) = product(&a, &b);
        let hint = a.hint.or(b.hint);
        for (few, other) in [(a, b), (b, a)] {
            if few.count() <= FEW_VALUES {
                let mut term = scale(pool, few.high, other.term);
                for value in (few.low..few.high).rev() {
                    let value_term = integer(pool, value);
                    let is_value = pool.eq(few.term, value_term);
                    let multiple = scale(pool, value, other.term);
                    term = pool.ite(is_value, multiple, term);
                }
                return Number { term, low, high, hint };
            }
        }
        self.approximate(source, ApproximationKind::Multiplication);
        let (x, y) = if a.term <= b.term { (a, b) } else { (b, a) };
        let function = pool.function_symbol("int.mul", &[Sort::Int, Sort::Int], Sort::Int);
        let term = pool.apply(function, &[x.term, y.term]);
        let result = Number { term, low, high, hint };
        self.constrain_range(pool, &result);
        self.product_axioms(pool, x, y, term);
        result
    }

    /// The axioms for `p = x * y`.
    fn product_axioms(&mut self, pool: &mut TermPool, x: Number, y: Number, p: Term) {
        for (a, b) in [(x, y), (y, x)] {
            for factor in [0, 1, -1] {
                if a.low <= factor && factor <= a.high {
                    let constant = integer(pool, factor);
                    let is_factor = pool.eq(a.term, constant);
                    let multiple = if factor == 0 { constant } else { scale(pool, factor, b.term) };
                    let equals = pool.eq(p, multiple);
                    let axiom = pool.implies(is_factor, equals);
                    self.constrain(pool, axiom);
                }
            }
        }
        if x.term == y.term {
            // (|x| - 1)² ≥ 0, also if x is 0.
            for sign in [2, -2] {
                let double = scale(pool, sign, x.term);
                let tangent = add_constant(pool, double, -1);
                let axiom = pool.le(tangent, p);
                self.constrain(pool, axiom);
            }
        }
        self.envelope(pool, x, y, p);
        for (x_sign, y_sign) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let may_have = |number: &Number, sign| if sign > 0 { number.high > 0 } else { number.low < 0 };
            if !may_have(&x, x_sign) || !may_have(&y, y_sign) {
                continue;
            }
            let (x_size, y_size) = (scale(pool, x_sign, x.term), scale(pool, y_sign, y.term));
            let size = scale(pool, x_sign * y_sign, p);
            let zero = pool.int(0);
            let signs = [pool.lt(zero, x_size), pool.lt(zero, y_size)];
            let signs = pool.and(&signs);
            // (|x| - 1) (|y| - 1) ≥ 0.
            let sum = pool.add(&[x_size, y_size]);
            let least = add_constant(pool, sum, -1);
            let bound = pool.le(least, size);
            let axiom = pool.implies(signs, bound);
            self.constrain(pool, axiom);
        }
    }

    /// McCormick's envelope: `(x - a)(y - b)` has a known sign if `a` and `b` are bounds of `x` and
    /// `y`.
    fn envelope(&mut self, pool: &mut TermPool, x: Number, y: Number, p: Term) {
        if x.count() > MOST_BOUNDED || y.count() > MOST_BOUNDED {
            return;
        }
        for (a, b, is_positive) in
            [(x.low, y.low, true), (x.high, y.high, true), (x.low, y.high, false), (x.high, y.low, false)]
        {
            let Some(corner) = a.checked_mul(b) else { continue };
            let multiples = [scale(pool, a, y.term), scale(pool, b, x.term)];
            let sum = pool.add(&multiples);
            let plane = add_constant(pool, sum, -corner);
            let axiom = if is_positive { pool.le(plane, p) } else { pool.le(p, plane) };
            self.constrain(pool, axiom);
        }
    }
}
