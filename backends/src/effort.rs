//! Effort: a measure of the work of a run, independent of the load of the machine.
//!
//! Engines divide their budget among attempts: a share for an invariant, a slice for one query. If
//! the clock measured these shares, a busy machine would end attempts that succeed on an idle one,
//! and the verdict would depend on the load. Therefore shares are measured in *effort*: the CPU
//! time of this process and of its workers. The clock ends the run as a whole, and nothing else.
//!
//! DIVERGENCE: a count of solver steps would be the same on every machine, but Yices reports none,
//! and counts of different solvers are not comparable. CPU time grows slightly if other processes
//! use the same caches, so an attempt that ends close to a limit may still differ between runs.

use rustix::time::{ClockId, clock_gettime};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// CPU time of workers and other helpers that was added, in nanoseconds.
static OF_WORKERS: AtomicU64 = AtomicU64::new(0);

/// A moment, measured by the effort of this process since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The current moment. Costs one system call, less than a microsecond.
    #[must_use]
    pub fn now() -> Self {
        Moment(own() + Duration::from_nanos(OF_WORKERS.load(Ordering::Relaxed)))
    }

    /// The effort spent since this moment.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Moment::now().0.saturating_sub(self.0)
    }

    /// The effort from now until this moment; zero if it has passed.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0.saturating_sub(Moment::now().0)
    }

    /// The moment that lies `effort` later.
    #[must_use]
    pub fn after(self, effort: Duration) -> Self {
        Moment(self.0.saturating_add(effort))
    }
}

/// The CPU time of this process.
pub(crate) fn own() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Adds the effort of a worker of this process, or of another process that works for it.
pub fn add(effort: Duration) {
    OF_WORKERS.fetch_add(u64::try_from(effort.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_is_effort_and_waiting_is_none() {
        let (start, clock) = (Moment::now(), Instant::now());
        while start.elapsed() < Duration::from_millis(20) {
            assert!(clock.elapsed() < Duration::from_secs(60), "busy waiting must count as effort");
        }
        let end = start.after(Duration::from_millis(10));
        assert_eq!(end.left(), Duration::ZERO);
        assert!(start < end && end < Moment::now());
    }
}
