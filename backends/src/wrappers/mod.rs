//! Provers around provers.
//!
//! Each is a [`ProverFactory`](crate::ProverFactory) around another, and they compose in any order:
//!
//! | wrapper | what it adds |
//! |---|---|
//! | [`Checked`] | models are evaluated by `ir`; `Unsat` is confirmed by another solver, if wanted |
//! | [`Recording`] | each query as a self-contained SMT-LIB script |
//! | [`Counting`] | counts and times for each kind of query |
//!
//! Outermost is best: `Counting` (counts what the caller asked, with the time of all checks), then `Recording` (records the
//! answers that the caller gets), then `Checked`.

mod checked;
mod counting;
mod recording;

pub use checked::{Checked, CheckedCounts, Faults, ModelFault, Recheck};
pub use counting::{Counting, Entry, Kind, Statistics};
pub use recording::{Answer, Query, QueryKind, QuerySink, Recording, Script};

#[cfg(test)]
mod tests;
