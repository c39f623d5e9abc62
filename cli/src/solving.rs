//! The solver of a run, as the options configure it.
//!
//! Each feature is a wrapper around a [`ProverFactory`]. From the inside to the outside, these are:
//! a worker process, turns with a second solver, checks of answers, interpolation, recording of
//! queries, and statistics.
//! Therefore a record contains the answers that the caller received, and the statistics include the
//! time of all layers.

use crate::binary::this_binary;
use crate::error::CliError;
use crate::guard::default_memory_limit;
use crate::options::{Checked, Isolation, LimitOptions, SolvingOptions};
use crate::solvers;
use backends::interpolation::certify::Certifier;
use backends::interpolation::{
    Interpolating, Interpolation, InterpolatorFactory, Preference, SolverFault, Strategy,
};
use backends::worker::{Isolated, IsolatedInterpolation, WorkerCommand, WorkerLimits, Workers};
use backends::wrappers::{
    self, Counting, Faults, Query, Recheck, Recording, Relay, Script, SecondAnswers, Statistics,
};
use backends::{Limits, Placement, Prover, ProverFactory, Reason, Registry, Support};
use encode::Encoding;
use passes::validate::SHORT;
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The maximal size in bytes of the script of a recorded query.
const LARGEST_RECORD: usize = 64 << 20;

/// The first validator, unless it is the solver of the run. It starts quickly and decides small
/// checks before another solver is loaded.
const QUICK_VALIDATOR: &str = "craig";
/// The effort of its first turn.
const QUICK_VALIDATION: Duration = Duration::from_millis(500);

/// The second solver of bit vectors, and the one to which it gives what is hard for it, unless the
/// solver is chosen.
const SECOND: [&str; 2] = ["craig", "bitwuzla"];

/// A solver that checks certificates.
pub(crate) struct Validator {
    /// The factory of its provers.
    pub(crate) factory: Rc<dyn ProverFactory>,
    /// The effort of its first turn.
    pub(crate) first_turn: Duration,
    /// Its part in the run, if it gets hard queries.
    part: Option<Second>,
}

impl Validator {
    /// Whether the run is independent of this solver: it answered no hard query.
    pub(crate) fn is_independent(&self) -> bool {
        self.part.as_ref().is_none_or(|part| part.answers() == 0)
    }
}

/// A solver that gets hard queries of a run.
#[derive(Clone)]
struct Second {
    name: &'static str,
    /// The number of its answers, with those of the solver that gets what is hard for it.
    with_next: SecondAnswers,
    /// The number of answers of that solver.
    of_next: SecondAnswers,
}

impl Second {
    /// The number of its answers so far.
    fn answers(&self) -> u64 {
        self.with_next.count() - self.of_next.count()
    }
}

/// The solver of a run.
pub(crate) struct Solving {
    registry: Registry,
    /// The name of the chosen solver.
    solver: &'static str,
    second: Vec<Second>,
    checked: Checked,
    factory: Rc<dyn ProverFactory>,
    limits: Limits,
    statistics: Statistics,
    faults: Faults,
    interpolation_faults: Rc<RefCell<Vec<SolverFault>>>,
    record: Option<Rc<Record>>,
}

impl Solving {
    /// Creates the solver that the options name, among the built-in solvers and those of the user.
    pub(crate) fn of(
        options: &SolvingOptions,
        limits: &LimitOptions,
        encoding: Option<Encoding>,
    ) -> Result<Self, CliError> {
        let registry = solvers::registry_with(&options.external, memory_limit(limits))?;
        Solving::new(options, limits, registry, encoding)
    }

    /// Creates the solver that the options name; by default, the first solver of `registry` that
    /// supports the formulas of `encoding`.
    pub(crate) fn new(
        options: &SolvingOptions,
        limits: &LimitOptions,
        registry: Registry,
        encoding: Option<Encoding>,
    ) -> Result<Self, CliError> {
        let name = solvers::suitable(&registry, options.solver.as_deref(), encoding)?.name();
        let isolation = options.isolation.unwrap_or(match this_binary() {
            Some(_) => Isolation::Process,
            None => Isolation::None,
        });
        let registry = match isolation {
            Isolation::None => registry,
            Isolation::Process => isolated(registry, memory_limit(limits))?,
        };
        let solver = solvers::choose(&registry, Some(name))?;
        let checker =
            options.checker.as_deref().map(|name| solvers::choose(&registry, Some(name))).transpose()?;
        let record = options.record.as_deref().map(Record::new).transpose()?.map(Rc::new);

        let statistics = Statistics::default();
        let faults = Faults::default();
        let interpolation_faults = Rc::default();
        let recheck = match options.checked {
            Checked::None => None,
            Checked::Evidence => Some(Recheck::Models),
            Checked::All => {
                let other = checker.clone().or_else(|| other_than(&registry, &solver));
                let missing = || {
                    CliError::Usage(
                        "--checked all requires a second solver, and only one is built in".to_string(),
                    )
                };
                Some(Recheck::All(other.ok_or_else(missing)?))
            }
        };
        let mut factory = Rc::clone(&solver);
        let mut second = Vec::new();
        let mut others = second_solvers(options, &registry, &solver, encoding)?;
        if let Some(mut last) = others.pop() {
            // Each solver hands what is hard for it to the next.
            others.insert(0, factory);
            let first_turn = Duration::from_secs_f64(options.second_after);
            let mut of_next = SecondAnswers::default();
            while let Some(before) = others.pop() {
                let answers = SecondAnswers::default();
                second.insert(0, Second { name: last.name(), with_next: answers.clone(), of_next });
                of_next = answers.clone();
                last = Rc::new(Relay { factory: before, second: last, first_turn, answers });
            }
            factory = last;
        }
        if let Some(recheck) = recheck {
            factory = Rc::new(wrappers::Checked { factory, recheck, faults: faults.clone() });
        }
        factory = Rc::new(Interpolating {
            factory,
            interpolation: interpolation(
                options,
                &registry,
                &solver,
                checker,
                &statistics,
                &interpolation_faults,
            )?,
        });
        if let Some(record) = &record {
            let record = Rc::clone(record);
            factory =
                Rc::new(Recording::new(factory, Rc::new(move |query| record.query(query)), LARGEST_RECORD));
        }
        factory = Rc::new(Counting { factory, statistics: statistics.clone() });
        let limits =
            Limits { time: seconds(limits.query_timelimit), ..Limits::of_run(seconds(limits.timelimit)) };
        let checked = options.checked;
        Ok(Solving {
            registry,
            solver: name,
            second,
            checked,
            factory,
            limits,
            statistics,
            faults,
            interpolation_faults,
            record,
        })
    }

    /// Returns the solvers that check certificates, in the order of their turns. With a name, the
    /// only validator is the solver `name`. Otherwise these are all suitable solvers other than the
    /// solver of the run, [`QUICK_VALIDATOR`] first; without another solver, it is the solver of
    /// the run.
    pub(crate) fn validators(
        &self,
        name: Option<&str>,
        encoding: Option<Encoding>,
    ) -> Result<Vec<Validator>, CliError> {
        let factories = match name {
            Some(name) => vec![solvers::suitable(&self.registry, Some(name), encoding)?],
            None => {
                let is_other = |other: &&Rc<dyn ProverFactory>| {
                    other.name() != self.solver && solvers::is_suitable(other, encoding)
                };
                let others = self.registry.provers.iter().filter(is_other).cloned();
                let (quick, others): (Vec<_>, Vec<_>) =
                    others.partition(|other| other.name() == QUICK_VALIDATOR);
                quick.into_iter().chain(others).collect()
            }
        };
        let factories = match factories.is_empty() {
            true => vec![solvers::choose(&self.registry, Some(self.solver))?],
            false => factories,
        };
        let validators = factories.iter().map(|factory| Validator {
            factory: self.evidence_checked(factory),
            first_turn: if factory.name() == QUICK_VALIDATOR { QUICK_VALIDATION } else { SHORT },
            part: self.second.iter().find(|second| second.name == factory.name() && name.is_none()).cloned(),
        });
        Ok(validators.collect())
    }

    /// Wraps `factory` to check its models, unless `--checked none` is given: a wrong model would
    /// refute a valid certificate.
    fn evidence_checked(&self, factory: &Rc<dyn ProverFactory>) -> Rc<dyn ProverFactory> {
        let factory = Rc::clone(factory);
        match self.checked {
            Checked::None => factory,
            Checked::Evidence | Checked::All => {
                Rc::new(wrappers::Checked { factory, recheck: Recheck::Models, faults: self.faults.clone() })
            }
        }
    }

    /// Returns the factory of the provers of the run.
    pub(crate) fn factory(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    /// Returns the same, shared.
    pub(crate) fn shared_factory(&self) -> Rc<dyn ProverFactory> {
        Rc::clone(&self.factory)
    }

    /// Returns all solvers and sources of interpolants.
    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns the limits of each query.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Creates a prover for formulas of `logic`.
    pub(crate) fn new_prover(&self, logic: &str) -> Result<Box<dyn Prover>, Reason> {
        self.factory.new_prover(logic, &self.limits)
    }

    /// Sets the time limit of all later queries, including those of `prover`, in milliseconds; 0
    /// for no limit.
    pub(crate) fn set_query_limit(&mut self, milliseconds: u64, prover: Option<&mut (dyn Prover + 'static)>) {
        self.limits.time = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
        if let Some(prover) = prover {
            prover.set_limits(&self.limits);
        }
    }

    /// Writes the numbers and times of all queries and checks, and the number of wrong answers.
    pub(crate) fn write_statistics(&self, out: &mut dyn Write) {
        let counts = self.faults.counts();
        let _ = write!(out, "{}", self.statistics);
        for second in self.second.iter().filter(|second| second.answers() > 0) {
            let _ = writeln!(out, "answered by {}: {}", second.name, second.answers());
        }
        let _ = writeln!(
            out,
            "models checked: {}, in part: {}; unsat confirmed: {}, unconfirmed: {}; wrong answers: {}",
            counts.models,
            counts.partly_checked_models,
            counts.confirmed,
            counts.unconfirmed,
            counts.faults + self.interpolation_faults.borrow().len() as u64
        );
    }

    /// Returns the statistics as JSON.
    pub(crate) fn statistics_json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({ "queries": self.statistics, "checked": self.faults.counts() });
        let second = self.second.iter();
        json["second_solvers"] = second
            .map(|second| serde_json::json!({ "name": second.name, "answers": second.answers() }))
            .collect();
        json
    }

    /// Reports the wrong answers, and records the scripts that reproduce them.
    pub(crate) fn report_faults(&self, err: &mut dyn Write) {
        for (number, fault) in self.faults.list().iter().enumerate() {
            let _ = writeln!(
                err,
                "warning: {} gave a wrong answer, which was discarded: {}",
                fault.solver, fault.what
            );
            self.save(err, &format!("fault-{number:03}-{}.smt2", fault.solver), &fault.script);
        }
        for (number, fault) in self.interpolation_faults.borrow().iter().enumerate() {
            let _ = writeln!(
                err,
                "warning: {} gave a wrong interpolant, which was discarded: {}",
                fault.source, fault.fault
            );
            self.save(err, &format!("fault-interpolant-{number:03}-{}.smt2", fault.source), &fault.script);
            self.save(
                err,
                &format!("fault-interpolant-{number:03}-{}-problem.smt2", fault.source),
                &fault.problem,
            );
        }
        if let Some(record) = &self.record
            && let Some((path, error)) = record.failure.borrow().as_ref()
        {
            let _ = writeln!(err, "warning: incomplete record: cannot write {}: {error}", path.display());
        }
    }

    fn save(&self, err: &mut dyn Write, name: &str, script: &str) {
        match &self.record {
            Some(record) => {
                let path = record.write(name, script);
                let _ = writeln!(err, "  recorded in {}", path.display());
            }
            None => {
                let _ = writeln!(err, "  run again with --record FOLDER to record it");
            }
        }
    }
}

fn seconds(number: f64) -> Option<Duration> {
    (number > 0.0).then(|| Duration::from_secs_f64(number))
}

/// Returns the memory limit of each process in bytes.
pub(crate) fn memory_limit(limits: &LimitOptions) -> Option<u64> {
    match limits.memlimit {
        0 => default_memory_limit(),
        megabytes => Some(megabytes.saturating_mul(1 << 20)),
    }
}

/// Returns the solvers and sources of `registry`, run in worker processes.
///
/// `memory` is the memory limit of each worker in bytes.
pub(crate) fn isolated(registry: Registry, memory: Option<u64>) -> Result<Registry, CliError> {
    let missing = || CliError::Usage("this binary cannot run as a worker; use --isolation none".to_string());
    let program = this_binary().ok_or_else(missing)?.to_path_buf();
    let megabytes = memory.map_or(0, |bytes| bytes >> 20);
    let arguments = vec!["worker".into(), "--memory".into(), megabytes.to_string().into()];
    let limits = WorkerLimits { memory, ..WorkerLimits::default() };
    let workers = Rc::new(Workers::new(WorkerCommand { program, arguments }, limits));
    // A solver in a process of its own is isolated already.
    let prover = |factory: Rc<dyn ProverFactory>| match factory.placement() {
        Placement::OwnProcess => factory,
        Placement::InProcess => Rc::new(Isolated::new(factory, Rc::clone(&workers))),
    };
    let source = |factory: Rc<dyn InterpolatorFactory>| match factory.placement() {
        Placement::OwnProcess => factory,
        Placement::InProcess => Rc::new(IsolatedInterpolation::new(factory, Rc::clone(&workers))),
    };
    Ok(Registry {
        provers: registry.provers.into_iter().map(prover).collect(),
        interpolators: registry.interpolators.into_iter().map(source).collect(),
        horn_solvers: registry.horn_solvers,
    })
}

/// Returns the solvers that get hard queries, in the order of their turns.
fn second_solvers(
    options: &SolvingOptions,
    registry: &Registry,
    solver: &Rc<dyn ProverFactory>,
    encoding: Option<Encoding>,
) -> Result<Vec<Rc<dyn ProverFactory>>, CliError> {
    let mut found = match &*options.second_solver {
        [none] if none == "none" => Vec::new(),
        names @ [_, ..] => {
            let named = names.iter().map(|name| solvers::suitable(registry, Some(name), encoding));
            named.collect::<Result<Vec<_>, _>>()?
        }
        [] if options.solver.is_some() || encoding.is_none_or(Encoding::is_linear) => Vec::new(),
        [] => {
            let known = SECOND.iter().filter_map(|name| registry.prover(name));
            known.filter(|other| solvers::is_suitable(other, encoding)).cloned().collect()
        }
    };
    let mut taken = vec![solver.name()];
    found.retain(|other| {
        let is_new = !taken.contains(&other.name());
        taken.push(other.name());
        is_new
    });
    Ok(found)
}

fn other_than(registry: &Registry, solver: &Rc<dyn ProverFactory>) -> Option<Rc<dyn ProverFactory>> {
    registry.provers.iter().find(|other| other.name() != solver.name()).cloned()
}

/// Returns the sources of interpolants of these names.
pub(crate) fn sources(
    names: &[String],
    registry: &Registry,
) -> Result<Vec<Rc<dyn InterpolatorFactory>>, CliError> {
    let find = |name: &String| {
        let known: Vec<&str> = registry.interpolators.iter().map(|source| source.name()).collect();
        registry.interpolator(name).cloned().ok_or_else(|| {
            CliError::Usage(format!(
                "no source of interpolants is named `{name}`; available: {}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}

/// Returns the constructor of the interpolation of each prover.
fn interpolation(
    options: &SolvingOptions,
    registry: &Registry,
    solver: &Rc<dyn ProverFactory>,
    checker: Option<Rc<dyn ProverFactory>>,
    statistics: &Statistics,
    faults: &Rc<RefCell<Vec<SolverFault>>>,
) -> Result<Rc<dyn Fn() -> Interpolation>, CliError> {
    let sources = match options.interpolation.as_slice() {
        [] => registry.interpolators.clone(),
        names => sources(names, registry)?,
    };
    let strategy = Strategy { sequence: options.sequences, tree: options.trees };
    let certifier = (options.checked != Checked::None).then(|| match checker {
        Some(checker) => Certifier { factories: vec![checker] },
        None => Certifier::choose(registry, Some(solver.name()), &[]),
    });
    // A source that works with any solver is strongest with one that eliminates quantifiers.
    let eliminates =
        |factory: &&Rc<dyn ProverFactory>| factory.capabilities().quantifier_elimination == Support::Full;
    let helper = match options.solver {
        Some(_) if eliminates(&solver) => Rc::clone(solver),
        _ => registry.provers.iter().find(eliminates).unwrap_or(solver).clone(),
    };
    let budget = seconds(options.interpolation_budget);
    let preference = Preference { score: options.interpolant_score, strength: options.interpolant_strength };
    let (statistics, faults, solver) = (statistics.clone(), Rc::clone(faults), Rc::clone(solver));
    Ok(Rc::new(move || {
        let (statistics, faults) = (statistics.clone(), Rc::clone(&faults));
        Interpolation {
            strategy,
            budget,
            certifier: certifier.clone(),
            on_attempt: Some(Box::new(move |attempt| statistics.add_attempts(std::slice::from_ref(attempt)))),
            on_fault: Some(Box::new(move |fault| faults.borrow_mut().push(fault.clone()))),
            ..Interpolation::new(
                sources
                    .iter()
                    .map(|source| {
                        let prover = if source.prefers_elimination() { &helper } else { &solver };
                        source.new_interpolator(prover, preference)
                    })
                    .collect(),
            )
        }
    }))
}

/// A folder of recorded queries.
struct Record {
    folder: PathBuf,
    /// The first file that could not be written.
    failure: RefCell<Option<(PathBuf, std::io::Error)>>,
}

impl Record {
    fn new(folder: &Path) -> Result<Self, CliError> {
        std::fs::create_dir_all(folder)
            .map_err(|source| CliError::Io { path: folder.to_path_buf(), source })?;
        Ok(Record { folder: folder.to_path_buf(), failure: RefCell::default() })
    }

    fn query(&self, query: &Query) {
        match &query.script {
            Script::Text(text) => {
                self.write(&query.file_name(), text);
            }
            Script::TooLong => {
                tracing::warn!(query = query.number, "not recorded: larger than {LARGEST_RECORD} bytes");
            }
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        if let Err(error) = std::fs::write(&path, text) {
            self.failure.borrow_mut().get_or_insert_with(|| (path.clone(), error));
        }
        path
    }
}
