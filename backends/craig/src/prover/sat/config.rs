//! Configuration and statistics of the search.

/// Configuration of a [`Solver`](super::Solver).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether refutations are logged.
    pub logging: ProofLogging,
    /// The first phase of a variable.
    pub initial_phase: Phase,
    /// The maximum number of 32-bit words of the log; beyond it the answer is `Unknown(Memory)`.
    pub log_words: usize,
}

impl Config {
    /// For queries that need refutations: at most 4 GB of log.
    pub const PROVING: Config =
        Config { logging: ProofLogging::Chains, initial_phase: Phase::False, log_words: 1 << 30 };
    /// For queries that need only the answer.
    pub const ANSWERING: Config =
        Config { logging: ProofLogging::None, initial_phase: Phase::False, log_words: 0 };
}

/// The amount of proof logging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofLogging {
    /// No logging.
    None,
    /// The resolution chain of each clause that is still needed.
    Chains,
}

/// A truth value for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// False.
    False,
    /// True.
    True,
}

/// Event counters since the creation of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions, including assumptions.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// Restarts.
    pub restarts: u64,
    /// Reductions of the clause database.
    pub reductions: u64,
    /// Theory lemmas.
    pub lemmas: u64,
    /// Clauses that vivification shortened.
    pub vivified: u64,
}
