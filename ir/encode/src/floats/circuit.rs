//! Small circuits over bit vectors: the components of float operations.

use num_bigint::BigInt;
use terms::{Term, TermPool};

/// The number of bits of a number between 0 and `most`, at least one.
pub(super) fn bits_of(most: u64) -> u32 {
    (64 - most.leading_zeros()).max(1)
}

/// The number of bits in two's complement of an integer of magnitude at most `most`.
pub(super) fn signed_bits_of(most: i64) -> u32 {
    bits_of(most.unsigned_abs()) + 1
}

/// Builds terms; a `bit` is of sort Bool, everything else is a bit vector.
pub(super) struct Circuit<'p> {
    pub(super) pool: &'p mut TermPool,
}

impl Circuit<'_> {
    pub(super) fn zeros(&mut self, width: u32) -> Term {
        self.pool.bv(width, 0)
    }

    pub(super) fn ones(&mut self, width: u32) -> Term {
        self.pool.bv_big(width, &BigInt::from(-1))
    }

    pub(super) fn bit(&mut self, term: Term, index: u32) -> Term {
        let bit = self.pool.extract(index, index, term);
        let one = self.pool.bv(1, 1);
        self.pool.eq(bit, one)
    }

    pub(super) fn top(&mut self, term: Term) -> Term {
        let width = self.pool.width(term);
        self.bit(term, width - 1)
    }

    /// The bit as a bit vector of width `width`.
    pub(super) fn number(&mut self, bit: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        self.pool.ite(bit, one, zero)
    }

    pub(super) fn is_zero(&mut self, term: Term) -> Term {
        let zero = self.zeros(self.pool.width(term));
        self.pool.eq(term, zero)
    }

    pub(super) fn is_nonzero(&mut self, term: Term) -> Term {
        let is_zero = self.is_zero(term);
        self.pool.not(is_zero)
    }

    pub(super) fn is_ones(&mut self, term: Term) -> Term {
        let ones = self.ones(self.pool.width(term));
        self.pool.eq(term, ones)
    }

    pub(super) fn both(&mut self, a: Term, b: Term) -> Term {
        self.pool.and2(a, b)
    }

    pub(super) fn either(&mut self, a: Term, b: Term) -> Term {
        self.pool.or2(a, b)
    }

    /// Bits `high` to `low` of `term`, both inclusive.
    pub(super) fn slice(&mut self, term: Term, high: u32, low: u32) -> Term {
        self.pool.extract(high, low, term)
    }

    /// Appends zeros below, up to `width` bits.
    pub(super) fn pad(&mut self, term: Term, width: u32) -> Term {
        match width - self.pool.width(term) {
            0 => term,
            missing => {
                let zeros = self.zeros(missing);
                self.pool.concat(term, zeros)
            }
        }
    }

    /// Zero-extends to `width` bits, at least its own width.
    pub(super) fn widen(&mut self, term: Term, width: u32) -> Term {
        let own = self.pool.width(term);
        self.pool.zero_extend(width - own, term)
    }

    /// Sign-extends to `width` bits, at least its own width.
    pub(super) fn widen_signed(&mut self, term: Term, width: u32) -> Term {
        let own = self.pool.width(term);
        self.pool.sign_extend(width - own, term)
    }

    pub(super) fn add_constant(&mut self, term: Term, constant: i64) -> Term {
        let constant = self.pool.bv_i64(self.pool.width(term), constant);
        self.pool.bv_add(term, constant)
    }

    /// `min(term, most)`, unsigned, in as many bits as `most` needs.
    pub(super) fn at_most(&mut self, term: Term, most: u64) -> Term {
        let (width, needed) = (self.pool.width(term), bits_of(most));
        if needed >= width {
            let term = self.widen(term, needed);
            let most = self.pool.bv(needed, most);
            let is_more = self.pool.bv_ult(most, term);
            return self.pool.ite(is_more, most, term);
        }
        let limit = self.pool.bv(width, most);
        let is_more = self.pool.bv_ult(limit, term);
        let low = self.pool.extract(needed - 1, 0, term);
        let most = self.pool.bv(needed, most);
        self.pool.ite(is_more, most, low)
    }

    /// `term >> amount`; the lowest bit of the result is set if a one was shifted out.
    pub(super) fn shift_right_sticky(&mut self, term: Term, amount: Term) -> Term {
        let width = self.pool.width(term);
        let mut shifted = term;
        let mut lost = self.pool.fls();
        for stage in 0..self.pool.width(amount) {
            let is_on = self.bit(amount, stage);
            let distance = 1u64 << stage.min(62);
            let (next, cut) = if distance >= u64::from(width) {
                let cut = self.is_nonzero(shifted);
                (self.zeros(width), cut)
            } else {
                let distance = distance as u32;
                let cut = self.slice(shifted, distance - 1, 0);
                let cut = self.is_nonzero(cut);
                let kept = self.slice(shifted, width - 1, distance);
                (self.widen(kept, width), cut)
            };
            let is_lost = self.both(is_on, cut);
            lost = self.either(lost, is_lost);
            shifted = self.pool.ite(is_on, next, shifted);
        }
        let lost = self.number(lost, width);
        self.pool.bv_or(shifted, lost)
    }

    /// `term << amount`, in the same width.
    pub(super) fn shift_left(&mut self, term: Term, amount: Term) -> Term {
        let width = self.pool.width(term);
        let mut shifted = term;
        for stage in 0..self.pool.width(amount) {
            let is_on = self.bit(amount, stage);
            let next = self.shifted_left(shifted, 1u64 << stage.min(62), width);
            shifted = self.pool.ite(is_on, next, shifted);
        }
        shifted
    }

    fn shifted_left(&mut self, term: Term, distance: u64, width: u32) -> Term {
        if distance >= u64::from(width) {
            return self.zeros(width);
        }
        let kept = self.slice(term, width - 1 - distance as u32, 0);
        self.pad(kept, width)
    }

    /// Shifts `term` left until its highest bit is set; returns the result and the amount. For zero
    /// the amount is an unspecified number below twice the width.
    pub(super) fn normalize(&mut self, term: Term) -> (Term, Term) {
        let width = self.pool.width(term);
        let stages = bits_of(u64::from(width - 1));
        let (mut shifted, mut amount) = (term, None);
        for stage in (0..stages).rev() {
            let distance = 1u32 << stage;
            let is_on = if distance >= width {
                self.pool.fls()
            } else {
                let high = self.slice(shifted, width - 1, width - distance);
                self.is_zero(high)
            };
            let next = self.shifted_left(shifted, u64::from(distance), width);
            shifted = self.pool.ite(is_on, next, shifted);
            let digit = self.number(is_on, 1);
            amount = Some(match amount {
                None => digit,
                Some(amount) => self.pool.concat(amount, digit),
            });
        }
        (shifted, amount.expect("a number takes at least one bit"))
    }

    /// Shifts `term` left until its highest bit is set, but at most by `budget` (unsigned); returns
    /// the result and the unused budget.
    ///
    /// Greedy from the longest shift down, which yields the binary digits of the lesser of the two
    /// amounts.
    pub(super) fn normalize_within(&mut self, term: Term, budget: Term) -> (Term, Term) {
        let width = self.pool.width(term);
        let stages = bits_of(u64::from(width - 1));
        let wide = self.pool.width(budget).max(stages);
        let mut left = self.widen(budget, wide);
        let mut shifted = term;
        for stage in (0..stages).rev() {
            let distance = 1u32 << stage;
            if distance >= width {
                continue;
            }
            let high = self.slice(shifted, width - 1, width - distance);
            let is_free = self.is_zero(high);
            let amount = self.pool.bv(wide, u64::from(distance));
            let is_allowed = self.pool.bv_ule(amount, left);
            let is_on = self.both(is_free, is_allowed);
            let next = self.shifted_left(shifted, u64::from(distance), width);
            shifted = self.pool.ite(is_on, next, shifted);
            let less = self.pool.bv_sub(left, amount);
            left = self.pool.ite(is_on, less, left);
        }
        (shifted, left)
    }

    /// `⌊a · 2^(digits-1) / b⌋` in `digits` bits, and whether the remainder is nonzero; requires
    /// `a < 2b` of one width and `b ≠ 0`.
    pub(super) fn divide(&mut self, a: Term, b: Term, digits: u32) -> (Term, Term) {
        let width = self.pool.width(a) + 1;
        let (mut rest, divisor) = (self.widen(a, width), self.widen(b, width));
        let mut quotient = None;
        for step in 0..digits {
            if step > 0 {
                rest = self.shifted_left(rest, 1, width);
            }
            let fits = self.pool.bv_ule(divisor, rest);
            let less = self.pool.bv_sub(rest, divisor);
            rest = self.pool.ite(fits, less, rest);
            let digit = self.number(fits, 1);
            quotient = Some(match quotient {
                None => digit,
                Some(quotient) => self.pool.concat(quotient, digit),
            });
        }
        let is_left = self.is_nonzero(rest);
        (quotient.expect("at least one digit"), is_left)
    }

    /// `⌊√a⌋` in half as many bits as `a`, which has an even number of bits, and whether the
    /// remainder is nonzero. Digit by digit.
    pub(super) fn square_root(&mut self, a: Term) -> (Term, Term) {
        let digits = self.pool.width(a) / 2;
        let mut root: Option<Term> = None;
        // At most twice the root, so it fits in one more bit.
        let mut rest: Option<Term> = None;
        for step in 0..digits {
            let pair = self.slice(a, 2 * (digits - step) - 1, 2 * (digits - step) - 2);
            let width = step + 3;
            let next = match rest {
                None => self.widen(pair, width),
                Some(rest) => self.pool.concat(rest, pair),
            };
            let one = self.pool.bv(2, 1);
            let trial = match root {
                None => one,
                Some(root) => self.pool.concat(root, one),
            };
            let trial = self.widen(trial, width);
            let fits = self.pool.bv_ule(trial, next);
            let less = self.pool.bv_sub(next, trial);
            let left = self.pool.ite(fits, less, next);
            let digit = self.number(fits, 1);
            root = Some(match root {
                None => digit,
                Some(root) => self.pool.concat(root, digit),
            });
            // After `step + 1` digits the rest is at most twice a root of `step + 1` bits.
            rest = Some(self.slice(left, step + 1, 0));
        }
        let rest = rest.expect("at least one digit");
        let is_left = self.is_nonzero(rest);
        (root.expect("at least one digit"), is_left)
    }
}
