//! The options of `hornwork horn --solve`.

use crate::choice::choice;
use crate::options::LimitOptions;
use clap::Args;

/// `--solve` and its options.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Solving")]
pub struct SolveOptions {
    /// Decide whether the clauses are satisfiable.
    #[arg(long, conflicts_with_all = ["to", "output"])]
    pub solve: bool,

    /// The engine.
    #[arg(long, value_parser = choice::<Engine>(), value_name = "ENGINE", requires = "solve")]
    pub engine: Option<Engine>,

    /// The solver of the queries of pdr and templates.
    #[arg(long, value_name = "NAME", requires = "solve")]
    pub solver: Option<String>,

    /// Print the model or the derivation before the answer.
    #[arg(long, requires = "solve")]
    pub evidence: bool,

    /// Print the answer, or the class and the size of the system, as one JSON object.
    #[arg(long, conflicts_with = "to")]
    pub json: bool,

    /// The number of engines of auto that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Run as a stage of --engine auto.
    #[arg(long, hide = true)]
    pub stage: bool,
}

impl SolveOptions {
    /// The chosen engine.
    pub(super) fn engine(&self) -> Engine {
        self.engine.unwrap_or(Engine::Auto)
    }
}

terms::choice! {
    /// An engine for systems of Horn clauses.
    Engine {
        Auto = "auto", "several engines take turns";
        Pdr = "pdr", "property-directed reachability; answers sat and unsat";
        Templates = "templates", "template-based inference; answers sat";
        Spacer = "spacer", "the engine of Z3; answers sat and unsat";
    }
}
