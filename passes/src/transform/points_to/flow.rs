//! The flow of addresses through terms.

use super::classes::{Node, gcd};
use super::contexts::Context;
use super::{PointsTo, is_pointer};
use program::ssa::{Program, Value};
use rustc_hash::FxHashSet;
use terms::{Op, Sort, Term, TermPool};

/// The largest number of nodes of a sum and of branches of `ite`s that are followed precisely.
const BUDGET: usize = 256;
/// The depth to which divisibility is derived.
const DIVISIBILITY_DEPTH: u32 = 8;

/// A possible address of a term: `address(node) + offset + i * stride`.
pub(super) struct Source {
    pub(super) node: Node,
    pub(super) offset: i128,
    pub(super) stride: u64,
    /// Relevant only if objects are exposed: the added integer may be the address, and the pointer
    /// a number.
    pub(super) is_suspected: bool,
}

/// A sum of a constant and multiples of terms that are not sums.
pub(crate) struct Sum {
    pub(crate) constant: i128,
    pub(crate) parts: Vec<(Term, i128)>,
}

impl PointsTo {
    /// The possible addresses of `term`, used as a pointer.
    pub(super) fn sources(
        &self,
        pool: &TermPool,
        program: &Program,
        context: Context,
        term: Term,
    ) -> Vec<Source> {
        let mut result = Vec::new();
        let mut work = vec![(term, 0i128, 0u64)];
        let mut budget = BUDGET;
        while let Some((term, offset, stride)) = work.pop() {
            if budget == 0 {
                return self.coarse(pool, program, context, term, result, &work);
            }
            budget -= 1;
            if pool.op(term) == Op::Ite {
                work.push((pool.children(term)[1], offset, stride));
                work.push((pool.children(term)[2], offset, stride));
                continue;
            }
            let Some(sum) = linearize(pool, term) else {
                return self.coarse(pool, program, context, term, result, &work);
            };
            let mut pointers = Vec::new();
            let mut own_stride = stride;
            let mut is_suspected = false;
            for &(part, coefficient) in &sum.parts {
                if self.pointer_leaves(pool, program, context, part).is_empty() {
                    own_stride = gcd(own_stride, step(pool, part, coefficient));
                    is_suspected |= coefficient == 1 && may_be_address(pool, program, part);
                } else {
                    pointers.push((part, coefficient));
                }
            }
            if is_suspected && !pointers.is_empty() {
                result.push(Source { is_suspected: true, ..self.exposed_source() });
            }
            match pointers[..] {
                [] if sum.parts.is_empty() && sum.constant == 0 => {}
                [] => result.push(self.exposed_source()),
                [(part, 1)] if pool.op(part) == Op::Ite => {
                    work.push((part, offset + sum.constant, own_stride));
                }
                [(part, 1)] if matches!(pool.op(part), Op::Value(_)) => {
                    let node = self.pointer_leaves(pool, program, context, part)[0];
                    result.push(Source {
                        node,
                        offset: offset + sum.constant,
                        stride: own_stride,
                        is_suspected: false,
                    });
                }
                _ => {
                    for node in self.pointer_leaves(pool, program, context, term) {
                        result.push(Source { node, offset: 0, stride: 1, is_suspected: false });
                    }
                    // A product, a mask or the like of pointers and integers: the address is
                    // unknown.
                    if !sum.parts.iter().all(|(part, _)| matches!(pool.op(*part), Op::Value(_))) {
                        result.push(self.exposed_source());
                    }
                }
            }
        }
        result
    }

    fn exposed_source(&self) -> Source {
        Source { node: self.exposed, offset: 0, stride: 1, is_suspected: false }
    }

    /// The sources of a term that is too large: all pointers in it, and exposed objects.
    fn coarse(
        &self,
        pool: &TermPool,
        program: &Program,
        context: Context,
        term: Term,
        mut result: Vec<Source>,
        rest: &[(Term, i128, u64)],
    ) -> Vec<Source> {
        for term in std::iter::once(term).chain(rest.iter().map(|item| item.0)) {
            for node in self.pointer_leaves(pool, program, context, term) {
                result.push(Source { node, offset: 0, stride: 1, is_suspected: false });
            }
        }
        result.push(self.exposed_source());
        result
    }

    /// Exposes the pointers whose bits are in `term`, which is used as an integer.
    pub(super) fn expose(&mut self, pool: &TermPool, program: &Program, context: Context, term: Term) {
        if self.pointer_leaves(pool, program, context, term).is_empty() {
            return;
        }
        let mut seen = FxHashSet::default();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if !seen.insert(term) || pool.sort(term) == Sort::Bool {
                continue;
            }
            match pool.op(term) {
                Op::Value(_) => {
                    for node in self.pointer_leaves(pool, program, context, term) {
                        self.classes.unify(node, self.exposed, 0, 1);
                    }
                }
                Op::BvAdd | Op::BvSub | Op::BvNeg => {
                    if !self.is_difference(pool, program, context, term, &mut work) {
                        work.extend_from_slice(pool.children(term));
                    }
                }
                _ => work.extend_from_slice(pool.children(term)),
            }
        }
    }

    /// Whether `term` is the difference of two pointers plus integers; records the pair and adds
    /// the integers to `work`.
    fn is_difference(
        &mut self,
        pool: &TermPool,
        program: &Program,
        context: Context,
        term: Term,
        work: &mut Vec<Term>,
    ) -> bool {
        let Some(sum) = linearize(pool, term) else { return false };
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        let mut rest = Vec::new();
        for (part, coefficient) in sum.parts {
            let leaves = self.pointer_leaves(pool, program, context, part);
            match (matches!(pool.op(part), Op::Value(_)) && !leaves.is_empty(), coefficient) {
                (true, 1) => positive.push(leaves[0]),
                (true, -1) => negative.push(leaves[0]),
                (true, _) => return false,
                (false, _) => rest.push(part),
            }
        }
        if let ([positive], [negative]) = (&positive[..], &negative[..]) {
            self.differences.push((*positive, *negative));
            work.extend(rest);
            true
        } else {
            false
        }
    }

    /// The nodes of the pointer values whose bits are in `term`, without those in comparisons.
    pub(super) fn pointer_leaves(
        &self,
        pool: &TermPool,
        program: &Program,
        context: Context,
        term: Term,
    ) -> Vec<Node> {
        let values = &program.functions[self.contexts.function(context)].values;
        let mut nodes = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if pool.sort(term) == Sort::Bool || !seen.insert(term) {
                continue;
            }
            match pool.op(term) {
                Op::Value(index) => {
                    if is_pointer(values[Value(index)].ty) {
                        nodes.push(self.value(context, Value(index)));
                    }
                }
                _ => work.extend_from_slice(pool.children(term)),
            }
        }
        nodes
    }
}

/// `term` as a sum; `None` if it is too large.
pub(crate) fn linearize(pool: &TermPool, term: Term) -> Option<Sum> {
    let Sort::BitVec(width) = pool.sort(term) else { return None };
    if width > 64 {
        return None;
    }
    let mut sum = Sum { constant: 0, parts: Vec::new() };
    let mut work = vec![(term, 1i128)];
    let mut budget = BUDGET;
    while let Some((term, coefficient)) = work.pop() {
        budget = budget.checked_sub(1)?;
        let children = pool.children(term);
        match pool.op(term) {
            Op::BvConst(_) => {
                let value = i128::from(pool.as_bv_u64(term)?);
                sum.constant = signed(sum.constant + coefficient.checked_mul(signed(value, width))?, width);
            }
            Op::BvAdd => work.extend(children.iter().map(|&child| (child, coefficient))),
            Op::BvSub => {
                work.push((children[0], coefficient));
                work.push((children[1], signed(-coefficient, width)));
            }
            Op::BvNeg => work.push((children[0], signed(-coefficient, width))),
            Op::BvMul => {
                let constants: Vec<u64> =
                    children.iter().filter_map(|&child| pool.as_bv_u64(child)).collect();
                let others: Vec<Term> =
                    children.iter().copied().filter(|&child| !pool.is_constant(child)).collect();
                match (&constants[..], &others[..]) {
                    ([factor], [other]) => {
                        let factor = signed(i128::from(*factor), width);
                        work.push((*other, signed(coefficient.checked_mul(factor)?, width)));
                    }
                    _ => sum.add(term, coefficient, width),
                }
            }
            Op::BvShl => match pool.as_bv_u64(children[1]) {
                Some(shift) if shift < u64::from(width) => {
                    work.push((children[0], signed(coefficient.checked_mul(1i128 << shift)?, width)));
                }
                _ => sum.add(term, coefficient, width),
            },
            _ => sum.add(term, coefficient, width),
        }
    }
    sum.parts.retain(|part| part.1 != 0);
    Some(sum)
}

impl Sum {
    fn add(&mut self, term: Term, coefficient: i128, width: u32) {
        match self.parts.iter_mut().find(|part| part.0 == term) {
            Some(part) => part.1 = signed(part.1 + coefficient, width),
            None => self.parts.push((term, coefficient)),
        }
    }
}

/// Whether an integer without pointers in it may be an address: it has the width of an address and
/// is not an extension.
fn may_be_address(pool: &TermPool, program: &Program, part: Term) -> bool {
    let is_wide = matches!(pool.sort(part), Sort::BitVec(width) if width == program.machine.pointer_width);
    is_wide && !matches!(pool.op(part), Op::ZeroExtend(_) | Op::SignExtend(_))
}

/// `value` modulo `2^width`, as a signed number.
fn signed(value: i128, width: u32) -> i128 {
    let modulus = 1i128 << width;
    let reduced = value.rem_euclid(modulus);
    if reduced >= modulus / 2 { reduced - modulus } else { reduced }
}

/// A number that divides every value of `coefficient * part` as an address offset, including
/// wrap-around.
fn step(pool: &TermPool, part: Term, coefficient: i128) -> u64 {
    let factor = u64::try_from(coefficient.unsigned_abs()).unwrap_or(1);
    if let Op::ZeroExtend(bits) | Op::SignExtend(bits) = pool.op(part)
        && let Sort::BitVec(width) = pool.sort(part)
    {
        let inner = width - bits;
        if inner < 62 && factor.leading_zeros() > inner + 2 + (64 - width) {
            return factor.saturating_mul(divisor(pool, part, DIVISIBILITY_DEPTH));
        }
    }
    power_of_two_part(factor).saturating_mul(divisor(pool, part, DIVISIBILITY_DEPTH)).clamp(1, 1 << 31)
}

/// A power of two that divides every value of `term`.
fn divisor(pool: &TermPool, term: Term, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let children = pool.children(term);
    let of = |index: usize| divisor(pool, children[index], depth - 1);
    match pool.op(term) {
        Op::BvConst(_) => pool
            .as_bv_u64(term)
            .map_or(1, |value| if value == 0 { 1 << 31 } else { power_of_two_part(value) }),
        Op::BvMul => children.iter().fold(1u64, |product, &child| {
            product.saturating_mul(divisor(pool, child, depth - 1)).min(1 << 31)
        }),
        Op::BvShl => match pool.as_bv_u64(children[1]) {
            Some(shift) if shift < 31 => of(0).saturating_mul(1 << shift).min(1 << 31),
            _ => 1,
        },
        Op::BvAdd | Op::BvSub | Op::BvNeg => {
            children.iter().fold(0, |common, &child| gcd(common, divisor(pool, child, depth - 1)))
        }
        Op::BvAnd => children.iter().map(|&child| divisor(pool, child, depth - 1)).max().unwrap_or(1),
        Op::Ite => gcd(of(1), of(2)),
        Op::ZeroExtend(_) | Op::SignExtend(_) => of(0),
        _ => 1,
    }
}

fn power_of_two_part(value: u64) -> u64 {
    if value == 0 { 1 << 31 } else { 1 << value.trailing_zeros().min(31) }
}
