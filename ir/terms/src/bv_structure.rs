//! Concatenation, extraction and extension of bit vectors.
//!
//! Extractions move towards the leaves, through concatenations, extensions and other extractions,
//! so that reading a stored word yields the bytes that were stored. Adjacent extractions of one
//! term join, also below choices by one condition.

use super::{Op, Sort, Term, TermPool};

impl TermPool {
    /// Concatenates two bit vectors; `high` holds the more significant bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (width_high, width_low) = (self.width(high), self.width(low));
        let width = width_high.checked_add(width_low).expect("a width should be less than 2^32");
        if let (Some(x), Some(y)) = (self.as_bit_vector(high), self.as_bit_vector(low)) {
            return self.bit_vector(&x.concat(&y));
        }
        if let Some(lifted) = self.lift2(high, low, TermPool::concat) {
            return lifted;
        }
        if self.as_bv_u64(high) == Some(0) {
            return self.zero_extend(width_high, low);
        }
        if let Op::ZeroExtend(bits) = self.op(high) {
            let inner = self.children(high)[0];
            let joined = self.concat(inner, low);
            return self.zero_extend(bits, joined);
        }
        if let Some(joined) = self.join(high, low) {
            return joined;
        }
        // The adjacent parts may be inside a concatenation on either side.
        if self.op(high) == Op::Concat
            && let [upper, inner] = *self.children(high)
            && let Some(joined) = self.join(inner, low)
        {
            return self.concat(upper, joined);
        }
        if self.op(low) == Op::Concat
            && let [inner, lower] = *self.children(low)
            && let Some(joined) = self.join(high, inner)
        {
            return self.concat(joined, lower);
        }
        self.intern(Op::Concat, Sort::BitVec(width), &[high, low])
    }

    /// Joins two adjacent parts into a term that is simpler than their concatenation.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        match (self.op(high), self.op(low)) {
            (Op::BvConst(_), Op::BvConst(_)) => {
                let value = self.as_bit_vector(high)?.concat(&self.as_bit_vector(low)?);
                Some(self.bit_vector(&value))
            }
            (Op::Extract { high: top, low: middle }, Op::Extract { high: below, low: bottom })
                if middle == below + 1 && self.children(high) == self.children(low) =>
            {
                let term = self.children(high)[0];
                Some(self.extract(top, bottom, term))
            }
            // A choice between two values that was made byte by byte.
            (Op::Ite, Op::Ite) => {
                let [condition, high_then, high_else] = *self.children(high) else {
                    unreachable!("a choice has three children")
                };
                let [same, low_then, low_else] = *self.children(low) else {
                    unreachable!("a choice has three children")
                };
                if condition != same {
                    return None;
                }
                self.nested(|pool| {
                    let then = pool.join(high_then, low_then)?;
                    let otherwise = pool.join(high_else, low_else)?;
                    Some(pool.ite(condition, then, otherwise))
                })
            }
            // An extraction of all bits of a term is the term, not an `Extract` node.
            _ => None,
        }
    }

    /// Bits `low` to `high` of `a`, both inclusive.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!(
            low <= high && high < width,
            "the bits {high} to {low} should lie in the {width} bits of {a}"
        );
        if low == 0 && high == width - 1 {
            return a;
        }
        let narrow = high - low + 1;
        match self.op(a) {
            Op::BvConst(_) => {
                let value = self.as_bit_vector(a).expect("a constant").extract(high, low);
                return self.bit_vector(&value);
            }
            Op::Extract { low: offset, .. } => {
                let inner = self.children(a)[0];
                return self.extract(high + offset, low + offset, inner);
            }
            Op::Concat => {
                let [upper, lower] = *self.children(a) else {
                    unreachable!("a concatenation has two children")
                };
                let split = self.width(lower);
                if high < split {
                    return self.extract(high, low, lower);
                }
                if low >= split {
                    return self.extract(high - split, low - split, upper);
                }
                let both = self.nested(|pool| {
                    let upper = pool.extract(high - split, 0, upper);
                    let lower = pool.extract(split - 1, low, lower);
                    Some(pool.concat(upper, lower))
                });
                if let Some(both) = both {
                    return both;
                }
            }
            op @ (Op::ZeroExtend(bits) | Op::SignExtend(bits)) => {
                let inner = self.children(a)[0];
                let inner_width = width - bits;
                let is_zero = matches!(op, Op::ZeroExtend(_));
                if high < inner_width {
                    return self.extract(high, low, inner);
                }
                if low < inner_width {
                    let kept = self.extract(inner_width - 1, low, inner);
                    let bits = high + 1 - inner_width;
                    return if is_zero { self.zero_extend(bits, kept) } else { self.sign_extend(bits, kept) };
                }
                if is_zero {
                    return self.bv(narrow, 0);
                }
                let sign = self.extract(inner_width - 1, inner_width - 1, inner);
                return self.sign_extend(narrow - 1, sign);
            }
            Op::Ite => {
                if let Some(lifted) = self.lift(a, |pool, x| pool.extract(high, low, x)) {
                    return lifted;
                }
            }
            op @ (Op::BvAnd | Op::BvOr | Op::BvXor) => {
                let [x, y] = *self.children(a) else { unreachable!("a binary operator has two children") };
                if self.is_constant(x)
                    || self.is_constant(y)
                    || self.is_extracted_cheaply(x, high) && self.is_extracted_cheaply(y, high)
                {
                    let narrow = self.nested(|pool| Some(pool.extract_operands(op, high, low, x, y)));
                    if let Some(narrow) = narrow {
                        return narrow;
                    }
                }
            }
            op @ (Op::BvAdd | Op::BvSub | Op::BvMul) if low == 0 => {
                let [x, y] = *self.children(a) else { unreachable!("a binary operator has two children") };
                if self.is_extracted_cheaply(x, high) && self.is_extracted_cheaply(y, high) {
                    return self.extract_operands(op, high, low, x, y);
                }
            }
            Op::BvNot => {
                let inner = self.children(a)[0];
                if self.is_extracted_cheaply(inner, high) {
                    let inner = self.extract(high, low, inner);
                    return self.bv_not(inner);
                }
            }
            _ => {}
        }
        self.intern(Op::Extract { high, low }, Sort::BitVec(narrow), &[a])
    }

    /// Whether an extraction up to bit `high` of `term` creates no `Extract` of a wide term.
    fn is_extracted_cheaply(&self, term: Term, high: u32) -> bool {
        match self.op(term) {
            Op::BvConst(_) => true,
            Op::ZeroExtend(_) | Op::SignExtend(_) => high + 1 >= self.width(self.children(term)[0]),
            _ => false,
        }
    }

    fn extract_operands(&mut self, op: Op, high: u32, low: u32, x: Term, y: Term) -> Term {
        let x = self.extract(high, low, x);
        let y = self.extract(high, low, y);
        self.bv_binary(op, x, y)
    }

    /// Adds `bits` high zero bits (0 is the identity).
    pub fn zero_extend(&mut self, bits: u32, a: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return a;
        }
        let wide = width.checked_add(bits).expect("a width should be less than 2^32");
        match self.op(a) {
            Op::BvConst(_) => {
                let value = self.as_bit_vector(a).expect("a constant").zero_extend(bits);
                return self.bit_vector(&value);
            }
            Op::ZeroExtend(more) => {
                let inner = self.children(a)[0];
                return self.intern(Op::ZeroExtend(bits + more), Sort::BitVec(wide), &[inner]);
            }
            Op::Ite => {
                if let Some(lifted) = self.lift(a, |pool, x| pool.zero_extend(bits, x)) {
                    return lifted;
                }
            }
            _ => {}
        }
        self.intern(Op::ZeroExtend(bits), Sort::BitVec(wide), &[a])
    }

    /// Adds `bits` copies of the sign bit (0 is the identity).
    pub fn sign_extend(&mut self, bits: u32, a: Term) -> Term {
        let width = self.width(a);
        if bits == 0 {
            return a;
        }
        let wide = width.checked_add(bits).expect("a width should be less than 2^32");
        match self.op(a) {
            Op::BvConst(_) => {
                let value = self.as_bit_vector(a).expect("a constant").sign_extend(bits);
                return self.bit_vector(&value);
            }
            // The sign of a zero extension is 0.
            Op::ZeroExtend(more) => {
                let inner = self.children(a)[0];
                return self.intern(Op::ZeroExtend(bits + more), Sort::BitVec(wide), &[inner]);
            }
            Op::SignExtend(more) => {
                let inner = self.children(a)[0];
                return self.intern(Op::SignExtend(bits + more), Sort::BitVec(wide), &[inner]);
            }
            Op::Ite => {
                if let Some(lifted) = self.lift(a, |pool, x| pool.sign_extend(bits, x)) {
                    return lifted;
                }
            }
            _ => {}
        }
        self.intern(Op::SignExtend(bits), Sort::BitVec(wide), &[a])
    }
}
