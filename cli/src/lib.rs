//! The `hornwork` command line: the only place with files, clocks, the environment, exit codes and standard output.
//!
//! [`run`] is the whole tool as a function of arguments and streams, so that tests can call it.

pub mod error;
pub mod guard;
pub mod internal;
pub mod manual;
pub mod options;

mod analysis;
mod certificate;
mod choice;
mod emit;
mod input;
mod preprocess;
mod replay;
mod smt;
mod solvers;
mod solving;
mod verify;

use error::CliError;
use grammars::source::{Diagnostic, SourceMap};
use options::{Command, Options};
pub use solvers::registry;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Exit codes; also in the README and in `--help`.
pub mod exit {
    /// No error can be reached (or the command did what was asked).
    pub const TRUE: u8 = 0;
    /// An error is reached.
    pub const FALSE: u8 = 10;
    /// Neither was shown, the program cannot be written in the form asked for, or an internal error happened.
    pub const UNKNOWN: u8 = 20;
    /// The input or the options are wrong.
    pub const USAGE: u8 = 2;
}

/// Stack of the thread that does the work: the stages bound the nesting they accept for this size.
const STACK_BYTES: usize = 1 << 30;

/// Where the tool writes.
pub struct Streams<'s> {
    /// Results.
    pub out: &'s mut dyn Write,
    /// Diagnostics and progress.
    pub err: &'s mut dyn Write,
    /// Whether `err` is a terminal, which gets colors and a progress line.
    pub is_terminal: bool,
}

/// Runs the tool with the process's arguments and streams, on a thread with a large stack.
pub fn main_with_standard_streams() -> ExitCode {
    solving::this_binary_serves();
    internal::install_hook();
    let work = || {
        let mut out = std::io::BufWriter::new(std::io::stdout());
        let mut err = std::io::stderr();
        let is_terminal = err.is_terminal();
        let code = run(std::env::args_os(), &mut Streams { out: &mut out, err: &mut err, is_terminal });
        // A reader that went away changes nothing of the verdict.
        let _ = out.flush();
        code
    };
    let code = match std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work) {
        // Panics are caught inside; what remains are panics of the handling itself.
        Ok(thread) => thread.join().unwrap_or(exit::UNKNOWN),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: cannot start a thread: {error}");
            exit::USAGE
        }
    };
    // Solver libraries free their contexts at exit for no use; the system does it faster.
    std::process::exit(code.into())
}

/// Runs the tool: `arguments` with the program's name first. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: &mut Streams<'_>) -> u8 {
    let options = match Options::parse_from(arguments) {
        Ok(options) => options,
        Err(error) => {
            let help = !error.use_stderr();
            let text = error.render();
            let _ = match (help, streams.is_terminal) {
                (true, true) => write!(streams.out, "{}", text.ansi()),
                (true, false) => write!(streams.out, "{text}"),
                (false, true) => write!(streams.err, "{}", text.ansi()),
                (false, false) => write!(streams.err, "{text}"),
            };
            return if help { exit::TRUE } else { exit::USAGE };
        }
    };
    start_log(&options);
    let result = internal::catch(|| match &options.command {
        Command::Verify(verify) => verify::run(verify, &options, streams),
        Command::Emit(emit) => emit::run(emit, &options.given, streams),
        Command::Smt(smt) => smt::run(smt, streams),
        Command::Solvers(solvers) => solvers::run(solvers, streams),
        Command::Completions(completions) => manual::print_completions(completions, streams),
        Command::Man(man) => manual::run(man, streams),
        Command::Worker(worker) => solvers::serve(worker),
    });
    let result = result.unwrap_or_else(|error| {
        if let Command::Verify(verify) = &options.command {
            verify::say_internal_error(verify, streams, &error);
            return Ok(exit::UNKNOWN);
        }
        Err(CliError::Internal(error))
    });
    match result {
        Ok(code) => code,
        Err(error @ CliError::Internal(_)) => {
            let _ = writeln!(streams.err, "error: {error}\n{}", internal::InternalError::request());
            exit::UNKNOWN
        }
        Err(CliError::Program { diagnostics, sources }) => {
            show(&diagnostics, &sources, streams);
            exit::USAGE
        }
        Err(error) => {
            let _ = writeln!(streams.err, "error: {error}");
            exit::USAGE
        }
    }
}

fn start_log(options: &Options) {
    let level = match options.verbose {
        _ if options.quiet => "off",
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("HORNWORK_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    // A second run in one process (tests) keeps the first log.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .without_time()
        .try_init();
}

/// Writes diagnostics with their source excerpts, and how many errors there are where there are several.
pub(crate) fn show(diagnostics: &[Diagnostic], sources: &SourceMap, streams: &mut Streams<'_>) {
    /// More than a person reads at once.
    const MOST: usize = 50;
    for diagnostic in diagnostics.iter().take(MOST) {
        let _ = writeln!(streams.err, "{}", diagnostic.render(sources).trim_end());
    }
    if diagnostics.len() > MOST {
        let _ = writeln!(streams.err, "… and {} more", diagnostics.len() - MOST);
    }
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors > 1 {
        let _ = writeln!(streams.err, "{errors} errors");
    }
}
