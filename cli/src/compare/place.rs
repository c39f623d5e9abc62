//! Where the runs of a campaign take place.

use crate::choice::Given;
use crate::comparison::{CompareOptions, Executor};
use crate::error::CliError;
use serde::{Deserialize, Serialize};

/// Where the runs of a campaign take place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Place {
    /// On this machine.
    #[default]
    Local,
    /// On the nodes of a cluster.
    Slurm(Slurm),
}

impl Place {
    /// Reads the options of the command line.
    pub(super) fn new(options: &CompareOptions, given: &Given) -> Result<Self, CliError> {
        match (options.executor, &options.slurm_options) {
            (Executor::Local, None) => Ok(Place::Local),
            (Executor::Slurm, words) => {
                let words = words.as_deref().unwrap_or_default();
                Ok(Place::Slurm(Slurm::new(words, options.resources.jobs, given)?))
            }
            (Executor::Local, Some(_)) => {
                Err(CliError::Usage("--slurm-options requires --executor slurm".to_owned()))
            }
        }
    }
}

/// The choices of a user about Slurm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Slurm {
    /// Further options of `sbatch`.
    pub(super) options: Vec<String>,
    /// The most elements that run at the same time; without it, the cluster decides.
    pub(super) jobs: Option<u16>,
}

impl Slurm {
    /// Reads the options of the command line.
    fn new(options: &str, jobs: u16, given: &Given) -> Result<Self, CliError> {
        let options = shlex::split(options)
            .ok_or_else(|| CliError::Usage(format!("--slurm-options {options}: a quote is not closed")))?;
        Ok(Slurm { options, jobs: given.has("jobs").then_some(jobs) })
    }
}
