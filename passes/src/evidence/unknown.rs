//! Reasons for UNKNOWN, with advice for users.
//!
//! [`UnknownReason`] carries the details of one run. [`UnknownKind`] is the closed list of reasons
//! that the tool can print, with the meaning and the advice of each: the command line prints the
//! advice beside the verdict, and the manual's chapter on troubleshooting is generated from the
//! same table.

use grammars::source::{SourceMap, Span};
use serde::Serialize;
use std::fmt;
use terms::choice::Choice;

terms::choice! {
    /// The kind of a reason for UNKNOWN.
    UnknownKind {
        Bound = "bound", "the largest bound allowed was explored; an error beyond it is possible";
        TimeLimit = "time-limit", "the time limit of the run was reached before a proof or an error was found";
        MemoryLimit = "memory-limit", "the memory limit, or the limit on the number of terms, was reached";
        Interrupted = "interrupted", "the run was interrupted from outside";
        Unsupported = "unsupported", "an execution may reach a construct that Hornwork does not model";
        Approximation = "approximation", "every error that was found depends on the result of an over-approximated function or operation";
        Unconfirmed = "unconfirmed", "the formulas have a counterexample, but the interpreter could not replay it";
        NoProgress = "no-progress", "refinement found no new predicate or interpolant that excludes a spurious counterexample";
        SolverIncomplete = "solver-incomplete", "the solver returned unknown for a query";
        SolverUnsupported = "solver-unsupported", "a query uses a theory or an operator that the solver does not support";
        SolverFault = "solver-fault", "the solver crashed or returned a wrong answer";
        Property = "property", "Hornwork does not support the property";
        CertificateRejected = "certificate-rejected", "the validator refuted the certificate of a proof";
        Internal = "internal", "Hornwork violated one of its own invariants";
    }
}

impl UnknownKind {
    /// Returns the advice for users: one sentence without a full stop.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            UnknownKind::Bound => {
                "raise the bound (--unwind, --max-unwind, --loop-bound, --path-bound, --call-bound), or use \
                 an algorithm for unbounded loops: --algorithm k-induction, predicate or impact"
            }
            UnknownKind::TimeLimit => {
                "raise --timelimit, or try another --algorithm, --encoding (QF_AUFLIRA proves many linear \
                 programs) or --solver"
            }
            UnknownKind::MemoryLimit => {
                "raise --memlimit, lower --max-unwind, or try --algorithm symbolic-execution, which explores one \
                 path at a time"
            }
            UnknownKind::Interrupted => "run again; --stats shows how far the run came",
            UnknownKind::Unsupported => {
                "remove or replace the construct at the line given, for instance by a model of the function it calls; \
                 docs/c.md and docs/library.md list what is supported"
            }
            UnknownKind::Approximation => {
                "replace the function at the line given by a precise model, or use an exact encoding: --encoding \
                 QF_ABVFP; if the construct depends on addresses, --addresses fixed assumes one layout"
            }
            UnknownKind::Unconfirmed => {
                "use the bit-precise encoding, --encoding QF_ABVFP; if it is the one in use, please report the program"
            }
            UnknownKind::NoProgress => {
                "allow more sources of predicates, --facts \
                 path-invariants,interpolants,weakest-preconditions,heuristics, another --interpolation, or \
                 --algorithm k-induction"
            }
            UnknownKind::SolverIncomplete => "try another --solver or a quantifier-free --encoding",
            UnknownKind::SolverUnsupported => {
                "choose a solver for the theories of the encoding: `hornwork solvers` lists what each supports"
            }
            UnknownKind::SolverFault => "try another --solver; --record keeps the query for a report",
            UnknownKind::Property => {
                "choose among unreach-call, no-overflow, valid-memsafety, valid-memcleanup and the names of --check"
            }
            UnknownKind::CertificateRejected => {
                "leave out --overflow ignore, if given; otherwise, please report the program with the command line; another \
                 --algorithm or --solver may prove it"
            }
            UnknownKind::Internal => "please report the program with the command line and the version",
        }
    }

    /// Returns the manual's table of all kinds, in Markdown.
    #[must_use]
    pub fn manual() -> String {
        let mut text =
            String::from("| kind | verdict, for example | meaning | advice |\n| --- | --- | --- | --- |\n");
        for kind in UnknownKind::all() {
            let about = kind.about();
            let row = format!("| `{kind}` | `UNKNOWN({})` | {about} | {} |\n", kind.example(), kind.advice());
            text.push_str(&row);
        }
        text
    }

    fn about(self) -> &'static str {
        UnknownKind::TABLE.iter().find(|named| named.value == self).map_or("", |named| named.about)
    }

    /// Returns the text of a verdict of this kind, with `…` for the details of the run.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            UnknownKind::Bound => "bound … reached",
            UnknownKind::TimeLimit => "time limit reached",
            UnknownKind::MemoryLimit => "memory limit reached",
            UnknownKind::Interrupted => "interrupted",
            UnknownKind::Unsupported => "unsupported: … at FILE:LINE",
            UnknownKind::Approximation => "error only through an approximation: … at FILE:LINE",
            UnknownKind::Unconfirmed => "a counterexample could not be replayed: …",
            UnknownKind::NoProgress => "no source of facts excludes a counterexample …",
            UnknownKind::SolverIncomplete => "the solver gave up: …",
            UnknownKind::SolverUnsupported => "not supported by the solver: …",
            UnknownKind::SolverFault => "solver fault: …",
            UnknownKind::Property => "unsupported property …",
            UnknownKind::CertificateRejected => "certificate rejected: …",
            UnknownKind::Internal => "internal error: …",
        }
    }
}

/// A source location with a description of the construct there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Site {
    /// The description of the construct.
    pub what: String,
    /// The location of the construct.
    pub span: Span,
}

/// An engine's reason for the verdict UNKNOWN, with the details of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum UnknownReason {
    /// The largest bound allowed was explored.
    Bound {
        /// The bound, in iterations of each loop and recursion.
        bound: u32,
    },
    /// All paths within a bound on their length or calls were explored.
    PathBound {
        /// The bound and its unit.
        exceeded: String,
    },
    /// The time limit was reached.
    TimeLimit {
        /// The largest bound that was explored completely.
        bound: Option<u32>,
    },
    /// The limit on memory or on the number of terms was reached.
    MemoryLimit {
        /// The largest bound that was explored completely.
        bound: Option<u32>,
    },
    /// The run was interrupted from outside.
    Interrupted,
    /// An execution may reach an unsupported construct.
    Unsupported(Site),
    /// Every error found depends on an over-approximated construct.
    Approximation(Site),
    /// A counterexample of the formulas could not be replayed. With an exact encoding this is a
    /// bug.
    Unconfirmed {
        /// The difference between the formulas and the replay.
        explanation: String,
    },
    /// No source of facts excludes a spurious counterexample.
    NoProgress {
        /// The reason of each source.
        reasons: Vec<String>,
    },
    /// The solver gave no answer, for a reason other than a limit.
    Solver {
        /// The kind of the failure.
        failure: SolverFailure,
        /// The solver's message.
        explanation: String,
    },
}

/// The kind of a solver failure other than a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverFailure {
    /// The solver returned unknown.
    Incomplete,
    /// The solver does not support a theory or an operator of the query.
    Unsupported,
    /// The solver crashed, or its answer was wrong.
    Fault,
    /// Hornwork violated the interface of the solver: a bug in Hornwork.
    Misuse,
}

impl UnknownReason {
    /// Creates the reason for an unsupported construct with an unknown source location.
    pub(crate) fn unsupported(construct: impl fmt::Display) -> Self {
        UnknownReason::Unsupported(Site { what: construct.to_string(), span: Span::NONE })
    }

    /// Returns the kind, which has the meaning and the advice.
    #[must_use]
    pub fn kind(&self) -> UnknownKind {
        match self {
            UnknownReason::Bound { .. } | UnknownReason::PathBound { .. } => UnknownKind::Bound,
            UnknownReason::TimeLimit { .. } => UnknownKind::TimeLimit,
            UnknownReason::MemoryLimit { .. } => UnknownKind::MemoryLimit,
            UnknownReason::Interrupted => UnknownKind::Interrupted,
            UnknownReason::Unsupported(_) => UnknownKind::Unsupported,
            UnknownReason::Approximation(_) => UnknownKind::Approximation,
            UnknownReason::Unconfirmed { .. } => UnknownKind::Unconfirmed,
            UnknownReason::NoProgress { .. } => UnknownKind::NoProgress,
            UnknownReason::Solver { failure, .. } => match failure {
                SolverFailure::Incomplete => UnknownKind::SolverIncomplete,
                SolverFailure::Unsupported => UnknownKind::SolverUnsupported,
                SolverFailure::Fault => UnknownKind::SolverFault,
                SolverFailure::Misuse => UnknownKind::Internal,
            },
        }
    }

    /// Returns the reason on one line, with the source location if known.
    pub fn describe(&self, sources: &SourceMap) -> String {
        let at = |site: &Site| match sources.presumed(site.span) {
            Some(position) => format!("{} at {}:{}", site.what, position.file, position.line),
            None => site.what.clone(),
        };
        match self {
            UnknownReason::Unsupported(site) => format!("unsupported: {}", at(site)),
            UnknownReason::Approximation(site) => {
                format!("error only through an approximation: {}", at(site))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, bound: &Option<u32>| match bound {
            Some(bound) => write!(f, ", no error up to bound {bound}"),
            None => Ok(()),
        };
        match self {
            UnknownReason::Bound { bound } => write!(f, "bound {bound} reached"),
            UnknownReason::PathBound { exceeded } => write!(f, "bound of {exceeded} reached"),
            UnknownReason::TimeLimit { bound } => {
                f.write_str("time limit reached")?;
                within(f, bound)
            }
            UnknownReason::MemoryLimit { bound } => {
                f.write_str("memory limit reached")?;
                within(f, bound)
            }
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::Unsupported(site) => write!(f, "unsupported: {}", site.what),
            UnknownReason::Approximation(site) => {
                write!(f, "error only through an approximation: {}", site.what)
            }
            UnknownReason::Unconfirmed { explanation } => {
                write!(f, "a counterexample could not be replayed: {explanation}")
            }
            UnknownReason::NoProgress { reasons } => {
                f.write_str("no source of facts excludes a counterexample")?;
                match reasons.as_slice() {
                    [] => Ok(()),
                    reasons => write!(f, " ({})", reasons.join("; ")),
                }
            }
            UnknownReason::Solver { explanation, .. } => f.write_str(explanation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_advice_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for kind in UnknownKind::all() {
            assert!(seen.insert(kind.advice()), "{kind}");
            assert!(UnknownKind::manual().contains(&format!("| `{kind}` |")), "{kind}");
        }
    }
}
