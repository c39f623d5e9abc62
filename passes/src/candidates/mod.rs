//! Inductive invariants of small transition systems, from templates and models.
//!
//! A [`TransitionSystem`] has cut points with variables and formulas between them. [`prove`] looks for an invariant of
//! each cut point such that all are inductive together and exclude the [goals](TransitionSystem::goals):
//!
//! 1. [`infer`] (module [`fixpoint`]) computes the strongest invariant that some conjunctions can express: linear equalities,
//!    congruences ([`affine`](backends::symbolic::affine)), and a finite set of candidates ([`templates`]), from below, by models;
//! 2. [`slice`](slice()) keeps those conjuncts that the goals need, and what these need to be inductive.
//!
//! The sorts of the variables are those of the encoding: bit vectors have comparisons with and without sign and equalities modulo 2^w,
//! integers and reals those of arithmetic. Variables of other sorts occur only in candidates that formulas of the system contain.
//!
//! Whoever uses the result need not believe it: each conjunct is one query for each transition.

pub mod fixpoint;
pub mod slice;
pub mod templates;

pub use fixpoint::infer;
pub use slice::slice;
pub use templates::Templates;

use backends::{Limits, Prover, Reason};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};
use views::blocks::CutPoint;

/// The symbols `x+` of the variables that a transition changes, by their symbols `x`.
pub type After = IndexMap<Term, Term, FxBuildHasher>;

/// Formulas between cut points.
#[derive(Clone, Debug, Default)]
pub struct TransitionSystem {
    /// The variables of each cut point, by their symbols `x`.
    pub variables: PrimaryMap<CutPoint, Rc<[Term]>>,
    /// Cut points where every state is initial.
    pub entries: Vec<CutPoint>,
    /// What leads from one cut point to another, best in the order of execution.
    pub transitions: Vec<Transition>,
    /// What is to be excluded: formulas over the `x` of a cut point and other symbols, which are chosen.
    pub goals: Vec<(CutPoint, Term)>,
}

/// What leads from one cut point to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: CutPoint,
    /// Where it ends.
    pub to: CutPoint,
    /// Over the `x` of `from`, the `x+` of `to`, and other symbols, which are chosen.
    pub formula: Term,
    /// What changes; other variables keep their `x`.
    pub after: After,
    /// For some of them, terms that equal `x+` where the formula holds; with them more becomes trivial.
    pub updates: After,
}

impl Transition {
    /// `formula`, over the state at the end, over the symbols of the transition, whose formula has to hold.
    pub fn at_end(&self, pool: &mut TermPool, formula: Term) -> Term {
        pool.map_leaves(formula, &mut |_, leaf| self.updates.get(&leaf).or(self.after.get(&leaf)).copied())
    }
}

/// A conjunction for each cut point; `false` alone where no state is known to arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// The conjuncts.
    pub at: PrimaryMap<CutPoint, Vec<Term>>,
}

impl Invariants {
    /// The invariant of a cut point.
    pub fn term(&self, pool: &mut TermPool, cut: CutPoint) -> Term {
        pool.and(&self.at[cut])
    }
}

/// Inductive invariants that exclude all goals, with few conjuncts; none if the templates express none.
///
/// `prover` decides the theories of the system. Nothing stays asserted, and afterwards its limits are `limits`.
///
/// # Errors
/// What the prover says if it has no answer, or what `limits` say.
pub fn prove(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &TransitionSystem,
    templates: Templates,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    let strongest = infer(pool, prover, system, templates, limits)?;
    slice(pool, prover, system, &strongest, limits)
}

/// A query may take this fraction of the time that is left.
const LONGEST_QUERY: u32 = 8;

/// Limits that leave time for other queries after one that takes long.
fn query_limits(limits: &Limits) -> Limits {
    limits.left().map_or_else(|| limits.clone(), |left| limits.per_check(left / LONGEST_QUERY))
}

/// Runs `work` in a scope of its own.
fn scoped<T>(
    prover: &mut dyn Prover,
    work: impl FnOnce(&mut dyn Prover) -> Result<T, Reason>,
) -> Result<T, Reason> {
    prover.push()?;
    let result = work(prover);
    prover.pop()?;
    result
}

#[cfg(test)]
mod tests;
