//! Block operations of variable size, element by element: `memcpy`, `memmove`, `memset` and related
//! functions, and the copy of `realloc`.
//!
//! The library's loops over bytes are exact, too, but they need several times the iterations. They
//! also lose structures with pointers and numbers: the analysis of addresses does not know the
//! offset of a byte, and finds bytes of the pointers in the numbers. If the size is a multiple of
//! the size of the pointee type by its form, as in `n * sizeof *p`, the loop has an iteration for
//! each element.
//!
//! A product may wrap around, and the size of the block that `realloc` copies is not known. What
//! then follows the last whole element is copied byte by byte, or, for types with pointers,
//! unsupported: see [`Rest`].

use super::blocks::{Part, Piece};
use super::function::Lowering;
use super::ssa::Variable;
use crate::c::types::{Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{Block, Type, Value};
use terms::{Op, Term};

/// The largest number of scalars that are copied in one iteration.
const MAX_PIECES: usize = 64;

/// The largest number of operations that are inspected in a size.
const MAX_STEPS: u32 = 64;

/// How a size depends on the size of an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Multiple {
    /// A multiple, if no operation in it wraps around.
    UnlessWrapped,
    Always,
}

/// The treatment of bytes after the last whole element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// The block ends with an element.
    Nothing,
    Bytes,
    /// There may be a part of a type with pointers: its bytes would be copied at unknown offsets.
    Unsupported,
}

/// The elements of a block of variable size.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    element: Part,
    rest: Rest,
}

impl Elements {
    /// Single bytes, of which there may be any number.
    fn bytes() -> Self {
        let pieces = vec![Piece { offset: 0, ty: Type::unsigned(8) }];
        Self { element: Part { pieces, bytes: 1 }, rest: Rest::Nothing }
    }

    /// Whether the block has no part of an element at its end.
    pub(super) fn are_whole(&self) -> bool {
        self.rest == Rest::Nothing
    }
}

/// An iteration, for the offset of an element within the block.
pub(super) type Body<'a, L> = &'a mut dyn FnMut(&mut L, Term, &Part);

impl Lowering<'_, '_, '_> {
    /// The elements of a block of `size` bytes with a pointee type; `None` if the size is no
    /// multiple by its form.
    pub(super) fn elements_of(&mut self, ty: Option<TypeId>, size: Term) -> Option<Elements> {
        let ty = ty?;
        let bytes = self.hir.types.size(ty).filter(|&bytes| bytes > 1)?;
        let multiple = self.multiple(size, bytes, &mut { MAX_STEPS })?;
        let pieces = self.pieces(Some(ty), bytes).filter(|pieces| pieces.len() <= MAX_PIECES)?;
        let rest = match multiple {
            Multiple::Always => Rest::Nothing,
            Multiple::UnlessWrapped => self.rest(ty),
        };
        Some(Elements { element: Part { pieces, bytes }, rest })
    }

    /// The elements that `realloc` copies to a block of `size` bytes. The number of bytes is that
    /// of the old block, if it is the smaller one.
    pub(super) fn kept_elements(&mut self, ty: Option<TypeId>, size: Term) -> Elements {
        match (ty, self.elements_of(ty, size)) {
            (Some(ty), Some(elements)) => Elements { rest: self.rest(ty), ..elements },
            _ => Elements::bytes(),
        }
    }

    /// The treatment of a part of an element.
    fn rest(&mut self, ty: TypeId) -> Rest {
        let types = &self.hir.types;
        let holds_pointer = |ty: TypeId| matches!(types[ty], CType::Pointer(_) | CType::VaList);
        match self.m.leaves(self.unit, ty) {
            Some(leaves) if leaves.iter().any(|leaf| holds_pointer(leaf.ty)) => Rest::Unsupported,
            _ => Rest::Bytes,
        }
    }

    /// Whether a term is a multiple of `bytes` by its form.
    fn multiple(&self, term: Term, bytes: u64, steps: &mut u32) -> Option<Multiple> {
        *steps = steps.checked_sub(1)?;
        let pool = &*self.m.pool;
        let children = pool.children(term);
        // A sum or an extension of multiples of a power of two is one, even if it wraps around.
        let wraps = match bytes.is_power_of_two() {
            true => Multiple::Always,
            false => Multiple::UnlessWrapped,
        };
        let mut of_all = |terms: &[Term]| {
            terms.iter().try_fold(Multiple::Always, |least, &term| {
                Some(least.min(self.multiple(term, bytes, steps)?))
            })
        };
        match pool.op(term) {
            Op::BvConst(_) => (pool.as_bv_u64(term)? % bytes == 0).then_some(Multiple::Always),
            Op::BvMul => {
                let factors = children.iter().filter_map(|&child| pool.as_bv_u64(child));
                let factor = factors.into_iter().find(|factor| factor % bytes == 0)?;
                let bits: u32 = children.iter().map(|&child| self.significant_bits(child)).sum();
                debug_assert!(factor > 0, "a product with zero is a constant");
                Some(if bits <= pool.width(term) { Multiple::Always } else { wraps })
            }
            Op::BvAdd | Op::BvSub | Op::BvNeg | Op::SignExtend(_) => Some(of_all(children)?.min(wraps)),
            Op::ZeroExtend(_) => of_all(children),
            Op::Ite => of_all(&children[1..]),
            Op::Value(value) => self.multiple(self.b.pure_definition(Value(value))?, bytes, steps),
            _ => None,
        }
    }

    /// An upper bound on the number of bits of a term without its leading zeros.
    fn significant_bits(&self, term: Term) -> u32 {
        let pool = &*self.m.pool;
        match (pool.as_bv_u64(term), pool.op(term)) {
            (Some(value), _) => u64::BITS - value.leading_zeros(),
            (None, Op::ZeroExtend(bits)) => pool.width(term) - bits,
            _ => pool.width(term),
        }
    }

    /// A loop over a block of `count` bytes from the lowest address on.
    pub(super) fn upwards(&mut self, elements: &Elements, count: Term, span: Span, body: Body<'_, Self>) {
        let zero = self.m.pool.bv(self.m.pool_width(count), 0);
        let end = self.whole_elements(elements, [zero, count], span, &mut *body);
        if elements.rest == Rest::Bytes {
            self.whole_elements(&Elements::bytes(), [end, count], span, body);
        }
    }

    /// A loop over a block of `count` bytes, whole elements, from the highest address on.
    pub(super) fn downwards(&mut self, elements: &Elements, count: Term, span: Span, body: Body<'_, Self>) {
        debug_assert!(elements.are_whole(), "a part of an element at the end would come first");
        let width = self.m.pool_width(count);
        let bytes = self.m.pool.bv(width, elements.element.bytes);
        let (index, head) = self.counting_loop(span);
        let done = self.m.pool.bv_mul(index.term, bytes);
        let condition = self.m.pool.neq(done, count);
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        self.branch(condition, inside, after, span);
        self.b.seal(inside);
        self.b.seal(after);
        self.b.switch_to(inside);
        let left = self.m.pool.bv_sub(count, done);
        let offset = self.m.pool.bv_sub(left, bytes);
        body(self, offset, &elements.element);
        self.count_up(index, head, span);
        self.b.switch_to(after);
    }

    /// A loop over the whole elements from an offset to an end; the offset that is reached.
    fn whole_elements(
        &mut self,
        elements: &Elements,
        [start, end]: [Term; 2],
        span: Span,
        body: Body<'_, Self>,
    ) -> Term {
        let width = self.m.pool_width(end);
        let bytes = self.m.pool.bv(width, elements.element.bytes);
        let (index, head) = self.counting_loop(span);
        // A product, because the analyses of addresses know multiples of an element by their form.
        let done = self.m.pool.bv_mul(index.term, bytes);
        let offset = self.m.pool.bv_add(start, done);
        let condition = self.m.pool.bv_ult(offset, end);
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        self.branch(condition, inside, after, span);
        self.b.seal(inside);
        self.b.switch_to(inside);
        if elements.rest != Rest::Nothing {
            let (part, whole) = (self.b.create_block(), self.b.create_block());
            let left = self.m.pool.bv_sub(end, offset);
            let is_part = self.m.pool.bv_ult(left, bytes);
            self.branch(is_part, part, whole, span);
            self.b.seal(part);
            self.b.seal(whole);
            self.b.switch_to(part);
            match elements.rest {
                Rest::Unsupported => {
                    self.unsupported("a copied block that ends within an element with pointers", span);
                }
                Rest::Bytes | Rest::Nothing => self.goto(after, span),
            }
            self.b.switch_to(whole);
        }
        self.b.seal(after);
        body(self, offset, &elements.element);
        self.count_up(index, head, span);
        self.b.switch_to(after);
        offset
    }

    /// Starts a loop that counts its iterations, and continues at its head.
    fn counting_loop(&mut self, span: Span) -> (Index, Block) {
        let width = self.m.program.machine.pointer_width;
        let variable = self.hidden_variable(Type::unsigned(width), span);
        let zero = self.m.pool.bv(width, 0);
        self.assign_hidden(variable, zero, span);
        let head = self.b.create_block();
        self.goto(head, span);
        self.b.switch_to(head);
        (Index { variable, term: self.read(variable) }, head)
    }

    /// Ends an iteration.
    fn count_up(&mut self, index: Index, head: Block, span: Span) {
        let next = self.displaced(index.term, 1);
        self.assign_hidden(index.variable, next, span);
        self.goto(head, span);
        self.b.seal(head);
    }
}

/// The number of iterations that are done.
#[derive(Clone, Copy, Debug)]
struct Index {
    variable: Variable,
    /// Its value in the loop.
    term: Term,
}
