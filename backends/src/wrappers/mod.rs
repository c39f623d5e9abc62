//! Provers around provers.
//!
//! Each wrapper is a [`ProverFactory`](crate::ProverFactory) around another factory, and wrappers
//! compose in any order:
//!
//! | wrapper | purpose |
//! |---|---|
//! | [`Checked`] | evaluates models; optionally confirms `Unsat` with another solver |
//! | [`Recording`] | writes each query as a self-contained SMT-LIB script |
//! | [`Counting`] | counts and times each kind of query |
//! | [`Relay`] | gives hard queries to a second solver as well |
//!
//! The recommended order, outermost first: `Counting` (counts the caller's queries, including the
//! time of all checks), `Recording` (records the answers that the caller receives), `Checked`,
//! `Relay`.

mod checked;
mod counting;
mod recording;
mod relay;

pub use checked::{Checked, CheckedCounts, Faults, ModelFault, Recheck};
pub use counting::{Counting, Entry, Kind, Statistics};
pub use recording::{Answer, Query, QueryKind, QuerySink, Recording, Script};
pub use relay::{Relay, SecondAnswers};

#[cfg(test)]
mod tests;
