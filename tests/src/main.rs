//! `hornwork` under another name, see the package's manifest.

use std::process::ExitCode;

fn main() -> ExitCode {
    hornwork::main_with_standard_streams()
}
