//! `hornwork smt`: runs an SMT-LIB script on a built-in solver.

mod execute;
mod print;
mod questions;
mod reader;
mod response;

pub(crate) use execute::Ran;

use crate::error::CliError;
use crate::guard::{Guard, ProcessLimits};
use crate::input::open;
use crate::internal;
use crate::interruption::interrupt;
use crate::options::SmtOptions;
use crate::solving::{Solving, memory_limit};
use crate::{Streams, exit};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The exit code if an answer contradicts the `:status` in the script.
pub(crate) const CONTRADICTED: u8 = 1;

pub(crate) fn run(options: &SmtOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    if options.print {
        let (sources, file) = open(&options.file)?;
        return print::run(&sources, file, streams);
    }
    let mut solving = Solving::of(&options.solving, &options.limits, None)?;
    let guard = start_guard(options, &solving);
    let ran = internal::catch(|| {
        internal::on_request("smt");
        execute_file(&options.file, &mut solving, streams)
    });
    guard.claim_or_wait();
    let code = ran.map_err(CliError::Internal)??.code;
    solving.report_faults(streams.err);
    if options.stats {
        solving.write_statistics(streams.err);
    }
    Ok(code)
}

/// The time after the deadline in which a check may still answer `unknown`. It is longer than the
/// grace period of a worker.
const PATIENCE: Duration = Duration::from_secs(2);

/// Starts a guard that ends the process if a limit is exceeded outside of a worker: by a large
/// script, or by a solver in this process.
fn start_guard(options: &SmtOptions, solving: &Solving) -> Guard {
    let deadline = solving.limits().deadline.map(|deadline| deadline + PATIENCE);
    let memory = memory_limit(&options.limits);
    let interrupt = Some(interrupt());
    Guard::start(ProcessLimits { deadline, memory, interrupt }, |exceeded| {
        let mut out = std::io::stdout();
        let _ = writeln!(out, "(error \"{exceeded}\")");
        let _ = out.flush();
        std::process::exit(exit::UNKNOWN.into());
    })
}

/// Runs the script in the file `path`.
pub(crate) fn execute_file(
    path: &Path,
    solving: &mut Solving,
    streams: &mut Streams<'_>,
) -> Result<Ran, CliError> {
    Ok(execute::run(reader::Reader::open(path)?, solving, streams))
}
