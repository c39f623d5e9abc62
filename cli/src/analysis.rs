//! Options of the analysis: a preset algorithm, and operators that override its choices.

use crate::choice::{Given, Operators, choice};
use crate::clauses::Engine;
use crate::error::CliError;
use crate::inference::InferenceOptions;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use passes::engines::bmc::{CounterexampleCheck, Growth};
use passes::engines::predicate::Config;
use passes::engines::predicate::options::{OPERATORS, base};
use passes::engines::predicate::presets::{BOUNDED, DEFAULT, PRESETS, Preset, preset};
use passes::engines::predicate::restrictions::Restrictions;
use passes::invariants::{InvariantGeneration, InvariantOptions};

/// An algorithm, with the operators that override its choices.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Algorithm")]
pub struct AnalysisOptions {
    /// The algorithm, or auto: several in turn [default: auto].
    ///
    /// An algorithm is a preset of choices. Each choice is also an option, which overrides the
    /// preset. With such options, the default is k-induction, or bmc if they do not apply to it.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(presets()))]
    pub algorithm: Option<String>,

    /// The operators of the analysis.
    #[command(flatten)]
    pub operators: Operators,

    /// The growth of the bound (bmc, k-induction, kiki, pdr, horn): +1, or a factor [default: *2].
    #[arg(long, hide_short_help = true, value_name = "+1|*F", help_heading = "Choices of the algorithm")]
    pub k_step: Option<Growth>,

    /// The first bound (bmc, k-induction, kiki, pdr, horn) [default: 1].
    #[arg(long, hide_short_help = true, value_name = "K", help_heading = "Choices of the algorithm")]
    pub k_first: Option<u32>,

    /// The largest k of the step case (k-induction, kiki) [default: the bound].
    #[arg(long, hide_short_help = true, value_name = "K", help_heading = "Choices of the algorithm")]
    pub k_max: Option<u32>,

    /// The check of counterexamples that do not replay, in encodings that are not exact [default:
    /// exact].
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAME",
        help_heading = "Choices of the algorithm",
        value_parser = choice::<CounterexampleCheck>()
    )]
    pub counterexample_check: Option<CounterexampleCheck>,

    /// The engines of horn, in the order of their turns [default: all].
    #[arg(
        long,
        hide_short_help = true,
        value_name = "ENGINE,…",
        value_delimiter = ',',
        help_heading = "Choices of the algorithm",
        value_parser = choice::<Engine>()
    )]
    pub engine: Vec<Engine>,

    /// The sources of auxiliary invariants (k-induction, kiki, pdr, --inject) [default: all].
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAME",
        help_heading = "Inference of invariants",
        value_parser = choice::<InvariantGeneration>()
    )]
    pub invariants: Option<InvariantGeneration>,

    /// The domains of the invariants.
    #[command(flatten)]
    pub inference: InferenceOptions,

    /// The maximal number of iterations of each loop. UNKNOWN if an execution may exceed it.
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = "Choices of the algorithm")]
    pub loop_bound: Option<u32>,

    /// The maximal number of basic blocks on a path. UNKNOWN if an execution may exceed it.
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = "Choices of the algorithm")]
    pub path_bound: Option<u32>,

    /// The maximal number of calls on a path, of functions with a body. UNKNOWN if an execution may
    /// exceed it.
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = "Choices of the algorithm")]
    pub call_bound: Option<u32>,
}

/// The name of the portfolio.
pub(crate) const AUTO: &str = "auto";

/// The options that belong to one algorithm, beside the operators.
const OF_ONE: &[&str] = &[
    "unwind",
    "max-unwind",
    "unwindset",
    "loop-bound",
    "path-bound",
    "call-bound",
    "k-step",
    "k-first",
    "k-max",
    "counterexample-check",
    "engine",
    "invariants",
    "domains",
    "template",
    "bound-search",
    "interpolation",
    "dump",
    "dump-refinements",
    "precision-in",
    "precision-out",
    "record",
];

fn presets() -> Vec<PossibleValue> {
    let auto = PossibleValue::new(AUTO).help("a sequence of algorithms, which take turns: see --sequence");
    let presets = PRESETS.iter().map(|preset| PossibleValue::new(preset.name).help(help_of(preset)));
    std::iter::once(auto).chain(presets).collect()
}

/// Returns the help of an algorithm: its description and the choices that have an effect with it.
fn help_of(preset: &Preset) -> String {
    let shown = OPERATORS.iter().filter_map(|operator| Some((operator.name, operator.show(&preset.config)?)));
    let options: Vec<String> = shown.map(|(name, value)| format!("--{name} {value}")).collect();
    format!("{} [{}]: {}", preset.about, preset.source, options.join(" "))
}

impl AnalysisOptions {
    /// Whether the algorithms of a sequence run.
    ///
    /// # Errors
    /// If an option belongs to one algorithm.
    pub(crate) fn is_auto(&self, given: &Given) -> Result<bool, CliError> {
        let is_auto = self.name(given) == AUTO;
        match self.option_of_one(given).filter(|_| is_auto) {
            Some(option) => Err(CliError::Usage(format!(
                "--{option} belongs to one algorithm: choose one with --algorithm"
            ))),
            None => Ok(is_auto),
        }
    }

    /// Returns the name of the chosen or default algorithm.
    pub(crate) fn name(&self, given: &Given) -> &str {
        match (&self.algorithm, self.restrictions() != Restrictions::NONE) {
            (Some(name), _) => name,
            (None, true) => BOUNDED,
            (None, false) => match self.option_of_one(given) {
                Some(_) => base(self.operators.names()),
                None => AUTO,
            },
        }
    }

    fn restrictions(&self) -> Restrictions {
        Restrictions { iterations: self.loop_bound, length: self.path_bound, calls: self.call_bound }
    }

    /// Returns an option on the command line that belongs to one algorithm.
    fn option_of_one(&self, given: &Given) -> Option<&'static str> {
        let own = OF_ONE.iter().copied().find(|option| given.has(option));
        own.or_else(|| self.operators.names().next())
    }

    /// Returns the search for auxiliary invariants.
    pub(crate) fn invariants(&self) -> InvariantOptions {
        self.inference.of(self.invariants)
    }

    /// Returns the configuration: the preset with the given operators applied.
    ///
    /// # Errors
    /// Incompatible options.
    pub(crate) fn config(&self, given: &Given) -> Result<Config, CliError> {
        let name = match self.name(given) {
            // A run that cannot start processes.
            AUTO => DEFAULT,
            name => name,
        };
        let preset = preset(name).expect("the parser accepts only names of presets");
        let mut config = preset.config.clone();
        self.operators.apply(&mut config);
        config.restrictions = self.restrictions();
        config.check().map_err(|error| CliError::Usage(error.to_string()))?;
        Ok(config)
    }
}
