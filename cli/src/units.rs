//! The translation units of a program: their files, read, preprocessed and checked.

use crate::arguments::MAIN;
use crate::error::CliError;
use crate::options::InputOptions;
use crate::preprocess::{needs_preprocessing, preprocess};
use crate::project::{BYTE_ORDER_MARK, SourceFile};
use frontend::c::types::DataModel;
use frontend::c::{hir, lower, sema};
use frontend::spec::Specification;
use grammars::source::{Diagnostic, FileId, SourceMap};

/// The compilation task: the task definition, overridden by the options.
pub(crate) struct Job {
    /// The C files, one for each translation unit.
    pub(crate) files: Vec<SourceFile>,
    pub(crate) data_model: DataModel,
    pub(crate) specification: Specification,
    pub(crate) entry: String,
}

/// The checked translation units of a program, not linked yet.
pub(crate) struct Units {
    pub(crate) sources: SourceMap,
    /// The units: one for each file of the job, then the harness, if any.
    pub(crate) units: Vec<hir::Program>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads, parses and type-checks the files of a job.
///
/// # Errors
/// Unreadable files, and errors of the program.
pub(crate) fn units(job: &Job, options: &InputOptions) -> Result<Units, CliError> {
    let (sources, files) = read_program(job, options)?;
    let mut diagnostics = Vec::new();
    let units: Vec<hir::Program> =
        files.iter().map(|&file| unit(&sources, file, job.data_model, &mut diagnostics)).collect();
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => Err(program_errors(diagnostics, sources)),
        false => Ok(Units { sources, units, diagnostics }),
    }
}

/// Parses and type-checks one file.
pub(crate) fn unit(
    sources: &SourceMap,
    file: FileId,
    model: DataModel,
    diagnostics: &mut Vec<Diagnostic>,
) -> hir::Program {
    let parsed = grammars::c::parse(sources, file);
    let checked = sema::check(&parsed.unit, sema::Options { model });
    // After a syntax error, declarations may be missing from the tree, which causes spurious type
    // errors. Therefore only the syntax errors are reported.
    let has_syntax_errors = parsed.diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.extend(parsed.diagnostics);
    if !has_syntax_errors {
        diagnostics.extend(checked.diagnostics);
    }
    checked.program
}

fn read_program(job: &Job, options: &InputOptions) -> Result<(SourceMap, Vec<FileId>), CliError> {
    let mut sources = SourceMap::new();
    let mut files = Vec::new();
    let given = options.preprocessor.words();
    for file in &job.files {
        let path = &file.path;
        let mut bytes = file.read()?;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            let message = "the file is UTF-16; convert it to UTF-8".to_owned();
            return Err(CliError::Task { path: path.clone(), message });
        }
        let is_preprocessed = path.extension().is_some_and(|extension| extension == "i");
        let mut words = [file.preprocessor.as_slice(), &given].concat();
        if !is_preprocessed && (!words.is_empty() || needs_preprocessing(&bytes)) {
            // The annotations of another entry function than `main` are comments.
            if job.entry != MAIN {
                words.push("-C".to_owned());
            }
            bytes = preprocess(file, &bytes, job.data_model.pointer_width(), &words)?;
        }
        let name = if file.is_standard_input() { "<stdin>".into() } else { path.to_string_lossy() };
        let file = sources
            .add(&name, bytes)
            .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))?;
        files.push(file);
    }
    Ok((sources, files))
}

pub(crate) fn program_errors(mut diagnostics: Vec<Diagnostic>, sources: SourceMap) -> CliError {
    diagnostics.retain(Diagnostic::is_error);
    CliError::Program { diagnostics, sources: Box::new(sources) }
}

impl InputOptions {
    /// Returns whether allocations may fail.
    pub(crate) fn allocation(&self) -> lower::Allocation {
        match self.malloc_may_fail {
            true => lower::Allocation::MayFail,
            false => lower::Allocation::Succeeds,
        }
    }
}
