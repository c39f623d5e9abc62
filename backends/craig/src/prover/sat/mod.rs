//! A CDCL(T) solver with proof logging.
//!
//! [`Solver`] takes clauses with tags and searches under assumptions, any number of times. A
//! [`Theory`] receives the assigned atoms and answers with clauses. [`Solver::proof`] returns the
//! refutation, [`Solver::failed_assumptions`] the assumptions that it uses.
//!
//! | file | content |
//! |---|---|
//! | `solver` | state, clauses, queries |
//! | `search` | main loop, decisions, phases |
//! | `propagate` | assignment, watched literals, backtracking |
//! | `analyze` | learning, minimization, failed assumptions, and their resolution chains |
//! | `lemma` | integration of theory lemmas |
//! | `reduce`, `vivify` | deleting and shortening clauses |
//! | `order`, `restart` | heuristics |
//! | `arena`, `log` | storage of clauses and their justifications |

mod analyze;
mod arena;
mod config;
mod lemma;
mod literal;
mod log;
mod order;
mod propagate;
mod reduce;
mod restart;
mod search;
mod solver;
mod theory;
mod vivify;

pub use config::{Config, Phase, ProofLogging, Statistics};
pub use literal::{Literal, Variable};
pub use solver::{Answer, Solver};
pub use theory::{Consequences, FinalCheck, NoTheory, Theory};
