//! Limits and interrupts of a library that has no call to end a check.
//!
//! # Idea
//! cvc5 ends a call by `tlimit-per`, which bit-blasting looks at too, but by nothing from outside: the C API has no interrupt, and
//! the callback of a plugin is documented to be called at decisions of the SAT solver, not while a formula is preprocessed.
//! So where an [`Interrupt`](backends::Interrupt) is given the call is made in slices, each twice as long as the one before, and
//! the flag is looked at between them.
//!
//! # Cost
//! Nothing for a call that ends within the first slice, or without an interrupt. Others start anew with each slice: of a call
//! that takes time `t` less than `2t` is lost. The flag is heard after at most as long again as was spent until it was raised, or after
//! the first slice. A worker process, which can be killed, hears it at once.

use backends::{Limits, Reason};
use std::time::{Duration, Instant};

/// Most checks of a verifier are over by then, and nobody waits for as long in vain.
const FIRST: Duration = Duration::from_millis(200);

/// Calls `attempt` with a value for `tlimit-per` (0 for no limit), again with a larger one as long as it fails by a slice that
/// ends. What it leaves behind when it fails must not matter to the next attempt.
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
        // An answer that comes after an interrupt is not wanted any more; one that comes after the end of the time is.
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

/// As `tlimit-per` wants it: rounded up, and more than 0, which is no limit.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX - 1).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends::Interrupt;
    use backends::effort::Moment;

    /// Fails with a timeout after the time it gets if that is less than `needed` milliseconds.
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
