//! Splitting of clauses: a clause whose constraint has a disjunction, or an `ite`, becomes a clause
//! for each case.
//!
//! The cases of `(A ∨ B) ∧ C` are `A ∧ C` and `B ∧ C`; those of a constraint with the term
//! `(ite c s t)` are the constraint with `s` and `c`, and with `t` and `¬c`. A case often
//! determines the updates that the disjunction leaves open, so that other passes apply, such as
//! [acceleration](super::accelerate); and engines see the control flow. This is the
//! normalization of constraint logic programs to conjunctive constraints (Jaffar and Maher,
//! *Constraint Logic Programming: A Survey*, JLP 1994). `merge` is the reverse.
//!
//! *Derivations.* The values of a case satisfy the old clause, whatever the values of the symbols
//! are that only other cases have.
//!
//! Cost: exponential in the number of disjunctions, so at most [`MAX_CASES`] clauses are made of
//! one; a disjunction that would exceed this stays.

use super::Transformed;
use super::back::{Back, Source, kept};
use horn::System;
use std::collections::VecDeque;
use terms::entity::PrimaryMap;
use terms::{Op, Substitution, Term, TermPool};

/// The most clauses that are made of one.
const MAX_CASES: usize = 32;

pub(super) fn split(pool: &mut TermPool, old: &System) -> Transformed {
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut sources = PrimaryMap::new();
    for (clause, data) in old.clauses.iter() {
        for constraint in cases(pool, data.constraint) {
            system.clauses.push(match constraint == data.constraint {
                true => data.clone(),
                false => data.with_constraint(pool, constraint),
            });
            sources.push(Source::Old(clause));
        }
    }
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
}

/// Formulas whose disjunction is `constraint`, none of them false.
fn cases(pool: &mut TermPool, constraint: Term) -> Vec<Term> {
    let mut open = VecDeque::from([constraint]);
    let mut done = Vec::new();
    while let Some(formula) = open.pop_front() {
        let room = MAX_CASES.saturating_sub(open.len() + done.len());
        match parts(pool, formula).filter(|parts| parts.len() <= room) {
            Some(parts) => open.extend(parts.into_iter().filter(|&part| part != pool.fls())),
            None => done.push(formula),
        }
    }
    done.retain(|&case| case != pool.fls());
    done
}

/// The cases of the first disjunction among the conjuncts, or of the first `ite`.
fn parts(pool: &mut TermPool, formula: Term) -> Option<Vec<Term>> {
    let conjuncts = pool.conjuncts(&[formula]);
    for (place, &conjunct) in conjuncts.iter().enumerate() {
        let disjuncts: Vec<Term> = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Or, children) => children.to_vec(),
            (Op::Not, &[inner]) if pool.op(inner) == Op::And => {
                let inner = pool.children(inner).to_vec();
                inner.into_iter().map(|part| pool.not(part)).collect()
            }
            _ => continue,
        };
        let mut conjuncts = conjuncts.clone();
        let parts = disjuncts.into_iter().map(|disjunct| {
            conjuncts[place] = disjunct;
            pool.and(&conjuncts)
        });
        return Some(parts.collect());
    }
    let mut condition = None;
    pool.visit(
        &conjuncts,
        |term| !matches!(pool.op(term), Op::Forall | Op::Exists),
        |term| {
            if condition.is_none() && pool.op(term) == Op::Ite {
                condition = Some(pool.children(term)[0]);
            }
        },
    );
    let condition = condition.filter(|&condition| pool.free_bound_variables(condition).is_empty())?;
    let cases = [(condition, pool.tru()), (pool.not(condition), pool.fls())];
    let parts = cases.into_iter().map(|(holds, value)| {
        let mut substitution = Substitution::sparse();
        substitution.insert(condition, value);
        let rest = substitution.apply(pool, formula);
        pool.and2(holds, rest)
    });
    Some(parts.collect())
}
