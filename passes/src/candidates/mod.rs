//! Inductive invariants of small linear Horn systems, from templates and models.
//!
//! [`prove`] searches for an invariant of each relation of a [`System`] such that all are inductive
//! together and exclude its queries:
//!
//! 1. [`infer`] (module [`fixpoint`]) computes the strongest invariant in a domain of conjunctions:
//!    linear equalities, congruences ([`affine`](backends::symbolic::affine)), and a finite set of
//!    candidates ([`templates`]), from below, by models;
//! 2. [`slice`](slice()) keeps the conjuncts that exclude the queries and those on which their
//!    inductiveness depends.
//!
//! The clauses should be in execution order. The sorts of the arguments are those of the encoding:
//! for bit vectors there are signed and unsigned comparisons and equalities modulo 2^w, for
//! integers and reals the comparisons of arithmetic. Arguments of other sorts occur only in
//! candidates from formulas of the system.
//!
//! The result can be checked independently: each conjunct is one query for each clause.

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

/// A conjunction for each relation; only `false` for a relation without a reachable state.
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

    /// The premise of a clause; empty for an entry.
    fn of(&self, relation: Option<Relation>) -> &[Term] {
        relation.map_or(&[], |relation| &self.at[relation])
    }
}

/// Searches for inductive invariants that exclude all queries, with few conjuncts; `None` if the
/// templates express none.
///
/// `prover` must decide the theories of the system. It is returned without new assertions and with
/// the limits `limits`.
///
/// # Errors
/// The reason why the prover has no answer, or the exceeded limit.
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

/// The fraction of the remaining time that a query may take.
const LONGEST_QUERY: u32 = 8;

/// Limits that leave time for other queries after one that takes long.
fn query_limits(limits: &Limits) -> Limits {
    limits.left().map_or_else(|| limits.clone(), |left| limits.per_check(left / LONGEST_QUERY))
}

/// Runs `work` in its own scope.
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
