//! Reachability of heap blocks at program termination, for `valid-memtrack`.
//!
//! The rule of SV-COMP: an allocated block is not leaked as long as a pointer to it remains. At
//! program termination these are the pointers in objects of static storage duration, those in the
//! blocks that they point to, and so on.
//!
//! # Idea
//! If blocks are still allocated, a generated function follows the pointers in the static objects
//! according to their types. For each block that it reaches, it changes the shadow entry from 1
//! (allocated) to [`TRACKED`] and decrements the number of allocated blocks. The remaining blocks
//! are unreachable. There is one function per pointee type, so a list becomes a loop and a tree a
//! recursion; both are unrolled like those of the program.
//!
//! A pointer tracks a block if it points into the block or to its end. Its target is read as an
//! object of the pointee type if the block has room for one. If the pointee type has no pointer to
//! its own type, the following elements are read as well.
//!
//! # Limits
//! Pointers in unions and flexible arrays are not followed, nor those of a type with more than
//! [`MOST_POINTERS`] pointers. `void *` and `char *` track their block, but the contents of the
//! block are not read. Automatic objects of functions that did not return (`exit`) are not read. A
//! block that is only reachable in these ways reaches the error site; the replay, which treats
//! every word of memory as an address, does not confirm the error, and the verdict is UNKNOWN. Only
//! words of pointer type are followed, so TRUE relies on actual pointers only.

use super::function::Lowering;
use super::module::{GlobalStorage, Module};
use crate::c::hir::{self, Definition, GlobalKind};
use crate::c::link::UnitId;
use crate::c::types::{ArrayLength, Type as CType, TypeId};
use grammars::c::ast::RecordKind;
use grammars::source::Span;
use program::ssa::{Block, Callee, Function, FunctionData, InstructionKind, Terminator, Type};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use terms::Term;
use terms::entity::PrimaryMap;

/// The shadow entry of a block to which a pointer was found.
const TRACKED: u64 = 2;
/// The largest number of pointers in one type that are followed.
const MOST_POINTERS: usize = 64;
/// The largest number of elements of a static array that are unrolled.
const FEW_ELEMENTS: u64 = 8;

/// The purpose of a generated function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Job {
    /// Follows a pointer to this type.
    Pointer(UnitId, TypeId),
    /// Follows the pointers in the elements of this type between two addresses.
    Elements(UnitId, TypeId),
}

/// The generated functions.
#[derive(Default)]
pub(super) struct Tracker {
    /// Follows the pointers in all static objects.
    root: Option<Function>,
    /// Whether the program has heap blocks.
    pub(super) has_blocks: bool,
    functions: FxHashMap<Job, Function>,
    work: VecDeque<(Job, Function)>,
}

/// A pointer within an object.
#[derive(Clone, Copy, Debug)]
struct Pointer {
    offset: u64,
    /// `None` if the pointee has no pointers to follow.
    pointee: Option<TypeId>,
}

/// Collects the pointers to objects in a type; `None` if there are too many.
fn pointers(hir: &hir::Program, ty: TypeId, offset: u64, found: &mut Vec<Pointer>) -> Option<()> {
    match hir.types[ty] {
        CType::Pointer(pointee) if hir.types.is_function(pointee.ty) => {}
        CType::Pointer(pointee) => {
            let pointee = hir.types.size(pointee.ty).filter(|&size| size > 0).map(|_| pointee.ty);
            found.push(Pointer { offset, pointee });
        }
        CType::Array(element, ArrayLength::Known(length)) => {
            let size = hir.types.size(element.ty)?;
            let before = found.len();
            for index in 0..length {
                pointers(hir, element.ty, offset.checked_add(index.checked_mul(size)?)?, found)?;
                if found.len() == before {
                    break;
                }
            }
        }
        CType::Record(record) => {
            let data = &hir.types.records[record];
            let Some(definition) = data.definition.as_ref().filter(|_| data.kind != RecordKind::Union) else {
                return Some(());
            };
            for field in definition.fields.iter().filter(|field| field.bits.is_none()) {
                pointers(hir, field.ty, offset.checked_add(field.offset)?, found)?;
            }
        }
        _ => {}
    }
    (found.len() <= MOST_POINTERS).then_some(())
}

/// The pointers of a type to follow.
fn followed(hir: &hir::Program, ty: TypeId) -> Vec<Pointer> {
    let mut found = Vec::new();
    match pointers(hir, ty, 0, &mut found) {
        Some(()) => found,
        None => Vec::new(),
    }
}

/// The innermost element of an array type.
fn element(hir: &hir::Program, mut ty: TypeId) -> TypeId {
    while let CType::Array(element, ArrayLength::Known(_)) = hir.types[ty] {
        ty = element.ty;
    }
    ty
}

impl Module<'_, '_> {
    /// Returns the function that follows the pointers in all static objects; `None` if they have no
    /// pointers to follow.
    pub(super) fn tracking_function(&mut self) -> Option<Function> {
        if let Some(root) = self.tracker.root {
            return Some(root);
        }
        let has_pointers = self.linked.units.values().any(|hir| {
            let mut globals = hir.globals.values().filter(|global| global.definition == Definition::Defined);
            globals.any(|global| !followed(hir, element(hir, global.ty)).is_empty())
        });
        if !has_pointers {
            return None;
        }
        let root = self.generated("<track>", &[]);
        self.tracker.root = Some(root);
        Some(root)
    }

    fn generated(&mut self, name: &str, parameters: &[Type]) -> Function {
        let name = self.unique_name(name.to_owned());
        self.program.functions.push(FunctionData {
            name,
            result: None,
            parameters: parameters.to_vec(),
            is_variadic: false,
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: Span::NONE,
        })
    }

    fn tracker(&mut self, job: Job) -> Function {
        if let Some(&function) = self.tracker.functions.get(&job) {
            return function;
        }
        let address = self.address_type();
        let function = match job {
            Job::Pointer(..) => self.generated("<track block>", &[address]),
            Job::Elements(..) => self.generated("<track elements>", &[address, address]),
        };
        self.tracker.functions.insert(job, function);
        self.tracker.work.push_back((job, function));
        function
    }

    /// Generates the bodies of the functions that follow pointers. To be called once all static
    /// objects are known.
    pub(super) fn lower_tracking(&mut self) {
        let Some(root) = self.tracker.root else { return };
        let mut lowering = Lowering::new(self, UnitId(0), root);
        lowering.enter();
        if lowering.m.tracker.has_blocks {
            lowering.track_static_objects();
        }
        lowering.b.terminate(Terminator::Return(None), Span::NONE);
        let finished = lowering.finish();
        finished.install(&mut self.program.functions[root]);
        while let Some((job, function)) = self.tracker.work.pop_front() {
            let (Job::Pointer(unit, ty) | Job::Elements(unit, ty)) = job;
            let mut lowering = Lowering::new(self, unit, function);
            match job {
                Job::Pointer(..) => lowering.track_pointer(ty),
                Job::Elements(..) => lowering.track_elements(ty),
            }
            let finished = lowering.finish();
            finished.install(&mut self.program.functions[function]);
        }
    }
}

impl Lowering<'_, '_, '_> {
    fn call_tracker(&mut self, function: Function, arguments: Vec<Term>) {
        let kind = InstructionKind::Call { callee: Callee::Direct(function), arguments };
        self.b.effect(kind, Span::NONE);
    }

    fn track_static_objects(&mut self) {
        let mut index = 0;
        while let Some((unit, global)) = self.m.used_global(index) {
            index += 1;
            self.set_unit(unit);
            let data = &self.hir[global];
            let is_literal = matches!(data.kind, GlobalKind::StringLiteral | GlobalKind::FunctionName);
            // An undefined object holds any value, which is not a pointer to a block for certain.
            if is_literal || data.definition == Definition::Declared {
                continue;
            }
            let element = element(self.hir, data.ty);
            let inside = followed(self.hir, element);
            if inside.is_empty() {
                continue;
            }
            match self.m.global(unit, global) {
                GlobalStorage::Scalar(region) => {
                    let ty = self.m.address_type();
                    let kind = InstructionKind::Load { region, address: None };
                    let pointer = self.emit(kind, ty, Span::NONE);
                    self.follow(inside[0], pointer);
                }
                GlobalStorage::Object(object) => {
                    let base = self.object_address(object);
                    let (size, bytes) =
                        (self.m.program.objects[object].size, self.hir.types.size(element).unwrap_or(1));
                    if size / bytes <= FEW_ELEMENTS {
                        for start in (0..size / bytes).map(|number| number * bytes) {
                            for &pointer in &inside {
                                self.follow_at(base, start + pointer.offset, pointer);
                            }
                        }
                    } else {
                        let function = self.m.tracker(Job::Elements(unit, element));
                        let end = self.displaced(base, size);
                        self.call_tracker(function, vec![base, end]);
                    }
                }
                GlobalStorage::Unknown | GlobalStorage::Null => {}
            }
        }
    }

    /// Follows the pointer that is stored at `base + offset`.
    fn follow_at(&mut self, base: Term, offset: u64, pointer: Pointer) {
        let address = self.displaced(base, offset);
        let ty = self.m.address_type();
        let value = self.load_unchecked(address, ty, Span::NONE);
        self.follow(pointer, value);
    }

    /// Follows a pointer.
    fn follow(&mut self, pointer: Pointer, value: Term) {
        // All pointers whose pointee is not read share one function.
        let pointee = pointer.pointee.filter(|&ty| !followed(self.hir, ty).is_empty());
        let function = self.m.tracker(Job::Pointer(self.unit, pointee.unwrap_or(TypeId::VOID)));
        self.call_tracker(function, vec![value]);
    }

    fn address_parameter(&mut self) -> Term {
        let ty = self.m.address_type();
        let value = self.b.add_parameter(ty, None, Span::NONE);
        self.m.pool.value(value.0, ty.sort())
    }

    /// The body of the function that follows a pointer to `ty`.
    fn track_pointer(&mut self, ty: TypeId) {
        let span = Span::NONE;
        let pointer = self.address_parameter();
        self.enter();
        let inside = followed(self.hir, ty);
        // The loop follows the first pointer to the same type.
        let link = inside.iter().position(|pointer| pointer.pointee == Some(ty));
        let objects = self.m.objects.expect("objects are tracked");
        let address = self.m.address_type();
        let current = self.hidden_variable(address, span);
        self.assign_hidden(current, pointer, span);
        let (head, found, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head, span);
        self.b.switch_to(head);
        let at = self.read(current);
        let index = self.shadow_index(at);
        let is_block = self.shadow_load(objects.blocks, index, span);
        let size = self.shadow_load(objects.sizes, index, span);
        let start = self.object_start(at);
        let pool = &mut *self.m.pool;
        let one = pool.bv(8, 1);
        let is_block = pool.eq(is_block, one);
        let offset = pool.bv_sub(at, start);
        let is_inside = pool.bv_ule(offset, size);
        let is_found = pool.and2(is_block, is_inside);
        self.branch(is_found, found, end, span);
        self.b.seal(found);
        self.b.switch_to(found);
        let tracked = self.m.pool.bv(8, TRACKED);
        self.shadow_store(objects.blocks, index, tracked, None, span);
        let always = self.m.pool.tru();
        self.change_live_blocks(-1, always, span);
        if let Some(link) = link {
            let bytes = self.hir.types.size(ty).unwrap_or(1);
            let has_room = self.has_room(offset, bytes, size);
            let inner = self.b.create_block();
            self.branch(has_room, inner, end, span);
            self.b.seal(inner);
            self.b.switch_to(inner);
            for (_, &pointer) in inside.iter().enumerate().filter(|&(index, _)| index != link) {
                self.follow_at(at, pointer.offset, pointer);
            }
            let next = self.displaced(at, inside[link].offset);
            let next = self.load_unchecked(next, address, span);
            self.assign_hidden(current, next, span);
            self.goto(head, span);
        } else {
            if !inside.is_empty() {
                let function = self.m.tracker(Job::Elements(self.unit, ty));
                let behind = self.m.pool.bv_add(start, size);
                self.call_tracker(function, vec![at, behind]);
            }
            self.goto(end, span);
        }
        self.b.seal(head);
        self.b.seal(end);
        self.b.switch_to(end);
        self.b.terminate(Terminator::Return(None), span);
    }

    /// Whether an object of `size` bytes has `bytes` bytes from `offset` on; `offset` does not
    /// exceed `size`.
    fn has_room(&mut self, offset: Term, bytes: u64, size: Term) -> Term {
        let pool = &mut *self.m.pool;
        let left = pool.bv_sub(size, offset);
        let bytes = pool.bv(pool.width(size), bytes);
        pool.bv_ule(bytes, left)
    }

    /// The body of the function that follows the pointers in the elements of type `ty` between two
    /// addresses.
    fn track_elements(&mut self, ty: TypeId) {
        let span = Span::NONE;
        let (first, end) = (self.address_parameter(), self.address_parameter());
        self.enter();
        let bytes = self.hir.types.size(ty).unwrap_or(1);
        let address = self.m.address_type();
        let current = self.hidden_variable(address, span);
        self.assign_hidden(current, first, span);
        let (head, inside, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head, span);
        self.b.switch_to(head);
        let at = self.read(current);
        let zero = self.m.pool.bv(address.width(), 0);
        let left = self.m.pool.bv_sub(end, at);
        let has_room = self.has_room(zero, bytes, left);
        self.branch(has_room, inside, after, span);
        self.b.seal(inside);
        self.b.switch_to(inside);
        for pointer in followed(self.hir, ty) {
            self.follow_at(at, pointer.offset, pointer);
        }
        let next = self.displaced(at, bytes);
        self.assign_hidden(current, next, span);
        self.goto(head, span);
        self.b.seal(head);
        self.b.seal(after);
        self.b.switch_to(after);
        self.b.terminate(Terminator::Return(None), span);
    }
}
