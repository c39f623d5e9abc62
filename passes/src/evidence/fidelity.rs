//! The operators whose infix notation C or ACSL reads like the formula.
//!
//! C computes in `int` or a wider type. A sum of narrower bit vectors therefore differs from its
//! text. Addresses count bytes, and a sum with a C pointer counts elements. A quotient with a
//! divisor of zero has a value in SMT-LIB, but not in C. A symbol that is not known to denote the
//! variable of its name has no C expression.

use super::infix::{Dialect, INT, Printer};
use super::loads::Load;
use num_bigint::BigInt;
use num_traits::{One, Signed};
use terms::{Op, Representation, Sort, Term};

impl Printer<'_> {
    /// Whether the dialect evaluates the printed operator of `term` like the formula, if it does so
    /// for the operands. `load` is the load that `term` is, if it is one.
    pub(super) fn is_faithful(&self, term: Term, load: Option<&Load>) -> bool {
        if let Some(load) = load {
            return match load {
                Load::Value { name, is_pointer, .. } => {
                    let is_number = *is_pointer || self.is_independent(self.pool.width(term));
                    is_number && self.is_visible(name.split(['.', '[']).next().unwrap_or_default())
                }
                // A byte may be one of a pointer.
                Load::Byte(object, _) => self.is_independent(u32::MAX) && self.is_visible(object),
                Load::Access { .. } => false,
            };
        }
        let pool = self.pool;
        let is_c = self.dialect == Dialect::C;
        let children = pool.children(term);
        match (pool.op(term), children) {
            (Op::True | Op::False | Op::IntConst(_) | Op::And | Op::Or, _) => true,
            // A negated comparison is printed as the opposite one.
            (Op::Not, &[inner]) => match (pool.op(inner), pool.children(inner)) {
                (Op::Eq, &[a, b]) => self.is_equation(a, b),
                (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, operands) => self.are_numbers(operands),
                _ => true,
            },
            (Op::Lt | Op::Le | Op::Add | Op::Sub | Op::Mul | Op::Neg, _) => true,
            (Op::BvConst(_), _) => self.is_literal(term),
            (Op::Symbol(_), _) => self.readings.faithful.contains(&term),
            // ACSL distinguishes predicates from Boolean terms.
            (Op::Xor, _) => is_c,
            (Op::Ite, &[_, then, _]) => is_c || pool.sort(then) != Sort::Bool,
            (Op::Eq, &[a, b]) => self.is_equation(a, b),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, operands) => self.are_numbers(operands),
            (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg, operands) => self.are_summands(term, operands),
            (Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor, operands) => {
                is_c && self.are_summands(term, operands)
            }
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, amount]) => {
                let amount = pool.as_bv_u64(amount);
                let is_inside = amount.is_some_and(|amount| amount < u64::from(pool.width(a)));
                is_c && is_inside && self.are_summands(term, &[a])
            }
            (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, &[a, divisor]) => {
                self.are_summands(term, children) && self.is_divisor(divisor) && !pool.is_constant(a)
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[inner]) => {
                is_width(pool.width(term)) && is_width(pool.width(inner)) && self.are_numbers(children)
            }
            (Op::Extract { low: 0, .. }, &[a]) if is_width(pool.width(term)) => {
                is_width(pool.width(a)) && self.are_numbers(children)
            }
            // Bits are printed by shifts and masks.
            (Op::Extract { .. }, &[a]) => {
                is_c && matches!(pool.width(a), INT | 64) && self.are_numbers(children)
            }
            _ => false,
        }
    }

    fn is_visible(&self, object: &str) -> bool {
        self.readings.objects.contains(object)
    }

    /// Whether integers of a width in memory are independent of the addresses of objects.
    fn is_independent(&self, width: u32) -> bool {
        self.readings.dependent_width.is_none_or(|dependent| width < dependent)
    }

    pub(super) fn is_pointer(&self, term: Term) -> bool {
        self.readings.pointers.contains(&term)
            || matches!(self.load(term), Some(Load::Value { is_pointer: true, .. }))
    }

    fn are_numbers(&self, operands: &[Term]) -> bool {
        operands.iter().all(|&operand| !self.is_pointer(operand))
    }

    /// Whether the constant is a decimal literal of C, of `int` or a wider signed type.
    fn is_literal(&self, constant: Term) -> bool {
        let bits = self.pool.as_bit_vector(constant).expect("a bit-vector constant");
        let (signed, natural) = (bits.to_signed(), BigInt::from(bits.to_natural()));
        let end = BigInt::one() << 63;
        self.pool.width(constant) < 64 || (natural < end || (signed.is_negative() && signed > -end))
    }

    fn is_equation(&self, a: Term, b: Term) -> bool {
        let pool = self.pool;
        let width = match pool.sort(a) {
            Sort::Bool => return self.dialect == Dialect::C,
            Sort::Int => return true,
            Sort::BitVec(width) => width,
            _ => return false,
        };
        // The test of a sign bit is printed as a comparison.
        let is_bit_of_pointer =
            |term| matches!(pool.op(term), Op::Extract { .. }) && !self.are_numbers(pool.children(term));
        if is_bit_of_pointer(a) || is_bit_of_pointer(b) {
            return false;
        }
        if self.is_pointer(a) || self.is_pointer(b) {
            let is_null = |term| pool.as_bv_u64(term) == Some(0);
            let are_pointers = self.is_pointer(a) && self.is_pointer(b);
            return are_pointers || (self.dialect == Dialect::C && (is_null(a) || is_null(b)));
        }
        let wanted = self.reading_of_both(a, b);
        let agrees = |term| self.reading(term).is_none_or(|reading| reading == wanted);
        self.dialect == Dialect::Acsl || width >= INT || (agrees(a) && agrees(b))
    }

    /// Whether C computes with the operands modulo the width of `term`: they have the width of
    /// `int` or `long`, and constants do not have a wider type.
    fn are_summands(&self, term: Term, operands: &[Term]) -> bool {
        let width = self.pool.width(term);
        let end = BigInt::one() << (width - 1);
        let is_small = |&operand: &Term| match self.pool.as_bit_vector(operand) {
            None => true,
            Some(bits) => match self.reading(term) {
                Some(Representation::Unsigned) if self.pool.op(term) != Op::BvAdd => {
                    BigInt::from(bits.to_natural()) < end
                }
                _ => bits.to_signed() != -&end,
            },
        };
        matches!(width, INT | 64) && self.are_numbers(operands) && operands.iter().all(is_small)
    }

    /// Whether C defines the quotient by this constant for every dividend.
    fn is_divisor(&self, divisor: Term) -> bool {
        self.pool.as_bit_vector(divisor).is_some_and(|bits| bits.to_signed().is_positive())
    }
}

/// Whether there is an integer type of this width.
fn is_width(width: u32) -> bool {
    matches!(width, 8 | 16 | INT | 64)
}

#[cfg(test)]
mod tests {
    use super::super::infix::{Fidelity, Printed, Readings, printed};
    use super::*;
    use terms::{Signedness, TermPool};

    /// Prints the formula that `make` builds over a signed `x`, an unsigned `n`, a signed character
    /// `c`, a `long` `l` and a pointer `p`; appends `?` if the text deviates.
    fn text(dialect: Dialect, make: fn(&mut TermPool, [Term; 5]) -> Term) -> String {
        let mut pool = TermPool::new();
        let mut readings = Readings::default();
        let variables = [
            ("x", 32, Signedness::Signed),
            ("n", 32, Signedness::Unsigned),
            ("c", 8, Signedness::Signed),
            ("l", 64, Signedness::Signed),
            ("p", 64, Signedness::Unsigned),
        ];
        let symbols = variables.map(|(name, width, signedness)| {
            let representation = match signedness {
                Signedness::Signed => Representation::Signed,
                Signedness::Unsigned => Representation::Unsigned,
            };
            let symbol = pool.symbol_with(name, Sort::BitVec(width), representation);
            readings.signs.insert(symbol, representation);
            readings.faithful.insert(symbol);
            symbol
        });
        readings.pointers.insert(symbols[4]);
        let formula = make(&mut pool, symbols);
        let Printed { text, fidelity } = printed(&pool, &readings, dialect, formula);
        if fidelity == Fidelity::Exact { text } else { format!("{text}?") }
    }

    #[test]
    fn sums_of_narrow_numbers_deviate_from_c() {
        let sum = |pool: &mut TermPool, [_, _, c, ..]: [Term; 5]| {
            let (one, five) = (pool.bv(8, 1), pool.bv(8, 5));
            let next = pool.bv_add(c, one);
            pool.bv_slt(next, five)
        };
        assert_eq!(text(Dialect::C, sum), "c + 1 < 5?");
        let bound = |pool: &mut TermPool, [_, _, c, ..]: [Term; 5]| {
            let limit = pool.bv(8, 200);
            pool.bv_ult(c, limit)
        };
        assert_eq!(text(Dialect::C, bound), "(unsigned char) c < 200");
    }

    #[test]
    fn casts_have_the_width_of_their_operand() {
        let bound = |pool: &mut TermPool, [.., l, _]: [Term; 5]| {
            let limit = pool.bv(64, 7);
            pool.bv_ult(l, limit)
        };
        assert_eq!(text(Dialect::C, bound), "(unsigned long long) l < 7");
    }

    #[test]
    fn pointers_are_only_compared_for_equality() {
        let order = |pool: &mut TermPool, [.., p]: [Term; 5]| {
            let limit = pool.bv(64, 92);
            let below = pool.bv_slt(p, limit);
            pool.not(below)
        };
        assert!(text(Dialect::C, order).ends_with('?'));
        let null = |pool: &mut TermPool, [.., p]: [Term; 5]| {
            let zero = pool.bv(64, 0);
            pool.neq(p, zero)
        };
        assert_eq!(text(Dialect::C, null), "p != 0");
        assert!(text(Dialect::Acsl, null).ends_with('?'));
    }

    #[test]
    fn acsl_reduces_sums_and_casts_the_other_signedness() {
        let sum = |pool: &mut TermPool, [x, n, ..]: [Term; 5]| {
            let (two, one) = (pool.bv(32, 2), pool.bv(32, 1));
            let twice = pool.bv_mul(two, x);
            let next = pool.bv_add(twice, one);
            pool.bv_ule(next, n)
        };
        assert_eq!(text(Dialect::Acsl, sum), "(unsigned) (int) (x * 2 + 1) <= n");
        assert_eq!(text(Dialect::C, sum), "x * 2 + 1 <= n");
    }

    #[test]
    fn quotients_by_a_variable_deviate() {
        let quotient = |pool: &mut TermPool, [_, n, ..]: [Term; 5]| {
            let ten = pool.bv(32, 10);
            let quotient = pool.bv_udiv(ten, n);
            pool.eq(quotient, n)
        };
        assert!(text(Dialect::C, quotient).ends_with('?'));
    }
}
