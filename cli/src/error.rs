//! Errors that prevent a verdict.

use crate::internal::InternalError;
use grammars::source::{Diagnostic, SourceMap};
use serde_json::{Value, json};
use std::path::PathBuf;

/// An error of usage or input (exit code 2), an unsupported program or an internal error (exit code
/// 20).
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The C preprocessor cannot be started.
    #[error(
        "{}: cannot run the C preprocessor `{compiler}` ({source}); install gcc, or preprocess the file yourself and name it .i",
        path.display()
    )]
    NoPreprocessor {
        /// The command of the preprocessor.
        compiler: String,
        /// The file to preprocess.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The C preprocessor found errors.
    #[error("{}: the C preprocessor failed\n{messages}", path.display())]
    Preprocessor {
        /// The preprocessed file.
        path: PathBuf,
        /// The messages of the preprocessor.
        messages: String,
    },
    /// A task definition or property file is not well-formed.
    #[error("{}: {message}", path.display())]
    Task {
        /// The file.
        path: PathBuf,
        /// The error.
        message: String,
    },
    /// An option has an unknown value, or options are incompatible.
    #[error("{0}")]
    Usage(String),
    /// The chosen solver does not support the encoding.
    #[error("{0}")]
    Unsuitable(String),
    /// The program has errors. They are shown with their source lines.
    #[error("the program has errors")]
    Program {
        /// The errors with their positions.
        diagnostics: Vec<Diagnostic>,
        /// The sources, for the excerpts.
        sources: Box<SourceMap>,
    },
    /// The program is valid, but the command does not support it.
    #[error("{0}")]
    Unsupported(String),
    /// A panic.
    #[error("{0}")]
    Internal(InternalError),
}

impl CliError {
    /// Returns the error as a JSON object: the verdict `ERROR`, the message, and the position.
    pub(crate) fn json(&self) -> Value {
        let mut object = json!({ "verdict": "ERROR", "message": self.message(), "file": null, "line": null });
        match self {
            CliError::Io { path, .. }
            | CliError::NoPreprocessor { path, .. }
            | CliError::Preprocessor { path, .. }
            | CliError::Task { path, .. } => object["file"] = path.display().to_string().into(),
            CliError::Program { diagnostics, sources } => {
                let errors: Vec<Value> = diagnostics.iter().map(|error| located(error, sources)).collect();
                if let Some(first) = errors.first() {
                    for member in ["file", "line", "column", "message"] {
                        object[member] = first[member].clone();
                    }
                }
                object["errors"] = errors.into();
            }
            CliError::Usage(_)
            | CliError::Unsuitable(_)
            | CliError::Unsupported(_)
            | CliError::Internal(_) => {}
        }
        object
    }

    /// Returns the message without the file.
    fn message(&self) -> String {
        match self {
            CliError::Io { source, .. } => source.to_string(),
            CliError::Task { message, .. } => message.clone(),
            // The option parser appends hints to its errors, after an empty line.
            CliError::Usage(message) => {
                let message = message.split("\n\n").next().unwrap_or_default();
                message.trim_start_matches("error: ").trim().to_owned()
            }
            error => error.to_string(),
        }
    }
}

/// Returns a diagnostic with its position as JSON.
fn located(error: &Diagnostic, sources: &SourceMap) -> Value {
    let place = sources.presumed(error.primary.span);
    json!({
        "file": place.as_ref().map(|place| place.file.to_string()),
        "line": place.as_ref().map(|place| place.line),
        "column": place.as_ref().map(|place| place.column),
        "message": error.message,
        "help": error.help,
    })
}
