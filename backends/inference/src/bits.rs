//! Known bits: the bits of a bit vector that all states share.
//!
//! A row is `x & m = v`. Editing it clears the bits of `m` in which a state differs, so a row
//! changes at most w + 1 times.

use crate::table::{Base, Table, Template};
use terms::{Sort, Term, TermPool, Value};

/// The domain of known bits.
pub(crate) fn bits(base: &Base<'_>) -> Table<KnownBits> {
    Table::new("bits", base, |pool, first| {
        let numbers = first.material.numbers.iter().copied();
        let words = numbers.filter_map(|number| match pool.sort(number) {
            Sort::BitVec(width @ 1..=64) => Some(KnownBits { number, width, known: None }),
            _ => None,
        });
        words.collect()
    })
}

/// A row.
pub(crate) struct KnownBits {
    number: Term,
    width: u32,
    /// The mask and the value under it.
    known: Option<(u64, u64)>,
}

impl Template for KnownBits {
    fn required(&self) -> Vec<Term> {
        vec![self.number]
    }

    fn formula(&self, pool: &mut TermPool) -> Option<Term> {
        let Some((mask, value)) = self.known else { return Some(pool.fls()) };
        if mask == 0 {
            return None;
        }
        let [mask, value] = [mask, value].map(|bits| pool.bv(self.width, bits));
        let masked = pool.bv_and(self.number, mask);
        Some(pool.eq(masked, value))
    }

    fn edit(&mut self, values: &[Value]) -> bool {
        let Some(new) = values.first().and_then(Value::as_u64) else { return false };
        let before = self.known;
        let all = u64::MAX >> (64 - self.width);
        let mask = self.known.map_or(all, |(mask, value)| mask & !(value ^ new));
        self.known = Some((mask, new & mask));
        self.known != before
    }
}
