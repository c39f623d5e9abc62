//! Limits of checks, and how to end one from another thread.

use crate::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time of a check, and a way to end it from outside.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Longest time of one check.
    pub time: Option<Duration>,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends the check with [`Reason::Interrupted`] once triggered.
    pub interrupt: Option<Interrupt>,
}

impl Limits {
    /// When a check that starts now has to end.
    pub fn end_of_check(&self) -> Option<Instant> {
        let own = self.time.and_then(|time| Instant::now().checked_add(time));
        match (own, self.deadline) {
            (Some(own), Some(deadline)) => Some(own.min(deadline)),
            (own, deadline) => own.or(deadline),
        }
    }

    /// Why no check may start now, if so.
    pub fn exceeded(&self) -> Option<Reason> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_triggered) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Reason::Timeout)
        } else {
            None
        }
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
