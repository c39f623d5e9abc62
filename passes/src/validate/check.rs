//! Checks and their results.

use crate::evidence::{Basis, Place};
use crate::transform::PrepareError;
use backends::Reason;
use encode::{EncodeError, FloatEncoding};
use program::ssa::{Block, Function};
use std::fmt;
use std::time::Duration;
use terms::{Term, TermPool};
use views::SetupError;
use views::ViewError;

/// All checks of one certificate.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The translation of the program into formulas.
    pub basis: Basis,
    /// The SMT-LIB logic of all formulas.
    pub logic: &'static str,
    /// The checks, in the order of an argument for safety.
    pub list: Vec<Check>,
}

/// One proof obligation.
#[derive(Clone, Debug)]
pub struct Check {
    /// The claim that the check proves.
    pub claim: Claim,
    /// The conjuncts, which must be unsatisfiable together.
    pub formulas: Vec<Term>,
}

/// The claim of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The invariant at the start implies the invariant at the end, for all paths without another
    /// cut point in between.
    Consecution {
        /// The start of the paths.
        from: Start,
        /// The end of the paths.
        to: Start,
    },
    /// The invariant before a call implies the calling context of the callee.
    CallingContext {
        /// The call.
        from: Start,
        /// The callee.
        callee: Function,
    },
    /// No path from a state that satisfies the invariant leads to `to` without passing another cut
    /// point.
    Safety {
        /// The start of the paths.
        from: Start,
        /// The error or unsupported construct that must be unreachable.
        to: End,
    },
    /// No error follows exactly so many steps from the program entry.
    BaseCase {
        /// The number of steps from cut point to cut point.
        steps: u32,
    },
    /// No error follows k steps through states that satisfy the invariants.
    StepCase {
        /// The number of steps from cut point to cut point.
        k: u32,
    },
    /// There is no error within the bound, and no execution exceeds it.
    Bounded {
        /// The number of iterations of each loop.
        bound: u32,
    },
}

/// A cut point where paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The program entry.
    Entry,
    /// A block of the entry function, into which all calls are inlined.
    Block(Block),
    /// A place of a procedure.
    Place(Function, Place),
}

/// A forbidden end of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// An error, with a description for users.
    Error(String),
    /// An unsupported construct, with a description for users.
    Unsupported(String),
}

/// The result of a successful validation.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Validated {
    /// The number of checks.
    pub checks: usize,
    /// The solvers that discharged them.
    pub solver: String,
    /// The duration of the validation.
    #[serde(serialize_with = "seconds")]
    pub time: Duration,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// The reasons why a certificate is not validated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotValidated {
    /// The certificate is wrong, which is a fault of the engine that made it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The validation is incomplete.
    #[error(transparent)]
    Undecided(#[from] Undecided),
}

/// The reasons why a certificate is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The program cannot be prepared with the passes and limits of the certificate.
    #[error("the program cannot be prepared with the passes of the certificate: {0}")]
    Prepare(#[from] PrepareError),
    /// The views reject the prepared program.
    #[error("the program has no block formulas: {0}")]
    View(#[from] ViewError),
    /// The unroller rejects the prepared program.
    #[error("the program cannot be unrolled: {0}")]
    Unroll(#[from] SetupError),
    /// An invariant is attached to an unreachable block.
    #[error("the certificate has an invariant at {0}, which is not a reachable block")]
    NoSuchBlock(Block),
    /// A predicate is attached to a place that does not exist.
    #[error("the certificate has a predicate at {0}, which does not exist")]
    NoSuchPlace(Start),
    /// A predicate has not one argument for each variable of the state.
    #[error("the predicate at {at} has {arguments} arguments for {variables} variables")]
    Arity {
        /// The place of the predicate.
        at: Start,
        /// The number of its arguments.
        arguments: usize,
        /// The number of variables of the state.
        variables: usize,
    },
    /// An invariant is attached to the program entry, which has no state.
    #[error("the certificate has an invariant at the program entry")]
    AtEntry,
    /// An invariant is not Boolean.
    #[error("the invariant at {0} is not of sort Bool")]
    NotBoolean(Start),
    /// An invariant has an unbound variable or an unsupported leaf.
    #[error("the invariant at {0} has an unbound variable")]
    Unbound(Start),
    /// An invariant has a symbol that represents no variable.
    #[error("the invariant at {at} has the unknown symbol `{symbol}`")]
    ForeignSymbol {
        /// The place of the invariant.
        at: Start,
        /// The name of the symbol.
        symbol: String,
    },
    /// An invariant has a symbol of a variable that is not live.
    #[error("the invariant at {at} has the symbol `{symbol}` of a variable that is not live there")]
    NotLive {
        /// The place of the invariant.
        at: Start,
        /// The name of the symbol.
        symbol: String,
    },
    /// A symbol has another sort than its variable.
    #[error("the invariant at {at} has the symbol `{symbol}` with the wrong sort")]
    Sort {
        /// The place of the invariant.
        at: Start,
        /// The name of the symbol.
        symbol: String,
    },
    /// A check is satisfiable.
    #[error("refuted: {0}")]
    Refuted(Claim),
}

/// The reasons why a validation is incomplete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// A formula has no translation into the theories of the certificate.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A limit was reached while formulas were built.
    #[error("{0}")]
    Formulas(Reason),
    /// The unrolling is too large.
    #[error("the unrolling exceeds the limit on the number of terms")]
    Size,
    /// The solver gave no answer.
    #[error("{reason} ({claim})")]
    Check {
        /// The claim of the check.
        claim: Claim,
        /// The reason of the solver.
        reason: Reason,
    },
}

impl From<EncodeError> for NotValidated {
    fn from(error: EncodeError) -> Self {
        Undecided::Encode(error).into()
    }
}

impl Checks {
    pub(super) fn new(pool: &TermPool, basis: Basis, list: Vec<Check>) -> Self {
        let formulas: Vec<Term> = list.iter().flat_map(|check| check.formulas.iter().copied()).collect();
        let logic = basis.theories.encoding.logic(FloatEncoding::in_terms(pool, &formulas));
        Checks { basis, logic, list }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Entry => f.write_str("the program entry"),
            Start::Block(block) => write!(f, "{block}"),
            Start::Place(function, Place::Entry) => write!(f, "the entry of {function}"),
            Start::Place(function, Place::Exit) => write!(f, "the return of {function}"),
            Start::Place(function, Place::Block(block)) => write!(f, "{block} of {function}"),
            Start::Place(function, Place::Call(site)) => {
                write!(f, "call {} in {} of {function}", site.index + 1, site.block)
            }
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Error(what) => f.write_str(what),
            End::Unsupported(what) => write!(f, "unsupported construct, {what}"),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Consecution { from, to } => write!(f, "paths from {from} establish the invariant of {to}"),
            Claim::CallingContext { from, callee } => {
                write!(f, "{from} establishes the calling context of {callee}")
            }
            Claim::Safety { from, to } => write!(f, "no path from {from} leads to an error: {to}"),
            Claim::BaseCase { steps } => {
                write!(f, "base case: no error after {steps} steps from the program entry")
            }
            Claim::StepCase { k } => {
                write!(f, "step case: no error after {k} steps through states that satisfy the invariants")
            }
            Claim::Bounded { bound } => {
                write!(f, "no error within bound {bound}, and no execution exceeds the bound")
            }
        }
    }
}
