//! The configuration of k-induction.

use super::clauses::Engines;
use crate::engines::bmc;
use crate::invariants::InvariantOptions;
use crate::transform::Procedures;
use program::ssa::Program;
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

/// Whether a program may have recursive functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recursion {
    None,
    Possible,
}

impl Recursion {
    /// Calls through pointers count as recursive.
    pub(super) fn of(program: &Program) -> Self {
        if Procedures::Recursive.of(program).is_empty() { Recursion::None } else { Recursion::Possible }
    }
}

impl Order {
    /// The initial effort of the step case. Most base cases that end at all need less, but hardly
    /// those of recursive functions.
    pub(super) fn head_start(self, recursion: Recursion) -> Duration {
        match (self, recursion) {
            (Order::BaseFirst, Recursion::None) => Duration::from_millis(250),
            (Order::BaseFirst, Recursion::Possible) => Duration::from_secs(1),
            (Order::StepFirst, _) => Duration::from_secs(4),
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
