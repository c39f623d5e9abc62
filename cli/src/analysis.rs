//! Options of the analysis: an algorithm and choices that differ from it.

use crate::error::CliError;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use passes::engines::bmc::Growth;
use passes::engines::predicate::Config;
use passes::engines::predicate::choice::{Choice, Named};
use passes::engines::predicate::config::{
    Abstraction, Facts, ForcedCovering, Granularity, Induction, Merge, Order, Refinement, Region, Restart,
    Scope,
};
use passes::engines::predicate::presets::{BOUNDED, DEFAULT, PRESETS, Preset, preset};
use views::BlockOperator;

/// The names of block operators.
pub(crate) const BLK_NAMES: &str = "sbe|l|lf|never|N";

/// The algorithm, and choices that differ from it.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Algorithm")]
pub struct AnalysisOptions {
    /// How to verify. An algorithm is a row of choices; each choice is an option too, and takes precedence.
    /// [default: k-induction; bmc where choices are given that are not about k-induction]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(presets()))]
    pub algorithm: Option<String>,

    /// Where blocks end: at every basic block (sbe), at loop heads (l), also where calls begin and return (lf), nowhere
    /// (never), or at loop heads and after a number of locations.
    #[arg(long, value_name = BLK_NAMES, value_parser = blk, help_heading = "Choices of the algorithm")]
    pub blk: Option<BlockOperator>,

    /// How abstraction formulas are kept.
    #[arg(long, value_name = "NAME", value_parser = values(Region::ALL), help_heading = "Choices of the algorithm")]
    pub region: Option<String>,

    /// What is computed at the end of a block.
    #[arg(long, value_name = "NAME", value_parser = values(Abstraction::ALL), help_heading = "Choices of the algorithm")]
    pub abstraction: Option<String>,

    /// Whether states of one block at one place are merged.
    #[arg(long, value_name = "NAME", value_parser = values(Merge::ALL), help_heading = "Choices of the algorithm")]
    pub merge: Option<String>,

    /// In which order states are expanded.
    #[arg(long, value_name = "NAME", value_parser = values(Order::ALL), help_heading = "Choices of the algorithm")]
    pub order: Option<String>,

    /// Whether a state is made to be covered where it can be, before it is expanded.
    #[arg(long, value_name = "NAME", value_parser = values(ForcedCovering::ALL), help_heading = "Choices of the algorithm")]
    pub fcover: Option<String>,

    /// What a refinement does with facts.
    #[arg(long, value_name = "NAME", value_parser = values(Refinement::ALL), help_heading = "Choices of the algorithm")]
    pub refinement: Option<String>,

    /// Where facts about infeasible counterexamples come from, in this order.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        value_parser = values(Facts::ALL),
        help_heading = "Choices of the algorithm"
    )]
    pub facts: Vec<String>,

    /// Where a predicate is tracked.
    #[arg(long, value_name = "NAME", value_parser = values(Scope::ALL), help_heading = "Choices of the algorithm")]
    pub scope: Option<String>,

    /// Which predicates are made of a fact.
    #[arg(long, value_name = "NAME", value_parser = values(Granularity::ALL), help_heading = "Choices of the algorithm")]
    pub granularity: Option<String>,

    /// What is explored again after a refinement of the precision.
    #[arg(long, value_name = "NAME", value_parser = values(Restart::ALL), help_heading = "Choices of the algorithm")]
    pub restart: Option<String>,

    /// Whether bounded model checking is extended to all executions by induction.
    #[arg(long, value_name = "NAME", value_parser = values(Induction::ALL), help_heading = "Choices of the algorithm")]
    pub induction: Option<String>,

    /// How the bound of bounded model checking and k-induction grows: by one, or by a factor. [default: *2]
    #[arg(long, value_name = "+1|*F", help_heading = "Choices of the algorithm")]
    pub k_step: Option<Growth>,

    /// How often the head of a loop is entered, at most. If an execution may go on, the answer is UNKNOWN.
    #[arg(long, value_name = "N", help_heading = "Choices of the algorithm")]
    pub loop_bound: Option<u32>,
}

fn presets() -> Vec<PossibleValue> {
    PRESETS.iter().map(|preset| PossibleValue::new(preset.name).help(help_of(preset))).collect()
}

/// The sentence of an algorithm and those of its choices that have an effect there.
fn help_of(preset: &Preset) -> String {
    let config = &preset.config;
    let mut help = format!(
        "{} [{}]: --blk {} --region {} --abstraction {} --merge {} --order {} --fcover {} --refinement {}",
        preset.about,
        preset.source,
        config.blk,
        config.region,
        config.abstraction,
        config.merge,
        config.order,
        config.fcover,
        config.refinement
    );
    if config.refinement != Refinement::None {
        let facts: Vec<&str> = config.facts.iter().map(|facts| facts.name()).collect();
        help += &format!(" --facts {}", facts.join(","));
    }
    if matches!(config.refinement, Refinement::Predicate | Refinement::Ufo) {
        let Config { scope, granularity, restart, .. } = config;
        help += &format!(" --scope {scope} --granularity {granularity} --restart {restart}");
    }
    if config.induction != Induction::None {
        help += &format!(" --induction {}", config.induction);
    }
    help
}

fn values<T>(all: &'static [Named<T>]) -> PossibleValuesParser {
    PossibleValuesParser::new(all.iter().map(|named| PossibleValue::new(named.name).help(named.about)))
}

/// A block operator.
pub(crate) fn blk(text: &str) -> Result<BlockOperator, String> {
    BlockOperator::named(text).ok_or_else(|| "sbe, l, lf, never, or a number of locations".to_owned())
}

impl AnalysisOptions {
    /// The name of the row that the choices differ from.
    fn row(&self) -> &str {
        let choices = [
            &self.region,
            &self.abstraction,
            &self.merge,
            &self.order,
            &self.fcover,
            &self.refinement,
            &self.scope,
            &self.granularity,
            &self.restart,
        ];
        // k-induction leaves no such choice, so whoever makes one has another algorithm in mind.
        let has_choices = choices.iter().any(|choice| choice.is_some())
            || self.blk.is_some()
            || self.loop_bound.is_some()
            || !self.facts.is_empty();
        match &self.algorithm {
            Some(name) => name,
            None if has_choices => BOUNDED,
            None => DEFAULT,
        }
    }

    /// The configuration.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        let preset = preset(self.row()).expect("the parser and the presets have the same names");
        let mut config = preset.config.clone();
        if let Some(blk) = self.blk {
            config.blk = blk;
        }
        set(&mut config.region, self.region.as_deref());
        set(&mut config.abstraction, self.abstraction.as_deref());
        set(&mut config.merge, self.merge.as_deref());
        set(&mut config.order, self.order.as_deref());
        set(&mut config.fcover, self.fcover.as_deref());
        set(&mut config.refinement, self.refinement.as_deref());
        set(&mut config.scope, self.scope.as_deref());
        set(&mut config.granularity, self.granularity.as_deref());
        set(&mut config.restart, self.restart.as_deref());
        set(&mut config.induction, self.induction.as_deref());
        if !self.facts.is_empty() {
            config.facts = self.facts.iter().filter_map(|name| Facts::named(name)).collect();
        }
        if self.loop_bound.is_some() {
            config.loop_bound = self.loop_bound;
        }
        config.check().map_err(|error| CliError::Usage(error.to_string()))?;
        Ok(config)
    }
}

fn set<T: Choice>(field: &mut T, name: Option<&str>) {
    if let Some(value) = name.and_then(T::named) {
        *field = value;
    }
}
