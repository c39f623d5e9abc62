//! Sparse byte memory and the addresses of dynamic objects.

use crate::layout::{Layout, slot_capacity, slot_offset};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

const PAGE_BITS: u32 = 12;
const PAGE_SIZE: usize = 1 << PAGE_BITS;
const CACHE_SIZE: usize = 16;
const NO_PAGE: u64 = u64::MAX;

/// A map from addresses to bytes, initially all zero. Addresses wrap around after `last_address`.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pages: Vec<Box<[u8; PAGE_SIZE]>>,
    by_number: FxHashMap<u64, u32>,
    /// A direct-mapped cache of `by_number`.
    cache: [(u64, u32); CACHE_SIZE],
    last_address: u64,
}

impl Memory {
    pub(super) fn new(last_address: u64) -> Self {
        Memory {
            pages: Vec::new(),
            by_number: FxHashMap::default(),
            cache: [(NO_PAGE, 0); CACHE_SIZE],
            last_address,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.len() * PAGE_SIZE
    }

    #[inline]
    fn find(&mut self, number: u64) -> Option<usize> {
        let line = &mut self.cache[number as usize % CACHE_SIZE];
        if line.0 == number {
            return Some(line.1 as usize);
        }
        let &index = self.by_number.get(&number)?;
        *line = (number, index);
        Some(index as usize)
    }

    #[inline]
    fn find_or_make(&mut self, number: u64) -> usize {
        if let Some(index) = self.find(number) {
            return index;
        }
        let index = self.pages.len();
        self.pages.push(Box::new([0; PAGE_SIZE]));
        self.by_number.insert(number, index as u32);
        index
    }

    fn byte(&mut self, address: u64) -> u8 {
        let offset = address as usize % PAGE_SIZE;
        self.find(address >> PAGE_BITS).map_or(0, |page| self.pages[page][offset])
    }

    pub(super) fn set_byte(&mut self, address: u64, byte: u8) {
        let page = self.find_or_make(address >> PAGE_BITS);
        self.pages[page][address as usize % PAGE_SIZE] = byte;
    }

    fn after(&self, address: u64, offset: u64) -> u64 {
        address.wrapping_add(offset) & self.last_address
    }

    fn is_within_page(&self, address: u64, bytes: usize) -> bool {
        address as usize % PAGE_SIZE + bytes <= PAGE_SIZE && self.last_address - address >= bytes as u64 - 1
    }

    /// Loads 1 to 8 bytes, little-endian.
    #[inline]
    pub(super) fn load(&mut self, address: u64, bytes: usize) -> u64 {
        if self.is_within_page(address, bytes) {
            let Some(page) = self.find(address >> PAGE_BITS) else { return 0 };
            let offset = address as usize % PAGE_SIZE;
            let mut buffer = [0; 8];
            buffer[..bytes].copy_from_slice(&self.pages[page][offset..offset + bytes]);
            return u64::from_le_bytes(buffer);
        }
        (0..bytes).rev().fold(0, |value, i| value << 8 | u64::from(self.byte(self.after(address, i as u64))))
    }

    /// Stores 1 to 8 bytes, little-endian.
    #[inline]
    pub(super) fn store(&mut self, address: u64, bytes: usize, value: u64) {
        let value = value.to_le_bytes();
        if self.is_within_page(address, bytes) {
            let page = self.find_or_make(address >> PAGE_BITS);
            let offset = address as usize % PAGE_SIZE;
            self.pages[page][offset..offset + bytes].copy_from_slice(&value[..bytes]);
            return;
        }
        self.store_bytes(address, &value[..bytes]);
    }

    pub(super) fn load_bytes(&mut self, address: u64, bytes: u64) -> Vec<u8> {
        (0..bytes).map(|i| self.byte(self.after(address, i))).collect()
    }

    pub(super) fn store_bytes(&mut self, address: u64, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            self.set_byte(self.after(address, i as u64), byte);
        }
    }

    /// Zeroes an object that does not wrap around. The cost depends on the number of existing
    /// pages, not on the size.
    pub(super) fn clear(&mut self, address: u64, size: u64) {
        let end = address.saturating_add(size.max(1));
        let (first, last) = (address >> PAGE_BITS, (end - 1) >> PAGE_BITS);
        let pages = &mut self.pages;
        let mut clear_page = |number: u64, index: u32| {
            let page_start = number << PAGE_BITS;
            let from = address.saturating_sub(page_start).min(PAGE_SIZE as u64) as usize;
            let to = (end - page_start).min(PAGE_SIZE as u64) as usize;
            pages[index as usize][from..to].fill(0);
        };
        if last - first >= self.by_number.len() as u64 {
            for (&number, &index) in &self.by_number {
                if (first..=last).contains(&number) {
                    clear_page(number, index);
                }
            }
        } else {
            for number in first..=last {
                if let Some(&index) = self.by_number.get(&number) {
                    clear_page(number, index);
                }
            }
        }
    }
}

/// The address intervals of the live automatic and heap objects. The heap grows upward from
/// [`Layout::dynamic_start`], the stack of automatic objects downward from the last address.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    /// First address → one past the last address.
    alive: BTreeMap<u64, u64>,
    /// All static objects lie below this address.
    dynamic_start: u64,
    last_address: u64,
    heap_next: u64,
    stack_next: u64,
    /// With slots, automatic and heap objects share one upward sequence, and no slot is reused.
    slots: Option<Layout>,
}

impl Objects {
    pub(super) fn new(layout: &Layout) -> Self {
        Objects {
            alive: BTreeMap::new(),
            dynamic_start: layout.dynamic_start(),
            last_address: layout.last_address(),
            heap_next: layout.dynamic_start(),
            stack_next: layout.last_address(),
            slots: layout.slot_bits().map(|_| layout.clone()),
        }
    }

    /// The size of a live object by its first address.
    pub(super) fn size(&self, address: u64) -> Option<u64> {
        Some(self.alive.get(&address)? - address)
    }

    pub(super) fn len(&self) -> usize {
        self.alive.len()
    }

    /// The current end of the stack. When the activation ends, the caller passes it to
    /// [`restore_stack`](Self::restore_stack).
    pub(super) fn stack_mark(&self) -> u64 {
        self.stack_next
    }

    pub(super) fn restore_stack(&mut self, mark: u64) {
        self.stack_next = mark;
    }

    pub(super) fn release(&mut self, address: u64) {
        self.alive.remove(&address);
    }

    /// Places an automatic object at the first free address below the end of the stack; `None` if
    /// the address space is full.
    pub(super) fn place_automatic(&mut self, size: u64, align: u64) -> Option<u64> {
        if self.slots.is_some() {
            return self.place_in_slot(size, align);
        }
        let mut top = self.stack_next;
        loop {
            let address = top.checked_sub(size.checked_add(1)?)? / align.max(1) * align.max(1);
            if address < self.heap_next {
                return None;
            }
            match self.conflict(address, address + size) {
                None => {
                    self.stack_next = address;
                    self.alive.insert(address, address + size);
                    return Some(address);
                }
                Some((start, _)) => top = start,
            }
        }
    }

    /// Places a heap object at the first free address above the previous heap objects; `None` if
    /// the address space is full.
    pub(super) fn place_heap(&mut self, size: u64) -> Option<u64> {
        if self.slots.is_some() {
            return self.place_in_slot(size, 16);
        }
        let mut from = self.heap_next;
        loop {
            let address = from.checked_next_multiple_of(16)?;
            let end = address.checked_add(size.max(1))?;
            if end >= self.stack_next {
                return None;
            }
            match self.conflict(address, end) {
                None => {
                    self.heap_next = end + 1;
                    self.alive.insert(address, end);
                    return Some(address);
                }
                Some((_, past)) => from = past + 1,
            }
        }
    }

    fn place_in_slot(&mut self, size: u64, align: u64) -> Option<u64> {
        loop {
            let (address, next) = self.slots.as_ref()?.place(self.heap_next, size, align)?;
            self.heap_next = next;
            let end = address + size.max(1);
            if self.conflict(address, end).is_none() {
                self.alive.insert(address, end);
                return Some(address);
            }
        }
    }

    /// Places an object at a given address. Returns false if the address is misaligned or below
    /// [`Layout::dynamic_start`], if the object would wrap around or overlap a live object, or if
    /// there are slots and the address is not where an object starts in one.
    pub(super) fn place_at(&mut self, address: u64, size: u64, align: u64) -> bool {
        let Some(end) = address.checked_add(size.max(1)) else { return false };
        // Checks of accesses compute the start of an object from its slot.
        let is_in_slot = self.slots.as_ref().and_then(Layout::slot_bits).is_none_or(|bits| {
            address & ((1 << bits) - 1) == slot_offset(bits) && size <= slot_capacity(bits)
        });
        let is_good = is_in_slot
            && address >= self.dynamic_start
            && end <= self.last_address
            && address.is_multiple_of(align.max(1))
            && self.overlap(address, end).is_none();
        if is_good {
            self.alive.insert(address, end);
        }
        is_good
    }

    fn overlap(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let (&other, &past) = self.alive.range(..end).next_back()?;
        (past > start).then_some((other, past))
    }

    /// A live object that overlaps or touches the interval. Objects that the interpreter places
    /// itself are thus at least one guard byte apart.
    fn conflict(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let (&other, &past) = self.alive.range(..=end).next_back()?;
        (past >= start).then_some((other, past))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_page_borders_and_the_end_of_the_address_space() {
        let mut memory = Memory::new(u64::from(u32::MAX));
        memory.store(0xfff, 4, 0x0403_0201);
        assert_eq!(memory.load(0xfff, 4), 0x0403_0201);
        assert_eq!(memory.load(0x1000, 2), 0x0302);
        memory.store(0xffff_fffe, 4, 0x0807_0605);
        assert_eq!(memory.load(0, 2), 0x0807);
        assert_eq!(memory.load(0xffff_fffe, 4), 0x0807_0605);
    }

    #[test]
    fn clearing_a_huge_object_zeroes_exactly_its_bytes() {
        let mut memory = Memory::new(u64::MAX);
        memory.store(0x0fff, 2, 0xffff);
        memory.store(0x5000, 1, 0xff);
        memory.clear(0x1000, 1 << 40);
        assert_eq!(memory.load(0x0fff, 2), 0xff);
        assert_eq!(memory.load(0x5000, 1), 0);
    }
}
