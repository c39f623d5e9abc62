//! Ends checks that take too long.
//!
//! One thread for the whole process, started by the first check that has a limit. Since Yices runs one check at a time
//! (see [`crate::ffi`]), one slot suffices. Arming is a lock and a store; the thread is woken only when the new end lies
//! before the moment it would wake up anyway, so that thousands of short checks under one deadline cost nothing.
//!
//! A stop request that comes before the search proper (while Yices still internalises) is lost, therefore it is
//! repeated until the check has ended. Internalisation itself, e.g. bit-blasting, cannot be stopped.

use crate::ffi::Context;
use backends::{Interrupt, Limits};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often a stop request is repeated, and an [`Interrupt`] looked at.
const PERIOD: Duration = Duration::from_millis(5);

struct Slot {
    job: Option<Job>,
    /// When the thread looks again; `None` while it waits to be notified.
    wakes_at: Option<Instant>,
}

struct Job {
    context: Context,
    end: Option<Instant>,
    interrupt: Option<Interrupt>,
}

struct Watchdog {
    slot: Mutex<Slot>,
    changed: Condvar,
}

/// While alive, its check is watched.
pub(crate) struct Watch {
    is_armed: bool,
}

/// Watches the check that is about to run in `context`.
pub(crate) fn watch(context: Context, limits: &Limits) -> Watch {
    let end = limits.end_of_check();
    if end.is_none() && limits.interrupt.is_none() {
        return Watch { is_armed: false };
    }
    let Some(watchdog) = watchdog() else { return Watch { is_armed: false } };
    let looks_at = if limits.interrupt.is_some() { Some(Instant::now() + PERIOD) } else { end };
    let mut slot = watchdog.slot.lock().unwrap_or_else(PoisonError::into_inner);
    slot.job = Some(Job { context, end, interrupt: limits.interrupt.clone() });
    let is_early_enough = match (slot.wakes_at, looks_at) {
        (Some(wakes_at), Some(looks_at)) => wakes_at <= looks_at,
        _ => false,
    };
    if !is_early_enough {
        watchdog.changed.notify_one();
    }
    Watch { is_armed: true }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.is_armed
            && let Some(watchdog) = watchdog()
        {
            watchdog.slot.lock().unwrap_or_else(PoisonError::into_inner).job = None;
        }
    }
}

/// `None` if the system gives no thread; then checks are not limited.
fn watchdog() -> Option<&'static Watchdog> {
    static WATCHDOG: OnceLock<Option<&'static Watchdog>> = OnceLock::new();
    *WATCHDOG.get_or_init(|| {
        let watchdog: &'static Watchdog = Box::leak(Box::new(Watchdog {
            slot: Mutex::new(Slot { job: None, wakes_at: None }),
            changed: Condvar::new(),
        }));
        let thread = std::thread::Builder::new().name("yices-watchdog".to_owned()).stack_size(64 << 10);
        thread.spawn(move || guard(watchdog)).ok().map(|_| watchdog)
    })
}

fn guard(watchdog: &Watchdog) -> ! {
    let mut slot = watchdog.slot.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let now = Instant::now();
        slot.wakes_at = match &slot.job {
            None => None,
            Some(job) => {
                let is_over = job.end.is_some_and(|end| now >= end)
                    || job.interrupt.as_ref().is_some_and(Interrupt::is_triggered);
                if is_over {
                    job.context.stop();
                }
                if is_over || job.interrupt.is_some() { Some(now + PERIOD) } else { job.end }
            }
        };
        slot = match slot.wakes_at {
            None => watchdog.changed.wait(slot).unwrap_or_else(PoisonError::into_inner),
            Some(at) => {
                let rest = at.saturating_duration_since(now);
                watchdog.changed.wait_timeout(slot, rest).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}
