//! Internal addresses of static objects and functions.
//!
//! Pointers hold internal addresses, and memory is indexed by them. The pass `placement` of the
//! package `passes` replaces the addresses that a program can *observe*, unless the program is
//! verified for this layout only.
//!
//! The interpreter, the unroller and the views must agree on addresses, so the layout is a function
//! of the program alone. Functions lie in a low range at multiples of 16. Static objects follow in
//! order of their index, each at the first aligned address that leaves at least one guard byte
//! after the previous object. The pointer one past the end of an object therefore differs from the
//! address of every other object, and objects that a pass appends do not move others. Automatic and
//! heap objects get addresses from [`Layout::dynamic_start`] on, at run time. No object is aligned
//! more strictly than required: its address is an *odd* multiple of its alignment, so that no proof
//! can rely on an accidentally better alignment.
//!
//! # Slots
//!
//! A program that is checked for memory safety has a machine with
//! [`slot_bits`](crate::ssa::Machine::slot_bits) `k`. The address space is divided into slots of
//! `2^k` addresses, and every object has its own slot, at the same [offset](slot_offset) in every
//! slot. Thus `address >> k` identifies the object that an address was derived from, as long as
//! pointer arithmetic does not leave the slot, and it determines the first address of that object:
//! both are terms without a lookup. Slot 0 holds null, small numbers and the functions, but no
//! object. Space on both sides of the object leaves room for pointers that are moved past its ends
//! without being dereferenced. Slots are never reused, so a pointer to a dead object never points
//! to a live one.
//!
//! In slots, objects are aligned to [`SLOT_ALIGN`] bytes, which is more than most of them require.
//! C leaves the order, the distance and the alignment of objects unspecified, and allows addresses
//! to be reused. Only a program that observes none of these may be verified for this layout alone.

use crate::ssa::{Function, Object, Program};
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

/// The start of the static objects, unless the functions need more space.
const STATIC_START: u64 = 0x1000;
/// The distance between function addresses.
const FUNCTION_STRIDE: u64 = 16;

/// The alignment of every object in a slot.
pub const SLOT_ALIGN: u64 = 64;

/// The offset of the object in its slot of `2^bits` addresses.
pub const fn slot_offset(bits: u32) -> u64 {
    (1 << (bits - 2)) + SLOT_ALIGN
}

/// The size of the largest object that fits into a slot of `2^bits` addresses.
pub const fn slot_capacity(bits: u32) -> u64 {
    (1 << bits) - slot_offset(bits) - 1
}

/// The distance between the indices of adjacent slots in the [`Shadow`](crate::ssa::Shadow), as a
/// power of two: the greatest size of an entry in bytes.
const SHADOW_STRIDE_BITS: u32 = 4;

/// The index in the [`Shadow`](crate::ssa::Shadow) of the object in the slot of `address`: a
/// multiple of the slot's number. See [`shadow_index_term`].
pub const fn shadow_index(bits: u32, address: u64) -> u64 {
    (address >> bits) << SHADOW_STRIDE_BITS
}

/// The first address of the slot with this [`shadow_index`].
pub const fn slot_start(bits: u32, index: u64) -> u64 {
    (index >> SHADOW_STRIDE_BITS) << bits
}

/// [`shadow_index`] as a term over `address`; as wide as an address.
pub fn shadow_index_term(pool: &mut TermPool, bits: u32, address: Term) -> Term {
    let width = pool.width(address);
    let slot = pool.extract(width - 1, bits, address);
    let zeros = pool.bv(SHADOW_STRIDE_BITS, 0);
    let scaled = pool.concat(slot, zeros);
    let missing = bits - SHADOW_STRIDE_BITS;
    pool.zero_extend(missing, scaled)
}

/// The first address of the object in the slot of `address`, as a term.
pub fn object_start_term(pool: &mut TermPool, bits: u32, address: Term) -> Term {
    let width = pool.width(address);
    let slot = pool.extract(width - 1, bits, address);
    let offset = pool.bv(bits, slot_offset(bits));
    pool.concat(slot, offset)
}

/// The addresses of a program's static objects and functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    objects: PrimaryMap<Object, Option<u64>>,
    functions: usize,
    dynamic_start: u64,
    last_address: u64,
    slot_bits: Option<u32>,
}

/// The reason why a program has no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The static objects or the functions exceed the address space.
    #[error("{what} does not fit into the address space of {pointer_width} bits")]
    AddressSpace {
        /// The object that does not fit, or `the functions`.
        what: String,
        /// The width of an address in bits.
        pointer_width: u32,
    },
}

impl Layout {
    /// Computes the layout of the static objects and functions of `program`, in linear time.
    ///
    /// # Errors
    /// If the address space is too small. Addresses of more than 64 bits are not used.
    pub fn new(program: &Program) -> Result<Self, LayoutError> {
        let pointer_width = program.machine.pointer_width;
        let last_address = if pointer_width >= 64 { u64::MAX } else { (1u64 << pointer_width) - 1 };
        let too_large = |what: &str| LayoutError::AddressSpace { what: what.to_owned(), pointer_width };
        let functions = program.functions.len();
        let functions_end = (functions as u64 + 1) * FUNCTION_STRIDE;
        // `next` is always the first address that is neither used nor a guard byte.
        let slot_bits = program.machine.slot_bits;
        let after_functions = match slot_bits {
            Some(bits) => (functions_end <= 1 << bits).then_some(1 << bits),
            None => align_up(functions_end, STATIC_START),
        };
        let mut next = after_functions.filter(|&start| start <= last_address);
        let mut objects = PrimaryMap::new();
        for data in program.objects.values() {
            if data.owner.is_some() {
                objects.push(None);
                continue;
            }
            let place = next.and_then(|next| place(slot_bits, next, data.size, data.align, last_address));
            let (address, after) = place.ok_or_else(|| too_large(&format!("the object `{}`", data.name)))?;
            objects.push(Some(address));
            next = Some(after);
        }
        let dynamic_start = next
            .and_then(|next| align_up(next, slot_bits.map_or(FUNCTION_STRIDE, |bits| 1 << bits)))
            .filter(|&start| start <= last_address)
            .ok_or_else(|| too_large("the area of automatic objects and the heap"))?;
        Ok(Layout { objects, functions, dynamic_start, last_address, slot_bits })
    }

    /// The first address of a static object; `None` for automatic objects and for objects added
    /// after the layout was computed.
    pub fn object(&self, object: Object) -> Option<u64> {
        self.objects.get(object).copied().flatten()
    }

    /// The address of a function.
    pub fn function(&self, function: Function) -> u64 {
        (u64::from(function.0) + 1) * FUNCTION_STRIDE
    }

    /// The function with this address.
    pub fn function_at(&self, address: u64) -> Option<Function> {
        let index = (address / FUNCTION_STRIDE).checked_sub(1)?;
        (address.is_multiple_of(FUNCTION_STRIDE) && index < self.functions as u64)
            .then(|| Function::new(index as usize))
    }

    /// The first address above all static objects and their guard bytes: the start of the area of
    /// automatic and heap objects.
    pub fn dynamic_start(&self) -> u64 {
        self.dynamic_start
    }

    /// The highest address of the machine, `2^pointer_width - 1`; no object contains it.
    pub fn last_address(&self) -> u64 {
        self.last_address
    }

    /// Finds the first place for an object at or after `from`: its address, and the first address
    /// after its guard byte. `None` if it does not fit below [`last_address`](Self::last_address).
    pub fn place(&self, from: u64, size: u64, align: u64) -> Option<(u64, u64)> {
        place(self.slot_bits, from, size, align, self.last_address)
    }

    /// The number of address bits within a slot, if objects lie in slots.
    pub fn slot_bits(&self) -> Option<u32> {
        self.slot_bits
    }
}

fn place(slot_bits: Option<u32>, from: u64, size: u64, align: u64, last_address: u64) -> Option<(u64, u64)> {
    let align = align.max(1);
    if let Some(bits) = slot_bits {
        let slot = align_up(from, 1 << bits)?;
        let address = slot.checked_add(slot_offset(bits))?;
        let last_of_slot = slot.checked_add((1 << bits) - 1)?;
        let fits = size <= slot_capacity(bits) && align <= SLOT_ALIGN && last_of_slot <= last_address;
        return fits.then(|| (address, last_of_slot.saturating_add(1).min(last_address)));
    }
    let mut address = align_up(from, align)?;
    if (address / align).is_multiple_of(2) {
        address = address.checked_add(align)?;
    }
    let past = address.checked_add(size.max(1)).filter(|&past| past <= last_address)?;
    // The guard byte is at `past`. At the end of the address space no address follows it.
    Some((address, past.saturating_add(1).min(last_address)))
}

fn align_up(address: u64, align: u64) -> Option<u64> {
    address.checked_next_multiple_of(align)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ssa::{Machine, ObjectData, Shadow};
    use grammars::source::Span;

    fn program(pointer_width: u32, objects: &[(u64, u64)]) -> Program {
        let objects = objects.iter().map(|&(size, align)| ObjectData {
            name: "o".into(),
            size,
            align,
            owner: None,
            regions: vec![],
            span: Span::NONE,
        });
        Program {
            machine: Machine::new(pointer_width),
            regions: PrimaryMap::new(),
            shadow: Shadow::default(),
            objects: objects.collect(),
            functions: PrimaryMap::new(),
            entry: Function(0),
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            source: Default::default(),
        }
    }

    #[test]
    fn objects_are_aligned_as_they_demand_and_a_guard_byte_apart() {
        let layout = Layout::new(&program(32, &[(8, 8), (1, 1), (4, 4)])).expect("fits");
        let at = |i| layout.object(Object(i)).expect("static");
        assert_eq!((at(0), at(1), at(2)), (0x1008, 0x1011, 0x1014));
        assert_eq!(layout.dynamic_start(), 0x1020);
    }

    #[test]
    fn in_slots_every_object_has_the_same_offset() {
        let mut program = program(32, &[(8, 8), (1, 1), (4, 4)]);
        program.machine.slot_bits = Some(20);
        let layout = Layout::new(&program).expect("fits");
        let offset = slot_offset(20);
        let at = |i| layout.object(Object(i)).expect("static");
        assert_eq!((at(0), at(1), at(2)), ((1 << 20) + offset, (2 << 20) + offset, (3 << 20) + offset));
        assert_eq!(layout.dynamic_start(), 4 << 20);
        let capacity = slot_capacity(20);
        assert_eq!(layout.place(4 << 20, capacity, 16), Some(((4 << 20) + offset, 5 << 20)));
        assert_eq!(layout.place(4 << 20, capacity + 1, 16), None);
        assert_eq!(layout.place(1, 1, 128), None);
        assert_eq!(layout.place(0xfff0_0000, 1, 1), Some((0xfff0_0000 + offset, 0xffff_ffff)));
        assert_eq!(layout.place(0xffff_ffff, 1, 1), None);
    }

    #[test]
    fn an_object_larger_than_the_address_space_is_an_error() {
        assert!(Layout::new(&program(32, &[(1 << 31, 1), (1 << 31, 1)])).is_err());
        assert!(Layout::new(&program(64, &[(u64::MAX, 1)])).is_err());
    }

    #[test]
    fn function_addresses_are_found_again() {
        let mut layout = Layout::new(&program(32, &[])).expect("fits");
        layout.functions = 3;
        assert_eq!(layout.function_at(layout.function(Function(2))), Some(Function(2)));
        assert_eq!(layout.function_at(0), None);
        assert_eq!(layout.function_at(17), None);
        assert_eq!(layout.function_at(layout.function(Function(3))), None);
    }
}
