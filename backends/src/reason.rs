//! Why there is no answer.

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// The time of [`Limits`](crate::Limits) is over.
    #[error("time limit reached")]
    Timeout,
    /// The memory of [`Limits`](crate::Limits) is used up.
    #[error("memory limit reached")]
    Memory,
    /// [`Interrupt`](crate::Interrupt) was triggered.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up by itself.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The solver cannot express something in the query.
    #[error("not supported by the solver: {0}")]
    Unsupported(String),
    /// The prover was asked for something that its state or its argument does not allow: a bug of the caller.
    #[error("misuse of the prover: {0}")]
    Misuse(String),
    /// The solver failed in a way that it should not.
    #[error("solver fault: {0}")]
    Fault(String),
}
