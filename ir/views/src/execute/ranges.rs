//! Ranges of terms, which decide conditions while a program is executed symbolically.
//!
//! The address of an access in a loop is a choice between constants, such as `ite(c, a + 1, a +
//! 2)`: the solver would have to find out that both belong to one object, for each check of each
//! access. A range is the least and the greatest value of a bit vector as an unsigned number,
//! computed from the structure of the term alone, without the conditions of the path. It gives the
//! upper bits of such an address, so that the size of its object is read from the shadow at a
//! constant index, and decides many of the comparisons with it.
//!
//! Rules, where the children have the ranges `[l, h]`: the hull of both branches of an `ite`; sums
//! whose carry is the same at both ends; products with a constant; `zero_extend`, `sign_extend` of
//! natural numbers; `concat`; `extract` of bits above which both ends agree; at most the least `h`
//! for `bvand`. All other terms have any value. A stride gives the addresses of the elements of an
//! array.
//!
//! Cost: each term is visited once, O(1) per child. Limits: vectors of at most 64 bits.

use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// The least and the greatest value, and the greatest number that divides the distances of all
/// values from the least; 0 if there is one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    low: u64,
    high: u64,
    stride: u64,
}

impl Range {
    fn up_to(high: u64) -> Self {
        Range { low: 0, high, stride: u64::from(high > 0) }
    }

    /// The sum of two ranges as natural numbers, with the stride.
    fn plus(self, other: Self) -> (u128, u128, u64) {
        let low = u128::from(self.low) + u128::from(other.low);
        let high = u128::from(self.high) + u128::from(other.high);
        (low, high, gcd(self.stride, other.stride))
    }
}

/// The ranges of the terms seen so far.
#[derive(Default)]
pub(super) struct Ranges {
    known: FxHashMap<Term, Range>,
    stack: Vec<Term>,
}

impl Ranges {
    /// Returns the constant equal to `term` if ranges determine it, otherwise `term`.
    pub(super) fn fold(&mut self, pool: &mut TermPool, term: Term) -> Term {
        let children = pool.children(term);
        match (pool.op(term), children) {
            (Op::BvConst(_) | Op::Symbol(_), _) => term,
            (op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Eq), &[left, right]) => {
                match self.compare(pool, op, left, right) {
                    Some(true) => pool.tru(),
                    Some(false) => pool.fls(),
                    None => term,
                }
            }
            _ if mask(pool, term).is_some() => match self.range(pool, term) {
                Range { low, high, .. } if low == high => pool.bv(pool.width(term), low),
                _ => term,
            },
            _ => term,
        }
    }

    /// The value of a comparison that ranges decide.
    fn compare(&mut self, pool: &TermPool, op: Op, left: Term, right: Term) -> Option<bool> {
        let mask = mask(pool, left)?;
        let Range { low, high, .. } = self.range(pool, left);
        let Range { low: other_low, high: other_high, .. } = self.range(pool, right);
        let is_natural = high.max(other_high) <= mask >> 1;
        match op {
            Op::Eq if high < other_low || other_high < low => Some(false),
            Op::Eq => (low == high && (low, high) == (other_low, other_high)).then_some(true),
            Op::BvSlt | Op::BvSle if !is_natural => None,
            Op::BvUlt | Op::BvSlt if high < other_low => Some(true),
            Op::BvUlt | Op::BvSlt if low >= other_high => Some(false),
            Op::BvUle | Op::BvSle if high <= other_low => Some(true),
            Op::BvUle | Op::BvSle if low > other_high => Some(false),
            _ => None,
        }
    }

    /// The range of a bit vector of at most 64 bits.
    fn range(&mut self, pool: &TermPool, term: Term) -> Range {
        self.stack.clear();
        self.stack.push(term);
        while let Some(&current) = self.stack.last() {
            if self.known.contains_key(&current) {
                self.stack.pop();
                continue;
            }
            let operands = operands(pool, current);
            let before = self.stack.len();
            let known = &self.known;
            self.stack.extend(operands.iter().copied().filter(|operand| !known.contains_key(operand)));
            if self.stack.len() == before {
                let range = self.combine(pool, current, operands);
                self.known.insert(current, range);
                self.stack.pop();
            }
        }
        self.known[&term]
    }

    /// The values of a bit vector in ascending order, if there are at most `most`.
    pub(super) fn values(
        &mut self,
        pool: &TermPool,
        term: Term,
        most: u64,
    ) -> Option<impl Iterator<Item = u64> + use<>> {
        mask(pool, term)?;
        let Range { low, high, stride } = self.range(pool, term);
        let count = (high - low).checked_div(stride).unwrap_or(0);
        (count < most).then(|| (0..=count).map(move |number| low + number * stride))
    }

    /// The range of a term whose operands have known ranges.
    fn combine(&self, pool: &TermPool, term: Term, operands: &[Term]) -> Range {
        let mask = mask(pool, term).expect("only vectors of at most 64 bits have ranges");
        if let Some(value) = pool.as_bv_u64(term) {
            return Range { low: value, high: value, stride: 0 };
        }
        let ranges = operands.iter().map(|operand| self.known[operand]);
        let hull = |a: Range, b: Range| Range {
            low: a.low.min(b.low),
            high: a.high.max(b.high),
            stride: gcd(gcd(a.stride, b.stride), a.low.abs_diff(b.low)),
        };
        let sum = |a: Range, b: Range| {
            let (low, high, stride) = a.plus(b);
            let modulus = u128::from(mask) + 1;
            match low / modulus == high / modulus {
                true => Range { low: (low % modulus) as u64, high: (high % modulus) as u64, stride },
                false => Range::up_to(mask),
            }
        };
        match (pool.op(term), operands) {
            (Op::Ite, _) => ranges.reduce(hull).unwrap_or(Range::up_to(mask)),
            (Op::BvAdd, _) => ranges.reduce(sum).unwrap_or(Range::up_to(mask)),
            (Op::BvAnd, _) => Range::up_to(ranges.map(|range| range.high).min().unwrap_or(mask)),
            (Op::ZeroExtend(_), &[operand]) => self.known[&operand],
            (Op::SignExtend(_), &[operand]) => {
                let range = self.known[&operand];
                match range.high >> (pool.width(operand) - 1) {
                    0 => range,
                    _ => Range::up_to(mask),
                }
            }
            (Op::BvMul, &[a, b]) => match (self.known[&a], self.known[&b]) {
                (factor @ Range { stride: 0, .. }, other) | (other, factor @ Range { stride: 0, .. })
                    if u128::from(other.high) * u128::from(factor.low) <= u128::from(mask) =>
                {
                    let times = |number: u64| number * factor.low;
                    Range { low: times(other.low), high: times(other.high), stride: times(other.stride) }
                }
                _ => Range::up_to(mask),
            },
            (Op::Concat, &[upper, lower]) => {
                let shift = pool.width(lower);
                let (upper, lower) = (self.known[&upper], self.known[&lower]);
                Range {
                    low: upper.low << shift | lower.low,
                    high: upper.high << shift | lower.high,
                    stride: gcd(upper.stride << shift, lower.stride),
                }
            }
            (Op::Extract { high, low }, &[operand]) => {
                let range = self.known[&operand];
                let above = |value: u64| value.checked_shr(high + 1).unwrap_or(0);
                match above(range.low) == above(range.high) {
                    true => {
                        let (first, last) = (range.low >> low & mask, range.high >> low & mask);
                        let is_same = low == 0 || first == last;
                        let stride = if first == last {
                            0
                        } else if is_same {
                            range.stride
                        } else {
                            1
                        };
                        Range { low: first, high: last, stride }
                    }
                    false => Range::up_to(mask),
                }
            }
            _ => Range::up_to(mask),
        }
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The children on whose ranges the range of a term depends; none if it has no rule.
fn operands(pool: &TermPool, term: Term) -> &[Term] {
    let children = pool.children(term);
    let operands = match (pool.op(term), children.len()) {
        (Op::Ite, _) => &children[1..],
        (Op::BvAdd | Op::BvAnd | Op::BvMul, _) => children,
        (Op::Concat, 2) | (Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. }, 1) => children,
        _ => &[],
    };
    match operands.iter().all(|&operand| mask(pool, operand).is_some()) {
        true => operands,
        false => &[],
    }
}

/// The greatest value of a bit vector of at most 64 bits; `None` for other terms.
fn mask(pool: &TermPool, term: Term) -> Option<u64> {
    match pool.sort(term) {
        Sort::BitVec(width @ 1..=64) => Some(u64::MAX >> (64 - width)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use terms::Representation;

    #[test]
    fn the_object_of_a_choice_of_addresses_is_known() {
        let mut pool = TermPool::new();
        let mut ranges = Ranges::default();
        let choice = pool.symbol_with("choice", Sort::Bool, Representation::Unsigned);
        let (near, far) = (pool.bv(64, 0x0300_0000_0000), pool.bv(64, 0x0300_0000_0007));
        let address = pool.ite(choice, near, far);
        let object = pool.extract(63, 40, address);
        let expected = pool.bv(24, 3);
        assert_eq!(ranges.fold(&mut pool, object), expected);
        let offset = pool.extract(39, 0, address);
        assert_eq!(ranges.fold(&mut pool, offset), offset);
        let end = pool.bv(40, 8);
        let is_inside = pool.bv_ult(offset, end);
        assert_eq!(ranges.fold(&mut pool, is_inside), pool.tru());
    }

    /// The operations of random terms, as choices of an operation and of its operands.
    fn steps() -> impl Strategy<Value = Vec<(u8, usize, usize, u64)>> {
        prop::collection::vec((0..12u8, any::<usize>(), any::<usize>(), any::<u64>()), 1..24)
    }

    proptest! {
        /// Every value of a random term lies in its range, and folded conditions keep their values.
        #[test]
        fn ranges_contain_all_values(steps in steps(), inputs in prop::collection::vec(any::<u8>(), 3)) {
            let mut pool = TermPool::new();
            let mut ranges = Ranges::default();
            // Terms of 8 bits with their values under the inputs.
            let mut terms: Vec<(Term, u64)> = Vec::new();
            for (number, &input) in inputs.iter().enumerate() {
                let name = format!("x{number}");
                let symbol = pool.symbol_with(&name, Sort::BitVec(8), Representation::Unsigned);
                terms.push((symbol, u64::from(input)));
            }
            for (operation, first, second, number) in steps {
                let ((a, x), (b, y)) = (terms[first % terms.len()], terms[second % terms.len()]);
                let constant = pool.bv(8, number);
                let value = number & 0xff;
                let (term, value) = match operation {
                    0 | 1 => (constant, value),
                    2 => (pool.bv_add(a, b), (x + y) & 0xff),
                    3 => (pool.bv_add(a, constant), (x + value) & 0xff),
                    4 => (pool.bv_and(a, constant), x & value),
                    5 => {
                        let (condition, is_less) = (pool.bv_ult(a, b), x < y);
                        let folded = ranges.fold(&mut pool, condition);
                        prop_assert_eq!(pool.as_bool(folded).unwrap_or(is_less), is_less);
                        (pool.ite(condition, constant, b), if is_less { value } else { y })
                    }
                    6 => {
                        let signed = |value: u64| value as u8 as i8;
                        let (condition, is_less) = (pool.bv_slt(a, b), signed(x) < signed(y));
                        let folded = ranges.fold(&mut pool, condition);
                        prop_assert_eq!(pool.as_bool(folded).unwrap_or(is_less), is_less);
                        (pool.ite(condition, a, constant), if is_less { x } else { value })
                    }
                    7 => {
                        let (condition, is_equal) = (pool.eq(a, b), x == y);
                        let folded = ranges.fold(&mut pool, condition);
                        prop_assert_eq!(pool.as_bool(folded).unwrap_or(is_equal), is_equal);
                        (pool.ite(condition, a, constant), if is_equal { x } else { value })
                    }
                    8 => {
                        let (upper, lower) = (pool.extract(7, 4, a), pool.extract(5, 2, b));
                        (pool.concat(upper, lower), x >> 4 << 4 | y >> 2 & 0xf)
                    }
                    9 => {
                        let factor = pool.bv(8, number & 7);
                        (pool.bv_mul(a, factor), (x * (number & 7)) & 0xff)
                    }
                    10 => {
                        let low = pool.extract(5, 0, a);
                        let wide = pool.sign_extend(2, low);
                        (wide, ((x << 2) as u8 as i8 >> 2) as u8 as u64)
                    }
                    _ => {
                        let low = pool.extract(4, 0, a);
                        (pool.zero_extend(3, low), x & 0x1f)
                    }
                };
                let range = ranges.range(&pool, term);
                prop_assert!(range.low <= value && value <= range.high, "{} is not in {:?}", value, range);
                prop_assert!((value - range.low).checked_rem(range.stride).unwrap_or(0) == 0, "{} is not in {:?}", value, range);
                terms.push((term, value));
            }
        }
    }
}
