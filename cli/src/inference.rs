//! Options of the inference of invariants, for all commands that infer them.

use crate::choice::choice;
use clap::Args;
use passes::invariants::{DOMAINS, InvariantGeneration, InvariantOptions, Search, Spec, Sum};

/// The domains and their search.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Inference of invariants")]
pub struct InferenceOptions {
    /// The domains of the strategy solver, such as `intervals,equalities*zones,paths(octagons)`.
    #[arg(long, value_name = "DOMAINS", hide_short_help = true, long_help = domains_help())]
    pub domains: Option<Spec>,

    /// Also infer bounds of a sum, such as `2*x-y`, wherever its variables live.
    #[arg(long, value_name = "SUM", hide_short_help = true, allow_hyphen_values = true)]
    pub template: Vec<Sum>,

    /// How bounds are searched: steps of a bound that keeps growing [default: gallop].
    #[arg(long, value_name = "NAME", hide_short_help = true, value_parser = choice::<Search>())]
    pub bound_search: Option<Search>,
}

impl InferenceOptions {
    /// Returns the search of a source. Chosen domains alone imply no other source.
    pub(crate) fn of(&self, generation: Option<InvariantGeneration>) -> InvariantOptions {
        let InferenceOptions { domains, template, bound_search } = self.clone();
        let implied = match domains {
            Some(_) => InvariantGeneration::Templates,
            None => InvariantGeneration::default(),
        };
        InvariantOptions {
            generation: generation.unwrap_or(implied),
            domains,
            templates: template,
            search: bound_search.unwrap_or_default(),
        }
    }
}

fn domains_help() -> String {
    let mut help = "The domains of the strategy solver.\n\n\
        `,` separates stages: each is solved in the context of the invariants of the previous ones. \
        `*` combines domains side by side, `paths(…)` uses one element for each way into a loop, `phases(…)` \
        one for each truth value of the conditions in a loop. \
        `segments(…)` speaks of all cells of arrays, with one element for each segment such as \
        `0 <= k < i`; its invariants are a proof, not facts for a step case. `backward(…)` is a stage with the complements \
        of states from which an error may be reached.\n\n\
        Domains:"
        .to_owned();
    for (name, about, _) in DOMAINS {
        help += &format!("\n- {name}: {about}");
    }
    help
}
