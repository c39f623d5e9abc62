//! `hornwork` under another name, see the package's manifest; and the other side of the tests of
//! workers and of solver processes.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let role = hornwork_tests::misbehave::main(&arguments).or_else(|| hornwork_tests::fake::main(&arguments));
    match role {
        Some(code) => code,
        None => hornwork::main_with_standard_streams(),
    }
}
