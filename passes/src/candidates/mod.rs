//! Inductive invariants of small linear Horn systems, from templates and models.
//!
//! [`prove`] looks for an invariant of each relation of a [`System`] such that all are inductive together and exclude its queries:
//!
//! 1. [`infer`] (module [`fixpoint`]) computes the strongest invariant that some conjunctions can express: linear equalities,
//!    congruences ([`affine`](backends::symbolic::affine)), and a finite set of candidates ([`templates`]), from below, by models;
//! 2. [`slice`](slice()) keeps those conjuncts that the queries need, and what these need to be inductive.
//!
//! Clauses are best in the order of execution. The sorts of the arguments are those of the encoding: bit vectors have comparisons with and without sign and equalities modulo 2^w,
//! integers and reals those of arithmetic. Arguments of other sorts occur only in candidates that formulas of the system contain.
//!
//! Whoever uses the result need not believe it: each conjunct is one question for each clause.

pub mod fixpoint;
pub mod slice;
pub mod templates;

pub use fixpoint::infer;
pub use slice::slice;
pub use templates::Templates;

use backends::{Limits, Prover, Reason};
use horn::{Relation, System};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// A conjunction for each relation; `false` alone where no state is known to arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// The conjuncts.
    pub at: PrimaryMap<Relation, Vec<Term>>,
}

impl Invariants {
    /// The invariant of a relation.
    pub fn term(&self, pool: &mut TermPool, relation: Relation) -> Term {
        pool.and(&self.at[relation])
    }

    /// What holds where a clause starts: nothing more than `true` at the start.
    fn of(&self, relation: Option<Relation>) -> &[Term] {
        relation.map_or(&[], |relation| &self.at[relation])
    }
}

/// Inductive invariants that exclude all queries, with few conjuncts; none if the templates express none.
///
/// `prover` decides the theories of the system. Nothing stays asserted, and afterwards its limits are `limits`.
///
/// # Errors
/// What the prover says if it has no answer, or what `limits` say.
pub fn prove(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
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
