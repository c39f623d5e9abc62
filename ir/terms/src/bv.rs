//! Bit-vector arithmetic, bitwise operators and shifts.
//!
//! # Normal forms
//! Operands of commutative operators are sorted by id. A constant summand moves to the root of a
//! chain of sums (`(x + 1) + y` is `(x + y) + 1`) and combines with other constants; constant
//! factors and masks do the same. Subtraction of a constant is addition. Unsigned division and
//! remainder by a power of two are a shift and a mask.

use super::bits::BitVector;
use super::{Op, Sort, Term, TermPool};

impl TermPool {
    fn assert_same_width(&self, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert!(
            self.sort(b) == Sort::BitVec(width),
            "{a} and {b} should be bit vectors of one width but are of {:?} and {:?}",
            self.sort(a),
            self.sort(b)
        );
        width
    }

    #[inline]
    fn pair(&self, term: Term) -> (Term, Term) {
        match *self.children(term) {
            [a, b] => (a, b),
            _ => unreachable!("{term} has two children"),
        }
    }

    /// The constant operand of a binary node, with the other operand.
    #[inline]
    fn split_constant(&self, term: Term) -> Option<(Term, BitVector)> {
        let (a, b) = self.pair(term);
        if let Some(k) = self.as_bit_vector(b) { Some((a, k)) } else { self.as_bit_vector(a).map(|k| (b, k)) }
    }

    #[inline]
    fn commutative(&mut self, op: Op, width: u32, a: Term, b: Term) -> Term {
        let operands = if a < b { [a, b] } else { [b, a] };
        self.intern(op, Sort::BitVec(width), &operands)
    }

    /// Folds a binary operator over constants or over `ite` trees with constant leaves.
    #[inline]
    fn fold(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        match (self.op(a), self.op(b)) {
            (Op::BvConst(_), Op::BvConst(_)) => {
                let (x, y) = (self.as_bit_vector(a)?, self.as_bit_vector(b)?);
                Some(self.bit_vector(&BitVector::binary(op, &x, &y)))
            }
            (Op::Ite, _) | (_, Op::Ite) => self.lift2(a, b, |pool, x, y| pool.bv_binary(op, x, y)),
            _ => None,
        }
    }

    /// The constructor of the binary operator `op`, one of `BvAnd` to `BvAshr`.
    pub(super) fn bv_binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::BvAnd => self.bv_and(a, b),
            Op::BvOr => self.bv_or(a, b),
            Op::BvXor => self.bv_xor(a, b),
            Op::BvAdd => self.bv_add(a, b),
            Op::BvSub => self.bv_sub(a, b),
            Op::BvMul => self.bv_mul(a, b),
            Op::BvUdiv => self.bv_udiv(a, b),
            Op::BvUrem => self.bv_urem(a, b),
            Op::BvSdiv => self.bv_sdiv(a, b),
            Op::BvSrem => self.bv_srem(a, b),
            Op::BvShl => self.bv_shl(a, b),
            Op::BvLshr => self.bv_lshr(a, b),
            Op::BvAshr => self.bv_ashr(a, b),
            _ => unreachable!("{op:?} is not a binary operator of bit vectors"),
        }
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.op(a) {
            Op::BvConst(_) => {
                let value = self.as_bit_vector(a).expect("a constant").not();
                self.bit_vector(&value)
            }
            Op::BvNot => self.children(a)[0],
            _ => match self.lift(a, TermPool::bv_not) {
                Some(lifted) => lifted,
                None => self.intern(Op::BvNot, Sort::BitVec(width), &[a]),
            },
        }
    }

    /// Negation in two's complement.
    pub fn bv_neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.op(a) {
            Op::BvConst(_) => {
                let value = self.as_bit_vector(a).expect("a constant").neg();
                self.bit_vector(&value)
            }
            Op::BvNeg => self.children(a)[0],
            Op::BvSub => {
                let (x, y) = self.pair(a);
                self.bv_sub(y, x)
            }
            Op::BvAdd if self.split_constant(a).is_some() => {
                let (x, k) = self.split_constant(a).expect("checked");
                let negation = self.bit_vector(&k.neg());
                self.bv_sub(negation, x)
            }
            _ => match self.lift(a, TermPool::bv_neg) {
                Some(lifted) => lifted,
                None => self.intern(Op::BvNeg, Sort::BitVec(width), &[a]),
            },
        }
    }

    /// Whether one term is the bitwise complement of the other.
    fn are_bit_complements(&self, a: Term, b: Term) -> bool {
        let (old, young) = if a < b { (a, b) } else { (b, a) };
        self.op(young) == Op::BvNot && self.children(young)[0] == old
    }

    /// `ite(c, k, 0)` as `(c, k)`.
    fn as_masked(&self, term: Term) -> Option<(Term, Term)> {
        let (c, x, y) = self.as_ite(term)?;
        (self.as_bv_u64(y) == Some(0) && self.is_constant(x)).then_some((c, x))
    }

    /// Joins `ite(c, k, 0)` and `ite(d, k, 0)` into `ite(c ∘ d, k, 0)`.
    fn join_masked(&mut self, a: Term, b: Term, join: fn(&mut TermPool, Term, Term) -> Term) -> Option<Term> {
        let ((c, x), (d, y)) = (self.as_masked(a)?, self.as_masked(b)?);
        if x != y {
            return None;
        }
        self.nested(|pool| {
            let condition = join(pool, c, d);
            let width = pool.width(x);
            let zero = pool.bv(width, 0);
            Some(pool.ite(condition, x, zero))
        })
    }

    /// Whether `term` has the operator `op` and the operand `operand`.
    fn has_operand(&self, op: Op, term: Term, operand: Term) -> bool {
        self.op(term) == op && self.children(term).contains(&operand)
    }

    /// Bitwise conjunction.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold(Op::BvAnd, a, b) {
            return folded;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(k) = self.as_bit_vector(y) {
                if k.is_zero() {
                    return y;
                }
                if k.is_ones() {
                    return x;
                }
                if self.op(x) == Op::BvAnd
                    && let Some((z, k2)) = self.split_constant(x)
                {
                    let mask = self.bit_vector(&BitVector::binary(Op::BvAnd, &k, &k2));
                    return self.bv_and(z, mask);
                }
                if let Op::ZeroExtend(bits) = self.op(x) {
                    let inner = self.children(x)[0];
                    let mask = self.bit_vector(&k.extract(width - bits - 1, 0));
                    let narrow = self.bv_and(inner, mask);
                    return self.zero_extend(bits, narrow);
                }
            }
            if self.has_operand(Op::BvAnd, x, y) {
                return x;
            }
            if self.has_operand(Op::BvOr, x, y) {
                return y;
            }
        }
        if self.are_bit_complements(a, b) {
            return self.bv(width, 0);
        }
        if let Some(joined) = self.join_masked(a, b, TermPool::and2) {
            return joined;
        }
        self.commutative(Op::BvAnd, width, a, b)
    }

    /// Bitwise disjunction.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold(Op::BvOr, a, b) {
            return folded;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(k) = self.as_bit_vector(y) {
                if k.is_zero() {
                    return x;
                }
                if k.is_ones() {
                    return y;
                }
                if self.op(x) == Op::BvOr
                    && let Some((z, k2)) = self.split_constant(x)
                {
                    let mask = self.bit_vector(&BitVector::binary(Op::BvOr, &k, &k2));
                    return self.bv_or(z, mask);
                }
            }
            if self.has_operand(Op::BvOr, x, y) {
                return x;
            }
            if self.has_operand(Op::BvAnd, x, y) {
                return y;
            }
        }
        if self.are_bit_complements(a, b) {
            return self.bit_vector(&BitVector::ones(width));
        }
        if let Some(joined) = self.join_masked(a, b, TermPool::or2) {
            return joined;
        }
        self.commutative(Op::BvOr, width, a, b)
    }

    /// Bitwise exclusive disjunction.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold(Op::BvXor, a, b) {
            return folded;
        }
        if self.are_bit_complements(a, b) {
            return self.bit_vector(&BitVector::ones(width));
        }
        match (self.op(a), self.op(b)) {
            (Op::BvNot, Op::BvNot) => {
                let (x, y) = (self.children(a)[0], self.children(b)[0]);
                return self.bv_xor(x, y);
            }
            (Op::BvNot, _) if !self.is_constant(b) => {
                let x = self.children(a)[0];
                let xor = self.bv_xor(x, b);
                return self.bv_not(xor);
            }
            (_, Op::BvNot) if !self.is_constant(a) => {
                let y = self.children(b)[0];
                let xor = self.bv_xor(a, y);
                return self.bv_not(xor);
            }
            _ => {}
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(k) = self.as_bit_vector(y) {
                if k.is_zero() {
                    return x;
                }
                if k.is_ones() {
                    return self.bv_not(x);
                }
                if self.op(x) == Op::BvNot {
                    let inner = self.children(x)[0];
                    let mask = self.bit_vector(&k.not());
                    return self.bv_xor(inner, mask);
                }
                if self.op(x) == Op::BvXor
                    && let Some((z, k2)) = self.split_constant(x)
                {
                    let mask = self.bit_vector(&BitVector::binary(Op::BvXor, &k, &k2));
                    return self.bv_xor(z, mask);
                }
            } else if self.op(x) == Op::BvXor {
                let (p, q) = self.pair(x);
                if p == y {
                    return q;
                }
                if q == y {
                    return p;
                }
            }
        }
        if let Some(joined) = self.join_masked(a, b, TermPool::xor) {
            return joined;
        }
        self.commutative(Op::BvXor, width, a, b)
    }

    /// Splits `term` into base and constant; the base is `None` for a constant, the constant `None`
    /// for 0.
    pub(super) fn offset(&self, term: Term) -> (Option<Term>, Option<BitVector>) {
        match self.op(term) {
            Op::BvConst(_) => (None, self.as_bit_vector(term)),
            Op::BvAdd => match self.split_constant(term) {
                Some((base, k)) => (Some(base), Some(k)),
                None => (Some(term), None),
            },
            _ => (Some(term), None),
        }
    }

    /// Sum modulo `2^width`.
    pub fn bv_add(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if let Some(folded) = self.fold(Op::BvAdd, a, b) {
            return folded;
        }
        let ((base_a, ka), (base_b, kb)) = (self.offset(a), self.offset(b));
        let k = match (&ka, &kb) {
            (None, None) => return self.add_bases(width, a, b),
            (Some(k), None) | (None, Some(k)) => k.clone(),
            (Some(x), Some(y)) => BitVector::binary(Op::BvAdd, x, y),
        };
        match (base_a, base_b) {
            (Some(x), Some(y)) => {
                let sum = self.add_bases(width, x, y);
                self.add_constant(width, sum, &k)
            }
            (Some(x), None) | (None, Some(x)) => self.add_constant(width, x, &k),
            (None, None) => unreachable!("two constants fold"),
        }
    }

    /// `base + k`, where `base` may be any term.
    pub(super) fn add_constant(&mut self, width: u32, base: Term, k: &BitVector) -> Term {
        if k.is_zero() {
            return base;
        }
        match self.offset(base) {
            (None, Some(k2)) => return self.bit_vector(&BitVector::binary(Op::BvAdd, k, &k2)),
            (Some(inner), Some(k2)) => {
                let sum = BitVector::binary(Op::BvAdd, k, &k2);
                return self.add_constant(width, inner, &sum);
            }
            _ => {}
        }
        match self.op(base) {
            // (k2 - x) + k
            Op::BvSub => {
                let (p, x) = self.pair(base);
                if let Some(k2) = self.as_bit_vector(p) {
                    let sum = self.bit_vector(&BitVector::binary(Op::BvAdd, k, &k2));
                    return self.bv_sub(sum, x);
                }
            }
            Op::BvNeg => {
                let x = self.children(base)[0];
                let k = self.bit_vector(k);
                return self.bv_sub(k, x);
            }
            _ => {}
        }
        let k = self.bit_vector(k);
        self.commutative(Op::BvAdd, width, base, k)
    }

    /// The sum of two terms without a constant summand at the root.
    fn add_bases(&mut self, width: u32, a: Term, b: Term) -> Term {
        for (x, y) in [(a, b), (b, a)] {
            match self.op(x) {
                Op::BvNeg => {
                    let inner = self.children(x)[0];
                    return self.bv_sub(y, inner);
                }
                Op::BvSub => {
                    // (p - q) + q, and (k - q) + y with a constant k.
                    let (p, q) = self.pair(x);
                    if q == y {
                        return p;
                    }
                    if let Some(k) = self.as_bit_vector(p) {
                        let difference = self.bv_sub(y, q);
                        return self.add_constant(width, difference, &k);
                    }
                }
                Op::BvNot if self.children(x)[0] == y => return self.bit_vector(&BitVector::ones(width)),
                _ => {}
            }
        }
        self.commutative(Op::BvAdd, width, a, b)
    }

    /// Difference modulo `2^width`.
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold(Op::BvSub, a, b) {
            return folded;
        }
        let ((base_a, ka), (base_b, kb)) = (self.offset(a), self.offset(b));
        match (base_a, base_b) {
            (Some(x), Some(y)) if ka.is_some() || kb.is_some() => {
                let zero = BitVector::new(width, 0);
                let k =
                    BitVector::binary(Op::BvSub, ka.as_ref().unwrap_or(&zero), kb.as_ref().unwrap_or(&zero));
                let difference = self.bv_sub(x, y);
                return self.add_constant(width, difference, &k);
            }
            (Some(_), None) => {
                let k = kb.expect("a constant").neg();
                return self.add_constant(width, a, &k);
            }
            (None, Some(y)) => {
                let mut k = ka.expect("a constant");
                if let Some(kb) = &kb {
                    k = BitVector::binary(Op::BvSub, &k, kb);
                }
                if k.is_zero() {
                    return self.bv_neg(y);
                }
                match self.op(y) {
                    Op::BvNeg => {
                        let inner = self.children(y)[0];
                        return self.add_constant(width, inner, &k);
                    }
                    // k - (p - q) is (q - p) + k; if p is constant, q + (k - p).
                    Op::BvSub => {
                        let (p, q) = self.pair(y);
                        let difference = match self.as_bit_vector(p) {
                            Some(p) => {
                                k = BitVector::binary(Op::BvSub, &k, &p);
                                q
                            }
                            None => self.bv_sub(q, p),
                        };
                        return self.add_constant(width, difference, &k);
                    }
                    _ => {}
                }
                let k = self.bit_vector(&k);
                return self.intern(Op::BvSub, Sort::BitVec(width), &[k, y]);
            }
            _ => {}
        }
        match (self.op(a), self.op(b)) {
            (_, Op::BvNeg) => {
                let inner = self.children(b)[0];
                return self.bv_add(a, inner);
            }
            // (x + b) - b
            (Op::BvAdd, _) if self.children(a).contains(&b) => {
                let (x, y) = self.pair(a);
                return if x == b { y } else { x };
            }
            // a - (a + y)
            (_, Op::BvAdd) if self.children(b).contains(&a) => {
                let (x, y) = self.pair(b);
                let rest = if x == a { y } else { x };
                return self.bv_neg(rest);
            }
            // (k - x) - b is k - (x + b).
            (Op::BvSub, _) => {
                let (p, q) = self.pair(a);
                if let Some(k) = self.as_bit_vector(p) {
                    let sum = self.bv_add(q, b);
                    let k = self.bit_vector(&k);
                    return self.bv_sub(k, sum);
                }
                if p == b {
                    return self.bv_neg(q);
                }
            }
            // a - (p - q) is (a + q) - p if p is constant, and q if p = a.
            (_, Op::BvSub) => {
                let (p, q) = self.pair(b);
                if p == a {
                    return q;
                }
                if let Some(k) = self.as_bit_vector(p) {
                    let sum = self.bv_add(a, q);
                    return self.add_constant(width, sum, &k.neg());
                }
            }
            _ => {}
        }
        self.intern(Op::BvSub, Sort::BitVec(width), &[a, b])
    }

    /// Product modulo `2^width`.
    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if let Some(folded) = self.fold(Op::BvMul, a, b) {
            return folded;
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some(k) = self.as_bit_vector(y) else { continue };
            if k.is_zero() {
                return y;
            }
            if k.is_one() {
                return x;
            }
            if k.is_ones() {
                return self.bv_neg(x);
            }
            if self.op(x) == Op::BvNeg {
                let inner = self.children(x)[0];
                let factor = self.bit_vector(&k.neg());
                return self.bv_mul(inner, factor);
            }
            if self.op(x) == Op::BvMul
                && let Some((z, k2)) = self.split_constant(x)
            {
                let factor = self.bit_vector(&BitVector::binary(Op::BvMul, &k, &k2));
                return self.bv_mul(z, factor);
            }
        }
        if let Some(narrow) = self.narrow_product(width, a, b) {
            return narrow;
        }
        self.commutative(Op::BvMul, width, a, b)
    }

    /// The product of two numbers that are extended to more bits than it needs, as an extension of
    /// a product.
    fn narrow_product(&mut self, width: u32, a: Term, b: Term) -> Option<Term> {
        let operand = |term: Term| self.children(term).first().copied();
        let (x, y) = (operand(a)?, operand(b)?);
        let (own, other) = match (self.op(a), self.op(b)) {
            (Op::SignExtend(_), Op::SignExtend(_)) | (Op::ZeroExtend(_), Op::ZeroExtend(_)) => {
                (self.width(x), self.width(y))
            }
            _ => return None,
        };
        let needed = own.checked_add(other).filter(|&needed| needed < width)?;
        let is_signed = matches!(self.op(a), Op::SignExtend(_));
        let extend = |pool: &mut Self, bits: u32, term: Term| match is_signed {
            true => pool.sign_extend(bits, term),
            false => pool.zero_extend(bits, term),
        };
        let (x, y) = (extend(self, other, x), extend(self, own, y));
        let product = self.bv_mul(x, y);
        Some(extend(self, width - needed, product))
    }

    /// Unsigned quotient; all ones if `b` is 0.
    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if let Some(folded) = self.fold(Op::BvUdiv, a, b) {
            return folded;
        }
        if let Some(k) = self.as_bit_vector(b) {
            if k.is_zero() {
                return self.bit_vector(&BitVector::ones(width));
            }
            if let Some(log) = k.log2() {
                let distance = self.bv(width, u64::from(log));
                return self.bv_lshr(a, distance);
            }
            if let Op::ZeroExtend(bits) = self.op(a) {
                let inner = self.children(a)[0];
                let narrow = width - bits;
                if !k.extract(width - 1, narrow).is_zero() {
                    return self.bv(width, 0);
                }
                let divisor = self.bit_vector(&k.extract(narrow - 1, 0));
                let quotient = self.bv_udiv(inner, divisor);
                return self.zero_extend(bits, quotient);
            }
        }
        self.intern(Op::BvUdiv, Sort::BitVec(width), &[a, b])
    }

    /// Unsigned remainder; `a` if `b` is 0.
    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold(Op::BvUrem, a, b) {
            return folded;
        }
        if let Some(k) = self.as_bit_vector(b) {
            if k.is_zero() {
                return a;
            }
            if k.log2().is_some() {
                let mask = BitVector::binary(Op::BvSub, &k, &BitVector::new(width, 1));
                let mask = self.bit_vector(&mask);
                return self.bv_and(a, mask);
            }
            if let Op::ZeroExtend(bits) = self.op(a) {
                let inner = self.children(a)[0];
                let narrow = width - bits;
                if !k.extract(width - 1, narrow).is_zero() {
                    return a;
                }
                let divisor = self.bit_vector(&k.extract(narrow - 1, 0));
                let remainder = self.bv_urem(inner, divisor);
                return self.zero_extend(bits, remainder);
            }
        }
        self.intern(Op::BvUrem, Sort::BitVec(width), &[a, b])
    }

    /// Signed quotient, truncated towards zero. If `b` is 0: 1 for a negative `a`, else -1.
    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if let Some(folded) = self.fold(Op::BvSdiv, a, b) {
            return folded;
        }
        if let Some(k) = self.as_bit_vector(b) {
            // At width 1 the pattern 1 means both 1 and -1; the quotient is `a` in both cases.
            if k.is_one() {
                return a;
            }
            if k.is_ones() {
                return self.bv_neg(a);
            }
            if k.is_zero() {
                let zero = self.bv(width, 0);
                let is_negative = self.bv_slt(a, zero);
                let one = self.bv(width, 1);
                let minus_one = self.bit_vector(&BitVector::ones(width));
                return self.ite(is_negative, one, minus_one);
            }
        }
        self.intern(Op::BvSdiv, Sort::BitVec(width), &[a, b])
    }

    /// Signed remainder with the sign of `a`; `a` if `b` is 0.
    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold(Op::BvSrem, a, b) {
            return folded;
        }
        if let Some(k) = self.as_bit_vector(b) {
            if k.is_zero() {
                return a;
            }
            if k.is_one() || k.is_ones() {
                return self.bv(width, 0);
            }
        }
        self.intern(Op::BvSrem, Sort::BitVec(width), &[a, b])
    }

    /// Left shift; 0 if `b` is at least the width.
    pub fn bv_shl(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvShl, a, b)
    }

    /// Logical right shift; 0 if `b` is at least the width.
    pub fn bv_lshr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvLshr, a, b)
    }

    /// Arithmetic right shift; all bits are the sign bit if `b` is at least the width.
    pub fn bv_ashr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::BvAshr, a, b)
    }

    fn shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.assert_same_width(a, b);
        if let Some(folded) = self.fold(op, a, b) {
            return folded;
        }
        if self.as_bv_u64(a) == Some(0) {
            return a;
        }
        if op == Op::BvAshr {
            match self.op(a) {
                Op::BvConst(_) if self.as_bit_vector(a).is_some_and(|k| k.is_ones()) => return a,
                // The sign bit is 0.
                Op::ZeroExtend(_) => return self.shift(Op::BvLshr, a, b),
                _ => {}
            }
        }
        let Some(k) = self.as_bit_vector(b) else {
            return self.intern(op, Sort::BitVec(width), &[a, b]);
        };
        if k.is_zero() {
            return a;
        }
        let mut distance = k.to_u64().map_or(width, |k| k.min(u64::from(width)) as u32);
        if self.op(a) == op
            && let Some(k2) = self.as_bv_u64(self.pair(a).1)
        {
            // Constant distances add up; the inner shift has 0 < k2 < width.
            let inner = self.pair(a).0;
            let total = (u64::from(distance) + k2).min(u64::from(width));
            let total = self.shift_distance(op, width, total as u32);
            return self.shift_or_zero(op, width, inner, total);
        }
        distance = self.shift_distance(op, width, distance);
        if let (Op::BvLshr, Op::ZeroExtend(bits)) = (op, self.op(a))
            && distance >= width - bits
        {
            return self.bv(width, 0);
        }
        self.shift_or_zero(op, width, a, distance)
    }

    /// An arithmetic shift by the width equals one by the width minus 1.
    fn shift_distance(&self, op: Op, width: u32, distance: u32) -> u32 {
        if op == Op::BvAshr { distance.min(width - 1) } else { distance }
    }

    fn shift_or_zero(&mut self, op: Op, width: u32, a: Term, distance: u32) -> Term {
        if distance >= width {
            return self.bv(width, 0);
        }
        if distance == 0 {
            return a;
        }
        let distance = self.bv(width, u64::from(distance));
        self.intern(op, Sort::BitVec(width), &[a, distance])
    }
}
