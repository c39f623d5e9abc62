//! Limits of checks, and interrupts from other threads.

use crate::Reason;
use crate::effort::Moment;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of checks, and an interrupt.
///
/// Attempts are limited by [effort](crate::effort), the run as a whole by the clock, so an attempt
/// does not fail because the machine is busy with other processes.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximal effort of one check.
    pub time: Option<Duration>,
    /// The effort at which the attempt that contains the checks ends.
    pub effort: Option<Moment>,
    /// The time at which the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends the check with [`Reason::Interrupted`] once triggered.
    pub interrupt: Option<Interrupt>,
}

impl Limits {
    /// Limits of a run that starts now and ends after `time`; unlimited if `time` is `None`.
    #[must_use]
    pub fn of_run(time: Option<Duration>) -> Self {
        Limits::until(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Limits of a run that starts now and ends at `deadline`; unlimited if `deadline` is `None`.
    #[must_use]
    pub fn until(deadline: Option<Instant>) -> Self {
        let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        Limits { effort: left.map(|left| Moment::now().after(left)), deadline, ..Limits::default() }
    }

    /// Limits of an attempt that starts now and spends at most `effort`, within these limits.
    #[must_use]
    pub fn within(&self, effort: Duration) -> Self {
        let end = Moment::now().after(effort);
        Limits { effort: Some(self.effort.map_or(end, |own| own.min(end))), ..self.clone() }
    }

    /// Limits of an attempt that starts now and spends at most `1 / parts` of the remaining effort.
    #[must_use]
    pub fn share(&self, parts: u32) -> Self {
        match self.left() {
            Some(left) => self.within(left / parts.max(1)),
            None => self.clone(),
        }
    }

    /// Limits of everything that belongs to one check that starts now.
    #[must_use]
    pub fn of_check(&self) -> Self {
        match self.time {
            Some(time) => Limits { time: None, ..self.within(time) },
            None => self.clone(),
        }
    }

    /// These limits, with at most the effort `time` for each check.
    #[must_use]
    pub fn per_check(&self, time: Duration) -> Self {
        Limits { time: Some(self.time.map_or(time, |own| own.min(time))), ..self.clone() }
    }

    /// The remaining effort of all checks together; `None` if unlimited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let of_clock = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        // The clock is a poor measure of effort, but the only one if there is no other limit.
        self.effort.map(Moment::left).or(of_clock)
    }

    /// The reason why no further check may start, if a limit is reached.
    #[must_use]
    pub fn exceeded(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_triggered) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.effort.is_some_and(|end| end.left().is_zero())
        {
            Some(Reason::Timeout)
        } else {
            None
        }
    }

    /// The earliest time at which [`exceeded`](Self::exceeded) may report a timeout.
    #[must_use]
    pub fn next_look(&self) -> Option<Instant> {
        let of_effort = self.effort.and_then(|end| Instant::now().checked_add(end.left()));
        self.deadline.into_iter().chain(of_effort).min()
    }
}

/// A flag that another thread raises to interrupt a check. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Raises the flag permanently.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
