//! Reads and writes of single cells: arrays of few relevant addresses become choices of scalars.
//!
//! A solver decides a read from an array by comparing its index with that of each write before. If
//! the `ranges` of the address leave few addresses, the read is a choice between the cells at these
//! addresses, and the write at an address that is one of few is a write to each of them, of the new
//! or the old value. Then all indices are constants, reads look through writes and merges of paths,
//! and buffers of bytes never reach the array theory.
//!
//! Cost: a read of one cell visits each merge and each write between it and the write that it
//! finds, at most [`VISITED`]; beyond that, or if a write has another index, the array is read as
//! usual. All reads of an execution visit at most [`TOTAL`] terms, and [`SHARE`] more for each.
//! Results are kept for each merge and index.

use super::memory::{BYTE, Memory};
use super::ranges::Ranges;
use program::ssa::{Region, RegionKind, Type};
use rustc_hash::FxHashMap;
use terms::{Op, Term, TermPool};

/// The greatest number of addresses of a read that becomes a choice.
const READ: u64 = 32;
/// The greatest number of addresses of a write that becomes writes to each of them.
const WRITTEN: u64 = 16;
/// The greatest number of terms visited by a read of one cell.
const VISITED: usize = 20_000;
/// The greatest number of terms visited by all reads, beyond [`SHARE`] for each.
const TOTAL: usize = 50_000_000;
/// The terms that a read may visit in any case, as many as a `select` skips.
const SHARE: usize = 64;

/// The cells read so far.
#[derive(Default)]
pub(super) struct Cells {
    /// By the array at a merge and the index.
    known: FxHashMap<(Term, Term), Term>,
    /// The number of terms visited, without the shares.
    spent: usize,
}

/// An access of a region.
#[derive(Clone, Copy)]
pub(super) struct CellAccess {
    pub(super) region: Region,
    pub(super) contents: Term,
    pub(super) address: Option<Term>,
    pub(super) ty: Type,
}

impl Cells {
    /// The value of a read.
    pub(super) fn load(
        &mut self,
        pool: &mut TermPool,
        (memory, ranges): (&Memory, &mut Ranges),
        access: CellAccess,
    ) -> Term {
        let CellAccess { region, contents, address, ty } = access;
        let Some(addresses) = self.addresses(pool, (memory, ranges), access, READ) else {
            return memory.load(pool, region, contents, address, ty);
        };
        let address = address.expect("a region with addresses");
        let mut result = None;
        for index in addresses.into_iter().rev() {
            let value = self.load_at(pool, memory, CellAccess { address: Some(index), ..access });
            result = Some(match result {
                None => value,
                Some(other) => {
                    let is_here = pool.eq(address, index);
                    pool.ite(is_here, value, other)
                }
            });
        }
        result.expect("a range has a value")
    }

    /// The contents after a write.
    pub(super) fn store(
        &mut self,
        pool: &mut TermPool,
        (memory, ranges): (&Memory, &mut Ranges),
        access: CellAccess,
        value: Term,
    ) -> Term {
        let CellAccess { region, mut contents, address, ty } = access;
        match self.addresses(pool, (memory, ranges), access, WRITTEN) {
            Some(addresses) if addresses.len() > 1 => {
                let address = address.expect("a region with addresses");
                for index in addresses {
                    let at = CellAccess { contents, address: Some(index), ..access };
                    let old = self.load_at(pool, memory, at);
                    let is_here = pool.eq(address, index);
                    let new = pool.ite(is_here, value, old);
                    contents = memory.store(pool, region, contents, Some(index), new, ty);
                }
                contents
            }
            _ => memory.store(pool, region, contents, address, value, ty),
        }
    }

    /// The possible addresses of an access, if there are at most `most`.
    fn addresses(
        &self,
        pool: &mut TermPool,
        (memory, ranges): (&Memory, &mut Ranges),
        access: CellAccess,
        most: u64,
    ) -> Option<Vec<Term>> {
        if matches!(memory.regions[access.region.0 as usize].kind, RegionKind::Scalar(_)) {
            return None;
        }
        let address = access.address?;
        let values = ranges.values(pool, address, most)?;
        let width = pool.width(address);
        Some(values.map(|value| pool.bv(width, value)).collect())
    }

    /// The value at a constant address.
    fn load_at(&mut self, pool: &mut TermPool, memory: &Memory, access: CellAccess) -> Term {
        let CellAccess { region, contents, address, ty } = access;
        let address = address.expect("the address is a constant");
        let bytes = match memory.regions[region.0 as usize].kind {
            RegionKind::Bytes => ty.bytes() / BYTE.bytes(),
            _ => 1,
        };
        let mut result = self.cell(pool, contents, address);
        for byte in 1..bytes {
            let index = memory.offset(pool, address, byte);
            let high = self.cell(pool, contents, index);
            result = pool.concat(high, result);
        }
        result
    }

    /// The cell of `array` at a constant index.
    fn cell(&mut self, pool: &mut TermPool, array: Term, index: Term) -> Term {
        let mut stack = vec![array];
        let mut visited = 0;
        self.spent = self.spent.saturating_sub(SHARE);
        // The result of the array visited last.
        let mut last = None;
        while let Some(&current) = stack.last() {
            if let Some(&known) = self.known.get(&(current, index)) {
                last = Some(known);
                stack.pop();
                continue;
            }
            let mut source = current;
            let found = loop {
                visited += 1;
                self.spent += 1;
                if visited > VISITED || self.spent > TOTAL {
                    return pool.select(array, index);
                }
                match (pool.op(source), pool.children(source)) {
                    (Op::Store, &[_, written, value]) if written == index => break Some(value),
                    (Op::Store, &[older, written, _])
                        if pool.as_bv_u64(written).is_some() && pool.as_bv_u64(index).is_some() =>
                    {
                        source = older;
                    }
                    (Op::ConstArray(_), &[value]) => break Some(value),
                    (Op::Ite, &[condition, then, otherwise]) => {
                        let (a, b) = (self.known.get(&(then, index)), self.known.get(&(otherwise, index)));
                        match (a.copied(), b.copied()) {
                            (Some(a), Some(b)) => break Some(pool.ite(condition, a, b)),
                            (a, b) => {
                                stack.extend([then].into_iter().filter(|_| a.is_none()));
                                stack.extend([otherwise].into_iter().filter(|_| b.is_none()));
                                break None;
                            }
                        }
                    }
                    _ => break Some(pool.select(source, index)),
                }
            };
            if let Some(value) = found {
                self.known.insert((current, index), value);
                last = Some(value);
                stack.pop();
            }
        }
        last.expect("the array has been visited")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::{Representation, Sort};

    #[test]
    fn reads_beyond_the_total_visit_their_share_only() {
        let mut pool = TermPool::new();
        let sort = pool.array_sort(Sort::BitVec(16), Sort::BitVec(8));
        let mut array = pool.symbol_with("a", sort, Representation::Unsigned);
        for number in 0..1000 {
            let (index, value) = (pool.bv(16, number), pool.bv(8, number));
            array = pool.store(array, index, value);
        }
        let [first, last] = [7, 990].map(|number| (pool.bv(16, number), pool.bv(8, number)));
        let mut cells = Cells::default();
        assert_eq!(cells.cell(&mut pool, array, first.0), first.1);
        let mut cells = Cells { spent: TOTAL, ..Cells::default() };
        let read = cells.cell(&mut pool, array, first.0);
        assert_eq!(pool.op(read), Op::Select);
        assert_eq!(cells.cell(&mut pool, array, last.0), last.1);
    }
}
