//! Joins the reasons of several failures into one.

use crate::{Limits, Reason};
use std::fmt::Write;

/// The reason why all of `said` failed, with the name of each: the limit of the whole run if it is
/// exceeded, the common kind of failure if all have the same kind, otherwise
/// [`Reason::Incomplete`].
pub fn join(said: &[(String, Reason)], limits: &Limits) -> Reason {
    if let Some(reason) = limits.exceeded() {
        return reason;
    }
    let all =
        |is_kind: fn(&Reason) -> bool| !said.is_empty() && said.iter().all(|(_, reason)| is_kind(reason));
    for (is_kind, reason) in [
        (is_timeout as fn(&Reason) -> bool, Reason::Timeout),
        (is_memory, Reason::Memory),
        (is_interrupted, Reason::Interrupted),
    ] {
        if all(is_kind) {
            return reason;
        }
    }
    let are_unsupported = all(|reason| matches!(reason, Reason::Unsupported(_)));
    let mut text = String::new();
    for (index, (who, reason)) in said.iter().enumerate() {
        let separator = if index == 0 { "" } else { "; " };
        match reason {
            // The common kind is stated once, in front.
            Reason::Unsupported(what) if are_unsupported => write!(text, "{separator}{who}: {what}"),
            reason => write!(text, "{separator}{who}: {reason}"),
        }
        .expect("a string takes any text");
    }
    if said.is_empty() {
        return Reason::Unsupported("no source of interpolants is available".to_owned());
    }
    if are_unsupported {
        Reason::Unsupported(text)
    } else if all(|reason| matches!(reason, Reason::Misuse(_))) {
        Reason::Misuse(text)
    } else if all(|reason| matches!(reason, Reason::Fault(_))) {
        Reason::Fault(text)
    } else {
        Reason::Incomplete(text)
    }
}

fn is_timeout(reason: &Reason) -> bool {
    *reason == Reason::Timeout
}

fn is_memory(reason: &Reason) -> bool {
    *reason == Reason::Memory
}

fn is_interrupted(reason: &Reason) -> bool {
    *reason == Reason::Interrupted
}
