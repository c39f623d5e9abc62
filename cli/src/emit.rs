//! `hornwork emit`: writes a program in one of the formats of
//! [`EMITTERS`](passes::emit::EMITTERS).

use crate::choice::{CHECK, Given, Target};
use crate::error::CliError;
use crate::input::{self, Compiled, Entry, Warnings};
use crate::internal;
use crate::options::EmitOptions;
use crate::verify::write_passes;
use crate::{Streams, exit};
use passes::emit::{Input, Options, Setting, formats_with};
use passes::transform::Pipeline;
use std::path::{Path, PathBuf};
use terms::choice::Choice;

pub(crate) fn run(options: &EmitOptions, given: &Given, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    // Report usage errors before any expensive work.
    refuse_ineffective(options.to, given)?;
    let settings = Options {
        unwind: options.unwind,
        blk: options.blk,
        procedures: options.procedures,
        encoding: options.encoding.encoding,
        overflow: options.encoding.overflow,
        floats: options.encoding.floats,
        reads: options.encoding.reads,
        passes: pipeline(options, given)?,
    };
    internal::on_request("emit");
    let warnings = match options.to {
        Target::Check => Warnings::Shown,
        Target::Format(_) => Warnings::OfEntry,
    };
    // A check concerns all files, also those of a library, unless an entry function is chosen.
    let entry = match options.to {
        Target::Check if !given.has("function") => Entry::Optional,
        Target::Check | Target::Format(_) => Entry::Required,
    };
    let mut compiled = input::compile_from(&options.input, entry, warnings, streams)?;
    if let Some(reason) = compiled.specification.refusal() {
        let _ = writeln!(streams.err, "error: {reason}");
        return Ok(exit::UNKNOWN);
    }
    let Target::Format(emitter) = options.to else {
        compiled.warn_of_assumptions(streams);
        return Ok(exit::TRUE);
    };
    let Compiled { pool, program, sources, .. } = &mut compiled;
    let folders = folders(&options.input.files);
    let mut text = String::new();
    match emitter.emit(Input { pool, program, sources, folders: &folders }, &settings, &mut text) {
        Ok(emitted) => {
            for warning in &emitted.warnings {
                let _ = writeln!(streams.err, "warning: {warning}");
            }
            if options.stats {
                drop(write_passes(streams.err, &emitted.passes));
            }
        }
        Err(refusal) => {
            let _ = writeln!(streams.err, "error: {refusal}");
            return Ok(exit::UNKNOWN);
        }
    }
    match &options.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|source| CliError::Io { path: path.clone(), source })?;
        }
        // A closed pipe is not an error: the reader may need only the start.
        None => drop(streams.out.write_all(text.as_bytes())),
    }
    Ok(exit::TRUE)
}

/// Returns the chosen memory model and passes, if the options choose either.
fn pipeline(options: &EmitOptions, given: &Given) -> Result<Option<Pipeline>, CliError> {
    let passes = options.passes.as_deref().map(input::pipeline).transpose()?;
    let passes = passes.or_else(|| given.has("memory").then(Pipeline::none));
    Ok(passes.map(|passes| passes.with_memory(options.encoding.memory)))
}

/// Returns the folders to which paths in emitted comments are relative: the working folder, then
/// the folder of the first file.
fn folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let of_file = files.first().and_then(|file| file.parent()).map(Path::to_path_buf);
    let folders = std::env::current_dir().ok().into_iter().chain(of_file);
    folders.filter(|folder| folder.is_absolute()).collect()
}

/// Rejects options that have no effect on the target.
fn refuse_ineffective(target: Target, given: &Given) -> Result<(), CliError> {
    let (name, settings) = match target {
        Target::Check => (CHECK, &[][..]),
        Target::Format(emitter) => (emitter.name(), emitter.settings()),
    };
    let unused = Setting::all().filter(|setting| !settings.contains(setting));
    let mut refused = unused.map(|setting| (setting.name(), formats_with(setting).join(", ")));
    match refused.find(|(option, _)| given.has(option)) {
        Some((option, formats)) => {
            Err(CliError::Usage(format!("--{option} has no effect with --to {name}: it affects {formats}")))
        }
        None => Ok(()),
    }
}
