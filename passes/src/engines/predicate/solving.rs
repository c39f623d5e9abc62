//! The solver of a run, and what it cost.

use backends::interpolation::Problem;
use backends::{Limits, Outcome, Prover, Reason};
use encode::EncodeError;
use serde::{Serialize, Serializer};
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// Why the analysis cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Solver(Reason),
    #[error(transparent)]
    Formula(#[from] EncodeError),
    #[error("the decision diagrams are too large")]
    Diagrams,
    #[error("there are too many terms")]
    Terms,
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Failure::Solver(reason)
    }
}

impl From<oxidd::util::OutOfMemory> for Failure {
    fn from(_: oxidd::util::OutOfMemory) -> Self {
        Failure::Diagrams
    }
}

/// How often something was done, and how long it took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Cost {
    /// How often.
    pub count: u64,
    /// How long, in seconds when serialized.
    #[serde(serialize_with = "as_seconds")]
    pub time: Duration,
}

fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Cost {
    /// Counts one more that began at `start`.
    pub(crate) fn add(&mut self, start: Instant) {
        self.count += 1;
        self.time += start.elapsed();
    }
}

/// The cost of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// Abstract states that were made.
    pub states: u64,
    /// Abstraction states at the end.
    pub abstraction_states: u64,
    /// Those that are covered.
    pub covered_states: u64,
    /// Abstract counterexamples that were infeasible.
    pub refinements: u64,
    /// States that were removed by refinements, and are explored again.
    pub removed_states: u64,
    /// Counterexamples that came again, and were answered with other facts.
    pub repeated_counterexamples: u64,
    /// Predicates of the run.
    pub predicates: u64,
    /// Predicates by location, at the end.
    pub predicates_by_place: Vec<(String, u64)>,
    /// Abstractions that were computed.
    pub abstraction: Cost,
    /// Abstractions that were known.
    pub cached_abstractions: u64,
    /// Models of all abstractions.
    pub cubes: u64,
    /// Queries about coverage.
    pub coverage: Cost,
    /// Attempts to force coverage.
    pub forced_covering: Cost,
    /// Those that succeeded.
    pub forced_coverings: u64,
    /// Whether targets are reached from the state before.
    pub target: Cost,
    /// Feasibility checks of counterexamples.
    pub feasibility: Cost,
    /// Facts by source: its name, what it cost, and how often it had some.
    pub facts: Vec<(&'static str, Cost, u64)>,
    /// Replays of feasible counterexamples on the inputs of their models.
    pub replay: Cost,
    /// Why the last of these replays was no violation, if it was none; then `confirmation` has its turn.
    pub failed_replay: Option<String>,
    /// Confirmation of counterexamples by bounded model checking.
    pub confirmation: Cost,
    /// Preparation of the program.
    pub preparation: Cost,
    /// Why the program was analysed again without passes, if it was.
    pub without_passes: Option<String>,
}

impl Statistics {
    /// The entry of a source of facts.
    pub(crate) fn facts_of(&mut self, source: &'static str) -> &mut (&'static str, Cost, u64) {
        let position = self.facts.iter().position(|entry| entry.0 == source).unwrap_or_else(|| {
            self.facts.push((source, Cost::default(), 0));
            self.facts.len() - 1
        });
        &mut self.facts[position]
    }
}

/// Blocks of a path that a check of the whole may be too much for.
const LONG_PATH: usize = 8;
/// A check of the whole that takes longer may never end.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The solver of a run.
pub(crate) struct Solver {
    pub(crate) prover: Box<dyn Prover>,
    pub(crate) limits: Limits,
    pub(crate) statistics: Statistics,
}

impl Solver {
    pub(crate) fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Failure> {
        Ok(self.prover.assert(pool, formula)?)
    }

    /// Whether what is asserted has a model together with `assumptions`.
    pub(crate) fn is_satisfiable(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<bool, Failure> {
        match self.prover.check(pool, assumptions) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Checks a problem in a scope of its own: a long path part by part, where a check of the whole does not end at once. What `then`
    /// makes of the outcome.
    pub(crate) fn decide<T>(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        then: impl FnOnce(&mut TermPool, Outcome<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.scoped(pool, |pool, solver| {
            for &formula in problem.parts.iter().flatten() {
                solver.assert(pool, formula)?;
            }
            let outcome = if problem.parts.len() >= LONG_PATH {
                solver.prover.check_parts(pool, problem, AT_ONCE)
            } else {
                solver.prover.check(pool, &[])
            };
            then(pool, outcome)
        })
    }

    /// Lets everything end after `time` or a `share`th of what is left, whichever is less. The answer: the limits before, for
    /// [`set_limits`](Self::set_limits).
    pub(crate) fn shorten(&mut self, time: Duration, share: u32) -> Limits {
        let short = self.limits.share(share).within(time);
        let before = std::mem::replace(&mut self.limits, short);
        self.prover.set_limits(&self.limits);
        before
    }

    /// Limits for all that follows.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.prover.set_limits(&limits);
        self.limits = limits;
    }

    /// Runs `work` in a scope of its own.
    pub(crate) fn scoped<T>(
        &mut self,
        pool: &mut TermPool,
        work: impl FnOnce(&mut TermPool, &mut Solver) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.prover.push()?;
        let result = work(pool, self);
        self.prover.pop()?;
        result
    }
}
