//! Zones of the heap: ranges of addresses for blocks that have a region in common.
//!
//! Each zone has a *heap pointer*, the address of its next block. In an address space of 64 bits,
//! classes of blocks of similar constant sizes have zones of their own, where the distance of
//! blocks is a constant power of two. There, `start ≤ a < heap pointer` and the low bits of `a`
//! tell whether `a` is the address of a block: a formula about all blocks that needs no induction.
//! All other blocks share the last zone.
//!
//! The sizes of zones keep "allocation succeeds" ([`machine`](super::machine)) harmless. A zone of
//! its own has 2^50 addresses, more than a process can use, and the last zone has all but a small
//! part of the address space. With fewer addresses there is one zone, and blocks lie as close as
//! gaps permit. If objects have slots, slots are the distance of all blocks, and there is one zone.

use super::execute::BLOCK_ALIGN;
use program::layout::Layout;
use program::ssa::{InstructionKind, Part, Program, Region};
use rustc_hash::FxHashMap;
use terms::TermPool;

/// The largest number of zones of their own.
const MOST_ZONES: usize = 8;
/// The number of addresses of such a zone.
const ZONE: u64 = 1 << 50;
/// The largest block in such a zone.
const LARGEST_BLOCK: u64 = 1 << 16;
/// The largest ratio of the sizes of blocks in such a zone.
const LARGEST_RATIO: u64 = 4;

/// A range of addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    /// The address of the first block.
    pub(super) start: u64,
    /// The last address.
    pub(super) last: u64,
    /// The distance of blocks, if it is constant.
    pub(super) stride: Option<u64>,
}

/// The zones of a program, at least one.
#[derive(Debug)]
pub(super) struct Zones {
    pub(super) zones: Vec<Zone>,
    of: FxHashMap<Region, usize>,
}

/// Blocks with common regions.
struct Class {
    regions: Vec<Region>,
    /// The smallest and largest size, if all are constant.
    sizes: Option<(u64, u64)>,
}

impl Class {
    fn join(&mut self, other: Class) {
        self.regions.extend(other.regions);
        self.sizes = match (self.sizes, other.sizes) {
            (Some((least, most)), Some((other_least, other_most))) => {
                Some((least.min(other_least), most.max(other_most)))
            }
            _ => None,
        };
    }

    /// The distance of blocks in a zone for this class.
    fn stride(&self) -> Option<u64> {
        let (least, most) = self.sizes?;
        let is_similar = most <= LARGEST_BLOCK && most <= least.saturating_mul(LARGEST_RATIO);
        is_similar.then(|| (most + BLOCK_ALIGN).next_power_of_two().max(2 * BLOCK_ALIGN))
    }
}

impl Zones {
    /// Divides the addresses from `next` to `last`.
    pub(super) fn new(pool: &TermPool, program: &Program, layout: &Layout, next: u64, last: u64) -> Self {
        let mut shared = Zones { zones: Vec::new(), of: FxHashMap::default() };
        let has_room = layout.slot_bits().is_none() && next < ZONE / 2 && last > 4 * MOST_ZONES as u64 * ZONE;
        let mut start = next;
        let mut rest = Vec::new();
        for class in classes(pool, program) {
            let stride = class.stride().filter(|_| has_room && shared.zones.len() < MOST_ZONES);
            let Some(stride) = stride else {
                rest.extend(class.regions);
                continue;
            };
            let number = shared.zones.len();
            shared.of.extend(class.regions.iter().map(|&region| (region, number)));
            // Blocks are aligned to `BLOCK_ALIGN` and to nothing more.
            let first = start.next_multiple_of(stride) + BLOCK_ALIGN;
            start = (start / ZONE + 1) * ZONE;
            shared.zones.push(Zone { start: first, last: start - 1, stride: Some(stride) });
        }
        if !rest.is_empty() || shared.zones.is_empty() {
            let number = shared.zones.len();
            shared.of.extend(rest.iter().map(|&region| (region, number)));
            let start = layout.place(start, 1, BLOCK_ALIGN).map_or(start, |(address, _)| address);
            shared.zones.push(Zone { start, last, stride: None });
        }
        shared
    }

    /// The zone of the blocks in a region.
    pub(super) fn of(&self, region: Region) -> Option<usize> {
        self.of.get(&region).copied()
    }

    /// Whether there are blocks.
    pub(super) fn has_blocks(&self) -> bool {
        !self.of.is_empty()
    }
}

/// The classes of blocks, in the order of their first allocations.
fn classes(pool: &TermPool, program: &Program) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let blocks = program.functions.values().flat_map(|function| function.blocks.values());
    for instruction in blocks.flat_map(|block| &block.instructions) {
        let InstructionKind::Allocate { parts, size, .. } = &instruction.kind else { continue };
        let regions = parts.iter().map(|part: &Part| part.region).collect();
        let mut own = Class { regions, sizes: pool.as_bv_u64(*size).map(|size| (size, size)) };
        let is_own = |class: &Class| class.regions.iter().any(|region| own.regions.contains(region));
        let (touched, others): (Vec<Class>, Vec<Class>) = classes.into_iter().partition(is_own);
        classes = others;
        let place = classes.len();
        for class in touched {
            own.join(class);
        }
        own.regions.sort_unstable();
        own.regions.dedup();
        classes.insert(place, own);
    }
    classes
}
