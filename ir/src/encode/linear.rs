//! Bit vectors as integers.
//!
//! A bit vector of width `w` becomes an integer term that is *congruent* to it modulo `2^w`, together with an interval
//! in which the term lies (`Number`). Addition, subtraction, negation, complement, multiplication by and
//! shifts by constants, truncation and `ite` keep congruence, so they are translated as they are, without any correction; that is the
//! difference from correcting every operation, as seed 000, §4.4.1 does with `ite(x + y < 2^w, x + y, cast(x + y))`. Only
//! where an operation depends on the value itself (a comparison, an extension, a division, an index, …) is the term
//! brought into the signed or unsigned range of the type (*normalized*): not at all if the interval says that it is there, by one
//! shift if it is one period off, by `ite`s if it spans up to three periods, by `mod 2^w` otherwise. A number whose interval
//! spans more than four periods is normalized at once, so that terms and intervals stay small. All of this is exact.
//!
//! Not exact are products of variables, divisions by variables, bitwise operations and shifts by variables: they
//! become uninterpreted functions on integers, the same one for all widths where the operation does not depend on it. Each
//! application comes with axioms that hold for the true operation (signs, bounds, neutral and absorbing elements).
//! Commutative ones have their arguments ordered.
//!
//! Symbols are integers in the range that their [`Representation`] says; the range is a constraint.
//!
//! # `Overflow::Ignore`
//! Nothing is normalized but constants, which are read as signed or unsigned like what they are compared with. So all arithmetic is that
//! of the integers, casts (truncation, extension) have no effect, unsigned subtraction may become negative, and only
//! bit tests (shifts right, extraction of upper bits, masks) see bits, those of the infinite two's complement. Symbols still have their
//! ranges. DIVERGENCE: the tool of the thesis does the same for arithmetic and casts, but leaves variables unbounded.
//!
//! Cost: linear in the number of distinct subterms; no recursion.

use super::number::{Number, UNKNOWN, base, integer, product, scale, scaled, sum};
use super::{ApproximationKind, EncodeError, Encoded, Encoder, Encoding};
use crate::term::{Op, Representation, Sort, Symbol, Term, TermPool};
use num_traits::ToPrimitive;

/// A factor with at most this many values is expanded into cases.
const FEW_VALUES: i128 = 4;

impl Encoder {
    /// Translates `root` and everything below it.
    pub(super) fn translate(&mut self, pool: &mut TermPool, root: Term) -> Result<Encoded, EncodeError> {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.cache.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            for &child in pool.children(term) {
                if !self.cache.contains_key(&child) {
                    work.push(child);
                }
            }
            if work.len() == before {
                let encoded = self.operator(pool, term)?;
                self.cache.insert(term, encoded);
                work.pop();
            }
        }
        Ok(self.cache[&root])
    }

    /// The translation of a child as a number.
    pub(super) fn number(&self, pool: &TermPool, term: Term) -> Result<Number, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Number(number)) => Ok(*number),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    /// The translation of a child that keeps its sort.
    pub(super) fn same(&self, pool: &TermPool, term: Term) -> Result<Term, EncodeError> {
        match self.cache.get(&term) {
            Some(Encoded::Same(term)) => Ok(*term),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    fn operator(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        let op = pool.op(term);
        match (op, pool.sort(term)) {
            (Op::Symbol(symbol), _) => return self.symbol(pool, term, symbol),
            (Op::Eq, _) => return self.equality(pool, term).map(Encoded::Same),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, _) => {
                return self.comparison(pool, term).map(Encoded::Same);
            }
            (Op::Select, _) => return self.select(pool, term),
            (_, Sort::Array(_)) => return self.array(pool, term).map(Encoded::Array),
            (_, Sort::BitVec(_)) => {
                let width = self.width(pool, term)?;
                let number = self.bit_vector(pool, term, width)?;
                return Ok(Encoded::Number(self.settle(pool, number, width)));
            }
            (_, Sort::Float(..) | Sort::RoundingMode | Sort::Uninterpreted(_)) => {
                return Err(self.no_translation(pool, term));
            }
            (_, Sort::Bool | Sort::Int | Sort::Real) => {}
        }
        if matches!(op, Op::Apply(_) | Op::Forall | Op::Exists | Op::Value(_) | Op::Bound(_)) {
            return Err(self.no_translation(pool, term));
        }
        let children = pool.children(term).to_vec();
        let new = children.iter().map(|&child| self.same(pool, child)).collect::<Result<Vec<Term>, _>>()?;
        Ok(Encoded::Same(if new == children { term } else { pool.rebuild(term, &new) }))
    }

    fn symbol(&mut self, pool: &mut TermPool, term: Term, symbol: Symbol) -> Result<Encoded, EncodeError> {
        let data = pool.symbol_data(symbol).clone();
        match data.sort {
            Sort::Bool | Sort::Int | Sort::Real => Ok(Encoded::Same(term)),
            Sort::BitVec(_) => {
                let width = self.width(pool, term)?;
                let target = pool.symbol_with(&data.name, Sort::Int, data.representation);
                self.link(pool, symbol, target);
                let low = base(width, data.representation);
                let high = low + (1i128 << width) - 1;
                let number = Number { term: target, low, high, hint: Some(data.representation) };
                self.constrain_range(pool, &number);
                Ok(Encoded::Number(number))
            }
            Sort::Array(_) => self.array(pool, term).map(Encoded::Array),
            Sort::Float(..) | Sort::RoundingMode | Sort::Uninterpreted(_) => {
                Err(self.no_translation(pool, term))
            }
        }
    }

    /// Records that `target` stands for `source`.
    pub(super) fn link(&mut self, pool: &TermPool, source: Symbol, target: Term) {
        self.target_of.insert(source, target);
        if let Op::Symbol(target) = pool.op(target) {
            self.source_of.insert(target, source);
        }
    }

    fn equality(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let (left, right) = (pool.children(term)[0], pool.children(term)[1]);
        match (self.cache[&left], self.cache[&right]) {
            (Encoded::Same(a), Encoded::Same(b)) => Ok(pool.eq(a, b)),
            (Encoded::Number(a), Encoded::Number(b)) => {
                let width = self.width(pool, left)?;
                let (a, b) = self.comparable(pool, a, b, width);
                Ok(if a.high < b.low || b.high < a.low { pool.fls() } else { pool.eq(a.term, b.term) })
            }
            (Encoded::Array(a), Encoded::Array(b)) if self.encoding == Encoding::QfAuflira => {
                self.approximate(term, ApproximationKind::ArrayEquality);
                Ok(pool.eq(a, b))
            }
            (Encoded::Array(_), Encoded::Array(_)) => Err(EncodeError::ArrayEquality(self.encoding)),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    /// Two numbers in one range.
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
                // Without wrap-around, bits beyond the width would not be cut off by anyone else.
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
        // A constant is read as its counterpart is kept.
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

    /// A product.
    fn times(&mut self, pool: &mut TermPool, source: Term, a: Number, b: Number, width: u32) -> Number {
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

    /// What holds for `p = x * y`.
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
            let bounds = [pool.le(x_size, size), pool.le(y_size, size)];
            let bounds = pool.and(&bounds);
            let axiom = pool.implies(signs, bounds);
            self.constrain(pool, axiom);
        }
    }

    fn shift(&mut self, pool: &mut TermPool, term: Term, width: u32) -> Result<Number, EncodeError> {
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
        if op == Op::BvShl {
            let is_zero = pool.eq(value.term, zero);
            let stays = pool.eq(result_term, zero);
            let axiom = pool.implies(is_zero, stays);
            self.constrain(pool, axiom);
        } else {
            // Towards zero, and an arithmetic shift of a negative number stays negative.
            let is_positive = pool.le(zero, value.term);
            let bounds = [pool.le(zero, result_term), pool.le(result_term, value.term)];
            let bounds = pool.and(&bounds);
            let axiom = pool.implies(is_positive, bounds);
            self.constrain(pool, axiom);
            if value.low < 0 {
                let is_negative = pool.lt(value.term, zero);
                let bounds = [pool.lt(result_term, zero), pool.le(value.term, result_term)];
                let bounds = pool.and(&bounds);
                let axiom = pool.implies(is_negative, bounds);
                self.constrain(pool, axiom);
            }
        }
        Ok(result)
    }

    /// A shift by a constant; `value` is normalized for shifts right.
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
