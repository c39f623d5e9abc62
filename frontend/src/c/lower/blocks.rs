//! Block operations of constant size: `memcpy`, `memset`, `memcmp` and related functions, without
//! loops.
//!
//! The bytes are decomposed into *pieces*: the scalars of the pointee type before the conversion to
//! `void *`, and single bytes for padding. So a structure copied in this way is accessed like its
//! members, and region splitting keeps it typed; nevertheless all bytes are copied, as C requires.
//! If the types of the two pointers differ, that of the target counts; character pointers provide
//! no type. All loads precede the stores, so blocks may overlap.
//!
//! *Limits.* With more than [`MAX_PIECES`] pieces (without a type: [`MAX_BYTES`] bytes), or if the
//! size is not constant, the loop of the library is used.

use super::calls::Argument;
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
    /// The result is the target, or the address after it.
    Copy {
        to: usize,
        from: usize,
        result: CopyResult,
    },
    /// The fill byte; `None` is zero.
    Fill {
        byte: Option<usize>,
    },
    Compare,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CopyResult {
    Target,
    End,
    Nothing,
}

/// A scalar of a block.
#[derive(Clone, Copy, Debug)]
struct Piece {
    offset: u64,
    ty: Type,
}

/// The operation of a function name, and the index of the size argument.
fn operation(name: &str) -> Option<(Operation, usize)> {
    let copy = |result| Operation::Copy { to: 0, from: 1, result };
    Some(match name {
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => (copy(CopyResult::Target), 2),
        "mempcpy" | "__mempcpy_chk" => (copy(CopyResult::End), 2),
        "bcopy" => (Operation::Copy { to: 1, from: 0, result: CopyResult::Nothing }, 2),
        "memset" | "__memset_chk" => (Operation::Fill { byte: Some(1) }, 2),
        "bzero" | "explicit_bzero" => (Operation::Fill { byte: None }, 1),
        "memcmp" | "bcmp" => (Operation::Compare, 2),
        _ => return None,
    })
}

impl Lowering<'_, '_, '_> {
    /// Lowers a call of a library function that moves or compares a block of constant size; `None`
    /// for other calls. The inner `None` is the result of a `void` function.
    pub(super) fn block_operation(
        &mut self,
        name: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Option<Term>> {
        let (operation, size) = operation(name)?;
        let size = self.m.pool.as_bv_u64(arguments.get(size)?.term)?;
        if name.ends_with("_chk") && self.m.pool.as_bv_u64(arguments.get(3)?.term)? < size {
            return None;
        }
        let width = self.m.program.machine.pointer_width;
        let address = |index: usize| {
            let argument = arguments.get(index)?;
            (self.m.pool_width(argument.term) == width).then_some(argument.term)
        };
        let first = address(0)?;
        let second = address(1);
        let types = |this: &Self, target: usize, source: usize| {
            let of = |index: usize| this.pointee(arguments.get(index)?.expr?);
            of(target).or_else(|| of(source))
        };
        match operation {
            Operation::Copy { to, from, result } => {
                let second = second?;
                let (target, source) = if to == 0 { (first, second) } else { (second, first) };
                let ty = types(self, to, from);
                let pieces = self.pieces(ty, size)?;
                self.check_block_pointers(&arguments[..2], size, span);
                self.check_block(source, size, Access::Read, span);
                self.check_block(target, size, Access::Write, span);
                let terms = self.load_pieces(source, &pieces, span);
                for (piece, term) in pieces.iter().zip(terms) {
                    let at = self.displaced(target, piece.offset);
                    self.store_unchecked(at, term, piece.ty, span, None);
                }
                Some(match result {
                    CopyResult::Target => Some(target),
                    CopyResult::End => Some(self.displaced(target, size)),
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
                let ty = types(self, 0, 0);
                let pieces = self.pieces(ty, size)?;
                self.check_block_pointers(&arguments[..1], size, span);
                self.check_block(first, size, Access::Write, span);
                for piece in pieces {
                    let mut term = byte;
                    for _ in 1..piece.ty.bytes() {
                        term = self.m.pool.concat(byte, term);
                    }
                    let at = self.displaced(first, piece.offset);
                    self.store_unchecked(at, term, piece.ty, span, None);
                }
                Some((name != "bzero" && name != "explicit_bzero").then_some(first))
            }
            Operation::Compare if size > MAX_BYTES => None,
            Operation::Compare => {
                let second = second?;
                let ty = types(self, 0, 1);
                let pieces = self.pieces(ty, size)?;
                self.check_block_pointers(&arguments[..2], size, span);
                self.check_block(first, size, Access::Read, span);
                self.check_block(second, size, Access::Read, span);
                let a = self.load_pieces(first, &pieces, span);
                let b = self.load_pieces(second, &pieces, span);
                let mut result = self.m.pool.bv(32, 0);
                for ((a, b), piece) in a.into_iter().zip(b).zip(&pieces).rev() {
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
                Some(Some(result))
            }
        }
    }

    /// Checks the pointers to a block for null.
    fn check_block_pointers(&mut self, pointers: &[Argument], size: u64, span: Span) {
        for pointer in pointers {
            if let Some(expr) = pointer.expr
                && size > 0
                && !self.names_variable(expr)
            {
                self.check_null(expr, pointer.term, span);
            }
        }
    }

    fn load_pieces(&mut self, base: Term, pieces: &[Piece], span: Span) -> Vec<Term> {
        let mut terms = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let at = self.displaced(base, piece.offset);
            terms.push(self.load_unchecked(at, piece.ty, span));
        }
        terms
    }

    /// The pointee type of the argument before conversions; `None` if it provides no type.
    fn pointee(&self, mut expr: ExprId) -> Option<TypeId> {
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
    fn pieces(&mut self, ty: Option<TypeId>, size: u64) -> Option<Vec<Piece>> {
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
