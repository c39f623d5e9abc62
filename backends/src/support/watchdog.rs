//! Interrupts checks that exceed their limits, for solvers that another thread can interrupt.
//!
//! One thread for the whole process, started by the first check with a limit, watches the checks of
//! all provers. Starting to watch a check is a lock and a write. The thread is woken only if the
//! new limit lies before its next wake-up, so thousands of short checks under one deadline cost
//! nothing. The solvers' own timers are not used for the same reason: Z3 starts a thread for each
//! check.
//!
//! Some solvers lose an interrupt that arrives before the search proper starts, so the interrupt is
//! repeated until the check ends. Phases in which a solver does not poll for interrupts, such as
//! bit-blasting in Yices, cannot be interrupted.

use crate::Limits;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The period at which interrupts are repeated and an [`Interrupt`](crate::Interrupt) is polled.
const PERIOD: Duration = Duration::from_millis(5);

#[derive(Default)]
struct Watched {
    /// The running checks, by number.
    jobs: Vec<Option<Job>>,
    /// The next wake-up of the thread; `None` while it waits for a notification.
    wakes_at: Option<Instant>,
}

struct Job {
    stop: Box<dyn Fn() + Send>,
    limits: Limits,
}

#[derive(Default)]
struct Watchdog {
    watched: Mutex<Watched>,
    changed: Condvar,
}

impl Watchdog {
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guards a watched check. Once dropped, `stop` is not called any more; drop it before the context
/// of the check.
#[must_use = "the check is watched only while this value lives"]
pub struct Watch {
    number: Option<usize>,
}

/// Watches the check that is about to run: once a limit is exceeded, another thread calls `stop`,
/// which interrupts the solver, and repeats the call every few milliseconds.
pub fn watch(stop: impl Fn() + Send + 'static, limits: &Limits) -> Watch {
    let limits = limits.of_check();
    let Some(looks_at) = next_look(&limits) else { return Watch { number: None } };
    let Some(watchdog) = watchdog() else { return Watch { number: None } };
    let job = Some(Job { stop: Box::new(stop), limits });
    let mut watched = watchdog.lock();
    let number = match watched.jobs.iter().position(Option::is_none) {
        Some(free) => {
            watched.jobs[free] = job;
            free
        }
        None => {
            watched.jobs.push(job);
            watched.jobs.len() - 1
        }
    };
    if watched.wakes_at.is_none_or(|wakes_at| wakes_at > looks_at) {
        watchdog.changed.notify_one();
    }
    Watch { number: Some(number) }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(number) = self.number
            && let Some(watchdog) = watchdog()
        {
            watchdog.lock().jobs[number] = None;
        }
    }
}

/// `None` if the system cannot start a thread; checks are then unlimited.
fn watchdog() -> Option<&'static Watchdog> {
    static WATCHDOG: OnceLock<Option<&'static Watchdog>> = OnceLock::new();
    *WATCHDOG.get_or_init(|| {
        let watchdog: &'static Watchdog = Box::leak(Box::default());
        let thread = std::thread::Builder::new().name("solver-watchdog".to_owned()).stack_size(256 << 10);
        thread.spawn(move || guard(watchdog)).ok().map(|_| watchdog)
    })
}

/// The next time at which `limits` must be checked; `None` if unlimited.
fn next_look(limits: &Limits) -> Option<Instant> {
    let of_interrupt = limits.interrupt.is_some().then(|| Instant::now() + PERIOD);
    limits.next_look().into_iter().chain(of_interrupt).min()
}

fn guard(watchdog: &Watchdog) -> ! {
    let mut watched = watchdog.lock();
    loop {
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        for job in watched.jobs.iter().flatten() {
            let is_over = job.limits.exceeded().is_some();
            if is_over {
                (job.stop)();
            }
            let looks_at = if is_over { Some(now + PERIOD) } else { next_look(&job.limits) };
            next = next.into_iter().chain(looks_at).min();
        }
        watched.wakes_at = next;
        watched = match next {
            None => watchdog.changed.wait(watched).unwrap_or_else(PoisonError::into_inner),
            Some(at) => {
                let rest = at.saturating_duration_since(now);
                watchdog.changed.wait_timeout(watched, rest).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}
