//! Options of the portfolio.

use crate::Streams;
use crate::analysis::AnalysisOptions;
use crate::choice::{Given, choice};
use crate::error::CliError;
use clap::Args;
use std::path::PathBuf;

/// The sequence without `--sequence`.
pub(crate) const DEFAULT_SEQUENCE: &str = "default";

/// The line that a stage writes when it has a proof, before the validation of its certificate.
pub(crate) const PROVED: &str = "hornwork-stage: proved";

terms::choice! {
    /// The facts that the stages of a portfolio share.
    #[derive(Default)]
    Share {
        #[default]
        Facts = "facts", "predicates, invariants as candidates, and bounds without an error";
        None = "none", "nothing";
    }
}

/// The portfolio.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Algorithm")]
pub struct PortfolioOptions {
    /// The stages of --algorithm auto: a TOML file, or default, proof, bug-hunting or svcomp.
    ///
    /// Each stage is a configuration in a process of its own. The stages take turns: a turn ends
    /// after some CPU time, and the next turn of the stage is twice as long. The first
    /// counterexample or validated proof ends the run.
    #[arg(long, hide_short_help = true, value_name = "FILE|NAME", default_value = DEFAULT_SEQUENCE)]
    pub sequence: String,

    /// The number of stages of --algorithm auto that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// The facts that the stages of --algorithm auto share.
    ///
    /// A stage proves the facts of the others again, or uses them as hints, so no verdict rests on
    /// them.
    #[arg(long, hide_short_help = true, value_parser = choice::<Share>(), default_value_t = Share::Facts, value_name = "WHAT")]
    pub share: Share,

    /// Print the stages of --algorithm auto, why they were chosen, and what became of them.
    #[arg(long, hide_short_help = true)]
    pub explain: bool,

    /// The width of the terminal of the run that this run is a stage of; 0 for no terminal.
    #[arg(long, hide = true, value_name = "COLUMNS")]
    pub stage: Option<usize>,

    /// The file of the facts of this stage, in a folder with those of the others.
    #[arg(long, hide = true, value_name = "FILE")]
    pub exchange: Option<PathBuf>,
}

impl PortfolioOptions {
    /// Whether the run is a portfolio.
    ///
    /// # Errors
    /// Options that belong to a portfolio without one, or to one algorithm with one.
    pub(crate) fn is_wanted(&self, analysis: &AnalysisOptions, given: &Given) -> Result<bool, CliError> {
        if analysis.is_auto(given)? {
            return Ok(true);
        }
        match ["sequence", "jobs", "share", "explain"].into_iter().find(|option| given.has(option)) {
            Some(option) => Err(CliError::Usage(format!(
                "--{option} needs --algorithm auto without options of one algorithm"
            ))),
            None => Ok(false),
        }
    }

    /// Tells the portfolio, if any, that this stage has a proof, and validates it next.
    pub(crate) fn say_proved(&self, streams: &mut Streams<'_>) {
        if self.stage.is_some() {
            // The portfolio has ended if this fails.
            let _ = writeln!(streams.out, "{PROVED}");
            let _ = streams.out.flush();
        }
    }
}
