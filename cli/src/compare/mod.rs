//! `hornwork compare`: algorithms, solvers, encodings and sources of interpolants on sets of tasks.
//!
//! A *campaign* runs each task in each configuration of a [matrix] and keeps the results in a
//! [folder](campaign), so that it can be interrupted at any time and continues with the runs that
//! are missing. Each run is a process tree of its own on cores of its own, with a
//! [supervisor](supervise) that limits and measures it. The [report] compares the configurations.
//!
//! Source: the requirements on benchmarking of Beyer, Löwe, Wendler, *Reliable Benchmarking:
//! Requirements and Solutions*, STTT 2019 (BenchExec): CPU time and memory of all processes,
//! limits, termination of all processes, assigned cores.
//! DIVERGENCE: without control groups, BenchExec measures nothing; here the resource usage of the
//! process tree stands in, and the results say so. File systems and networks are not isolated: the
//! runs are those of this program.

mod baseline;
mod benchexec;
mod campaign;
mod cgroup;
mod cores;
mod matrix;
mod outcome;
mod place;
mod queries;
mod report;
mod results;
mod runner;
mod slurm;
mod supervise;
mod tasks;

use crate::binary::this_binary;
use crate::choice::Given;
use crate::comparison::{CompareOptions, ResourceOptions};
use crate::error::CliError;
use crate::options::Options;
use crate::sample::hash_of_bytes;
use crate::{Streams, exit};
use benchexec::Definition;
use campaign::{Campaign, Plan};
use place::Place;
pub(crate) use slurm::run_element;
use std::path::Path;
pub(crate) use supervise::run as supervise;

/// The exit code if a verdict is wrong or a run crashed or hung.
const FAULTS: u8 = 1;

pub(crate) fn run(
    options: &CompareOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    if options.queries {
        return queries::run(options, global, streams);
    }
    let missing = || CliError::Usage("this binary cannot start its own runs".to_owned());
    let program = this_binary().ok_or_else(missing)?;
    let plan = match options.files.is_empty() {
        true => None,
        false => Some(plan(options, &global.given, program, streams)?),
    };
    if plan.is_none()
        && let Some(option) = PLANNED.iter().find(|option| global.given.has(option))
    {
        return Err(CliError::Usage(format!("--{option} belongs to a new campaign: name its tasks")));
    }
    let mut campaign = Campaign::open(&options.output, plan)?;
    if global.given.has("jobs") {
        campaign.plan.resources.jobs = options.resources.jobs;
    }
    if ["executor", "slurm-options"].iter().any(|option| global.given.has(option)) {
        campaign.plan.place = Place::new(options, &global.given)?;
    } else if let Place::Slurm(slurm) = &mut campaign.plan.place
        && global.given.has("jobs")
    {
        slurm.jobs = Some(options.resources.jobs);
    }
    if matches!(campaign.plan.place, Place::Local) {
        slurm::leave(&mut campaign)?;
    }
    let pending = campaign.pending().len();
    if pending > 0 {
        if campaign.plan.binary != binary(program)? && !campaign.runs.is_empty() {
            return Err(CliError::Usage(format!(
                "{}: another version of hornwork made the first {} results; choose another --output",
                options.output.display(),
                campaign.runs.len()
            )));
        }
        if !campaign.runs.is_empty() && !global.quiet {
            let done = campaign.runs.len();
            let _ = writeln!(streams.err, "continuing: {done} runs are finished, {pending} are left");
        }
        match campaign.plan.place.clone() {
            Place::Local => runner::run(&mut campaign, program, streams.is_terminal && !global.quiet)?,
            Place::Slurm(slurm) => slurm::run(&mut campaign, &slurm, program, global.quiet, streams)?,
        }
    }
    let baseline = options.baseline.as_deref().map(campaign::read_results).transpose()?;
    let summary = report::write(&campaign, baseline.as_deref())?;
    // A closed pipe does not change the exit code.
    let _ = write!(streams.out, "{}", summary.text);
    Ok(if summary.is_bad { FAULTS } else { exit::TRUE })
}

/// The options that a campaign stores.
const PLANNED: &[&str] = &[
    "algorithms",
    "solvers",
    "encodings",
    "interpolation",
    "vary",
    "solver-command",
    "solver-file",
    "timelimit",
    "cputimelimit",
    "memlimit",
    "cores",
    "disputed",
    "sample",
    "property",
    "more",
];

fn plan(
    options: &CompareOptions,
    given: &Given,
    program: &Path,
    streams: &mut Streams<'_>,
) -> Result<Plan, CliError> {
    let property = match options.property.as_deref() {
        // Runs are independent of the folder in which the campaign continues.
        Some(file) if Path::new(file).is_file() => {
            let path = Path::new(file);
            let absolute = std::path::absolute(path)
                .map_err(|source| CliError::Io { path: path.to_path_buf(), source })?;
            Some(absolute.to_string_lossy().into_owned())
        }
        name => name.map(str::to_owned),
    };
    let definition = options.files.iter().find(|file| file.extension().is_some_and(|end| end == "xml"));
    let (kind, mut tasks, configurations, resources) = match definition {
        Some(file) => {
            // Everything that these options choose is in the definition.
            let chosen = [
                "algorithms",
                "solvers",
                "encodings",
                "interpolation",
                "vary",
                "property",
                "more",
                "solver-command",
                "solver-file",
            ];
            let other = chosen.into_iter().find(|name| given.has(name));
            if let Some(what) = other.or((options.files.len() > 1).then_some("FILE")) {
                let name = if what == "FILE" { "another FILE".to_owned() } else { format!("--{what}") };
                return Err(CliError::Usage(format!(
                    "{name} cannot be combined with the benchmark definition {}",
                    file.display()
                )));
            }
            let definition = benchexec::read(file, options.resources)?;
            for configuration in &definition.configurations {
                matrix::check(definition.kind, &configuration.options)?;
            }
            let Definition { kind, configurations, tasks, resources } = definition;
            (kind, tasks, configurations, limits(resources, options.resources, given))
        }
        None => {
            let (kind, tasks) = tasks::find(&options.files, property.as_deref())?;
            let more = [options.external.words()?, options.more.clone()].concat();
            let (configurations, left_out) = matrix::configurations(kind, &options.matrix, &more)?;
            for text in left_out {
                let _ = writeln!(streams.err, "left out: {text}");
            }
            (kind, tasks, configurations, options.resources)
        }
    };
    if let Some(path) = &options.disputed {
        let text =
            std::fs::read_to_string(path).map_err(|source| CliError::Io { path: path.clone(), source })?;
        tasks::dispute(&mut tasks, &text);
    }
    if let Some(count) = options.sample {
        tasks = tasks::sample(tasks, count);
    }
    Ok(Plan::new(binary(program)?, kind, configurations, tasks, resources, Place::new(options, given)?))
}

/// The limits of a definition, with those on the command line in place of its own.
fn limits(defined: ResourceOptions, options: ResourceOptions, given: &Given) -> ResourceOptions {
    ResourceOptions {
        timelimit: if given.has("timelimit") { options.timelimit } else { defined.timelimit },
        cputimelimit: if given.has("cputimelimit") { options.cputimelimit } else { defined.cputimelimit },
        memlimit: if given.has("memlimit") { options.memlimit } else { defined.memlimit },
        cores: if given.has("cores") { options.cores } else { defined.cores },
        jobs: options.jobs,
    }
}

/// Returns a hash of the binary.
fn binary(program: &Path) -> Result<String, CliError> {
    let bytes =
        std::fs::read(program).map_err(|source| CliError::Io { path: program.to_path_buf(), source })?;
    Ok(format!("{:016x}", hash_of_bytes(&bytes)))
}
