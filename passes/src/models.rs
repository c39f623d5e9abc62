//! Checks that an interpretation is a model of a Horn system.
//!
//! Each clause is one check: the formulas of its body and its constraint hold, and that of its head
//! does not. The interpretation is a model iff no check is satisfiable. The checks are independent
//! of the engine that found the interpretation; derivations need no solver
//! ([`horn::Derivation::check`]).

use backends::{Limits, ProverFactory, Reason, Status};
use horn::{Clause, Interpretation, System};
use std::rc::Rc;
use terms::TermPool;

#[cfg(test)]
mod tests;

/// The result of checking an interpretation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// All clauses are satisfied. The names of the solvers that decided it.
    Valid(Vec<&'static str>),
    /// The clause is not satisfied.
    Refuted(Clause),
    /// No solver decided the check of the clause.
    Undecided(Clause, Reason),
}

/// Checks all clauses. The solvers check in their order, each within an equal share of the
/// remaining effort.
pub fn check_model(
    pool: &mut TermPool,
    system: &System,
    interpretation: &Interpretation,
    factories: &[Rc<dyn ProverFactory>],
    limits: &Limits,
) -> Model {
    let mut deciders = Vec::new();
    for clause in system.clauses.keys() {
        let violation = interpretation.violation(pool, system, clause);
        let conjunction = pool.and(&violation);
        let mut undecided = Reason::Unsupported("no solver".to_owned());
        let mut is_decided = conjunction == pool.fls();
        for (index, factory) in factories.iter().enumerate() {
            if is_decided {
                break;
            }
            let others = u32::try_from(factories.len() - index).unwrap_or(u32::MAX);
            let limits = limits.share(others);
            let status = factory.new_prover("ALL", &limits).and_then(|mut prover| {
                prover.set_limits(&limits);
                prover.assert(pool, conjunction)?;
                Ok(prover.status(pool, &[]))
            });
            match status.unwrap_or_else(Status::Unknown) {
                Status::Unsat => {
                    is_decided = true;
                    deciders.push(factory.name());
                }
                Status::Sat => {
                    tracing::debug!("{} finds a violation of clause {clause}", factory.name());
                    tracing::debug!("violation: {}", pool.display(conjunction));
                    return Model::Refuted(clause);
                }
                // The reason of a solver that has the theories tells more than that of one without.
                Status::Unknown(reason) => {
                    if matches!(undecided, Reason::Unsupported(_)) {
                        undecided = reason;
                    }
                }
            }
        }
        if !is_decided {
            return Model::Undecided(clause, undecided);
        }
    }
    deciders.sort_unstable();
    deciders.dedup();
    Model::Valid(deciders)
}
