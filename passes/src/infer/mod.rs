//! Inference: the invariants of all loops of a program, and the contracts of its procedures,
//! without a property.
//!
//! [`facts`] prepares the program, runs the sources of [auxiliary invariants](crate::invariants)
//! until they are exhausted or a limit is reached, and returns their facts with the transition
//! system that they describe. It is the only function that knows the sources. [`infer`] first makes
//! the variables at loop heads observable (`observe`). Then it checks that the facts cover all
//! runs, drops redundant facts (`reduce`) and makes [`Invariants`] of the rest.
//!
//! *Soundness.* The facts are inductive together, so they hold in each state at a loop head that
//! the transition system reaches. Paths to an error end there, and so do runs of the program. Paths
//! to an unsupported construct end in the system, but a run may go on; if one of them is feasible
//! under the facts, there is no result. C imposes no requirement on a run with undefined behavior.
//! If the facts do not exclude an access outside of every object, an unchecked invalid access, or a
//! call through an invalid pointer, it is an assumption of the result that no run has it.
//!
//! A program with [procedures](Config::procedures) has calling contexts and summaries beside its
//! loop invariants (`procedures`): the same search over its [procedure system](crate::procedures).
//!
//! Passes that remove code without influence on errors ([`slice`](crate::transform::slice),
//! [`dce`](crate::transform::dce)) would remove the loops in question, so they do not run.
//!
//! Cost: the search has limits of its own; the reduction takes at most a tenth of the rest.

mod observe;
mod precondition;
mod procedures;
mod reduce;

pub use precondition::{PRECONDITION_DOMAINS, Precondition, precondition};

use crate::evidence::{Invariants, ProgramInvariants};
use crate::invariants::{self, AuxiliaryInvariants, Fact, Improvement, InOrder, InvariantOptions, Templates};
use crate::transform::function_pointers::{NO_FUNCTION, function_pointers};
use crate::transform::inline::InlineError;
use crate::transform::{BackTranslator, Pipeline, PrepareError, Procedures, ViewLimits, prepare_for_views};
use crate::transitions::{TransitionError, TransitionSystem, UnsupportedEnd, UnsupportedOrigin};
use backends::{Limits, Prover, ProverFactory, Reason, Status};
use encode::Theories;
use horn::{Clause, Relation, System};
use program::ssa::source::SourceInfo;
use program::ssa::{Program, Span};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use terms::entity::PrimaryMap;
use terms::{Term, TermPool};

/// The domains without a choice of the user: those whose invariants are easy to read.
pub const DOMAINS: &str = "hulls*congruences*values*intervals,literals*orders*equalities,octagons";

/// The passes that keep all loops and their variables.
pub const PASSES: &[&str] = &["constprop", "sroa", "redundancy"];

/// The effort of one query about an unsupported construct.
const ONE_END: Duration = Duration::from_secs(2);

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The passes that prepare the program.
    pub pipeline: Pipeline,
    /// The theories of the formulas.
    pub theories: Theories,
    /// The sources and their domains.
    pub invariants: InvariantOptions,
    /// The functions that are not inlined, and get contracts.
    pub procedures: Procedures,
    /// The limits of the search for facts.
    pub search: Limits,
    /// The limits of the run.
    pub limits: Limits,
}

/// Facts about the loop heads of a program.
#[derive(Debug)]
pub struct Facts {
    /// The transition system that the facts describe.
    pub system: TransitionSystem,
    /// The facts, which are inductive together.
    pub facts: Vec<Fact>,
    /// Maps the prepared program to the program as lowered.
    pub back: BackTranslator,
    /// The cost of the search.
    pub statistics: Statistics,
}

/// The invariants of a program.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The lowered program with observed variables, to which the invariants refer.
    pub program: Program,
    /// The invariants.
    pub invariants: ProgramInvariants,
    /// The events that no run with these invariants has before: they were not proved impossible,
    /// and C does not define what follows them.
    pub assumed_absent: BTreeSet<String>,
    /// The cost.
    pub statistics: Statistics,
}

/// Counts and times of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// The number of loop heads.
    pub loop_heads: usize,
    /// The number of facts that the sources found.
    pub found: usize,
    /// The number of facts after the reduction.
    pub kept: usize,
    /// Whether a limit ended the search before the sources were exhausted.
    pub incomplete: bool,
    /// The cost of the strategy solver.
    pub inference: invariants::Statistics,
    /// The time of the search in seconds.
    #[serde(serialize_with = "seconds")]
    pub search: Duration,
    /// The time of the reduction in seconds.
    #[serde(serialize_with = "seconds")]
    pub reduction: Duration,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Reasons why there are no invariants.
#[derive(Debug, thiserror::Error)]
pub enum InferError {
    /// The program has no single-function form.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The program has no transition system in the encoding.
    #[error(transparent)]
    Transition(#[from] TransitionError),
    /// The solver cannot be started.
    #[error("the solver cannot be used: {0}")]
    Solver(Reason),
    /// No run reaches the call of the function.
    #[error("no run of the harness calls the function")]
    NotCalled,
    /// A run may reach an unsupported construct, after which nothing is known.
    #[error("a run may reach an unsupported construct: {what}")]
    Unsupported {
        /// The construct.
        what: String,
        /// Its source location.
        span: Span,
    },
}

impl InferError {
    /// Returns the source location of the construct, if there is one.
    pub fn span(&self) -> Option<Span> {
        match self {
            InferError::Unsupported { span, .. }
            | InferError::Prepare(PrepareError::Inline(
                InlineError::Recursion { span, .. }
                | InlineError::TooLarge { span, .. }
                | InlineError::Indirect { span },
            )) => Some(*span),
            InferError::Prepare(PrepareError::Reducible(_) | PrepareError::SharedObject(_))
            | InferError::Transition(_)
            | InferError::NotCalled
            | InferError::Solver(_) => None,
        }
    }
}

/// Searches for facts about the loop heads of `program`, as lowered, with provers of `factory`.
///
/// # Errors
/// If the program has no transition system.
pub fn facts(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
) -> Result<Facts, InferError> {
    let start = Instant::now();
    let mut prepared = program.clone();
    let limits = ViewLimits::default();
    let back = prepare_for_views(pool, &mut prepared, limits, &config.pipeline)?.back;
    let mut system = TransitionSystem::new(pool, &prepared, config.theories)?;
    let (stages, search) = (config.invariants.stages(), config.invariants.search);
    let mut sources = InOrder::new(vec![Box::new(Templates::new(prepared, factory, stages, search))]);
    let incomplete = loop {
        match sources.improve(pool, &mut system, &config.search) {
            Improvement::Stronger => {}
            Improvement::Unchanged => break true,
            Improvement::Exhausted => break false,
        }
    };
    let facts = sources.current().to_vec();
    let statistics = Statistics {
        loop_heads: system.states.len(),
        found: facts.len(),
        kept: facts.len(),
        incomplete,
        inference: sources.cost(),
        search: start.elapsed(),
        reduction: Duration::ZERO,
    };
    Ok(Facts { system, facts, back, statistics })
}

/// Infers invariants of the loops of `program`, as lowered, and contracts of its procedures.
///
/// # Errors
/// See [`InferError`].
pub fn infer(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
) -> Result<Inferred, InferError> {
    let (program, has_procedures) = observed(pool, program, config);
    if has_procedures {
        return procedures::infer(pool, program, factory, config);
    }
    let Facts { system, facts, mut statistics, .. } = facts(pool, &program, factory, config)?;
    let search = Search {
        source: &program.source,
        ends: (&system.system, &system.unsupported),
        theories: config.theories,
        ranges: &system.ranges,
        facts: &facts,
    };
    let (kept, assumed_absent) = search.conclude(pool, factory, config, &mut statistics)?;
    let kept: Vec<(Relation, Term)> = kept.iter().map(|fact| (fact.at, fact.formula)).collect();
    let invariants = Invariants::of_facts(pool, &system, &kept, &config.pipeline);
    let invariants = ProgramInvariants::Loops(invariants);
    Ok(Inferred { program, invariants, assumed_absent, statistics })
}

/// `program`, as lowered, with observed variables, and whether functions of it are not inlined.
fn observed(pool: &mut TermPool, program: &Program, config: &Config) -> (Program, bool) {
    let mut resolved = program.clone();
    function_pointers(pool, &mut resolved);
    let procedures = config.procedures.of(&resolved);
    (observe::observe(pool, program, &procedures), !procedures.is_empty())
}

/// A system, and its queries that lead to unsupported constructs.
type Ends<'s> = (&'s System, &'s BTreeMap<Clause, UnsupportedEnd>);

/// A search for facts that is over.
struct Search<'s> {
    source: &'s SourceInfo,
    ends: Ends<'s>,
    theories: Theories,
    /// The bounds of the types of the variables of each relation.
    ranges: &'s PrimaryMap<Relation, Term>,
    facts: &'s [Fact],
}

impl Search<'_> {
    /// Returns the facts that are not redundant, and the unsupported events that the facts do not
    /// exclude.
    ///
    /// # Errors
    /// If the facts do not exclude an unsupported construct of the program.
    fn conclude(
        &self,
        pool: &mut TermPool,
        factory: &dyn ProverFactory,
        config: &Config,
        statistics: &mut Statistics,
    ) -> Result<(Vec<Fact>, BTreeSet<String>), InferError> {
        let assumed_absent = self.assumed_absent(pool, factory, &config.limits)?;
        let start = Instant::now();
        let encoding = (self.theories, self.ranges);
        let kept = reduce::reduce(pool, encoding, factory, self.facts, &config.limits.share(10));
        statistics.kept = kept.len();
        statistics.reduction = start.elapsed();
        Ok((kept, assumed_absent))
    }

    /// Returns the unsupported events that the facts do not exclude.
    fn assumed_absent(
        &self,
        pool: &mut TermPool,
        factory: &dyn ProverFactory,
        limits: &Limits,
    ) -> Result<BTreeSet<String>, InferError> {
        let mut assumed = BTreeSet::new();
        let (system, unsupported) = self.ends;
        if unsupported.is_empty() {
            return Ok(assumed);
        }
        let limits = limits.share(10).per_check(ONE_END);
        let mut prover = factory.new_prover(self.theories.logic(), &limits).map_err(InferError::Solver)?;
        for (&clause, end) in unsupported {
            let data = &system.clauses[clause];
            let mut asserted = vec![data.constraint];
            for (index, atom) in data.body.iter().enumerate() {
                for fact in self.facts.iter().filter(|fact| fact.at == atom.relation) {
                    asserted.push(data.at_body(pool, system, index, fact.formula));
                }
            }
            if is_unsatisfiable(&mut *prover, pool, &asserted) {
                continue;
            }
            let UnsupportedEnd { what, origin, span } = end.clone();
            let is_undefined = self.source.undefined.contains(&what) || what == NO_FUNCTION;
            if origin == UnsupportedOrigin::Program && !is_undefined {
                return Err(InferError::Unsupported { what, span });
            }
            assumed.insert(what);
        }
        Ok(assumed)
    }
}

/// Whether the prover refutes the conjunction of `formulas`.
fn is_unsatisfiable(prover: &mut dyn Prover, pool: &TermPool, formulas: &[Term]) -> bool {
    if prover.push().is_err() {
        return false;
    }
    let asserted = formulas.iter().try_for_each(|&formula| prover.assert(pool, formula).map(drop));
    let status = asserted.is_ok().then(|| prover.status(pool, &[]));
    prover.pop().is_ok() && status == Some(Status::Unsat)
}
