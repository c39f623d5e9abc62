//! A child process and its protocol connection.
//!
//! All pipes are non-blocking on this side, and `poll` waits for them together. Standard error is
//! drained while waiting, so a library that prints a lot does not block, and a child that stops
//! reading blocks a write no longer than the limits allow. If a request ends without an answer, the
//! child is killed and reaped immediately, and the cause becomes the reason of the answer.

use super::WorkerCommand;
use super::process::MEMORY_SIGNAL;
use super::protocol::{Command, EFFORT, HEADER, Response, STOP, body_length, header};
use crate::effort::{self, Moment, of_process};
use crate::{Interrupt, Limits, Reason};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use terms::TermPool;
use terms::wire::{Decoder, Encoder, Names, Writer};

/// The period at which an interrupt is polled.
const PERIOD: Duration = Duration::from_millis(5);
/// A worker hangs if its CPU time is less than 1/IDLE of the elapsed time; competition for
/// processors slows a worker down less than that.
const IDLE: u32 = 20;
/// The number of bytes of standard error that are kept.
const TAIL: usize = 2000;
/// The time for a child to exit after it closed its output.
const DYING: Duration = Duration::from_millis(500);
/// The maximal length of an answer, in bytes.
const MOST: usize = 1 << 30;
/// The requested capacity of the pipes, in bytes.
const PIPE: usize = 1 << 20;

/// The limits of waiting for an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Patience {
    /// The time at which the answer is due.
    pub(super) end: Option<Instant>,
    /// The effort that the worker may spend on the answer.
    pub(super) effort: Option<Duration>,
    /// The time between the limit and killing the child.
    pub(super) grace: Duration,
    /// An interrupt makes the answer due immediately.
    pub(super) interrupt: Option<Interrupt>,
}

impl Patience {
    /// For a request that starts now under `limits`.
    pub(super) fn new(limits: &Limits, grace: Duration) -> Self {
        let limits = limits.of_check();
        let effort = limits.effort.map(Moment::left);
        Patience { end: limits.deadline, effort, grace, interrupt: limits.interrupt }
    }

    /// The command that sends these limits to the worker.
    pub(super) fn command(&self) -> Command {
        let time = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        Command::Limit { effort: self.effort, time, is_interruptible: self.interrupt.is_some() }
    }
}

/// A worker that is not known to be dead.
pub(super) struct Connection {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    errors: ChildStderr,
    /// The last bytes of standard error.
    tail: Vec<u8>,
    /// Unconsumed bytes of standard output.
    incoming: Vec<u8>,
    /// Encodes terms of the pool that this connection serves.
    pub(super) encoder: Encoder,
    /// Decodes terms that the worker created.
    pub(super) decoder: Decoder,
    commands: Writer,
    /// The effort of the worker until its last answer.
    effort: Duration,
}

impl Connection {
    /// Starts a worker.
    pub(super) fn start(command: &WorkerCommand) -> Result<Self, Reason> {
        let cannot =
            |error: &dyn std::fmt::Display| Reason::Fault(format!("no worker can be started: {error}"));
        let mut child = std::process::Command::new(&command.program)
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
        let connection = Connection {
            child,
            input,
            output,
            errors,
            tail: Vec::new(),
            incoming: Vec::new(),
            encoder: Encoder::new(),
            decoder: Decoder::new(Names::Shared),
            commands: Writer::default(),
            effort: Duration::ZERO,
        };
        for result in [
            rustix::io::ioctl_fionbio(&connection.input, true),
            rustix::io::ioctl_fionbio(&connection.output, true),
            rustix::io::ioctl_fionbio(&connection.errors, true),
        ] {
            result.map_err(|error| cannot(&error))?;
        }
        // Larger pipes save context switches; if the system refuses, the default size suffices.
        let _ = rustix::pipe::fcntl_setpipe_size(&connection.input, PIPE);
        let _ = rustix::pipe::fcntl_setpipe_size(&connection.output, PIPE);
        Ok(connection)
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Appends a command to the next request.
    pub(super) fn command(&mut self, command: &Command) {
        command.write(&mut self.commands);
    }

    /// Starts a new conversation with the same worker, which was reset.
    pub(super) fn renew(&mut self) {
        self.encoder = Encoder::new();
        self.decoder = Decoder::new(Names::Shared);
        self.commands.bytes.clear();
        self.incoming.clear();
    }

    /// Sends all commands, the last of which requires an answer, and waits for it.
    ///
    /// # Errors
    /// The cause of the child's end. The child is dead then, and the connection unusable.
    pub(super) fn request(&mut self, pool: &TermPool, patience: &Patience) -> Result<Response, Reason> {
        self.send(patience)?;
        self.answer(pool, patience)
    }

    /// Sends all commands.
    pub(super) fn send(&mut self, patience: &Patience) -> Result<(), Reason> {
        let mut body = Writer { bytes: vec![0; HEADER] };
        body.slice(&self.encoder.take());
        body.bytes.append(&mut self.commands.bytes);
        let mut frame = body.bytes;
        let Some(header) = header(frame.len() - HEADER) else {
            self.kill();
            return Err(Reason::Unsupported("a request of more than 4 GB".to_owned()));
        };
        frame[..HEADER].copy_from_slice(&header);
        let mut clock = Clock::new(patience, self.child.id(), self.effort);
        let mut rest = &frame[..];
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(&mut clock, PollFlags::OUT)?;
                    // No output is expected here, but unread output would wake this loop forever.
                    self.receive()?;
                }
                Err(_) => return Err(self.autopsy()),
            }
        }
        Ok(())
    }

    /// Waits for the answer to the last request.
    pub(super) fn answer(&mut self, pool: &TermPool, patience: &Patience) -> Result<Response, Reason> {
        let mut clock = Clock::new(patience, self.child.id(), self.effort);
        loop {
            if let Some(length) = body_length(&self.incoming)
                && self.incoming.len() >= HEADER + length
            {
                let is_alone = self.incoming.len() == HEADER + length;
                let body = &self.incoming[HEADER..HEADER + length];
                let Some((effort, body)) = body.split_first_chunk::<EFFORT>() else {
                    return Err(self.nonsense("an answer without effort"));
                };
                let effort = Duration::from_nanos(u64::from_le_bytes(*effort));
                effort::add(effort.saturating_sub(self.effort));
                self.effort = effort;
                let response = Response::read(pool, body);
                self.incoming.clear();
                return match response {
                    Ok(response) if is_alone => Ok(response),
                    Ok(_) => Err(self.nonsense("bytes after the answer")),
                    Err(error) => Err(self.nonsense(&error.to_string())),
                };
            }
            self.wait(&mut clock, PollFlags::empty())?;
            self.receive()?;
        }
    }

    /// Reads available bytes of standard output.
    fn receive(&mut self) -> Result<(), Reason> {
        const CHUNK: usize = 1 << 14;
        const LARGEST_CHUNK: usize = 1 << 20;
        let before = self.incoming.len();
        let expected = body_length(&self.incoming).map_or(0, |length| HEADER + length);
        if expected > MOST || before > expected.max(CHUNK) {
            return Err(self.nonsense("more bytes than its length declares"));
        }
        let chunk = (expected - before.min(expected)).clamp(CHUNK, LARGEST_CHUNK);
        self.incoming.resize(before + chunk, 0);
        let result = self.output.read(&mut self.incoming[before..]);
        self.incoming.truncate(before + result.as_ref().map_or(0, |&count| count));
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
            let timeout = match clock.tick() {
                Tick::Wait(timeout) => timeout,
                Tick::Ask => {
                    // If the pipe is full, the child does not read from it anyway.
                    let _ = self.input.write(&STOP);
                    continue;
                }
                Tick::Over(reason) => {
                    self.kill();
                    return Err(reason);
                }
            };
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
                    return Err(Reason::Fault(format!("waiting for a worker failed: {error}")));
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
        cause(status, &String::from_utf8_lossy(&self.tail))
    }

    fn nonsense(&mut self, what: &str) -> Reason {
        self.kill();
        Reason::Fault(format!("the worker sent a malformed answer: {what}"))
    }

    fn kill(&mut self) {
        // An error means that the child is already dead and reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The reason for the end of a child, from its exit status and its last lines on standard error.
fn cause(status: Option<ExitStatus>, tail: &str) -> Reason {
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
        None => "the worker closed its output".to_owned(),
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
struct Clock<'p> {
    patience: &'p Patience,
    /// The process to wait for.
    process: u32,
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
    fn new(patience: &'p Patience, process: u32, effort: Duration) -> Self {
        let now = Instant::now();
        let kill = patience.end.map(|end| (end + patience.grace, Reason::Timeout));
        let allowed = patience.effort.map(|most| most.saturating_add(patience.grace));
        let most =
            allowed.and_then(|allowed| Some((effort.saturating_add(allowed), now.checked_add(allowed)?)));
        Clock { patience, process, most, start: (now, effort), kill, has_asked: false }
    }

    /// Whether the worker has exceeded its effort or hangs. Otherwise sets the next look to the
    /// earliest time at which it may exceed its effort.
    fn is_exhausted(&mut self, now: Instant) -> bool {
        let Some((most, at)) = &mut self.most else { return false };
        if now < *at {
            return false;
        }
        let Some(spent) = of_process(self.process) else { return true };
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
