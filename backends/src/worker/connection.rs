//! A child process and the conversation with it.
//!
//! All pipes are non-blocking at this end and waited for together by `poll`: standard error is drained while waiting, so
//! that a library that prints a lot does not block, and a child that stops reading cannot block a write for longer than
//! the limits allow. When the conversation ends in any other way than by an answer, the child is killed and reaped at once,
//! and the reason of its end is the answer.

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

/// How often an interrupt is looked at.
const PERIOD: Duration = Duration::from_millis(5);
/// A worker that computes for less than one of so many parts of the time hangs: others that compete for a processor slow it down less.
const IDLE: u32 = 20;
/// Bytes of standard error that are kept.
const TAIL: usize = 2000;
/// How long a child that closed its output may take to die.
const DYING: Duration = Duration::from_millis(500);
/// Bytes of the longest answer.
const MOST: usize = 1 << 30;
/// What the pipes hold, as far as the system allows.
const PIPE: usize = 1 << 20;

/// How long an answer is waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Patience {
    /// When the answer is due.
    pub(super) end: Option<Instant>,
    /// What the worker may spend on it.
    pub(super) effort: Option<Duration>,
    /// How much later the child is killed.
    pub(super) grace: Duration,
    /// What makes the answer due at once.
    pub(super) interrupt: Option<Interrupt>,
}

impl Patience {
    /// For something that starts now under `limits`.
    pub(super) fn new(limits: &Limits, grace: Duration) -> Self {
        let limits = limits.of_check();
        let effort = limits.effort.map(Moment::left);
        Patience { end: limits.deadline, effort, grace, interrupt: limits.interrupt }
    }

    /// The command that tells the worker.
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
    /// The end of what came over standard error.
    tail: Vec<u8>,
    /// What came over standard output and was not consumed.
    incoming: Vec<u8>,
    /// Terms of the pool that this conversation serves.
    pub(super) encoder: Encoder,
    /// Terms that the worker made.
    pub(super) decoder: Decoder,
    commands: Writer,
    /// What the worker spent until its last answer.
    effort: Duration,
}

impl Connection {
    /// Starts a worker.
    pub(super) fn start(command: &WorkerCommand) -> Result<Self, Reason> {
        let cannot =
            |error: &dyn std::fmt::Display| Reason::Fault(format!("no worker can be started: {error}"));
        let mut child = std::process::Command::new(&command.program)
            .args(&command.arguments)
            // Its last words become part of a reason, which should be a sentence.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| cannot(&error))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("the pipes were asked for")
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
        // Larger pipes save context switches; where the system refuses, the usual size does.
        let _ = rustix::pipe::fcntl_setpipe_size(&connection.input, PIPE);
        let _ = rustix::pipe::fcntl_setpipe_size(&connection.output, PIPE);
        Ok(connection)
    }

    /// The process.
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

    /// Sends all commands, the last of which is a question, and waits for the answer.
    ///
    /// # Errors
    /// What the child died of. It is dead then, and the connection of no more use.
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
                    // Nothing should come, but if it does it must not wake this loop for ever.
                    self.receive()?;
                }
                Err(_) => return Err(self.autopsy()),
            }
        }
        Ok(())
    }

    /// Waits for an answer to what was sent.
    pub(super) fn answer(&mut self, pool: &TermPool, patience: &Patience) -> Result<Response, Reason> {
        let mut clock = Clock::new(patience, self.child.id(), self.effort);
        loop {
            if let Some(length) = body_length(&self.incoming)
                && self.incoming.len() >= HEADER + length
            {
                let is_alone = self.incoming.len() == HEADER + length;
                let body = &self.incoming[HEADER..HEADER + length];
                let Some((effort, body)) = body.split_first_chunk::<EFFORT>() else {
                    return Err(self.nonsense("too short an answer"));
                };
                let effort = Duration::from_nanos(u64::from_le_bytes(*effort));
                effort::add(effort.saturating_sub(self.effort));
                self.effort = effort;
                let response = Response::read(pool, body);
                self.incoming.clear();
                return match response {
                    Ok(response) if is_alone => Ok(response),
                    Ok(_) => Err(self.nonsense("bytes after its answer")),
                    Err(error) => Err(self.nonsense(&error.to_string())),
                };
            }
            self.wait(&mut clock, PollFlags::empty())?;
            self.receive()?;
        }
    }

    /// Takes some of what is there of standard output.
    fn receive(&mut self) -> Result<(), Reason> {
        const CHUNK: usize = 1 << 14;
        const LARGEST_CHUNK: usize = 1 << 20;
        let before = self.incoming.len();
        let expected = body_length(&self.incoming).map_or(0, |length| HEADER + length);
        if expected > MOST || before > expected.max(CHUNK) {
            return Err(self.nonsense("too many bytes"));
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

    /// Takes what is there of standard error and keeps its end.
    fn drain_errors(&mut self) {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = self.errors.read(&mut chunk) {
            self.tail.extend_from_slice(&chunk[..count]);
            if self.tail.len() > 2 * TAIL {
                self.tail.drain(..self.tail.len() - TAIL);
            }
        }
    }

    /// Waits until there is something to do, or kills the child where the patience is over.
    fn wait(&mut self, clock: &mut Clock<'_>, input_events: PollFlags) -> Result<(), Reason> {
        loop {
            let timeout = match clock.tick() {
                Tick::Wait(timeout) => timeout,
                Tick::Ask => {
                    // If the pipe is full the child is not listening anyway.
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
            // An end that was closed would be ready for ever; the child is dead or as good as dead then.
            if (errors | input).intersects(PollFlags::HUP | PollFlags::ERR) {
                return Err(self.autopsy());
            }
        }
    }

    /// What a child died of that closed a pipe.
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
        Reason::Fault(format!("the worker answered nonsense: {what}"))
    }

    fn kill(&mut self) {
        // Errors mean that it is dead and reaped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The reason that a dead child stands for, given what it wrote to standard error last.
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

/// The course of one wait.
struct Clock<'p> {
    patience: &'p Patience,
    /// Who is waited for.
    process: u32,
    /// What it will have spent when its limit and the grace are over, and when that is looked at.
    most: Option<(Duration, Instant)>,
    /// When the wait began, and what it had spent until then.
    start: (Instant, Duration),
    /// When the child is killed, and why, once that is certain.
    kill: Option<(Instant, Reason)>,
    has_asked: bool,
}

enum Tick {
    /// For so long nothing has to be done.
    Wait(Option<Duration>),
    /// The child is to be asked to stop.
    Ask,
    /// The child is to be killed.
    Over(Reason),
}

impl<'p> Clock<'p> {
    /// For a worker that spent `effort` until now.
    fn new(patience: &'p Patience, process: u32, effort: Duration) -> Self {
        let now = Instant::now();
        let kill = patience.end.map(|end| (end + patience.grace, Reason::Timeout));
        let allowed = patience.effort.map(|most| most.saturating_add(patience.grace));
        let most =
            allowed.and_then(|allowed| Some((effort.saturating_add(allowed), now.checked_add(allowed)?)));
        Clock { patience, process, most, start: (now, effort), kill, has_asked: false }
    }

    /// Whether the worker spent more than it may, or hangs. If not, the next look is as early as it may have.
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
