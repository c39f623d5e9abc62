//! The values that an address can have: wrapped intervals with strides (Gange, Navas, Schachte,
//! Søndergaard, Stuckey, *Interval Analysis and Machine Arithmetic: Why Signedness Ignorance Is
//! Bliss*, TOPLAS 37:1, 2014).
//!
//! An interval of words starts anywhere and may wrap around, so a sum of a base and an index of
//! either sign has a small interval without a decision about signs. DIVERGENCE: a stride is kept,
//! the greatest known divisor of the differences of two values; addresses of elements have one.
//!
//! Conditions are not considered. Cost: one step for each distinct subterm, without recursion.

use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// The width of the widest words with intervals.
const MOST_BITS: u32 = 64;

/// The words `low + k * stride`, for all `k` with `k * stride <= span`, modulo a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: u64,
    /// The distance between the first and the last word, a multiple of the stride.
    pub(super) span: u64,
    /// 0 for a single word.
    pub(super) stride: u64,
}

/// The greatest word.
pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The greatest power of two that divides `value`; that of 0 is the greatest of the width.
fn power_of_two(value: u64, width: u32) -> u64 {
    1 << value.trailing_zeros().min(width - 1)
}

impl Range {
    fn of(word: u64) -> Self {
        Range { low: word, span: 0, stride: 0 }
    }

    /// All words of a width that are congruent to `word`, modulo the greatest power of two that
    /// divides `stride`.
    fn congruent(word: u64, stride: u64, width: u32) -> Self {
        let stride = power_of_two(stride, width);
        Range { low: word % stride, span: mask(width) - (stride - 1), stride }
    }

    fn all(width: u32) -> Self {
        Range { low: 0, span: mask(width), stride: 1 }
    }

    /// The words up to `high`.
    fn up_to(high: u64) -> Self {
        Range { low: 0, span: high, stride: u64::from(high > 0) }
    }

    /// The number of words, less one.
    pub(super) fn others(self) -> u64 {
        self.span.checked_div(self.stride).unwrap_or(0)
    }

    /// Whether `word` is one of the words of this width.
    pub(super) fn contains(self, word: u64, width: u32) -> bool {
        let distance = word.wrapping_sub(self.low) & mask(width);
        distance <= self.span && (distance == 0 || self.stride != 0 && distance.is_multiple_of(self.stride))
    }

    /// Whether no word of this width is in both.
    pub(super) fn is_disjoint(self, other: Range, width: u32) -> bool {
        let distance = other.low.wrapping_sub(self.low) & mask(width);
        let back = self.low.wrapping_sub(other.low) & mask(width);
        // Strides other than powers of two mean nothing around the end of the words.
        let common = power_of_two(gcd(self.stride, other.stride), width);
        distance > self.span && back > other.span || !distance.is_multiple_of(common)
    }

    /// The greatest word, unless the interval wraps around.
    pub(super) fn high(self, width: u32) -> Option<u64> {
        self.low.checked_add(self.span).filter(|&high| high <= mask(width))
    }

    pub(super) fn plus(self, other: Range, width: u32) -> Self {
        let low = self.low.wrapping_add(other.low) & mask(width);
        let stride = gcd(self.stride, other.stride);
        match self.span.checked_add(other.span).filter(|&span| span <= mask(width)) {
            Some(span) => Range { low, span, stride },
            None => Range::congruent(low, stride, width),
        }
    }

    fn negated(self, width: u32) -> Self {
        let last = self.low.wrapping_add(self.span);
        Range { low: last.wrapping_neg() & mask(width), ..self }
    }

    pub(super) fn times(self, factor: u64, width: u32) -> Self {
        let factor = factor & mask(width);
        let opposite = factor.wrapping_neg() & mask(width);
        if factor > opposite {
            return self.times(opposite, width).negated(width);
        }
        let low = self.low.wrapping_mul(factor) & mask(width);
        match self.span.checked_mul(factor).filter(|&span| span <= mask(width)) {
            // The stride is at most the span.
            Some(span) => Range { low, span, stride: self.stride * factor },
            None => {
                let power = power_of_two(self.stride, width).trailing_zeros() + factor.trailing_zeros();
                Range::congruent(low, 1 << power.min(width - 1), width)
            }
        }
    }

    /// The smaller of the two intervals that contain both.
    fn hull(self, other: Range, width: u32) -> Self {
        let from = |first: Range, second: Range| {
            let distance = second.low.wrapping_sub(first.low) & mask(width);
            let end = distance.checked_add(second.span).filter(|&end| end <= mask(width))?;
            let stride = gcd(gcd(first.stride, second.stride), distance);
            Some(Range { low: first.low, span: first.span.max(end), stride })
        };
        let distance = other.low.wrapping_sub(self.low) & mask(width);
        [from(self, other), from(other, self)]
            .into_iter()
            .flatten()
            .min_by_key(|range| range.span)
            .unwrap_or_else(|| {
                Range::congruent(self.low, gcd(gcd(self.stride, other.stride), distance), width)
            })
    }

    /// Zero-extends words of a width.
    fn zero_extended(self, width: u32) -> Self {
        match self.high(width) {
            Some(_) => self,
            None => Range::congruent(self.low, self.stride, width),
        }
    }

    /// Sign-extends words of width `from` to `to`.
    fn sign_extended(self, from: u32, to: u32) -> Self {
        let half = 1 << (from - 1);
        let shifted = Range { low: self.low.wrapping_add(half) & mask(from), ..self }.zero_extended(from);
        Range { low: shifted.low.wrapping_sub(half) & mask(to), ..shifted }
    }

    /// The words without the `count` lowest bits.
    fn shifted_right(self, count: u32, width: u32) -> Self {
        let Some(high) = self.high(width) else { return Range::up_to(mask(width) >> count) };
        let unit = 1u64 << count;
        match self.low.is_multiple_of(unit) && self.stride.is_multiple_of(unit) {
            true => Range { low: self.low >> count, span: self.span >> count, stride: self.stride >> count },
            false => {
                let span = (high >> count) - (self.low >> count);
                Range { low: self.low >> count, span, stride: u64::from(span > 0) }
            }
        }
    }

    /// The lowest `width` bits of the words.
    fn truncated(self, width: u32) -> Self {
        let low = self.low & mask(width);
        match self.span <= mask(width) {
            true => Range { low, ..self },
            false => Range::congruent(low, self.stride, width),
        }
    }

    fn masked(self, bits: u64, width: u32) -> Self {
        match self.high(width) {
            Some(high) if (bits & bits.wrapping_add(1)) == 0 && high <= bits => self,
            high => {
                let span = high.unwrap_or(bits).min(bits);
                let stride = power_of_two(bits, width);
                Range { low: 0, span: span - span % stride, stride: if span < stride { 0 } else { stride } }
            }
        }
    }
}

/// The ranges of bit vectors of at most 64 bits.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    known: FxHashMap<Term, Range>,
}

/// The width of a term that has a range.
fn width_of(pool: &TermPool, term: Term) -> Option<u32> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= MOST_BITS => Some(width),
        _ => None,
    }
}

/// Whether the range of a term depends on those of its children.
fn is_traced(op: Op) -> bool {
    use Op::{
        BvAdd, BvAnd, BvLshr, BvMul, BvNeg, BvNot, BvOr, BvShl, BvSub, BvUdiv, BvUrem, BvXor, Concat,
        Extract, Ite, SignExtend, ZeroExtend,
    };
    matches!(
        op,
        BvAdd
            | BvAnd
            | BvLshr
            | BvMul
            | BvNeg
            | BvNot
            | BvOr
            | BvShl
            | BvSub
            | BvUdiv
            | BvUrem
            | BvXor
            | Concat
    ) || matches!(op, Extract { .. } | Ite | SignExtend(_) | ZeroExtend(_))
}

impl Ranges {
    /// The range of a bit vector of at most 64 bits.
    pub(super) fn of(&mut self, pool: &TermPool, root: Term) -> Range {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.known.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            if is_traced(pool.op(term)) {
                let unknown =
                    |child: &&Term| width_of(pool, **child).is_some() && !self.known.contains_key(child);
                work.extend(pool.children(term).iter().filter(unknown));
            }
            if work.len() == before {
                let range = self.operator(pool, term);
                self.known.insert(term, range);
                work.pop();
            }
        }
        self.known[&root]
    }

    fn operator(&self, pool: &TermPool, term: Term) -> Range {
        let width = width_of(pool, term).expect("a bit vector with a range");
        let children = pool.children(term);
        let range = |index: usize| self.known.get(&children[index]).copied();
        let fold = |all: &dyn Fn(Range, Range) -> Range| {
            let ranges: Option<Vec<Range>> = (0..children.len()).map(range).collect();
            ranges.and_then(|ranges| ranges.into_iter().reduce(all))
        };
        let constant = |index: usize| pool.as_bv_u64(children[index]);
        let result = match pool.op(term) {
            Op::BvConst(_) => pool.as_bv_u64(term).map(Range::of),
            Op::Ite => range(1).zip(range(2)).map(|(a, b)| a.hull(b, width)),
            Op::BvAdd => fold(&|a, b| a.plus(b, width)),
            Op::BvSub => range(0).zip(range(1)).map(|(a, b)| a.plus(b.negated(width), width)),
            Op::BvNeg => range(0).map(|a| a.negated(width)),
            // -1 - x.
            Op::BvNot => range(0).map(|a| Range::of(mask(width)).plus(a.negated(width), width)),
            Op::BvMul => match (children, constant(0), constant(1)) {
                ([_, _], Some(factor), _) => range(1).map(|a| a.times(factor, width)),
                ([_, _], _, Some(factor)) => range(0).map(|a| a.times(factor, width)),
                _ => None,
            },
            Op::BvShl => match constant(1) {
                Some(count) if count < u64::from(width) => range(0).map(|a| a.times(1 << count, width)),
                _ => None,
            },
            Op::BvLshr => match constant(1) {
                Some(count) if count < u64::from(width) => {
                    range(0).map(|a| a.shifted_right(count as u32, width))
                }
                _ => None,
            },
            Op::BvUdiv => match (range(0).map(|a| (a, a.high(width))), constant(1)) {
                (Some((a, Some(high))), Some(divisor @ 1..)) => {
                    let (low, high) = (a.low / divisor, high / divisor);
                    Some(Range { low, span: high - low, stride: u64::from(high > low) })
                }
                (_, Some(divisor @ 1..)) => Some(Range::up_to(mask(width) / divisor)),
                _ => None,
            },
            Op::BvUrem => match (range(0), constant(1)) {
                (Some(a), Some(divisor @ 1..)) if a.high(width).is_some_and(|high| high < divisor) => Some(a),
                (_, Some(divisor @ 1..)) => Some(Range::up_to(divisor - 1)),
                _ => None,
            },
            Op::BvAnd => match (children, constant(0), constant(1)) {
                ([_, _], Some(bits), _) => range(1).map(|a| a.masked(bits, width)),
                ([_, _], _, Some(bits)) => range(0).map(|a| a.masked(bits, width)),
                _ => fold(&|a, b| {
                    let high = |range: Range| range.high(width).unwrap_or(mask(width));
                    Range::up_to(high(a).min(high(b)))
                }),
            },
            Op::BvOr | Op::BvXor => fold(&|a, b| {
                let high = |range: Range| range.high(width).unwrap_or(mask(width));
                let both = high(a) | high(b);
                Range::up_to(mask(64 - both.leading_zeros()) * u64::from(both > 0))
            }),
            Op::Concat => match children {
                &[high, low] => {
                    let (of_high, of_low) = (width_of(pool, high), width_of(pool, low));
                    range(0).zip(range(1)).zip(of_high.zip(of_low)).map(|((a, b), (above, below))| {
                        a.zero_extended(above).times(1 << below, width).plus(b.zero_extended(below), width)
                    })
                }
                _ => None,
            },
            Op::Extract { high, low } => match width_of(pool, children[0]) {
                Some(whole) => range(0).map(|a| {
                    let shifted = if low == 0 { a } else { a.shifted_right(low, whole) };
                    shifted.truncated(high - low + 1)
                }),
                None => None,
            },
            Op::ZeroExtend(bits) => range(0).map(|a| a.zero_extended(width - bits)),
            Op::SignExtend(bits) => range(0).map(|a| a.sign_extended(width - bits, width)),
            _ => None,
        };
        result.unwrap_or_else(|| Range::all(width))
    }
}
