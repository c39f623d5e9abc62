//! Ranges of bit vectors, as unsigned numbers and in two's complement at once.

use terms::{BitVector, Op};

/// The widest bit vectors with ranges; wider ones have no range.
pub(crate) const WIDEST: u32 = 64;

/// The abstract value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abstract {
    /// No value: unreachable.
    Nothing,
    /// A Boolean: whether it may be false, and whether it may be true.
    Truth(bool, bool),
    /// A bit vector of at most [`WIDEST`] bits.
    Range(Range),
    /// Any value of a sort without ranges.
    Anything,
}

/// The set of bit vectors of one width that are in both intervals. Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) width: u32,
    /// As unsigned numbers.
    pub(crate) unsigned: (i128, i128),
    /// In two's complement.
    pub(crate) signed: (i128, i128),
}

fn intersection(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.max(b.0), a.1.min(b.1))
}

fn hull(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.min(b.0), a.1.max(b.1))
}

impl Range {
    pub(crate) fn full(width: u32) -> Self {
        let half = 1i128 << (width - 1);
        Range { width, unsigned: (0, 2 * half - 1), signed: (-half, half - 1) }
    }

    pub(crate) fn of_unsigned(width: u32, interval: (i128, i128)) -> Option<Self> {
        let full = Range::full(width);
        if interval.0 < full.unsigned.0 || interval.1 > full.unsigned.1 {
            return Some(full);
        }
        Range { unsigned: interval, ..full }.reduced()
    }

    pub(crate) fn of_signed(width: u32, interval: (i128, i128)) -> Option<Self> {
        let full = Range::full(width);
        if interval.0 < full.signed.0 || interval.1 > full.signed.1 {
            return Some(full);
        }
        Range { signed: interval, ..full }.reduced()
    }

    pub(crate) fn constant(bits: &BitVector) -> Option<Self> {
        let value = i128::from(bits.to_u64()?);
        Range::of_unsigned(bits.width(), (value, value))
    }

    /// Reduces each interval by the other one; `None` if the set is empty.
    fn reduced(mut self) -> Option<Self> {
        let size = 1i128 << self.width;
        let half = size / 2;
        for _ in 0..2 {
            if self.unsigned.1 < half {
                self.signed = intersection(self.signed, self.unsigned);
            } else if self.unsigned.0 >= half {
                let shifted = (self.unsigned.0 - size, self.unsigned.1 - size);
                self.signed = intersection(self.signed, shifted);
            }
            if self.signed.0 >= 0 {
                self.unsigned = intersection(self.unsigned, self.signed);
            } else if self.signed.1 < 0 {
                let shifted = (self.signed.0 + size, self.signed.1 + size);
                self.unsigned = intersection(self.unsigned, shifted);
            }
        }
        (self.unsigned.0 <= self.unsigned.1 && self.signed.0 <= self.signed.1).then_some(self)
    }

    pub(crate) fn meet(self, other: Range) -> Option<Range> {
        Range {
            width: self.width,
            unsigned: intersection(self.unsigned, other.unsigned),
            signed: intersection(self.signed, other.signed),
        }
        .reduced()
    }

    pub(crate) fn join(self, other: Range) -> Range {
        Range {
            width: self.width,
            unsigned: hull(self.unsigned, other.unsigned),
            signed: hull(self.signed, other.signed),
        }
    }

    /// The element of a singleton.
    pub(crate) fn single(self) -> Option<i128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    pub(crate) fn is_non_negative(self) -> bool {
        self.signed.0 >= 0
    }

    /// The number of bits that represent all elements in two's complement.
    pub(crate) fn signed_bits(self) -> u32 {
        let bits = |bound: i128| 129 - (if bound < 0 { !bound } else { bound }).leading_zeros();
        bits(self.signed.0).max(bits(self.signed.1))
    }

    /// The number of bits that represent all elements as unsigned numbers.
    pub(crate) fn bits(self) -> u32 {
        128 - self.unsigned.1.leading_zeros()
    }

    /// Moves bounds that grew to the next of `thresholds` (sorted), or to the limit of the type.
    pub(crate) fn widen(self, new: Range, thresholds: &[i128]) -> Range {
        let full = Range::full(self.width);
        let above = |bound: i128, last: i128| {
            let next = thresholds.partition_point(|&threshold| threshold < bound);
            thresholds.get(next).copied().filter(|&next| next <= last).unwrap_or(last)
        };
        let below = |bound: i128, first: i128| {
            let next = thresholds.partition_point(|&threshold| threshold <= bound);
            let found = next.checked_sub(1).map(|index| thresholds[index]);
            found.filter(|&next| next >= first).unwrap_or(first)
        };
        let widen = |old: (i128, i128), new: (i128, i128), full: (i128, i128)| {
            let low = if new.0 < old.0 { below(new.0, full.0) } else { old.0 };
            let high = if new.1 > old.1 { above(new.1, full.1) } else { old.1 };
            (low, high)
        };
        Range {
            width: self.width,
            unsigned: widen(self.unsigned, new.unsigned, full.unsigned),
            signed: widen(self.signed, new.signed, full.signed),
        }
    }
}

impl Abstract {
    /// Any value of the sort.
    pub(crate) fn top(sort: terms::Sort) -> Self {
        match sort {
            terms::Sort::Bool => Abstract::Truth(true, true),
            terms::Sort::BitVec(width) if width <= WIDEST => Abstract::Range(Range::full(width)),
            _ => Abstract::Anything,
        }
    }

    pub(crate) fn of_truth(value: bool) -> Self {
        Abstract::Truth(!value, value)
    }

    fn of_range(range: Option<Range>) -> Self {
        range.map_or(Abstract::Nothing, Abstract::Range)
    }

    pub(crate) fn join(self, other: Abstract) -> Abstract {
        match (self, other) {
            (Abstract::Nothing, known) | (known, Abstract::Nothing) => known,
            (Abstract::Truth(a, b), Abstract::Truth(c, d)) => Abstract::Truth(a | c, b | d),
            (Abstract::Range(a), Abstract::Range(b)) if a.width == b.width => Abstract::Range(a.join(b)),
            _ => Abstract::Anything,
        }
    }

    pub(crate) fn meet(self, other: Abstract) -> Abstract {
        match (self, other) {
            (Abstract::Nothing, _) | (_, Abstract::Nothing) => Abstract::Nothing,
            (Abstract::Truth(a, b), Abstract::Truth(c, d)) => match (a & c, b & d) {
                (false, false) => Abstract::Nothing,
                (a, b) => Abstract::Truth(a, b),
            },
            (Abstract::Range(a), Abstract::Range(b)) if a.width == b.width => Abstract::of_range(a.meet(b)),
            (known, _) => known,
        }
    }

    pub(crate) fn contains(self, other: Abstract) -> bool {
        self.join(other) == self
    }

    pub(crate) fn as_truth(self) -> Option<bool> {
        match self {
            Abstract::Truth(true, false) => Some(false),
            Abstract::Truth(false, true) => Some(true),
            _ => None,
        }
    }

    fn truth(self) -> (bool, bool) {
        match self {
            Abstract::Truth(no, yes) => (no, yes),
            _ => (true, true),
        }
    }

    fn range(self) -> Option<Range> {
        match self {
            Abstract::Range(range) => Some(range),
            _ => None,
        }
    }
}

/// The abstract result of an operator over `children`; `width` is that of a bit-vector result.
pub(crate) fn apply(op: Op, width: Option<u32>, children: &[Abstract]) -> Abstract {
    if children.contains(&Abstract::Nothing) && op != Op::Ite {
        return Abstract::Nothing;
    }
    let top = match width {
        None => Abstract::Truth(true, true),
        Some(width) if width <= WIDEST => Abstract::Range(Range::full(width)),
        Some(_) => return Abstract::Anything,
    };
    connective(op, children)
        .or_else(|| comparison(op, children))
        .or_else(|| bits(op, width?, children))
        .unwrap_or(top)
}

fn connective(op: Op, children: &[Abstract]) -> Option<Abstract> {
    Some(match (op, children) {
        (Op::Not, &[a]) => {
            let (no, yes) = a.truth();
            Abstract::Truth(yes, no)
        }
        (Op::And, _) => Abstract::Truth(
            children.iter().any(|child| child.truth().0),
            children.iter().all(|child| child.truth().1),
        ),
        (Op::Or, _) => Abstract::Truth(
            children.iter().all(|child| child.truth().0),
            children.iter().any(|child| child.truth().1),
        ),
        (Op::Ite, &[condition, a, b]) => match condition {
            Abstract::Nothing => Abstract::Nothing,
            condition => match condition.as_truth() {
                Some(true) => a,
                Some(false) => b,
                None => a.join(b),
            },
        },
        _ => return None,
    })
}

fn comparison(op: Op, children: &[Abstract]) -> Option<Abstract> {
    let &[a, b] = children else { return None };
    let (a, b) = match (op, a, b) {
        (Op::Eq | Op::Xor, Abstract::Truth(..), Abstract::Truth(..)) => {
            let same = a.as_truth()? == b.as_truth()?;
            return Some(Abstract::of_truth(same == (op == Op::Eq)));
        }
        _ => (a.range()?, b.range()?),
    };
    let less = |a: (i128, i128), b: (i128, i128)| {
        if a.1 < b.0 {
            Some(true)
        } else if a.0 >= b.1 {
            Some(false)
        } else {
            None
        }
    };
    let decided = match op {
        Op::Eq if a.meet(b).is_none() => Some(false),
        Op::Eq => (a.single()? == b.single()?).then_some(true),
        Op::BvUlt => less(a.unsigned, b.unsigned),
        Op::BvUle => less(b.unsigned, a.unsigned).map(|value| !value),
        Op::BvSlt => less(a.signed, b.signed),
        Op::BvSle => less(b.signed, a.signed).map(|value| !value),
        _ => None,
    };
    decided.map(Abstract::of_truth)
}

/// The bit vectors of `width` bits in both intervals; an interval that does not fit the type is
/// ignored.
fn both(width: u32, unsigned: Option<(i128, i128)>, signed: Option<(i128, i128)>) -> Option<Abstract> {
    let full = Range::full(width);
    let unsigned = unsigned.map_or(Some(full), |interval| Range::of_unsigned(width, interval))?;
    let signed = signed.map_or(Some(full), |interval| Range::of_signed(width, interval))?;
    unsigned.meet(signed).map(Abstract::Range)
}

/// The hull of an operation at the corners of two intervals on which it is monotone in each
/// argument.
fn corners(
    a: (i128, i128),
    b: (i128, i128),
    operation: impl Fn(i128, i128) -> Option<i128>,
) -> Option<(i128, i128)> {
    let first = operation(a.0, b.0)?;
    let rest = [operation(a.0, b.1)?, operation(a.1, b.0)?, operation(a.1, b.1)?];
    Some(rest.into_iter().fold((first, first), |so_far, next| hull(so_far, (next, next))))
}

fn bits(op: Op, width: u32, children: &[Abstract]) -> Option<Abstract> {
    let ranges: Option<Vec<Range>> = children.iter().map(|child| child.range()).collect();
    let ranges = ranges?;
    match (op, &ranges[..]) {
        (Op::BvAdd | Op::BvMul, [first, rest @ ..]) => {
            let operation =
                |x: i128, y: i128| if op == Op::BvAdd { x.checked_add(y) } else { x.checked_mul(y) };
            let fold = |select: fn(&Range) -> (i128, i128)| {
                rest.iter().try_fold(select(first), |so_far, next| corners(so_far, select(next), operation))
            };
            both(width, fold(|range| range.unsigned), fold(|range| range.signed))
        }
        (Op::BvSub, [a, b]) => {
            let minus = |x: i128, y: i128| Some(x - y);
            both(width, corners(a.unsigned, b.unsigned, minus), corners(a.signed, b.signed, minus))
        }
        (Op::BvNeg, [a]) => both(width, None, Some((-a.signed.1, -a.signed.0))),
        (Op::BvNot, [a]) => {
            let ones = Range::full(width).unsigned.1;
            both(
                width,
                Some((ones - a.unsigned.1, ones - a.unsigned.0)),
                Some((-1 - a.signed.1, -1 - a.signed.0)),
            )
        }
        (Op::BvAnd, _) => {
            let least = ranges.iter().map(|range| range.unsigned.1).min()?;
            both(width, Some((0, least)), None)
        }
        (Op::BvOr | Op::BvXor, _) => {
            let most = ranges.iter().map(|range| range.bits()).max()?;
            let low = if op == Op::BvOr { ranges.iter().map(|range| range.unsigned.0).max()? } else { 0 };
            both(width, Some((low, (1i128 << most) - 1)), None)
        }
        (Op::BvUdiv, [a, b]) if b.unsigned.0 > 0 => {
            both(width, corners(a.unsigned, b.unsigned, |x, y| x.checked_div(y)), None)
        }
        (Op::BvUrem, [a, b]) => {
            // The remainder of a division by zero is the dividend.
            let most = if b.unsigned.0 > 0 { a.unsigned.1.min(b.unsigned.1 - 1) } else { a.unsigned.1 };
            let least = if b.unsigned.0 > a.unsigned.1 { a.unsigned.0 } else { 0 };
            both(width, Some((least, most)), None)
        }
        (Op::BvSdiv, [a, b]) if b.signed.0 > 0 => {
            both(width, None, corners(a.signed, b.signed, |x, y| x.checked_div(y)))
        }
        (Op::BvSrem, [a, b]) if b.signed.0 > 0 => {
            let most = b.signed.1 - 1;
            both(width, None, Some((a.signed.0.max(-most).min(0), a.signed.1.min(most).max(0))))
        }
        (Op::BvShl, [a, b]) => {
            let shift = u32::try_from(b.single()?).ok().filter(|&shift| shift < width)?;
            let scale = 1i128 << shift;
            let scaled = |interval: (i128, i128)| {
                Some((interval.0.checked_mul(scale)?, interval.1.checked_mul(scale)?))
            };
            both(width, scaled(a.unsigned), scaled(a.signed))
        }
        (Op::BvLshr, [a, b]) => {
            let shifted = |x: i128, y: i128| Some(if y >= 127 { 0 } else { x >> y });
            both(width, corners(a.unsigned, b.unsigned, shifted), None)
        }
        (Op::BvAshr, [a, b]) => {
            let shifted = |x: i128, y: i128| Some(x >> y.min(126));
            both(width, None, corners(a.signed, b.unsigned, shifted))
        }
        (Op::Concat, [high, low]) => {
            let scale = 1i128 << low.width;
            let (h, l) = (high.unsigned, low.unsigned);
            both(width, Some((h.0 * scale + l.0, h.1 * scale + l.1)), None)
        }
        (Op::ZeroExtend(_), [a]) => both(width, Some(a.unsigned), None),
        (Op::SignExtend(_), [a]) => both(width, None, Some(a.signed)),
        (Op::Extract { low, .. }, [a]) => {
            let unsigned = (a.unsigned.0 >> low, a.unsigned.1 >> low);
            both(width, Some(unsigned), Some((a.signed.0 >> low, a.signed.1 >> low)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Random;
    use terms::{Sort, TermPool, Value as TermValue};

    /// A random range and some of its elements.
    fn sample(random: &mut Random, width: u32) -> (Range, Vec<BitVector>) {
        let number = |random: &mut Random| {
            let number = random.number();
            let small = number % 5;
            BitVector::new(
                width,
                match number >> 60 {
                    0..=5 => small,
                    6..=9 => small.wrapping_neg(),
                    10 => (1u64 << (width - 1)).wrapping_add(small),
                    11 => (1u64 << (width - 1)).wrapping_sub(small),
                    _ => random.number(),
                },
            )
        };
        let elements: Vec<BitVector> = (0..1 + random.number() % 3).map(|_| number(random)).collect();
        let ranges = elements.iter().map(|bits| Range::constant(bits).expect("at most 64 bits"));
        (ranges.reduce(Range::join).expect("at least one"), elements)
    }

    #[test]
    fn results_of_elements_are_in_the_result_of_ranges() {
        use Op::*;
        let binary = [
            BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr,
            BvUlt, BvUle, BvSlt, BvSle, Eq, Concat,
        ];
        let unary = [
            BvNot,
            BvNeg,
            ZeroExtend(3),
            SignExtend(3),
            Extract { high: 2, low: 0 },
            Extract { high: 4, low: 2 },
        ];
        let mut pool = TermPool::new();
        let mut random = Random::new(7);
        for _ in 0..4_000 {
            let width = [5, 8, 32, 61][(random.number() % 4) as usize];
            let (a, xs) = sample(&mut random, width);
            let (b, ys) = sample(&mut random, width);
            for op in binary.into_iter().chain(unary) {
                let is_unary = unary.contains(&op);
                let ranges: &[Abstract] =
                    if is_unary { &[Abstract::Range(a)] } else { &[Abstract::Range(a), Abstract::Range(b)] };
                for x in &xs {
                    for y in &ys {
                        let (s, t) = (pool.bit_vector(x), pool.bit_vector(y));
                        let children: &[_] = if is_unary { &[s] } else { &[s, t] };
                        let result = pool.build(op, children).expect("well-sorted");
                        let result_width = match pool.sort(result) {
                            Sort::BitVec(width) => Some(width),
                            _ => None,
                        };
                        let expected = match TermValue::of_constant(&pool, result).expect("constants fold") {
                            TermValue::Bool(value) => Abstract::of_truth(value),
                            TermValue::BitVec(bits) if bits.width() <= WIDEST => {
                                Abstract::Range(Range::constant(&bits).expect("at most 64 bits"))
                            }
                            _ => Abstract::Anything,
                        };
                        let all = apply(op, result_width, ranges);
                        assert!(all.contains(expected), "{op:?} {x:?} {y:?}: {all:?} lacks {expected:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn small_sums_and_products_stay_small() {
        let byte = Abstract::Range(Range::of_unsigned(32, (0, 255)).expect("not empty"));
        for (op, most) in [(Op::BvAdd, 510), (Op::BvMul, 65025), (Op::BvUdiv, 0xffff_ffff), (Op::BvOr, 255)] {
            let Abstract::Range(range) = apply(op, Some(32), &[byte, byte]) else { panic!("a range") };
            assert_eq!(range.unsigned.1, most, "{op:?}");
        }
    }

    #[test]
    fn widening_stops_at_thresholds() {
        let range = |low, high| Range::of_signed(32, (low, high)).expect("not empty");
        let widened = range(0, 1).widen(range(0, 2), &[0, 10, 100]);
        assert_eq!((widened.signed, widened.unsigned), ((0, 10), (0, 10)));
        assert_eq!(range(0, 1).widen(range(0, 200), &[0, 10, 100]).signed, (0, i128::from(i32::MAX)));
    }
}
