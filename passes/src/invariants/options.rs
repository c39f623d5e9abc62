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
        Expressions = "expressions", "the Invariants CPA: expressions over disjunctive intervals";
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
        if self.generation == InvariantGeneration::Expressions {
            stages.extend(Stage::EXPRESSIONS);
        }
        if let Some(spec) = self.spec(STANDARD) {
            stages.extend(Stage::of(&spec));
        }
        stages
    }

    /// The domains of the strategy solver, by default those of `standard`; `None` without templates
    /// among the sources.
    ///
    /// # Panics
    /// If `standard` is no choice of domains.
    pub(crate) fn spec(&self, standard: &str) -> Option<Spec> {
        if !matches!(self.generation, InvariantGeneration::Templates | InvariantGeneration::All) {
            return None;
        }
        let standard = || standard.parse().expect("the standard domains are a choice of domains");
        let mut spec: Spec = self.domains.clone().unwrap_or_else(standard);
        if !self.templates.is_empty()
            && let Some(first) = spec.stages.first_mut()
        {
            let templates = DomainSpec::Bounds(Shape::Templates(self.templates.clone()));
            *first = first.beside(templates);
        }
        Some(Spec { search: self.search, ..spec })
    }
}
