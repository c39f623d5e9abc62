//! Addresses at a constant offset from the start of an object.

use super::rewrite::as_value;
use program::ssa::{Instruction, InstructionKind, Object, Program};
use terms::entity::Entity;
use terms::{Op, Term, TermPool};

/// The largest number of definitions that are followed.
const DEPTH: usize = 64;

/// The object and the offset that `address` denotes, if it is the sum of one object's address and
/// constants. `definitions` are those of the function that contains the term.
pub(crate) fn object_offset(
    pool: &TermPool,
    definitions: &[Option<&Instruction>],
    address: Term,
) -> Option<(Object, u64)> {
    let (mut term, mut offset) = (address, 0u64);
    for _ in 0..DEPTH {
        if let Some(value) = as_value(pool, term) {
            match definitions.get(value.index()).copied().flatten()?.kind {
                InstructionKind::AddressOf(object) => return Some((object, offset)),
                InstructionKind::Pure(definition) => term = definition,
                _ => return None,
            }
            continue;
        }
        if pool.op(term) != Op::BvAdd {
            return None;
        }
        let mut rest = None;
        for &child in pool.children(term) {
            match pool.as_bv_u64(child) {
                Some(constant) => offset = offset.wrapping_add(constant),
                None if rest.is_none() => rest = Some(child),
                None => return None,
            }
        }
        term = rest?;
    }
    None
}

/// Whether an access of `bytes` bytes at `address` lies within an object.
pub(crate) fn is_inside(
    pool: &TermPool,
    program: &Program,
    definitions: &[Option<&Instruction>],
    address: Term,
    bytes: u64,
) -> bool {
    object_offset(pool, definitions, address).is_some_and(|(object, offset)| {
        let size = program.objects[object].size;
        bytes <= size && offset <= size - bytes
    })
}
