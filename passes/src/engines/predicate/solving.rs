//! The solver of a run and its statistics.

use super::memory::OverFunctions;
use crate::transform::pipeline::PassStatistics;
use backends::interpolation::Problem;
use backends::{Limits, Outcome, Prover, Reason};
use encode::EncodeError;
use serde::{Serialize, Serializer};
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// A failure that ends the analysis.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Solver(Reason),
    #[error(transparent)]
    Formula(#[from] EncodeError),
    #[error("the decision diagrams exceed their node limit")]
    Diagrams,
    #[error("the number of terms exceeds its limit")]
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

/// The number and total duration of one kind of operation.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Cost {
    /// The number of operations.
    pub count: u64,
    /// Their total duration, in seconds when serialized.
    #[serde(serialize_with = "as_seconds")]
    pub time: Duration,
}

fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Cost {
    /// Counts one operation that began at `start`.
    pub(crate) fn add(&mut self, start: Instant) {
        self.count += 1;
        self.time += start.elapsed();
    }
}

/// The cost of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// Abstract states created.
    pub states: u64,
    /// Abstraction states at the end.
    pub abstraction_states: u64,
    /// Covered abstraction states at the end.
    pub covered_states: u64,
    /// Spurious abstract counterexamples.
    pub refinements: u64,
    /// States removed by refinements.
    pub removed_states: u64,
    /// Counterexamples that occurred again and were refuted with other facts.
    pub repeated_counterexamples: u64,
    /// Predicates at the end.
    pub predicates: u64,
    /// Predicates that were merged with an equivalent one.
    pub equivalent_predicates: u64,
    /// Predicates by location, at the end.
    pub predicates_by_place: Vec<(String, u64)>,
    /// Abstractions computed.
    pub abstraction: Cost,
    /// Abstractions found in the cache.
    pub cached_abstractions: u64,
    /// Models enumerated by all abstractions.
    pub cubes: u64,
    /// Coverage queries.
    pub coverage: Cost,
    /// Attempts at forced covering.
    pub forced_covering: Cost,
    /// Successful attempts at forced covering.
    pub forced_coverings: u64,
    /// Queries whether a target is reachable from the state before it.
    pub target: Cost,
    /// Feasibility checks of counterexamples.
    pub feasibility: Cost,
    /// For each source of facts: its name, its cost, and how often it yielded facts.
    pub facts: Vec<(&'static str, Cost, u64)>,
    /// Turns of the search for auxiliary invariants.
    pub invariants: Cost,
    /// The auxiliary invariants that were injected.
    pub injected: u64,
    /// The cost of their inference.
    pub inference: crate::invariants::Statistics,
    /// The reason why there are no auxiliary invariants, if the configuration wants some.
    pub no_invariants: Option<String>,
    /// Replays of feasible counterexamples on the inputs of their models.
    pub replay: Cost,
    /// Why the last of these replays violated no property, if so; then `confirmation` follows.
    pub failed_replay: Option<String>,
    /// Counterexamples that did not replay, those of `confirmation` included.
    pub unconfirmed: u32,
    /// Confirmation of counterexamples by bounded model checking.
    pub confirmation: Cost,
    /// Preparation of the program.
    pub preparation: Cost,
    /// The splitting of memory and the passes of the last preparation, in order.
    pub passes: Vec<PassStatistics>,
    /// The predicates that were read and saved.
    pub reuse: ReuseStatistics,
    /// The reason why the program was analyzed again with fewer passes, if it was.
    pub with_fewer_passes: Option<String>,
}

/// The numbers of predicates that were read and saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReuseStatistics {
    /// Saved predicates that were read.
    pub read: u64,
    /// Those that were skipped because their place or their variables do not exist.
    pub skipped: u64,
    /// The skipped predicates, each with the reason.
    pub skipped_predicates: Vec<String>,
    /// Conditions of the program in the initial precision.
    pub conditions: u64,
    /// The reason why there are no conditions, if they were wanted.
    pub no_conditions: Option<String>,
    /// Predicates saved at the end.
    pub written: u64,
    /// Predicates at the end that are not about variables of the source.
    pub omitted: u64,
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

/// The length in blocks from which on a path may be too hard for a single check.
const LONG_PATH: usize = 8;
/// The time limit of the single check of a long path.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The solver of a run.
pub(crate) struct Solver {
    pub(crate) prover: Box<dyn Prover>,
    pub(crate) limits: Limits,
    pub(crate) statistics: Statistics,
    /// The translation of queries, if memory is a function.
    pub(super) functions: Option<OverFunctions>,
}

impl Solver {
    pub(crate) fn assert(&mut self, pool: &mut TermPool, formula: Term) -> Result<(), Failure> {
        let formula = match &mut self.functions {
            Some(functions) => functions.conjoin(pool, formula)?,
            None => formula,
        };
        Ok(self.prover.assert(pool, formula)?)
    }

    /// Whether one of `formulas` is satisfiable together with the assertions.
    pub(crate) fn is_any_satisfiable(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
    ) -> Result<bool, Failure> {
        if self.functions.is_none() {
            let any = pool.or(formulas);
            return self.is_satisfiable(pool, &[any]);
        }
        // Definitions of memory below a disjunction have no translation.
        for &formula in formulas {
            if self.is_satisfiable(pool, &[formula])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the assertions are satisfiable together with `assumptions`.
    pub(crate) fn is_satisfiable(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[Term],
    ) -> Result<bool, Failure> {
        if self.functions.is_some() && !assumptions.is_empty() {
            // Assumptions may define memory.
            return self.scoped(pool, |pool, solver| {
                for &assumption in assumptions {
                    solver.assert(pool, assumption)?;
                }
                solver.is_satisfiable(pool, &[])
            });
        }
        match self.prover.check(pool, assumptions) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Checks a problem in its own scope and applies `then` to the outcome. A long path is checked
    /// part by part if the single check does not finish in time.
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
            let Solver { prover, functions, .. } = solver;
            let outcome = match functions {
                Some(functions) => functions.outcome(prover.check(pool, &[])),
                None if problem.parts.len() >= LONG_PATH => prover.check_parts(pool, problem, AT_ONCE),
                None => prover.check(pool, &[]),
            };
            then(pool, outcome)
        })
    }

    /// Replaces memory as functions by memory as arrays. Returns the translation for
    /// [`resume`](Self::resume); `None` if memory is an array.
    pub(super) fn set_aside(&mut self) -> Result<Option<OverFunctions>, Failure> {
        if let Some(functions) = &mut self.functions {
            functions.exchange(&mut self.prover)?;
            self.prover.set_limits(&self.limits);
        }
        Ok(self.functions.take())
    }

    /// Ends what [`set_aside`](Self::set_aside) began.
    pub(super) fn resume(&mut self, functions: Option<OverFunctions>) {
        let Some(mut functions) = functions else { return };
        functions.exchange(&mut self.prover).expect("the provers were exchanged before");
        self.prover.set_limits(&self.limits);
        self.functions = Some(functions);
    }

    /// [`decide`](Self::decide) for a problem that needs no translation.
    pub(super) fn decide_translated<T>(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        then: impl FnOnce(&mut TermPool, Outcome<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let functions = self.functions.take();
        let result = self.decide(pool, problem, then);
        self.functions = functions;
        result
    }

    /// Limits all further work to `time` or a `share`th of the remaining time, whichever is less.
    /// Returns the previous limits, for [`set_limits`](Self::set_limits).
    pub(crate) fn shorten(&mut self, time: Duration, share: u32) -> Limits {
        let short = self.limits.share(share).within(time);
        let before = std::mem::replace(&mut self.limits, short);
        self.prover.set_limits(&self.limits);
        before
    }

    /// Sets the limits for all further work.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.prover.set_limits(&limits);
        self.limits = limits;
    }

    /// Runs `work` in its own scope.
    pub(crate) fn scoped<T>(
        &mut self,
        pool: &mut TermPool,
        work: impl FnOnce(&mut TermPool, &mut Solver) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.prover.push()?;
        if let Some(functions) = &mut self.functions {
            functions.push();
        }
        let result = work(pool, self);
        if let Some(functions) = &mut self.functions {
            functions.pop();
        }
        self.prover.pop()?;
        result
    }
}

/// A solver without assertions, for tests.
#[cfg(test)]
pub(crate) fn test_solver(logic: &'static str) -> Solver {
    use backends::ProverFactory;
    let limits = Limits::default();
    let prover = backend_yices::factory().new_prover(logic, &limits).expect("a prover");
    Solver { prover, limits, statistics: Statistics::default(), functions: None }
}
