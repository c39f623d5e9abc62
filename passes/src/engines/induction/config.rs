//! The configuration of k-induction.

use super::clauses::Engines;
use crate::engines::bmc;
use crate::invariants::InvariantOptions;
use std::time::Duration;

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The configuration of base case and forward condition; the step case uses its passes and
    /// theories. Its schedule determines the growth of the bound, and k follows in steps of one.
    pub search: bmc::Config,
    /// The largest k of the step case; `None` if only the bound limits it.
    pub largest_k: Option<u32>,
    /// The search for auxiliary invariants.
    pub invariants: InvariantOptions,
    /// How base case and step case share the effort.
    pub order: Order,
    /// How proofs are found.
    pub method: Method,
}

/// How proofs are found.
#[derive(Clone, Debug)]
pub enum Method {
    /// The step case, or summaries of procedures.
    StepCase,
    /// Property-directed reachability.
    Reachability,
    /// Engines for the Horn clauses of the procedures.
    Clauses(Engines),
}

/// How base case and step case share the effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// k-induction: initially a second for the step case, then half of the effort.
    BaseFirst,
    /// kIkI of 2LS, which infers invariants before it increases the bound: initially four seconds
    /// for the step case, then three quarters of the effort.
    StepFirst,
}

impl Order {
    /// The initial effort of the step case.
    pub(super) fn head_start(self) -> Duration {
        match self {
            Order::BaseFirst => Duration::from_secs(1),
            Order::StepFirst => Duration::from_secs(4),
        }
    }

    /// The effort before the first turn of the step case: many base cases end within it.
    pub(super) fn delay(self) -> Duration {
        match self {
            Order::BaseFirst => Duration::from_millis(50),
            Order::StepFirst => Duration::ZERO,
        }
    }

    /// The part of the effort `spent` so far that the step case may have.
    pub(super) fn share(self, spent: Duration) -> Duration {
        match self {
            Order::BaseFirst => spent / 2,
            Order::StepFirst => spent * 3 / 4,
        }
    }
}

impl Config {
    /// A configuration with all sources of invariants.
    pub fn new(search: bmc::Config) -> Self {
        Config {
            search,
            largest_k: None,
            invariants: InvariantOptions::default(),
            order: Order::BaseFirst,
            method: Method::StepCase,
        }
    }
}
