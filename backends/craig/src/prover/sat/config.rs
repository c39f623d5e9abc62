//! What the search does besides searching.

/// How a [`Solver`](super::Solver) works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether refutations can be had.
    pub logging: ProofLogging,
    /// The value that a variable is given first.
    pub initial_phase: Phase,
    /// The number of 32-bit words that the log may have; with more the answer is `Unknown(Memory)`.
    pub log_words: usize,
}

impl Config {
    /// For queries whose refutations are wanted: at most 4 GB of log.
    pub const PROVING: Config =
        Config { logging: ProofLogging::Chains, initial_phase: Phase::False, log_words: 1 << 30 };
    /// For queries of which only the answer is wanted.
    pub const ANSWERING: Config =
        Config { logging: ProofLogging::None, initial_phase: Phase::False, log_words: 0 };
}

/// What is kept for refutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofLogging {
    /// Nothing.
    None,
    /// The resolution chain of each clause that is still needed.
    Chains,
}

/// The value that a variable is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// False.
    False,
    /// True.
    True,
}

/// How often things happened, since the solver was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Clauses that were found false.
    pub conflicts: u64,
    /// Decisions, those of assumptions included.
    pub decisions: u64,
    /// Literals that followed from clauses.
    pub propagations: u64,
    /// Restarts.
    pub restarts: u64,
    /// Reductions of the clause database.
    pub reductions: u64,
    /// Lemmas of the theory.
    pub lemmas: u64,
    /// Clauses that became shorter between searches.
    pub vivified: u64,
}
