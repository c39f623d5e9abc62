//! Comparisons and equalities of bit vectors.
//!
//! # Normal forms
//! Only strict comparisons are nodes: `a ≤ b` is `¬(b < a)`. A constant operand of `<` (unsigned or
//! signed) is on the right: `k < x` is `¬(x < k+1)`. An atom and its negation are therefore always
//! one node and its `Not`. Extended operands are narrowed: comparisons of `char` values as `int`
//! become 8-bit comparisons.

use super::bits::BitVector;
use super::{Op, Sort, Term, TermPool};

impl TermPool {
    /// `a <u b`.
    pub fn bv_ult(&mut self, a: Term, b: Term) -> Term {
        self.less(Op::BvUlt, a, b)
    }

    /// `a ≤u b`.
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.less(Op::BvUlt, b, a);
        self.not(greater)
    }

    /// `a <s b`.
    pub fn bv_slt(&mut self, a: Term, b: Term) -> Term {
        self.less(Op::BvSlt, a, b)
    }

    /// `a ≤s b`.
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.less(Op::BvSlt, b, a);
        self.not(greater)
    }

    /// The least and the greatest value in the order of `op`.
    fn bounds(op: Op, width: u32) -> (BitVector, BitVector) {
        let ones = BitVector::ones(width);
        if op == Op::BvUlt {
            return (BitVector::new(width, 0), ones);
        }
        let half = if width == 1 { BitVector::new(1, 0) } else { BitVector::ones(width - 1).zero_extend(1) };
        (half.not(), half)
    }

    fn less(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert!(
            self.sort(b) == Sort::BitVec(width),
            "{a} and {b} should be bit vectors of one width but are of {:?} and {:?}",
            self.sort(a),
            self.sort(b)
        );
        if a == b {
            return self.fls();
        }
        match (self.op(a), self.op(b)) {
            (Op::BvConst(_), Op::BvConst(_)) => {
                let (x, y) = (self.constant(a), self.constant(b));
                return self.bool(BitVector::compare(op, &x, &y));
            }
            (Op::Ite, _) | (_, Op::Ite) => {
                if let Some(lifted) = self.lift2(a, b, |pool, x, y| pool.less(op, x, y)) {
                    return lifted;
                }
            }
            _ => {}
        }
        if let Some(k) = self.as_bit_vector(a) {
            let (_, greatest) = Self::bounds(op, width);
            if k == greatest {
                return self.fls();
            }
            let next = self.bit_vector(&BitVector::binary(Op::BvAdd, &k, &BitVector::new(width, 1)));
            let less = self.less(op, b, next);
            return self.not(less);
        }
        if let Some(k) = self.as_bit_vector(b) {
            let (least, greatest) = Self::bounds(op, width);
            if k == least {
                return self.fls();
            }
            if k == greatest {
                return self.neq(a, b);
            }
            let second = BitVector::binary(Op::BvAdd, &least, &BitVector::new(width, 1));
            if k == second {
                let least = self.bit_vector(&least);
                return self.eq(a, least);
            }
            if let Some(narrow) = self.less_constant_narrow(op, width, a, &k) {
                return narrow;
            }
        } else if let Some(narrow) = self.less_narrow(op, a, b) {
            return narrow;
        }
        self.intern(op, Sort::Bool, &[a, b])
    }

    fn constant(&self, term: Term) -> BitVector {
        self.as_bit_vector(term).expect("the caller has checked the operator")
    }

    /// `a < k` where `a` is a zero or sign extension.
    fn less_constant_narrow(&mut self, op: Op, width: u32, a: Term, k: &BitVector) -> Option<Term> {
        match self.op(a) {
            Op::ZeroExtend(bits) => {
                let inner = self.children(a)[0];
                let narrow = width - bits;
                if op == Op::BvSlt && k.is_negative() {
                    return Some(self.fls());
                }
                if !k.extract(width - 1, narrow).is_zero() {
                    return Some(self.tru());
                }
                let k = self.bit_vector(&k.extract(narrow - 1, 0));
                Some(self.less(Op::BvUlt, inner, k))
            }
            Op::SignExtend(bits) => {
                let inner = self.children(a)[0];
                let narrow = width - bits;
                let low = k.extract(narrow - 1, 0);
                if low.sign_extend(bits) == *k {
                    let low = self.bit_vector(&low);
                    return Some(self.less(op, inner, low));
                }
                if op == Op::BvSlt {
                    // `k` is outside the range of the inner width.
                    return Some(self.bool(!k.is_negative()));
                }
                // `k` is above all non-negative and below all negative values.
                let zero = self.bv(narrow, 0);
                let negative = self.less(Op::BvSlt, inner, zero);
                Some(self.not(negative))
            }
            _ => None,
        }
    }

    /// `a < b` where both have the same kind of extension.
    fn less_narrow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (x, y) = self.common_extension(a, b)?;
        // Sign extension preserves both orders; under zero extension the signed order is the
        // unsigned one.
        let op = if matches!(self.op(a), Op::ZeroExtend(_)) { Op::BvUlt } else { op };
        Some(self.less(op, x, y))
    }

    /// If both terms have the same kind of extension, strips the common extension bits; the results
    /// compare as the terms do.
    fn common_extension(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (bits_a, bits_b, signed) = match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(i), Op::ZeroExtend(j)) => (i, j, false),
            (Op::SignExtend(i), Op::SignExtend(j)) => (i, j, true),
            _ => return None,
        };
        let (x, y) = (self.children(a)[0], self.children(b)[0]);
        let common = bits_a.min(bits_b);
        Some(if signed {
            (self.sign_extend(bits_a - common, x), self.sign_extend(bits_b - common, y))
        } else {
            (self.zero_extend(bits_a - common, x), self.zero_extend(bits_b - common, y))
        })
    }

    /// Rules for an equality of bit vectors; `a` is older than `b`, and they are not both constant.
    pub(super) fn eq_bv(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(k) = self.as_bit_vector(a) {
            return self.eq_constant(b, &k);
        }
        if let Some(k) = self.as_bit_vector(b) {
            return self.eq_constant(a, &k);
        }
        match (self.op(a), self.op(b)) {
            (Op::BvAdd, _) | (_, Op::BvAdd) => {
                let ((base_a, ka), (base_b, kb)) = (self.offset(a), self.offset(b));
                let (x, y) = (base_a?, base_b?);
                if x == y {
                    // Distinct terms with one base differ by a constant.
                    return Some(self.fls());
                }
                if let (Some(ka), Some(kb)) = (ka, kb) {
                    let (old, young, k) = if x < y {
                        (x, y, BitVector::binary(Op::BvSub, &kb, &ka))
                    } else {
                        (y, x, BitVector::binary(Op::BvSub, &ka, &kb))
                    };
                    let young = self.add_constant(k.width(), young, &k);
                    return Some(self.eq(old, young));
                }
                // x + y = x is y = 0.
                for (sum, other) in [(a, b), (b, a)] {
                    if self.op(sum) == Op::BvAdd
                        && let [p, q] = *self.children(sum)
                        && (p == other || q == other)
                    {
                        let rest = if p == other { q } else { p };
                        let width = self.width(rest);
                        let zero = self.bv(width, 0);
                        return Some(self.eq(rest, zero));
                    }
                }
                None
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                let (x, y) = (self.children(a)[0], self.children(b)[0]);
                Some(self.eq(x, y))
            }
            (_, Op::BvNot) if self.children(b)[0] == a => Some(self.fls()),
            (Op::ZeroExtend(_), Op::ZeroExtend(_)) | (Op::SignExtend(_), Op::SignExtend(_)) => {
                let (x, y) = self.common_extension(a, b)?;
                Some(self.eq(x, y))
            }
            _ => None,
        }
    }

    fn eq_constant(&mut self, term: Term, k: &BitVector) -> Option<Term> {
        let width = k.width();
        match self.op(term) {
            Op::BvAdd => {
                let (Some(base), Some(offset)) = self.offset(term) else { return None };
                let difference = self.bit_vector(&BitVector::binary(Op::BvSub, k, &offset));
                Some(self.eq(base, difference))
            }
            Op::BvSub => {
                let [p, q] = *self.children(term) else { return None };
                if let Some(minuend) = self.as_bit_vector(p) {
                    let value = self.bit_vector(&BitVector::binary(Op::BvSub, &minuend, k));
                    return Some(self.eq(q, value));
                }
                k.is_zero().then(|| self.eq(p, q))
            }
            Op::BvXor => {
                let [p, q] = *self.children(term) else { return None };
                for (x, y) in [(p, q), (q, p)] {
                    if let Some(mask) = self.as_bit_vector(y) {
                        let value = self.bit_vector(&BitVector::binary(Op::BvXor, &mask, k));
                        return Some(self.eq(x, value));
                    }
                }
                k.is_zero().then(|| self.eq(p, q))
            }
            Op::BvNot => {
                let inner = self.children(term)[0];
                let value = self.bit_vector(&k.not());
                Some(self.eq(inner, value))
            }
            Op::BvNeg => {
                let inner = self.children(term)[0];
                let value = self.bit_vector(&k.neg());
                Some(self.eq(inner, value))
            }
            Op::Concat => {
                let [high, low] = *self.children(term) else { return None };
                let low_width = self.width(low);
                let (k_high, k_low) = (k.extract(width - 1, low_width), k.extract(low_width - 1, 0));
                self.nested(|pool| {
                    let k_high = pool.bit_vector(&k_high);
                    let k_low = pool.bit_vector(&k_low);
                    let equal_high = pool.eq(high, k_high);
                    let equal_low = pool.eq(low, k_low);
                    Some(pool.and2(equal_high, equal_low))
                })
            }
            op @ (Op::ZeroExtend(bits) | Op::SignExtend(bits)) => {
                let inner = self.children(term)[0];
                let low = k.extract(width - bits - 1, 0);
                let extended = if matches!(op, Op::ZeroExtend(_)) {
                    low.zero_extend(bits)
                } else {
                    low.sign_extend(bits)
                };
                if extended != *k {
                    return Some(self.fls());
                }
                let low = self.bit_vector(&low);
                Some(self.eq(inner, low))
            }
            _ => None,
        }
    }

    /// Whether a bounded check proves that two terms of one sort differ under every assignment.
    pub(super) fn are_distinct(&self, a: Term, b: Term) -> bool {
        if a == b {
            return false;
        }
        if self.is_constant(a) && self.is_constant(b) {
            return true;
        }
        match self.sort(a) {
            // Sums of one base with constants; the terms are different, hence so are the constants.
            Sort::BitVec(_) => match (self.offset(a).0, self.offset(b).0) {
                (Some(x), Some(y)) => x == y,
                _ => false,
            },
            Sort::Int | Sort::Real => self.is_linear_offset(a, b),
            Sort::Bool => self.are_complements(a, b),
            _ => false,
        }
    }
}
