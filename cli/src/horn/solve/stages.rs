//! Engines as stages.

use super::{solver_of, unknown};
use crate::answer::Answer;
use crate::clauses::{Chosen, Engine, SolveOptions};
use crate::error::CliError;
use crate::interruption::interrupt;
use crate::options::Options;
use crate::schedule::{self, End, Entry, Limits, Outcome, Program};
use crate::solvers;
use crate::solving::memory_limit;
use backends::Registry;
use horn::{Summary, System};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};
use terms::TermPool;
use terms::choice::Choice;

/// A stage of several engines.
struct Stage {
    engine: Engine,
    queries: Queries,
    /// The value of `--passes`, unless the command line has one.
    passes: &'static str,
    /// The CPU time of its first turn in seconds.
    turn: f64,
    /// The systems that it is for.
    systems: Systems,
}

/// The solver of the queries of a stage.
#[derive(Clone, Copy)]
enum Queries {
    /// The engine has none.
    None,
    /// The [preferred](Kind::solvers) one for the system.
    Preferred,
    /// This one.
    By(&'static str),
}

/// Systems of Horn clauses that a stage is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Systems {
    /// All.
    All,
    /// Those with arrays.
    WithArrays,
    /// None, unless the command line names the engine.
    Named,
}

/// The kind of a system of Horn clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Without arrays.
    Plain,
    /// With arrays, none of which is nested.
    Arrays,
    /// With arrays whose elements or indices are arrays.
    NestedArrays,
}

impl Kind {
    /// The kind of a system.
    pub(super) fn of(pool: &TermPool, system: &System) -> Self {
        let theories = Summary::new(pool, system).theories;
        match (theories.contains(&"nested arrays"), theories.contains(&"arrays")) {
            (true, _) => Kind::NestedArrays,
            (false, true) => Kind::Arrays,
            (false, false) => Kind::Plain,
        }
    }

    /// The solvers of queries, the best first. Yices, the fastest on most files, has no nested
    /// arrays.
    fn solvers(self) -> &'static [&'static str] {
        match self {
            Kind::Plain | Kind::Arrays => &["yices", "z3", "craig"],
            Kind::NestedArrays => &["z3", "craig"],
        }
    }

    /// The first of the preferred solvers that `registry` has.
    fn solver(self, registry: &Registry) -> Option<&'static str> {
        self.solvers().iter().copied().find(|name| registry.prover(name).is_some())
    }

    /// The solver in place of the default one, if the command line names none and the default does
    /// not support the system.
    pub(super) fn replacement(self, options: &SolveOptions, registry: &Registry) -> Option<&'static str> {
        let has_queries = options.choice() != Chosen::One(Engine::Spacer);
        let is_replaced = self == Kind::NestedArrays && has_queries && options.solver.is_none();
        self.solver(registry).filter(|_| is_replaced)
    }

    fn includes(self, systems: Systems) -> bool {
        match systems {
            Systems::All => true,
            Systems::WithArrays => self != Kind::Plain,
            Systems::Named => false,
        }
    }
}

/// The stages, in order. Passes help most: inlining makes transition systems of the calls of node
/// functions. Models of what passes removed may have quantifiers, so some stages solve the system
/// as it is. Where distinguished cells replace arrays, an engine need not find quantifiers. `tpa`
/// decides no file of CHC-COMP that the others do not, and takes no turns unless it is named.
const STAGES: &[Stage] = &[
    Stage {
        engine: Engine::Pdr,
        queries: Queries::Preferred,
        passes: "default",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Predicate,
        queries: Queries::Preferred,
        passes: "default",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Pdr,
        queries: Queries::Preferred,
        passes: CELLS,
        turn: 0.5,
        systems: Systems::WithArrays,
    },
    Stage {
        engine: Engine::Spacer,
        queries: Queries::None,
        passes: "none",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Templates,
        queries: Queries::Preferred,
        passes: "default",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Bmc,
        queries: Queries::Preferred,
        passes: "default",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Tpa,
        queries: Queries::Preferred,
        passes: "default",
        turn: 0.5,
        systems: Systems::Named,
    },
    Stage {
        engine: Engine::Spacer,
        queries: Queries::None,
        passes: "default",
        turn: 0.5,
        systems: Systems::All,
    },
    Stage {
        engine: Engine::Pdr,
        queries: Queries::By("z3"),
        passes: "none",
        turn: 0.5,
        systems: Systems::All,
    },
];

/// Passes that replace arrays by cells, and simplify the result.
const CELLS: &str = "slice,simplify,arguments,cells,slice,simplify,arguments,simplify";

/// Options that the stages get with values of their own.
const REPLACED: &[&str] = &["engine", "jobs", "json", "evidence", "timelimit", "color"];

/// Runs the chosen engine, or the stages for systems of this kind that this build has.
///
/// # Errors
/// If this build does not have the chosen engine.
pub(super) fn run(
    program: &Path,
    options: &SolveOptions,
    kind: Kind,
    global: &Options,
    start: Instant,
) -> Result<(Answer, Vec<u8>), CliError> {
    let time = (options.limits.timelimit > 0.0).then(|| Duration::from_secs_f64(options.limits.timelimit));
    let deadline = time.and_then(|time| start.checked_add(time));
    let registry = solvers::registry_with(&options.external, memory_limit(&options.limits))?;
    let mut entries = Vec::new();
    let preferred = kind.solver(&registry);
    let stages: Vec<(Engine, Option<&str>, Option<&str>, f64)> = match options.choice() {
        Chosen::One(engine) => vec![(engine, kind.replacement(options, &registry), None, STAGES[0].turn)],
        Chosen::Stages(engines) => {
            let stages = STAGES.iter().filter(|stage| match engines.contains(&stage.engine) {
                true => stage.systems == Systems::Named || kind.includes(stage.systems),
                false => engines.is_empty() && kind.includes(stage.systems),
            });
            let passes = |passes| (!global.given.has("passes")).then_some(passes);
            let solver = |queries| match queries {
                Queries::None => None,
                Queries::Preferred => preferred,
                Queries::By(name) => Some(name),
            };
            stages
                .map(|stage| (stage.engine, solver(stage.queries), passes(stage.passes), stage.turn))
                .collect()
        }
    };
    let mut known = Vec::new();
    for (engine, solver, passes, turn) in stages {
        // Stages that differ only in their passes.
        if known.contains(&(engine, solver, passes)) {
            continue;
        }
        known.push((engine, solver, passes));
        if solver.is_some_and(|name| registry.prover(name).is_none()) {
            continue;
        }
        let prover = solvers::choose(&registry, solver.or(options.solver.as_deref()))?;
        match solver_of(engine, &prover) {
            // An engine that is chosen by name must exist.
            Err(error) if !options.engine.is_empty() && !options.engine.contains(&Engine::Auto) => {
                return Err(error);
            }
            Err(_) => continue,
            Ok(_) => {}
        }
        let engine = Engine::TABLE.iter().find(|named| named.value == engine).map_or("", |named| named.name);
        let mut words = vec![format!("--engine={engine}")];
        words.extend(solver.map(|name| format!("--solver={name}")));
        words.extend(passes.map(|names| format!("--passes={names}")));
        let own: Vec<OsString> = words.iter().map(OsString::from).chain(["--stage".into()]).collect();
        let mut arguments = vec![OsString::from("horn")];
        arguments.extend(global.given.words(REPLACED, &own));
        let mut name = solver.map_or_else(|| engine.to_owned(), |solver| format!("{engine} with {solver}"));
        match passes {
            Some("none") => name.push_str(" without passes"),
            Some(CELLS) => name.push_str(" over cells"),
            _ => {}
        }
        entries.push(Entry::new(name, words, turn, arguments));
    }
    let limits = Limits { start, deadline, memory: memory_limit(&options.limits), interrupt: interrupt() };
    let program = Program { path: program.to_path_buf(), input: None };
    let mut watch = |running: &[&str]| tracing::info!("running: {}", running.join(", "));
    let outcome = schedule::run(&program, entries, options.jobs.into(), limits, &mut watch);
    Ok(answer_of(outcome))
}

/// The answer of the winner, and its output before; `unknown` with what became of all stages.
fn answer_of(outcome: Outcome) -> (Answer, Vec<u8>) {
    let Outcome { mut entries, winner, exceeded } = outcome;
    let stages: Vec<Value> = entries.iter().map(Entry::json).collect();
    let winner_name = winner.map(|winner| entries[winner].name.clone());
    let (mut answer, output) = match winner {
        Some(winner) => entries.swap_remove(winner).into_answer().expect("a winner has an answer"),
        None => (without_winner(entries, exceeded.is_some()), Vec::new()),
    };
    answer.json["portfolio"] = json!({ "stages": stages, "winner": winner_name });
    (answer, output)
}

/// `unknown`, with the reason of the only stage, or what became of all stages.
fn without_winner(mut entries: Vec<Entry>, is_over: bool) -> Answer {
    let has_answer = |entry: &Entry| matches!(entry.end(), Some(End::Answer(..)));
    if let [entry] = &entries[..]
        && has_answer(entry)
        && let Some((answer, _)) = entries.swap_remove(0).into_answer()
    {
        return answer;
    }
    if is_over {
        return unknown("time limit reached");
    }
    let described: Vec<String> = entries.iter().map(Entry::describe).collect();
    unknown(&described.join("; "))
}
