//! `hornwork solvers --replay`: runs recorded queries on every solver.

use crate::error::CliError;
use crate::guard::default_memory_limit;
use crate::options::{LimitOptions, SolversOptions, SolvingOptions};
use crate::smt::{self, CONTRADICTED};
use crate::solving::Solving;
use crate::{Streams, exit, solvers};
use backends::Status;
use clap::Parser;
use std::path::Path;
use std::time::Instant;

/// Runs each file on each solver and prints a line for each run. Returns the maximum of the exit
/// codes of all runs; a run whose answer contradicts the status of its file has exit code 1.
pub(crate) fn run(options: &SolversOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let registry = solvers::registry_with(&options.external, default_memory_limit())?;
    let chosen = match &options.solver {
        Some(name) => vec![solvers::choose(&registry, Some(name))?],
        None => registry.provers,
    };
    let mut code = exit::TRUE;
    for file in &options.replay {
        for solver in &chosen {
            code = code.max(replay(file, solver.name(), options, streams)?);
        }
    }
    Ok(code)
}

fn replay(
    file: &Path,
    solver: &str,
    options: &SolversOptions,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let Defaults { solving, limits } = Defaults::of(solver);
    let solving = SolvingOptions { external: options.external.clone(), ..solving };
    let limits = LimitOptions { query_timelimit: options.query_timelimit, timelimit: 0.0, ..limits };
    let mut solving = Solving::of(&solving, &limits, None)?;
    let start = Instant::now();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut hidden = Streams { out: &mut out, err: &mut err, is_terminal: false, out_width: None };
    let ran = smt::execute_file(file, &mut solving, &mut hidden)?;
    let seconds = start.elapsed().as_secs_f64();
    solving.report_faults(streams.err);
    let answers: Vec<&str> = ran
        .answers
        .iter()
        .map(|status| match status {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown(_) => "unknown",
        })
        .collect();
    let verdict = match ran.code {
        exit::TRUE => "ok",
        CONTRADICTED => "CONTRADICTS the stated status",
        exit::UNKNOWN => "open",
        _ => "error",
    };
    let _ = writeln!(
        streams.out,
        "{}: {solver}: {}: {verdict} ({seconds:.3} s)",
        file.display(),
        if answers.is_empty() { "no check".to_string() } else { answers.join(" ") }
    );
    if ran.code != exit::TRUE {
        let _ = streams.err.write_all(&err);
    }
    Ok(ran.code)
}

/// The default options of solving and limits.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Defaults {
    #[command(flatten)]
    solving: SolvingOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

impl Defaults {
    fn of(solver: &str) -> Self {
        Defaults::parse_from(["--solver", solver])
    }
}
