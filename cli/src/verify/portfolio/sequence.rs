//! Sequences: the stages of a portfolio, as data.
//!
//! A sequence is a TOML file, built in or given by the user:
//!
//! ```toml
//! about = "proofs of programs with loops"
//!
//! [[stage]]
//! name = "k-induction"
//! when = ["loops", "floats"]   # the program has one of these features
//! needs = ["inputs"]           # and all of these
//! unless = ["recursion"]       # and none of these
//! trial = 0.25                 # seconds of CPU time of a turn before all others
//! turn = 1.0                   # seconds of CPU time of the first turn; the next is twice as long
//! options = ["--algorithm", "k-induction"]
//! ```

use crate::error::CliError;
use crate::portfolio::DEFAULT_SEQUENCE;
use passes::features::{Feature, Features};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use terms::choice::Choice;

/// A sequence of stages.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sequence {
    /// Its purpose, in one sentence without a full stop.
    pub(super) about: String,
    /// The stages, in order.
    #[serde(rename = "stage")]
    pub(super) stages: Vec<Stage>,
}

/// A configuration of `hornwork verify`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    /// The name in messages.
    pub(super) name: String,
    /// Features of which the program must have one; empty for any program.
    #[serde(default)]
    pub(super) when: BTreeSet<Feature>,
    /// Features that the program must have.
    #[serde(default)]
    pub(super) needs: BTreeSet<Feature>,
    /// Features that the program must not have.
    #[serde(default)]
    pub(super) unless: BTreeSet<Feature>,
    /// The effort of the first turn in seconds of CPU time; each turn is twice as long as the one
    /// before.
    #[serde(default = "usual_turn")]
    pub(super) turn: f64,
    /// The effort of a turn before these.
    pub(super) trial: Option<f64>,
    /// The effort of all turns in seconds of CPU time, after which the stage is given up.
    pub(super) limit: Option<f64>,
    /// Options of `hornwork verify`.
    pub(super) options: Vec<String>,
}

fn usual_turn() -> f64 {
    1.0
}

/// The built-in sequences.
const BUILT_IN: &[(&str, &str)] = &[
    (DEFAULT_SEQUENCE, include_str!("../../../sequences/default.toml")),
    ("proof", include_str!("../../../sequences/proof.toml")),
    ("bug-hunting", include_str!("../../../sequences/bug-hunting.toml")),
    ("svcomp", include_str!("../../../sequences/svcomp.toml")),
];

/// The names of the built-in sequences.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|&(name, _)| name)
}

impl Sequence {
    /// The built-in sequence of this name, or that of the file of this name.
    ///
    /// # Errors
    /// If there is neither, or the file is no sequence.
    pub(super) fn read(name: &str) -> Result<Self, CliError> {
        let text = match BUILT_IN.iter().find(|&&(own, _)| own == name) {
            Some(&(_, text)) => text.to_owned(),
            None => std::fs::read_to_string(name).map_err(|source| {
                let known: Vec<&str> = names().collect();
                CliError::Usage(format!(
                    "--sequence {name}: {source}; built-in sequences: {}",
                    known.join(", ")
                ))
            })?,
        };
        Self::parse(&text).map_err(|error| CliError::Usage(format!("{}: {error}", Path::new(name).display())))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let sequence: Sequence = toml::from_str(text).map_err(|error| error.to_string())?;
        if sequence.stages.is_empty() {
            return Err("a sequence needs a stage".to_owned());
        }
        let mut names = BTreeSet::new();
        for stage in &sequence.stages {
            let name = &stage.name;
            if !names.insert(name) {
                return Err(format!("two stages are named `{name}`"));
            }
            let efforts = [("turn", Some(stage.turn)), ("trial", stage.trial), ("limit", stage.limit)];
            for (what, effort) in efforts {
                if effort.is_some_and(|effort| !(effort > 0.0 && effort <= 1e6)) {
                    return Err(format!("stage `{name}`: a {what} is more than 0 and at most 1e6 seconds"));
                }
            }
            if let Some(option) = stage.options_named().find(|option| RESERVED.contains(option)) {
                return Err(format!("stage `{name}`: --{option} belongs to the run as a whole"));
            }
        }
        Ok(sequence)
    }
}

/// Options that a stage cannot have.
const RESERVED: &[&str] = &[
    "jobs",
    "sequence",
    "share",
    "explain",
    "timelimit",
    "memlimit",
    "json",
    "stats",
    "property",
    "check",
    "function",
    "data-model",
    "certificate",
    "stage",
    "exchange",
];

impl Stage {
    /// The names of its options, without leading dashes.
    pub(super) fn options_named(&self) -> impl Iterator<Item = &str> {
        self.options.iter().filter_map(|word| {
            let option = word.strip_prefix("--")?;
            Some(option.split_once('=').map_or(option, |(name, _)| name))
        })
    }

    /// Why the stage does not run on a program with these features; `None` if it runs.
    pub(super) fn obstacle(&self, features: &Features) -> Option<String> {
        let about = |feature: Feature| {
            Feature::TABLE.iter().find(|named| named.value == feature).map_or("", |named| named.about)
        };
        let is_missing = !self.when.is_empty() && !self.when.iter().any(|&feature| features.has(feature));
        if is_missing {
            let wanted: Vec<&str> = self.when.iter().copied().map(about).collect();
            return Some(format!("the program has no {}", wanted.join(" and no ")));
        }
        if let Some(&feature) = self.needs.iter().find(|&&feature| !features.has(feature)) {
            return Some(format!("the program has no {}", about(feature)));
        }
        let present = self.unless.iter().find(|&&feature| features.has(feature));
        present.map(|&feature| format!("the program has {}", about(feature)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Command, Options};
    use std::ffi::OsString;

    #[test]
    fn built_in_sequences_are_valid() {
        for name in names() {
            let sequence = Sequence::read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!sequence.about.is_empty());
            for stage in &sequence.stages {
                let words = ["hornwork", "verify", "file.c"].iter().copied();
                let words = words.chain(stage.options.iter().map(String::as_str)).map(OsString::from);
                let options = Options::parse_from(words).unwrap_or_else(|error| panic!("{name}: {error}"));
                let Command::Verify(verify) = &options.command else { panic!("not verify") };
                let config = verify.analysis.config(&options.given).expect("a configuration");
                let chosen = crate::verify::engine::engine(&config, &options.given);
                assert!(chosen.is_ok(), "{name}, {}: {chosen:?}", stage.name);
            }
        }
    }

    #[test]
    fn mistakes_in_a_sequence_are_named() {
        let stage = |rest: &str| format!("about = \"\"\n[[stage]]\nname = \"a\"\n{rest}");
        let algorithm = "options = [\"--algorithm\", \"bmc\"]\n";
        assert!(Sequence::parse(&stage(algorithm)).is_ok());
        for (text, wanted) in [
            (stage(""), "missing field `options`"),
            (stage("options = [\"--timelimit=3\"]"), "--timelimit belongs to the run"),
            (stage(&format!("turn = 0.0\n{algorithm}")), "a turn is more than 0"),
            (stage(&format!("trial = nan\n{algorithm}")), "a trial is more than 0"),
            (stage(&format!("limit = -1.0\n{algorithm}")), "a limit is more than 0"),
            (stage(&format!("when = [\"lops\"]\n{algorithm}")), "unknown variant `lops`"),
            (stage(&format!("{algorithm}{}", &stage(algorithm)[11..])), "two stages are named `a`"),
            ("about = \"\"\nstage = []\n".to_owned(), "needs a stage"),
        ] {
            let error = Sequence::parse(&text).expect_err(&text);
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
