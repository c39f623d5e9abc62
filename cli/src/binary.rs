//! This binary as the program of its own processes: workers, stages, supervised runs, solvers.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The path of this binary, if it supports `hornwork worker`. A program that links this crate and
/// calls [`run`](crate::run) may not.
static WORKER: OnceLock<PathBuf> = OnceLock::new();

/// The path of this binary, if it can run as a worker or as a stage of a portfolio.
pub(crate) fn this_binary() -> Option<&'static Path> {
    WORKER.get().map(PathBuf::as_path)
}

/// Declares that the binary of this process supports `hornwork worker`.
pub(crate) fn this_binary_serves() {
    if let Ok(program) = std::env::current_exe() {
        let _ = WORKER.set(program);
    }
}
