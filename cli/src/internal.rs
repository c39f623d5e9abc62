//! Internal errors: converts a panic anywhere in a run to an answer.
//!
//! A panic is a bug. [`catch`] runs a part of the tool and returns a panic as an [`InternalError`]
//! with its message and source location. `hornwork verify` then answers UNKNOWN, other commands
//! print the error; the exit code is [`UNKNOWN`](crate::exit::UNKNOWN). The panic hook of
//! [`install_hook`] records the panics of all threads. Before a verdict is printed, [`unseen`]
//! returns the first panic of a thread that [`catch`] does not cover.
//!
//! Limits: a stack overflow, or an abort inside a solver library, ends the process. Therefore
//! solvers run in worker processes by default, and every stage bounds the nesting that it accepts.

use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Mutex;

/// A panic with its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// The message, with the source location of the panic if it is known.
    pub message: String,
}

impl std::fmt::Display for InternalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal error: {}", self.message)
    }
}

impl InternalError {
    /// Returns a request to report the error.
    #[must_use]
    pub fn request() -> String {
        format!(
            "this is a bug in hornwork {}; please report it with the command line, the version and the input",
            env!("CARGO_PKG_VERSION")
        )
    }
}

/// The recorded panics that [`catch`] has not returned, in order.
static NOTED: Mutex<Vec<InternalError>> = Mutex::new(Vec::new());

fn noted() -> std::sync::MutexGuard<'static, Vec<InternalError>> {
    NOTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Records every panic of the process instead of printing it. With `RUST_BACKTRACE` set, also
/// prints it.
pub fn install_hook() {
    let before = std::panic::take_hook();
    let prints = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        let mut message = text(info.payload());
        if let Some(place) = info.location() {
            message = format!("{message} ({}:{})", place.file(), place.line());
        }
        noted().push(InternalError { message });
        if prints {
            before(info);
        }
    }));
}

/// Runs `work` and returns a panic as an error.
///
/// # Errors
/// If `work` panicked. Data that `work` was changing must not be used afterwards.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, InternalError> {
    let before = noted().len();
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        // The first panic is the cause: threads that wait for a panicking thread panic in turn. The
        // hook also recorded its source location.
        let noted: Vec<InternalError> = noted().drain(before..).collect();
        noted.into_iter().next().unwrap_or_else(|| InternalError { message: text(&*payload) })
    })
}

/// Returns the first panic of a thread that [`catch`] does not cover.
pub fn unseen() -> Option<InternalError> {
    noted().first().cloned()
}

/// Panics if `HORNWORK_PANIC` names `place`; for tests.
pub(crate) fn on_request(place: &str) {
    if is_requested(place) {
        panic!("a panic was requested in the {place}");
    }
}

/// Panics on another thread and ignores its result, if `HORNWORK_PANIC` is `thread`; for tests.
pub(crate) fn on_request_elsewhere() {
    if is_requested("thread") {
        let _ = std::thread::spawn(|| on_request("thread")).join();
    }
}

fn is_requested(place: &str) -> bool {
    std::env::var_os("HORNWORK_PANIC").is_some_and(|named| named == place)
}

fn text(payload: &(dyn Any + Send)) -> String {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without a message".to_owned(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        assert_eq!(catch(|| 1), Ok(1));
        let error = catch(|| -> u32 { panic!("the {} should\nhave held", "invariant") });
        let error = error.expect_err("a panic");
        assert!(error.to_string().starts_with("internal error: the invariant should have held"), "{error}");
    }

    #[test]
    fn a_panic_of_a_joined_thread_is_caught() {
        let work = || {
            let thread = std::thread::spawn(|| panic!("in a thread"));
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        };
        assert!(catch(work).expect_err("a panic").message.starts_with("in a thread"));
    }
}
