//! Any SMT-LIB 2 solver that reads commands from standard input, behind the solver traits.
//!
//! A [`Specification`] names the program and what it supports. [`factory`] creates provers and
//! [`interpolator`] a source of interpolants, if the solver computes them in one of two
//! [dialects](Dialect).
//!
//! # How it works
//! * **Conversation.** Commands go to the solver in batches, each followed by
//!   `(echo "hornwork-N")`; the S-expressions up to the echo are the replies to the batch. A reply
//!   that does not belong to its command, an `(error …)`, the end of the process and an exceeded
//!   limit are reasons for `Unknown`, never an answer. The process is then killed, and the next
//!   check starts another one with all assertions.
//! * **Scopes** are those of the solver. A solver without `push` ([`Scopes::Restart`]) gets a new
//!   process for each check.
//! * **Assumptions** are named assertions in a scope of their own; the core is that of
//!   `get-unsat-core`.
//! * **Models.** One `get-value` command reads the symbols, the applications of functions and the
//!   divisions of the assertions; other terms are evaluated here. The table of a function has the
//!   applications that occur in the assertions. A value that cannot be read (algebraic numbers,
//!   `lambda`, arrays over uninterpreted sorts) is [`Reason::Unsupported`].
//! * **Theories.** A formula outside the theories of the specification is refused before it is
//!   sent.
//! * **Limits.** The effort is the CPU time of the process, without that of its running children. A
//!   process that exceeds a limit is killed with its process group.
//!
//! # Limits
//! Elimination and projection are unsupported. A solver that accepts a command and computes
//! something else than the standard demands gives wrong answers; models are evaluated and
//! interpolants certified as for every solver.
#![forbid(unsafe_code)]

mod conversation;
mod interpolation;
mod model;
mod prover;
mod replies;
mod theories;

pub use theories::Theories;

use backends::child::{ChildCommand, Patience};
use backends::interpolation::InterpolatorFactory;
use backends::{Capabilities, Limits, Placement, Prover, ProverFactory, Reason};
use conversation::Conversation;
use std::cell::OnceCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A solver program.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The name on the command line.
    pub name: &'static str,
    /// The program.
    pub command: ChildCommand,
    /// The logic to set; `None` for that of the query.
    pub logic: Option<String>,
    /// Commands that are sent first, such as `(set-option :random-seed 1)`.
    pub preamble: Vec<String>,
    /// The supported features. Elimination and projection have no effect.
    pub capabilities: Capabilities,
    /// The handling of scopes.
    pub scopes: Scopes,
    /// The notation of interpolation problems; `None` if the solver does not interpolate.
    pub interpolants: Option<Dialect>,
}

/// The handling of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scopes {
    /// The solver supports `push` and `pop`.
    Native,
    /// Each check gets a new process.
    Restart,
}

terms::choice! {
    /// The notation of interpolation problems.
    Dialect {
        Smtinterpol = "smtinterpol", "named assertions and one `get-interpolants` over a tree, as SMTInterpol, OpenSMT and Princess";
        Mathsat = "mathsat", "`:interpolation-group` and one `get-interpolant` for each cut, as MathSAT";
    }
}

/// The factory of the provers of a solver program.
#[must_use]
pub fn factory(specification: Rc<Specification>) -> ProcessFactory {
    ProcessFactory { specification, version: OnceCell::new() }
}

/// The source of interpolants of a solver program, if its specification names a dialect.
#[must_use]
pub fn interpolator(specification: &Rc<Specification>) -> Option<Rc<dyn InterpolatorFactory>> {
    let dialect = specification.interpolants?;
    let specification = Rc::clone(specification);
    Some(Rc::new(interpolation::ProcessInterpolatorFactory { specification, dialect }))
}

/// Creates provers that are processes.
pub struct ProcessFactory {
    specification: Rc<Specification>,
    version: OnceCell<String>,
}

/// The time in which a solver must tell its version.
const VERSION: Duration = Duration::from_secs(5);

impl ProverFactory for ProcessFactory {
    fn name(&self) -> &'static str {
        self.specification.name
    }

    fn version(&self) -> String {
        let ask = || {
            let end = Instant::now().checked_add(VERSION);
            let patience = Patience { end, ..Patience::default() };
            let mut conversation = Conversation::start(&self.specification.command)?;
            let answers = conversation.ask("(get-info :version)\n", &patience)?;
            Ok(answers.first().and_then(|answer| replies::version(answer)).unwrap_or("unknown").to_owned())
        };
        let told = self.version.get_or_init(|| match ask() {
            Ok(version) => version,
            Err::<String, Reason>(reason) => format!("unknown: {reason}"),
        });
        told.clone()
    }

    fn license(&self) -> &'static str {
        "a program of its own"
    }

    fn capabilities(&self) -> Capabilities {
        self.specification.capabilities.clone()
    }

    fn placement(&self) -> Placement {
        Placement::OwnProcess
    }

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(prover::ProcessProver::new(&self.specification, logic, limits)?))
    }
}
