//! The folder of a campaign: its plan, and the results of the runs that have ended.
//!
//! `campaign.json` holds the plan and never changes. `results.jsonl` has one line for each run, in
//! the order in which the runs ended. A line is written at once and synchronized with the disk, so
//! a campaign that is killed loses the runs in progress and nothing else; a line without its end,
//! left by a machine that lost power, is removed. A lock keeps a second process out.

use super::matrix::Configuration;
use super::outcome::{Category, Judged, Run};
use super::tasks::{Kind, Task};
use crate::comparison::ResourceOptions;
use crate::error::CliError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
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
}

impl Plan {
    pub(super) fn new(
        binary: String,
        kind: Kind,
        configurations: Vec<Configuration>,
        tasks: Vec<Task>,
        resources: ResourceOptions,
    ) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Plan { format: FORMAT, version, binary, kind, configurations, tasks, resources }
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

    /// Names what differs from `other`, except for the binary and the number of jobs.
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
    file: File,
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
        let io = |source| CliError::Io { path: path.clone(), source };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::Usage(format!(
                    "{}: another process runs this campaign",
                    folder.display()
                )));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) => tracing::warn!("{}: cannot lock: {error}", path.display()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        if complete < bytes.len() {
            tracing::warn!("{}: the last line is incomplete and is removed", path.display());
            file.set_len(complete as u64).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        let mut runs = parse(&path, &bytes[..complete])?;
        let places = places(&plan);
        let place = |run: &Run| places.get(&(run.task.as_str(), run.configuration.as_str())).copied();
        if let Some(run) = runs.iter().find(|run| place(run).is_none()) {
            return Err(CliError::Task {
                path,
                message: format!("the plan has no run of {} with {}", run.task, run.configuration),
            });
        }
        runs.sort_by_key(place);
        Ok(Campaign { folder: folder.to_path_buf(), plan, runs, file })
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

    /// A second handle of the results, for the process that appends.
    pub(super) fn log(&self) -> Result<Log, CliError> {
        let path = self.folder.join(RESULTS);
        match self.file.try_clone() {
            Ok(file) => Ok(Log { file, path }),
            Err(source) => Err(CliError::Io { path, source }),
        }
    }

    /// Adds results, which [`Log`] has written.
    pub(super) fn extend(&mut self, runs: Vec<Run>) {
        self.runs.extend(runs);
        let places = places(&self.plan);
        self.runs.sort_by_key(|run| places.get(&(run.task.as_str(), run.configuration.as_str())).copied());
    }
}

/// The writer of results.
pub(super) struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Appends a result, and returns when it is on the disk.
    pub(super) fn append(&mut self, run: &Run) -> Result<(), CliError> {
        let io = |source| CliError::Io { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(run).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        // One call, so that lines are never interleaved.
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(io)
    }
}

/// The number of each pair in the plan.
fn places(plan: &Plan) -> BTreeMap<(&str, &str), usize> {
    let pairs = plan.pairs().map(|(task, configuration)| (task.name.as_str(), configuration.name.as_str()));
    pairs.enumerate().map(|(place, pair)| (pair, place)).collect()
}

/// Reads the plan of the campaign in `folder`, if there is one.
fn read_plan(folder: &Path) -> Result<Option<Plan>, CliError> {
    let path = folder.join(PLAN);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| CliError::Task { path, message: format!("not a campaign: {error}") }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(CliError::Io { path, source }),
    }
}

/// Parses results. A pair that occurs twice counts once, with its last result.
fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Run>, CliError> {
    let mut runs: Vec<Run> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    for (number, line) in lines {
        let run: Run = serde_json::from_slice(line).map_err(|error| CliError::Task {
            path: path.to_path_buf(),
            message: format!("line {}: {error}", number + 1),
        })?;
        match places.entry((run.task.clone(), run.configuration.clone())) {
            std::collections::btree_map::Entry::Occupied(place) => runs[*place.get()] = run,
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(runs.len());
                runs.push(run);
            }
        }
    }
    Ok(runs)
}

/// Reads the results of another campaign: a folder, or a file of results. An incomplete last line
/// is ignored.
pub(super) fn read_results(path: &Path) -> Result<Vec<Run>, CliError> {
    let path = if path.is_dir() { path.join(RESULTS) } else { path.to_path_buf() };
    let bytes = std::fs::read(&path).map_err(|source| CliError::Io { path: path.clone(), source })?;
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    parse(&path, &bytes[..complete])
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
