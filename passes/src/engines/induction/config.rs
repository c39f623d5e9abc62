//! The configuration of k-induction.

use crate::engines::bmc;
use crate::invariants::{STANDARD, Stage};
use inference::{Search, Spec};

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
    /// How the parameters of bounds are searched.
    pub bound_search: Search,
}

/// Selects the sources of auxiliary invariants, see [`invariants`](crate::invariants).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvariantGeneration {
    /// No invariants: plain k-induction.
    None,
    /// Interval analysis of the IR.
    Intervals,
    /// Chosen domains of the strategy solver.
    Domains(Spec),
    /// Interval analysis of the IR, then the [standard domains](STANDARD).
    All,
}

impl InvariantGeneration {
    /// The stages of the search for invariants.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let standard = || STANDARD.parse::<Spec>().into_iter();
        match self {
            InvariantGeneration::None => Vec::new(),
            InvariantGeneration::Intervals => Stage::RANGES.to_vec(),
            InvariantGeneration::Domains(spec) => Stage::of(spec).collect(),
            InvariantGeneration::All => {
                let domains = standard().flat_map(|spec| Stage::of(&spec).collect::<Vec<_>>());
                Stage::RANGES.into_iter().chain(domains).collect()
            }
        }
    }
}

impl Config {
    /// A configuration with all sources of invariants.
    pub fn new(search: bmc::Config) -> Self {
        Config {
            search,
            largest_k: None,
            invariants: InvariantGeneration::All,
            bound_search: Search::default(),
        }
    }
}
