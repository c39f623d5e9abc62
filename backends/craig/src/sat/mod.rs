//! Satisfiability of clauses modulo a theory, with a proof.

mod literal;
mod theory;

pub use literal::{Literal, Variable};
pub use theory::{Consequences, FinalCheck, NoTheory, Theory};
