//! The configuration of k-induction.

use crate::engines::bmc;
use crate::invariants::{STANDARD, Stage};
use inference::{DomainSpec, Search, Shape, Spec, Sum};
use std::time::Duration;
use terms::choice;

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

    /// The part of the effort `spent` so far that the step case may have.
    pub(super) fn share(self, spent: Duration) -> Duration {
        match self {
            Order::BaseFirst => spent / 2,
            Order::StepFirst => spent * 3 / 4,
        }
    }
}

choice! {
    /// The sources of auxiliary invariants, see [`invariants`](crate::invariants).
    #[derive(Default)]
    InvariantGeneration {
        None = "none", "no invariants: plain k-induction";
        Intervals = "intervals", "an interval analysis of the program";
        Templates = "templates", "domains of the strategy solver";
        #[default]
        All = "all", "intervals, then templates";
    }
}

/// The search for auxiliary invariants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvariantOptions {
    /// The sources.
    pub generation: InvariantGeneration,
    /// The domains; `None` for the standard ones.
    pub domains: Option<Spec>,
    /// Linear terms whose bounds are inferred as well.
    pub templates: Vec<Sum>,
    /// How the parameters of bounds are searched.
    pub search: Search,
}

impl InvariantOptions {
    /// The stages of the search for invariants.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        let mut stages = Vec::new();
        if matches!(self.generation, InvariantGeneration::Intervals | InvariantGeneration::All) {
            stages.extend(Stage::RANGES);
        }
        if matches!(self.generation, InvariantGeneration::Templates | InvariantGeneration::All) {
            let standard = || STANDARD.parse().expect("the standard domains are a choice of domains");
            let mut spec = self.domains.clone().unwrap_or_else(standard);
            if !self.templates.is_empty()
                && let Some(first) = spec.stages.first_mut()
            {
                let templates = DomainSpec::Bounds(Shape::Templates(self.templates.clone()));
                *first = DomainSpec::Product(vec![templates, first.clone()]);
            }
            stages.extend(Stage::of(&spec));
        }
        stages
    }
}

impl Config {
    /// A configuration with all sources of invariants.
    pub fn new(search: bmc::Config) -> Self {
        Config { search, largest_k: None, invariants: InvariantOptions::default(), order: Order::BaseFirst }
    }
}
