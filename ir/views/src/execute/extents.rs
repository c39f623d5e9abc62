//! The extents of objects, for detecting accesses outside of them.
//!
//! Such an access is undefined in C. The formulas assign some contents to memory outside of
//! objects, and the alias analysis assumes that a pointer is only used within the object that it
//! was derived from. A proof must therefore show that there is no such access; for an address that
//! folds to a constant this is a lookup.

use program::layout::Layout;
use program::ssa::{Program, Region};
use terms::entity::Entity;
use terms::{Term, TermPool};

/// The greatest number of objects with which a symbolic address is compared one by one. With more
/// objects, it is compared with the range from the first to the last.
const OBJECTS: usize = 64;

/// The first address and the size of each object, by region, in order of addresses.
#[derive(Debug, Default)]
pub(crate) struct Extents {
    regions: Vec<Vec<(u64, u64)>>,
}

impl Extents {
    pub(crate) fn of_static_objects(program: &Program, layout: &Layout) -> Self {
        let mut extents = Extents { regions: vec![Vec::new(); program.regions.len()] };
        for (object, data) in program.objects.iter() {
            let Some(address) = layout.object(object) else { continue };
            for &region in &data.regions {
                extents.add(region, address, data.size);
            }
        }
        for region in &mut extents.regions {
            region.sort_unstable();
        }
        extents
    }

    /// Adds an object above all others of the region.
    pub(crate) fn add(&mut self, region: Region, address: u64, size: u64) {
        self.regions[region.index()].push((address, size));
    }

    /// The condition under which an access of `bytes` bytes at `address` is not inside an object of
    /// the region.
    pub(crate) fn outside(&self, pool: &mut TermPool, region: Region, address: Term, bytes: u64) -> Term {
        let objects = &self.regions[region.index()];
        if let Some(address) = pool.as_bv_u64(address) {
            let next = objects.partition_point(|&(start, _)| start <= address);
            let is_inside = next.checked_sub(1).is_some_and(|index| {
                let (start, size) = objects[index];
                bytes <= size && address - start <= size - bytes
            });
            return pool.bool(!is_inside);
        }
        let width = pool.width(address);
        let mut outside = Vec::new();
        let stretch;
        let compared = match (&objects[..], objects.first(), objects.last()) {
            (many, Some(&(start, _)), Some(&(last, size))) if many.len() > OBJECTS => {
                stretch = [(start, last - start + size)];
                &stretch[..]
            }
            (few, ..) => few,
        };
        for &(start, size) in compared {
            let Some(last) = size.checked_sub(bytes) else { continue };
            let (start, last) = (pool.bv(width, start), pool.bv(width, last));
            let offset = pool.bv_sub(address, start);
            let inside = pool.bv_ule(offset, last);
            outside.push(pool.not(inside));
        }
        pool.and(&outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Sort;

    fn extents(objects: &[(u64, u64)]) -> Extents {
        Extents { regions: vec![objects.to_vec()] }
    }

    #[test]
    fn a_constant_address_is_looked_up() {
        let mut pool = TermPool::new();
        let extents = extents(&[(100, 4), (200, 8)]);
        for (address, bytes, is_outside) in [
            (100, 4, false),
            (101, 4, true),
            (103, 1, false),
            (104, 1, true),
            (99, 1, true),
            (204, 4, false),
            (205, 4, true),
            (0, 1, true),
        ] {
            let term = pool.bv(32, address);
            let outside = extents.outside(&mut pool, Region(0), term, bytes);
            assert_eq!(pool.as_bool(outside), Some(is_outside), "{address} {bytes}");
        }
    }

    #[test]
    fn a_symbolic_address_is_compared() {
        let mut pool = TermPool::new();
        let address = pool.symbol("p", Sort::BitVec(32));
        for objects in [vec![(100, 4), (200, 8)], (0..100).map(|i| (100 + i, 1)).collect()] {
            let extents = extents(&objects);
            let outside = extents.outside(&mut pool, Region(0), address, 1);
            let mut at = |value| {
                let value = pool.bv(32, value);
                let term = pool.map_leaves(outside, &mut |_, leaf| (leaf == address).then_some(value));
                pool.as_bool(term)
            };
            assert_eq!(
                (at(99), at(100), at(103), at(300)),
                (Some(true), Some(false), Some(false), Some(true))
            );
        }
        let nowhere = extents(&[]).outside(&mut pool, Region(0), address, 1);
        assert_eq!(pool.as_bool(nowhere), Some(true));
    }
}
