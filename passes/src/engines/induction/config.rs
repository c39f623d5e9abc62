//! The configuration of k-induction.

use crate::engines::bmc;

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The configuration of base case and forward condition; the step case uses its passes and
    /// theories. Its schedule determines the growth of the bound, and k follows in steps of one.
    pub search: bmc::Config,
    /// The largest k of the step case; `None` if only the bound limits it.
    pub largest_k: Option<u32>,
    /// The sources of auxiliary invariants for the step case.
    pub invariants: InvariantGeneration,
}

/// Selects the sources of auxiliary invariants, see [`invariants`](crate::invariants).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantGeneration {
    /// No invariants: plain k-induction.
    None,
    /// Interval analysis.
    Intervals,
    /// Interval analysis, then candidates that are proved inductive.
    All,
}

impl Config {
    /// A configuration with all sources of invariants.
    pub fn new(search: bmc::Config) -> Self {
        Config { search, largest_k: None, invariants: InvariantGeneration::All }
    }
}
