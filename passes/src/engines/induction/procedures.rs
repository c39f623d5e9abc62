//! Procedure systems and the certificates of their solutions.
//!
//! A solution of the [procedure system](crate::procedures) of a program, as conjuncts for each
//! relation, becomes the certificate [`Certificate::Summaries`] after [slicing](inference::slice).

use super::derivation::Derived;
use crate::evidence::{Certificate, Summaries};
use crate::procedures::{Place, ProcedureSystem};
use crate::trace::Trace;
use crate::transform::inline::InlineError;
use crate::transform::{BackTranslator, Pipeline, PrepareError, Procedures, ViewLimits, prepare_for_views};
use backends::{Limits, Prover};
use encode::Theories;
use horn::{Derivation, Interpretation, System};
use inference::{Cores, Invariants, slice};
use program::ssa::Program;
use std::borrow::Cow;
use std::time::Duration;
use terms::TermPool;
use views::BlockOperator;

/// The effort of the search for few conjuncts.
const SLICING: Duration = Duration::from_secs(2);

/// The procedure system of a program, with the choices of its preparation.
pub(super) struct Prepared {
    /// The system.
    pub(super) system: ProcedureSystem,
    back: BackTranslator,
    limits: ViewLimits,
    pipeline: Pipeline,
}

impl Prepared {
    /// Prepares `program` with the first of `choices`; with the next one, if inlining all other
    /// functions makes the program too large.
    ///
    /// # Errors
    /// The reason why there is no such system.
    pub(super) fn new(
        pool: &mut TermPool,
        program: &Program,
        choices: &[Procedures],
        (pipeline, theories): (&Pipeline, Theories),
    ) -> Result<Self, String> {
        let (prepared, back, limits) =
            prepared(pool, program, choices, pipeline).map_err(|error| error.to_string())?;
        let system = ProcedureSystem::new(pool, &prepared, BlockOperator::L, theories);
        let system = system.map_err(|error| error.to_string())?;
        Ok(Prepared { system, back, limits, pipeline: pipeline.clone() })
    }

    /// Runs `program`, which was prepared, on the inputs of a derivation of the system's clauses.
    ///
    /// # Errors
    /// The reason why the derivation is no counterexample.
    pub(super) fn replay(
        &self,
        pool: &mut TermPool,
        program: &Program,
        derivation: &Derivation,
    ) -> Result<Trace, String> {
        let ProcedureSystem { source, theories, formulas, errors, .. } = &self.system;
        let of = Derived { formulas, source, theories: *theories, errors, back: &self.back };
        of.replay(pool, program, derivation)
    }

    /// The number of procedures besides the entry function.
    pub(super) fn count(&self) -> usize {
        self.system.states.values().filter(|state| state.place == Place::Entry).count()
    }

    /// The certificate of a solution: few conjuncts that suffice, or all if the effort is exceeded.
    pub(super) fn certificate(
        &self,
        pool: &mut TermPool,
        prover: &mut dyn Prover,
        solution: &Invariants,
        limits: &Limits,
    ) -> Certificate {
        let few = few(pool, prover, &self.system.system, solution, limits);
        let summaries = Summaries::of_conjuncts(pool, &self.system, &few.at, &self.pipeline, self.limits);
        Certificate::Summaries(Box::new(summaries))
    }
}

fn prepared(
    pool: &mut TermPool,
    program: &Program,
    choices: &[Procedures],
    pipeline: &Pipeline,
) -> Result<(Program, BackTranslator, ViewLimits), PrepareError> {
    let (&procedures, others) = choices.split_first().expect("at least one choice of procedures");
    let (mut prepared, limits) = (program.clone(), ViewLimits { procedures, ..ViewLimits::default() });
    match prepare_for_views(pool, &mut prepared, limits, pipeline) {
        Err(PrepareError::Inline(InlineError::TooLarge { .. })) if !others.is_empty() => {
            self::prepared(pool, program, others, pipeline)
        }
        Err(error) => Err(error),
        Ok(views) => Ok((prepared, views.back, limits)),
    }
}

/// The conjuncts of a model.
pub(super) fn conjuncts(pool: &mut TermPool, model: &Interpretation) -> Invariants {
    Invariants { at: model.formulas.values().map(|&formula| pool.conjuncts(&[formula])).collect() }
}

/// Few conjuncts of a solution of `clauses` that suffice, or all if the effort is exceeded.
pub(super) fn few<'a>(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    clauses: &System,
    solution: &'a Invariants,
    limits: &Limits,
) -> Cow<'a, Invariants> {
    let limits = limits.share(2).within(SLICING);
    match slice(pool, prover, clauses, solution, Cores::Minimal, &limits) {
        Ok(Some(few)) => Cow::Owned(few),
        Ok(None) | Err(_) => Cow::Borrowed(solution),
    }
}
