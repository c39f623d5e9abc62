//! Limits that hold whatever the engines do: a thread that ends the process with a verdict when time or memory is over.
//!
//! The engines watch their deadline themselves; this is for what cannot, a solver call that does not come back or an
//! allocation that grows faster than anyone looks. Exactly one of engine and guard speaks: the first to [`claim`](Guard::claim).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time past the deadline that the engines get to stop by themselves.
const GRACE: Duration = Duration::from_millis(300);
/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(25);

/// Limits of the whole process.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessLimits {
    /// When the run ends.
    pub deadline: Option<Instant>,
    /// Bytes of resident memory.
    pub memory: Option<u64>,
}

/// The right to print the verdict, shared by the run and the guard thread.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    claimed: Arc<AtomicBool>,
}

/// Which limit ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The deadline.
    Time,
    /// The memory.
    Memory,
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exceeded::Time => "time limit reached",
            Exceeded::Memory => "memory limit reached",
        })
    }
}

impl Guard {
    /// Watches `limits` on a thread of its own and calls `end`, which must end the process, where one is exceeded
    /// before somebody claimed the verdict.
    pub fn start(limits: ProcessLimits, end: impl Fn(Exceeded) + Send + 'static) -> Self {
        let guard = Guard::default();
        let watched = guard.clone();
        // Without a thread there is no guard, but the engines' own limits still hold.
        let _ = std::thread::Builder::new().name("guard".to_string()).spawn(move || {
            loop {
                let exceeded = if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline + GRACE) {
                    Some(Exceeded::Time)
                } else if limits.memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit))
                {
                    Some(Exceeded::Memory)
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

    /// Takes the right to print the verdict, or waits for the guard to end the process.
    pub fn claim_or_wait(&self) {
        if !self.claim() {
            loop {
                std::thread::park();
            }
        }
    }

    /// Takes the right to print the verdict; false where the other side has it, which then ends the process.
    pub fn claim(&self) -> bool {
        !self.claimed.swap(true, Ordering::AcqRel)
    }
}

/// Resident memory of this process, where the system tells.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Four fifths of the machine's memory, where the system tells.
pub fn default_memory_limit() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024 / 5 * 4)
}
