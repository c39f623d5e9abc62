//! Disjunctive intervals: sets of bit vectors as unions of a few ranges.
//!
//! An operator applies to each pair of ranges, by the rules of [`range`](super::range): if a result
//! may wrap around as an unsigned number and in two's complement, it is the full range. Sets of few
//! elements are enumerated instead. A union of more than [`MOST_PARTS`] ranges loses the smallest
//! gaps between them.

pub(crate) use super::range::WIDEST;
use super::range::{self, Abstract, Range};
use terms::{BitVector, Op, Sort};

/// The largest number of ranges of a set.
pub(crate) const MOST_PARTS: usize = 8;
/// The largest number of pairs of elements for which an operator is evaluated.
const MOST_PAIRS: i128 = 64;

/// A set of bit vectors of one width, of at most [`WIDEST`] bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    width: u32,
    /// Closed intervals in two's complement, sorted, neither empty nor overlapping. Each has either
    /// negative or natural numbers only, so it is an interval of unsigned numbers as well.
    /// Intervals of one sign are not adjacent.
    parts: Vec<(i128, i128)>,
}

/// The possible values of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// A Boolean: whether it may be false, and whether it may be true.
    Truth(bool, bool),
    /// A bit vector of at most [`WIDEST`] bits.
    Ranges(Ranges),
    /// Any value of another sort.
    Anything,
}

impl Ranges {
    pub(crate) fn full(width: u32) -> Self {
        Ranges::of(width, [Range::full(width).signed])
    }

    pub(crate) fn empty(width: u32) -> Self {
        Ranges { width, parts: Vec::new() }
    }

    /// The set of one element.
    pub(crate) fn constant(bits: &BitVector) -> Option<Self> {
        Some(Ranges::of_range(Range::constant(bits)?))
    }

    /// The set with the least number of elements that contains these intervals in two's complement.
    fn of(width: u32, intervals: impl IntoIterator<Item = (i128, i128)>) -> Self {
        let mut found: Vec<(i128, i128)> = Vec::new();
        for (low, high) in intervals {
            if low < 0 && high >= 0 {
                found.extend([(low, -1), (0, high)]);
            } else if low <= high {
                found.push((low, high));
            }
        }
        found.sort_unstable();
        let mut parts: Vec<(i128, i128)> = Vec::with_capacity(found.len());
        for next in found {
            match parts.last_mut() {
                Some(last) if next.0 <= last.1 + 1 && (last.1 < 0) == (next.0 < 0) => {
                    last.1 = last.1.max(next.1);
                }
                _ => parts.push(next),
            }
        }
        while parts.len() > MOST_PARTS {
            let gaps = parts.windows(2).enumerate();
            let gaps = gaps.filter(|(_, pair)| (pair[0].1 < 0) == (pair[1].0 < 0));
            let Some((at, _)) = gaps.min_by_key(|(_, pair)| pair[1].0 - pair[0].1) else { break };
            parts[at].1 = parts[at + 1].1;
            parts.remove(at + 1);
        }
        Ranges { width, parts }
    }

    /// The elements of a range.
    pub(crate) fn of_range(range: Range) -> Self {
        let signed = Ranges::of(range.width, [range.signed]);
        signed.meet(&Ranges::of_unsigned(range.width, range.unsigned))
    }

    /// The elements of an interval of unsigned numbers.
    fn of_unsigned(width: u32, (low, high): (i128, i128)) -> Self {
        let size = 1i128 << width;
        let half = size / 2;
        Ranges::of(width, [(low, high.min(half - 1)), (low.max(half) - size, high - size)])
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn is_full(&self) -> bool {
        *self == Ranges::full(self.width)
    }

    /// The element of a singleton, in two's complement.
    pub(crate) fn single(&self) -> Option<i128> {
        match self.parts[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    /// The smallest range that contains the set; `None` if it is empty.
    pub(crate) fn hull(&self) -> Option<Range> {
        self.ranges().reduce(Range::join)
    }

    fn ranges(&self) -> impl Iterator<Item = Range> {
        // Each part is in both views an interval, so its range is exact.
        self.parts.iter().filter_map(|&part| Range::of_signed(self.width, part))
    }

    /// The set as a union of the fewest ranges, each of them an interval as unsigned numbers or
    /// each of them in two's complement.
    pub(crate) fn cover(&self) -> Vec<Range> {
        let size = 1i128 << self.width;
        let joined = |parts: &mut dyn Iterator<Item = (i128, i128)>| {
            let mut found: Vec<(i128, i128)> = Vec::new();
            for next in parts {
                match found.last_mut() {
                    Some(last) if last.1 + 1 == next.0 => last.1 = next.1,
                    _ => found.push(next),
                }
            }
            found
        };
        let signed = joined(&mut self.parts.iter().copied());
        let negative = self.parts.iter().take_while(|part| part.1 < 0);
        let natural = self.parts.iter().skip_while(|part| part.1 < 0).copied();
        let shifted = negative.map(|&(low, high)| (low + size, high + size));
        let unsigned = joined(&mut natural.chain(shifted));
        let of = match signed.len() <= unsigned.len() {
            true => (signed, Range::of_signed as fn(u32, (i128, i128)) -> Option<Range>),
            false => (unsigned, Range::of_unsigned as fn(u32, (i128, i128)) -> Option<Range>),
        };
        of.0.into_iter().filter_map(|interval| of.1(self.width, interval)).collect()
    }

    pub(crate) fn join(&self, other: &Ranges) -> Ranges {
        Ranges::of(self.width, self.parts.iter().chain(&other.parts).copied())
    }

    pub(crate) fn meet(&self, other: &Ranges) -> Ranges {
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| (a, b)));
        Ranges::of(self.width, pairs.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))))
    }

    pub(crate) fn contains(&self, other: &Ranges) -> bool {
        let is_in = |part: &(i128, i128)| self.parts.iter().any(|own| own.0 <= part.0 && part.1 <= own.1);
        other.parts.iter().all(is_in)
    }

    /// The number of elements.
    pub(crate) fn size(&self) -> i128 {
        self.parts.iter().map(|part| part.1 - part.0 + 1).sum()
    }

    fn elements(&self) -> impl Iterator<Item = BitVector> {
        let numbers = self.parts.iter().flat_map(|&(low, high)| low..=high);
        // Two's complement of at most 64 bits.
        numbers.map(|number| BitVector::new(self.width, number as u64))
    }

    /// One range that contains the set, with bounds moved to the next of `thresholds` where they
    /// are not those of `old`.
    pub(crate) fn widened(&self, old: &Ranges, thresholds: &[i128]) -> Ranges {
        let (Some(new), Some(old)) = (self.hull(), old.hull()) else { return self.clone() };
        Ranges::of_range(old.widen(old.join(new), thresholds))
    }

    /// The elements that are related by the comparison `op` to an element of `other`, or that are
    /// not if `is` is false. `None` if `op` is no comparison.
    pub(crate) fn compared(&self, (op, is): (Op, bool), other: &Ranges, side: Side) -> Option<Ranges> {
        let width = self.width;
        let full = Range::full(width);
        let Some(of) = other.hull() else { return Some(Ranges::empty(width)) };
        // `a < b` and `a <= b`: the difference by which `a` is at least smaller.
        let (view, strict) = match op {
            Op::Eq if is => return Some(self.meet(other)),
            Op::Eq => {
                let Some(single) = other.single() else { return Some(self.clone()) };
                let least = full.signed.0;
                let rest = Ranges::of(width, [(least, single - 1), (single + 1, full.signed.1)]);
                return Some(self.meet(&rest));
            }
            Op::BvUlt | Op::BvUle => (View::Unsigned, op == Op::BvUlt),
            Op::BvSlt | Op::BvSle => (View::Signed, op == Op::BvSlt),
            _ => return None,
        };
        let (interval, full) = match view {
            View::Unsigned => (of.unsigned, full.unsigned),
            View::Signed => (of.signed, full.signed),
        };
        let by = i128::from(strict == is);
        // `a <= b` does not hold if `b < a`.
        let allowed = match (side, is) {
            (Side::Left, true) | (Side::Right, false) => (full.0, interval.1 - by),
            (Side::Right, true) | (Side::Left, false) => (interval.0 + by, full.1),
        };
        let allowed = match view {
            _ if allowed.0 > allowed.1 => Ranges::empty(width),
            View::Unsigned => Ranges::of_unsigned(width, allowed),
            View::Signed => Ranges::of(width, [allowed]),
        };
        Some(self.meet(&allowed))
    }
}

/// The operand of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

#[derive(Clone, Copy)]
enum View {
    Unsigned,
    Signed,
}

impl Values {
    /// All values of a sort.
    pub(crate) fn top(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Values::Truth(true, true),
            Sort::BitVec(width) if width <= WIDEST => Values::Ranges(Ranges::full(width)),
            _ => Values::Anything,
        }
    }

    pub(crate) fn of_truth(value: bool) -> Self {
        Values::Truth(!value, value)
    }

    /// The value of a constant.
    pub(crate) fn constant(bits: &BitVector) -> Self {
        let small = (bits.width() <= WIDEST).then(|| Ranges::constant(bits)).flatten();
        small.map_or(Values::Anything, Values::Ranges)
    }

    /// No value, of the sort of `self`.
    fn nothing(&self) -> Self {
        match self {
            Values::Truth(..) => Values::Truth(false, false),
            Values::Ranges(ranges) => Values::Ranges(Ranges::empty(ranges.width)),
            Values::Anything => Values::Anything,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Values::Truth(no, yes) => !no && !yes,
            Values::Ranges(ranges) => ranges.parts.is_empty(),
            Values::Anything => false,
        }
    }

    pub(crate) fn as_truth(&self) -> Option<bool> {
        match self {
            Values::Truth(true, false) => Some(false),
            Values::Truth(false, true) => Some(true),
            _ => None,
        }
    }

    pub(crate) fn as_ranges(&self) -> Option<&Ranges> {
        match self {
            Values::Ranges(ranges) => Some(ranges),
            _ => None,
        }
    }

    pub(crate) fn join(&self, other: &Values) -> Values {
        match (self, other) {
            (Values::Truth(a, b), Values::Truth(c, d)) => Values::Truth(a | c, b | d),
            (Values::Ranges(a), Values::Ranges(b)) if a.width == b.width => Values::Ranges(a.join(b)),
            _ => Values::Anything,
        }
    }

    pub(crate) fn meet(&self, other: &Values) -> Values {
        match (self, other) {
            (Values::Truth(a, b), Values::Truth(c, d)) => Values::Truth(a & c, b & d),
            (Values::Ranges(a), Values::Ranges(b)) if a.width == b.width => Values::Ranges(a.meet(b)),
            _ => self.clone(),
        }
    }

    pub(crate) fn contains(&self, other: &Values) -> bool {
        match (self, other) {
            (Values::Truth(a, b), Values::Truth(c, d)) => (*a || !c) && (*b || !d),
            (Values::Ranges(a), Values::Ranges(b)) if a.width == b.width => a.contains(b),
            _ => *self == Values::Anything,
        }
    }

    /// The hull.
    fn to_abstract(&self) -> Abstract {
        match self {
            Values::Truth(no, yes) => Abstract::Truth(*no, *yes),
            Values::Ranges(ranges) => ranges.hull().map_or(Abstract::Nothing, Abstract::Range),
            Values::Anything => Abstract::Anything,
        }
    }

    /// The result of an operator, whose sort is that of `top`.
    fn of_abstract(known: Abstract, top: &Values) -> Self {
        match known {
            Abstract::Nothing => top.nothing(),
            Abstract::Truth(no, yes) => Values::Truth(no, yes),
            Abstract::Range(range) => Values::Ranges(Ranges::of_range(range)),
            Abstract::Anything => Values::Anything,
        }
    }
}

/// The values of an operator over `children`; `sort` is that of the result.
pub(crate) fn apply(op: Op, sort: Sort, children: &[Values]) -> Values {
    let top = Values::top(sort);
    if let (Op::Ite, [condition, a, b]) = (op, children) {
        return match condition.as_truth() {
            _ if condition.is_empty() => top.nothing(),
            Some(true) => a.clone(),
            Some(false) => b.clone(),
            None => a.join(b),
        };
    }
    if children.iter().any(Values::is_empty) {
        return top.nothing();
    }
    let width = match sort {
        Sort::Bool => None,
        Sort::BitVec(width) if width <= WIDEST => Some(width),
        _ => return Values::Anything,
    };
    match children {
        [Values::Ranges(a)] => unary(op, width, a, &top),
        [Values::Ranges(a), Values::Ranges(b)] => binary(op, width, (a, b), &top),
        [first, rest @ ..] if is_associative(op) => {
            let fold = |known: Values, next: &Values| apply(op, sort, &[known, next.clone()]);
            match first {
                Values::Ranges(_) => rest.iter().fold(first.clone(), fold),
                _ => top,
            }
        }
        _ => {
            let children: Vec<Abstract> = children.iter().map(Values::to_abstract).collect();
            Values::of_abstract(range::apply(op, width, &children), &top)
        }
    }
}

fn is_associative(op: Op) -> bool {
    matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor)
}

/// The union of the results for each of `parts`.
fn union(parts: impl Iterator<Item = Values>, top: &Values) -> Values {
    let mut intervals = Vec::new();
    let mut truth = (false, false);
    for part in parts {
        match part {
            Values::Truth(no, yes) => truth = (truth.0 | no, truth.1 | yes),
            Values::Ranges(ranges) if ranges.is_full() => return top.clone(),
            Values::Ranges(ranges) => intervals.extend(ranges.parts),
            Values::Anything => return Values::Anything,
        }
    }
    match top {
        Values::Truth(..) => Values::Truth(truth.0, truth.1),
        Values::Ranges(of) => Values::Ranges(Ranges::of(of.width, intervals)),
        Values::Anything => Values::Anything,
    }
}

fn unary(op: Op, width: Option<u32>, a: &Ranges, top: &Values) -> Values {
    let each = |range: Range| match (op, width) {
        // All numbers of the interval have the same bits above `high`.
        (Op::Extract { low, .. }, Some(width))
            if range.unsigned.0 >> (low + width) == range.unsigned.1 >> (low + width) =>
        {
            let ones = (1i128 << width) - 1;
            let [first, last] = [range.unsigned.0, range.unsigned.1].map(|bound| (bound >> low) & ones);
            Values::Ranges(Ranges::of_unsigned(width, (first, last)))
        }
        // The least number is its own negation.
        (Op::BvNeg, Some(width)) if range.signed.0 == Range::full(width).signed.0 => {
            let least = range.signed.0;
            let negated = Ranges::of(width, [(least, least), (-range.signed.1, -(least + 1))]);
            Values::Ranges(if range.signed.1 < 0 { negated } else { Ranges::full(width) })
        }
        _ => Values::of_abstract(range::apply(op, width, &[Abstract::Range(range)]), top),
    };
    union(a.ranges().map(each), top)
}

fn binary(op: Op, width: Option<u32>, (a, b): (&Ranges, &Ranges), top: &Values) -> Values {
    let is_evaluated = matches!(
        op,
        Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
    );
    if let (true, Some(width)) = (is_evaluated && a.size().saturating_mul(b.size()) <= MOST_PAIRS, width) {
        let pairs = a.elements().flat_map(|x| b.elements().map(move |y| (x.clone(), y)));
        let results = pairs.map(|(x, y)| {
            let result = BitVector::binary(op, &x, &y).to_i64().expect("at most 64 bits");
            (i128::from(result), i128::from(result))
        });
        return Values::Ranges(Ranges::of(width, results));
    }
    let pairs = a.ranges().flat_map(|x| b.ranges().map(move |y| [Abstract::Range(x), Abstract::Range(y)]));
    union(pairs.map(|pair| Values::of_abstract(range::apply(op, width, &pair), top)), top)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINARY: [Op; 13] = [
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
    ];
    const COMPARISONS: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

    /// The set of the numbers whose bit is set in `mask`.
    fn of_mask(width: u32, mask: u32) -> Ranges {
        let half = 1i128 << (width - 1);
        let numbers = (-half..half).filter(|number| mask >> bits(width, *number) & 1 == 1);
        Ranges::of(width, numbers.map(|number| (number, number)))
    }

    fn bits(width: u32, number: i128) -> u32 {
        number.rem_euclid(1 << width) as u32
    }

    fn to_mask(ranges: &Ranges) -> u32 {
        let numbers = ranges.parts.iter().flat_map(|&(low, high)| low..=high);
        numbers.fold(0, |mask, number| mask | 1 << bits(ranges.width, number))
    }

    fn number(width: u32, bits: u32) -> BitVector {
        BitVector::new(width, u64::from(bits))
    }

    fn mask(values: &Values) -> u32 {
        to_mask(values.as_ranges().expect("a bit vector"))
    }

    fn members(mask: u32) -> impl Iterator<Item = u32> + Clone {
        (0..32).filter(move |bit| mask >> bit & 1 == 1)
    }

    #[test]
    fn sets_are_exact() {
        for all in 0..1u32 << 16 {
            let ranges = of_mask(4, all);
            assert_eq!(to_mask(&ranges), all);
            let cover = ranges
                .cover()
                .into_iter()
                .fold(0, |so_far, range| so_far | to_mask(&Ranges::of_range(range)));
            assert_eq!(cover, all);
            let hull = ranges.hull().map_or(0, |range| to_mask(&Ranges::of_range(range)));
            assert_eq!(hull & all, all);
        }
    }

    #[test]
    fn unary_operators_contain_all_results() {
        let exact = [Op::BvNot, Op::BvNeg, Op::ZeroExtend(1), Op::SignExtend(1)];
        let extracts = [(3, 1), (2, 0), (2, 1), (0, 0)].map(|(high, low)| Op::Extract { high, low });
        for all in 1..1u32 << 16 {
            let a = Values::Ranges(of_mask(4, all));
            for op in exact.into_iter().chain(extracts) {
                let concrete = |x: u32| {
                    let x = number(4, x);
                    match op {
                        Op::BvNot => x.not(),
                        Op::BvNeg => x.neg(),
                        Op::ZeroExtend(by) => x.zero_extend(by),
                        Op::SignExtend(by) => x.sign_extend(by),
                        Op::Extract { high, low } => x.extract(high, low),
                        _ => unreachable!("not tested"),
                    }
                };
                let width = concrete(0).width();
                let expected =
                    members(all).fold(0u32, |so_far, x| so_far | 1 << concrete(x).to_u64().expect("small"));
                let found = mask(&apply(op, Sort::BitVec(width), std::slice::from_ref(&a)));
                assert_eq!(found & expected, expected, "{op:?} {a:?}");
                assert!(!exact.contains(&op) || found == expected, "{op:?} {a:?}: {found:b}");
            }
        }
    }

    /// All pairs of sets of 3 bits, and of intervals of 4 bits, with the binary operators.
    #[test]
    fn binary_operators_contain_all_results() {
        let intervals = (0..16u32).flat_map(|low| (low..16).map(move |high| (2 << high) - (1 << low)));
        let sets: [(u32, Vec<u32>); 2] = [(3, (1..1 << 8).collect()), (4, intervals.collect())];
        for (width, sets) in sets {
            for op in BINARY {
                let concrete = |x, y| BitVector::binary(op, &number(width, x), &number(width, y)).to_u64();
                let table: Vec<Vec<u64>> = (0..1 << width)
                    .map(|x| (0..1 << width).map(|y| concrete(x, y).expect("small")).collect())
                    .collect();
                let all: Vec<Values> = sets.iter().map(|&a| Values::Ranges(of_mask(width, a))).collect();
                for (right, &b) in all.iter().zip(&sets) {
                    let image = |row: &Vec<u64>| members(b).fold(0u32, |mask, y| mask | 1 << row[y as usize]);
                    let images: Vec<u32> = table.iter().map(image).collect();
                    for (left, &a) in all.iter().zip(&sets) {
                        let expected = members(a).fold(0, |mask, x| mask | images[x as usize]);
                        let found = mask(&apply(op, Sort::BitVec(width), &[left.clone(), right.clone()]));
                        assert_eq!(found & expected, expected, "{op:?} {left:?} {right:?}: {found:b}");
                    }
                }
            }
        }
    }

    /// Without enumeration: the rules of ranges alone.
    #[test]
    fn operators_on_wide_sets_contain_all_results() {
        let width = 5;
        let sets: Vec<u32> = (0..32u32)
            .flat_map(|low| [9, 14, 20].map(move |size| (low, size)))
            .map(|(low, size)| ((1u32 << size) - 1).rotate_left(low))
            .collect();
        for op in BINARY {
            for &a in &sets {
                for &b in &sets {
                    let children = [a, b].map(|mask| Values::Ranges(of_mask(width, mask)));
                    let found = mask(&apply(op, Sort::BitVec(width), &children));
                    for x in members(a).step_by(3) {
                        for y in members(b).step_by(2) {
                            let result = BitVector::binary(op, &number(width, x), &number(width, y));
                            let result = result.to_u64().expect("small");
                            assert!(found >> result & 1 == 1, "{op:?} {children:?}: {found:b}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_are_exact_and_restrict_exactly() {
        let width = 3;
        for op in COMPARISONS.into_iter().chain([Op::Eq]) {
            let holds = |x: u32, y: u32| match op {
                Op::Eq => x == y,
                _ => BitVector::compare(op, &number(width, x), &number(width, y)),
            };
            for (a, b) in (1..256).flat_map(|a| (1..256).map(move |b| (a, b))) {
                let [left, right] = [a, b].map(|mask| of_mask(width, mask));
                let is_possible = |is| members(a).any(|x| members(b).any(|y| holds(x, y) == is));
                let children = [Values::Ranges(left.clone()), Values::Ranges(right.clone())];
                let found = apply(op, Sort::Bool, &children);
                assert_eq!(
                    found,
                    Values::Truth(is_possible(false), is_possible(true)),
                    "{op:?} {children:?}"
                );
                for is in [false, true] {
                    let lefts = members(a).filter(|&x| members(b).any(|y| holds(x, y) == is));
                    let rights = members(b).filter(|&y| members(a).any(|x| holds(x, y) == is));
                    let [lefts, rights] = [lefts.collect(), rights.collect::<Vec<u32>>()]
                        .map(|all: Vec<u32>| all.into_iter().fold(0, |mask, x| mask | 1 << x));
                    let kept = left.compared((op, is), &right, Side::Left).expect("a comparison");
                    assert_eq!(to_mask(&kept), lefts, "{op:?} {is} {children:?}");
                    let kept = right.compared((op, is), &left, Side::Right).expect("a comparison");
                    assert_eq!(to_mask(&kept), rights, "{op:?} {is} {children:?}");
                }
            }
        }
    }

    #[test]
    fn joins_and_meets_are_those_of_sets() {
        for (a, b) in (0..256).flat_map(|a| (0..256).map(move |b| (a, b))) {
            let [left, right] = [a, b].map(|mask| of_mask(3, mask));
            assert_eq!(to_mask(&left.join(&right)), a | b);
            assert_eq!(to_mask(&left.meet(&right)), a & b);
            assert_eq!(left.contains(&right), a & b == b);
            let widened = left.join(&right).widened(&left, &[]);
            assert!(widened.contains(&left) && widened.contains(&right));
        }
    }

    #[test]
    fn the_smallest_gaps_are_lost() {
        let numbers = (0..8).map(|index| (10 * index, 10 * index)).chain([(33, 34), (-5, -5)]);
        let ranges = Ranges::of(8, numbers);
        let expected = [(-5, -5), (0, 0), (10, 10), (20, 20), (30, 40), (50, 50), (60, 60), (70, 70)];
        assert_eq!(ranges.parts, expected);
    }

    #[test]
    fn widths_without_ranges_have_any_value() {
        let wide = Values::top(Sort::BitVec(65));
        assert_eq!(wide, Values::Anything);
        let full = Values::top(Sort::BitVec(64));
        assert_eq!(apply(Op::BvAdd, Sort::BitVec(64), &[full.clone(), full.clone()]), full);
        assert_eq!(apply(Op::BvAdd, Sort::BitVec(65), &[wide.clone(), wide]), Values::Anything);
    }
}
