//! Conditions of atoms: conjunctions of bounds of linear forms and of other literals.
//!
//! A clause with a condition of its head implies a condition of each body atom: the constants that
//! equations determine are substituted, bounds are [propagated](super::super::bounds), and symbols
//! that are no arguments of the atom are eliminated by equations. The remaining conjuncts over the
//! arguments are taken, unless they are disjunctions or large. So a condition is implied, but it is
//! not the whole projection.

use super::super::back::symbols;
use super::super::bounds::{Bounds, EFFORT, Interval, Propagation, formulas, is_number};
use super::super::equations::{eliminate, solve};
use backends::interpolation::elimination::{Inequality, Linear};
use horn::{Atom, ClauseData, System};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use terms::{Op, Sort, Term, TermPool};

/// The most conjuncts of a condition, apart from bounds of single arguments.
const MAX_CONJUNCTS: usize = 16;
/// The most nodes of a conjunct.
const MAX_SIZE: usize = 16;

/// A conjunction over the symbols of a relation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Condition {
    /// The bounds of linear forms. A form has no constant, and its first coefficient is positive.
    bounds: BTreeMap<Term, Interval>,
    /// Other literals.
    literals: BTreeSet<Term>,
}

impl Condition {
    pub(super) fn is_true(&self) -> bool {
        self.bounds.is_empty() && self.literals.is_empty()
    }

    pub(super) fn formula(&self, pool: &mut TermPool) -> Term {
        let (forms, intervals): (Vec<Term>, Vec<Interval>) = self.bounds.clone().into_iter().unzip();
        let mut conjuncts = formulas(pool, &forms, &intervals);
        conjuncts.extend(&self.literals);
        pool.and(&conjuncts)
    }

    /// The conjuncts of `self` that `new` implies.
    pub(super) fn widen(&self, propagation: &mut Propagation<'_>, new: &Self) -> Self {
        let arguments: Bounds = new.bounds.iter().map(|(&form, interval)| (form, interval.clone())).collect();
        propagation.effort += self.bounds.len() + arguments.len();
        let mut widened = Condition::default();
        for (&form, before) in &self.bounds {
            let known = new.bounds.get(&form).cloned().unwrap_or_default();
            let known = known.meet(&propagation.interval(form, &arguments));
            widened.bound(form, &before.widen(&known));
        }
        widened.literals = self.literals.intersection(&new.literals).copied().collect();
        widened
    }

    /// Whether each conjunct of `other` is implied.
    pub(super) fn implies(&self, propagation: &mut Propagation<'_>, other: &Self) -> bool {
        other.widen(propagation, self) == *other
    }

    /// The conjunction of both.
    pub(super) fn meet(mut self, other: &Self) -> Self {
        for (&form, interval) in &other.bounds {
            self.bound(form, interval);
        }
        self.literals.extend(&other.literals);
        self
    }

    fn bound(&mut self, form: Term, interval: &Interval) {
        if *interval != Interval::default() {
            let known = self.bounds.entry(form).or_default();
            *known = known.meet(interval);
        }
    }

    fn add(&mut self, pool: &mut TermPool, literal: Term) {
        let equation = match (pool.op(literal), pool.children(literal)) {
            (Op::Eq, &[a, b]) if is_number(pool, a) => Some(Linear::difference(pool, a, b)),
            _ => None,
        };
        let (linear, interval): (Linear, fn(BigRational) -> Interval) = match equation {
            Some(linear) => (linear, Interval::point),
            None => match Inequality::of(pool, literal) {
                Some(inequality) => (inequality.linear, |bound| Interval { low: None, high: Some(bound) }),
                None => {
                    self.literals.insert(literal);
                    return;
                }
            },
        };
        let Some(scale) = scale(&linear) else { return };
        let mut form = linear.scaled(&scale);
        let limit = interval(-std::mem::take(&mut form.constant));
        // A negative scale exchanges the bounds of the form.
        let limit = if scale.is_negative() { Interval { low: limit.high, high: limit.low } } else { limit };
        let limit = if form.sort == Sort::Int { limit.integral() } else { limit };
        let form = form.term(pool);
        self.bound(form, &limit);
    }

    fn is_contradictory(&self) -> bool {
        self.bounds.values().any(Interval::is_empty)
    }
}

/// The factor that makes the first coefficient positive, and the coefficients coprime integers or
/// the first one 1; `None` without summands.
fn scale(linear: &Linear) -> Option<BigRational> {
    let (_, first) = linear.parts.first()?;
    let divisor = match linear.sort {
        Sort::Int => {
            let gcd = linear.parts.iter().fold(BigInt::zero(), |gcd, (_, factor)| gcd.gcd(factor.numer()));
            BigRational::from_integer(gcd) * first.signum()
        }
        _ => first.clone(),
    };
    Some(BigRational::one() / divisor)
}

/// Conditions of the body atoms of `clause` that its constraint implies together with a condition
/// of its head; `None` if they are contradictory.
pub(super) fn project(
    propagation: &mut Propagation<'_>,
    system: &System,
    clause: &ClauseData,
    head: &Condition,
) -> Option<Vec<Condition>> {
    let pool = &mut *propagation.pool;
    let head = head.formula(pool);
    let head = clause.at_head(pool, head);
    let formula = pool.and2(clause.constraint, head);
    if formula == pool.fls() {
        return None;
    }
    let variables: Vec<Term> =
        symbols(pool, clause).into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
    propagation.effort += (pool.dag_size(formula) + variables.len()) * (clause.body.len() + 1);
    if propagation.effort > EFFORT {
        return Some(vec![Condition::default(); clause.body.len()]);
    }
    let formula = constants(pool, formula, &variables)?;
    let mut bounds = Bounds::default();
    if !propagation.refine(formula, &mut bounds) {
        return None;
    }
    let pool = &mut *propagation.pool;
    let conditions = clause.body.iter().map(|atom| onto(pool, system, (formula, &bounds, &variables), atom));
    conditions.collect()
}

/// The formula with constants for the variables that have them; `None` if it is contradictory.
fn constants(pool: &mut TermPool, formula: Term, variables: &[Term]) -> Option<Term> {
    let mut values = FxHashMap::default();
    if solve(pool, formula, variables, &mut values) == pool.fls() {
        return None;
    }
    values.retain(|_, value| pool.op(*value).is_constant());
    let mut conjuncts = vec![pool.map_leaves(formula, &mut |_, leaf| values.get(&leaf).copied())];
    for &variable in variables {
        if let Some(&value) = values.get(&variable) {
            conjuncts.push(pool.eq(variable, value));
        }
    }
    let formula = pool.and(&conjuncts);
    (formula != pool.fls()).then_some(formula)
}

/// The condition of an atom in a clause over `variables`, whose constraint and bounds are given.
fn onto(
    pool: &mut TermPool,
    system: &System,
    (formula, bounds, variables): (Term, &Bounds, &[Term]),
    atom: &Atom,
) -> Option<Condition> {
    let mut condition = Condition::default();
    let mut own: FxHashMap<Term, Term> = FxHashMap::default();
    for (&argument, symbol) in atom.arguments.iter().zip(system.relations[atom.relation].symbols()) {
        own.entry(argument).or_insert(symbol);
        if let Some(interval) = bounds.get(&argument) {
            condition.bound(symbol, interval);
        }
    }
    let others: Vec<Term> = variables.iter().copied().filter(|symbol| !own.contains_key(symbol)).collect();
    let projected = eliminate(pool, formula, &others);
    let others: FxHashSet<Term> = others.into_iter().collect();
    let mut count = 0;
    for conjunct in pool.conjuncts(&[projected]) {
        if count < MAX_CONJUNCTS && is_small_literal(pool, conjunct, &others) {
            let literal = pool.map_leaves(conjunct, &mut |_, leaf| own.get(&leaf).copied());
            condition.add(pool, literal);
            count += 1;
        }
    }
    (projected != pool.fls() && !condition.is_contradictory()).then_some(condition)
}

/// Whether a conjunct has few nodes, none of which is a disjunction, a quantifier or one of these
/// symbols.
fn is_small_literal(pool: &TermPool, conjunct: Term, others: &FxHashSet<Term>) -> bool {
    let (mut count, mut is_literal) = (0, true);
    let enter = |term: Term| {
        count += 1;
        let op = pool.op(term);
        is_literal &= count <= MAX_SIZE
            && !others.contains(&term)
            && !matches!(op, Op::And | Op::Or | Op::Ite | Op::Forall | Op::Exists);
        is_literal
    };
    pool.visit(&[conjunct], enter, |_| {});
    is_literal
}
