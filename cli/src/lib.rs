//! The `hornwork` command line: the only place with files, clocks, the environment, exit codes and
//! standard output.
//!
//! [`run`] is the whole tool as a function of arguments and streams, so that tests can call it.

pub mod compiler;
pub mod error;
pub mod guard;
pub mod internal;
pub mod limits;
pub mod manual;
mod named_bound;
pub mod options;
pub mod sample;

mod analysis;
mod answer;
mod arguments;
mod binary;
mod certificate;
mod choice;
mod clauses;
mod compare;
mod comparison;
mod emit;
mod entry;
mod external;
mod harness;
mod help;
mod horn;
mod infer;
mod inference;
mod input;
mod interruption;
mod output;
mod portfolio;
mod preprocess;
mod processes;
mod project;
mod replay;
mod schedule;
mod smt;
mod solvers;
mod solving;
mod units;
mod verify;

use answer::Form;
use error::CliError;
use grammars::source::{Diagnostic, SourceMap};
use options::{Command, Options};
use output::Output;
pub use solvers::registry;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Exit codes; also in the README and in `--help`.
pub mod exit {
    /// No error is reachable, or the command succeeded.
    pub const TRUE: u8 = 0;
    /// An error is reachable.
    pub const FALSE: u8 = 10;
    /// The verdict is UNKNOWN, the program cannot be emitted in the chosen format, its invariants
    /// cannot be inferred, or an internal error occurred.
    pub const UNKNOWN: u8 = 20;
    /// The input or the options are invalid, or the output cannot be written.
    pub const USAGE: u8 = 2;
}

/// The stack size of the main work thread. Every stage bounds the nesting that it accepts so that
/// its recursion fits into this stack.
const STACK_BYTES: usize = 1 << 30;

/// The output streams of the tool.
pub struct Streams<'s> {
    /// Results.
    pub out: &'s mut dyn Write,
    /// Diagnostics and progress.
    pub err: &'s mut dyn Write,
    /// Whether `err` is a terminal. If so, it receives colors and a progress line.
    pub is_terminal: bool,
    /// The width of `out` in columns if it is a terminal.
    pub out_width: Option<usize>,
}

/// Runs the tool with the arguments and streams of the process, on a thread with a large stack.
pub fn main_with_standard_streams() -> ExitCode {
    binary::this_binary_serves();
    internal::install_hook();
    let work = || {
        let mut out = Output::new(std::io::stdout());
        let mut err = std::io::stderr();
        let is_terminal = err.is_terminal();
        let out_width = std::io::stdout().is_terminal().then(terminal_width);
        let mut streams = Streams { out: &mut out, err: &mut err, is_terminal, out_width };
        let code = run(std::env::args_os(), &mut streams);
        output::finish(out, code)
    };
    let code = match std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work) {
        // `run` catches panics, so `join` fails only if the panic handling itself panics.
        Ok(thread) => thread.join().unwrap_or(exit::UNKNOWN),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: cannot start a thread: {error}");
            exit::USAGE
        }
    };
    // Exits without running destructors: the system frees the contexts of the solvers faster.
    std::process::exit(code.into())
}

/// Returns the width of the terminal in columns.
fn terminal_width() -> usize {
    /// The width if the system reports none.
    const USUAL: usize = 100;
    terminal_size::terminal_size().map_or(USUAL, |(width, _)| usize::from(width.0))
}

/// Runs the tool and returns the exit code. The first of `arguments` is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: &mut Streams<'_>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_json = arguments.iter().any(|argument| argument == "--json");
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
            if !help && is_json {
                let form = Form::Json { options: serde_json::json!({}) };
                form.write_error(&CliError::Usage(error.to_string()), streams.out);
            }
            return if help { exit::TRUE } else { exit::USAGE };
        }
    };
    start_log(&options);
    let result = internal::catch(|| match &options.command {
        Command::Verify(verify) => verify::run(verify, &options, streams),
        Command::Emit(emit) => emit::run(emit, &options.given, streams),
        Command::Harness(options) => harness::run(options, streams),
        Command::Infer(infer) => infer::run(infer, &options, streams),
        Command::Horn(horn) => horn::run(horn, &options, streams),
        Command::Compare(compare) => compare::run(compare, &options, streams),
        Command::Smt(smt) => smt::run(smt, streams),
        Command::Solvers(solvers) => solvers::run(solvers, streams),
        Command::Completions(completions) => manual::print_completions(completions, streams),
        Command::Man(man) => manual::run(man, streams),
        Command::Worker(worker) => solvers::serve(worker),
        Command::Contain(contain) => external::contain(contain),
        Command::Supervise(supervise) => compare::supervise(supervise, streams),
        Command::ArrayElement(element) => compare::run_element(element),
    });
    let result = result.unwrap_or_else(|error| {
        if let Command::Verify(verify) = &options.command {
            verify::say_internal_error(verify, &Form::of(verify, &options), streams, &error);
            return Ok(exit::UNKNOWN);
        }
        Err(CliError::Internal(error))
    });
    if let Err(error) = &result {
        Form::of_command(&options).write_error(error, streams.out);
    }
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
            match error {
                CliError::Unsupported(_) => exit::UNKNOWN,
                _ => exit::USAGE,
            }
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
    // In tests, a second run in the same process keeps the log of the first one.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .without_time()
        .try_init();
}

/// Writes diagnostics with their source excerpts. If there are several errors, also writes their
/// number.
pub(crate) fn show(diagnostics: &[Diagnostic], sources: &SourceMap, streams: &mut Streams<'_>) {
    /// The maximal number of diagnostics shown.
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
