//! The stages of a sequence that run on a program.

use super::sequence::{Sequence, Stage};
use crate::answer::Form;
use crate::certificate::Validation;
use crate::choice::Given;
use crate::error::CliError;
use crate::input;
use crate::options::{Command, Options, VerifyOptions};
use crate::solving::Solving;
use crate::verify::engine;
use passes::features::{Feature, Features};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt::Write;
use terms::choice::Choice;

/// The stages that run, and the others with the reason why they do not.
pub(super) struct Plan {
    name: String,
    about: String,
    features: Features,
    pub(super) stages: Vec<Stage>,
    skipped: Vec<(String, String)>,
}

/// Options of the portfolio, which its stages do not have.
const OWN: &[&str] = &["algorithm", "sequence", "jobs", "share", "explain"];

impl Plan {
    /// Chooses stages for a program.
    ///
    /// # Errors
    /// If no stage suits the program, or the options of one are incompatible with the command line.
    pub(super) fn new(
        name: &str,
        sequence: Sequence,
        features: Features,
        given: &Given,
    ) -> Result<Self, CliError> {
        let mut plan = Plan {
            name: name.to_owned(),
            about: sequence.about,
            features,
            stages: Vec::new(),
            skipped: Vec::new(),
        };
        for stage in sequence.stages {
            let chosen = stage.options_named().find(|&option| option != "algorithm" && given.has(option));
            let obstacle = match chosen {
                Some(option) => Some(format!("--{option} is on the command line")),
                None => stage.obstacle(&plan.features),
            };
            match obstacle {
                Some(obstacle) => plan.skipped.push((stage.name, obstacle)),
                None => match parse(&stage, arguments(&stage, given, &[], &[])) {
                    Ok(_) => plan.stages.push(stage),
                    Err(CliError::Unsuitable(reason)) => plan.skipped.push((stage.name, reason)),
                    Err(error) => return Err(error),
                },
            }
        }
        if plan.stages.is_empty() {
            return Err(CliError::Usage(format!("no stage of --sequence {name} runs:\n{}", plan.reasons())));
        }
        Ok(plan)
    }

    fn reasons(&self) -> String {
        let mut text = String::new();
        for (stage, reason) in &self.skipped {
            let _ = writeln!(text, "  - {stage} is skipped: {reason}");
        }
        text
    }

    /// The plan as text.
    pub(super) fn describe(&self) -> String {
        let Features { features, functions, loops, instructions } = &self.features;
        let shown: Vec<&str> = features.iter().map(|feature| about(*feature)).collect();
        let mut text = format!(
            "The program has {instructions} instructions, {loops} loops, {functions} functions; {}.\n\
             Sequence {}: {}.\n",
            if shown.is_empty() {
                "no features".to_owned()
            } else {
                format!("features: {}", shown.join("; "))
            },
            self.name,
            self.about
        );
        for (number, stage) in self.stages.iter().enumerate() {
            let Stage { name, turn, trial, limit, options, .. } = stage;
            let trial = trial.map_or_else(String::new, |trial| format!("trial {trial} s, "));
            let limit = limit.map_or_else(String::new, |limit| format!(", at most {limit} s"));
            let options = options.join(" ");
            let _ = writeln!(text, "  {}. {name} ({trial}first turn {turn} s{limit}): {options}", number + 1);
        }
        text + &self.reasons()
    }

    /// The plan as JSON, without the stages.
    pub(super) fn json(&self) -> Value {
        let skipped = self.skipped.iter().map(|(name, reason)| json!({ "name": name, "reason": reason }));
        json!({
            "sequence": self.name,
            "features": self.features,
            "skipped": skipped.collect::<Vec<_>>(),
        })
    }
}

fn about(feature: Feature) -> &'static str {
    Feature::TABLE.iter().find(|named| named.value == feature).map_or("", |named| named.about)
}

/// The arguments of a stage, after the name of the program: those on the command line, without the
/// options `without`, then those of the stage, and `more`.
pub(super) fn arguments(stage: &Stage, given: &Given, without: &[&str], more: &[OsString]) -> Vec<OsString> {
    let own: Vec<OsString> = stage.options.iter().map(OsString::from).chain(more.iter().cloned()).collect();
    let mut arguments = vec![OsString::from("verify")];
    arguments.extend(given.words(&[OWN, without].concat(), &own));
    arguments
}

/// Parses the arguments of a stage, and reports all errors of usage that the stage would.
pub(super) fn parse(stage: &Stage, arguments: Vec<OsString>) -> Result<(Options, VerifyOptions), CliError> {
    let usage = |error: String| CliError::Usage(format!("stage `{}`: {error}", stage.name));
    let words = std::iter::once(OsString::from("hornwork")).chain(arguments);
    let options = Options::parse_from(words).map_err(|error| usage(error.to_string()))?;
    let Command::Verify(verify) = &options.command else {
        return Err(usage("not options of `hornwork verify`".to_owned()));
    };
    let verify = VerifyOptions::clone(verify);
    let config = verify.analysis.config(&options.given).map_err(|error| usage(error.to_string()))?;
    engine::engine(&config, &options.given).map_err(|error| usage(error.to_string()))?;
    // Errors of options that all stages share are not theirs.
    input::pipeline(&verify.passes)?;
    let encoding = Some(verify.encoding.encoding);
    let solving = Solving::of(&verify.solving, &verify.limits, encoding)?;
    Validation::new(&verify.evidence, &solving, encoding, Form::Text)?;
    Ok((options, verify))
}
