//! Solvers in child processes, behind the same traits.
//!
//! A solver may crash, run out of memory or never return, all inside of one call. Here such a call happens in a
//! *worker*: a child process of the same binary, started as `hornwork worker`. What ends the worker becomes the
//! [`Reason`](crate::Reason) of one answer, and the next question starts another worker.
//!
//! | module | what |
//! |---|---|
//! | `protocol` | messages and frames |
//! | `connection` | a child process: sending, waiting with limits, what it died of |
//! | `pool` | [`Workers`]: idle children, used again |
//! | `client` | [`Isolated`]: a factory whose provers live in workers |
//! | `interpolation` | [`IsolatedInterpolation`]: sources of interpolants that live in workers |
//! | `server` | [`serve`]: the worker's side of a conversation |
//! | `process` | [`main`]: the worker as a process; its guard |
//!
//! # How
//! *One round trip a check.* `push`, `pop` and `assert` only append to a buffer, which goes out with the next request
//! that needs an answer. The price: an assertion that the solver cannot express is found out at the next check. While
//! such an assertion is in scope, every check is `Unknown` with its reason; nothing is decided without it.
//!
//! *Waiting.* The client polls the pipes until the limit of the check is over, by the clock or by the worker's [effort](crate::effort), which comes
//! with each answer. The worker has the same limit and should stop by itself; it gets [`WorkerLimits::grace`] for that and is killed then. An interrupt is passed on to the worker
//! (the only thing ever sent while it is busy), which gets the same grace.
//!
//! *Recovery.* The client keeps a log of what is asserted, by scope, and replays it into a new worker when the old one is
//! gone. Models and cores of a worker that is gone have a reason instead of an answer.
//!
//! *No orphans, no zombies.* A worker ends when its standard input is closed (a guard thread notices even while the
//! solver is busy), by a signal of the kernel when its parent dies, and when its resident memory exceeds the limit. The
//! client kills and reaps what it does not need any more. Standard output of a worker is the protocol; the library's own
//! output is sent to standard error, whose last lines become part of the reason of a crash.
//!
//! *Trust.* What a worker says is read as foreign input, since its memory may be damaged: see [`terms::wire`].
//!
//! # Cost
//! See `DESIGN`; a round trip is two context switches and a few microseconds of work, and a term is sent once.

mod client;
mod connection;
mod interpolation;
mod pool;
mod process;
mod protocol;
mod server;

#[cfg(test)]
mod tests;

pub use client::Isolated;
pub use interpolation::IsolatedInterpolation;
pub use pool::Workers;
pub use process::main;
pub use server::{Activity, ServeError, serve};

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The binary; usually the one that runs.
    pub program: PathBuf,
    /// What makes it a worker.
    pub arguments: Vec<OsString>,
}

/// Limits of each worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// Bytes of resident memory. The worker is told by [`WorkerCommand::arguments`]; here it decides when an idle worker
    /// has grown too large to be used again.
    pub memory: Option<u64>,
    /// Time that a worker gets to stop by itself after the limit of a check, or after an interrupt, before it is killed.
    pub grace: Duration,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        WorkerLimits { memory: None, grace: Duration::from_secs(1) }
    }
}
