//! The runs of a campaign: several at the same time, each under a [supervisor](super::supervise) on
//! processor cores of its own.

use super::campaign::Campaign;
use super::cores;
use super::matrix::Configuration;
use super::outcome::{Answer, Category, Run, Said};
use super::supervise::Measured;
use super::tasks::{Kind, Task};
use crate::comparison::ResourceOptions;
use crate::error::CliError;
use crate::guard::default_memory_limit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The folder of the logs.
pub(super) const LOGS: &str = "logs";
/// The time in seconds after its own limit at which a run is killed.
const GRACE: f64 = 3.0;
/// The largest output of a run that is read.
const LARGEST_OUTPUT: u64 = 256 << 20;

/// What makes runs, one after another.
pub(super) struct Worker<'w> {
    pub(super) program: &'w Path,
    pub(super) folder: &'w Path,
    pub(super) kind: Kind,
    pub(super) resources: ResourceOptions,
    /// The limit of the memory of each run in megabytes.
    pub(super) memory: u64,
    /// The processor cores of the runs; without any, runs are not bound to cores.
    pub(super) cores: Vec<usize>,
}

/// Runs what is pending in `campaign`. `program` is the binary of hornwork.
///
/// # Errors
/// Files that cannot be written, or supervisors that cannot be started. Results so far are kept.
pub(super) fn run(campaign: &mut Campaign, program: &Path, is_terminal: bool) -> Result<(), CliError> {
    let resources = campaign.plan.resources;
    let pending = campaign.pending();
    let jobs = usize::from(resources.jobs);
    let cores = cores::assign(jobs, usize::from(resources.cores))?;
    let logs = campaign.folder.join(LOGS);
    std::fs::create_dir_all(&logs).map_err(|source| CliError::Io { path: logs, source })?;
    let memory = match resources.memlimit {
        0 => default_memory_limit().map_or(0, |bytes| (bytes >> 20) / u64::from(resources.jobs)),
        megabytes => megabytes,
    };
    let bar = progress(campaign.plan.pairs().count(), campaign.runs.len(), is_terminal);
    let results = Mutex::new(campaign.results.handle()?);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let bad = AtomicUsize::new(0);
    let work = |cores: Vec<usize>| -> Result<Vec<Run>, CliError> {
        let worker =
            Worker { program, folder: &campaign.folder, kind: campaign.plan.kind, resources, memory, cores };
        let mut runs = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let Some(&(number, task, configuration)) = pending.get(next.fetch_add(1, Ordering::Relaxed))
            else {
                break;
            };
            bar.set_message(format!("{} faults; {}", bad.load(Ordering::Relaxed), task.name));
            let run = worker.run(number, task, configuration)?;
            results.lock().unwrap_or_else(PoisonError::into_inner).append(&run)?;
            if Category::of(run.answer, task.label, task.disputed).is_bad() {
                bad.fetch_add(1, Ordering::Relaxed);
            }
            runs.push(run);
            bar.inc(1);
        }
        Ok(runs)
    };
    let results: Vec<Result<Vec<Run>, CliError>> = std::thread::scope(|scope| {
        let start = |cores: Vec<usize>| {
            let work = &work;
            let failed = &failed;
            scope.spawn(move || {
                let result = work(cores);
                if result.is_err() {
                    failed.store(true, Ordering::Relaxed);
                }
                result
            })
        };
        let threads: Vec<_> = cores.into_iter().map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<Run>, CliError>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    bar.finish_and_clear();
    let mut runs = Vec::new();
    for result in results {
        runs.extend(result?);
    }
    campaign.extend(runs);
    Ok(())
}

pub(super) fn progress(total: usize, done: usize, is_terminal: bool) -> ProgressBar {
    let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(total as u64), target);
    let template = "{bar:30} {pos}/{len} {elapsed} (left: {eta}) {wide_msg}";
    // The default is a bar as well.
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}

impl Worker<'_> {
    /// The command of a run.
    fn command(&self, task: &Task, configuration: &Configuration) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.program.into()];
        match self.kind {
            Kind::Program => words.extend(["verify", "--quiet", "--json", "--stats"].map(OsString::from)),
            Kind::Clauses => words.extend(["horn", "--quiet", "--solve", "--json"].map(OsString::from)),
            Kind::Script => words.extend(["smt", "--quiet"].map(OsString::from)),
        }
        words.push(format!("--timelimit={}", self.resources.timelimit).into());
        words.push(format!("--memlimit={}", self.memory).into());
        words.extend(configuration.options.iter().chain(&task.options).map(OsString::from));
        words.push("--".into());
        words.push(task.path.clone().into());
        words
    }

    /// Makes the run of this number.
    pub(super) fn run(
        &self,
        number: usize,
        task: &Task,
        configuration: &Configuration,
    ) -> Result<Run, CliError> {
        let command = self.command(task, configuration);
        let name = format!("{LOGS}/{number:06}");
        let file = |extension: &str| self.folder.join(format!("{name}.{extension}"));
        let (out, err, log) = (file("out"), file("err"), format!("{name}.log"));
        let measured = self.supervise(&command, &out, &err)?;
        let (out_text, err_text) = (take(&out)?, take(&err)?);
        self.write_log(&self.folder.join(&log), &command, &measured, &err_text, &out_text)?;
        let said = match self.kind {
            Kind::Program | Kind::Clauses => Said::of_object(&out_text),
            Kind::Script => Said::of_script(&out_text, &err_text),
        };
        let said = said.with(&measured, &err_text);
        Ok(Run {
            task: task.name.clone(),
            configuration: configuration.name.clone(),
            answer: said.answer.unwrap_or(Answer::Crash),
            verdict: said.verdict,
            reason: said.reason,
            kind: said.kind,
            validation: said.validation,
            measured,
            cores: self.cores.clone(),
            calls: said.calls,
            failures: said.failures,
            statistics: said.statistics,
            log,
            host: host(),
        })
    }

    /// Runs `command` under a supervisor.
    fn supervise(&self, command: &[OsString], out: &Path, err: &Path) -> Result<Measured, CliError> {
        let ResourceOptions { timelimit, cputimelimit, .. } = self.resources;
        let cores: Vec<String> = self.cores.iter().map(ToString::to_string).collect();
        let time = if timelimit > 0.0 { timelimit + GRACE } else { 0.0 };
        let mut supervisor = Command::new(self.program);
        supervisor.arg("supervise");
        if !cores.is_empty() {
            supervisor.arg(format!("--cores={}", cores.join(",")));
        }
        supervisor
            .arg(format!("--timelimit={time}"))
            .arg(format!("--cputimelimit={cputimelimit}"))
            .arg(format!("--memlimit={}", self.memory))
            .arg("--out")
            .arg(out)
            .arg("--err")
            .arg(err)
            .arg("--")
            .args(command);
        // Signals of the terminal reach the campaign alone; the closed pipe ends the supervisor.
        std::os::unix::process::CommandExt::process_group(&mut supervisor, 0);
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |what: String| CliError::Usage(format!("a supervisor failed: {what}"));
        let mut child = supervisor.spawn().map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        drop(input);
        serde_json::from_slice(&output.stdout)
            .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }

    fn write_log(
        &self,
        path: &Path,
        command: &[OsString],
        measured: &Measured,
        err: &str,
        out: &str,
    ) -> Result<(), CliError> {
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
        let measured = serde_json::to_string(measured).unwrap_or_default();
        let text = format!("$ {}\n{measured}\n--- stderr\n{err}\n--- stdout\n{out}", words.join(" "));
        File::create(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|source| CliError::Io { path: path.to_path_buf(), source })
    }
}

/// The name of this machine.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

/// Reads a file and removes it.
fn take(path: &Path) -> Result<String, CliError> {
    let read = || -> std::io::Result<String> {
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST_OUTPUT).read_to_end(&mut bytes)?;
        std::fs::remove_file(path)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().map_err(|source| CliError::Io { path: path.to_path_buf(), source })
}
