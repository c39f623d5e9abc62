//! Looks for the library that `scripts/setup.sh` fetches, so that its absence is said in words and not by the linker.

use std::path::Path;

fn main() {
    let lib = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../.setup/solvers/lib");
    println!("cargo::rerun-if-changed={}", lib.join("libz3.so").display());
    if !lib.join("libz3.so").exists() {
        println!(
            "cargo::error=the library of z3 is missing: please run scripts/setup.sh build (make does), or leave the feature `z3` out"
        );
    }
}
