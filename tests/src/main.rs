//! `hornwork` under another name, see the package's manifest; and the other side of the tests of
//! workers.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match hornwork_tests::misbehave::main(&arguments) {
        Some(code) => code,
        None => hornwork::main_with_standard_streams(),
    }
}
