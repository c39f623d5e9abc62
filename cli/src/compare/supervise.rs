//! `hornwork supervise`: runs one command under limits, measures it, and leaves no process behind.
//!
//! Each run of a campaign has a supervisor, a process between the campaign and the command. It is
//! the reaper of all processes below it: one whose parent ends becomes a child of the supervisor,
//! even if it left the process group of the command. So at the end the supervisor can kill and wait
//! for all of them, and the resource usage of its children is that of the whole tree. Its standard
//! input is a pipe of the campaign: when that ends, even by SIGKILL, the pipe is closed and the
//! supervisor kills the run.
//!
//! Measurement: in a [control group](super::cgroup) where the machine has one, else by resource
//! usage: CPU time is exact at the end, and the peak memory is the larger of the largest process
//! (exact) and of the sum over all processes, sampled. In the sum, pages shared with other
//! processes, such as libraries, count once, for the largest process; pages shared after a fork
//! count for each of its processes.
//!
//! Limits are checked every 20 ms, so a run may exceed one by that time.
//!
//! LIMITS: a run survives if somebody kills its supervisor with SIGKILL; `hornwork` then ends by
//! itself at its time limit.

use super::cgroup::Cgroup;
use crate::comparison::SuperviseOptions;
use crate::error::CliError;
use crate::processes::{Tree, own_children};
use crate::{Streams, exit};
use backends::gauge::{Gauge, Resident};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, wait,
};
use rustix::thread::{CpuSet, sched_setaffinity};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The period of the checks of limits.
const PERIOD: Duration = Duration::from_millis(20);
/// The time after which a killed process that does not end is given up: it waits for a device.
const PATIENCE: Duration = Duration::from_secs(10);

/// A limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Limit {
    /// Wall time.
    Time,
    /// CPU time.
    CpuTime,
    /// Memory.
    Memory,
}

/// The source of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Source {
    /// The kernel, for a control group.
    Cgroup,
    /// The resource usage of processes that have ended.
    Rusage,
}

/// What became of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    /// The exit code, unless a signal ended the command.
    pub(super) exit: Option<i32>,
    /// The signal that ended the command.
    pub(super) signal: Option<i32>,
    /// The limit at which it was killed.
    pub(super) limit: Option<Limit>,
    /// CPU time of all processes in seconds.
    pub(super) cputime: f64,
    /// Wall time of the command in seconds.
    pub(super) walltime: f64,
    /// The peak memory of all processes in bytes.
    pub(super) memory: u64,
    /// The source of the CPU time.
    pub(super) cputime_by: Source,
    /// The source of the memory.
    pub(super) memory_by: Source,
    /// The number of processes that were left when the command ended, and were killed.
    pub(super) left_over: usize,
}

/// Runs the command of `options` and prints its [`Measured`].
pub(crate) fn run(options: &SuperviseOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let failed = |source: std::io::Error| CliError::Usage(format!("supervise: {source}"));
    set_child_subreaper(Some(getpid())).map_err(|error| failed(error.into()))?;
    pin(&options.cores).map_err(failed)?;
    let file = |path: &std::path::Path| {
        File::create(path).map_err(|source| CliError::Io { path: path.to_path_buf(), source })
    };
    let (program, arguments) = options.command.split_first().expect("the parser requires a command");
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::null());
    command.stdout(file(&options.out)?).stderr(file(&options.err)?);
    let memory = (options.memlimit > 0).then(|| options.memlimit.saturating_mul(1 << 20));
    let group = Cgroup::create();
    if let (Some(group), Some(memory)) = (&group, memory) {
        group.limit_memory(memory);
    }
    let start = Instant::now();
    let child = match &group {
        Some(group) => group.inside(|| command.spawn()).map_err(failed)?,
        None => command.spawn(),
    };
    let tree = group.as_ref().map_or_else(|| Tree::below(std::process::id()), Cgroup::tree);
    let mut run = Run {
        child: child.map_err(failed)?,
        group,
        tree,
        start,
        sampled: 0,
        time: seconds(options.timelimit),
        cputime: seconds(options.cputimelimit),
        memory,
    };
    let end = run.supervise();
    let Some(measured) = run.finish(end) else {
        // Nobody reads the result.
        return Ok(exit::UNKNOWN);
    };
    let line = serde_json::to_string(&measured).expect("numbers and names have a JSON form");
    let _ = writeln!(streams.out, "{line}");
    Ok(exit::TRUE)
}

fn seconds(seconds: f64) -> Option<Duration> {
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds))
}

/// Restricts this process, and so the command, to `cores`.
fn pin(cores: &[usize]) -> std::io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    for &core in cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
        set.set(core);
    }
    Ok(sched_setaffinity(None, &set)?)
}

/// How the supervision ended.
#[derive(Clone, Copy)]
enum End {
    /// The command ended.
    Exit(ExitStatus, Duration),
    /// A limit is exceeded.
    Limit(Limit),
    /// The campaign has ended.
    Orphaned,
}

/// A running command.
struct Run {
    child: Child,
    group: Option<Cgroup>,
    /// The command and the processes below it.
    tree: Tree,
    start: Instant,
    /// The largest sampled memory in bytes.
    sampled: u64,
    time: Option<Duration>,
    cputime: Option<Duration>,
    memory: Option<u64>,
}

impl Run {
    /// Waits until the command ends, a limit is exceeded or the campaign ends.
    fn supervise(&mut self) -> End {
        let ended = pidfd_open(Pid::from_child(&self.child), PidfdFlags::empty()).ok();
        let input = std::io::stdin();
        loop {
            let period = match self.start.elapsed() < PERIOD * 5 {
                true => PERIOD / 10,
                false => PERIOD,
            };
            let is_orphaned = sleep(input.as_fd(), ended.as_ref().map(AsFd::as_fd), period);
            let elapsed = self.start.elapsed();
            if let Ok(Some(status)) = self.child.try_wait() {
                return End::Exit(status, elapsed);
            }
            if is_orphaned {
                return End::Orphaned;
            }
            let (cputime, memory) = self.sample();
            self.sampled = self.sampled.max(memory);
            if self.time.is_some_and(|limit| elapsed > limit) {
                return End::Limit(Limit::Time);
            }
            if self.cputime.is_some_and(|limit| cputime > limit) {
                return End::Limit(Limit::CpuTime);
            }
            if self.memory.is_some_and(|limit| memory > limit) {
                return End::Limit(Limit::Memory);
            }
        }
    }

    /// Returns the CPU time and the memory of the processes at this moment.
    fn sample(&mut self) -> (Duration, u64) {
        let counted = self.group.as_ref().and_then(Cgroup::cpu);
        let cputime = counted.unwrap_or_else(|| self.tree.cpu_time());
        let parts = self.tree.gauges().filter_map(Gauge::resident).map(Memory::of);
        let memory = parts.fold(Memory::default(), Memory::and);
        (cputime, memory.bytes())
    }

    /// Kills what remains, and measures. `None` if the campaign has ended.
    fn finish(mut self, end: End) -> Option<Measured> {
        let limit = match end {
            End::Limit(limit) => Some(limit),
            End::Exit(..) | End::Orphaned => None,
        };
        let (status, walltime) = match end {
            End::Exit(status, walltime) => (Some(status), walltime),
            End::Limit(_) | End::Orphaned => {
                self.kill();
                let status = self.child.wait().ok();
                (status, self.start.elapsed())
            }
        };
        // After the command itself, each process that remains was left over.
        let left_over = match end {
            End::Exit(..) => self.tree.processes().len(),
            End::Limit(_) | End::Orphaned => 0,
        };
        self.kill_all();
        if matches!(end, End::Orphaned) {
            return None;
        }
        let is_out_of_memory = self.group.as_ref().is_some_and(Cgroup::is_out_of_memory);
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok();
        let used = usage.map_or(Duration::ZERO, |usage| {
            let part = |time: nix::sys::time::TimeVal| {
                Duration::from_secs(time.tv_sec().unsigned_abs())
                    + Duration::from_micros(time.tv_usec().unsigned_abs())
            };
            part(usage.user_time()) + part(usage.system_time())
        });
        let largest = usage.map_or(0, |usage| usage.max_rss().unsigned_abs() * 1024);
        let counted = self.group.as_ref().and_then(Cgroup::cpu);
        let peak = self.group.as_ref().filter(|group| group.counts_memory()).and_then(Cgroup::peak);
        let by = |is_counted| if is_counted { Source::Cgroup } else { Source::Rusage };
        Some(Measured {
            exit: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            limit: limit.or(is_out_of_memory.then_some(Limit::Memory)),
            cputime: counted.unwrap_or(used).as_secs_f64(),
            walltime: walltime.as_secs_f64(),
            memory: peak.unwrap_or(largest.max(self.sampled)),
            cputime_by: by(counted.is_some()),
            memory_by: by(peak.is_some()),
            left_over,
        })
    }

    /// Kills the command and the processes that have become children of this one.
    fn kill(&self) {
        if let Some(group) = &self.group {
            group.kill();
        }
        // Each of these has ended if its signal fails.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        for process in own_children() {
            if let Some(process) = Pid::from_raw(process.cast_signed()) {
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// Kills processes until none is left. The children of a killed process become children of this
    /// one, so it need not look into the folders of processes that end (see [`crate::processes`]).
    fn kill_all(&self) {
        let start = Instant::now();
        loop {
            self.kill();
            loop {
                match wait(WaitOptions::NOHANG) {
                    Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                    Ok(None) => break,
                    Err(_) => return,
                }
            }
            if start.elapsed() > PATIENCE {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Waits until the process `ended` ends or the input is closed, at most for `period`. Returns
/// whether the input is closed.
fn sleep(input: BorrowedFd<'_>, ended: Option<BorrowedFd<'_>>, period: Duration) -> bool {
    let timeout = Timespec { tv_sec: 0, tv_nsec: period.subsec_nanos().into() };
    let mut ends = vec![PollFd::from_borrowed_fd(input, PollFlags::empty())];
    ends.extend(ended.map(|ended| PollFd::from_borrowed_fd(ended, PollFlags::IN)));
    match poll(&mut ends, Some(&timeout)) {
        Ok(_) => ends[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL),
        Err(_) => {
            std::thread::sleep(period);
            false
        }
    }
}

/// The resident memory of processes.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// Pages that no file backs, of all processes.
    private: u64,
    /// The largest number of bytes of one process that files back.
    shared: u64,
}

impl Memory {
    fn of(process: Resident) -> Self {
        let Resident { all, shared } = process;
        Memory { private: all.saturating_sub(shared), shared }
    }

    fn and(self, other: Self) -> Self {
        Memory { private: self.private + other.private, shared: self.shared.max(other.shared) }
    }

    fn bytes(self) -> u64 {
        self.private + self.shared
    }
}
