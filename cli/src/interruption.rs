//! Ctrl-C and SIGTERM: the first signal ends the run with the answer UNKNOWN, and with everything
//! that was found so far; the second one ends the process at once.
//!
//! The flag is for guards and schedules, not for the limits of queries: the guard ends the process
//! while a query runs.
//!
//! Worker processes ignore both: Ctrl-C reaches all processes of the terminal, and a solver that
//! dies before its client would be reported as a crash. Workers end with their client.

use crate::exit;
use backends::Interrupt;
use std::sync::OnceLock;

/// Returns the flag that a signal raises, and listens to signals from the first call on.
pub(crate) fn interrupt() -> Interrupt {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    let flag = INTERRUPT.get_or_init(|| {
        let flag = Interrupt::default();
        let raised = flag.clone();
        // Without a handler, signals end the process.
        let _ = ctrlc::set_handler(move || {
            if raised.is_triggered() {
                std::process::exit(exit::UNKNOWN.into());
            }
            raised.trigger();
        });
        flag
    });
    flag.clone()
}

/// Ignores signals, in a worker.
pub(crate) fn ignore() {
    let _ = ctrlc::set_handler(|| {});
}
