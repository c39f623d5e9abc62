//! Bit vectors.
//!
//! Operators without a counterpart in the pool are expanded according to their definitions in
//! SMT-LIB.

use super::apply::Application;
use super::theory::{Operator, Order, Overflow, Signedness};
use super::{limits, literal};
use grammars::source::Diagnostic;
use num_bigint::BigInt;
use num_traits::One;
use terms::{BitVector, Op, Sort, Term, TermPool, print};

type Result<T> = std::result::Result<T, Diagnostic>;

impl Application<'_> {
    /// The width of an argument, which must be a bit vector.
    pub(super) fn width(&self, pool: &TermPool, terms: &[Term], place: usize) -> Result<u32> {
        match pool.sort(terms[place]) {
            Sort::BitVec(width) => Ok(width),
            sort => {
                let found = print::sort(pool, sort);
                let message = format!(
                    "argument {} of `{}` should be a bit vector but is of sort {found}",
                    place + 1,
                    self.name()
                );
                Err(Diagnostic::error(self.place(place), message))
            }
        }
    }

    /// The common width of all arguments.
    fn common_width(&self, pool: &TermPool, terms: &[Term]) -> Result<u32> {
        let width = self.width(pool, terms, 0)?;
        for place in 1..terms.len() {
            if self.width(pool, terms, place)? != width {
                return Err(self
                    .mismatch(pool, terms[place], place, &format!("(_ BitVec {width})"))
                    .with_secondary(self.place(0), format!("as this one has {width} bits")));
            }
        }
        Ok(width)
    }

    /// Checks the width of a result.
    fn result_width(&self, width: u64) -> Result<u32> {
        match u32::try_from(width) {
            Ok(width) if width <= limits::BIT_VECTOR_WIDTH => Ok(width),
            _ => Err(literal::too_wide(self.span(), &width.to_string())),
        }
    }

    pub(super) fn bit_vector(
        &self,
        pool: &mut TermPool,
        operator: Operator,
        terms: &mut [Term],
    ) -> Result<Term> {
        use Operator as O;
        match operator {
            O::BvConstant(name, width) => {
                if !terms.is_empty() {
                    return Err(self.error("takes no arguments"));
                }
                let digits = &self.cx.names.text(name)["bv".len()..];
                let value = literal::natural(digits, self.span())?;
                if value.bits() > u64::from(width) {
                    return Err(self.error(format_args!("does not fit into {width} bits")));
                }
                return Ok(pool.bit_vector(&BitVector::from_natural(width, value)));
            }
            O::BvUnary(_)
            | O::Extract(..)
            | O::Repeat(_)
            | O::ZeroExtend(_)
            | O::SignExtend(_)
            | O::RotateLeft(_)
            | O::RotateRight(_)
            | O::Reduce(_)
            | O::BvToInt(_)
            | O::IntToBv(_)
            | O::Overflow(Overflow::Negate) => self.arity(1)?,
            O::BvLeft(_) | O::Concat => self.at_least(2)?,
            _ => self.arity(2)?,
        }
        match operator {
            O::IntToBv(width) => return self.int_to_bv(pool, terms, width),
            O::Concat => {
                let mut width = 0;
                for place in 0..terms.len() {
                    width += u64::from(self.width(pool, terms, place)?);
                }
                self.result_width(width)?;
                return Ok(terms[1..].iter().fold(terms[0], |high, &low| pool.concat(high, low)));
            }
            _ => {}
        }
        let width = self.common_width(pool, terms)?;
        let a = terms[0];
        let b = terms.get(1).copied().unwrap_or(a);
        Ok(match operator {
            O::BvUnary(Op::BvNot) => pool.bv_not(a),
            O::BvUnary(_) => pool.bv_neg(a),
            O::BvLeft(op) => terms[1..].iter().fold(a, |left, &right| binary(pool, op, left, right)),
            O::BvBinary(op) => binary(pool, op, a, b),
            O::BvNegated(op) => {
                let result = binary(pool, op, a, b);
                pool.bv_not(result)
            }
            O::BvCompare(op, order) => {
                let (a, b) = if order == Order::Kept { (a, b) } else { (b, a) };
                match op {
                    Op::BvUlt => pool.bv_ult(a, b),
                    Op::BvUle => pool.bv_ule(a, b),
                    Op::BvSlt => pool.bv_slt(a, b),
                    _ => pool.bv_sle(a, b),
                }
            }
            O::BvComp => {
                let equal = pool.eq(a, b);
                bit(pool, equal)
            }
            O::BvSmod => smod(pool, a, b),
            O::Extract(high, low) => {
                if high < low || high >= width {
                    return Err(self
                        .error(format_args!("does not fit a bit vector of {width} bits"))
                        .with_help(
                            "the indices are the positions of the highest and the lowest bit, counted from 0",
                        ));
                }
                pool.extract(high, low, a)
            }
            O::Repeat(0) => return Err(self.error("yields a bit vector of width 0")),
            O::Repeat(count) => {
                self.result_width(u64::from(width) * u64::from(count))?;
                repeat(pool, a, count)
            }
            O::ZeroExtend(bits) | O::SignExtend(bits) => {
                self.result_width(u64::from(width) + u64::from(bits))?;
                match operator {
                    O::ZeroExtend(_) => pool.zero_extend(bits, a),
                    _ => pool.sign_extend(bits, a),
                }
            }
            O::RotateLeft(distance) => rotate_left(pool, a, width, distance % width),
            O::RotateRight(distance) => rotate_left(pool, a, width, (width - distance % width) % width),
            O::Reduce(op) => {
                let wanted = if op == Op::BvAnd { BitVector::ones(width) } else { BitVector::new(width, 0) };
                let wanted = pool.bit_vector(&wanted);
                let equal = pool.eq(a, wanted);
                let holds = if op == Op::BvAnd { equal } else { pool.not(equal) };
                bit(pool, holds)
            }
            O::Overflow(overflow) => self.overflow(pool, overflow, a, b, width)?,
            O::BvToInt(signedness) => self.bv_to_int(pool, a, width, signedness)?,
            operator => unreachable!("{operator:?} is not a bit-vector operator"),
        })
    }

    /// `Σ 2^i · ite(bit i, 1, 0)`; for signed numbers the highest bit counts negatively.
    fn bv_to_int(&self, pool: &mut TermPool, a: Term, width: u32, signedness: Signedness) -> Result<Term> {
        if let Some(value) = pool.as_bit_vector(a) {
            let value = match signedness {
                Signedness::Unsigned => BigInt::from(value.to_natural()),
                Signedness::Signed => value.to_signed(),
            };
            return Ok(pool.int_big(&value));
        }
        self.check_conversion(width)?;
        let one = pool.bv(1, 1);
        let zero = pool.int(0);
        let mut summands = Vec::with_capacity(width as usize);
        for index in 0..width {
            let extracted = pool.extract(index, index, a);
            let is_set = pool.eq(extracted, one);
            let mut weight = BigInt::one() << index;
            if signedness == Signedness::Signed && index == width - 1 {
                weight = -weight;
            }
            let weight = pool.int_big(&weight);
            summands.push(pool.ite(is_set, weight, zero));
        }
        Ok(pool.add(&summands))
    }

    /// Bit i is 1 if `div(a, 2^i)` is odd.
    fn int_to_bv(&self, pool: &mut TermPool, terms: &[Term], width: u32) -> Result<Term> {
        let a = terms[0];
        if pool.sort(a) != Sort::Int {
            return Err(self.mismatch(pool, a, 0, "Int"));
        }
        if let Some(value) = pool.as_int(a).cloned() {
            return Ok(pool.bv_big(width, &value));
        }
        self.check_conversion(width)?;
        let (one, two) = (pool.int(1), pool.int(2));
        let mut result = None;
        for index in 0..width {
            let weight = pool.int_big(&(BigInt::one() << index));
            let quotient = pool.int_div(a, weight);
            let remainder = pool.int_mod(quotient, two);
            let is_odd = pool.eq(remainder, one);
            let high = bit(pool, is_odd);
            result = Some(match result {
                None => high,
                Some(low) => pool.concat(high, low),
            });
        }
        Ok(result.expect("a bit vector has a bit"))
    }

    fn check_conversion(&self, width: u32) -> Result<()> {
        if width <= limits::CONVERTED_WIDTH {
            return Ok(());
        }
        Err(self
            .error(format_args!("for {width} bits is not supported"))
            .with_help(format!("conversions of at most {} bits are supported", limits::CONVERTED_WIDTH)))
    }

    fn overflow(
        &self,
        pool: &mut TermPool,
        overflow: Overflow,
        a: Term,
        b: Term,
        width: u32,
    ) -> Result<Term> {
        let smallest = |pool: &mut TermPool| {
            let value = -(BigInt::one() << (width - 1));
            pool.bv_big(width, &value)
        };
        let widened = match overflow {
            Overflow::UnsignedMultiply | Overflow::SignedMultiply => 2 * u64::from(width),
            _ => u64::from(width) + 1,
        };
        let more = self.result_width(widened)? - width;
        // Whether the exact result differs from the extension of its lower bits.
        let exceeds = |pool: &mut TermPool, op: Op, signedness: Signedness| {
            let extend = |pool: &mut TermPool, term| match signedness {
                Signedness::Unsigned => pool.zero_extend(more, term),
                Signedness::Signed => pool.sign_extend(more, term),
            };
            let (x, y) = (extend(pool, a), extend(pool, b));
            let exact = binary(pool, op, x, y);
            let low = pool.extract(width - 1, 0, exact);
            let extended = extend(pool, low);
            pool.neq(exact, extended)
        };
        Ok(match overflow {
            Overflow::Negate => {
                let smallest = smallest(pool);
                pool.eq(a, smallest)
            }
            Overflow::UnsignedSubtract => pool.bv_ult(a, b),
            Overflow::SignedDivide => {
                let smallest = smallest(pool);
                let minus_one = pool.bit_vector(&BitVector::ones(width));
                let (left, right) = (pool.eq(a, smallest), pool.eq(b, minus_one));
                pool.and2(left, right)
            }
            Overflow::UnsignedAdd => exceeds(pool, Op::BvAdd, Signedness::Unsigned),
            Overflow::SignedAdd => exceeds(pool, Op::BvAdd, Signedness::Signed),
            Overflow::SignedSubtract => exceeds(pool, Op::BvSub, Signedness::Signed),
            Overflow::UnsignedMultiply => exceeds(pool, Op::BvMul, Signedness::Unsigned),
            Overflow::SignedMultiply => exceeds(pool, Op::BvMul, Signedness::Signed),
        })
    }
}

/// `#b1` if `condition`, else `#b0`.
fn bit(pool: &mut TermPool, condition: Term) -> Term {
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    pool.ite(condition, one, zero)
}

/// `count` ≥ 1 concatenated copies, with O(log count) terms.
fn repeat(pool: &mut TermPool, a: Term, count: u32) -> Term {
    let mut result: Option<Term> = None;
    let mut power = a;
    let mut left = count;
    loop {
        if left & 1 == 1 {
            result = Some(match result {
                None => power,
                Some(rest) => pool.concat(power, rest),
            });
        }
        left >>= 1;
        if left == 0 {
            return result.expect("the count is not 0");
        }
        power = pool.concat(power, power);
    }
}

fn rotate_left(pool: &mut TermPool, a: Term, width: u32, distance: u32) -> Term {
    if distance == 0 {
        return a;
    }
    let high = pool.extract(width - 1 - distance, 0, a);
    let low = pool.extract(width - 1, width - distance, a);
    pool.concat(high, low)
}

/// The remainder with the sign of the divisor, as SMT-LIB defines it by cases over the signs.
fn smod(pool: &mut TermPool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let zero = pool.bv(width, 0);
    let is_negative = |pool: &mut TermPool, term| pool.bv_slt(term, zero);
    let (negative_a, negative_b) = (is_negative(pool, a), is_negative(pool, b));
    let magnitude = |pool: &mut TermPool, negative, term| {
        let negated = pool.bv_neg(term);
        pool.ite(negative, negated, term)
    };
    let (x, y) = (magnitude(pool, negative_a, a), magnitude(pool, negative_b, b));
    let u = pool.bv_urem(x, y);
    let minus_u = pool.bv_neg(u);
    let is_zero = pool.eq(u, zero);
    let (plus, minus_plus) = (pool.bv_add(u, b), pool.bv_add(minus_u, b));
    let of_positive = pool.ite(negative_b, plus, u);
    let of_negative = pool.ite(negative_b, minus_u, minus_plus);
    let signed = pool.ite(negative_a, of_negative, of_positive);
    pool.ite(is_zero, u, signed)
}

/// Applies an operator of the pool to two bit vectors of one width.
fn binary(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Term {
    pool.build(op, &[a, b]).expect("the widths are checked")
}
