//! A guard thread that ends the process with a verdict at the time or memory limit, and after an
//! interrupt.
//!
//! The engines check their deadline themselves. The guard covers the remaining cases: a solver call
//! that does not return, or an allocation that grows between two checks. Either the run or the
//! guard prints the verdict, never both: whichever first claims the right to print it.

use backends::Interrupt;
use backends::gauge::Gauge;
use passes::evidence::UnknownKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time after the deadline in which an engine may still stop by itself.
pub(crate) const GRACE: Duration = Duration::from_millis(300);
/// The period of the memory check.
const PERIOD: Duration = Duration::from_millis(25);

/// The limits of the process.
#[derive(Clone, Debug, Default)]
pub struct ProcessLimits {
    /// The deadline of the run.
    pub deadline: Option<Instant>,
    /// The limit of resident memory, in bytes.
    pub memory: Option<u64>,
    /// Ends the run from outside.
    pub interrupt: Option<Interrupt>,
}

/// The right to print the verdict, shared by the run and the guard thread.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    claimed: Arc<AtomicBool>,
}

/// The limit that ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// None: the run was interrupted.
    Interrupt,
}

impl Exceeded {
    /// Returns the kind of UNKNOWN for this limit.
    #[must_use]
    pub fn kind(self) -> UnknownKind {
        match self {
            Exceeded::Time => UnknownKind::TimeLimit,
            Exceeded::Memory => UnknownKind::MemoryLimit,
            Exceeded::Interrupt => UnknownKind::Interrupted,
        }
    }
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exceeded::Time => "time limit reached",
            Exceeded::Memory => "memory limit reached",
            Exceeded::Interrupt => "interrupted",
        })
    }
}

impl Guard {
    /// Starts a thread that watches `limits` and calls `end` if one of them is exceeded before the
    /// verdict is claimed. `end` must end the process.
    pub fn start(limits: ProcessLimits, end: impl Fn(Exceeded) + Send + 'static) -> Self {
        let guard = Guard::default();
        let watched = guard.clone();
        let gauge = Gauge::of(std::process::id());
        // If the thread cannot be started, the engines still enforce their own limits.
        let _ = std::thread::Builder::new().name("guard".to_string()).spawn(move || {
            let resident = || Some(gauge.as_ref()?.resident()?.all);
            let mut interrupted: Option<Instant> = None;
            loop {
                if limits.interrupt.as_ref().is_some_and(Interrupt::is_triggered) {
                    interrupted.get_or_insert_with(Instant::now);
                }
                let exceeded = if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline + GRACE) {
                    Some(Exceeded::Time)
                } else if limits.memory.is_some_and(|limit| resident().is_some_and(|used| used > limit)) {
                    Some(Exceeded::Memory)
                } else if interrupted.is_some_and(|since| since.elapsed() >= GRACE) {
                    Some(Exceeded::Interrupt)
                } else {
                    None
                };
                if let Some(exceeded) = exceeded {
                    if watched.claim() {
                        end(exceeded);
                    }
                    return;
                }
                if watched.claimed.load(Ordering::Acquire) {
                    return;
                }
                std::thread::sleep(PERIOD);
            }
        });
        guard
    }

    /// Claims the right to print the verdict. If the guard has already claimed it, blocks until the
    /// guard ends the process.
    pub fn claim_or_wait(&self) {
        if !self.claim() {
            loop {
                std::thread::park();
            }
        }
    }

    /// Claims the right to print the verdict. Returns `false` if the other side has already claimed
    /// it and will end the process.
    pub fn claim(&self) -> bool {
        !self.claimed.swap(true, Ordering::AcqRel)
    }
}

/// Returns four fifths of the machine's memory in bytes, if the system reports it.
pub fn default_memory_limit() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024 / 5 * 4)
}
