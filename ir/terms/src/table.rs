//! Hash tables over terms: [`NodeTable`] for all nodes of a pool, [`TermMap`] for traversals.
//!
//! Those by hash have open addressing with linear probing.
//!
//! A traversal of a clause or of a formula visits some ten terms, many thousand times for a file.
//! [`TermMap`] searches up to eight terms linearly. More terms are in a table; multiplication by
//! the golden ratio spreads consecutive ids, and arithmetic progressions of ids, evenly. A map that
//! is cleared and used again needs no allocation.

use super::Term;

/// The number of terms that are searched linearly.
const FEW: usize = 8;
/// The number of slots of the smallest table, a power of two.
const SMALLEST: usize = 64;
/// The number of slots of the largest table that [`TermMap::clear`] keeps.
const KEPT: usize = 1024;
/// The key of a free slot: no term, because a pool with it would take 128 GiB.
const FREE: u32 = u32::MAX;

/// A slot of a table of nodes. The stored hash avoids reading a node when a table grows or two
/// terms collide.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    term: u32,
}

impl Slot {
    const FREE: Slot = Slot { hash: 0, term: FREE };
}

/// The terms of a pool by their nodes.
///
/// A large pool exceeds the caches, and a hash finds another cache line for each new node. But most
/// nodes are made soon after their youngest child, and their parents soon after them. So the nodes
/// with children are in buckets by the ids of the youngest child: a bucket is a cache line for
/// [`IDS`](Self::IDS) consecutive ids, which is likely in use already. Nodes without children are
/// in a table by hash, as are those that find their bucket full: a term may have any number of
/// parents. Nodes are never removed, so a node is not in the second table while its bucket has a
/// free slot.
#[derive(Default)]
pub(super) struct NodeTable {
    /// By the id of the youngest child, divided by [`IDS`](Self::IDS).
    buckets: Vec<Bucket>,
    by_hash: HashTable,
}

/// One cache line. The free slots are the last ones.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; 8]);

/// Where a node belongs.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In a slot of a bucket.
    Bucket { bucket: usize, slot: usize },
    /// In the table by hash.
    Hash { slot: usize },
}

impl NodeTable {
    /// The number of ids of a bucket. On average, an id is the youngest child of at most one node.
    const IDS: usize = 4;

    /// The term with this hash and these children that satisfies `is`, else where it belongs.
    #[inline]
    pub(super) fn find(
        &self,
        hash: u32,
        children: &[Term],
        is: impl Fn(Term) -> bool,
    ) -> Result<Term, Place> {
        if let Some(youngest) = children.iter().map(|child| child.0).max() {
            let bucket = youngest as usize / Self::IDS;
            let Some(Bucket(slots)) = self.buckets.get(bucket) else {
                return Err(Place::Bucket { bucket, slot: 0 });
            };
            for (slot, here) in slots.iter().enumerate() {
                if here.term == FREE {
                    return Err(Place::Bucket { bucket, slot });
                }
                if here.hash == hash && is(Term(here.term)) {
                    return Ok(Term(here.term));
                }
            }
        }
        self.by_hash.find(hash, is).map_err(|slot| Place::Hash { slot })
    }

    /// Adds a term that [`find`](Self::find) did not find, at the place that it returned.
    #[inline]
    pub(super) fn insert(&mut self, place: Place, hash: u32, term: Term) {
        match place {
            Place::Bucket { bucket, slot } => {
                if bucket >= self.buckets.len() {
                    self.buckets.resize(bucket + 1, Bucket([Slot::FREE; 8]));
                }
                self.buckets[bucket].0[slot] = Slot { hash, term: term.0 };
            }
            Place::Hash { slot } => self.by_hash.insert(slot, hash, term),
        }
    }

    /// The memory of the table.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>() + self.by_hash.slots.capacity() * size_of::<Slot>()
    }
}

/// Terms by the hash of their nodes.
#[derive(Default)]
struct HashTable {
    /// Their number is a power of two or 0, and at least a quarter of them are free.
    slots: Vec<Slot>,
    len: usize,
}

impl HashTable {
    /// The number of slots at first, a power of two.
    const FIRST: usize = 64;

    /// The slot where the search for a hash begins: the upper bits of a hash are the best ones.
    #[inline]
    fn start(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    /// The term with this hash that satisfies `is`, else the slot where it belongs.
    #[inline]
    fn find(&self, hash: u32, is: impl Fn(Term) -> bool) -> Result<Term, usize> {
        let slots = &self.slots[..];
        let mask = slots.len().wrapping_sub(1);
        let mut at = self.start(hash);
        while let Some(slot) = slots.get(at) {
            if slot.term == FREE {
                break;
            }
            if slot.hash == hash && is(Term(slot.term)) {
                return Ok(Term(slot.term));
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    /// Adds a term that [`find`](Self::find) did not find, at the slot that it returned.
    #[inline]
    fn insert(&mut self, free: usize, hash: u32, term: Term) {
        let mut at = free;
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow();
            at = self.free(hash);
        }
        self.slots[at] = Slot { hash, term: term.0 };
        self.len += 1;
    }

    /// The free slot for a hash.
    fn free(&self, hash: u32) -> usize {
        match self.find(hash, |_| false) {
            Ok(_) => unreachable!("no term is found"),
            Err(at) => at,
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Slot::FREE; (self.slots.len() * 2).max(Self::FIRST)];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.term != FREE {
                let at = self.free(slot.hash);
                self.slots[at] = slot;
            }
        }
    }
}

/// A map from terms to numbers. Not iterable.
#[derive(Clone, Debug)]
pub struct TermMap {
    /// The terms, if the table is not in use.
    few: [(u32, u32); FEW],
    len: usize,
    /// Not in use if empty. The number of slots is a power of two, and at least half of them are
    /// free.
    slots: Vec<(u32, u32)>,
}

impl Default for TermMap {
    fn default() -> Self {
        TermMap { few: [(FREE, 0); FEW], len: 0, slots: Vec::new() }
    }
}

impl TermMap {
    /// The number of terms.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the map is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot of the term in the table: the one that holds it, or the free one where it belongs.
    #[inline]
    fn slot(&self, term: Term) -> usize {
        let slots = &self.slots[..];
        let mask = slots.len() - 1;
        let hash = (u64::from(term.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        // The upper bits of the product are the best ones.
        let mut at = hash >> (32 - slots.len().trailing_zeros());
        loop {
            let key = slots[at & mask].0;
            if key == term.0 || key == FREE {
                return at & mask;
            }
            at += 1;
        }
    }

    /// The number of the term, if it has one.
    #[inline]
    pub fn get(&self, term: Term) -> Option<u32> {
        if self.slots.is_empty() {
            return self.few[..self.len].iter().find(|few| few.0 == term.0).map(|few| few.1);
        }
        let (key, value) = self.slots[self.slot(term)];
        (key == term.0).then_some(value)
    }

    /// Whether the map has the term.
    #[inline]
    pub fn contains(&self, term: Term) -> bool {
        self.get(term).is_some()
    }

    /// Sets the number of the term; returns whether it had none.
    #[inline]
    pub fn insert(&mut self, term: Term, value: u32) -> bool {
        if self.slots.is_empty() {
            if let Some(few) = self.few[..self.len].iter_mut().find(|few| few.0 == term.0) {
                few.1 = value;
                return false;
            }
            if self.len < FEW {
                self.few[self.len] = (term.0, value);
                self.len += 1;
                return true;
            }
            self.grow();
        }
        let at = self.slot(term);
        let is_new = self.slots[at].0 == FREE;
        self.slots[at] = (term.0, value);
        if is_new {
            self.len += 1;
            if self.len * 2 > self.slots.len() {
                self.grow();
            }
        }
        is_new
    }

    /// Moves all terms to a table, or to a larger one.
    #[cold]
    fn grow(&mut self) {
        if self.slots.is_empty() {
            self.slots.resize(SMALLEST, (FREE, 0));
            for (key, value) in self.few {
                let at = self.slot(Term(key));
                self.slots[at] = (key, value);
            }
            return;
        }
        let larger = vec![(FREE, 0); self.slots.len() * 2];
        for (key, value) in std::mem::replace(&mut self.slots, larger) {
            if key != FREE {
                let at = self.slot(Term(key));
                self.slots[at] = (key, value);
            }
        }
    }

    /// Removes all terms. Keeps moderate storage.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
        if self.slots.len() > KEPT {
            self.slots = Vec::new();
        }
        self.slots.clear();
    }

    /// The terms, in an order that is not that of insertion.
    pub(super) fn keys(&self) -> impl Iterator<Item = Term> {
        let few = if self.slots.is_empty() { &self.few[..self.len] } else { &[] };
        few.iter().chain(&self.slots).filter(|slot| slot.0 != FREE).map(|slot| Term(slot.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_with_few_and_with_many_parents() {
        let mut table = NodeTable::default();
        let mut nodes: Vec<(u32, Vec<Term>)> = Vec::new();
        for id in 0..5000u32 {
            let children = match id % 5 {
                0 => vec![],
                1 => vec![Term(1)],
                2 => vec![Term(id - 1), Term(id / 2)],
                3 => vec![Term(id / 3), Term(id - 1)],
                _ => vec![Term(id - 2)],
            };
            // Some nodes have the same hash.
            let hash = (id / 2).wrapping_mul(0x9e37_79b9);
            let place =
                table.find(hash, &children, |term| nodes[term.0 as usize].1 == children && term.0 == id);
            let Err(place) = place else { panic!("{id} is new") };
            table.insert(place, hash, Term(id));
            nodes.push((hash, children));
        }
        for (id, (hash, children)) in nodes.iter().enumerate() {
            let found = table.find(*hash, children, |term| term.0 as usize == id);
            assert_eq!(found.ok(), Some(Term(id as u32)));
        }
        assert!(table.by_hash.len > 1500, "leaves, and parents of the term 1");
        assert!(table.by_hash.len < 2500, "the others are in buckets");
    }

    #[test]
    fn terms_are_found_after_growth() {
        let mut map = TermMap::default();
        for round in 0..3 {
            let count = if round == 1 { 40 } else { 5000 };
            for id in 0..count {
                assert!(map.insert(Term(id * 7), id), "{id}");
                assert!(!map.insert(Term(id * 7), id + round), "{id}");
                assert_eq!(map.get(Term(id * 7)), Some(id + round));
            }
            assert_eq!(map.len(), count as usize);
            assert_eq!(map.keys().count(), count as usize);
            for id in 0..count * 7 {
                let value = (id % 7 == 0).then_some(id / 7 + round);
                assert_eq!((map.get(Term(id)), map.contains(Term(id))), (value, value.is_some()));
            }
            map.clear();
            assert!(map.is_empty() && map.get(Term(7)).is_none());
        }
    }
}
