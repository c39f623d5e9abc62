//! Contents of objects that a run chose and has not read.
//!
//! They are inputs, but a trace is only interested in those that are read. So a traced run keeps
//! the intervals of addresses whose contents were chosen, and takes out what is stored to or read.

use crate::ssa::Region;
use std::collections::BTreeMap;

/// Disjoint intervals of addresses, by region and first address; the value is one past the last.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    intervals: BTreeMap<(u32, u64), u64>,
}

impl Chosen {
    /// The contents of an object were chosen.
    pub(super) fn add(&mut self, region: Region, address: u64, size: u64) {
        self.take(region, address, size);
        self.intervals.insert((region.0, address), address.saturating_add(size));
    }

    /// Takes out some bytes; whether one of them was there.
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
        assert!(chosen.take(memory, 16, 4), "two bytes before are left");
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
