//! The choice of sources and domains.

use super::templates::{STANDARD, Stage};
use inference::{DomainSpec, Search, Shape, Spec, Sum};
use terms::choice;

choice! {
    /// The sources of auxiliary invariants, see the [module](super).
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
