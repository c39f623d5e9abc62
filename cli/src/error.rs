//! What can go wrong before there is a verdict.

use crate::internal::InternalError;
use grammars::source::{Diagnostic, SourceMap};
use std::path::PathBuf;

/// An error of usage or input (exit code 2), or an internal one (20).
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no C preprocessor.
    #[error(
        "{}: cannot run the C preprocessor `{compiler}` ({source}); install gcc, or preprocess the file yourself and name it .i",
        path.display()
    )]
    NoPreprocessor {
        /// What was tried.
        compiler: String,
        /// For which file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The C preprocessor found errors.
    #[error("{}: the C preprocessor failed\n{messages}", path.display())]
    Preprocessor {
        /// For which file.
        path: PathBuf,
        /// What it said.
        messages: String,
    },
    /// A task definition or property file is not well-formed.
    #[error("{}: {message}", path.display())]
    Task {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// An option has a value that is not known, or options do not fit together.
    #[error("{0}")]
    Usage(String),
    /// The program has errors; they are shown with their source lines.
    #[error("the program has errors")]
    Program {
        /// Located.
        diagnostics: Vec<Diagnostic>,
        /// For the excerpts.
        sources: Box<SourceMap>,
    },
    /// A panic.
    #[error("{0}")]
    Internal(InternalError),
}
