//! Checks for the library that `scripts/setup.sh` fetches, to report its absence more clearly than
//! the linker does.

use std::path::Path;

fn main() {
    let lib = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../.setup/solvers/lib");
    println!("cargo::rerun-if-changed={}", lib.join("libz3.so").display());
    if !lib.join("libz3.so").exists() {
        println!(
            "cargo::error=the Z3 library is missing: run `scripts/setup.sh build` (as make does), or disable the feature `z3`"
        );
    }
}
