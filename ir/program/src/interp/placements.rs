//! The observable addresses that a run chooses, and the check that they are possible.
//!
//! A program that observes addresses stores, for each object, the difference between its observable
//! and its internal address ([`Shadow::placements`](crate::ssa::Shadow)). Two objects whose
//! lifetimes overlap must not overlap in memory. The run records the lifetime of each placed
//! object. If the shadow tracks the size of the object, the lifetime lasts from its first size
//! until its size becomes 0; else it lasts from the placement to the end of the activation.
//!
//! Cost: quadratic in the number of placed objects.
//!
//! Limits: the check ignores objects without a placement and assumes that the address space has
//! room for them. A run with more than [`MOST`] placed objects is rejected.

use std::collections::BTreeMap;

/// The name of the input that chooses an observable address.
pub const PLACEMENT: &str = "<address>";

/// The largest number of placed objects that are checked for overlaps.
const MOST: usize = 4096;

/// An object with an observable address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Its first observable address.
    pub address: u64,
    /// The size in bytes; 1 for a block of no bytes.
    pub size: u64,
    /// The lifetimes, as intervals of the clock of [`Placements`]. `None` means the end of the run.
    lives: Vec<(u64, Option<u64>)>,
    /// Whether the shadow has stored a size for it, which determines its lifetime.
    is_tracked: bool,
}

/// The placements of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placements {
    /// In the order of the inputs that chose the addresses.
    all: Vec<Placement>,
    /// The latest placement at each index of the shadow, as a position in `all`.
    by_index: BTreeMap<u64, usize>,
    clock: u64,
}

impl Placements {
    /// Returns the placed objects in the order of their inputs.
    pub fn all(&self) -> &[Placement] {
        &self.all
    }

    /// Whether no two objects overlap while both are live. False if there are too many objects to
    /// check.
    pub fn are_possible(&self) -> bool {
        self.all.len() <= MOST
            && self.all.iter().enumerate().all(|(index, first)| {
                self.all[index + 1..].iter().all(|second| !first.overlaps(second) || !first.meets(second))
            })
    }

    pub(super) fn place(&mut self, index: u64, address: u64, size: u64) {
        self.clock += 1;
        self.by_index.insert(index, self.all.len());
        let lives = vec![(self.clock, None)];
        self.all.push(Placement { address, size, lives, is_tracked: false });
    }

    /// Records that the shadow sets the size of the object to `size` bytes; 0 ends its lifetime.
    pub(super) fn resize(&mut self, index: u64, size: u64) {
        let Some(&at) = self.by_index.get(&index) else { return };
        self.clock += 1;
        let placement = &mut self.all[at];
        // The first size of a block of no bytes, which takes one, is 0; the second one ends it.
        let is_start = placement.size <= 1 && !placement.is_tracked;
        if size == 0 && !is_start {
            placement.end(self.clock);
        } else if !placement.is_tracked {
            placement.lives = vec![(self.clock, None)];
        } else if placement.lives.last().is_some_and(|life| life.1.is_some()) {
            placement.lives.push((self.clock, None));
        }
        placement.is_tracked = true;
    }

    /// Records the end of the activation that owns the object.
    pub(super) fn release(&mut self, index: u64) {
        if let Some(at) = self.by_index.remove(&index) {
            self.clock += 1;
            self.all[at].end(self.clock);
        }
    }
}

impl Placement {
    fn end(&mut self, now: u64) {
        if let Some((_, end @ None)) = self.lives.last_mut() {
            *end = Some(now);
        }
    }

    fn overlaps(&self, other: &Placement) -> bool {
        let end = |placement: &Placement| u128::from(placement.address) + u128::from(placement.size.max(1));
        u128::from(self.address) < end(other) && u128::from(other.address) < end(self)
    }

    fn meets(&self, other: &Placement) -> bool {
        self.lives.iter().any(|&(start, end)| {
            other.lives.iter().any(|&(other_start, other_end)| {
                end.is_none_or(|end| other_start < end) && other_end.is_none_or(|end| start < end)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn living_objects_are_disjoint() {
        let mut placements = Placements::default();
        placements.place(16, 0x100, 8);
        placements.place(32, 0x108, 8);
        assert!(placements.are_possible());
        placements.place(48, 0x107, 1);
        assert!(!placements.are_possible());
    }

    #[test]
    fn an_address_comes_again_when_its_object_has_ended() {
        let mut placements = Placements::default();
        placements.place(16, 0x100, 8);
        placements.resize(16, 8);
        placements.resize(16, 0);
        placements.place(32, 0x100, 8);
        assert!(placements.are_possible());
        placements.resize(16, 8);
        assert!(!placements.are_possible());
    }

    #[test]
    fn an_object_lives_from_where_the_shadow_says_so() {
        let mut placements = Placements::default();
        placements.place(16, 0x100, 8);
        placements.place(32, 0x100, 8);
        placements.resize(16, 8);
        placements.resize(16, 0);
        placements.resize(32, 8);
        assert!(placements.are_possible());
    }

    #[test]
    fn a_block_of_no_bytes_has_an_address_until_it_is_freed() {
        let mut placements = Placements::default();
        placements.place(16, 0x100, 1);
        placements.resize(16, 0);
        let mut freed = placements.clone();
        placements.place(32, 0x100, 1);
        placements.resize(32, 1);
        assert!(!placements.are_possible());
        freed.resize(16, 0);
        freed.place(32, 0x100, 1);
        freed.resize(32, 1);
        assert!(freed.are_possible());
    }

    #[test]
    fn an_object_ends_with_its_activation() {
        let mut placements = Placements::default();
        placements.place(16, 0x100, 8);
        placements.release(16);
        placements.place(32, 0x100, 8);
        assert!(placements.are_possible());
    }
}
