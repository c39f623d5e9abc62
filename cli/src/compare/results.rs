//! Files of results: one line for each run, in the order in which the runs ended.
//!
//! A line is written at once and synchronized with the disk, so a process that is killed loses the
//! runs in progress and nothing else; a line without its end, left by a machine that lost power, is
//! removed. A lock keeps a second process out.

use super::outcome::Run;
use crate::error::CliError;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of results that is open for more.
pub(super) struct Results {
    file: File,
    path: PathBuf,
}

impl Results {
    /// Opens the file, which may be missing, and returns the results in it.
    ///
    /// # Errors
    /// Another process uses the file, or it is broken.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<Run>), CliError> {
        let io = |source| CliError::Io { path: path.to_path_buf(), source };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::Usage(format!(
                    "{}: another process runs this campaign",
                    path.display()
                )));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) => tracing::warn!("{}: cannot lock: {error}", path.display()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let complete = complete(&bytes);
        if complete.len() < bytes.len() {
            tracing::warn!("{}: the last line is incomplete and is removed", path.display());
            file.set_len(complete.len() as u64).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        let runs = parse(path, complete)?;
        Ok((Results { file, path: path.to_path_buf() }, runs))
    }

    /// A second handle of the same file.
    pub(super) fn handle(&self) -> Result<Self, CliError> {
        let path = self.path.clone();
        match self.file.try_clone() {
            Ok(file) => Ok(Results { file, path }),
            Err(source) => Err(CliError::Io { path, source }),
        }
    }

    /// Appends a result, and returns when it is on the disk.
    pub(super) fn append(&mut self, run: &Run) -> Result<(), CliError> {
        self.append_all(std::slice::from_ref(run))
    }

    /// Appends results, and returns when they are on the disk.
    pub(super) fn append_all(&mut self, runs: &[Run]) -> Result<(), CliError> {
        let io = |source| CliError::Io { path: self.path.clone(), source };
        let mut lines = Vec::new();
        for run in runs {
            serde_json::to_writer(&mut lines, run).map_err(|error| io(error.into()))?;
            lines.push(b'\n');
        }
        // One call, so that lines are never interleaved.
        self.file.write_all(&lines).and_then(|()| self.file.sync_data()).map_err(io)
    }
}

/// Reads the complete lines of a file from the byte `start` on, which another process may be
/// writing. Returns their results and the byte after them. A file that is missing is empty.
pub(super) fn read_from(path: &Path, start: u64) -> Result<(Vec<Run>, u64), CliError> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            file => file?,
        };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| CliError::Io { path: path.to_path_buf(), source })?;
    let complete = complete(&bytes);
    Ok((parse(path, complete)?, start + complete.len() as u64))
}

/// The complete lines.
fn complete(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)]
}

/// Parses results. A pair that occurs twice counts once, with its last result.
fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Run>, CliError> {
    let mut runs: Vec<Run> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    for (number, line) in lines {
        let run: Run = serde_json::from_slice(line).map_err(|error| CliError::Task {
            path: path.to_path_buf(),
            message: format!("line {}: {error}", number + 1),
        })?;
        match places.entry((run.task.clone(), run.configuration.clone())) {
            Entry::Occupied(place) => runs[*place.get()] = run,
            Entry::Vacant(place) => {
                place.insert(runs.len());
                runs.push(run);
            }
        }
    }
    Ok(runs)
}
