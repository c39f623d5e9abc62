//! Validation and output of certificates.
//!
//! Before validation starts, the run has claimed the right to print the verdict, so a limit cannot
//! turn a proof into UNKNOWN. If a limit is reached during validation, a second guard prints TRUE,
//! marked as not validated.

use crate::answer::{Answer, Form};
use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::input::Compiled;
use crate::internal::{self, InternalError};
use crate::interruption::interrupt;
use crate::options::{EvidenceOptions, VerifyOptions};
use crate::solving::{Solving, Validator, memory_limit};
use crate::{Streams, exit};
use backends::Limits;
use encode::Encoding;
use passes::evidence::{Certificate, Presented, ProgramInvariants, UnknownKind, present};
use passes::validate::{self, Checks, NotValidated, Turn, Validated};
use program::ssa::Program;
use program::ssa::check::NOT_WELL_FORMED;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use terms::TermPool;

/// The minimal effort of validation, even if the proof took less time.
const SHORTEST: Duration = Duration::from_secs(2);
/// The time reserved for printing the answer.
const TO_SAY: Duration = Duration::from_millis(100);

/// The configuration of validation.
pub(crate) struct Validation {
    /// The solvers, in the order of their turns. Empty if validation is disabled.
    validators: Vec<Validator>,
    /// The deadline of the run.
    deadline: Option<Instant>,
    /// The output file of the certificate.
    file: Option<PathBuf>,
    /// The format of the answer if a limit ends the validation.
    form: Form,
}

/// The result of a validation.
#[derive(Clone, Debug)]
pub(crate) enum Result {
    Validated(Validated),
    Skipped,
    Undecided(String),
    Rejected(String),
    /// The prepared program is ill-formed.
    Malformed(String),
}

/// A certificate with the result of its validation.
pub(crate) struct Examined {
    /// `None` after an internal error.
    presented: Option<Presented>,
    result: Result,
}

impl Validation {
    /// Creates the validation that the options configure.
    pub(crate) fn new(
        options: &EvidenceOptions,
        solving: &Solving,
        encoding: Option<Encoding>,
        form: Form,
    ) -> std::result::Result<Self, CliError> {
        let validators = match options.no_validate {
            true => Vec::new(),
            false => solving.validators(options.validator.as_deref(), encoding)?,
        };
        let (deadline, file) = (solving.limits().deadline, options.certificate.clone());
        Ok(Validation { validators, deadline, file, form })
    }

    /// Validates the certificate of a proof that cost `effort`, with at most as much, and writes it
    /// to the file of the options. The caller must have claimed the right to print the verdict.
    pub(crate) fn examine(
        &self,
        certificate: &Certificate,
        compiled: &mut Compiled,
        options: &VerifyOptions,
        streams: &mut Streams<'_>,
        effort: Duration,
    ) -> Examined {
        let Compiled { pool, program, sources, .. } = compiled;
        let guard = start_guard(options, self.form.clone(), self.deadline);
        let deadline = self.deadline.and_then(|deadline| deadline.checked_sub(TO_SAY));
        let limits = Limits::until(deadline).within(effort.max(SHORTEST));
        let result = self.check_certificate(pool, program, certificate, &limits, streams.err);
        let presented = internal::catch(|| present(pool, program, certificate, sources));
        guard.claim_or_wait();
        Examined { presented: presented.ok(), result }
    }
}

impl Validation {
    /// Validates the invariants of loops and procedures, and writes their obligations to the file
    /// of the options.
    pub(crate) fn check_invariants(
        &self,
        pool: &mut TermPool,
        program: &Program,
        invariants: &ProgramInvariants,
        limits: &Limits,
        err: &mut dyn Write,
    ) -> Result {
        let build = |pool: &mut TermPool| match invariants {
            ProgramInvariants::Loops(invariants) => {
                validate::invariant_checks(pool, program, invariants, limits)
            }
            ProgramInvariants::Procedures(summaries) => {
                validate::summary_checks(pool, program, summaries, limits)
            }
        };
        self.check(pool, build, limits, err)
    }

    /// Validates a certificate and writes its obligations to the file of the options.
    pub(crate) fn check_certificate(
        &self,
        pool: &mut TermPool,
        program: &Program,
        certificate: &Certificate,
        limits: &Limits,
        err: &mut dyn Write,
    ) -> Result {
        let build = |pool: &mut TermPool| validate::checks(pool, program, certificate, limits);
        self.check(pool, build, limits, err)
    }

    /// Builds the obligations if they are wanted, writes them to the file of the options, and
    /// discharges them.
    fn check(
        &self,
        pool: &mut TermPool,
        build: impl FnOnce(&mut TermPool) -> std::result::Result<Checks, NotValidated>,
        limits: &Limits,
        err: &mut dyn Write,
    ) -> Result {
        let is_wanted = !self.validators.is_empty();
        let examine = || match &self.file {
            None if !is_wanted => Result::Skipped,
            file => match build(pool) {
                Err(error) => {
                    if file.is_some() {
                        let _ = writeln!(err, "warning: cannot write the certificate: {error}");
                    }
                    if is_wanted { Result::of(Err(error)) } else { Result::Skipped }
                }
                Ok(checks) => {
                    if let Some(file) = file
                        && let Err(error) = std::fs::write(file, validate::script(pool, &checks))
                    {
                        let _ = writeln!(err, "warning: cannot write {}: {error}", file.display());
                    }
                    self.discharge(pool, &checks, limits)
                }
            },
        };
        let result = internal::catch(|| {
            internal::on_request("validator");
            examine()
        });
        result.unwrap_or_else(|error| {
            let _ = writeln!(err, "error: {error}\n{}", InternalError::request());
            // An ill-formed program invalidates the proof. After any other error, the proof stands,
            // but is not validated.
            match error.message.starts_with(NOT_WELL_FORMED) {
                true => Result::Malformed(error.to_string()),
                false => Result::Undecided(error.to_string()),
            }
        })
    }

    /// The validators take turns: each first looks for easy checks, then each gets a share of the
    /// effort that is left.
    fn discharge<'v>(&'v self, pool: &TermPool, checks: &Checks, limits: &Limits) -> Result {
        let turn = |validator: &'v Validator, effort| Turn { factory: &*validator.factory, effort };
        let independent = || self.validators.iter().filter(|validator| validator.is_independent());
        let first = independent().map(|validator| turn(validator, Some(validator.first_turn)));
        let second = independent().map(|validator| turn(validator, None));
        let turns: Vec<Turn<'v>> = first.chain(second).collect();
        match turns.is_empty() {
            true => Result::Skipped,
            false => Result::of(validate::discharge_in_turns(pool, checks, &turns, limits)),
        }
    }
}

/// Starts a guard that prints TRUE, not validated, at the deadline or the memory limit.
fn start_guard(options: &VerifyOptions, form: Form, deadline: Option<Instant>) -> Guard {
    let memory = memory_limit(&options.limits);
    let limits = ProcessLimits { deadline, memory, interrupt: Some(interrupt()) };
    Guard::start(limits, move |exceeded| {
        let result = Result::Undecided(exceeded.to_string());
        let answer = Answer {
            verdict: "TRUE".to_owned(),
            code: exit::TRUE,
            text: format!("Safe.\n{}\n", result.describe()),
            json: json!({ "verdict": "TRUE", "validation": result.json() }),
        };
        let mut out = std::io::stdout();
        let code = answer.code;
        let _ = answer.write(&form, &mut out, None);
        let _ = out.flush();
        std::process::exit(code.into());
    })
}

impl Result {
    fn of(outcome: std::result::Result<Validated, NotValidated>) -> Self {
        match outcome {
            Ok(validated) => Result::Validated(validated),
            Err(NotValidated::Undecided(reason)) => Result::Undecided(reason.to_string()),
            Err(NotValidated::Rejected(rejection)) => Result::Rejected(rejection.to_string()),
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Result::Validated(Validated { checks: 0, .. }) => {
                "Validated: there are no proof obligations.".to_owned()
            }
            Result::Validated(Validated { checks, solver, .. }) => {
                format!("Validated by {solver}: {checks} check{}.", if *checks == 1 { "" } else { "s" })
            }
            Result::Skipped => "Not validated.".to_owned(),
            Result::Undecided(reason) => format!("Not validated ({reason})."),
            Result::Rejected(reason) => format!("Rejected: {reason}."),
            Result::Malformed(reason) => format!("Not validated ({reason})."),
        }
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Result::Validated(validated) => {
                let mut object = json!(validated);
                object["result"] = json!("validated");
                object
            }
            Result::Skipped => json!({ "result": "skipped" }),
            Result::Undecided(reason) => json!({ "result": "undecided", "reason": reason }),
            Result::Rejected(reason) => json!({ "result": "rejected", "reason": reason }),
            Result::Malformed(reason) => json!({ "result": "undecided", "reason": reason }),
        }
    }
}

impl Examined {
    /// Returns the certificate as text.
    fn describe(&self, width: Option<usize>) -> String {
        match &self.presented {
            Some(presented) => presented.describe(width),
            None => "Safe.\n".to_owned(),
        }
    }

    /// Returns TRUE, or UNKNOWN if the certificate is rejected or the program ill-formed. Lines of
    /// invariants that exceed `width` columns are shortened.
    pub(crate) fn answer(&self, width: Option<usize>) -> Answer {
        let mut answer = match &self.result {
            Result::Rejected(reason) => {
                Answer::unknown(UnknownKind::CertificateRejected, &format!("certificate rejected: {reason}"))
            }
            Result::Malformed(reason) => Answer::unknown(UnknownKind::Internal, reason),
            Result::Validated(_) | Result::Skipped | Result::Undecided(_) => Answer {
                verdict: "TRUE".to_owned(),
                code: exit::TRUE,
                text: format!("{}{}\n", self.describe(width), self.result.describe()),
                json: json!({ "verdict": "TRUE" }),
            },
        };
        answer.json["certificate"] = json!(self.presented);
        answer.json["validation"] = self.result.json();
        answer
    }
}
