//! Compilation of the input to a lowered program: task definitions, preprocessing, and the front
//! end.

use crate::entry;
use crate::error::CliError;
use crate::options::{self, Addresses, InputOptions};
use crate::project::{self, BYTE_ORDER_MARK, SourceFile};
use crate::units::{Job, Units, program_errors, units};
use crate::{Streams, show};
use frontend::c::contract::Pause;
use frontend::c::lower::{Assumption, Lowered};
use frontend::c::types::DataModel;
use frontend::c::{link, lower};
use frontend::spec::{self, ExpectedVerdict, Property, Specification, Task, TaskProperty};
use grammars::source::{Diagnostic, FileId, SourceMap};
use passes::transform::Pipeline;
use passes::transform::activations::activations;
use passes::transform::placement::{HeapBlocks, unknown_addresses};
use program::layout::Layout;
use program::ssa::Program;
use std::path::{Path, PathBuf};
use terms::TermPool;

/// A program as lowered, with its terms, sources and specification.
pub(crate) struct Compiled {
    pub(crate) pool: TermPool,
    pub(crate) program: Program,
    pub(crate) sources: SourceMap,
    pub(crate) specification: Specification,
    /// The assumptions about names without a definition.
    pub(crate) assumptions: Vec<Assumption>,
}

/// Reads and compiles the input files. Returns errors of the program as [`CliError::Program`];
/// shows warnings of the front end according to `warnings`.
pub(crate) fn compile(
    options: &InputOptions,
    warnings: Warnings,
    streams: &mut Streams<'_>,
) -> Result<Compiled, CliError> {
    compile_from(options, Entry::Required, warnings, streams)
}

/// Whether a program without an entry function is an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It is an error.
    Required,
    /// Such a program, of data or of functions of a library, is lowered as a whole.
    Optional,
    /// It is an error, and a harness [pauses](Pause::Loop) before it calls the entry function.
    Paused,
}

/// As [`compile`], with a choice for programs without an entry function.
pub(crate) fn compile_from(
    options: &InputOptions,
    entry: Entry,
    warnings: Warnings,
    streams: &mut Streams<'_>,
) -> Result<Compiled, CliError> {
    let job = job(options)?;
    let mut program = units(&job, options)?;
    let known = program.diagnostics.len();
    let pause = if entry == Entry::Paused { Pause::Loop } else { Pause::Absent };
    let start = entry::add(&job, options, pause, &mut program)?;
    let of_entry = program.diagnostics[known..].to_vec();
    let Units { sources, units, mut diagnostics } = program;
    let (linked, found) = link::link(&units.iter().collect::<Vec<_>>());
    diagnostics.extend(found);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(program_errors(diagnostics, sources));
    }
    let mut pool = TermPool::new();
    let allocation = options.allocation();
    let lowering = match entry == Entry::Optional && linked.defined_function(&start).is_none() {
        true => lower::Options { allocation, ..lower::Options::of_library() },
        false => lower::Options { allocation, ..lower::Options::new(&start) },
    };
    let Lowered { mut program, diagnostics: found, assumptions } =
        lower::lower_linked(&mut pool, &linked, &job.specification, &lowering);
    if !found.iter().any(Diagnostic::is_error) {
        activations(&mut pool, &mut program);
    }
    if options.addresses == Addresses::Unknown && !found.iter().any(Diagnostic::is_error) {
        let blocks = match lower::ends_blocks(&linked) {
            true => HeapBlocks::MayEnd,
            false => HeapBlocks::Stay,
        };
        let report = unknown_addresses(&mut pool, &mut program, blocks);
        // Observations of addresses are exact only if all objects are tracked. Lower again with
        // tracking; use the result if its memory layout is valid.
        if !report.observations.is_empty() && program.machine.slot_bits.is_none() {
            let lowering = lower::Options { tracking: lower::Tracking::Always, ..lowering };
            let mut tracked_pool = TermPool::new();
            let Lowered { program: mut tracked, .. } =
                lower::lower_linked(&mut tracked_pool, &linked, &job.specification, &lowering);
            if Layout::new(&tracked).is_ok() {
                activations(&mut tracked_pool, &mut tracked);
                unknown_addresses(&mut tracked_pool, &mut tracked, blocks);
                (pool, program) = (tracked_pool, tracked);
            }
        }
    }
    diagnostics.extend(found);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(program_errors(diagnostics, sources));
    }
    match warnings {
        Warnings::Shown => show(&diagnostics, &sources, streams),
        Warnings::OfEntry => show(&of_entry, &sources, streams),
        Warnings::Hidden => {}
    }
    Ok(Compiled { pool, program, sources, specification: job.specification, assumptions })
}

impl Compiled {
    /// Prints a warning for each name without a definition.
    pub(crate) fn warn_of_assumptions(&self, streams: &mut Streams<'_>) {
        /// The maximal number of warnings shown.
        const MOST: usize = 20;
        for assumption in self.assumptions.iter().take(MOST) {
            let Assumption { name, kind, assumed, .. } = assumption;
            let place = self.sources.presumed(assumption.span);
            let place = place.map_or_else(String::new, |place| format!("{}:{}: ", place.file, place.line));
            let kind = kind.name();
            let _ = writeln!(
                streams.err,
                "warning: {place}{kind} `{name}` has no definition; assumed: {assumed}"
            );
        }
        if let Some(more) = self.assumptions.len().checked_sub(MOST).filter(|&more| more > 0) {
            let _ = writeln!(streams.err, "warning: … and {more} more names without a definition");
        }
    }

    /// Returns the assumptions as JSON.
    pub(crate) fn assumptions_json(&self) -> serde_json::Value {
        let entries = self.assumptions.iter().map(|assumption| {
            let place = self.sources.presumed(assumption.span);
            serde_json::json!({
                "name": assumption.name,
                "kind": assumption.kind.name(),
                "file": place.as_ref().map(|place| place.file.to_string()),
                "line": place.as_ref().map(|place| place.line),
                "assumed": assumption.assumed,
            })
        });
        entries.collect()
    }
}

/// Whether warnings of the front end are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Warnings {
    Shown,
    /// Only those about the precondition of the entry function, which the verdict depends on.
    OfEntry,
    Hidden,
}

/// Returns the pipeline of the named passes.
pub(crate) fn pipeline(names: &[String]) -> Result<Pipeline, CliError> {
    Pipeline::named(names.iter().map(String::as_str)).map_err(|error| CliError::Usage(error.to_string()))
}

pub(crate) fn job(options: &InputOptions) -> Result<Job, CliError> {
    let is_task =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    let (task, folder) = match options.files.as_slice() {
        [path] if is_task(path) => {
            let task = spec::parse_task(&read_text(path)?).map_err(|error| task_error(path, &error))?;
            (Some(task), path.parent().unwrap_or(Path::new("")).to_path_buf())
        }
        files if files.iter().any(is_task) => {
            return Err(CliError::Usage(
                "a task definition must be the only input file, because it lists the C files".to_string(),
            ));
        }
        _ => (None, PathBuf::new()),
    };
    let files = match &task {
        Some(task) => task.input_files.iter().map(|file| SourceFile::new(folder.join(file))).collect(),
        None => project::expand(&options.files)?,
    };
    let specification = specification(options, task.as_ref(), &folder)?;
    let data_model = match (options.data_model, &task) {
        (Some(model), _) => model,
        (None, Some(Task { data_model: Some(model), .. })) => *model,
        (None, _) => files.iter().find_map(|file| file.data_model).unwrap_or(DataModel::Lp64),
    };
    let entry = match specification.entry() {
        Some(entry) if options.function == crate::arguments::MAIN => entry.to_string(),
        _ => options.function.clone(),
    };
    Ok(Job { files, data_model, specification, entry })
}

fn specification(
    options: &InputOptions,
    task: Option<&Task>,
    folder: &Path,
) -> Result<Specification, CliError> {
    let properties: &[TaskProperty] = task.map_or(&[], |task| &task.properties);
    let files: Vec<PathBuf> =
        properties.iter().map(|property| folder.join(&property.property_file)).collect();
    let specification = match &options.property {
        Some(list) => named_specification(list, &files)?,
        None => task_specification(&files)?,
    };
    Ok(specification.with(checks(&options.check)))
}

/// Parses the value of `--property`, a list of files and names. A name selects the property file of
/// the task with this name, if there is one.
fn named_specification(list: &str, files: &[PathBuf]) -> Result<Specification, CliError> {
    // The name of a file may contain commas.
    let items: Vec<&str> = if Path::new(list).is_file() { vec![list] } else { list.split(',').collect() };
    let mut found: Option<Specification> = None;
    for item in items.into_iter().map(str::trim) {
        let of_task = files.iter().find(|file| file.file_stem().is_some_and(|stem| stem == item));
        let next = match (of_task, Property::named(item)) {
            (Some(file), _) => read_specification(file)?,
            (None, Some(properties)) => Specification::new(properties),
            (None, None) if Path::new(item).is_file() => read_specification(Path::new(item))?,
            (None, None) => {
                let names: Vec<&str> = spec::NAMED.iter().map(|named| named.name).collect();
                let names = names.join(", ");
                return Err(CliError::Usage(format!("--property {item}: neither a file nor one of {names}")));
            }
        };
        found = Some(match found {
            Some(found) => {
                found.and(next).map_err(|error| CliError::Usage(format!("--property {list}: {error}")))?
            }
            None => next,
        });
    }
    Ok(found.unwrap_or_else(Specification::default_for_tool))
}

/// Returns the input files and the expected verdict of a task definition for the property that
/// `--property` with the value `property` selects, or, without one, for the default property.
pub(crate) fn definition(
    path: &Path,
    property: Option<&str>,
) -> Result<(Vec<PathBuf>, Option<ExpectedVerdict>), CliError> {
    let task = spec::parse_task(&read_text(path)?).map_err(|error| task_error(path, &error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file_of = |property: &TaskProperty| folder.join(&property.property_file);
    let chosen = match property {
        Some(name) => {
            let stem = Path::new(name).file_stem().unwrap_or_default();
            task.properties.iter().position(|property| file_of(property).file_stem() == Some(stem))
        }
        None if task.properties.len() == 1 => Some(0),
        None => default_property(&specifications(task.properties.iter().map(file_of))?),
    };
    let files = task.input_files.iter().map(|file| folder.join(file)).collect();
    Ok((files, chosen.and_then(|chosen| task.properties[chosen].expected)))
}

fn specifications(files: impl IntoIterator<Item = PathBuf>) -> Result<Vec<Specification>, CliError> {
    files.into_iter().map(|file| read_specification(&file)).collect()
}

/// Selects the property of a task to check by default: its first unreachability property, else its
/// first supported property. A task lists one property for each category that it belongs to.
fn default_property(specifications: &[Specification]) -> Option<usize> {
    let is_of_calls = |specification: &Specification| {
        specification.properties().iter().any(|property| matches!(property, Property::UnreachableCall(_)))
    };
    (specifications.iter().position(is_of_calls))
        .or_else(|| specifications.iter().position(|specification| specification.refusal().is_none()))
        .or((!specifications.is_empty()).then_some(0))
}

/// Returns the specification of a task that is checked by default.
fn task_specification(files: &[PathBuf]) -> Result<Specification, CliError> {
    let mut specifications = specifications(files.iter().cloned())?;
    Ok(match default_property(&specifications) {
        Some(chosen) => specifications.swap_remove(chosen),
        None => Specification::default_for_tool(),
    })
}

/// Returns the properties that `--check` adds.
fn checks(names: &[String]) -> Vec<Property> {
    let mut properties = Vec::new();
    for name in names {
        match name.as_str() {
            options::NO_CHECKS => {}
            options::ALL_CHECKS => {
                let all = spec::CHECKS.iter().map(|check| Property::Check(check.kind));
                properties.extend(all.filter(Property::is_supported));
            }
            name => properties.extend(spec::Check::named(name).map(|check| Property::Check(check.kind))),
        }
    }
    properties
}

fn read_specification(path: &Path) -> Result<Specification, CliError> {
    Specification::parse(&read_text(path)?).map_err(|error| task_error(path, &error))
}

fn read_text(path: &Path) -> Result<String, CliError> {
    let bytes = SourceFile::new(path.to_path_buf()).read()?;
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn task_error(path: &Path, error: &dyn std::fmt::Display) -> CliError {
    CliError::Task { path: path.to_path_buf(), message: error.to_string() }
}

/// Opens a script: a file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<(SourceMap, FileId), CliError> {
    let bytes = SourceFile::new(path.to_path_buf()).read()?;
    let mut sources = SourceMap::new();
    let file = sources
        .add(&path.display().to_string(), bytes)
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))?;
    Ok((sources, file))
}
