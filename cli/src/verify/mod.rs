//! `hornwork verify`.

mod all;
mod bounds;
mod checks;
mod clauses;
mod engine;
mod exchanged;
mod finding;
mod partial;
mod portfolio;
mod precision;
mod progress;
mod sarif;
mod sharing;
mod statistics;

use crate::answer::{Answer, Form, look};
use crate::certificate::{Examined, Validation};
use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::input::{self, Compiled, Warnings};
use crate::internal::{self, InternalError};
use crate::interruption::interrupt;
use crate::options::{Options, VerifyOptions};
use crate::output::{Output, finish};
use crate::solving::{Solving, memory_limit};
use crate::{Streams, exit, processes, solvers, solving};
use backends::effort::Moment;
use checks::Check;
use encode::FloatEncoding;
use engine::{Choices, Engine, Finished};
use partial::Partial;
use passes::engines::bmc::Config;
use passes::engines::predicate::reuse::Reuse;
use passes::evidence::{UnknownKind, Verdict};
use passes::exchange::Link;
use passes::trace::{self, Look};
use progress::{Dump, Graphs, Progress};
use sharing::Folder;
use statistics::Statistics;
pub(crate) use statistics::{write_inference, write_passes};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

pub(crate) fn run(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    if options.portfolio.stage.is_some() {
        processes::end_with_parent();
    }
    if options.all_properties {
        return all::run(options, global, streams);
    }
    if options.portfolio.is_wanted(&options.analysis, &global.given)? {
        return portfolio::run(options, global, streams);
    }
    match options.portfolio.stage {
        None => alone(options, global, None, streams),
        Some(columns) => {
            let out_width = (columns > 0).then_some(columns);
            let Streams { out, err, .. } = streams;
            alone(options, global, None, &mut Streams { out, err, is_terminal: false, out_width })
        }
    }
}

/// Checks the options of a run without running it.
///
/// # Errors
/// Invalid or incompatible options, as the run would report them before it reads its input.
pub(crate) fn check(options: &VerifyOptions, global: &Options) -> Result<(), CliError> {
    input::pipeline(&options.passes)?;
    let registry = solvers::registry_with(&options.solving.external, None)?;
    let name = options.solving.solver.as_deref();
    let factory = solvers::suitable(&registry, name, Some(options.encoding.encoding))?;
    solving::sources(&options.solving.interpolation, &registry)?;
    if !options.portfolio.is_wanted(&options.analysis, &global.given)? {
        let analysis = options.analysis.config(&global.given)?;
        engine::engine(&analysis, &global.given)?;
        engine::method(&analysis, &options.analysis, &factory, &registry)?;
    }
    Ok(())
}

/// Runs one algorithm, on a program that may be compiled already.
fn alone(
    options: &VerifyOptions,
    global: &Options,
    compiled: Option<Compiled>,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let (start, begun) = (Instant::now(), Moment::now());
    // Report usage errors before any expensive work.
    let analysis = options.analysis.config(&global.given)?;
    let engine = engine::engine(&analysis, &global.given)?;
    let encoding = &options.encoding;
    let pipeline = input::pipeline(&options.passes)?.with_memory(encoding.memory);
    let solving = Solving::of(&options.solving, &options.limits, Some(encoding.encoding))?;
    let method = engine::method(&analysis, &options.analysis, &solving.shared_factory(), solving.registry())?;
    let form = Form::of(options, global);
    let validation = Validation::new(&options.evidence, &solving, Some(encoding.encoding), form.clone())?;
    let reuse = Reuse {
        initial: options
            .precision
            .precision_in
            .as_deref()
            .map(precision::read)
            .transpose()?
            .unwrap_or_default(),
        is_saved: options.precision.precision_out.is_some(),
        reader: Some(precision::formula),
    };
    let deadline = solving.limits().deadline;
    let partial = Partial::default();
    let guard = start_guard(options, form.clone(), deadline, partial.clone());

    // A panic in here becomes an error, so that `guard` is claimed exactly once afterwards.
    let decided = internal::catch(|| {
        let mut compiled = match compiled {
            Some(compiled) => compiled,
            None => compile(options, global, streams)?,
        };
        if let Some(reason) = compiled.specification.refusal() {
            return Ok(Decided::Refused(reason));
        }
        let exchange = options.portfolio.exchange.as_deref();
        let exchange = exchange.map(|file| Rc::new(RefCell::new(Folder::new(file, partial.clone()))));
        let config = Config {
            pipeline,
            theories: encoding.with_floats(FloatEncoding::Bits),
            deadline,
            query_time: solving.limits().time,
            fixed: bounds::fixed(&options.unwindset, &compiled)?,
            start: exchange
                .as_ref()
                .filter(|_| engine == Engine::Bounded)
                .map(|exchange| bounds::start(&mut exchange.borrow_mut(), &compiled))
                .unwrap_or_default(),
            exchange: exchange.clone().map_or_else(Link::default, |exchange| Link::new(exchange)),
            check: options.analysis.counterexample_check.unwrap_or_default(),
            ..Config::new(bounds::schedule(options))
        };
        let dump = options.dump.dump.clone().map(|file| Dump {
            file,
            graphs: if options.dump.dump_refinements { Graphs::All } else { Graphs::Last },
        });
        let sources = Rc::new(compiled.sources.clone());
        partial.about(Check::all(&compiled));
        let is_shown = streams.is_terminal && !global.quiet;
        let mut progress = Progress::new(is_shown, dump, sources, partial.clone()).sharing(exchange);
        internal::on_request("engine");
        internal::on_request_elsewhere();
        let Finished { verdict, statistics, precision } = engine::run(
            engine,
            Choices { options: &options.analysis, analysis: &analysis, method, search: &config, reuse },
            &mut compiled,
            solving.factory(),
            &mut progress,
        );
        let saved = precision::save(options.precision.precision_out.as_deref(), precision.as_ref());
        let (report, dumped) = (Report { verdict, statistics }, progress.finish());
        Ok(Decided::Verdict(Box::new(Outcome { compiled, report, dumped, saved })))
    });
    guard.claim_or_wait();
    let Outcome { mut compiled, report, dumped, saved } = match decided {
        Err(error) => {
            say_internal_error(options, &form, streams, &error);
            return Ok(exit::UNKNOWN);
        }
        Ok(Err(error)) => return Err(error),
        Ok(Ok(Decided::Refused(reason))) => {
            return Ok(answer(
                options,
                &form,
                streams,
                Answer::unknown(UnknownKind::Property, &reason),
                None,
            ));
        }
        Ok(Ok(Decided::Verdict(outcome))) => *outcome,
    };
    let examined = match &report.verdict {
        Verdict::Safe(certificate) => {
            options.portfolio.say_proved(streams);
            Some(validation.examine(certificate, &mut compiled, options, streams, begun.elapsed()))
        }
        Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    };
    if let Some(error) = internal::unseen() {
        // A thread has panicked, so the verdict may rest on incomplete work.
        say_internal_error(options, &form, streams, &error);
        return Ok(exit::UNKNOWN);
    }
    solving.report_faults(streams.err);
    for error in [dumped.err(), saved.err()].into_iter().flatten() {
        let _ = writeln!(streams.err, "warning: {error}");
    }
    if !global.quiet
        && let Some(file) = &options.precision.precision_in
    {
        precision::warn_of_skipped(file, &report.statistics, streams);
    }
    let mut result =
        result(&report, examined.as_ref(), &compiled, look(global.color, streams), &form, streams.out_width);
    if let Verdict::Unknown(reason) = &report.verdict {
        partial.complete(&mut result, reason.kind());
    }
    result.json["unconfirmed"] = serde_json::json!(report.statistics.unconfirmed());
    result.json["solving"] = solving.statistics_json();
    result.json["seconds"] = serde_json::json!(start.elapsed().as_secs_f64());
    let exchanged = partial.exchanged();
    if let Some(exchanged) = &exchanged {
        result.json["sharing"] = exchanged.json();
    }
    if options.stats && !options.json {
        solving.write_statistics(streams.out);
        if let Some(exchanged) = &exchanged {
            // A closed pipe does not change the verdict.
            let _ = exchanged.write(streams.out);
        }
    }
    let code = answer(options, &form, streams, result, Some(&report.statistics));
    // Freeing a large pool takes long, and the process is about to end.
    std::mem::forget(compiled);
    Ok(code)
}

/// Compiles the program, and shows its warnings unless the portfolio has shown them.
fn compile(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<Compiled, CliError> {
    let is_stage = options.portfolio.stage.is_some();
    let warnings = if is_stage || global.quiet {
        Warnings::Hidden
    } else if global.verbose > 0 {
        Warnings::Shown
    } else {
        Warnings::OfEntry
    };
    internal::on_request("front end");
    let mut compiled = input::compile(&options.input, warnings, streams)?;
    all::restrict_to(options, &mut compiled.program);
    if !global.quiet && !is_stage && compiled.specification.refusal().is_none() {
        compiled.warn_of_assumptions(streams);
    }
    Ok(compiled)
}

/// The outcome of a run without errors.
enum Decided {
    /// The specification is not supported.
    Refused(String),
    /// An engine has returned a verdict.
    Verdict(Box<Outcome>),
}

/// The report of an engine, with the program.
struct Outcome {
    compiled: Compiled,
    report: Report,
    /// An error if a graph could not be written.
    dumped: Result<(), String>,
    /// An error if the precision could not be written.
    saved: Result<(), String>,
}

/// Prints UNKNOWN after a panic, with a request to report the bug.
pub(crate) fn say_internal_error(
    options: &VerifyOptions,
    form: &Form,
    streams: &mut Streams<'_>,
    error: &InternalError,
) {
    let _ = writeln!(streams.err, "error: {error}\n{}", InternalError::request());
    answer(options, form, streams, Answer::unknown(UnknownKind::Internal, &error.to_string()), None);
}

/// A verdict with the statistics of its engine.
struct Report {
    verdict: Verdict,
    statistics: Statistics,
}

/// Starts a guard that prints UNKNOWN with what `partial` has.
fn start_guard(options: &VerifyOptions, form: Form, deadline: Option<Instant>, partial: Partial) -> Guard {
    let memory = memory_limit(&options.limits);
    let (options, interrupt) = (options.clone(), Some(interrupt()));
    Guard::start(ProcessLimits { deadline, memory, interrupt }, move |exceeded| {
        let mut out = Output::new(std::io::stdout());
        let mut result = partial.unknown(exceeded.kind(), &exceeded.to_string());
        let statistics = partial.statistics();
        if let Some(exchanged) = partial.exchanged() {
            result.json["sharing"] = exchanged.json();
            if options.stats && !options.json {
                let _ = exchanged.write(&mut out);
            }
        }
        let mut streams =
            Streams { out: &mut out, err: &mut std::io::stderr(), is_terminal: false, out_width: None };
        let code = answer(&options, &form, &mut streams, result, statistics.as_ref());
        std::process::exit(finish(out, code).into());
    })
}

/// Returns the answer for a report.
fn result(
    report: &Report,
    examined: Option<&Examined>,
    compiled: &Compiled,
    look: Look,
    form: &Form,
    width: Option<usize>,
) -> Answer {
    let sources = &compiled.sources;
    let mut result = match &report.verdict {
        Verdict::Safe(_) => examined.expect("the certificate of each TRUE is examined").answer(width),
        Verdict::Unsafe(found) => {
            let name = found.kind.verdict_name();
            let mut json = serde_json::json!({
                "verdict": "FALSE",
                "property": name,
                "check": found.property.0,
            });
            // A trace may have 10^5 steps, so each form of it is made only if it is printed.
            if !matches!(form, Form::Text) {
                let located = found.located(sources);
                json["inputs"] = serde_json::json!(located.inputs);
                json["trace"] = serde_json::json!(located);
            }
            let text = match form {
                Form::Json { .. } => String::new(),
                Form::Text | Form::Stage => trace::render(found, sources, look),
            };
            Answer { verdict: format!("FALSE({name})"), code: exit::FALSE, text, json }
        }
        Verdict::Unknown(reason) => Answer::unknown(reason.kind(), &reason.describe(sources)),
    };
    if !compiled.assumptions.is_empty() {
        result.json["assumptions"] = compiled.assumptions_json();
    }
    result
}

fn answer(
    options: &VerifyOptions,
    form: &Form,
    streams: &mut Streams<'_>,
    answer: Answer,
    statistics: Option<&Statistics>,
) -> u8 {
    if let (true, false, Some(statistics)) = (options.stats, options.json, statistics) {
        let _ = statistics.write(streams.out);
    }
    let code = answer.code;
    // A closed pipe does not change the exit code.
    let _ = answer.write(form, streams.out, statistics.map(Statistics::json));
    code
}
