//! Limits of checks, and how to end one from another thread.

use crate::Reason;
use crate::effort::Moment;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a check may take, and a way to end it from outside.
///
/// Attempts are limited by [effort](crate::effort), the run as a whole by the clock, so that an attempt does not fail because the machine is
/// busy with something else.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most effort of one check.
    pub time: Option<Duration>,
    /// The effort at which the attempt that the checks belong to ends.
    pub effort: Option<Moment>,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends the check with [`Reason::Interrupted`] once triggered.
    pub interrupt: Option<Interrupt>,
}

impl Limits {
    /// For a run that starts now and ends after `time`; without limit if there is none.
    #[must_use]
    pub fn of_run(time: Option<Duration>) -> Self {
        Limits::until(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// For a run that starts now and ends at `deadline`; without limit if there is none.
    #[must_use]
    pub fn until(deadline: Option<Instant>) -> Self {
        let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        Limits { effort: left.map(|left| Moment::now().after(left)), deadline, ..Limits::default() }
    }

    /// For an attempt that starts now and may take so much effort, within these limits.
    #[must_use]
    pub fn within(&self, effort: Duration) -> Self {
        let end = Moment::now().after(effort);
        Limits { effort: Some(self.effort.map_or(end, |own| own.min(end))), ..self.clone() }
    }

    /// For an attempt that starts now and may take one of so many equal parts of what is left.
    #[must_use]
    pub fn share(&self, parts: u32) -> Self {
        match self.left() {
            Some(left) => self.within(left / parts.max(1)),
            None => self.clone(),
        }
    }

    /// For all that belongs to one check that starts now.
    #[must_use]
    pub fn of_check(&self) -> Self {
        match self.time {
            Some(time) => Limits { time: None, ..self.within(time) },
            None => self.clone(),
        }
    }

    /// The same with at most so much effort for one check.
    #[must_use]
    pub fn per_check(&self, time: Duration) -> Self {
        Limits { time: Some(self.time.map_or(time, |own| own.min(time))), ..self.clone() }
    }

    /// The effort that is left for all checks together; `None` without limit.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let of_clock = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        // The clock alone says little of the effort, but without any other limit it is what there is.
        self.effort.map(Moment::left).or(of_clock)
    }

    /// Why no check may start now, if so.
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

    /// The first time on the clock at which [`exceeded`](Self::exceeded) may say something because of time.
    #[must_use]
    pub fn next_look(&self) -> Option<Instant> {
        let of_effort = self.effort.and_then(|end| Instant::now().checked_add(end.left()));
        self.deadline.into_iter().chain(of_effort).min()
    }
}

/// A flag that another thread raises to end a check. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Raises the flag, for good.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
