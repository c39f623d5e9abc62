//! Low bits of addresses, which depend on the placement of objects unless the alignment determines
//! them.
//!
//! A mask or a tag that changes a few of them keeps an address near its object. If they may get
//! lost in any other way before the result is used as an address again, the internal value differs
//! from the value that the program computes.

use super::contents::Contents;
use super::shapes::{USER_SPACE, are_disjoint, changes_low_bits, largest, slot_part};
use program::ssa::{Function, Program};
use terms::{Op, Term, TermPool};

impl Contents {
    /// The address whose placement-dependent low bits `term` changes, by rounding down or by a tag.
    pub(super) fn changed_low_bits(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Option<Term> {
        let address = self.changed_address(pool, program, function, term)?;
        let (op, children) = (pool.op(term), pool.children(term));
        let mask = if children[0] == address { children[1] } else { children[0] };
        let align = self.align(pool, program, function, address);
        let width = pool.width(term);
        let ones = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let changed = match (op, pool.as_bv_u64(mask)) {
            (Op::BvAnd, Some(mask)) => !mask & ones,
            _ => largest(pool, mask)?,
        };
        (changed >= align && changes_low_bits(pool, op, mask)).then_some(address)
    }

    /// The address any of whose bits `term` may change, by operands that do not depend on
    /// addresses.
    pub(super) fn changed_address(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Option<Term> {
        let (Op::BvAnd | Op::BvOr | Op::BvXor) = pool.op(term) else { return None };
        let &[a, b] = pool.children(term) else { return None };
        let (of_a, of_b) = (self.of(pool, program, function, a), self.of(pool, program, function, b));
        match () {
            () if of_a.is_address() && of_b.is_clean() => Some(a),
            () if of_a.is_clean() && of_b.is_address() => Some(b),
            () => None,
        }
    }

    /// If `term` is the offset in the slot of an address with changed low bits: the address, and
    /// the change. The front end extracts the offset of an address in its slot, and terms are
    /// simplified.
    pub(super) fn changed_in_slot(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> Option<(Term, u64)> {
        let op @ (Op::BvAnd | Op::BvOr | Op::BvXor) = pool.op(term) else { return None };
        let &[a, b] = pool.children(term) else { return None };
        let (part, mask) = if pool.as_bv_u64(a).is_some() { (b, a) } else { (a, b) };
        let mask = pool.as_bv_u64(mask).filter(|_| changes_low_bits(pool, op, mask))?;
        let Op::Extract { low: 0, .. } = pool.op(part) else { return None };
        let address = slot_part(pool, program, part)?;
        let ones = (1 << pool.width(term)) - 1;
        let changed = if op == Op::BvAnd { !mask & ones } else { mask };
        let is_changed = self.of(pool, program, function, address).is_address()
            && changed >= self.align(pool, program, function, address);
        is_changed.then_some((address, changed))
    }

    /// Whether a computation on derived values may depend on placement-dependent low bits, so that
    /// its internal value differs from the value that the program computes.
    pub(super) fn loses_low_bits(
        &mut self,
        pool: &TermPool,
        program: &Program,
        function: Function,
        term: Term,
    ) -> bool {
        let children = pool.children(term);
        let constant = |index: usize| children.get(index).and_then(|&child| pool.as_bv_u64(child));
        // The room below objects in their slots is larger than that.
        let leaves_object = |bits: u64| bits >= u64::from(program.machine.pointer_width / 2);
        let mut is_aligned = |to: u64| {
            self.of(pool, program, function, children[0]).is_address()
                && to <= self.align(pool, program, function, children[0])
        };
        match pool.op(term) {
            Op::BvXor | Op::BvNot | Op::SignExtend(_) | Op::ZeroExtend(_) | Op::Concat => false,
            Op::Extract { low: 0, .. } => false,
            Op::Extract { low, .. } => !leaves_object(u64::from(low)) && !is_aligned(1 << low),
            Op::BvLshr | Op::BvAshr => {
                constant(1).is_none_or(|bits| !leaves_object(bits) && !is_aligned(1 << bits))
            }
            Op::BvUdiv => constant(1).is_none_or(|by| !by.is_power_of_two() || !is_aligned(by)),
            // Addresses of user space leave the highest bits for tags.
            Op::BvAnd => constant(0).or(constant(1)).is_none_or(|mask| mask & USER_SPACE != USER_SPACE),
            Op::BvOr => {
                let is_high = constant(0).or(constant(1)).is_some_and(|mask| mask & USER_SPACE == 0);
                let are_disjoint = matches!(children, [a, b] if are_disjoint(pool, *a, *b));
                !is_high && !are_disjoint
            }
            _ => true,
        }
    }
}
