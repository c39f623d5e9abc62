//! The findings of a run so far, for the answer if a limit or a signal ends it.

use super::checks::{self, Check};
use super::exchanged;
use super::statistics::Statistics;
use crate::answer::Answer;
use passes::evidence::UnknownKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The findings so far, shared by the run and its guard.
#[derive(Clone, Debug, Default)]
pub(super) struct Partial(Arc<Mutex<Findings>>);

/// The findings so far.
#[derive(Debug, Default)]
struct Findings {
    checks: Vec<Check>,
    statistics: Option<Statistics>,
    shared: Option<exchanged::Statistics>,
}

impl Partial {
    fn lock(&self) -> MutexGuard<'_, Findings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the checks that the run is about.
    pub(super) fn about(&self, checks: Vec<Check>) {
        self.lock().checks = checks;
    }

    /// Sets the statistics so far.
    pub(super) fn publish(&self, statistics: Statistics) {
        self.lock().statistics = Some(statistics);
    }

    /// Sets the facts that were exchanged so far.
    pub(super) fn shared(&self, statistics: &exchanged::Statistics) {
        self.lock().shared = Some(statistics.clone());
    }

    /// Returns the facts that were exchanged so far.
    pub(super) fn exchanged(&self) -> Option<exchanged::Statistics> {
        self.lock().shared.clone()
    }

    /// Returns the last statistics.
    pub(super) fn statistics(&self) -> Option<Statistics> {
        self.lock().statistics.take()
    }

    /// Returns UNKNOWN after the limit, with the bound reached if it is known.
    pub(super) fn unknown(&self, kind: UnknownKind, limit: &str) -> Answer {
        let explored = self.lock().statistics.as_ref().and_then(Statistics::explored);
        let reason = match explored {
            Some(bound) => format!("{limit}, no error up to bound {bound}"),
            None => limit.to_owned(),
        };
        let mut answer = Answer::unknown(kind, &reason);
        self.complete(&mut answer, kind);
        answer
    }

    /// Adds to UNKNOWN the bounds reached and the checks that are not proved.
    pub(super) fn complete(&self, answer: &mut Answer, kind: UnknownKind) {
        let found = self.lock();
        let loops = found.statistics.as_ref().map(Statistics::loops).unwrap_or_default();
        if !loops.is_empty() {
            let visits: Vec<String> =
                loops.iter().map(|place| format!("{}:{}", place.name, place.visits)).collect();
            answer.text = format!("Bounds reached: {}\n{}", visits.join(","), answer.text);
        }
        if checks::is_open(kind) {
            let list = checks::list("Checks not proved:", &found.checks);
            answer.text = format!("{list}{}", answer.text);
            answer.json["unproved"] = found.checks.iter().map(Check::json).collect();
        }
    }
}
