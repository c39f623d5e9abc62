//! The worker as a process: its pipes, and the guard thread that ends it.
//!
//! The guard waits with `poll`, without reading, until standard input is closed, so it notices the
//! end of the parent even while the solver is busy; every few milliseconds it checks the resident
//! memory. It ends the process with a signal, because `exit` would run destructors concurrently
//! with a busy solver.

use super::server::{Activity, ServeError, serve};
use crate::Registry;
use crate::child::MEMORY_SIGNAL;
use crate::gauge::Gauge;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, Rlimit, Signal};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// The period at which memory and parent are checked.
const PERIOD: Duration = Duration::from_millis(10);

/// Serves the parent process over standard input and output until the input ends. The calling
/// thread should have a large stack, since solvers recurse. `memory` limits resident bytes.
///
/// # Errors
/// The parent disappeared or violated the protocol.
pub fn main(registry: &Registry, memory: Option<u64>) -> Result<(), ServeError> {
    let parent = rustix::process::getppid();
    // Each of these only makes the end of the worker cleaner; if one fails, the others still apply.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    let _ = rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    let (mut input, mut output) = take_pipes()?;
    let activity = Arc::new(Activity::default());
    let guarded = (input.try_clone()?, Arc::clone(&activity));
    std::thread::Builder::new()
        .name("worker-guard".to_owned())
        .stack_size(256 << 10)
        .spawn(move || guard(&guarded.0, &guarded.1, memory, parent))?;
    serve(registry, &mut input, &mut output, &activity)
}

/// Duplicates standard input and output to other descriptors, so that output of a library goes to
/// standard error and its input is empty.
fn take_pipes() -> std::io::Result<(File, File)> {
    let aside = |end: &dyn AsFd| -> std::io::Result<File> {
        let end: OwnedFd = rustix::io::fcntl_dupfd_cloexec(end.as_fd(), 3)?;
        Ok(File::from(end))
    };
    let (input, output) = (aside(&std::io::stdin())?, aside(&std::io::stdout())?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(std::io::stderr())?;
    Ok((input, output))
}

fn guard(input: &File, activity: &Activity, memory: Option<u64>, parent: Option<Pid>) {
    let timeout = Timespec { tv_sec: 0, tv_nsec: PERIOD.subsec_nanos().into() };
    let gauge = Gauge::of(std::process::id());
    let resident = || Some(gauge.as_ref()?.resident()?.all);
    let mut stopped = None;
    loop {
        let busy = activity.busy();
        // Any input that arrives at a busy worker is an interrupt. It stays in the pipe, so it is
        // handled only once.
        let events = if busy.is_some() && busy != stopped { PollFlags::IN } else { PollFlags::empty() };
        let mut ends = [PollFd::new(input, events)];
        let ready = poll(&mut ends, Some(&timeout)).is_ok_and(|ready| ready > 0);
        let found = ends[0].revents();
        if ready && found.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
            || rustix::process::getppid() != parent
        {
            end(Signal::KILL);
        }
        if ready && found.contains(PollFlags::IN) {
            // Interrupts only the request that was busy before and after the poll; the next request
            // may have started meanwhile.
            activity.stop(busy);
            stopped = busy;
        }
        if let Some(limit) = memory
            && resident().is_some_and(|used| used > limit)
        {
            end(MEMORY_SIGNAL);
        }
    }
}

fn end(signal: Signal) {
    let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
}
