//! A child process with pipes, under limits.
//!
//! All pipes are non-blocking on this side, and `poll` waits for them together. Standard error is
//! drained while waiting, so a library that prints a lot does not block, and a child that stops
//! reading blocks a write no longer than the limits allow. A child that exceeds its limits, closes
//! a pipe or sends nonsense is killed and reaped immediately, and the cause becomes the reason of
//! the answer.

use crate::effort::{self, Moment};
use crate::gauge::Gauge;
use crate::{Interrupt, Limits, Reason};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The signal by which a worker ends itself when its memory is exhausted. No library uses it.
pub(crate) const MEMORY_SIGNAL: Signal = Signal::USR2;
/// The period at which an interrupt is polled.
const PERIOD: Duration = Duration::from_millis(5);
/// The period at which the memory of a child is checked.
const MEMORY_PERIOD: Duration = Duration::from_millis(20);
/// A child hangs if its CPU time is less than 1/IDLE of the elapsed time; competition for
/// processors slows a child down less than that.
const IDLE: u32 = 20;
/// The number of bytes of standard error that are kept.
const TAIL: usize = 2000;
/// The time for a child to exit after it closed its output.
const DYING: Duration = Duration::from_millis(500);
/// The requested capacity of the pipes, in bytes.
const PIPE: usize = 1 << 20;

/// A command line and the role of its process.
#[derive(Clone, Debug)]
pub struct ChildCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The name of its role in messages: `worker`, `solver`.
    pub role: &'static str,
    /// The message that interrupts it; without bytes, an interrupt kills it after the grace period.
    pub stop: &'static [u8],
    /// The limit of resident memory in bytes that this side enforces.
    pub memory: Option<u64>,
    /// Its process group.
    pub group: Group,
}

/// The process group of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// That of this process: signals to the group reach the child.
    Shared,
    /// A new one, which is killed as a whole: a script that starts a solver ends with the solver.
    Own,
}

/// The limits of waiting for an answer.
#[derive(Clone, Debug, Default)]
pub struct Patience {
    /// The time at which the answer is due.
    pub end: Option<Instant>,
    /// The effort that the child may spend on the answer.
    pub effort: Option<Duration>,
    /// The time between the limit and killing the child.
    pub grace: Duration,
    /// An interrupt makes the answer due immediately.
    pub interrupt: Option<Interrupt>,
}

impl Patience {
    /// For a request that starts now under `limits`.
    #[must_use]
    pub fn new(limits: &Limits, grace: Duration) -> Self {
        let limits = limits.of_check();
        let effort = limits.effort.map(Moment::left);
        Patience { end: limits.deadline, effort, grace, interrupt: limits.interrupt }
    }
}

/// A child that is not known to be dead.
///
/// After an error the child is dead, and each further call fails.
pub struct ChildProcess {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    errors: ChildStderr,
    role: &'static str,
    stop: &'static [u8],
    memory: Option<u64>,
    group: Group,
    /// The last bytes of standard error.
    tail: Vec<u8>,
    /// The CPU time of the child at its last answer.
    effort: Duration,
    /// Its measurements, if the system reports them.
    gauge: Option<Arc<Gauge>>,
}

impl ChildProcess {
    /// Starts a child.
    ///
    /// # Errors
    /// [`Reason::Fault`] if the system cannot start it.
    pub fn start(command: &ChildCommand) -> Result<Self, Reason> {
        let role = command.role;
        let cannot =
            |error: &dyn std::fmt::Display| Reason::Fault(format!("no {role} can be started: {error}"));
        let mut process = std::process::Command::new(&command.program);
        if command.group == Group::Own {
            process.process_group(0);
        }
        let mut child = process
            .args(&command.arguments)
            // The last lines of standard error become part of a reason, so they should contain no
            // backtrace.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| cannot(&error))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("the child was spawned with pipes")
        };
        let gauge = Gauge::of(child.id()).map(Arc::new);
        let process = ChildProcess {
            child,
            input,
            output,
            errors,
            role,
            stop: command.stop,
            memory: command.memory,
            group: command.group,
            tail: Vec::new(),
            effort: Duration::ZERO,
            gauge,
        };
        for result in [
            rustix::io::ioctl_fionbio(&process.input, true),
            rustix::io::ioctl_fionbio(&process.output, true),
            rustix::io::ioctl_fionbio(&process.errors, true),
        ] {
            result.map_err(|error| cannot(&error))?;
        }
        // Larger pipes save context switches; if the system refuses, the default size suffices.
        let _ = rustix::pipe::fcntl_setpipe_size(&process.input, PIPE);
        let _ = rustix::pipe::fcntl_setpipe_size(&process.output, PIPE);
        Ok(process)
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The resident memory of the child in bytes, if the system reports it.
    #[must_use]
    pub fn resident(&self) -> Option<u64> {
        Some(self.gauge.as_ref()?.resident()?.all)
    }

    /// A clock for a request that starts now.
    #[must_use]
    pub fn clock<'p>(&self, patience: &'p Patience) -> Clock<'p> {
        Clock::new(patience, self.gauge.clone(), self.effort)
    }

    /// Accounts for the effort of the child until now, `total`.
    pub(crate) fn spent(&mut self, total: Duration) {
        effort::add(total.saturating_sub(self.effort));
        self.effort = total;
    }

    /// Accounts for the effort of the child until now, as the system reports it.
    pub fn account(&mut self) {
        if let Some(total) = self.gauge.as_ref().and_then(|gauge| gauge.cpu_time()) {
            self.spent(total);
        }
    }

    /// Writes all of `bytes`. Output that the child writes meanwhile is appended to `incoming`.
    ///
    /// # Errors
    /// A limit is exceeded, or the child ended.
    pub fn send(
        &mut self,
        bytes: &[u8],
        clock: &mut Clock<'_>,
        incoming: &mut Vec<u8>,
    ) -> Result<(), Reason> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(clock, PollFlags::OUT)?;
                    // Unread output would wake this loop forever.
                    self.receive(incoming, CHUNK)?;
                }
                Err(_) => return Err(self.autopsy()),
            }
        }
        Ok(())
    }

    /// Waits for output and appends at most about `most` bytes of it to `incoming`.
    ///
    /// # Errors
    /// A limit is exceeded, or the child ended.
    pub fn read(&mut self, clock: &mut Clock<'_>, incoming: &mut Vec<u8>, most: usize) -> Result<(), Reason> {
        self.wait(clock, PollFlags::empty())?;
        self.receive(incoming, most)
    }

    /// Reads available bytes of standard output.
    fn receive(&mut self, incoming: &mut Vec<u8>, most: usize) -> Result<(), Reason> {
        let before = incoming.len();
        incoming.resize(before + most.max(1), 0);
        let result = self.output.read(&mut incoming[before..]);
        incoming.truncate(before + result.as_ref().map_or(0, |&count| count));
        match result {
            Ok(0) => Err(self.autopsy()),
            Ok(_) => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => Ok(()),
            Err(_) => Err(self.autopsy()),
        }
    }

    /// Reads all available bytes of standard error and keeps the last ones.
    fn drain_errors(&mut self) {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = self.errors.read(&mut chunk) {
            self.tail.extend_from_slice(&chunk[..count]);
            if self.tail.len() > 2 * TAIL {
                self.tail.drain(..self.tail.len() - TAIL);
            }
        }
    }

    /// Waits until a pipe is ready; kills the child when its limits are exceeded.
    fn wait(&mut self, clock: &mut Clock<'_>, input_events: PollFlags) -> Result<(), Reason> {
        loop {
            let mut timeout = match clock.tick() {
                Tick::Wait(timeout) => timeout,
                Tick::Ask => {
                    // If the pipe is full, the child does not read from it anyway.
                    let _ = self.input.write(self.stop);
                    continue;
                }
                Tick::Over(reason) => {
                    self.kill();
                    return Err(reason);
                }
            };
            if let Some(limit) = self.memory {
                if self.resident().is_some_and(|used| used > limit) {
                    self.kill();
                    return Err(Reason::Memory);
                }
                timeout = Some(timeout.map_or(MEMORY_PERIOD, |time| time.min(MEMORY_PERIOD)));
            }
            let mut ends = [
                PollFd::new(&self.output, PollFlags::IN),
                PollFd::new(&self.errors, PollFlags::IN),
                PollFd::new(&self.input, input_events),
            ];
            let timeout = timeout.map(|time| Timespec {
                tv_sec: time.as_secs().min(1 << 30) as i64,
                tv_nsec: time.subsec_nanos().into(),
            });
            match poll(&mut ends, timeout.as_ref()) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => {
                    self.kill();
                    return Err(Reason::Fault(format!("waiting for a {} failed: {error}", self.role)));
                }
            }
            let [output, errors, input] = ends.map(|end| end.revents());
            if errors.contains(PollFlags::IN) {
                self.drain_errors();
            }
            if !output.is_empty() || input.contains(PollFlags::OUT) {
                return Ok(());
            }
            // A closed pipe would be ready forever; the child is dead or dying.
            if (errors | input).intersects(PollFlags::HUP | PollFlags::ERR) {
                return Err(self.autopsy());
            }
        }
    }

    /// The cause of the end of a child that closed a pipe.
    fn autopsy(&mut self) -> Reason {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if start.elapsed() < DYING => std::thread::sleep(Duration::from_millis(1)),
                _ => break None,
            }
        };
        self.drain_errors();
        self.kill();
        cause(status, &String::from_utf8_lossy(&self.tail), self.role)
    }

    /// Kills the child, which sent a malformed answer.
    pub fn nonsense(&mut self, what: &str) -> Reason {
        self.kill();
        Reason::Fault(format!("the {} sent a malformed answer: {what}", self.role))
    }

    /// Kills the child, and its process group if that is its own. Its effort counts.
    pub fn kill(&mut self) {
        self.account();
        // The id is that of the group until the child is reaped.
        if self.group == Group::Own && matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        // An error means that the child is already dead and reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The number of bytes that are read at a time, if no other number is known.
pub const CHUNK: usize = 1 << 14;

/// The reason for the end of a child, from its exit status and its last lines on standard error.
fn cause(status: Option<ExitStatus>, tail: &str, role: &str) -> Reason {
    const MEMORY: [&str; 4] = ["out of memory", "bad_alloc", "memory allocation of", "memory exhausted"];
    let last: Vec<&str> = tail.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    let said = last.join("; ");
    let lower = said.to_lowercase();
    let how = match status {
        Some(status) if status.signal() == Some(MEMORY_SIGNAL.as_raw()) => return Reason::Memory,
        Some(_) if MEMORY.iter().any(|words| lower.contains(words)) => return Reason::Memory,
        Some(status) => match (status.signal(), status.code()) {
            (Some(signal), _) => format!("the solver crashed: signal {signal}{}", name_of(signal)),
            (_, Some(code)) => format!("the solver ended its process with code {code}"),
            _ => format!("the solver crashed: {status}"),
        },
        None => format!("the {role} closed its output"),
    };
    if said.is_empty() { Reason::Fault(how) } else { Reason::Fault(format!("{how}: {said}")) }
}

fn name_of(signal: i32) -> &'static str {
    const NAMES: [(Signal, &str); 8] = [
        (Signal::ABORT, " (SIGABRT)"),
        (Signal::BUS, " (SIGBUS)"),
        (Signal::FPE, " (SIGFPE)"),
        (Signal::ILL, " (SIGILL)"),
        (Signal::KILL, " (SIGKILL)"),
        (Signal::SEGV, " (SIGSEGV)"),
        (Signal::TERM, " (SIGTERM)"),
        (Signal::TRAP, " (SIGTRAP)"),
    ];
    NAMES.iter().find(|(known, _)| known.as_raw() == signal).map_or("", |&(_, name)| name)
}

/// The state of one wait.
pub struct Clock<'p> {
    patience: &'p Patience,
    /// The measurements of the process to wait for.
    gauge: Option<Arc<Gauge>>,
    /// The CPU time of the process at which limit and grace are exhausted, and the time of the next
    /// look at it.
    most: Option<(Duration, Instant)>,
    /// The start of the wait, and the CPU time of the process at that moment.
    start: (Instant, Duration),
    /// The time at which the child is killed, and the reason, once this is certain.
    kill: Option<(Instant, Reason)>,
    has_asked: bool,
}

enum Tick {
    /// Nothing to do for this time.
    Wait(Option<Duration>),
    /// Interrupt the child.
    Ask,
    /// Kill the child.
    Over(Reason),
}

impl<'p> Clock<'p> {
    /// For a worker that has spent `effort` so far.
    fn new(patience: &'p Patience, gauge: Option<Arc<Gauge>>, effort: Duration) -> Self {
        let now = Instant::now();
        let kill = patience.end.map(|end| (end + patience.grace, Reason::Timeout));
        let allowed = patience.effort.map(|most| most.saturating_add(patience.grace));
        let most =
            allowed.and_then(|allowed| Some((effort.saturating_add(allowed), now.checked_add(allowed)?)));
        Clock { patience, gauge, most, start: (now, effort), kill, has_asked: false }
    }

    /// Whether the worker has exceeded its effort or hangs. Otherwise sets the next look to the
    /// earliest time at which it may exceed its effort.
    fn is_exhausted(&mut self, now: Instant) -> bool {
        let Some((most, at)) = &mut self.most else { return false };
        if now < *at {
            return false;
        }
        // A child may wait for another process, as Yices for `y2sat`, or a script for a solver.
        let spent =
            self.gauge.as_ref().and_then(|gauge| Some(gauge.cpu_time()? + gauge.cpu_time_of_children()));
        let Some(spent) = spent else { return true };
        let left = most.saturating_sub(spent);
        *at = now + left.max(PERIOD);
        let (start, before) = self.start;
        let hangs = spent.saturating_sub(before).saturating_mul(IDLE) < now.saturating_duration_since(start);
        left.is_zero() || hangs
    }

    fn tick(&mut self) -> Tick {
        let now = Instant::now();
        if !self.has_asked && self.patience.interrupt.as_ref().is_some_and(Interrupt::is_triggered) {
            self.has_asked = true;
            let kill = now + self.patience.grace;
            if self.kill.as_ref().is_none_or(|(at, _)| kill < *at) {
                self.kill = Some((kill, Reason::Interrupted));
            }
            return Tick::Ask;
        }
        if let Some((_, reason)) = self.kill.as_ref().filter(|(at, _)| now >= *at) {
            return Tick::Over(reason.clone());
        }
        if self.is_exhausted(now) {
            return Tick::Over(Reason::Timeout);
        }
        let ends = self.kill.iter().map(|(at, _)| *at).chain(self.most.map(|(_, at)| at));
        let rest = ends.min().map(|at| at.saturating_duration_since(now));
        let looks_at_interrupt = !self.has_asked && self.patience.interrupt.is_some();
        Tick::Wait(if looks_at_interrupt { Some(rest.map_or(PERIOD, |rest| rest.min(PERIOD))) } else { rest })
    }
}
