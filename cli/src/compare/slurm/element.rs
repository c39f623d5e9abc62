//! An element of a job array: a process on a node that makes its runs one after another.

use super::super::campaign::read_plan;
use super::super::outcome::Run;
use super::super::results::Results;
use super::super::runner::Worker;
use super::super::{binary, cores};
use super::Submission;
use crate::binary::this_binary;
use crate::comparison::ElementOptions;
use crate::error::CliError;
use crate::exit;
use std::collections::BTreeSet;

/// Makes the runs of an element that have no result yet.
///
/// # Errors
/// The folder has no such submission, the binary is another one, or files cannot be written.
pub(crate) fn run(options: &ElementOptions) -> Result<u8, CliError> {
    let folder = &options.campaign;
    let missing = |what: &str| CliError::Task { path: folder.clone(), message: format!("no {what}") };
    let plan = read_plan(folder)?.ok_or_else(|| missing("campaign"))?;
    let submission = Submission::new(folder, options.submission);
    let batch = submission.read()?.ok_or_else(|| missing("such submission"))?;
    let numbers = batch.elements.get(options.element).ok_or_else(|| missing("such element"))?;
    let program =
        this_binary().ok_or_else(|| CliError::Usage("this binary cannot start its own runs".to_owned()))?;
    if binary(program)? != batch.binary {
        let text = format!("{}: not the binary that submitted the array", program.display());
        return Err(CliError::Usage(text));
    }
    let (mut results, done) = Results::open(&submission.results(options.element))?;
    let pair = |run: &Run| (run.task.clone(), run.configuration.clone());
    let done: BTreeSet<(String, String)> = done.iter().map(pair).collect();
    let worker = Worker {
        program,
        folder,
        kind: plan.kind,
        resources: plan.resources,
        memory: plan.resources.memlimit,
        cores: own_cores(usize::from(plan.resources.cores))?,
    };
    let pairs: Vec<_> = plan.pairs().collect();
    for &number in numbers {
        let &(task, configuration) = pairs.get(number).ok_or_else(|| missing("such run"))?;
        if !done.contains(&(task.name.clone(), configuration.name.clone())) {
            results.append(&worker.run(number, task, configuration)?)?;
        }
    }
    Ok(exit::TRUE)
}

/// The processor cores of the runs: those to which Slurm has bound this process. Where Slurm does
/// not bind it, our choice could be that of another job, so runs are not bound either.
fn own_cores(count: usize) -> Result<Vec<usize>, CliError> {
    let granted = std::env::var("SLURM_CPUS_ON_NODE").ok().and_then(|text| text.trim().parse().ok());
    match granted {
        Some(granted) if cores::available()?.len() <= granted => Ok(cores::assign(1, count)?.concat()),
        _ => Ok(Vec::new()),
    }
}
