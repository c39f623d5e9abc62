//! What is checked, and what comes out of it.

use crate::evidence::Basis;
use crate::transform::PrepareError;
use backends::Reason;
use encode::{EncodeError, FloatEncoding};
use program::ssa::Block;
use std::fmt;
use std::time::Duration;
use terms::{Term, TermPool};
use views::SetupError;
use views::ViewError;

/// Everything that has to be shown of one certificate.
#[derive(Clone, Debug)]
pub struct Checks {
    /// How the program was made formulas.
    pub basis: Basis,
    /// The SMT-LIB logic of all formulas.
    pub logic: &'static str,
    /// In the order in which an argument for safety would give them.
    pub list: Vec<Check>,
}

/// One thing that has to be shown.
#[derive(Clone, Debug)]
pub struct Check {
    /// What it says.
    pub claim: Claim,
    /// These formulas have no model together.
    pub formulas: Vec<Term>,
}

/// What a check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The invariant where paths start implies the invariant where they end, along the paths that pass no other cut point.
    Consecution {
        /// Where the paths start.
        from: Start,
        /// Where they end.
        to: Block,
    },
    /// No path from a state that satisfies the invariant leads to `to` without passing another cut point.
    Safety {
        /// Where the paths start.
        from: Start,
        /// Where they may not lead.
        to: End,
    },
    /// No error follows exactly so many steps from the start of the program.
    BaseCase {
        /// The number of steps from cut point to cut point.
        steps: u32,
    },
    /// No error follows k steps through states that satisfy the invariants.
    StepCase {
        /// The number of steps from cut point to cut point.
        k: u32,
    },
    /// Within the bound there is no error, and nothing goes beyond it.
    Bounded {
        /// The number of iterations of each loop.
        bound: u32,
    },
}

/// Where paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the start of the program.
    Entry,
    /// At a cut point.
    Block(Block),
}

/// Where no path may lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// To an error, for people.
    Error(String),
    /// To something that is not supported, for people.
    Unsupported(String),
}

/// A certificate that was found to be right.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Validated {
    /// How many checks there were.
    pub checks: usize,
    /// The solver that discharged them.
    pub solver: &'static str,
    /// How long it took.
    #[serde(serialize_with = "seconds")]
    pub time: Duration,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Why a certificate does not count as validated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotValidated {
    /// It is wrong, which is a fault of what made it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// It may be right or wrong.
    #[error(transparent)]
    Undecided(#[from] Undecided),
}

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The program after the passes that the certificate names is none that invariants can be of.
    #[error("the program cannot be prepared as the certificate says: {0}")]
    Prepare(#[from] PrepareError),
    /// The same of what views need.
    #[error("the program has no block formulas: {0}")]
    View(#[from] ViewError),
    /// The same of what the unroller needs.
    #[error("the program cannot be unrolled: {0}")]
    Unroll(#[from] SetupError),
    /// An invariant of a block that control flow does not reach.
    #[error("an invariant of {0}, which is no reachable block")]
    NoSuchBlock(Block),
    /// An invariant of the start of the program, where nothing is known.
    #[error("an invariant of the start of the program")]
    AtEntry,
    /// An invariant that is no formula.
    #[error("the invariant of {0} is not of sort Bool")]
    NotBoolean(Block),
    /// A variable of an enclosing quantifier that is not there, or a leaf that formulas do not have.
    #[error("the invariant of {0} has a variable that nothing binds")]
    Unbound(Block),
    /// A symbol that stands for no variable.
    #[error("the invariant of {block} has the symbol `{symbol}`, which stands for nothing")]
    ForeignSymbol {
        /// Whose invariant.
        block: Block,
        /// Its name.
        symbol: String,
    },
    /// A symbol of a variable that is not live.
    #[error("the invariant of {block} has the symbol `{symbol}` of a variable that is not live there")]
    NotLive {
        /// Whose invariant.
        block: Block,
        /// Its name.
        symbol: String,
    },
    /// A symbol whose sort is not that of what it stands for.
    #[error("the invariant of {block} has the symbol `{symbol}` at the wrong sort")]
    Sort {
        /// Whose invariant.
        block: Block,
        /// Its name.
        symbol: String,
    },
    /// What should have no model has one.
    #[error("refuted: {0}")]
    Refuted(Claim),
}

/// Why it was not found out whether a certificate is right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// A formula has no translation into the theories of the certificate.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A limit was reached while formulas were made.
    #[error("{0}")]
    Formulas(Reason),
    /// The unrolling gets too large.
    #[error("the unrolling is too large")]
    Size,
    /// The solver cannot be asked.
    #[error("{0}")]
    Solver(Reason),
    /// The solver gave no answer.
    #[error("{reason} ({claim})")]
    Check {
        /// Of what.
        claim: Claim,
        /// Why.
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
            Start::Entry => f.write_str("the start"),
            Start::Block(block) => write!(f, "{block}"),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Error(what) => f.write_str(what),
            End::Unsupported(what) => write!(f, "what is not supported, {what}"),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Consecution { from, to } => write!(f, "from {from} paths lead to the invariant of {to}"),
            Claim::Safety { from, to } => write!(f, "from {from} no path leads to an error: {to}"),
            Claim::BaseCase { steps } => write!(f, "base case: no error after {steps} steps from the start"),
            Claim::StepCase { k } => write!(f, "step case: no error after {k} steps through the invariants"),
            Claim::Bounded { bound } => write!(f, "no error within bound {bound}, and nothing beyond"),
        }
    }
}
