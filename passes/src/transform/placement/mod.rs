//! Unknown addresses: makes observed addresses nondeterministic.
//!
//! The unroller, the views and the interpreter give objects addresses of one fixed layout
//! ([`program::layout`]), which are never reused. C leaves the addresses open: a program may
//! compare pointers to different objects, compute with the number of a pointer, or compare a
//! pointer to a dead object with a pointer to a later one. This pass rewrites such *observations*,
//! so that a proof holds for every placement of objects, and a counterexample selects its own
//! placement.
//!
//! # Idea
//!
//! The address of the fixed layout, the *internal* address, remains the identity of the object:
//! pointers hold it, and memory is indexed by it. The *observable* address of `p` is
//! `p + distance[object of p]`, where `distance` is a region of the
//! [`Shadow`](program::ssa::Shadow) with one entry for each slot of addresses. An entry is an input
//! of the program, chosen at the creation of the object such that the observable address has the
//! object's alignment, and the object lies in none of the pages at both ends of the address space.
//!
//! `contents` finds the values that hold addresses or values derived from them. Then each term is
//! rewritten:
//!
//! * An operator that derives a value from an address (a mask, a product, a difference of addresses
//!   of different objects) gets the observable address. The result is an ordinary number.
//! * The same applies to an order of addresses, and to a comparison of an address with a number.
//! * An equality of two addresses compares internal addresses. It compares observable ones only if
//!   one of the addresses is not *inside* of a live object: it may be past the end of an object, or
//!   of a dead object.
//! * Null tests, comparisons and differences within one object, sums with numbers and masks within
//!   the alignment stay unchanged: their result is the same for every placement.
//! * A mask or a tag that changes a few low bits beyond the alignment is applied to the observable
//!   address, and the result is translated back: it is an address again.
//! * Other derived values that are used as addresses again keep their internal values, as long as
//!   placement-dependent low bits cannot get lost on the way; otherwise they become
//!   nondeterministic. Decisions of the program that depend on them are approximated: TRUE stays
//!   possible, FALSE does not.
//!
//! A number derived from addresses may be an offset: a hash below the length of a table. But the
//! difference of two objects, added to one address, is the other address, which the internal sum is
//! not. So an offset that may be as large as a slot (`magnitude`) is nondeterministic, and the
//! decisions that depend on the sum are approximated.
//!
//! A program that observes addresses may reconstruct one by decisions, bit by bit. So if it
//! observes any, and accesses memory at a computed address, the checks of that access are
//! approximated unless it hits a live object.
//!
//! The pass runs on the program as lowered, before everything else: the interpreter, the validator
//! and all engines use its result. It only adds behavior. The formulas require only a few objects
//! ([`FEW`]) to be disjoint while they are live; the interpreter checks it for all
//! ([`program::interp::Run::is_placement_possible`]). The omission in the formulas is an
//! over-approximation.
//!
//! A program without slots, see [`Machine::slot_bits`](program::ssa::Machine), that observes
//! addresses gets approximations in place of observable addresses; `Report::observations` shows
//! this, and the caller lowers the program again with all objects tracked.
//!
//! DIVERGENCE from C: a value that comes from an exclusive disjunction of addresses and is compared
//! with null or with an address is assumed to be an address again, as in a list linked by exclusive
//! disjunctions. Integers of several bytes are assumed not to be read from memory that holds a
//! pointer if the alias analysis knows no offsets (C11 6.5p7). String literals do not overlap.
//! Cost: linear in the program for each round of the analysis, and a few instructions for each
//! observation.

mod content;
mod contents;
mod independent;
mod low_bits;
mod magnitude;
mod objects;
mod rewriter;
mod shapes;
#[cfg(test)]
mod tests;
mod uses;

use super::points_to::Base;
use contents::Contents;
pub use independent::{Independent, Stored};
use program::interp::PLACEMENT;
use program::layout::shadow_index_term;
use program::ssa::{
    Block, BlockData, Edge, Function, HavocSource, Instruction, InstructionKind, Object, Program, Region,
    RegionData, RegionKind, Span, StopReason, Terminator, Type, Value, ValueData,
};
use rewriter::{Computed, Rewriter};
use std::collections::BTreeSet;
use terms::{Term, TermPool};

/// The number of static objects that the formulas require to be disjoint.
pub const FEW: usize = 6;
/// The bytes at each end of the address space in which no object lies. So a pointer that is
/// slightly outside of its object compares with pointers into the object as on usual machines.
const RESERVED: u64 = 4096;

/// Whether the program may free heap blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapBlocks {
    /// Blocks may be freed.
    MayEnd,
    /// No block is freed.
    Stay,
}

/// An observation of addresses by the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The kind of observation.
    pub what: &'static str,
    /// Its source location.
    pub span: Span,
}

/// The result of [`unknown_addresses`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The rewritten observations. If the list is empty, the program is unchanged.
    pub observations: Vec<Observation>,
    /// The number of approximated observations.
    pub approximated: usize,
}

/// The objects whose observable address is needed.
#[derive(Clone, Debug, Default)]
struct Observed {
    bases: BTreeSet<Base>,
    /// Whether pointers of unknown origin are observed.
    all: bool,
}

/// Rewrites the observations of addresses in `program`, as lowered.
pub fn unknown_addresses(pool: &mut TermPool, program: &mut Program, blocks: HeapBlocks) -> Report {
    let has_addresses = program.functions.values().flat_map(|data| data.blocks.values()).any(|block| {
        block.instructions.iter().any(|instruction| {
            matches!(
                instruction.kind,
                InstructionKind::AddressOf(_)
                    | InstructionKind::Allocate { .. }
                    | InstructionKind::FunctionAddress(_)
            )
        })
    });
    if !has_addresses {
        return Report::default();
    }
    let region = program.regions.next_key();
    let rewrite = |pool: &mut TermPool, program: &mut Program, contents, computed| {
        let mut rewriter = Rewriter::new(pool, program, contents, blocks, computed, region);
        rewriter.run();
        rewriter.finish()
    };
    let contents = Contents::new(pool, program);
    let before = contents.has_computed_accesses.then(|| program.clone());
    let (mut report, mut observed) = rewrite(pool, program, contents, Computed::Known);
    if let Some(before) = before.filter(|_| !report.observations.is_empty()) {
        *program = before;
        let contents = Contents::new(pool, program);
        (report, observed) = rewrite(pool, program, contents, Computed::Unknown);
    }
    if !observed.bases.is_empty() || observed.all {
        let ty = Type::unsigned(program.machine.pointer_width);
        program.regions.push(RegionData { name: "<placements>".to_owned(), kind: RegionKind::Cells(ty) });
        program.shadow.placements = Some(region);
        place(pool, program, &observed, region);
    }
    report
}

/// Chooses the addresses of the observed objects at their creation.
fn place(pool: &mut TermPool, program: &mut Program, observed: &Observed, region: Region) {
    let is_observed = |base: Base| observed.all || observed.bases.contains(&base);
    let objects: Vec<Object> =
        program.objects.keys().filter(|&object| is_observed(Base::Object(object))).collect();
    let functions: Vec<Function> = program.functions.keys().collect();
    let entry = program.entry;
    for function in functions {
        if !program.functions[function].is_defined() {
            continue;
        }
        let mut placer = Placer { pool, program, function, region, new: Vec::new(), near: Vec::new() };
        for &object in &objects {
            let owner = placer.program.objects[object].owner;
            if owner == Some(function) || (owner.is_none() && function == entry) {
                placer.object(object);
            }
        }
        placer.finish_entry();
        let blocks: Vec<Block> = placer.program.functions[function].blocks.keys().collect();
        for block in blocks {
            placer.blocks_of(block, &is_observed);
        }
    }
}

struct Placer<'a> {
    pool: &'a mut TermPool,
    program: &'a mut Program,
    function: Function,
    region: Region,
    new: Vec<Instruction>,
    /// The observable addresses and sizes of the static objects that were placed so far in the
    /// function.
    near: Vec<(Term, Term)>,
}

impl Placer<'_> {
    fn define(&mut self, ty: Type, kind: InstructionKind, span: Span) -> Term {
        let value = self.program.functions[self.function].values.push(ValueData { ty, name: None, span });
        self.new.push(Instruction { result: Some(value), kind, span });
        self.pool.value(value.0, ty.sort())
    }

    fn object(&mut self, object: Object) {
        let width = self.program.machine.pointer_width;
        let data = &self.program.objects[object];
        let (size, align, span) = (data.size, data.align, data.span);
        // Automatic objects of different scopes may have the same address.
        let is_static = data.owner.is_none();
        let address = self.define(Type::Pointer { width }, InstructionKind::AddressOf(object), span);
        let size = self.pool.bv(width, size);
        let others = if is_static && self.near.len() < FEW { self.near.clone() } else { Vec::new() };
        let chosen = self.place(address, size, align, &others, span);
        if is_static {
            self.near.push((chosen, size));
        }
    }

    /// Inserts the new instructions at the start, and assumes that the first static objects are
    /// disjoint.
    fn finish_entry(&mut self) {
        let near = &self.near[..self.near.len().min(FEW)];
        let mut disjoint = Vec::new();
        for (index, &(one, size)) in near.iter().enumerate() {
            for &(other, other_size) in &near[..index] {
                let (end, other_end) = (self.pool.bv_add(one, size), self.pool.bv_add(other, other_size));
                let (is_below, is_above) = (self.pool.bv_ule(end, other), self.pool.bv_ule(other_end, one));
                disjoint.push(self.pool.or2(is_below, is_above));
            }
        }
        let data = &mut self.program.functions[self.function];
        let first = data.entry;
        let span = data.blocks[first].span;
        let mut new = std::mem::take(&mut self.new);
        if disjoint.is_empty() {
            new.append(&mut data.blocks[first].instructions);
            data.blocks[first].instructions = new;
            return;
        }
        let old = std::mem::take(&mut data.blocks[first].instructions);
        let stop = Terminator::Stop(StopReason::Assume);
        let terminator = std::mem::replace(&mut data.blocks[first].terminator, stop.clone());
        let block = |instructions, terminator| BlockData {
            parameters: Vec::new(),
            instructions,
            terminator,
            span,
            label: None,
            call_boundary: None,
        };
        let rest = data.blocks.push(block(old, terminator));
        let nowhere = data.blocks.push(block(Vec::new(), stop));
        let edge = |target| Edge { target, arguments: Vec::new() };
        let condition = self.pool.and(&disjoint);
        data.blocks[first].instructions = new;
        data.blocks[first].terminator =
            Terminator::Branch { condition, then: edge(rest), otherwise: edge(nowhere) };
    }

    /// Places the allocations of a block.
    fn blocks_of(&mut self, block: Block, is_observed: &impl Fn(Base) -> bool) {
        let width = self.program.machine.pointer_width;
        let has_any = self.program.functions[self.function].blocks[block]
            .instructions
            .iter()
            .any(|instruction| matches!(instruction.kind, InstructionKind::Allocate { .. }));
        if !has_any {
            return;
        }
        let old = std::mem::take(&mut self.program.functions[self.function].blocks[block].instructions);
        for instruction in old {
            let allocated = match (&instruction.kind, instruction.result) {
                (&InstructionKind::Allocate { size, align, .. }, Some(result))
                    if is_observed(Base::Heap(self.function, result)) =>
                {
                    Some((result, size, align, instruction.span))
                }
                _ => None,
            };
            self.new.push(instruction);
            if let Some((result, size, align, span)) = allocated {
                let address = self.pool.value(result.0, Type::Pointer { width }.sort());
                self.place(address, size, align, &[], span);
            }
        }
        self.program.functions[self.function].blocks[block].instructions = std::mem::take(&mut self.new);
    }

    /// Chooses the observable address of an object and returns it: the address that the input
    /// requests if it is possible, otherwise the aligned internal address.
    fn place(&mut self, address: Term, size: Term, align: u64, others: &[(Term, Term)], span: Span) -> Term {
        let width = self.program.machine.pointer_width;
        let ty = Type::unsigned(width);
        let source = HavocSource::Input(PLACEMENT.to_owned());
        let wanted = self.define(ty, InstructionKind::Havoc(source), span);
        let pool = &mut *self.pool;
        let low = align.max(1).trailing_zeros().min(width - 1);
        let wanted = if low == 0 {
            wanted
        } else {
            let high = pool.extract(width - 1, low, wanted);
            let zeros = pool.bv(low, 0);
            pool.concat(high, zeros)
        };
        // Pages at both ends of the address space are free, as systems map none there.
        let (first, reserved) = (pool.bv(width, RESERVED), pool.bv(width, RESERVED.wrapping_neg()));
        let last = pool.bv_not(size);
        let last = pool.bv_add(last, reserved);
        let mut possible = vec![pool.bv_ule(first, wanted), pool.bv_ule(wanted, last)];
        for &(other, other_size) in others {
            let (end, other_end) = (pool.bv_add(wanted, size), pool.bv_add(other, other_size));
            let (is_below, is_above) = (pool.bv_ule(end, other), pool.bv_ule(other_end, wanted));
            possible.push(pool.or2(is_below, is_above));
        }
        let possible = pool.and(&possible);
        // Slots are much longer than their objects, so the first aligned address after the internal
        // one is possible as well.
        let fallback = if align <= program::layout::SLOT_ALIGN {
            address
        } else {
            let last = pool.bv(width, align - 1);
            let moved = pool.bv_add(address, last);
            let high = pool.extract(width - 1, low, moved);
            let zeros = pool.bv(low, 0);
            pool.concat(high, zeros)
        };
        let chosen = pool.ite(possible, wanted, fallback);
        let distance = pool.bv_sub(chosen, address);
        let bits = self.program.machine.slot_bits.expect("objects are only placed in slots");
        let index = shadow_index_term(pool, bits, address);
        let kind = InstructionKind::Store {
            region: self.region,
            address: Some(index),
            value: distance,
            ty,
            place: None,
        };
        self.new.push(Instruction { result: None, kind, span });
        chosen
    }
}

/// Creates a value of a function.
fn new_value(program: &mut Program, function: Function, ty: Type, span: Span) -> Value {
    program.functions[function].values.push(ValueData { ty, name: None, span })
}
