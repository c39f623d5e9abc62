//! The heap: `malloc`, `calloc`, `realloc`, `free`, and `alloca`.
//!
//! Memory comes from `Allocate`, which returns fresh addresses each time. If memory safety is
//! checked, and for the blocks of a program that calls `realloc`, the shadow (`safety`) holds the
//! size of each block and whether it is allocated.
//!
//! `realloc` creates a new block, copies the common prefix, and frees the old block. The lifetime
//! of the old block ends before that of the new one begins, so the new block may have its address,
//! as far as a program can observe that: by comparing a pointer that is no longer valid.
//!
//! With [`Allocation::MayFail`], an input before each allocation determines whether it fails; a
//! failing allocation returns null and has no other effect.

use super::Allocation;
use super::function::Lowering;
use super::module::MEMORY;
use super::places::Location;
use super::safety::Access;
use crate::c::types::TypeId;
use grammars::source::Span;
use program::ssa::{Contents, HavocSource, InstructionKind, Part, PropertyKind, Type};
use terms::Term;

/// The name of the input that determines whether an allocation fails.
const FAILS: &str = "allocation_fails";

impl Lowering<'_, '_, '_> {
    /// `malloc(size)`; null on failure.
    pub(super) fn allocate_block(&mut self, size: Term, contents: Contents, span: Span) -> Term {
        let align = self.m.program.machine.block_align();
        self.allocate_aligned(size, align, contents, span)
    }

    /// `aligned_alloc(align, size)`: a block at a multiple of `align`, a power of two, and of the
    /// default alignment; null on failure.
    pub(super) fn allocate_aligned(
        &mut self,
        size: Term,
        align: u64,
        contents: Contents,
        span: Span,
    ) -> Term {
        let align = align.max(self.m.program.machine.block_align());
        let fails = self.allocation_fails(span);
        self.allocate_block_unless(fails, size, align, contents, span)
    }

    /// `posix_memalign(to, align, size)`; returns its result.
    pub(super) fn allocate_to(&mut self, to: Term, align: u64, size: Term, span: Span) -> Term {
        /// `ENOMEM` of Linux.
        const NO_MEMORY: u64 = 12;
        let ty = self.m.address_type();
        let base = self.pointer_base(to);
        let to = self.accessed(&Location::at(base), ty.bytes(), Access::Write, span);
        let block = self.allocate_aligned(size, align, Contents::Unknown, span);
        let null = self.m.pool.bv(ty.width(), 0);
        let fails = match self.m.allocation {
            Allocation::Succeeds => self.m.pool.fls(),
            Allocation::MayFail => self.m.pool.eq(block, null),
        };
        let before = self.load_unchecked(to, ty, span);
        let after = self.m.pool.ite(fails, before, block);
        self.store_unchecked(to, after, ty, span, None);
        let (good, bad) = (self.m.pool.bv(32, 0), self.m.pool.bv(32, NO_MEMORY));
        self.m.pool.ite(fails, bad, good)
    }

    /// Returns the value of an alignment; anything but a constant power of two is unsupported.
    pub(super) fn alignment(&mut self, term: Term, span: Span) -> Option<u64> {
        let align = self.m.pool.as_bv_u64(term).filter(|align| align.is_power_of_two());
        if align.is_none() {
            self.unsupported("an alignment that is not a constant power of two", span);
        }
        align
    }

    /// `calloc(count, bytes)`; also fails if the product overflows.
    pub(super) fn allocate_array(&mut self, count: Term, bytes: Term, span: Span) -> Term {
        let pool = &mut *self.m.pool;
        let width = pool.width(count);
        // The largest count; a quotient by 0 is the largest number.
        let largest = pool.bv_i64(width, -1);
        let (factor, divisor) = if pool.is_constant(count) { (bytes, count) } else { (count, bytes) };
        let most = pool.bv_udiv(largest, divisor);
        let overflows = pool.bv_ult(most, factor);
        let size = pool.bv_mul(count, bytes);
        let fails = self.allocation_fails(span);
        let fails = self.m.pool.or2(fails, overflows);
        let align = self.m.program.machine.block_align();
        self.allocate_block_unless(fails, size, align, Contents::Zero, span)
    }

    fn allocation_fails(&mut self, span: Span) -> Term {
        match self.m.allocation {
            Allocation::Succeeds => self.m.pool.fls(),
            Allocation::MayFail => {
                let source = HavocSource::Input(FAILS.to_owned());
                let answer = self.emit(InstructionKind::Havoc(source), Type::unsigned(8), span);
                let zero = self.m.pool.bv(8, 0);
                self.m.pool.neq(answer, zero)
            }
        }
    }

    fn allocate_block_unless(
        &mut self,
        fails: Term,
        size: Term,
        align: u64,
        contents: Contents,
        span: Span,
    ) -> Term {
        let block = self.emit_allocation(size, align, contents, span);
        self.begin_block_unless(fails, block, size, span)
    }

    fn emit_allocation(&mut self, size: Term, align: u64, contents: Contents, span: Span) -> Term {
        let kind = InstructionKind::Allocate { parts: vec![Part::whole(MEMORY)], size, align, contents };
        self.emit(kind, self.m.address_type(), span)
    }

    /// Begins the lifetime of a block, unless its allocation `fails`. Returns its address, or null.
    fn begin_block_unless(&mut self, fails: Term, block: Term, size: Term, span: Span) -> Term {
        self.m.tracker.has_blocks = true;
        if let Some(objects) = self.m.objects {
            let index = self.shadow_index(block);
            let pool = &mut *self.m.pool;
            let none = pool.bv(pool.width(size), 0);
            let size = pool.ite(fails, none, size);
            let (no, yes) = (pool.bv(8, 0), pool.bv(8, 1));
            let is_block = pool.ite(fails, no, yes);
            let succeeds = pool.not(fails);
            self.shadow_store(objects.sizes, index, size, Some("block"), span);
            self.shadow_store(objects.blocks, index, is_block, None, span);
            self.change_live_blocks(1, succeeds, span);
        }
        let null = self.m.pool.bv(self.m.pool_width(block), 0);
        self.m.pool.ite(fails, null, block)
    }

    /// `free(pointer)`
    pub(super) fn free(&mut self, pointer: Term, span: Span) {
        self.m.program.machine.set_frees();
        if self.slot_bits().is_none() {
            return;
        }
        self.check_freeable(pointer, "free", span);
        let never = self.m.pool.fls();
        self.end_block_unless(never, pointer, span);
    }

    /// Frees a block of a harness unless it is freed: the caller of an entry function owns the
    /// arguments.
    pub(super) fn release(&mut self, block: Term, span: Span) {
        self.m.program.machine.set_frees();
        let Some(objects) = self.m.objects.filter(|objects| objects.slot_bits.is_some()) else { return };
        let index = self.shadow_index(block);
        let is_block = self.shadow_load(objects.blocks, index, span);
        let no = self.m.pool.bv(8, 0);
        let is_freed = self.m.pool.eq(is_block, no);
        self.end_block_unless(is_freed, block, span);
    }

    /// Emits an error site for a pointer that is neither null nor the start of an allocated heap
    /// block.
    fn check_freeable(&mut self, pointer: Term, function: &str, span: Span) {
        let Some(objects) = self.m.objects else { return };
        let index = self.shadow_index(pointer);
        let is_block = self.shadow_load(objects.blocks, index, span);
        let start = self.object_start(pointer);
        let pool = &mut *self.m.pool;
        let null = pool.bv(pool.width(pointer), 0);
        let is_null = pool.eq(pointer, null);
        let yes = pool.bv(8, 1);
        let is_block = pool.eq(is_block, yes);
        let is_first = pool.eq(pointer, start);
        let is_good = pool.and2(is_block, is_first);
        let is_good = pool.or2(is_null, is_good);
        let is_bad = pool.not(is_good);
        let description = format!("invalid {function}");
        self.check_memory(PropertyKind::ValidFree, is_bad, description, Some(pointer), span);
    }

    /// Frees the block, unless `stays` holds or the block is null.
    fn end_block_unless(&mut self, stays: Term, block: Term, span: Span) {
        let Some(objects) = self.m.objects else { return };
        let index = self.shadow_index(block);
        let (zero, no) = (self.m.pool.bv(self.m.pool_width(block), 0), self.m.pool.bv(8, 0));
        let is_null = self.m.pool.eq(block, zero);
        let (size, is_block) = if stays == self.m.pool.fls() {
            // The shadow entries of null are already zero.
            (zero, no)
        } else {
            let size = self.shadow_load(objects.sizes, index, span);
            let is_block = self.shadow_load(objects.blocks, index, span);
            (self.m.pool.ite(stays, size, zero), self.m.pool.ite(stays, is_block, no))
        };
        self.shadow_store(objects.sizes, index, size, None, span);
        self.shadow_store(objects.blocks, index, is_block, None, span);
        let nothing = self.m.pool.or2(stays, is_null);
        let ends = self.m.pool.not(nothing);
        self.change_live_blocks(-1, ends, span);
    }

    /// `realloc(old, size)`, where `ty` is the pointee type of `old` before the conversion to
    /// `void *`.
    pub(super) fn reallocate(&mut self, old: Term, ty: Option<TypeId>, size: Term, span: Span) -> Term {
        self.m.program.machine.set_frees();
        let Some(objects) = self.m.objects else {
            return self.allocate_block(size, Contents::Unknown, span);
        };
        if self.is_zero(old) {
            return self.allocate_block(size, Contents::Unknown, span);
        }
        self.check_freeable(old, "realloc", span);
        let zero = self.m.pool.bv(self.m.pool_width(size), 0);
        let is_empty = self.m.pool.eq(size, zero);
        let is_null = self.m.pool.eq(old, zero);
        let is_block = self.m.pool.not(is_null);
        let is_unclear = self.m.pool.and2(is_empty, is_block);
        if is_unclear != self.m.pool.fls() {
            let (unclear, next) = (self.b.create_block(), self.b.create_block());
            self.branch(is_unclear, unclear, next, span);
            self.b.seal(unclear);
            self.b.switch_to(unclear);
            self.unsupported("realloc of a block to size 0", span);
            self.b.seal(next);
            self.b.switch_to(next);
        }
        let index = self.shadow_index(old);
        let old_size = self.shadow_load(objects.sizes, index, span);
        let fails = self.allocation_fails(span);
        let align = self.m.program.machine.block_align();
        let new = self.emit_allocation(size, align, Contents::Unknown, span);
        let is_shorter = self.m.pool.bv_ult(size, old_size);
        let kept = self.m.pool.ite(is_shorter, size, old_size);
        let kept = self.m.pool.ite(fails, zero, kept);
        let elements = self.kept_elements(ty, size);
        self.upwards(&elements, kept, span, &mut |this, offset, element| {
            this.copy_pieces([new, old], offset, element, span);
        });
        // The new block may have the address of the old one.
        self.end_block_unless(fails, old, span);
        self.begin_block_unless(fails, new, size, span)
    }

    /// `alloca(size)`, aligned to `align`, a power of two.
    pub(super) fn allocate_on_stack(&mut self, size: Term, align: u64, span: Span) -> Term {
        let align = align.max(self.m.program.machine.block_align());
        self.m.program.machine.set_frees();
        let address = self.emit_allocation(size, align, Contents::Unknown, span);
        self.begin_stack_block(address, size, span);
        address
    }
}
