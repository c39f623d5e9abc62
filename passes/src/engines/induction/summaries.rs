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
use crate::evidence::{Certificate, Summaries};
use crate::invariants::{Improvement, InvariantOptions, ProcedureInvariants, STANDARD_OF_PROCEDURES};
use crate::procedures::{Place, ProcedureSystem};
use crate::transform::inline::InlineError;
use crate::transform::{Pipeline, PrepareError, Procedures, ViewLimits, prepare_for_views};
use backends::{Limits, Prover, ProverFactory, Status};
use encode::Theories;
use horn::Clause;
use inference::{Cores, Invariants, slice};
use program::ssa::Program;
use std::time::Duration;
use terms::TermPool;
use views::BlockOperator;

/// The effort of the search for few conjuncts.
const SLICING: Duration = Duration::from_secs(2);
/// The part of the remaining effort that the check of one query may take.
const ONE_QUERY: u32 = 4;

/// The search for a proof.
pub(super) struct SummaryProof<'a> {
    limits: ViewLimits,
    system: ProcedureSystem,
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
        (pipeline, theories): (&Pipeline, Theories),
        options: &InvariantOptions,
        factory: &'a dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Self, String> {
        let Some(spec) = options.spec(STANDARD_OF_PROCEDURES) else {
            return Err("summaries need templates".to_owned());
        };
        let (prepared, view) = prepared(pool, program, pipeline).map_err(|error| error.to_string())?;
        let system = ProcedureSystem::new(pool, &prepared, BlockOperator::L, theories)
            .map_err(|error| error.to_string())?;
        let prover = factory.new_prover(theories.logic(), limits).map_err(|reason| reason.to_string())?;
        let invariants = ProcedureInvariants::new(pool, &system, factory, spec);
        let open = system.system.queries().map(|(clause, _)| clause).collect();
        Ok(SummaryProof { limits: view, system, invariants, prover, open })
    }

    /// The number of procedures besides the entry function.
    pub(super) fn procedures(&self) -> usize {
        self.system.states.values().filter(|state| state.place == Place::Entry).count()
    }

    /// The search for facts.
    pub(super) fn invariants(&self) -> &ProcedureInvariants<'a> {
        &self.invariants
    }

    /// Checks whether the facts exclude the queries; if not, infers the next ones.
    pub(super) fn attempt(&mut self, pool: &mut TermPool, pipeline: &Pipeline, limits: &Limits) -> Attempt {
        while let Some(&query) = self.open.last()
            && self.is_excluded(pool, query, limits)
        {
            self.open.pop();
        }
        if self.open.is_empty() {
            return Attempt::Proved(self.certificate(pool, pipeline, limits));
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
        let system = &self.system.system;
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

    /// The certificate: few conjuncts that suffice, or all facts if the effort is exceeded.
    fn certificate(&mut self, pool: &mut TermPool, pipeline: &Pipeline, limits: &Limits) -> Certificate {
        let limits = limits.share(2).within(SLICING);
        let all = self.invariants.current();
        let sliced = slice(pool, &mut *self.prover, &self.system.system, all, Cores::Minimal, &limits);
        let few: &Invariants = match &sliced {
            Ok(Some(few)) => few,
            Ok(None) | Err(_) => all,
        };
        let summaries = Summaries::of_conjuncts(pool, &self.system, &few.at, pipeline, self.limits);
        Certificate::Summaries(Box::new(summaries))
    }
}

/// Prepares the program with recursive functions as procedures, or with all if the result of
/// inlining the others is too large.
pub(super) fn prepared(
    pool: &mut TermPool,
    program: &Program,
    pipeline: &Pipeline,
) -> Result<(Program, ViewLimits), PrepareError> {
    let mut prepare = |procedures| {
        let (mut prepared, limits) = (program.clone(), ViewLimits { procedures, ..ViewLimits::default() });
        prepare_for_views(pool, &mut prepared, limits, pipeline).map(|_| (prepared, limits))
    };
    match prepare(Procedures::Recursive) {
        Err(PrepareError::Inline(InlineError::TooLarge { .. })) => prepare(Procedures::All),
        result => result,
    }
}
