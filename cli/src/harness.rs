//! `hornwork harness`: writes the harness that calls a function with the arguments that its
//! precondition permits.

use crate::arguments::MAIN;
use crate::entry::{conflicts, entry_function, entry_name, setting};
use crate::error::CliError;
use crate::input;
use crate::options::HarnessOptions;
use crate::units::{self, Units, program_errors};
use crate::{Streams, exit, show};
use frontend::c::contract::{Harness, Text, harness};
use frontend::c::hir::{Inlining, Linkage};
use grammars::source::Diagnostic;
use std::path::Path;
use terms::entity::Entity;

/// Writes the harness of a function.
pub(crate) fn run(options: &HarnessOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let job = input::job(&options.input)?;
    if job.entry == MAIN {
        let message = "hornwork harness needs a function other than main: --function NAME".to_owned();
        return Err(CliError::Usage(message));
    }
    let Units { sources, units, mut diagnostics } = units::units(&job, &options.input)?;
    let choices = options.input.arguments.choices();
    let Some((unit, function)) = entry_function(&units, &job.entry) else {
        diagnostics.push(not_defined(&job.entry));
        return Err(program_errors(diagnostics, sources));
    };
    let entry = entry_name(&units, &job.entry);
    let program = &units[unit.index()];
    let file = &job.files[unit.index()].path;
    // A function that other files do not see is called from a copy of its own file.
    let data = &program[function];
    let is_hidden = data.linkage == Linkage::Internal || data.inlining == Inlining::InlineOnly;
    let path = included(file, options.output.as_deref());
    let (form, others) = match is_hidden {
        true => (Text::Including(&path), job.files.len() - 1),
        false => (Text::Linked, job.files.len()),
    };
    let setting = setting(&job, &options.input, &entry, form);
    let written = harness(program, function, &choices, &setting, &sources);
    let Harness { text, needs, warnings } = match written {
        Ok(harness) => harness,
        Err(found) => return Err(program_errors(found, sources)),
    };
    let conflicts = conflicts(&units, &job.entry, &needs);
    if !conflicts.is_empty() {
        return Err(program_errors(conflicts, sources));
    }
    show(&warnings, &sources, streams);
    let with = match others {
        0 => "alone",
        _ if is_hidden => "with the other files",
        _ => "with the files of the program",
    };
    let option = if entry == MAIN { String::new() } else { format!(" and the option --function {entry}") };
    let text = format!("// Verify this file {with}{option}.\n{text}");
    match &options.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|source| CliError::Io { path: path.clone(), source })?;
        }
        // A closed pipe is not an error: the reader may need only the start.
        None => drop(streams.out.write_all(text.as_bytes())),
    }
    Ok(exit::TRUE)
}

/// The path by which a harness includes a file.
fn included(file: &Path, output: Option<&Path>) -> String {
    let is_beside = output.and_then(Path::parent).is_none_or(|folder| folder.as_os_str().is_empty());
    let path = match is_beside {
        true => file.to_path_buf(),
        false => file.canonicalize().unwrap_or_else(|_| file.to_path_buf()),
    };
    path.to_string_lossy().into_owned()
}

fn not_defined(name: &str) -> Diagnostic {
    Diagnostic::error(grammars::source::Span::NONE, format!("the entry function `{name}` is not defined"))
        .with_help("select another entry function with --function NAME")
}
