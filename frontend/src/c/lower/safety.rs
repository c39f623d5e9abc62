//! Memory safety: validity of accesses and of calls of `free`, and memory leaks.
//!
//! # Idea
//!
//! Every object lies in an address slot of its own ([`program::layout`]), so an address determines
//! the object that it was derived from and the start of that object. The remaining metadata lies in
//! regions beside the program's memory ([`Shadow`](program::ssa::Shadow)), indexed by slot: the
//! size of the object in bytes (0 if it is dead), and whether it is an allocated heap block; a
//! scalar counts the allocated blocks. Lowering stores the metadata where an object begins and ends
//! (`lifetimes`, `heap`), and reads it at each access through a pointer. Hence validity is ordinary
//! code: the unroller, the views, all encodings and the interpreter need no knowledge of it, and
//! each check costs one read of the shadow.
//!
//! Consider an access of `n` bytes at `p + d`, where `p` is a pointer value and `d` the sum of the
//! indices, member offsets and arithmetic *within the accessing expression*. It is valid iff
//! `n ≤ size ∧ offset(p) + d ≤ size - n`, where `size` is the size of the object in the slot of
//! `p`, and `offset(p)` a function of the lower bits of `p`. The object is that of `p`, not of
//! `p + d`, so an index cannot reach a neighboring object. An index whose product with the element
//! size could wrap around makes the access invalid as well.
//!
//! * *Named objects* need no read of the shadow: their size is known, and they are live where their
//!   name is in scope. A constant index needs no check; a variable index is compared with the
//!   constant size.
//! * *Pointer values*. An address that is not used immediately (`p = q + i`, `&p->x`) must stay in
//!   its slot; otherwise the above rule would use a different object. C permits far less, but does
//!   not define leaving the slot as an invalid access. Hence leaving the slot is
//!   [`Terminator::Unsupported`](program::ssa::Terminator), which prevents a proof.
//! * *Lowering keeps no facts.* Each access has its own check with its own read of the shadow,
//!   independent of earlier checks. A [`Base`] carries `p`, `d` and the known size of the object
//!   through the functions that evaluate one expression; it is never looked up by a term. The pass
//!   `passes::transform::redundancy`, which knows dominance and effects, removes redundant checks.
//!
//! The encoding is *shadow memory* (Nethercote, Seward, *How to Shadow Every Byte of Memory Used by
//! a Program*, VEE 2007; Serebryany et al., *AddressSanitizer: A Fast Address Sanity Checker*,
//! USENIX ATC 2012), with one entry per object instead of per byte. The high bits of an address
//! determine the object, as in *Heap Bounds Protection with Low Fat Pointers* (Duck, Yap, CC 2016).
//! DIVERGENCE: there are no redzones and no quarantine; slots are never reused, so no invalid
//! access is missed.
//!
//! # Conventions
//!
//! * An access is to an object, not to a part of it: `a.b[i]` with an index that reaches another
//!   member is valid.
//! * `valid-memtrack` and `valid-memcleanup` are checked at program termination: at the return of
//!   the entry function and at `exit`. At abnormal termination (`abort`, a failing assertion),
//!   allocated blocks do not violate `valid-memcleanup`, but prevent a proof. An execution with a
//!   failing assumption is discarded; a non-terminating execution is not checked.
//! * `valid-memtrack`: blocks that are reachable through pointers at termination are excluded first
//!   (`tracked`). An execution that ends with other blocks is replayed. It is a violation if one of
//!   these blocks is unreachable (`program::interp` documents the roots). If all are reachable, the
//!   verdict is UNKNOWN.
//! * A write to a string literal is invalid (`literals`).
//! * `realloc(p, 0)` of a block is unsupported, because its behavior is implementation-defined.
//! * Library functions read the memory passed to them (`output`, and the C source texts).
//! * Undefined functions are assumed to use their pointer arguments validly.
//!
//! # Slots of 32-bit addresses
//!
//! They are few, and a program may allocate thousands of blocks one after the other. If the lowered
//! program turns out to allocate blocks of constant sizes only, it is lowered once more with
//! smaller slots (`Slots`).
//!
//! Limits: an object larger than a slot has no layout, and a block larger than a slot has no
//! address; the verdict is UNKNOWN.

use super::Tracking;
use super::function::Lowering;
use super::literals::{self, LITERAL};
use super::module::{MEMORY, Module};
use super::places::Location;
use crate::c::hir::{Callee, ExprKind, GlobalId, Program as Hir};
use grammars::source::Span;
use program::interp::FAULT_ADDRESS;
use program::layout::{object_start_term, shadow_index_term, slot_offset};
use program::ssa::{
    InstructionKind, Program, PropertyKind, Region, RegionData, RegionKind, Signedness, Terminator, Type,
    ValueData,
};
use terms::{Op, Term, TermPool};

/// The width of the offset within a slot for 64-bit addresses: a slot has room for every `int` as
/// an index.
const SLOT_BITS_64: u32 = 40;
/// The width of the offset within a slot for narrower addresses, if the objects of the program fit.
const SLOT_BITS_32: u32 = 20;
/// The same if all objects of the program have a known size, which leaves 16,384 slots.
const KNOWN_SLOT_BITS_32: u32 = 18;
/// The largest width of the offset within a slot for 32-bit addresses, which leaves 64 slots.
const MAX_SLOT_BITS_32: u32 = 26;

/// The metadata of objects: the regions of the [`Shadow`](program::ssa::Shadow).
#[derive(Clone, Copy, Debug)]
pub(super) struct Objects {
    pub(super) sizes: Region,
    pub(super) blocks: Region,
    pub(super) live_blocks: Region,
    /// `None` if only the sizes of blocks are needed, for `realloc`; blocks are then looked up by
    /// address.
    pub(super) slot_bits: Option<u32>,
}

/// The direction of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

/// An address computed within one expression, with the pointer value that it is derived from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// `origin + distance`.
    pub(super) address: Term,
    /// The address that determines the object.
    origin: Term,
    /// The sum of the indices and offsets added to it.
    distance: Term,
    /// Whether an index is so large that the sum may have wrapped around.
    is_far: Term,
    room: Room,
}

/// The knowledge about the object of a [`Base`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// None: the shadow contains its size.
    Unknown,
    /// This many bytes are accessible from the origin on, as long as the expression can use the
    /// base: a named object in its scope, a temporary, or an argument or result created by the
    /// caller.
    Bytes(u64),
    /// Accesses are not checked.
    Given,
}

/// The kinds of errors that require the tracking of objects.
const KINDS: [PropertyKind; 4] = [
    PropertyKind::ValidDeref,
    PropertyKind::ValidFree,
    PropertyKind::ValidMemtrack,
    PropertyKind::ValidMemcleanup,
];

/// The size of address slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slots {
    /// Blocks may have any size.
    ForAnyBlock,
    /// No block is larger than this number of bytes.
    ForBlocks(u64),
}

impl Slots {
    /// Smaller slots for a program with 32-bit addresses whose blocks all have a constant size. No
    /// slot is used twice, so a program that allocates again and again needs many.
    pub(super) fn smaller(pool: &TermPool, program: &Program) -> Option<Slots> {
        if program.machine.pointer_width >= 64 || program.machine.slot_bits.is_none() {
            return None;
        }
        let blocks = program.functions.values().flat_map(|function| function.blocks.values());
        let instructions = blocks.flat_map(|block| &block.instructions);
        let sizes = instructions.filter_map(|instruction| match instruction.kind {
            InstructionKind::Allocate { size, .. } => Some(pool.as_bv_u64(size)),
            _ => None,
        });
        let sizes: Option<Vec<u64>> = sizes.collect();
        sizes?.into_iter().max().map(Slots::ForBlocks)
    }
}

impl Module<'_, '_> {
    /// Decides whether objects are tracked, and creates the regions for it.
    pub(super) fn track_objects(&mut self) {
        let is_safe = self.checks.contains_any(&KINDS)
            || self.checks.contains(PropertyKind::PointerCompare)
            || self.tracking == Tracking::Always;
        let linked = self.linked;
        if !is_safe && !linked.units.values().any(|hir| calls_realloc(hir)) {
            return;
        }
        let width = self.program.machine.pointer_width;
        let largest = linked.units.values().map(|hir| largest_object(hir)).max().unwrap_or(0);
        // A program that observes addresses may shift them, but hardly by this number of bits.
        let more = u32::from(self.tracking == Tracking::Always);
        let slot_bits = is_safe.then(|| slot_bits(width, largest, self.slots) + more);
        let mut region = |name: &str, kind| {
            let name = self.unique_name(name.to_owned());
            self.program.regions.push(RegionData { name, kind })
        };
        let objects = Objects {
            sizes: region("<sizes>", RegionKind::Cells(Type::unsigned(width))),
            blocks: region("<blocks>", RegionKind::Cells(Type::unsigned(8))),
            live_blocks: region("<live blocks>", RegionKind::Scalar(Type::unsigned(32))),
            slot_bits,
        };
        self.program.machine.slot_bits = slot_bits;
        self.program.shadow.sizes = Some(objects.sizes);
        self.program.shadow.blocks = Some(objects.blocks);
        self.program.shadow.live_blocks = Some(objects.live_blocks);
        self.objects = Some(objects);
    }

    /// The width of the offset within a slot, if accesses are checked.
    pub(super) fn slot_bits(&self) -> Option<u32> {
        self.objects?.slot_bits
    }
}

fn calls_realloc(hir: &Hir) -> bool {
    hir.exprs.values().any(|expr| match expr.kind {
        ExprKind::Call { callee: Callee::Direct(function), .. } | ExprKind::FunctionAddress(function) => {
            hir[function].body.is_none() && hir.name(hir[function].name).ends_with("realloc")
        }
        _ => false,
    })
}

fn largest_object(hir: &Hir) -> u64 {
    let globals = hir.globals.values().map(|global| (global.ty, global.extra_size));
    let locals = hir.locals.values().map(|local| (local.ty, 0));
    let sizes =
        globals.chain(locals).filter_map(|(ty, extra)| Some(hir.types.size(ty)?.saturating_add(extra)));
    sizes.max().unwrap_or(0)
}

fn slot_bits(pointer_width: u32, largest: u64, slots: Slots) -> u32 {
    if pointer_width >= 64 {
        return SLOT_BITS_64;
    }
    let (least, largest) = match slots {
        Slots::ForAnyBlock => (SLOT_BITS_32, largest),
        Slots::ForBlocks(size) => (KNOWN_SLOT_BITS_32, largest.max(size)),
    };
    // A slot has room for an object of half its size.
    let needed = largest.saturating_add(1).checked_next_power_of_two().map_or(64, u64::trailing_zeros) + 1;
    match needed.clamp(least, MAX_SLOT_BITS_32) {
        // These widths also occur in the decomposition of a `float` and in byte swaps, which must
        // not be mistaken for slot offsets.
        22..=24 => 25,
        bits => bits,
    }
}

impl Lowering<'_, '_, '_> {
    /// The width of the offset within a slot, if accesses are checked.
    pub(super) fn slot_bits(&self) -> Option<u32> {
        self.m.slot_bits()
    }

    /// The index of an object in the shadow.
    pub(super) fn shadow_index(&mut self, address: Term) -> Term {
        match self.slot_bits() {
            Some(bits) => shadow_index_term(self.m.pool, bits, address),
            None => address,
        }
    }

    /// Loads metadata of the object in the slot of an address.
    pub(super) fn shadow_load(&mut self, region: Region, index: Term, span: Span) -> Term {
        let RegionKind::Cells(ty) = self.m.program.regions[region].kind else {
            unreachable!("the indexed regions of the shadow are cells")
        };
        self.emit(InstructionKind::Load { region, address: Some(index) }, ty, span)
    }

    /// Stores metadata of an object.
    pub(super) fn shadow_store(
        &mut self,
        region: Region,
        index: Term,
        value: Term,
        name: Option<&str>,
        span: Span,
    ) {
        let RegionKind::Cells(ty) = self.m.program.regions[region].kind else { return };
        let place = name.map(str::to_owned);
        self.b.effect(InstructionKind::Store { region, address: Some(index), value, ty, place }, span);
    }

    /// The base of an access through a pointer value.
    pub(super) fn pointer_base(&mut self, address: Term) -> Base {
        self.base(address, Room::Unknown)
    }

    /// The base of an object with `size` bytes at an address; the bytes stay accessible as long as
    /// the base is used.
    pub(super) fn object_base(&mut self, address: Term, size: u64) -> Base {
        self.base(address, Room::Bytes(size))
    }

    /// The base of memory that lowering created or checked as a whole: accesses are not checked.
    pub(super) fn given_base(&mut self, address: Term) -> Base {
        self.base(address, Room::Given)
    }

    fn base(&mut self, address: Term, room: Room) -> Base {
        let distance = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        Base { address, origin: address, distance, is_far: self.m.pool.fls(), room }
    }

    /// The base moved by `distance`; `is_far` if the sum may have wrapped around.
    pub(super) fn moved_base(&mut self, base: Base, distance: Term, is_far: Term) -> Base {
        let pool = &mut *self.m.pool;
        Base {
            address: pool.bv_add(base.address, distance),
            distance: pool.bv_add(base.distance, distance),
            is_far: pool.or2(base.is_far, is_far),
            ..base
        }
    }

    /// `before` if the condition holds, else `after`.
    pub(super) fn chosen_base(&mut self, condition: Term, before: Base, after: Base) -> Base {
        let pool = &mut *self.m.pool;
        Base {
            address: pool.ite(condition, before.address, after.address),
            origin: pool.ite(condition, before.origin, after.origin),
            distance: pool.ite(condition, before.distance, after.distance),
            is_far: pool.ite(condition, before.is_far, after.is_far),
            room: if before.room == after.room { before.room } else { Room::Unknown },
        }
    }

    /// Whether the product of an index and the element size may exceed the size of every object.
    pub(super) fn is_far(&mut self, index: Term, scale: Term) -> Term {
        let Some(bits) = self.slot_bits() else { return self.m.pool.fls() };
        let pool = &mut *self.m.pool;
        let width = pool.width(index);
        let Some(bytes) = pool.as_bv_u64(scale) else {
            // A variable size does not exceed the slot either; the product is computed in double
            // width.
            let (index, scale) = (pool.sign_extend(width, index), pool.zero_extend(width, scale));
            let product = pool.bv_mul(index, scale);
            let limit = pool.bv(2 * width, 1 << bits);
            let least = pool.bv_neg(limit);
            let (above, below) = (pool.bv_slt(limit, product), pool.bv_slt(product, least));
            return pool.or2(above, below);
        };
        let limit = (1u64 << bits) / bytes.max(1);
        if let Op::SignExtend(extra) | Op::ZeroExtend(extra) = pool.op(index)
            && width - extra < 64
            && 1u64 << (width - extra) <= limit
        {
            return pool.fls();
        }
        let most = pool.bv(width, limit);
        let least = pool.bv_neg(most);
        let (above, below) = (pool.bv_slt(most, index), pool.bv_slt(index, least));
        pool.or2(above, below)
    }

    /// The address of a location before an access; execution reaches an error site if the access is
    /// invalid.
    pub(super) fn accessed(&mut self, location: &Location, bytes: u64, access: Access, span: Span) -> Term {
        if let &Location::Memory { base, offset, .. } = location {
            self.check_access(base, offset, bytes, access, span);
        }
        self.plain_address(location, span)
    }

    /// Emits an error site for the case that the `bytes` bytes at `base + offset` are not within
    /// one live object.
    fn check_access(&mut self, base: Base, offset: u64, bytes: u64, access: Access, span: Span) {
        let Some(bits) = self.slot_bits() else { return };
        if bytes == 0 {
            return;
        }
        let distance = self.displaced(base.distance, offset);
        let invalid = match base.room {
            Room::Given => return,
            Room::Bytes(size) => {
                let is_outside = self.is_outside_of(distance, size, bytes);
                self.m.pool.or2(base.is_far, is_outside)
            }
            Room::Unknown => {
                let is_invalid = self.is_invalid(bits, base, distance, bytes, span);
                let is_literal = match access {
                    Access::Read => self.m.pool.fls(),
                    Access::Write => self.is_in_literal(base, span),
                };
                self.m.pool.or2(is_invalid, is_literal)
            }
        };
        let what = match access {
            Access::Read => "read",
            Access::Write => "write",
        };
        let plural = if bytes == 1 { "" } else { "s" };
        let description = format!("invalid {what} of {bytes} byte{plural}");
        let address = self.displaced(base.address, offset);
        self.check_memory(PropertyKind::ValidDeref, invalid, description, Some(address), span);
    }

    /// Whether a base belongs to a string literal, if literals are marked.
    fn is_in_literal(&mut self, base: Base, span: Span) -> Term {
        let Some(objects) = self.m.objects.filter(|_| self.m.marks_literals) else {
            return self.m.pool.fls();
        };
        let index = self.shadow_index(base.origin);
        let mark = self.shadow_load(objects.blocks, index, span);
        let literal = self.m.pool.bv(8, LITERAL);
        self.m.pool.eq(mark, literal)
    }

    /// Marks a global that is a string literal.
    pub(super) fn mark_literal(&mut self, global: GlobalId, address: Term) {
        let Some(objects) = self.m.objects.filter(|_| self.m.marks_literals) else { return };
        if literals::is_literal(self.hir, global) {
            let index = self.shadow_index(address);
            let literal = self.m.pool.bv(8, LITERAL);
            self.shadow_store(objects.blocks, index, literal, None, Span::NONE);
        }
    }

    fn is_outside_of(&mut self, distance: Term, size: u64, bytes: u64) -> Term {
        let pool = &mut *self.m.pool;
        let Some(last) = size.checked_sub(bytes) else { return pool.tru() };
        let last = pool.bv(pool.width(distance), last);
        let is_inside = pool.bv_ule(distance, last);
        pool.not(is_inside)
    }

    /// Whether the `bytes` bytes at `distance` from the origin of a base are not all within the
    /// object in the slot of the origin.
    fn is_invalid(&mut self, bits: u32, base: Base, distance: Term, bytes: u64, span: Span) -> Term {
        let objects = self.m.objects.expect("objects are tracked");
        let index = self.shadow_index(base.origin);
        let size = self.shadow_load(objects.sizes, index, span);
        let pool = &mut *self.m.pool;
        let width = pool.width(distance);
        let low = pool.extract(bits - 1, 0, base.origin);
        let low = pool.zero_extend(width - bits, low);
        let first = pool.bv(width, slot_offset(bits));
        let distance = pool.bv_sub(distance, first);
        let offset = pool.bv_add(low, distance);
        let bytes = pool.bv(width, bytes);
        let has_room = pool.bv_ule(bytes, size);
        let last = pool.bv_sub(size, bytes);
        let is_inside = pool.bv_ule(offset, last);
        let is_valid = pool.and2(has_room, is_inside);
        let is_invalid = pool.not(is_valid);
        pool.or2(base.is_far, is_invalid)
    }

    /// Emits an error site, or, if this kind is not checked, an unsupported construct that prevents
    /// a proof.
    pub(super) fn check_memory(
        &mut self,
        kind: PropertyKind,
        failure: Term,
        description: String,
        address: Option<Term>,
        span: Span,
    ) {
        if failure == self.m.pool.fls() {
            return;
        }
        let (error, next) = (self.b.create_block(), self.b.create_block());
        self.branch(failure, error, next, span);
        self.b.seal(error);
        self.b.switch_to(error);
        if self.m.checks.contains(kind) {
            if let Some(address) = address {
                let ty = self.m.address_type();
                let data = ValueData { ty, name: Some(FAULT_ADDRESS.to_owned()), span };
                self.b.define(InstructionKind::Pure(address), data);
            }
            let property = self.m.property(kind, description, span);
            self.b.terminate(Terminator::Error(property), span);
        } else {
            self.undefined(description, span);
        }
        self.b.seal(next);
        self.b.switch_to(next);
    }

    /// Checks that an address that is not used immediately stays in its slot.
    pub(super) fn keep_in_slot(&mut self, address: Term, from: Term, is_far: Term, span: Span) {
        let Some(bits) = self.slot_bits() else { return };
        let pool = &mut *self.m.pool;
        let width = pool.width(address);
        let slot = pool.extract(width - 1, bits, address);
        let before = pool.extract(width - 1, bits, from);
        let moves = pool.neq(slot, before);
        let leaves = pool.or2(is_far, moves);
        if leaves == pool.fls() {
            return;
        }
        let (far, next) = (self.b.create_block(), self.b.create_block());
        self.branch(leaves, far, next, span);
        self.b.seal(far);
        self.b.switch_to(far);
        self.undefined("pointer arithmetic far out of bounds of the object", span);
        self.b.seal(next);
        self.b.switch_to(next);
    }

    /// Like [`keep_in_slot`](Self::keep_in_slot), for the address of a location.
    pub(super) fn keep_location_in_slot(&mut self, location: &Location, span: Span) {
        let &Location::Memory { base, offset, .. } = location else { return };
        let distance = self.displaced(base.distance, offset);
        let is_within = match (base.room, self.m.pool.as_bv_u64(distance)) {
            (Room::Given, _) => true,
            // The address of a part of a named object, or its end.
            (Room::Bytes(size), Some(distance)) => distance <= size && base.is_far == self.m.pool.fls(),
            (Room::Unknown, Some(distance)) => distance == 0,
            (_, None) => false,
        };
        if !is_within {
            let address = self.displaced(base.address, offset);
            self.keep_in_slot(address, base.origin, base.is_far, span);
        }
    }

    /// Checks the callee of an indirect call: functions have nonzero addresses in slot 0.
    pub(super) fn check_callee(&mut self, address: Term, span: Span) {
        let Some(bits) = self.slot_bits() else { return };
        let pool = &mut *self.m.pool;
        let width = pool.width(address);
        let null = pool.bv(width, 0);
        let is_null = pool.eq(address, null);
        let limit = pool.bv(width, 1 << bits);
        let is_function = pool.bv_ult(address, limit);
        let is_object = pool.not(is_function);
        let invalid = pool.or2(is_null, is_object);
        let description = "call through an invalid function pointer".to_owned();
        self.check_memory(PropertyKind::ValidDeref, invalid, description, Some(address), span);
    }

    /// The start of the object in the slot of an address.
    pub(super) fn object_start(&mut self, address: Term) -> Term {
        match self.slot_bits() {
            Some(bits) => object_start_term(self.m.pool, bits, address),
            None => address,
        }
    }

    /// Changes the number of allocated heap blocks.
    pub(super) fn change_live_blocks(&mut self, change: i64, condition: Term, span: Span) {
        let Some(objects) = self.m.objects else { return };
        let (region, ty) = (objects.live_blocks, Type::unsigned(32));
        let before = self.emit(InstructionKind::Load { region, address: None }, ty, span);
        let pool = &mut *self.m.pool;
        let (change, zero) = (pool.bv_i64(32, change), pool.bv(32, 0));
        let change = pool.ite(condition, change, zero);
        let value = pool.bv_add(before, change);
        self.b.effect(InstructionKind::Store { region, address: None, value, ty, place: None }, span);
    }

    /// Checks the heap at program termination: blocks must not be allocated, or must not be
    /// unreachable.
    pub(super) fn check_end(&mut self, end: End, span: Span) {
        let Some(objects) = self.m.objects.filter(|objects| objects.slot_bits.is_some()) else { return };
        let cleanup = self.m.checks.contains(PropertyKind::ValidMemcleanup);
        if !cleanup && !self.m.checks.contains(PropertyKind::ValidMemtrack) {
            return;
        }
        let kind = InstructionKind::Load { region: objects.live_blocks, address: None };
        let live = self.emit(kind, Type::unsigned(32), span);
        let zero = self.m.pool.bv(32, 0);
        let are_left = self.m.pool.neq(live, zero);
        match (cleanup, end) {
            (true, End::Regular) => {
                let description = "allocated memory is not freed at the end of the program".to_owned();
                self.check_memory(PropertyKind::ValidMemcleanup, are_left, description, None, span);
            }
            (true, End::Abort) => {
                let (left, next) = (self.b.create_block(), self.b.create_block());
                self.branch(are_left, left, next, span);
                self.b.seal(left);
                self.b.switch_to(left);
                self.unsupported("allocated memory at abnormal program termination", span);
                self.b.seal(next);
                self.b.switch_to(next);
            }
            (false, _) => {
                let are_lost = self.are_lost(are_left, span);
                let description = "allocated memory is unreachable at the end of the program".to_owned();
                self.check_memory(PropertyKind::ValidMemtrack, are_lost, description, None, span);
            }
        }
    }

    /// Whether allocated blocks remain after excluding those that are reachable through pointers.
    fn are_lost(&mut self, are_left: Term, span: Span) -> Term {
        let (Some(objects), Some(track)) = (self.m.objects, self.m.tracking_function()) else {
            return are_left;
        };
        let (left, next) = (self.b.create_block(), self.b.create_block());
        self.branch(are_left, left, next, span);
        self.b.seal(left);
        self.b.switch_to(left);
        let kind =
            InstructionKind::Call { callee: program::ssa::Callee::Direct(track), arguments: Vec::new() };
        self.b.effect(kind, span);
        self.goto(next, span);
        self.b.seal(next);
        self.b.switch_to(next);
        let kind = InstructionKind::Load { region: objects.live_blocks, address: None };
        let live = self.emit(kind, Type::unsigned(32), span);
        let zero = self.m.pool.bv(32, 0);
        self.m.pool.neq(live, zero)
    }

    /// Emits an error site for the case that the `bytes` bytes at an address are not accessible.
    pub(super) fn check_block(&mut self, address: Term, bytes: u64, access: Access, span: Span) {
        let start = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        self.check_block_at(address, start, bytes, access, span);
    }

    /// Emits an error site for the case that the `bytes` bytes at an offset from an address are not
    /// accessible as a part of its object.
    pub(super) fn check_block_at(
        &mut self,
        address: Term,
        offset: Term,
        bytes: u64,
        access: Access,
        span: Span,
    ) {
        let one = self.m.pool.bv(self.m.pool_width(offset), 1);
        let is_far = self.is_far(offset, one);
        let base = self.pointer_base(address);
        let base = self.moved_base(base, offset, is_far);
        self.check_access(base, 0, bytes, access, span);
    }

    /// Loads a scalar from any address.
    pub(super) fn load_scalar(&mut self, address: Term, ty: Type, span: Span) -> Term {
        self.check_block(address, ty.bytes(), Access::Read, span);
        self.load_unchecked(address, ty, span)
    }

    /// Stores a scalar to any address.
    pub(super) fn store_scalar(
        &mut self,
        address: Term,
        value: Term,
        ty: Type,
        span: Span,
        place: Option<String>,
    ) {
        self.check_block(address, ty.bytes(), Access::Write, span);
        self.store_unchecked(address, value, ty, span, place);
    }

    /// Loads from an address that is known to be valid.
    pub(super) fn load_unchecked(&mut self, address: Term, ty: Type, span: Span) -> Term {
        self.emit(InstructionKind::Load { region: MEMORY, address: Some(address) }, ty, span)
    }

    /// Stores to an address that is known to be valid.
    pub(super) fn store_unchecked(
        &mut self,
        address: Term,
        value: Term,
        ty: Type,
        span: Span,
        place: Option<String>,
    ) {
        let kind = InstructionKind::Store { region: MEMORY, address: Some(address), value, ty, place };
        self.b.effect(kind, span);
        self.note_assigned(address, span);
    }

    /// Resizes `amount` to the width of an address.
    pub(super) fn in_address_width(&mut self, amount: Term) -> Term {
        let width = self.m.program.machine.pointer_width;
        self.resize(amount, width, Signedness::Unsigned)
    }
}

/// The kind of program termination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Normal termination: the return of the entry function, or `exit`.
    Regular,
    /// Abnormal termination: `abort`, or a failing assertion.
    Abort,
}
