//! The `hornwork` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    hornwork::main_with_standard_streams()
}
