//! `hornwork infer`: prints the invariants of the loops of a program and the contracts of its
//! functions.

mod annotate;
mod precondition;

use crate::answer::Form;
use crate::certificate::{Result as Validated, Validation};
use crate::error::CliError;
use crate::guard::{Exceeded, Guard, ProcessLimits};
use crate::input::{self, Compiled, Warnings};
use crate::internal;
use crate::interruption::interrupt;
use crate::options::{InferOptions, Options};
use crate::solving::{Solving, memory_limit};
use crate::verify::write_inference;
use crate::{Streams, exit};
use annotate::{Annotated, annotated};
use backends::Limits;
use backends::effort::Moment;
use encode::FloatEncoding;
use grammars::source::SourceMap;
use passes::evidence::{Listed, PresentedLoops, present_loops};
use passes::infer::{Config, DOMAINS, InferError, Inferred, PASSES, infer};
use passes::invariants::InvariantOptions;
use passes::transform::{Pipeline, Procedures};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn run(
    options: &InferOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    // Report usage errors before any expensive work.
    let file = annotated_file(options)?;
    let begun = Begun::new(options, global)?;
    if options.precondition {
        return precondition::run(options, &begun, streams);
    }
    let Begun { solving, form, validation, .. } = &begun;
    let guard = begun.start_guard(options, |_| None);
    let result = internal::catch(|| {
        internal::on_request("front end");
        let mut compiled = input::compile(&options.input, Warnings::OfEntry, streams)?;
        if let Some(reason) = compiled.specification.refusal() {
            return Err(CliError::Unsupported(reason));
        }
        if !global.quiet {
            compiled.warn_of_assumptions(streams);
        }
        internal::on_request("engine");
        let config = begun.config(options);
        let Compiled { pool, program, sources, .. } = &mut compiled;
        let inferred =
            infer(pool, program, solving.factory(), &config).map_err(|error| unsupported(&error, sources))?;
        let loops = present_loops(pool, &inferred.program, &inferred.invariants, sources);
        let limits = config.limits.share(2).within(begun.effort().max(SHORTEST_VALIDATION));
        let validated =
            validation.check_invariants(pool, &inferred.program, &inferred.invariants, &limits, streams.err);
        Ok(Found { compiled, inferred, loops, validated })
    });
    guard.claim_or_wait();
    let Found { compiled, inferred, loops, validated } = result.map_err(CliError::Internal)??;
    if let Validated::Rejected(reason) | Validated::Malformed(reason) = &validated {
        return Err(CliError::Unsupported(format!("the invariants were not confirmed: {reason}")));
    }
    solving.report_faults(streams.err);
    if !global.quiet {
        warn(&inferred, streams.err);
    }
    if options.json {
        let members = json!({
            "encoding": loops.basis,
            "loops": loops.loops,
            "contracts": loops.contracts,
            "validation": validated.json(),
            "assumed-absent": inferred.assumed_absent,
            "assumptions": compiled.assumptions_json(),
            "statistics": inferred.statistics,
            "solving": solving.statistics_json(),
            "seconds": begun.start.elapsed().as_secs_f64(),
        });
        let _ = writeln!(streams.out, "{}", form.header(members));
    } else if let Some(path) = file {
        let bytes = std::fs::read(path).map_err(|source| CliError::Io { path: path.clone(), source })?;
        let Annotated { text, skipped } = annotated(&bytes, path, &loops, &compiled.sources);
        let _ = streams.out.write_all(&text);
        if skipped > 0 && !global.quiet {
            let s = if skipped == 1 { "" } else { "s" };
            let what = format!("{skipped} loop{s} or function{s} of macros or headers");
            let _ = writeln!(streams.err, "warning: {what} not annotated");
        }
    } else {
        let listed = if options.all { Listed::All } else { Listed::Readable };
        let _ = write!(streams.out, "{}", loops.describe(listed));
        if loops.loops.is_empty() && loops.contracts.is_empty() {
            let _ = writeln!(streams.out, "The program has no loops.");
        }
        if options.stats {
            write_statistics(&inferred, streams.out);
            solving.write_statistics(streams.out);
        }
        let _ = writeln!(streams.out, "{}", validated.describe());
    }
    // Freeing a large pool takes long, and the process is about to end.
    std::mem::forget(compiled);
    Ok(exit::TRUE)
}

/// A run that has begun, with its options.
struct Begun<'o> {
    solving: Solving,
    form: Form,
    validation: Validation,
    start: Instant,
    moment: Moment,
    global: &'o Options,
}

impl<'o> Begun<'o> {
    fn new(options: &InferOptions, global: &'o Options) -> Result<Self, CliError> {
        let (start, moment) = (Instant::now(), Moment::now());
        let encoding = Some(options.encoding.encoding);
        let solving = Solving::of(&options.solving, &options.limits, encoding)?;
        let form = Form::of_command(global);
        let validation = Validation::new(&options.evidence, &solving, encoding, form.clone())?;
        Ok(Begun { solving, form, validation, start, moment, global })
    }

    /// The effort since the start.
    fn effort(&self) -> Duration {
        self.moment.elapsed()
    }

    fn config(&self, options: &InferOptions) -> Config {
        let invariants = match options.inference.of(None) {
            InvariantOptions { domains: None, .. } => InvariantOptions {
                domains: Some(DOMAINS.parse().expect("they are a choice of domains")),
                ..options.inference.of(None)
            },
            chosen => chosen,
        };
        let limits = self.solving.limits();
        Config {
            invariants,
            pipeline: Pipeline::named(PASSES.iter().copied())
                .expect("these passes exist")
                .with_memory(options.encoding.memory),
            theories: options.encoding.with_floats(FloatEncoding::Bits),
            procedures: options.procedures.unwrap_or(Procedures::Recursive),
            search: search_limits(limits, self.start),
            limits: limits.clone(),
        }
    }

    /// Starts a guard that prints what `partial` returns, or else an error.
    fn start_guard(
        &self,
        options: &InferOptions,
        partial: impl Fn(Exceeded) -> Option<String> + Send + 'static,
    ) -> Guard {
        let (form, memory) = (self.form.clone(), memory_limit(&options.limits));
        let (deadline, interrupt) = (self.solving.limits().deadline, Some(interrupt()));
        Guard::start(ProcessLimits { deadline, memory, interrupt }, move |exceeded| {
            let mut out = std::io::stdout();
            if let Some(partial) = partial(exceeded) {
                let _ = write!(out, "{partial}");
                let _ = out.flush();
            } else {
                let error = CliError::Unsupported(exceeded.to_string());
                form.write_error(&error, &mut out);
                let _ = out.flush();
                let _ = writeln!(std::io::stderr(), "error: {error}");
            }
            std::process::exit(exit::UNKNOWN.into());
        })
    }
}

/// The result of a run without errors.
struct Found {
    compiled: Compiled,
    inferred: Inferred,
    loops: PresentedLoops,
    validated: Validated,
}

/// The smallest effort for the validation of the invariants.
const SHORTEST_VALIDATION: Duration = Duration::from_secs(10);

/// Returns the limits of the search for facts: half of the effort, and three fifths of the time of
/// the run that began at `start`. The rest is for the reduction, the validation and the output.
fn search_limits(limits: &Limits, start: Instant) -> Limits {
    let time = limits.deadline.map(|deadline| deadline.saturating_duration_since(start));
    Limits { deadline: time.map(|time| start + time * 3 / 5), ..limits.share(2) }
}

/// Returns the file to print with annotations, if the options request that.
fn annotated_file(options: &InferOptions) -> Result<Option<&PathBuf>, CliError> {
    let is_source = |path: &Path| path.extension().is_none_or(|extension| extension != "yml");
    match options.input.files.as_slice() {
        _ if !options.acsl => Ok(None),
        [path] if is_source(path) => Ok(Some(path)),
        _ => Err(CliError::Usage("--acsl prints one file: name a single C file".to_owned())),
    }
}

/// The error of a program without invariants.
fn unsupported(error: &InferError, sources: &SourceMap) -> CliError {
    let place = error.span().and_then(|span| sources.presumed(span));
    let place = place.map_or_else(String::new, |place| format!("{}:{}: ", place.file, place.line));
    CliError::Unsupported(format!("{place}cannot infer invariants: {error}"))
}

/// Warns of the restrictions of the result.
fn warn(inferred: &Inferred, err: &mut dyn Write) {
    for event in &inferred.assumed_absent {
        let _ = writeln!(err, "warning: assumed for all runs: no {event}");
    }
    if inferred.statistics.incomplete {
        let _ = writeln!(err, "warning: a limit ended the search; there may be more facts");
    }
}

fn write_statistics(inferred: &Inferred, out: &mut dyn Write) {
    let statistics = &inferred.statistics;
    let _ = writeln!(
        out,
        "loop heads: {}, facts found: {}, not redundant: {}, search: {:.2} s, reduction: {:.2} s",
        statistics.loop_heads,
        statistics.found,
        statistics.kept,
        statistics.search.as_secs_f64(),
        statistics.reduction.as_secs_f64()
    );
    let _ = write_inference(out, &statistics.inference);
}
