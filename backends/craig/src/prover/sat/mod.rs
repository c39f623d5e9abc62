//! Satisfiability of clauses modulo a theory, with a proof.
//!
//! [`Solver`] takes clauses with tags, and searches under assumptions, as often as wanted. A [`Theory`] hears of atoms and
//! answers in clauses. [`Solver::proof`] shows why there is no model, [`Solver::failed_assumptions`] what was needed for that.
//!
//! | file | what |
//! |---|---|
//! | `solver` | the state, clauses, questions |
//! | `search` | the loop, decisions, phases |
//! | `propagate` | assignment, watched literals, backtracking |
//! | `analyze` | learning, minimization, failed assumptions, and the chains of all that |
//! | `lemma` | what the theory says |
//! | `reduce`, `vivify` | forgetting, shortening |
//! | `order`, `restart` | heuristics |
//! | `arena`, `log` | clauses, and why they hold |

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
