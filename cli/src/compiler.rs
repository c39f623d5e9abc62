//! The options that compilers have for the preprocessor.

use clap::Args;
use std::ffi::OsString;

/// The preprocessor, as for a compiler; also in the notation of compilers (-include, -isystem,
/// -std=).
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Preprocessor")]
pub struct PreprocessorOptions {
    /// Search a folder for headers (repeatable).
    #[arg(short = 'I', long = "include-dir", value_name = "DIR", hide_short_help = true)]
    pub include_dir: Vec<String>,

    /// Search a folder for system headers (repeatable).
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub isystem: Vec<String>,

    /// Define a macro (repeatable).
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]", hide_short_help = true)]
    pub define: Vec<String>,

    /// Undefine a macro, after all definitions (repeatable).
    #[arg(short = 'U', long, value_name = "NAME", hide_short_help = true)]
    pub undefine: Vec<String>,

    /// Include a file before the program (repeatable).
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub include: Vec<String>,

    /// The C standard, which selects predefined macros [default: gnu11].
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub std: Option<String>,

    /// Another option for the preprocessor, e.g. --cpp-option=-undef (repeatable).
    #[arg(long = "cpp-option", hide_short_help = true, value_name = "OPTION", allow_hyphen_values = true)]
    pub cpp_options: Vec<String>,
}

impl PreprocessorOptions {
    /// Returns the options as words for `cc`.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.std.iter().map(|std| format!("-std={std}")).collect();
        let mut add = |option: &str, values: &[String]| {
            for value in values {
                words.extend([option.to_owned(), value.clone()]);
            }
        };
        add("-I", &self.include_dir);
        add("-isystem", &self.isystem);
        add("-D", &self.define);
        add("-U", &self.undefine);
        add("-include", &self.include);
        words.extend(self.cpp_options.iter().cloned());
        words
    }
}

/// Returns the arguments with the long options of compilers (`-include FILE`, `-isystem DIR`,
/// `-std=NAME`) in the notation of this tool.
pub(crate) fn with_two_dashes(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut is_option = true;
    let two_dashes = |word: OsString| match word.to_str() {
        Some("--") => {
            is_option = false;
            word
        }
        Some(text)
            if is_option && (text == "-include" || text == "-isystem" || text.starts_with("-std=")) =>
        {
            format!("-{text}").into()
        }
        _ => word,
    };
    arguments.into_iter().map(two_dashes).collect()
}
