//! Entry functions that are called by a harness.

use crate::arguments::MAIN;
use crate::error::CliError;
use crate::options::InputOptions;
use crate::units::{self, Job, Units};
use frontend::c::contract::{Harness, Ownership, Pause, Setting, Text, harness};
use frontend::c::hir::{self, FunctionId, Inlining, Linkage};
use frontend::c::link::{self, UnitId};
use grammars::source::{Diagnostic, SourceMap};
use program::ssa::PropertyKind;
use std::collections::BTreeSet;
use terms::entity::Entity;

/// Returns the setting of the harness that a job needs.
pub(crate) fn setting<'s>(job: &Job, options: &InputOptions, entry: &'s str, form: Text<'s>) -> Setting<'s> {
    let ownership = match job.specification.checks().contains(PropertyKind::ValidMemcleanup) {
        true => Ownership::Released,
        false => Ownership::Kept,
    };
    Setting { entry, form, allocation: options.allocation(), ownership, pause: Pause::Absent }
}

/// Adds the harness of the entry function to the program, if that has parameters or a precondition.
/// Returns the name of the function where execution starts.
///
/// # Errors
/// [`CliError::Usage`] if choices about arguments have no effect; the errors of [`harness`].
pub(crate) fn add(
    job: &Job,
    options: &InputOptions,
    pause: Pause,
    program: &mut Units,
) -> Result<String, CliError> {
    let choices = options.arguments.choices();
    let name = job.entry.clone();
    if name == MAIN && choices.is_empty() {
        return Ok(name);
    }
    if name == MAIN {
        let message = "--argument, --nonnull, --pointer-depth and --requires need --function with a function other than main";
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
    let setting = Setting { pause, ..setting(job, options, &entry, Text::Linked) };
    let written = harness(unit, function, &choices, &setting, &program.sources);
    let Harness { text, needs, warnings } = match written {
        Ok(harness) => harness,
        Err(mut found) => {
            program.diagnostics.append(&mut found);
            return Err(program.errors());
        }
    };
    program.diagnostics.extend(warnings);
    let conflicts = conflicts(&program.units, &name, &needs);
    if !conflicts.is_empty() {
        program.diagnostics.extend(conflicts);
        return Err(program.errors());
    }
    expose(program, &name, function)?;
    let file = program.sources.add(&format!("<harness of {name}>"), text.into_bytes());
    let file = file.map_err(|error| CliError::Usage(error.to_string()))?;
    let harness = units::unit(&program.sources, file, job.data_model, &mut program.diagnostics);
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

/// An error for each function that the harness of `function` needs, and that the program defines: a
/// `malloc` of the program, for instance, may return one block for two arguments, or none.
pub(crate) fn conflicts(units: &[hir::Program], function: &str, needs: &BTreeSet<String>) -> Vec<Diagnostic> {
    let linked = link::link(&units.iter().collect::<Vec<_>>()).0;
    let defined = needs.iter().filter_map(|name| {
        let (unit, id) = linked.defined_function(name)?;
        let text = format!(
            "the program defines `{name}`, so a harness cannot make the arguments of `{function}` with it"
        );
        let help = "leave this definition out, or write a `main` that makes the arguments";
        Some(Diagnostic::error(units[unit.index()][id].span, text).with_help(help))
    });
    defined.collect()
}

/// The function with a body that has this name.
pub(crate) fn entry_function(units: &[hir::Program], name: &str) -> Option<(UnitId, FunctionId)> {
    link::link(&units.iter().collect::<Vec<_>>()).0.defined_function(name)
}

/// The name of the entry function of the harness: `main` if the program has no such function.
pub(crate) fn entry_name(units: &[hir::Program], function: &str) -> String {
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

impl Units {
    /// The errors so far, as an error of the program. Leaves no sources behind.
    fn errors(&mut self) -> CliError {
        let diagnostics = std::mem::take(&mut self.diagnostics);
        units::program_errors(diagnostics, std::mem::replace(&mut self.sources, SourceMap::new()))
    }
}
