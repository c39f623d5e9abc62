//! A campaign on a Slurm cluster (`--executor slurm`), through a folder that all machines share.
//!
//! A *submission* is a job array for all runs that are pending. Its folder, `slurm/NNNN` in that of
//! the campaign, has the runs of each *element* of the array, a file of results and a log for each.
//! The runs are dealt out in turns, so each element has some of each part of the campaign, and
//! there are many more elements than places where they run. An [element] makes its runs one after
//! another, as a local campaign does.
//!
//! This process submits, waits until Slurm lists the array no more, and moves the results to
//! `results.jsonl`. It may end at any time: the name of the array consists of a hash of the folder
//! and the number of the submission, so the next process finds the array if it is still there. An
//! element that Slurm starts again, after the failure of a node, continues after its last result.
//! Runs that are left over, since an element was cancelled or its node failed, are submitted again
//! as long as each submission finishes some.
//!
//! The limits and measurements of a run are those of its [supervisor](super::supervise) on the
//! node, within those of Slurm. Source: the manuals of `sbatch` and `squeue`, Slurm 22.05.
//!
//! LIMITS: nodes need the folder, the tasks and the binary at the same paths. Where Slurm does not
//! bind jobs to processor cores, runs are not bound either. Files of results are opened anew for
//! each look, because network file systems show changes then.

mod element;

use super::campaign::{Campaign, read_file, write_file};
use super::outcome::Run;
use super::place::Slurm;
use super::{binary, results, runner};
use crate::Streams;
use crate::error::CliError;
use crate::sample::hash;
pub(crate) use element::run as run_element;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The folder of the submissions.
const FOLDER: &str = "slurm";
/// The most elements of an array, unless the cluster permits fewer.
const ELEMENTS: usize = 1000;
/// The number of elements for each that runs at the same time, where the user limits those: to
/// start one takes Slurm a second or more, and with too few, the last ones run alone for long.
const ELEMENTS_PER_JOB: usize = 8;
/// The memory of an element beside that of its run in megabytes: of the two processes that
/// supervise it, and of files in the cache.
const OVERHEAD: u64 = 512;
/// The time in seconds of a run beside its time limit.
const MARGIN: f64 = 10.0;
/// The first and the longest time between two looks at the queue.
const PERIODS: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));
/// The time for which the queue may be out of reach.
const PATIENCE: Duration = Duration::from_secs(600);

/// The runs of a submission.
#[derive(Serialize, Deserialize)]
struct Batch {
    /// A hash of the binary.
    binary: String,
    /// The numbers of the runs of each element.
    elements: Vec<Vec<usize>>,
}

/// A submission of a campaign.
struct Submission {
    number: usize,
    folder: PathBuf,
    /// The name of the job.
    name: String,
}

impl Submission {
    fn new(campaign: &Path, number: usize) -> Self {
        let name = format!("hornwork-{:016x}-{number:04}", hash(&campaign.to_string_lossy()));
        Submission { number, folder: campaign.join(FOLDER).join(format!("{number:04}")), name }
    }

    fn batch(&self) -> PathBuf {
        self.folder.join("batch.json")
    }

    /// The file of the results of an element.
    fn results(&self, element: usize) -> PathBuf {
        self.folder.join(format!("{element:04}.jsonl"))
    }

    /// Reads the runs. `None` if there is no such submission.
    fn read(&self) -> Result<Option<Batch>, CliError> {
        read_file(self.batch(), "a submission")
    }
}

/// Makes the pending runs of `campaign` on the cluster. `program` is the binary of hornwork.
///
/// # Errors
/// Slurm refuses the array or is out of reach, or a submission finishes no run. Results so far are
/// kept.
pub(super) fn run(
    campaign: &mut Campaign,
    slurm: &Slurm,
    program: &Path,
    quiet: bool,
    streams: &mut Streams<'_>,
) -> Result<(), CliError> {
    if campaign.plan.resources.memlimit == 0 {
        let text = "--executor slurm requires --memlimit: the memory of the nodes is not known here";
        return Err(CliError::Usage(text.to_owned()));
    }
    let folder = canonical(campaign)?;
    std::fs::create_dir_all(folder.join(runner::LOGS))
        .map_err(|source| CliError::Io { path: folder.join(runner::LOGS), source })?;
    let total = campaign.plan.pairs().count();
    let bar = runner::progress(total, campaign.runs.len(), streams.is_terminal && !quiet);
    let mut gathered = Gathered::default();
    let last = gathered.gather_all(campaign, &folder)?;
    let mut next = last.as_ref().map_or(1, |submission| submission.number + 1);
    if let Some(submission) = last
        && queue(&submission.name)?.is_some()
    {
        wait(campaign, &submission, &mut gathered, &bar)?;
    }
    while !campaign.pending().is_empty() {
        let done = campaign.runs.len();
        let submission = Submission::new(&folder, next);
        let job = submit(campaign, &submission, slurm, program)?;
        if !quiet {
            let _ = writeln!(
                streams.err,
                "job {job} of Slurm: {} runs, which go on if this command ends; `scancel {job}` ends them",
                campaign.pending().len()
            );
        }
        wait(campaign, &submission, &mut gathered, &bar)?;
        if campaign.runs.len() == done {
            return Err(CliError::Usage(format!(
                "job {job} of Slurm ended without a result; its logs are in {}",
                submission.folder.display()
            )));
        }
        next += 1;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Prepares a campaign that continues without Slurm: moves what arrays have written meanwhile.
///
/// # Errors
/// An array is still there and would make the same runs.
pub(super) fn leave(campaign: &mut Campaign) -> Result<(), CliError> {
    let folder = canonical(campaign)?;
    let last = Gathered::default().gather_all(campaign, &folder)?;
    // Where Slurm is out of reach, its array is not waited for.
    if let Some(Submission { name, .. }) = last
        && !campaign.pending().is_empty()
        && let Ok(Some(state)) = queue(&name)
    {
        return Err(CliError::Usage(format!(
            "the array of this campaign is still there ({state}): `scancel --name={name}` ends it, and --executor slurm waits for it"
        )));
    }
    Ok(())
}

/// The path of the folder of a campaign on all machines.
fn canonical(campaign: &Campaign) -> Result<PathBuf, CliError> {
    std::fs::canonicalize(&campaign.folder)
        .map_err(|source| CliError::Io { path: campaign.folder.clone(), source })
}

/// The results that were moved: of each file, the number of bytes.
#[derive(Default)]
struct Gathered(BTreeMap<PathBuf, u64>);

impl Gathered {
    /// Moves new results of all submissions to those of the campaign. Returns the last submission.
    fn gather_all(&mut self, campaign: &mut Campaign, folder: &Path) -> Result<Option<Submission>, CliError> {
        let mut last = None;
        for number in 1.. {
            let submission = Submission::new(folder, number);
            if submission.read()?.is_none() {
                break;
            }
            self.gather(campaign, &submission)?;
            last = Some(submission);
        }
        Ok(last)
    }

    /// Moves new results of `submission` to those of the campaign.
    fn gather(&mut self, campaign: &mut Campaign, submission: &Submission) -> Result<(), CliError> {
        let elements = submission.read()?.map_or(0, |batch| batch.elements.len());
        let mut new: Vec<Run> = Vec::new();
        for element in 0..elements {
            let path = submission.results(element);
            let start = self.0.entry(path.clone()).or_insert(0);
            let (runs, end) = results::read_from(&path, *start)?;
            *start = end;
            new.extend(runs);
        }
        let pending: BTreeSet<(&str, &str)> = campaign
            .pending()
            .into_iter()
            .map(|(_, task, configuration)| (task.name.as_str(), configuration.name.as_str()))
            .collect();
        new.retain(|run| pending.contains(&(run.task.as_str(), run.configuration.as_str())));
        campaign.results.append_all(&new)?;
        campaign.extend(new);
        Ok(())
    }
}

/// Waits until the runs of `submission` are finished or its array has ended.
fn wait(
    campaign: &mut Campaign,
    submission: &Submission,
    gathered: &mut Gathered,
    bar: &ProgressBar,
) -> Result<(), CliError> {
    let mut period = PERIODS.0;
    let mut reached = Instant::now();
    loop {
        // In this order: what an array has written before it ended is seen.
        let state = queue(&submission.name);
        gathered.gather(campaign, submission)?;
        bar.set_position(campaign.runs.len() as u64);
        if campaign.pending().is_empty() {
            return Ok(());
        }
        match state {
            Ok(None) => return Ok(()),
            Ok(Some(state)) => {
                reached = Instant::now();
                bar.set_message(state);
            }
            Err(error) if reached.elapsed() > PATIENCE => return Err(error),
            Err(error) => tracing::warn!("{error}"),
        }
        std::thread::sleep(period);
        period = (period * 3 / 2).min(PERIODS.1);
    }
}

/// Submits an array for all pending runs, and returns the number of the job.
fn submit(
    campaign: &Campaign,
    submission: &Submission,
    slurm: &Slurm,
    program: &Path,
) -> Result<String, CliError> {
    let pending = campaign.pending();
    let wanted = slurm.jobs.map_or(ELEMENTS, |jobs| usize::from(jobs) * ELEMENTS_PER_JOB);
    let count = pending.len().min(wanted).min(largest_array());
    let mut elements = vec![Vec::new(); count];
    for (place, (number, ..)) in pending.iter().enumerate() {
        elements[place % count].push(*number);
    }
    let most = elements.iter().map(Vec::len).max().unwrap_or(0);
    let batch = Batch { binary: binary(program)?, elements };
    std::fs::create_dir_all(&submission.folder)
        .map_err(|source| CliError::Io { path: submission.folder.clone(), source })?;
    // Files that exist are not forgotten by the caches of network file systems.
    for element in 0..count {
        let path = submission.results(element);
        std::fs::write(&path, "").map_err(|source| CliError::Io { path, source })?;
    }
    write_file(&submission.batch(), &serde_json::to_vec(&batch).expect("numbers have a JSON form"))?;
    let resources = campaign.plan.resources;
    let folder = canonical(campaign)?;
    let quoted = |path: &Path| {
        let text = path.to_string_lossy();
        let quoted = shlex::try_quote(&text).map(std::borrow::Cow::into_owned);
        quoted.map_err(|_| CliError::Usage(format!("{}: a name with a NUL byte", path.display())))
    };
    let script = format!(
        "exec {} array-element --campaign {} --submission {} --element \"$SLURM_ARRAY_TASK_ID\"",
        quoted(program)?,
        quoted(&folder)?,
        submission.number
    );
    let throttle = slurm.jobs.map_or_else(String::new, |jobs| format!("%{jobs}"));
    let mut command = Command::new("sbatch");
    command
        .arg("--parsable")
        .arg(format!("--job-name={}", submission.name))
        .arg(format!("--array=0-{}{throttle}", count - 1))
        .arg("--ntasks=1")
        .arg(format!("--cpus-per-task={}", resources.cores))
        .arg(format!("--mem={}M", resources.memlimit + OVERHEAD))
        .arg("--open-mode=append")
        .arg("--output=%4a.log")
        .arg("--chdir")
        .arg(&submission.folder);
    if resources.timelimit > 0.0 {
        let minutes = (resources.timelimit + MARGIN) * most as f64 / 60.0;
        command.arg(format!("--time={}", minutes.ceil() + 1.0));
    }
    // Of an option that occurs twice, the last one counts.
    command.args(&slurm.options).arg("--wrap").arg(script);
    let out = output(&mut command)?;
    // JOB, or JOB;CLUSTER.
    Ok(out.trim().split(';').next().unwrap_or_default().to_owned())
}

/// The largest number of elements of an array.
fn largest_array() -> usize {
    let config = output(Command::new("scontrol").args(["show", "config"])).unwrap_or_default();
    let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"));
    let size = line.and_then(|rest| rest.trim_start_matches([' ', '=']).trim().parse::<usize>().ok());
    // It is larger than the largest index by one.
    size.map_or(ELEMENTS, |size| size.saturating_sub(1).clamp(1, ELEMENTS))
}

/// The states of the elements of the array `name`, for humans. `None` if Slurm does not list it.
fn queue(name: &str) -> Result<Option<String>, CliError> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--array", "--format=%T %r"]).arg(format!("--name={name}"));
    let out = output(&mut command)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in out.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (state, reason) = line.split_once(' ').unwrap_or((line, ""));
        let state = match reason {
            "" | "None" | "(null)" => state.to_lowercase(),
            reason => format!("{} ({reason})", state.to_lowercase()),
        };
        *counts.entry(state).or_insert(0) += 1;
    }
    let counts: Vec<String> = counts.into_iter().map(|(state, count)| format!("{count} {state}")).collect();
    Ok((!counts.is_empty()).then(|| counts.join(", ")))
}

/// Runs a command of Slurm, and returns what it prints.
fn output(command: &mut Command) -> Result<String, CliError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |what: &str| CliError::Usage(format!("{name} (Slurm): {what}"));
    command.stdin(Stdio::null());
    let output = command.output().map_err(|error| failed(&error.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).trim())),
    }
}
