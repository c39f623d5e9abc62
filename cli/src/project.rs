//! The source files that the operands of a command stand for: files, standard input (`-`), folders,
//! and compilation databases.
//!
//! A folder stands for its `compile_commands.json` if it has one, otherwise for the C files in it
//! (not in its subfolders). A compilation database is the format of Clang: each entry has a file,
//! the folder of the compiler, and its command line as a list (`arguments`) or a string
//! (`command`). All C files of the database are one program; their options for the preprocessor
//! apply to each of them alone.
//!
//! Limits: a database of several programs is rejected by the linker, because it defines `main`
//! twice; its files can be selected on the command line. Response files (`@file`) are not expanded.

use crate::error::CliError;
use frontend::c::types::DataModel;
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The UTF-8 byte order mark, which some editors write at the start of a file.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The operand for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";
/// The name of a compilation database in a folder.
const DATABASE: &str = "compile_commands.json";

/// A C file of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// The file, or [`STANDARD_INPUT`].
    pub(crate) path: PathBuf,
    /// The options of the preprocessor for this file alone.
    pub(crate) preprocessor: Vec<String>,
    /// The data model that its command line selects.
    pub(crate) data_model: Option<DataModel>,
}

impl SourceFile {
    /// Returns a file without options of its own.
    pub(crate) fn new(path: PathBuf) -> Self {
        SourceFile { path, preprocessor: Vec::new(), data_model: None }
    }

    /// Returns the text of the file. Standard input is read once.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, CliError> {
        if self.is_standard_input() {
            return standard_input().map(<[u8]>::to_vec);
        }
        std::fs::read(&self.path).map_err(|source| CliError::Io { path: self.path.clone(), source })
    }

    /// Whether the file is standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == STANDARD_INPUT
    }
}

/// Returns the text on standard input.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn standard_input() -> Result<&'static [u8], CliError> {
    static TEXT: OnceLock<Result<Vec<u8>, std::io::ErrorKind>> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map(|_| text).map_err(|error| error.kind())
    });
    match text {
        Ok(text) => Ok(text),
        Err(kind) => Err(CliError::Io { path: STANDARD_INPUT.into(), source: (*kind).into() }),
    }
}

/// Returns the C files that `operands` stand for.
///
/// # Errors
/// If a folder or compilation database cannot be read or has no C files.
pub(crate) fn expand(operands: &[PathBuf]) -> Result<Vec<SourceFile>, CliError> {
    let mut files = Vec::new();
    for operand in operands {
        if operand.file_name().is_some_and(|name| name == DATABASE) {
            files.extend(database(operand)?);
        } else if operand.is_dir() {
            files.extend(folder(operand)?);
        } else {
            files.push(SourceFile::new(operand.clone()));
        }
    }
    Ok(files)
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

fn folder(path: &Path) -> Result<Vec<SourceFile>, CliError> {
    if path.join(DATABASE).is_file() {
        return database(&path.join(DATABASE));
    }
    let io = |source| CliError::Io { path: path.to_path_buf(), source };
    let entries = std::fs::read_dir(path).map_err(io)?.collect::<Result<Vec<_>, _>>().map_err(io)?;
    let mut files: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|file| is_c(file) && file.is_file());
    files.sort();
    // A preprocessed file beside its source is the same translation unit.
    let sources = files.clone();
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "c")
            || !sources.contains(&file.with_extension("c"))
    });
    if files.is_empty() {
        let message = format!("the folder has neither C files nor a {DATABASE}");
        return Err(CliError::Task { path: path.to_path_buf(), message });
    }
    Ok(files.into_iter().map(SourceFile::new).collect())
}

/// An entry of a compilation database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

fn database(path: &Path) -> Result<Vec<SourceFile>, CliError> {
    let error = |message: String| CliError::Task { path: path.to_path_buf(), message };
    let text = std::fs::read(path).map_err(|source| CliError::Io { path: path.to_path_buf(), source })?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let entries: Vec<Entry> = serde_json::from_slice(text)
        .map_err(|source| error(format!("not a compilation database: {source}")))?;
    let mut files: Vec<SourceFile> = Vec::new();
    for entry in entries {
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shlex::split(&command)
                .ok_or_else(|| error(format!("an unclosed quotation in the command `{command}`")))?,
            (None, None) => Vec::new(),
        };
        let base = path.parent().unwrap_or(Path::new("")).join(&entry.directory);
        let file = base.join(&entry.file);
        if is_c(&file) && files.iter().all(|known| known.path != file) {
            let words = words.get(1..).unwrap_or_default();
            files.push(SourceFile { path: file, ..of_command(&base, words) });
        }
    }
    if files.is_empty() {
        return Err(error("the compilation database has no C files".to_owned()));
    }
    Ok(files)
}

/// The options of a compiler with a file or folder as value.
const WITH_PATH: &[&str] = &["-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter"];
/// The options of a compiler with another value that the preprocessor needs.
const WITH_VALUE: &[&str] = &["-D", "-U", "-std="];

/// Selects the options of the preprocessor from the command line of a compiler that runs in `base`.
fn of_command(base: &Path, words: &[String]) -> SourceFile {
    let mut file = SourceFile::new(PathBuf::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let option =
            |options: &[&'static str]| options.iter().copied().find(|option| word.starts_with(option));
        match word.as_str() {
            "-m32" => file.data_model = Some(DataModel::Ilp32),
            "-m64" => file.data_model = Some(DataModel::Lp64),
            "-undef" | "-nostdinc" | "-ansi" | "-fopenmp" => file.preprocessor.push(word.clone()),
            _ => {}
        }
        let (name, is_path) = match (option(WITH_PATH), option(WITH_VALUE)) {
            (Some(name), _) => (name, true),
            (None, Some(name)) => (name, false),
            (None, None) => continue,
        };
        let value = match &word[name.len()..] {
            "" => match words.next() {
                Some(value) => value.as_str(),
                None => break,
            },
            value => value,
        };
        // A header that is not in the folder is searched like one of `#include`.
        let joined = base.join(value);
        let is_searched = name == "-include" || name == "-imacros";
        let value = match is_path && (!is_searched || joined.is_file()) {
            true => joined.to_string_lossy().into_owned(),
            false => value.to_owned(),
        };
        match name {
            "-std=" | "-D" | "-U" | "-I" => file.preprocessor.push(format!("{name}{value}")),
            _ => file.preprocessor.extend([name.to_owned(), value]),
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(command: &str) -> Vec<String> {
        of_command(Path::new("/b"), &shlex::split(command).expect("it is closed")).preprocessor
    }

    #[test]
    fn options_of_the_preprocessor_are_selected() {
        assert_eq!(
            options("-O2 -Iinc -I /abs -DX=1 -D Y -UZ -std=c99 -Wall -c a.c -o a.o -isystem sys -MD"),
            ["-I/b/inc", "-I/abs", "-DX=1", "-DY", "-UZ", "-std=c99", "-isystem", "/b/sys"]
        );
        assert_eq!(options("-include missing.h -D"), ["-include", "missing.h"]);
    }

    #[test]
    fn the_width_selects_the_data_model() {
        let words = ["-m32".to_owned()];
        assert_eq!(of_command(Path::new(""), &words).data_model, Some(DataModel::Ilp32));
    }
}
