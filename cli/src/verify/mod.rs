//! `hornwork verify`.

mod engine;
mod progress;
mod statistics;

use crate::certificate::{Examined, Validation};
use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::input::{self, Compiled, Warnings};
use crate::internal::{self, InternalError};
use crate::options::{Options, VerifyOptions};
use crate::solving::{Solving, memory_limit};
use crate::{Streams, exit, solvers};
use encode::FloatEncoding;
use passes::engines::bmc::{Config, Schedule};
use passes::evidence::{UnknownKind, Verdict};
use passes::trace;
use progress::{Dump, Graphs, Progress};
use statistics::Statistics;
pub(crate) use statistics::write_passes;
use std::io::Write;
use std::rc::Rc;
use std::time::Instant;
use terms::choice::Choice;

pub(crate) fn run(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let start = Instant::now();
    // Usage errors first, before any work.
    let analysis = options.analysis.config()?;
    let engine = engine::engine(&analysis, &global.given)?;
    let encoding = &options.encoding;
    let pipeline = input::pipeline(&options.passes)?;
    let quantifiers = encoding.encoding.quantifiers();
    let solving = Solving::new(&options.solving, &options.limits, solvers::registry(), quantifiers)?;
    let validation = Validation::new(&options.evidence, &solving, quantifiers)?;
    let deadline = solving.limits().deadline;
    let guard = start_guard(options, deadline);

    // Everything that may panic while the guard watches; only then the right to print the verdict is claimed, once.
    let decided = internal::catch(|| {
        let warnings = if global.verbose > 0 { Warnings::Shown } else { Warnings::Hidden };
        internal::on_request("front end");
        let mut compiled = input::compile(&options.input, warnings, streams)?;
        if let Some(reason) = compiled.specification.refusal() {
            return Ok(Decided::Refused(reason));
        }
        if !global.quiet {
            compiled.warn_of_assumptions(streams);
        }
        let config = Config {
            pipeline,
            theories: encoding.with_floats(FloatEncoding::Bits),
            deadline,
            query_time: solving.limits().time,
            ..Config::new(schedule(options))
        };
        let dump = options.evidence.dump.clone().map(|file| Dump {
            file,
            graphs: if options.evidence.dump_refinements { Graphs::All } else { Graphs::Last },
        });
        let sources = Rc::new(compiled.sources.clone());
        let mut progress = Progress::new(streams.is_terminal && !global.quiet, dump, sources);
        internal::on_request("engine");
        internal::on_request_elsewhere();
        let (verdict, statistics) =
            engine::run(engine, &analysis, &config, &mut compiled, solving.factory(), &mut progress);
        let (report, dumped) = (Report { verdict, statistics }, progress.finish());
        Ok(Decided::Verdict(Box::new(Outcome { compiled, report, dumped })))
    });
    guard.claim_or_wait();
    let Outcome { mut compiled, report, dumped } = match decided {
        Err(error) => {
            say_internal_error(options, streams, &error);
            return Ok(exit::UNKNOWN);
        }
        Ok(Err(error)) => return Err(error),
        Ok(Ok(Decided::Refused(reason))) => {
            return Ok(answer(options, streams, &Answer::unknown(UnknownKind::Property, &reason), None));
        }
        Ok(Ok(Decided::Verdict(outcome))) => *outcome,
    };
    let examined = match &report.verdict {
        Verdict::Safe(certificate) => {
            Some(validation.examine(certificate, &mut compiled, options, streams, start))
        }
        Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    };
    if let Some(error) = internal::unseen() {
        // Some thread did not do what it should have done.
        say_internal_error(options, streams, &error);
        return Ok(exit::UNKNOWN);
    }
    solving.report_faults(streams.err);
    if let Err(error) = dumped {
        let _ = writeln!(streams.err, "warning: {error}");
    }
    let code = say(options, streams, &report, examined.as_ref(), &compiled, &solving, start);
    // Large pools take long to free, and the process ends now.
    std::mem::forget(compiled);
    Ok(code)
}

/// What a run ends with, if nothing goes wrong.
enum Decided {
    /// The specification asks for something that is not supported.
    Refused(String),
    /// An engine has answered.
    Verdict(Box<Outcome>),
}

/// The answer of an engine and the program that it is about.
struct Outcome {
    compiled: Compiled,
    report: Report,
    /// An error if a graph was not written.
    dumped: Result<(), String>,
}

/// The last bound that is tried without `--max-unwind`.
const MAX_UNWIND: u32 = 1_000_000;

fn schedule(options: &VerifyOptions) -> Schedule {
    match options.unwind {
        Some(bound) => Schedule::exactly(bound),
        None => {
            let schedule = Schedule::deepening(Some(options.max_unwind.unwrap_or(MAX_UNWIND)));
            Schedule { growth: options.analysis.k_step.unwrap_or(schedule.growth), ..schedule }
        }
    }
}

/// Answers UNKNOWN because of a panic, and asks for a report.
pub(crate) fn say_internal_error(options: &VerifyOptions, streams: &mut Streams<'_>, error: &InternalError) {
    let _ = writeln!(streams.err, "error: {error}\n{}", InternalError::request());
    answer(options, streams, &Answer::unknown(UnknownKind::Internal, &error.to_string()), None);
}

/// What a run found out.
struct Report {
    verdict: Verdict,
    statistics: Statistics,
}

fn start_guard(options: &VerifyOptions, deadline: Option<Instant>) -> Guard {
    let memory = memory_limit(&options.limits);
    let json = options.json;
    Guard::start(ProcessLimits { deadline, memory }, move |exceeded| {
        let mut out = std::io::stdout();
        let _ = Answer::unknown(exceeded.kind(), &exceeded.to_string()).write(json, &mut out, None);
        let _ = out.flush();
        std::process::exit(exit::UNKNOWN.into());
    })
}

/// What is printed at the end.
pub(crate) struct Answer {
    pub(crate) verdict: String,
    pub(crate) code: u8,
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

impl Answer {
    pub(crate) fn unknown(kind: UnknownKind, reason: &str) -> Self {
        // The verdict is one line whatever the reason holds.
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Answer {
            verdict: format!("UNKNOWN({reason})"),
            code: exit::UNKNOWN,
            text: format!("hint: {}\n", kind.advice()),
            json: serde_json::json!({
                "verdict": "UNKNOWN", "reason": reason, "kind": kind.name(), "hint": kind.advice(),
            }),
        }
    }

    pub(crate) fn write(
        &self,
        json: bool,
        out: &mut dyn Write,
        statistics: Option<&Statistics>,
    ) -> std::io::Result<()> {
        if json {
            let mut object = self.json.clone();
            if let Some(statistics) = statistics {
                object["statistics"] = statistics.json();
            }
            return writeln!(out, "{object}");
        }
        write!(out, "{}", self.text)?;
        writeln!(out, "{}", self.verdict)
    }
}

fn say(
    options: &VerifyOptions,
    streams: &mut Streams<'_>,
    report: &Report,
    examined: Option<&Examined>,
    compiled: &Compiled,
    solving: &Solving,
    start: Instant,
) -> u8 {
    let sources = &compiled.sources;
    let mut result = match &report.verdict {
        Verdict::Safe(_) => examined.expect("the certificate of each TRUE is examined").answer(),
        Verdict::Unsafe(found) => {
            let name = found.kind.verdict_name();
            Answer {
                verdict: format!("FALSE({name})"),
                code: exit::FALSE,
                text: trace::render(found, sources),
                json: serde_json::json!({ "verdict": "FALSE", "property": name, "trace": found.located(sources) }),
            }
        }
        Verdict::Unknown(reason) => Answer::unknown(reason.kind(), &reason.describe(sources)),
    };
    if !compiled.assumptions.is_empty() {
        result.json["assumptions"] = compiled.assumptions_json();
    }
    result.json["solving"] = solving.statistics_json();
    result.json["seconds"] = serde_json::json!(start.elapsed().as_secs_f64());
    if options.stats && !options.json {
        solving.write_statistics(streams.out);
    }
    answer(options, streams, &result, Some(&report.statistics))
}

fn answer(
    options: &VerifyOptions,
    streams: &mut Streams<'_>,
    answer: &Answer,
    statistics: Option<&Statistics>,
) -> u8 {
    if let (true, false, Some(statistics)) = (options.stats, options.json, statistics) {
        let _ = statistics.write(streams.out);
    }
    // A reader that went away changes nothing of the verdict.
    let _ = answer.write(options.json, streams.out, statistics);
    answer.code
}
