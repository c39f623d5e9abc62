//! The ranges of live variables at loop heads, by [interval analysis](crate::intervals).
//!
//! The fact about a variable at a loop head is the range that the analysis computes for its value
//! there, or for a scalar region the range of all its contents. The analysis also keeps the
//! definitions of Booleans, to refine ranges at branches; so there is a fact about each Boolean
//! whose definition is over live values.
//!
//! These facts hold in all runs. They need not be inductive by themselves: the analysis uses values
//! that are no longer live, and the encoding may differ from the program (overflow is ignored) or
//! be inexact. So only the facts that are proved [inductive](inference::Inference::inductive) are
//! kept.

use super::{Fact, encode};
use crate::intervals::{Abstract, Analysis, Range, Widening};
use crate::transitions::TransitionSystem;
use horn::Relation;
use program::ssa::{Program, Value};
use rustc_hash::FxHashMap;
use terms::{BitVector, Op, Term, TermPool};
use views::blocks::Origin;

/// The ranges at all loop heads, encoded.
pub(super) fn ranges(
    pool: &mut TermPool,
    program: &Program,
    system: &TransitionSystem,
    widening: Widening,
) -> Vec<Fact> {
    let Some(analysis) = Analysis::run(pool, program, widening) else { return Vec::new() };
    let mut facts = Vec::new();
    for (relation, state) in system.states.iter() {
        let Some(at) = analysis.at(program.entry, state.block) else {
            facts.push(Fact { at: relation, formula: pool.fls() });
            continue;
        };
        for source in &state.variables {
            let known = match source.origin {
                Origin::Value(value) => analysis.value(program.entry, at, value),
                Origin::Region(region) => analysis.region(region),
                Origin::HeapPointer(_) => Abstract::Anything,
            };
            let mut formulas = within(pool, source.before, known);
            if let Origin::Value(value) = source.origin {
                formulas.extend(definition(pool, &analysis, program, system, (relation, value)));
            }
            for formula in formulas {
                if let Some(formula) = encode(pool, system, formula) {
                    facts.push(Fact { at: relation, formula });
                }
            }
        }
    }
    facts
}

/// The equation between a live Boolean and its definition, if the definition is over live values.
fn definition(
    pool: &mut TermPool,
    analysis: &Analysis<'_>,
    program: &Program,
    system: &TransitionSystem,
    (relation, value): (Relation, Value),
) -> Option<Term> {
    let definition = analysis.condition(program.entry, value)?;
    let symbols: FxHashMap<u32, Term> = system.states[relation]
        .variables
        .iter()
        .filter_map(|variable| match variable.origin {
            Origin::Value(value) => Some((value.0, variable.before)),
            Origin::Region(_) | Origin::HeapPointer(_) => None,
        })
        .collect();
    let mut is_live = true;
    let formula = pool.map_leaves(definition, &mut |pool, leaf| match pool.op(leaf) {
        Op::Value(value) => {
            let symbol = symbols.get(&value).copied();
            is_live &= symbol.is_some();
            symbol
        }
        _ => None,
    });
    is_live.then(|| pool.eq(symbols[&value.0], formula))
}

/// The constraint that a term is in its abstract value.
pub(super) fn within(pool: &mut TermPool, term: Term, known: Abstract) -> Vec<Term> {
    match known {
        Abstract::Nothing => vec![pool.fls()],
        Abstract::Truth(true, false) => vec![pool.not(term)],
        Abstract::Truth(false, true) => vec![term],
        Abstract::Truth(..) | Abstract::Anything => Vec::new(),
        Abstract::Range(range) => within_range(pool, term, range),
    }
}

/// The bounds of a term in a range.
pub(super) fn within_range(pool: &mut TermPool, term: Term, range: Range) -> Vec<Term> {
    let full = Range::full(range.width);
    let constant = |pool: &mut TermPool, value: i128| {
        // Two's complement of at most 64 bits.
        pool.bit_vector(&BitVector::new(range.width, value as u64))
    };
    if let Some(value) = range.single() {
        let value = constant(pool, value);
        return vec![pool.eq(term, value)];
    }
    let mut found = Vec::new();
    // Omits bounds that follow from those of the other signedness.
    let from_signed = Range::of_signed(range.width, range.signed).unwrap_or(full);
    let from_unsigned = Range::of_unsigned(range.width, range.unsigned).unwrap_or(full);
    let is_signed = from_signed.unsigned == range.unsigned;
    let is_unsigned = !is_signed && from_unsigned.signed == range.signed;
    if !is_unsigned {
        if range.signed.0 > full.signed.0 {
            let bound = constant(pool, range.signed.0);
            found.push(pool.bv_sle(bound, term));
        }
        if range.signed.1 < full.signed.1 {
            let bound = constant(pool, range.signed.1);
            found.push(pool.bv_sle(term, bound));
        }
    }
    if !is_signed {
        if range.unsigned.0 > full.unsigned.0 {
            let bound = constant(pool, range.unsigned.0);
            found.push(pool.bv_ule(bound, term));
        }
        if range.unsigned.1 < full.unsigned.1 {
            let bound = constant(pool, range.unsigned.1);
            found.push(pool.bv_ule(term, bound));
        }
    }
    found
}
