//! Block operations: `memcpy`, `memset`, `memcmp` and related functions, without loops where the
//! size is constant.
//!
//! The bytes are decomposed into *pieces*: the scalars of the pointee type before the conversion to
//! `void *`, and single bytes for padding. So a structure copied in this way is accessed like its
//! members, and region splitting keeps it typed; nevertheless all bytes are copied, as C requires.
//! If the types of the two pointers differ, that of the target counts; character pointers provide
//! no type. All loads precede the stores, so blocks may overlap.
//!
//! With more than [`MAX_PIECES`] pieces (without a type: [`MAX_BYTES`] bytes), or if the size is no
//! constant, there is a loop: over the elements of a type if possible (`elements`), otherwise that
//! of the library over bytes.

use super::calls::Argument;
use super::elements::{Body, Elements};
use super::function::Lowering;
use super::safety::Access;
use crate::c::hir::{CastKind, ExprId, ExprKind};
use crate::c::types::{ArrayLength, IntegerKind, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::Type;
use terms::Term;

/// The largest number of scalars that are copied one by one.
const MAX_PIECES: u64 = 1024;
/// The largest number of bytes that are copied one by one without a type.
const MAX_BYTES: u64 = 256;

/// The largest size of an element that is decomposed, including padding.
const MAX_ELEMENT: u64 = 16 * MAX_PIECES;

/// A block operation with the indices of its arguments.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Copy(Copying),
    /// The fill byte; `None` is zero.
    Fill {
        byte: Option<usize>,
    },
    Compare,
}

/// A copy, with the indices of the pointers.
#[derive(Clone, Copy, Debug)]
struct Copying {
    to: usize,
    from: usize,
    result: CopyResult,
    overlap: Overlap,
}

/// The result is the target, or the address after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CopyResult {
    Target,
    End,
    Nothing,
}

/// Whether the standard allows that the blocks overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overlap {
    Undefined,
    Allowed,
}

/// A scalar of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) offset: u64,
    pub(super) ty: Type,
}

/// A block, or an element of one.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) pieces: Vec<Piece>,
    /// The size.
    pub(super) bytes: u64,
}

/// The way in which a block is accessed.
#[derive(Clone, Debug)]
enum Shape {
    /// All at once.
    Straight(Part),
    Loop(Elements),
}

/// The operation of a function name, and the index of the size argument.
fn operation(name: &str) -> Option<(Operation, usize)> {
    let copy = |result, overlap| Operation::Copy(Copying { to: 0, from: 1, result, overlap });
    Some(match name {
        "memcpy" | "__memcpy_chk" => (copy(CopyResult::Target, Overlap::Undefined), 2),
        "memmove" | "__memmove_chk" => (copy(CopyResult::Target, Overlap::Allowed), 2),
        "mempcpy" | "__mempcpy_chk" => (copy(CopyResult::End, Overlap::Undefined), 2),
        "bcopy" => {
            let (result, overlap) = (CopyResult::Nothing, Overlap::Allowed);
            (Operation::Copy(Copying { to: 1, from: 0, result, overlap }), 2)
        }
        "memset" | "__memset_chk" => (Operation::Fill { byte: Some(1) }, 2),
        "bzero" | "explicit_bzero" => (Operation::Fill { byte: None }, 1),
        "memcmp" | "bcmp" => (Operation::Compare, 2),
        _ => return None,
    })
}

impl Lowering<'_, '_, '_> {
    /// Lowers a call of a library function that moves, fills or compares a block; `None` for other
    /// calls, and where the loop of the library is used. The inner `None` is the result of a `void`
    /// function.
    pub(super) fn block_operation(
        &mut self,
        name: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Option<Term>> {
        let (operation, size) = operation(name)?;
        let size = arguments.get(size)?.term;
        let width = self.m.program.machine.pointer_width;
        if self.m.pool_width(size) != width {
            return None;
        }
        if name.ends_with("_chk") {
            let limit = self.m.pool.as_bv_u64(arguments.get(3)?.term)?;
            self.m.pool.as_bv_u64(size).filter(|&size| size <= limit)?;
        }
        let pointer = |this: &Self, index: usize| {
            let argument = arguments.get(index)?;
            (this.m.pool_width(argument.term) == width).then_some(*argument)
        };
        match operation {
            Operation::Copy(copying) => {
                let (to, from) = (pointer(self, copying.to)?, pointer(self, copying.from)?);
                let shape = self.shape(&[to, from], size)?;
                self.copy_block([to, from], &shape, size, copying.overlap, span)?;
                Some(match copying.result {
                    CopyResult::Target => Some(to.term),
                    CopyResult::End => Some(self.m.pool.bv_add(to.term, size)),
                    CopyResult::Nothing => None,
                })
            }
            Operation::Fill { byte } => {
                let byte = match byte {
                    Some(index) => {
                        let term = arguments.get(index)?.term;
                        self.m.pool.extract(7, 0, term)
                    }
                    None => self.m.pool.bv(8, 0),
                };
                let to = pointer(self, 0)?;
                let shape = self.shape(&[to], size)?;
                self.for_each_part(&shape, size, span, &mut |this, offset, part| {
                    this.check_part(&[(to, Access::Write)], offset, part, span);
                    this.fill_pieces(to.term, offset, part, byte, span);
                });
                Some((name != "bzero" && name != "explicit_bzero").then_some(to.term))
            }
            Operation::Compare => {
                let (first, second) = (pointer(self, 0)?, pointer(self, 1)?);
                match self.shape(&[first, second], size)? {
                    Shape::Straight(part) if part.bytes <= MAX_BYTES => {
                        Some(Some(self.compare_blocks([first, second], &part, span)))
                    }
                    Shape::Straight(_) | Shape::Loop(_) => None,
                }
            }
        }
    }

    /// How a block is decomposed; the first pointer that provides a type counts.
    fn shape(&mut self, pointers: &[Argument], size: Term) -> Option<Shape> {
        let ty = pointers.iter().find_map(|pointer| self.pointee(pointer.expr?));
        if let Some(bytes) = self.m.pool.as_bv_u64(size)
            && let Some(pieces) = self.pieces(ty, bytes)
        {
            return Some(Shape::Straight(Part { pieces, bytes }));
        }
        self.elements_of(ty, size).map(Shape::Loop)
    }

    fn copy_block(
        &mut self,
        [to, from]: [Argument; 2],
        shape: &Shape,
        size: Term,
        overlap: Overlap,
        span: Span,
    ) -> Option<()> {
        let copy: Body<'_, Self> = &mut |this, offset, part| {
            this.check_part(&[(from, Access::Read), (to, Access::Write)], offset, part, span);
            this.copy_pieces([to.term, from.term], offset, part, span);
        };
        let elements = match (shape, overlap) {
            (Shape::Loop(elements), Overlap::Allowed) => elements,
            (Shape::Straight(_), _) | (_, Overlap::Undefined) => {
                self.for_each_part(shape, size, span, copy);
                return Some(());
            }
        };
        if !elements.are_whole() {
            return None;
        }
        // No element is overwritten before it is copied.
        let is_before = self.m.pool.bv_ult(to.term, from.term);
        let (up, down, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.branch(is_before, up, down, span);
        self.b.seal(up);
        self.b.seal(down);
        self.b.switch_to(up);
        self.upwards(elements, size, span, &mut *copy);
        self.goto(after, span);
        self.b.switch_to(down);
        self.downwards(elements, size, span, copy);
        self.goto(after, span);
        self.b.seal(after);
        self.b.switch_to(after);
        Some(())
    }

    /// `body` for the whole block, or for each element.
    fn for_each_part(&mut self, shape: &Shape, size: Term, span: Span, body: Body<'_, Self>) {
        match shape {
            Shape::Straight(part) => {
                let start = self.m.pool.bv(self.m.pool_width(size), 0);
                body(self, start, part);
            }
            Shape::Loop(elements) => self.upwards(elements, size, span, body),
        }
    }

    /// Checks the accesses to a part of each block.
    fn check_part(&mut self, blocks: &[(Argument, Access)], offset: Term, part: &Part, span: Span) {
        for (pointer, _) in blocks {
            if let Some(expr) = pointer.expr
                && part.bytes > 0
                && !self.names_variable(expr)
            {
                self.check_null(expr, pointer.term, span);
            }
        }
        for &(pointer, access) in blocks {
            self.check_block_at(pointer.term, offset, part.bytes, access, span);
        }
    }

    fn fill_pieces(&mut self, to: Term, offset: Term, part: &Part, byte: Term, span: Span) {
        let to = self.m.pool.bv_add(to, offset);
        for piece in &part.pieces {
            let mut term = byte;
            for _ in 1..piece.ty.bytes() {
                term = self.m.pool.concat(byte, term);
            }
            let at = self.displaced(to, piece.offset);
            self.store_unchecked(at, term, piece.ty, span, None);
        }
    }

    /// The difference of the first differing bytes.
    fn compare_blocks(&mut self, [first, second]: [Argument; 2], part: &Part, span: Span) -> Term {
        let start = self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        self.check_part(&[(first, Access::Read), (second, Access::Read)], start, part, span);
        let a = self.load_pieces(first.term, part, span);
        let b = self.load_pieces(second.term, part, span);
        let mut result = self.m.pool.bv(32, 0);
        for ((a, b), piece) in a.into_iter().zip(b).zip(&part.pieces).rev() {
            for byte in (0..piece.ty.bytes() as u32).rev() {
                let x = self.m.pool.extract(8 * byte + 7, 8 * byte, a);
                let y = self.m.pool.extract(8 * byte + 7, 8 * byte, b);
                let differs = self.m.pool.neq(x, y);
                let x = self.m.pool.zero_extend(24, x);
                let y = self.m.pool.zero_extend(24, y);
                let difference = self.m.pool.bv_sub(x, y);
                result = self.m.pool.ite(differs, difference, result);
            }
        }
        result
    }

    /// Copies the scalars of a part of a block; all loads precede the stores.
    pub(super) fn copy_pieces(&mut self, [to, from]: [Term; 2], offset: Term, part: &Part, span: Span) {
        let (from, to) = (self.m.pool.bv_add(from, offset), self.m.pool.bv_add(to, offset));
        let terms = self.load_pieces(from, part, span);
        for (piece, term) in part.pieces.iter().zip(terms) {
            let at = self.displaced(to, piece.offset);
            self.store_unchecked(at, term, piece.ty, span, None);
        }
    }

    fn load_pieces(&mut self, base: Term, part: &Part, span: Span) -> Vec<Term> {
        let mut terms = Vec::with_capacity(part.pieces.len());
        for piece in &part.pieces {
            let at = self.displaced(base, piece.offset);
            terms.push(self.load_unchecked(at, piece.ty, span));
        }
        terms
    }

    /// The pointee type of the argument before conversions; `None` if it provides no type.
    pub(super) fn pointee(&self, mut expr: ExprId) -> Option<TypeId> {
        while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::Same, operand } = self.hir[expr].kind {
            expr = operand;
        }
        let mut ty = self.hir.types.pointee(self.hir[expr].ty)?.ty;
        while let CType::Array(element, ArrayLength::Known(_)) = self.hir.types[ty] {
            ty = element.ty;
        }
        let is_character = matches!(
            self.hir.types[ty],
            CType::Integer(IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar)
        );
        let size = self.hir.types.size(ty)?;
        (!is_character && size > 0).then_some(ty)
    }

    /// Decomposes `size` bytes into a sequence of elements of the type.
    pub(super) fn pieces(&mut self, ty: Option<TypeId>, size: u64) -> Option<Vec<Piece>> {
        let byte = Type::unsigned(8);
        let mut pieces = Vec::new();
        if let Some(ty) = ty
            && let Some(element) = self.hir.types.size(ty).filter(|&size| size <= MAX_ELEMENT)
            && let Some(leaves) = self.m.leaves(self.unit, ty)
        {
            let leaves: Vec<(u64, Type)> = leaves
                .iter()
                .filter_map(|leaf| Some((leaf.offset, self.m.scalar_type(self.hir, leaf.ty)?)))
                .collect();
            let mut start = 0;
            while start < size {
                let mut end = 0;
                for &(offset, ty) in &leaves {
                    pieces.extend((end..offset).map(|at| Piece { offset: start + at, ty: byte }));
                    // The block may contain only a part of the last element.
                    if start + offset + ty.bytes() > size {
                        break;
                    }
                    pieces.push(Piece { offset: start + offset, ty });
                    end = offset + ty.bytes();
                }
                pieces.extend((end..element).map(|at| Piece { offset: start + at, ty: byte }));
                if pieces.len() as u64 > MAX_PIECES {
                    return None;
                }
                start += element;
            }
            pieces.retain(|piece| piece.offset < size);
            return Some(pieces);
        }
        let limit = if ty.is_some() { MAX_PIECES } else { MAX_BYTES };
        (size <= limit).then(|| (0..size).map(|offset| Piece { offset, ty: byte }).collect())
    }
}
