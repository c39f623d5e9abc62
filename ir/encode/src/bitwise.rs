//! Bitwise conjunction, disjunction and exclusive disjunction.
//!
//! Given `x & y`, the others are linear: `x | y = x + y - (x & y)` and `x ^ y = x + y - 2(x & y)`.
//! A single function therefore suffices, and its axioms apply to all three. A conjunction is exact
//! * with a constant of few runs of ones: each run from bit `i` to `j` yields
//!   `((x div 2^i) mod 2^(j-i)) * 2^i`; masks, single bits and alignments are one run;
//! * with an operand that is 0 or 1 (C's truth values): `ite(y = 1, x mod 2, 0)`;
//! * of operands without a common bit, one below `2^k` and the other a multiple of it (concatenated
//!   bytes): 0.
//!
//! Otherwise it is an uninterpreted function with `0 ≤ x&y ≤ x, y`, `x + y - (2^w - 1) ≤ x&y`, and
//! `x & x = x`.

use super::number::{Number, integer};
use super::{ApproximationKind, EncodeError, Encoder, Overflow};
use terms::{Op, Representation, Sort, Term, TermPool};

/// The greatest number of runs of ones in a constant that is decomposed.
const MOST_RUNS: usize = 4;

impl Encoder {
    pub(super) fn bitwise(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        width: u32,
    ) -> Result<Number, EncodeError> {
        let op = pool.op(term);
        let children = pool.children(term).to_vec();
        let mut total = self.number(pool, children[0])?;
        for &child in &children[1..] {
            let next = self.number(pool, child)?;
            let both = self.conjunction(pool, term, total, next, width);
            total = match op {
                Op::BvAnd => both,
                _ => {
                    let sum = self.add(pool, total, next);
                    let factor = if op == Op::BvOr { -1 } else { -2 };
                    let correction = self.multiple(pool, factor, both);
                    let raw = self.add(pool, sum, correction);
                    self.settle(pool, raw, width)
                }
            };
        }
        // If overflow is ignored, no other operation would truncate bits beyond the width.
        Ok(match op {
            Op::BvAnd => total,
            _ => self.tighten(pool, total, &children, width)?,
        })
    }

    /// The result of `|` or `^` of numbers in `0..2^k` is in `0..2^k`, which the interval of the
    /// sum does not show.
    fn tighten(
        &mut self,
        pool: &mut TermPool,
        number: Number,
        children: &[Term],
        width: u32,
    ) -> Result<Number, EncodeError> {
        let mut most = 0i128;
        for &child in children {
            let child = self.number(pool, child)?;
            if child.low < 0 || child.high >= 1i128 << (width - 1) {
                return Ok(number);
            }
            most = most.max(child.high);
        }
        let bound = most
            .checked_add(1)
            .and_then(|end| u128::try_from(end).ok())
            .map_or(i128::MAX, |end| i128::try_from(end.next_power_of_two()).unwrap_or(i128::MAX));
        // The number is congruent to a value in `0..bound`, and equal to it because both operands
        // were used without normalization.
        Ok(Number { low: number.low.max(0), high: number.high.min(bound - 1), ..number })
    }

    fn conjunction(&mut self, pool: &mut TermPool, source: Term, a: Number, b: Number, width: u32) -> Number {
        for (mask, value) in [(a, b), (b, a)] {
            if mask.constant().is_some() {
                let mask = self.reduce(pool, mask, width, Representation::Unsigned);
                let bits = mask.constant().expect("reducing keeps constants");
                let runs = runs(bits, width);
                if runs.len() <= MOST_RUNS {
                    return self.masked(pool, value, &runs, width);
                }
            }
        }
        for (bit, value) in [(a, b), (b, a)] {
            if bit.low >= 0 && bit.high <= 1 {
                let one = pool.int(1);
                let is_one = pool.eq(bit.term, one);
                let parity = self.remainder(pool, value, 2);
                let zero = self.constant(pool, 0);
                return self.choose(pool, is_one, parity, zero, width);
            }
        }
        for (above, below) in [(a, b), (b, a)] {
            if below.low >= 0 && below.high < 1i128 << trailing_zeros(pool, above.term).min(width) {
                return self.constant(pool, 0);
            }
        }
        self.approximate(source, ApproximationKind::Bitwise);
        let a = self.reduce(pool, a, width, Representation::Unsigned);
        let b = self.reduce(pool, b, width, Representation::Unsigned);
        let (x, y) = if a.term <= b.term { (a, b) } else { (b, a) };
        let function = pool.function_symbol("int.and", &[Sort::Int, Sort::Int], Sort::Int);
        let term = pool.apply(function, &[x.term, y.term]);
        let result = Number { term, low: 0, high: x.high.min(y.high), hint: Some(Representation::Unsigned) };
        self.constrain_range(pool, &result);
        let facts = [pool.le(term, x.term), pool.le(term, y.term)];
        for fact in facts {
            self.constrain(pool, fact);
        }
        let sum = pool.add(&[x.term, y.term]);
        let ones = integer(pool, (1i128 << width) - 1);
        let least = pool.sub(sum, ones);
        let fact = pool.le(least, term);
        self.constrain(pool, fact);
        let is_same = pool.eq(x.term, y.term);
        let is_operand = pool.eq(term, x.term);
        let idempotent = pool.implies(is_same, is_operand);
        self.constrain(pool, idempotent);
        result
    }

    /// The bits of `value` in the runs `[from, to)`, in their positions.
    fn masked(&mut self, pool: &mut TermPool, value: Number, runs: &[(u32, u32)], width: u32) -> Number {
        let mut total = self.constant(pool, 0);
        // If overflow is ignored, numbers have infinitely many upper bits.
        let is_small = self.overflow == Overflow::Ignore || value.low >= 0 && value.high < 1i128 << width;
        for &(from, to) in runs {
            let shifted = self.floor_divide(pool, value, 1i128 << from);
            // The uppermost run needs no truncation if there are no bits above it.
            let part = if is_small && to == width {
                shifted
            } else {
                self.remainder(pool, shifted, 1i128 << (to - from))
            };
            let part = self.multiple(pool, 1i128 << from, part);
            total = self.add(pool, total, part);
        }
        Number { hint: total.hint.map(|_| Representation::Unsigned), ..total }
    }
}

/// The greatest number of subterms inspected for trailing zeros.
const LOOKED_AT: usize = 64;

/// A lower bound on the number of trailing zeros in the two's complement of every value of an
/// integer term.
fn trailing_zeros(pool: &TermPool, term: Term) -> u32 {
    // The minimum over all summands and branches; a product adds the trailing zeros of its
    // constant.
    let mut least = u32::MAX;
    let mut work = vec![(term, 0u32)];
    for _ in 0..LOOKED_AT {
        let Some((term, zeros)) = work.pop() else { return least };
        let children = pool.children(term);
        match pool.op(term) {
            Op::IntConst(_) => {
                let value = pool.as_int(term).expect("the operator is an integer constant");
                let own = value.trailing_zeros().map_or(u32::MAX, |own| own.min(1 << 16) as u32);
                least = least.min(zeros.saturating_add(own));
            }
            Op::Mul => match (constant_zeros(pool, children[0]), constant_zeros(pool, children[1])) {
                (Some(own), _) => work.push((children[1], zeros.saturating_add(own))),
                (_, Some(own)) => work.push((children[0], zeros.saturating_add(own))),
                _ => work.extend(children.iter().map(|&child| (child, zeros)).take(1)),
            },
            Op::Add | Op::Sub | Op::Neg => work.extend(children.iter().map(|&child| (child, zeros))),
            // x mod m = x - m ⌊x / m⌋
            Op::IntMod if constant_zeros(pool, children[1]).is_some() => {
                work.extend(children.iter().map(|&child| (child, zeros)));
            }
            Op::Ite => work.extend(children[1..].iter().map(|&child| (child, zeros))),
            _ => least = least.min(zeros),
        }
        if least == 0 {
            return 0;
        }
    }
    if work.is_empty() { least } else { 0 }
}

fn constant_zeros(pool: &TermPool, term: Term) -> Option<u32> {
    pool.as_int(term)?.trailing_zeros().map(|zeros| zeros.min(1 << 16) as u32)
}

/// The maximal runs of ones in the lowest `width` bits of `bits`.
fn runs(bits: i128, width: u32) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    let mut start = None;
    for bit in 0..=width {
        let is_set = bit < width && (bits >> bit) & 1 == 1;
        match (is_set, start) {
            (true, None) => start = Some(bit),
            (false, Some(from)) => {
                runs.push((from, bit));
                start = None;
            }
            _ => {}
        }
    }
    runs
}
