//! The shapes of terms over addresses.

use program::layout::slot_offset;
use program::ssa::{Instruction, InstructionKind, Program};
use terms::{Op, Term, TermPool};

/// Constants with a distance from 0 below this, in two's complement, are not addresses: null, small
/// numbers, error codes.
const SMALL: u64 = 1 << 9;

/// The address whose slot, or whose offset in the slot, `term` extracts.
pub(super) fn slot_part(pool: &TermPool, program: &Program, term: Term) -> Option<Term> {
    let bits = program.machine.slot_bits?;
    let Op::Extract { high, low } = pool.op(term) else { return None };
    let address = pool.children(term)[0];
    let width = pool.width(address);
    let is_part = width == program.machine.pointer_width
        && ((low == bits && high + 1 == width) || (low == 0 && high + 1 == bits));
    is_part.then_some(address)
}

/// The operand of `instruction` if it extracts the bits of a slot number or a slot offset. The
/// front end gives such an extraction of a number its own value, to distinguish it from checks of
/// addresses.
pub(super) fn narrowed(pool: &TermPool, program: &Program, instruction: &Instruction) -> Option<Term> {
    let InstructionKind::Pure(term) = instruction.kind else { return None };
    slot_part(pool, program, term)
}

/// The address of whose object `term` is the first address.
pub(super) fn object_start(pool: &TermPool, program: &Program, term: Term) -> Option<Term> {
    let bits = program.machine.slot_bits?;
    let &[slot, offset] = pool.children(term) else { return None };
    let is_start = pool.op(term) == Op::Concat
        && pool.width(offset) == bits
        && pool.as_bv_u64(offset) == Some(slot_offset(bits));
    slot_part(pool, program, slot).filter(|_| is_start)
}

/// Whether a number is too small, in absolute value, for the address of an object.
pub(super) fn is_small(number: u64, width: u32) -> bool {
    let shift = 64 - width.min(64);
    let signed = ((number << shift) as i64) >> shift;
    number < SMALL || signed.unsigned_abs() < SMALL
}

/// The largest value of `term`, if it is small.
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

/// The address bits of user space.
pub(super) const USER_SPACE: u64 = (1 << 47) - 1;

/// The size of the gap before an object in its slot: rounding an address down by less stays in the
/// slot.
const NEAR: u64 = 64;

/// Whether `op` with `mask` keeps an address near its object, so that the result is an address
/// again.
pub(super) fn changes_low_bits(pool: &TermPool, op: Op, mask: Term) -> bool {
    let width = pool.width(mask);
    let ones = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    match op {
        Op::BvAnd => pool.as_bv_u64(mask).is_some_and(|mask| !mask & ones < NEAR),
        Op::BvOr | Op::BvXor => largest(pool, mask).is_some_and(|most| most < NEAR),
        _ => false,
    }
}

/// Whether the shapes of two terms imply that no bit is set in both.
pub(super) fn are_disjoint(pool: &TermPool, a: Term, b: Term) -> bool {
    let ((low, high), (other_low, other_high)) = (bits(pool, a), bits(pool, b));
    high < other_low || other_high < low
}

/// The lowest and the highest bit of `term` that may be set according to its shape.
fn bits(pool: &TermPool, term: Term) -> (u32, u32) {
    let width = pool.width(term);
    let all = (0, width - 1);
    let children = pool.children(term);
    match pool.op(term) {
        Op::ZeroExtend(bits) => (0, width - bits - 1),
        Op::BvShl => match pool.as_bv_u64(children[1]) {
            Some(by) if by < u64::from(width) => (by as u32, width - 1),
            _ => all,
        },
        Op::Concat if pool.as_bv_u64(children[1]) == Some(0) => (pool.width(children[1]), width - 1),
        _ => all,
    }
}
