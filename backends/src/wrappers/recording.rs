//! Records each query as a script that any solver can replay.
//!
//! A script is self-contained: logic, `set-info :status` with the answer, declarations, the
//! assertions of all open scopes, the assumptions as the last assertions (a comment gives their
//! number: they are arbitrary terms, which `check-sat-assuming` does not accept), and the command.
//! SMT-LIB has no commands for eliminations and projections: their scripts assert the formula, with
//! the variables and the answer as comments.
//!
//! A query for interpolants is recorded when the caller requests them from the refutation, as named
//! parts and `get-interpolants` in the notation of SMTInterpol.
//!
//! The caller decides where scripts go ([`QuerySink`]). Cost: each script is complete, so recording
//! n checks over one growing stack writes O(n²) text. A script larger than [`Recording::limit`]
//! bytes is abandoned as soon as it exceeds the limit.

use crate::interpolation::{Problem, replay};
use crate::log::LayerLog;
use crate::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, SharedLog, Wrapper};
use std::cell::Cell;
use std::fmt::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::{FunctionSymbol, FunctionValue, Symbol, Term, TermPool, Value, print};

/// A factory of provers whose queries are recorded.
#[derive(Clone)]
pub struct Recording {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
    /// Receives each query after it was answered.
    pub sink: QuerySink,
    /// The maximal length of a recorded script, in bytes.
    pub limit: usize,
    numbers: Rc<Cell<u64>>,
}

/// A callback that receives each query.
pub type QuerySink = Rc<dyn Fn(&Query)>;

/// An answered query.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Query {
    /// The number of the query, from 1, across all provers of one [`Recording`].
    pub number: u64,
    /// The kind of the query.
    pub kind: QueryKind,
    /// The name of the solver.
    pub solver: String,
    /// The answer.
    pub answer: Answer,
    /// The time that the answer took.
    pub time: Duration,
    /// The query as a script.
    pub script: Script,
}

/// The kind of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum QueryKind {
    /// [`Prover::check`].
    Check,
    /// [`Prover::eliminate`].
    Elimination,
    /// [`Model::project`].
    Projection,
    /// [`Refutation::interpolants`].
    Interpolation,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The requested formula or formulas.
    Done,
    /// No answer.
    Unknown(Reason),
}

/// The text of a query.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Script {
    /// The script.
    Text(String),
    /// The script exceeds the limit.
    TooLong,
}

impl Query {
    /// A file name: the number, with at least six digits, the kind and the answer, such as
    /// `000017-check-unsat.smt2`.
    pub fn file_name(&self) -> String {
        let kind = match self.kind {
            QueryKind::Check => "check",
            QueryKind::Elimination => "eliminate",
            QueryKind::Projection => "project",
            QueryKind::Interpolation => "interpolate",
        };
        let answer = match self.answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Done => "done",
            Answer::Unknown(_) => "unknown",
        };
        format!("{:06}-{kind}-{answer}.smt2", self.number)
    }
}

impl Recording {
    /// Wraps `factory`; queries go to `sink`, with scripts of at most `limit` bytes.
    pub fn new(factory: Rc<dyn ProverFactory>, sink: QuerySink, limit: usize) -> Self {
        Recording { factory, sink, limit, numbers: Rc::default() }
    }
}

impl Wrapper for Recording {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let inner = self.factory.new_prover(logic, limits)?;
        Ok(Box::new(RecordingProver {
            log: LayerLog::around(&*inner),
            inner,
            recorder: Recorder {
                solver: self.factory.name(),
                logic: logic.to_owned(),
                sink: self.sink.clone(),
                limit: self.limit,
                numbers: self.numbers.clone(),
            },
        }))
    }
}

/// Writes queries as scripts.
struct Recorder {
    solver: &'static str,
    logic: String,
    sink: QuerySink,
    limit: usize,
    numbers: Rc<Cell<u64>>,
}

impl Recorder {
    fn record(
        &self,
        kind: QueryKind,
        answer: Answer,
        time: Duration,
        write: impl FnOnce(&mut dyn Write) -> fmt::Result,
    ) {
        let number = self.numbers.get() + 1;
        self.numbers.set(number);
        let mut text = Limited { text: String::new(), limit: self.limit };
        let script = match write(&mut text) {
            Ok(()) => Script::Text(text.text),
            Err(fmt::Error) => Script::TooLong,
        };
        let solver = self.solver.to_owned();
        (self.sink)(&Query { number, kind, solver, answer, time, script });
    }

    /// The header of every script.
    fn header(&self, status: &str, time: Duration, comment: &str) -> String {
        let mut header = format!("; answered by {} in {:.6} s\n", self.solver, time.as_secs_f64());
        for line in comment.lines() {
            writeln!(header, "; {line}").expect("a string takes any text");
        }
        writeln!(header, "(set-info :status {status})").expect("a string takes any text");
        header
    }

    /// Records a check, and the queries of its evidence.
    fn outcome<'p>(
        &'p self,
        pool: &TermPool,
        (log, assumptions): (&LayerLog, &[Term]),
        outcome: Outcome<'p>,
        time: Duration,
    ) -> Outcome<'p> {
        let answer = match &outcome {
            Outcome::Sat(_) => Answer::Sat,
            Outcome::Unsat(_) => Answer::Unsat,
            Outcome::Unknown(reason) => Answer::Unknown(reason.clone()),
        };
        self.check(pool, log, assumptions, answer, time);
        match outcome {
            Outcome::Sat(inner) => Outcome::Sat(Box::new(RecordingModel { inner, recorder: self })),
            Outcome::Unsat(inner) => Outcome::Unsat(Box::new(RecordingRefutation { inner, recorder: self })),
            unknown @ Outcome::Unknown(_) => unknown,
        }
    }

    fn check(&self, pool: &TermPool, log: &LayerLog, assumptions: &[Term], answer: Answer, time: Duration) {
        let (status, why) = match &answer {
            Answer::Sat => ("sat", String::new()),
            Answer::Unsat => ("unsat", String::new()),
            Answer::Done => ("unknown", String::new()),
            Answer::Unknown(reason) => ("unknown", reason.to_string()),
        };
        let mut comment = why;
        if !assumptions.is_empty() {
            write!(comment, "\nassumptions are the last {} assertions", assumptions.len())
                .expect("a string takes any text");
        }
        let header = self.header(status, time, comment.trim_start());
        self.record(QueryKind::Check, answer, time, |out| {
            let assertions = log.with(assumptions);
            let script = print::Script {
                logic: Some(&self.logic),
                header: &header,
                assertions: &assertions,
                footer: "(check-sat)\n",
            };
            script.write(out, pool)
        });
    }

    /// Records an elimination or projection of `variables` from `formula`.
    fn quantified(
        &self,
        kind: QueryKind,
        pool: &TermPool,
        (formula, variables): (Term, &[Symbol]),
        result: &Result<Term, Reason>,
        time: Duration,
    ) {
        let names: Vec<&str> =
            variables.iter().map(|&variable| pool.symbol_data(variable).name.as_str()).collect();
        let comment = match result {
            Ok(_) => format!("{kind:?} of {} from the assertion; the answer is below", names.join(" ")),
            Err(reason) => format!("{kind:?} of {} from the assertion: {reason}", names.join(" ")),
        };
        let header = self.header("unknown", time, &comment);
        let answer = match result {
            Ok(_) => Answer::Done,
            Err(reason) => Answer::Unknown(reason.clone()),
        };
        self.record(kind, answer, time, |out| {
            let text = limited_term(pool, result.as_ref().ok().copied(), self.limit)?;
            let footer = match text {
                Some(text) => format!("; the answer: {text}\n(check-sat)\n"),
                None => "(check-sat)\n".to_owned(),
            };
            let script = print::Script {
                logic: Some("ALL"),
                header: &header,
                assertions: &[formula],
                footer: &footer,
            };
            script.write(out, pool)
        });
    }

    fn interpolation(
        &self,
        pool: &mut TermPool,
        problem: &Problem,
        result: &Result<Vec<Term>, Reason>,
        time: Duration,
    ) {
        let (comment, answer) = match result {
            Ok(interpolants) => (format!("{} interpolants", interpolants.len()), Answer::Done),
            Err(reason) => (format!("no interpolants: {reason}"), Answer::Unknown(reason.clone())),
        };
        let header = self.header("unsat", time, &comment);
        let interpolants = result.as_deref().unwrap_or_default();
        self.record(QueryKind::Interpolation, answer, time, |out| {
            replay::write_problem(out, pool, (&self.logic, &header), problem, interpolants)
        });
    }
}

/// The text of a term on one line; `None` if there is no term.
fn limited_term(pool: &TermPool, term: Option<Term>, limit: usize) -> Result<Option<String>, fmt::Error> {
    let Some(term) = term else { return Ok(None) };
    let mut text = Limited { text: String::new(), limit };
    print::write_term(&mut text, pool, term)?;
    Ok(Some(text.text.replace('\n', " ")))
}

/// Text that rejects writes beyond its limit.
struct Limited {
    text: String,
    limit: usize,
}

impl Write for Limited {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len() + more.len() > self.limit {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

struct RecordingProver {
    inner: Box<dyn Prover>,
    recorder: Recorder,
    log: LayerLog,
}

impl Prover for RecordingProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()?;
        self.log.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()?;
        self.log.pop();
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.inner.assert(pool, formula)?;
        self.log.assert(formula);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let RecordingProver { inner, recorder, log } = self;
        let start = Instant::now();
        let outcome = inner.check(pool, assumptions);
        recorder.outcome(pool, (log, assumptions), outcome, start.elapsed())
    }

    fn check_parts(&mut self, pool: &mut TermPool, problem: &Problem, at_once: Duration) -> Outcome<'_> {
        let RecordingProver { inner, recorder, log } = self;
        let start = Instant::now();
        let outcome = inner.check_parts(pool, problem, at_once);
        recorder.outcome(pool, (log, &[]), outcome, start.elapsed())
    }

    fn log(&self) -> Option<SharedLog> {
        Some(self.log.share())
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        let start = Instant::now();
        let result = self.inner.eliminate(pool, formula, variables);
        let time = start.elapsed();
        self.recorder.quantified(QueryKind::Elimination, pool, (formula, variables), &result, time);
        result
    }
}

struct RecordingModel<'p> {
    inner: Box<dyn Model + 'p>,
    recorder: &'p Recorder,
}

impl Model for RecordingModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        self.inner.value(pool, symbol)
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        self.inner.function(pool, function)
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        self.inner.eval(pool, term)
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        self.inner.eval_all(pool, terms)
    }

    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        let start = Instant::now();
        let result = self.inner.project(pool, formula, variables);
        let time = start.elapsed();
        self.recorder.quantified(QueryKind::Projection, pool, (formula, variables), &result, time);
        result
    }
}

struct RecordingRefutation<'p> {
    inner: Box<dyn Refutation + 'p>,
    recorder: &'p Recorder,
}

impl Refutation for RecordingRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        self.inner.unsat_core()
    }

    fn interpolants(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        let start = Instant::now();
        let result = self.inner.interpolants(pool, problem);
        self.recorder.interpolation(pool, problem, &result, start.elapsed());
        result
    }
}
