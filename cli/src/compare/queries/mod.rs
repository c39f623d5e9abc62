//! `hornwork compare --queries`: the queries of runs, recorded once and replayed on every solver.
//!
//! A program is run once with `--record`; a script is a query itself. Each query goes to each
//! solver, and each interpolation problem to each source of interpolants ([`replay`]). No answer is
//! trusted: models are evaluated, cores are checked by another solver, interpolants are certified.
//! The answers are judged together ([`judge`]): a solver whose answer is refuted by evidence is a
//! *culprit*, and the query is reduced by delta debugging ([`backends::minimize`]) while the same
//! solver stays refuted in the same way. The report names the findings first.
//!
//! Queries of a run with one solver depend on its answers: a run records the queries that its own
//! models and interpolants led to.

mod judge;
mod load;
mod replay;
mod report;

use super::FAULTS;
use super::tasks::{self, Kind, Task};
use crate::binary::this_binary;
use crate::comparison::CompareOptions;
use crate::error::CliError;
use crate::guard::default_memory_limit;
use crate::options::Options;
use crate::solvers::{choose, registry_with};
use crate::solving::{isolated, sources};
use crate::{Streams, exit};
use backends::Registry;
use backends::interpolation::certify::Certifier;
use judge::{Finding, judge};
use load::{Query, load};
use replay::{Answers, Judges};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The folder of the recorded queries, below the output.
const RECORDED: &str = "queries";
/// The folder of the minimized queries, below the output.
const FINDINGS: &str = "findings";

/// A query with everything that is known about it.
struct Replayed {
    /// The path of the query, relative to its folder.
    name: String,
    answers: Answers,
    findings: Vec<Finding>,
    /// The number of assertions, and of distinct terms.
    size: (usize, usize),
}

pub(super) fn run(
    options: &CompareOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let memory = default_memory_limit();
    let registry = isolated(registry_with(&options.external, memory)?, memory)?;
    let judges = Judges {
        solvers: match options.matrix.solvers.as_slice() {
            [] => registry.provers.clone(),
            names => names.iter().map(|name| choose(&registry, Some(name))).collect::<Result<_, _>>()?,
        },
        sources: chosen_sources(options, &registry)?,
        certifier: Certifier::choose(&registry, None, &[]),
        time: Duration::from_secs_f64(options.query_timelimit),
    };
    let findings = options.output.join(FINDINGS);
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| CliError::Io { path, source }
    };
    std::fs::create_dir_all(&findings).map_err(failed(&findings))?;
    let mut replayed = Vec::new();
    let mut left_out = Vec::new();
    let mut number = 0;
    for (name, path) in queries(options, global, streams)? {
        let query = match load(&path)? {
            Ok(query) => query,
            Err(why) => {
                left_out.push(format!("{name}: {why}"));
                continue;
            }
        };
        if !global.quiet {
            let _ = writeln!(streams.err, "replaying {name}");
        }
        let Query { mut pool, formulas, logic, problem, stated } = query;
        let size = (formulas.len(), formulas.iter().map(|&formula| pool.dag_size(formula)).sum());
        let answers = judges.replay(&mut pool, &logic, &formulas, problem.as_ref());
        let mut found = judge(&mut pool, &logic, &formulas, &answers, stated.as_ref(), &judges);
        for finding in &mut found {
            number += 1;
            let file = findings.join(format!("{number:03}-{}.smt2", finding.culprit()));
            std::fs::write(&file, &finding.script).map_err(failed(&file))?;
            finding.file = format!("{FINDINGS}/{}", file.file_name().unwrap_or_default().to_string_lossy());
        }
        replayed.push(Replayed { name, answers, findings: found, size });
    }
    let text = report::write(&options.output, &replayed, &left_out)?;
    // A closed pipe does not change the exit code.
    let _ = write!(streams.out, "{text}");
    Ok(match replayed.iter().any(|own| !own.findings.is_empty()) {
        true => FAULTS,
        false => exit::TRUE,
    })
}

fn chosen_sources(options: &CompareOptions, registry: &Registry) -> Result<Vec<replay::Source>, CliError> {
    let factories = match options.matrix.interpolation.as_slice() {
        [] => registry.interpolators.clone(),
        names => sources(names, registry)?,
    };
    let default = choose(registry, None)?;
    let eliminates = registry
        .provers
        .iter()
        .find(|solver| solver.capabilities().quantifier_elimination == backends::Support::Full);
    Ok(factories
        .into_iter()
        .map(|factory| {
            let solver = match (factory.prefers_elimination(), eliminates) {
                (true, Some(solver)) => solver,
                _ => &default,
            };
            replay::Source { factory, solver: std::rc::Rc::clone(solver) }
        })
        .collect())
}

/// The queries with their names: the scripts themselves, or those that runs of the programs record.
fn queries(
    options: &CompareOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<Vec<(String, PathBuf)>, CliError> {
    let (kind, tasks) = tasks::find(&options.files, options.property.as_deref())?;
    let tasks = match options.sample {
        Some(count) => tasks::sample(tasks, count),
        None => tasks,
    };
    if kind == Kind::Script {
        return Ok(tasks.into_iter().map(|task| (task.name, task.path)).collect());
    }
    let mut found = Vec::new();
    for task in &tasks {
        let folder = options.output.join(RECORDED).join(task.name.replace('/', "-"));
        if !folder.is_dir() {
            if !global.quiet {
                let _ = writeln!(streams.err, "recording {}", task.name);
            }
            record(options, task, &folder)?;
        }
        let entries =
            std::fs::read_dir(&folder).map_err(|source| CliError::Io { path: folder.clone(), source })?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|end| end == "smt2"));
        files.sort();
        found.extend(files.into_iter().map(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (format!("{}/{file}", task.name), path)
        }));
    }
    Ok(found)
}

/// Runs a program and records its queries.
fn record(options: &CompareOptions, task: &Task, folder: &Path) -> Result<(), CliError> {
    let missing = || CliError::Usage("this binary cannot start its own runs".to_owned());
    let mut run = Command::new(this_binary().ok_or_else(missing)?);
    run.args(["verify", "--quiet"])
        .arg(format!("--timelimit={}", options.resources.timelimit))
        .arg("--record")
        .arg(folder)
        .args(options.external.words()?)
        .args(&options.more)
        .args(&task.options)
        .arg("--")
        .arg(&task.path);
    let failed = |source| CliError::Io { path: task.path.clone(), source };
    let output = run.stdin(Stdio::null()).stdout(Stdio::null()).output().map_err(failed)?;
    match output.status.code() {
        Some(code) if code != i32::from(exit::USAGE) => Ok(()),
        _ => Err(CliError::Usage(format!(
            "no queries of {} were recorded: {}",
            task.name,
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}
