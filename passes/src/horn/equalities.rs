//! Equalities between arguments: which arguments are constant, equal to another one, or differ from
//! another one by a constant, in all derivable atoms.
//!
//! The least fixpoint over the clauses, as constant propagation (Wegman and Zadeck, *Constant
//! Propagation with Conditional Branches*, TOPLAS 1991), in the domain of equalities between two
//! variables with an offset: the special case of Karr's domain (*Affine Relationships Among
//! Variables of a Program*, Acta Informatica 1976) in which joins are linear, and that can be
//! substituted without products. A clause whose relations are derivable passes on the equalities of
//! its body and the equations of its constraint. There are only offsets between numbers.
//!
//! Cost: each relation changes at most as often as it has arguments; a change takes time linear in
//! the equations of the clauses that use the relation.

use super::back::symbols;
use super::constants::users;
use super::equations::solve;
use backends::interpolation::elimination::Linear;
use horn::{Clause, ClauseData, Relation, System};
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// An argument as the sum of a base and an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) base: Base,
    /// Zero unless the argument is a number.
    pub(super) offset: BigRational,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// The first argument of the class, whose offset is zero.
    Argument(usize),
    /// A constant that is not a number.
    Constant(Term),
    /// The number 0 of this sort: arguments of different sorts are never in one class.
    Zero(Sort),
}

impl Known {
    /// The value as a term, if it is the same in all atoms.
    pub(super) fn constant(&self, pool: &mut TermPool) -> Option<Term> {
        match self.base {
            Base::Argument(_) => None,
            Base::Constant(value) => Some(value),
            Base::Zero(sort) => Some(pool.number(sort, &self.offset)),
        }
    }
}

/// `base + offset`.
pub(super) fn shifted(pool: &mut TermPool, base: Term, offset: &BigRational) -> Term {
    if offset.is_zero() {
        return base;
    }
    let offset = pool.number(pool.sort(base), offset);
    pool.add(&[base, offset])
}

/// The equalities of the arguments of each relation; `None` for a relation that is not derivable.
pub(super) fn equalities(pool: &mut TermPool, system: &System) -> PrimaryMap<Relation, Option<Vec<Known>>> {
    let mut known: PrimaryMap<_, Option<Vec<Known>>> = system.relations.keys().map(|_| None).collect();
    let users = users(system);
    let mut work: Vec<Clause> = system.rules().map(|(clause, _)| clause).collect();
    let mut is_waiting: PrimaryMap<Clause, bool> = system.clauses.keys().map(|_| true).collect();
    while let Some(clause) = work.pop() {
        is_waiting[clause] = false;
        let data = &system.clauses[clause];
        let Some(head) = data.to() else { continue };
        let Some(derived) = derived(pool, data, &known) else { continue };
        let joined = match &known[head] {
            None => derived,
            Some(before) => join(before, &derived),
        };
        if known[head].as_ref() != Some(&joined) {
            known[head] = Some(joined);
            for &user in &users[head] {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    work.push(user);
                }
            }
        }
    }
    known
}

/// The equalities of the atoms that a clause derives; `None` if it derives none.
fn derived(
    pool: &mut TermPool,
    clause: &ClauseData,
    known: &PrimaryMap<Relation, Option<Vec<Known>>>,
) -> Option<Vec<Known>> {
    let mut conjuncts = Vec::new();
    for atom in &clause.body {
        let known = known[atom.relation].as_ref()?;
        for (&argument, known) in atom.arguments.iter().zip(known) {
            let value = match known.base {
                Base::Argument(base) => shifted(pool, atom.arguments[base], &known.offset),
                _ => known.constant(pool)?,
            };
            conjuncts.push(pool.eq(argument, value));
        }
    }
    // Only equations, and Boolean symbols, determine a symbol.
    let own = pool.conjuncts(&[clause.constraint]);
    conjuncts.extend(own.into_iter().filter(|&conjunct| {
        let is_symbol = |term: Term| matches!(pool.op(term), Op::Symbol(_) | Op::False);
        match pool.op(conjunct) {
            Op::Not => is_symbol(pool.children(conjunct)[0]),
            op => op == Op::Eq || is_symbol(conjunct),
        }
    }));
    let variables: Vec<Term> =
        symbols(pool, clause).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
    let formula = pool.and(&conjuncts);
    let mut values = FxHashMap::default();
    if solve(pool, formula, &variables, &mut values) == pool.fls() {
        return None;
    }
    let head = clause.head.as_ref()?;
    let mut first: FxHashMap<Term, (usize, BigRational)> = FxHashMap::default();
    let mut result = Vec::with_capacity(head.arguments.len());
    for (place, argument) in head.arguments.iter().enumerate() {
        let value = values.get(argument).copied().unwrap_or(*argument);
        let is_number = matches!(pool.sort(value), Sort::Int | Sort::Real);
        let (base, offset) = match is_number {
            true => {
                let mut linear = Linear::of(pool, value);
                let offset = std::mem::take(&mut linear.constant);
                if linear.parts.is_empty() {
                    result.push(Known { base: Base::Zero(pool.sort(value)), offset });
                    continue;
                }
                (linear.term(pool), offset)
            }
            false if pool.op(value).is_constant() => {
                result.push(Known { base: Base::Constant(value), offset: BigRational::zero() });
                continue;
            }
            false => (value, BigRational::zero()),
        };
        let (first, start) = first.entry(base).or_insert((place, offset.clone()));
        result.push(Known { base: Base::Argument(*first), offset: offset - &*start });
    }
    Some(result)
}

/// The equalities that both have.
fn join(a: &[Known], b: &[Known]) -> Vec<Known> {
    let mut first: FxHashMap<(Base, Base, BigRational), (usize, BigRational)> = FxHashMap::default();
    let mut result = Vec::with_capacity(a.len());
    for (place, (a, b)) in a.iter().zip(b).enumerate() {
        let difference = &a.offset - &b.offset;
        if a == b && !matches!(a.base, Base::Argument(_)) {
            result.push(a.clone());
            continue;
        }
        let (first, start) = first.entry((a.base, b.base, difference)).or_insert((place, a.offset.clone()));
        result.push(Known { base: Base::Argument(*first), offset: &a.offset - &*start });
    }
    result
}
