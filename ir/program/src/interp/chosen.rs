//! Nondeterministic contents of objects that no load has read yet.
//!
//! Such contents are inputs, but a trace shows them only when a load reads them. A traced run
//! therefore keeps the address intervals with nondeterministic contents; a load or a store removes
//! the interval that it accesses.

use crate::ssa::Region;
use std::collections::BTreeMap;

/// Disjoint address intervals: region and first address → one past the last address.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    intervals: BTreeMap<(u32, u64), u64>,
}

impl Chosen {
    /// Adds the addresses of an object.
    pub(super) fn add(&mut self, region: Region, address: u64, size: u64) {
        self.take(region, address, size);
        self.intervals.insert((region.0, address), address.saturating_add(size));
    }

    /// Removes `bytes` addresses from `address` on; returns whether the set contained any of them.
    #[inline]
    pub(super) fn take(&mut self, region: Region, address: u64, bytes: u64) -> bool {
        if self.intervals.is_empty() {
            return false;
        }
        self.take_overlapping(region.0, address, address.saturating_add(bytes))
    }

    fn take_overlapping(&mut self, region: u32, start: u64, end: u64) -> bool {
        let mut found = false;
        while let Some((&(_, first), &past)) =
            self.intervals.range((region, 0)..(region, end)).next_back().filter(|&(_, &past)| past > start)
        {
            found = true;
            self.intervals.remove(&(region, first));
            if first < start {
                self.intervals.insert((region, first), start);
            }
            if past > end {
                self.intervals.insert((region, end), past);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_out_once() {
        let (memory, other) = (Region(0), Region(1));
        let mut chosen = Chosen::default();
        assert!(!chosen.take(memory, 16, 4));
        chosen.add(memory, 16, 8);
        assert!(!chosen.take(other, 16, 4));
        assert!(chosen.take(memory, 18, 2));
        assert!(!chosen.take(memory, 18, 2));
        assert!(chosen.take(memory, 16, 4), "the first two bytes should remain");
        assert!(chosen.take(memory, 23, 4));
        assert!(chosen.take(memory, 0, 64));
        assert!(!chosen.take(memory, 0, 64));
    }

    #[test]
    fn an_object_that_is_forgotten_again_is_chosen_again() {
        let mut chosen = Chosen::default();
        chosen.add(Region(0), 16, 8);
        assert!(chosen.take(Region(0), 16, 8));
        chosen.add(Region(0), 16, 8);
        chosen.add(Region(0), 16, 8);
        assert!(chosen.take(Region(0), 20, 1));
        assert!(chosen.take(Region(0), 16, 8));
    }
}
