//! The reason for an `Unknown` answer.

/// The reason for an `Unknown` answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// The time limit of [`Limits`](crate::Limits) is exhausted.
    #[error("time limit reached")]
    Timeout,
    /// The memory limit is exhausted.
    #[error("memory limit reached")]
    Memory,
    /// [`Interrupt`](crate::Interrupt) was triggered.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up although no limit was reached.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The query contains a construct that the solver does not support.
    #[error("not supported by the solver: {0}")]
    Unsupported(String),
    /// The state of the prover or an argument does not permit the call: a bug in the caller.
    #[error("misuse of the prover: {0}")]
    Misuse(String),
    /// The solver failed unexpectedly: a bug in the solver or its binding.
    #[error("solver fault: {0}")]
    Fault(String),
}
