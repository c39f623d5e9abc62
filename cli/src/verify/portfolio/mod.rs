//! `--algorithm auto`: several configurations take turns.
//!
//! Algorithms, encodings and solvers have programs that only they decide, and most programs are
//! decided quickly by one of them. A portfolio runs the configurations of a [`sequence`] that suit
//! the [features](passes::features) of the program, each in a process of its own, so that a crash
//! or the memory of one costs the others nothing, and they [take turns](crate::schedule). The first
//! counterexample, or proof whose certificate is validated, ends the run.
//!
//! Source: Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR 2018,
//! §5; combinations of verifiers as in CPAchecker.
//! DIVERGENCE: CPAchecker runs one configuration after the other, each to its time limit. Turns
//! need no limit, and lose no work.
//!
//! Stages [share](super::sharing) predicates, invariants and bounds through files in a temporary
//! folder, unless `--share none` forbids it. Whatever a stage receives is a hint or a candidate.
//!
//! Limits: each stage compiles the program again.

mod plan;
mod sequence;

use super::partial::Partial;
use super::progress::Progress;
use super::{alone, answer, compile, exchanged, say_internal_error, sharing, start_guard};
use crate::answer::{Answer, Form, look};
use crate::binary::this_binary;
use crate::error::CliError;
use crate::guard::Exceeded;
use crate::interruption::interrupt;
use crate::options::{Color, Options, VerifyOptions};
use crate::portfolio::Share;
use crate::project::{STANDARD_INPUT, standard_input};
use crate::schedule::{self, End, Entry, Limits, Outcome, Program};
use crate::solving::memory_limit;
use crate::{Streams, internal};
use passes::evidence::UnknownKind;
use passes::features::Features;
use passes::trace::Look;
use plan::{Plan, arguments, parse};
use sequence::Sequence;
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, TempDir};
use terms::choice::Choice;

/// Runs the stages of `options` on a program.
pub(super) fn run(
    options: &VerifyOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let start = Instant::now();
    let name = &options.portfolio.sequence;
    let sequence = Sequence::read(name)?;
    let form = Form::of(options, global);
    let time = (options.limits.timelimit > 0.0).then(|| Duration::from_secs_f64(options.limits.timelimit));
    let deadline = time.and_then(|time| start.checked_add(time));
    let guard = start_guard(options, form.clone(), deadline, Partial::default());
    let compiled = internal::catch(|| compile(options, global, streams));
    guard.claim_or_wait();
    let compiled = match compiled {
        Err(error) => {
            say_internal_error(options, &form, streams, &error);
            return Ok(crate::exit::UNKNOWN);
        }
        Ok(compiled) => compiled?,
    };
    let features = Features::of(&compiled.pool, &compiled.program);
    let mut plan = Plan::new(name, sequence, features, &global.given)?;
    if options.portfolio.explain && !options.json {
        let _ = writeln!(streams.out, "{}", plan.describe().trim_end());
    }
    let is_refused = compiled.specification.refusal().is_some();
    // Stages read the files again, which is impossible for pipes.
    let is_input = |file: &PathBuf| file.as_os_str() == STANDARD_INPUT;
    let is_lasting = options.input.files.iter().all(|file| file.is_file() || file.is_dir() || is_input(file));
    let program = this_binary().filter(|_| is_lasting && !is_refused && plan.stages.len() > 1);
    let Some(program) = program else {
        if options.portfolio.explain && !options.json && plan.stages.len() > 1 {
            let _ = writeln!(
                streams.out,
                "Only the first stage runs, because no other process can read the input."
            );
        }
        let stage = &plan.stages[0];
        let (global, mut options) = parse(stage, arguments(stage, &global.given, &[], &[]))?;
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            options.limits.timelimit = left.as_secs_f64().max(0.001);
        }
        return alone(&options, &global, Some(compiled), streams);
    };
    let input = options.input.files.iter().any(is_input).then(spooled).transpose()?;
    let program = Program { path: program.to_path_buf(), input };
    let sources = Rc::new(compiled.sources);
    drop((compiled.pool, compiled.program));
    let certificates = Certificates::new(options)?;
    let exchange = Exchange::new(options);
    let stages = std::mem::take(&mut plan.stages);
    let entries = stages.into_iter().enumerate().map(|(number, stage)| {
        let files = StageFiles {
            certificate: certificates.file(number),
            exchange: exchange.as_ref().map(|exchange| exchange.file(number, &stage.name)),
        };
        let more = stage_options(global.color, streams, files);
        let mut replaced = REPLACED.to_vec();
        if options.json {
            // Statistics as text would precede the object.
            replaced.push("stats");
        }
        let arguments = arguments(&stage, &global.given, &replaced, &more);
        let limit = stage.limit.map(Duration::from_secs_f64);
        Entry::new(stage.name, stage.options, stage.turn, arguments).limited(limit).tried(stage.trial)
    });
    let entries = entries.collect();
    let progress = Progress::new(streams.is_terminal && !global.quiet, None, sources, Partial::default());
    let limits = Limits { start, deadline, memory: memory_limit(&options.limits), interrupt: interrupt() };
    let jobs = usize::from(options.portfolio.jobs);
    let mut watch = |running: &[&str]| {
        tracing::info!("running: {}", running.join(", "));
        progress.say(running.join(", "));
    };
    let outcome = schedule::run(&program, entries, jobs, limits, &mut watch);
    // Without graphs, nothing can fail here.
    let _ = progress.finish();
    let certificate = outcome.winner.map_or(Ok(()), |winner| certificates.keep(winner));
    if let Err(error) = certificate {
        let _ = writeln!(streams.err, "warning: {error}");
    }
    let (result, output) = answer_of(outcome, &plan, options, start);
    let _ = streams.out.write_all(&output);
    Ok(answer(options, &form, streams, result, None))
}

/// Copies standard input to a file, for the stages.
pub(super) fn spooled() -> Result<NamedTempFile, CliError> {
    let text = standard_input()?;
    let io = |source| CliError::Io { path: std::env::temp_dir(), source };
    let mut file = NamedTempFile::new().map_err(io)?;
    file.write_all(text).map_err(io)?;
    Ok(file)
}

/// Options of the command line that each stage gets with values of its own.
const REPLACED: &[&str] = &["timelimit", "color", "json", "certificate", "stage", "exchange"];

/// The options of a stage that depend on the run.
fn stage_options(color: Color, streams: &Streams<'_>, files: StageFiles) -> Vec<OsString> {
    let color = match look(color, streams) {
        Look::Colored => "always",
        _ => "never",
    };
    let mut more: Vec<OsString> =
        vec![format!("--color={color}").into(), format!("--stage={}", streams.out_width.unwrap_or(0)).into()];
    for (option, file) in [("--certificate=", files.certificate), ("--exchange=", files.exchange)] {
        if let Some(file) = file {
            let mut word = OsString::from(option);
            word.push(file);
            more.push(word);
        }
    }
    more
}

/// The files that a stage writes.
struct StageFiles {
    certificate: Option<PathBuf>,
    exchange: Option<PathBuf>,
}

/// The folder of the facts of the stages.
struct Exchange(TempDir);

impl Exchange {
    /// A folder, if the stages share facts and it can be made.
    fn new(options: &VerifyOptions) -> Option<Self> {
        if options.portfolio.share == Share::None {
            return None;
        }
        let folder = tempfile::tempdir();
        folder.inspect_err(|error| tracing::warn!(%error, "stages share no facts")).ok().map(Exchange)
    }

    fn file(&self, stage: usize, name: &str) -> PathBuf {
        self.0.path().join(sharing::file_name(stage, name))
    }
}

/// The certificates of the stages, if one is wanted.
struct Certificates<'f>(Option<(TempDir, &'f Path)>);

impl<'f> Certificates<'f> {
    fn new(options: &'f VerifyOptions) -> Result<Self, CliError> {
        let Some(file) = options.evidence.certificate.as_deref() else { return Ok(Certificates(None)) };
        let folder =
            tempfile::tempdir().map_err(|source| CliError::Io { path: std::env::temp_dir(), source })?;
        Ok(Certificates(Some((folder, file))))
    }

    fn file(&self, stage: usize) -> Option<PathBuf> {
        self.0.as_ref().map(|(folder, _)| folder.path().join(format!("{stage}.smt2")))
    }

    /// Copies the certificate of a stage, if it has one, to the file of the options.
    fn keep(&self, stage: usize) -> Result<(), CliError> {
        let (Some((_, file)), Some(own)) = (&self.0, self.file(stage)) else { return Ok(()) };
        if own.exists() {
            std::fs::copy(own, file).map_err(|source| CliError::Io { path: file.to_path_buf(), source })?;
        }
        Ok(())
    }
}

/// The answer of the run, and the output of the stage that it comes from.
fn answer_of(outcome: Outcome, plan: &Plan, options: &VerifyOptions, start: Instant) -> (Answer, Vec<u8>) {
    let Outcome { mut entries, winner, exceeded } = outcome;
    let mut report = plan.json();
    report["stages"] = entries.iter().map(Entry::json).collect();
    report["winner"] = json!(winner.map(|winner| &entries[winner].name));
    let mut described: Vec<String> = entries.iter().map(Entry::describe).collect();
    let is_unknown = winner.is_none();
    let (mut result, output) = match winner {
        Some(winner) => entries.swap_remove(winner).into_answer().expect("a winner has an answer"),
        None => (unknown(&entries, exceeded), Vec::new()),
    };
    if let Some(winner) = winner
        && let Some(used) = exchanged::described(&result.json["sharing"])
    {
        described[winner].push_str(&format!(", with {used}"));
    }
    result.json["seconds"] = json!(start.elapsed().as_secs_f64());
    result.json["portfolio"] = report;
    if options.portfolio.explain || is_unknown {
        let lines: Vec<String> = described.iter().map(|line| format!("- {line}\n")).collect();
        result.text = format!("{}{}", lines.concat(), result.text);
    }
    (result, output)
}

/// UNKNOWN, with the reason of a stage: if a limit ended the run, one that says most about it.
fn unknown(entries: &[Entry], exceeded: Option<UnknownKind>) -> Answer {
    let answers = entries.iter().filter_map(Entry::end).filter_map(|end| match end {
        End::Answer(answer, _) => Some(&**answer),
        End::Failure(_) | End::Stopped => None,
    });
    let limit = exceeded.unwrap_or(UnknownKind::TimeLimit);
    let is_over = |answer: &&Answer| answer.json["kind"] == limit.name();
    let (late, other): (Vec<&Answer>, Vec<&Answer>) = answers.partition(is_over);
    let is_late = exceeded.is_some() || !late.is_empty();
    let said_most = late.iter().rev().max_by_key(|answer| answer.verdict.len());
    let chosen = if is_late { said_most } else { other.first() };
    match chosen {
        Some(Answer { verdict, code, text, json }) => {
            Answer { verdict: verdict.clone(), code: *code, text: text.clone(), json: json.clone() }
        }
        None if is_late => {
            let is_interrupted = exceeded == Some(UnknownKind::Interrupted);
            let limit = if is_interrupted { Exceeded::Interrupt } else { Exceeded::Time };
            Answer::unknown(limit.kind(), &limit.to_string())
        }
        None => {
            let reasons: Vec<String> = entries.iter().map(Entry::describe).collect();
            Answer::unknown(UnknownKind::Internal, &format!("no stage has an answer: {}", reasons.join("; ")))
        }
    }
}
