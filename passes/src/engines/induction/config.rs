//! What a run of k-induction is told.

use crate::engines::bmc;

/// A run's parameters.
#[derive(Clone, Debug)]
pub struct Config {
    /// Base case and forward condition, with the passes and theories that the step case has as well. The growth of the schedule is that of the bound, and
    /// k follows it one by one.
    pub search: bmc::Config,
    /// The largest k of the step case; `None` for no limit but the bound.
    pub largest_k: Option<u32>,
    /// What strengthens the step case.
    pub invariants: InvariantGeneration,
}

/// Which sources of auxiliary invariants there are, see [`invariants`](crate::invariants).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantGeneration {
    /// None: plain k-induction.
    None,
    /// Interval data flow.
    Intervals,
    /// Interval data flow, then candidates that are shown to be inductive.
    All,
}

impl Config {
    /// With all sources of invariants.
    pub fn new(search: bmc::Config) -> Self {
        Config { search, largest_k: None, invariants: InvariantGeneration::All }
    }
}
