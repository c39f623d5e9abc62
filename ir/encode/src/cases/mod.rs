//! Reads of few cells as distinctions of cases.
//!
//! In an unrolling, memory is a chain of writes, most of them at constant addresses: tables,
//! buffers, contents before the program starts. Where such a chain is read at an address of a small
//! range ([`ranges`]), the value is one of few, and a tree of `ite`s over the bits of the address
//! chooses it. Writes to other addresses disappear; a write to an address that is not constant
//! becomes one comparison; where paths meet, so do the values. The rest are bit vectors, which a
//! solver reduces to clauses at once, where the theory of arrays needs an axiom for each pair of
//! accesses, found one by one. CBMC does the same for arrays of constant size (Clarke, Kroening,
//! Lerda, *A Tool for Checking ANSI-C Programs*, TACAS 2004), by one equality for each cell; a tree
//! over the bits shares what is equal.
//!
//! The result is equivalent to the source, without new symbols: cells outside of the range of the
//! address may have any value, all others are exact. A read stays a `select` if the range is large,
//! the chain is long, or the writes at unknown addresses are many.
//!
//! Cost: for each pair of array and address, the length of the chain; at most [`MOST_CELLS`] cases.
//! A table of 256 bytes is at most 255 `ite`s for each address.

mod ranges;
#[cfg(test)]
mod tests;

use ranges::{Range, Ranges, mask};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use terms::{Op, Sort, Term, TermPool};

/// The greatest number of positions that one tree distinguishes.
const MOST_POSITIONS: u64 = 1 << 16;

/// The greatest number of written cells among which one read chooses.
const MOST_CELLS: usize = 1 << 13;

/// The greatest number of cells of unknown contents among which one read chooses, less one.
const MOST_UNWRITTEN: u64 = 1 << 8;

/// The greatest number of writes that one read inspects.
const MOST_WRITES: usize = 1 << 16;

/// The greatest number of writes at unknown addresses and of merges in one read.
const MOST_RUNS: usize = 64;

/// The greatest number of trees over separate parts of memory in one run of writes.
const MOST_CLUSTERS: usize = 16;

/// The greatest distance of neighbors in one tree, where the range of the address is large.
const MOST_GAP: u64 = 256;

/// The greatest depth of distinctions between addresses of different objects.
const MOST_SPLITS: u32 = 6;

/// The greatest number of writes that all reads inspect.
const MOST_INSPECTED: usize = 1 << 26;

/// The greatest depth of sums in which alternatives are searched.
const MOST_SUMMANDS: u32 = 4;

/// The greatest number of cases of all reads.
const MOST_CASES: usize = 1 << 20;

terms::choice! {
    /// Reads of memory in the bit-precise encodings with arrays.
    #[derive(Default, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    Reads {
        #[default]
        Select = "select", "by the theory of arrays";
        Cases = "cases", "by distinction of cases where an address has few values";
    }
}

/// Translates reads of arrays. Caches translations across calls.
#[derive(Debug, Default)]
pub(super) struct Cases {
    done: FxHashMap<Term, Term>,
    /// The values of translated arrays at translated addresses; `None` where a read stays a
    /// `select`.
    reads: FxHashMap<(Term, Term), Option<Term>>,
    ranges: Ranges,
    /// The number of cases so far.
    built: usize,
    /// The number of writes that were inspected so far.
    inspected: usize,
}

/// Consecutive writes at constant addresses that a read may see, the newest of each address, and
/// what is below them.
#[derive(Debug)]
struct Run {
    array: Term,
    cells: BTreeMap<u64, Term>,
    rest: Rest,
}

#[derive(Clone, Copy, Debug)]
enum Rest {
    /// All other cells have this value.
    Value(Term),
    /// The first array if the condition holds, else the second.
    Merge(Term, Term, Term),
    /// A write of a value to a place, which the address may equal, to an older array.
    Write(Term, Term, Term),
}

/// The address as `low + factor * position`, where `position` is from `from` to `to` in steps.
struct Positions {
    bits: Term,
    low: u64,
    factor: u64,
    from: u64,
    to: u64,
    step: u64,
}

impl Cases {
    /// Translates a term and all its subterms.
    pub(super) fn translate(&mut self, pool: &mut TermPool, root: Term) -> Term {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.done.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(pool.children(term).iter().filter(|child| !self.done.contains_key(child)));
            if work.len() == before {
                let old = pool.children(term);
                let new: Vec<Term> = old.iter().map(|child| self.done[child]).collect();
                let result = match (pool.op(term), &*new) {
                    (Op::Select, &[array, index]) => self.select(pool, array, index),
                    _ if new == old => term,
                    _ => pool.rebuild(term, &new),
                };
                self.done.insert(term, result);
                work.pop();
            }
        }
        self.done[&root]
    }

    fn select(&mut self, pool: &mut TermPool, array: Term, index: Term) -> Term {
        let has_range = matches!(pool.sort(index), Sort::BitVec(width) if width <= 64);
        let value = if has_range { self.split(pool, array, index, MOST_SPLITS) } else { None };
        value.unwrap_or_else(|| pool.select(array, index))
    }

    /// Reads at the addresses of each object that a pointer may point to.
    fn split(&mut self, pool: &mut TermPool, array: Term, index: Term, depth: u32) -> Option<Term> {
        let range = self.ranges.of(pool, index);
        if depth > 0
            && range.span >= MOST_POSITIONS
            && let Some((condition, then, otherwise)) = alternatives(pool, index, MOST_SUMMANDS)
        {
            let spans = [then, otherwise].map(|index| self.ranges.of(pool, index).span);
            if spans.iter().all(|&span| span < range.span) {
                let then = self.split(pool, array, then, depth - 1)?;
                let otherwise = self.split(pool, array, otherwise, depth - 1)?;
                return Some(pool.ite(condition, then, otherwise));
            }
        }
        self.read(pool, array, index, range)
    }

    fn read(&mut self, pool: &mut TermPool, array: Term, index: Term, range: Range) -> Option<Term> {
        if let Some(&known) = self.reads.get(&(array, index)) {
            return known;
        }
        if self.inspected > MOST_INSPECTED {
            return None;
        }
        let mut runs = Vec::new();
        let value = self.read_runs(pool, array, index, range, &mut runs);
        if value.is_none() {
            self.reads.insert((array, index), None);
            self.reads.extend(runs.iter().map(|run| ((run.array, index), None)));
        }
        value
    }

    /// `runs` are those that are not yet read, each above the next.
    fn read_runs(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
        range: Range,
        runs: &mut Vec<Run>,
    ) -> Option<Term> {
        let mut left = MOST_WRITES;
        let mut count = 1;
        runs.push(self.run(pool, array, index, range, &mut left)?);
        while let Some(run) = runs.last() {
            let below: &[Term] = match &run.rest {
                Rest::Value(_) => &[],
                Rest::Merge(_, then, otherwise) => &[*then, *otherwise],
                Rest::Write(_, _, older) => &[*older],
            };
            let missing = below.iter().copied().find(|&array| !self.reads.contains_key(&(array, index)));
            if let Some(array) = missing {
                count += 1;
                if count > MOST_RUNS {
                    return None;
                }
                let run = self.run(pool, array, index, range, &mut left)?;
                runs.push(run);
                continue;
            }
            let value = |array: Term| self.reads[&(array, index)];
            let rest = match run.rest {
                Rest::Value(value) => value,
                Rest::Merge(condition, then, otherwise) => {
                    let (then, otherwise) = (value(then)?, value(otherwise)?);
                    pool.ite(condition, then, otherwise)
                }
                Rest::Write(place, written, older) => {
                    let older = value(older)?;
                    let is_here = pool.eq(place, index);
                    pool.ite(is_here, written, older)
                }
            };
            let value = match run.cells.is_empty() {
                true => rest,
                false => self.choose(pool, index, range, &run.cells, rest)?,
            };
            self.reads.insert((run.array, index), Some(value));
            runs.pop();
        }
        self.reads[&(array, index)]
    }

    /// The newest writes of `array`.
    fn run(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
        range: Range,
        left: &mut usize,
    ) -> Option<Run> {
        let width = pool.width(index);
        let mut cells = BTreeMap::new();
        let mut current = array;
        let rest = loop {
            *left = left.checked_sub(1)?;
            self.inspected += 1;
            match (pool.op(current), pool.children(current)) {
                (Op::Store, &[older, place, value]) => {
                    if place == index {
                        break Rest::Value(value);
                    }
                    match pool.as_bv_u64(place) {
                        Some(place) if range.contains(place, width) => {
                            cells.entry(place).or_insert(value);
                            if cells.len() as u64 > range.others() {
                                break Rest::Value(value);
                            }
                            if cells.len() > MOST_CELLS {
                                return None;
                            }
                        }
                        Some(_) => {}
                        None if self.ranges.of(pool, place).is_disjoint(range, width) => {}
                        None => break Rest::Write(place, value, older),
                    }
                    current = older;
                }
                (Op::ConstArray(_), &[value]) => break Rest::Value(value),
                (Op::Ite, &[condition, then, otherwise]) => break Rest::Merge(condition, then, otherwise),
                _ => break Rest::Value(self.initial(pool, current, index, range, &mut cells)),
            }
        };
        Some(Run { array, cells, rest })
    }

    /// The value of all other cells in contents without writes. If they are few, they become
    /// cells, so that all reads of `array` are at constant addresses.
    fn initial(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
        range: Range,
        cells: &mut BTreeMap<u64, Term>,
    ) -> Term {
        if range.others() >= MOST_UNWRITTEN {
            return pool.select(array, index);
        }
        let width = pool.width(index);
        let mut value = None;
        for number in 0..=range.others() {
            let place = range.low.wrapping_add(number * range.stride) & mask(width);
            value = Some(*cells.entry(place).or_insert_with(|| {
                let place = pool.bv(width, place);
                pool.select(array, place)
            }));
        }
        value.expect("a range has a word")
    }

    /// The value of the written cell at `index`, or else `rest`.
    fn choose(
        &mut self,
        pool: &mut TermPool,
        index: Term,
        range: Range,
        cells: &BTreeMap<u64, Term>,
        rest: Term,
    ) -> Option<Term> {
        self.built = self.built.saturating_add(cells.len());
        if self.built > MOST_CASES {
            return None;
        }
        let width = pool.width(index);
        if let Some(positions) = self.positions(pool, index, range) {
            let mut entries: Vec<(u64, Term)> = cells
                .iter()
                .map(|(&place, &value)| {
                    let distance = place.wrapping_sub(positions.low) & mask(width);
                    (positions.from + distance / positions.factor, value)
                })
                .collect();
            entries.sort_unstable();
            return Some(tree(pool, &positions, &entries, rest));
        }
        // Parts of memory, from the start of the range.
        let mut entries: Vec<(u64, Term)> = cells
            .iter()
            .map(|(&place, &value)| (place.wrapping_sub(range.low) & mask(width), value))
            .collect();
        entries.sort_unstable();
        let clusters: Vec<&[(u64, Term)]> = entries.chunk_by(|a, b| b.0 - a.0 <= MOST_GAP).collect();
        if clusters.len() > MOST_CLUSTERS {
            return None;
        }
        let mut value = rest;
        for cluster in clusters {
            let (first, last) = (cluster[0].0, cluster[cluster.len() - 1].0);
            let start = pool.bv(width, range.low.wrapping_add(first));
            let bits = pool.bv_sub(index, start);
            let end = pool.bv(width, last - first);
            let is_inside = pool.bv_ule(bits, end);
            let entries: Vec<(u64, Term)> =
                cluster.iter().map(|&(distance, value)| (distance - first, value)).collect();
            // The factor does not matter here.
            let step = range.stride.max(1);
            let positions = Positions { bits, low: 0, factor: 1, from: 0, to: last - first, step };
            let inside = tree(pool, &positions, &entries, rest);
            value = pool.ite(is_inside, inside, value);
        }
        Some(value)
    }

    /// Numbers the addresses, by bits of a part of the address where that is possible.
    fn positions(&mut self, pool: &mut TermPool, index: Term, range: Range) -> Option<Positions> {
        let width = pool.width(index);
        let (base, offset) = match *pool.children(index) {
            [a, b] if pool.op(index) == Op::BvAdd => match (pool.as_bv_u64(a), pool.as_bv_u64(b)) {
                (Some(base), _) => (base, b),
                (_, Some(base)) => (base, a),
                _ => (0, index),
            },
            _ => (0, index),
        };
        let (factor, part) = match *pool.children(offset) {
            [a, b] if pool.op(offset) == Op::BvMul => match (pool.as_bv_u64(a), pool.as_bv_u64(b)) {
                (Some(factor), _) => (factor, b),
                (_, Some(factor)) => (factor, a),
                _ => (1, offset),
            },
            _ => (1, offset),
        };
        for (factor, part) in [(factor, part), (1, offset)] {
            let of_part = self.ranges.of(pool, part);
            let is_injective =
                factor > 0 && of_part.span.checked_mul(factor).is_some_and(|span| span <= mask(width));
            if !is_injective || of_part.span >= MOST_POSITIONS {
                continue;
            }
            let low = of_part.low.wrapping_mul(factor).wrapping_add(base) & mask(width);
            let step = of_part.stride.max(1);
            let to = of_part.high(width).filter(|&to| to < MOST_POSITIONS);
            return Some(match to {
                Some(to) => Positions { bits: part, low, factor, from: of_part.low, to, step },
                None => {
                    let start = pool.bv(width, of_part.low);
                    let bits = pool.bv_sub(part, start);
                    Positions { bits, low, factor, from: 0, to: of_part.span, step }
                }
            });
        }
        if range.span >= MOST_POSITIONS {
            return None;
        }
        let start = pool.bv(width, range.low);
        let bits = pool.bv_sub(index, start);
        Some(Positions {
            bits,
            low: range.low,
            factor: 1,
            from: 0,
            to: range.span,
            step: range.stride.max(1),
        })
    }
}

/// An address that is one of two, by a condition: an `ite`, or a sum with one.
fn alternatives(pool: &mut TermPool, index: Term, depth: u32) -> Option<(Term, Term, Term)> {
    match (pool.op(index), pool.children(index)) {
        (Op::Ite, &[condition, then, otherwise]) => Some((condition, then, otherwise)),
        (Op::BvAdd, &[a, b]) if depth > 0 => {
            for (sum, other) in [(a, b), (b, a)] {
                if let Some((condition, then, otherwise)) = alternatives(pool, sum, depth - 1) {
                    let [then, otherwise] = [then, otherwise].map(|sum| pool.bv_add(sum, other));
                    return Some((condition, then, otherwise));
                }
            }
            None
        }
        _ => None,
    }
}

/// The entry at the position, or else `rest`. The entries are sorted.
fn tree(pool: &mut TermPool, positions: &Positions, entries: &[(u64, Term)], rest: Term) -> Term {
    let count = 64 - positions.to.leading_zeros();
    let bits: Vec<Term> = (0..count)
        .map(|bit| {
            let bit = pool.extract(bit, bit, positions.bits);
            let one = pool.bv(1, 1);
            pool.eq(bit, one)
        })
        .collect();
    subtree(pool, positions, &bits, 0, entries, rest).unwrap_or(rest)
}

/// The subtree of the positions whose bits above those of `bits` are those of `base`; `None` if
/// there is no such position.
fn subtree(
    pool: &mut TermPool,
    positions: &Positions,
    bits: &[Term],
    base: u64,
    entries: &[(u64, Term)],
    rest: Term,
) -> Option<Term> {
    let Positions { from, to, step, .. } = *positions;
    let first = from + base.saturating_sub(from).div_ceil(step) * step;
    let size = 1 << bits.len();
    if first > to || first - base >= size {
        return None;
    }
    if entries.is_empty() {
        return Some(rest);
    }
    let Some((&bit, lower)) = bits.split_last() else { return Some(entries[0].1) };
    let middle = base + size / 2;
    let (below, above) = entries.split_at(entries.partition_point(|entry| entry.0 < middle));
    let below = subtree(pool, positions, lower, base, below, rest);
    let above = subtree(pool, positions, lower, middle, above, rest);
    match (below, above) {
        (Some(below), Some(above)) => Some(pool.ite(bit, above, below)),
        (value, None) | (None, value) => value,
    }
}
