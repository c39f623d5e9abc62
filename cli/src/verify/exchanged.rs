//! The counts of the facts that a stage has [exchanged](super::sharing) with others.

use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// The facts that a run has sent and received.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Statistics {
    /// The number of facts that it has sent.
    pub(super) sent: usize,
    /// The bounds that it has sent, of all loops and recursions.
    pub(super) bounds: usize,
    /// The loops and recursions that started with a bound from another stage.
    pub(super) started: usize,
    /// The stages that it has received facts from.
    pub(super) senders: Vec<Counts>,
}

/// The facts from one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    /// Its name.
    pub(super) name: String,
    /// Facts that were not known from another stage.
    pub(super) received: usize,
    /// Those without a meaning in this run.
    pub(super) skipped: usize,
    /// Predicates of the precision, and facts that were proved.
    pub(super) used: usize,
    /// Facts that were proved.
    pub(super) proved: usize,
}

impl Statistics {
    /// Writes a line for each stage.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} facts and {} bounds sent to other stages", self.sent, self.bounds)?;
        for Counts { name, received, skipped, used, proved } in &self.senders {
            writeln!(
                out,
                "{received} facts from {name}: {skipped} skipped, {used} used, {proved} of them proved"
            )?;
        }
        if self.started > 0 {
            writeln!(out, "{} loops and recursions started with a bound from other stages", self.started)?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The facts that the run with these statistics has used, in a few words; `None` without any.
pub(super) fn described(statistics: &Value) -> Option<String> {
    let counts = statistics["senders"].as_array()?.iter();
    let used: Vec<String> = counts
        .filter_map(|counts| match (counts["used"].as_u64()?, counts["name"].as_str()?) {
            (0, _) => None,
            (1, name) => Some(format!("1 fact of {name}")),
            (used, name) => Some(format!("{used} facts of {name}")),
        })
        .collect();
    (!used.is_empty()).then(|| used.join(" and "))
}
