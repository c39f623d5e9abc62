//! Limits and interrupts for a library that cannot interrupt a check.
//!
//! # Idea
//! cvc5 ends a call by `tlimit-per`, which bit-blasting respects too, but offers no interrupt: the
//! C API has none, and the callback of a plugin is documented to be called at decisions of the SAT
//! solver, not while a formula is preprocessed. So if an [`Interrupt`](backends::Interrupt) is
//! given, the call is made in slices, each twice as long as the one before, and the flag is checked
//! between them.
//!
//! # Cost
//! None for a call that ends within the first slice, or without an interrupt. Other calls restart
//! with each slice: a call that takes time `t` loses less than `2t`. The interrupt takes effect
//! after at most the time already spent when the flag was raised, or after the first slice. A
//! worker process, which can be killed, reacts immediately.

use backends::{Limits, Reason};
use std::time::{Duration, Instant};

/// The first slice: most checks of a verifier end within it, and the delay of an interrupt stays
/// small.
const FIRST: Duration = Duration::from_millis(200);

/// Calls `attempt` with a value for `tlimit-per` (0 for no limit), and repeats it with a larger one
/// while it fails because the slice ends. State left behind by a failed attempt must not affect the
/// next one.
pub(crate) fn in_slices<R>(
    limits: &Limits,
    mut attempt: impl FnMut(u64) -> Result<R, Reason>,
) -> Result<R, Reason> {
    let limits = limits.of_check();
    let mut slice = FIRST;
    loop {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let start = Instant::now();
        let rest = limits.left();
        if rest.is_some_and(|rest| rest.is_zero()) {
            return Err(Reason::Timeout);
        }
        let is_last = limits.interrupt.is_none() || rest.is_some_and(|rest| rest <= slice);
        let result = attempt(if is_last { rest.map_or(0, milliseconds) } else { milliseconds(slice) });
        // An answer after an interrupt is discarded; an answer after the time limit is returned.
        if limits.interrupt.as_ref().is_some_and(backends::Interrupt::is_triggered) {
            return Err(Reason::Interrupted);
        }
        let Err(reason) = result else { return result };
        if is_last {
            let is_over = rest.is_some_and(|rest| start.elapsed() >= rest);
            return Err(if is_over { Reason::Timeout } else { reason });
        }
        if matches!(reason, Reason::Unsupported(_) | Reason::Memory) || start.elapsed() < slice {
            return Err(reason);
        }
        slice = slice.saturating_mul(2);
    }
}

/// The time as a value of `tlimit-per`: rounded up, and more than 0, which means no limit.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX - 1).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends::Interrupt;
    use backends::effort::Moment;

    /// Simulates a call that needs `needed` milliseconds: fails with a timeout if `given` is less.
    fn call(needed: u64, seen: &mut Vec<u64>, given: u64) -> Result<(), Reason> {
        seen.push(given);
        if given == 0 || given >= needed {
            return Ok(());
        }
        let start = Moment::now();
        while start.elapsed() < Duration::from_millis(given) {}
        Err(Reason::Timeout)
    }

    #[test]
    fn slices_double_only_where_an_interrupt_may_come() {
        let mut seen = Vec::new();
        let limits = Limits { interrupt: Some(Interrupt::default()), ..Limits::default() };
        assert_eq!(in_slices(&limits, |given| call(700, &mut seen, given)), Ok(()));
        assert_eq!(seen, [201, 401, 801]);
        seen.clear();
        assert_eq!(in_slices(&Limits::default(), |given| call(700, &mut seen, given)), Ok(()));
        assert_eq!(seen, [0]);
        seen.clear();
        let limits = Limits { time: Some(Duration::from_millis(500)), ..limits };
        assert_eq!(in_slices(&limits, |given| call(700, &mut seen, given)), Err(Reason::Timeout));
        assert!(matches!(seen[..], [201, 1..=300]), "{seen:?}");
    }

    #[test]
    fn interrupts_count_between_slices_and_after_an_answer() {
        for needed in [1, 10_000] {
            let interrupt = Interrupt::default();
            let limits = Limits { interrupt: Some(interrupt.clone()), ..Limits::default() };
            let mut seen = Vec::new();
            let answer = in_slices(&limits, |given| {
                interrupt.trigger();
                call(needed, &mut seen, given)
            });
            assert_eq!(answer, Err(Reason::Interrupted));
            assert_eq!(seen.len(), 1);
        }
    }
}
