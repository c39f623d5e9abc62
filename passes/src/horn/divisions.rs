//! Removal of divisions by constants: a quotient becomes a symbol, bounded by linear inequalities.
//!
//! For `t div c` and `t mod c` with a number c ≠ 0, there is exactly one q with
//! `0 ≤ t - c·q < |c|`, the quotient, and `t - c·q` is the remainder (Euclidean division, as in
//! SMT-LIB; Boute, *The Euclidean Definition of the Functions Div and Mod*, TOPLAS 1992). So the
//! constraint is linear, with one more inner symbol for each dividend and divisor, for engines and
//! solvers that know linear arithmetic only.
//!
//! *Models* and *derivations* remain: the inner symbols are not those of the old clauses.
//!
//! Cost: linear. Divisions by other terms, and those whose dividend has a bound variable, remain.

use super::Transformed;
use super::back::{Back, Source, kept};
use horn::System;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Op, Representation, Sort, Substitution, Term, TermPool};

pub(super) fn remove(pool: &mut TermPool, old: &System) -> Transformed {
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    // Clauses share symbols by name only.
    let mut quotients: Vec<Term> = Vec::new();
    for data in old.clauses.values() {
        let constraint = linear(pool, data.constraint, &mut quotients);
        system.clauses.push(match constraint == data.constraint {
            true => data.clone(),
            false => data.with_constraint(pool, constraint),
        });
    }
    let definitions = old.relations.keys().map(|relation| (relation, kept(pool, relation))).collect();
    let sources = old.clauses.keys().map(Source::Old).collect();
    Transformed { system, back: Back { old: old.clone(), definitions, sources, ..Back::default() } }
}

/// The constraint with symbols for quotients, of which there are as many as necessary.
fn linear(pool: &mut TermPool, constraint: Term, quotients: &mut Vec<Term>) -> Term {
    let mut divisions: Vec<(Term, Op, Term, BigInt)> = Vec::new();
    pool.visit(
        &[constraint],
        |term| !matches!(pool.op(term), Op::Forall | Op::Exists),
        |term| {
            let op = pool.op(term);
            if !matches!(op, Op::IntDiv | Op::IntMod) {
                return;
            }
            let &[dividend, divisor] = pool.children(term) else { return };
            if let Some(divisor) = pool.as_int(divisor).filter(|divisor| !divisor.is_zero())
                && pool.free_bound_variables(dividend).is_empty()
            {
                divisions.push((term, op, dividend, divisor.clone()));
            }
        },
    );
    let mut substitution = Substitution::sparse();
    let mut known: FxHashMap<(Term, BigInt), (Term, Term)> = FxHashMap::default();
    let mut conjuncts = Vec::new();
    // Dividends come before the divisions that contain them.
    for (term, op, dividend, divisor) in divisions {
        let dividend = substitution.apply(pool, dividend);
        let (quotient, remainder) = match known.get(&(dividend, divisor.clone())) {
            Some(&values) => values,
            None => {
                if known.len() == quotients.len() {
                    quotients.push(pool.fresh_symbol("quotient", Sort::Int, Representation::default()));
                }
                let quotient = quotients[known.len()];
                let factor = pool.int_big(&divisor);
                let multiple = pool.mul(factor, quotient);
                let remainder = pool.sub(dividend, multiple);
                let (zero, size) = (pool.int(0), pool.int_big(&divisor.abs()));
                conjuncts.extend([pool.le(zero, remainder), pool.lt(remainder, size)]);
                known.insert((dividend, divisor), (quotient, remainder));
                (quotient, remainder)
            }
        };
        substitution.insert(term, if op == Op::IntDiv { quotient } else { remainder });
    }
    if conjuncts.is_empty() {
        return constraint;
    }
    conjuncts.insert(0, substitution.apply(pool, constraint));
    pool.and(&conjuncts)
}
