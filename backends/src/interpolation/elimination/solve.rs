//! Solves equations for a variable.

use super::Names;
use num_bigint::BigInt;
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;
use terms::{Op, Representation, Sort, Term, TermPool};

/// The maximal number of terms of an equation that are searched for a variable.
const MAX_SEARCH: usize = 256;

/// `variable = value` with further conditions: together equivalent to the equation, up to the fresh
/// variables.
pub(super) struct Solution {
    pub(super) variable: Term,
    pub(super) value: Term,
    pub(super) conditions: Vec<Term>,
    /// Fresh variables, each with the term over older variables that defines its value.
    pub(super) fresh: Vec<(Term, Term)>,
}

/// Solves the conjunct for a local variable that does not occur on the other side.
pub(super) fn solve(pool: &mut TermPool, conjunct: Term, names: &Names<'_>) -> Option<Solution> {
    let (is_negated, atom) = match pool.op(conjunct) {
        Op::Not => (true, pool.children(conjunct)[0]),
        _ => (false, conjunct),
    };
    let (a, b) = match (pool.op(atom), pool.children(atom)) {
        (Op::Symbol(_), _) => (atom, pool.bool(!is_negated)),
        (Op::Eq, &[a, b]) if !is_negated => (a, b),
        (Op::Eq, &[a, b]) if pool.sort(a) == Sort::Bool => (a, pool.not(b)),
        _ => return None,
    };
    let both = [(a, b), (b, a)];
    // A variable as one side of the equation is the cheapest case.
    for (side, other) in both {
        if names.is_local(pool, side) && !super::contains(pool, &[other], side) {
            return Some(Solution {
                variable: side,
                value: other,
                conditions: Vec::new(),
                fresh: Vec::new(),
            });
        }
    }
    for (side, other) in both {
        for variable in candidates(pool, side, names) {
            if let Some(solution) = isolate(pool, side, other, variable, names) {
                return Some(solution);
            }
        }
    }
    None
}

/// Drops one bit vector that occurs only in disequalities, each of which excludes at most one
/// value, if there are fewer disequalities than values. Returns whether there was one.
pub(super) fn eliminate_by_disequalities(
    pool: &mut TermPool,
    conjuncts: &mut Vec<Term>,
    names: &Names<'_>,
) -> bool {
    for variable in names.local_symbols(pool, conjuncts) {
        let Sort::BitVec(width) = pool.sort(variable) else { continue };
        let mut others = Vec::with_capacity(conjuncts.len());
        let mut excluded: u64 = 0;
        let is_free = conjuncts.iter().all(|&conjunct| {
            if !super::contains(pool, &[conjunct], variable) {
                others.push(conjunct);
                return true;
            }
            excluded += 1;
            excludes_one_value(pool, conjunct, variable, names)
        });
        if is_free && (width >= 64 || excluded < 1 << width) {
            *conjuncts = others;
            return true;
        }
    }
    false
}

/// Whether the conjunct excludes at most one value of `variable`.
fn excludes_one_value(pool: &mut TermPool, conjunct: Term, variable: Term, names: &Names<'_>) -> bool {
    let &[atom] = pool.children(conjunct) else { return false };
    if pool.op(conjunct) != Op::Not || pool.op(atom) != Op::Eq {
        return false;
    }
    let &[a, b] = pool.children(atom) else { return false };
    [(a, b), (b, a)].into_iter().any(|(side, other)| {
        // If the equation is solvable only under conditions, its negation excludes even less; but
        // with fresh variables for other bits it would exclude several values.
        isolate(pool, side, other, variable, names).is_some_and(|solution| solution.fresh.is_empty())
    })
}

/// Local variables in `side` that are separated from the root only by operators with an inverse.
fn candidates(pool: &TermPool, side: Term, names: &Names<'_>) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![side];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || seen.len() > MAX_SEARCH {
            continue;
        }
        let children = pool.children(term);
        match pool.op(term) {
            Op::Symbol(_) if names.is_local(pool, term) => found.push(term),
            Op::BvNot | Op::BvNeg | Op::BvAdd | Op::BvSub | Op::BvXor | Op::Concat => stack.extend(children),
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. } | Op::ToReal | Op::Not => {
                stack.extend(children);
            }
            Op::BvMul | Op::Mul | Op::Add => stack.extend(children),
            Op::Eq if pool.sort(children[0]) == Sort::Bool => stack.extend(children),
            Op::Store => stack.push(children[0]),
            _ => {}
        }
    }
    found
}

/// Moves everything except `variable` from `left` to `right`, operator by operator.
fn isolate(
    pool: &mut TermPool,
    left: Term,
    right: Term,
    variable: Term,
    names: &Names<'_>,
) -> Option<Solution> {
    let mut holds_variable: FxHashSet<Term> = FxHashSet::default();
    pool.visit(
        &[left, right],
        |_| true,
        |term| {
            if term == variable || pool.children(term).iter().any(|child| holds_variable.contains(child)) {
                holds_variable.insert(term);
            }
        },
    );
    if holds_variable.contains(&right) {
        return None;
    }
    let (mut left, mut right) = (left, right);
    let mut conditions = Vec::new();
    let mut fresh = Vec::new();
    while left != variable {
        let children = pool.children(left).to_vec();
        let mut holders = (0..children.len()).filter(|&at| holds_variable.contains(&children[at]));
        let at = holders.next()?;
        if holders.next().is_some() {
            return None;
        }
        let child = children[at];
        let other = children.get(1 - at.min(1)).copied().unwrap_or(child);
        right = match pool.op(left) {
            Op::Not => pool.not(right),
            Op::Eq if pool.sort(child) == Sort::Bool => pool.eq(other, right),
            Op::Add => {
                let rest: Vec<Term> = children.iter().copied().filter(|&summand| summand != child).collect();
                let rest = pool.add(&rest);
                pool.sub(right, rest)
            }
            Op::Mul => quotient(pool, right, other, names, &mut conditions)?,
            Op::ToReal => {
                let integer = pool.to_int(right);
                let back = pool.to_real(integer);
                conditions.push(pool.eq(back, right));
                integer
            }
            Op::BvNot => pool.bv_not(right),
            Op::BvNeg => pool.bv_neg(right),
            Op::BvAdd => pool.bv_sub(right, other),
            Op::BvSub if at == 0 => pool.bv_add(right, other),
            Op::BvSub => pool.bv_sub(other, right),
            Op::BvXor => pool.bv_xor(right, other),
            Op::BvMul => {
                let inverse = inverse(pool, other)?;
                pool.bv_mul(right, inverse)
            }
            Op::Concat => {
                let low = pool.width(children[1]);
                let high_part = pool.extract(pool.width(right) - 1, low, right);
                let low_part = pool.extract(low - 1, 0, right);
                let (own, others) = if at == 0 { (high_part, low_part) } else { (low_part, high_part) };
                conditions.push(pool.eq(others, other));
                own
            }
            Op::ZeroExtend(bits) => {
                let own = pool.extract(pool.width(child) - 1, 0, right);
                let back = pool.zero_extend(bits, own);
                conditions.push(pool.eq(back, right));
                own
            }
            Op::SignExtend(bits) => {
                let own = pool.extract(pool.width(child) - 1, 0, right);
                let back = pool.sign_extend(bits, own);
                conditions.push(pool.eq(back, right));
                own
            }
            // The other bits are fresh variables.
            Op::Extract { high, low } => {
                let width = pool.width(child);
                let mut whole = right;
                if high + 1 < width {
                    let origin = pool.extract(width - 1, high + 1, child);
                    let bits = self::fresh(pool, origin, &mut fresh);
                    whole = pool.concat(bits, whole);
                }
                if low > 0 {
                    let origin = pool.extract(low - 1, 0, child);
                    let bits = self::fresh(pool, origin, &mut fresh);
                    whole = pool.concat(whole, bits);
                }
                whole
            }
            // b = store(a, i, v) is equivalent to b[i] = v and a = store(b, i, w) for some w.
            Op::Store if at == 0 => {
                let (index, value) = (children[1], children[2]);
                let read = pool.select(right, index);
                conditions.push(pool.eq(read, value));
                let origin = pool.select(child, index);
                let older = self::fresh(pool, origin, &mut fresh);
                pool.store(right, index, older)
            }
            _ => return None,
        };
        left = child;
    }
    Some(Solution { variable, value: right, conditions, fresh })
}

/// A fresh variable for the value of `origin`.
pub(super) fn fresh(pool: &mut TermPool, origin: Term, fresh: &mut Vec<(Term, Term)>) -> Term {
    let sort = pool.sort(origin);
    let variable = pool.fresh_symbol("newton", sort, Representation::Signed);
    fresh.push((variable, origin));
    variable
}

/// The solution of `factor · x = product` for a constant factor.
///
/// Over integers, a factor other than ±1 must divide the product; a local variable in this
/// divisibility would be harder to eliminate than the equation.
fn quotient(
    pool: &mut TermPool,
    product: Term,
    factor: Term,
    names: &Names<'_>,
    conditions: &mut Vec<Term>,
) -> Option<Term> {
    if let Some(factor) = pool.as_real(factor) {
        let inverse = factor.recip();
        let inverse = pool.real(&inverse);
        return Some(pool.mul(inverse, product));
    }
    let value = pool.as_int(factor)?.clone();
    if value.abs().is_one() {
        return Some(pool.mul(factor, product));
    }
    if names.has_local(pool, product) {
        return None;
    }
    let magnitude = pool.int_big(&value.abs());
    let remainder = pool.int_mod(product, magnitude);
    let zero = pool.int_big(&BigInt::ZERO);
    conditions.push(pool.eq(remainder, zero));
    Some(pool.int_div(product, factor))
}

/// The inverse of an odd constant modulo `2^width`, by Newton's iteration: each step doubles the
/// number of correct bits.
fn inverse(pool: &mut TermPool, factor: Term) -> Option<Term> {
    let constant = pool.as_bit_vector(factor)?;
    if !constant.bit(0) {
        return None;
    }
    let width = constant.width();
    let two = pool.bv(width, 2);
    let mut inverse = factor;
    let mut right_bits = 3;
    while right_bits < width {
        let product = pool.bv_mul(factor, inverse);
        let correction = pool.bv_sub(two, product);
        inverse = pool.bv_mul(inverse, correction);
        right_bits *= 2;
    }
    Some(inverse)
}
