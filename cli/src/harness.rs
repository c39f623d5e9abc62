//! Harnesses: the entry functions that call a function with the arguments that its precondition
//! permits, in memory for `--function` and as a file for `hornwork harness`.

use crate::arguments::{HarnessOptions, MAIN};
use crate::error::CliError;
use crate::input::{self, Job, Units};
use crate::options::InputOptions;
use crate::{Streams, exit, show};
use frontend::c::contract::{Harness, Ownership, Setting, Text, harness};
use frontend::c::hir::{self, FunctionId, Inlining, Linkage};
use frontend::c::link::{self, UnitId};
use grammars::source::{Diagnostic, SourceMap};
use program::ssa::PropertyKind;
use std::path::Path;
use terms::entity::Entity;

/// Writes the harness of a function.
pub(crate) fn run(options: &HarnessOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let job = input::job(&options.input)?;
    if job.entry == MAIN {
        let message = "hornwork harness needs a function other than main: --function NAME".to_owned();
        return Err(CliError::Usage(message));
    }
    let Units { sources, units, mut diagnostics } = input::units(&job, &options.input)?;
    let choices = options.input.arguments.choices();
    let Some((unit, function)) = entry_function(&units, &job.entry) else {
        diagnostics.push(not_defined(&job.entry));
        return Err(input::program_errors(diagnostics, sources));
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
    let Harness { text, warnings } = match written {
        Ok(harness) => harness,
        Err(found) => return Err(input::program_errors(found, sources)),
    };
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

fn setting<'s>(job: &Job, options: &InputOptions, entry: &'s str, form: Text<'s>) -> Setting<'s> {
    let ownership = match job.specification.checks().contains(PropertyKind::ValidMemcleanup) {
        true => Ownership::Released,
        false => Ownership::Kept,
    };
    Setting { entry, form, allocation: options.allocation(), ownership }
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

/// Adds the harness of the entry function to the program, if that has parameters or a precondition.
/// Returns the name of the function where execution starts.
///
/// # Errors
/// [`CliError::Usage`] if choices about arguments have no effect; the errors of [`harness`].
pub(crate) fn add(job: &Job, options: &InputOptions, program: &mut Units) -> Result<String, CliError> {
    let choices = options.arguments.choices();
    let name = job.entry.clone();
    if name == MAIN && choices.is_empty() {
        return Ok(name);
    }
    if name == MAIN {
        let message =
            "--argument, --nonnull and --pointer-depth need --function with a function other than main";
        return Err(CliError::Usage(message.to_owned()));
    }
    let Some((unit, function)) = entry_function(&program.units, &name) else { return Ok(name) };
    let data = &program.units[unit.index()][function];
    let has_parameters = data.body.as_ref().is_some_and(|body| !body.parameters.is_empty());
    let is_variadic =
        |ty: &frontend::c::types::FunctionType| ty.prototype == frontend::c::types::Prototype::Variadic;
    let ty = program.units[unit.index()].types.function(data.ty);
    if !has_parameters
        && !ty.is_some_and(is_variadic)
        && data.contract.annotations.is_empty()
        && choices.is_empty()
    {
        return Ok(name);
    }
    let entry = entry_name(&program.units, &name);
    let unit = &program.units[unit.index()];
    let setting = setting(job, options, &entry, Text::Linked);
    let written = harness(unit, function, &choices, &setting, &program.sources);
    let Harness { text, warnings } = match written {
        Ok(harness) => harness,
        Err(mut found) => {
            program.diagnostics.append(&mut found);
            return Err(program.errors());
        }
    };
    program.diagnostics.extend(warnings);
    expose(program, &name, function)?;
    let file = program.sources.add(&format!("<harness of {name}>"), text.into_bytes());
    let file = file.map_err(|error| CliError::Usage(error.to_string()))?;
    let harness = input::unit(&program.sources, file, job.data_model, &mut program.diagnostics);
    program.units.push(harness);
    Ok(entry)
}

/// Lets the harness call a function that other files do not see.
fn expose(program: &mut Units, name: &str, function: FunctionId) -> Result<(), CliError> {
    let Some((unit, _)) = entry_function(&program.units, name) else { return Ok(()) };
    let is_visible = |other: &hir::Program| {
        other.function_named(name).is_some_and(|id| other[id].linkage == Linkage::External)
    };
    let data = &program.units[unit.index()].functions[function];
    if data.linkage == Linkage::External && data.inlining == Inlining::External {
        return Ok(());
    }
    let mut others = program.units.iter().enumerate().filter(|&(index, _)| index != unit.index());
    if others.any(|(_, other)| is_visible(other)) {
        let text = format!("`{name}` is `static` here, and another file declares a function of this name");
        let help = "write the harness to a file with `hornwork harness`";
        program.diagnostics.push(Diagnostic::error(data.span, text).with_help(help));
        return Err(program.errors());
    }
    let data = &mut program.units[unit.index()].functions[function];
    data.linkage = Linkage::External;
    data.inlining = Inlining::External;
    Ok(())
}

/// The function with a body that has this name.
fn entry_function(units: &[hir::Program], name: &str) -> Option<(UnitId, FunctionId)> {
    link::link(&units.iter().collect::<Vec<_>>()).0.defined_function(name)
}

/// The name of the entry function of the harness: `main` if the program has no such function.
fn entry_name(units: &[hir::Program], function: &str) -> String {
    let is_free = |name: &str| {
        let is_global = |unit: &hir::Program| {
            unit.globals.values().any(|global| global.name.is_some_and(|known| unit.name(known) == name))
        };
        units.iter().all(|unit| unit.function_named(name).is_none() && !is_global(unit))
    };
    let mut name = MAIN.to_owned();
    if !is_free(&name) {
        name = format!("harness_{function}");
        while !is_free(&name) {
            name.push('_');
        }
    }
    name
}

fn not_defined(name: &str) -> Diagnostic {
    Diagnostic::error(grammars::source::Span::NONE, format!("the entry function `{name}` is not defined"))
        .with_help("select another entry function with --function NAME")
}

impl Units {
    /// The errors so far, as an error of the program. Leaves no sources behind.
    fn errors(&mut self) -> CliError {
        let diagnostics = std::mem::take(&mut self.diagnostics);
        input::program_errors(diagnostics, std::mem::replace(&mut self.sources, SourceMap::new()))
    }
}
