//! The folder of a campaign: its plan, and the results of the runs that have ended.
//!
//! `campaign.json` holds the plan and never changes; `results.jsonl` is a [file of
//! results](super::results).

use super::matrix::Configuration;
use super::outcome::{Category, Judged, Run};
use super::place::Place;
use super::results::{self, Results};
use super::tasks::{Kind, Task};
use crate::comparison::ResourceOptions;
use crate::error::CliError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the format.
const FORMAT: u32 = 1;
/// The file of the plan.
const PLAN: &str = "campaign.json";
/// The file of the results.
const RESULTS: &str = "results.jsonl";

/// The tasks and configurations of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) format: u32,
    /// The version of the program.
    pub(super) version: String,
    /// A hash of the binary.
    pub(super) binary: String,
    pub(super) kind: Kind,
    pub(super) configurations: Vec<Configuration>,
    pub(super) tasks: Vec<Task>,
    pub(super) resources: ResourceOptions,
    #[serde(default)]
    pub(super) place: Place,
}

impl Plan {
    pub(super) fn new(
        binary: String,
        kind: Kind,
        configurations: Vec<Configuration>,
        tasks: Vec<Task>,
        resources: ResourceOptions,
        place: Place,
    ) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Plan { format: FORMAT, version, binary, kind, configurations, tasks, resources, place }
    }

    /// The pairs of a task and a configuration, task by task, so that an interrupted campaign
    /// compares all configurations on the tasks that it has reached.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Task, &Configuration)> {
        self.tasks.iter().flat_map(|task| {
            let runs = |configuration: &&Configuration| {
                task.only.is_empty() || task.only.contains(&configuration.name)
            };
            self.configurations.iter().filter(runs).map(move |configuration| (task, configuration))
        })
    }

    /// Names what differs from `other`, except for the binary, the place, and the number of jobs.
    fn difference(&self, other: &Plan) -> Option<&'static str> {
        let resources = |plan: &Plan| ResourceOptions { jobs: 0, ..plan.resources };
        [
            (self.format != other.format, "the format"),
            (self.kind != other.kind, "the kind of the tasks"),
            (self.configurations != other.configurations, "the configurations"),
            (self.tasks != other.tasks, "the tasks"),
            (resources(self) != resources(other), "the limits"),
        ]
        .into_iter()
        .find_map(|(differs, name)| differs.then_some(name))
    }
}

/// An open campaign.
pub(super) struct Campaign {
    pub(super) folder: PathBuf,
    pub(super) plan: Plan,
    /// The results so far, in the order of the plan.
    pub(super) runs: Vec<Run>,
    pub(super) results: Results,
}

impl Campaign {
    /// Opens the campaign in `folder`, or starts it with `plan`. Without a plan, there must be one.
    ///
    /// # Errors
    /// The folder holds another campaign or another process uses it, or files are broken.
    pub(super) fn open(folder: &Path, plan: Option<Plan>) -> Result<Self, CliError> {
        let plan_file = folder.join(PLAN);
        let plan = match (read_plan(folder)?, plan) {
            (Some(stored), None) => stored,
            (Some(stored), Some(plan)) => {
                if let Some(what) = stored.difference(&plan) {
                    return Err(CliError::Usage(format!(
                        "{}: the campaign in this folder differs in {what}; choose another --output, or give no FILE to continue it",
                        folder.display()
                    )));
                }
                Plan { resources: plan.resources, binary: stored.binary, ..plan }
            }
            (None, Some(plan)) => {
                std::fs::create_dir_all(folder)
                    .map_err(|source| CliError::Io { path: folder.to_path_buf(), source })?;
                write_file(&plan_file, &serde_json::to_vec_pretty(&plan).expect("a plan has a JSON form"))?;
                plan
            }
            (None, None) => {
                return Err(CliError::Usage(format!(
                    "{}: no campaign to continue; name the tasks",
                    folder.display()
                )));
            }
        };
        let path = folder.join(RESULTS);
        let (results, mut runs) = Results::open(&path)?;
        let places = places(&plan);
        let place = |run: &Run| places.get(&(run.task.as_str(), run.configuration.as_str())).copied();
        if let Some(run) = runs.iter().find(|run| place(run).is_none()) {
            return Err(CliError::Task {
                path,
                message: format!("the plan has no run of {} with {}", run.task, run.configuration),
            });
        }
        runs.sort_by_key(place);
        Ok(Campaign { folder: folder.to_path_buf(), plan, runs, results })
    }

    /// The pairs of the plan without a result, each with its number.
    pub(super) fn pending(&self) -> Vec<(usize, &Task, &Configuration)> {
        let done: BTreeSet<(&str, &str)> =
            self.runs.iter().map(|run| (run.task.as_str(), run.configuration.as_str())).collect();
        let pairs = self.plan.pairs().enumerate();
        let pending =
            pairs.filter(|(_, (task, own))| !done.contains(&(task.name.as_str(), own.name.as_str())));
        pending.map(|(number, (task, configuration))| (number, task, configuration)).collect()
    }

    /// The results with their categories, in the order of the plan.
    pub(super) fn judge(&self) -> Vec<Judged<'_>> {
        let tasks: BTreeMap<&str, &Task> =
            self.plan.tasks.iter().map(|task| (task.name.as_str(), task)).collect();
        let judged = self.runs.iter().map(|run| {
            let task = tasks[run.task.as_str()];
            Judged { run, task, category: Category::of(run.answer, task.label, task.disputed) }
        });
        judged.collect()
    }

    /// Adds results that are in the file.
    pub(super) fn extend(&mut self, runs: Vec<Run>) {
        self.runs.extend(runs);
        let places = places(&self.plan);
        self.runs.sort_by_key(|run| places.get(&(run.task.as_str(), run.configuration.as_str())).copied());
    }
}

/// The number of each pair in the plan.
fn places(plan: &Plan) -> BTreeMap<(&str, &str), usize> {
    let pairs = plan.pairs().map(|(task, configuration)| (task.name.as_str(), configuration.name.as_str()));
    pairs.enumerate().map(|(place, pair)| (pair, place)).collect()
}

/// Reads the plan of the campaign in `folder`, if there is one.
pub(super) fn read_plan(folder: &Path) -> Result<Option<Plan>, CliError> {
    read_file(folder.join(PLAN), "a campaign")
}

/// Reads a JSON file. `None` if it is missing; `what` is the name of the contents.
pub(super) fn read_file<T: DeserializeOwned>(path: PathBuf, what: &str) -> Result<Option<T>, CliError> {
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| CliError::Task { path, message: format!("not {what}: {error}") }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(CliError::Io { path, source }),
    }
}

/// Reads the results of another campaign: a folder, or a file of results. An incomplete last line
/// is ignored.
pub(super) fn read_results(path: &Path) -> Result<Vec<Run>, CliError> {
    let path = if path.is_dir() { path.join(RESULTS) } else { path.to_path_buf() };
    std::fs::metadata(&path).map_err(|source| CliError::Io { path: path.clone(), source })?;
    Ok(results::read_from(&path, 0)?.0)
}

/// Writes a file as a whole: a reader sees the old or the new contents.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let io = |source| CliError::Io { path: path.to_path_buf(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_data()).map_err(io)?;
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(permissions).map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}
