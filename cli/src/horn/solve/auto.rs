//! `--engine auto`: engines take turns.

use super::options::{Engine, SolveOptions};
use super::{solver_of, unknown};
use crate::answer::Answer;
use crate::error::CliError;
use crate::options::Options;
use crate::schedule::{self, End, Entry, Limits, Outcome};
use crate::solving::{memory_limit, this_binary};
use crate::{Streams, solvers};
use frontend::horn::HornFile;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::time::{Duration, Instant};
use terms::TermPool;
use terms::choice::Choice;

/// The time between the limit of the stages and that of the run, to print an answer.
const TO_SAY: Duration = Duration::from_millis(100);

/// A stage: an engine, a solver for its queries, and the CPU time of its first turn in seconds.
type Stage = (Engine, Option<&'static str>, f64);

/// The stages, in order.
const STAGES: &[Stage] = &[
    (Engine::Spacer, None, 1.0),
    (Engine::Pdr, Some("yices"), 1.0),
    (Engine::Templates, Some("yices"), 0.5),
    (Engine::Pdr, Some("z3"), 0.5),
];

/// Options that the stages get with values of their own.
const REPLACED: &[&str] = &["engine", "solver", "jobs", "json", "evidence", "timelimit", "color"];

/// Runs the stages that this build has.
pub(super) fn run(
    options: &SolveOptions,
    global: &Options,
    start: Instant,
    load: impl FnOnce(&mut TermPool, &mut Streams<'_>) -> Result<HornFile, CliError>,
    streams: &mut Streams<'_>,
) -> Result<(Answer, Vec<u8>), CliError> {
    // The stages read the file again: here it is read for its errors and warnings.
    let file = load(&mut TermPool::new(), streams)?;
    drop(file);
    let time = (options.limits.timelimit > 0.0).then(|| Duration::from_secs_f64(options.limits.timelimit));
    let deadline = time.and_then(|time| start.checked_add(time));
    let missing = || CliError::Usage("this binary cannot run stages; choose an --engine".to_owned());
    let program = this_binary().ok_or_else(missing)?;
    let registry = solvers::registry();
    let mut entries = Vec::new();
    for &(engine, solver, turn) in STAGES {
        let solver = match solver {
            Some(name) if registry.prover(name).is_none() => continue,
            solver => solver,
        };
        let prover = solvers::choose(&registry, solver)?;
        if solver_of(engine, &prover).is_err() {
            continue;
        }
        let engine = Engine::TABLE.iter().find(|named| named.value == engine).map_or("", |named| named.name);
        let mut words = vec![format!("--engine={engine}")];
        words.extend(solver.map(|name| format!("--solver={name}")));
        let left = deadline.map_or(0.0, |deadline| {
            deadline.saturating_duration_since(Instant::now()).saturating_sub(TO_SAY).as_secs_f64().max(0.001)
        });
        let more = [format!("--timelimit={left}"), "--stage".to_owned()];
        let own: Vec<OsString> = words.iter().chain(&more).map(OsString::from).collect();
        let mut arguments = vec![OsString::from("horn")];
        arguments.extend(global.given.words(REPLACED, &own));
        let name = solver.map_or_else(|| engine.to_owned(), |solver| format!("{engine} with {solver}"));
        entries.push(Entry::new(name, words, turn, arguments));
    }
    let limits = Limits { start, deadline, memory: memory_limit(&options.limits) };
    let mut watch = |running: &[&str]| tracing::info!("running: {}", running.join(", "));
    let outcome = schedule::run(program, entries, options.jobs.into(), limits, &mut watch);
    Ok(answer_of(outcome))
}

/// The answer of the winner, and its output before; `unknown` with what became of all stages.
fn answer_of(outcome: Outcome) -> (Answer, Vec<u8>) {
    let Outcome { mut entries, winner, exceeded } = outcome;
    let stages: Vec<Value> = entries.iter().map(Entry::json).collect();
    let winner_name = winner.map(|winner| entries[winner].name.clone());
    let (mut answer, output) = match winner {
        Some(winner) => entries.swap_remove(winner).into_answer().expect("a winner has an answer"),
        None => {
            let described: Vec<String> = entries.iter().map(Entry::describe).collect();
            let is_over = exceeded.is_some()
                || entries.iter().any(|entry| !matches!(entry.end(), Some(End::Answer(..))));
            let reason = if is_over { "time limit reached".to_owned() } else { described.join("; ") };
            (unknown(&reason), Vec::new())
        }
    };
    answer.json["portfolio"] = json!({ "stages": stages, "winner": winner_name });
    (answer, output)
}
