//! Executes a script on a prover.
//!
//! The outcome of a check borrows the prover. Therefore [`check`](Session::check) itself executes
//! the commands that read the outcome (`get-value`, `get-unsat-core`, …), and returns at the first
//! command that does not.
//!
//! A script stops at its first error, because if a command such as `assert` were skipped, later
//! answers would refer to other formulas. If a command that only reads the outcome of a check
//! fails, the script continues.

use super::CONTRADICTED;
use super::questions::{names_of, unsat_assumptions};
use super::reader::Reader;
use super::response::{Stop, respond, string};
use crate::solving::Solving;
use crate::{Streams, exit};
use backends::interpolation::Problem;
use backends::{Outcome, Prover, Reason, Status};
use frontend::smtlib::{Assumption, AttributeValue, Command, Step};
use indexmap::IndexMap;
use std::fmt::Write as _;
use std::time::Duration;
use terms::{Term, TermPool};

/// The time limit of a check of all assertions at once in scripts with `:produce-interpolants`.
/// After it, the check proceeds part by part.
const AT_ONCE: Duration = Duration::from_millis(100);

/// The result of a script.
pub(crate) struct Ran {
    /// The exit code of the command.
    pub(crate) code: u8,
    /// The answers of all checks, in order.
    pub(crate) answers: Vec<Status>,
}

/// Runs the script that `reader` reads.
pub(super) fn run(mut reader: Reader, solving: &mut Solving, streams: &mut Streams<'_>) -> Ran {
    let mut session = Session::new(solving);
    let code = match session.run(&mut reader, streams) {
        Ok(()) | Err(Stop::Exit) => session.code,
        Err(Stop::Error) => exit::USAGE,
    };
    Ran { code, answers: session.answers }
}

pub(super) struct Session<'s> {
    pub(super) solving: &'s mut Solving,
    pub(super) pool: TermPool,
    pub(super) logic: String,
    options: IndexMap<String, AttributeValue>,
    prover: Option<Box<dyn Prover>>,
    /// The assertions, by scope.
    pub(super) scopes: Vec<Vec<Assertion>>,
    /// The expected `:status` of the next check.
    stated: Option<Status>,
    unknown: Option<Reason>,
    answers: Vec<Status>,
    code: u8,
}

#[derive(Clone)]
pub(super) struct Assertion {
    pub(super) formula: Term,
    pub(super) name: Option<String>,
    /// Whether each check assumes the formula instead of asserting it. This holds for named
    /// formulas with `:produce-unsat-cores` and without `:produce-interpolants`. Unsat cores
    /// consist of assumed formulas.
    pub(super) is_assumed: bool,
}

/// The assumptions of a check.
pub(super) struct Query {
    /// The names of the assumed assertions, the first elements of `terms`.
    pub(super) names: Vec<String>,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) terms: Vec<Term>,
}

impl<'s> Session<'s> {
    fn new(solving: &'s mut Solving) -> Self {
        Session {
            solving,
            pool: TermPool::new(),
            logic: "ALL".to_string(),
            options: IndexMap::new(),
            prover: None,
            scopes: vec![Vec::new()],
            stated: None,
            unknown: None,
            answers: Vec::new(),
            code: exit::TRUE,
        }
    }

    fn run(&mut self, reader: &mut Reader, streams: &mut Streams<'_>) -> Result<(), Stop> {
        let mut pending = None;
        loop {
            let step = match pending.take() {
                Some(step) => step,
                None => match reader.next(&mut self.pool, streams)? {
                    Some(step) => step,
                    None => return Ok(()),
                },
            };
            let assumptions = match &step.command {
                Command::CheckSat => Vec::new(),
                Command::CheckSatAssuming(assumptions) => assumptions.clone(),
                _ => {
                    self.command(reader, &step, streams)?;
                    continue;
                }
            };
            pending = self.check(reader, &step, assumptions, streams)?;
        }
    }

    /// Runs a command other than a check, outside of a check. A command that reads the outcome of a
    /// check is an error here.
    fn command(&mut self, reader: &mut Reader, step: &Step, streams: &mut Streams<'_>) -> Result<(), Stop> {
        match &step.command {
            Command::SetLogic(name) => self.logic.clone_from(name),
            Command::SetOption { keyword, value } => {
                if !self.set_option(keyword, value) {
                    respond(streams, "unsupported");
                    return Ok(());
                }
            }
            Command::SetInfo { keyword, value } => {
                if let (":status", AttributeValue::Symbol(status)) = (keyword.as_str(), value) {
                    self.stated = match status.as_str() {
                        "sat" => Some(Status::Sat),
                        "unsat" => Some(Status::Unsat),
                        _ => None,
                    };
                }
            }
            Command::Declared(_) | Command::Defined { .. } => {}
            Command::DeclareDatatypes
            | Command::DeclareVariable(_)
            | Command::Rule { .. }
            | Command::Query { .. } => {
                let message = "this command belongs to Horn clauses: run `hornwork horn`";
                return Err(reader.fail(step, message, streams));
            }
            Command::Assert { formula, name, .. } => {
                let added = self.assert(*formula, name.clone());
                added.map_err(|reason| reader.fail(step, &reason.to_string(), streams))?;
            }
            Command::Push(levels) => {
                for _ in 0..*levels {
                    let pushed = self.prover().and_then(|prover| prover.push());
                    pushed.map_err(|reason| reader.fail(step, &reason.to_string(), streams))?;
                    self.scopes.push(Vec::new());
                }
            }
            Command::Pop(levels) => {
                for _ in 0..*levels {
                    let popped = self.prover().and_then(|prover| prover.pop());
                    popped.map_err(|reason| reader.fail(step, &reason.to_string(), streams))?;
                    self.scopes.pop();
                }
            }
            Command::ResetAssertions | Command::Reset => {
                self.prover = None;
                self.scopes = vec![Vec::new()];
                if step.command == Command::Reset {
                    self.options.clear();
                    self.logic = "ALL".to_string();
                    self.stated = None;
                }
            }
            Command::GetModel
            | Command::GetValue(_)
            | Command::GetAssignment
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetInterpolants(_) => {
                return Err(reader.fail(step, "this command must directly follow a check-sat", streams));
            }
            _ => {
                self.look(step, streams)?;
                return Ok(());
            }
        }
        self.success(streams);
        Ok(())
    }

    /// Runs a read-only command that does not depend on a check, or `exit`. Returns `false` for
    /// other commands.
    fn look(&self, step: &Step, streams: &mut Streams<'_>) -> Result<bool, Stop> {
        match &step.command {
            Command::Echo(text) => respond(streams, &string(text)),
            Command::GetInfo(keyword) => match self.information(keyword) {
                Some(text) => respond(streams, &format!("({keyword} {text})")),
                None => respond(streams, "unsupported"),
            },
            Command::GetOption(keyword) => match self.options.get(keyword.as_str()) {
                Some(AttributeValue::String(text)) => respond(streams, &string(text.as_str())),
                Some(
                    AttributeValue::Numeral(text)
                    | AttributeValue::Number(text)
                    | AttributeValue::Symbol(text)
                    | AttributeValue::Expression(text),
                ) => respond(streams, text.as_str()),
                Some(AttributeValue::None) | None => {
                    respond(streams, option_default(keyword).unwrap_or("unsupported"));
                }
            },
            Command::GetAssertions => {
                let mut text = "(".to_string();
                for (i, assertion) in self.scopes.iter().flatten().enumerate() {
                    let separator = if i == 0 { "" } else { "\n " };
                    let _ = write!(text, "{separator}{}", self.pool.display(assertion.formula));
                }
                text.push(')');
                respond(streams, &text);
            }
            Command::Unsupported { .. } => respond(streams, "unsupported"),
            Command::Exit => return Err(Stop::Exit),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn success(&self, streams: &mut Streams<'_>) {
        if self.is_set(":print-success") {
            respond(streams, "success");
        }
    }

    pub(super) fn is_set(&self, option: &str) -> bool {
        self.options.get(option).and_then(AttributeValue::as_bool).unwrap_or(false)
    }

    /// Sets an option. Returns `false` if the option or its value is unsupported.
    fn set_option(&mut self, keyword: &str, value: &AttributeValue) -> bool {
        let is_known = match keyword {
            ":timeout" => match value {
                AttributeValue::Numeral(milliseconds) => milliseconds.parse().is_ok_and(|milliseconds| {
                    self.solving.set_query_limit(milliseconds, self.prover.as_deref_mut());
                    true
                }),
                _ => false,
            },
            _ => option_default(keyword).is_some() && value.as_bool().is_some(),
        };
        if is_known {
            self.options.insert(keyword.to_string(), value.clone());
        }
        is_known
    }

    fn information(&self, keyword: &str) -> Option<String> {
        Some(match keyword {
            ":name" => string(&format!("hornwork with {}", self.solving.factory().name())),
            ":version" => string(&format!(
                "{} with {} {}",
                env!("CARGO_PKG_VERSION"),
                self.solving.factory().name(),
                self.solving.factory().version()
            )),
            ":authors" => string("the Hornwork authors"),
            ":error-behavior" => "immediate-exit".to_string(),
            ":assertion-stack-levels" => (self.scopes.len() - 1).to_string(),
            ":reason-unknown" => match self.unknown.as_ref()? {
                Reason::Memory => "memout".to_string(),
                Reason::Incomplete(_) => "incomplete".to_string(),
                reason => string(&reason.to_string()),
            },
            _ => return None,
        })
    }

    /// Returns the prover, which is created at the first use.
    fn prover(&mut self) -> Result<&mut Box<dyn Prover>, Reason> {
        if self.prover.is_none() {
            self.prover = Some(self.solving.new_prover(&self.logic)?);
        }
        Ok(self.prover.as_mut().expect("the prover was just created"))
    }

    fn assert(&mut self, formula: Term, name: Option<String>) -> Result<(), Reason> {
        let is_assumed =
            name.is_some() && self.is_set(":produce-unsat-cores") && !self.is_set(":produce-interpolants");
        if !is_assumed {
            self.prover()?;
            let prover = self.prover.as_mut().expect("the prover was just created");
            prover.assert(&self.pool, formula)?;
        }
        let scope = self.scopes.last_mut().expect("the base scope is never closed");
        scope.push(Assertion { formula, name, is_assumed });
        Ok(())
    }

    /// Runs a check, then the commands that read its outcome. Returns the first other command.
    fn check(
        &mut self,
        reader: &mut Reader,
        step: &Step,
        assumptions: Vec<Assumption>,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Step>, Stop> {
        let assumed = self.scopes.iter().flatten().filter(|assertion| assertion.is_assumed);
        let (names, mut terms): (Vec<String>, Vec<Term>) =
            assumed.map(|one| (one.name.clone().unwrap_or_default(), one.formula)).unzip();
        terms.extend(assumptions.iter().map(|one| one.literal));
        let query = Query { names, assumptions, terms };
        let made = self.prover().map(|_| ());
        made.map_err(|reason| reader.fail(step, &reason.to_string(), streams))?;
        let stated = self.stated.take();
        let minimal = self.is_set(":minimal-unsat-cores");
        // Moves the prover out of the session, because the outcome borrows it.
        let mut prover = self.prover.take().expect("the prover was just created");
        let next = self.answered(reader, &mut *prover, &query, stated.as_ref(), minimal, streams);
        self.prover = Some(prover);
        next
    }

    fn answered(
        &mut self,
        reader: &mut Reader,
        prover: &mut dyn Prover,
        query: &Query,
        stated: Option<&Status>,
        minimal: bool,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Step>, Stop> {
        let core = if minimal {
            backends::all_sat::minimal_core(prover, &self.pool, &query.terms).ok().flatten()
        } else {
            None
        };
        let by_parts = self.is_set(":produce-interpolants") && query.terms.is_empty();
        let parts: Vec<Vec<Term>> =
            self.scopes.iter().flatten().map(|assertion| vec![assertion.formula]).collect();
        let mut outcome = if by_parts && !parts.is_empty() {
            prover.check_parts(&mut self.pool, &Problem::sequence(parts), AT_ONCE)
        } else {
            prover.check(&self.pool, &query.terms)
        };
        let status = match &outcome {
            Outcome::Sat(_) => Status::Sat,
            Outcome::Unsat(_) => Status::Unsat,
            Outcome::Unknown(reason) => Status::Unknown(reason.clone()),
        };
        self.say(&status, stated, streams);
        loop {
            let Some(step) = reader.next(&mut self.pool, streams)? else { return Ok(None) };
            let response = match (&step.command, &mut outcome) {
                (Command::GetModel, Outcome::Sat(model)) => self.model(&mut **model, reader),
                (Command::GetValue(terms), Outcome::Sat(model)) => self.values(&mut **model, terms),
                (Command::GetAssignment, Outcome::Sat(model)) => self.assignment(&mut **model, reader),
                (Command::GetUnsatCore, Outcome::Unsat(refutation)) => match &core {
                    Some(core) => Ok(names_of(query, core)),
                    None => self.core(&mut **refutation, query),
                },
                (Command::GetUnsatAssumptions, Outcome::Unsat(refutation)) => {
                    unsat_assumptions(&mut **refutation, query)
                }
                (Command::GetInterpolants(partitions), Outcome::Unsat(refutation)) => {
                    self.interpolants(&mut **refutation, query, partitions)
                }
                (Command::GetModel | Command::GetValue(_) | Command::GetAssignment, _) => {
                    Err(Reason::Misuse("the last check has no model: its answer was not sat".to_string()))
                }
                (Command::GetUnsatCore | Command::GetUnsatAssumptions | Command::GetInterpolants(_), _) => {
                    Err(Reason::Misuse(
                        "the last check has no refutation: its answer was not unsat".to_string(),
                    ))
                }
                _ => {
                    if self.look(&step, streams)? {
                        continue;
                    }
                    return Ok(Some(step));
                }
            };
            match response {
                Ok(text) => respond(streams, &text),
                // Later commands do not depend on this response, so the script continues.
                Err(reason) => {
                    let message = match reason {
                        Reason::Misuse(what) => what,
                        reason => reason.to_string(),
                    };
                    respond(streams, &format!("(error {})", string(&message)));
                    self.code = self.code.max(exit::UNKNOWN);
                }
            }
        }
    }

    fn say(&mut self, status: &Status, stated: Option<&Status>, streams: &mut Streams<'_>) {
        respond(
            streams,
            match status {
                Status::Sat => "sat",
                Status::Unsat => "unsat",
                Status::Unknown(_) => "unknown",
            },
        );
        self.unknown = None;
        self.answers.push(status.clone());
        match (status, stated) {
            (Status::Unknown(reason), _) => {
                let _ = writeln!(streams.err, "unknown: {reason}");
                self.unknown = Some(reason.clone());
                if self.code == exit::TRUE {
                    self.code = exit::UNKNOWN;
                }
            }
            (said, Some(stated)) if said != stated => {
                let _ = writeln!(
                    streams.err,
                    "error: the answer contradicts the :status of the script, which is {}",
                    if *stated == Status::Sat { "sat" } else { "unsat" }
                );
                self.code = CONTRADICTED;
            }
            _ => {}
        }
    }
}

/// Returns the default of a supported option: a Boolean option or `:timeout`.
fn option_default(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        ":print-success"
        | ":produce-unsat-cores"
        | ":produce-unsat-assumptions"
        | ":produce-interpolants"
        | ":produce-assignments"
        | ":produce-assertions"
        | ":global-declarations"
        | ":interactive-mode"
        | ":minimal-unsat-cores" => "false",
        ":produce-models" => "true",
        ":timeout" => "0",
        _ => return None,
    })
}
