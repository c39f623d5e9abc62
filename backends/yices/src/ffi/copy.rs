//! A call that cannot be interrupted, in a copy of this process that can be killed.
//!
//! The copy (`fork`) has all terms of Yices, so nothing is translated again; it sends its answer
//! through a pipe and ends. Meanwhile this process watches the limits, and counts the CPU time of
//! the copy as [effort](backends::effort) of its own. The copy is killed at a limit, and by the
//! kernel if this process dies. It is in the same process group, so what suspends this process
//! suspends it, too.
//!
//! Cost: the copy of the page tables, about a millisecond for 100 MB.

use backends::gauge::Gauge;
use backends::{Limits, Reason, effort};
use nix::unistd::{ForkResult, fork};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getppid, kill_process, set_parent_process_death_signal, waitpid,
};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The period at which limits are polled.
const PERIOD: Duration = Duration::from_millis(5);
/// The largest resident memory of a process that is copied, in bytes.
const LARGEST: u64 = 1 << 30;
/// The resident memory at which a copy is killed, in bytes.
const LARGEST_COPY: u64 = 4 << 30;

/// The answer of `call` in a copy of this process. `None` if the copy ended without one.
///
/// # Errors
/// [`Reason::Timeout`] or [`Reason::Interrupted`] at a limit, [`Reason::Memory`] if this process or
/// the copy is too large, [`Reason::Fault`] if there is no copy.
pub(crate) fn answer_of_copy(
    limits: &Limits,
    call: impl FnOnce() -> Vec<u8>,
) -> Result<Option<Vec<u8>>, Reason> {
    let resident = Gauge::of(std::process::id()).and_then(|gauge| gauge.resident());
    if resident.is_none_or(|resident| resident.all > LARGEST) {
        return Err(Reason::Memory);
    }
    let failed = |error: &dyn std::fmt::Display| Reason::Fault(format!("cannot copy the process: {error}"));
    let (answer, to_answer) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| failed(&error))?;
    let parent = rustix::process::getpid();
    // SAFETY: the copy has one thread, which calls `call` and ends by `_exit`. It takes no lock
    // that another thread may hold: that of Yices is held by this thread, and the C library
    // releases those of its allocator in a copy.
    match unsafe { fork() }.map_err(|error| failed(&error))? {
        ForkResult::Child => {
            let is_orphan =
                set_parent_process_death_signal(Some(Signal::KILL)).is_err() || getppid() != Some(parent);
            // A handler in the copy would wake the one of its original a second time.
            for signal in [nix::libc::SIGINT, nix::libc::SIGTERM] {
                // SAFETY: a valid signal, which is ignored from here on.
                unsafe { nix::libc::signal(signal, nix::libc::SIG_IGN) };
            }
            // `y2sat` reports its progress there.
            let silent = File::options().write(true).open("/dev/null");
            let _ = silent.map(rustix::stdio::dup2_stderr);
            if !is_orphan && let Ok(bytes) = catch_unwind(AssertUnwindSafe(call)) {
                let _ = File::from(to_answer).write_all(&bytes);
            }
            // SAFETY: ends the process at once, without the exit handlers of its original.
            unsafe { nix::libc::_exit(0) }
        }
        ForkResult::Parent { child } => {
            drop(to_answer);
            let child = Pid::from_raw(child.as_raw()).expect("the number of a process is positive");
            let mut copy = Copy::new(child);
            let received = copy.receive(&mut File::from(answer), limits);
            copy.end();
            received.map(|bytes| (!bytes.is_empty()).then_some(bytes))
        }
    }
}

/// The copy, as its original sees it.
struct Copy {
    process: Pid,
    gauge: Option<Gauge>,
    /// The part of its CPU time that is counted as effort.
    counted: Duration,
}

impl Copy {
    fn new(process: Pid) -> Self {
        let gauge = Gauge::of(process.as_raw_nonzero().get().unsigned_abs());
        Copy { process, gauge, counted: Duration::ZERO }
    }

    /// All bytes that the copy sends until it closes the pipe.
    fn receive(&mut self, answer: &mut File, limits: &Limits) -> Result<Vec<u8>, Reason> {
        let mut bytes = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        let period = Timespec { tv_sec: 0, tv_nsec: PERIOD.subsec_nanos().into() };
        loop {
            let ready = poll(&mut [PollFd::from_borrowed_fd(answer.as_fd(), PollFlags::IN)], Some(&period));
            self.count();
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let resident = self.gauge.as_ref().and_then(Gauge::resident);
            if resident.is_some_and(|resident| resident.all > LARGEST_COPY) {
                return Err(Reason::Memory);
            }
            match ready {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(Reason::Fault(error.to_string())),
            }
            match answer.read(&mut buffer) {
                Ok(0) => return Ok(bytes),
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Reason::Fault(error.to_string())),
            }
        }
    }

    /// Counts what the copy has spent since the last time.
    fn count(&mut self) {
        let spent = self.gauge.as_ref().and_then(Gauge::cpu_time).unwrap_or(self.counted);
        effort::add(spent.saturating_sub(self.counted));
        self.counted = self.counted.max(spent);
    }

    /// Kills the copy if it has not ended, and reaps it.
    fn end(&mut self) {
        let _ = kill_process(self.process, Signal::KILL);
        self.count();
        while let Err(rustix::io::Errno::INTR) = waitpid(Some(self.process), WaitOptions::empty()) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends::Interrupt;
    use backends::effort::Moment;

    fn spin() {
        let start = Moment::now();
        while start.elapsed() < Duration::from_secs(60) {}
    }

    #[test]
    fn the_answer_arrives_whatever_its_length() {
        for length in [1, 100, 1 << 20] {
            let bytes: Vec<u8> = (0..length).map(|i: usize| (i % 251) as u8).collect();
            assert_eq!(answer_of_copy(&Limits::default(), || bytes.clone()), Ok(Some(bytes.clone())));
        }
    }

    #[test]
    fn without_an_answer_there_is_none() {
        assert_eq!(answer_of_copy(&Limits::default(), Vec::new), Ok(None));
        assert_eq!(answer_of_copy(&Limits::default(), || panic!("in the copy")), Ok(None));
    }

    #[test]
    fn a_limit_ends_the_copy_and_its_effort_counts() {
        let start = Moment::now();
        let limits = Limits::default().within(Duration::from_millis(200));
        let ended = answer_of_copy(&limits, || {
            spin();
            vec![1]
        });
        assert_eq!(ended, Err(Reason::Timeout));
        assert!(start.elapsed() >= Duration::from_millis(200));
    }

    #[test]
    fn an_interrupt_ends_the_copy() {
        let interrupt = Interrupt::default();
        interrupt.trigger();
        let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
        let ended = answer_of_copy(&limits, || {
            spin();
            vec![1]
        });
        assert_eq!(ended, Err(Reason::Interrupted));
    }
}
