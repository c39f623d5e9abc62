//! Where the time of a run went.

use crate::engines::bmc;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Counts and times of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// Base case and forward condition.
    pub search: bmc::Statistics,
    /// Why there was no step case, or why it was given up.
    pub no_step_case: Option<String>,
    /// Turns of the step case.
    pub turns: u32,
    /// All of them together.
    #[serde(with = "bmc::seconds")]
    pub time: Duration,
    /// Preparing the program, and making the transition system.
    #[serde(with = "bmc::seconds")]
    pub preparation: Duration,
    /// The last k that was tried.
    pub k: u32,
    /// The step case.
    pub step_case: Phase,
    /// The initial case in the transition system.
    pub initial_case: Phase,
    /// Looking for auxiliary invariants.
    pub invariants: Phase,
    /// Making the certificate.
    pub proof: Phase,
    /// Auxiliary invariants at the end.
    pub facts: usize,
}

/// One kind of work.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Phase {
    /// How often.
    pub count: u32,
    /// How long altogether.
    #[serde(with = "bmc::seconds")]
    pub time: Duration,
}

impl Phase {
    /// Counts what was done since `start`.
    pub(super) fn add(&mut self, start: Instant) {
        self.count += 1;
        self.time += start.elapsed();
    }
}
