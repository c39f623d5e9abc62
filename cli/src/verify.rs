//! `hornwork verify`.

use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::input::{self, Compiled, Warnings};
use crate::options::{Algorithm, Options, VerifyOptions};
use crate::solving::{Solving, memory_limit};
use crate::{Streams, exit, solvers};
use indicatif::{ProgressBar, ProgressStyle};
use ir::encode::FloatEncoding;
use passes::bmc::{self, Config, Observer, Report, Schedule, Statistics, StepStatistics};
use passes::evidence::{Certificate, Verdict};
use passes::trace;
use passes::transform::pipeline::PassStatistics;
use std::io::Write;
use std::time::{Duration, Instant};

pub(crate) fn run(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let start = Instant::now();
    // Usage errors first, before any work.
    let encoding = input::encoding(&options.encoding)?;
    let pipeline = input::pipeline(&options.passes)?;
    let quantifiers = encoding.encoding.quantifiers();
    let solving = Solving::new(&options.solving, &options.limits, solvers::registry(), quantifiers)?;
    let deadline = solving.limits().deadline;
    let guard = start_guard(options, deadline);

    let warnings = if global.verbose > 0 { Warnings::Shown } else { Warnings::Hidden };
    let compiled = input::compile(&options.input, warnings, streams);
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(error) => {
            guard.claim_or_wait();
            return Err(error);
        }
    };
    if let Some(reason) = compiled.specification.refusal() {
        guard.claim_or_wait();
        return Ok(answer(options, streams, &Answer::unknown(&reason), None));
    }

    let schedule = match options.unwind {
        Some(bound) => Schedule::exactly(bound),
        None => Schedule::deepening(Some(options.max_unwind)),
    };
    let config = Config {
        pipeline,
        encoding: encoding.encoding,
        overflow: encoding.overflow,
        floats: encoding.floats.unwrap_or(FloatEncoding::Bits),
        deadline,
        query_time: solving.limits().time,
        ..Config::new(schedule)
    };
    let mut progress = Progress::new(streams.is_terminal && !global.quiet);
    if options.algorithm == Algorithm::KInduction {
        use passes::induction;
        let config = induction::Config::new(config);
        let report = induction::run(
            &mut compiled.pool,
            &compiled.program,
            solving.factory(),
            &config,
            &mut progress,
        );
        progress.finish();
        guard.claim_or_wait();
        solving.report_faults(streams.err);
        if options.stats {
            let text = serde_json::to_string_pretty(&report.statistics).unwrap_or_default();
            let _ = writeln!(streams.out, "{text}");
            if let Verdict::Safe(Certificate::Inductive(invariants) | Certificate::KInductive { invariants, .. }) =
                &report.verdict
            {
                for (block, formula) in &invariants.at {
                    let formula = ir::term::print::term(&compiled.pool, *formula);
                    let _ = writeln!(streams.out, "{block}: {formula}");
                }
            }
            let kind = match &report.verdict {
                Verdict::Safe(Certificate::Bounded(_)) => "bounded".to_string(),
                Verdict::Safe(Certificate::Inductive(_)) => "inductive".to_string(),
                Verdict::Safe(Certificate::KInductive { k, .. }) => format!("{k}-inductive"),
                _ => String::new(),
            };
            let _ = writeln!(streams.out, "proof: {kind}");
        }
        let report = Report { verdict: report.verdict, statistics: report.statistics.search };
        let code = say(options, streams, &report, &compiled, &solving, start);
        std::mem::forget(compiled);
        return Ok(code);
    }
    if options.algorithm != Algorithm::Bmc {
        use passes::predicate::abstraction::{Abstraction, Region};
        use passes::predicate::config::{self, *};
        use passes::predicate::precision::Scope;
        let predicate = config::Config {
            blk: Blk::L,
            region: Region::Bdd,
            abstraction: Abstraction::Boolean,
            merge: Merge::Predicate,
            order: Order::ReversePostorder,
            forced_covering: ForcedCovering::Id,
            refinement: Refinement::Predicate,
            restart: Restart::Lazy,
            granularity: Granularity::Atoms,
            scope: Scope::Location,
            loop_bound: None,
        };
        let impact = config::Config {
            region: Region::Smt,
            abstraction: Abstraction::None,
            forced_covering: ForcedCovering::Impact,
            refinement: Refinement::Impact,
            ..predicate.clone()
        };
        let chosen = if options.algorithm == Algorithm::Predicate { predicate } else { impact };
        let limits = backends::Limits { time: solving.limits().time, deadline, interrupt: None };
        let (text, statistics) = passes::predicate::driver::run(
            &mut compiled.pool,
            &compiled.program,
            solving.factory(),
            &chosen,
            encoding.encoding,
            encoding.overflow,
            config.floats,
            &config.pipeline,
            &limits,
        );
        guard.claim_or_wait();
        if options.stats {
            let _ = writeln!(streams.out, "{}", serde_json::to_string_pretty(&statistics).unwrap_or_default());
        }
        let _ = writeln!(streams.out, "{text}");
        return Ok(if text == "TRUE" { 0 } else if text.starts_with("FALSE") { 10 } else { 20 });
    }
    let report = match options.algorithm {
        _ if options.algorithm != Algorithm::Bmc => unreachable!(),
        Algorithm::Bmc => {
            bmc::run(&mut compiled.pool, &compiled.program, solving.factory(), &config, &mut progress)
        }
        _ => unreachable!(),
    };
    progress.finish();
    guard.claim_or_wait();
    solving.report_faults(streams.err);
    let code = say(options, streams, &report, &compiled, &solving, start);
    // Large pools take long to free, and the process ends now.
    std::mem::forget(compiled);
    Ok(code)
}

fn start_guard(options: &VerifyOptions, deadline: Option<Instant>) -> Guard {
    let memory = memory_limit(&options.limits);
    let json = options.json;
    Guard::start(ProcessLimits { deadline, memory }, move |exceeded| {
        let mut out = std::io::stdout();
        let _ = Answer::unknown(&exceeded.to_string()).write(json, &mut out, None);
        let _ = out.flush();
        std::process::exit(exit::UNKNOWN.into());
    })
}

/// What is printed at the end.
struct Answer {
    verdict: String,
    code: u8,
    text: String,
    json: serde_json::Value,
}

impl Answer {
    fn unknown(reason: &str) -> Self {
        // The verdict is one line whatever the reason holds.
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Answer {
            verdict: format!("UNKNOWN({reason})"),
            code: exit::UNKNOWN,
            text: String::new(),
            json: serde_json::json!({ "verdict": "UNKNOWN", "reason": reason }),
        }
    }

    fn write(&self, json: bool, out: &mut dyn Write, statistics: Option<&Statistics>) -> std::io::Result<()> {
        if json {
            let mut object = self.json.clone();
            if let Some(statistics) = statistics {
                object["statistics"] = serde_json::to_value(statistics).unwrap_or_default();
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
    compiled: &Compiled,
    solving: &Solving,
    start: Instant,
) -> u8 {
    let sources = &compiled.sources;
    let mut result = match &report.verdict {
        Verdict::Safe(Certificate::Bounded(proof)) => Answer {
            verdict: "TRUE".to_string(),
            code: exit::TRUE,
            text: format!(
                "No error can be reached: no run goes on after {} iteration{} of a loop or recursion.\n",
                proof.bound(),
                if proof.bound() == 1 { "" } else { "s" }
            ),
            json: serde_json::json!({ "verdict": "TRUE", "certificate": proof }),
        },
        Verdict::Safe(Certificate::Inductive(_) | Certificate::KInductive { .. }) => Answer {
            verdict: "TRUE".to_string(),
            code: exit::TRUE,
            text: String::new(),
            json: serde_json::json!({ "verdict": "TRUE" }),
        },
        Verdict::Unsafe(found) => {
            let name = found.kind.verdict_name();
            Answer {
                verdict: format!("FALSE({name})"),
                code: exit::FALSE,
                text: trace::render(found, sources),
                json: serde_json::json!({ "verdict": "FALSE", "property": name, "trace": found.located(sources) }),
            }
        }
        Verdict::Unknown(reason) => Answer::unknown(&reason.describe(sources)),
    };
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
        let _ = write_statistics(streams.out, statistics);
    }
    // A reader that went away changes nothing of the verdict.
    let _ = answer.write(options.json, streams.out, statistics);
    answer.code
}

/// What each pass left of the program.
pub(crate) fn write_passes(out: &mut dyn Write, passes: &[PassStatistics]) -> std::io::Result<()> {
    let Some(first) = passes.first() else { return Ok(()) };
    writeln!(out, "  pass          functions  blocks  instructions  scalars  arrays   seconds")?;
    let before = std::iter::once(("(before)", first.before, Duration::ZERO));
    for (name, size, time) in before.chain(passes.iter().map(|pass| (pass.name, pass.after, pass.time))) {
        writeln!(
            out,
            "  {name:14}{:9}{:8}{:14}{:9}{:8}{:10.3}",
            size.functions,
            size.blocks,
            size.instructions,
            size.scalars,
            size.arrays,
            time.as_secs_f64()
        )?;
    }
    Ok(())
}

fn write_statistics(out: &mut dyn Write, statistics: &Statistics) -> std::io::Result<()> {
    write_passes(out, &statistics.passes)?;
    if let Some(reason) = &statistics.without_passes {
        writeln!(out, "checked again without passes: {reason}")?;
    }
    writeln!(out, "  bound  errors  frontier  pruned  queries   seconds")?;
    for step in &statistics.steps {
        writeln!(
            out,
            "{:7}{:8}{:10}{:8}{:9}{:10.3}",
            step.bound,
            step.errors,
            step.frontier,
            step.pruned,
            step.queries,
            step.time.as_secs_f64()
        )?;
    }
    for (name, time) in [
        ("preparation", statistics.preparation),
        ("unrolling", statistics.unrolling),
        ("encoding", statistics.encoding),
        ("solving", statistics.solving),
        ("replay", statistics.replay),
    ] {
        writeln!(out, "{name:12}{:9.3} s", time.as_secs_f64())?;
    }
    writeln!(out, "{} queries, {} terms", statistics.queries, statistics.terms)
}

/// A line on the terminal that says how far the run is.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(is_shown: bool) -> Self {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Progress { bar }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn starts(&mut self, bound: u32) {
        tracing::info!(bound, "unrolling");
        if let Some(bar) = &self.bar {
            bar.set_message(format!("bounded model checking, bound {bound}"));
        }
    }

    fn finished(&mut self, step: &StepStatistics) {
        tracing::info!(
            bound = step.bound,
            errors = step.errors,
            frontier = step.frontier,
            queries = step.queries,
            seconds = step.time.as_secs_f64(),
            "checked"
        );
    }
}
