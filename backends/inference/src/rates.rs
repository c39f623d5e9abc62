//! Rates: how fast a number changes against a counter.
//!
//! The loop `for (i = 0; i < n; i++) sum += v[i];` over bytes keeps `sum <= 255 * i`. No interval
//! says so, nor does an octagon, whose factors are 1. A row is `x - c·y <= d` for a *counter* `y`,
//! which each iteration changes by a constant, and a number `x`, which an iteration changes by at
//! most `c` times as much; and `x - c·y >= d` for the least change. This is the clock domain of
//! Astrée with the counters of the program for the clock (Blanchet et al., *A static analyzer for
//! large safety-critical software*, PLDI 2003, §6.2.1; Feret, *The Arithmetic-Geometric Progression
//! Abstract Domain*, VMCAI 2005).
//!
//! The factor `c` is read off the transitions from a relation to itself: of `x + e` it is a bound
//! of `e` by its type or by a condition of the transition. It only chooses the rows; whether they
//! are invariants, and `d`, is found as for all [bounds](crate::bounds). So overflows need no
//! attention here.
//!
//! *Limits.* A transition that leads through another loop is not read. Factors are at most
//! [`MAX_FACTOR`].

use backends::symbolic::{integer, is_numeric};
use horn::{ClauseData, Relation, System};
use num_integer::Integer;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use terms::entity::SecondaryMap;
use terms::{Op, Sort, Term, TermPool};

/// The largest factor.
const MAX_FACTOR: i128 = 1 << 20;
/// The largest number that is read; an overflow of 64 bits is smaller.
const LARGEST: u128 = 1 << 70;
/// The largest number of rates of a relation.
const MAX_RATES: usize = 60;
/// The largest depth to which terms are read.
const MAX_DEPTH: u32 = 200;

/// For each relation, sums `x - c·y` and `c·y - x` that may have an upper bound.
pub(crate) type Rates = SecondaryMap<Relation, Vec<Vec<(i64, Term)>>>;

/// The least and the largest value.
type Range = (i128, i128);

/// The rates of each relation.
pub(crate) fn rates(pool: &mut TermPool, system: &System) -> Rates {
    let mut found = Rates::new();
    for relation in system.relations.keys() {
        let is_loop = |clause: &ClauseData| match &*clause.body {
            [body] => body.relation == relation && clause.to() == Some(relation),
            _ => false,
        };
        let loops: Vec<&ClauseData> =
            system.rules().map(|(_, clause)| clause).filter(|clause| is_loop(clause)).collect();
        if loops.is_empty() {
            continue;
        }
        let known: Vec<Bounds<'_>> = loops.iter().map(|clause| Bounds::of(pool, clause.constraint)).collect();
        let mut changes: Vec<(Term, Vec<Range>)> = Vec::new();
        for symbol in system.relations[relation].symbols() {
            if !is_numeric(pool.sort(symbol)) || pool.sort(symbol) == Sort::Real {
                continue;
            }
            let own = loops.iter().zip(&known).map(|(clause, known)| match clause.updates.get(&symbol) {
                None => Some((0, 0)),
                Some(update) => Reader::new(pool, symbol).change(known, update.value?, MAX_DEPTH),
            });
            let own: Option<Vec<Range>> = own.collect();
            let is_changed = |own: &Vec<Range>| own.iter().any(|&change| change != (0, 0));
            changes.extend(own.filter(is_changed).map(|own| (symbol, own)));
        }
        found[relation] = pairs(&changes);
    }
    found
}

/// The rates of numbers against counters, given their changes on each transition.
fn pairs(changes: &[(Term, Vec<Range>)]) -> Vec<Vec<(i64, Term)>> {
    let mut found = Vec::new();
    for (counter, steps) in changes.iter().filter(|(_, own)| is_steady(own)) {
        for (number, own) in changes {
            if number == counter || own.len() == 1 && is_steady(own) {
                continue;
            }
            if let Some(most) = slope(own, steps) {
                found.push(vec![(1, *number), (-most, *counter)]);
            }
            let negated: Vec<Range> = own.iter().copied().map(negative).collect();
            if let Some(least) = slope(&negated, steps) {
                found.push(vec![(-1, *number), (-least, *counter)]);
            }
        }
    }
    found.truncate(MAX_RATES);
    found
}

/// Whether a change is so large that only an overflow explains it. Over integers, a transition of
/// its own has it.
fn is_far((least, most): Range) -> bool {
    most.max(least.saturating_neg()) > MAX_FACTOR
}

/// Whether a number changes by a constant on each transition without an overflow.
fn is_steady(changes: &[Range]) -> bool {
    changes.iter().all(|&change| change.0 == change.1 || is_far(change))
}

/// The least factor by which the steps of a counter outweigh the largest changes of a number on
/// each transition without an overflow; `None` if no factor does, or it is 0.
fn slope(changes: &[Range], steps: &[Range]) -> Option<i64> {
    let near = || changes.iter().zip(steps).filter(|&(&change, &step)| !is_far(change) && !is_far(step));
    let direction = near().map(|(_, &(step, _))| step).find(|&step| step != 0)?.signum();
    let mut factor: Option<i128> = None;
    for (&(_, change), &(step, _)) in near() {
        match step * direction {
            ..0 => return None,
            0 if change > 0 => return None,
            0 => {}
            step => {
                let own = Integer::div_ceil(&change, &step);
                factor = Some(factor.map_or(own, |old| old.max(own)));
            }
        }
    }
    let factor = factor.filter(|&factor| factor != 0 && factor.abs() <= MAX_FACTOR)? * direction;
    i64::try_from(factor).ok()
}

/// A constant that is not too large.
fn constant(pool: &TermPool, term: Term) -> Option<i128> {
    integer(pool, term)?.to_i128().filter(|number| number.unsigned_abs() <= LARGEST)
}

/// The bounds of terms in the conditions of a transition, or of a branch in it.
#[derive(Default)]
struct Bounds<'b> {
    /// Those outside of the branch.
    outer: Option<&'b Bounds<'b>>,
    least: FxHashMap<Term, i128>,
    most: FxHashMap<Term, i128>,
}

impl Bounds<'_> {
    fn of(pool: &mut TermPool, constraint: Term) -> Self {
        let mut found = Bounds::default();
        found.read(pool, constraint);
        found
    }

    /// These bounds and those of a conjunction.
    fn under(&self, pool: &mut TermPool, constraint: Term) -> Bounds<'_> {
        let mut found = Bounds { outer: Some(self), ..Bounds::default() };
        found.read(pool, constraint);
        found
    }

    /// The bounds of a term, if it has both.
    fn range(&self, term: Term) -> Option<Range> {
        let levels = || std::iter::successors(Some(self), |bounds| bounds.outer);
        let least = levels().filter_map(|bounds| bounds.least.get(&term)).max()?;
        let most = levels().filter_map(|bounds| bounds.most.get(&term)).min()?;
        (least <= most).then_some((*least, *most))
    }

    fn read(&mut self, pool: &mut TermPool, constraint: Term) {
        for conjunct in pool.conjuncts(&[constraint]) {
            let (atom, holds) = match pool.op(conjunct) {
                Op::Not => (pool.children(conjunct)[0], false),
                _ => (conjunct, true),
            };
            let op = pool.op(atom);
            let (is_strict, is_unsigned) = match op {
                Op::Le | Op::BvSle => (false, false),
                Op::Lt | Op::BvSlt => (true, false),
                Op::BvUle => (false, true),
                Op::BvUlt => (true, true),
                _ => continue,
            };
            let &[left, right] = pool.children(atom) else { continue };
            // `left < right` or `right < left`, perhaps with equality.
            let (smaller, larger, is_strict) =
                if holds { (left, right, is_strict) } else { (right, left, !is_strict) };
            let gap = i128::from(is_strict);
            match (constant(pool, smaller), constant(pool, larger)) {
                (None, Some(most)) if !is_unsigned || most >= 0 => {
                    let old = self.most.entry(smaller).or_insert(i128::MAX);
                    *old = (*old).min(most - gap);
                    if is_unsigned {
                        let old = self.least.entry(smaller).or_insert(0);
                        *old = (*old).max(0);
                    }
                }
                (Some(least), None) if !is_unsigned => {
                    let old = self.least.entry(larger).or_insert(i128::MIN);
                    *old = (*old).max(least + gap);
                }
                _ => {}
            }
        }
    }
}

/// Reads the changes of a symbol off its new value on a transition.
///
/// Terms are read once, under the conditions of the first branch that leads to them, so a long
/// sequence of branches costs no more than its size.
struct Reader<'p> {
    pool: &'p mut TermPool,
    symbol: Term,
    changes: FxHashMap<Term, Option<Range>>,
    ranges: FxHashMap<Term, Option<Range>>,
}

impl<'p> Reader<'p> {
    fn new(pool: &'p mut TermPool, symbol: Term) -> Self {
        Reader { pool, symbol, changes: FxHashMap::default(), ranges: FxHashMap::default() }
    }

    /// The values of `value - symbol`, if `value` is a sum with the symbol. A branch of an `ite` is
    /// read under its condition; one where the difference would be far away, as after an overflow
    /// of an integer, does not count.
    fn change(&mut self, bounds: &Bounds<'_>, value: Term, depth: u32) -> Option<Range> {
        let depth = depth.checked_sub(1)?;
        if value == self.symbol {
            return Some((0, 0));
        }
        if let Some(&known) = self.changes.get(&value) {
            return known;
        }
        let found = self.change_of_sum(bounds, value, depth);
        self.changes.insert(value, found);
        found
    }

    fn change_of_sum(&mut self, bounds: &Bounds<'_>, value: Term, depth: u32) -> Option<Range> {
        let children = self.pool.children(value).to_vec();
        match self.pool.op(value) {
            Op::Ite => {
                let then = bounds.under(self.pool, children[0]);
                let then = self.change(&then, children[1], depth)?;
                let negated = self.pool.not(children[0]);
                let otherwise = bounds.under(self.pool, negated);
                let otherwise = self.change(&otherwise, children[2], depth)?;
                match (is_far(then), is_far(otherwise)) {
                    (true, false) => Some(otherwise),
                    (false, true) => Some(then),
                    _ => Some(hull(then, otherwise)),
                }
            }
            Op::Add | Op::BvAdd => {
                let changes = children.iter().enumerate();
                let (place, mut sum) = changes
                    .filter_map(|(place, &child)| Some((place, self.change(bounds, child, depth)?)))
                    .next()?;
                for (_, &other) in children.iter().enumerate().filter(|&(other, _)| other != place) {
                    sum = plus(sum, self.range(bounds, other, depth)?);
                }
                Some(sum)
            }
            Op::Sub | Op::BvSub => {
                let change = self.change(bounds, children[0], depth)?;
                Some(plus(change, negative(self.range(bounds, children[1], depth)?)))
            }
            _ => None,
        }
    }

    /// The values of a term, as far as it tells them.
    fn range(&mut self, bounds: &Bounds<'_>, term: Term, depth: u32) -> Option<Range> {
        let depth = depth.checked_sub(1)?;
        if let Some(number) = constant(self.pool, term) {
            return Some((number, number));
        }
        if let Some(range) = bounds.range(term) {
            return Some(range);
        }
        if let Some(&known) = self.ranges.get(&term) {
            return known;
        }
        let found = self.range_of_operator(bounds, term, depth);
        let is_small = |number: i128| number.unsigned_abs() <= LARGEST;
        let found = found.filter(|&(least, most)| is_small(least) && is_small(most));
        self.ranges.insert(term, found);
        found
    }

    fn range_of_operator(&mut self, bounds: &Bounds<'_>, term: Term, depth: u32) -> Option<Range> {
        let children = self.pool.children(term).to_vec();
        match self.pool.op(term) {
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                let is_signed = matches!(op, Op::SignExtend(_));
                let inner = self.range(bounds, children[0], depth);
                if let Some(range) = inner.filter(|&(least, _)| is_signed || least >= 0) {
                    return Some(range);
                }
                let half = 1i128 << self.pool.width(children[0]).checked_sub(1).filter(|&bits| bits < 64)?;
                Some(if is_signed { (-half, half - 1) } else { (0, 2 * half - 1) })
            }
            Op::Ite => {
                Some(hull(self.range(bounds, children[1], depth)?, self.range(bounds, children[2], depth)?))
            }
            Op::Add | Op::BvAdd => children
                .iter()
                .try_fold((0, 0), |sum, &child| Some(plus(sum, self.range(bounds, child, depth)?))),
            Op::Sub | Op::BvSub => {
                let subtrahend = self.range(bounds, children[1], depth)?;
                Some(plus(self.range(bounds, children[0], depth)?, negative(subtrahend)))
            }
            Op::Neg | Op::BvNeg => Some(negative(self.range(bounds, children[0], depth)?)),
            Op::Mul | Op::BvMul if children.len() == 2 => {
                let place = children.iter().position(|&child| constant(self.pool, child).is_some())?;
                let factor = constant(self.pool, children[place])?;
                let (least, most) = self.range(bounds, children[1 - place], depth)?;
                let ends = (least.saturating_mul(factor), most.saturating_mul(factor));
                Some(if factor < 0 { (ends.1, ends.0) } else { ends })
            }
            Op::IntMod | Op::BvUrem => {
                let divisor = constant(self.pool, children[1]).filter(|&divisor| divisor > 0)?;
                Some((0, divisor - 1))
            }
            Op::BvAnd => {
                let masks = children.iter().filter_map(|&child| constant(self.pool, child));
                masks.filter(|&mask| mask >= 0).min().map(|mask| (0, mask))
            }
            _ => None,
        }
    }
}

fn hull(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

fn plus(one: Range, other: Range) -> Range {
    (one.0.saturating_add(other.0), one.1.saturating_add(other.1))
}

fn negative(range: Range) -> Range {
    (range.1.saturating_neg(), range.0.saturating_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_outweigh_all_transitions() {
        let exactly = |steps: &[i128]| steps.iter().map(|&step| (step, step)).collect::<Vec<Range>>();
        let of = |changes: &[i128], steps: &[i128]| slope(&exactly(changes), &exactly(steps));
        assert_eq!(of(&[255], &[1]), Some(255));
        assert_eq!(of(&[255], &[-2]), Some(-128));
        assert_eq!(of(&[5, 7], &[2, 1]), Some(7));
        assert_eq!(of(&[-3], &[1]), Some(-3), "x falls by 3 at least");
        assert_eq!(of(&[5, 0], &[1, 0]), Some(5));
        assert_eq!(of(&[5, 1], &[1, 0]), None, "x grows where the counter rests");
        assert_eq!(of(&[5, 1], &[1, -1]), None, "no counter");
        assert_eq!(of(&[0], &[1]), None);
        let wrap = -(1 << 32);
        assert_eq!(of(&[255, wrap], &[1, 1]), Some(255), "a transition with an overflow");
        assert_eq!(of(&[255, 255], &[1, wrap]), Some(255), "an overflow of the counter");
        assert_eq!(of(&[wrap], &[1]), None);
        assert_eq!(of(&[i128::MIN, i128::MAX], &[1, 1]), None);
    }

    #[test]
    fn changes_are_read_off_sums_and_conditions() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let byte = pool.symbol("byte", Sort::BitVec(8));
        let word = pool.symbol("word", Sort::BitVec(32));
        let condition = pool.symbol("c", Sort::Bool);
        let (low, high) = (pool.bv(32, 3), pool.bv(32, 9));
        let (above, below) = (pool.bv_sle(low, word), pool.bv_slt(word, high));
        let constraint = pool.and2(above, below);
        let bounds = Bounds::of(&mut pool, constraint);
        let wide = pool.zero_extend(24, byte);
        let extended = pool.sign_extend(24, byte);
        let one = pool.bv(32, 1);
        let more = pool.bv_add(x, wide);
        let less = pool.bv_sub(x, word);
        let either = pool.ite(condition, more, less);
        let signed = pool.bv_add(extended, x);
        let signed = pool.bv_add(signed, one);
        let product = pool.bv_mul(x, word);
        let free = pool.symbol("free", Sort::BitVec(32));
        let seven = pool.bv(32, 7);
        let small = pool.bv_ule(free, seven);
        let plus = pool.bv_add(x, free);
        let guarded = pool.ite(small, plus, x);
        for (value, expected) in [
            (x, Some((0, 0))),
            (more, Some((0, 255))),
            (less, Some((-8, -3))),
            (either, Some((-8, 255))),
            (signed, Some((-127, 128))),
            (product, None),
            (plus, None),
            (guarded, Some((0, 7))),
            (word, None),
        ] {
            assert_eq!(
                Reader::new(&mut pool, x).change(&bounds, value, MAX_DEPTH),
                expected,
                "{}",
                pool.display(value)
            );
        }
    }
}
