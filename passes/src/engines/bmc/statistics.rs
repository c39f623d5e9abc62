//! Counts and times of a run.

use crate::evidence::Unrolled;
use crate::transform::pipeline::PassStatistics;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Counts and times of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// One entry for each step.
    pub steps: Vec<StepStatistics>,
    /// The loops and recursive functions that were unrolled.
    pub loops: Vec<Unrolled>,
    /// No error is reachable as long as each loop and recursion is visited at most so often.
    pub explored: Option<u32>,
    /// The passes that ran, see [`pipeline`](crate::transform::pipeline).
    pub passes: Vec<PassStatistics>,
    /// The reason why the program was checked again with fewer passes, if it was.
    pub with_fewer_passes: Option<String>,
    /// Preparing the program.
    #[serde(with = "seconds")]
    pub preparation: Duration,
    /// Unrolling.
    #[serde(with = "seconds")]
    pub unrolling: Duration,
    /// Translating formulas into the encoding.
    #[serde(with = "seconds")]
    pub encoding: Duration,
    /// The solver time, including the work that it does on assertions.
    #[serde(with = "seconds")]
    pub solving: Duration,
    /// The part of the solver time that searches for errors.
    #[serde(with = "seconds")]
    pub feasibility: Duration,
    /// The part of the solver time that decides forward conditions.
    #[serde(with = "seconds")]
    pub forward_condition: Duration,
    /// Replaying counterexamples.
    #[serde(with = "seconds")]
    pub replay: Duration,
    /// Solver queries.
    pub queries: u32,
    /// Counterexamples that did not replay.
    pub unconfirmed: u32,
    /// Checks of these in an exact encoding.
    pub checks: Checks,
    /// Terms in the pool at the end.
    pub terms: usize,
}

/// Checks of counterexamples in an exact encoding.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Checks {
    /// Their number.
    pub count: u32,
    /// Infeasible paths.
    pub infeasible: u32,
    /// Counterexamples that were confirmed with other inputs.
    pub confirmed: u32,
    /// Their duration.
    #[serde(with = "seconds")]
    pub time: Duration,
}

/// A step of the deepening.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StepStatistics {
    /// The largest bound of a loop or recursion.
    pub bound: u32,
    /// New error instances.
    pub errors: usize,
    /// Frontier items at the end of the step.
    pub frontier: usize,
    /// Frontier items that are unreachable.
    pub pruned: usize,
    /// Solver queries.
    pub queries: u32,
    /// The duration of the step.
    #[serde(with = "seconds")]
    pub time: Duration,
}

pub(crate) mod seconds {
    use serde::Serializer;
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }
}

/// Adds the time of `work` to `total`.
pub(crate) fn timed<R>(total: &mut Duration, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}
