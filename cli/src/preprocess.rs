//! Preprocessing of C files by the preprocessor of the system.
//!
//! `.i` files are read as they are. Other files are preprocessed with `cc -E` if an option of the
//! preprocessor is given, or if they contain a directive other than line markers and pragmas, a
//! line continuation, a trigraph, or the name of a predefined macro. Most verification tasks need
//! no preprocessing, and starting the preprocessor would dominate their run time.
//!
//! 32-bit headers need not be installed: the headers in the 64-bit multiarch folder of the host
//! work for both pointer widths. The only missing header, glibc's `gnu/stubs-32.h`, is supplied as
//! an empty file.

use crate::error::CliError;
use crate::project::SourceFile;
use std::ffi::OsStr;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs `cc -E` on a C file for a pointer width in bits, and returns the output. `text` is the text
/// of standard input, if that is the file.
///
/// # Errors
/// [`CliError::NoPreprocessor`] if `cc` cannot be started, [`CliError::Preprocessor`] with its
/// messages if it fails, and [`CliError::Io`] if the temporary folder cannot be written.
pub(crate) fn preprocess(
    file: &SourceFile,
    text: &[u8],
    pointer_width: u32,
    options: &[String],
) -> Result<Vec<u8>, CliError> {
    let path = &file.path;
    let no_folder = |source| CliError::Io { path: std::env::temp_dir(), source };
    let stubs = tempfile::tempdir().map_err(no_folder)?;
    let input = match file.is_standard_input() {
        true => standard_input_again(text).map_err(no_folder)?,
        false => Stdio::null(),
    };
    let gnu = stubs.path().join("gnu");
    std::fs::create_dir(&gnu)
        .and_then(|()| std::fs::write(gnu.join("stubs-32.h"), ""))
        .map_err(|source| CliError::Io { path: gnu, source })?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    command.args(["-E", "-std=gnu11", "-w"]);
    command.arg(if pointer_width == 32 { "-m32" } else { "-m64" });
    if pointer_width == 32 {
        command.arg("-idirafter").arg(stubs.path());
        if let Some(headers) = multiarch_headers(&compiler) {
            command.arg("-idirafter").arg(headers);
        }
    }
    // The language of a file without an extension, such as standard input.
    command.args(options).args(["-x", "c"]).arg(path);
    let output = command.stdin(input).output().map_err(|source| CliError::NoPreprocessor {
        compiler: compiler.to_string_lossy().into_owned(),
        path: path.to_path_buf(),
        source,
    })?;
    if !output.status.success() {
        return Err(CliError::Preprocessor {
            path: path.to_path_buf(),
            messages: String::from_utf8_lossy(&output.stderr).trim_end().to_string(),
        });
    }
    Ok(output.stdout)
}

/// Returns a file with the text of standard input, to be read again.
fn standard_input_again(text: &[u8]) -> std::io::Result<Stdio> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file.into())
}

/// Returns the folder of the host's multiarch headers, if the compiler has one.
fn multiarch_headers(compiler: &OsStr) -> Option<PathBuf> {
    let output =
        Command::new(compiler).args(["-m64", "-print-multiarch"]).stdin(Stdio::null()).output().ok()?;
    let triple = String::from_utf8(output.stdout).ok()?;
    let triple = triple.trim();
    let headers = Path::new("/usr/include").join(triple);
    (output.status.success() && !triple.is_empty() && headers.is_dir()).then_some(headers)
}

/// Whether preprocessing could change the C text. Conservative: comments and strings count as code.
pub(crate) fn needs_preprocessing(text: &[u8]) -> bool {
    let mut at_line_start = true;
    let mut index = 0;
    while index < text.len() {
        let byte = text[index];
        match byte {
            b'\n' => at_line_start = true,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
            b'#' if at_line_start => {
                if !is_line_marker(&text[index + 1..]) {
                    return true;
                }
                at_line_start = false;
            }
            b'%' if at_line_start && text.get(index + 1) == Some(&b':') => return true,
            b'?' if text.get(index + 1) == Some(&b'?') => return true,
            b'\\' if matches!(text.get(index + 1), Some(b'\n' | b'\r')) => return true,
            byte if is_identifier_byte(byte) => {
                at_line_start = false;
                let length = text[index..].iter().take_while(|byte| is_identifier_byte(**byte)).count();
                if is_predefined_macro(&text[index..index + length]) {
                    return true;
                }
                index += length;
                continue;
            }
            // A directive may follow a comment at the start of a line.
            b'/' if text.get(index + 1) == Some(&b'*') => {
                let body = &text[index + 2..];
                let length = body.windows(2).position(|pair| pair == b"*/").map_or(body.len(), |end| end + 2);
                index += 2 + length;
                continue;
            }
            _ => at_line_start = false,
        }
        index += 1;
    }
    false
}

fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the text after a `#` is a line marker or a pragma; the C parser handles both.
fn is_line_marker(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"line") || rest.starts_with(b"pragma")
}

/// Whether gcc may predefine `word` as a macro: a reserved name `__X…` with an uppercase letter, or
/// one of a fixed list.
fn is_predefined_macro(word: &[u8]) -> bool {
    let by_shape = word.len() > 3
        && word.starts_with(b"__")
        && word[2].is_ascii_uppercase()
        && !word.starts_with(b"__VERIFIER_")
        || word.starts_with(b"_Pragma");
    by_shape
        || matches!(
            word,
            b"linux"
                | b"unix"
                | b"i386"
                | b"__linux"
                | b"__unix"
                | b"__linux__"
                | b"__unix__"
                | b"__gnu_linux__"
                | b"__i386"
                | b"__i386__"
                | b"__x86_64"
                | b"__x86_64__"
                | b"__amd64"
                | b"__amd64__"
                | b"_LP64"
                | b"__k8"
                | b"__k8__"
                | b"__code_model_32__"
                | b"__code_model_small__"
                | b"__pic__"
                | b"__pie__"
                | b"__i686"
                | b"__i686__"
                | b"__pentiumpro__"
                | b"__pentiumpro"
                | b"_ILP32"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_code_with_line_markers_is_taken_as_it_is() {
        assert!(!needs_preprocessing(b"# 1 \"a.c\"\n#line 3\n#pragma once\nint main() { return 7 % 2; }\n"));
        assert!(!needs_preprocessing(b"int __VERIFIER_nondet_int(void); int x = 1 ? 2 : 3;"));
    }

    #[test]
    fn directives_continuations_and_predefined_macros_need_the_preprocessor() {
        for text in [
            "#include <stdio.h>\n",
            "  # define X\n",
            "/* c */ #if 1\n",
            "int a = \\\n 3;",
            "const char *f = __FILE__;",
            "int linux;",
            "%:define X",
            "int m = __INT_MAX__;",
        ] {
            assert!(needs_preprocessing(text.as_bytes()), "{text:?}");
        }
    }
}
