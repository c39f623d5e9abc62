//! Counts and times of a run.

use super::clauses::ClauseStatistics;
use crate::engines::bmc;
use crate::engines::clauses::pdr;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Counts and times of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// Base case and forward condition.
    pub search: bmc::Statistics,
    /// The reason why there is no step case or why it was given up.
    pub no_step_case: Option<String>,
    /// The number of procedures whose summaries take the place of the step case.
    pub procedures: usize,
    /// Turns of the step case.
    pub turns: u32,
    /// The duration of all turns.
    #[serde(with = "bmc::seconds")]
    pub time: Duration,
    /// Preparing the program and building the transition system.
    #[serde(with = "bmc::seconds")]
    pub preparation: Duration,
    /// The last k that was checked.
    pub k: u32,
    /// The step case.
    pub step_case: Phase,
    /// The part of the step case that makes and asserts formulas.
    #[serde(with = "bmc::seconds")]
    pub step_case_formula: Duration,
    /// The initial case in the transition system.
    pub initial_case: Phase,
    /// The search for auxiliary invariants.
    pub invariants: Phase,
    /// The cost of the strategy solver.
    pub inference: inference::Statistics,
    /// Property-directed reachability.
    pub reachability: Option<pdr::Statistics>,
    /// Engines for Horn clauses.
    pub clauses: Option<ClauseStatistics>,
    /// Building the certificate.
    pub proof: Phase,
    /// The number of auxiliary invariants at the end.
    pub facts: usize,
}

/// One kind of work.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Phase {
    /// How often it was done.
    pub count: u32,
    /// Its total duration.
    #[serde(with = "bmc::seconds")]
    pub time: Duration,
}

impl Phase {
    /// Counts one piece of work that began at `start`.
    pub(super) fn add(&mut self, start: Instant) {
        self.count += 1;
        self.time += start.elapsed();
    }
}
