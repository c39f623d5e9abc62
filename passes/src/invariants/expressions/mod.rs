//! Expressions over disjunctive intervals: the Invariants CPA.
//!
//! The analysis of Beyer, Dangl, Wendler, *Boosting k-Induction with Continuously-Refined
//! Invariants*, CAV 2015, as Stieglmaier, *Augmenting Predicate Analysis with Auxiliary
//! Invariants*, Master's thesis, 2016, §2.3.6 and Algorithm 3, presents it. It finds facts that
//! ranges cannot express: `x == 0 || x == 5`, `x != 5`, `y == x + 1`, and disjunctions of their
//! conjunctions.
//!
//! An abstract state ([`state::State`]) at a loop head maps each variable to a union of intervals
//! ([`disjunction`](crate::intervals::disjunction)), and possibly to an expression over other
//! variables. A precision (Y, n, w) determines how states are merged:
//!
//! * States that differ in an *important* variable, one of Y, are not merged.
//! * The nesting depth of an expression is at most n: `x` has depth 1, `x + 1` and `2 * x` have
//!   depth 2, `2 * x + 1` has depth 3.
//! * If w holds, values are widened to a single interval, otherwise to their union.
//!
//! The first precision is (∅, 1, true). Each call of [`Expressions::next`] is an iteration of
//! Algorithm 3: it computes the reached states, returns their disjunctions as facts, and refines
//! the precision: n grows by one, Y by the [`MORE_VARIABLES`] variables that most guards and
//! queries mention, and w becomes false after [`WIDENED`] iterations. The source ends after
//! [`ITERATIONS`] iterations, or once no reached state satisfies a query.
//!
//! The analysis reads the clauses before translation, so its arithmetic is that of bit vectors.
//! Values that are [choices](inference::split) split a clause. A guard refines the symbols of its
//! comparisons. Only the facts that a solver proves inductive in the encoding are kept.
//!
//! DIVERGENCE from the thesis:
//! * A variable has values and an expression at the same time, so a guard refines the values and
//!   keeps the expression. Expressions are sums of a term of any operators and a union of
//!   intervals; an interval below another operator is evaluated.
//! * The edges are clauses from loop head to loop head, so assignments are simultaneous. A variable
//!   whose value is an old value plus a constant represents the old value in the other expressions.
//! * A merge keeps an expression that holds in both states, also if only one state has it, and
//!   makes a linear one of two states in which both variables are constants. So it finds
//!   `y == x + 1` in a loop that increments both.
//! * Widening moves bounds to constants of the program first. A state that is merged often is
//!   widened although w is false, so that the search ends.
//! * If a loop head has more than [`MOST_STATES`](reached::MOST_STATES) states, the variable of Y
//!   with the most different values is no longer important, and the iteration starts again.
//!
//! Cost: a bounded number of evaluated terms for each iteration, without queries; then a few
//! queries for each loop head and clause to prove the facts. Limits: bit vectors of at most 64 bits
//! and Booleans; values in memory only as terms.

mod environment;
mod linear;
mod reached;
mod state;
mod transfer;

use super::intervals::{within, within_range};
use super::{Fact, encode};
use crate::intervals::disjunction::{Ranges, Values};
use crate::intervals::{Abstract, Range};
use crate::transitions::TransitionSystem;
use backends::{Limits, Reason};
use horn::{RelationData, System};
use linear::number_of;
use reached::{Failure, Reached, reached};
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Equation, Scope, State, View};
use terms::{Op, Term, TermPool};

/// The number of iterations.
pub(super) const ITERATIONS: usize = 4;
/// The number of iterations with widening.
const WIDENED: usize = 2;
/// The number of variables that become important in each iteration.
const MORE_VARIABLES: usize = 2;

/// The precision (Y, n, w).
struct Precision {
    /// Y: states that differ in one of these symbols are not merged.
    important: Vec<Term>,
    /// n: the maximal nesting depth of expressions.
    depth: usize,
    /// w.
    joins: Joins,
}

/// How the values of two states are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joins {
    Widened,
    Union,
}

/// The search, which is continuously refined.
pub(super) struct Expressions {
    /// The clauses before translation, without choices in their values.
    system: System,
    precision: Precision,
    /// The variables that become important, the next one last.
    candidates: Vec<Term>,
    thresholds: Vec<i128>,
    iteration: usize,
}

/// The result of an iteration.
pub(super) struct Iteration {
    pub(super) facts: Vec<Fact>,
    /// Whether another iteration may find more.
    pub(super) is_last: bool,
}

impl Expressions {
    pub(super) fn new(pool: &mut TermPool, system: &TransitionSystem) -> Self {
        let source = inference::split(pool, &system.source);
        Expressions {
            candidates: by_importance(pool, &system.source),
            thresholds: thresholds(pool, &source),
            precision: Precision { important: Vec::new(), depth: 1, joins: Joins::Widened },
            system: source,
            iteration: 0,
        }
    }

    /// Computes the reached states and refines the precision.
    ///
    /// # Errors
    /// The limit that is exceeded.
    pub(super) fn next(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        limits: &Limits,
    ) -> Result<Iteration, Reason> {
        let found = loop {
            match reached(pool, &self.system, &self.precision, &self.thresholds, limits) {
                Ok(found) => break Some(found),
                Err(Failure::Variable(variable)) => {
                    self.precision.important.retain(|&own| own != variable);
                }
                Err(Failure::Work) => break None,
                Err(Failure::Limit(reason)) => return Err(reason),
            }
        };
        self.iteration += 1;
        let has_queries = self.system.queries().next().is_some();
        let is_safe = has_queries && found.as_ref().is_some_and(|found| !found.contains_target);
        let is_last = is_safe || self.iteration >= ITERATIONS;
        tracing::debug!(
            iteration = self.iteration,
            important = self.precision.important.len(),
            states = found.as_ref().map(|found| found.states.values().map(Vec::len).sum::<usize>()),
            is_safe,
            "expressions"
        );
        let facts = found.map(|found| self.facts(pool, system, &found)).unwrap_or_default();
        self.refine();
        Ok(Iteration { facts, is_last })
    }

    fn refine(&mut self) {
        self.precision.depth += 1;
        if self.iteration >= WIDENED {
            self.precision.joins = Joins::Union;
        }
        let more = self.candidates.len().saturating_sub(MORE_VARIABLES);
        self.precision.important.extend(self.candidates.drain(more..).rev());
    }

    /// The disjunction of the reached states of each relation, and weaker facts about single
    /// variables, encoded.
    fn facts(&self, pool: &mut TermPool, system: &TransitionSystem, found: &Reached) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (at, states) in found.states.iter() {
            let variables: Vec<Term> = self.system.relations[at].symbols().collect();
            for formula in self.formulas(pool, &variables, states) {
                if formula == pool.tru() {
                    continue;
                }
                facts.extend(encode(pool, system, formula).map(|formula| Fact { at, formula }));
            }
        }
        facts
    }

    fn formulas(&self, pool: &mut TermPool, variables: &[Term], states: &[State]) -> Vec<Term> {
        let mut formulas = Vec::new();
        for (index, &variable) in variables.iter().enumerate() {
            let all = states.iter().map(|state| state.values[index].clone());
            let Some(all) = all.reduce(|all, next| all.join(&next)) else { return vec![pool.fls()] };
            formulas.push(values(pool, variable, &all));
        }
        let depth = self.precision.depth;
        let mut scope = Scope { pool, depth, offsets: FxHashMap::default(), work: 0 };
        let mut views: Vec<View> = states.iter().map(|state| scope.view(variables, state)).collect();
        for (index, &variable) in variables.iter().enumerate() {
            let mut bases: Vec<Term> = Vec::new();
            for equation in states.iter().filter_map(|state| state.equations[index].as_ref()) {
                if !bases.contains(&equation.base) {
                    bases.push(equation.base);
                }
            }
            for base in bases {
                if let Some(common) = scope.common(&mut views, variable, base) {
                    formulas.push(equation(scope.pool, variable, &common));
                }
            }
        }
        if states.len() > 1 {
            let important = |variable: &Term| self.precision.important.contains(variable);
            formulas.push(disjunction(pool, variables, states, important));
            formulas.push(disjunction(pool, variables, states, |_| true));
        }
        formulas
    }
}

/// The disjunction of the states, about some of their variables.
fn disjunction(
    pool: &mut TermPool,
    variables: &[Term],
    states: &[State],
    is_included: impl Fn(&Term) -> bool,
) -> Term {
    let mut disjuncts = Vec::new();
    for state in states {
        let mut conjuncts = Vec::new();
        for (index, &variable) in variables.iter().enumerate().filter(|(_, variable)| is_included(variable)) {
            conjuncts.push(values(pool, variable, &state.values[index]));
            if let Some(own) = &state.equations[index] {
                conjuncts.push(equation(pool, variable, own));
            }
        }
        disjuncts.push(pool.and(&conjuncts));
    }
    pool.or(&disjuncts)
}

/// The constraint that a term has one of these values.
fn values(pool: &mut TermPool, term: Term, values: &Values) -> Term {
    let formulas = match values {
        Values::Truth(no, yes) => within(pool, term, Abstract::Truth(*no, *yes)),
        Values::Ranges(ranges) => {
            let disjuncts: Vec<Term> =
                ranges.cover().into_iter().map(|range| one(pool, term, range)).collect();
            vec![pool.or(&disjuncts)]
        }
        Values::Anything => Vec::new(),
    };
    pool.and(&formulas)
}

fn one(pool: &mut TermPool, term: Term, range: Range) -> Term {
    let bounds = within_range(pool, term, range);
    pool.and(&bounds)
}

/// The constraint that a variable satisfies its equation.
fn equation(pool: &mut TermPool, variable: Term, equation: &Equation) -> Term {
    let Some(offset) = &equation.offset else { return pool.eq(variable, equation.base) };
    match offset.single() {
        Some(number) => {
            let number = number_of(pool, offset.width(), number);
            let sum = pool.bv_add(equation.base, number);
            pool.eq(variable, sum)
        }
        None => {
            let difference = pool.bv_sub(variable, equation.base);
            values(pool, difference, &Values::Ranges(offset.clone()))
        }
    }
}

/// The variables that guards mention, the most important one last: those of many guards and
/// queries, above all those that are compared for equality.
fn by_importance(pool: &TermPool, system: &System) -> Vec<Term> {
    let variables: FxHashSet<Term> = system.relations.values().flat_map(RelationData::symbols).collect();
    let mut scores: FxHashMap<Term, usize> = FxHashMap::default();
    for clause in system.clauses.values() {
        let weight = if clause.head.is_none() { 4 } else { 1 };
        let mut add = |symbol: Term, score: usize| {
            if variables.contains(&symbol) {
                *scores.entry(symbol).or_default() += weight * score;
            }
        };
        pool.visit(
            &[clause.guard],
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(_) => add(term, 1),
                Op::Eq => pool.children(term).iter().for_each(|&child| add(child, 2)),
                _ => {}
            },
        );
    }
    let mut found: Vec<Term> = Vec::new();
    for symbol in system.relations.values().flat_map(RelationData::symbols) {
        let is_tracked = Values::top(pool.sort(symbol)) != Values::Anything;
        if is_tracked && scores.contains_key(&symbol) && !found.contains(&symbol) {
            found.push(symbol);
        }
    }
    found.reverse();
    found.sort_by_key(|symbol| scores[symbol]);
    found
}

/// The constants of a system, their neighbors, and the limits of its types, sorted.
fn thresholds(pool: &TermPool, system: &System) -> Vec<i128> {
    let mut found = vec![-1, 0, 1];
    let constraints: Vec<Term> = system.clauses.values().map(|clause| clause.constraint).collect();
    pool.visit(
        &constraints,
        |_| true,
        |term| {
            let constant = pool.as_bit_vector(term).map(|bits| Values::constant(&bits));
            if let Some(range) = constant.as_ref().and_then(Values::as_ranges).and_then(Ranges::hull) {
                for value in [range.unsigned.0, range.signed.0] {
                    found.extend([value - 1, value, value + 1]);
                }
            }
        },
    );
    for symbol in system.relations.values().flat_map(RelationData::symbols) {
        if let Values::Ranges(full) = Values::top(pool.sort(symbol)) {
            let full = Range::full(full.width());
            found.extend([full.unsigned.1, full.signed.0, full.signed.1]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
