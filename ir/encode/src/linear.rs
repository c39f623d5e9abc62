//! Bit vectors as integers.
//!
//! A bit vector of width `w` becomes an integer term that is *congruent* to it modulo `2^w`,
//! together with an interval that contains the term (`Number`). Addition, subtraction, negation,
//! complement, multiplication by and shifts by constants, truncation and `ite` preserve congruence,
//! so they are translated directly, without any correction. In contrast, Wendler, *Towards
//! Practical Predicate Analysis*, §4.4.1, corrects every operation, with
//! `ite(x + y < 2^w, x + y, cast(x + y))`. Only if an operation depends on the value itself (a
//! comparison, an extension, a division, an index, …) is the term *normalized*, that is, moved into
//! the signed or unsigned range of the type: without any operation if the interval lies in the
//! range, by an addition of a constant if it is one period off, by `ite`s if it spans up to three
//! periods, by `mod 2^w` otherwise. A number whose interval spans more than four periods is
//! normalized at once, so that terms and intervals stay small. All of this is exact.
//!
//! Products of variables, divisions by variables, bitwise operations of variables and shifts by
//! variables are not exact: they become uninterpreted functions on integers, shared by all widths
//! if the operation does not depend on the width. Each application comes with axioms that hold for
//! the actual operation (signs, bounds, neutral and absorbing elements), see `product`, `division`,
//! `bitwise` and `shift`. Arguments of commutative operations are ordered.
//!
//! Symbols are integers in the range of their [`Representation`]; the range is a constraint.
//!
//! # `Overflow::Ignore`
//! Only constants are normalized; they are interpreted as signed or unsigned to match the term they
//! are compared with. All arithmetic is thus integer arithmetic: casts (truncation, extension) have
//! no effect, and unsigned subtraction may become negative. Only bit tests (right shifts,
//! extraction of upper bits, masks) refer to bits, those of the infinite two's complement. Symbols
//! keep their ranges, except for computed values ([`TermPool::is_computed`]), that is, state
//! variables. DIVERGENCE: the implementation described in Wendler's thesis treats arithmetic and
//! casts in the same way, but leaves variables unbounded.
//!
//! Cost: linear in the number of distinct subterms; no recursion.

use super::number::{Number, UNKNOWN, base, integer, scale, scaled, sum};
use super::{EncodeError, Encoded, Encoder};
use num_traits::ToPrimitive;
use terms::{Op, Representation, Sort, Term, TermPool};

impl Encoder {
    /// Translates an operator on bit vectors, or one that keeps its sort; not for arrays and
    /// equality.
    pub(super) fn linear(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        match (pool.op(term), pool.sort(term)) {
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, _) => {
                self.comparison(pool, term).map(Encoded::Same)
            }
            (_, Sort::BitVec(_)) => {
                let width = self.width(pool, term)?;
                let number = self.bit_vector(pool, term, width)?;
                Ok(Encoded::Number(self.settle(pool, number, width)))
            }
            (_, Sort::Float(..) | Sort::RoundingMode | Sort::Uninterpreted(_) | Sort::Array(_))
            | (Op::Apply(_), _) => Err(self.no_translation(pool, term)),
            (_, Sort::Bool | Sort::Int | Sort::Real) => self.rebuilt(pool, term).map(Encoded::Same),
        }
    }

    pub(super) fn equal_numbers(&mut self, pool: &mut TermPool, a: Number, b: Number, width: u32) -> Term {
        let (a, b) = self.comparable(pool, a, b, width);
        if a.high < b.low || b.high < a.low { pool.fls() } else { pool.eq(a.term, b.term) }
    }

    /// Normalizes two numbers into a common range.
    fn comparable(&mut self, pool: &mut TermPool, a: Number, b: Number, width: u32) -> (Number, Number) {
        let fits = |representation| {
            let low = base(width, representation);
            let high = low + (1i128 << width) - 1;
            [&a, &b].iter().filter(|number| low <= number.low && number.high <= high).count()
        };
        let hint = a.hint.or(b.hint).unwrap_or_default();
        let other = match hint {
            Representation::Signed => Representation::Unsigned,
            Representation::Unsigned => Representation::Signed,
        };
        let representation = if fits(other) > fits(hint) { other } else { hint };
        (self.normalize(pool, a, width, representation), self.normalize(pool, b, width, representation))
    }

    fn comparison(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let (left, right) = (pool.children(term)[0], pool.children(term)[1]);
        let width = self.width(pool, left)?;
        let (representation, is_strict) = match pool.op(term) {
            Op::BvUlt => (Representation::Unsigned, true),
            Op::BvUle => (Representation::Unsigned, false),
            Op::BvSlt => (Representation::Signed, true),
            _ => (Representation::Signed, false),
        };
        let (a, b) = (self.number(pool, left)?, self.number(pool, right)?);
        let a = self.normalize(pool, a, width, representation);
        let b = self.normalize(pool, b, width, representation);
        Ok(if is_strict {
            match () {
                () if a.high < b.low => pool.tru(),
                () if b.high <= a.low => pool.fls(),
                () => pool.lt(a.term, b.term),
            }
        } else {
            match () {
                () if a.high <= b.low => pool.tru(),
                () if b.high < a.low => pool.fls(),
                () => pool.le(a.term, b.term),
            }
        })
    }

    fn bit_vector(&mut self, pool: &mut TermPool, term: Term, width: u32) -> Result<Number, EncodeError> {
        let children = pool.children(term).to_vec();
        match pool.op(term) {
            Op::BvConst(_) => {
                let (width, value) = pool.as_bv(term).expect("the operator is a bit-vector constant");
                let value = value.to_i128().expect("the width is at most MOST_BITS");
                let value = if value >= 1i128 << (width - 1) { value - (1i128 << width) } else { value };
                Ok(self.constant(pool, value))
            }
            Op::Ite => {
                let condition = self.same(pool, children[0])?;
                let (then, otherwise) = (self.number(pool, children[1])?, self.number(pool, children[2])?);
                Ok(self.choose(pool, condition, then, otherwise, width))
            }
            Op::BvAdd => {
                let mut total = self.number(pool, children[0])?;
                for &child in &children[1..] {
                    let next = self.number(pool, child)?;
                    total = self.add(pool, total, next);
                }
                Ok(total)
            }
            Op::BvSub => {
                let (a, b) = (self.number(pool, children[0])?, self.number(pool, children[1])?);
                let b = self.multiple(pool, -1, b);
                Ok(self.add(pool, a, b))
            }
            Op::BvNeg => {
                let a = self.number(pool, children[0])?;
                Ok(self.multiple(pool, -1, a))
            }
            Op::BvNot => {
                let a = self.number(pool, children[0])?;
                let negative = self.multiple(pool, -1, a);
                let one = self.constant(pool, -1);
                Ok(self.add(pool, negative, one))
            }
            Op::BvMul => {
                let mut total = self.number(pool, children[0])?;
                for &child in &children[1..] {
                    let next = self.number(pool, child)?;
                    total = self.times(pool, term, total, next, width);
                    total = self.settle(pool, total, width);
                }
                Ok(total)
            }
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => self.division(pool, term, width),
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.shift(pool, term, width),
            Op::BvAnd | Op::BvOr | Op::BvXor => self.bitwise(pool, term, width),
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                let inner = self.width(pool, children[0])?;
                let representation = match pool.op(term) {
                    Op::ZeroExtend(_) => Representation::Unsigned,
                    _ => Representation::Signed,
                };
                let a = self.number(pool, children[0])?;
                Ok(self.normalize(pool, a, inner, representation))
            }
            Op::Extract { low, .. } => {
                let a = self.number(pool, children[0])?;
                if low == 0 {
                    return Ok(a);
                }
                let quotient = self.floor_divide(pool, a, 1i128 << low);
                // Without wrap-around, no other operation would truncate bits beyond the width.
                Ok(self.reduce(pool, quotient, width, Representation::Unsigned))
            }
            Op::Concat => {
                let mut total = self.number(pool, children[0])?;
                for &child in &children[1..] {
                    let inner = self.width(pool, child)?;
                    let low = self.number(pool, child)?;
                    let low = self.reduce(pool, low, inner, Representation::Unsigned);
                    let high = self.multiple(pool, 1i128 << inner, total);
                    total = self.add(pool, high, low);
                }
                Ok(total)
            }
            _ => Err(self.no_translation(pool, term)),
        }
    }

    pub(super) fn choose(
        &mut self,
        pool: &mut TermPool,
        condition: Term,
        then: Number,
        otherwise: Number,
        width: u32,
    ) -> Number {
        let hint = then.hint.or(otherwise.hint);
        let (mut then, mut otherwise) = (then, otherwise);
        // A constant is normalized into the range of the other branch.
        if let Some(representation) = hint {
            if then.constant().is_some() {
                then = self.reduce(pool, then, width, representation);
            }
            if otherwise.constant().is_some() {
                otherwise = self.reduce(pool, otherwise, width, representation);
            }
        }
        let term = pool.ite(condition, then.term, otherwise.term);
        let hint = hint.or_else(|| (then.term != otherwise.term).then_some(Representation::Signed));
        Number { term, low: then.low.min(otherwise.low), high: then.high.max(otherwise.high), hint }
    }

    pub(super) fn add(&mut self, pool: &mut TermPool, a: Number, b: Number) -> Number {
        let (low, high) = sum(&a, &b);
        Number { term: pool.add(&[a.term, b.term]), low, high, hint: a.hint.or(b.hint) }
    }

    /// `factor * a`.
    pub(super) fn multiple(&mut self, pool: &mut TermPool, factor: i128, a: Number) -> Number {
        let (low, high) = scaled(factor, &a);
        Number { term: scale(pool, factor, a.term), low, high, hint: a.hint }
    }

    /// `⌊a / divisor⌋` for a positive divisor.
    pub(super) fn floor_divide(&mut self, pool: &mut TermPool, a: Number, divisor: i128) -> Number {
        if divisor == 1 {
            return a;
        }
        let constant = integer(pool, divisor);
        let term = pool.int_div(a.term, constant);
        let (low, high) = match a.is_unknown() {
            true => UNKNOWN,
            false => (a.low.div_euclid(divisor), a.high.div_euclid(divisor)),
        };
        Number { term, low, high, hint: a.hint }
    }

    /// `a mod modulus` for a positive modulus.
    pub(super) fn remainder(&mut self, pool: &mut TermPool, a: Number, modulus: i128) -> Number {
        if a.low >= 0 && a.high < modulus {
            return a;
        }
        if let Some(value) = a.constant() {
            return self.constant(pool, value.rem_euclid(modulus));
        }
        let constant = integer(pool, modulus);
        Number { term: pool.int_mod(a.term, constant), low: 0, high: modulus - 1, hint: a.hint }
    }
}
