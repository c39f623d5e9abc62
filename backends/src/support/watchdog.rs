//! Ends checks that take too long, for solvers that another thread may ask to stop.
//!
//! One thread for the whole process, started by the first check that has a limit, watches the checks of all provers of all
//! solvers. Arming is a lock and a write; the thread is woken only when the new end lies before the moment it would wake up
//! anyway, so that thousands of short checks under one deadline cost nothing. That is also why timers of the solvers are not
//! used: Z3 starts one for each check.
//!
//! A request that comes before the search proper is lost in some solvers, therefore it is repeated until the check has
//! ended. What a solver does without looking at requests, such as bit-blasting in Yices, is not ended by them.

use crate::Limits;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often a request is repeated, and an [`Interrupt`](crate::Interrupt) looked at.
const PERIOD: Duration = Duration::from_millis(5);

#[derive(Default)]
struct Watched {
    /// The checks that run, by their numbers.
    jobs: Vec<Option<Job>>,
    /// When the thread looks again; `None` while it waits to be notified.
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

/// While alive, its check is watched. When it is dropped, `stop` is not called any more: it has to go before the context of the
/// check does.
#[must_use = "a check is watched as long as this lives"]
pub struct Watch {
    number: Option<usize>,
}

/// Watches the check that is about to run: `stop`, which asks it to stop, is called from another thread when a limit is exceeded,
/// and again every few milliseconds.
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

/// `None` if the system gives no thread; then checks are not limited.
fn watchdog() -> Option<&'static Watchdog> {
    static WATCHDOG: OnceLock<Option<&'static Watchdog>> = OnceLock::new();
    *WATCHDOG.get_or_init(|| {
        let watchdog: &'static Watchdog = Box::leak(Box::default());
        let thread = std::thread::Builder::new().name("solver-watchdog".to_owned()).stack_size(256 << 10);
        thread.spawn(move || guard(watchdog)).ok().map(|_| watchdog)
    })
}

/// When limits are looked at next; `None` if there are none.
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
