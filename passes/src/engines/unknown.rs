//! Maps a solver's reason for an unknown answer to a reason for the verdict UNKNOWN.

use crate::evidence::{SolverFailure, UnknownReason};
use backends::Reason;

/// Converts a solver's reason for an unknown answer to the reason for the verdict UNKNOWN. `bound`
/// is the largest bound that was explored completely.
pub(super) fn unknown(reason: &Reason, bound: Option<u32>) -> UnknownReason {
    let failure = match reason {
        Reason::Timeout => return UnknownReason::TimeLimit { bound },
        Reason::Memory => return UnknownReason::MemoryLimit { bound },
        Reason::Interrupted => return UnknownReason::Interrupted,
        Reason::Incomplete(_) => SolverFailure::Incomplete,
        Reason::Unsupported(_) => SolverFailure::Unsupported,
        Reason::Fault(_) => SolverFailure::Fault,
        Reason::Misuse(_) => SolverFailure::Misuse,
    };
    UnknownReason::Solver { failure, explanation: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Site, UnknownKind};
    use grammars::source::Span;

    /// Returns one reason of each kind that an engine reports.
    fn reasons() -> Vec<UnknownReason> {
        let site = || Site { what: "…".to_owned(), span: Span::NONE };
        let solver = |reason| unknown(&reason, None);
        vec![
            UnknownReason::Bound { bound: 3 },
            UnknownReason::PathBound { exceeded: "3 calls on a path".to_owned() },
            solver(Reason::Timeout),
            solver(Reason::Memory),
            solver(Reason::Interrupted),
            UnknownReason::Unsupported(site()),
            UnknownReason::Approximation(site()),
            UnknownReason::Unconfirmed { explanation: "…".to_owned() },
            UnknownReason::NoProgress { reasons: vec!["…".to_owned()] },
            solver(Reason::Incomplete("…".to_owned())),
            solver(Reason::Unsupported("…".to_owned())),
            solver(Reason::Fault("…".to_owned())),
        ]
    }

    #[test]
    fn the_examples_of_the_manual_are_the_texts_of_the_verdicts() {
        for reason in reasons() {
            let kind = reason.kind();
            let text = reason.to_string();
            let mut rest = text.as_str();
            for part in kind.example().split(" at FILE").next().unwrap_or_default().split('…') {
                match rest.split_once(part.trim()) {
                    Some((_, after)) => rest = after,
                    None => panic!("{kind}: {text:?} does not match {:?}", kind.example()),
                }
            }
        }
        assert_eq!(unknown(&Reason::Misuse(String::new()), None).kind(), UnknownKind::Internal);
    }
}
