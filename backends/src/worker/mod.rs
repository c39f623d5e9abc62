//! Solvers in child processes, behind the same traits.
//!
//! A solver may crash, run out of memory or hang, within a single call. Here such calls run in a
//! *worker*: a child process of the same binary, started as `hornwork worker`. If the worker ends,
//! the cause becomes the [`Reason`](crate::Reason) of one answer, and the next query starts another
//! worker.
//!
//! | module | contents |
//! |---|---|
//! | `protocol` | messages and frames |
//! | `connection` | a child process: sending, waiting with limits, the cause of its end |
//! | `pool` | [`Workers`]: idle children, reused |
//! | `client` | [`Isolated`]: a factory whose provers run in workers |
//! | `interpolation` | [`IsolatedInterpolation`]: sources of interpolants that run in workers |
//! | `server` | [`serve`]: the worker's side of a conversation |
//! | `process` | [`main`]: the worker as a process; its guard thread |
//!
//! # Design
//! *One round trip per check.* `push`, `pop` and `assert` only append to a buffer, which is sent
//! with the next request that needs an answer. The price: an assertion that the solver does not
//! support is reported only by the next check. While such an assertion is in scope, every check is
//! `Unknown` with its reason; no query is decided without it.
//!
//! *Waiting.* The client polls the pipes until the limit of the check is reached, by the clock or
//! by the worker's [effort](crate::effort), which each answer includes. The worker has the same
//! limit and should stop by itself; after [`WorkerLimits::grace`] the client kills it. The client
//! forwards an interrupt to the worker (the only message ever sent to a busy worker), which has the
//! same grace period.
//!
//! *Recovery.* The client keeps a log of the assertions, by scope, and replays it into a new worker
//! when the old one is lost. Queries for models and cores of a lost worker are answered with the
//! reason of its end.
//!
//! *No orphans, no zombies.* A worker ends when its standard input is closed (a guard thread
//! notices even while the solver is busy), by a signal of the kernel when its parent dies, and when
//! its resident memory exceeds the limit. The client kills and reaps workers that it no longer
//! needs. Standard output of a worker carries the protocol; output of the solver library goes to
//! standard error, whose last lines become part of the reason of a crash.
//!
//! *Trust.* Answers of a worker are untrusted input, since its memory may be corrupted: see
//! [`terms::wire`].
//!
//! # Cost
//! A round trip is two context switches and a few microseconds of work; each term is sent once.

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

/// The command line of a worker.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The binary; usually the running one.
    pub program: PathBuf,
    /// The arguments that start it as a worker.
    pub arguments: Vec<OsString>,
}

/// Limits of each worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// Resident memory in bytes. The worker itself gets the limit through
    /// [`WorkerCommand::arguments`]; here it decides when an idle worker has grown too large for
    /// reuse.
    pub memory: Option<u64>,
    /// Grace period: the time for a worker to stop by itself, after the limit of a check or an
    /// interrupt, before it is killed.
    pub grace: Duration,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        WorkerLimits { memory: None, grace: Duration::from_secs(1) }
    }
}
