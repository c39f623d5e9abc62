//! Drops facts that follow from the other facts of the same loop head.
//!
//! The facts of a loop head are ordered: equations before other formulas, unsigned comparisons of
//! signed variables last, then small before large, then in the order of the sources. A first pass
//! keeps a fact unless the kept facts before it imply it; a second pass, from the last fact to the
//! first, drops a fact that the other kept ones imply. The bounds of the types of variables hold in
//! every state and need no fact. The conjunction stays the same, so the result is inductive if the
//! facts were.
//!
//! DIVERGENCE from a minimal axiomatization: the subset is irredundant, but not the smallest one.
//!
//! Cost: at most two queries for each fact, without the transitions. Each is limited by effort; a
//! fact whose query is not decided is kept.

use super::{Fact, is_unsatisfiable};
use backends::{Limits, Prover, ProverFactory};
use encode::Theories;
use horn::Relation;
use num_traits::Signed;
use std::time::Duration;
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Term, TermPool};

/// The effort of one query.
const ONE: Duration = Duration::from_millis(200);

/// Returns a subset of `facts` that is equivalent at each loop head, in the order of loop heads.
/// `ranges` has the bounds of the types of the variables of each.
pub(super) fn reduce(
    pool: &mut TermPool,
    (theories, ranges): (Theories, &PrimaryMap<Relation, Term>),
    factory: &dyn ProverFactory,
    facts: &[Fact],
    limits: &Limits,
) -> Vec<Fact> {
    let limits = limits.per_check(ONE);
    let Ok(mut prover) = factory.new_prover(theories.logic(), &limits) else { return facts.to_vec() };
    let mut result = Vec::new();
    for (at, &range) in ranges.iter() {
        let own = facts.iter().filter(|fact| fact.at == at).map(|fact| fact.formula);
        let conjuncts = pool.conjuncts(&own.collect::<Vec<Term>>());
        let conjuncts = conjuncts.into_iter().flat_map(|formula| signed_bounds(pool, formula));
        let mut conjuncts: Vec<Term> = conjuncts.collect();
        conjuncts.sort_by_key(|&formula| rank(pool, formula));
        let kept = irredundant(pool, &mut *prover, range, &conjuncts, &limits);
        result.extend(kept.into_iter().map(|formula| Fact { at, formula }));
    }
    result
}

/// The position of a formula among those that are kept first.
pub(super) fn rank(pool: &TermPool, formula: Term) -> (bool, bool, u128) {
    let is_unsigned = matches!(pool.op(formula), Op::BvUlt | Op::BvUle);
    let is_other = is_unsigned && pool.children(formula).iter().any(|&operand| is_signed(pool, operand));
    (pool.op(formula) != Op::Eq, is_other, pool.tree_size(formula))
}

/// Whether the term is a variable that is read as a signed number.
fn is_signed(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol(id) if pool.symbol_data(id).representation == Representation::Signed)
}

/// Replaces an unsigned upper bound of a signed variable, which implies that the variable is not
/// negative, by the two signed bounds that are equivalent to it.
fn signed_bounds(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let (op @ (Op::BvUlt | Op::BvUle), &[variable, bound]) = (pool.op(formula), pool.children(formula))
    else {
        return vec![formula];
    };
    let is_natural = pool.as_bit_vector(bound).is_some_and(|bits| !bits.to_signed().is_negative());
    if !is_signed(pool, variable) || !is_natural {
        return vec![formula];
    }
    let zero = pool.bv(pool.width(variable), 0);
    let upper = match op {
        Op::BvUlt => pool.bv_slt(variable, bound),
        _ => pool.bv_sle(variable, bound),
    };
    vec![pool.bv_sle(zero, variable), upper]
}

/// Returns a subset of `formulas` that implies all of them in states that satisfy `range`.
pub(super) fn irredundant(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    range: Term,
    formulas: &[Term],
    limits: &Limits,
) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::new();
    let mut is_implied = |pool: &mut TermPool, by: &[Term], formula: Term| {
        if limits.exceeded().is_some() {
            return false;
        }
        let mut query = by.to_vec();
        query.extend([range, pool.not(formula)]);
        is_unsatisfiable(prover, pool, &query)
    };
    for &formula in formulas {
        if !is_implied(pool, &kept, formula) {
            kept.push(formula);
        }
    }
    for index in (0..kept.len()).rev() {
        let formula = kept.remove(index);
        if !is_implied(pool, &kept, formula) {
            kept.insert(index, formula);
        }
    }
    kept
}
