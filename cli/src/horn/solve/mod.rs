//! `hornwork horn --solve`: decides whether a system of Horn clauses is satisfiable.
//!
//! An engine answers with an interpretation of the relations or with facts. The answer is printed
//! only after it was checked on the clauses of the file: an interpretation clause by clause by
//! another solver than that of the engine, if possible, and a derivation, which is built from the
//! facts, by evaluation. Engines run as [stages](crate::schedule), each in a process of its own, so
//! that the crash of a solver library ends in `unknown`; with `--engine auto` they take turns.

mod stages;

use crate::answer::{Answer, Form};
use crate::binary::this_binary;
use crate::clauses::{Chosen, Engine, SolveOptions};
use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::interruption::interrupt;
use crate::options::{LimitOptions, Options};
use crate::portfolio::PROVED;
use crate::solving::memory_limit;
use crate::{Streams, exit, internal, solvers};
use backends::interpolation::certify::Certifier;
use backends::interpolation::{Interpolating, Interpolation, Preference};
use backends::{Fact, HornAnswer, HornSolver, Limits, ProverFactory, Reason, Registry};
use frontend::horn::{HornFile, Status};
use horn::{Derivation, Interpretation};
use passes::engines::clauses::derivation::derive;
use passes::engines::clauses::pdr::Pdr;
use passes::engines::clauses::predicate::Predicates;
use passes::engines::clauses::templates::Templates;
use passes::engines::clauses::tpa::TransitionPowers;
use passes::engines::clauses::unrolling::Unrolling;
use passes::horn::PipelineRun;
use passes::models::{Model, check_model};
use serde_json::{Value, json};
use stages::Kind;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::TermPool;

/// The greatest number of characters of a reason.
const LONGEST_REASON: usize = 300;
/// The effort of a source of interpolants for one problem.
const INTERPOLATION: Duration = Duration::from_secs(2);
/// The share of the remaining effort that the engine may take; the rest is for the check.
const ENGINE_SHARE: u32 = 10;

/// The most steps of a derivation that is printed.
const MAX_PRINTED: usize = 100_000;

/// Decides the system of a file, and writes the answer. A file that `is_lasting` can be read again.
///
/// # Errors
/// If the options name no engine or solver of this build.
pub(super) fn run(
    options: &SolveOptions,
    global: &Options,
    is_lasting: bool,
    load: impl FnOnce(&mut TermPool, &mut Streams<'_>) -> Result<(HornFile, PipelineRun), CliError>,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let start = Instant::now();
    let form = match options.stage {
        true => Form::Stage,
        false if options.json => Form::Json { options: global.given.json() },
        false => Form::Text,
    };
    if options.stage {
        crate::processes::end_with_parent();
    }
    let factory = chosen_solver(options)?;
    let limits = of_run(&options.limits);
    let guard = start_guard(&options.limits, form.clone(), start, limits.deadline);
    let decided = internal::catch(|| {
        internal::on_request("horn");
        let mut pool = TermPool::new();
        let (file, transformed) = load(&mut pool, streams)?;
        let kind = Kind::of(&pool, &file.system);
        // Engines run in processes of their own, unless they could not read the file again.
        if !options.stage
            && is_lasting
            && let Some(program) = this_binary()
        {
            drop((pool, file, transformed));
            return Ok(Work::Stages(program, kind));
        }
        // Without processes of their own, only one engine runs.
        let engine = match options.choice() {
            Chosen::One(engine) => engine,
            Chosen::Stages(engines) => engines.first().copied().unwrap_or(Engine::Auto),
        };
        let registry = solvers::registry_with(&options.external, memory_limit(&options.limits))?;
        let factory = match kind.replacement(options, &registry) {
            Some(name) => solvers::choose(&registry, Some(name))?,
            None => factory,
        };
        let engine = solver_of(engine, &factory)?;
        let mut say_proved = || {
            if options.stage {
                let _ = writeln!(streams.out, "{PROVED}");
                let _ = streams.out.flush();
            }
        };
        let answer = solve(&mut pool, (&file, &transformed), &*engine, &limits, &mut say_proved);
        // Freeing a large pool takes long, and the process is about to end.
        std::mem::forget(pool);
        Ok(Work::Done(answer))
    });
    guard.claim_or_wait();
    // The limits of stages are those of the schedule, which reports what became of each stage.
    let decided = decided.map_err(CliError::Internal)??;
    let (mut answer, output) = match decided {
        Work::Done(answer) => (answer, Vec::new()),
        Work::Stages(program, kind) => internal::catch(|| stages::run(program, options, kind, global, start))
            .map_err(CliError::Internal)??,
    };
    let _ = streams.out.write_all(&output);
    if !options.evidence && !matches!(form, Form::Stage) {
        answer.text.clear();
    }
    answer.json["seconds"] = json!(start.elapsed().as_secs_f64());
    // A closed pipe does not change the exit code.
    let code = answer.code;
    let _ = answer.write(&form, streams.out, None);
    Ok(code)
}

/// The rest of a run whose clauses are read.
enum Work {
    /// Nothing: this process has the answer.
    Done(Answer),
    /// Stages of this program decide.
    Stages(&'static Path, Kind),
}

/// Returns the chosen solver.
///
/// # Errors
/// If the engine uses none, or it is unknown.
pub(super) fn chosen_solver(options: &SolveOptions) -> Result<Rc<dyn ProverFactory>, CliError> {
    if options.solver.is_some() && matches!(options.choice(), Chosen::Stages(_) | Chosen::One(Engine::Spacer))
    {
        return Err(CliError::Usage(
            "--solver requires one of the engines bmc, pdr, predicate, templates and tpa".to_owned(),
        ));
    }
    let registry = solvers::registry_with(&options.external, memory_limit(&options.limits))?;
    solvers::choose(&registry, options.solver.as_deref())
}

/// The limits of a run that starts now.
fn of_run(options: &LimitOptions) -> Limits {
    let time = |seconds: f64| (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
    Limits { time: time(options.query_timelimit), ..Limits::of_run(time(options.timelimit)) }
}

fn start_guard(limits: &LimitOptions, form: Form, start: Instant, deadline: Option<Instant>) -> Guard {
    let memory = memory_limit(limits);
    let interrupt = Some(interrupt());
    Guard::start(ProcessLimits { deadline, memory, interrupt }, move |exceeded| {
        let mut out = std::io::stdout();
        let mut answer = unknown(&exceeded.to_string());
        answer.json["seconds"] = json!(start.elapsed().as_secs_f64());
        let _ = answer.write(&form, &mut out, None);
        let _ = out.flush();
        std::process::exit(exit::UNKNOWN.into());
    })
}

/// The engine of this name over provers of `factory`.
fn solver_of(engine: Engine, factory: &Rc<dyn ProverFactory>) -> Result<Rc<dyn HornSolver>, CliError> {
    let factory = match engine {
        Engine::Predicate | Engine::Tpa => interpolating(Rc::clone(factory)),
        Engine::Auto | Engine::Bmc | Engine::Pdr | Engine::Templates | Engine::Spacer => Rc::clone(factory),
    };
    engine_over(engine, factory, &solvers::registry())
}

/// The engine of this name over provers of `factory`, whose refutations have interpolants, and
/// other parts of `registry`.
///
/// # Errors
/// If the registry does not have the engine.
pub(crate) fn engine_over(
    engine: Engine,
    factory: Rc<dyn ProverFactory>,
    registry: &Registry,
) -> Result<Rc<dyn HornSolver>, CliError> {
    Ok(match engine {
        Engine::Pdr => Rc::new(Pdr { factory, interpolators: registry.interpolator("craig-proof").cloned() }),
        Engine::Predicate => Rc::new(Predicates { factory }),
        Engine::Templates => Rc::new(Templates { factory }),
        Engine::Tpa => Rc::new(TransitionPowers { factory }),
        Engine::Bmc => Rc::new(Unrolling { factory }),
        Engine::Spacer | Engine::Auto => {
            let found = registry.horn_solvers.iter().find(|solver| solver.name() == "spacer");
            Rc::clone(found.ok_or_else(|| {
                CliError::Usage("the engine spacer requires a build with the feature z3".to_owned())
            })?)
        }
    })
}

/// `factory`, with all sources of interpolants for its refutations.
fn interpolating(factory: Rc<dyn ProverFactory>) -> Rc<dyn ProverFactory> {
    let solver = Rc::clone(&factory);
    let interpolation = move || {
        let registry = solvers::registry();
        let certifier = Some(Certifier::choose(&registry, Some(solver.name()), &[]));
        let sources = registry.interpolators.iter();
        let sources = sources.map(|source| source.new_interpolator(&solver, Preference::default())).collect();
        Interpolation { budget: Some(INTERPOLATION), certifier, ..Interpolation::new(sources) }
    };
    Rc::new(Interpolating { factory, interpolation: Rc::new(interpolation) })
}

/// The answer `unknown` with its reason.
fn unknown(reason: &str) -> Answer {
    let mut reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    // Solvers quote whole clauses.
    if reason.chars().count() > LONGEST_REASON {
        reason = reason.chars().take(LONGEST_REASON).chain("…".chars()).collect();
    }
    Answer {
        verdict: format!("unknown({reason})"),
        code: exit::UNKNOWN,
        text: String::new(),
        json: json!({ "verdict": "unknown", "reason": reason }),
    }
}

/// Runs an engine on the transformed clauses, and checks its answer on those of the file.
fn solve(
    pool: &mut TermPool,
    (file, transformed): (&HornFile, &PipelineRun),
    engine: &dyn HornSolver,
    limits: &Limits,
    say_proved: &mut dyn FnMut(),
) -> Answer {
    let system = &transformed.system;
    let found = match limits.left() {
        Some(left) => engine.solve(pool, system, &limits.within(left - left / ENGINE_SHARE)),
        None => engine.solve(pool, system, limits),
    };
    let mut answer = match found {
        HornAnswer::Unknown(reason) => unknown(&reason.to_string()),
        HornAnswer::Satisfiable(model) => {
            say_proved();
            let model = transformed.model(pool, &model);
            satisfiable(pool, file, &model, engine, limits)
        }
        HornAnswer::Unsatisfiable(facts) => {
            say_proved();
            unsatisfiable(pool, (file, transformed), &facts, limits)
        }
    };
    answer.json["engine"] = engine.name().into();
    answer.json["solver"] = engine.solver().into();
    let expected = match file.status {
        Some(Status::Sat) => "sat",
        Some(Status::Unsat) => "unsat",
        None => return answer,
    };
    answer.json["status"] = expected.into();
    answer
}

/// The solvers that check a model: those of other engines first.
fn checkers(engine: &dyn HornSolver) -> Vec<Rc<dyn ProverFactory>> {
    let (own, others): (Vec<_>, Vec<_>) =
        solvers::registry().provers.into_iter().partition(|solver| solver.name() == engine.solver());
    others.into_iter().chain(own).collect()
}

fn satisfiable(
    pool: &mut TermPool,
    file: &HornFile,
    model: &Interpretation,
    engine: &dyn HornSolver,
    limits: &Limits,
) -> Answer {
    let system = &file.system;
    let by = match check_model(pool, system, model, &checkers(engine), limits) {
        Model::Valid(by) => by,
        Model::Refuted(clause) => {
            let mut text = String::new();
            let _ = system.print_model(&mut text, pool, &mut file.signatures.clone(), model);
            tracing::debug!("the refuted model: {text}");
            let reason = format!("the model of {} does not satisfy the clause {clause}", engine.name());
            return unknown(&reason);
        }
        Model::Undecided(clause, reason) => {
            let reason = format!("the model could not be checked at the clause {clause}: {reason}");
            return unknown(&reason);
        }
    };
    let mut text = String::new();
    system
        .print_model(&mut text, pool, &mut file.signatures.clone(), model)
        .expect("writing to a string cannot fail");
    let json = json!({
        "verdict": "sat", "model": text, "validation": { "result": "validated", "solvers": by },
    });
    Answer { verdict: "sat".to_owned(), code: exit::TRUE, text, json }
}

fn unsatisfiable(
    pool: &mut TermPool,
    (file, transformed): (&HornFile, &PipelineRun),
    facts: &[Fact],
    limits: &Limits,
) -> Answer {
    let mut failure = Reason::Unsupported("no solver".to_owned());
    for factory in solvers::registry().provers {
        match derive(pool, &transformed.system, facts, &*factory, limits) {
            Ok(derivation) => {
                return match transformed.derivation(pool, &derivation) {
                    Ok(derivation) => refuted(pool, file, &derivation),
                    Err(lost) => unknown(&lost.to_string()),
                };
            }
            Err(reason) => failure = reason,
        }
    }
    unknown(&format!("no derivation was built from the {} facts of a refutation: {failure}", facts.len()))
}

/// `unsat`, with a derivation, if it holds.
fn refuted(pool: &mut TermPool, file: &HornFile, derivation: &Derivation) -> Answer {
    let system = &file.system;
    let mut signatures = file.signatures.clone();
    if let Err(error) = derivation.check(pool, system) {
        return unknown(&format!("a refutation is wrong: {error}"));
    }
    let count = derivation.steps.len();
    if count > MAX_PRINTED {
        let text = format!("a derivation of {count} steps, which were checked\n");
        let json = json!({
            "verdict": "unsat", "steps": count, "validation": { "result": "validated", "solvers": [] },
        });
        return Answer { verdict: "unsat".to_owned(), code: exit::FALSE, text, json };
    }
    let mut text = String::new();
    derivation.print(&mut text, pool, &mut signatures, system).expect("writing to a string cannot fail");
    let steps = derivation.steps.iter().map(|(step, data)| {
        let conclusion = derivation.conclusion(pool, system, step);
        let relation = conclusion.as_ref().map(|(relation, _)| system.relations[*relation].name.clone());
        let arguments = conclusion.map_or_else(Vec::new, |(relation, values)| {
            signatures.arguments(pool, system, relation, &values)
        });
        let values: Vec<Value> = arguments.into_iter().map(|(_, value)| value.into()).collect();
        let premises: Vec<String> = data.premises.iter().map(ToString::to_string).collect();
        json!({
            "step": step.to_string(),
            "relation": relation,
            "values": values,
            "clause": system.clauses[data.clause].origin,
            "premises": premises,
        })
    });
    let steps: Vec<Value> = steps.collect();
    let json = json!({
        "verdict": "unsat", "derivation": steps, "validation": { "result": "validated", "solvers": [] },
    });
    Answer { verdict: "unsat".to_owned(), code: exit::FALSE, text, json }
}
