//! `hornwork horn`: reads, transforms and writes systems of Horn clauses.

mod solve;

pub(crate) use solve::engine_over;

use crate::clauses::{HornFormat, HornOptions};
use crate::error::CliError;
use crate::input::open;
use crate::options::Options;
use crate::{Streams, exit, show};
use frontend::horn::{HornFile, Status, read};
use grammars::source::SourceMap;
use horn::{Inexpressible, LocationSort, Nonlinear, Notes, Summary};
use passes::horn::{Pipeline, PipelineRun};
use std::path::Path;
use terms::TermPool;

pub(crate) fn run(
    options: &HornOptions,
    global: &Options,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    // Report usage errors before any expensive work.
    let pipeline = pipeline(options)?;
    if options.solving.solve {
        let is_stage = options.solving.stage;
        let load = |pool: &mut TermPool, streams: &mut Streams<'_>| {
            let (sources, file) = load(pool, &options.file)?;
            let run = pipeline.run(pool, &file.system);
            if !is_stage {
                show(&file.warnings, &sources, streams);
                if options.stats {
                    write_statistics(&run, streams);
                }
            }
            Ok((file, run))
        };
        return solve::run(&options.solving, global, options.file.is_file(), load, streams);
    }
    let mut pool = TermPool::new();
    let (sources, mut file) = load(&mut pool, &options.file)?;
    show(&file.warnings, &sources, streams);
    let run = pipeline.run(&mut pool, &file.system);
    if options.stats {
        write_statistics(&run, streams);
    }
    file.system = run.system;
    if let Some(format) = options.to {
        let text = match write(&mut pool, &file, format) {
            Ok(text) => text,
            Err(reason) => {
                let _ = writeln!(streams.err, "error: cannot write this format: {reason}");
                return Ok(exit::UNKNOWN);
            }
        };
        return output(&text, options.output.as_deref(), streams);
    }
    describe(&pool, options, &file, streams);
    Ok(exit::TRUE)
}

/// Checks the options of `--solve` as [`run`] would.
pub(crate) fn check(options: &HornOptions) -> Result<(), CliError> {
    pipeline(options)?;
    solve::chosen_solver(&options.solving).map(drop)
}

/// Returns the passes that the options select: by default those of an engine, or none.
fn pipeline(options: &HornOptions) -> Result<Pipeline, CliError> {
    let default = if options.solving.solve { "default" } else { "none" };
    let names = options
        .passes
        .as_ref()
        .map_or_else(|| vec![default], |names| names.iter().map(String::as_str).collect());
    Pipeline::named(names).map_err(|error| CliError::Usage(error.to_string()))
}

/// Writes the numbers of relations, arguments and clauses after each pass.
fn write_statistics(run: &PipelineRun, streams: &mut Streams<'_>) {
    for pass in &run.statistics {
        let sizes = ["relations", "arguments", "clauses"].into_iter().zip(pass.before.iter().zip(pass.after));
        let sizes: Vec<String> =
            sizes.map(|(what, (before, after))| format!("{what} {before} -> {after}")).collect();
        let seconds = pass.time.as_secs_f64();
        let _ = writeln!(streams.err, "{:14}{} ({seconds:.3} s)", pass.name, sizes.join(", "));
    }
}

/// Writes the class and the size of the system.
fn describe(pool: &TermPool, options: &HornOptions, file: &HornFile, streams: &mut Streams<'_>) {
    let summary = Summary::new(pool, &file.system);
    if options.solving.json {
        let mut object = serde_json::json!(summary);
        object["class"] = summary.class().into();
        object["logic"] = file.logic.clone().into();
        object["status"] = file.status.map(Status::name).into();
        let _ = writeln!(streams.out, "{object}");
        return;
    }
    let theories = match &summary.theories[..] {
        [] => "none".to_owned(),
        theories => theories.join(", "),
    };
    let Summary { relations, arguments, most_arguments, clauses, facts, queries, .. } = summary;
    let Summary { nonlinear_clauses, most_atoms, components, recursive_components, .. } = summary;
    let (terms, largest) = (summary.terms, summary.largest_component);
    let _ = writeln!(streams.out, "class:       {}", summary.class());
    let _ = writeln!(streams.out, "theories:    {theories}");
    let _ = writeln!(
        streams.out,
        "relations:   {relations} with {arguments} arguments, at most {most_arguments}"
    );
    let _ = writeln!(
        streams.out,
        "clauses:     {clauses}: {facts} facts, {queries} queries, {nonlinear_clauses} nonlinear with at most \
         {most_atoms} atoms"
    );
    let _ = writeln!(streams.out, "constraints: {terms} distinct terms");
    let _ = writeln!(
        streams.out,
        "components:  {components}, {recursive_components} recursive; the largest has {largest} relations"
    );
    if let Some(status) = file.status {
        let _ = writeln!(streams.out, "expected:    {}", status.name());
    }
}

/// Reads a file of Horn clauses.
fn load(pool: &mut TermPool, path: &Path) -> Result<(SourceMap, HornFile), CliError> {
    let (sources, file) = open(path)?;
    match read(pool, &sources, file) {
        Ok(read) => Ok((sources, read)),
        Err(diagnostics) => Err(CliError::Program { diagnostics, sources: Box::new(sources) }),
    }
}

/// The reason why a format cannot express a system.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Nonlinear(#[from] Nonlinear),
    #[error(transparent)]
    Inexpressible(#[from] Inexpressible),
}

/// Returns the text of a system in a format.
///
/// # Errors
/// If the format cannot express the system.
fn write(pool: &mut TermPool, file: &HornFile, format: HornFormat) -> Result<String, Refusal> {
    Ok(match format {
        HornFormat::Chc => file.system.with_one_query(pool).to_text(pool, &Notes::default()),
        HornFormat::Vmt => {
            let transitions = file.system.to_transitions(pool, LocationSort::Int)?;
            let mut text = String::new();
            transitions.write_vmt(&mut text, pool, "").expect("writing to a string cannot fail");
            text
        }
        HornFormat::Btor2 => {
            let transitions = file.system.to_transitions(pool, LocationSort::BitVec)?;
            transitions.to_btor2(pool, "")?
        }
        HornFormat::Dot => {
            let mut text = String::new();
            file.system.write_graph(&mut text).expect("writing to a string cannot fail");
            text
        }
    })
}

/// Writes text to a file, or to standard output.
fn output(text: &str, path: Option<&Path>, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    match path {
        Some(path) => {
            std::fs::write(path, text).map_err(|source| CliError::Io { path: path.to_path_buf(), source })?;
        }
        // A closed pipe is not an error: the reader may need only the start.
        None => drop(streams.out.write_all(text.as_bytes())),
    }
    Ok(exit::TRUE)
}
