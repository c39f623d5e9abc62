//! The shapes that terms of addresses have.

use ir::layout::slot_offset;
use ir::ssa::Program;
use ir::term::{Op, Term, TermPool};

/// Constants below this, or that far from the end of the address space, are no addresses: null, small numbers, error codes.
const SMALL: u64 = 1 << 9;

/// The address of which `term` is the slot, or the place in the slot.
pub(super) fn slot_part(pool: &TermPool, program: &Program, term: Term) -> Option<Term> {
    let bits = program.machine.slot_bits?;
    let Op::Extract { high, low } = pool.op(term) else { return None };
    let address = pool.children(term)[0];
    let width = pool.width(address);
    let is_part = width == program.machine.pointer_width
        && ((low == bits && high + 1 == width) || (low == 0 && high + 1 == bits));
    is_part.then_some(address)
}

/// The address of which `term` is the first address of the object.
pub(super) fn object_start(pool: &TermPool, program: &Program, term: Term) -> Option<Term> {
    let bits = program.machine.slot_bits?;
    let &[slot, offset] = pool.children(term) else { return None };
    let is_start = pool.op(term) == Op::Concat
        && pool.width(offset) == bits
        && pool.as_bv_u64(offset) == Some(slot_offset(bits));
    slot_part(pool, program, slot).filter(|_| is_start)
}

/// Whether a number is no address of an object.
pub(super) fn is_small(number: u64, width: u32) -> bool {
    let shift = 64 - width.min(64);
    let signed = ((number << shift) as i64) >> shift;
    number < SMALL || signed.unsigned_abs() < SMALL
}

/// The largest value of `term`, if that is small.
pub(super) fn largest(pool: &TermPool, term: Term) -> Option<u64> {
    match pool.op(term) {
        Op::BvConst(_) => pool.as_bv_u64(term),
        Op::ZeroExtend(bits) => {
            let width = pool.width(term) - bits;
            (width < 63).then(|| (1u64 << width) - 1)
        }
        Op::BvAnd => pool.children(term).iter().filter_map(|&child| largest(pool, child)).min(),
        Op::Ite => {
            let (a, b) = (largest(pool, pool.children(term)[1])?, largest(pool, pool.children(term)[2])?);
            Some(a.max(b))
        }
        _ => None,
    }
}
