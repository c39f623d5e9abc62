//! Proofs about programs with recursion: calling contexts and summaries.
//!
//! A recursive program has no transition system. Instead of the step case, invariants of its
//! [procedure system](crate::procedures) are [inferred](crate::invariants), stage by stage, until
//! they exclude all queries: errors and unsupported constructs. This is k-induction with k = 0,
//! whose soundness argument is that of an inductive solution of Horn clauses. Then few conjuncts
//! that suffice become the certificate.
//!
//! Procedures are the recursive functions; all others are inlined. If inlining makes the program
//! too large, all functions that are called are procedures.
//!
//! Limits: there is no induction over k steps through calls. The base case unrolls recursion, so
//! errors are found as in any program.

use super::Attempt;
use super::procedures::Prepared;
use crate::invariants::{Improvement, InvariantOptions, ProcedureInvariants, STANDARD_OF_PROCEDURES};
use crate::transform::{Pipeline, Procedures};
use backends::{Limits, Prover, ProverFactory, Status};
use encode::Theories;
use horn::Clause;
use program::ssa::Program;
use terms::TermPool;

/// The procedures of a program that cannot be inlined: recursive functions, or all if the result of
/// inlining the others is too large.
pub(super) const OF_RECURSION: &[Procedures] = &[Procedures::Recursive, Procedures::All];

/// The part of the remaining effort that the check of one query may take.
const ONE_QUERY: u32 = 4;

/// The search for a proof.
pub(super) struct SummaryProof<'a> {
    prepared: Prepared,
    invariants: ProcedureInvariants<'a>,
    prover: Box<dyn Prover>,
    /// The queries that the facts do not exclude yet.
    open: Vec<Clause>,
}

impl<'a> SummaryProof<'a> {
    /// Prepares the proof for a program that cannot be inlined.
    ///
    /// # Errors
    /// The reason why there is no proof by summaries.
    pub(super) fn new(
        pool: &mut TermPool,
        program: &Program,
        encoding: (&Pipeline, Theories),
        options: &InvariantOptions,
        factory: &'a dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, String> {
        let Some(spec) = options.spec(STANDARD_OF_PROCEDURES) else {
            return Err("summaries need templates".to_owned());
        };
        let prepared = Prepared::new(pool, program, OF_RECURSION, encoding)?;
        let system = &prepared.system;
        let prover =
            factory.new_prover(system.theories.logic(), limits).map_err(|reason| reason.to_string())?;
        let invariants = ProcedureInvariants::new(pool, system, factory, spec);
        let open = system.system.queries().map(|(clause, _)| clause).collect();
        Ok(SummaryProof { prepared, invariants, prover, open })
    }

    /// The number of procedures besides the entry function.
    pub(super) fn procedures(&self) -> usize {
        self.prepared.count()
    }

    /// The search for facts.
    pub(super) fn invariants(&self) -> &ProcedureInvariants<'a> {
        &self.invariants
    }

    /// Checks whether the facts exclude the queries; if not, infers the next ones.
    pub(super) fn attempt(&mut self, pool: &mut TermPool, limits: &Limits) -> Attempt {
        while let Some(&query) = self.open.last()
            && self.is_excluded(pool, query, limits)
        {
            self.open.pop();
        }
        if self.open.is_empty() {
            let facts = self.invariants.current();
            return Attempt::Proved(self.prepared.certificate(pool, &mut *self.prover, facts, limits));
        }
        match self.invariants.improve(pool, limits) {
            Improvement::Stronger => Attempt::GoOn,
            Improvement::Unchanged => Attempt::OutOfTime,
            Improvement::Exhausted => {
                let reason = "no summaries of the domains exclude all errors and unsupported constructs";
                Attempt::Hopeless(reason.to_owned())
            }
        }
    }

    /// Whether the facts exclude a query.
    fn is_excluded(&mut self, pool: &mut TermPool, query: Clause, limits: &Limits) -> bool {
        let one = limits.left().map_or_else(|| limits.clone(), |left| limits.per_check(left / ONE_QUERY));
        self.prover.set_limits(&one);
        let system = &self.prepared.system.system;
        let clause = &system.clauses[query];
        let mut asserted = vec![clause.constraint];
        for (index, atom) in clause.body.iter().enumerate() {
            let fact = self.invariants.current().term(pool, atom.relation);
            asserted.push(clause.at_body(pool, system, index, fact));
        }
        if self.prover.push().is_err() {
            return false;
        }
        let asserted = asserted.iter().try_for_each(|&formula| self.prover.assert(pool, formula).map(drop));
        let status = asserted.is_ok().then(|| self.prover.status(pool, &[]));
        self.prover.pop().is_ok() && status == Some(Status::Unsat)
    }
}
